"""Arguments of `trace.explain_element`: the value and its step, and errors about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import index as whole_number
from typing import Any, NamedTuple

from minipaddle.engine.errors import InvalidArgument, InvalidType, MinipaddleError, OutOfRange

from ..explanation.elements import ElementExplanation, StepElements
from ..explanation.step_computations import RESULTS
from ..model import Shown, Step
from ..story.chapters import Chapter, Recorded, chapter_at
from .element import SHOWN, index_into, list_names

CALL = "trace.explain_element"
RECEIVED = ("input", "grad_in", "zeros", "before")  # roles of values that a step reads
ELSEWHERE = ("enter", "finish", "run", "append")  # steps that show values and compute none


class Place(NamedTuple):
    """Value of a step: its place in `step.shown`, and the step's number in the whole trace."""

    trace: Recorded
    step: Step
    number: int
    place: int

    @property
    def shown(self) -> Shown:
        """The value as the step shows it."""
        return self.step.shown[self.place]


def explain_element(trace: Recorded, x: Any, index: Any, step: int | None) -> ElementExplanation:
    """Return the explanation of one element; see `Trace.explain_element`."""
    gradient = None if isinstance(x, str) else place_of_gradient(trace, x)
    name = gradient.shown.name if gradient else name_of(trace, x)
    if step is None and not name:
        raise InvalidType(
            f"{CALL}(): it needs the name of a tensor, or a step.",
            expected=f'{CALL}("y", (0, 1)), or {CALL}(step=3)',
            received="neither",
            fix="choose a name: " + ", ".join(names_in(trace)[:SHOWN]),
        )
    found = places_of(trace, name) if step is None else places_at(trace, name, step)
    at = gradient if gradient and step is None else next(found, None)
    if at is None:
        raise unknown(trace, name, step)
    assert at.shown.value is not None
    place = index_into(CALL, at.shown.name, tuple(at.shown.value["shape"]), index)
    return StepElements(at.trace, at.step, at.number).explain(at.place, place)


def place_of_gradient(trace: Recorded, x: Any) -> Place | None:
    """Return where a tensor is a leaf's `.grad`, the last time; None if it never was one."""
    record = trace.record_of_gradient(x)
    for chapter in reversed(trace.chapters):
        for step in chapter.trace.story.steps if chapter.begins <= record else ():
            if step.record == record - chapter.begins + chapter.given and step.kind == "leaf":
                return next(places_in(chapter, step, "", RESULTS), None)
    return None


def name_of(trace: Recorded, x: Any) -> str:
    """Return the name of a tensor in the trace, or "" without a tensor."""
    if x is None or isinstance(x, str):
        return x or ""
    if not hasattr(x, "stop_gradient"):
        raise InvalidType(
            f"{CALL}(): x must be a name, or a Tensor.",
            expected=f'{CALL}("y", (0, 1))',
            received=f"{type(x).__name__} {x!r:.40}",
            fix="give the name that the steps call it by; of a step, write step=3",
        )
    name = trace.names.get((trace.number_of(x), 0), "")
    if not name:
        raise InvalidArgument(
            f"{CALL}(): this trace has no name for the tensor.",
            expected="a tensor that the recorded code gives a name to",
            received="another tensor",
            fix="choose a name: " + ", ".join(names_in(trace)[:SHOWN]),
        )
    return name


def places_of(trace: Recorded, name: str) -> Iterator[Place]:
    """Yield the places where steps compute a value, the last first, then where steps have it."""
    for chapter in reversed(trace.chapters):
        for step in reversed(chapter.trace.story.steps):
            if step.kind not in (*ELSEWHERE, "leave"):  # which returns what another has computed
                yield from places_in(chapter, step, name, RESULTS)
    for chapter in reversed(trace.chapters):
        for step in chapter.trace.story.steps:
            if step.kind not in ELSEWHERE:
                yield from places_in(chapter, step, name, (*RECEIVED, *RESULTS))


def places_in(
    chapter: Chapter[Recorded], step: Step, name: str = "", roles: Collection[str] = ()
) -> Iterator[Place]:
    """Yield the places of values that a step shows under a name, or any, in roles, or any."""
    for place, shown in enumerate(step.shown):
        asked = name in ("", shown.name) and (not roles or shown.role in roles)
        if asked and shown.value is not None:
            yield Place(chapter.trace, step, chapter.first + step.index, place)


def places_at(trace: Recorded, name: str, step: Any) -> Iterator[Place]:
    """Yield the places of values that a step shows under a name, or of all, results first."""
    number = step_number(trace, step)
    chapter = chapter_at(trace.chapters, number)
    found = places_in(chapter, chapter.trace.story.steps[number - chapter.first], name)
    yield from sorted(found, key=lambda at: at.shown.role not in RESULTS)


def step_number(trace: Recorded, step: Any) -> int:
    """Return the number of a step, counted from the front."""
    try:
        number = whole_number(step)
    except TypeError:
        raise InvalidType(
            f"{CALL}(): step must be a whole number.",
            expected="the number of a step, as trace.steps counts them",
            received=f"{step!r:.40}",
            fix="write step=3",
        ) from None
    count = len(trace)
    if not -count <= number < count:
        raise OutOfRange(
            f"{CALL}(): this trace has no such step.",
            expected=f"a number from 0 to {count - 1}, as trace.steps counts them",
            received=f"step={number}",
            fix="see trace.text(), which counts from 1",
        )
    return number % count


def names_in(trace: Recorded) -> list[str]:
    """Return the names of all values; values that steps compute come first."""
    rows = [(chapter, step) for chapter in trace.chapters for step in chapter.trace.story.steps]
    places = [at for chapter, step in rows for at in places_in(chapter, step)]
    places.sort(key=lambda at: at.shown.role not in RESULTS)
    return [*dict.fromkeys(at.shown.name for at in places)]


def unknown(trace: Recorded, name: str, step: int | None) -> MinipaddleError:
    """Return the error for a name that the trace, or a step, does not show."""
    if step is None:
        known = names_in(trace)
        what, where = f"no step of this trace shows {name!r:.60}", "this trace"
    else:
        number = step_number(trace, step)
        chapter = chapter_at(trace.chapters, number)
        shown = chapter.trace.story.steps[number - chapter.first].shown
        known = [each.name for each in shown if each.value is not None]
        what = f"this step shows no {name!r:.60}" if name else "this step shows no values"
        where = "the step"
    return InvalidArgument(
        f"{CALL}(): {what}.",
        expected=f"one of {list_names(known)}" if known else f"{where} shows none",
        received=repr(name)[:60] if name else f"step={step}",
        fix="choose one of these" if known else "choose another step",
    )
