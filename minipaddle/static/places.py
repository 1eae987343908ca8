"""Lists of places, as programs for several devices ask for them."""

from __future__ import annotations

import os
from typing import Any

from ..device import CPUPlace, CUDAPlace, device_count
from ..engine.install_advice import for_a_gpu
from . import errors
from .checks import require_type


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """Return the host `device_count` times, by default as often as CPU_NUM says.

    Source: Paddle's `paddle.static.cpu_places`.

    Errors: TypeError for a number that is not an int.

    >>> cpu_places(2)
    [Place(cpu), Place(cpu)]
    """
    require_type(device_count, (int, type(None)), "device_count", "cpu_places")
    count = int(os.environ.get("CPU_NUM", "1")) if device_count is None else device_count
    return [CPUPlace()] * count


def cuda_places(device_ids: Any = None) -> list[CUDAPlace]:
    """Return the CUDA devices of these numbers, by default all.

    CheckFailed (AssertionError) without a usable CUDA device. Source: Paddle's
    `paddle.static.cuda_places`.

    >>> import minipaddle as paddle
    >>> len(cuda_places() if paddle.is_compiled_with_cuda() else []) == paddle.device.device_count()
    True
    """
    if not device_count():
        raise errors.no_cuda(for_a_gpu())
    numbers = range(device_count()) if device_ids is None else device_ids
    return [CUDAPlace(number) for number in ([numbers] if isinstance(numbers, int) else numbers)]
