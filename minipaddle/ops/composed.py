"""Public functions that are formulas of other ops: variance, norm, triangles; and questions."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from .. import dtypes
from ..core import Tensor
from ..dtypes import DType
from ..errors import InvalidArgument, InvalidType
from ..meta import Meta, axes_of
from . import convert, creation, elementwise, functions, reduction
from .arguments import axes, ints, number
from .catalog import public
from .records import REGISTRY

_sum = reduction.sum_.call
_mean = reduction.mean.call
_multiply = REGISTRY["multiply"].call


@public(method=False)
def assign(x: Any, output: Any = None, name: str | None = None) -> Any:
    """A copy of x, a tensor, array, list or number, still connected to the graph; with `output`,
    that tensor takes the values and the history, in place.

    >>> import minipaddle as paddle
    >>> paddle.assign([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    if hasattr(x, "stop_gradient"):
        made = convert.assign.call(x)
    else:
        array = np.asarray(x)
        plain = array.dtype == np.float64 and not isinstance(x, (np.ndarray, np.generic))
        kind = dtypes.get_default() if plain else DType.of(array.dtype)
        made = creation.assign_value.call(values=array, shape=list(array.shape), dtype=kind)
    if output is None:
        return made
    if not isinstance(output, Tensor):
        raise InvalidType(
            "assign(): output must be a Tensor.",
            expected="a Tensor of x's shape and dtype, or None",
            received=type(output).__name__,
            fix="use the result of assign() instead",
        )
    return output._take(made, "assign")  # type: ignore[attr-defined]


# ----- statistics --------------------------------------------------------------------------------


def _count(x: Any, axis: Any) -> int:
    shape = tuple(x.shape)
    return int(np.prod([shape[a] for a in axes_of("var", Meta(shape, np.dtype("f4")), axis)]))


@public()
def var(
    x: Any, axis: Any = None, unbiased: builtins.bool = True, keepdim: builtins.bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The variance over `axis` (all axes if None), divided by n - 1, or by n if not unbiased.

    >>> import minipaddle as paddle
    >>> paddle.var(paddle.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    axis = axes(axis)
    total = _sum(elementwise.square.call(x - _mean(x, axis=axis, keepdim=True)), axis=axis,
                 keepdim=keepdim)  # fmt: skip
    count = _count(x, axis)
    return total / float(count - 1 if unbiased and count > 1 else count)


@public()
def std(
    x: Any, axis: Any = None, unbiased: builtins.bool = True, keepdim: builtins.bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The standard deviation: the square root of the variance.

    >>> import minipaddle as paddle
    >>> paddle.std(paddle.to_tensor([1.0, 2.0, 3.0])).item()
    1.0
    """
    return elementwise.sqrt.call(var(x, axis, unbiased, keepdim))


@public()
def norm(
    x: Any, p: Any = 2, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None
) -> Any:  # fmt: skip
    """The p-norm over `axis` (all axes if None): (Σ |x|ᵖ)^(1/p); p = inf gives the largest |x|.

    >>> import minipaddle as paddle
    >>> paddle.norm(paddle.to_tensor([3.0, 4.0])).item()
    5.0
    """
    axis = axes(axis)
    if p in (2, "fro"):
        return elementwise.sqrt.call(_sum(elementwise.square.call(x), axis=axis, keepdim=keepdim))
    size = elementwise.abs.call(x)
    if p in (np.inf, -np.inf):
        return REGISTRY["max" if p > 0 else "min"].call(size, axis=axis, keepdim=keepdim)
    if p == 0:
        return _sum((x != 0).astype(DType.of(x.dtype)), axis=axis, keepdim=keepdim)
    if p == 1:
        return _sum(size, axis=axis, keepdim=keepdim)
    return functions.pow(_sum(functions.pow(size, float(p)), axis=axis, keepdim=keepdim), 1.0 / p)


@public()
def dot(x: Any, y: Any, name: str | None = None) -> Any:
    """The inner product over the last axis.

    >>> import minipaddle as paddle
    >>> paddle.dot(paddle.ones([3]), paddle.ones([3])).item()
    3.0
    """
    return _sum(_multiply(x, y), axis=-1)


@public()
def neg(x: Any, name: str | None = None) -> Any:
    """Minus x.

    >>> import minipaddle as paddle
    >>> paddle.neg(paddle.ones([1])).tolist()
    [-1.0]
    """
    return -x


# ----- patterns ----------------------------------------------------------------------------------


@public(method=False)
def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`num` numbers from start to stop, both included, equally far apart.

    >>> import minipaddle as paddle
    >>> paddle.linspace(0, 1, 3).tolist()
    [0.0, 0.5, 1.0]
    """
    values = np.linspace(number(start), number(stop), int(number(num)))
    kind = DType.of(dtype or dtypes.get_default())
    return creation.assign_value.call(values=values, shape=list(values.shape), dtype=kind)


@public(method=False)
def eye(
    num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None
) -> Any:  # fmt: skip
    """The identity matrix, or a matrix with ones on its diagonal.

    >>> import minipaddle as paddle
    >>> paddle.eye(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    values = np.eye(num_rows, num_columns)
    kind = DType.of(dtype or dtypes.get_default())
    return creation.assign_value.call(values=values, shape=list(values.shape), dtype=kind)


@public()
def tril(x: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """x with zeros above the diagonal (or the k-th one above it).

    >>> import minipaddle as paddle
    >>> paddle.tril(paddle.ones([2, 2])).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return _triangle("tril", x, diagonal)


@public()
def triu(x: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """x with zeros below the diagonal (or the k-th one above it).

    >>> import minipaddle as paddle
    >>> paddle.triu(paddle.ones([2, 2])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return _triangle("triu", x, diagonal)


def _triangle(name: str, x: Any, diagonal: int) -> Any:
    shape = list(x.shape)[-2:]
    if len(shape) < 2 or -1 in shape:
        raise InvalidArgument(
            f"{name}(): x must be a matrix, or matrices, of known size.",
            expected="at least two dimensions",
            received=f"shape {list(x.shape)}",
            fix="reshape x, for example to [n, n]",
        )
    mask = getattr(np, name)(np.ones(shape), diagonal)
    kept = creation.assign_value.call(values=mask, shape=shape, dtype=DType.of(x.dtype))
    return _multiply(x, kept)


# ----- questions ---------------------------------------------------------------------------------


@public()
def rank(input: Any) -> Any:
    """The number of dimensions, as a 0-D int32 tensor.

    >>> import minipaddle as paddle
    >>> paddle.rank(paddle.ones([2, 3])).item()
    2
    """
    return functions.full([], len(input.shape), "int32")


@public()
def isclose(
    x: Any, y: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Whether |x - y| <= atol + rtol · |y|, element by element.

    >>> import minipaddle as paddle
    >>> paddle.isclose(paddle.ones([1]), paddle.ones([1]) + 1e-7).tolist()
    [True]
    """
    near = elementwise.abs.call(x - y) <= elementwise.abs.call(y) * float(rtol) + float(atol)
    same = x == y  # infinities
    both = elementwise.isnan.call(x) & elementwise.isnan.call(y)
    return near | same | both if equal_nan else near | same


@public()
def allclose(
    x: Any, y: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: builtins.bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Whether all elements are close, as a 0-D bool tensor.

    >>> import minipaddle as paddle
    >>> bool(paddle.allclose(paddle.ones([2]), paddle.ones([2])))
    True
    """
    return reduction.all_.call(isclose(x, y, rtol, atol, equal_nan))


@public()
def equal_all(x: Any, y: Any, name: str | None = None) -> Any:
    """Whether shape and all elements are equal, as a 0-D bool tensor.

    >>> import minipaddle as paddle
    >>> bool(paddle.equal_all(paddle.ones([2]), paddle.ones([3])))
    False
    """
    if tuple(ints(x.shape)) != tuple(ints(y.shape)):
        return functions.full([], False, "bool")
    return reduction.all_.call(x == y)


@public()
def is_floating_point(x: Any) -> builtins.bool:
    """Whether the dtype is a floating-point one.

    >>> import minipaddle as paddle
    >>> paddle.is_floating_point(paddle.ones([1]))
    True
    """
    return DType.of(x.dtype).is_floating


@public()
def is_integer(x: Any) -> builtins.bool:
    """Whether the dtype is an integer one.

    >>> import minipaddle as paddle
    >>> paddle.is_integer(paddle.ones([1]))
    False
    """
    return DType.of(x.dtype).numpy.kind in "iu"
