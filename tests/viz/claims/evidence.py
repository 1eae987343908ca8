"""What happened, from the raw records of a trace alone: moments in order, and what was so at each.

Nothing here asks the story or its builders. A moment is what one step of a story should tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.events import Seen, Value
from minipaddle.ops import REGISTRY
from viz.trace import Trace

from .code import Code
from .slots import before_of


def flat(arguments: Iterable[Any]) -> list[Seen | None]:
    """Arguments with the tensors of lists one after the other."""
    row: list[Seen | None] = []
    for argument in arguments:
        if isinstance(argument, (tuple, list)):
            row += flat(argument)
        else:
            row.append(argument)
    return row


def array(value: Value) -> np.ndarray | None:
    """The elements that were recorded; None where only statistics were."""
    data = value.data["data"]
    real = value.dtype.startswith(("float", "bfloat"))  # then NaN and Inf stand there as texts
    return None if data is None else np.array(data, dtype=float if real else None)


def bytes_of(value: Value) -> int:
    """The memory of a value by its shape and dtype."""
    width = 2 if value.dtype == "bfloat16" else np.dtype(value.dtype).itemsize
    return int(np.prod(value.shape, dtype=np.int64)) * width


@dataclass(slots=True)
class Call:
    """An op, or the forward of a PyLayer (then with the number of its scope)."""

    name: str
    inputs: list[Seen | None]
    place: Any
    scope: int = 0
    outputs: list[Seen | None] = field(default_factory=list)
    graded: bool = False
    attrs: Mapping[str, Any] = field(default_factory=dict)


class Maker(NamedTuple):
    """What made a tensor: words for it, what it read, and where it was called."""

    words: str
    inputs: list[Seen | None]
    place: Any


@dataclass(slots=True)
class Pass:
    """One backward pass: how many gradients were handed to each target, and added up there."""

    place: Any
    handed: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    added: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    visit: Moment | None = None


@dataclass(slots=True)
class Moment:
    """What one step tells. `scopes`: whose names hold, the innermost first, 0 for outside."""

    time: float
    kind: str
    event: Any
    scopes: tuple[int, ...]
    place: Any = None
    parts: list[Any] = field(default_factory=list)  # further records of it
    entered: Any = None  # the backward of a PyLayer that is called
    index: int = 0  # among several of one record
    summand: bool = False  # of the same pass
    changed: dict[int, Value] = field(default_factory=dict)  # by hooks, before a node computes


def target(edge: Any) -> tuple[str, int, int]:
    return edge.kind, edge.id, edge.slot


class Evidence:
    """The records of a trace, put in order; `rates`: of the optimizers that were at work."""

    def __init__(self, trace: Trace, rates: Mapping[str, float]) -> None:
        self.trace, self.rates = trace, rates
        self.code = Code(trace)
        self.records = trace.events
        self.table = {(tensor, scope): name for tensor, scope, name in trace.document["names"]}
        self.calls: dict[int, Call] = {}
        self.nodes: dict[int, events.GradNodeMade] = {}
        self.saved: dict[int, list[events.TensorSaved]] = {}
        self.layers = layer_calls(self.records)
        self.startup = startup_programs(self.records)
        self.appended: dict[tuple[int, int], events.OperatorAppended] = {}
        self.seen: dict[int, list[Seen]] = {}  # each tensor, as often as it was seen
        self.makers: dict[int, list[Maker]] = {}  # of each tensor
        self.read: dict[tuple[str, int, int], int] = {}  # tensor: by where its gradient goes
        self.subscripts: set[str] = set()  # of `x[0:8]`, whatever letters stand in the code
        self.uses: Counter[int] = Counter()  # of a tensor, by work that has a node of the tape
        self.runs: dict[int, Any] = {}  # by Program: where the last run began
        self.at: Any = None  # the line of the operator that ran last
        self.holders: set[int] = set()  # tensors that are some `.grad`
        self.scopes: list[events.ScopeEntered] = []
        self.passes: list[Pass] = []
        self.before = before_of(trace)
        every = sorted(self._moments(), key=lambda moment: moment.time)
        self.moments = [moment for moment in every if moment.time >= self.before.events]
        for call in self.calls.values():
            if call.graded:
                self.uses.update(seen.id for seen in call.inputs if seen)

    # ----- what is known -------------------------------------------------------------------------

    def call_of(self, node: int) -> Call | None:
        """The call that a node of the tape is of."""
        made = self.nodes.get(node)
        return self.calls.get(made.call) if made else None

    def tensor_at(self, edge: Any) -> int | None:
        """The tensor whose gradient goes along an edge."""
        if edge.kind == "leaf":
            return int(edge.id)
        call = self.call_of(edge.id)
        if call is None:  # it was made before; maybe it is known by who read it
            return self.read.get(target(edge))
        seen = call.outputs[edge.slot] if edge.slot < len(call.outputs) else None
        return seen.id if seen else None

    def goes_to(self, summed: events.GradUnbroadcast) -> int | None:
        """The tensor of a gradient that was summed up, by where it is handed on to."""
        later = self.records[self.records.index(summed) :]
        computed = (event for event in later if isinstance(event, events.GradComputed))
        found = (e for e in computed if (e.node, e.index) == (summed.node, summed.index))
        edge = next((event.edge for event in found), None)
        return self.tensor_at(edge) if edge else None

    def names_of(self, tensor: int, scopes: Iterable[int]) -> list[str]:
        """What the code calls a tensor, by the table of names, in these scopes."""
        return [self.table[tensor, scope] for scope in scopes if (tensor, scope) in self.table]

    # ----- the walk ------------------------------------------------------------------------------

    def _names_hold(self) -> tuple[int, ...]:
        scopes: list[int] = []
        for scope in reversed(self.scopes):
            scopes.append(scope.scope)
            if scope.kind == "pylayer.backward" and scope.call in self.calls:
                scopes.append(self.calls[scope.call].scope)
        return (*scopes, 0)

    def _moments(self) -> Iterator[Moment]:
        before: Any = None
        freeing: Moment | None = None
        for time, event in enumerate(self.records):
            if not isinstance(event, events.VariableFreed):
                freeing = None
            elif freeing:
                freeing.parts.append(event)
                continue
            for moment in self._of(time, event, before):
                if moment.kind == "free":
                    freeing = moment
                yield moment
            before = event
        trace, end = self.trace, len(self.records)
        if trace.cut:
            yield Moment(end, "cut", trace.cut, (0,), trace.cut.place)
        if trace.ended and not isinstance(before, events.Failed):
            yield Moment(end + 1, "error", trace.ended, (0,), trace.ended.place)

    def _of(self, time: int, event: Any, before: Any) -> Iterator[Moment]:
        """The moments that a record is, or none; first what it changes."""
        for seen in tensors_in(event):
            self.seen.setdefault(seen.id, []).append(seen)
        place, now = getattr(event, "place", None), self.passes[-1] if self.passes else None
        names = self._names_hold()

        def moment(kind: str, **more: Any) -> Moment:
            return Moment(**{"time": time, "kind": kind, "event": event, "scopes": names,
                             "place": place, **more})  # fmt: skip

        match event:
            case events.OpStarted():
                self.calls[event.call] = Call(
                    event.op, flat(event.inputs), place, attrs=event.attrs
                )
            case events.OpFinished():
                given = flat(event.inputs)
                call = Call(event.op, given, place, outputs=list(event.outputs), attrs=event.attrs)
                self.calls[event.call] = call
                self.subscripts |= {subscript(event.attrs)} if "index" in event.attrs else set()
                self._made(event.outputs, Maker(words_for(event), call.inputs, place))
                yield moment("op")
            case events.ValuesTaken() if event.place and not now:
                if event.source.id not in self.holders:
                    if event.tensor.id != event.source.id:
                        words = "detach to_tensor numpy"
                        self._made([event.tensor], Maker(words, [event.source], place))
                    yield moment("detach")
            case events.ScopeEntered(kind="pylayer.forward"):
                self.calls[event.call] = Call(event.name, flat(event.inputs), place, event.scope)
                self.scopes.append(event)
                yield moment("enter", scopes=self._names_hold())
            case events.ScopeEntered():
                self.scopes.append(event)
                if event.kind == "pylayer.backward" and now and now.visit:
                    now.visit.kind, now.visit.entered = "receive", event
                    now.visit.scopes = self._names_hold()
                    now.visit.place = place or now.visit.place
            case events.ScopeLeft():
                yield from self._left(event, moment)
            case events.LayerHookRan():
                yield moment("layer_hook")
            case events.ContextMarked():
                yield moment("mark")
            case events.GradNodeMade():
                self.nodes[event.node] = event
                if event.call in self.calls:
                    call = self.calls[event.call]
                    call.graded = True
                    for edge, seen in zip(event.edges, call.inputs, strict=False):
                        if edge and seen:
                            self.read[target(edge)] = seen.id
            case events.TensorSaved():
                yield from self._saved(event, moment)
            case events.BackwardStarted():
                self.passes.append(Pass(place))
                for i, edge in enumerate(event.edges):
                    self.passes[-1].handed[target(edge)] += 1
                    yield moment("seed", index=i)
                if not event.edges:
                    yield from (moment("idle", index=i) for i in range(len(event.roots)))
            case events.BackwardFinished():
                self.passes.pop()
            case events.NodeVisited() if now:
                now.visit = moment("visit", place=now.place)
                yield now.visit
            case events.GradUnbroadcast() if now and now.visit:
                now.visit.parts.append(event)
                yield moment("unbroadcast", place=now.place)
            case events.GradComputed() if now and now.visit:
                now.visit.parts.append(event)
                now.handed[target(event.edge)] += event.grad is not None
            case events.GradAccumulated() if now:
                goal = target(event.edge)
                summand = now.handed[goal] - 1 > now.added[goal]
                now.added[goal] += summand
                yield moment("accumulate", place=now.place, summand=summand)
            case events.HookRan():
                visit = now.visit if now else None
                of_its_node = visit and target(event.edge)[:2] == ("node", visit.event.node)
                if visit and of_its_node and not visit.parts:
                    visit.time = time + 0.5  # hooks of what it is given run before it does
                    visit.changed[event.edge.slot] = event.after
                yield moment("hook")
            case events.LeafReached():
                self.holders.add(event.holder)
                yield moment("leaf", place=now and now.place)
            case events.SavedReleased():
                if event.node in self.saved:
                    yield moment("release", place=now and now.place)
            case events.ParameterUpdated():
                yield moment("update")
            case events.Failed():
                if not isinstance(before, events.Failed):
                    yield moment("error")
                self._failed(event)
            case _:
                yield from self._of_program(event, before, moment)

    def _left(self, event: Any, moment: Any) -> Iterator[Moment]:
        """A scope is over; the two halves of a PyLayer tell so."""
        while self.scopes and self.scopes[-1].scope != event.scope:
            self.scopes.pop()
        names = self._names_hold()
        entered = self.scopes.pop() if self.scopes else None
        if event.kind == "pylayer.forward":
            call = self.calls[event.call]
            call.outputs = flat(event.outputs)
            self._made(call.outputs, Maker(call.name, call.inputs, call.place))
            yield moment("leave", scopes=names, place=entered and entered.place)
        elif event.kind == "pylayer.backward":
            now = self.passes[-1]
            assert now.visit
            yield moment("return", scopes=names, entered=now.visit, place=now.visit.place)
        elif entered is not None:
            maker = Maker(event.name, flat(entered.inputs), entered.place)
            self._made(flat(event.outputs), maker)

    def _made(self, outputs: Iterable[Seen | None], maker: Maker) -> None:
        for seen in outputs:
            if seen is not None:
                self.makers.setdefault(seen.id, []).append(maker)

    def _saved(self, event: Any, moment: Any) -> Iterator[Moment]:
        """The first value that a node keeps, with those that follow; a PyLayer's before it ends."""
        first = event.node not in self.saved
        self.saved.setdefault(event.node, []).append(event)
        if not first:
            return
        call = self.call_of(event.node)
        early = call is not None and bool(call.scope)
        made = moment("save", parts=self.saved[event.node])
        made.place = event.place or (call and call.place)
        made.scopes = (call.scope if call else 0, *made.scopes)
        if early:
            made.time = self.layers[self.nodes[event.node].call] - 0.5
        yield made

    def _failed(self, event: Any) -> None:
        """What an exception leaves is over."""
        if event.during == "scope":
            while self.scopes and self.scopes.pop().scope != event.id:
                pass
        elif event.during in ("node", "leaf") and self.passes:
            self.passes.pop()

    def _of_program(self, event: Any, before: Any, moment: Any) -> Iterator[Moment]:
        startup = getattr(event, "program", None) in self.startup
        if isinstance(event, events.RunStarted):
            self.runs[event.program] = event.place
        elif isinstance(event, (events.OperatorExecuted, events.PyFuncCalled)) and not startup:
            self.at = self.appended[event.program, event.index].place
        match event:
            case events.OperatorAppended() if (event.program, event.index) not in self.appended:
                self.appended[event.program, event.index] = event
                if not startup:
                    yield moment("append")
            case events.RunFinished():
                place = self.runs[event.program]
                yield moment("startup" if startup else "finish", place=place)
            case _ if startup:
                return
            case events.RunStarted():
                yield moment("run")
            case events.OperatorExecuted() if not isinstance(before, events.PyFuncCalled):
                yield moment("execute", place=self.at)
            case events.PyFuncCalled():
                yield moment("py_func", place=event.defined or self.at)
            case events.VariableFreed():
                yield moment("free", parts=[event], place=self.at)


def words_for(event: events.OpFinished) -> str:
    """The words with which an op's result may be spelled.

    Its name, sign, attributes, outputs, and the word that its formula defines: `loss = ...`.
    """
    record = REGISTRY.get(event.op)
    if record is None:
        return f"{event.op} {event.attrs}"
    given = dict(event.attrs)
    texts = (record.formula.symbol, record.formula.forward)
    sign, formula = (text(given) if callable(text) else text for text in texts)
    defined = re.match(r"[a-z]{2,}(?= = )", formula)
    words = (event.op, sign, event.attrs, *record.outputs, defined.group() if defined else "")
    return " ".join(map(str, words))


def subscript(attrs: Mapping[str, Any]) -> str:
    """`[0:8]` and `[..., :1]`, as an index is recorded."""
    index = attrs["index"]
    return f"[{', '.join(map(str, index)) if isinstance(index, list) else index}]"


# ----- read ahead --------------------------------------------------------------------------------


def layer_calls(records: Iterable[Any]) -> dict[int, int]:
    """By call of a PyLayer: when its forward returned."""
    return {
        event.call: time
        for time, event in enumerate(records)
        if isinstance(event, events.ScopeLeft) and event.kind == "pylayer.forward"
    }


def startup_programs(records: Iterable[Any]) -> set[int]:
    """The programs of which no operator reads anything."""
    added = [event for event in records if isinstance(event, events.OperatorAppended)]
    reading = {event.program for event in added if any(event.inputs.values())}
    return {event.program for event in added} - reading


def tensors_in(event: Any) -> Iterator[Seen]:
    """Every tensor that a record holds."""
    for name in getattr(event, "tensor_fields", ()):
        thing = getattr(event, name)
        rows = flat(thing if isinstance(thing, tuple) else (thing,))
        yield from (seen for seen in rows if seen is not None)
