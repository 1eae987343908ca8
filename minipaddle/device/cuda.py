"""CUDA devices and how much of their memory is used: `paddle.device.cuda`.

InvalidArgument (ValueError) where no CUDA device can be used. CuPy runs everything in order on one
stream, so there are no streams here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..paddle_names import absent
from .arrays import device_count, gpu
from .place import CUDAPlace, Place, current_place, place_named

__all__ = [
    "device_count", "empty_cache", "get_device_capability", "get_device_name",
    "get_device_properties", "memory_allocated", "memory_reserved", "synchronize",
]  # fmt: skip


class Properties(NamedTuple):
    """The result of `get_device_properties`."""

    name: str
    major: int
    minor: int
    total_memory: int
    multi_processor_count: int


def synchronize(device: Any = None) -> None:
    """Wait until a CUDA device has done everything that was asked of it.

    Errors: ValueError if there is no such device.
    Source: Paddle's `paddle.device.cuda.synchronize`.

    >>> import minipaddle as paddle
    >>> if paddle.device.cuda.device_count():
    ...     paddle.device.cuda.synchronize()
    """
    _cupy_device(device).synchronize()


def empty_cache() -> None:
    """Give the memory that is reserved for new tensors back to the device.

    Errors: none.
    Source: Paddle's `paddle.device.empty_cache`.

    >>> empty_cache()
    """
    if device_count():
        gpu().get_default_memory_pool().free_all_blocks()


def memory_allocated(device: Any = None) -> int:
    """Return the bytes that tensors on a CUDA device hold now.

    Errors: ValueError if there is no such device.
    Source: Paddle's `paddle.device.cuda.memory_allocated`.

    >>> import minipaddle as paddle
    >>> not paddle.device.cuda.device_count() or paddle.device.cuda.memory_allocated() >= 0
    True
    """
    with _cupy_device(device):
        return int(gpu().get_default_memory_pool().used_bytes())


def memory_reserved(device: Any = None) -> int:
    """Return the bytes of a CUDA device that are held for tensors, used or not.

    Errors: ValueError if there is no such device.
    Source: Paddle's `paddle.device.cuda.memory_reserved`.

    >>> import minipaddle as paddle
    >>> not paddle.device.cuda.device_count() or paddle.device.cuda.memory_reserved() >= 0
    True
    """
    with _cupy_device(device):
        return int(gpu().get_default_memory_pool().total_bytes())


def get_device_properties(device: Any = None) -> Properties:
    """Return name, compute capability, memory and processors of a CUDA device.

    Errors: ValueError if there is no such device.
    Source: Paddle's `paddle.device.get_device_properties`.

    >>> import minipaddle as paddle
    >>> if paddle.device.cuda.device_count():
    ...     assert paddle.device.cuda.get_device_properties().total_memory > 0
    """
    number = _cupy_device(device).id
    properties = gpu().cuda.runtime.getDeviceProperties(number)
    return Properties(
        properties["name"].decode(),
        properties["major"],
        properties["minor"],
        properties["totalGlobalMem"],
        properties["multiProcessorCount"],
    )


def get_device_name(device: Any = None) -> str:
    """Return the name of a CUDA device.

    Errors: ValueError if there is no such device.
    Source: Paddle's `paddle.device.get_device_name`.

    >>> import minipaddle as paddle
    >>> if paddle.device.cuda.device_count():
    ...     print(paddle.device.cuda.get_device_name())  # doctest: +SKIP
    """
    return get_device_properties(device).name


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Return the compute capability of a CUDA device, major and minor.

    Errors: ValueError if there is no such device.
    Source: Paddle's `paddle.device.get_device_capability`.

    >>> import minipaddle as paddle
    >>> if paddle.device.cuda.device_count():
    ...     assert paddle.device.cuda.get_device_capability() >= (5, 0)
    """
    return get_device_properties(device)[1:3]


def _cupy_device(device: Any) -> Any:
    """Return CuPy's Device; for None the current one, or the first if that is the host."""
    place: Place = current_place() if device is None else place_named(device)
    if not isinstance(place, CUDAPlace):
        place = CUDAPlace(0)
    place.namespace()
    return gpu().cuda.Device(place.index)


__getattr__ = absent.names(__name__)
