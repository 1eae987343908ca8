"""Programs: appended operators, gradient operators mirrored beside them, and runs.

A program whose operators have no inputs is a startup program: it is not drawn, and its run is one
step in which the parameters get their first values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from math import log
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.events import Declared, Value
from minipaddle.messages import Message, Text

from ..document import op_facts
from ..document.op_facts import OpFacts
from ..document.sources import CodeLine
from ..document.values import flatten, only
from ..language.words import WORDS
from ..model import Formula, Node, formula_text, operands
from . import formulas, ids
from .draft import FORWARD, AnyStep, Draft, StepDraft, Where
from .faults.call import Argument, FailedCall, argument_of, failed_call
from .finite_differences import PY_FUNC
from .foresight import RunShapes
from .ids import Box, Frame, Wire
from .parts import BODY, BRANCHES, TEST, Parts
from .py_func import GRAD, Inside, unfold
from .sentences import programs as steps
from .sentences.op_words import uses_running_statistics
from .sentences.wording import Mention, NamedMention, row
from .updates import Update, show_update

UPDATED = ("Param", "Grad", "LearningRate")  # input slots of an update
# Input slots of what an optimizer keeps, in the order of its formula's letters.
KEPT = ("MuProduct", "MeanSquare", "MeanGrad", "Moment1", "Moment", "Moment2", "Moment2Max",
        "Velocity", "InfNorm", "AvgSquaredGrad", "AvgSquaredUpdate")  # fmt: skip
PART_OF = "@RENAME@"  # after the name of a gradient: one of its parts

Pairs = list[tuple[str, str]]
RUNS = 3  # most sizes from runs that a box lists


@dataclass(slots=True)
class Operator:
    """An appended operator and its box; `forward` is the operator whose gradient it computes."""

    event: events.OperatorAppended
    box: Box
    facts: OpFacts
    forward: Operator | None
    function: str  # name of the function that a py_func calls
    reads: list[Declared]
    writes: list[Declared]
    edges: list[Wire]
    inside: Inside | None = None  # ports of a py_func, or of an operator with parts
    parts: list[Program] = field(default_factory=list)  # its parts that are drawn
    turns: dict[int, Program] = field(default_factory=dict)  # turn of a loop -> its body
    entered: list[Program] = field(default_factory=list)  # its parts that the current run entered
    past: list[Wire] = field(default_factory=list)  # wires past the inside of a loop without turns
    unused: Sequence[str] = ()  # variables whose values a gradient operator reads for nothing

    @property
    def role(self) -> str:
        return self.event.role

    @property
    def place(self) -> CodeLine | None:
        return self.event.place

    @property
    def lit(self) -> list[Box]:
        """Boxes that are active when the operator runs."""
        return [self.box, *(self.inside.parts if self.inside else ())]

    @property
    def left_out(self) -> Sequence[str]:
        """Variables that a py_func's backward_func does not get."""
        names: Sequence[str] = self.event.attrs.get("backward_skip_vars", ())
        return names

    @property
    def arguments(self) -> list[str]:
        """Variables that the operator reads, with repetitions."""
        return [v.name for row in self.event.inputs.values() for v in row if v is not None]

    @property
    def output_slots(self) -> dict[str, str]:
        """Output -> its slot; a batch norm that only reads its running statistics keeps them."""
        kept = uses_running_statistics(self.event.attrs)
        outputs = self.event.outputs.items()
        return {
            v.name: slot.replace("Out", "Kept") if kept else slot
            for slot, row in outputs for v in row if v
        }  # fmt: skip

    @property
    def slots(self) -> dict[str, str]:
        """Input slot -> its first variable."""
        return {slot: row[0].name for slot, row in self.event.inputs.items() if row and row[0]}

    def way_in(self, name: str) -> Box:
        """Return the box or port that a variable enters."""
        return self.inside.ins.get(name, self.box) if self.inside else self.box

    def way_out(self, name: str) -> Box:
        """Return the box or port that a variable leaves."""
        return self.inside.outs.get(name, self.box) if self.inside else self.box


@dataclass(slots=True)
class Run:
    """One run of a Program, with its steps."""

    place: CodeLine | None = None
    began: StepDraft[steps.RunStep] | None = None
    ran: dict[int, StepDraft[steps.ExecuteStep | steps.PyFuncStep]] = field(default_factory=dict)
    frees: dict[int, StepDraft[steps.FreeStep]] = field(default_factory=dict)  # operator -> step
    py_func_shown: int = -1  # operator whose step was its py_func call
    made: dict[str, Value] = field(default_factory=dict)  # values made by a startup program
    values: dict[str, Value] = field(default_factory=dict)  # current values of variables


@dataclass(slots=True)
class Inner:
    """Place of a part: the operator that runs it, and the frame and lane of its boxes.

    `turn` of a loop; `copy` numbers the drawings of one part. `exits` are the wires to the
    operator's results.
    """

    event: events.PartAppended
    operator: Operator
    turn: int
    frame: str
    lane: str
    copy: int
    exits: dict[str, Wire] = field(default_factory=dict)  # result -> wire
    ran: bool = False


@dataclass(slots=True)
class Program:
    """One Program with all that is drawn of it so far."""

    number: int
    operators: dict[int, Operator] = field(default_factory=dict)
    makers: dict[str, Box] = field(default_factory=dict)  # variable -> the box that makes it
    leaves: dict[str, Box] = field(default_factory=dict)
    results: dict[str, Box] = field(default_factory=dict)
    shapes: dict[str, Declared] = field(default_factory=dict)
    run: Run = field(default_factory=Run)  # current or last run
    inside: Inner | None = None  # if it is a part of an operator

    def light(self, step: AnyStep) -> None:
        """Make all of a part active in the step that adds its operator."""
        for operator in self.operators.values():
            step.light(*operator.lit)
            step.edges += operator.edges
            for part in operator.parts:
                part.light(step)
        step.edges += self.inside.exits.values() if self.inside else ()

    def box(self, name: str) -> Box | None:
        """Return the box that a variable comes from, or None."""
        return self.makers.get(name) or self.leaves.get(name)

    def holder(self, name: str) -> Box | None:
        """Return the box with a variable's value: for a parameter the leaf, not its update."""
        return self.leaves.get(name) or self.makers.get(name)

    def failed_call(self, operator: Operator) -> FailedCall | None:
        """Return an operator's call with the current values of the run, or None if not of an op."""
        kernel = operator.event.kernel
        if kernel is None or kernel.kind != "op":
            return None
        rows = [None if name is None else self.given(name) for name in flatten(kernel.arguments)]
        return failed_call(operator.event.op, rows, kernel.attrs)

    def given(self, name: str) -> Argument:
        """Return a variable as an argument of a failed call."""
        value, declared = self.run.values.get(name), self.shapes[name]
        if value is not None:
            return argument_of(name, value)
        return Argument(name, declared.shape, declared.dtype)

    def gradient_rule(self, operator: Operator, forward: Operator, full: bool = False) -> Formula:
        """Return the formula of a gradient operator in the names of its variables; `full`: also of
        gradients that it does not compute."""
        if any(variable.dtype.startswith("complex") for variable in forward.writes):
            return ()  # the formula has dy · f′, where the gradient is dy · conj(f′)
        given = [declared_thing(self.shapes[name]) for name in forward.arguments]
        made = [declared_thing(self.shapes[variable.name]) for variable in forward.writes]
        arrived = gradients_at(operator.event.inputs, forward.event.outputs)
        computed = gradients_at(operator.event.outputs, forward.event.inputs)
        names = {of.name: name for of, name in zip(made, arrived, strict=False) if name}
        return formulas.of_gradients(
            forward.facts,
            given,
            made,
            [i for i, gradient in enumerate(computed) if not (gradient or full)],
            called=lambda name: names.get(name, f"{name}{GRAD}"),
            others=self.shapes,
            arrived=[*map(bool, arrived)],
            computed=computed,
        )

    def unused_reads(self, operator: Operator, rule: Formula) -> list[str]:
        """Return the forward variables that a gradient operator reads, but of which it uses no
        values, since its formula does not name them."""
        forward = operator.forward
        record = forward.facts.record if forward else None
        if not (forward and record and rule) or "…" in formula_text(rule):
            return []
        known = names_of(forward.reads, forward.writes)
        if record.formula.backward:  # which need not name all that the kernel uses
            letters = zip(forward.arguments, record.inputs, strict=False)
            shapes = [name for name, letter in letters if letter not in record.saves]
            known = [*shapes, *operands(self.gradient_rule(operator, forward, full=True))]
        named = operands(rule)
        return [each for each in names_of(operator.reads) if each in known and each not in named]


Slots = Mapping[str, Sequence[Declared | None]]


def gradients_at(gradients: Slots, variables: Slots) -> list[str]:
    """Return for each variable the variable with its gradient, or ""."""
    of = [(slot, i) for slot, row in variables.items() for i, v in enumerate(row) if v]
    found = {(slot, i): v.name for slot, row in gradients.items() for i, v in enumerate(row) if v}
    if any(slot.endswith(GRAD) for slot in gradients):
        return [found.get((f"{slot}{GRAD}", i), "") for slot, i in of]
    return [*found.values(), *[""] * len(of)][: len(of)]  # a gradient by an op without such slots


class Refusal(NamedTuple):
    """An operator that could not be appended, and the boxes of its inputs."""

    box: Box
    title: str
    call: FailedCall
    sources: Sequence[tuple[Mention, Box]]


@dataclass(slots=True)
class Programs:
    """Draws Programs and their runs.

    `startup` are the numbers of startup programs; `functions` maps (program, operator) to the
    function that a py_func calls, `shapes` maps (program, variable) to shapes in runs. `parts` are
    the Programs that operators run.
    """

    draft: Draft
    startup: AbstractSet[int]
    functions: Mapping[tuple[int, int], str]
    shapes: RunShapes
    parts: Parts
    running: Program | None = None
    refusals: list[Refusal] = field(default_factory=list)
    drawn: dict[int, Program] = field(default_factory=dict)
    drawings: dict[tuple[Box, int, int, int], Program] = field(default_factory=dict)
    copies: Counter[int] = field(default_factory=Counter)  # part -> number of its drawings
    within: list[Program | None] = field(default_factory=list)  # Programs around the running part
    parts_explained: bool = False  # whether a sentence has explained h@GRAD@RENAME@block0@0

    def program(self, number: int) -> Program:
        if self.running and self.running.number == number:
            return self.running  # perhaps one of several drawings of a part
        return self.drawn.setdefault(number, Program(number))

    def __iter__(self) -> Iterator[Program]:
        return iter(self.drawn.values())

    # ----- building ------------------------------------------------------------------------------

    def appended(self, event: events.OperatorAppended) -> None:
        if event.program in self.parts.operators:
            return  # drawn with its operator
        program = self.program(event.program)
        if event.index not in program.operators:  # they are reported again to later listeners
            self._append(program, event)

    def _append(self, program: Program, event: events.OperatorAppended) -> None:
        """Draw an operator, which is told in a step unless it belongs to a part."""
        number, home = event.program, program.inside
        reads, writes = distinct_variables(event.inputs), distinct_variables(event.outputs)
        program.shapes |= {variable.name: variable for variable in (*reads, *writes)}
        if number in self.startup:
            return
        origin = -1 if event.forward_of is None else event.forward_of
        forward = program.operators.get(origin)
        function = self.functions.get((number, event.index), "")
        given, made = list(map(declared_thing, reads)), list(map(declared_thing, writes))
        attrs = event.kernel.attrs if event.kernel else event.attrs
        first = (len(reads[0].shape), reads[0].dtype) if reads else (0, "")
        op, backward = op_facts.facts(event.op, attrs, (), *first), event.role == "backward"
        op = replace(op, written="") if backward else formulas.write_out(op, given)
        box = ids.operator(number, event.index, home.copy if home else 0)
        operator = Operator(event, box, op, forward, function, reads, writes, [])
        rule = program.gradient_rule(operator, forward) if backward and forward else ()
        operator.unused = program.unused_reads(operator, rule)
        facts = steps.AppendStep(
            event.type,
            event.role,
            event.index,
            without(given, operator.unused),
            made,
            forward.event.type if forward else "",
            event.mode,
            function,
            forward.function if forward else "",
            op.title if op.written else "",
            attrs.get("value", attrs.get("fill_value")),
            operator.output_slots,
            str(event.attrs.get("op_namescope", "")).strip("/").rpartition("/")[2],
            event.attrs.get("epsilon", 1e-5),
        )
        step: AnyStep = StepDraft(facts, "build", event.place)
        if home is None:
            step = self.draft.step(facts, "build", event.place)
        step.forward_place = forward.place if forward else None
        part = next((thing.called for thing in made if PART_OF in thing.called), "")
        if part and not (self.parts_explained or home):
            self.parts_explained = True
            step.asides.append(steps.one_part(part, part.partition(PART_OF)[0]))
        if not backward:
            named = [declared_thing(program.shapes[name]) for name in operator.arguments]
            in_place = {thing.called for thing in made} <= {thing.called for thing in named}
            step.formula = formulas.of_op(op, named, made, program.shapes, in_place)
        step.formula = step.formula or rule
        if backward and not reads and writes and home is None:
            self._result_box(program, writes[0].name.removesuffix(GRAD), step)
        node = self._operator_box(program, operator, facts.written or event.type)
        parts = self.parts.of.get((number, event.index), {})
        if event.type == "py_func" or parts:
            skips = forward.left_out if forward else ()
            ports = forward.inside if forward else None
            sizes = {v.name: self._size_text(program, v) for v in (*reads, *writes)}
            loops = any(part.name == BODY for part in parts.values())
            kind = "loop" if loops else "control" if parts else "py_func"
            inside = unfold(self.draft, node, kind, function, sizes, reads, writes, ports, skips)
            operator.inside = inside
            step.edges += inside.edges
        else:
            self.draft.nodes.setdefault(node.id, node)
        program.operators[event.index], operator.edges = operator, step.edges
        for variable in reads:
            self._draw_read(program, operator, variable, step)
        step.light(*operator.lit)
        for variable in writes:
            name = variable.name
            if name not in program.leaves:  # an updated parameter still comes from its leaf
                program.makers[name] = operator.way_out(name)
            self._draw_leaf_gradient(program, operator, variable, step)
        operator.edges = [*step.edges]
        for each in parts.values():
            if each.name not in (TEST, BODY):
                branch = self._part(operator, each)
                self._leave(branch, each.gives)
                branch.light(step)

    def _operator_box(self, program: Program, operator: Operator, label: str) -> Node:
        """Return the node of an operator in the lane of its role; of a py_func the closed box."""
        event, forward, writes = operator.event, operator.forward, operator.writes
        kind, lane = "op", "forward"
        pair = forward.box if forward else None
        if event.type == "py_func":
            kind, label = "py_func", f"py_func: {operator.function}" if operator.function else label
        if event.role == "backward":
            kind, lane = ("py_func_grad" if kind == "py_func" else "grad"), "backward"
            if forward is None and not event.inputs:
                kind = "seed"
            elif forward is None and event.type == "sum":
                kind, label = "accumulate", "+="
        elif event.role == "optimize":
            kind, lane = "update", "optimize"
        text = self._size_text(program, writes[0], writes[0].name) if writes else ""
        if home := program.inside:
            return Where(home.lane, group=home.frame).node(operator.box, kind, label, text)
        if pair is None and lane != "forward":
            bases = [v.name.split(GRAD)[0] for v in writes]
            tables = program.results, program.makers, program.leaves
            pair = next((table[b] for table in tables for b in bases if b in table), None)
        return Where(lane).node(operator.box, kind, label, text, pair)

    def _draw_read(
        self, program: Program, operator: Operator, variable: Declared, step: AnyStep
    ) -> None:
        """Draw a wire for a variable that an operator reads."""
        name, draft, home = variable.name, self.draft, program.inside
        forward = operator.forward if home is None else None  # a part has its values beside it
        box = operator.way_in(name)
        if forward is not None and variable.name in names_of(forward.reads, forward.writes):
            if operator.inside and forward.inside:
                port = forward.inside.port(name)
                step.edges.append(draft.edge(port, box, "saved", name))
                return
            saved = next((wire for wire in step.edges if draft.edges[wire].kind == "saved"), None)
            if saved is not None:
                draft.relabel(saved, name)
            else:
                step.edges.append(draft.edge(forward.box, operator.box, "saved", name))
            return
        source = program.makers.get(name) or self._leaf_box(program, variable, operator)
        kind = "grad" if GRAD in name and operator.role != "forward" else "data"
        if home and kind == "data" and draft.nodes[source].lane != home.lane:
            kind = "saved"  # the value that a turn began with
        draft.lead(step, source, box, kind, name)

    def _leaf_box(
        self, program: Program, variable: Declared, reader: Operator | None = None
    ) -> Box:
        """Return the box of a variable that no operator of the Program makes, drawn if new."""
        name = variable.name
        if name not in program.leaves:
            usual = "state" if variable.persistable else "leaf"
            kind = variable.kind if variable.kind in ("data", "parameter") else usual
            role = reader.role if reader else ""
            if reader and role == "forward" and variable.persistable:
                kind = "buffer" if name in names_of(reader.writes) else kind  # a running statistic
            where = Where("optimize") if kind == usual and role == "optimize" else FORWARD  # moment
            copy = 0
            if program.inside:  # zeros in place of a gradient, or what a filter left out
                where = Where(program.inside.lane, group=program.inside.frame)
                copy = program.inside.copy
            box = ids.variable(program.number, len(program.leaves) + 1, copy)
            size = self._size_text(program, variable)
            program.leaves[name] = self.draft.node(box, kind, name, size, where)
        return program.leaves[name]

    # ----- parts ---------------------------------------------------------------------------------

    def _part(self, operator: Operator, event: events.PartAppended, turn: int = -1) -> Program:
        """Return a part of an operator, which is drawn if it is new; each turn has its own.

        Gradients of a turn come from the turn after it, so they depend on how many there are.
        """
        key = operator.box, event.part, turn, len(operator.entered)
        if key in self.drawings:
            return self.drawings[key]
        frame = self._part_frame(operator, event, turn - 1 if event.name == TEST else turn)
        lane, copy = self.draft.groups[frame].lane, self.copies[event.part]
        home = Inner(event, operator, turn, frame, lane, copy)
        part = self.drawings[key] = Program(event.part, inside=home)
        self.copies[event.part] += 1
        operator.parts.append(part)
        if event.name == BODY:
            operator.turns[turn] = part
        self._bind(part, home)
        for each in self.parts.operators[event.part].values():
            self._append(part, each)
        return part

    def _part_frame(self, operator: Operator, event: events.PartAppended, turn: int) -> Frame:
        """Return the frame of a branch or a turn, else that of the operator.

        The condition stands before the first turn, then in the turn before it.
        """
        whole = ids.operator_inside(operator.box)
        forward, lane = operator.forward, self.draft.groups[whole].lane
        label: Message = Text(event.name)
        name, kind = event.name, "control"
        if turn >= 0:
            name, kind, label = f"turn{turn}", "turn", WORDS["turn"].fill(number=str(turn + 1))
        elif event.name not in BRANCHES:
            return whole
        frame, first = ids.operator_part(operator.box, name), (forward or operator).box
        twins = ids.halves(ids.operator_part(first, name))
        where, look = Where(lane, group=whole), "grad" if forward else "op"
        label = WORDS["backwardOfPart"].fill(of=label) if forward else label
        pair = ids.closed_box(ids.operator_part(first, name)) if forward else None
        closed = where.node(ids.closed_box(frame), look, label, pair=pair)
        return self.draft.group(frame, kind, label, where, twins, closed)

    def _bind(self, part: Program, home: Inner) -> None:
        """Note the boxes from which a part gets its arguments: the operator's, or another turn."""
        operator, event, turn = home.operator, home.event, home.turn
        part.makers |= {own: operator.way_in(name) for name, own in event.takes if own and name}
        if turn < 0:
            return
        rows: list[tuple[str, Box | None]] = []
        if operator.forward is None:  # what the turn before made
            before = operator.turns.get(turn - 1)
            if before and before.inside:
                made = [before.box(name) for _, name in before.inside.event.gives]
                rows += zip([own for _, own in event.takes], made, strict=False)
        else:
            began = operator.forward.turns.get(turn)
            if began and began.inside:
                row = began.inside.event
                given = [began.box(own) for _, own in row.takes[: len(row.gives)]]
                rows += zip([own for _, own in event.takes], given, strict=False)
            if operator.entered:  # the turn after this one, of which gradients came first
                after = operator.entered[-1]
                seeds = [own for _, own in event.takes[len(event.gives) :]]
                made = [after.box(name) if name else None for _, name in event.gives]
                rows += zip(seeds, made, strict=False)
                for own in seeds:
                    part.makers.pop(own, None)  # zeros if that turn made no gradient
        part.makers |= {own: box for own, box in rows if own and box}

    def _leave(self, part: Program, gives: Sequence[tuple[str, str]]) -> list[Wire]:
        """Return the wires from a part to results of its operator, which are drawn once."""
        home = part.inside
        assert home is not None
        outs = home.operator.inside.outs if home.operator.inside else {}
        for name, own in gives:
            box, port = part.box(own), outs.get(name)
            if box and port and name not in home.exits:
                kind = "grad" if GRAD in name else "data"
                home.exits[name] = self.draft.edge(box, port, kind, name)
        return [home.exits[name] for name, _ in gives if name in home.exits]

    def part_entered(self, event: events.PartEntered) -> None:
        outer = self.program(event.program)
        operator = outer.operators.get(event.index)
        part = self.parts.of.get((event.program, event.index), {}).get(event.part)
        if operator is None or part is None:
            self.within.append(self.running)
            self.running = Program(event.part)  # of which nothing is drawn
            return
        inner = self._part(operator, part, event.turn)
        assert inner.inside
        inner.inside.ran = True
        carried = self._carried(operator, part, event.turn)
        self.within.append(self.running)
        self.running, inner.run = inner, Run(operator.place)
        if part.name != TEST:
            operator.entered.append(inner)
        if part.name == TEST and event.turn:
            return
        chooses = part.name in BRANCHES and operator.forward is None
        pred = operator.arguments[0] if chooses else ""
        facts = steps.PartStep(operator.event.type, part.name, pred, event.turn + 1, carried)
        step = self.draft.step(facts, "run", operator.place)
        step.forward_place = operator.forward.place if operator.forward else None
        if event.turn < 1 or len(operator.entered) == 1:
            step.light(*operator.lit)
            step.edges += operator.edges
        else:
            step.light(operator.box, *(inner.makers.get(own) for _, own in part.takes))

    def _carried(
        self, operator: Operator, part: events.PartAppended, turn: int
    ) -> list[tuple[str, str]]:
        """Return the variables that begin with values of another part, each with its source there:
        a loop's, from the turn before, and gradients that arrive, from the turn after."""
        takes, source = part.takes, operator.turns.get(turn - 1)
        if operator.forward is not None:
            takes = takes[len(part.gives) :]
            source = operator.entered[-1] if operator.entered else None
        made = [name for name, _ in takes] if operator.forward else []
        if source and source.inside:
            made = [name for _, name in source.inside.event.gives]
        return [(own, name or "0") for (_, own), name in zip(takes, made, strict=False) if own]

    def part_left(self, _event: events.PartLeft | events.Failed) -> None:
        """Go back to the Program outside of the running part, if any."""
        if self.within:
            self.running = self.within.pop()

    def _finish_parts(self, operator: Operator) -> list[Wire]:
        """Return the wires by which results left an operator's parts in this run."""
        ran, operator.entered = operator.entered, []
        for home in (part.inside for part in operator.parts if part.inside):
            (self.draft.idle.discard if home.ran else self.draft.idle.add)(home.frame)
        wires = [] if ran else self._pass_on(operator)
        for part in ran:
            assert part.inside
            event = part.inside.event
            if part.inside.turn < 0 or part is ran[-1]:
                wires += self._leave(part, event.gives)
            elif operator.forward:  # gradients of values from outside are sums over turns
                wires += self._leave(part, gradients_of_turn(event)[1])
        return wires

    def _say_turns(self, program: Program, operator: Operator, step: AnyStep) -> None:
        """Say of which iteration of a loop a gradient is, and which ones the loop adds."""
        if home := program.inside:
            loop, (_, summed) = home.operator, gradients_of_turn(home.event)
            own = [name for _, name in summed if name in names_of(operator.writes)]
            if own and home.turn >= 0 and loop.forward and len(loop.forward.turns) > 1:
                said = steps.OF_TURN.fill(names=row(own), number=home.turn + 1)
                step.asides.append(said.fill(op=loop.event.type))
        last = operator.entered[-1].inside if operator.entered else None
        if operator.forward and last and last.turn >= 0:
            says, count = (steps.OF_FIRST_TURN, steps.SUMS), len(operator.entered)
            for said, pairs in zip(says[:count], gradients_of_turn(last.event), strict=False):
                if pairs:
                    names, parts = ([pair[at] for pair in pairs] for at in (0, 1))
                    said = said.fill(names=row(names), own=row(parts), count=count)
                    step.asides.append(said)

    def _pass_on(self, operator: Operator) -> list[Wire]:
        """Return the wires past the inside of a loop without a turn, which are drawn once."""
        ports, forward = operator.inside, operator.forward or operator
        if ports is None or operator.past:
            return operator.past
        for given, made in zip(forward.arguments, forward.writes, strict=False):
            ways, kind = (given, made.name), "data"
            if operator.forward:
                ways, kind = (f"{made.name}{GRAD}", f"{given}{GRAD}"), "grad"
            source, target = ports.ins.get(ways[0]), ports.outs.get(ways[1])
            if source and target:
                operator.past.append(self.draft.edge(source, target, kind, ways[1]))
        return operator.past

    def _result_box(self, program: Program, name: str, step: AnyStep) -> Box | None:
        """Return the box of a variable that a run fetches, or at which gradients start, or None."""
        if name not in program.makers or name in program.results or GRAD in name:
            return program.results.get(name) or program.box(name)
        box = ids.fetched_variable(program.number, len(program.results) + 1)
        self.draft.node(box, "result", name, self._size_text(program, program.shapes[name]))
        step.edges.append(self.draft.edge(program.makers[name], box))
        step.light(box)
        program.results[name] = box
        return box

    def _draw_leaf_gradient(
        self, program: Program, operator: Operator, variable: Declared, step: AnyStep
    ) -> None:
        """Draw a leaf's gradient as a box beside the leaf, if the variable is one."""
        name = variable.name
        leaf = program.leaves.get(name.removesuffix(GRAD))
        if operator.role != "backward" or not name.endswith(GRAD) or leaf is None:
            return
        box, size = ids.variable_grad(leaf), self._size_text(program, variable)
        self.draft.node(box, "leaf_grad", name, size, Where("backward"), leaf)
        step.edges.append(self.draft.edge(operator.way_out(name), box, "grad", name))
        step.light(box)
        program.makers[name] = box

    def _size_text(self, program: Program, variable: Declared, name: str = "") -> str:
        """Return the second line of a variable's box; `?=5` is a size that only runs know."""
        shapes = self.shapes.get((program.number, variable.name), ())
        ran = [shape for shape in shapes if len(shape) == len(variable.shape)]
        sizes = [known_size(n, [shape[at] for shape in ran]) for at, n in enumerate(variable.shape)]
        text = f"[{', '.join(sizes)}] {variable.dtype}"
        return f"{name}: {text}" if name else text

    def refused(self, event: events.OperatorRefused) -> None:
        """Draw an operator that could not be appended, for the step of the error."""
        program = self.program(event.program)
        inputs = [variable for variable in event.inputs if variable is not None]
        program.shapes |= {variable.name: variable for variable in inputs}
        facts = op_facts.facts(event.op, event.attrs, self.draft.functions(event.place))
        box = ids.refused(program.number, len(self.refusals) + 1)
        self.draft.node(box, "op", facts.label)
        boxes = [program.makers.get(each.name) or self._leaf_box(program, each) for each in inputs]
        read = list(zip(map(declared_thing, inputs), boxes, strict=True))
        rows = [program.given(each.name) if each else None for each in event.inputs]
        call = failed_call(event.op, rows, event.attrs)
        self.refusals.append(Refusal(box, facts.title, call, read))

    # ----- running -------------------------------------------------------------------------------

    def run_started(self, event: events.RunStarted) -> None:
        if self.within:  # an exception ended the last run
            self.within, self.running = [], None
            for part in self.drawings.values():
                if part.inside:
                    part.inside.operator.entered = []
        program = self.running = self.program(event.program)
        program.run = Run(event.place, values=dict(event.feeds))
        if event.program in self.startup:
            return
        fed = things_of(event.feeds)
        facts = steps.RunStep(fed, event.fetches, not (program.shapes or event.fetches))
        step = self.draft.step(facts, "run", event.place)
        program.run.began = step
        for thing in fed:
            step.light(program.leaves.get(thing.name))
            step.show(thing, "input", program.leaves.get(thing.name))
        if not step.nodes:
            step.light(*list(self.draft.nodes)[:1])

    def executed(self, event: events.OperatorExecuted) -> None:
        program = self.program(event.program)
        operator, run = program.operators.get(event.index), program.run
        run.values |= event.inputs | event.outputs
        if event.program in self.startup or operator is None:
            run.made |= event.outputs
            return
        if run.py_func_shown == event.index:  # the step of its py_func call is enough
            run.py_func_shown = -1
            return
        inputs, outputs, op = things_of(event.inputs), things_of(event.outputs), operator.facts
        written = op.title if op.written else ""
        read = without(inputs, operator.unused)
        slots, turns = operator.output_slots, len(operator.entered) if operator.parts else None
        epsilon = operator.event.attrs.get("epsilon", 1e-5)
        facts = steps.ExecuteStep(
            operator.event.type, written, read, outputs, slots, turns, epsilon
        )
        step = run.ran[event.index] = self.draft.step(facts, "run", operator.place)
        step.forward_place = operator.forward.place if operator.forward else None
        self._activate_operator(program, operator, step, inputs, outputs)
        self._say_turns(program, operator, step)
        step.edges += self._finish_parts(operator)
        if operator.event.formula and is_whole(operator, event):
            inputs, outputs = self._show_update(program, operator, step, event)
        backward = operator.role == "backward"
        for thing in inputs:
            role = "grad_in" if backward and GRAD in thing.name else "input"
            step.show(thing, role, operator.box, holder=program.leaves.get(thing.name))
        for thing in outputs:
            role, holder = "grad_out" if backward else "output", program.holder(thing.name)
            step.show(thing, role, operator.box, holder=holder)

    def _show_update(
        self, program: Program, operator: Operator, step: AnyStep, event: events.OperatorExecuted
    ) -> tuple[list[Mention], list[Mention]]:
        """Show an update as a sum; return its other inputs and outputs, such as moments."""
        names = [operator.slots[slot] for slot in UPDATED]
        before, grad = (Mention.recorded(name, event.inputs[name]) for name in names[:2])
        after = Mention.recorded(names[0], event.outputs[names[0]])
        known = number_in(event.inputs[names[2]])
        update = Update(before, grad, after, operator.event.formula, known)
        power = event.inputs.get(operator.slots.get("Beta1Pow", ""))
        nth = exponent_of(number_in(power), operator.event.attrs.get("beta1"))
        kept = [operator.slots[slot] for slot in KEPT if operator.slots.get(slot) in event.outputs]
        leaf = program.leaves.get(names[0])
        show_update(step, update, operator.box, leaf, kept, nth, program.shapes)
        rest_in = things_of({n: v for n, v in event.inputs.items() if n not in names[:2]})
        return rest_in, things_of({n: v for n, v in event.outputs.items() if n != names[0]})

    def _activate_operator(
        self,
        program: Program,
        operator: Operator,
        step: AnyStep,
        inputs: list[Mention],
        outputs: list[Mention],
    ) -> None:
        """Make a running operator active in a step, and set the step's formula."""
        if operator.role in ("forward", "loss"):
            ran = {thing.name: thing for thing in inputs}
            named = [ran[name] for name in operator.arguments if name in ran]
            step.formula = formulas.of_op(operator.facts, named, outputs, program.shapes)
        elif operator.forward is not None:
            step.formula = program.gradient_rule(operator, operator.forward)
        forward = operator.forward
        kept = names_of(forward.reads, forward.writes) if forward else []  # read from there
        step.light(*(program.leaves.get(each.name) for each in inputs if each.name not in kept))
        step.light(*operator.lit)
        step.edges += operator.edges
        for box in (program.holder(thing.name) for thing in outputs):
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
        self._activate_operator(program, operator, step, inputs, outputs)
        show_arguments(operator, event, given, step)
        role, unseen = "output", None
        if operator.forward:
            role, unseen = "grad_out", PY_FUNC.fill(about=operator.forward.function)
        for name, thing in back:
            port = operator.way_out(name)
            step.show(thing or Mention(name), role, port, name, probe=thing and unseen)

    def freed(self, event: events.VariableFreed) -> None:
        """Add a freed variable to the one step of all that are freed after an operator."""
        program = self.program(event.program)
        if event.program in self.startup:
            return
        before = self.draft.steps[-1] if self.draft.steps else None
        facts = before.facts if before else None
        if before is None or not isinstance(facts, steps.FreeStep):
            last = next(reversed(program.run.ran), None)
            facts, place = steps.FreeStep([]), before.place if before else None
            if last is not None:  # the operator's line; a py_func's step has the function's
                place = program.operators[last].place
            before = step = self.draft.step(facts, "run", place)
            if last is not None:
                program.run.frees[last] = step
        facts.names.append(event.name)
        before.light(program.box(event.name))

    def run_finished(self, event: events.RunFinished) -> None:
        program = self.program(event.program)
        self.running = None
        startup = event.program in self.startup
        made = things_of(program.run.made if startup else event.fetched)
        facts = steps.StartupStep(made) if startup else steps.FinishStep(made)
        step = self.draft.step(facts, "run", program.run.place)
        for thing in made:
            if startup:
                box = next((p.leaves[thing.name] for p in self if thing.name in p.leaves), None)
            else:
                box = self._result_box(program, thing.name, step)
            step.light(box)
            step.show(thing, "output", box)


def gradients_of_turn(event: events.PartAppended) -> tuple[Pairs, Pairs]:
    """Return a turn's gradients of the loop's variables, and of values from outside, which the loop
    adds up: (result, name in the part)."""
    variables = len(event.takes) - len(event.gives)
    halves = event.gives[:variables], event.gives[variables:]
    of_variables, of_others = ([pair for pair in half if all(pair)] for half in halves)
    return of_variables, of_others


def is_whole(operator: Operator, event: events.OperatorExecuted) -> bool:
    """Return whether a trace has all inputs of an update, and the parameter after it."""
    slots = operator.slots
    used = {slots.get(slot, "") for slot in UPDATED}
    return used <= {*event.inputs} and slots["Param"] in event.outputs


def number_in(value: Value | None) -> float | None:
    """Return the only number of a value, if it is floating and recorded."""
    number = value and only((Mention.recorded("", value).value or {}).get("data"))
    return number if type(number) is float else None


def exponent_of(power: float | None, base: Any) -> int | None:
    """Return the exponent of a power of a number below 1, or None if rounding hides it.

    >>> exponent_of(0.81, 0.9), exponent_of(0.0, 0.9)
    (2, None)
    """
    if power is None or not (isinstance(base, float) and 1e-30 < power < 1 and 0 < base < 1):
        return None
    return round(log(power) / log(base))


def show_arguments(
    operator: Operator, event: events.PyFuncCalled, given: list[NamedMention], step: AnyStep
) -> None:
    """Show the arguments of a py_func's function in order, for backward_func also skipped ones."""
    forward, rest = operator.forward, dict(given)
    backward = forward and event.direction == "backward"
    whole = names_of(forward.reads, forward.writes) if forward and backward else []
    order = [name for name in whole if name in rest or name in event.skipped]
    for name in dict.fromkeys([*order, *rest]):
        role = "grad_in" if forward and GRAD in name else "input"
        role = role if name in rest else "skipped"
        step.show(rest.get(name) or Mention(name), role, operator.way_in(name), name=name)


# ----- variables ---------------------------------------------------------------------------------


def distinct_variables(slots: Mapping[str, Sequence[Declared | None]]) -> list[Declared]:
    """Return the distinct variables of all slots in order."""
    once = {v.name: v for variables in slots.values() for v in variables if v is not None}
    return list(once.values())


def names_of(*variables: Sequence[Declared]) -> list[str]:
    return [each.name for some in variables for each in some]


def without(things: Sequence[Mention], names: Sequence[str]) -> list[Mention]:
    return [thing for thing in things if thing.name not in names]


def declared_thing(variable: Declared) -> Mention:
    """Return a variable without a value, as sentences name it before a run."""
    return Mention(variable.name, None, variable.shape)


def known_size(declared: int, ran: Sequence[int]) -> str:
    """Return a declared size as text, or the sizes in a few runs if the size is not declared.

    >>> known_size(3, [3]), known_size(-1, []), known_size(-1, [5, 5]), known_size(-1, [1, 2])
    ('3', '?', '?=5', '?=1/2')
    """
    found = [str(n) for n in dict.fromkeys(ran)]
    if declared >= 0:
        return str(declared)
    return f"?={'/'.join(found)}" if 0 < len(found) <= RUNS else "?"


def things_of(values: Mapping[str, Value]) -> list[Mention]:
    """Return variables with their values for sentences."""
    return [Mention.recorded(name, value) for name, value in values.items()]


def rows_of(values: Sequence[tuple[str, Value | None]]) -> list[NamedMention]:
    """Return the arguments or results of a function for sentences, in order."""
    return [
        NamedMention(name, None if v is None else Mention.recorded(name, v)) for name, v in values
    ]
