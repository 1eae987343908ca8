"""Values as answers show them."""

import numpy as np


def describe(value):
    """Show a tensor with its stop_gradient, and what stands in lists and tuples likewise."""
    if hasattr(value, "stop_gradient"):
        return [value, value.stop_gradient]
    if isinstance(value, list | tuple):
        return [describe(item) for item in value]
    plain = bool | int | float | str | np.ndarray | None
    return value if isinstance(value, plain) else repr(value)
