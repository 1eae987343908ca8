"""The moments of a trace in order, taken from its raw records alone.

Nothing here asks the story or its builders. A moment is what one step of a story should tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.events import Seen, Value
from minipaddle.ops import REGISTRY
from viz.document.op_facts import FUNCTIONS, LOSSES, OPERATORS
from viz.document.program_names import with_names
from viz.document.variable_names import changed_leaves
from viz.story.forward import statistic
from viz.trace import Trace

from .code import Code
from .slots import before_of


def flat(arguments: Iterable[Any]) -> list[Seen | None]:
    """Return the arguments with lists of tensors flattened."""
    row: list[Seen | None] = []
    for argument in arguments:
        if isinstance(argument, (tuple, list)):
            row += flat(argument)
        else:
            row.append(argument)
    return row


def array(value: Value) -> np.ndarray | None:
    """Return the recorded elements of a value, or None if only statistics were recorded."""
    data = value.data["data"]
    real = value.dtype.startswith(("float", "bfloat"))  # NaN and Inf are texts in real values
    return None if data is None else np.array(data, dtype=float if real else None)


def bytes_of(value: Value) -> int:
    """Return the memory of a value in bytes, by its shape and dtype."""
    width = 2 if value.dtype == "bfloat16" else np.dtype(value.dtype).itemsize
    return int(np.prod(value.shape, dtype=np.int64)) * width


@dataclass(slots=True)
class Call:
    """A call of an op, or of the forward of a PyLayer, which has the number of its scope."""

    name: str
    inputs: list[Seen | None]
    place: Any
    scope: int = 0
    outputs: list[Seen | None] = field(default_factory=list)
    graded: bool = False
    attrs: Mapping[str, Any] = field(default_factory=dict)


class Maker(NamedTuple):
    """The call that made a tensor: its words, the tensors that it read, and its place."""

    words: str
    inputs: list[Seen | None]
    place: Any
    gradient_of: Sequence[Seen | None] = ()  # inputs of the call whose node was visited then


@dataclass(slots=True)
class Pass:
    """One backward pass: how many gradients each target received, and how many were added."""

    place: Any
    handed: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    added: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    visit: Moment | None = None


@dataclass(slots=True)
class Moment:
    """What one step should tell. `scopes`: numbers of the scopes in force, innermost first."""

    time: float
    kind: str
    event: Any
    scopes: tuple[int, ...]
    place: Any = None
    parts: list[Any] = field(default_factory=list)  # further records of the moment
    entered: Any = None  # the PyLayer whose backward is called
    index: int = 0  # position among the moments of one record
    summand: bool = False  # whether the gradient is a summand of the same pass
    changed: dict[int, Value] = field(default_factory=dict)  # changed by hooks


def target(edge: Any) -> tuple[str, int, int]:
    return edge.kind, edge.id, edge.slot


class Evidence:
    """The records of a trace in order; `rates` are those of the optimizers that ran."""

    def __init__(self, trace: Trace, rates: Mapping[str, float]) -> None:
        self.trace, self.rates = trace, rates
        self.code = Code(trace)
        self.records = with_names(trace.events, trace.variables)
        self.table = {(tensor, scope): name for tensor, scope, name in trace.document["names"]}
        self.calls: dict[int, Call] = {}
        self.nodes: dict[int, events.GradNodeMade] = {}
        self.saved: dict[int, list[events.TensorSaved]] = {}
        self.layers = layer_calls(self.records)
        self.startup = startup_programs(self.records)
        self.appended: dict[tuple[int, int], events.OperatorAppended] = {}
        parts = [event for event in self.records if isinstance(event, events.PartAppended)]
        self.parts = {(part.program, part.index, part.part): part for part in parts}
        self.same = changed_leaves(self.records)  # tensor -> the one that it is the new value of
        self.seen: dict[int, list[Seen]] = {}  # tensor -> each record of it
        self.makers: dict[int, list[Maker]] = {}  # tensor -> the calls that made it
        self.read: dict[tuple[str, int, int], int] = {}  # target of a gradient -> tensor
        self.subscripts: set[str] = set()  # texts such as `[0:8]`
        self.uses: Counter[int] = Counter()  # tensor -> its uses by calls with a node
        self.runs: dict[int, Any] = {}  # Program -> beginning of its last run
        self.at: Any = None  # line of the operator that ran last
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
        """Return the call whose node of the tape this is, or None if none was recorded."""
        made = self.nodes.get(node)
        return self.calls.get(made.call) if made else None

    def tensor_at(self, edge: Any) -> int | None:
        """Return the tensor whose gradient goes along an edge, or None if no record shows it."""
        if edge.kind == "leaf":
            return int(edge.id)
        call = self.call_of(edge.id)
        if call is None:  # made before the recording; a reader may be recorded
            return self.read.get(target(edge))
        seen = call.outputs[edge.slot] if edge.slot < len(call.outputs) else None
        return seen.id if seen else None

    def goes_to(self, summed: events.GradUnbroadcast) -> int | None:
        """Return the tensor whose gradient was summed, found by where the gradient goes next."""
        later = self.records[self.records.index(summed) :]
        computed = (event for event in later if isinstance(event, events.GradComputed))
        found = (e for e in computed if (e.node, e.index) == (summed.node, summed.index))
        edge = next((event.edge for event in found), None)
        return self.tensor_at(edge) if edge else None

    def names_of(self, tensor: int, scopes: Iterable[int]) -> list[str]:
        """Return the names of a tensor in these scopes, by the table of names."""
        return [self.table[tensor, scope] for scope in scopes if (tensor, scope) in self.table]

    def run_before(self, event: Any) -> list[Any]:
        """Return the records of a run of a Program before one of them, the last first."""
        at = next(i for i, each in enumerate(self.records) if each is event)
        row = reversed(self.records[:at])
        return [*takewhile(lambda each: not isinstance(each, events.RunStarted), row)]

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
            for moment in self._moments_of(time, event, before):
                if moment.kind == "free":
                    freeing = moment
                yield moment
            before = event
        trace, end = self.trace, len(self.records)
        if trace.cut:
            yield Moment(end, "cut", trace.cut, (0,), trace.cut.place)
        if trace.ended and not isinstance(before, events.Failed):
            yield Moment(end + 1, "error", trace.ended, (0,), trace.ended.place)

    def _moments_of(self, time: int, event: Any, before: Any) -> Iterator[Moment]:
        """Apply a record, then yield its moments, if any."""
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
                visited = self.call_of(now.visit.event.node) if now and now.visit else None
                graded = visited.inputs if visited else ()
                maker = Maker(words_for(event), call.inputs, place, graded)
                self._note_outputs(event.outputs, maker)
                yield moment("op")
            case events.ValuesTaken() if event.place and not now:
                if event.source.id not in self.holders:
                    if event.tensor.id != event.source.id:
                        words = "detach to_tensor numpy"
                        self._note_outputs([event.tensor], Maker(words, [event.source], place))
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
                yield from self._leave_scope(event, moment)
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
                yield from self._saved_moments(event, moment)
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
                    visit.time = time + 0.5  # hooks of its gradient run first
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
                self._leave_failed_scopes(event)
            case _:
                yield from self._program_moments(event, before, moment)

    def _leave_scope(self, event: Any, moment: Any) -> Iterator[Moment]:
        """Leave a scope; yield a moment if it was half of a PyLayer."""
        while self.scopes and self.scopes[-1].scope != event.scope:
            self.scopes.pop()
        names = self._names_hold()
        entered = self.scopes.pop() if self.scopes else None
        if event.kind == "pylayer.forward":
            call = self.calls[event.call]
            call.outputs = flat(event.outputs)
            self._note_outputs(call.outputs, Maker(call.name, call.inputs, call.place))
            yield moment("leave", scopes=names, place=entered and entered.place)
        elif event.kind == "pylayer.backward":
            now = self.passes[-1]
            assert now.visit
            yield moment("return", scopes=names, entered=now.visit, place=now.visit.place)
        elif entered is not None:
            maker = Maker(event.name, flat(entered.inputs), entered.place)
            self._note_outputs(flat(event.outputs), maker)

    def _note_outputs(self, outputs: Iterable[Seen | None], maker: Maker) -> None:
        for seen in outputs:
            if seen is not None:
                self.makers.setdefault(seen.id, []).append(maker)

    def _saved_moments(self, event: Any, moment: Any) -> Iterator[Moment]:
        """Yield a moment at the first value that a node saves; a PyLayer saves before it ends."""
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

    def _leave_failed_scopes(self, event: Any) -> None:
        """End the scopes, or the pass, that an exception leaves."""
        if event.during == "scope":
            while self.scopes and self.scopes.pop().scope != event.id:
                pass
        elif event.during in ("node", "leaf") and self.passes:
            self.passes.pop()

    def _program_moments(self, event: Any, before: Any, moment: Any) -> Iterator[Moment]:
        startup = getattr(event, "program", None) in self.startup
        if isinstance(event, events.RunStarted):
            self.runs[event.program] = event.place
        elif isinstance(event, (events.OperatorExecuted, events.PyFuncCalled)) and not startup:
            self.at = self.appended[event.program, event.index].place
        match event:
            case events.OperatorAppended() if (event.program, event.index) not in self.appended:
                self.appended[event.program, event.index] = event
                if not startup and event.program not in {part for *_, part in self.parts}:
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
            case events.PartEntered():
                name = self.parts[event.program, event.index, event.part].name
                if name != "cond" or event.turn == 0:
                    yield moment("part", place=self.appended[event.program, event.index].place)
            case events.PyFuncCalled():
                yield moment("py_func", place=event.defined or self.at)
            case events.VariableFreed():
                yield moment("free", parts=[event], place=self.at)


def words_for(event: events.OpFinished) -> str:
    """Return the words with which an op's result may be spelled.

    They are its name, sign, attributes, outputs, the function that users call, and the word that
    its formula defines.
    """
    record = REGISTRY.get(event.op)
    if record is None:
        return f"{event.op} {event.attrs}"
    given = dict(event.attrs)
    texts = (record.formula.symbol, record.formula.forward)
    sign, formula = (text(given) if callable(text) else text for text in texts)
    defined = re.match(r"[a-z]{2,}(?= = )", formula)
    results = (statistic(slot, event.attrs) for slot in record.outputs)
    words = (event.op, sign, event.attrs, *results, defined.group() if defined else "")
    words = *words, FUNCTIONS.get(event.op, ""), "losses" * (event.op in LOSSES)
    words = *words, *(OPERATORS.get(part, "") for part in str(sign).split() if event.op == "scale")
    return " ".join(map(str, words))


def subscript(attrs: Mapping[str, Any]) -> str:
    """Return a recorded index as code: `[0:8]`, `[..., :1]`."""
    index = attrs["index"]
    return f"[{', '.join(map(str, index)) if isinstance(index, list) else index}]"


# ----- read ahead --------------------------------------------------------------------------------


def layer_calls(records: Iterable[Any]) -> dict[int, int]:
    """Map each call of a PyLayer to the time at which its forward returned."""
    return {
        event.call: time
        for time, event in enumerate(records)
        if isinstance(event, events.ScopeLeft) and event.kind == "pylayer.forward"
    }


def startup_programs(records: Sequence[Any]) -> set[int]:
    """Return the Programs in which no operator reads a variable."""
    added = [event for event in records if isinstance(event, events.OperatorAppended)]
    reading = {event.program for event in added if any(event.inputs.values())}
    parts = {event.part for event in records if isinstance(event, events.PartAppended)}
    return {event.program for event in added} - reading - parts


def tensors_in(event: Any) -> Iterator[Seen]:
    """Yield every tensor in a record."""
    for name in getattr(event, "tensor_fields", ()):
        thing = getattr(event, name)
        rows = flat(thing if isinstance(thing, tuple) else (thing,))
        yield from (seen for seen in rows if seen is not None)
