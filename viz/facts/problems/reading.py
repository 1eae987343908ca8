"""The events of a whole trace, indexed for the functions that find problems.

Events are counted through the whole trace; `Reading.spot` returns the step and the box that show an
event. A chapter is a part of a trace with one graph.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar

from minipaddle import events
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import Seen, Value
from minipaddle.events.event_types import Event
from minipaddle.messages import Message, Text

from ...document.values import is_zero
from ...document.variable_names import GENERATED, tensors_of
from ...model import GIVEN, Problem, group_by_key
from ...story import ids
from ...story.chapters import Chapter, Recorded
from ...story.finite_differences import first_three
from ...story.foresight import gradients, updates_by_hand
from .thresholds import Thresholds

E = TypeVar("E", bound=Event)


class Spot(NamedTuple):
    """Step of the whole trace, and a box of its chapter's graph."""

    step: int
    node: str | None


class Arrival(NamedTuple):
    """Gradient that arrived at a leaf."""

    at: int
    grad: Value | None
    held: Value | None = None  # gradient from before this pass, if it was not 0
    added: int = 0  # event that added the new gradient to `held`


@dataclass(slots=True)
class Leaf:
    """Leaf that wants a gradient; its gradients and updates."""

    first: Seen
    used: int
    graded: int = -1  # its first use from which a gradient could come
    arrivals: list[Arrival] = field(default_factory=list)
    updates: list[int] = field(default_factory=list)  # events of optimizers, or in-place ops
    has_gradient: bool = False  # whether a gradient arrived, or `paddle.grad` returned one
    stray: str = ""  # the outermost layer that uses this parameter and does not hold it

    @property
    def parameter(self) -> bool:
        return self.first.kind == "parameter"


@dataclass(slots=True)
class OptimizerStep:
    """One step() of an optimizer, and the updates in it; `over` if it was recorded to its end."""

    at: int
    name: str
    lacking: tuple[str, ...] = ()  # names of its parameters without a gradient
    updates: list[int] = field(default_factory=list)
    over: bool = False


class Call(NamedTuple):
    """Op that ran outside of PyLayers, and the layer around it, or ""."""

    at: int
    event: events.OpFinished
    layer: str
    inputs: list[Seen]


class Maker(NamedTuple):
    """Op or PyLayer that returned a tensor, and its inputs."""

    name: str
    call: int
    made: Seen
    inputs: list[Seen]
    attrs: Mapping[str, Any] = {}


class Cut(NamedTuple):
    """End of a tensor's history: `made`, computed from `wanting`, wants no gradient.

    `maker` computed `made`; it is None if detach() did.
    """

    maker: Maker | None
    wanting: Seen
    made: Seen


class Copy(NamedTuple):
    """Tensor with the numbers of another but not its history, and the event that first uses it."""

    at: int
    seen: Seen
    of: Seen
    layer: str  # layer that computed `of`, or ""


class Reading:
    """Events of a trace, indexed by kind, tensor, leaf and step."""

    def __init__(self, trace: Recorded, limits: Thresholds) -> None:
        self.trace, self.limits, self.chapters = trace, limits, trace.chapters
        self.leaves: dict[int, Leaf] = {}
        self.calls: list[Call] = []
        self.optimizers: list[OptimizerStep] = []
        self.makers: dict[int, Maker] = {}  # tensor -> its maker
        self._by_kind: dict[type, list[tuple[int, Any]]] = {}
        self._records: dict[int, tuple[list[int], list[int]]] = {}  # chapter -> steps
        self._known: dict[int, dict[str, str]] = {}  # first step of a chapter -> kinds of its boxes
        self._frames: list[events.ScopeEntered] = []
        self._held: dict[str, set[str]] = {}  # layer -> names of its parameters
        self._made: dict[int, tuple[int, list[Seen]]] = {}  # result -> event, leaves
        self._earlier: dict[int, tuple[int, Value]] = {}  # leaf -> event, old gradient
        self._gradients = gradients(trace.events, trace.names)
        handlers: dict[type, Callable[[int, Any], None]] = {
            events.OpFinished: self._note_op,
            events.ScopeEntered: self._enter_scope,
            events.ScopeLeft: self._leave_scope,
            events.GradComputed: self._note_gradient_computed,
            events.GradAccumulated: self._note_accumulation,
            events.LeafReached: self._note_arrival,
            events.ParameterUpdated: self._note_update,
        }
        for at, event in enumerate(trace.events):
            self._by_kind.setdefault(event.__class__, []).append((at, event))
            if handle := handlers.get(event.__class__):
                handle(at, event)

    def of(self, kind: type[E]) -> list[tuple[int, E]]:
        """Return the events of a class, each with its number."""
        return self._by_kind.get(kind, [])

    def pass_place(self, at: int) -> SourceLine | None:
        """Return the line that began the backward pass in which an event happened."""
        passes = self.of(events.BackwardStarted)
        which = bisect_right(passes, at, key=itemgetter(0)) - 1
        return passes[which][1].place if which >= 0 else None

    # ----- handlers of events --------------------------------------------------------------------

    def _note_op(self, at: int, event: events.OpFinished) -> None:
        inputs = list(tensors_of(event.inputs))
        inside = any(frame.kind.startswith("pylayer") for frame in self._frames)
        if inside or not event.outputs:
            return
        layer = self._frames[-1].name if self._frames else ""
        self.calls.append(Call(at, event, layer, inputs))
        for out in event.outputs:
            self.makers[out.id] = Maker(event.op, event.call, out, inputs, event.attrs)
        leaves = [seen for seen in inputs if seen.leaf and seen.id not in self._gradients]
        wanting = [seen for seen in leaves if not seen.stop_gradient]
        for seen in wanting:
            leaf = self.leaves.get(seen.id)
            if leaf is None:
                leaf = self._overwritten_leaf(seen) or Leaf(seen, at, stray=self._stray_layer(seen))
                self.leaves[seen.id] = leaf
            if leaf.graded < 0 and any(not out.leaf for out in event.outputs):
                leaf.graded = at
        for out in event.outputs if wanting else ():
            self._made[out.id] = at, wanting

    def _stray_layer(self, seen: Seen) -> str:
        """Return the outermost running layer if it does not hold this parameter, else ""."""
        outermost = next((frame.name for frame in self._frames if frame.kind == "layer"), "")
        held = self._held.get(outermost)
        is_stray = seen.kind == "parameter" and held is not None and seen.name not in held
        return self._layer_name(outermost) if is_stray else ""

    def _overwritten_leaf(self, seen: Seen) -> Leaf | None:
        """Return the leaf that an in-place op turned into this tensor, or None; note the update."""
        at, given = self._made.get(seen.id, (0, []))
        for before in given:
            if before.version < seen.version and before.value.shape == seen.value.shape:
                leaf = self.leaves[before.id]
                leaf.updates.append(at)
                return leaf
        return None

    def _enter_scope(self, at: int, event: events.ScopeEntered) -> None:
        self._frames.append(event)
        parameters = (event.parameters or {}).values()
        if event.kind == "optimizer":
            self.optimizers.append(OptimizerStep(at, event.name, tuple(parameters)))
        elif event.kind == "layer":
            self._held.setdefault(event.name, set()).update(parameters)

    def _layer_name(self, layer: str) -> str:
        """Return the user's name for a layer, such as `net` or `encoder`, or its class."""
        _, _, role = layer.partition(" ")
        kind, _, number = layer.rpartition("_")
        alone = kind if number.isdecimal() else layer
        return self.trace.layers.get(layer) or role or alone

    def _leave_scope(self, _: int, event: events.ScopeLeft) -> None:
        frame = None
        while self._frames and (frame is None or frame.scope != event.scope):
            frame = self._frames.pop()
        if event.kind == "pylayer.forward":
            inputs = list(tensors_of(frame.inputs)) if frame else []
            made = list(tensors_of(event.outputs))
            self.makers |= {x.id: Maker(event.name, event.call, x, inputs) for x in made}
        if event.kind == "optimizer" and self.optimizers:
            self.optimizers[-1].over = True

    def _note_gradient_computed(self, _: int, event: events.GradComputed) -> None:
        """Note that a gradient was computed for a leaf, even if `paddle.grad` only returns it."""
        leaf = self.leaves.get(event.edge.id) if event.edge.kind == "leaf" else None
        if leaf is not None and event.grad is not None:
            leaf.has_gradient = True

    def _note_accumulation(self, at: int, event: events.GradAccumulated) -> None:
        if event.edge.kind == "leaf" and event.stored and not is_zero(event.held.data):
            self._earlier[event.edge.id] = at, event.held

    def _note_arrival(self, at: int, event: events.LeafReached) -> None:
        seen = event.tensor
        leaf = self.leaves.setdefault(seen.id, Leaf(seen, at))
        added, held = self._earlier.pop(seen.id, (0, None))
        leaf.has_gradient = True
        leaf.arrivals.append(Arrival(at, event.grad, held, added))

    def _note_update(self, at: int, event: events.ParameterUpdated) -> None:
        if event.tensor.id in self.leaves:
            self.leaves[event.tensor.id].updates.append(at)
        if self.optimizers:
            self.optimizers[-1].updates.append(at)

    # ----- facts derived from all events ---------------------------------------------------------

    @cached_property
    def passes(self) -> list[int]:
        """Numbers of the events that begin a backward pass with something to do."""
        return [at for at, event in self.of(events.BackwardStarted) if event.edges]

    @cached_property
    def readers(self) -> dict[int, list[Call]]:
        """Tensor -> calls that read it."""
        return group_by_key((seen.id, call) for call in self.calls for seen in call.inputs)

    @cached_property
    def graded(self) -> dict[int, int]:
        """Call of an op -> its node of the tape."""
        return {event.call: event.node for _, event in self.of(events.GradNodeMade)}

    @cached_property
    def aliases(self) -> dict[int, events.ValuesTaken]:
        """Detached tensor -> the event of its detach()."""
        taken = (event for _, event in self.of(events.ValuesTaken))
        return {event.tensor.id: event for event in taken if event.way == "alias"}

    @cached_property
    def gradients(self) -> dict[int, int]:
        """Tensor that holds a gradient -> the leaf that the gradient belongs to."""
        given = (each for _, event in self.of(events.BackwardFinished) for each in event.results)
        found = {each.holder: each.edge.id for each in given if each.edge.kind == "leaf"}
        return found | {event.holder: event.tensor.id for _, event in self.of(events.LeafReached)}

    @cached_property
    def missed(self) -> dict[int, tuple[int, events.GradMissed]]:
        """Tensor -> the last event at which its gradient was missing, if none arrived later."""
        last = {event.tensor.id: (at, event) for at, event in self.of(events.GradMissed)}
        reached = {event.tensor.id: at for at, event in self.of(events.LeafReached)}
        return {number: each for number, each in last.items() if reached.get(number, -1) < each[0]}

    @cached_property
    def lacking(self) -> set[str] | None:
        """Names of parameters without gradient at an optimizer's step; None if not recorded."""
        scopes = (event for _, event in self.of(events.ScopeEntered) if event.kind == "optimizer")
        stated = [event.parameters for event in scopes if event.parameters is not None]
        return {name for some in stated for name in some.values()} if stated else None

    @cached_property
    def used(self) -> set[str]:
        """Names of the parameters that ops read."""
        inputs = (tensors_of(event.inputs) for _, event in self.of(events.OpFinished))
        return {seen.name for some in inputs for seen in some if seen.kind == "parameter"}

    def path(self, name: str) -> str:
        """Return a parameter as an attribute of the first called layer with it, or its name."""
        for _, event in self.of(events.ScopeEntered):
            for attribute, held in (event.parameters or {}).items():
                if event.kind == "layer" and held == name:
                    return f"{self._layer_name(event.name)}.{attribute}"
        return name

    @property
    def whole(self) -> bool:
        """Whether the trace is complete: no limit reached, no round left out, no part cut out."""
        all_kept = all(each.kept for each in self.trace.rounds)
        return self.trace.cut is None and all_kept and not self.trace.part

    def is_detached(self, number: int) -> bool:
        """Return whether user code detached a tensor, or one that was computed from it."""
        taken = (event for _, event in self.of(events.ValuesTaken))
        sources = {event.source.id for event in taken if event.way in ("alias", "cut")}
        return not self._computed_from(number).isdisjoint(sources)

    def root(self, number: int) -> int:
        """Return the tensor that owns the memory of a detached tensor."""
        while number in self.aliases:
            number = self.aliases[number].source.id
        return number

    def _computed_from(self, number: int) -> set[int]:
        """Return a tensor and all tensors whose gradients flow back to it."""
        reached, todo = {number}, [number]
        for each in todo:
            graded = (call for call in self.readers.get(each, ()) if call.event.call in self.graded)
            new = {seen.id for call in graded for seen in call.event.outputs} - reached
            reached |= new
            todo += new
        return reached

    def cut(self, number: int) -> Cut | None:
        """Return the nearest end of history before a tensor without gradient, or None."""
        todo = [number]
        for each in todo:
            alias, maker = self.aliases.get(each), self.makers.get(each)
            if alias is not None:
                if not alias.source.stop_gradient:
                    return Cut(None, alias.source, alias.tensor)
                todo.append(alias.source.id)
            elif maker is not None:
                wanting = next((seen for seen in maker.inputs if not seen.stop_gradient), None)
                if wanting is not None:
                    return Cut(maker, wanting, maker.made)
                todo += [seen.id for seen in maker.inputs if seen.id not in todo]
        return None

    def is_rebuilt(self, number: int) -> bool:
        """Return whether a tensor is the result of an update by hand: `w - 0.1 * w.grad`."""
        alias = self.aliases.get(number)
        maker = self.makers.get(number if alias is None else alias.source.id)
        return maker is not None and maker.call in self._calls_of_updates

    @cached_property
    def _calls_of_updates(self) -> set[int]:
        return updates_by_hand(self.trace.events, self.trace.names)

    def copied(self, number: int) -> Copy | None:
        """Return a copy without history of a result of a tensor, as made through NumPy, or None.

        A copy is a later tensor with the same numbers, of which several differ.
        """
        reached = self._computed_from(number)
        for call in self.calls if self._tensors_given else ():
            for of in call.event.outputs:
                if of.id in reached and (given := self._tensors_given.get(content_of(of.value))):
                    at, seen = given
                    if of.id < seen.id:
                        return Copy(at, seen, of, call.layer)
        return None

    @cached_property
    def _tensors_given(self) -> dict[object, tuple[int, Seen]]:
        """Content -> the first tensor with it that no op made, and the event of its first use."""
        made = {out.id for call in self.calls for out in call.event.outputs}
        given: dict[object, tuple[int, Seen]] = {}
        for call in self.calls:
            for seen in call.inputs:
                if seen.leaf and seen.stop_gradient and seen.id not in made:
                    given.setdefault(content_of(seen.value), (call.at, seen))
        given.pop(None, None)
        return given

    def each_leaf(self) -> list[Leaf]:
        """Return each leaf once, although a leaf that was changed in place has several numbers."""
        return [leaf for number, leaf in self.leaves.items() if number == leaf.first.id]

    # ----- places --------------------------------------------------------------------------------

    def chapter_number(self, at: int) -> int:
        """Return the number of an event's chapter."""
        return max(0, bisect_right(self.chapters, at, key=attrgetter("begins")) - 1)

    def _steps_by_record(self, number: int) -> tuple[list[int], list[int]]:
        """Return the records that begin steps of a chapter, in order, and the first step of each.

        Steps of memory are left out, because the player hides them at first.
        """
        if number not in self._records:
            first: dict[int, int] = {}
            for step in self.chapters[number].trace.story.steps:
                if not step.of_memory:
                    first.setdefault(step.record, step.index)
            records = sorted(first)
            self._records[number] = records, [first[record] for record in records]
        return self._records[number]

    def spot(self, at: int, tensor: int = 0) -> Spot:
        """Return the step of an event, or the last step before it, and a box of that step.

        The box is that of the leaf `tensor`, if it has one, or the running box.
        """
        number = self.chapter_number(at)
        chapter = self.chapters[number]
        records, steps = self._steps_by_record(number)
        place = bisect_right(records, at - chapter.begins + chapter.given) - 1
        if not steps:
            return Spot(chapter.first, None)
        step = steps[max(0, place)]
        return Spot(chapter.first + step, self.box(chapter, step, tensor))

    def box(self, chapter: Chapter[Recorded], step: int, tensor: int = 0) -> str | None:
        """Return the box of a leaf, or the running box of a step of a chapter."""
        story = chapter.trace.story
        kinds = self._kinds_of_boxes(chapter)
        own = ids.tensor(chapter.tensor(tensor)) if tensor else ""
        if own in kinds:
            return own
        active = story.steps[step].nodes
        busy = [box for box in active if kinds.get(box) not in (None, *GIVEN, "result", "port")]
        return next(reversed(busy or active), None)

    def partner(self, at: int, box: str | None) -> str | None:
        """Return the forward partner of a box in the chapter of an event, or the box itself."""
        story = self.chapters[self.chapter_number(at)].trace.story
        return next((node.pair for node in story.graph.nodes if node.id == box), None) or box

    def _kinds_of_boxes(self, chapter: Chapter[Recorded]) -> dict[str, str]:
        if chapter.first not in self._known:
            graph = chapter.trace.story.graph
            self._known[chapter.first] = {node.id: node.kind for node in graph.nodes}
        return self._known[chapter.first]

    def call_of(self, chapter: Chapter[Recorded], box: str) -> events.OpFinished | None:
        """Return the call that a box of a chapter shows, or None if the box shows no op."""
        calls = (e for e in chapter.trace.events if isinstance(e, events.OpFinished))
        return next((event for event in calls if ids.op(event.call) == box), None)

    # ----- words ---------------------------------------------------------------------------------

    def name(self, seen: Seen) -> Message:
        """Return the user's name for a tensor, its attribute `name`, or a text with its shape."""
        names = self.trace.names
        if (seen.id, 0) in names:
            return Text(names[seen.id, 0])
        if seen.name and not GENERATED.fullmatch(seen.name):
            return Text(seen.name)
        inner = [name for _, name in self.trace.spelled_by_tensor.get(seen.id, ())]
        if inner:
            return Text(inner[0])
        shape = list(seen.value.shape)
        return Message("a tensor {shape}", shape=shape)

    def called(self, at: int) -> list[str]:
        """Return the names of the values shown in the step of an event."""
        chapter = self.chapters[self.chapter_number(at)]
        step = chapter.trace.story.steps[self.spot(at).step - chapter.first]
        return [shown.name for shown in step.shown]

    def names(self, seen: Sequence[Seen]) -> Message:
        """Return a text with the names of the first three tensors."""
        return first_three([self.name(each) for each in seen])

    def problem(self, kind: str, at: int, text: Message, todo: Message, tensor: int = 0) -> Problem:
        """Return a problem at the step and box of an event."""
        return Problem(kind, *self.spot(at, tensor), text, todo)

    def line(self, place: Any) -> str:
        """Return the user's line of code at a place, or ""."""
        sources = self.trace.sources
        if place is None or not 0 <= place.file < len(sources):
            return ""
        return sources[place.file].line(place.line)


def content_of(value: Value) -> tuple[tuple[int, ...], str] | None:
    """Return a key of an array with several different floats, or None for any other value."""
    entry = value.data
    data, stats = entry["data"], entry.get("stats") or {}
    if data is None or not value.dtype.startswith("float") or not stats.get("std"):
        return None
    return tuple(entry["shape"]), str(data)
