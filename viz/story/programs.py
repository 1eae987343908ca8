"""Programs: operators being appended, gradient operators mirrored beside them, and their run.

A program that only makes values out of nothing is a startup program: it is no picture of its
own, and its run is one step in which the parameters get their first values.
"""

from __future__ import annotations

from typing import Any

from minipaddle import events
from minipaddle.events import Declared, Value

from ..model import Node, Shown
from . import ids, step_formula
from .draft import StepDraft, content, detail
from .ids import Box
from .program_boxes import Operator, ProgramBoxes, declared_thing, named, program_of
from .py_func import py_func
from .sentences.wording import Thing
from .state import World

GRAD = "@GRAD"


# ----- building ----------------------------------------------------------------------------------


def appended(world: World, event: events.OperatorAppended) -> None:
    program = program_of(world, event.program)
    if event.index in program.boxes:
        return  # told again, to somebody who began to listen later
    reads, writes = named(event.inputs), named(event.outputs)
    program.shapes |= {variable.name: variable for variable in (*reads, *writes)}
    if event.program in world.startup:
        return
    forward = program.boxes.get(-1 if event.forward_of is None else event.forward_of)
    origin = (event.program, -1 if event.forward_of is None else event.forward_of)
    step = world.draft.step(
        "build",
        "append",
        event.place,
        type=event.type,
        role=event.role,
        index=event.index,
        inputs=[declared_thing(v) for v in reads],
        outputs=[declared_thing(v) for v in writes],
        forward=forward.type if forward else "",
        mode=event.mode,
        function=world.functions.get((event.program, event.index), ""),
        forward_function=world.functions.get(origin, ""),
    )
    step.forward_place = forward.place if forward else None
    step.formula = formula_of(program, event, forward)
    if event.role == "backward" and not reads and writes:
        result(world, program, writes[0].name.removesuffix(GRAD), step)
    closed = operator_box(world, program, event, forward, writes)
    inside = None
    if event.type == "py_func":
        left_out = forward.attrs.get("backward_skip_vars", ()) if forward else ()
        inside = py_func(
            world.draft,
            closed,
            step.facts["function"],
            reads,
            writes,
            forward.inside if forward else None,
            left_out,
        )
        step.edges += inside.edges
    else:
        world.draft.nodes.setdefault(closed.id, closed)
    box = Box(closed.id)
    operator = Operator(
        box,
        event.type,
        event.op,
        event.role,
        event.place,
        event.forward_of,
        step.edges,
        [v.name for v in reads],
        [v.name for v in writes],
        event.attrs,
        inside,
    )
    program.boxes[event.index] = operator
    for variable in reads:
        read(world, program, operator, variable, forward, step)
    step.light(box, *(inside.parts if inside else ()))
    for variable in writes:
        if variable.name not in program.leaves:  # an update leaves a parameter what it was
            program.makers[variable.name] = inside.outs[variable.name] if inside else box
        leaf_gradient(world, program, operator, variable, step)


def formula_of(
    program: ProgramBoxes, event: events.OperatorAppended, forward: Operator | None
) -> str:
    if event.role == "backward":
        return gradient_rule(program, forward) if forward else ""
    ends = [[declared_thing(v) for v in named(slots)] for slots in (event.inputs, event.outputs)]
    return step_formula.formula(event.op, event.attrs, *ends)


def gradient_rule(program: ProgramBoxes, forward: Operator) -> str:
    """How the gradients of an operator follow, in the names of its variables."""
    given, made = (
        [declared_thing(program.shapes[name]) for name in names]
        for names in (forward.reads, forward.writes)
    )
    return step_formula.grad_formula(
        forward.op, forward.attrs, given, made, called=lambda name: f"{name}{GRAD}"
    )


def operator_box(
    world: World,
    program: ProgramBoxes,
    event: events.OperatorAppended,
    forward: Operator | None,
    writes: list[Declared],
) -> Node:
    """The box of an operator, in the lane of its role; of a py_func the closed one."""
    kind, lane, label = "op", "forward", event.type
    pair = forward.node if forward else None
    if event.type == "py_func":
        kind, function = "py_func", world.functions.get((program.number, event.index))
        label = f"py_func: {function}" if function else label
    if event.role == "backward":
        kind, lane = ("py_func_grad" if kind == "py_func" else "grad"), "backward"
        if forward is None and not event.inputs:
            kind = "seed"
        elif forward is None and event.type == "sum":
            kind, label = "accumulate", "+="
    elif event.role == "optimize":
        kind, lane = "update", "optimize"
    if pair is None and lane != "forward":
        bases = [v.name.split(GRAD)[0] for v in writes]
        tables = program.results, program.makers, program.leaves
        pair = next((table[b] for table in tables for b in bases if b in table), None)
    shown = writes[0] if writes else None
    text = detail(Value(shown.shape, shown.dtype), shown.name) if shown else ""
    name = ids.operator(program.number, event.index)
    return Node(name, kind, label, text, lane, pair=pair)


def read(
    world: World,
    program: ProgramBoxes,
    operator: Operator,
    variable: Declared,
    forward: Operator | None,
    step: StepDraft,
) -> None:
    """A wire for a variable that an operator reads."""
    name = variable.name
    box = operator.inside.ins[name] if operator.inside else operator.node
    if forward is not None and name in (*forward.reads, *forward.writes):
        if operator.inside and forward.inside:
            port = forward.inside.port(name)
            step.edges.append(world.draft.edge(port, box, "saved", name))
            return
        saved = next((e for e in step.edges if world.draft.edges[e].kind == "saved"), None)
        if saved is not None:
            world.draft.relabel(saved, name)
        else:
            step.edges.append(world.draft.edge(forward.node, operator.node, "saved", name))
        return
    source = program.makers.get(name) or leaf(world, program, variable, operator.role)
    step.light(source)
    kind = "grad" if GRAD in name and operator.role != "forward" else "data"
    step.edges.append(world.draft.edge(source, box, kind, name))


def leaf(world: World, program: ProgramBoxes, variable: Declared, role: str) -> Box:
    """The box of a variable that no operator of this Program makes."""
    if variable.name not in program.leaves:
        usual = "state" if variable.persistable else "leaf"
        kind = variable.kind if variable.kind in ("data", "parameter") else usual
        box = ids.variable(program.number, len(program.leaves) + 1)
        shape = detail(Value(variable.shape, variable.dtype))
        lane = "optimize" if kind == usual and role == "optimize" else "forward"  # a moment
        program.leaves[variable.name] = world.draft.node(
            box, kind, variable.name, detail=shape, lane=lane
        )
    return program.leaves[variable.name]


def result(world: World, program: ProgramBoxes, name: str, step: StepDraft) -> Box | None:
    """The box of a variable that a run is asked for, or that gradients start at."""
    if name not in program.makers or name in program.results or GRAD in name:
        return program.results.get(name) or program.makers.get(name) or program.leaves.get(name)
    variable = program.shapes[name]
    box = world.draft.node(
        ids.fetched(program.number, len(program.results) + 1),
        "result",
        name,
        detail=detail(Value(variable.shape, variable.dtype)),
    )
    step.edges.append(world.draft.edge(program.makers[name], box))
    step.light(box)
    program.results[name] = box
    return box


def leaf_gradient(
    world: World, program: ProgramBoxes, operator: Operator, variable: Declared, step: StepDraft
) -> None:
    """The gradient of a parameter or of data ends in a box beside that leaf."""
    base = variable.name.removesuffix(GRAD)
    pair = program.leaves.get(base)
    if operator.role != "backward" or base == variable.name or pair is None:
        return
    box = world.draft.node(
        ids.variable_grad(pair),
        "leaf_grad",
        variable.name,
        lane="backward",
        pair=pair,
        detail=detail(Value(variable.shape, variable.dtype)),
    )
    source = operator.inside.outs[variable.name] if operator.inside else operator.node
    step.edges.append(world.draft.edge(source, box, "grad", variable.name))
    step.light(box)
    program.makers[variable.name] = box


# ----- running -----------------------------------------------------------------------------------


def run_started(world: World, event: events.RunStarted) -> None:
    program = world.running = program_of(world, event.program)
    program.started, program.made = event, {}
    program.began, program.ran, program.frees = None, {}, {}
    if event.program in world.startup:
        return
    fed = [Thing(name, content(value), value.shape) for name, value in event.feeds.items()]
    step = world.draft.step("run", "run", event.place, fed=fed, fetches=list(event.fetches))
    program.began = step
    for thing in fed:
        box = program.leaves.get(thing.name)
        step.light(*([box] if box else []))
        step.show(thing, "input", box)
    if not step.nodes:
        step.light(*list(world.draft.nodes)[:1])


def executed(world: World, event: events.OperatorExecuted) -> None:
    program = program_of(world, event.program)
    operator = program.boxes.get(event.index)
    if event.program in world.startup or operator is None:
        program.made |= event.outputs
        return
    if program.told == event.index:  # its py_func call was the step
        program.told = -1
        return
    inputs = [Thing(name, content(v), v.shape) for name, v in event.inputs.items()]
    outputs = [Thing(name, content(v), v.shape) for name, v in event.outputs.items()]
    step = world.draft.step(
        "run", "execute", operator.place, type=operator.type, inputs=inputs, outputs=outputs
    )
    program.ran[event.index] = step
    show_run(world, program, operator, step, inputs, outputs)


def show_run(
    world: World,
    program: ProgramBoxes,
    operator: Operator,
    step: StepDraft,
    inputs: list[Thing],
    outputs: list[Thing],
) -> None:
    """What a step of a run lights and shows."""
    forward = program.boxes.get(-1 if operator.forward_of is None else operator.forward_of)
    step.forward_place = forward.place if forward else None
    if operator.role == "forward":
        step.formula = step_formula.formula(operator.op, operator.attrs, inputs, outputs)
    elif forward is not None:
        step.formula = gradient_rule(program, forward)
    step.light(operator.node, *(operator.inside.parts if operator.inside else ()))
    step.edges += operator.edges
    backward = operator.role == "backward"
    for thing in inputs:
        role = "grad_in" if backward and GRAD in thing.name else "input"
        step.show(thing, role, operator.node, holder=program.leaves.get(thing.name))
    for thing in outputs:
        box = program.leaves.get(thing.name) or program.makers.get(thing.name)
        step.show(thing, "grad_out" if backward else "output", operator.node, holder=box)
        if box and world.draft.nodes[box].kind == "leaf_grad":
            step.light(box)


def py_func_called(world: World, event: events.PyFuncCalled) -> None:
    program = program_of(world, event.program)
    operator = program.boxes.get(event.index)
    if operator is None:
        return
    program.told = event.index
    given = [value_thing(name, value) for name, value in event.arguments]
    back = [value_thing(name, value) for name, value in event.results]
    step = world.draft.step(
        "run",
        "py_func",
        event.defined or operator.place,
        function=event.function,
        arguments=given,
        results=back,
        skipped=list(event.skipped) if event.direction == "backward" else [],
    )
    program.ran[event.index] = step
    show_run(world, program, operator, step, [t for _, t in given if t], [t for _, t in back if t])
    step.forward_place = operator.place
    forward = program.boxes.get(-1 if operator.forward_of is None else operator.forward_of)
    step.shown = arguments(forward, operator, event, given) + [
        Shown(
            name,
            "grad_out" if forward else "output",
            thing.value if thing else None,
            operator.inside.outs.get(name) if operator.inside else operator.node,
        )
        for name, thing in back
    ]


def arguments(
    forward: Operator | None,
    operator: Operator,
    event: events.PyFuncCalled,
    given: list[tuple[str, Thing | None]],
) -> list[Shown]:
    """What the user's function gets, in its order; backward_func with what it does not get."""
    rest = dict(given)
    whole = [*forward.reads, *forward.writes] if forward and event.direction == "backward" else []
    order = [name for name in whole if name in rest or name in event.skipped]
    rows = []
    for name in [*order, *(name for name in rest if name not in order)]:
        thing = rest.get(name)
        role = "grad_in" if forward and GRAD in name else "input"
        role = role if name in rest else "skipped"
        port = operator.inside.ins.get(name, operator.node) if operator.inside else operator.node
        rows.append(Shown(name, role, thing.value if thing else None, port))
    return rows


def value_thing(name: str, value: Value | None) -> tuple[str, Thing | None]:
    return name, None if value is None else Thing(name, content(value), value.shape)


def freed(world: World, event: events.VariableFreed) -> None:
    """Everything that is freed after one operator is told in one step."""
    program = program_of(world, event.program)
    if event.program in world.startup:
        return
    step = world.draft.steps[-1] if world.draft.steps else None
    if step is None or step.kind != "free":
        last = next(reversed(program.ran), None)
        if last is None:
            step = world.draft.step("run", "free", step and step.place, names=[])
        else:  # the line of the operator, also where a py_func's step stands at its function
            step = world.draft.step("run", "free", program.boxes[last].place, names=[])
            program.frees[last] = step
    step.facts["names"].append(event.name)
    box = program.makers.get(event.name) or program.leaves.get(event.name)
    if box is not None:
        step.light(box)


def run_finished(world: World, event: events.RunFinished) -> None:
    program = program_of(world, event.program)
    world.running = None
    place = program.started.place if program.started else None
    if event.program in world.startup:
        startup_ran(world, program, place)
        return
    fetched = [Thing(name, content(value), value.shape) for name, value in event.fetched.items()]
    step = world.draft.step("run", "finish", place, fetched=fetched)
    world.memory.finish(step)
    for thing in fetched:
        box = result(world, program, thing.name, step)
        step.light(*([box] if box else []))
        step.show(thing, "output", box)


def startup_ran(world: World, program: ProgramBoxes, place: Any) -> None:
    made = [Thing(name, content(value), value.shape) for name, value in program.made.items()]
    step = world.draft.step("run", "startup", place, made=made)
    for thing in made:
        world.memory.first_values.setdefault(thing.name, step)
        boxes = (p.leaves.get(thing.name) for p in world.programs.values())
        box = next((b for b in boxes if b), None)
        step.light(*([box] if box else []))
        step.show(thing, "output", box)


BUILDERS: dict[type, Any] = {
    events.OperatorAppended: appended,
    events.RunStarted: run_started,
    events.OperatorExecuted: executed,
    events.PyFuncCalled: py_func_called,
    events.VariableFreed: freed,
    events.RunFinished: run_finished,
}
