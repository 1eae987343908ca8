"""Where gradients meet, are seen by hooks, arrive and are used; and where everything stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minipaddle import events
from minipaddle.events import Edge

from . import ids
from .backward import arrive, begin, given_name, grad_thing, key, target_name, target_tensor
from .draft import StepDraft, content, detail
from .ids import Box
from .sentences.wording import Thing, d
from .state import Run, Visit, World


def accumulated(world: World, event: events.GradAccumulated) -> None:
    """One `+=`: all sums for the same target share one box."""
    run = world.run or begin(world)
    name = target_name(world, event.edge)
    target = key(event.edge)
    waiting = run.waiting.setdefault(target, [])
    old = event.edge.kind == "leaf" and len(waiting) < 2 and event.edge.id in world.grads
    held, added, total = (grad_thing(name, v) for v in (event.held, event.added, event.total))
    step = world.draft.step(
        "backward",
        "accumulate",
        run.place,
        target=name,
        held=held,
        added=added,
        total=total,
        old=old,
    )
    box = run.sums.get(target)
    if box is None or box not in waiting:
        number = len(run.sums) + 1
        box = world.draft.node(
            ids.accumulation(run.column, number),
            "accumulate",
            "+=",
            detail=detail(event.total, given_name(world, event.edge)),
            lane="backward",
            column=run.column,
            group=home(world, run, event.edge, waiting[:2]),
        )
        run.sums[target] = box
    if old and world.arrived.get(event.edge.id) == content(event.held):  # not cleared since
        step.edges.append(world.draft.edge(world.grads[event.edge.id], box, "grad"))
    for source in waiting[:2]:
        if source != box:
            step.edges.append(world.draft.edge(source, box, "grad"))
    run.waiting[target] = [box, *waiting[2:]]
    step.light(box)
    for thing, role in ((held, "before"), (added, "grad_in"), (total, "after")):
        step.show(Thing(d(name), thing.value), role, box)


def home(world: World, run: Run, edge: Edge, sources: Sequence[Box]) -> str | None:
    """Where a gradient ends: in the backward half of the layer that a parameter belongs to, of
    another call of that layer and of an inner gradient in the layer that all summands come from."""
    draft = world.draft
    if edge.kind == "leaf":
        seen = target_tensor(world, edge)
        node = draft.nodes.get(ids.tensor(edge.id)) if seen else None
        if node is None or node.group is None:
            return None
        name = ids.backward_of(ids.Frame(node.group), run.column)
        if name in draft.groups:
            return name
    if any(source not in draft.nodes for source in sources):
        return None
    ways = [draft.around(draft.nodes[source].group) for source in sources]
    shared = (name for name in (ways[0] if ways else ()) if all(name in way for way in ways))
    return next((name for name in shared if draft.groups[name].kind == "layer"), None)


def leaf_reached(world: World, event: events.LeafReached) -> None:
    run = world.run or begin(world)
    seen = event.tensor
    world.tensors.setdefault(seen.id, seen)
    name = world.thing(seen).called
    edge = Edge("leaf", seen.id)
    step = world.draft.step(
        "backward", "leaf", run.place, target=name, grad=grad_thing(name, event.grad)
    )
    pair = world.leaf_box(seen)
    box = world.draft.node(
        ids.leaf_grad(pair, run.column),
        "leaf_grad",
        f"{name}.grad",
        detail=detail(event.grad),
        lane="backward",
        column=run.column,
        pair=pair,
        group=home(world, run, edge, run.waiting.get(key(edge), [])),
    )
    arrive(world, run, edge, box, step)
    step.light(box)
    step.show(Thing(f"{name}.grad", content(event.grad)), "grad_out", box)
    world.grads[seen.id], world.arrived[seen.id] = box, content(event.grad)


# ----- hooks -------------------------------------------------------------------------------------


def hook_ran(world: World, event: events.HookRan) -> None:
    run = world.run or begin(world)
    name = target_name(world, event.edge)
    changed = content(event.before) is not content(event.after)
    step = StepDraft("backward", "hook", [], [], event.place)
    step.facts = {"name": event.name, "target": name, "changed": changed}
    box = world.draft.node(
        ids.hook(world.draft.next("hook")),
        "hook",
        event.name,
        detail=detail(event.after),
        lane="backward",
        column=run.column,
    )
    step.light(box)
    step.show(grad_thing(d(name), event.before), "before", box)
    step.show(grad_thing(d(name), event.after), "after", box)
    visit = run.visit
    if visit and visit.computing and event.edge.kind == "node" and visit.node == event.edge.id:
        before_visit(world, visit, event, box, step)
    else:
        world.draft.steps.append(step)
        arrive(world, run, event.edge, box, step)
        run.waiting[key(event.edge)] = [box]


def before_visit(
    world: World, visit: Visit, event: events.HookRan, box: Box, step: StepDraft
) -> None:
    """A hook on the result of an op runs at the door of its visit: it goes in between."""
    draft, slot = world.draft, event.edge.slot
    wires = visit.coming.get(slot, [])
    door = Box(draft.edges[wires[-1]].target) if wires else visit.box
    for wire in wires:
        draft.redirect(wire, box)
    step.edges += wires
    visit.coming[slot] = [draft.edge(box, door, "grad")]
    visit.step.edges = [e for e in visit.step.edges if e not in wires] + visit.coming[slot]
    arrived = visit.step.facts.get("arrived", [])
    if slot < len(arrived):
        arrived[slot] = (arrived[slot][0], grad_thing(arrived[slot][0], event.after))
    for i, shown in enumerate(visit.step.shown):
        if shown.role == "grad_in" and shown.value is content(event.before):
            visit.step.shown[i] = replace(shown, value=content(event.after))
    for entry, made in visit.made:
        if entry is content(event.after):
            step.edges.append(draft.edge(made, box))
            break
    draft.steps.remove(visit.step)
    draft.steps += [step, visit.step]


# ----- optimizers and errors ---------------------------------------------------------------------


def parameter_updated(world: World, event: events.ParameterUpdated) -> None:
    seen = event.tensor
    thing = world.thing(seen)
    before = grad_thing(thing.called, event.before)
    step = world.draft.step(
        "backward", "update", event.place, optimizer=event.optimizer, target=thing, before=before
    )
    pair = world.leaf_box(seen)
    number = sum(n.pair == pair and n.kind == "update" for n in world.draft.nodes.values())
    group = next((s.group for s in world.scopes if s.kind == "optimizer"), None)
    box = world.draft.node(
        ids.update(pair, number + 1),
        "update",
        f"{event.optimizer}: {thing.called}",
        detail=detail(seen.value),
        lane="optimize",
        pair=pair,
        group=group,
    )
    if seen.id in world.grads:
        source = world.grads[seen.id]
        step.edges.append(world.draft.edge(source, box, "grad", d(thing.called)))
    step.light(box)
    step.show(before, "before", box)
    step.show(Thing(f"{thing.called}.grad", content(event.grad)), "grad_in", box)
    step.show(thing, "after", box, holder=pair)


def failed(world: World, event: events.Failed) -> None:
    """An exception: the innermost step that it left is told, the outer ones follow from it."""
    if not world.failing:
        step = world.draft.step(
            world.failing_phase,
            "error",
            event.place,
            error=event.error,
            message=event.message,
            during=place_of_failure(world, event),
        )
        box = box_of_failure(world, event)
        if box:
            step.light(box)
            world.draft.mark(box, "error")
    leave_failed(world, event)


def box_of_failure(world: World, event: events.Failed) -> str:
    scope = next((s for s in world.scopes if s.number == event.id), None)
    if event.during == "op" and event.id in world.calls:
        return world.calls[event.id].node
    if event.during == "leaf" and event.id in world.tensors:
        return world.leaf_box(world.tensors[event.id])
    if event.during == "operator" and world.running is not None:
        found = world.running.boxes.get(event.id)
        return found.node if found else ""
    if event.during == "scope" and scope and scope.kind == "pylayer.forward":
        return world.calls[scope.call].node if scope.call in world.calls else ""
    if event.during == "scope" and scope and scope.kind == "layer":
        return ids.closed(ids.layer(scope.number))
    tape = world.tape.get(event.id)
    if event.during == "node" and tape and not (world.visit and world.visit.node == event.id):
        return world.calls[tape.call].node if tape.call in world.calls else ""  # of paddle.grad
    return world.visit.box if world.visit else ""


def leave_failed(world: World, event: events.Failed) -> None:
    """Nothing tells that a scope or a pass is over when an exception leaves it."""
    if event.during == "scope" and any(s.number == event.id for s in world.scopes):
        while world.leave().number != event.id:
            pass
    elif event.during in ("node", "leaf") and world.runs:
        world.runs.pop()


def place_of_failure(world: World, event: events.Failed) -> str:
    """What was at work: `matmul`, or `backward of cus_tanh`."""
    if event.during == "op":
        return world.calls[event.id].op if event.id in world.calls else ""
    if event.during == "scope":
        scope = next((s for s in world.scopes if s.number == event.id), None)
        kind = scope.kind.removeprefix("pylayer") if scope else ""
        return f"{scope.name}{kind if kind.startswith('.') else ''}" if scope else ""
    if event.during == "operator":
        operator = world.running.boxes.get(event.id) if world.running else None
        return operator.type if operator else ""
    if event.during == "leaf":
        found = world.tensors.get(event.id)
        return f"{world.thing(found).called}.grad" if found else ""
    tape = world.tape.get(event.id)
    call = world.calls.get(tape.call) if tape else None
    return f"{call.op} backward" if call else ""
