"""Writing parts of a Variable by position."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.tensor import Tensor
from ..ops.indexing.index import write
from ..ops.making import convert
from ..ops.scalars import SCALARS, constant
from . import errors
from .variable import Variable


def _kind(value: Any) -> DType:
    return DType.of(value.dtype)


def setitem(x: Variable, index: Any, value: Any) -> Any:
    """Return x with a value, a number, an array or a Variable, written at x[index].

    Source: Paddle's `paddle.static.setitem`.

    Errors: AttributeError for an x that is not a Variable.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [None, 3])
    ...     y = paddle.static.setitem(x, (slice(None), 0), 7.0)
    ...     paddle.static.Executor().run(feed={"x": np.zeros([1, 3], "float32")}, fetch_list=[y])
    [array([[7., 0., 0.]], dtype=float32)]
    >>> paddle.disable_static()
    """
    kind = DType.of(x.dtype)
    if isinstance(value, SCALARS):
        value = constant(value, x)
    elif isinstance(value, np.ndarray):
        value = Tensor(value.astype(kind.numpy))
    elif not isinstance(value, (Variable, Tensor)):
        raise errors.value_to_set(value)
    elif _kind(value) is not kind:
        value = convert.cast.call(value, dtype=x.dtype)
    return write(x, index, value)
