"""Sentences on the difference between rounds of two structures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.events import Seen
from minipaddle.events.event_types import Event
from minipaddle.messages import LIST, REMARKS, Message, Row

from ..document.sources import LoadedLine
from ..document.values import is_zero, values_in
from ..document.variable_names import tensors_of
from .chapters import Recorded

Shape = tuple[int, ...]
Names = Sequence[str]
NAMES = 3  # most names that are listed

KINDS: Mapping[str, Message] = {
    "training": Message("training"),
    "evaluation": Message("evaluation"),
    "run": Message("a run of a Program"),
    "marked": Message("marked by viz.rounds"),
}
OF_KIND = Message("{kind}, {rest}")
BATCH = Message("batch of {own} rather than {other}")
SHAPE = Message("{name} of shape {own} rather than {other}")
PASSES = Message("{count} backward {count:pass|passes}")
RATHER = Message("{own} rather than {other}")
UPDATES = Message("updates {own} rather than {other}")
UPDATES_TOO = Message("updates {own} too")
UPDATES_NOT = Message("does not update {own}")
OPTIMIZER = Message("updates by {own} rather than {other}")
RULES = Message("updates by other rules: {rules}")
OLD = Message("an old .grad")
OLD_ZEROS = Message("a .grad of zeros")
ADDS = Message("gradients are added to {old}")
ADDS_MORE = Message(
    "{count} more {count:gradient is|gradients are} added to {old} than in other rounds"
)
ADDS_LESS = Message(
    "{count} fewer {count:gradient is|gradients are} added to {old} than in other rounds"
)
ZEROS = Message("an old .grad to add to is all zeros")
NO_ZEROS = Message("an old .grad to add to is not zero")
LINES = Message("other lines of code: {lines}")
KNOWN = Message("names known only here: {names}")
UNKNOWN = Message("names not known here: {names}")


class Occurrence(NamedTuple):
    """An event, and the name and shape of every value in it."""

    what: str
    shapes: tuple[tuple[str, Shape], ...]


@dataclass(frozen=True, slots=True)
class RoundWork:
    """Work of a round, apart from its numbers."""

    kind: str
    error: str  # exception in the round, or ""
    cut: bool
    does: tuple[Occurrence, ...]  # events; equal ones in succession are listed once
    passes: int
    updated: tuple[str, ...]
    optimizers: tuple[str, ...]
    rules: tuple[str, ...]  # formulas of the optimizers
    added_to: tuple[bool, ...]  # per addition to an old .grad: whether the .grad was zero
    ops: Counter[str]
    lines: tuple[str, ...]
    names: frozenset[str]


def work_of(kind: str, trace: Recorded) -> RoundWork:
    """Return the work of a round according to its events."""
    records = trace.events
    appended = [event for event in records if isinstance(event, events.OperatorAppended)]
    operators = {(event.program, event.index): event for event in appended}
    ops = [op_of(event, operators) for event in records]
    updates = list(updates_of(trace, operators))
    happened = (
        Occurrence(f"{type(event).__name__} {op}", tuple(shapes_of(trace, event)))
        for event, op in zip(records, ops, strict=True)
    )
    return RoundWork(
        kind,
        error_of(trace),
        trace.cut is not None,
        tuple(next(alike) for _, alike in groupby(happened, lambda each: each.what)),
        sum(passes_of(records, operators)),
        tuple(dict.fromkeys(name for name, _ in updates)),
        tuple(dict.fromkeys(optimizer for _, optimizer in updates)),
        tuple(dict.fromkeys(rules_of(trace))),
        tuple(
            is_zero(event.held.data)
            for event in records
            if isinstance(event, events.GradAccumulated) and event.stored
        ),
        Counter(op for op in ops if op),
        tuple(dict.fromkeys(lines_of(trace))),
        frozenset(trace.names.values()),
    )


Operators = Mapping[tuple[int, int], events.OperatorAppended]


def passes_of(records: Sequence[Any], operators: Operators) -> Iterator[bool]:
    """Yield True for each backward pass, and for each run of a Program that has one."""
    in_run = False
    for event in records:
        match event:
            case events.BackwardStarted():
                yield True
            case events.RunStarted():
                in_run = True
            case events.OperatorExecuted() if in_run:
                operator = operators.get((event.program, event.index))
                if operator and operator.role == "backward":
                    yield True
                    in_run = False


def updates_of(trace: Recorded, operators: Operators) -> Iterator[tuple[str, str]]:
    """Yield each update's parameter and optimizer."""
    for event in trace.events:
        match event:
            case events.ParameterUpdated():
                yield name_of(trace, event.tensor), event.optimizer
            case events.OperatorExecuted():
                operator = operators.get((event.program, event.index))
                if operator and operator.role == "optimize":
                    named = operator.inputs.get("Param", ())
                    yield from ((each.name, operator.type) for each in named if each)


def rules_of(trace: Recorded) -> Iterator[str]:
    """Yield the formula of each update by an optimizer, in which the learning rate is a letter."""
    for event in trace.events:
        if isinstance(event, events.ParameterUpdated):
            yield event.formula


def error_of(trace: Recorded) -> str:
    """Return the exception that ended the round, or else the first one in it, or ""."""
    if trace.ended:
        return trace.ended.error
    failed = (event.error for event in trace.events if isinstance(event, events.Failed))
    return next(failed, "")


def op_of(event: Any, operators: Operators) -> str:
    """Return the op, PyLayer or operator that an event is about, or ""."""
    match event:
        case events.OpFinished():
            return str(event.op)
        case events.ScopeEntered(kind="pylayer.forward"):
            return str(event.name)
        case events.OperatorExecuted():
            operator = operators.get((event.program, event.index))
            return operator.type if operator else ""
    return ""


def shapes_of(trace: Recorded, event: Event) -> Iterator[tuple[str, Shape]]:
    """Yield the name and shape of every value of an event."""
    for seen in tensors_of(event):
        yield name_of(trace, seen), tuple(seen.value.shape)
    for field in event.value_fields:
        held = getattr(event, field)
        for name, value in held.items() if isinstance(held, Mapping) else (("", held),):
            yield from ((name, tuple(each.shape)) for each in values_in(value))


def name_of(trace: Recorded, seen: Seen) -> str:
    return trace.names.get((seen.id, 0)) or seen.name


def lines_of(trace: Recorded) -> Iterator[str]:
    """Yield the lines of code that a round ran, without those that build a Program."""
    for event in trace.events:
        place = getattr(event, "place", None)
        if isinstance(place, LoadedLine) and not isinstance(event, events.OperatorAppended):
            yield f"{trace.sources[place.file].name}:{place.line}"


# ----- sentences ---------------------------------------------------------------------------------


def difference(own: RoundWork, other: RoundWork) -> Message:
    """Return the first difference that applies between two rounds of one kind."""
    comparisons = (
        compare_endings, compare_batches, compare_passes, compare_updates, compare_additions,
        compare_ops, compare_lines, compare_names,
    )  # fmt: skip
    found = (compare(own, other) for compare in comparisons)
    return next(filter(None, found), Message("other steps"))


def compare_endings(own: RoundWork, other: RoundWork) -> Message | None:
    """Return that only `own` has an exception or the end of the recording, or None."""
    if own.error and not other.error:
        return Message("an error: {error}", error=own.error)
    if own.cut and not other.cut:
        return Message("the recording ends in it")
    return None


def compare_batches(own: RoundWork, other: RoundWork) -> Message | None:
    """Return the first shape that differs, or None, also if the events differ.

    Equal events in succession count as one, since a loader reads a batch row by row.
    """
    if [each.what for each in own.does] != [each.what for each in other.does]:
        return None
    for mine, theirs in zip(own.does, other.does, strict=True):
        if len(mine.shapes) != len(theirs.shapes):
            continue  # rows that are stacked: their result is compared
        for (name, shape), (_, usual) in zip(mine.shapes, theirs.shapes, strict=True):
            if shape == usual:
                continue
            if shape[1:] == usual[1:] and shape and usual:
                return BATCH.fill(own=str(shape[0]), other=str(usual[0]))
            if name:
                return SHAPE.fill(name=name, own=in_brackets(shape), other=in_brackets(usual))
    return None


def compare_passes(own: RoundWork, other: RoundWork) -> Message | None:
    """Return that the number of backward passes differs, or None."""
    if own.passes == other.passes:
        return None
    if not own.passes:
        return Message("no backward pass")
    return RATHER.fill(own=PASSES.fill(count=own.passes), other=str(other.passes))


def compare_updates(own: RoundWork, other: RoundWork) -> Message | None:
    """Return that other parameters are updated, or by other optimizers, or None."""
    if set(own.updated) != set(other.updated):
        if not own.updated:
            return Message("no parameter is updated")
        more = [name for name in own.updated if name not in other.updated]
        less = [name for name in other.updated if name not in own.updated]
        if more and less:
            return UPDATES.fill(own=first_three(more), other=first_three(less))
        said, names = (UPDATES_TOO, more) if more else (UPDATES_NOT, less)
        return said.fill(own=first_three(names))
    if set(own.optimizers) != set(other.optimizers):
        return OPTIMIZER.fill(own=first_three(own.optimizers), other=first_three(other.optimizers))
    if rules := [rule for rule in own.rules if rule and rule not in other.rules]:
        return RULES.fill(rules=first_three(rules))
    return None


def compare_additions(own: RoundWork, other: RoundWork) -> Message | None:
    """Return that additions to an old .grad differ, in number or in zeros, or None."""
    more = len(own.added_to) - len(other.added_to)
    zeros = sum(own.added_to) - sum(other.added_to)
    if not more:
        return None if not zeros else ZEROS if zeros > 0 else NO_ZEROS
    if not own.added_to:
        return Message("gradients start anew")
    said = ADDS if not other.added_to else ADDS_MORE if more > 0 else ADDS_LESS
    return said.fill(count=abs(more), old=OLD_ZEROS if zeros == more else OLD)


def compare_ops(own: RoundWork, other: RoundWork) -> Message | None:
    """Return the ops that one round has and the other has not, or less often, or None."""
    more, less = list(own.ops - other.ops), list(other.ops - own.ops)
    said = (
        (Message("with {ops}"), [op for op in more if op not in other.ops]),
        (Message("more {ops}"), [op for op in more if op in other.ops]),
        (Message("fewer {ops}"), [op for op in less if op in own.ops]),
        (Message("without {ops}"), [op for op in less if op not in own.ops]),
    )
    parts = [text.fill(ops=first_three(found)) for text, found in said if found]
    return Row(parts, REMARKS).message() if parts else None


def compare_lines(own: RoundWork, other: RoundWork) -> Message | None:
    """Return the lines of code that only one round ran, or None."""
    return one_sided(own.lines, other.lines, LINES, Message("does not run {lines}"))


def compare_names(own: RoundWork, other: RoundWork) -> Message | None:
    """Return the names that only one round has, or None."""
    return one_sided(sorted(own.names), sorted(other.names), KNOWN, UNKNOWN)


def one_sided(own: Names, other: Names, more: Message, less: Message) -> Message | None:
    """Return what only the first has, or else what only the second has, or None."""
    for one, another, said in ((own, other, more), (other, own, less)):
        if found := [name for name in one if name not in another]:
            return said.fill(names=first_three(found), lines=first_three(found))
    return None


def first_three(names: Sequence[str]) -> Message:
    """Return the first three names, with "…" for further ones.

    >>> first_three(["a", "b"]).zh, first_three(["a", "b", "c", "d", "e"]).en
    ('a、b', 'a, b, c, …')
    """
    shown = [*names[:NAMES], *(["…"] if len(names) > NAMES else [])]
    return Row(shown, LIST).message()


def in_brackets(shape: Shape) -> str:
    return str(list(shape))
