"""Pretend GPU: devices on a machine without any, with a list of all copies."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..device import Place, current_place, set_device
from ..device.arrays import loaded_cupy, use_cupy
from ..engine import source_line
from ..engine.guard import Guard
from . import errors
from .stand_in import StandIn

MOST = 1000  # largest number of devices


class Copy(NamedTuple):
    """Copy between the memories of two devices: its target, its bytes, the user's line.

    Source: minipaddle's own. Errors: TypeError for fewer than three arguments.

    >>> from minipaddle.testing import Copy
    >>> print(Copy("gpu:0", 12, "train.py:7"))
    to gpu:0, 12 B, train.py:7
    """

    to: str
    nbytes: int
    line: str

    def __str__(self) -> str:
        return f"to {self.to}, {self.nbytes} B, {self.line}"


class pretend_gpu(Guard):
    """Block in which minipaddle finds `count` CUDA devices, which the host simulates.

    They compute as the host does, under CuPy's rules: arrays of two devices do not mix. The times
    are those of the host. The list `copies` has each copy from one memory to another, in order,
    with the user's line. Tensors on the devices cannot be used after the block.

    Errors: ValueError for a count that is no integer of at least 1.
    Source: minipaddle's own.

    >>> import minipaddle as paddle
    >>> from minipaddle.testing import pretend_gpu
    >>> with pretend_gpu() as gpu:
    ...     x = paddle.ones([3]).cuda()
    ...     total = float(x.sum())
    >>> [(copy.to, copy.nbytes) for copy in gpu.copies]
    [('gpu:0', 12), ('cpu', 4)]
    """

    def __init__(self, count: int = 1) -> None:
        super().__init__()
        if not isinstance(count, int) or not 1 <= count <= MOST:
            raise errors.no_number_of_devices(count)
        self.copies: list[Copy] = []
        self._module = StandIn(count, self._note_copy)

    def _note_copy(self, to: str, nbytes: int) -> None:
        self.copies.append(Copy(to, nbytes, str(source_line.here() or "")))

    def _save(self) -> tuple[Any, Place]:
        return loaded_cupy(), current_place()

    def _change(self, _saved: tuple[Any, Place]) -> pretend_gpu:
        self._module.current = 0
        use_cupy(self._module)
        return self

    def _restore(self, saved: tuple[Any, Place], _error: BaseException | None) -> None:
        module, place = saved
        use_cupy(module)
        set_device(place)
