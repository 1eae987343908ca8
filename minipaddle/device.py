"""Where arrays live: which namespace (NumPy or CuPy) computes on an array.

CuPy is used only where a usable device exists: a device count decides, not an import.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

ndarray = np.ndarray

# Array class -> namespace; CuPy adds itself when the first of its arrays is seen.
_namespaces: dict[type, Any] = {np.ndarray: np, np.generic: np}


def namespace(array: Any) -> Any:
    """The module whose functions compute on this array."""
    for kind in type(array).__mro__:
        if kind in _namespaces:
            return _namespaces[kind]
    module = sys.modules.get(type(array).__module__.partition(".")[0])
    if module is not None and hasattr(module, "asnumpy"):
        _namespaces[type(array)] = module
        return module
    raise TypeError(f"no array namespace for {type(array).__name__}")


def register_namespace(kind: type, xp: Any) -> None:
    """Let `xp` compute on arrays of this class (the strict stand-in of the tests does so)."""
    _namespaces[kind] = xp


def to_numpy(array: Any) -> np.ndarray[Any, Any]:
    """A NumPy array with the same values; a copy only where the array lives on a device."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np.asarray(array)
    host: np.ndarray[Any, Any] = namespace(array).asnumpy(array)
    return host


class Place:
    """A device; prints as Paddle's places do."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"Place({self._text})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


class CPUPlace(Place):
    """The host's memory.

    >>> CPUPlace()
    Place(cpu)
    """

    def __init__(self) -> None:
        super().__init__("cpu")


class CUDAPlace(Place):
    """A CUDA device by its number.

    >>> CUDAPlace(0)
    Place(gpu:0)
    """

    def __init__(self, index: int = 0) -> None:
        super().__init__(f"gpu:{index}")


def place_of(array: Any) -> Place:
    """The device that holds this array."""
    if isinstance(array, np.ndarray):
        return CPUPlace()
    return CUDAPlace(getattr(getattr(array, "device", None), "id", 0))
