"""Tables of a profiler's recording, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from warnings import warn

from ..engine.errors import CheckFailed, Unimplemented
from ..engine.source_line import stacklevel
from ..errors import misfit
from ..ops.errors import require_choice
from .timing import Span

# ----- states and schedules ----------------------------------------------------------------------


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
        fix = "make_scheduler(closed=1, ready=1, record=4)"
        raise misfit("make_scheduler", expected, CheckFailed, fix, **numbers)
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


# ----- tables ------------------------------------------------------------------------------------


UNITS = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}
_KEYS: dict[SortedKeys, Callable[[list[int]], float]] = {
    SortedKeys.CPUTotal: lambda times: -sum(times),
    SortedKeys.CPUAvg: lambda times: -sum(times) / len(times),
    SortedKeys.CPUMax: lambda times: -max(times),
    SortedKeys.CPUMin: min,
}
_KINDS = {
    SummaryView.OperatorView: ("Operator Summary", ("Operator", "Backward")),
    SummaryView.UDFView: ("UserDefined Summary", ("PythonUserDefined",)),
}
_VIEWS = (SummaryView.OverView, *_KINDS)


def summary(
    spans: Sequence[Span],
    sorted_by: SortedKeys,
    op_detail: bool,
    time_unit: str,
    views: Sequence[SummaryView] | None,
) -> str:
    """Return the tables of `views`, one below the other; all tables for None."""
    require_choice("Profiler.summary", "time_unit", time_unit, UNITS)
    lacking = [view for view in views or () if view not in _VIEWS]
    if sorted_by not in _KEYS or lacking:
        expected = f"views {', '.join(view.name for view in _VIEWS)}, and a key of the CPU"
        asked = {"views": list(views or ()), "sorted_by": sorted_by}
        raise misfit("Profiler.summary", expected, Unimplemented, "leave both out", **asked)
    tables = []
    for view in _VIEWS if views is None else views:
        if view is SummaryView.OverView:
            tables.append(_overview_table(spans, time_unit))
        elif view is not SummaryView.OperatorView or op_detail:
            title, kinds = _KINDS[view]
            chosen = [span for span in spans if span.kind in kinds]
            if chosen:
                tables.append(_spans_table(title, chosen, sorted_by, time_unit, spans))
    return "\n\n".join(tables)


def _overview_table(spans: Sequence[Span], unit: str) -> str:
    kinds = list(dict.fromkeys(span.kind for span in spans))
    whole = sum(span.nanoseconds for span in spans if span.kind == "ProfileStep")
    rows = []
    for kind in sorted(kinds, key=lambda kind: -_total_time(spans, kind)):
        time, calls = _total_time(spans, kind), sum(span.kind == kind for span in spans)
        rows.append([kind, str(calls), f"{time / UNITS[unit]:.2f}", _percentage(time, whole)])
    return _format_table(
        "Overview Summary", unit, ["Event Type", "Calls", "CPU Time", "Ratio (%)"], rows
    )


def _total_time(spans: Iterable[Span], kind: str) -> int:
    return sum(span.nanoseconds for span in spans if span.kind == kind)


def _percentage(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}" if whole else "0.00"


def _spans_table(
    title: str, chosen: Sequence[Span], key: SortedKeys, unit: str, spans: Sequence[Span]
) -> str:
    by_name: dict[str, list[Span]] = {}
    for span in chosen:
        by_name.setdefault(span.name, []).append(span)
    times = {name: [span.nanoseconds for span in own] for name, own in by_name.items()}
    whole = sum(map(sum, times.values()))
    if title.startswith("User"):
        whole = _total_time(spans, "ProfileStep")
    rows = []
    for name in sorted(by_name, key=lambda name: _KEYS[key](times[name])):
        own, took = by_name[name], times[name]
        numbers = sum(took), sum(took) / len(took), max(took), min(took)
        clock = " / ".join(f"{number / UNITS[unit]:.2f}" for number in numbers)
        counts = (sum(s.flops for s in own), max(s.parameters for s in own))
        size = sum(s.nbytes for s in own)
        share = _percentage(sum(took), whole)
        rows.append([name, str(len(own)), f"{clock} / {share}", *map(str, (*counts, size))])
    head = ["Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)", "FLOPs", "Params", "Bytes"]
    return _format_table(title, unit, head, rows)


def _format_table(title: str, unit: str, head: list[str], rows: list[list[str]]) -> str:
    wide = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    rule = "  ".join("-" * each for each in wide)

    def line(row: list[str]) -> str:
        return "  ".join(text.ljust(each) for text, each in zip(row, wide, strict=True)).rstrip()

    body = [rule, line(head), rule, *map(line, rows), rule]
    return "\n".join([title.center(len(rule), "-"), f"Time unit: {unit}", *body])
