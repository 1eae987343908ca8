"""Profiler: it listens as its schedule says, and exports and prints its recordings."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from time import perf_counter_ns
from typing import Any, TypeVar
from warnings import warn
from weakref import finalize

from .. import events
from ..engine import files
from ..engine.errors import CheckFailed, InvalidArgument, PreconditionNotMet, Unimplemented
from ..engine.guard import Guard
from ..engine.source_line import stacklevel
from ..errors import misfit, require
from . import tables
from .tables import ProfilerState, ProfilerTarget, SortedKeys, SummaryView, make_scheduler
from .timing import Span, Timing

F = TypeVar("F", bound=Callable[..., Any])
RECORDING = (ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN)
IMPROPER = {  # changes of state that lose a recording -> Paddle's words
    (ProfilerState.READY, ProfilerState.CLOSED): "start and stop without saving data",
    (ProfilerState.RECORD, ProfilerState.CLOSED): "not saving data",
    (ProfilerState.RECORD, ProfilerState.READY): "stop and re-prepare",
}
FORMAT = "minipaddle-times"

_timings: list[Timing] = []  # listeners of the profilers that record now, for RecordEvents


class RecordEvent(Guard):
    """Named part of a program, as a block, as a decorator, or from begin() to end().

    It is measured only while a Profiler records.

    Source: https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/RecordEvent_en.html

    >>> prof = paddle.profiler.Profiler(on_trace_ready=lambda _: None)
    >>> with prof, paddle.profiler.RecordEvent("twice"):
    ...     x = paddle.ones([2]) * 2.0
    >>> [span.name for span in prof.profiler_result if span.kind == "PythonUserDefined"]
    ['twice']
    """

    def __init__(self, name: str, event_type: Any = "PythonUserDefined") -> None:
        super().__init__()
        self.name, self.event_type = name, event_type
        self._began: int | None = None

    def _change(self, _saved: Any) -> RecordEvent:
        self.begin()
        return self

    def _restore(self, _saved: Any, _error: BaseException | None) -> None:
        self.end()

    def __call__(self, function: F) -> F:
        @wraps(function)
        def measured(*args: Any, **kwargs: Any) -> Any:
            with RecordEvent(self.name, self.event_type):
                return function(*args, **kwargs)

        return measured  # type: ignore[return-value]

    def begin(self) -> None:
        """Begin to measure, if a Profiler records now."""
        self._began = perf_counter_ns() if _timings else None

    def end(self) -> None:
        """End to measure; before `begin` do nothing."""
        began, self._began = self._began, None
        if began is not None and _timings:
            now = perf_counter_ns()
            _timings[-1].spans.append(Span(str(self.event_type), self.name, began, now - began))


def export_chrome_tracing(
    dir_name: str | os.PathLike[str], worker_name: str | None = None
) -> Callable[[Profiler], None]:
    """Return an `on_trace_ready` that writes each recording into a folder, for chrome://tracing.

    Errors: OSError if the folder cannot be made.
    Source: https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/export_chrome_tracing_en.html

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with paddle.profiler.Profiler(
    ...         on_trace_ready=paddle.profiler.export_chrome_tracing(folder, "me")
    ...     ):
    ...         x = paddle.ones([2])
    ...     [name.partition("_")[0] for name in os.listdir(folder)]
    ['me']
    """
    folder = Path(dir_name)
    folder.mkdir(parents=True, exist_ok=True)
    import socket  # takes long, and few export

    worker = worker_name or f"host_{socket.gethostname()}pid_{os.getpid()}"

    def write(profiler: Profiler) -> None:
        moment = dt.datetime.now().strftime("%Y_%m_%d_%H_%M_%S_%f")
        profiler.export(str(folder / f"{worker}_time_{moment}.paddle_trace.json"))

    return write


class Profiler(Guard):
    """Profiler of the time of every op, its gradient and your own RecordEvents.

    `scheduler` is a function of the step's number (make_scheduler), a pair (first, end), or None
    for all steps; call `step()` at the end of each. `on_trace_ready` is called with the profiler
    when a recording is complete, by default export_chrome_tracing("./profiler_log/"). With
    `timer_only` only steps are timed (`step_info`). Only the CPU is measured; record_shapes adds
    shapes to the file, with_flops prints the sum of FLOPs when a recording ends.

    Errors: AssertionError for a scheduler of another type; NotImplementedError for options of
    GPUs.
    Source: https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/profiler/Profiler_en.html

    >>> with paddle.profiler.Profiler(on_trace_ready=lambda _: None) as prof:
    ...     x = paddle.ones([2, 3]) @ paddle.ones([3, 4])
    >>> [(span.name, span.flops) for span in prof.profiler_result if span.kind == "Operator"]
    [('full', 0), ('full', 0), ('matmul', 48)]
    """

    def __init__(
        self,
        *,
        targets: Iterable[ProfilerTarget] | None = None,
        scheduler: Callable[[int], ProfilerState] | Sequence[int] | None = None,
        on_trace_ready: Callable[[Profiler], None] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        timer_only: bool = False,
        emit_nvtx: bool = False,
        custom_device_types: Sequence[str] = (),
        with_flops: bool = False,
    ) -> None:
        super().__init__()
        for target in targets or ():
            if target is not ProfilerTarget.CPU:
                warn(
                    f"Profiling {target} is not supported in current context.",
                    stacklevel=stacklevel(),
                )
        lacking: dict[str, Any] = {"profile_memory": profile_memory, "emit_nvtx": emit_nvtx}
        lacking["custom_device_types"] = custom_device_types
        for name, value in lacking.items():
            require(not value, "Profiler", f"{name} left out", Unimplemented, **{name: value})
        self.scheduler = _scheduler_of(scheduler)
        self.on_trace_ready = on_trace_ready or export_chrome_tracing("./profiler_log/")
        self.record_shapes, self.with_flops = record_shapes, with_flops
        self.timer_only = timer_only
        self.step_num = 0
        self.previous_state = ProfilerState.CLOSED
        self.current_state = self.scheduler(0)
        self.profiler_result: tuple[Span, ...] | None = None
        self._timing: Timing | None = None
        self._stop_listening: Callable[..., None] | None = None
        self._step_began = perf_counter_ns()
        self._running = False
        self._timed: list[tuple[int, int | None]] = []  # nanoseconds, samples of each step

    def _change(self, _saved: Any) -> Profiler:
        self.start()
        return self

    def _restore(self, _saved: Any, _error: BaseException | None) -> None:
        self.stop()

    def start(self) -> None:
        """Start, or continue with the current step after `stop()`."""
        self._running = True
        self._step_began = perf_counter_ns()
        if not self.timer_only:
            self._start_listening()

    def step(self, num_samples: int | None = None) -> None:
        """End a step, which had `num_samples` samples, and begin the next."""
        now = perf_counter_ns()
        self._timed.append((now - self._step_began, num_samples))
        if self._running and not self.timer_only:
            self._mark_step(now)
            self.previous_state = self.current_state
            self.step_num += 1
            self.current_state = self.scheduler(self.step_num)
            self._change_state()
        self._step_began = perf_counter_ns()

    def _change_state(self) -> None:
        before, now = self.previous_state, self.current_state
        if before is ProfilerState.RECORD_AND_RETURN:
            self._hand_over()
        elif (before, now) in IMPROPER:
            words = f"Improper schedule: {before.name}->{now.name}, profiler will "
            warn(words + IMPROPER[before, now], stacklevel=stacklevel())
            self._end_recording()
        self._start_listening()

    def stop(self) -> None:
        """End the recording, which is then complete; do nothing if the profiler is not running."""
        if not self._running:
            return
        self._running = False
        if self._timing is not None:
            self._mark_step(perf_counter_ns())
            self._hand_over()

    def _start_listening(self) -> None:
        """Start to listen, if the state of the step says so."""
        if self.current_state not in RECORDING or self._timing is not None:
            return
        self._timing = Timing()
        listening = events.listen(self._timing)
        # Listening also stops when this profiler is freed.
        self._stop_listening = finalize(self, listening.__exit__, None, None)
        listening.__enter__()
        _timings.append(self._timing)

    def _end_recording(self) -> tuple[Span, ...]:
        """Stop to listen, and return the recorded spans in the order of their starts."""
        timing, stop = self._timing, self._stop_listening
        self._timing = self._stop_listening = None
        if timing is None or stop is None:
            return ()
        if timing in _timings:
            _timings.remove(timing)
        stop()
        return tuple(sorted(timing.spans, key=lambda span: span.start))

    def _mark_step(self, now: int) -> None:
        if self._timing is not None:
            name, began = f"ProfileStep#{self.step_num}", self._step_began
            self._timing.spans.append(Span("ProfileStep", name, began, now - began))

    def _hand_over(self) -> None:
        self.profiler_result = self._end_recording()
        if self.with_flops:
            total = sum(span.flops for span in self.profiler_result)
            print(f"Total FLOPs: {total}")
        self.on_trace_ready(self)

    # ----- what comes of it ----------------------------------------------------------------------

    def step_info(self, unit: str | None = None) -> str:
        """Return the mean time of the steps since the last call, and the samples per second."""
        timed, self._timed = self._timed, []
        if not timed:
            return ""
        seconds = sum(each for each, _ in timed) / 1e9
        samples = [count for _, count in timed if count is not None]
        speed = (sum(samples) or len(timed)) / max(seconds, 1e-9)
        of = f"{unit or 'samples'}/s" if samples else "steps/s"
        return f" batch_cost: {seconds / len(timed):.5f} s ips: {speed:.3f} {of}"

    def export(self, path: str = "", format: str = "json") -> None:
        """Write the recording for chrome://tracing; load_profiler_result reads it again.

        Errors: NotImplementedError for another format; RuntimeError if nothing was recorded;
        ValueError without a path; OSError if the file cannot be written.
        """
        require(format == "json", "Profiler.export", "format='json'", Unimplemented, format=format)
        spans = self._require_recording("export")
        if not path:
            fix = 'prof.export("times.json")'
            raise misfit("Profiler.export", "the path of a file", InvalidArgument, fix, path=path)
        begin = min((span.start for span in spans), default=0)
        rows = [_as_chrome(span, begin, self.record_shapes) for span in spans]
        content = {"displayTimeUnit": "ms", "format": FORMAT, "traceEvents": rows}
        files.write({path: json.dumps(content, indent=0).encode()})

    def summary(
        self,
        sorted_by: SortedKeys = SortedKeys.CPUTotal,
        op_detail: bool = True,
        thread_sep: bool = False,
        time_unit: str = "ms",
        views: SummaryView | Sequence[SummaryView] | None = None,
    ) -> None:
        """Print tables of the recording: an overview, ops, your own events.

        Errors: ValueError for a unit other than s, ms, us, ns; NotImplementedError for tables of
        GPUs; RuntimeError if nothing was recorded.
        """
        if thread_sep:
            raise misfit("Profiler.summary", "one table", Unimplemented, thread_sep=thread_sep)
        chosen = [views] if isinstance(views, SummaryView) else views
        print(
            tables.summary(
                self._require_recording("summary"), sorted_by, op_detail, time_unit, chosen
            )
        )

    def _require_recording(self, asked: str) -> tuple[Span, ...]:
        if self.profiler_result is None:
            what, expected = f"Profiler.{asked}: nothing was recorded yet.", "an ended recording"
            received = f"step {self.step_num}, in the state {self.current_state.name}"
            fix = "call it after the `with` block, or in on_trace_ready"
            raise PreconditionNotMet(what, expected=expected, received=received, fix=fix)
        return self.profiler_result


def _scheduler_of(scheduler: Any) -> Callable[[int], ProfilerState]:
    """Return the scheduler as a function of the step's number."""
    if scheduler is None:
        return lambda _step: ProfilerState.RECORD
    if callable(scheduler):
        return scheduler
    pair = list(scheduler) if isinstance(scheduler, (tuple, list)) else []
    if len(pair) != 2 or not pair[1] > max(pair[0], 0):
        expected = "a function of the step's number, or (first step, step after the last)"
        fix = "write scheduler=(2, 5) for steps 2, 3 and 4"
        raise misfit("Profiler", expected, CheckFailed, fix, scheduler=scheduler)
    first, end = max(pair[0], 0), pair[1]
    ready = min(first, 1)
    return make_scheduler(closed=first - ready, ready=ready, record=end - first, repeat=1)


# ----- files -------------------------------------------------------------------------------------


def _as_chrome(span: Span, begin: int, shapes: bool) -> dict[str, Any]:
    """Return a span as an event of Chrome's format, with times in microseconds."""
    counts: dict[str, Any] = {"number": span.number, "flops": span.flops}
    counts |= {"parameters": span.parameters, "bytes": span.nbytes}
    if shapes:
        counts["input_shapes"] = [list(shape) for shape in span.shapes]
    return {
        "name": span.name,
        "cat": span.kind,
        "ph": "X",
        "ts": (span.start - begin) / 1000,
        "dur": span.nanoseconds / 1000,
        "pid": 0,
        "tid": 0,
        "args": counts,
    }


def load_profiler_result(filename: str | os.PathLike[str]) -> tuple[Span, ...]:
    """Read the spans of a file that `Profiler.export` wrote.

    Errors: OSError for a missing file; ValueError for a file of another format.

    >>> import tempfile
    >>> prof = paddle.profiler.Profiler(on_trace_ready=lambda _: None)
    >>> with prof:
    ...     x = paddle.ones([2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     prof.export(f"{folder}/times.json")
    ...     [span.name for span in paddle.profiler.load_profiler_result(f"{folder}/times.json")]
    ['ProfileStep#0', 'full']
    """
    content = Path(filename).read_text(encoding="utf-8")
    try:
        loaded = json.loads(content)
        if loaded["format"] != FORMAT:
            raise ValueError(loaded["format"])
        return tuple(_from_chrome(row) for row in loaded["traceEvents"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"load_profiler_result: {filename} holds no times."
        expected, received = "a file that Profiler.export wrote", f"{type(error).__name__}: {error}"
        fix = 'write one: prof.export("times.json")'
        raise InvalidArgument(what, expected=expected, received=received, fix=fix) from None


def _from_chrome(row: dict[str, Any]) -> Span:
    args = row["args"]
    start, nanoseconds = (round(float(row[name]) * 1000) for name in ("ts", "dur"))
    span = Span(str(row["cat"]), str(row["name"]), start, nanoseconds, int(args["number"]))
    span.flops, span.parameters = int(args["flops"]), int(args["parameters"])
    span.nbytes = int(args["bytes"])
    span.shapes = tuple(tuple(map(int, shape)) for shape in args.get("input_shapes", ()))
    return span
