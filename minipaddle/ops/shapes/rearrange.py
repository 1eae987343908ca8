"""Ops that reorder elements."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument
from ...engine.meta import Meta, axes_of, axis_of
from ...errors import misfit, require
from .. import errors
from ..arguments import accept_separate_ints, read_axes, read_ints
from ..catalog import public
from ..op_spec import internal, op
from ..record import Formula, Public, Results, Static, sample

# ----- the order of the axes ---------------------------------------------------------------------


def _transpose_infer(x: Meta, *, perm: tuple[int, ...]) -> Meta:
    order = [axis_of("transpose", x, p) for p in perm]
    if sorted(order) != list(range(len(x.shape))):
        expected = f"perm with each of 0 to {len(x.shape) - 1} once"
        raise misfit("transpose", expected, x=x, perm=list(perm))
    return Meta(tuple(x.shape[p] for p in order), x.dtype)


def _transpose_formula(result: str, x: str, perm: Sequence[int]) -> str:
    is_matrix = [axis % len(perm) for axis in perm] == [1, 0]
    return f"{result} = {x}ᵀ" if is_matrix else f"{result} = transpose({x}, {list(perm)})"


def _inverse(perm: Sequence[int]) -> list[int]:
    """Return the order of axes that undoes an order."""
    return sorted(range(len(perm)), key=lambda place: perm[place] % len(perm))


@internal(
    infer=_transpose_infer,
    canon={"perm": read_ints},
    results=Results(view=True),
    formula=Formula(
        lambda attrs: _transpose_formula("y", "x", attrs["perm"]),
        lambda attrs: _transpose_formula("dx", "dy", _inverse(attrs["perm"])),
        symbol=lambda attrs: f"transpose {list(attrs['perm'])}",
    ),
    samples=(sample((2, 3), perm=[1, 0]), sample((2, 3, 4), perm=[2, 0, -2])),
    static=Static("transpose2", attrs={"perm": "axis"}, prefix="transpose"),
)
def transpose_(xp: Any, x: Any, *, perm: Any) -> Any:
    """x with its axes in the order `perm`."""
    _transpose_infer(Meta(x.shape, x.dtype), perm=perm)
    return xp.transpose(x, perm)


transpose_.grad(lambda F, dout, *, perm: F.transpose(dout, perm=_inverse(perm)))


def _two_axes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function exchange two axes that are passed one by one or as dim0 and dim1."""

    @functools.wraps(function)
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        pair = (*args, *(kwargs[n] for n in ("dim0", "dim1") if n in kwargs))
        if len(pair) != 2 or not all(isinstance(axis, int) for axis in pair):
            return function(x, *args, **kwargs)
        meta = Meta(tuple(x.shape), DType.of(x.dtype).numpy)
        one, other = (axis_of(function.__name__, meta, axis) for axis in pair)
        order = list(range(len(meta.shape)))
        order[one], order[other] = other, one
        return function(x, order)

    return call


@public(inplace=True, view=True)
@_two_axes
@accept_separate_ints
def transpose(x: Any, perm: Any, name: str | None = None) -> Any:
    """x with its axes in the order `perm`, or with two axes exchanged that are passed one by one.

    >>> paddle.transpose(paddle.ones([2, 3, 4]), [2, 0, 1]).shape
    paddle.Size([4, 2, 3])
    >>> paddle.ones([2, 3, 4]).transpose(0, 1).shape
    paddle.Size([3, 2, 4])
    """
    return transpose_.call(x, perm=perm)


@public()
@accept_separate_ints
def permute(input: Any, dims: Any) -> Any:
    """x with its axes in the order `dims`; another name of transpose.

    Shapes: for example input [2, 3], dims=[1, 0] gives [3, 2].
    Dtypes: all kept.
    Errors: ValueError if input is not a Tensor, unless every axis is named once.

    >>> paddle.permute(paddle.ones([2, 3]), [1, 0]).shape
    paddle.Size([3, 2])
    """
    return transpose_.call(input, perm=dims)


@public(aliases=("swapdims",))
@_two_axes
def swapaxes(x: Any, perm: Any, name: str | None = None) -> Any:
    """x with two axes exchanged, or with its axes in the order of one list.

    Shapes: for example x [2, 3, 4] with axes 0 and 2 gives [4, 3, 2].
    Dtypes: all kept.
    Errors: ValueError for an axis that is not there.

    >>> paddle.swapaxes(paddle.ones([2, 3, 4]), 0, 2).shape
    paddle.Size([4, 3, 2])
    """
    return transpose_.call(x, perm=perm)


@public()
def matrix_transpose(x: Any, name: str | None = None) -> Any:
    """x with its last two axes exchanged.

    Shapes: for example x [2, 3, 4] gives [2, 4, 3].
    Dtypes: all kept.
    Errors: ValueError for fewer than two axes.

    >>> paddle.matrix_transpose(paddle.ones([2, 3, 4])).shape
    paddle.Size([2, 4, 3])
    """
    rank = len(x.shape)
    if rank < 2:
        raise errors.rank("matrix_transpose", 2, None, x=x)
    return transpose_.call(x, perm=(*range(rank - 2), rank - 1, rank - 2))


@public(inplace=True, view=True)
def t(input: Any, name: str | None = None) -> Any:
    """The transpose of a matrix; vectors and 0-D tensors are returned unchanged.

    Dtypes: all kept.
    Errors: ValueError for more than two axes.

    >>> paddle.t(paddle.ones([2, 3])).shape
    paddle.Size([3, 2])
    """
    rank = len(input.shape)
    if rank > 2:
        raise errors.rank("t", 0, 2, InvalidArgument, "paddle.transpose(x, perm)", input=input)
    return transpose_.call(input, perm=(1, 0)) if rank == 2 else input


@public()
def moveaxis(x: Any, source: Any, destination: Any, name: str | None = None) -> Any:
    """x with axes moved to other positions; the others keep their order.

    Shapes: for example x [2, 3, 4], source=0, destination=2 gives [3, 4, 2].
    Dtypes: all kept.
    Errors: AssertionError for an axis that is not there, or lists of two lengths.

    >>> paddle.moveaxis(paddle.ones([2, 3, 4]), 0, 2).shape
    paddle.Size([3, 4, 2])
    """
    rank = len(x.shape)
    meta = Meta(tuple(x.shape), DType.of(x.dtype).numpy)
    sources, targets = read_ints(source), read_ints(destination)
    if len(sources) != len(targets):
        both = {"source": sources, "destination": targets}
        raise misfit("moveaxis", "lists of one length", CheckFailed, **both)
    there = [axis_of("moveaxis", meta, a, error=CheckFailed) for a in sources]
    back = [axis_of("moveaxis", meta, a, error=CheckFailed) for a in targets]
    for name_, row in (("source", there), ("destination", back)):
        if len(set(row)) < len(row):
            raise misfit("moveaxis", "each axis once", **{name_: row})
    order = [axis for axis in range(rank) if axis not in there]
    for place, axis in sorted(zip(back, there, strict=True)):
        order.insert(place, axis)
    return transpose_.call(x, perm=order)


# ----- the order along an axis -------------------------------------------------------------------


def _flip_infer(x: Meta, *, axis: Any) -> Meta:
    if read_ints(axis):
        axes_of("flip", x, read_ints(axis))
    return x


@op(
    infer=_flip_infer,
    canon={"axis": read_axes},
    formula=Formula(
        lambda attrs: f"y = flip(x, axis={attrs['axis']})",
        lambda attrs: f"dx = flip(dy, axis={attrs['axis']})",
    ),
    samples=(sample((2, 3), axis=1), sample((2, 3, 2), axis=[0, -1]), sample((2,), axis=[])),
    public=Public(aliases=("reverse",)),
)
def flip(xp: Any, x: Any, *, axis: Any) -> Any:
    """x reversed along the axes.

    >>> paddle.flip(paddle.to_tensor([1, 2, 3]), 0).tolist()
    [3, 2, 1]
    """
    _flip_infer(Meta(x.shape, x.dtype), axis=axis)
    return xp.flip(x, read_ints(axis)).copy()


flip.grad(lambda F, dout, *, axis: F.flip(dout, axis=axis))


def _roll_infer(x: Meta, *, shifts: Any, axis: Any) -> Meta:
    by, along = read_ints(shifts), read_ints(axis)
    for one in along:
        axis_of("roll", x, one)
    require(len(by) == max(len(along), 1), "roll", "lists of one length", shifts=by, axis=along)
    return x


@op(
    infer=_roll_infer,
    canon={"shifts": read_axes, "axis": read_axes},
    formula=Formula(
        lambda attrs: "y = roll(x, {shifts}{axes})".format(
            **attrs, axes="" if attrs["axis"] is None else f", axis={attrs['axis']}"
        )
    ),
    samples=(
        sample((2, 3), shifts=1),
        sample((2, 3), shifts=-2, axis=1),
        sample((3, 4), shifts=[1, -1], axis=[0, -1]),
        sample((2, 3), shifts=[1, 2], axis=[1, 1]),
    ),
)
def roll(xp: Any, x: Any, *, shifts: Any, axis: Any = None) -> Any:
    """x shifted by `shifts`; elements beyond the end return at the beginning.

    >>> paddle.roll(paddle.to_tensor([1, 2, 3]), 1).tolist()
    [3, 1, 2]
    """
    _roll_infer(Meta(x.shape, x.dtype), shifts=shifts, axis=axis)
    if not read_ints(axis):
        return xp.roll(x, read_ints(shifts)[0])
    for by, along in zip(read_ints(shifts), read_ints(axis), strict=True):
        x = xp.roll(x, by, along)
    return x


@roll.grad
def roll_grad(F: Any, dout: Any, *, shifts: Any, axis: Any) -> Any:
    return F.roll(dout, shifts=tuple(-by for by in read_ints(shifts)), axis=axis)


@public()
def rot90(x: Any, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Any:
    """x rotated by k quarter turns in the plane of two axes, from the first to the second.

    Shapes: for example x [2, 2] gives [2, 2].
    Dtypes: all kept.
    Errors: ValueError for fewer than two axes, or two that are the same.

    >>> paddle.rot90(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    plane, rank = read_ints(axes), len(x.shape)
    turned = {axis % rank for axis in plane if -rank <= axis < rank} if rank else set()
    if len(plane) != 2 or len(turned) != 2:
        raise misfit("rot90", "two different axes of x", axes=list(plane), x=x)
    first, second = (axis % rank for axis in plane)
    if k % 4 == 0:
        return x
    if k % 4 == 2:
        return flip.call(x, axis=(first, second))
    order = list(range(rank))
    order[first], order[second] = second, first
    if k % 4 == 1:
        return transpose_.call(flip.call(x, axis=second), perm=order)
    return flip.call(transpose_.call(x, perm=order), axis=second)
