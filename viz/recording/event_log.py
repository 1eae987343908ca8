"""Keeping: what the engine tells, with copies of its small arrays in the place of its own.

While a block is recorded, an event costs an append and a copy; numbering, statistics and texts
wait until somebody looks at the trace. What is larger than 4096 elements is summarised at once,
because buffers are reused and copies of them would be dear.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

from numpy import ndarray

from minipaddle import events
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import Seen, Value, event_types, notes

from ..document.values import SMALL, summary

NEVER: tuple[Any, Any] = (None, None)
MOST_OF_ONE = 8  # records that a note stands for, except of ops with very many inputs
FEW = 256  # elements; to copy them costs less than to look whether they were copied already

Listener = Callable[[Any], None]


class Keeper:
    """Appends records to a log, and puts copies, or statistics, in the place of their arrays.

    A record's values serve nobody but listeners, so they are changed where they stand: nothing
    is quicker, and no large array stays alive. `full` is called with what reached its limit, the
    number of records or the bytes in copies, before the first record that is not kept.
    """

    def __init__(
        self,
        log: list[Any],
        full: Callable[[str, SourceLine | None], None] = lambda _what, _place: None,
        most: float = float("inf"),
        most_bytes: float = float("inf"),
    ) -> None:
        self.log = log
        self.append = log.append
        self.start = events.OpStarted
        self.full, self.most, self.most_bytes = full, most, most_bytes
        self.bytes = 0  # in copies of more than a few elements
        self.sure = 0.0  # up to this length the log has surely not reached its limit
        self.counted = self.records = 0  # how far the log was counted, and how many there were
        self.note_taker = events.NoteTaker(self.begin, log.append, self.keep)
        self.other: Listener = self.keep_any  # what is done with the records that have no handler
        self.handlers: dict[type, Listener] = {  # need no search in annotations
            events.OpStarted: self.op_started,
            events.OpFinished: self.op_finished,
            events.GradNodeMade: self.append,
            events.TensorSaved: self.tensor_saved,
            events.NodeVisited: self.node_visited,
            events.GradComputed: self.grad_computed,
            events.SavedReleased: self.append,
            events.ScopeEntered: self.scope_entered,
            events.ScopeLeft: self.scope_left,
            events.ParameterUpdated: self.parameter_updated,
            events.BackwardStarted: self.step,
            events.OperatorAppended: self.step,
            events.OperatorExecuted: self.step,
        }
        self.known: dict[tuple[int, int], tuple[Any, Any]] = {}  # (tensor, version): array, kept

    def __call__(self, event: Any) -> None:
        """What the bus calls."""
        self.handlers.get(event.__class__, self.other)(event)

    # ----- limits -----

    def crowded(self, place: SourceLine | None = None) -> bool:
        """Whether nothing more is kept; asked where a step ends and the next one begins."""
        if len(self.log) < self.sure and self.bytes < self.most_bytes:
            return False
        self.records += notes.count(self.log[self.counted :])
        self.counted = len(self.log)
        self.sure = self.counted + (self.most - self.records) / MOST_OF_ONE
        if self.records < self.most and self.bytes < self.most_bytes:
            return False
        full, what = self.full, "bytes" if self.bytes >= self.most_bytes else "events"
        self.release()
        full(what, place)
        return True

    def release(self) -> None:
        """Keep no more, and let go of the log, so that it lives no longer than its trace."""
        self.note_taker.stop()
        self.handlers.clear()
        self.known.clear()
        self.other, self.append, self.full = nothing, nothing, nothing
        self.log = []

    def begin(self, note: Any) -> None:
        """The note of a step; what belongs to it is appended as it is."""
        if len(self.log) >= self.sure or self.bytes >= self.most_bytes:
            place = next((cell for cell in note if isinstance(cell, SourceLine)), None)
            if self.crowded(place):
                return
        self.append(note)

    def step(self, event: Any) -> None:
        """A step of its own."""
        if not self.crowded(getattr(event, "place", None)):
            self.keep_any(event)

    # ----- arrays -----

    def keep(self, array: Any, number: int = 0, version: int = 0) -> Any:
        """What stands for an array in a note: its bytes, or a Value with its statistics."""
        if array.__class__ is ndarray and array.size <= FEW:
            return array.shape, array.dtype, array.tobytes()
        return self.keep_larger(array, number, version)

    def keep_larger(self, array: Any, number: int, version: int) -> Any:
        """A larger tensor that did not change since it was last seen is not copied again."""
        kept: Any
        if number:
            known, kept = self.known.get((number, version), NEVER)
            if array is (known() if known.__class__ is ref else known):
                return kept
        size = array.size
        if size <= SMALL:
            host = array.__class__ is ndarray
            kept = (array.shape, array.dtype, array.tobytes()) if host else array.copy()
            self.bytes += array.nbytes if size > FEW else 0
        else:
            kept = notes.live(array)
            kept.data, kept.kept = summary(array), True
        if number:
            self.known[number, version] = ref(array) if size > SMALL else array, kept
        return kept

    def keep_value(self, value: Value | None) -> None:
        """The same in a record: a copy of the array, or its statistics, in its place."""
        if value is not None and not value.kept and value.data is not None:
            replace(value, self.keep(value.data))

    def keep_seen(self, seen: Seen) -> None:
        value = seen.value
        if not value.kept and value.data is not None:
            replace(value, self.keep(value.data, seen.id, seen.version))

    def keep_tensors(self, tensors: Any) -> None:
        for tensor in tensors:
            if tensor.__class__ is Seen:
                if not tensor.value.kept:
                    self.keep_seen(tensor)
            elif tensor is not None:
                self.keep_tensors(tensor)

    # ----- records -----

    def keep_any(self, event: Any) -> None:
        """Whatever the record's annotations say that it holds."""
        tensors, values = KEPT[event.__class__]
        for name in tensors:
            thing = getattr(event, name)
            self.keep_tensors(thing if isinstance(thing, tuple) else (thing,))
        for name in values:
            for value in values_in(getattr(event, name)):
                self.keep_value(value)
        self.append(event)

    def op_started(self, event: events.OpStarted) -> None:
        """Only an in-place op changes its inputs before OpFinished shows them."""
        if self.crowded(event.place):
            return
        if event.op[-1] == "_":
            self.keep_tensors(event.inputs)
        self.append(event)

    def op_finished(self, event: events.OpFinished) -> None:
        """It says all that the start said, so it takes its place, if nothing came between."""
        self.keep_tensors(event.inputs)
        self.keep_tensors(event.outputs)
        log = self.log
        if log:
            last = log[-1]
            if last.__class__ is self.start and last.call == event.call:
                log[-1] = event
                return
        log.append(event)

    def tensor_saved(self, event: events.TensorSaved) -> None:
        if not event.tensor.value.kept:
            self.keep_seen(event.tensor)
        self.append(event)

    def scope_entered(self, event: events.ScopeEntered) -> None:
        self.keep_tensors(event.inputs)
        self.append(event)

    def scope_left(self, event: events.ScopeLeft) -> None:
        self.keep_tensors(event.outputs)
        self.append(event)

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        """Some optimizers change the array and no version."""
        self.known.pop((event.tensor.id, event.tensor.version), None)
        if not self.crowded(event.place):
            self.keep_seen(event.tensor)
            self.keep_value(event.grad)
            self.keep_value(event.before)
            self.append(event)

    def node_visited(self, event: events.NodeVisited) -> None:
        if self.crowded():
            return
        for value in event.arrived:
            if value is not None and not value.kept:
                self.keep_value(value)
        self.append(event)

    def grad_computed(self, event: events.GradComputed) -> None:
        self.keep_value(event.grad)
        self.append(event)


def replace(value: Value, cell: Any) -> None:
    """Put what was kept of an array in the array's place."""
    value.data, value.kept = notes.value(cell).data, True


def nothing(*_: Any) -> None:
    """What is done with records after the last one that is kept."""


def _kept(kind: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which fields of a record hold tensors, and which hold bare values."""
    found: tuple[list[str], list[str]] = [], []
    for f in dataclasses.fields(kind):
        if "Seen" in str(f.type) or "Argument" in str(f.type):
            found[0].append(f.name)
        elif "Value" in str(f.type):
            found[1].append(f.name)
    return tuple(found[0]), tuple(found[1])


KEPT = {
    kind: _kept(kind)
    for kind in vars(event_types).values()
    if dataclasses.is_dataclass(kind) and isinstance(kind, type)
}


def values_in(thing: Any) -> Iterator[Value]:
    """Every bare value inside tuples and mappings."""
    if isinstance(thing, Value):
        yield thing
    elif thing is not None and not isinstance(thing, str):
        for item in thing.values() if isinstance(thing, dict) else thing:
            yield from values_in(item)
