"""Devices of arrays, and `paddle.device`: the devices that exist, and the current one.

`arrays` finds the module that computes on an array, `place` the device that holds an array, `cuda`
the properties of CUDA devices. CuPy is used only if the device count, not just an import, says
that a usable device exists.

Results stay on the device of their tensors; tensors on two devices raise an error that names both.
An op without tensors computes on the current device. Random numbers are drawn on the host, bit for
bit as Paddle's, then moved. Events carry the engine's own arrays: a listener copies to the host.

Kernels mind four habits of CuPy: a position outside an array wraps around, so check it
(`refuse_outside`); atomic additions exist for some dtypes only, so use `join_at.add_at`; ufuncs
other than add and multiply have no `reduce`, so use methods such as `x.max()`; an index array must
be on the device.
"""

from __future__ import annotations

import importlib
from typing import Any

from ..engine.errors import InvalidType
from ..errors import misfit
from ..paddle_names import absent
from .arrays import device_count, namespace, to_numpy
from .place import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    Place,
    beside,
    current_place,
    device_guard,
    get_device,
    place_named,
    place_of,
    set_device,
    show_a_large_block,
)

__all__ = [
    "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "Place", "beside", "cuda", "current_place",
    "device_count", "device_guard", "empty_cache", "get_all_custom_device_type",
    "get_all_device_type", "get_available_custom_device", "get_available_device",
    "get_cudnn_version", "get_default_device", "get_device", "get_device_capability",
    "get_device_name", "get_device_properties", "is_available", "is_compiled_with_cinn",
    "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_distribute",
    "is_compiled_with_ipu", "is_compiled_with_rocm", "is_compiled_with_xpu", "namespace",
    "place_named", "place_of", "set_default_device", "set_device", "synchronize", "to_numpy",
]  # fmt: skip


_absent_name = absent.names(__name__)
show_a_large_block()


def synchronize(device: Any = None) -> None:
    """Wait until a CUDA device, or the current one, has done everything that was asked of it.

    InvalidType (TypeError) for the host, which never lags behind.

    Source: Paddle's `paddle.device.synchronize`.

    >>> import minipaddle as paddle
    >>> if paddle.get_device() != "cpu":
    ...     paddle.device.synchronize()
    """
    place = current_place() if device is None else place_named(device)
    if place.is_cpu_place():
        fix = "leave it out on the CPU: every op has finished when it returns"
        raise misfit("synchronize", "a GPU, such as 'gpu:0'", InvalidType, fix, device=place)
    place.namespace().cuda.Device(place.index).synchronize()


def set_default_device(device: Any) -> None:
    """Set the device, as `set_device` does.

    Errors: ValueError for a device that has no such name.
    Source: Paddle's `paddle.set_default_device`.

    >>> set_default_device("cpu")
    """
    set_device(device)


def get_default_device() -> str:
    """Return what `get_device` returns.

    Errors: none.
    Source: Paddle's `paddle.get_default_device`.

    >>> get_default_device()
    'cpu'
    """
    return current_place().text


# ----- existing devices ---------------------------------------------------------------------------


def is_available() -> bool:
    """Return whether a CUDA device can be used here.

    Errors: none.
    Source: Paddle's `paddle.device.is_available`.

    >>> is_available() == (device_count() > 0)
    True
    """
    return device_count() > 0


def is_compiled_with_cuda() -> bool:
    """Return whether a CUDA device can be used here.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_cuda`.

    >>> is_compiled_with_cuda() == (device_count() > 0)
    True
    """
    return device_count() > 0


def get_available_device() -> list[str]:
    """Return the devices beside the host.

    Errors: none.
    Source: Paddle's `paddle.device.get_available_device`.

    >>> len(get_available_device()) == device_count()
    True
    """
    return [f"gpu:{index}" for index in range(device_count())]


def get_all_device_type() -> list[str]:
    """Return the kinds of devices beside the host.

    Errors: none.
    Source: Paddle's `paddle.device.get_all_device_type`.

    >>> get_all_device_type() == (["gpu"] if device_count() else [])
    True
    """
    return ["gpu"] if device_count() else []


def get_available_custom_device() -> list[str]:
    """Return the devices of other makers: none are known here.

    Errors: none.
    Source: Paddle's `paddle.device.get_available_custom_device`.

    >>> get_available_custom_device()
    []
    """
    return []


def get_all_custom_device_type() -> list[str]:
    """Return the kinds of devices of other makers: none are known here.

    Errors: none.
    Source: Paddle's `paddle.device.get_all_custom_device_type`.

    >>> get_all_custom_device_type()
    []
    """
    return []


def get_cudnn_version() -> None:
    """Return None: cuDNN is not used.

    Errors: none.
    Source: Paddle's `paddle.get_cudnn_version`.

    >>> get_cudnn_version()
    """


def is_compiled_with_rocm() -> bool:
    """Return False: minipaddle knows CUDA devices only.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_rocm`.

    >>> is_compiled_with_rocm()
    False
    """
    return False


def is_compiled_with_xpu() -> bool:
    """Return False: minipaddle knows CUDA devices only.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_xpu`.

    >>> is_compiled_with_xpu()
    False
    """
    return False


def is_compiled_with_ipu() -> bool:
    """Return False: minipaddle knows CUDA devices only.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_ipu`.

    >>> is_compiled_with_ipu()
    False
    """
    return False


def is_compiled_with_cinn() -> bool:
    """Return False: there is no compiler.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_cinn`.

    >>> is_compiled_with_cinn()
    False
    """
    return False


def is_compiled_with_distribute() -> bool:
    """Return True; see `paddle.distributed`.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_distribute`.

    >>> is_compiled_with_distribute()
    True
    """
    return True


def is_compiled_with_custom_device(device_type: str) -> bool:  # noqa: ARG001  (none is known)
    """Return False: minipaddle knows CUDA devices only.

    Errors: none.
    Source: Paddle's `paddle.is_compiled_with_custom_device`.

    >>> is_compiled_with_custom_device("npu")
    False
    """
    return False


IN_CUDA = (
    "empty_cache",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "memory_allocated",
    "memory_reserved",
)


def __getattr__(name: str) -> Any:
    """Import `paddle.device.cuda` on first use, for itself and for its functions named here too."""
    if name == "cuda" or name in IN_CUDA:
        cuda = importlib.import_module(".cuda", __name__)
        return cuda if name == "cuda" else getattr(cuda, name)
    return _absent_name(name)


def __dir__() -> list[str]:
    return sorted({*globals(), "cuda", *IN_CUDA})
