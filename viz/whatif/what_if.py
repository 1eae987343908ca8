"""What-if traces: names of leaves, the changes of leaves, and the new document."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument, InvalidType
from minipaddle.events import Edge, Value
from minipaddle.messages import Message

from ..document.codec import Encoder, plain
from ..document.history import variables_in
from ..document.rounds import size_of
from ..document.sources import SourceTable
from ..document.values import LoadedValue, ValueTable, content_key, flatten
from ..document.variable_names import tensors_of
from ..language.words import WORDS
from .constants import Constants, Edits, first_few, unused_name, with_constants
from .numbers import AsRecorded, Changed, Edit, Leaf, array_of
from .replay import Earlier, Replay, lasting_of

Change = str | tuple[str, Any]
RATE = "lr"
WHY = {
    "python": Message("Python did something between two ops, which a trace does not have"),
    "hook": Message("a hook made it in Python"),
    "random": Message("it was drawn at random from what has changed"),
    "ranks": Message("other ranks had a part in it"),
    "size": Message("its size depends on what has changed"),
    "large": Message("it follows from an array that was too large to be kept"),
}
MARKS = ("kink", "stale")  # keys of marks in entries of values


class Recorded(Protocol):
    """The members of a trace that a replay needs."""

    @property
    def document(self) -> dict[str, Any]: ...

    @property
    def events(self) -> tuple[Any, ...]: ...

    @property
    def names(self) -> dict[tuple[int, int], str]: ...


def changed_document(
    trace: Recorded, changes: Mapping[Change, Any], earlier: Earlier | None = None
) -> dict[str, Any]:
    """Return the document of a trace with changed numbers in some leaves."""
    before = AsRecorded()
    lasting = lasting_of(earlier)
    first = Replay(before, trace.events, lasting=lasting)
    first.walk()
    after = Changed(before, *Leaves(trace, before, first.rates).resolve(changes))
    Replay(after, trace.events, lasting=lasting).walk()
    return rewrite_document(trace, before, after)


def names_of_tensors(trace: Recorded) -> dict[int, str]:
    """Return the names of tensors; of several names of a tensor the outermost."""
    return {tensor: name for (tensor, _), name in sorted(trace.names.items(), reverse=True)}


def constants_of(trace: Recorded) -> Constants:
    """Return the constants that a trace's ops are called with."""
    return Constants(trace.events, trace.document.get("rounds", []), names_of_tensors(trace))


def stale_names(trace: Recorded) -> dict[str, Message]:
    """Return name -> why the value could not be computed; gradients are called `w.grad`."""
    return {name: WHY[why] for name, why in marked_names(trace, "stale").items()}


def kink_names(trace: Recorded) -> dict[str, Message]:
    """Return name -> the sentence about rounding, for values that rounding may have decided."""
    return dict.fromkeys(marked_names(trace, "kink"), WORDS["kink"])


def marked_names(trace: Recorded, mark: str) -> dict[str, Any]:
    """Return name -> mark, for values with the mark; the first value of a name counts."""
    spelled = names_of_tensors(trace)
    found: dict[str, Any] = {}
    for event in trace.events:
        for seen in tensors_of(event):
            if seen.value.data.get(mark):
                found.setdefault(spelled.get(seen.id, f"t{seen.id}"), seen.value.data[mark])
        for name, value in variables_in(event):
            if value.data.get(mark):
                found.setdefault(name, value.data[mark])
        if isinstance(event, events.LeafReached) and event.grad.data.get(mark):
            name = spelled.get(event.tensor.id, f"t{event.tensor.id}")
            found.setdefault(f"{name}.grad", event.grad.data[mark])
    return found


# ----- names -------------------------------------------------------------------------------------


class Leaves:
    """Values that `changes` may change, by name: leaves, learning rates and constants."""

    def __init__(self, trace: Recorded, before: AsRecorded, rates: Collection[str]) -> None:
        self.trace = trace
        self.leaves: dict[str, Leaf] = {}
        self.rates_in_runs: list[Leaf] = []  # learning rates in runs of Programs
        self.spelled = names_of_tensors(trace)
        roots = roots_of(trace.events)
        for leaf in before.leaves:
            if leaf.variable and leaf.variable in rates:
                self.rates_in_runs.append(leaf)
            else:
                self.leaves[unused_name(self.name_of(leaf, roots), self.leaves)] = leaf
        self.constants = constants_of(trace)
        self.rates = [
            at
            for at, event in enumerate(trace.events)
            if isinstance(event, events.ParameterUpdated)
        ]

    def name_of(self, leaf: Leaf, roots: Mapping[int, Sequence[int]]) -> str:
        """Return the user's name of a leaf; a seed is named after its tensor, `dloss`."""
        if leaf.seen is None:
            root = roots.get(leaf.record, ())
            place = self.trace.events[leaf.record].seeds.index(leaf.value)
            tensor = root[place] if place < len(root) else 0
            return "d" + self.spelled.get(tensor, "loss" if not tensor else f"t{tensor}")
        if leaf.variable:
            return leaf.variable
        name = self.spelled.get(leaf.seen.id, f"t{leaf.seen.id}")
        return f"{name}.grad" if leaf.seen.kind == "gradient" else name

    def resolve(
        self, changes: Mapping[Change, Any]
    ) -> tuple[dict[int, list[Edit]], dict[int, float], Edits]:
        """Return the edits, learning rates and constants of changes, or raise an error.

        The results map occurrences of leaves' values to edits, records to learning rates, and
        places to constants.
        """
        if not isinstance(changes, Mapping):
            raise InvalidType(
                "what_if(): the changes must be a dict.",
                expected='{"w": numbers, ("w", (0, 1)): 3.0}',
                received=f"{type(changes).__name__} {changes!r:.60}",
                fix='write trace.what_if({"' + next(iter(self.leaves), "w") + '": ...})',
            )
        edits: dict[int, list[Edit]] = {}
        rates: dict[int, float] = {}
        constants: dict[Any, Any] = {}
        for key, wanted in changes.items():
            name, index = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
            leaf = self.leaves.get(name) if isinstance(name, str) else None
            if isinstance(name, str) and isinstance(index, str):
                merge(constants, self.constants.edits(name, index, wanted))
            elif leaf is not None:
                edit = edit_of(name, leaf.value, index, wanted)
                edits.setdefault(leaf.value.occurrence, []).append(edit)
            elif name == RATE and (self.rates or self.rates_in_runs):
                first, last = self.records_of(index, wanted)
                rates |= {at: float(wanted) for at in self.rates if first <= at < last}
                for leaf in self.rates_in_runs:
                    if first <= leaf.record < last:
                        fill = partial(np.full_like, fill_value=wanted)
                        edits[leaf.value.occurrence] = [fill]
            else:
                raise self.unknown_error(name)
        return edits, rates, constants

    def records_of(self, index: Any, wanted: Any) -> tuple[int, int]:
        """Return the range of the records, of one round or all, whose learning rate changes."""
        if isinstance(wanted, bool) or not isinstance(wanted, (int, float)):
            raise InvalidType(
                "what_if(): a learning rate must be a number.",
                expected="a float",
                received=f"{type(wanted).__name__} {wanted!r:.40}",
                fix='write {"lr": 0.01}, or {("lr", 3): 0.01} for round 3',
            )
        first, last = 0, len(self.trace.events)
        if index is not None:
            rounds = self.trace.document.get("rounds", [])
            if type(index) is not int or not 0 <= index < len(rounds):
                raise InvalidArgument(
                    "what_if(): there is no such round.",
                    expected=f"a round from 0 to {len(rounds) - 1}" if rounds else "no round",
                    received=f'("{RATE}", {index!r:.40})',
                    fix='write {"lr": ...} for all rounds',
                )
            first, last = rounds[index]["events"]
        return first, last

    def unknown_error(self, name: Any) -> InvalidArgument:
        """Return the error for an unknown name, or for the name of a computed value."""
        names = [*([RATE] if self.rates or self.rates_in_runs else []), *self.leaves]

        variables = (each for event in self.trace.events for each, _ in variables_in(event))
        computed = name in self.spelled.values() or name in variables
        return InvalidArgument(
            f"what_if(): {name} is computed from other values, so it follows them."
            if computed
            else f"what_if(): nothing in this trace is called {name!r:.40}.",
            expected=f"one of {first_few(names)}"
            if names
            else "a trace with numbers that can be changed",
            received=f"{name!r:.40}",
            fix="change what it is computed from" if computed else "choose one of these names",
        )


def merge(constants: dict[Any, Any], more: Edits) -> None:
    """Add edits to `constants`; places that are unknown stay unknown."""
    for place, others in more.items():
        known = constants.get(place, {})
        constants[place] = None if known is None or others is None else {**known, **others}


def roots_of(records: Sequence[Any]) -> dict[int, list[int]]:
    """Return record -> the tensors from which a backward pass begins; 0 for an unknown tensor."""
    tensors = dict(outputs_of_nodes(records))
    return {
        at: [edge.id if edge.kind == "leaf" else tensors.get(edge, 0) for edge in event.edges]
        for at, event in enumerate(records)
        if isinstance(event, events.BackwardStarted)
    }


def outputs_of_nodes(records: Sequence[Any]) -> Iterator[tuple[Edge, int]]:
    """Yield an edge for each output of a grad node, with the number of the output's tensor."""
    calls: dict[int, tuple[Any, ...]] = {}
    for event in records:
        match event:
            case events.OpFinished() | events.ScopeLeft(kind="pylayer.forward"):
                calls[event.call] = event.outputs
            case events.GradNodeMade():
                for slot, seen in enumerate(flatten(calls.get(event.call, ()))):
                    if seen is not None:
                        yield Edge("node", event.node, slot), seen.id


def edit_of(name: str, value: LoadedValue, index: Any, wanted: Any) -> Edit:
    """Return the edit of a leaf, or raise an error if index or numbers do not fit."""
    shape, dtype = value.shape, np.dtype(value.dtype)
    given = convert(name, wanted, dtype)
    if index is None:
        if given.shape != shape:
            raise InvalidArgument(
                f"what_if(): {name} has another shape.",
                expected=f"numbers of shape {list(shape)}",
                received=f"shape {list(given.shape)}",
                fix=f'change single numbers with {{("{name}", index): number}}'
                if shape
                else f'give one number, as in {{"{name}": 0.5}}',
            )
        return lambda _array: given.copy()
    place = index if isinstance(index, tuple) else (index,)
    fits = len(place) == len(shape) and all(
        isinstance(at, int) and -size <= at < size for at, size in zip(place, shape, strict=True)
    )
    if not fits or given.shape != ():
        raise InvalidArgument(
            f"what_if(): {name} has no number at this place."
            if not fits
            else f"what_if(): at one place of {name} there is one number.",
            expected=f"an index into shape {list(shape)}, and one number",
            received=f'("{name}", {index!r:.40}): {wanted!r:.40}',
            fix=f'change all of it with {{"{name}": numbers}}',
        )
    if array_of(value) is None:
        raise InvalidArgument(
            f"what_if(): the numbers of {name} are too large to be in the recording.",
            expected="all of its numbers",
            received=f'("{name}", {index!r:.40})',
            fix=f'change all of it with {{"{name}": numbers}}',
        )

    def edit(array: Any) -> Any:
        array[place] = given
        return array

    return edit


def convert(name: str, wanted: Any, dtype: Any) -> Any:
    """Return numbers in the dtype of the leaf, or raise an error if they do not fit."""
    try:
        given = np.asarray(wanted.numpy() if hasattr(wanted, "numpy") else wanted)
        result = given.astype(dtype)
        fits = given.dtype.kind in "biufc" and (dtype.kind in "fc" or bool((result == given).all()))
    except (TypeError, ValueError):
        fits, result = False, None
    if not fits:
        raise InvalidType(
            f"what_if(): {name} holds {dtype.name}.",
            expected=f"numbers that are {dtype.name}",
            received=f"{type(wanted).__name__} {wanted!r:.40}",
            fix="give a number, a nested list, a NumPy array or a Tensor",
        )
    return result


# ----- the new document --------------------------------------------------------------------------


class Table(ValueTable):
    """Values of the new trace.

    Moved values get new entries; other values retain their entries, with a mark if they are stale.
    """

    def __init__(self, after: Changed) -> None:
        super().__init__()
        self.after = after

    def add(self, value: Any) -> int:
        array = self.after.arrays.get(value.occurrence)
        if array is not None:
            number = super().add(Value(tuple(array.shape), value.dtype, array))
            if value.occurrence not in self.after.kinks:
                return number
            entry = {**self.entries[number], "kink": True}
        else:
            entry = {key: part for key, part in value.data.items() if key not in MARKS}
            if value.occurrence in self.after.kinks:
                entry["kink"] = True
        why = self.after.stale.get(value.occurrence, "")
        if why:
            entry["stale"] = why
        return self.put(content_key(entry), entry)


def rewrite_document(trace: Recorded, before: AsRecorded, after: Changed) -> dict[str, Any]:
    """Return the document of a trace with the numbers of `after`."""
    old = trace.document
    table = Table(after)
    encoder = Encoder(table, SourceTable(), trace.events)
    changed = [with_constants(event, after.constants) for event in trace.events]
    for at, rate in after.taken.items():
        changed[at] = replace(changed[at], rate=rate)
    document = {**old, "events": encoder.events(changed)}
    document["values"] = table.entries
    if old.get("rounds"):
        document["rounds"] = [*rewrite_rounds(trace, before, after)]
    return document


def rewrite_rounds(trace: Recorded, before: AsRecorded, after: Changed) -> Iterator[dict[str, Any]]:
    """Yield the rounds with their new losses and sizes."""

    def now(value: Any) -> Any:
        if value is None or value.occurrence in after.stale:
            return None
        return after.arrays.get(value.occurrence, before.arrays.get(value.occurrence))

    losses = losses_of(trace.events)
    changed = updates_of(trace.events)
    for row in trace.document["rounds"]:
        first, last = row["events"]
        if first == last:  # the new numbers of a round without events are unknown
            yield {**row, "loss": None, "sizes": []} if after.moved() else row
            continue
        loss, updates = row["loss"], {}
        for at in range(first, last):
            if loss is not None and at in losses:
                array = now(losses[at])
                row = {**row, "loss": None if array is None else plain(float(array.reshape(())))}
            if at in changed:
                parameter, value, grad = changed[at]
                updates[parameter] = now(value), now(grad)
        sizes = []
        for tensor, value, grad in row["sizes"]:
            if tensor in updates:
                arrays = updates[tensor]
                if any(array is None for array in arrays):
                    continue
                value, grad = (plain(size_of(array)) for array in arrays)
            sizes.append([tensor, value, grad])
        yield {**row, "sizes": sizes}


def losses_of(records: Sequence[Any]) -> dict[int, LoadedValue]:
    """Return record -> the loss of the backward pass, or run, that the record begins or ends."""
    shown: dict[int, LoadedValue] = {}
    losses: dict[int, LoadedValue] = {}
    roots = roots_of(records)
    for at, event in enumerate(records):
        if isinstance(event, (events.OpFinished, events.ScopeLeft)):
            for seen in event.outputs:
                if isinstance(seen, events.Seen):
                    shown[seen.id] = seen.value  # type: ignore[assignment]
        found = [shown[tensor] for tensor in roots.get(at, ()) if tensor in shown]
        found = [value for value in found if value.shape in ((), (1,))]
        if found:
            losses[at] = found[-1]
        elif isinstance(event, events.RunFinished):
            numbers: Any = [value for value in event.fetched.values() if is_number(value)]
            losses |= {at: numbers[0]} if len(numbers) == 1 else {}
    return losses


def updates_of(records: Sequence[Any]) -> dict[int, tuple[int | str, Any, Any]]:
    """Return record -> the parameter that the record changes, its new value and its gradient."""
    updates: dict[int, tuple[int | str, Any, Any]] = {}
    named: dict[tuple[int, int], tuple[str, str]] = {}  # operator -> parameter, gradient
    for at, event in enumerate(records):
        match event:
            case events.ParameterUpdated():
                updates[at] = event.tensor.id, event.tensor.value, event.grad
            case events.OperatorAppended(
                role="optimize",
                inputs={
                    "Param": (events.Declared(name=parameter),),
                    "Grad": (events.Declared(name=grad),),
                },
            ):
                named[event.program, event.index] = parameter, grad
            case events.OperatorExecuted() if (event.program, event.index) in named:
                parameter, grad = named[event.program, event.index]
                updates[at] = parameter, event.outputs.get(parameter), event.inputs.get(grad)
    return updates


def is_number(value: events.Value) -> bool:
    """Return whether a value is floating and has one element."""
    return math.prod(value.shape) == 1 and value.dtype.startswith(("float", "bfloat"))
