"""Earlier facts that the story of a part of a trace needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from minipaddle import events
from minipaddle.events.event_types import Event

from .rounds import Span
from .values import LoadedValue, values_in
from .variable_names import tensors_of

ODD = ("nan", "inf")


@dataclass(frozen=True, slots=True)
class Before:
    """Earlier facts that the story of a part of a recording needs.

    The part's first `events` events happened earlier: they built the Programs that the part runs,
    and are the ops that its backward returns to. `odd`: nan or inf, if it had appeared. `reached`:
    the leaves that had received a gradient, or None if no backward had run.
    """

    events: int
    odd: tuple[str, ...]
    reached: tuple[int, ...] | None


@dataclass(slots=True)
class Making:
    """Range of the records that made a grad node, `last` included, and the layers around them."""

    first: int
    last: int
    layers: tuple[int, ...]


class History:
    """Index of a trace: the record, or the span, in which things were made or first happened."""

    def __init__(self, records: Sequence[Any], spans: Sequence[Span]) -> None:
        self._records = records
        self._odd: dict[str, int] = {}
        self._leaves: dict[int, int] = {}
        self._backward = len(spans)
        self._built: dict[int, list[int]] = {}  # Program -> records that built it and its parts
        self._around: dict[int, int] = {}  # part of an operator -> the whole Program
        self._made: dict[int, Making] = {}  # grad node -> records that made it
        self._released: dict[int, int] = {}  # grad node -> record that released its tensors
        self._layers: dict[int, tuple[int, int]] = {}  # scope -> records that enter and leave it
        calls: dict[int, int] = {}
        inside: list[int] = []
        for number, span in enumerate(spans):
            for at in range(span.first, span.last):
                self._note_first_span(records[at], number)
                self._note_making(records[at], at, calls, inside)

    def _note_first_span(self, event: Any, number: int) -> None:
        """Note the span of the first nan, inf, gradient of a leaf, or backward."""
        if len(self._odd) < len(ODD):
            for value in values_of(event):
                stats = value.data["stats"] if value.data else {}
                for kind in ODD:
                    if stats.get(kind):
                        self._odd.setdefault(kind, number)
        if isinstance(event, events.LeafReached):
            self._leaves.setdefault(event.tensor.id, number)
        elif isinstance(event, events.BackwardStarted) and event.edges:
            self._backward = min(self._backward, number)

    def _note_making(self, event: Any, at: int, calls: dict[int, int], inside: list[int]) -> None:
        """Note where operators and grad nodes are made; `inside` are scopes of running layers."""
        match event:
            case events.OperatorAppended() | events.PartAppended():
                whole = self._around.get(event.program, event.program)
                self._built.setdefault(whole, []).append(at)
                if isinstance(event, events.PartAppended):
                    self._around[event.part] = whole
            case events.OpStarted() | events.OpFinished():
                calls.setdefault(event.call, at)
            case events.ScopeEntered(kind="layer" | "control"):
                self._layers[event.scope] = at, len(self._records)
                inside.append(event.scope)
            case events.ScopeEntered():
                calls.setdefault(event.call, at)
            case events.ScopeLeft() if event.scope in inside:
                self._layers[event.scope] = self._layers[event.scope][0], at
                del inside[inside.index(event.scope) :]
            case events.GradNodeMade() if event.call in calls:
                self._made[event.node] = Making(calls[event.call], at, tuple(inside))
            case events.TensorSaved() if event.node in self._made:
                self._made[event.node].last = at
            case events.SavedReleased():
                self._released.setdefault(event.node, at)

    # ----- facts of a span -----------------------------------------------------------------------

    def given(self, span: Span) -> list[Any]:
        """Return the earlier records that made the Programs and grad nodes that a span runs."""
        programs: dict[int, None] = {}
        nodes: dict[int, None] = {}
        for event in self._records[span.first : span.last]:
            match event:
                case events.RunStarted():
                    programs[event.program] = None
                case events.NodeVisited():
                    nodes[event.node] = None
                case events.Failed(during="node"):
                    nodes[event.id] = None
        found = {at for number in programs for at in self._built.get(number, ())}
        for making in filter(None, map(self._made.get, nodes)):
            found.update(range(making.first, making.last + 1))
            around = [self._layers[scope] for scope in making.layers]
            found.update(at for layer in around if layer[1] < span.first for at in layer)
        made = (self._records[at] for at in sorted(found) if at < span.first)
        return [event for event in made if not self._is_gone(event, span)]

    def _is_gone(self, event: Any, span: Span) -> bool:
        """Return whether an event saved a tensor that was released before the span."""
        saved = isinstance(event, events.TensorSaved)
        return saved and self._released.get(event.node, span.first) < span.first

    def before(self, number: int, given: int, tensors: Mapping[int, int]) -> Before:
        """Return the facts from before a span; `tensors` maps the trace's numbers to a part's."""
        odd = sorted(kind for kind, first in self._odd.items() if first < number)
        reached = (new for old, new in tensors.items() if self._leaves.get(old, number) < number)
        return Before(given, (*odd,), (*sorted(reached),) if self._backward < number else None)


def values_of(event: Event) -> Iterator[LoadedValue]:
    """Yield every value of an event."""
    for seen in tensors_of(event):
        yield seen.value  # type: ignore[misc]
    for name in event.value_fields:
        yield from values_in(getattr(event, name))  # type: ignore[misc]


def variables_in(event: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the Variables of a Program that an event shows."""
    rows: tuple[Any, ...] = ()
    match event:
        case events.RunStarted():
            rows = (*event.feeds.items(),)
        case events.OperatorExecuted():
            rows = *event.inputs.items(), *event.outputs.items()
        case events.PyFuncCalled():
            rows = *event.arguments, *event.results
    yield from ((name, value) for name, value in rows if value is not None)
