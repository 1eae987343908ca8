"""Facts about events that only later events show, found before the walk through the events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.events.event_types import Event, Seen

from ..document.distinct_names import base_of
from ..document.history import variables_in
from ..document.variable_names import tensors_of

MOVES = ("subtract", "add", "set_at")  # ops that may end an update written by hand
# Op -> index of its input of class numbers.
LABELLED = {
    "softmax_with_cross_entropy": 1, "cross_entropy": 1, "nll_rows": 1,
    "negative_log_likelihood": 1, "hot_rows": 0,
}  # fmt: skip
Records = Sequence[Event]
RunShapes = dict[tuple[int, str], tuple[tuple[int, ...], ...]]


class CallsAhead(NamedTuple):
    """Facts about calls that only later events show.

    graded: calls that get a grad node. visited: those that a backward pass reaches.
    first_saved: call -> the first tensor that it saves for backward. updates: calls that belong to
    updates written by hand. layers: tensor -> the scope of the outermost layer that returns the
    tensor. labels: tensors that a loss reads as its labels. taken: result of a call in place -> the
    tensor that takes its values.
    """

    graded: AbstractSet[int]
    visited: AbstractSet[int]
    first_saved: Mapping[int, events.TensorSaved]
    updates: AbstractSet[int]
    layers: Mapping[int, int]
    labels: AbstractSet[int]
    taken: Mapping[int, int]


@dataclass(slots=True)
class VisitAhead:
    """Later events that belong to one visit of a grad node."""

    recorded: bool = False  # whether work inside the visit is recorded, so that its box opens
    hooks: int = 0  # number of hooks on arriving gradients, which run before the node
    gives: dict[int, events.GradComputed] = field(default_factory=dict)  # input -> its gradient
    shares: set[int] = field(default_factory=set)  # inputs that get more gradients in this pass
    unasked: set[int] = field(default_factory=set)  # inputs whose gradients paddle.grad drops
    made: list[events.Seen] = field(default_factory=list)  # tensors made by ops inside
    results: dict[int, events.GradComputed] = field(default_factory=dict)  # tensor made -> gradient

    def leave_out(self, index: int) -> None:
        """Take note that paddle.grad drops the gradient of an input."""
        self.unasked.add(index)
        self.results = {k: given for k, given in self.results.items() if given.index != index}


def target(edge: events.Edge) -> tuple[str, int, int]:
    return edge.kind, edge.id, edge.slot


def visits(records: Records) -> dict[int, list[VisitAhead]]:
    """Return grad node -> its visits in order."""
    ahead: dict[int, list[VisitAhead]] = {}
    at_work: list[tuple[int, VisitAhead] | None] = []  # running visit of each pass, innermost last
    arrivals: list[dict[Any, list[tuple[VisitAhead, int]]]] = []  # per pass: edge -> its gradients
    made: set[int] = set()  # grad nodes
    passed: list[set[int]] = []  # grad nodes that each pass visits
    for event in records:
        match event:
            case events.GradNodeMade(node=node):
                made.add(node)
            case events.BackwardStarted():
                at_work.append(None)
                arrivals.append({})
                passed.append(set())
            case events.BackwardFinished() | events.Failed(during="node") if at_work:
                at_work.pop()
                ends = {target(taken.edge) for taken in getattr(event, "results", ())}
                dead = made - passed.pop()
                for edge, several in arrivals.pop().items():
                    kind, number, _ = edge
                    asked = not ends or edge in ends or (kind == "node" and number not in dead)
                    for visit, index in several:
                        if not asked:
                            visit.leave_out(index)
                        elif len(several) > 1:
                            visit.shares.add(index)
            case events.NodeVisited(node=node) if at_work:
                passed[-1].add(node)
                visit = VisitAhead()
                ahead.setdefault(node, []).append(visit)
                at_work[-1] = node, visit
            case events.GradComputed() | events.GradUnbroadcast() if at_work:
                at_work[-1] = None
                if isinstance(event, events.GradComputed) and event.edge and event.node in ahead:
                    visit = ahead[event.node][-1]
                    visit.gives[event.index] = event
                    if event.grad is not None:
                        last = (s for s in reversed(visit.made) if s.value.data == event.grad.data)
                        visit.results |= {seen.id: event for seen in islice(last, 1)}
                        edge = target(event.edge)
                        arrivals[-1].setdefault(edge, []).append((visit, event.index))
            case events.HookRan(edge=edge) if at_work and at_work[-1]:
                node, visit = at_work[-1]
                visit.recorded, visit.made = False, []  # all work so far was the hook's
                visit.hooks += edge.kind == "node" and edge.id == node
            case events.OpStarted() | events.OpFinished() | events.ScopeEntered():
                if at_work and at_work[-1]:
                    at_work[-1][1].recorded = True
                    at_work[-1][1].made += getattr(event, "outputs", ())
    return ahead


def calls(
    records: Records, names: Mapping[tuple[int, int], str], nodes: Iterable[int]
) -> CallsAhead:
    """Return facts about all calls; `nodes` are the grad nodes that backward passes visit."""
    call_of: dict[int, int] = {}  # grad node -> its call
    saved: dict[int, events.TensorSaved] = {}
    layers: dict[int, int] = {}
    entered: dict[int, AbstractSet[int]] = {}  # layer's scope -> the layer's inputs
    labels: set[int] = set()
    taken: dict[int, int] = {}
    for event in records:
        if isinstance(event, events.GradNodeMade):
            call_of[event.node] = event.call
        elif isinstance(event, events.ValuesTaken) and event.way == "result":
            taken[event.source.id] = event.tensor.id
        elif isinstance(event, events.TensorSaved) and event.node in call_of:
            saved.setdefault(call_of[event.node], event)
        elif isinstance(event, events.OpFinished) and event.op in LABELLED:
            at = LABELLED[event.op]
            if not event.attrs.get("soft_label"):
                labels |= {seen.id for seen in event.inputs[at : at + 1] if isinstance(seen, Seen)}
        elif isinstance(event, events.ScopeEntered) and event.kind == "layer":
            entered[event.scope] = {seen.id for seen in tensors_of(event.inputs)}
        elif isinstance(event, events.ScopeLeft) and event.scope in entered:
            made = list(tensors_of(event.outputs))
            if len(made) == 1 and made[0].id not in entered[event.scope]:
                layers[made[0].id] = event.scope  # replaced if an outer layer returns it, too
    updates = updates_by_hand(records, names)
    visited = {call_of[node] for node in nodes if node in call_of}
    return CallsAhead(set(call_of.values()), visited, saved, updates, layers, labels, taken)


def gradients(records: Records, names: Mapping[tuple[int, int], str]) -> set[int]:
    """Return the tensors that users have as gradients: each `.grad`, and paddle.grad's results."""
    finished = [event for event in records if isinstance(event, events.BackwardFinished)]
    given = {taken.holder for event in finished for taken in event.results}
    return kept_gradients(records, names) | given


def kept_gradients(records: Records, names: Mapping[tuple[int, int], str]) -> set[int]:
    """Return the tensors that are a `.grad`, according to events or to their names."""
    named = ((tensor, name) for (tensor, _), name in names.items() if ".grad" in name)
    found = {tensor for tensor, name in named if base_of(name).endswith(".grad")}
    keeping = events.LeafReached | events.GradientRetained
    return found | {event.holder for event in records if isinstance(event, keeping)} - {0}


def updates_by_hand(records: Records, names: Mapping[tuple[int, int], str]) -> set[int]:
    """Return the calls that make up updates such as `w - 0.1 * w.grad`: from a gradient to a leaf's
    new value, or to a clipped gradient. After a backward pass each change of a leaf in place
    counts that reads no other tensor, such as the clipping of a weight.

    A leaf is a tensor that needs a gradient, and is no gradient itself. Results of paddle.grad
    count in calls that no tape records, as under no_grad.
    """
    read, given = kept_gradients(records, names), gradients(records, names)
    taped = {event.call for event in records if isinstance(event, events.GradNodeMade)}
    results = [e for e in records if isinstance(e, events.ValuesTaken) and e.way == "result"]
    clipped = {event.source.id for event in results if event.tensor.id in read} | read
    changed = {event.source.id for event in results if event.tensor.leaf}
    makers: dict[int, events.OpFinished] = {}  # tensor computed from a gradient -> its op
    steps: list[events.OpFinished] = []

    def wants(seen: events.Seen) -> bool:
        return seen.leaf and not seen.stop_gradient and seen.id not in given

    busy, passed = 0, False  # the number of running backward passes and optimizers; any backward?
    for event in records if given else ():
        match event:
            case events.BackwardStarted() | events.ScopeEntered(kind="optimizer"):
                busy += 1
            case events.BackwardFinished() | events.ScopeLeft(kind="optimizer"):
                busy, passed = busy - 1, True
            case events.OpFinished() if not busy:
                arguments = list(tensors_of(event.inputs))
                in_place = not changed.isdisjoint(seen.id for seen in event.outputs)
                if passed and in_place and all(map(wants, arguments)):
                    steps.append(event)
                inputs = [seen.id for seen in arguments]
                known = read if event.call in taped else given
                if any(number in known or number in makers for number in inputs):
                    new = [seen.id for seen in event.outputs if seen.id not in inputs]
                    makers |= dict.fromkeys(new, event)  # overwritten tensors are not traced back
                    moves = event.op in MOVES and any(wants(seen) for seen in arguments)
                    if moves or not clipped.isdisjoint(seen.id for seen in event.outputs):
                        steps.append(event)
    found: set[int] = set()
    while steps:
        step = steps.pop()
        if step.call in found:
            continue
        found.add(step.call)
        needed = tensors_of(step.inputs)
        steps += [makers[seen.id] for seen in needed if seen.id in makers]
    return found


def run_shapes(records: Sequence[Any]) -> RunShapes:
    """Return (program, variable) -> the variable's shapes in runs."""
    shapes: dict[tuple[int, str], dict[tuple[int, ...], None]] = {}
    for event in records:
        for name, value in variables_in(event):
            shapes.setdefault((event.program, name), {})[value.shape] = None
    return {key: tuple(found) for key, found in shapes.items()}


def startup_programs(records: Records) -> set[int]:
    """Return the programs in which no operator has inputs, apart from parts of operators."""
    makers: dict[int, bool] = {}
    parts = {event.part for event in records if isinstance(event, events.PartAppended)}
    for event in records:
        if isinstance(event, events.OperatorAppended):
            reads = any(event.inputs.values())
            makers[event.program] = makers.get(event.program, True) and not reads
    return {number for number, startup in makers.items() if startup and number not in parts}


def functions(records: Records) -> dict[tuple[int, int], str]:
    """Return (program, operator) -> the function that the py_func calls."""
    appended = [event for event in records if isinstance(event, events.OperatorAppended)]
    return {(event.program, event.index): event.function for event in appended if event.function}
