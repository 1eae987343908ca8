"""Where arrays live: which namespace (NumPy or CuPy) computes on an array.

CuPy is used only where a usable device exists: a device count decides, not an import.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from typing import Any

import numpy as np

from .errors import InvalidArgument

ndarray = np.ndarray


def __getattr__(name: str) -> Any:
    """`device.cupy`: loaded when an array first goes to a CUDA device."""
    if name == "cupy":
        return importlib.import_module("cupy")
    raise AttributeError(name)


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


def to_numpy(array: Any) -> np.ndarray[Any, Any]:
    """A NumPy array with the same values; a copy only where the array lives on a device."""
    if isinstance(array, (np.ndarray, np.generic)):
        return np.asarray(array)
    host: np.ndarray[Any, Any] = namespace(array).asnumpy(array)
    return host


class Place:
    """A device; prints as Paddle's places do."""

    kind = "cpu"

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"Place({self._text})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def is_cpu_place(self) -> bool:
        """Whether this is the host's memory."""
        return self.kind == "cpu"

    def is_gpu_place(self) -> bool:
        """Whether this is a CUDA device."""
        return self.kind == "gpu"

    def put(self, array: Any) -> Any:
        """The array in the host's memory, itself if it is there already."""
        return to_numpy(array)


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

    kind = "gpu"

    def __init__(self, index: int = 0) -> None:
        super().__init__(f"gpu:{index}")
        self.index = index

    def put(self, array: Any) -> Any:
        """A copy of the array on this device; an error where there is no such device."""
        count = device_count()
        if self.index >= count:
            raise InvalidArgument(
                f"No available device found: there is no {self._text}.",
                expected="a CUDA device that CuPy can use" if not count else f"0 to {count - 1}",
                received=f"{self._text}; the devices found are cpu"
                + "".join(f", gpu:{i}" for i in range(count)),
                fix="use paddle.CPUPlace(); for a GPU install minipaddle[cuda12] or [cuda13]",
            )
        cupy = sys.modules[__name__].cupy
        with cupy.cuda.Device(self.index):
            return cupy.asarray(array)


def place_of(array: Any) -> Place:
    """The device that holds this array."""
    if isinstance(array, np.ndarray):
        return CPUPlace()
    return CUDAPlace(getattr(getattr(array, "device", None), "id", 0))


# ----- which devices there are --------------------------------------------------------------------


@functools.cache
def device_count() -> int:
    """How many CUDA devices CuPy can use; 0 without CuPy or without a driver.

    >>> device_count() >= 0
    True
    """
    if importlib.util.find_spec("cupy") is None:
        return 0
    cupy = sys.modules[__name__].cupy
    try:
        return int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:  # no driver, or none that works
        return 0


def is_compiled_with_cuda() -> bool:
    """Whether a CUDA device can be used here.

    >>> is_compiled_with_cuda() == (device_count() > 0)
    True
    """
    return device_count() > 0


def place_named(device: Any) -> Place:
    """The place that `cpu`, `gpu`, `gpu:1` or a place means.

    >>> place_named("cpu")
    Place(cpu)
    """
    if isinstance(device, Place):
        return device
    kind, _, index = str(device).partition(":")
    if kind == "cpu":
        return CPUPlace()
    if kind not in ("gpu", "cuda") or not (index or "0").isdigit():
        raise InvalidArgument(
            f"The device must be a string which is like 'cpu', 'gpu' or 'gpu:x', not {device!r}.",
            expected="'cpu', 'gpu', 'gpu:0', ...",
            received=repr(device),
            fix="write paddle.set_device('cpu')",
        )
    if not is_compiled_with_cuda():
        raise InvalidArgument(
            "The device should not be 'gpu', since no CUDA device can be used here.",
            expected="'cpu'",
            received=repr(device),
            fix="use 'cpu'; for a GPU install minipaddle[cuda12] or minipaddle[cuda13]",
        )
    return CUDAPlace(int(index or 0))


_current: Place = CPUPlace()


def set_device(device: Any) -> Place:
    """Make new tensors on this device: `cpu`, `gpu` or `gpu:1`.

    InvalidArgument (ValueError) for a device that is not here. Source: Paddle's
    `paddle.set_device`.

    >>> set_device("cpu")
    Place(cpu)
    """
    global _current
    _current = place_named(device)
    return _current


def get_device() -> str:
    """The device on which new tensors are made.

    >>> get_device()
    'cpu'
    """
    return repr(_current)[len("Place(") : -1]


def current_place() -> Place:
    """The same as a place."""
    return _current
