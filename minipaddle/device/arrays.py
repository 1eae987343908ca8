"""The module that computes on an array: NumPy, or CuPy for an array on a CUDA device.

CuPy is loaded when a CUDA device is first asked for. Every kernel gets its namespace here, so here
CuPy's current device is set to that of the arrays.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib.machinery import PathFinder
from typing import Any

import numpy as np

from . import errors

HOST = (np.ndarray, np.generic)


_cupy: Any = None


def gpu() -> Any:
    """Return CuPy, loading it on the first call."""
    global _cupy
    if _cupy is None:
        import cupy

        _cupy = cupy
    return _cupy


def loaded_cupy() -> Any:
    """Return CuPy if it is loaded, else None."""
    return _cupy


def use_cupy(module: Any) -> None:
    """Use a module as CuPy from now on; None lets `gpu` import it again."""
    global _cupy
    _cupy = module
    device_count.cache_clear()


@functools.cache
def device_count() -> int:
    """Return how many CUDA devices CuPy can use; 0 without CuPy or without a driver.

    Errors: none.
    Source: Paddle's `paddle.device.device_count`.

    >>> device_count() >= 0
    True
    """
    if loaded_cupy() is None and PathFinder.find_spec("cupy") is None:
        return 0
    runtime = gpu().cuda.runtime
    try:
        return int(runtime.getDeviceCount())
    except runtime.CUDARuntimeError:  # no working driver
        return 0


def namespace(array: Any) -> Any:
    """Return the module whose functions compute on this array; its device becomes the current one.

    Errors: TypeError for anything but an array.
    Source: minipaddle's own.

    >>> paddle.device.namespace(np.ones(2)).__name__
    'numpy'
    """
    if isinstance(array, HOST):
        return np
    module = loaded_cupy()
    if module is None or not isinstance(array, module.ndarray):
        if hasattr(array, "__array_namespace__"):  # an array of a recorded run
            return array.__array_namespace__()
        raise errors.no_library(array)
    if array.device.id != module.cuda.runtime.getDevice():
        array.device.use()
    return module


def to_numpy(array: Any) -> np.ndarray[Any, Any]:
    """Return a NumPy array with the same values; a copy only where the array lives on a device.

    Errors: TypeError for anything but an array.
    Source: minipaddle's own.

    >>> paddle.device.to_numpy(np.ones(2)).tolist()
    [1.0, 1.0]
    """
    if isinstance(array, HOST):
        return np.asarray(array)
    return namespace(array).asnumpy(array)


def check_finite(what: str, outs: Iterable[Any]) -> None:
    """Raise an error if an array holds NaN or infinity; `what` names its maker."""
    for out in outs:
        if out.dtype.kind != "f":
            continue
        finite = namespace(out).isfinite(out)
        if not finite.all():
            raise errors.not_finite(what, int((~finite).sum()), out.size)
