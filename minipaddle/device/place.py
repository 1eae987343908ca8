"""Places: the devices that tensors live on, and the one on which new tensors are made."""

from __future__ import annotations

import functools
import os
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..engine.errors import InvalidType, PermissionDenied
from ..engine.guard import Guard, override_variable
from ..engine.install_advice import for_a_gpu
from ..errors import misfit
from ..messages import Message
from . import errors
from .arrays import device_count, gpu, to_numpy


class Place:
    """A device; prints as Paddle's places do.

    Errors: none.
    Source: minipaddle's own.

    >>> paddle.CPUPlace().is_cpu_place(), isinstance(paddle.CPUPlace(), paddle.device.Place)
    (True, True)
    """

    kind = "cpu"
    index = 0

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"Place({self._text})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    @property
    def text(self) -> str:
        """The device as `set_device` takes it."""
        return self._text

    def is_cpu_place(self) -> bool:
        """Return whether this is the host's memory."""
        return self.kind == "cpu"

    def is_gpu_place(self) -> bool:
        """Return whether this is a CUDA device."""
        return self.kind == "gpu"

    def gpu_device_id(self) -> int:
        """Return the number of the CUDA device; 0 for the host."""
        return self.index

    def namespace(self) -> Any:
        """Return the module that makes arrays here."""
        return np

    def put(self, array: Any) -> Any:
        """Return the array in this device's memory, itself if it is there already."""
        return to_numpy(array)


class CPUPlace(Place):
    """The host's memory.

    Errors: none.
    Source: Paddle's `paddle.CPUPlace`.

    >>> CPUPlace()
    Place(cpu)
    """

    def __init__(self) -> None:
        super().__init__("cpu")


class CUDAPlace(Place):
    """A CUDA device by its number.

    Errors: ValueError when something is put there and no such device is found.
    Source: Paddle's `paddle.CUDAPlace`.

    >>> CUDAPlace(0)
    Place(gpu:0)
    """

    kind = "gpu"

    def __init__(self, index: int = 0) -> None:
        if not isinstance(index, int):
            raise misfit("CUDAPlace", "an int", InvalidType, "write CUDAPlace(0)", index=index)
        super().__init__(f"gpu:{index}")
        self.index = index

    def namespace(self) -> Any:
        """Return CuPy with this as its current device; raise an error if it does not exist."""
        count = device_count()
        if not 0 <= self.index < count:
            raise errors.no_such_gpu(self._text, count, for_a_gpu())
        gpu().cuda.Device(self.index).use()
        return gpu()

    def put(self, array: Any) -> Any:
        return self.namespace().asarray(array)


CPU = CPUPlace()


class CUDAPinnedPlace(Place):
    """Host memory that a GPU reads directly, which is not here.

    Errors: RuntimeError (PermissionDenied), as in Paddle without CUDA.
    Source: Paddle's `paddle.CUDAPinnedPlace`.

    >>> isinstance(paddle.CPUPlace(), paddle.CUDAPinnedPlace)
    False
    """

    def __init__(self) -> None:
        fix = Message("write paddle.CPUPlace(): ops copy to a GPU themselves")
        raise misfit(
            "CUDAPinnedPlace", "CPUPlace or CUDAPlace", PermissionDenied, fix, place="pinned"
        )


def place_of(array: Any) -> Place:
    """Return the device that holds this array.

    Errors: AttributeError for anything but an array.
    Source: minipaddle's own.

    >>> paddle.device.place_of(np.ones(2))
    Place(cpu)
    """
    return CPU if isinstance(array, np.ndarray) else CUDAPlace(int(array.device.id))


def beside(array: Any, other: Any) -> Any:
    """Return the array on the device of another one; itself if it is there already.

    Errors: none.
    Source: minipaddle's own.

    >>> paddle.device.beside(np.ones(2), np.zeros(3)).tolist()
    [1.0, 1.0]
    """
    if other.__class__ is array.__class__ is np.ndarray:
        return array
    return place_of(other).put(array)


def place_named(device: Any) -> Place:
    """Return the place of `cpu`, `gpu`, `gpu:1`, the number of a CUDA device or a place.

    Errors: ValueError for a device that has no such name.
    Source: minipaddle's own.

    >>> place_named("cpu")
    Place(cpu)
    """
    if isinstance(device, Place):
        return device
    if isinstance(device, int) and device_count():
        device = f"gpu:{device}"
    kind, _, index = str(device).partition(":")
    if device in ("cpu", 0):
        return CPUPlace()
    if kind not in ("gpu", "cuda") or not (index or "0").isdigit():
        raise errors.no_place(device)
    if not device_count():
        raise errors.no_gpu(device, for_a_gpu())
    return CUDAPlace(int(index or 0))


# ----- the place of new tensors -------------------------------------------------------------------

_default_place: Place = CPU
_guard_place: ContextVar[Place | None] = ContextVar("minipaddle_place", default=None)


def set_device(device: Any) -> Place:
    """Make new tensors on this device: `cpu`, `gpu` or `gpu:1`; None leaves it as it is.

    InvalidArgument (ValueError) for a device that is not here. Source: Paddle's
    `paddle.set_device`.

    >>> set_device("cpu")
    Place(cpu)
    """
    global _default_place
    place = current_place() if device is None else place_named(device)
    place.namespace()  # raises an error if the device does not exist
    if _guard_place.get() is None:
        _default_place = place
    else:
        _guard_place.set(place)
    return place


def get_device(input: Any = None) -> str | int:
    """Return the device of new tensors; for a Tensor its number, -1 for the host.

    Errors: none.
    Source: Paddle's `paddle.get_device`.

    >>> get_device()
    'cpu'
    """
    if input is None:
        return current_place().text
    place = place_of(input._data)
    return place.index if isinstance(place, CUDAPlace) else -1


def current_place() -> Place:
    """Return the place on which new tensors are made.

    Errors: none.
    Source: minipaddle's own.

    >>> with paddle.device.device_guard("cpu"):
    ...     paddle.device.current_place()
    Place(cpu)
    """
    return _guard_place.get() or _default_place


def device_guard(device: Any) -> Guard:
    """Make new tensors on this device inside the block.

    Errors: ValueError for a device that has no such name.
    Source: Paddle's `paddle.device_guard`.

    >>> import minipaddle as paddle
    >>> with paddle.device.device_guard("cpu"):
    ...     paddle.ones([1]).place
    Place(cpu)
    """
    place = place_named(device)
    place.namespace()
    return override_variable(_guard_place, place)


# ----- memory of the host ------------------------------------------------------------------------


LARGEST = 31 * 2**20  # bytes: with its header just below 32 MiB


CONTAINER = "/sys/fs/cgroup/memory.max"  # memory limit of a Linux container


@functools.cache
def most_bytes() -> int:
    """Return the memory that this process can use, in bytes: the machine's or the container's."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not available on Windows
        most = 2**40
    try:
        with open(CONTAINER, encoding="ascii") as file:  # noqa: PTH123 (pathlib is slow to load)
            return min(most, int(file.read()))
    except (OSError, ValueError):  # no container, or the limit is "max"
        return most


def show_a_large_block() -> None:
    """Make and free one large array without touching its pages.

    The C library does not adapt if the environment sets its limits (MALLOC_TRIM_THRESHOLD_ and the
    like); then those hold.
    """
    np.empty(LARGEST, np.uint8)
