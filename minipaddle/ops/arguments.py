"""The forms in which users write attributes, brought into one: axes, shapes, numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import Tensor


def number(value: Any) -> Any:
    """A Python number, also from a one-element Tensor or a NumPy scalar."""
    if isinstance(value, Tensor):
        return value._data.item()
    return value.item() if isinstance(value, np.generic) else value


def axes(value: Any) -> Any:
    """None, an int, or a tuple of ints, also from lists and Tensors."""
    if isinstance(value, Tensor) and value._data.ndim:
        value = value._data.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(int(number(item)) for item in value)
    return value if value is None else int(number(value))


def ints(value: Any) -> tuple[int, ...]:
    """A tuple of ints: a shape or a permutation, also from one int, a list or a Tensor."""
    found = axes(value)
    return (found,) if isinstance(found, int) else tuple(found or ())


def sections(value: Any) -> Any:
    """An int, or a tuple of ints: in how many pieces, or of which sizes, to split."""
    return axes(value)
