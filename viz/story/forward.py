"""The forward half of the picture: ops, layers, PyLayers, what they save and mark."""

from __future__ import annotations

from typing import Any

from minipaddle import events
from minipaddle.events import Seen

from ..model import Node
from . import ids, op_facts, step_formula
from .draft import StepDraft, content, detail
from .sentences.wording import Thing
from .state import Call, Saved, Scope, Tape, World, flat

# ----- ops ---------------------------------------------------------------------------------------


def op_started(world: World, event: events.OpStarted) -> None:
    symbol = op_facts.symbol(event.op, event.attrs)
    box = world.draft.node(ids.op(event.call), "op", symbol, **world.where)
    inputs = flat(event.inputs)
    group = world.draft.nodes[box].group
    call = Call(box, event.op, inputs, place=event.place, group=group, attrs=event.attrs)
    world.calls[event.call] = call


def op_finished(world: World, event: events.OpFinished) -> None:
    call = world.calls.get(event.call)
    if call is None or call.node not in world.draft.nodes:  # not told, or damaged
        started = event.call, event.op, event.inputs, event.attrs, event.place
        op_started(world, events.OpStarted(*started))
        call = world.calls[event.call]
    call.outputs = event.outputs
    draft = world.draft
    for seen in call.inputs:
        if isinstance(seen, Seen):
            world.source(seen)  # first, because it may name what nobody has seen before
    inputs = [seen and world.thing(seen) for seen in call.inputs]
    step = draft.step(
        world.phase,
        "op",
        event.place,
        op=event.op,
        symbol=draft.nodes[call.node].label,
        inputs=inputs,
        outputs=[],
        word=op_facts.word(event.op, draft.code(event.place)),
    )
    if world.visit:
        tape = world.tape.get(world.visit.node)
        step.forward_place = world.visit.step.forward_place if tape else None
    for seen, thing in zip(call.inputs, inputs, strict=True):
        if isinstance(seen, Seen):
            world.wire(step, seen, call.node)
            step.show(thing, "input", call.node, holder=world.source(seen))
    step.light(call.node)
    call.step = step
    finish_op(world, event, call)


def finish_op(world: World, event: events.OpFinished, call: Call) -> None:
    """The outputs now come from this op."""
    step = call.step
    if step is None:
        return
    signs = op_facts.output_names(call.op)
    if len(event.outputs) == 1:
        signs = (world.draft.nodes[call.node].label,)
    for i, seen in enumerate(event.outputs):
        if i < len(signs):
            world.derive(seen, signs[i], call.inputs)
        thing = world.thing(seen)
        step.facts["outputs"].append(thing)
        step.show(thing, "output", call.node)
        world.produce(seen.id, call.node)
        world.tensors[seen.id] = seen
        if world.visit:
            world.visit.made.append((content(seen.value), call.node))
        world.note_result(seen, step)
    facts = step.facts
    step.formula = step_formula.formula(call.op, call.attrs, facts["inputs"], facts["outputs"])
    if event.outputs:
        first = event.outputs[min(op_facts.main_output(call.op), len(event.outputs) - 1)]
        world.draft.change(call.node, detail=detail(first.value, world.name(first.id)))


# ----- scopes ------------------------------------------------------------------------------------


def scope_entered(world: World, event: events.ScopeEntered) -> None:
    scope = Scope(event.scope, event.kind, event.name, event.call, None, event.place)
    scope.inputs = flat(event.inputs)
    parent = world.where
    if event.kind == "pylayer.forward":
        forward_entered(world, event, scope, parent)
    elif event.kind == "layer":
        layer_entered(world, scope, parent)
    elif event.kind == "optimizer":
        box = ids.optimizer(event.scope)
        scope.group = world.draft.group(box, "optimizer", event.name, lane="optimize")
    world.scopes.append(scope)
    if event.kind == "pylayer.forward":
        forward_ports(world, event, scope)


def layer_entered(world: World, scope: Scope, parent: dict[str, Any]) -> None:
    if parent["lane"] != "forward":
        scope.group = parent["group"]
        return
    label = world.layers.get(scope.name, scope.name)
    frame = ids.layer(scope.number)
    closed = Node(ids.closed(frame), "op", label, **parent)
    scope.group = world.draft.group(
        frame,
        "layer",
        label,
        parent=parent["group"],
        twin=ids.halves(frame),
        closed=closed,
    )


def forward_entered(
    world: World, event: events.ScopeEntered, scope: Scope, parent: dict[str, Any]
) -> None:
    """A PyLayer's forward half: a group that its closed box stands for."""
    box = ids.pylayer(event.call)
    closed = Node(box, "pylayer", event.name, **parent)
    scope.group = world.draft.group(
        ids.pylayer_forward(box),
        "pylayer",
        event.name,
        parent=parent["group"],
        lane=parent["lane"],
        twin=ids.pylayer_halves(event.call),
        closed=closed,
    )
    world.calls[event.call] = Call(
        box,
        event.name,
        flat(event.inputs),
        place=event.place,
        group=parent["group"],
        scope=event.scope,
    )


def forward_ports(world: World, event: events.ScopeEntered, scope: Scope) -> None:
    """The step of entering, with a port for each argument."""
    call = world.calls[event.call]
    draft = world.draft
    things = [seen and world.thing(seen) for seen in call.inputs]
    step = draft.step(world.phase, "enter", event.place, layer=event.name, inputs=things)
    given = step.facts["outside"] = outside(world, scope, call.inputs)
    sources = [seen and world.source(seen) for seen in call.inputs]
    for i, (seen, thing) in enumerate(zip(call.inputs, things, strict=True)):
        label = thing.called if thing else "None"
        shape = detail(seen.value) if seen else ""
        port = draft.node(ids.port(call.node, "in", i), "port", label, detail=shape, **world.where)
        if seen is not None:
            step.edges.append(draft.edge(sources[i], port, label=given[i]))
            step.light(sources[i])
            step.show(thing, "input", port, holder=sources[i])
            world.shadow(scope, seen.id, port)
        step.light(port)
    step.light(call.node)
    call.step = step


def outside(world: World, scope: Scope, tensors: tuple[Any, ...]) -> list[str]:
    """What tensors are called outside a scope that has names of its own for them."""
    at = world.scopes.index(scope)
    inner, world.scopes[at:] = world.scopes[at:], []
    names = ["" if seen is None else world.name(seen.id) for seen in tensors]
    world.scopes[at:] = inner
    return names


def scope_left(world: World, event: events.ScopeLeft) -> None:
    scope = next((s for s in reversed(world.scopes) if s.number == event.scope), None)
    if scope is None:
        return
    if event.kind == "pylayer.forward":
        forward_left(world, event, scope)
    while world.leave() is not scope:
        pass
    kind, _, role = event.name.partition(" ")
    if event.kind == "layer":
        layer_left(world, scope, flat(event.outputs), kind if role.isdigit() else role)
    call = world.calls.get(event.call)
    if event.kind == "pylayer.forward" and call is not None:
        for i, seen in enumerate(flat(event.outputs)):
            if isinstance(seen, Seen):
                world.produce(seen.id, ids.port(call.node, "out", i))
                if len(flat(event.outputs)) == 1:
                    world.derive(seen, call.op, call.inputs)
                world.note_result(seen, call.step)


def layer_left(world: World, scope: Scope, outputs: tuple[Any, ...], sign: str) -> None:
    """The closed box says what the layer gave; `sign` names a result that nobody named."""
    if sign and len(outputs) == 1 and outputs[0]:
        world.derive(outputs[0], sign, scope.inputs)
    first = next((seen for seen in outputs if isinstance(seen, Seen)), None)
    if first is not None and scope.group == ids.layer(scope.number):
        world.draft.close_with(scope.group, detail(first.value, world.name(first.id)))


def forward_left(world: World, event: events.ScopeLeft, scope: Scope) -> None:
    """The step of returning, with a port for each result."""
    call = world.calls.get(event.call)
    if call is None:
        return
    draft = world.draft
    call.outputs = flat(event.outputs)
    things = [seen and world.thing(seen) for seen in call.outputs]
    step = draft.step(
        world.phase,
        "leave",
        scope.place,
        layer=event.name,
        outputs=things,
        graded=event.call in world.graded,
        outside=outside(world, scope, call.outputs),
    )
    step.light(call.node)
    for i, (seen, thing) in enumerate(zip(call.outputs, things, strict=True)):
        label = thing.called if thing else "None"
        shape = detail(seen.value) if seen else ""
        port = draft.node(ids.port(call.node, "out", i), "port", label, detail=shape, **world.where)
        if seen is not None:
            world.wire(step, seen, port)
            step.show(thing, "output", port)
        step.light(port)
    first = next((seen for seen in call.outputs if seen is not None), None)
    if first is not None and scope.group:
        world.draft.close_with(scope.group, detail(first.value))
    call.step = step


def layer_hook(world: World, event: events.LayerHookRan) -> None:
    """A hook of a layer looks at what goes in or comes out; what replaces it, ops have made."""
    scope = next((s for s in reversed(world.scopes) if s.number == event.scope), None)
    given = [seen for seen in flat(event.given) if seen]
    made = None if event.made is None else [seen for seen in flat(event.made) if seen]
    things = [world.thing(seen) for seen in given]
    results = None if made is None else [world.thing(seen) for seen in made]
    step = world.draft.step(
        world.phase,
        "layer_hook",
        event.place,
        name=event.name,
        when=event.when,
        given=things,
        layer=world.layers.get(scope.name, scope.name) if scope else "",
        made=results,
    )
    step.forward_place = scope.place if scope else None
    shape = detail(given[0].value) if given else ""
    box = world.draft.node(
        ids.hook(world.draft.next("hook")), "hook", event.name, detail=shape, **world.where
    )
    step.light(box)
    for seen, thing in zip(given, things, strict=True):
        read = seen.id in world.used
        world.wire(step, seen, box)
        if not read:
            world.used.discard(seen.id)  # to look at a result is not to use it
        step.show(thing, "input" if results is None else "before", box)
    for thing in results or ():
        step.show(thing, "after", box)


def marked(world: World, event: events.ContextMarked) -> None:
    call = world.calls.get(event.call)
    if call is None:
        return
    things = [world.thing(seen) for seen in event.tensors]
    step = world.draft.step(
        world.phase,
        "mark",
        event.place,
        layer=call.op,
        mark=event.mark,
        marked=things,
        value=event.value,
    )
    step.light(call.node)
    for seen, thing in zip(event.tensors, things, strict=True):
        step.light(world.source(seen))
        step.show(thing, "input", call.node)
    group = ids.pylayer_forward(call.node)
    if group in world.draft.groups:
        world.draft.badge(group, badge_of(event, things))


def badge_of(event: events.ContextMarked, things: list[Thing]) -> str:
    """The mark in a few letters: `non-differentiable: y`."""
    names = ", ".join(thing.called for thing in things)
    text = {
        "mark_not_inplace": "not in-place",
        "mark_non_differentiable": "non-differentiable",
        "set_materialize_grads": "materialize: " + ("zeros" if event.value else "None"),
        "set_grad_in_dtype_consistent": f"grad in dtype: {event.value}",
    }.get(event.mark, event.mark)
    return f"{text}: {names}" if names else text


# ----- the tape ----------------------------------------------------------------------------------


def grad_node_made(world: World, event: events.GradNodeMade) -> None:
    world.tape[event.node] = Tape(event.name, event.call, event.edges)


def save_step(world: World, event: events.TensorSaved, call: Call | None, tape: Tape) -> StepDraft:
    """The step of saving: what a PyLayer saved it saved before its forward returned."""
    applied = call and call.place
    step = world.draft.step(
        world.phase,
        "save",
        event.place or applied,
        op=call.op if call else tape.name,
        saved=[],
        layer=bool(call and call.scope),
    )
    step.forward_place = applied if event.place else None
    if call and call.scope and call.step in world.draft.steps[-2:-1]:
        world.draft.steps[-2:] = [step, world.draft.steps[-2]]
    return step


def tensor_saved(world: World, event: events.TensorSaved) -> None:
    """Everything that one node saves is told in one step."""
    tape = world.tape.get(event.node)
    if tape is None:
        return
    call = world.calls.get(tape.call)
    step = tape.keeping
    if step is None:
        step = tape.keeping = save_step(world, event, call, tape)
    thing = world.inner_thing(call, event.tensor, event.slot)
    source = world.saved_source(call, event.tensor)
    tape.saved.append(Saved(event.slot, event.tensor, source))
    if any(saved.tensor.id == event.tensor.id for saved in tape.saved[:-1]):
        return
    step.facts["saved"].append(thing)
    step.show(thing, "saved", source)
    step.light(source, *([call.node] if call else []))
    step.edges += world.saved_edges(event.node, tape, thing.called)
