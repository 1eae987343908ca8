"""What the builder knows while it walks through the events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from minipaddle import events
from minipaddle.events import Seen, Value

from . import ids
from .draft import Draft, StepDraft, content, detail
from .finite_differences import Probe, probes
from .ids import Box, Wire
from .memory_ledger import Ledger
from .sentences.ops import spelled
from .sentences.wording import Thing, d

LONGEST = 30  # letters of a formula that may serve as a name


@dataclass(slots=True)
class Call:
    """One op or one apply of a PyLayer: its box and what went in and out."""

    node: Box
    op: str
    inputs: tuple[Any, ...] = ()
    outputs: tuple[Any, ...] = ()
    place: Any = None
    group: str | None = None
    scope: int = 0  # the scope of a PyLayer's forward, whose names hold inside
    step: StepDraft | None = None
    ports: list[Box] = field(default_factory=list)
    attrs: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Saved:
    """A value kept for backward."""

    slot: str
    tensor: Seen
    source: Box


@dataclass(slots=True)
class Tape:
    """A node of the tape and the boxes of its visits, one per backward pass."""

    name: str
    call: int
    edges: tuple[Any, ...] = ()
    saved: list[Saved] = field(default_factory=list)
    wires: dict[int, Wire] = field(default_factory=dict)  # visit: the wire of what was saved
    visits: int = 0
    keeping: StepDraft | None = None  # the step that tells what is saved


@dataclass(slots=True)
class Scope:
    """Work inside a group."""

    number: int
    kind: str
    name: str
    call: int
    group: str | None
    place: Any
    inputs: tuple[Any, ...] = ()
    shadowed: dict[int, Box | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arrived:
    """A gradient that a visit was given: its value, the box it comes from, whose it is."""

    entry: Any
    box: Box
    name: str


@dataclass(slots=True)
class Visit:
    """A grad node at work."""

    node: int
    box: Box
    group: str | None
    step: StepDraft
    computing: bool = True
    arrived: list[Arrived] = field(default_factory=list)
    coming: dict[int, list[Wire]] = field(default_factory=dict)  # output: wires of its gradient
    sources: dict[int, Box] = field(default_factory=dict)  # input: the box of its gradient
    made: list[tuple[Any, Box]] = field(default_factory=list)  # results of the ops inside
    wide: dict[int, Value] = field(default_factory=dict)  # input: its gradient, still broadcast


@dataclass(slots=True)
class Run:
    """One backward pass: its column, and the gradients on their way to each target."""

    column: int
    place: Any = None
    visit: Visit | None = None
    waiting: dict[tuple[str, int, int], list[Box]] = field(default_factory=dict)
    sums: dict[tuple[str, int, int], Box] = field(default_factory=dict)


class World:
    """The shared state of the builders, and the few questions that all of them ask."""

    def __init__(
        self, draft: Draft, names: dict[tuple[int, int], str], records: tuple[Any, ...]
    ) -> None:
        self.draft = draft
        self.names = names
        self.graded = {e.call for e in records if isinstance(e, events.GradNodeMade)}
        self.visits, self.inner = visits_of(records)
        self.layers = layer_names(records)
        self.derived: dict[int, str] = {}
        self.abridged: set[str] = set()  # a cut formula stands for one tensor only
        self.produced: dict[int, Box] = {}
        self.used: set[int] = set()
        self.results: dict[int, tuple[Seen, StepDraft]] = {}
        self.calls: dict[int, Call] = {}
        self.tape: dict[int, Tape] = {}
        self.scopes: list[Scope] = []
        self.runs: list[Run] = []
        self.columns = 0
        self.functions = {  # what each py_func will turn out to call
            (e.program, e.index): e.function for e in records if isinstance(e, events.PyFuncCalled)
        }
        self.startup = startup_programs(records)
        self.probes = probes(records)
        self.programs: dict[int, Any] = {}
        self.memory = Ledger()
        self.running: Any = None  # the program that an Executor runs now
        self.failing = False  # the last event was an exception on its way out
        self.note = ""
        self.grads: dict[int, Box] = {}  # leaf tensor: the box of its latest .grad
        self.arrived: dict[int, Any] = {}  # leaf tensor: what was in it
        self.leaves: dict[int, Seen] = {}  # by tensor: what no recorded op made
        self.tensors: dict[int, Seen] = {}  # by tensor: as it was seen last

    # ----- where we are --------------------------------------------------------------------------

    @property
    def run(self) -> Run | None:
        return self.runs[-1] if self.runs else None

    @property
    def visit(self) -> Visit | None:
        return self.runs[-1].visit if self.runs else None

    @property
    def phase(self) -> str:
        return "backward" if self.runs or self.optimizing else "forward"

    @property
    def optimizing(self) -> bool:
        return any(scope.kind == "optimizer" for scope in self.scopes)

    @property
    def where(self) -> dict[str, Any]:
        """Lane, column and group of a box made now."""
        group = next((s.group for s in reversed(self.scopes) if s.group), None)
        if self.optimizing:
            return {"lane": "optimize", "group": group}
        if self.run is None:
            return {"lane": "forward", "group": group}
        if self.visit and not group:
            group = self.visit.group if self.visit.computing else None
        inside = group is not None and self.draft.groups[group].lane == "backward"
        return {"lane": "backward", "column": self.run.column, "group": group if inside else None}

    # ----- tensors -------------------------------------------------------------------------------

    def name(self, tensor: int) -> str:
        """What the user calls this tensor here; empty when nobody named it."""
        for scope in reversed(self.scopes):
            if (tensor, scope.number) in self.names:
                return self.names[tensor, scope.number]
            call = self.calls.get(scope.call)  # backward sees the names that forward gave
            if call is not None and (tensor, call.scope) in self.names:
                return self.names[tensor, call.scope]
        return self.names.get((tensor, 0), "")

    def outer_name(self, tensor: int) -> str:
        """What the user calls a tensor that comes from outside."""
        return self.names.get((tensor, 0)) or self.name(tensor)

    def thing(self, seen: Seen) -> Thing:
        """A tensor as sentences speak of it."""
        fallback = self.derived.get(seen.id, f"t{seen.id}")
        return Thing(self.name(seen.id), content(seen.value), seen.value.shape, fallback)

    def derive(self, seen: Seen, sign: str, inputs: Iterable[Any]) -> None:
        """Let a result that nobody named be called by its formula, the inner parts cut if long."""
        things = [self.thing(i) if i else None for i in inputs]
        whole = [thing.called if thing else "None" for thing in things]
        part = [t.called if t and t.name else abridged(t.called if t else "None") for t in things]
        for given in (whole, part):
            text = spelled(sign, given)
            if len(text) <= LONGEST and (given is whole or text not in self.abridged):
                self.derived[seen.id] = text
                self.abridged.add(text)
                return

    def source(self, seen: Seen) -> Box:
        """The box that a tensor comes from; a tensor never seen before gets one."""
        self.used.add(seen.id)
        self.tensors[seen.id] = seen
        if seen.id not in self.produced:
            self.produced[seen.id] = self.leaf(seen)
        return self.produced[seen.id]

    def leaf(self, seen: Seen) -> Box:
        """The box of a tensor that no recorded op made."""
        if self.visit:
            entry = content(seen.value)
            for gradient in reversed(self.visit.arrived):
                if gradient.entry is entry and self.visit.computing:
                    self.derived[seen.id] = d(gradient.name)
                    return gradient.box
        kind = "parameter" if seen.kind == "parameter" else "leaf"
        if kind == "leaf" and seen.stop_gradient and seen.leaf:
            kind = "data"
        where = self.where if self.run else {"lane": "forward", "group": self.layer_group()}
        if kind != "parameter" and not self.run:
            where["group"] = None
        thing = replace(self.thing(seen), name=self.outer_name(seen.id))
        label = thing.name or (thing.number and kind == "data" and thing.number) or thing.fallback
        self.leaves[seen.id] = seen
        if label == thing.number:
            self.derived[seen.id] = label  # a constant: it is called by its value
        return self.draft.node(ids.tensor(seen.id), kind, label, detail=detail(seen.value), **where)

    def leaf_box(self, seen: Seen) -> Box:
        """The box of a leaf, wherever the work is now."""
        box = ids.tensor(seen.id)
        return box if box in self.draft.nodes else self.source(seen)

    def layer_group(self) -> str | None:
        """The innermost layer at work, where its parameters belong."""
        return next((s.group for s in reversed(self.scopes) if s.kind == "layer"), None)

    def produce(self, tensor: int, box: Box) -> None:
        """From now on this tensor comes from that box."""
        self.produced[tensor] = box

    def shadow(self, scope: Scope, tensor: int, box: Box) -> None:
        """Inside the scope the tensor comes from a port of its border."""
        scope.shadowed.setdefault(tensor, self.produced.get(tensor))
        self.produced[tensor] = box

    @property
    def failing_phase(self) -> str:
        return "run" if self.running is not None else self.phase

    def leave(self) -> Scope:
        """Outside a scope its arguments come again from where they came before."""
        scope = self.scopes.pop()
        for tensor, box in scope.shadowed.items():
            if box is None:
                self.produced.pop(tensor, None)
            else:
                self.produced[tensor] = box
        return scope

    def wire(self, step: StepDraft, seen: Seen, target: Box, kind: str = "data") -> None:
        """Lead a tensor into a box, as part of a step."""
        source = self.source(seen)
        step.light(source)
        step.edges.append(self.draft.edge(source, target, kind, self.name(seen.id)))

    def note_result(self, seen: Seen, step: StepDraft | None) -> None:
        """A value of the user's own code; if nobody reads it, it is a result of the picture."""
        inside = any(scope.kind.startswith("pylayer") for scope in self.scopes)
        if step is not None and not inside and not self.runs and not self.optimizing:
            self.results[seen.id] = (seen, step)
            self.used.discard(seen.id)

    def result(self, seen: Seen) -> Box:
        """The box of a result."""
        label = self.name(seen.id) or self.thing(seen).number or f"t{seen.id}"
        return self.draft.node(ids.result(seen.id), "result", label, detail=detail(seen.value))

    def probe(self, visit: Visit, index: int) -> Probe | None:
        """How the gradient that a visit computes for this input can be measured."""
        return self.probes.get((visit.node, self.tape[visit.node].visits, index))

    # ----- saved values --------------------------------------------------------------------------

    def inner_thing(self, call: Call | None, seen: Seen, slot: str = "") -> Thing:
        """A tensor by the name that it has inside its PyLayer, or else that a rule gives it."""
        name = self.names.get((seen.id, call.scope)) if call and call.scope else None
        known = self.thing(seen)
        if not name and not known.name and seen.id not in self.derived and slot.isidentifier():
            name = slot
        return replace(known, name=name) if name else known

    def saved_source(self, call: Call | None, seen: Seen) -> Box:
        """Where a saved value comes from: a port or op of its PyLayer, or the op that saved it."""
        if call is None or not call.scope:
            return call.node if call else self.source(seen)
        sides: tuple[tuple[ids.Side, tuple[Any, ...]], ...]
        sides = (("out", call.outputs), ("in", call.inputs))
        for side, tensors in sides:
            for i, tensor in enumerate(tensors):
                if tensor is not None and tensor.id == seen.id:
                    return ids.port(call.node, side, i)
        return self.source(seen)

    def saved_edges(self, node: int, tape: Tape, name: str) -> list[Wire]:
        """The wires of the value saved last, to every visit that will read it."""
        last = len(tape.saved) - 1
        saved = tape.saved[last]
        found: list[Wire] = []
        for nth in range(1, self.visits.get(node, 0) + 1):
            box = ids.grad(node, nth)
            if (node, nth) in self.inner:
                found.append(
                    self.draft.edge(saved.source, ids.port(box, "saved", last), "saved", name)
                )
            elif last == 0:
                tape.wires[nth] = self.draft.edge(saved.source, box, "saved", name)
                found.append(tape.wires[nth])
            else:
                self.draft.relabel(tape.wires[nth], name)
        return found


def abridged(formula: str) -> str:
    """`tanh(…)` for `tanh(x × y)`."""
    head, bracket, _ = formula.partition("(")
    if head and bracket and " " not in head:
        return f"{head}(…)"
    return "…" if bracket or " " in formula else formula


def flat(arguments: Iterable[Any]) -> tuple[Any, ...]:
    """Arguments with lists of tensors laid out one after the other."""
    found: list[Any] = []
    for argument in arguments:
        if type(argument) is tuple:
            found.extend(flat(argument))
        else:
            found.append(argument)
    return tuple(found)


def visits_of(records: tuple[Any, ...]) -> tuple[dict[int, int], set[tuple[int, int]]]:
    """How often each node is visited, and the (node, visit) in which recorded work happens."""
    counts: dict[int, int] = {}
    stack: list[tuple[int, int] | None] = []
    found: set[tuple[int, int]] = set()
    for event in records:
        match event:
            case events.BackwardStarted():
                stack.append(None)
            case events.BackwardFinished() | events.Failed(during="node") if stack:
                stack.pop()
            case events.NodeVisited(node=node) if stack:
                counts[node] = counts.get(node, 0) + 1
                stack[-1] = (node, counts[node])
            case events.GradComputed() | events.GradUnbroadcast() if stack:
                stack[-1] = None
            case events.HookRan() if stack and stack[-1]:
                found.discard(stack[-1])  # so far only the hook has worked
            case events.OpStarted() | events.OpFinished() | events.ScopeEntered():
                found |= {stack[-1]} if stack and stack[-1] else set()
    return counts, found


def layer_names(records: tuple[Any, ...]) -> dict[str, str]:
    """What layers that stand alone are called: `Net` for `Net_3` if no other Net is at work."""
    found = {e.name for e in records if isinstance(e, events.ScopeEntered) and e.kind == "layer"}
    families: dict[str, list[str]] = {}
    for name in found:
        family, _, number = name.rpartition("_")
        families.setdefault(family if number.isdigit() else name, []).append(name)
    return {names[0]: family for family, names in families.items() if len(names) == 1 and family}


def startup_programs(records: tuple[Any, ...]) -> set[int]:
    """The programs whose operators all make values out of nothing."""
    makers: dict[int, bool] = {}
    for event in records:
        if isinstance(event, events.OperatorAppended):
            reads = any(event.inputs.values())
            makers[event.program] = makers.get(event.program, True) and not reads
    return {number for number, startup in makers.items() if startup}
