"""Ops that change the shape; the result shares x's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.errors import CheckFailed
from ...engine.meta import Meta, axis_of, size
from ...engine.tensor import Tensor
from ...errors import misfit, wrong_type
from .. import errors
from ..arguments import accept_separate_ints, find_open_sizes, read_axes, read_ints
from ..catalog import public
from ..making.creation import assign_value, with_open_sizes
from ..op_spec import internal, op
from ..record import Formula, Public, Results, Static, sample


def target_shape(x: Meta, shape: tuple[int, ...], zeros: bool = False) -> tuple[int, ...]:
    """Return the shape of a reshape: one -1 is computed, and 0 copies the size of x unless `zeros`
    are sizes.
    """
    copies = 0 if zeros else len(x.shape)
    target = tuple(x.shape[i] if n == 0 and i < copies else n for i, n in enumerate(shape))
    total = size(x.shape)
    known = int(np.prod([n for n in target if n != -1], dtype=np.int64))
    if (target if total != -1 else shape).count(-1) > 1:
        raise errors.two_unknown(shape)
    fits = known == total if -1 not in target else known and total % known == 0
    if total != -1 and not fits:
        product = f"{known}" + " x ?" * target.count(-1)
        raise errors.other_count(x, total, shape, product)
    if total != -1 and -1 in target:
        return tuple(total // known if n == -1 else n for n in target)
    return target


RESHAPE = Formula(
    "y = reshape(x)", "dx = reshape(dy)", symbol=lambda attrs: f"reshape {list(attrs['shape'])}"
)


def _reshape_infer(x: Meta, *, shape: tuple[int, ...]) -> Meta:
    return Meta(target_shape(x, shape), x.dtype)


@internal(
    infer=_reshape_infer,
    canon={"shape": read_ints},
    results=Results(view=True),
    formula=RESHAPE,
    samples=(sample((2, 6), shape=[3, -1]), sample((2, 3), shape=[0, 3, 1]), sample((), shape=[1])),
    static=Static("reshape2"),
)
def reshape_(xp: Any, x: Any, *, shape: Any) -> Any:
    """x in another shape; 0 keeps a size, one -1 is computed."""
    return x.reshape(target_shape(Meta(x.shape, x.dtype), tuple(shape)))


reshape_.grad(lambda F, dout, x_shape: F.reshape_to(dout, shape=x_shape))


def _exact_infer(x: Meta, *, shape: tuple[int, ...]) -> Meta:
    return Meta(target_shape(Meta((size(x.shape),), x.dtype), shape, zeros=True), x.dtype)


@internal(
    infer=_exact_infer,
    canon={"shape": read_ints},
    results=Results(view=True),
    formula=RESHAPE,
    samples=(sample((2, 6), shape=[3, 4]), sample((2, 0), shape=[0, 3, 1])),
)
def reshape_to(xp: Any, x: Any, *, shape: Any) -> Any:
    """x in exactly this shape, for gradient rules; 0 is a size."""
    return x.reshape(shape)


reshape_to.grad(lambda F, dout, x_shape: F.reshape_to(dout, shape=x_shape))


def _flatten_shape(x: Meta, start: int, stop: int) -> tuple[int, ...]:
    if not x.shape:
        return (1,)
    first, last = axis_of("flatten", x, start), axis_of("flatten", x, stop)
    if last < first:
        pairs = {"start_axis": start, "stop_axis": stop}
        raise misfit("flatten", "start_axis <= stop_axis", **pairs, x=x)
    return (*x.shape[:first], size(x.shape[first : last + 1]), *x.shape[last + 1 :])


def _flatten_infer(x: Meta, *, start_axis: int, stop_axis: int) -> Meta:
    return Meta(_flatten_shape(x, start_axis, stop_axis), x.dtype)


@op(
    infer=_flatten_infer,
    results=Results(view=True),
    formula=Formula(
        lambda attrs: f"y = flatten(x{f', {start}' if (start := attrs['start_axis']) else ''})",
        "dx = reshape(dy)",
    ),
    samples=(sample((2, 3, 2)), sample((2, 3, 2), start_axis=1), sample((2, 3), stop_axis=0)),
    public=Public(inplace=True),
    static=Static("flatten_contiguous_range", prefix="flatten"),
)
def flatten(xp: Any, x: Any, *, start_axis: int = 0, stop_axis: int = -1) -> Any:
    """x with the axes from start_axis to stop_axis joined into one.

    >>> paddle.flatten(paddle.ones([2, 3, 4]), 1).shape
    paddle.Size([2, 12])
    """
    return x.reshape(_flatten_shape(Meta(x.shape, x.dtype), start_axis, stop_axis))


flatten.grad(lambda F, dout, x_shape: F.reshape_to(dout, shape=x_shape))


def _squeeze_shape(x: Meta, axis: Any) -> tuple[int, ...]:
    """Return the shape; as in Paddle an unknown size counts as 1 if its axis is listed."""
    if axis is None or axis == ():
        return tuple(n for n in x.shape if n != 1)
    chosen = {axis_of("squeeze", x, a) for a in read_ints(axis)}
    return tuple(n for i, n in enumerate(x.shape) if i not in chosen or n not in (1, -1))


@op(
    infer=lambda x, *, axis: Meta(_squeeze_shape(x, axis), x.dtype),
    canon={"axis": read_axes},
    results=Results(view=True),
    formula=Formula("y = squeeze(x)", "dx = reshape(dy)"),
    samples=(sample((1, 3, 1)), sample((1, 3, 1), axis=0), sample((2, 1), axis=[0, 1])),
    public=Public(inplace=True),
    static=Static("squeeze2", attrs={"axis": "axes"}, prefix="squeeze"),
)
def squeeze(xp: Any, x: Any, *, axis: Any = None) -> Any:
    """x without its axes of size 1: all, or those listed; listed axes of other sizes stay.

    >>> paddle.squeeze(paddle.ones([1, 3, 1])).shape
    paddle.Size([3])
    """
    return x.reshape(_squeeze_shape(Meta(x.shape, x.dtype), axis))


squeeze.grad(lambda F, dout, x_shape: F.reshape_to(dout, shape=x_shape))


def _unsqueeze_shape(x: Any, axis: Any) -> tuple[int, ...]:
    if axis == -1:
        return (*x.shape, 1)
    shape = list(x.shape)
    for a in read_ints(axis):
        shape.insert(axis_of("unsqueeze", Meta(tuple(shape), x.dtype), a, extra=1), 1)
    return tuple(shape)


@internal(
    infer=lambda x, *, axis: Meta(_unsqueeze_shape(x, axis), x.dtype),
    canon={"axis": read_axes},
    results=Results(view=True),
    formula=Formula("y = unsqueeze(x)", "dx = reshape(dy)"),
    samples=(sample((2, 3), axis=1), sample((), axis=0), sample((2,), axis=[0, 2])),
    static=Static("unsqueeze2", attrs={"axis": "axes"}),
)
def unsqueeze_(xp: Any, x: Any, *, axis: Any) -> Any:
    """x with axes of size 1 inserted at these positions, one after the other."""
    return x.reshape(_unsqueeze_shape(x, axis))


unsqueeze_.grad(lambda F, dout, x_shape: F.reshape_to(dout, shape=x_shape))


unsqueeze_by = with_open_sizes(
    unsqueeze_,
    "axis",
    infer=lambda x, sizes, *, axis: Meta((-1,) * (len(x.shape) + len(axis)), x.dtype),
    formula=Formula("y = reshape(x)", "dx = reshape(dy)", symbol="unsqueeze", node="Unsqueeze"),
    samples=(
        sample((2, 3), [()], ints={"sizes": 3}, axis=(None,)),
        sample((3,), [(2,)], ints={"sizes": 2}, axis=(None, None)),
    ),
    static=Static("unsqueeze2", slots={"sizes": "AxesTensorList"}, attrs={"axis": "axes"}),
)


@public(inplace=True, view=True)
def unsqueeze(x: Any, axis: Any, name: str | None = None) -> Any:
    """x with axes of size 1 inserted at these positions, one after the other.

    >>> paddle.unsqueeze(paddle.ones([3]), 0).shape
    paddle.Size([1, 3])
    """
    unknown = find_open_sizes(axis)
    if unknown is None:
        return unsqueeze_.call(x, axis=axis)
    return unsqueeze_by.call(x, unknown[1], axis=unknown[0])


# ----- functions that reshape --------------------------------------------------------------------


@public(inplace=True, view=True)
@accept_separate_ints
def reshape(x: Any, shape: Any, name: str | None = None) -> Any:
    """x in another shape; 0 keeps a size, one -1 is computed.

    A Tensor that has this shape already is returned itself.
    InvalidArgument (a ValueError) for a shape with another number of elements.

    >>> paddle.ones([2, 3]).reshape([3, -1]).shape
    paddle.Size([3, 2])
    """
    unknown = find_open_sizes(shape)
    if unknown is not None:
        return reshape_by.call(x, unknown[1], shape=unknown[0])
    if isinstance(shape, np.ndarray):
        what = "reshape(): the shape must be a list, a tuple or a Tensor, but got ndarray."
        raise wrong_type(what, shape, "a list of ints, or a Tensor", "reshape(x, shape.tolist())")
    sizes = read_ints(shape)
    if isinstance(x, Tensor) and sizes == x._data.shape:
        return x
    return reshape_.call(x, shape=sizes)


reshape_by = with_open_sizes(
    reshape_,
    infer=lambda x, sizes, *, shape: Meta(
        tuple(-1 if n is None else x.shape[i] if n == 0 else n for i, n in enumerate(shape)),
        x.dtype,
    ),
    formula=Formula("y = reshape(x)", "dx = reshape(dy)"),
    samples=(
        sample((2, 3), [()], ints={"sizes": 2}, shape=(None, -1)),
        sample((1, 4), [(), ()], ints={"sizes": 2}, shape=(None, None, -1)),
    ),
    static=Static("reshape2", slots={"sizes": "ShapeTensorList"}),
)


@public()
def ravel(input: Any) -> Any:
    """x with all elements in one axis.

    Shapes: for example input [2, 3] gives [6].
    Dtypes: all kept.
    Errors: ValueError if input is not a Tensor.

    >>> paddle.ravel(paddle.ones([2, 3])).shape
    paddle.Size([6])
    """
    return flatten.call(input)


@public()
def unflatten(x: Any, axis: int, shape: Any, name: str | None = None) -> Any:
    """x with one axis split into several; one of the sizes may be -1.

    Dtypes: all kept.
    Errors: AssertionError for an axis that is not there; ValueError for sizes that change the
    number of elements.

    >>> paddle.unflatten(paddle.ones([2, 6]), 1, [3, -1]).shape
    paddle.Size([2, 3, 2])
    """
    whole = Meta(tuple(x.shape), DType.of(x.dtype).numpy)
    where = axis_of("unflatten", whole, read_ints(axis)[0], error=CheckFailed)
    split = read_ints(shape)
    part = target_shape(Meta(whole.shape[where : where + 1], whole.dtype), split)
    expected = (*whole.shape[:where], *part, *whole.shape[where + 1 :])
    return reshape_.call(x, shape=expected)


@public()
@accept_separate_ints
def view(x: Any, shape_or_dtype: Any, name: str | None = None) -> Any:
    """x in another shape, or its bits read as another dtype; it shares x's memory.

    Dtypes: with a shape all kept; with a dtype that one.
    Errors: ValueError if x is not a Tensor, or the bits do not fit the shape or dtype.

    >>> paddle.view(paddle.to_tensor([1.0]), "int32").tolist()
    [1065353216]
    """
    if isinstance(shape_or_dtype, (list, tuple, Tensor)):
        return reshape_.call(x, shape=shape_or_dtype)
    if isinstance(x, Tensor) and DType.of(shape_or_dtype).numpy == x._data.dtype:
        return x
    return view_dtype.call(x, dtype=shape_or_dtype)


@public()
def view_as(x: Any, other: Any, name: str | None = None) -> Any:
    """x in the shape of another tensor; it shares x's memory.

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor, if the shapes do not fit.

    >>> paddle.view_as(paddle.ones([6]), paddle.ones([2, 3])).shape
    paddle.Size([2, 3])
    """
    return reshape_.call(x, shape=list(other.shape))


def _view_infer(x: Meta, *, dtype: Any) -> Meta:
    kind = DType.of(dtype).numpy
    bits = x.shape[-1] * x.dtype.itemsize if x.shape else x.dtype.itemsize
    if bits % kind.itemsize or (not x.shape and bits != kind.itemsize):
        expected = f"a last axis whose bytes are a multiple of {kind.itemsize}"
        raise misfit("view", expected, x=x, dtype=kind.name)
    if not x.shape or x.shape[-1] == -1:
        return Meta(x.shape, kind)
    return Meta((*x.shape[:-1], bits // kind.itemsize), kind)


@internal(
    infer=_view_infer,
    gradless="bits have no derivative",
    canon={"dtype": DType.of},
    results=Results(view=True),
    formula=Formula("y = bits(x)"),
    samples=(sample((2, 4), dtype="uint8"), sample((2, 4), dtype="int32")),
)
def view_dtype(xp: Any, x: Any, *, dtype: Any) -> Any:
    """x with its bits read as another dtype."""
    _view_infer(Meta(x.shape, x.dtype), dtype=dtype)
    return xp.ascontiguousarray(x).view(dtype.numpy).reshape(_view_infer(x, dtype=dtype).shape)


# ----- new axes ----------------------------------------------------------------------------------


def _as_tensor(value: Any) -> Any:
    if hasattr(value, "stop_gradient"):
        return value
    array = np.asarray(value)
    if array.dtype == np.float64 and not isinstance(value, (np.ndarray, np.generic)):
        array = array.astype("float32")
    return assign_value.call(values=array, shape=list(array.shape), dtype=DType.of(array.dtype))


def _add_axes(inputs: tuple[Any, ...], places: tuple[tuple[int, ...], ...]) -> Any:
    """Return the inputs with new axes at `places[rank]`: one tensor for one input, else a list."""
    grown = []
    for value in inputs:
        x = _as_tensor(value)
        new = places[len(x.shape)] if len(x.shape) < len(places) else ()
        grown.append(unsqueeze_.call(x, axis=new) if new else x)
    return grown[0] if len(grown) == 1 else grown


@public()
def atleast_1d(*inputs: Any, name: str | None = None) -> Any:
    """The tensors with at least one axis.

    Shapes: for example x [] gives [1].
    Dtypes: all kept.
    Errors: TypeError if x is not a Tensor.

    >>> paddle.atleast_1d(paddle.to_tensor(1.0)).shape
    paddle.Size([1])
    """
    return _add_axes(inputs, ((0,),))


@public()
def atleast_2d(*inputs: Any, name: str | None = None) -> Any:
    """The tensors with at least two axes: vectors become rows.

    Shapes: for example x [3] gives [1, 3].
    Dtypes: all kept.
    Errors: TypeError if x is not a Tensor.

    >>> paddle.atleast_2d(paddle.ones([3])).shape
    paddle.Size([1, 3])
    """
    return _add_axes(inputs, ((0, 1), (0,)))


@public()
def atleast_3d(*inputs: Any, name: str | None = None) -> Any:
    """The tensors with at least three axes, as for dstack.

    Shapes: for example x [3] gives [1, 3, 1].
    Dtypes: all kept.
    Errors: TypeError if x is not a Tensor.

    >>> paddle.atleast_3d(paddle.ones([3])).shape
    paddle.Size([1, 3, 1])
    """
    return _add_axes(inputs, ((0, 1, 2), (0, 2), (2,)))
