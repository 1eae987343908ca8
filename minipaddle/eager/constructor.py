"""Construction of `paddle.Tensor(...)` from a user's arguments, as Paddle's class does it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..device import place_named
from ..engine import dtypes
from ..engine.tensor import Tensor, rare
from . import errors
from .creation import array_from

KEYWORDS = ("data", "value", "place", "device", "zero_copy", "name", "persistable", "stop_gradient")


def construct(x: Any, sizes: tuple[Any, ...], given: dict[str, Any]) -> None:
    """Fill a tensor that was not made of a NumPy array alone, as `Tensor(x)` and `Tensor(data=x)`.

    A list gets the default dtype; integers are sizes of zeros. Arrays of devices stay as they are.
    """
    unknown = [name for name in given if name not in KEYWORDS]
    if unknown:
        raise errors.unknown_keyword(unknown[0], given[unknown[0]], KEYWORDS)
    data = given.get("data", given.get("value", x._data))
    if isinstance(data, int) and not isinstance(data, bool):
        shape = data, *(n for n in (x._stop, x._node) if type(n) is int), *sizes
        x._data, x._stop, x._node = np.zeros(shape, dtypes.get_default().numpy), True, None
    elif isinstance(data, (list, tuple)):
        x._data, x._stop = array_from(data, dtypes.get_default()), True
    elif isinstance(data, (Tensor, np.ndarray)):
        x._data = array_from(data, None)
    elif not hasattr(data, "__array__") and not hasattr(data, "__array_namespace__"):
        raise errors.no_array(data)
    if given:
        place = given.get("place", given.get("device"))
        x._data = x._data if place is None else place_named(place).put(x._data)
        x._stop = bool(given.get("stop_gradient", True))
        rare(x).name, rare(x).persistable = given.get("name"), given.get("persistable")
