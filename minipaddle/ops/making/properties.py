"""Properties of a tensor: size, shape, kind of dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.dtypes import DType
from ...engine.meta import Meta
from ...engine.tensor import Tensor
from .. import errors
from ..arguments import is_variable
from ..catalog import public
from ..op_spec import op
from ..record import Formula, Public, Static, sample

COUNTED = "counts, and does not depend on the values"


def _number_inference(dtype: str) -> Any:
    """Return the inference of a 0-D result in this dtype."""
    return lambda _x: Meta((), np.dtype(dtype))


@op(
    infer=_number_inference("int64"),
    gradless=COUNTED,
    formula=Formula("y = numel(x)"),
    samples=(sample((2, 3)), sample(()), sample((0, 2))),
    static=Static("size", slots={"x": "Input"}),
)
def numel(xp: Any, x: Any) -> Any:
    """The number of elements, as a 0-D int64 tensor.

    >>> int(paddle.numel(paddle.ones([2, 3])))
    6
    """
    return xp.asarray(x.size, np.int64)


@op(
    infer=lambda input: Meta((len(input.shape),), np.dtype("int64")),
    gradless=COUNTED,
    formula=Formula("y = shape(x)"),
    samples=(sample((2, 3)), sample(())),
    public=Public(method=False),
)
def shape(xp: Any, input: Any) -> Any:
    """The sizes of a tensor as an int64 tensor.

    >>> paddle.shape(paddle.ones([2, 3])).tolist()
    [2, 3]
    """
    return xp.asarray(input.shape, np.int64)


@op(
    infer=_number_inference("bool"),
    gradless=COUNTED,
    formula=Formula("y = (numel(x) = 0)"),
    samples=(sample((2, 3)), sample((0, 2))),
)
def is_empty(xp: Any, x: Any) -> Any:
    """True if x has no elements, as a 0-D bool tensor.

    >>> bool(paddle.is_empty(paddle.ones([0, 3])))
    True
    """
    return xp.asarray(x.size == 0)


@op(
    infer=_number_inference("int32"),
    gradless=COUNTED,
    formula=Formula("y = rank(x)"),
    samples=(sample((2, 3)), sample(())),
)
def rank(xp: Any, input: Any) -> Any:
    """The number of dimensions, as a 0-D int32 tensor.

    >>> paddle.rank(paddle.ones([2, 3])).item()
    2
    """
    return xp.asarray(input.ndim, np.int32)


@public()
def is_tensor(x: Any) -> bool:
    """Return whether x is a Tensor, or a Variable of a Program.

    Shapes and dtypes do not matter.
    Errors: none.

    >>> import minipaddle as paddle
    >>> paddle.is_tensor([1.0])
    False
    """
    return isinstance(x, Tensor) or (is_variable(x) and hasattr(x, "block"))


@public(method=False)
def tolist(x: Any) -> Any:
    """Return the values as numbers in nested lists.

    Dtypes: all; the shape becomes the lists' nesting.
    Errors: TypeError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.tolist(paddle.ones([2]))
    [1.0, 1.0]
    """
    _dtype_kind("tolist", x)
    return x.tolist()


def _dtype_kind(name: str, x: Any) -> str:
    """Return NumPy's letter for the kind of the dtype; raise an error if x is no tensor."""
    if not hasattr(x, "stop_gradient"):
        raise errors.no_tensor(name, "x", x)
    return DType.of(x.dtype).numpy.kind


@public()
def is_floating_point(x: Any) -> bool:
    """Return whether the dtype is a floating-point one.

    Errors: TypeError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.is_floating_point(paddle.ones([1]))
    True
    """
    return _dtype_kind("is_floating_point", x) == "f"


@public()
def is_integer(x: Any) -> bool:
    """Return whether the dtype is an integer one.

    Errors: TypeError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.is_integer(paddle.ones([1]))
    False
    """
    return _dtype_kind("is_integer", x) in "iu"


@public()
def is_complex(x: Any) -> bool:
    """Return whether the dtype is a complex one.

    Errors: TypeError if x is not a Tensor.

    >>> import minipaddle as paddle
    >>> paddle.is_complex(paddle.ones([1]))
    False
    """
    return _dtype_kind("is_complex", x) == "c"
