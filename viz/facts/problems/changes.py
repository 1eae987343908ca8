"""Values that changed between a forward pass and the backward pass that computes with them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.events import Seen, Value
from minipaddle.messages import Message
from minipaddle.ops.bound import Gradient, functions_for, names_read

from ...document.values import flatten
from ...model import Problem, group_by_key
from ...whatif.datum import by_name
from ...whatif.revive import op_of
from .reading import Reading

CHANGED = Message(
    "{x} got new values after the forward pass: {by} in line {line} wrote them. The backward pass "
    "of line {start} computes with these, not with those of the forward pass."
)
STEP = Message("step() of {optimizer}")
OVERWRITE = Message("an assignment of values")
SAME_VALUES = Message(
    "Run the forward pass again after the change, or make the change after "
    "this backward pass: then both passes use the same values."
)


class Change(NamedTuple):
    """Change of a tensor's values that raises no error, and the tensor after it."""

    at: int
    after: Seen
    by: Message
    place: Any


def find_changed_between(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first backward pass that computes with changed values."""
    changes = changes_of(reading)
    saved = group_by_key((each.node, each.tensor) for _, each in reading.of(events.TensorSaved))
    edges = {made.node: made.edges for _at, made in reading.of(events.GradNodeMade)}
    nodes = {reading.graded.get(call.event.call): call.event for call in reading.calls}
    found: dict[int, tuple[Seen, Change]] = {}  # tensor -> the saved tensor and its last change
    starts = [-1, *reading.passes]
    first = began = -1
    for at, visit in reading.of(events.NodeVisited) if changes else ():
        start = starts[bisect_left(starts, at) - 1]
        if found and start != began:
            break
        for kept in saved.get(visit.node, ()):
            change = last_between(kept, changes.get(reading.root(kept.id), ()), at)
            if change is None or kept.id in found:
                continue
            event = nodes.get(visit.node)
            if depends_on(event, edges[visit.node], kept.id) or is_read(reading, at, kept.id):
                first, began = (first, began) if found else (at, start)
                found[kept.id] = kept, change
    if found:
        tensors, (change, *_) = zip(*found.values(), strict=True)
        place = reading.trace.events[began].place if began >= 0 else None
        lines = {"line": line_of(change.place), "start": line_of(place)}
        text = CHANGED.fill(x=reading.names(tensors), by=change.by, **lines)
        yield reading.problem("changed_between", first, text, SAME_VALUES)


def changes_of(reading: Reading) -> dict[int, list[Change]]:
    """Return optimizer updates and in-place assignments, by the tensor that owns the memory."""
    updates = reading.of(events.ParameterUpdated)
    made = [Change(at, e.tensor, STEP.fill(optimizer=e.optimizer), e.place) for at, e in updates]
    for call in reading.calls:
        given = {seen.id for seen in call.inputs}
        overwritten = (out for out in call.event.outputs if out.id in given)
        made += [Change(call.at, out, OVERWRITE, call.event.place) for out in overwritten]
    made.sort(key=lambda change: change.at)
    return group_by_key((reading.root(change.after.id), change) for change in made)


def last_between(kept: Seen, changes: Sequence[Change], at: int) -> Change | None:
    """Return the last change of a saved tensor before an event, or None if its values are equal."""
    count = bisect_left(changes, at, key=attrgetter("at"))
    last = changes[count - 1] if count else None
    if last is None or last.after.version <= kept.version:
        return None
    return None if last.after.value.data == kept.value.data else last


def line_of(place: Any) -> str:
    return str(place.line) if place is not None else "?"


# ----- whether a gradient depends on what changed ------------------------------------------------


def is_read(reading: Reading, at: int, number: int) -> bool:
    """Return whether an op that ran during a visit, as in a PyLayer's backward, reads a tensor."""
    for event in reading.trace.events[at + 1 :]:
        if isinstance(event, (events.NodeVisited, events.BackwardFinished)):
            return False
        if isinstance(event, events.OpFinished):
            given = flatten(event.inputs)
            if any(seen is not None and seen.id == number for seen in given):
                return True
    return False


def depends_on(event: events.OpFinished | None, edges: Sequence[Any], number: int) -> bool:
    """Return whether a gradient that a node computes depends on the values of a tensor.

    Run the gradient rule twice on random numbers of the recorded shapes; the second run changes
    the numbers of this tensor only.
    """
    op, attrs = op_of(event.op, event.attrs) if event else (None, None)
    if event is None or op is None or op.rule is None or attrs is None:
        return False
    needs = [edge is not None for edge in edges]
    reading, results = names_read(op), []
    for shift in (0.0, 0.25):
        random = np.random.default_rng(0)
        held: Any = [stand_in(each, random, number, shift) for each in event.outputs]
        douts = [stand_in(each, random) for each in event.outputs]
        given = [stand_in(each, random, number, shift) for each in event.inputs]
        known = by_name(op, given, held)
        came: Any = [douts[slot] for slot in op.graded_slots(len(douts))]
        values = (*(known.get(name) for name in reading), *([came] if op.list_result else came))
        try:
            with np.errstate(all="ignore"):
                rule = Gradient(op, attrs, reading, needs)
                results.append(rule.before_sums(functions_for([*douts]), values, plainly=True))
        except Exception:  # noqa: BLE001  (an op may reject random numbers)
            return False
    pairs = zip(*results, needs, strict=False)
    return any(wanted and not np.array_equal(x, y) for x, y, wanted in pairs)


def stand_in(seen: Any, random: Any, number: int = 0, shift: float = 0.0) -> Any:
    """Return an array like a recorded one: recorded integers, or random floats.

    `shift` is added to the floats of the tensor `number`.
    """
    if not isinstance(seen, Seen):
        return None if seen is None else [stand_in(each, random, number, shift) for each in seen]
    value: Value = seen.value
    if value.dtype.startswith(("float", "complex")):
        drawn = random.uniform(0.25, 0.75, value.shape) + (shift if seen.id == number else 0.0)
        return np.asarray(drawn, value.dtype)
    data = value.data["data"]
    if data is None:
        return np.zeros(value.shape, value.dtype)
    return np.asarray(data, value.dtype).reshape(value.shape)
