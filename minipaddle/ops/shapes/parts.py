"""Ops that join tensors and split them."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np

from ...engine.dispatch import store
from ...engine.errors import CheckFailed, InvalidArgument, OutOfRange
from ...engine.meta import Meta, axis_of
from ...errors import misfit, require, wrong_type
from ...messages import Message
from .. import errors
from ..arguments import (
    as_list,
    axis_reader,
    check_count,
    fill_in_sizes,
    find_open_sizes,
    meta_of,
    read_axes,
    read_axis,
    read_integer,
    read_ints,
    read_tensors,
    shapes_differ,
)
from ..catalog import public
from ..indexing.index import getitem, read
from ..op_spec import internal, op
from ..record import Formula, Operands, Results, Static, sample
from .shape import atleast_1d, atleast_2d, atleast_3d, reshape_

# ----- join ---------------------------------------------------------------------------------------


def _concat_infer(x: list[Meta], *, axis: int) -> Meta:
    first = x[0]
    if not first.shape:
        raise errors.rank("concat", 1, None, InvalidArgument, "paddle.stack(x)", **{"x[0]": first})
    where = axis_of("concat", first, axis)
    for i, other in enumerate(x):
        same_rank = len(other.shape) == len(first.shape)
        if (
            other.dtype != first.dtype
            or not same_rank
            or any(
                m != n and -1 not in (m, n) and j != where
                for j, (m, n) in enumerate(zip(first.shape, other.shape, strict=False))
            )
        ):
            raise errors.no_join(i, other, first, where)
    sizes = [m.shape[where] for m in x]
    joined = -1 if -1 in sizes else sum(sizes)
    return Meta((*first.shape[:where], joined, *first.shape[where + 1 :]), first.dtype)


@internal(
    infer=_concat_infer,
    operands=Operands(takes_list=True),
    canon={"axis": axis_reader("concat")},
    formula=Formula(
        lambda attrs: (
            "y = [x₁, x₂, …]"
            if attrs.get("rank") == 1
            else f"y = concat(x₁, x₂, …, axis={attrs['axis']})"
        )
    ),
    samples=(sample([(2, 3), (1, 3)]), sample([(2, 1), (2, 2)], axis=-1)),
)
def concat_(xp: Any, x: list[Any], *, axis: int = 0) -> Any:
    """Tensors joined end to end along an axis."""
    if len({a.dtype for a in x}) > 1:
        _concat_infer([Meta(a.shape, a.dtype) for a in x], axis=axis)
    return xp.concatenate(x, axis)


@concat_.grad
def concat_grad(F: Any, dout: Any, x_shape: Any, *, axis: int) -> Any:
    sizes = [shape[axis] for shape in x_shape]
    return F.split(dout, num_or_sections=sizes, axis=axis)


def _concat_by_infer(axis: Meta, x: list[Meta]) -> Meta:
    return _concat_infer([Meta((-1,) * len(one.shape), one.dtype) for one in x], axis=0)


def _three_in_all(arrays: list[Any]) -> list[Any]:
    """Return two sizes with the sum 3 for a sample."""
    x, axis, sizes = arrays
    return [x, axis, [sizes[0], 3 - sizes[0]]]


@internal(
    infer=_concat_by_infer,
    operands=Operands(takes_list=True),
    formula=Formula("y = [x₁, x₂, …]", "[dx₁, dx₂, …] = dy", symbol="concat", node="Concat"),
    samples=(sample((1,), [(2, 3), (2, 3)], ints={"axis": 2}),),
    static=Static("concat", slots={"axis": "AxisTensor"}),
)
def concat_by(xp: Any, axis: Any, x: list[Any]) -> Any:
    """Tensors joined end to end along an axis that is a tensor."""
    where = fill_in_sizes((None,), [axis])[0]
    _concat_infer([Meta(one.shape, one.dtype) for one in x], axis=where)
    return xp.concatenate(x, where)


@concat_by.grad
def concat_by_grad(F: Any, dout: Any, axis: Any, x: Any) -> Any:
    where = axis % len(dout.shape)
    return None, *F.split_by(dout, axis, [F.gather(F.shape(one), where, axis=0) for one in x])


@internal(
    infer=lambda x, axis, sizes: [Meta((-1,) * len(x.shape), x.dtype) for _ in sizes],
    operands=Operands(takes_list=True),
    results=Results(("outs",), is_list=True),
    formula=Formula("[y₁, y₂, …] = x", "dx = [dy₁, dy₂, …]", symbol="split", node="Split"),
    samples=(sample((3, 3), (1,), [(), ()], ints={"axis": 2, "sizes": 3}, prepare=_three_in_all),),
)
def split_by(xp: Any, x: Any, axis: Any, sizes: list[Any]) -> Any:
    """The pieces of x along an axis, of sizes that are tensors."""
    (where,) = fill_in_sizes((None,), [axis])
    parts = fill_in_sizes((None,) * len(sizes), sizes)
    return split.kernel(xp, x, num_or_sections=parts, axis=where)


@split_by.grad
def split_by_grad(F: Any, douts: Any, axis: Any, sizes: Any) -> Any:
    return F.concat_by(axis, list(douts)), None, *[None for _ in sizes]


@public(aliases=("concatenate", "cat"))
def concat(x: list[Any], axis: Any = 0, name: str | None = None, *, out: Any = None) -> Any:
    """Tensors joined end to end along an axis.

    >>> paddle.concat([paddle.to_tensor([1, 2]), paddle.to_tensor([3])]).tolist()
    [1, 2, 3]
    """
    row: Any = x
    if not isinstance(row, (list, tuple)):
        read_tensors("concat", "x", row)  # before `axis`, which may be a tensor passed by mistake
    unknown = find_open_sizes(axis)
    joined = concat_.call(x, axis=axis) if unknown is None else concat_by.call(*unknown[1], x)
    return store(out, joined, "concat")


def _stack_infer(x: list[Meta], *, axis: int) -> Meta:
    for i, other in enumerate(x):
        if shapes_differ(other.shape, x[0].shape):
            raise errors.other_shape(i, other, x[0])
        if other.dtype != x[0].dtype:
            raise errors.other_dtype("stack", **{"x[0]": x[0], f"x[{i}]": other})
    where = axis_of("stack", x[0], axis, extra=1)
    shape = x[0].shape
    return Meta((*shape[:where], len(x), *shape[where:]), x[0].dtype)


@op(
    infer=_stack_infer,
    operands=Operands(takes_list=True),
    canon={"axis": axis_reader("stack")},
    formula=Formula(lambda attrs: f"y = stack(x₁, x₂, …, axis={attrs['axis']})"),
    samples=(sample([(2, 3), (2, 3)]), sample([(2,), (2,), (2,)], axis=-1)),
)
def stack(xp: Any, x: list[Any], *, axis: int = 0) -> Any:
    """Tensors of one shape joined along a new axis.

    >>> paddle.stack([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
    [[1, 2], [3, 4]]
    """
    if len({a.dtype for a in x}) > 1:
        _stack_infer([Meta(a.shape, a.dtype) for a in x], axis=axis)
    return xp.stack(x, axis)


stack.grad(lambda F, dout, *, axis: F.unbind(dout, axis=axis))


@public(method=False)
def hstack(x: Any, name: str | None = None) -> Any:
    """Tensors joined along the second axis, vectors along their only one.

    Shapes: for example x [2] and [1] gives [3].
    Dtypes: all kept.
    Errors: TypeError if x is not a Tensor.

    >>> paddle.hstack([paddle.to_tensor([1, 2]), paddle.to_tensor([3])]).tolist()
    [1, 2, 3]
    """
    row = as_list(atleast_1d(*read_tensors("hstack", "x", x)))
    return concat_.call(row, axis=0 if len(row[0].shape) == 1 else 1)


@public(method=False, aliases=("row_stack",))
def vstack(x: Any, name: str | None = None) -> Any:
    """Tensors joined along the first axis, vectors as rows.

    Shapes: for example x [2] and [2] gives [2, 2].
    Dtypes: all kept.
    Errors: TypeError if x is not a Tensor; ValueError if the shapes do not fit.

    >>> paddle.vstack([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
    [[1, 2], [3, 4]]
    """
    return concat_.call(as_list(atleast_2d(*read_tensors("vstack", "x", x))), axis=0)


@public(method=False)
def dstack(x: Any, name: str | None = None) -> Any:
    """Tensors joined along the third axis.

    Shapes: for example x [2] and [2] gives [1, 2, 2].
    Dtypes: all kept.
    Errors: TypeError if x is not a Tensor; ValueError if the shapes do not fit.

    >>> paddle.dstack([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
    [[[1, 3], [2, 4]]]
    """
    return concat_.call(as_list(atleast_3d(*read_tensors("dstack", "x", x))), axis=2)


@public(method=False)
def column_stack(x: Any, name: str | None = None) -> Any:
    """Tensors joined along the second axis, vectors as columns.

    Shapes: for example x [2] and [2] gives [2, 2].
    Dtypes: all kept.
    Errors: ValueError if the shapes do not fit.

    >>> paddle.column_stack([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
    [[1, 3], [2, 4]]
    """
    row = read_tensors("column_stack", "x", x)
    row = [t if len(t.shape) > 1 else reshape_.call(t, shape=(-1, 1)) for t in row]
    return concat_.call(row, axis=1)


# ----- cut ----------------------------------------------------------------------------------------


def _section_sizes(x: Meta, parts: Any, axis: int) -> list[int]:
    where = axis_of("split", x, axis)
    n = x.shape[where]
    if isinstance(parts, int):
        if n == -1:
            return [-1] * parts
        fits, sizes = parts > 0 and n % parts == 0, [n // max(parts, 1)] * parts
    else:
        sizes = list(parts)
        if sizes.count(-1) == 1 and n != -1:
            sizes[sizes.index(-1)] = n - sum(sizes) - 1
        fits = n == -1 or (sum(sizes) == n and min(sizes) >= 0)
    if not fits:
        expected = Message("pieces that add up to {n}, the size of axis {axis}", n=n, axis=where)
        fix = Message("choose another axis, or other values for num_or_sections")
        raise misfit("split", expected, InvalidArgument, fix, x=x, num_or_sections=parts)
    return sizes


def _split_infer(x: Meta, *, num_or_sections: Any, axis: int) -> list[Meta]:
    where = axis_of("split", x, axis)
    return [
        Meta((*x.shape[:where], n, *x.shape[where + 1 :]), x.dtype)
        for n in _section_sizes(x, num_or_sections, axis)
    ]


@op(
    infer=_split_infer,
    canon={"num_or_sections": read_axes, "axis": axis_reader("split")},
    results=Results(("outs",), is_list=True),
    formula=Formula(
        lambda attrs: "[y₁, y₂, …] = split(x, {num_or_sections}, axis={axis})".format(**attrs),
        lambda attrs: "dx = concat(dy₁, dy₂, …, axis={axis})".format(**attrs),
    ),
    samples=(sample((4, 3), num_or_sections=2), sample((2, 5), num_or_sections=[1, -1], axis=1)),
)
def split(xp: Any, x: Any, *, num_or_sections: Any, axis: int = 0) -> Any:
    """The pieces of x along an axis: a number of equal ones, or a list of sizes.

    >>> [part.tolist() for part in paddle.split(paddle.to_tensor([1, 2, 3]), [1, -1])]
    [[1], [2, 3]]
    """
    sizes = _section_sizes(Meta(x.shape, x.dtype), num_or_sections, axis)
    return [piece.copy() for piece in xp.split(x, np.cumsum(sizes)[:-1].tolist(), axis)]


split.grad(lambda F, douts, *, axis: F.concat(list(douts), axis=axis))


def _unbind_infer(input: Meta, *, axis: int) -> list[Meta]:
    where = axis_of("unbind", input, axis)
    rest = Meta((*input.shape[:where], *input.shape[where + 1 :]), input.dtype)
    if input.shape[where] == -1:
        raise errors.unknown_size("unbind", where, input=input)
    return [rest] * input.shape[where]


@op(
    infer=_unbind_infer,
    canon={"axis": axis_reader("unbind")},
    results=Results(("outs",), is_list=True, view=True),
    formula=Formula(
        lambda attrs: f"[y₁, y₂, …] = unbind(x, axis={attrs['axis']})",
        lambda attrs: f"dx = stack(dy₁, dy₂, …, axis={attrs['axis']})",
    ),
    samples=(sample((3, 2)), sample((2, 3), axis=1)),
)
def unbind(xp: Any, input: Any, *, axis: int = 0) -> Any:
    """The slices of a tensor along an axis, without that axis; views of its memory.

    >>> [part.tolist() for part in paddle.unbind(paddle.to_tensor([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]
    """
    axis_of("unbind", Meta(input.shape, input.dtype), axis)
    return list(xp.moveaxis(input, axis, 0))


unbind.grad(lambda F, douts, *, axis: F.stack(list(douts), axis=axis))


@public()
def unstack(x: Any, axis: int = 0, num: int | None = None) -> Any:
    """The slices of a tensor along an axis, without that axis.

    Shapes: for example x [2, 2], axis=1 gives [2] and [2].
    Dtypes: all kept.
    Errors: ValueError if there is no such axis.

    >>> [part.tolist() for part in paddle.unstack(paddle.to_tensor([[1, 2], [3, 4]]), axis=1)]
    [[1, 3], [2, 4]]
    """
    where = axis_of("unstack", meta_of(x), axis)
    if num is not None and num != x.shape[where]:
        raise misfit("unstack", f"num={x.shape[where]}, the number of slices", num=num)
    return unbind.call(x, axis=axis)


@public()
def chunk(x: Any, chunks: int, axis: Any = 0, name: str | None = None) -> Any:
    """x split into this number of equal pieces along an axis.

    Shapes: for example x [4], chunks=2 gives [2] and [2].
    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor, if there is no such axis, for a size that cannot be cut
    this way.

    >>> [piece.shape for piece in paddle.chunk(paddle.ones([4]), 2)]
    [paddle.Size([2]), paddle.Size([2])]
    """
    return split.call(x, num_or_sections=chunks, axis=axis)


@public()
def tensor_split(x: Any, num_or_indices: Any, axis: Any = 0, name: str | None = None) -> Any:
    """x split along an axis into a number of nearly equal pieces, or at positions.

    Shapes: for example x [3], num_or_indices=2 gives [2] and [1].
    Dtypes: all kept.
    Errors: ValueError if there is no such axis.

    >>> [part.tolist() for part in paddle.tensor_split(paddle.to_tensor([1, 2, 3]), 2)]
    [[1, 2], [3]]
    """
    meta = meta_of(x)
    errors.require_rank("tensor_split", 1, None, x=x)
    return _cut_at(x, num_or_indices, axis_of("tensor_split", meta, read_axis(axis)))


def _cut_at(x: Any, where: Any, axis: int) -> list[Any]:
    """Return the slices between positions."""
    n = x.shape[axis]
    if isinstance(where, (int, np.integer)):
        require(where >= 1, "tensor_split", "num_or_indices >= 1", num_or_indices=where)
        size, more = divmod(n, check_count(int(where), "num_or_indices", max(n, 100_000)))
        where = np.cumsum([size + (i < more) for i in range(int(where) - 1)]).tolist()
    elif not isinstance(where, (list, tuple)):
        what, fix = "tensor_split(): num_or_indices must be ints.", "convert it first: int(...)"
        raise wrong_type(what, where, "an int, or a list of ints", fix, InvalidArgument)
    cuts = [0, *(c if c < 0 or n == -1 else min(c, n) for c in read_ints(where)), n]
    cuts = [max(c + n, 0) if c < 0 <= n else c for c in cuts]
    sizes = np.diff(cuts).tolist()
    if n != -1 and min(sizes) >= 0:
        return split.call(x, num_or_sections=sizes, axis=axis)
    cuts[-1] = None if n == -1 else n
    parts = itertools.starmap(builtins.slice, itertools.pairwise(cuts))
    return [getitem.call(x, index=(*[builtins.slice(None)] * axis, part)) for part in parts]


@public()
def hsplit(x: Any, num_or_indices: Any, name: str | None = None) -> Any:
    """x split along the second axis, a vector along its only one.

    Shapes: for example x [2, 4], num_or_indices=2 gives [2, 2] and [2, 2].
    Dtypes: all kept.
    Errors: ValueError for no axis, or a size that cannot be cut this way.

    >>> [part.shape for part in paddle.hsplit(paddle.ones([2, 4]), 2)]
    [paddle.Size([2, 2]), paddle.Size([2, 2])]
    """
    errors.require_rank("hsplit", 1, None, x=x)
    return _cut_at(x, num_or_indices, int(len(x.shape) > 1))


@public()
def vsplit(x: Any, num_or_indices: Any, name: str | None = None) -> Any:
    """x split along the first axis.

    Shapes: for example x [2, 4], num_or_indices=2 gives [1, 4] and [1, 4].
    Dtypes: all kept.
    Errors: ValueError for fewer than two axes, or a size that cannot be cut this way.

    >>> [part.shape for part in paddle.vsplit(paddle.ones([2, 4]), 2)]
    [paddle.Size([1, 4]), paddle.Size([1, 4])]
    """
    errors.require_rank("vsplit", 2, None, x=x)
    return _cut_at(x, num_or_indices, 0)


@public()
def dsplit(x: Any, num_or_indices: Any, name: str | None = None) -> Any:
    """x split along the third axis.

    Shapes: for example x [2, 2, 4], num_or_indices=2 gives [2, 2, 2] and [2, 2, 2].
    Dtypes: all kept.
    Errors: ValueError for fewer than three axes, or a size that cannot be cut this way.

    >>> [part.shape for part in paddle.dsplit(paddle.ones([2, 2, 4]), 2)]
    [paddle.Size([2, 2, 2]), paddle.Size([2, 2, 2])]
    """
    errors.require_rank("dsplit", 3, None, x=x)
    return _cut_at(x, num_or_indices, 2)


# ----- slices by lists of axes, starts and ends ---------------------------------------------------


def _ends_row(op_name: str, name: str, value: Any, count: int) -> list[Any]:
    """Return a list with an end for each axis, from a list or a tensor."""
    if hasattr(value, "stop_gradient"):
        row = [value[i] for i in range(value.shape[0])] if len(value.shape) else [value]
    else:
        row = as_list(value)
    require(len(row) == count, op_name, f"as many numbers as axes: {count}", **{name: value})
    return row


def _slice_axes(op_name: str, x: Any, axes: Any, **ends: Any) -> Any:
    """Return x[start:end:stride, ...] on the named axes."""
    meta = meta_of(x)
    where = [axis_of(op_name, meta, axis) for axis in read_ints(list(axes))]
    rows = [_ends_row(op_name, name, value, len(where)) for name, value in ends.items()]
    index = [builtins.slice(None)] * len(meta.shape)
    for axis, *parts in zip(where, *rows, strict=True):
        index[axis] = builtins.slice(*parts)
    return read(x, tuple(index))


@public()
def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Any:
    """input[start:end] on each of the axes; a view.

    Shapes: for example input [3], axes=[0], starts=[1], ends=[3] gives [2].
    Dtypes: all kept.
    Errors: ValueError for an axis that is not there.

    >>> paddle.slice(paddle.to_tensor([5, 6, 7]), [0], [1], [3]).tolist()
    [6, 7]
    """
    return _slice_axes("slice", input, axes, starts=starts, ends=ends)


@public()
def strided_slice(
    x: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Any:
    """x[start:end:stride] on each of the axes; a view.

    Shapes: for example x [3], axes=[0], starts=[2], ends=[0], strides=[-1] gives [2].
    Dtypes: all kept.
    Errors: ValueError for an axis that is not there, or a step of 0.

    >>> paddle.strided_slice(paddle.to_tensor([5, 6, 7]), [0], [2], [0], [-1]).tolist()
    [7, 6]
    """
    return _slice_axes("strided_slice", x, axes, starts=starts, ends=ends, strides=strides)


@public()
def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    """`length` slices along an axis, from `start` on; a view.

    Shapes: for example input [3], dim=0, start=1, length=2 gives [2].
    Dtypes: all kept.
    Errors: IndexError for an axis that is not there; AssertionError for a range outside it.

    >>> paddle.narrow(paddle.to_tensor([5, 6, 7]), 0, 1, 2).tolist()
    [6, 7]
    """
    meta = meta_of(input)
    where = axis_of("narrow", meta, dim, error=OutOfRange)
    n, first = meta.shape[where], read_integer(start, "narrow(): start")
    length = read_integer(length, "narrow(): length")
    first = first + n if first < 0 <= n else first
    if length < 0 or first < 0 or (n != -1 and first + length > n):
        bounds = f"start and length within {n}, the size of axis {where}"
        raise misfit("narrow", bounds, CheckFailed, start=start, length=length)
    return _slice_axes("narrow", input, [where], starts=[first], ends=[first + length])


@public(method=False)
def crop(x: Any, shape: Any = None, offsets: Any = None, name: str | None = None) -> Any:
    """A block of x with this shape (-1: up to the end), beginning at `offsets` (0 by default).

    Dtypes: all kept.
    Errors: ValueError for a block that does not lie inside x.

    >>> paddle.crop(paddle.to_tensor([[1, 2], [3, 4]]), [1, -1], [1, 0]).tolist()
    [[3, 4]]
    """
    whole = tuple(x.shape)
    sizes = whole if shape is None else read_ints(shape)
    begin = (0,) * len(whole) if offsets is None else read_ints(offsets)
    fits = len(sizes) == len(begin) == len(whole) and all(
        first >= 0 and n >= -1 and (m == -1 or first + max(n, 0) <= m)
        for m, n, first in zip(whole, sizes, begin, strict=True)
    )
    if not fits:
        pairs = {"shape": list(sizes), "offsets": list(begin)}
        raise misfit("crop", f"a block inside {list(whole)}", **pairs)
    ends = [m if n == -1 else first + n for m, n, first in zip(whole, sizes, begin, strict=True)]
    ends = [None if end == -1 else end for end in ends]
    return _slice_axes("crop", x, range(len(whole)), starts=list(begin), ends=ends)
