"""The log of a recording: the engine's events, with copies in place of their arrays.

While a block is recorded, an event costs an append and a copy; numbering, statistics and texts wait
until the trace is read. The statistics of an array of more than 4096 elements are computed at once,
because the engine reuses buffers and a copy would be expensive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import ref

from numpy import ndarray

from minipaddle import events
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import Seen, Value, notes
from minipaddle.events.event_types import Event
from minipaddle.ops import REGISTRY

from ..document.values import SMALL, little_endian, summary, values_in

NEVER: tuple[Any, Any] = (None, None)
MOST_OF_ONE = 8  # most events of one note, except for ops with very many inputs
WHOLE = 1_000_000  # bytes stored of large tensors that no recorded op made, for what_if
FEW = 256  # elements up to which a copy is quicker than a search for an earlier copy

Listener = Callable[[Any], None]


class EventLog:
    """Listener that appends events to a log, with copies or statistics in place of their arrays.

    An event's values are replaced in the event itself, since only listeners read them: that is
    quick, and no large array stays alive. `full` is called with the reached limit, "events" or
    "bytes", and the line, before the first event that is not logged.
    """

    def __init__(
        self,
        log: list[Any],
        full: Callable[[str, SourceLine | None], None] = lambda _what, _place: None,
        most_events: float = float("inf"),
        most_bytes: float = float("inf"),
    ) -> None:
        self.log = log
        self.append = log.append
        self.full, self.most_events, self.most_bytes = full, most_events, most_bytes
        self.bytes = 0  # size of all copies of more than FEW elements
        self.sure = 0.0  # log length below which no limit can be reached
        self.counted = self.events = 0  # length of the log's counted part, number of events in it
        self.note_taker = events.NoteTaker(self.begin, log.append, self.copy_array)
        self.series = self.note_taker.series = events.new_series()
        self.stopped = False
        self.room = WHOLE  # bytes left for large tensors that are stored whole
        self.large: set[int | str] = set()  # tensors or variables not to store whole
        self.drawing: dict[tuple[int, int], Any] = {}  # (Program, index) -> result drawn at random
        self.known: dict[tuple[int, int], tuple[Any, Any]] = {}  # (tensor, version) -> array, copy

    def __call__(self, event: Event) -> None:
        """Log an event that the engine emits, unless logging has stopped."""
        if not self.stopped:
            HANDLERS.get(event.__class__, EventLog.add)(self, event)

    # ----- limits -----

    def is_full(self, place: SourceLine | None = None) -> bool:
        """Return whether a limit is reached, and stop logging if so; called between two steps."""
        if len(self.log) < self.sure:
            return False
        self.events += notes.count(self.log[self.counted :])
        self.counted = len(self.log)
        self.sure = self.counted + (self.most_events - self.events) / MOST_OF_ONE
        if self.events < self.most_events and self.bytes < self.most_bytes:
            return False
        self.stop()
        self.full("bytes" if self.bytes >= self.most_bytes else "events", place)
        return True

    def forget(self, first: int, last: int, cost: int) -> None:
        """Remove the events `first` to before `last`, with `cost` bytes of copies, from the log."""
        if self.counted > first:
            self.events -= notes.count(self.log[first : min(last, self.counted)])
            self.counted -= min(last, self.counted) - first
        self.sure = 0.0
        self.bytes -= cost
        self.known.clear()  # later events must not share copies that are no longer counted
        self.series = events.new_series()
        if self.note_taker.series:
            self.note_taker.series = self.series
        del self.log[first:last]

    def stop(self) -> None:
        """Stop logging."""
        self.note_taker.stop()
        self.stopped = True
        self.known.clear()

    def release(self) -> None:
        """Let go of the log, so that the log lives no longer than its trace."""
        self.stop()
        self.log, self.append, self.full = [], ignore, ignore

    # ----- events -----

    def begin(self, note: Any) -> None:
        """Log the note with which a step begins."""
        if len(self.log) >= self.sure:
            place = next((cell for cell in note if isinstance(cell, SourceLine)), None)
            if self.is_full(place):
                self.note_taker.begin(note)  # updates in the current round are still measured
                return
        self.log.append(note)

    def add(self, event: Event) -> None:
        """Log an event with copies of the values in its fields."""
        for name in event.tensor_fields:
            self.copy_tensors(getattr(event, name))
        for name in event.value_fields:
            for value in values_in(getattr(event, name)):
                self.copy_value(value)
        self.append(event)

    def add_step(self, event: Event) -> None:
        """Log the first event of a step."""
        if not self.is_full(getattr(event, "place", None)):
            self.add(event)

    def on_op_finished(self, event: events.OpFinished) -> None:
        """Log the end of an op, in place of the op's start if that is the last event."""
        last = self.log[-1] if self.log else None
        if isinstance(last, events.OpStarted) and last.call == event.call:
            self.log.pop()
        if not draws(event.op):
            self.large.update(seen.id for seen in event.outputs)
        self.add(event)

    def on_run_started(self, event: events.RunStarted) -> None:
        """Log the start of a Program's run, with large feeds, which no operator makes, whole."""
        self.large.difference_update(event.feeds)
        self.keep_variables(event.feeds)
        self.add(event)

    def on_operator_appended(self, event: events.OperatorAppended) -> None:
        """Log an operator; note the last result of an op such as dropout, which is random."""
        if draws(event.op) and event.kernel and event.kernel.kind == "op":
            self.drawing[event.program, event.index] = event.kernel.results[-1]
        self.add_step(event)

    def on_operator_executed(self, event: events.OperatorExecuted) -> None:
        """Log an operator's run, with large inputs whole if no recorded operator has made them."""
        self.keep_variables(event.inputs)
        drawn = self.drawing.get((event.program, event.index))
        if drawn in event.outputs:
            self.large.discard(drawn)
            self.keep_variables({drawn: event.outputs[drawn]})
        self.large.update(event.outputs)
        self.add_step(event)

    def keep_variables(self, values: dict[str, Value]) -> None:
        """Store all elements of large values that appear for the first time."""
        for name, value in values.items():
            array = None if value.kept or name in self.large else value.data
            if array is not None and array.size > SMALL:
                self.large.add(name)
                self.copy_value(value)
                self.keep_whole(value.data, array)

    def on_parameter_updated(self, event: events.ParameterUpdated) -> None:
        """Log an update without an earlier copy: some optimizers do not change the version."""
        self.known.pop((event.tensor.id, event.tensor.version), None)
        self.add_step(event)

    # ----- arrays -----

    def copy_array(self, array: Any, number: int = 0) -> Any:
        """Return a copy of an array for a note: bytes, an array, or statistics of a large one."""
        size = array.size
        if size > SMALL:
            return self.summary_of(array, number)
        if size > FEW:
            self.bytes += array.nbytes
            if self.bytes >= self.most_bytes:
                self.sure = 0.0
        if array.__class__ is ndarray:
            return array.shape, array.dtype, array.tobytes()
        return array.copy()

    def summary_of(self, array: Any, number: int) -> Value:
        """Return a large array's statistics, with its elements if no op computes them."""
        copy = notes.live(array)
        copy.data, copy.kept = summary(array), True
        if number and number not in self.large:
            self.large.add(number)
            if self.is_given():
                self.keep_whole(copy.data, array)
        return copy

    def keep_whole(self, stats: dict[str, Any], array: Any) -> None:
        """Store all elements of a large array beside its statistics, if there is room."""
        if array.nbytes <= self.room:
            self.room -= array.nbytes
            stats["whole"] = little_endian(array)

    def copy_once(self, array: Any, number: int, version: int) -> Any:
        """Return a copy of a tensor's array: the earlier copy if the version is the same."""
        size = array.size
        if not number or size <= FEW:
            return self.copy_array(array)
        known, copy = self.known.get((number, version), NEVER)
        if array is not (known() if known.__class__ is ref else known):
            copy = self.copy_array(array, number)
            self.known[number, version] = ref(array) if size > SMALL else array, copy
        return copy

    def is_given(self) -> bool:
        """Return whether the tensor that is being copied is no computed result of a recorded op.

        A result of the op whose note was logged last is computed, unless the op draws at random.
        """
        last: Any = self.log[-1] if self.log else None
        is_op = last.__class__ is tuple and last[0] is notes.op_started
        return not is_op or draws(last[2])

    def copy_value(self, value: Value, number: int = 0, version: int = 0) -> None:
        """Replace the array in a value by a copy, or by statistics if it is large."""
        if not value.kept and value.data is not None:
            copy = self.copy_once(value.data, number, version)
            value.data, value.kept = notes.value(copy).data, True

    def copy_tensors(self, tensors: Any) -> None:
        """Replace the arrays in nested tensors by copies."""
        if isinstance(tensors, Seen):
            self.copy_value(tensors.value, tensors.id, tensors.version)
        elif tensors is not None:
            for tensor in tensors:
                self.copy_tensors(tensor)


HANDLERS: dict[type, Callable[[EventLog, Any], None]] = {
    events.OpFinished: EventLog.on_op_finished,
    events.ParameterUpdated: EventLog.on_parameter_updated,
    events.OperatorAppended: EventLog.on_operator_appended,
    events.RunStarted: EventLog.on_run_started,
    events.OperatorExecuted: EventLog.on_operator_executed,
    **dict.fromkeys(
        (events.OpStarted, events.NodeVisited, events.BackwardStarted), EventLog.add_step
    ),
}


def draws(op: str) -> bool:
    """Return whether an op draws random numbers."""
    return op == "dropout" or (op in REGISTRY and REGISTRY[op].random)


def ignore(*_: Any) -> None:
    """Ignore an event that comes after the last logged one."""
