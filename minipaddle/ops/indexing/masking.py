"""Selection by conditions: where, masks, positions of elements other than zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...device import beside
from ...engine import modes
from ...engine.dispatch import store
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument
from ...engine.meta import Meta, broadcast, floats_widen
from ...engine.tensor import Tensor, saved_output
from ...errors import misfit
from .. import errors
from ..arguments import SCALARS, make_operand
from ..catalog import public
from ..making.creation import cast
from ..op_spec import internal
from ..record import Formula, Operands, Static, sample
from ..registry import REGISTRY
from ..rule_functions import host_check
from ..shapes.repeating import expand_

# ----- where --------------------------------------------------------------------------------------


def _where_infer(condition: Meta, x: Meta, y: Meta) -> Meta:
    both = Meta(broadcast("where", x, y), x.dtype)
    return Meta(broadcast("where", condition, both), x.dtype)


@internal(
    infer=_where_infer,
    operands=Operands(broadcasts=True, promotes=floats_widen),
    formula=Formula("z = where(condition, x, y)"),
    samples=(
        sample((2, 3), (2, 3), (2, 3), ints={"condition": 2}),
        sample((2, 3), (3,), (), ints={"condition": 2}),
    ),
)
def where_(xp: Any, condition: Any, x: Any, y: Any) -> Any:
    """Elements of x where the condition is true, else of y."""
    return xp.where(condition.astype(bool, copy=False), x, y)


@where_.grad
def where_grad(F: Any, dout: Any, condition: Any) -> Any:
    zero = F.fill_like(dout)
    return None, F.where(condition, dout, zero), F.where(condition, zero, dout)


@public()
def where(
    condition: Any, x: Any = None, y: Any = None, name: str | None = None, *, out: Any = None
) -> Any:
    """Elements of x where the condition holds, of y elsewhere; numbers count as 0-D tensors.
    With the condition alone the positions where it is true, a tensor for each axis.

    >>> paddle.where(paddle.to_tensor([True, False]), paddle.ones([2]), 0.0).tolist()
    [1.0, 0.0]
    """
    if x is None and y is None:
        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        expected, fix = "both of x and y, or neither", "where(condition, x, y)"
        raise misfit("where", expected, InvalidArgument, fix, x=x, y=y)
    if hasattr(condition, "stop_gradient"):
        _require_mask("where", "condition", condition, InvalidArgument)
    if isinstance(condition, Tensor) and not condition._stop:
        condition = saved_output(condition._data, True, None, condition._rare)  # has no gradient
    like = y if isinstance(x, SCALARS) else x
    x, y = (_as_operand(value, like, condition) for value in (x, y))
    result = where_.call(condition, x, y)
    return store(out, result, "where")


def _as_operand(value: Any, like: Any, condition: Any) -> Any:
    """Return an operand as a tensor, a number in the dtype of the other operand if it fits."""
    if not isinstance(value, SCALARS):
        return value
    kind = _own_dtype(value)
    if not isinstance(like, SCALARS) and _dtype_rank(kind) <= _dtype_rank(like.dtype):
        kind = like.dtype
    return (
        REGISTRY["full"].call(shape=(), fill_value=value, dtype=kind)
        if modes.is_static()
        else (Tensor(beside(np.asarray(value, DType.of(kind).numpy), condition._data)))
    )


def _own_dtype(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    return "int64" if isinstance(value, (int, np.integer)) else "float32"


def _dtype_rank(dtype: Any) -> int:
    """Return the rank of a dtype: bool, integers, floats, complex; each holds those before it."""
    return "biufc".index(DType.of(dtype).numpy.kind)


def _require_mask(op_name: str, argument: str, mask: Any, kind: Any) -> None:
    if DType.of(mask.dtype).name != "bool":
        raise errors.dtype(op_name, ("bool",), kind, **{argument: mask})


# ----- elements other than zero -------------------------------------------------------------------


def _nonzero_infer(x: Meta) -> Meta:
    errors.require_rank("nonzero", 1, None, x=x)
    return Meta((-1, len(x.shape)), np.dtype("int64"))


@internal(
    infer=_nonzero_infer,
    gradless="positions have no gradient",
    formula=Formula("y = {i : xᵢ ≠ 0}"),
    samples=(sample((2, 3), ints={"x": 2}), sample((5,), ints={"x": 2})),
    static=Static("where_index", slots={"x": "Condition"}),
)
def nonzero_(xp: Any, x: Any) -> Any:
    """The positions of the elements that are not zero, a row for each."""
    _nonzero_infer(Meta(x.shape, x.dtype))
    return xp.stack(xp.nonzero(x), axis=1).astype("int64", copy=False)


@public()
def nonzero(x: Any, as_tuple: bool = False, *, out: Any = None) -> Any:
    """The positions of the elements that are not zero, a row for each; with `as_tuple` a tensor
    for each axis.

    >>> paddle.nonzero(paddle.to_tensor([0, 3, 4])).tolist()
    [[1], [2]]
    """
    positions = nonzero_.call(x)
    if as_tuple:
        return tuple(positions[:, axis] for axis in range(len(x.shape)))
    return store(out, positions, "nonzero")


@public()
def argwhere(input: Any) -> Any:
    """The positions of the elements that are not zero, a row for each.

    Shapes: for example input [3] gives [2, 1].
    Dtypes: all give int64.
    Errors: ValueError if input is not a Tensor.

    >>> paddle.argwhere(paddle.to_tensor([0, 3, 4])).tolist()
    [[1], [2]]
    """
    return nonzero_.call(input)


# ----- masks --------------------------------------------------------------------------------------


def _select_infer(x: Meta, mask: Meta) -> Meta:
    broadcast("masked_select", x, mask)
    return Meta((-1,), x.dtype)


@internal(
    infer=_select_infer,
    formula=Formula("y = x[mask]", "dx = 0, dx[mask] = dy", written="x[mask]"),
    samples=(sample((3, 4), (3, 4), ints={"mask": 2}), sample((7,), (7,), ints={"mask": 2})),
    static=Static("masked_select", slots={"out": "Y"}),
)
def masked_select_(xp: Any, x: Any, mask: Any) -> Any:
    """The elements of x where a mask of its shape is true, as a vector."""
    return x[mask.astype(bool, copy=False)]


masked_select_.grad(lambda F, dout, mask: (F.masked_put(dout, mask), None))


@internal(
    infer=lambda x, mask: Meta(mask.shape, x.dtype),
    formula=Formula("y = 0, y[mask] = x", symbol="0[mask] ="),
    samples=(sample((), (2, 3), ints={"mask": 2}), sample((1,), (5,), ints={"mask": 2})),
)
def masked_put(xp: Any, x: Any, mask: Any) -> Any:
    """Zeros with the elements of x, in their order, where the mask is true."""
    out = xp.zeros(mask.shape, x.dtype)
    out[mask.astype(bool, copy=False)] = x
    return out


@masked_put.grad
def masked_put_grad(F: Any, dout: Any, x_shape: Any, mask: Any) -> Any:
    return F.sum_to(F.masked_select(dout, mask), shape=x_shape), None


@public()
def masked_select(x: Any, mask: Any, name: str | None = None, *, out: Any = None) -> Any:
    """The elements of x where the mask is true, as a vector; x and mask broadcast.

    >>> x = paddle.to_tensor([1.0, 2.0, 3.0])
    >>> paddle.masked_select(x, x > 1).tolist()
    [2.0, 3.0]
    """
    _require_mask("masked_select", "mask", mask, InvalidArgument)
    x, mask = _broadcast_both("masked_select", x, mask)
    result = masked_select_.call(x, mask)
    return store(out, result, "masked_select")


def _broadcast_both(op_name: str, x: Any, mask: Any) -> Any:
    """Return x and mask broadcast to one shape."""
    metas = [Meta(tuple(t.shape), DType.of(t.dtype).numpy) for t in (x, mask)]
    shape = broadcast(op_name, *metas)
    return [
        t if meta.shape == shape else expand_.call(t, shape=shape)
        for t, meta in zip((x, mask), metas, strict=True)
    ]


def _fill_infer(x: Meta, mask: Meta, value: Meta) -> Meta:
    return Meta(
        broadcast("masked_fill", mask, Meta(broadcast("masked_fill", x, value), x.dtype)), x.dtype
    )


@internal(
    infer=_fill_infer,
    operands=Operands(broadcasts=True),
    formula=Formula("y = x, y[mask] = value", "dx = dy · (1 − mask), dvalue = Σ dy[mask]"),
    samples=(
        sample((2, 3), (2, 3), (), ints={"mask": 2}),
        sample((3,), (2, 3), (), ints={"mask": 2}),
    ),
)
def masked_fill_(xp: Any, x: Any, mask: Any, value: Any) -> Any:
    """x with one value where the mask is true."""
    return xp.where(mask.astype(bool, copy=False), value.astype(x.dtype, copy=False), x)


@masked_fill_.grad
def masked_fill_grad(F: Any, dout: Any, mask: Any) -> Any:
    zero = F.fill_like(dout)
    return F.where(mask, zero, dout), None, F.where(mask, dout, zero)


@public(inplace=True)
def masked_fill(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """x with one value, a number or a tensor of one element, where the mask is true.

    >>> x = paddle.to_tensor([1.0, 2.0, 3.0])
    >>> paddle.masked_fill(x, x > 1, 0.0).tolist()
    [1.0, 0.0, 0.0]
    """
    _require_mask("masked_fill", "mask", mask, InvalidArgument)
    if not hasattr(value, "stop_gradient"):
        value = make_operand(value, x)
    elif [n for n in value.shape if n != 1]:
        raise errors.one_element("masked_fill(): value", value, "value")
    if len(value.shape):
        value = REGISTRY["reshape"].call(value, shape=())
    if DType.of(value.dtype) is not DType.of(x.dtype):
        value = cast.call(value, dtype=x.dtype)
    return masked_fill_.call(x, mask, value)


@internal(
    infer=lambda mask, value: Meta(mask.shape, np.dtype("int64")),
    gradless="positions have no gradient",
    formula=Formula("yᵢ = Σ maskⱼ, j < i"),
    samples=(sample((3, 2), (6,), ints={"mask": 2}), sample((5,), (2, 3), ints={"mask": 2})),
)
def mask_order(xp: Any, mask: Any, value: Any) -> Any:
    """The number of true elements of the mask before each position: the position in value."""
    mask = mask.astype(bool, copy=False)
    order = xp.cumsum(mask.reshape(-1)).astype("int64").reshape(mask.shape)
    _check_enough(xp, order, value.shape)
    return xp.where(mask, order - 1, 0)


@host_check(same_between=lambda order, shape: (order, 0, math.prod(shape)))
def _check_enough(xp: Any, order: Any, shape: tuple[int, ...]) -> None:
    needed = int(order.max()) if order.size else 0
    if needed > math.prod(shape):
        expected = f"at least {needed} elements of value"
        raise misfit("masked_scatter", expected, CheckFailed, shape=list(shape))


@public(inplace=True)
def masked_scatter(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """x with the elements of value, in their order, where the mask is true.

    Shapes: for example x [3], mask [3], value [2] gives [3].
    Dtypes: all kept.
    Errors: ValueError if the shapes do not fit.

    >>> x = paddle.to_tensor([1.0, 2.0, 3.0])
    >>> paddle.masked_scatter(x, x > 1, paddle.to_tensor([8.0, 9.0])).tolist()
    [1.0, 8.0, 9.0]
    """
    _require_mask("masked_scatter", "mask", mask, CheckFailed)
    if DType.of(value.dtype) is not DType.of(x.dtype):
        raise errors.other_dtype("masked_scatter", CheckFailed, x=x, value=value)
    x, mask = _broadcast_both("masked_scatter", x, mask)
    order = mask_order.call(mask, value)
    row = REGISTRY["reshape"].call(value, shape=(-1,))
    return where_.call(mask, REGISTRY["pick"].call(row, [order], axes=(0,)), x)
