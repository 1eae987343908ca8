"""Programs: operators being appended, gradient operators mirrored beside them, and their run.

A program that only makes values out of nothing is a startup program: it is no picture of its
own, and its run is one step in which the parameters get their first values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from minipaddle import events
from minipaddle.events import Declared, Value

from ..document import op_facts
from ..document.op_facts import OpFacts
from ..document.sources import CodeLine
from ..document.values import flatten, only
from ..model import Node
from . import formulas, ids
from .draft import FORWARD, Draft, StepDraft, Where
from .faults.given import FailedCall, Given, failed_call, given_thing
from .finite_differences import Opaque
from .foresight import RunShapes
from .ids import Box, Wire
from .py_func import GRAD, Inside, py_func
from .sentences import programs as steps
from .sentences.wording import NamedThing, Thing
from .steps import Facts
from .updates import Update, show_update

UPDATED = ("Param", "Grad", "LearningRate")  # the slots of what an update computes with

RUNS = 3  # of different shapes that a box tells of


@dataclass(slots=True)
class Operator:
    """One operator: its box, and what it reads and writes by the names of variables."""

    box: Box
    type: str
    facts: OpFacts
    role: str
    place: CodeLine | None
    forward: Operator | None  # of which it computes the gradient
    reads: list[str]
    given: list[str]  # the same as the op takes it, one that it takes twice twice
    writes: list[str]
    left_out: Sequence[str]  # by a py_func's backward_func
    edges: list[Wire]
    inside: Inside | None = None  # of a py_func, ...
    function: str = ""  # ... and what it calls
    formula: str = ""  # of an update, ...
    slots: Mapping[str, str] = field(default_factory=dict)  # ... whose variables these are
    op: str = ""  # the name of its record, ...
    kernel: events.Kernel | None = None  # ... and what of it runs
    number: int = 0  # of one that the Program does not take

    @property
    def lit(self) -> list[Box]:
        """The boxes that are at work when it runs."""
        return [self.box, *(self.inside.parts if self.inside else ())]


@dataclass(slots=True)
class Run:
    """One run of a Program, with its steps."""

    place: CodeLine | None = None
    began: StepDraft[steps.RunStep] | None = None
    ran: dict[int, StepDraft[steps.ExecuteStep | steps.PyFuncStep]] = field(default_factory=dict)
    frees: dict[int, StepDraft[steps.FreeStep]] = field(default_factory=dict)  # what goes after it
    py_func_shown: int = -1  # the operator whose py_func call was its step
    made: dict[str, Value] = field(default_factory=dict)  # by a startup program
    values: dict[str, Value] = field(default_factory=dict)  # of variables, as far as it has come


@dataclass(slots=True)
class Program:
    """What has been drawn of one Program."""

    number: int
    operators: dict[int, Operator] = field(default_factory=dict)
    makers: dict[str, Box] = field(default_factory=dict)  # variable: the box that makes it
    leaves: dict[str, Box] = field(default_factory=dict)
    results: dict[str, Box] = field(default_factory=dict)
    shapes: dict[str, Declared] = field(default_factory=dict)
    run: Run = field(default_factory=Run)  # the present or last one

    def box(self, name: str) -> Box | None:
        """The box of a variable."""
        return self.makers.get(name) or self.leaves.get(name)

    def failed_call(self, operator: Operator) -> FailedCall | None:
        """What an operator is to compute, with the values that the run has so far."""
        kernel = operator.kernel
        if kernel is None or kernel.kind != "op":
            return None
        rows = [None if name is None else self._given(name) for name in flatten(kernel.arguments)]
        return failed_call(operator.op, rows, kernel.attrs)

    def _given(self, name: str) -> Given:
        value, declared = self.run.values.get(name), self.shapes[name]
        if value is not None:
            return given_thing(name, value)
        return Given(name, declared.shape, declared.dtype)

    def things(self, names: Sequence[str]) -> list[Thing]:
        """Variables as they were declared."""
        return [declared_thing(self.shapes[name]) for name in names]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An operator that a Program does not take, and the boxes of what it was to read."""

    program: Program
    operator: Operator
    sources: Sequence[tuple[Thing, Box]]


@dataclass(slots=True)
class Programs:
    """Draws Programs and their runs.

    `startup` are the numbers of startup programs; `functions` say what each py_func calls, by
    program and operator, and `shapes` what a variable's shapes are when it runs.
    """

    draft: Draft
    startup: AbstractSet[int]
    functions: Mapping[tuple[int, int], str]
    shapes: RunShapes
    running: Program | None = None
    refusal: Refusal | None = None  # the last one
    drawn: dict[int, Program] = field(default_factory=dict)

    def program(self, number: int) -> Program:
        return self.drawn.setdefault(number, Program(number))

    def __iter__(self) -> Iterator[Program]:
        return iter(self.drawn.values())

    # ----- building ------------------------------------------------------------------------------

    def appended(self, event: events.OperatorAppended) -> None:
        program, number = self.program(event.program), event.program
        if event.index in program.operators:
            return  # reported again, to a listener that began later
        reads, writes = distinct_variables(event.inputs), distinct_variables(event.outputs)
        program.shapes |= {variable.name: variable for variable in (*reads, *writes)}
        if number in self.startup:
            return
        origin = -1 if event.forward_of is None else event.forward_of
        forward = program.operators.get(origin)
        function = self.functions.get((number, event.index), "")
        given, made = [declared_thing(v) for v in reads], [declared_thing(v) for v in writes]
        attrs = event.kernel.attrs if event.kernel else event.attrs
        op, backward = op_facts.facts(event.op, attrs), event.role == "backward"
        op = replace(op, written="") if backward else formulas.written_out(op, given)
        facts = steps.AppendStep(
            event.type,
            event.role,
            event.index,
            given,
            made,
            forward.type if forward else "",
            event.mode,
            function,
            self.functions.get((number, origin), ""),
            op.title if op.written else "",
        )
        step = self.draft.step(facts, "build", event.place)
        step.forward_place = forward.place if forward else None
        if not backward:
            named = program.things(arguments(event))
            step.formula = formulas.of_op(op, named, made, program.shapes)
        elif forward:
            step.formula = gradient_rule(program, forward)
        if backward and not reads and writes:
            self._result(program, writes[0].name.removesuffix(GRAD), step)
        label = facts.written or event.type
        node = self._box(program, event, label, forward, function, writes)
        inside = None
        if event.type == "py_func":
            skips = forward.left_out if forward else ()
            ports = forward.inside if forward else None
            sizes = {v.name: self._size(program, v) for v in (*reads, *writes)}
            inside = py_func(self.draft, node, function, sizes, reads, writes, ports, skips)
            step.edges += inside.edges
        else:
            self.draft.nodes.setdefault(node.id, node)
        operator = program.operators[event.index] = Operator(
            box=Box(node.id),
            type=event.type,
            facts=op,
            role=event.role,
            place=event.place,
            forward=forward,
            reads=[v.name for v in reads],
            given=arguments(event),
            writes=[v.name for v in writes],
            left_out=event.attrs.get("backward_skip_vars", ()),
            edges=step.edges,
            inside=inside,
            function=function,
            formula=event.formula,
            slots={slot: row[0].name for slot, row in event.inputs.items() if row and row[0]},
            op=event.op,
            kernel=event.kernel,
        )
        for variable in reads:
            self._read(program, operator, variable, step)
        step.light(*operator.lit)
        for variable in writes:
            name = variable.name
            if name not in program.leaves:  # an update leaves a parameter what it was
                program.makers[name] = inside.outs[name] if inside else operator.box
            self._leaf_gradient(program, operator, variable, step)

    def _box(
        self,
        program: Program,
        event: events.OperatorAppended,
        label: str,
        forward: Operator | None,
        function: str,
        writes: list[Declared],
    ) -> Node:
        """The box of an operator, in the lane of its role; of a py_func the closed one."""
        kind, lane = "op", "forward"
        pair = forward.box if forward else None
        if event.type == "py_func":
            kind, label = "py_func", f"py_func: {function}" if function else label
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
        text = self._size(program, writes[0], writes[0].name) if writes else ""
        box = ids.operator(program.number, event.index)
        return Where(lane).node(box, kind, label, text, pair)

    def _read(
        self,
        program: Program,
        operator: Operator,
        variable: Declared,
        step: StepDraft[steps.AppendStep],
    ) -> None:
        """A wire for a variable that an operator reads."""
        name, forward = variable.name, operator.forward
        box = operator.inside.ins[name] if operator.inside else operator.box
        if forward is not None and name in (*forward.reads, *forward.writes):
            if operator.inside and forward.inside:
                port = forward.inside.port(name)
                step.edges.append(self.draft.edge(port, box, "saved", name))
                return
            edges = self.draft.edges
            saved = next((wire for wire in step.edges if edges[wire].kind == "saved"), None)
            if saved is not None:
                self.draft.relabel(saved, name)
            else:
                wire = self.draft.edge(forward.box, operator.box, "saved", name)
                step.edges.append(wire)
            return
        source = program.makers.get(name) or self._leaf(program, variable, operator)
        kind = "grad" if GRAD in name and operator.role != "forward" else "data"
        self.draft.lead(step, source, box, kind, name)

    def _leaf(self, program: Program, variable: Declared, reader: Operator) -> Box:
        """The box of a variable that no operator of this Program makes."""
        name = variable.name
        if name not in program.leaves:
            usual = "state" if variable.persistable else "leaf"
            kind = variable.kind if variable.kind in ("data", "parameter") else usual
            if reader.role == "forward" and variable.persistable and name in reader.writes:
                kind = "buffer"  # a running statistic
            moment = kind == usual and reader.role == "optimize"
            box = ids.variable(program.number, len(program.leaves) + 1)
            where = Where("optimize") if moment else FORWARD
            program.leaves[name] = self.draft.node(
                box, kind, name, self._size(program, variable), where
            )
        return program.leaves[name]

    def _result(self, program: Program, name: str, step: StepDraft[Facts]) -> Box | None:
        """The box of a variable that a run is asked for, or that gradients start at."""
        if name not in program.makers or name in program.results or GRAD in name:
            return program.results.get(name) or program.box(name)
        box = ids.fetched_variable(program.number, len(program.results) + 1)
        self.draft.node(box, "result", name, self._size(program, program.shapes[name]))
        step.edges.append(self.draft.edge(program.makers[name], box))
        step.light(box)
        program.results[name] = box
        return box

    def _leaf_gradient(
        self,
        program: Program,
        operator: Operator,
        variable: Declared,
        step: StepDraft[steps.AppendStep],
    ) -> None:
        """The gradient of a parameter or of data ends in a box beside that leaf."""
        name = variable.name
        leaf = program.leaves.get(name.removesuffix(GRAD))
        if operator.role != "backward" or not name.endswith(GRAD) or leaf is None:
            return
        box = ids.variable_grad(leaf)
        size = self._size(program, variable)
        self.draft.node(box, "leaf_grad", name, size, Where("backward"), leaf)
        source = operator.inside.outs[name] if operator.inside else operator.box
        step.edges.append(self.draft.edge(source, box, "grad", name))
        step.light(box)
        program.makers[name] = box

    def _size(self, program: Program, variable: Declared, name: str = "") -> str:
        """The second line of a variable's box; `?=5` for a size that only a run knows."""
        shapes = self.shapes.get((program.number, variable.name), ())
        ran = [shape for shape in shapes if len(shape) == len(variable.shape)]
        sizes = [known_size(n, [shape[at] for shape in ran]) for at, n in enumerate(variable.shape)]
        text = f"[{', '.join(sizes)}] {variable.dtype}"
        return f"{name}: {text}" if name else text

    def refused(self, event: events.OperatorRefused) -> None:
        """An operator that the Program does not take: a box, to which the error leads."""
        program = self.program(event.program)
        inputs = [variable for variable in event.inputs if variable is not None]
        program.shapes |= {variable.name: variable for variable in inputs}
        facts = op_facts.facts(event.op, event.attrs, self.draft.code(event.place))
        number = 1 if self.refusal is None else self.refusal.operator.number + 1
        names = [variable and variable.name for variable in event.inputs]
        operator = Operator(
            box=ids.refused(program.number, number),
            type=event.op,
            facts=facts,
            role="forward",
            place=event.place,
            forward=None,
            reads=[variable.name for variable in inputs],
            given=[],
            writes=[],
            left_out=(),
            edges=[],
            op=event.op,
            kernel=events.Kernel("op", event.attrs, tuple(names), ()),
            number=number,
        )
        self.draft.node(operator.box, "op", facts.label)
        read = [
            (
                declared_thing(each),
                program.makers.get(each.name) or self._leaf(program, each, operator),
            )
            for each in inputs
        ]
        self.refusal = Refusal(program, operator, read)

    # ----- running -------------------------------------------------------------------------------

    def run_started(self, event: events.RunStarted) -> None:
        program = self.running = self.program(event.program)
        program.run = Run(event.place, values=dict(event.feeds))
        if event.program in self.startup:
            return
        fed = things_of(event.feeds)
        step = self.draft.step(steps.RunStep(fed, event.fetches), "run", event.place)
        program.run.began = step
        for thing in fed:
            box = program.leaves.get(thing.name)
            step.light(*([box] if box else []))
            step.show(thing, "input", box)
        if not step.nodes:
            step.light(*list(self.draft.nodes)[:1])

    def executed(self, event: events.OperatorExecuted) -> None:
        program = self.program(event.program)
        operator = program.operators.get(event.index)
        program.run.values |= event.inputs | event.outputs
        if event.program in self.startup or operator is None:
            program.run.made |= event.outputs
            return
        if program.run.py_func_shown == event.index:  # its py_func call was the step
            program.run.py_func_shown = -1
            return
        inputs, outputs = things_of(event.inputs), things_of(event.outputs)
        op = operator.facts
        facts = steps.ExecuteStep(operator.type, op.title if op.written else "", inputs, outputs)
        step = program.run.ran[event.index] = self.draft.step(facts, "run", operator.place)
        step.forward_place = operator.forward.place if operator.forward else None
        self._light(program, operator, step, inputs, outputs)
        if operator.formula and is_whole(operator, event):
            inputs, outputs = self._show_update(program, operator, step, event)
        backward = operator.role == "backward"
        for thing in inputs:
            role = "grad_in" if backward and GRAD in thing.name else "input"
            step.show(thing, role, operator.box, holder=program.leaves.get(thing.name))
        for thing in outputs:
            box = program.leaves.get(thing.name) or program.makers.get(thing.name)
            step.show(thing, "grad_out" if backward else "output", operator.box, holder=box)

    def _show_update(
        self,
        program: Program,
        operator: Operator,
        step: StepDraft[steps.ExecuteStep | steps.PyFuncStep],
        event: events.OperatorExecuted,
    ) -> tuple[list[Thing], list[Thing]]:
        """The sum that an update is; returns what else goes in and comes out: what it remembers."""
        names = [operator.slots[slot] for slot in UPDATED]
        before, grad, rate = (Thing.recorded(name, event.inputs[name]) for name in names)
        after = Thing.recorded(names[0], event.outputs[names[0]])
        number = only((rate.value or {}).get("data"))
        update = Update(
            before, grad, after, operator.formula, number if type(number) is float else None
        )
        show_update(step, update, operator.box, program.leaves.get(names[0]))
        rest_in = things_of({n: v for n, v in event.inputs.items() if n not in names[:2]})
        return rest_in, things_of({n: v for n, v in event.outputs.items() if n != names[0]})

    def _light(
        self,
        program: Program,
        operator: Operator,
        step: StepDraft[Facts],
        inputs: list[Thing],
        outputs: list[Thing],
    ) -> None:
        """What is at work in a step of a run, and its formula."""
        if operator.role == "forward":
            ran = {thing.name: thing for thing in inputs}
            named = [ran[name] for name in operator.given if name in ran]
            step.formula = formulas.of_op(operator.facts, named, outputs, program.shapes)
        elif operator.forward is not None:
            step.formula = gradient_rule(program, operator.forward)
        step.light(*operator.lit)
        step.edges += operator.edges
        for thing in outputs:
            box = program.leaves.get(thing.name) or program.makers.get(thing.name)
            if box and self.draft.nodes[box].kind == "leaf_grad":
                step.light(box)

    def py_func_called(self, event: events.PyFuncCalled) -> None:
        program = self.program(event.program)
        operator = program.operators.get(event.index)
        if operator is None:
            return
        program.run.py_func_shown = event.index
        given, back = rows_of(event.arguments), rows_of(event.results)
        skipped = event.skipped if event.direction == "backward" else ()
        facts = steps.PyFuncStep(event.function, given, back, skipped)
        step = self.draft.step(facts, "run", event.defined or operator.place)
        program.run.ran[event.index] = step
        step.forward_place = operator.place
        inputs, outputs = ([row.thing for row in rows if row.thing] for rows in (given, back))
        self._light(program, operator, step, inputs, outputs)
        show_arguments(operator, event, given, step)
        role, inside, unseen = "output", operator.inside, None
        if operator.forward:
            role, unseen = "grad_out", Opaque(operator.forward.function, "py_func")
        for name, thing in back:
            port = inside.outs.get(name) if inside else operator.box
            step.show(thing or Thing(name), role, port, thing and unseen, name=name)

    def freed(self, event: events.VariableFreed) -> None:
        """Everything that is freed after one operator is shown in one step."""
        program = self.program(event.program)
        if event.program in self.startup:
            return
        before = self.draft.steps[-1] if self.draft.steps else None
        facts = before.facts if before else None
        if before is None or not isinstance(facts, steps.FreeStep):
            last = next(reversed(program.run.ran), None)
            facts, place = steps.FreeStep([]), before.place if before else None
            if last is not None:  # its line, also where a py_func's step stands at its function
                place = program.operators[last].place
            before = step = self.draft.step(facts, "run", place)
            if last is not None:
                program.run.frees[last] = step
        facts.names.append(event.name)
        box = program.box(event.name)
        if box is not None:
            before.light(box)

    def run_finished(self, event: events.RunFinished) -> None:
        program = self.program(event.program)
        self.running = None
        if event.program in self.startup:
            self._startup_ran(program)
            return
        fetched = things_of(event.fetched)
        step = self.draft.step(steps.FinishStep(fetched), "run", program.run.place)
        for thing in fetched:
            box = self._result(program, thing.name, step)
            step.light(*([box] if box else []))
            step.show(thing, "output", box)

    def _startup_ran(self, program: Program) -> None:
        made = things_of(program.run.made)
        step = self.draft.step(steps.StartupStep(made), "run", program.run.place)
        for thing in made:
            box = next((p.leaves[thing.name] for p in self if thing.name in p.leaves), None)
            step.light(*([box] if box else []))
            step.show(thing, "output", box)


def is_whole(operator: Operator, event: events.OperatorExecuted) -> bool:
    """Whether a trace has all that an update computes with."""
    slots = operator.slots
    used = {slots.get(slot, "") for slot in UPDATED}
    return used <= {*event.inputs} and slots["Param"] in event.outputs


def gradient_rule(program: Program, forward: Operator) -> str:
    """The formula of an operator's gradients in the names of its variables; "" for complex ones."""
    if any(program.shapes[name].dtype.startswith("complex") for name in forward.writes):
        return ""  # it states dy · f′, where the gradient is dy · conj(f′)
    given, made = program.things(forward.given), program.things(forward.writes)
    return formulas.of_gradients(
        forward.facts, given, made, called=lambda name: f"{name}{GRAD}", others=program.shapes
    )


def show_arguments(
    operator: Operator,
    event: events.PyFuncCalled,
    given: list[NamedThing],
    step: StepDraft[steps.PyFuncStep],
) -> None:
    """What the user's function gets, in its order; backward_func with what it does not get."""
    forward, inside, rest = operator.forward, operator.inside, dict(given)
    whole = [*forward.reads, *forward.writes] if forward and event.direction == "backward" else []
    order = [name for name in whole if name in rest or name in event.skipped]
    for name in [*order, *(name for name in rest if name not in order)]:
        thing = rest.get(name)
        role = "grad_in" if forward and GRAD in name else "input"
        role = role if name in rest else "skipped"
        port = inside.ins.get(name, operator.box) if inside else operator.box
        step.show(thing or Thing(name), role, port, name=name)


# ----- variables ---------------------------------------------------------------------------------


def distinct_variables(slots: Mapping[str, Sequence[Declared | None]]) -> list[Declared]:
    """The variables of all slots in order, each once."""
    once = {v.name: v for variables in slots.values() for v in variables if v is not None}
    return list(once.values())


def arguments(event: events.OperatorAppended) -> list[str]:
    """The variables that an operator reads, as often as it does."""
    return [v.name for variables in event.inputs.values() for v in variables if v is not None]


def declared_thing(variable: Declared) -> Thing:
    """A variable as sentences speak of it before anything runs."""
    return Thing(variable.name, None, variable.shape)


def known_size(declared: int, ran: Sequence[int]) -> str:
    """A size as it was declared, and as it was in a few runs.

    >>> known_size(3, [3]), known_size(-1, []), known_size(-1, [5, 5]), known_size(-1, [1, 2])
    ('3', '?', '?=5', '?=1/2')
    """
    found = [str(n) for n in dict.fromkeys(ran)]
    if declared >= 0:
        return str(declared)
    return f"?={'/'.join(found)}" if 0 < len(found) <= RUNS else "?"


def things_of(values: Mapping[str, Value]) -> list[Thing]:
    """Variables with their values."""
    return [Thing.recorded(name, value) for name, value in values.items()]


def rows_of(values: Sequence[tuple[str, Value | None]]) -> list[NamedThing]:
    """Arguments or results of a function, in order."""
    return [NamedThing(name, None if v is None else Thing.recorded(name, v)) for name, v in values]
