"""A trace whose page asks before it shows: the value, sign or shape of a result, or its target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument, InvalidType
from minipaddle.messages import Message

from .. import language
from ..model import Step
from ..views.element import list_names
from .asked import Asked, check_seed

ASKS = ("value", "sign", "shape", "next")
AT_STEPS = {"visit", "unbroadcast", "accumulate", "return"}  # steps of a backward pass that ask
RESULTS = {"grad_out", "after"}

TOLD = Message("{title}\nQuestions at steps {steps}.\n")


class Quiz(Asked):
    """Quiz on a trace; see `Trace.quiz`. `steps` have a question; they are counted from 0."""

    def __init__(self, trace: Any, steps: tuple[int, ...], asks: tuple[str, ...], seed: int):
        self.trace, self.steps, self.asks, self.seed = trace, steps, asks, seed

    def __repr__(self) -> str:
        return f"<Quiz on {self.title}: {len(self.steps)} questions>"

    @property
    def spec(self) -> dict[str, Any]:
        options = {"steps": [*self.steps], "asks": [*self.asks], "seed": self.seed}
        return {"kind": "quiz", **options}

    def text(self, lang: str = "en") -> str:
        """Return the numbers of the steps with a question, counted from 1."""
        steps = ", ".join(str(step + 1) for step in self.steps)
        return TOLD.fill(title=self.title, steps=steps).of(language.check_lang(lang))


def quiz_on(trace: Any, at: Any, ask: Any, seed: int) -> Quiz:
    """Return the quiz of `Trace.quiz`."""
    check_seed(seed, "quiz()", "trace.quiz(seed=1)")
    asks = (ask,) if isinstance(ask, str) else tuple(ASKS if ask is None else ask)
    if not asks or any(each not in ASKS for each in asks):
        raise InvalidArgument(
            "quiz(): this cannot be asked.",
            expected="one or several of " + ", ".join(f'"{each}"' for each in ASKS),
            received=f"ask={ask!r:.60}",
            fix='write trace.quiz(ask="sign"), or leave it out for all of them',
        )
    return Quiz(trace, tuple(choose_steps(trace, at, seed)), asks, seed)


def choose_steps(trace: Any, at: Any, seed: int) -> list[int]:
    """Return the numbers of the steps that `at` names, each once, in order."""
    if isinstance(at, Iterable) and not isinstance(at, str):
        at = [*at]
    backward = [number for number, _ in steps_to_ask(trace, "backward")]
    if at == "backward":
        found = backward
    elif isinstance(at, str):
        found = steps_of_op(trace, at)
    elif type(at) is int and at > 0:
        order = np.random.default_rng(seed).permutation(len(backward))
        found = sorted(backward[k] for k in order[:at])
    elif isinstance(at, list) and all(type(number) is int for number in at):
        known = {number for number, _ in steps_to_ask(trace)}
        found = sorted({number for number in at if number in known})
        if len(found) < len({*at}):
            raise InvalidArgument(
                "quiz(): nothing is computed at one of these steps.",
                expected="numbers of trace.steps in which an op or a gradient is computed",
                received=f"at={at!r:.60}",
                fix="choose among " + list_names(sorted(known)),
            )
    else:
        raise InvalidType(
            "quiz(): it is not clear which steps are meant.",
            expected='"backward", the name of an op, how many, or a list of numbers of steps',
            received=f"at={at!r:.60}",
            fix='write trace.quiz("backward"), trace.quiz("tanh"), trace.quiz(3) or '
            "trace.quiz([4, 7])",
        )
    if not found:
        raise InvalidArgument(
            "quiz(): there is nothing to ask.",
            expected="a backward pass in the trace",
            received=f"{len(trace)} steps, none of which computes a gradient",
            fix="call backward() inside `with viz.record()`, or name an op: trace.quiz(...)",
        )
    return found


def steps_to_ask(trace: Any, phase: str = "") -> Iterator[tuple[int, Step]]:
    """Yield the steps that compute a value, with their numbers in the whole trace."""
    for chapter in trace.chapters:
        for step in chapter.trace.story.steps:
            backward = step.phase == "backward" and step.kind in AT_STEPS
            forward = step.phase == "forward" and step.kind == "op" and not phase
            roles = RESULTS if backward else {"output"}
            gives = any(each.role in roles and each.value is not None for each in step.shown)
            if gives and (backward or forward):
                yield chapter.first + step.index, step


def steps_of_op(trace: Any, name: str) -> list[int]:
    """Return the steps that compute an op or its gradient."""
    ops = {chapter.first: ops_by_record(chapter.trace.events) for chapter in trace.chapters}
    found = []
    for number, step in steps_to_ask(trace):
        if ops[number - step.index].get(step.record) == name:
            found.append(number)
    if found:
        return found
    known = sorted({op for of_chapter in ops.values() for op in of_chapter.values()})
    raise InvalidArgument(
        f"quiz(): no step of this trace computes {name!r:.40}.",
        expected=f'"backward", or an op: {list_names(known)}' if known else "a trace with ops",
        received=f"at={name!r:.40}",
        fix="choose one of these names",
    )


def ops_by_record(records: Iterable[Any]) -> Mapping[int, str]:
    """Map the records of ops and of their gradients to the op."""
    calls: dict[int, str] = {}
    nodes: dict[int, int] = {}
    ops: dict[int, str] = {}
    for at, event in enumerate(records):
        match event:
            case events.OpFinished():
                calls[event.call] = ops[at] = event.op
            case events.GradNodeMade():
                nodes[event.node] = event.call
            case events.NodeVisited() if nodes.get(event.node) in calls:
                ops[at] = calls[nodes[event.node]]
    return ops
