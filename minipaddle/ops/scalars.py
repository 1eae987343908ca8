"""Python numbers as operands, which become constants."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from ..device import place_of
from ..engine import modes
from ..engine.dtypes import DType
from ..engine.tensor import Tensor
from .registry import REGISTRY

SCALARS = (builtins.bool, int, float, np.generic)


def constant(value: Any, like: Any) -> Any:
    """Make an operand of a number: a 0-D Tensor, or a fill_constant operator."""
    dtype = DType.of(like.dtype)
    if modes.is_static() and not isinstance(like, Tensor):
        return REGISTRY["full"].call(shape=(), fill_value=value, dtype=dtype)
    try:
        array = np.asarray(value, dtype.numpy)
    except OverflowError:  # wrap around in a small integer type, as in Paddle
        array = np.asarray(value).astype(dtype.numpy)
    return Tensor(array if like._data.__class__ is np.ndarray else place_of(like._data).put(array))
