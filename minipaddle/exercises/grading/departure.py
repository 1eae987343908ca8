"""Departure: the op of an answer's run from which on its results differ from the reference's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ... import events
from ...engine.structures import items_in
from ...engine.visible import one_line
from ...messages import Row
from ..outcomes import SILENT, Array, Outcome
from ..trials import Drive, Trial, attempt, plain_modes, same

BACKWARD = "pylayer.backward"
LONGEST = 60  # characters of a name
MOST_STEPS = 200
MOST_NUMBERS = 1000  # of a result that is compared


class Steps(list[tuple[str, list[int], list[int], list[Array]]]):
    """Ops that ran, and backward passes of PyLayers, each without the ops inside it.

    A step is its label, the ids of its inputs and of its outputs, and the values of the outputs.
    """

    def __init__(self) -> None:
        super().__init__()
        self.inside = 0  # number of backward passes of PyLayers that have begun

    def __call__(self, event: Any) -> None:
        """Note an event."""
        if isinstance(event, events.ScopeEntered) and event.kind == BACKWARD:
            self.inside += 1
        elif isinstance(event, events.ScopeLeft) and event.kind == BACKWARD:
            self.inside -= 1
            self.add(f"{event.name}.backward", (), event.outputs)
        elif isinstance(event, events.OpFinished) and not self.inside:
            self.add(event.op, event.inputs, event.outputs)

    def add(self, label: str, inputs: Any, outputs: Any) -> None:
        """Add a step."""
        taken, made = ([x for x in items_in(row) if x is not None] for row in (inputs, outputs))
        values = [np.array(x.value.data) for x in made]
        self.append((label, [x.id for x in taken], [x.id for x in made], values))


def note_steps(answer: Any, came: dict[str, Any], drive: Drive, arguments: tuple[Any, ...]) -> None:
    """Note the steps of one use of an answer, even if it raises; if there are too many, none."""
    heard = Steps()
    try:
        with events.listen(heard):
            drive(answer, {}, *arguments)
    finally:
        sizes = [value.size for *_, values in heard for value in values]
        small = len(heard) <= MOST_STEPS and max(sizes, default=0) <= MOST_NUMBERS
        came["steps"] = [*heard] if small else []


def departure(outcome: Outcome) -> dict[str, Any]:
    """Return the op from which on results differ, and which wrong results it gives; {} if unknown.

    A backward pass of a PyLayer departs if it returns a wrong result. An op does if the reference
    computes no such value, and no value of the reference follows from it.
    """
    if outcome.record is None or outcome.model is None:
        return {}
    answer, _, *arguments = outcome.record.args
    came = attempt(Trial(), note_steps, answer, outcome.record.func, tuple(arguments))
    reference = Steps()
    with plain_modes(), events.listen(reference):
        outcome.model()
    right = [value for *_, values in reference for value in values]
    right += [array for _, array in outcome.given]
    used: set[int] = set()  # by steps from which a value of the reference follows
    first: dict[str, Any] = {}
    for label, taken, made, values in reversed(came.get("steps", [])):
        wrong = [pair for pair in outcome.pairs if is_among(pair.got, values)]
        if label.endswith(".backward"):
            fits = not wrong
        else:
            fits = bool(used & {*made}) or all(is_among(value, right) for value in values)
        if fits:
            used |= {*taken}
        else:
            gives = Row([pair.label for pair in wrong]).message() if wrong else SILENT
            first = {"op": one_line(str(label), LONGEST), "gives": gives.by_language()}
    return first


def is_among(value: Array, others: Iterable[Array]) -> bool:
    """Return whether one of the arrays equals this one; what is no number counts as right."""
    return value.dtype.kind not in "fc" or any(same(value, other) for other in others)
