"""Facts about records that later ones tell: read once, before the walk through the events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.events.event_types import Event

from ..document.distinct_names import base_of
from ..document.history import variables_in
from ..document.variable_names import tensors_of

MOVES = ("subtract", "add", "set_at")  # the last op of an update that is written by hand
Records = Sequence[Event]
RunShapes = dict[tuple[int, str], tuple[tuple[int, ...], ...]]


class CallsAhead(NamedTuple):
    """Facts about calls that later events tell.

    graded: calls that get a node of the tape. first_saved: what each keeps first for backward.
    updates: calls that are updates written by hand. layers: by tensor, the scope of the outermost
    layer that returns it.
    """

    graded: AbstractSet[int]
    first_saved: Mapping[int, events.TensorSaved]
    updates: AbstractSet[int]
    layers: Mapping[int, int]


@dataclass(slots=True)
class VisitAhead:
    """Events ahead at one visit of a grad node."""

    recorded: bool = False  # work inside it is recorded, so its box opens
    hooks: int = 0  # of the gradient that arrives; they run before the node does
    gives: dict[int, events.GradComputed] = field(default_factory=dict)  # by input: its gradient
    shares: set[int] = field(default_factory=set)  # inputs that get more gradients in this pass
    made: list[events.Seen] = field(default_factory=list)  # by ops inside it
    results: dict[int, events.GradComputed] = field(default_factory=dict)  # those made, by tensor


def visits(records: Records) -> dict[int, list[VisitAhead]]:
    """Return every visit of each node, in order."""
    ahead: dict[int, list[VisitAhead]] = {}
    at_work: list[tuple[int, VisitAhead] | None] = []  # by backward pass, the innermost last
    arrivals: list[dict[Any, list[tuple[VisitAhead, int]]]] = []  # by edge, likewise
    for event in records:
        match event:
            case events.BackwardStarted():
                at_work.append(None)
                arrivals.append({})
            case events.BackwardFinished() | events.Failed(during="node") if at_work:
                at_work.pop()
                for several in arrivals.pop().values():
                    for visit, index in several if len(several) > 1 else ():
                        visit.shares.add(index)
            case events.NodeVisited(node=node) if at_work:
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
                        edge = event.edge.kind, event.edge.id, event.edge.slot
                        arrivals[-1].setdefault(edge, []).append((visit, event.index))
            case events.HookRan(edge=edge) if at_work and at_work[-1]:
                node, visit = at_work[-1]
                visit.recorded, visit.made = False, []  # so far only the hook has worked
                visit.hooks += edge.kind == "node" and edge.id == node
            case events.OpStarted() | events.OpFinished() | events.ScopeEntered():
                if at_work and at_work[-1]:
                    at_work[-1][1].recorded = True
                    at_work[-1][1].made += getattr(event, "outputs", ())
    return ahead


def calls(records: Records, names: Mapping[tuple[int, int], str]) -> CallsAhead:
    """Look ahead at what becomes of the calls."""
    call_of: dict[int, int] = {}  # by node
    saved: dict[int, events.TensorSaved] = {}
    layers: dict[int, int] = {}
    entered: dict[int, AbstractSet[int]] = {}  # by scope of a layer: the tensors that it is given
    for event in records:
        if isinstance(event, events.GradNodeMade):
            call_of[event.node] = event.call
        elif isinstance(event, events.TensorSaved) and event.node in call_of:
            saved.setdefault(call_of[event.node], event)
        elif isinstance(event, events.ScopeEntered) and event.kind == "layer":
            entered[event.scope] = {seen.id for seen in tensors_of(event.inputs)}
        elif isinstance(event, events.ScopeLeft) and event.scope in entered:
            made = list(tensors_of(event.outputs))
            if len(made) == 1 and made[0].id not in entered[event.scope]:
                layers[made[0].id] = event.scope  # an outer layer returns later
    return CallsAhead(set(call_of.values()), saved, updates_by_hand(records, names), layers)


def gradients(records: Records, names: Mapping[tuple[int, int], str]) -> set[int]:
    """Return the tensors that are gradients in the user's hands: each `.grad`, what `paddle.grad`
    gave."""
    finished = [event for event in records if isinstance(event, events.BackwardFinished)]
    given = {taken.holder for event in finished for taken in event.results}
    return kept_gradients(records, names) | given


def kept_gradients(records: Records, names: Mapping[tuple[int, int], str]) -> set[int]:
    """Return the tensors that are somebody's `.grad`.

    Where the records do not say so, as of a gradient that was there before, their names do.
    """
    named = ((tensor, name) for (tensor, _), name in names.items() if ".grad" in name)
    found = {tensor for tensor, name in named if base_of(name).endswith(".grad")}
    keeping = events.LeafReached | events.GradientRetained
    return found | {event.holder for event in records if isinstance(event, keeping)} - {0}


def updates_by_hand(records: Records, names: Mapping[tuple[int, int], str]) -> set[int]:
    """Return the calls that make up `w - 0.1 * w.grad`: what leads from a gradient to a leaf's new
    value.

    A leaf is known because it wants a gradient, and is none itself.
    """
    read = kept_gradients(records, names)
    makers: dict[int, events.OpFinished] = {}  # of what comes from a gradient
    steps: list[events.OpFinished] = []

    def wants(seen: events.Seen) -> bool:
        return seen.leaf and not seen.stop_gradient and seen.id not in read

    busy = 0  # backward passes and optimizers at work
    for event in records if read else ():
        match event:
            case events.BackwardStarted() | events.ScopeEntered(kind="optimizer"):
                busy += 1
            case events.BackwardFinished() | events.ScopeLeft(kind="optimizer"):
                busy -= 1
            case events.OpFinished() if not busy:
                given = list(tensors_of(event.inputs))
                inputs = [seen.id for seen in given]
                if any(number in read or number in makers for number in inputs):
                    new = [seen.id for seen in event.outputs if seen.id not in inputs]
                    makers |= dict.fromkeys(new, event)  # what is overwritten begins anew
                    if event.op in MOVES and any(wants(seen) for seen in given):
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
    """Return the shapes that each variable has in the runs, by program and name."""
    shapes: dict[tuple[int, str], dict[tuple[int, ...], None]] = {}
    for event in records:
        for name, value in variables_in(event):
            shapes.setdefault((event.program, name), {})[value.shape] = None
    return {key: tuple(found) for key, found in shapes.items()}


def startup_programs(records: Records) -> set[int]:
    """Return the programs whose operators all make values out of nothing."""
    makers: dict[int, bool] = {}
    for event in records:
        if isinstance(event, events.OperatorAppended):
            reads = any(event.inputs.values())
            makers[event.program] = makers.get(event.program, True) and not reads
    return {number for number, startup in makers.items() if startup}


def functions(records: Records) -> dict[tuple[int, int], str]:
    """Return the function that each py_func calls, by program and operator."""
    appended = [event for event in records if isinstance(event, events.OperatorAppended)]
    return {(event.program, event.index): event.function for event in appended if event.function}
