"""Ops that repeat elements, and their adjoint, a sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import as_positions
from ...engine.errors import InvalidArgument, OutOfRange
from ...engine.meta import Meta, axis_of, broadcast
from ...errors import misfit
from ...messages import Message
from .. import errors
from ..arguments import (
    accept_separate_ints,
    find_open_sizes,
    meta_of,
    read_axis,
    read_ints,
    read_sizes,
)
from ..catalog import public
from ..making.creation import with_open_sizes
from ..op_spec import internal, op
from ..record import Formula, Operands, Results, Static, at_axis, sample
from ..registry import REGISTRY
from ..widening import HALF

COPIES = "dxᵢ = Σ dyⱼ, j ∈ copies(i)"  # gradient of elements that an op repeats

# ----- broadcasting ------------------------------------------------------------------------------


def _refuse_more_axes(name: str, argument: str, axes: int, most: int) -> None:
    """Raise an error for more axes than Paddle's kernels accept."""
    if axes > most:
        count = {f"len({argument})": axes}
        raise misfit(name, f"at most {most} sizes, as in Paddle", **count)


def _expand_infer(x: Meta, *, shape: tuple[int, ...]) -> Meta:
    _refuse_more_axes("expand", "shape", len(shape), 8)
    lead = len(shape) - len(x.shape)
    target = tuple(x.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(shape))
    fits = lead >= 0 and all(
        m in (1, -1) or n in (m, -1) for m, n in zip(x.shape, target[lead:], strict=True)
    )
    if not fits:
        fix = "only axes of size 1, and new axes at the front, can grow"
        expected, pairs = f"the sizes of x {x}, of which a 1 can grow", {"shape": list(shape)}
        raise misfit("expand", expected, InvalidArgument, fix, x=x, **pairs)
    return Meta(target, x.dtype)


@internal(
    infer=_expand_infer,
    canon={"shape": read_ints},
    formula=Formula(
        lambda attrs: f"y = expand(x, {list(attrs['shape'])})",
        "dx = Σ dy",
        symbol=lambda attrs: f"expand {list(attrs['shape'])}",
    ),
    samples=(sample((3,), shape=[2, 3]), sample((2, 1), shape=[-1, 4]), sample((), shape=[2])),
    static=Static("expand_v2", prefix="expand"),
)
def expand_(xp: Any, x: Any, *, shape: Any) -> Any:
    """x with axes of size 1 and new leading axes repeated to this shape; -1 keeps a size."""
    target = tuple(shape)
    _refuse_more_axes("expand", "shape", len(target), 8)
    if -1 in target or len(target) < x.ndim:
        target = _expand_infer(Meta(x.shape, x.dtype), shape=target).shape
    out = xp.empty(target, x.dtype)
    out[...] = x
    return out


expand_.grad(lambda F, dout, x_shape: F.sum_to(dout, shape=x_shape))


@internal(
    infer=lambda x, *, shape: Meta(tuple(shape), x.dtype),
    canon={"shape": read_ints},
    formula=Formula("y = Σ x", "dx = expand(dy)"),
    samples=(sample((2, 3), shape=[3]), sample((2, 3), shape=[2, 1]), sample((2, 3), shape=[])),
)
def sum_to(xp: Any, x: Any, *, shape: Any) -> Any:
    """The sum over the axes that broadcasting from `shape` repeats."""
    lead = x.ndim - len(shape)
    if x.dtype is HALF:  # gradient rules pass it, and NumPy would add in float16
        return sum_to.wide_kernel(xp, x, shape=shape)
    if lead == 1 and x.shape[1:] == shape:  # a bias, the most frequent case
        return xp.add.reduce(x, 0)
    grown = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1
    )
    return xp.add.reduce(x, axis=grown).reshape(shape) if grown else x.copy()


sum_to.grad(lambda F, dout, x_shape: F.expand(dout, shape=x_shape))


def _one_or_two(arrays: list[Any]) -> list[Any]:
    return [arrays[0], [size + 1 for size in arrays[1]]]


sum_to_by = with_open_sizes(
    sum_to,
    infer=lambda x, sizes, *, shape: Meta(tuple(-1 if n is None else n for n in shape), x.dtype),
    formula=Formula("y = Σ x", "dx = expand(dy)"),
    samples=(
        sample((2, 3), [()], ints={"sizes": 2}, prepare=_one_or_two, shape=(None, 3)),
        sample((3, 2), [()], ints={"sizes": 2}, prepare=_one_or_two, shape=(None,)),
    ),
)


@public()
@accept_separate_ints
def expand(x: Any, shape: Any, name: str | None = None) -> Any:
    """x with its axes of size 1, and new axes in front, repeated to this shape; -1 keeps a size.

    >>> paddle.expand(paddle.to_tensor([1, 2]), [2, 2]).tolist()
    [[1, 2], [1, 2]]
    """
    unknown = find_open_sizes(shape)
    if unknown is not None:
        return expand_by.call(x, unknown[1], shape=unknown[0])
    return expand_.call(x, shape=read_sizes(shape))


def _expand_by_infer(x: Meta, sizes: list[Meta], *, shape: tuple[int | None, ...]) -> Meta:
    """Infer the shape; an axis of another size than 1 keeps it for all sizes of a run."""
    lead = len(shape) - len(x.shape)
    known = _expand_infer(x, shape=tuple(-1 if n is None else n for n in shape)).shape
    is_open = (n is None and (i < lead or x.shape[i - lead] == 1) for i, n in enumerate(shape))
    return Meta(tuple(-1 if open else n for open, n in zip(is_open, known, strict=True)), x.dtype)


expand_by = with_open_sizes(
    expand_,
    infer=_expand_by_infer,
    formula=Formula("y = expand(x)", "dx = Σ dy"),
    samples=(
        sample((1, 3), [()], ints={"sizes": 3}, shape=(None, 3)),
        sample((3,), [(), ()], ints={"sizes": 3}, shape=(None, None, -1)),
    ),
    static=Static("expand_v2", slots={"sizes": "expand_shapes_tensor"}, prefix="expand"),
)


@public()
def broadcast_to(x: Any, shape: Any, name: str | None = None) -> Any:
    """x repeated to this shape, by the rules of broadcasting.

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor.

    >>> paddle.broadcast_to(paddle.ones([3]), [2, 3]).shape
    paddle.Size([2, 3])
    """
    return expand(x, shape)


def _expand_as_infer(x: Meta, y: Meta) -> Meta:
    pairs = zip(y.shape, _expand_infer(x, shape=y.shape).shape, strict=True)
    # -1 is an unknown size of y here; expand would keep x's size.
    return Meta(tuple(-1 if m == -1 and n == 1 else n for m, n in pairs), x.dtype)


@op(
    infer=_expand_as_infer,
    formula=Formula("z = expand(x)", "dx = Σ dz, dy = 0"),
    samples=(sample((3,), (2, 3)), sample((2, 1), (2, 4)), sample((), (2,))),
    static=Static("expand_as_v2", prefix="expand_as"),
)
def expand_as(xp: Any, x: Any, y: Any) -> Any:
    """x repeated to the shape of y.

    >>> paddle.expand_as(paddle.ones([3]), paddle.zeros([2, 3])).shape
    paddle.Size([2, 3])
    """
    return expand_.kernel(xp, x, shape=y.shape)


@expand_as.grad
def expand_as_grad(F: Any, dout: Any, x_shape: Any, y_shape: Any, y_dtype: Any) -> Any:
    zero = F.full(shape=y_shape, fill_value=0.0, dtype=y_dtype)
    return F.sum_to(dout, shape=x_shape), zero


def _broadcast_all(input: list[Meta]) -> list[Meta]:
    common = Meta((), input[0].dtype)
    for one in input:
        common = Meta(broadcast("broadcast_tensors", common, one), one.dtype)
    return [Meta(common.shape, one.dtype) for one in input]


@op(
    infer=_broadcast_all,
    operands=Operands(takes_list=True),
    results=Results(("outs",), is_list=True),
    formula=Formula("[y₁, y₂, …] = expand(x₁, x₂, …)"),
    samples=(sample([(3,), (2, 1)]), sample([(2, 3), (), (1, 3)])),
)
def broadcast_tensors(xp: Any, input: list[Any]) -> Any:
    """Tensors repeated to their common shape, by the rules of broadcasting.

    >>> [t.shape for t in paddle.broadcast_tensors([paddle.ones([3]), paddle.ones([2, 1])])]
    [paddle.Size([2, 3]), paddle.Size([2, 3])]
    """
    shape = _broadcast_all([Meta(a.shape, a.dtype) for a in input])[0].shape
    return [xp.broadcast_to(a, shape).copy() for a in input]


@broadcast_tensors.grad
def broadcast_tensors_grad(F: Any, douts: Any, input_shape: Any) -> Any:
    return [F.sum_to(d, shape=shape) for d, shape in zip(douts, input_shape, strict=True)]


@public()
def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """The shape that two shapes broadcast to.

    Errors: ValueError for shapes that do not fit.

    >>> paddle.broadcast_shape([2, 1], [1, 3])
    [2, 3]
    """
    x, y = (Meta(read_ints(shape), np.dtype("float32")) for shape in (x_shape, y_shape))
    return list(broadcast("broadcast_shape", x, y))


# ----- repetition --------------------------------------------------------------------------------


def _tile_infer(x: Meta, *, repeat_times: tuple[int, ...]) -> Meta:
    _refuse_more_axes("tile", "repeat_times", len(repeat_times), 7)
    rank = max(len(x.shape), len(repeat_times))
    a = (1,) * (rank - len(x.shape)) + x.shape
    b = (1,) * (rank - len(repeat_times)) + repeat_times
    return Meta(tuple(-1 if m == -1 else m * n for m, n in zip(a, b, strict=True)), x.dtype)


@internal(
    infer=_tile_infer,
    canon={"repeat_times": read_ints},
    formula=Formula(lambda attrs: f"y = tile(x, {list(attrs['repeat_times'])})", COPIES),
    samples=(sample((2, 3), repeat_times=[2, 1]), sample((3,), repeat_times=[2, 2])),
)
def tile_(xp: Any, x: Any, *, repeat_times: Any) -> Any:
    """Copies of x side by side along each axis."""
    _refuse_more_axes("tile", "repeat_times", len(repeat_times), 7)
    return xp.tile(x, repeat_times)


@tile_.grad
def tile_grad(F: Any, dout: Any, x_shape: Any, *, repeat_times: Any) -> Any:
    rank = max(len(x_shape), len(repeat_times))
    sizes = (1,) * (rank - len(x_shape)) + tuple(x_shape)
    times = (1,) * (rank - len(repeat_times)) + tuple(repeat_times)
    paired = [n for pair in zip(times, sizes, strict=True) for n in pair]
    copies = F.reshape_to(dout, shape=paired)
    return F.reshape_to(F.sum(copies, axis=tuple(range(0, 2 * rank, 2))), shape=x_shape)


@public()
def tile(x: Any, repeat_times: Any, name: str | None = None) -> Any:
    """Copies of x side by side along each axis.

    >>> paddle.tile(paddle.to_tensor([1, 2]), [2, 2]).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    unknown = find_open_sizes(repeat_times)
    if unknown is None:
        return tile_.call(x, repeat_times=read_sizes(repeat_times))
    times, counts = unknown
    rank = max(len(x.shape), len(times))
    times = (1,) * (rank - len(times)) + times
    # A new axis of size 1 before each axis is repeated, then joined with it.
    x = REGISTRY["unsqueeze"].call(x, axis=list(range(rank - len(x.shape))))
    shape = tuple(n for pair in zip(times, x.shape, strict=True) for n in pair)
    x = REGISTRY["unsqueeze"].call(x, axis=list(range(0, 2 * rank, 2)))
    x = expand_by.call(x, counts, shape=shape)
    for axis in range(rank):
        x = REGISTRY["flatten"].call(x, start_axis=axis, stop_axis=axis + 1)
    return x


def _repeat_infer(x: Meta, *, repeats: int, axis: int | None) -> Meta:
    if repeats < 1:
        raise misfit("repeat_interleave", "repeats >= 1", repeats=repeats)
    if axis is None:
        total = -1 if -1 in x.shape else int(np.prod(x.shape)) * repeats
        return Meta((total,), x.dtype)
    where = _repeat_axis(x, axis)
    n = x.shape[where]
    return Meta((*x.shape[:where], n if n == -1 else n * repeats, *x.shape[where + 1 :]), x.dtype)


def _repeat_formula(attrs: dict[str, Any]) -> str:
    axis, count = attrs["axis"], attrs["repeats"]
    row = "x" if axis is not None or attrs.get("rank") == 1 else "flatten(x)"
    return at_axis(f"y[i] = {row}[⌊i / {count}⌋]")({"axis": axis or 0})


def _repeat_axis(x: Meta, axis: int) -> int:
    return axis_of("repeat_interleave", x, axis, error=OutOfRange)


@internal(
    infer=_repeat_infer,
    canon={"axis": read_axis},
    formula=Formula(_repeat_formula, COPIES),
    samples=(sample((2, 3), repeats=2, axis=1), sample((2, 2), repeats=3), sample((), repeats=2)),
    static=Static("repeat_interleave", attrs={"repeats": "Repeats", "axis": "dim"}),
)
def repeat_interleave_(xp: Any, x: Any, *, repeats: Any, axis: Any = None) -> Any:
    """Each element, or each slice along an axis, repeated."""
    _repeat_infer(Meta(x.shape, x.dtype), repeats=repeats, axis=axis)
    return xp.repeat(x, repeats, axis)


@repeat_interleave_.grad
def repeat_interleave_grad(F: Any, dout: Any, x_shape: Any, *, repeats: int, axis: Any) -> Any:
    if axis is None:
        copies = F.reshape_to(dout, shape=(*x_shape, repeats))
        return F.sum(copies, axis=len(x_shape))
    where = axis % len(x_shape)
    copies = F.reshape_to(dout, shape=(*x_shape[: where + 1], repeats, *x_shape[where + 1 :]))
    return F.sum(copies, axis=where + 1)


def _times_infer(x: Meta, repeats: Meta, *, axis: int) -> Meta:
    where = _repeat_axis(x, axis)
    n, m = x.shape[where], repeats.shape[0] if repeats.shape else 1
    if len(repeats.shape) > 1 or (n != m and -1 not in (n, m)):
        raise errors.shape("repeat_interleave", (n,), repeats=repeats, x=x, axis=where)
    return Meta((-1,), np.dtype("int64"))


@internal(
    infer=_times_infer,
    gradless="positions have no gradient",
    formula=Formula("y = 0, …, 0, 1, …, 1, …"),
    samples=(
        sample((4, 2), (4,), ints={"repeats": 4}, axis=0),
        sample((2, 3), (3,), ints={"repeats": 3}, axis=-1),
    ),
)
def repeat_positions(xp: Any, x: Any, repeats: Any, *, axis: int) -> Any:
    """The positions of the slices along an axis of x, each repeated."""
    _times_infer(Meta(x.shape, x.dtype), Meta(repeats.shape, repeats.dtype), axis=axis)
    every = xp.arange(x.shape[axis], dtype="int64")
    return xp.repeat(every, as_positions(repeats.reshape(-1).astype("int64")))


@public()
def repeat_interleave(
    x: Any,
    repeats: Any,
    axis: Any = None,
    name: str | None = None,
    *,
    output_size: int | None = None,
) -> Any:
    """Each element, or each slice along `axis`, `repeats` times; a tensor has a number for each
    slice.

    >>> paddle.repeat_interleave(paddle.to_tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    if isinstance(repeats, (int, np.integer)):
        return repeat_interleave_.call(x, repeats=int(repeats), axis=axis)
    if not hasattr(repeats, "stop_gradient"):
        raise errors.no_tensor(
            "repeat_interleave", "repeats", repeats, Message("an int, or a Tensor of integers")
        )
    if axis is None:
        x, axis = REGISTRY["reshape"].call(x, shape=(-1,)), 0
    where = _repeat_axis(meta_of(x), read_axis(axis))
    positions = repeat_positions.call(x, repeats, axis=where)
    return REGISTRY["pick"].call(x, [positions], axes=(where,))
