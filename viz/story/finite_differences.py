"""Check of gradients: slopes by finite differences beside the gradients that backward computed.

A gradient is measured from data in the trace: its call, the call's inputs, and the gradients that
arrived. Measuring runs the op's kernel again (for a PyLayer, the ops inside forward) on copies in
float64, once with each element a little larger and once a little smaller. If that is impossible, a
reason is given. The function of a py_func is never called again: it may do anything else, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine.guard import restore_value
from minipaddle.events import Seen, Value
from minipaddle.messages import CLAUSES, EMPTY, LIST, Message, Row
from minipaddle.ops import REGISTRY

from .. import language
from ..document.values import SMALL, flatten, nested_lists, summary
from ..model import Story
from ..whatif.revive import REFUSALS, Kernel, kernel_of
from .chapters import Chaptered, heading
from .tape import Arguments

Array = np.ndarray[Any, Any]

MOST = 128  # elements of the largest gradient that is measured
RUNS = 6000  # most kernel runs for one trace
ROOM = 10**6  # most elements of a result: a file's attributes may ask for huge ones
STEP = 6e-6  # change relative to the element: the cube root of float64's precision
ROUNDING = 8 * float(np.finfo(np.float64).eps)  # error of a sum, relative to its terms
LOOSE = {"float64": 1e-5}  # dtype -> largest relative difference that agrees
COARSE = 2e-3  # largest relative difference that agrees, for other dtypes


TOO_LARGE = Message("too many elements to measure one by one")
NOT_RECORDED = Message("the input was not recorded")
NO_ROOM = Message("so much else has been measured in this trace")
ODD = Message("NaN or infinity came out")
ODD_INPUT = Message("an element of the input is NaN or infinite")
TWICE = Message("one tensor was passed twice")
RANDOM = Message("{about} draws other numbers each time")
DIFFERENT = Message("running {about} again does not give the recorded result")
IN_PYTHON = Message(
    "forward computes outside of Paddle's ops, so it cannot be run again here; "
    "paddle.testing.check_grad measures it"
)
PY_FUNC = Message(
    "{about} is a function in Python, which is not called again here. To check it, let a PyLayer "
    "call it in forward and its backward_func in backward, and give the PyLayer's apply to "
    "paddle.testing.check_grad"
)


class NotMeasurable(Exception):
    """Exception: a gradient has no finite difference, for a `reason`."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Probe:
    """One gradient, and all data that is needed to measure it."""

    name: str  # name of the op or PyLayer
    ops: tuple[events.OpFinished, ...]
    inputs: Arguments
    outputs: Arguments
    whole: bool  # whether `ops` is the op itself, not ops inside a PyLayer's forward
    same: Mapping[int, int]  # tensor inside forward -> the tensor whose memory it shares
    arrived: tuple[Value | None, ...]
    index: int
    grad: Value


@dataclass(frozen=True, slots=True)
class Measurement:
    """Result of finite differences: one slope for each element, or a reason why there is none.

    `agrees` is None without slopes. `worst` is the index of the element that is farthest off.
    `corners` are elements at which the two sides of the function have different slopes.
    """

    slopes: Array | None = None
    reason: Message = EMPTY
    agrees: bool | None = None
    off: float = 0.0
    worst: tuple[int, ...] = ()
    corners: tuple[tuple[int, ...], ...] = ()
    got: float = 0.0
    runs: int = 0

    @property
    def entry(self) -> dict[str, Any] | None:
        """The slopes as an entry of a table of values."""
        if self.slopes is None:
            return None
        return {
            "shape": list(self.slopes.shape),
            "dtype": "float64",
            "data": nested_lists(self.slopes),
            "stats": summary(self.slopes),
        }


# ----- measuring ---------------------------------------------------------------------------------


def measure(probe: Probe | Message, room: int = RUNS) -> Measurement:
    """Measure one gradient in at most `room` runs of kernels, or return the reason why not."""
    if isinstance(probe, Message):
        return Measurement(reason=probe)
    try:
        return _measure_slopes(probe, room)
    except NotMeasurable as why:
        return Measurement(reason=why.reason)


def _measure_slopes(probe: Probe, room: int) -> Measurement:
    varied = probe.inputs[probe.index] if 0 <= probe.index < len(probe.inputs) else None
    if not isinstance(varied, Seen):
        raise NotMeasurable(NOT_RECORDED)
    if not varied.value.dtype.startswith("float"):
        whole = Message("{about} values do not vary continuously", about=varied.value.dtype)
        raise NotMeasurable(whole)
    size = math.prod(varied.value.shape)
    if size > MOST:
        raise NotMeasurable(TOO_LARGE)
    runs = 2 * size * len(probe.ops)
    if runs > room:
        raise NotMeasurable(NO_ROOM)
    start = numbers(varied.value)
    weights = {i: numbers(v) for i, v in enumerate(probe.arrived) if v is not None}
    rerun = _Rerun(probe)
    with np.errstate(all="ignore"):
        base = rerun.outputs(start)
        _check_same(probe, base)
        slopes, corners = _compute_slopes(rerun, start, weights, _weighted_sum(base, weights))
        total = _weighted_sum(
            [np.abs(out) for out in base], {i: abs(weight) for i, weight in weights.items()}
        )
        noise = ROUNDING * total / (STEP * np.maximum(1.0, np.abs(start)))
    grad = numbers(probe.grad)
    if not all(np.logical_and.reduce(np.isfinite(x), None) for x in (slopes, grad, noise)):
        raise NotMeasurable(ODD if np.isfinite(start).all() else ODD_INPUT)
    return _compare_slopes(slopes, grad, corners, probe.grad.dtype, runs, noise)


def numbers(value: Value) -> Array:
    """Return a recorded value as an array, floats in float64; raise NotMeasurable without data."""
    data = value.data and value.data.get("data")
    room = math.prod(max(n, 1) for n in value.shape)  # an empty value may have huge other axes
    if data is None or room > SMALL:
        raise NotMeasurable(TOO_LARGE)
    kind = np.float64 if value.dtype.startswith(("float", "bfloat")) else np.dtype(value.dtype)
    return np.array(data, kind).reshape(value.shape)  # which reads the texts `nan` and `inf`, too


def _compute_slopes(
    rerun: _Rerun, start: Array, weights: Mapping[int, Array], base: float
) -> tuple[Array, list[tuple[int, ...]]]:
    slopes, corners = np.empty(start.shape), []
    for index in np.ndindex(start.shape):
        h = STEP * max(1.0, abs(float(start[index])))
        sides = []
        for move in (h, -h):
            moved = start.copy()
            moved[index] += move
            sides.append(_weighted_sum(rerun.outputs(moved), weights))
        slopes[index] = (sides[0] - sides[1]) / (2 * h)
        right, left = (sides[0] - base) / h, (base - sides[1]) / h
        if abs(right - left) > 1e-2 * max(1e-3, abs(right), abs(left)) + 1e-4:
            corners.append(index)
    return slopes, corners


def _weighted_sum(outputs: Sequence[Array], weights: Mapping[int, Array]) -> float:
    """Return the sum of all outputs' elements, weighted with the gradients that arrived."""
    total = 0.0
    for i, weight in weights.items():
        if i < len(outputs):
            out = outputs[i]
            if out.ndim and out.shape != weight.shape:
                raise NotMeasurable(NOT_RECORDED)  # only in a damaged trace
            total += np.add.reduce((out * np.conj(weight)).real, None)
    return float(total)


class _Rerun:
    """The ops of a probe, run again and again with other numbers in the varied input."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._others = [
            None if s is None else numbers(s.value) for s in probe.inputs if probe.whole
        ]
        self._kernels: dict[int, Kernel] = {}  # by the number of the call

    def outputs(self, start: Array) -> Sequence[Array]:
        """Return the outputs with `start` as the varied input."""
        probe = self._probe
        if probe.whole:
            if len(probe.ops) != 1:
                raise NotMeasurable(NOT_RECORDED)  # only in a damaged trace
            arrays = [*self._others]
            arrays[probe.index] = start
            return self._run_kernel(probe.ops[0], arrays)
        varied = probe.inputs[probe.index]
        if varied is None:
            raise NotMeasurable(NOT_RECORDED)
        if sum(s is not None and s.id == varied.id for s in probe.inputs) > 1:
            raise NotMeasurable(TWICE)
        known = {varied.id: start}

        def now(seen: Seen | None) -> Array | None:
            """Return the changed numbers of an argument, perhaps in another's memory, or None."""
            return None if seen is None else known.get(probe.same.get(seen.id, seen.id))

        for op in probe.ops:
            seen = flatten(op.inputs)
            changed = [now(s) for s in seen]
            if all(array is None for array in changed):
                continue
            pairs = zip(seen, changed, strict=True)
            arrays = [
                numbers(s.value) if new is None and s is not None else new for s, new in pairs
            ]
            for output, array in zip(op.outputs, self._run_kernel(op, arrays), strict=False):
                known[output.id] = array
        outputs = [now(s) for s in probe.outputs]
        if all(
            v is None or array is None for array, v in zip(outputs, probe.arrived, strict=False)
        ):
            raise NotMeasurable(IN_PYTHON)
        return [np.zeros(()) if array is None else array for array in outputs]

    def _run_kernel(
        self, event: events.OpFinished, arrays: Sequence[Array | None]
    ) -> Sequence[Array]:
        """Return the results of an op's kernel on arrays; raise NotMeasurable if it cannot run."""
        try:
            kernel = self._kernels.get(event.call)
            if kernel is None:
                kernel = self._kernels[event.call] = _kernel_of(event, arrays)
            return kernel(arrays)
        except REFUSALS as error:
            raise NotMeasurable(DIFFERENT.fill(about=event.op)) from error


def _kernel_of(event: events.OpFinished, arrays: Sequence[Array | None]) -> Kernel:
    """Return an op's kernel for such arrays; raise NotMeasurable if it cannot run again."""
    op: Any = REGISTRY.get(event.op)
    if op is None:
        raise NotMeasurable(Message("{about} cannot be run again on its own", about=event.op))
    if op.random or "seed" in op.defaults:
        raise NotMeasurable(RANDOM.fill(about=event.op))
    if op.remote and len(event.attrs["ranks"]) > 1:
        raise NotMeasurable(Message("{about} needs the other ranks", about=event.op))
    attrs = {key: widen_value(value) for key, value in op.complete(event.attrs).items()}
    kernel = kernel_of(op, arrays, attrs, ROOM)
    if kernel is None:
        raise NotMeasurable(TOO_LARGE)
    return kernel


def widen_value(value: Any) -> Any:
    """Return float64 in place of a narrower float dtype among an op's attributes."""
    if getattr(value, "name", value) not in ("float16", "bfloat16", "float32"):
        return value
    return "float64" if isinstance(value, str) else paddle.float64


def _check_same(probe: Probe, outputs: Sequence[Array]) -> None:
    """Raise NotMeasurable unless running again gives about the recorded outputs."""
    for seen, again in zip(probe.outputs, outputs, strict=False):
        if seen is None or again.shape != seen.value.shape:
            continue
        once = numbers(seen.value)
        if again.dtype.kind != "f" or np.all(np.abs(again - once) < 1e-4 + 1e-2 * np.abs(once)):
            continue  # quicker than allclose, which also compares NaN and infinity
        if not np.allclose(again, once, 1e-2, 1e-4, equal_nan=True):
            raise NotMeasurable(DIFFERENT.fill(about=probe.name))


def _compare_slopes(
    slopes: Array, grad: Array, corners: list[tuple[int, ...]], dtype: str, runs: int, noise: Array
) -> Measurement:
    """Compare slopes and gradient, up to rounding and without corners; return the result."""
    if grad.shape != slopes.shape:
        raise NotMeasurable(ODD)
    off = np.asarray(np.abs(slopes - grad))  # an array for a single number, too
    for corner in corners:
        off[corner] = 0.0
    share = LOOSE.get(dtype, COARSE)
    scale = max(1.0, float(np.abs(slopes).max(initial=0.0))) * 1e-2
    wide = share * (np.maximum(np.abs(slopes), np.abs(grad)) + scale) + noise
    agrees = bool((off <= wide).all())
    beyond = off - wide if not agrees else off
    worst = next(iter(np.argwhere(beyond == beyond.max()).tolist()), []) if off.size else []
    return Measurement(
        slopes,
        agrees=agrees,
        off=float(off.max(initial=0.0)),
        worst=tuple(worst),
        corners=tuple(corners),
        got=float(grad[tuple(worst)].real) if off.size else 0.0,
        runs=runs,
    )


# ----- all of a trace ----------------------------------------------------------------------------

Checks = Mapping[tuple[int, int], Measurement]  # (step, index in step.shown) -> measurement


def checks_of(stories: Iterable[Story]) -> list[Checks]:
    """Measure the gradients of each story, in at most RUNS runs together."""
    found: list[Checks] = []
    room = RUNS
    # Measuring must not change later random numbers.
    with restore_value(paddle.get_rng_state, paddle.set_rng_state):
        for story in stories:
            checks = {}
            for step in story.steps:
                for at, shown in enumerate(step.shown):
                    if shown.probe is not None:
                        checks[step.index, at] = outcome = measure(shown.probe, room)
                        room -= outcome.runs
            found.append(checks)
    return found


def checks_of_trace(trace: Chaptered) -> dict[int, Checks]:
    """Measure the gradients of a trace: first step of a chapter -> checks. Of rounds with the same
    steps only the first is measured."""
    alike = {number: each.rounds[0] for each in trace.structures for number in each.rounds}
    chosen = [c for c in trace.chapters if c.round is None or c.round == alike[c.round]]
    found = checks_of(chapter.trace.story for chapter in chosen)
    return {chapter.first: checks for chapter, checks in zip(chosen, found, strict=True)}


# ----- sentences ---------------------------------------------------------------------------------


def sentence_about(outcome: Measurement, probe: Any, name: str) -> Message:
    """Return the sentence that compares a gradient with its finite differences."""
    if outcome.slopes is None:
        return Message("No finite difference: {reason}.", reason=outcome.reason)
    place = "[" + ", ".join(map(str, outcome.worst)) + "]" if outcome.worst else ""
    if outcome.agrees:
        off = f"{outcome.off:.1e}" if outcome.off else "0"
        about = Message("Finite differences agree with {name} to within {off}.", name=name, off=off)
    else:
        said = Message(
            "{input}.backward returns {got} for {element}, but by finite differences of "
            "{input}.forward, times the gradient that arrived, it is {slope}."
        )
        if probe.whole:
            said = Message(
                "{element} is {got}, but by finite differences of {input}, times the gradient "
                "that arrived, it is {slope}."
            )
        about = said.fill(
            element=f"{name}{place}",
            got=f"{outcome.got:.6g}",
            input=probe.name,
            slope=f"{float(outcome.slopes[outcome.worst]):.6g}",
        )
        if not probe.whole:
            about = Message("{about} Is backward the derivative of forward?", about=about)
    if outcome.corners:
        about = Message(
            "{about} {count} {count:element|elements} left out: a corner has two slopes.",
            about=about,
            count=len(outcome.corners),
        )
    return about


def unmeasured(checks: Iterable[tuple[str, Measurement]]) -> Message | None:
    """Return the sentence on unmeasured gradients and the reasons, or None if all were measured."""
    names: dict[Message, dict[str, None]] = {}
    for name, outcome in checks:
        if outcome.slopes is None:
            names.setdefault(outcome.reason, {})[name] = None
    if not names:
        return None
    part, rows = Message("{names} ({reason})"), names.items()
    parts = [part.fill(names=first_three(list(row)), reason=reason) for reason, row in rows]
    return Message("Not compared with finite differences: {parts}.", parts=Row(parts, CLAUSES))


def first_three(names: Sequence[str | Message]) -> Message:
    """Return the first three names, and the number of further ones, as a message."""
    row = Row(names[:3], LIST)
    if len(names) <= 3:
        return row.message()
    return Message("{names} and {more} more", names=row, more=len(names) - 3)


class Finding(NamedTuple):
    """One gradient beside its finite differences."""

    step: int  # index in the trace, as in `trace.show(step=...)`
    name: str
    agrees: bool | None  # None if the gradient cannot be compared


class Slopes(str):
    """Text of `viz.slopes`; `findings` has the lines as data, in the same order."""

    __slots__ = ("findings",)
    findings: tuple[Finding, ...]


def slopes(trace: Any, lang: str = "en") -> Slopes:
    """Return every gradient of a trace beside its finite differences, as text: one line for each.

    Its `findings` are the same as data: of each line `step`, counted from 0, `name` and `agrees`.
    Of rounds that take the same steps the first is measured; `viz.slopes(trace.round(3))` measures
    another one.

    Errors: none; a gradient that cannot be compared says why.

    >>> import minipaddle as paddle, viz
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> with viz.record() as trace:
    ...     (x * x).sum().backward()
    >>> print(viz.slopes(trace).splitlines()[0][:46])
       5  ✓ Finite differences agree with d(x × x)
    >>> viz.slopes(trace).findings[0].agrees
    True
    """
    rows, lang = list[str](), language.check_lang(lang)
    findings = list[Finding]()
    for first, checks in trace.checks.items():
        chapter = trace.chapter_at(first)
        rows += [f"{heading(trace, chapter).of(lang)}\n"] if trace.rounds else []
        for (step, place), outcome in checks.items():
            shown = chapter.trace.story.steps[step].shown[place]
            sign = {True: "✓", False: "≠", None: "–"}[outcome.agrees]
            text = sentence_about(outcome, shown.probe, shown.name).of(lang)
            at = first + step
            rows.append(f"{at + 1:>4}  {sign} {text}\n")
            findings.append(Finding(at, shown.name, outcome.agrees))
    found = Slopes("".join(rows))
    found.findings = tuple(findings)
    return found
