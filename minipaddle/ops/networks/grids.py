"""Images read at any places: the two ops of a spatial transformer.

A grid has a place for each pixel of the result: x, y (and z in volumes), from −1 to 1 across the
image that is read.
"""

from __future__ import annotations

from functools import reduce
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.meta import Meta, no_kernel
from ...errors import misfit, require
from .. import errors
from ..arguments import read_sizes, shapes_differ
from ..op_spec import op
from ..record import Formula, Public, Static, sample, with_options
from ..rule_functions import array_functions

FUNCTIONAL = Public(function=False, method=False, functional=True)

# ----- places ------------------------------------------------------------------------------------


def _affine_infer(theta: Meta, *, out_shape: Any, align_corners: bool) -> Meta:
    if theta.dtype.kind != "f":
        raise no_kernel("affine_grid", "theta", theta)
    axes = len(out_shape) - 2
    fits = axes in (2, 3) and not shapes_differ(theta.shape[1:], (axes, axes + 1))
    expected = "theta [N, 2, 3] and out_shape [N, C, H, W], or theta [N, 3, 4] and one size more"
    require(fits, "affine_grid", expected, theta=theta, out_shape=list(out_shape))
    return Meta((theta.shape[0], *out_shape[2:], axes), theta.dtype)


def _pixels(F: Any, out_shape: Any, align_corners: bool, like: Any) -> Any:
    """Return (x, y, 1) or (x, y, z, 1) of each pixel of an image."""
    lines = [(2 * np.arange(n) + 1 - n) / max(n - align_corners, 1) for n in out_shape[2:]]
    places = np.meshgrid(*lines, indexing="ij")[::-1]
    points = np.stack([*places, np.ones(out_shape[2:])], -1).reshape(-1, len(lines) + 1)
    return F.assign_value(values=points, shape=list(points.shape), dtype=DType.of(like.dtype))


@op(
    infer=_affine_infer,
    checked=True,
    canon={"out_shape": read_sizes},
    formula=Formula(
        "y = pixels @ thetaᵀ", "dtheta = dyᵀ @ pixels", symbol="affine grid", node="AffineGrid"
    ),
    samples=(
        sample((2, 2, 3), out_shape=(2, 1, 2, 3)),
        sample((1, 3, 4), out_shape=(1, 1, 2, 1, 2), align_corners=False),
    ),
    public=FUNCTIONAL,
    static=Static(
        "affine_grid", {"theta": "Theta", "out": "Output"}, attrs={"out_shape": "output_shape"}
    ),
)
def affine_grid(xp: Any, theta: Any, *, out_shape: Any, align_corners: bool = True) -> Any:
    """The place that an affine map gives to each pixel of images of `out_shape`.

    A place is x, y (and z), from −1 to 1: at the middle of the outermost pixels, or, without
    `align_corners`, at their outer edges.

    >>> turned = paddle.to_tensor([[[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]])
    >>> paddle.nn.functional.affine_grid(turned, [1, 1, 1, 2], align_corners=False).tolist()
    [[[[0.0, -0.5], [0.0, 0.5]]]]
    """
    points = _pixels(array_functions(xp), out_shape, align_corners, theta)
    made = xp.matmul(points, xp.swapaxes(theta, 1, 2))
    return made.reshape((theta.shape[0], *out_shape[2:], made.shape[-1]))


@affine_grid.grad
def affine_grid_grad(F: Any, dout: Any, *, out_shape: Any, align_corners: bool) -> Any:
    points = _pixels(F, out_shape, align_corners, dout)
    rows = F.reshape(dout, shape=(-1, points.shape[0], points.shape[1] - 1))
    return F.matmul(F.transpose(rows, perm=(0, 2, 1)), points)


# ----- pixels at places --------------------------------------------------------------------------


def _sample_infer(
    x: Meta, grid: Meta, *, mode: str, padding_mode: str, align_corners: bool
) -> Meta:
    name = "grid_sample"
    errors.require_choice(name, "mode", mode, ("bilinear", "nearest"))
    errors.require_choice(name, "padding_mode", padding_mode, ("zeros", "border", "reflection"))
    errors.require_rank(name, 4, 5, x=x)
    if x.dtype.kind != "f":
        raise no_kernel(name, "x", x)
    if x.dtype != grid.dtype:
        raise errors.other_dtype(name, x=x, grid=grid)
    axes = len(x.shape) - 2
    ends, expected_ends = (grid.shape[0], grid.shape[-1]), (x.shape[0], axes)
    if len(grid.shape) != axes + 2 or shapes_differ(ends, expected_ends):
        last = ", ".join(["H", "W", "2"] if axes == 2 else ["D", "H", "W", "3"])
        raise misfit(name, f"grid [{x.shape[0]}, {last}]", x=x, grid=grid)
    return Meta((*x.shape[:2], *grid.shape[1:-1]), x.dtype)


def _places_along(F: Any, grid: Any, n: int, padding_mode: str, align_corners: bool) -> Any:
    """Return places of a grid in pixels along an axis, and their slope by those of the grid."""
    low, span = (0.0, n - 1) if align_corners else (-0.5, n)
    places, slope = (grid + 1.0) * (span / 2) + low, F.fill_like(grid, value=span / 2)
    if padding_mode == "reflection" and span:
        turn = F.remainder(places - low, F.fill_like(places, value=2.0 * span))
        back = turn > span
        places = F.where(back, 2.0 * span - turn, turn) + low
        slope = F.where(back, -slope, slope)
    if padding_mode != "zeros":
        kept = F.clip(places, min=0.0, max=n - 1.0)
        slope = F.where(kept == places, slope, F.fill_like(slope))
        places = kept
    return places, slope


def _corners(F: Any, grid: Any, size: Any, mode: str, how: Any) -> Any:
    """Yield for the pixels around the places their position in the flattened image, −1 outside,
    and along each axis their weight and its slope."""
    sides: list[Any] = []
    for number, n in enumerate(reversed(size)):
        places, slope = _places_along(F, grid[..., number], n, **how)
        if mode == "nearest":
            sides.insert(0, [(F.round(places), F.fill_like(places, value=1.0), slope * 0.0)])
        else:
            first = F.floor(places)
            after = places - first
            sides.insert(0, [(first, 1.0 - after, -slope), (first + 1.0, after, slope)])
    for corner in product(*sides):
        position: Any = 0
        all_inside: list[Any] = []
        for n, (at, _, _) in zip(size, corner, strict=True):
            inside = F.logical_and(at >= 0.0, at <= n - 1.0)
            index = F.cast(F.where(inside, at, F.fill_like(at)), dtype=DType.of("int64"))
            position, all_inside = position * n + index, [*all_inside, inside]
        nowhere = F.fill_like(position, value=-1)
        yield F.where(reduce(F.logical_and, all_inside), position, nowhere), corner


def _spread(F: Any, part: Any, channels: int) -> Any:
    """Repeat a number for each place as one for each channel."""
    batch, *places = F.sizes(part)
    return F.expand(F.unsqueeze(part, axis=1), shape=(batch, channels, *places))


@op(
    infer=_sample_infer,
    checked=True,
    formula=Formula(
        with_options(
            "y = grid_sample(x, grid)", mode="bilinear", padding_mode="zeros", align_corners=True
        ),
        "dxⱼ = Σ dyᵢ · ∂yᵢ/∂xⱼ, dgridⱼ = Σ dyᵢ · ∂yᵢ/∂gridⱼ",
    ),
    samples=(
        sample((2, 2, 3, 2), (2, 2, 1, 2), domain=(-0.9, 0.9)),
        sample((1, 2, 2, 3), (1, 1, 4, 2), padding_mode="border", align_corners=False),
        sample((1, 1, 3, 4), (1, 2, 3, 2), padding_mode="reflection", align_corners=False),
        sample((1, 1, 4, 3), (1, 1, 3, 2), mode="nearest"),
        sample((1, 1, 2, 3, 2), (1, 1, 2, 1, 3), padding_mode="reflection"),
    ),
    public=FUNCTIONAL,
    static=Static("grid_sampler", {"grid": "Grid", "out": "Output"}),
)
def grid_sample(
    xp: Any,
    x: Any,
    grid: Any,
    *,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Any:
    """The pixels of images at the places of a grid: the mean of the nearest four, by distance, or
    the nearest one.

    Images [N, C, H, W] need a grid [N, rows, columns, 2] of places x, y from −1 to 1; volumes have
    one size more. −1 and 1 are the middle of the outermost pixels, or, without `align_corners`,
    their outer edges. Outside there are `zeros`, or the pixels of the `border`, or of a mirror
    there (`reflection`).

    >>> x = paddle.to_tensor([[[[1.0, 3.0]]]])
    >>> grid = paddle.to_tensor([[[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]]])
    >>> paddle.nn.functional.grid_sample(x, grid).tolist()
    [[[[2.0, 3.0, 0.0]]]]
    """
    F, channels = array_functions(xp), x.shape[1]
    how = {"padding_mode": padding_mode, "align_corners": align_corners}
    out = xp.zeros((*x.shape[:2], *grid.shape[1:-1]), x.dtype)
    for place, corner in _corners(F, grid, x.shape[2:], mode, how):
        weight = prod((weight for _, weight, _ in corner[1:]), start=corner[0][1])
        taken = F.take_in_planes(x, _spread(F, place, channels), some_nowhere=True)
        out += taken * xp.expand_dims(weight, 1)
    return out


@grid_sample.grad
def grid_sample_grad(
    F: Any, dout: Any, x: Any, grid: Any, *, mode: str, needs: Any, **how: Any
) -> Any:
    size = tuple(F.sizes(x)[2:])
    dx, dplaces = F.fill_like(x), [F.fill_like(grid[..., 0])] * len(size)
    for place, corner in _corners(F, grid, size, mode, how):
        places = _spread(F, place, F.sizes(x)[1])
        weights = [weight for _, weight, _ in corner]
        if needs[0]:
            share = dout * F.unsqueeze(prod(weights[1:], start=weights[0]), axis=1)
            dx = dx + F.put_in_planes(share, places, size=size, some_nowhere=True)
        if needs[1]:
            taken = F.take_in_planes(x, places, some_nowhere=True)
            dweight = F.sum(dout * taken, axis=1)
            for axis, (_, _, slope) in enumerate(corner):
                others = weights[:axis] + weights[axis + 1 :]
                dplaces[axis] = dplaces[axis] + dweight * prod(others, start=slope)
    dgrid = F.stack(dplaces[::-1], axis=-1) if needs[1] else None
    return dx if needs[0] else None, dgrid
