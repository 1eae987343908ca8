"""States and schedules of a profiler, and the names of its tables and sort keys."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from warnings import warn

from ..engine.errors import CheckFailed
from ..engine.source_line import stacklevel
from ..errors import misfit


class ProfilerState(Enum):
    """State of a profiler in a step; after RECORD_AND_RETURN it hands over its recording."""

    CLOSED, READY, RECORD, RECORD_AND_RETURN = range(4)


class ProfilerTarget(Enum):
    """Device to measure; only the time of the CPU's calls is measured here."""

    CPU, GPU, XPU, CUSTOM_DEVICE = range(4)


class SortedKeys(Enum):
    """Sort key of a table's rows."""

    CPUTotal, CPUAvg, CPUMax, CPUMin, GPUTotal, GPUAvg, GPUMax, GPUMin = range(8)


class SummaryView(Enum):
    """Table of a summary."""

    (
        DeviceView, OverView, ModelView, DistributedView, KernelView,
        OperatorView, MemoryView, MemoryManipulationView, UDFView,
    ) = range(9)  # fmt: skip


def make_scheduler(
    *, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0
) -> Callable[[int], ProfilerState]:
    """Return a function of the step's number: skip, then closed, ready and record, repeated.

    `repeat` is how often at most, 0 without end; the last step of `record` hands over.

    Errors: AssertionError for a negative number of steps, or for no step to record.
    Source: https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/make_scheduler_en.html

    >>> states = paddle.profiler.make_scheduler(closed=1, ready=1, record=2, repeat=1)
    >>> [states(step).name for step in range(5)]
    ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']
    """
    numbers = {"closed": closed, "ready": ready, "record": record}
    numbers |= {"repeat": repeat, "skip_first": skip_first}
    if min(numbers.values()) < 0 or record == 0:
        expected = "numbers of at least 0, and record of at least 1"
        raise misfit("make_scheduler", expected, CheckFailed, **numbers)
    if ready == 0:
        warn(
            "Profiler will record data after enabling profiler immediately, some data collected at "
            "the beginning of profiling may be 'noisy' because of overhead.",
            stacklevel=stacklevel(),
        )

    def state(step: int) -> ProfilerState:
        turn, at = divmod(step - skip_first, closed + ready + record)
        if step < skip_first or 0 < repeat <= turn or at < closed:
            return ProfilerState.CLOSED
        if at < closed + ready:
            return ProfilerState.READY
        last = at == closed + ready + record - 1
        return ProfilerState.RECORD_AND_RETURN if last else ProfilerState.RECORD

    return state
