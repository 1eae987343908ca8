"""Texts of values in answers."""

import numpy as np


def describe(value):
    """Return a tensor with its stop_gradient, also inside of lists and tuples."""
    if hasattr(value, "stop_gradient"):
        return [value, value.stop_gradient]
    if isinstance(value, list | tuple):
        return [describe(item) for item in value]
    plain = bool | int | float | str | np.ndarray | None
    return value if isinstance(value, plain) else repr(value)
