"""The backward half: how gradients travel, meet, shrink and arrive."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from minipaddle import events
from minipaddle.events import Edge, Seen, Value

from ..model import NONE, Node, Shown
from . import ids, op_facts, step_formula
from .draft import StepDraft, content, detail
from .ids import Box, Wire
from .sentences.wording import Thing, d
from .state import Arrived, Call, Run, Tape, Visit, World, flat


def key(edge: Edge) -> tuple[str, int, int]:
    return edge.kind, edge.id, edge.slot


def target_tensor(world: World, edge: Edge) -> Seen | None:
    """The tensor whose gradient travels along an edge."""
    if edge.kind == "leaf":
        return world.leaves.get(edge.id) or world.tensors.get(edge.id)
    tape = world.tape.get(edge.id)
    call = world.calls.get(tape.call) if tape else None
    found = call.outputs[edge.slot] if call and 0 <= edge.slot < len(call.outputs) else None
    return found if isinstance(found, Seen) else None


def target_name(world: World, edge: Edge) -> str:
    """What sentences call the tensor behind an edge."""
    seen = target_tensor(world, edge)
    return world.thing(seen).called if seen else f"t{edge.id}"


def given_name(world: World, edge: Edge) -> str:
    """`dy`, if the user has a name for the tensor behind an edge."""
    seen = target_tensor(world, edge)
    return d(world.name(seen.id)) if seen and world.name(seen.id) else ""


def arrive(world: World, run: Run, edge: Edge, box: Box, step: StepDraft) -> list[Wire]:
    """Lead everything that waits for this target into a box."""
    name = given_name(world, edge)
    wires = [
        world.draft.edge(source, box, "grad", name) for source in run.waiting.pop(key(edge), [])
    ]
    step.edges += wires
    return wires


# ----- a node ------------------------------------------------------------------------------------


def node_visited(world: World, event: events.NodeVisited) -> None:
    run = world.run or begin(world)
    tape = world.tape.setdefault(event.node, Tape(event.name, 0))
    call = world.calls.get(tape.call)
    tape.visits += 1
    box = ids.grad(event.node, tape.visits)
    outputs = call.outputs if call else ()
    arrived = [
        (output_name(world, outputs, i), gradient_of(world, outputs, i, value))
        for i, value in enumerate(event.arrived)
    ]
    step = world.draft.step(
        "backward",
        "visit",
        run.place,
        op=call.op if call else tape.name,
        arrived=arrived,
        computed=[],
        uses=[],
    )
    step.forward_place = call and call.place
    if call:
        step.formula, step.terms = rule_of(world, call, tape)
    where = {"lane": "backward", "column": run.column, "group": backward_group(world, run, call)}
    pair = call.node if call else None
    visit = Visit(event.node, box, None, step)
    run.visit = visit
    if (event.node, tape.visits) in world.inner:
        open_visit(world, visit, call, tape, where)
    else:
        world.draft.node(box, "grad", visit_label(call, tape), pair=pair, **where)
    ports_in(world, run, visit, event, arrived)
    step.facts["uses"] = saved_names(world, call, tape)
    step.edges += [tape.wires[tape.visits]] if tape.visits in tape.wires else []


def rule_of(world: World, call: Call, tape: Tape) -> tuple[str, list[Thing]]:
    """The formula of a visit, not of the gradients that no edge leads on; what it speaks of."""
    given, made = (
        [world.thing(seen) if isinstance(seen, Seen) else None for seen in tensors]
        for tensors in (call.inputs, call.outputs)
    )
    missing = [i for i, edge in enumerate(tape.edges) if edge is None]
    text = step_formula.grad_formula(call.op, call.attrs, given, made, missing)
    terms = {thing.called: thing for thing in (*given, *made) if thing and thing.called in text}
    return text, list(terms.values())


def visit_label(call: Call | None, tape: Tape) -> str:
    """What the box of a visit is called: the user's own `backward`, or that of an op."""
    if call is not None and call.scope:
        return f"{call.op}.backward"
    return f"{op_facts.title(call.op) if call else tape.name} backward"


def saved_names(world: World, call: Call | None, tape: Tape) -> list[str]:
    """What a node saved, each tensor once."""
    names = [world.inner_thing(call, saved.tensor, saved.slot).called for saved in tape.saved]
    return list(dict.fromkeys(names))


def begin(world: World) -> Run:
    """A visit outside of any pass, as a damaged trace may have it, starts one."""
    run = Run(world.columns)
    world.columns += 1
    world.runs.append(run)
    return run


def output_name(world: World, outputs: tuple[Any, ...], i: int) -> str:
    seen = outputs[i] if i < len(outputs) else None
    return world.thing(seen).called if isinstance(seen, Seen) else f"output {i}"


def inner_name(world: World, call: Call | None, tensors: tuple[Any, ...], i: int) -> str:
    """What a tensor is called inside the PyLayer that it enters or leaves."""
    seen = tensors[i] if i < len(tensors) else None
    return world.inner_thing(call, seen).called if isinstance(seen, Seen) else f"value {i}"


def gradient_of(
    world: World, outputs: tuple[Any, ...], i: int, value: Value | None
) -> Thing | None:
    """A gradient that arrived, under the name of the tensor it belongs to."""
    return None if value is None else grad_thing(output_name(world, outputs, i), value)


def grad_thing(name: str, value: Value) -> Thing:
    return Thing(name, content(value), value.shape)


def backward_group(world: World, run: Run, call: Call | None) -> str | None:
    """The backward half of the layer that a forward box stands in, made when first needed."""
    if call is None or call.group is None or call.group not in world.draft.groups:
        return None
    forward = world.draft.groups[call.group]
    if forward.kind != "layer" or forward.lane != "forward":
        return None
    name = ids.backward_of(ids.Frame(forward.id), run.column)
    if name not in world.draft.groups:
        outer = Call(Box(""), "", group=forward.parent)
        parent = backward_group(world, run, outer)
        closed = Node(
            ids.closed(name),
            "grad",
            f"{forward.label} backward",
            lane="backward",
            column=run.column,
            pair=forward.closed.id if forward.closed else None,
        )
        world.draft.group(
            name,
            "layer",
            f"{forward.label} backward",
            parent=parent,
            lane="backward",
            twin=forward.twin,
            closed=closed,
        )
    return name


def open_visit(
    world: World, visit: Visit, call: Call | None, tape: Tape, where: dict[str, Any]
) -> None:
    """A visit with recorded work inside is a group: the backward half of a PyLayer."""
    layer = bool(call and call.scope)
    label = visit_label(call, tape)
    kind = "pylayer_grad" if layer else "grad"
    closed = Node(visit.box, kind, label, pair=call.node if call else None, **where)
    visit.group = world.draft.group(
        ids.visit_inside(visit.box),
        "pylayer" if layer else "block",
        label,
        parent=where["group"],
        lane="backward",
        twin=ids.pylayer_halves(tape.call) if layer else None,
        closed=closed,
        badges=world.draft.groups[ids.pylayer_forward(call.node)].badges if call and layer else (),
    )
    inside = {**where, "group": visit.group}
    for i, saved in enumerate(tape.saved):
        name = world.inner_thing(call, saved.tensor, saved.slot).called
        world.draft.node(
            ids.port(visit.box, "saved", i),
            "port",
            name,
            detail=detail(saved.tensor.value),
            **inside,
        )


def ports_in(
    world: World, run: Run, visit: Visit, event: events.NodeVisited, arrived: list[Any]
) -> None:
    """Lead the gradients that arrived into the visit, through ports if it is a group."""
    for i, (value, (name, thing)) in enumerate(zip(event.arrived, arrived, strict=True)):
        box = visit.box
        waiting = run.waiting.get(("node", event.node, i), [])
        if value is not None and waiting:
            visit.arrived.append(Arrived(content(value), waiting[-1], name))
        if visit.group:
            where = {"lane": "backward", "column": run.column, "group": visit.group}
            box = world.draft.node(
                ids.port(visit.box, "in", i),
                "port",
                d(name),
                detail=detail(value) or NONE,
                pair=forward_port(world, visit, "out", i),
                **where,
            )
            visit.step.light(box)
            if value is not None:
                visit.arrived.append(Arrived(content(value), box, name))
        edge = Edge("node", event.node, i)
        visit.coming[i] = arrive(world, run, edge, box, visit.step)
        if thing is not None:
            visit.step.show(Thing(d(name), thing.value), "grad_in", box)
    visit.step.light(visit.box)


def forward_port(world: World, visit: Visit, side: ids.Side, index: int) -> str | None:
    """The port of a PyLayer's forward half that a port of its backward half answers."""
    call = world.calls.get(world.tape[visit.node].call)
    name = ids.port(call.node, side, index) if call else ""
    return name if name in world.draft.nodes else None


# ----- inside a PyLayer's backward ---------------------------------------------------------------


def backward_entered(world: World, event: events.ScopeEntered) -> None:
    """The user's `backward` is called: what it gets, in order."""
    visit = world.visit
    if visit is None or visit.group is None:
        return
    scope, tape = world.scopes[-1], world.tape[visit.node]
    call = world.calls.get(tape.call)
    scope.group = visit.group
    step = visit.step
    came = [thing for _, thing in step.facts["arrived"]]
    rows, zeros, others, shown = [], [], [], []
    for i, seen in enumerate(flat(event.inputs)):
        inside = inner_name(world, call, call.outputs if call else (), i)
        label = (world.name(seen.id) if seen else "") or d(inside)
        rows.append((label, seen and Thing(label, content(seen.value), seen.value.shape)))
        if seen and not world.name(seen.id):
            world.derived[seen.id] = label  # one of several in `*grads`
        outer = came[i] if i < len(came) else None
        others.append(d(outer.called) if outer and d(outer.called) != label else "")
        port = ids.port(visit.box, "in", i)
        if port in world.draft.nodes:
            shape = detail(seen.value) if seen else NONE
            world.draft.change(port, label=label, detail=shape)
        zero = bool(seen) and i < len(came) and came[i] is None
        name = f"{label} = {others[-1]}" if others[-1] else label
        role = "zeros" if zero else "grad_in"
        shown.append(Shown(name, role, seen and content(seen.value), port))
        if seen is None:
            continue
        world.shadow(scope, seen.id, port)
        if zero:
            zeros.append(inside)
            world.draft.mark(port, "zeros")
    step.kind, step.shown = "receive", shown
    step.facts = {"layer": event.name, "arrived": rows, "zeros": zeros, "outside": others}
    step.place = event.place or step.place
    step.formula, step.terms = "", []
    for i, saved in enumerate(tape.saved):
        world.shadow(scope, saved.tensor.id, ids.port(visit.box, "saved", i))
        step.light(ids.port(visit.box, "saved", i))


def backward_left(world: World, event: events.ScopeLeft) -> None:
    """The user's `backward` has returned: a port for every gradient, None included."""
    visit, run = world.visit, world.run
    if visit is None or run is None or visit.group is None:
        return
    call = world.calls.get(world.tape[visit.node].call)
    step = world.draft.step("backward", "return", visit.step.place, layer=event.name, computed=[])
    step.forward_place = call.place if call else None
    where = {"lane": "backward", "column": run.column, "group": visit.group}
    for i, seen in enumerate(flat(event.outputs)):
        name = inner_name(world, call, call.inputs if call else (), i)
        step.facts["computed"].append((name, seen and grad_thing(name, seen.value)))
        box = world.draft.node(
            ids.port(visit.box, "out", i),
            "port",
            d(name),
            detail=detail(seen.value) if seen else NONE,
            pair=forward_port(world, visit, "in", i),
            **where,
        )
        if seen is not None:
            world.wire(step, seen, box)
            thing = Thing(d(name), content(seen.value))
            step.show(thing, "grad_out", box, world.probe(visit, i))
        else:
            step.shown.append(Shown(d(name), "grad_out", None, box))
        step.light(box)
        visit.sources[i] = box
    step.light(visit.box)
    visit.step = step


# ----- what a node computes ----------------------------------------------------------------------


def grad_computed(world: World, event: events.GradComputed) -> None:
    run, visit = world.run, world.visit
    if run is None or visit is None or visit.node != event.node:
        return
    visit.computing = False
    name = target_name(world, event.edge)
    source = visit.sources.get(event.index, visit.box)
    if visit.step.kind not in ("receive", "return"):  # return has told of it already
        grad = visit.wide.get(event.index, event.grad)
        thing = None if grad is None else grad_thing(name, grad)
        visit.step.facts["computed"].append((name, thing))
        if visit.group and event.index not in visit.sources and event.grad is not None:
            source = out_port(world, run, visit, event.index, event.grad, name)
        if thing is not None:
            wide = event.index in visit.wide  # then it is measured after the sum
            probe = None if wide else world.probe(visit, event.index)
            box = visit.box if wide else source
            visit.step.show(Thing(d(name), thing.value), "grad_out", box, probe)
    if event.grad is None:
        return
    run.waiting.setdefault(key(event.edge), []).append(source)
    if visit.group:
        world.draft.close_with(visit.group, detail(event.grad))
    elif not world.draft.nodes[visit.box].detail:
        world.draft.change(visit.box, detail=detail(event.grad))
    hand_on(world, visit, event.edge, event.grad)


def hand_on(world: World, visit: Visit, edge: Edge, grad: Value) -> None:
    """The closed boxes of the layers that a gradient leaves say its shape."""
    draft, goal = world.draft, None
    if edge.kind == "node":
        call = world.calls.get(world.tape[edge.id].call) if edge.id in world.tape else None
        goal = call.group if call else None
    else:
        leaf = draft.nodes.get(ids.tensor(edge.id))
        if leaf is not None and leaf.kind == "parameter":
            return
    staying = {draft.groups[name].twin for name in draft.around(goal)}
    for name in draft.around(visit.group or draft.nodes[visit.box].group):
        group = draft.groups[name]
        if group.kind == "layer" and group.twin not in staying:
            draft.close_with(name, detail(grad))


def out_port(world: World, run: Run, visit: Visit, index: int, value: Value, name: str) -> Box:
    """A port for a gradient that leaves an opened visit, wired to the op that made it."""
    where = {"lane": "backward", "column": run.column, "group": visit.group}
    box = ids.port(visit.box, "out", index)
    world.draft.node(box, "port", d(name), detail=detail(value), **where)
    made = (source for entry, source in reversed(visit.made) if entry is content(value))
    source = next(made, None)
    if source is not None:
        visit.step.edges.append(world.draft.edge(source, box))
    visit.step.light(box)
    visit.sources[index] = box
    return box


def unbroadcast(world: World, event: events.GradUnbroadcast) -> None:
    run, visit = world.run, world.visit
    if run is None or visit is None or visit.node != event.node:
        return
    visit.computing = False
    visit.wide[event.index] = event.before
    call = world.calls.get(world.tape[event.node].call)
    seen = call.inputs[event.index] if call and event.index < len(call.inputs) else None
    name = world.thing(seen).called if isinstance(seen, Seen) else f"input {event.index}"
    before, after = grad_thing(name, event.before), grad_thing(name, event.after)
    step = world.draft.step(
        "backward", "unbroadcast", run.place, target=name, before=before, after=after
    )
    step.forward_place = call and call.place
    box = world.draft.node(
        ids.unbroadcast(visit.box, event.index),
        "unbroadcast",
        "Σ",
        detail=detail(event.after),
        lane="backward",
        column=run.column,
        group=backward_group(world, run, call),
    )
    source = visit.box
    if visit.group:
        source = out_port(world, run, visit, event.index, event.before, name)
    step.edges.append(world.draft.edge(source, box, "grad", d(name)))
    visit.sources[event.index] = box
    step.light(box)
    step.show(replace(before, name=d(name)), "before", box)
    step.show(replace(after, name=d(name)), "after", box, world.probe(visit, event.index))


def released(world: World, event: events.SavedReleased) -> None:
    tape, run = world.tape.get(event.node), world.run
    if tape is None or not tape.saved:
        return
    call = world.calls.get(tape.call)
    names = saved_names(world, call, tape)
    step = world.draft.step(
        "backward", "release", run and run.place, op=call.op if call else tape.name, names=names
    )
    step.forward_place = call and call.place
    step.light(ids.grad(event.node, max(tape.visits, 1)))
