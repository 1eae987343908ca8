"""Writes along an axis with a position for each element: put_along_axis and the like."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.errors import PreconditionNotMet
from ...engine.meta import Meta
from .. import errors
from ..arguments import make_operand, read_axis, shapes_differ
from ..catalog import public
from ..op_spec import internal
from ..record import Formula, Static, each_of, of_elements, sample
from ..shapes.repeating import expand_
from .gathering import broadcast_except, index_along, infer_along
from .join_at import reduce_at
from .picking import find_last_written, refuse_outside

# Neutral element of each reduction, in place of elements of arr without include_self.
NEUTRAL = {"add": 0, "multiply": 1, "mean": 0, "amin": np.inf, "amax": -np.inf}
OTHER_NAMES = {"sum": "add", "mul": "multiply", "prod": "multiply"}


def _read_reduce(reduce: Any) -> Any:
    """Return the canonical name of a reduction."""
    reduce = OTHER_NAMES.get(reduce, reduce)
    if reduce != "assign" and reduce not in NEUTRAL:
        raise errors.choice("put_along_axis", "reduce", reduce, ("assign", *NEUTRAL))
    return reduce


def _put_infer(
    arr: Meta, indices: Meta, values: Meta, *, axis: int, reduce: str, include_self: bool
) -> Meta:
    infer_along("put_along_axis", arr, indices, axis)
    if arr.dtype != values.dtype:
        raise errors.other_dtype("put_along_axis", arr=arr, values=values)
    if shapes_differ(indices.shape, values.shape):
        raise errors.shape("put_along_axis", indices.shape, PreconditionNotMet, values=values)
    return arr


def _formulas(attrs: dict[str, Any]) -> tuple[str, str]:
    """Return the formulas of a call and of its gradients."""
    reduce = attrs["reduce"]
    whole = {"add": "sum", "multiply": "product", "amin": "min", "amax": "max"}.get(reduce, reduce)
    own = "arr§, " if attrs["include_self"] else ""
    forward = f"y = arr, y§ = {whole}({own}values@, …)"
    slope = "" if reduce == "add" else " · ∂y§/∂values@"
    backward = f"{'darr = dy · ∂y/∂arr' if own else 'darr = dy, darr§ = 0'}, dvalues@ = dy§{slope}"
    if reduce == "assign":
        forward, backward = "y = arr, y§ = values@", "darr = dy, darr§ = 0, dvalues@ = dy§"
    elif reduce == "add" and attrs["include_self"]:
        forward, backward = "y = arr, y§ += values@", "darr = dy, dvalues@ = dy§"
    return of_elements(forward)(attrs), of_elements(backward)(attrs)


@internal(
    infer=_put_infer,
    checked=True,
    canon={"axis": read_axis, "reduce": _read_reduce, "include_self": bool},
    formula=Formula(*each_of(_formulas), symbol=lambda attrs: f"put_along_axis {attrs['reduce']}"),
    samples=(
        sample((3, 4), (3, 2), (3, 2), ints={"indices": 4}, axis=1),
        sample((3, 4), (5, 2), (5, 2), ints={"indices": 3}, axis=-2, reduce="multiply"),
        *(
            sample(
                (3, 4), (5, 2), (5, 2), ints={"indices": 3}, axis=0, reduce=join, include_self=own
            )
            for join in NEUTRAL
            for own in (True, False)
        ),
    ),
    static=Static(
        "put_along_axis",
        attrs={"axis": "Axis", "reduce": "Reduce"},
        slots={"arr": "Input", "indices": "Index", "values": "Value", "out": "Result"},
    ),
)
def put_along_axis_(
    xp: Any,
    arr: Any,
    indices: Any,
    values: Any,
    *,
    axis: Any,
    reduce: Any = "assign",
    include_self: Any = True,
) -> Any:
    """arr with values written, or reduced with its elements, at positions along an axis."""
    where = axis % arr.ndim
    refuse_outside(xp, "put_along_axis", indices, arr.shape, where)
    out, places = arr.copy(), index_along(xp, indices, where)
    if reduce == "assign":
        out[places] = values
        return out
    if not include_self:
        out[places] = _neutral_element(reduce, arr.dtype)
    join = {"multiply": "multiply", "amin": "minimum", "amax": "maximum"}.get(reduce, "add")
    reduce_at(xp, join, out, places, values)
    if reduce == "mean":
        count = _count_values(xp, arr, places, include_self)
        out = out / count if arr.dtype.kind == "f" else out // count
    return out.astype(arr.dtype, copy=False)


def _neutral_element(reduce: str, dtype: Any) -> Any:
    """Return the neutral element of a reduction in a dtype."""
    value = NEUTRAL[reduce]
    if dtype.kind in "iu" and value in (np.inf, -np.inf):
        return np.iinfo(dtype).max if value > 0 else np.iinfo(dtype).min
    return value


def _count_values(xp: Any, arr: Any, places: Any, include_self: bool) -> Any:
    """Return the number of values at each position of arr, at least 1."""
    count = xp.full(arr.shape, int(include_self), "int32")
    xp.add.at(count, places, 1)
    return xp.maximum(count, 1).astype(arr.dtype)


@put_along_axis_.grad
def put_along_axis_grad(
    F: Any,
    dout: Any,
    arr: Any,
    indices: Any,
    values: Any,
    out: Any,
    *,
    axis: int,
    reduce: str,
    include_self: bool,
) -> Any:
    """Return the gradients of arr and values; each value has a share at its position."""
    at = {"axis": axis}
    part = F.take_along_axis(dout, indices, **at)
    nothing = F.fill_like(part)
    cleared = F.put_along_axis(dout, indices, nothing, **at)
    if reduce == "assign":
        stayed = F.last_along(dout, indices, **at)
        return cleared, None, F.where(stayed, part, nothing)
    if reduce == "add":
        return dout if include_self else cleared, None, part
    if reduce == "mean":
        share = dout / F.count_along(dout, indices, axis=axis, include_self=include_self)
        darr = share if include_self else F.put_along_axis(share, indices, nothing, **at)
        return darr, None, F.take_along_axis(share, indices, **at)
    if reduce == "multiply":
        return _product_grad(F, dout, arr, indices, values, axis, include_self)
    return _extreme_grad(F, dout, arr, indices, values, out, axis, include_self)


def _product_grad(
    F: Any, dout: Any, arr: Any, indices: Any, values: Any, axis: int, include_self: bool
) -> Any:
    """Return the gradients of a product: dout times the product of all other factors."""
    dtype, whole = DType.of(arr.dtype), {"axis": axis, "include_self": include_self}
    zero, of_values = (F.cast(F.equal(a, F.fill_like(a)), dtype=dtype) for a in (arr, values))
    factors, more = arr + zero, values + of_values  # 1 in place of 0
    product = dout * F.put_along_axis(factors, indices, more, reduce="multiply", **whole)
    zeros = F.put_along_axis(zero, indices, of_values, reduce="add", **whole)
    nothing = F.fill_like(values)
    if include_self:
        darr = F.where(F.equal(zeros, zero), product / factors, F.fill_like(arr))
    else:
        darr = F.put_along_axis(dout, indices, nothing, axis=axis)
    gone, share = (F.take_along_axis(a, indices, axis=axis) for a in (zeros, product))
    return darr, None, F.where(F.equal(gone, of_values), share / more, nothing)


def _extreme_grad(
    F: Any, dout: Any, arr: Any, indices: Any, values: Any, out: Any, axis: int, include_self: bool
) -> Any:
    """Return the gradients of an extreme; equal elements share it."""
    of_arr = F.where(F.equal(arr, out), F.fill_like(arr, value=1.0), F.fill_like(arr))
    won = F.equal(values, F.take_along_axis(out, indices, axis=axis))
    of_values = F.where(won, F.fill_like(values, value=1.0), F.fill_like(values))
    if not include_self:
        of_arr = F.put_along_axis(of_arr, indices, F.fill_like(values), axis=axis)
    winners = F.put_along_axis(of_arr, indices, of_values, axis=axis, reduce="add")
    share = dout / winners
    return share * of_arr, None, F.take_along_axis(share, indices, axis=axis) * of_values


@internal(
    infer=lambda x, indices, *, axis: Meta(indices.shape, np.dtype(bool)),
    gradless="positions have no gradient",
    formula=Formula("y = last(indices)"),
    samples=(
        sample((3, 4), (5, 2), ints={"indices": 3}, axis=0),
        sample((3, 4), (3, 7), ints={"indices": 4}, axis=1),
    ),
)
def last_along(xp: Any, x: Any, indices: Any, *, axis: int) -> Any:
    """True for each value that put_along_axis leaves in the result, the last at its position."""
    return find_last_written(xp, x.shape, index_along(xp, indices, axis))


@internal(
    infer=lambda x, indices, *, axis, include_self: x,
    gradless="positions have no gradient",
    formula=Formula("y = count(indices)"),
    samples=(
        sample((3, 4), (5, 2), ints={"indices": 3}, axis=0),
        sample((3, 4), (3, 7), ints={"indices": 4}, axis=1, include_self=False),
    ),
)
def count_along(xp: Any, x: Any, indices: Any, *, axis: int, include_self: bool = True) -> Any:
    """The number of values in the mean at each position of x."""
    return _count_values(xp, x, index_along(xp, indices, axis), include_self)


@public(inplace=True)
def put_along_axis(
    arr: Any,
    indices: Any,
    values: Any,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Any:
    """arr with values written at positions along an axis, or reduced with its elements: `reduce` is
    'assign', 'add', 'multiply', 'mean', 'amin' or 'amax'; with `include_self` elements of arr
    count; with `broadcast` the other axes of arr and indices broadcast.

    >>> x, indices = paddle.zeros([2, 2]), paddle.to_tensor([[1], [0]])
    >>> paddle.put_along_axis(x, indices, 5.0, 1).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    """
    if not hasattr(values, "stop_gradient"):
        values = make_operand(values, arr)
    if broadcast and len(arr.shape) == len(indices.shape):
        arr, indices = broadcast_except("put_along_axis", arr, indices, axis)
    if list(values.shape) != list(indices.shape) and (broadcast or not len(values.shape)):
        values = expand_.call(values, shape=list(indices.shape))
    return put_along_axis_.call(
        arr, indices, values, axis=axis, reduce=reduce, include_self=include_self
    )


@public(inplace=True)
def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """input with the elements of src added at positions along an axis.

    Shapes: for example input [3], dim=0, index [2], src [2] gives [3].
    Dtypes: all kept.
    Errors: ValueError if input is not a Tensor; RuntimeError if the shapes do not fit.

    >>> x, index = paddle.zeros([3]), paddle.to_tensor([1, 1])
    >>> paddle.scatter_add(x, 0, index, paddle.to_tensor([2.0, 3.0])).tolist()
    [0.0, 5.0, 0.0]
    """
    return scatter_reduce(input, dim, index, src, "sum")


@public()
def scatter_reduce(
    input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """input with the elements of src reduced at positions along an axis by 'sum', 'prod', 'mean',
    'amin' or 'amax'.

    Shapes: for example input [3], dim=0, index [2], src [2], reduce='prod' gives [3].
    Dtypes: all kept.
    Errors: ValueError if input is not a Tensor; RuntimeError if the shapes do not fit.

    >>> x, index = paddle.ones([3]), paddle.to_tensor([1, 1])
    >>> paddle.scatter_reduce(x, 0, index, paddle.to_tensor([2.0, 3.0]), "prod").tolist()
    [1.0, 6.0, 1.0]
    """
    src = src[tuple(slice(0, n) for n in index.shape)]
    return put_along_axis_.call(
        input, index, src, axis=dim, reduce=reduce, include_self=include_self
    )
