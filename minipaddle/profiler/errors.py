"""Errors of the profiler: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    MinipaddleError,
    PreconditionNotMet,
    Unimplemented,
)
from ..errors import unknown_choice


def option_not_here(function: str, option: str, value: object) -> Unimplemented:
    return Unimplemented(
        f"{function}: {option} is not here yet; Paddle 3.3.1 has it.",
        expected=f"the default of {option}",
        received=f"{option}={value!r}",
        fix=f"leave {option} out",
    )


def no_path(path: object) -> InvalidArgument:
    return InvalidArgument(
        "Profiler.export: there is no file to write.",
        expected="the path of a file",
        received=f"path={path!r}",
        fix='write prof.export("times.json")',
    )


def nothing_recorded(method: str, step: int, state: str) -> PreconditionNotMet:
    return PreconditionNotMet(
        f"Profiler.{method}: nothing was recorded yet.",
        expected="a recording that has ended",
        received=f"step {step}, in the state {state}",
        fix="call it after the `with` block, or in on_trace_ready",
    )


def not_a_scheduler(scheduler: object) -> CheckFailed:
    return CheckFailed(
        "Profiler: this scheduler is none.",
        expected="a function of the step's number, or (first step, step after the last)",
        received=f"scheduler={scheduler!r}",
        fix="write scheduler=(2, 5) for steps 2, 3 and 4",
    )


def no_schedule(numbers: Mapping[str, int]) -> CheckFailed:
    return CheckFailed(
        "make_scheduler: these steps make no schedule.",
        expected="numbers of at least 0, and record of at least 1",
        received=", ".join(f"{name}={number}" for name, number in numbers.items()),
        fix="write make_scheduler(closed=1, ready=1, record=4)",
    )


def no_times_in_file(path: str | PathLike[str], error: Exception) -> InvalidArgument:
    return InvalidArgument(
        f"load_profiler_result: {path} holds no times.",
        expected="a file that Profiler.export wrote here",
        received=f"{type(error).__name__}: {error}",
        fix='write one with prof.export("times.json")',
    )


def unknown_unit(unit: str, units: Iterable[str]) -> MinipaddleError:
    what = f"Profiler.summary: there is no unit {unit!r}."
    return unknown_choice(what, unit, units, "write time_unit='us'")


def only_cpu_measured(
    known: Iterable[str], views: Iterable[object], sorted_by: object
) -> Unimplemented:
    return Unimplemented(
        "Profiler.summary: only the CPU's calls are measured here.",
        expected=f"views {', '.join(known)}; a key of the CPU",
        received=f"views={[str(view) for view in views]}, sorted_by={sorted_by}",
        fix="leave views and sorted_by out",
    )
