"""The computation of one step of a trace, with the names of its operands and results.

The chapter, a part of a trace with one graph, is replayed, so that large arrays are known too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple

from minipaddle import events
from minipaddle.messages import Message
from minipaddle.ops import REGISTRY
from minipaddle.ops.bound import names_read
from minipaddle.optimizer.recorded_rule import Update

from ..document.program_names import rename_text
from ..document.values import flatten
from ..language.words import WORDS
from ..model import Step
from ..story.chapters import Recorded
from ..whatif.datum import Datum, by_name
from ..whatif.replay import Call, Lasting, lasting_of, promote
from ..whatif.revive import op_of
from .computations import (
    Computation,
    FunctionComputation,
    OpComputation,
    UpdateComputation,
    of_rule,
    present,
    widened_array,
)
from .gradient_flow import WHY, Box, FlowReplay
from .linear_maps import NotLinear, OpsMap, RuleMap, check, close

REASONS = {
    **WHY,
    "ranks": Message("it needs the numbers of the other ranks"),
    "many": Message("it has too many elements to try one by one"),
}
NO_RULE = Message("{op} has no gradient rule, so nothing tells which elements it is made from")
CLIPPED = Message("gradients were clipped together before the update")
PYTHON = Message("{op} is a function in Python, which is not called again")
SEED = WORDS["elementSeed"]

RESULTS = ("output", "grad_out", "after")  # roles of values that a step computes


class Unexplained(Exception):
    """The elements of a step cannot be followed; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.en)
        self.reason = reason


def reason_of(error: Unexplained | NotLinear) -> Message:
    """Return the reason why elements cannot be followed."""
    return error.reason if isinstance(error, Unexplained) else REASONS[error.why]


@dataclass(frozen=True)
class StepComputation:
    """A computation, with the names of its operands and results.

    `operand_at` and `result_at` map places in a step to operands and results. `step` computes the
    results, and shows them at the places `shown_at`; a leaf's step shows one of an earlier step.
    `uses` maps operands, of gradients that are added, to the results from which they come.
    """

    step: Step
    run: Computation
    op: str
    operands: Mapping[int, str]
    results: Mapping[int, str]
    operand_at: Mapping[int, int]
    shown_at: Mapping[int, int]
    result_at: Mapping[int, int]
    uses: Mapping[int, str] = field(default_factory=dict)


class Side(NamedTuple):
    """The operands, or the results, of a computation, each with a letter.

    `step` shows the operands or results in `numbers`, in this order, in `roles`.
    """

    step: Step
    roles: Sequence[str]
    numbers: Sequence[int]
    letters: Sequence[str]

    @property
    def at(self) -> dict[int, int]:
        """Place in `step.shown` -> operand or result; empty if the counts differ."""
        found = [at for at, shown in enumerate(self.step.shown) if shown.role in self.roles]
        fits = len(found) == len(self.numbers)
        return dict(zip(found, self.numbers, strict=True)) if fits else {}

    @property
    def names(self) -> dict[int, str]:
        """Operand or result -> its name in the step, or its letter if not shown."""
        shown = {k: self.step.shown[place].name for place, k in self.at.items()}
        own = {k: name.partition(" = ")[0] for k, name in shown.items()}  # `dy = dz` is dy
        return {**dict(enumerate(self.letters)), **own}


def between(step: Step, run: Computation, op: str, given: Side, made: Side) -> StepComputation:
    """Return a computation between two sides, of which `step` shows one or both."""
    before, after = (side.at if side.step is step else {} for side in (given, made))
    uses = {k: given.step.shown[place].use for place, k in given.at.items()}
    names = given.names, made.names
    return StepComputation(made.step, run, op, *names, before, made.at, after, uses)


class Replayed(FlowReplay):
    """Replay of a chapter for one of its records; `update` is the optimizer rule that it applies.

    The boxes and wires are those of the backward pass that contains the record.
    """

    def __init__(self, records: Sequence[Any], record: int, lasting: Lasting | None = None) -> None:
        self.target = record
        self.update: Update | None = None
        runs = [0]
        for event in records[: record + 1]:
            if isinstance(event, events.BackwardStarted):
                runs.append(event.run)
            while isinstance(event, events.BackwardFinished) and len(runs) > 1:
                if runs.pop() == event.run:
                    break
        super().__init__(records, runs[-1], lasting)
        self.walk()

    def parameter_updated(self, event: events.ParameterUpdated) -> None:
        if self.numbers.record == self.target:  # before the update changes the rule's state
            seen = event.tensor
            first = event.follows and self.first_update(event, event.follows, seen)
            update = first or self.updates.get((event.optimizer, seen.id))
            self.update = update and update.copy()
        super().parameter_updated(event)

    def datum(self, value: Any) -> Any:
        """Return the array of a recorded value or tensor; a list for a list."""
        if isinstance(value, (list, tuple)):
            return [self.datum(each) for each in value]
        if value is None:
            return None
        value = getattr(value, "value", value)
        return Datum(self.numbers.arrays.get(value.occurrence))

    def wide(self, value: Any) -> Any:
        """Return the array of a value in float64; raise NotLinear if it was not recorded."""
        return widened_array(self.datum(value))


def computation_of(trace: Recorded, step: Step) -> StepComputation:
    """Return the computation of a step; raise Unexplained or NotLinear if there is none."""
    records = trace.events
    event = records[step.record] if 0 <= step.record < len(records) else None
    match event:
        case events.OpFinished():
            run = call_of(Replayed(records, step.record), event)
            return between(step, run, run.op.name, *sides_of(run.op, event, step))
        case events.NodeVisited():
            return of_visit(trace, step, event)
        case events.ScopeLeft(kind="pylayer.backward"):
            return of_return(trace, step)
        case events.ScopeEntered(kind="pylayer.forward") | events.ScopeLeft(kind="pylayer.forward"):
            return of_forward(trace, step, event.scope)
        case events.HookRan():
            return of_hook(trace, step, event)
        case events.LeafReached():
            return of_leaf(trace, step, event)
        case events.GradUnbroadcast():
            attrs = {"shape": [*event.after.shape]}
            return of_values(trace, step, "sum_to", attrs, [event.before], event.after)
        case events.GradAccumulated():
            return of_values(trace, step, "add", {}, [event.held, event.added], event.total)
        case events.ParameterUpdated():
            return of_update(trace, step, event)
        case events.OperatorExecuted():
            return of_operator(trace, step, event)
        case events.PyFuncCalled():
            raise Unexplained(PYTHON.fill(op=event.function))
        case events.BackwardStarted():
            raise Unexplained(SEED)
    raise Unexplained(WORDS["elementNoStep"])


# ----- calls of ops ------------------------------------------------------------------------------


def call_of(walk: Replayed, event: events.OpFinished) -> OpComputation:
    """Return the recorded call of an op, with the replayed arrays."""
    op, attrs = op_of(event.op, event.attrs)
    if op is None or attrs is None:
        raise Unexplained(NO_RULE.fill(op=event.op))
    inputs = walk.datum(event.inputs)
    inputs = promote(op, inputs) if op.promotes else inputs
    return OpComputation(Call(event.call, op, attrs, inputs, walk.datum(event.outputs)))


def sides_of(op: Any, event: events.OpFinished, step: Step) -> tuple[Side, Side]:
    """Return the operands and the results of a call, as a step shows them."""
    row = flatten(event.inputs)
    given = Side(step, ("input",), present(row), letters_of(op, len(row)))
    return given, Side(step, ("output",), range(len(event.outputs)), op.outputs)


def letters_of(op: Any, count: int) -> list[str]:
    """Return the letters of `count` inputs of an op; those of a list get a number."""
    if not op.takes_list:
        return [*op.inputs[:count]]
    first, last = [*op.inputs[:-1]], op.inputs[-1]
    return [*first, *(f"{last}{at}" for at in range(count - len(first)))]


def of_values(
    trace: Recorded, step: Step, op: str, attrs: dict[str, Any], given: Sequence[Any], made: Any
) -> StepComputation:
    """Return a step of backward that works like an op but is no recorded call."""
    walk = Replayed(trace.events, step.record)
    run = OpComputation(Call(0, REGISTRY[op], attrs, walk.datum(given), walk.datum([made])))
    roles = ("before", "grad_in")[: len(given)]
    operands = Side(step, roles, range(len(given)), letters_of(run.op, len(given)))
    return between(step, run, op, operands, Side(step, ("after",), [0], "y"))


# ----- backward ----------------------------------------------------------------------------------


def of_visit(trace: Recorded, step: Step, event: events.NodeVisited) -> StepComputation:
    walk = Replayed(trace.events, step.record)
    box = next(each for each in walk.flow.boxes if each.record == step.record)
    if not isinstance(box.map, RuleMap):
        return of_user_ops(trace, walk, box, step)
    node, op = walk.nodes[event.node], box.map.op
    run = of_rule(box.map, box.arrived, [edge is not None for edge in node.edges], summed=False)
    calls = (each for each in trace.events if isinstance(each, events.OpFinished))
    forward = next(each for each in calls if each.call == node.call)
    steps = trace.story.steps
    shown = next((each for each in steps if trace.events[each.record] is forward), step)
    count = len(box.arrived)
    letters = [f"d{name}" for name in op.outputs[:count]]
    letters += [""] * (count - len(letters)) + saved_names(op, forward, shown)
    given = Side(step, ("grad_in",), present(box.arrived), letters)
    inputs = [f"d{name}" for name in letters_of(op, len(node.edges))]
    made = Side(step, ("grad_out",), [*gradients_of_box(walk, box)], inputs)
    return between(step, run, op.name, given, made)


def saved_names(op: Any, event: events.OpFinished, forward: Step) -> list[str]:
    """Return the names of the values that a gradient rule reads."""
    given, made = sides_of(op, event, forward)
    pairs = zip(flatten(event.inputs), given.names.values(), strict=True)
    rest = iter([None if seen is None else name for seen, name in pairs])
    rows = [isinstance(each, (list, tuple)) and len(each) for each in event.inputs]
    names = [next(rest) if size is False else [next(rest) for _ in range(size)] for size in rows]
    known = by_name(op, names, [*made.names.values()])
    read = flatten([known.get(name, name) for name in names_read(op)])
    return [name for name in read if name is not None]


def gradients_of_box(walk: Replayed, box: Box) -> dict[int, Any]:
    """Return the gradients that a box computed, by the number of the input."""
    number = walk.flow.boxes.index(box)
    wires = (wire for wire in walk.flow.wires if wire.source == number)
    return {wire.input: wire.grad for wire in wires}


def of_user_ops(trace: Recorded, walk: Replayed, box: Box, step: Step) -> StepComputation:
    """Return the computation of the recorded ops of a user's backward, or of a hook.

    A backward has two steps: one that calls it, and one in which it returns.
    """
    if box.map is None:
        raise NotLinear(box.why)
    sent = {at: grad for at, grad in gradients_of_box(walk, box).items() if grad is not None}
    check(box.map, box.arrived, sent, by_user=True)
    assert isinstance(box.map, OpsMap)
    outside = box.map.outside
    run = FunctionComputation(box.map.run, [*box.arrived, *outside.values()], present(box.arrived))
    called, returned, steps = step, step, trace.story.steps
    if step.kind == "receive":
        returned = next((each for each in steps[step.index :] if each.kind == "return"), step)
    elif step.kind == "return":
        before = reversed(steps[: step.index])
        called = next((each for each in before if each.kind == "receive"), step)
    dys = [f"dy{at}" for at in range(len(box.arrived))]
    dxs = [f"dx{at}" for at in range(len(run.results))]
    inside = names_between(trace, called, returned)
    names = [inside.get(number) or name_of(trace, number) for number in outside]
    given = Side(called, ("grad_in", "zeros", "before"), range(len(dys)), [*dys, *names])
    made = Side(returned, ("grad_out", "after"), range(len(dxs)), dxs)
    return between(step, run, box.name, given, made)


def names_between(trace: Recorded, first: Step, last: Step) -> dict[int, str]:
    """Return the names that ops between two steps show for their inputs, by the tensor's number."""
    names: dict[int, str] = {}
    for step in trace.story.steps[first.index : last.index]:
        event = trace.events[step.record]
        if isinstance(event, events.OpFinished):
            tensors = [seen.id for seen in flatten(event.inputs) if seen is not None]
            shown = [each.name for each in step.shown if each.role == "input"]
            names |= zip(tensors, shown, strict=False) if len(tensors) == len(shown) else ()
    return names


def name_of(trace: Recorded, tensor: int) -> str:
    """Return the name of a tensor, preferably outside of PyLayers, else its number."""
    names = (name for (number, _), name in sorted(trace.names.items()) if number == tensor)
    return next(names, f"t{tensor}")


def of_return(trace: Recorded, step: Step) -> StepComputation:
    """Return the computation of a PyLayer's backward for the step in which it returns."""
    walk = Replayed(trace.events, step.record)
    boxes = [each for each in walk.flow.boxes if each.record <= step.record]
    layers = [each for each in boxes if each.kind == "pylayer_grad"]
    if not layers:
        raise NotLinear("unknown")
    return of_user_ops(trace, walk, layers[-1], step)


def of_hook(trace: Recorded, step: Step, event: events.HookRan) -> StepComputation:
    walk = Replayed(trace.events, step.record)
    for box in walk.flow.boxes:
        if box.record == step.record:
            return of_user_ops(trace, walk, box, step)
    # A hook without a box changed nothing.
    return of_values(trace, step, "assign", {}, [event.before], event.after)


def of_leaf(trace: Recorded, step: Step, event: events.LeafReached) -> StepComputation:
    """Return the computation of the step that computed a leaf's gradient."""
    record, slot = sender(trace.events, step.record, event.tensor.id)
    before = [each for each in trace.story.steps if each.record <= record]
    sent = before[-1] if before else None  # of a sum that create_graph records, the op's step
    if sent is None:
        raise Unexplained(SEED)
    made = computation_of(trace, sent)
    own = Side(step, ("grad_out",), [slot], ()).at
    made = replace(made, operand_at={}, result_at=own)
    # The earlier step may show fewer results than it computes.
    return made if slot in made.shown_at.values() else replace(made, step=step, shown_at=own)


def sender(records: Sequence[Any], record: int, leaf: int) -> tuple[int, int]:
    """Return the record that computed the gradient of a leaf, and the number of the result."""
    key, source_of = events.Edge("leaf", leaf), attrgetter("node", "index")
    came: events.GradComputed | None = None
    for at in range(record - 1, -1, -1):
        match records[at]:
            case events.GradAccumulated(edge=edge) | events.HookRan(edge=edge) if (
                came is None and edge == key
            ):
                return at, 0
            case events.GradComputed(edge=edge) as event if came is None and edge == key:
                came = event
            case events.GradUnbroadcast() as event if came and source_of(event) == source_of(came):
                return at, 0
            case events.ScopeLeft(kind="pylayer.backward") if came is not None:
                return at, came.index
            case events.NodeVisited(node=node) if came is not None and node == came.node:
                return at, came.index
            case events.BackwardStarted():
                break
    return -1, 0


# ----- PyLayers and optimizers -------------------------------------------------------------------


def of_forward(trace: Recorded, step: Step, scope: int) -> StepComputation:
    """Return the computation of all ops inside a PyLayer's forward.

    A forward has two steps: one that enters it, and one that leaves it.
    """
    ends: dict[str, tuple[Step, Any]] = {}
    for each in trace.story.steps:
        event = trace.events[each.record]
        if each.kind in ("enter", "leave") and getattr(event, "scope", 0) == scope:
            ends[each.kind] = each, event
    if len(ends) < 2:
        raise NotLinear("unknown")
    (entered, start), (left, event) = ends["enter"], ends["leave"]
    walk = Replayed(trace.events, left.record)
    given, made = ([x for x in flatten(row) if x] for row in (start.inputs, event.outputs))
    ops = OpsMap([x.id for x in given], [x.id for x in made], walk.made_in)
    run = FunctionComputation(ops.run, [walk.wide(each) for each in given])
    known = [walk.datum(each) for each in made]
    for mine, datum in zip(run.results, known, strict=True):
        if mine is None or (datum.array is not None and not close(mine, widened_array(datum))):
            rules = [(REGISTRY.get(each.name), each.attrs) for each in ops.steps]
            remote = any(op and op.remote and len(attrs["ranks"]) > 1 for op, attrs in rules)
            raise NotLinear("ranks" if remote else "python")
    operands = Side(entered, ("input",), range(len(given)), ())
    results = Side(left, ("output",), range(len(made)), ())
    return between(step, run, event.name, operands, results)


def of_update(trace: Recorded, step: Step, event: events.ParameterUpdated) -> StepComputation:
    walk = Replayed(trace.events, step.record, lasting_of(trace.earlier))
    update: Any = walk.update
    if update is None or update.state is None:
        raise NotLinear("unknown")
    if update.follows.clip:
        raise Unexplained(CLIPPED)
    run = UpdateComputation(update, walk.wide(event.before), walk.wide(event.grad), event.rate)
    given, made = Side(step, ("before", "grad_in"), [0, 1], "pg"), Side(step, ("after",), [0], "p")
    return between(step, run, event.optimizer, given, made)


# ----- Programs ----------------------------------------------------------------------------------


def of_operator(trace: Recorded, step: Step, event: events.OperatorExecuted) -> StepComputation:
    """Return the run of an operator of a Program, whose Variables have their own names."""
    walk = Replayed(trace.events, step.record)
    operator = walk.operators.get((event.program, event.index))
    kernel = operator.kernel if operator else None
    if operator is None or kernel is None:
        raise NotLinear("unknown")
    names, made = flat_names(kernel.arguments), flat_names(kernel.results)
    given = [variables(walk, each, event.inputs) for each in kernel.arguments]
    run: Computation
    if kernel.kind == "update":
        param, grad, rate, *state = map(widened_array, given)
        if kernel.follows is None:
            raise NotLinear("unknown")
        update = Update(kernel.follows, state, param.shape, "float64")
        run = UpdateComputation(update, param, grad, rate)
    else:
        op, attrs = op_of(operator.op, kernel.attrs)
        if op is None or attrs is None:
            raise NotLinear("unknown")
        if kernel.kind == "gradient":
            run, names = program_rule(op, attrs, given, kernel)
        else:
            outs = [variables(walk, each, event.outputs) or Datum(None) for each in kernel.results]
            run = OpComputation(Call(0, op, attrs, given, outs))
    called_by_user = trace.variables.get(event.program, {})
    names, made = ([rename_text(x, called_by_user) for x in row] for row in (names, made))
    shown = [*enumerate(step.shown)]
    results = {at: x.name for at, x in shown if x.role in RESULTS and x.name in made}
    operands = {at: x.name for at, x in shown if at not in results and x.name in names}
    before = {at: names.index(name) for at, name in operands.items()}
    after = {at: made.index(name) for at, name in results.items()}
    called = dict(enumerate(names)), dict(enumerate(made))
    return StepComputation(step, run, operator.op, *called, before, after, after)


def flat_names(names: Sequence[Any]) -> list[str]:
    """Return names of Variables in one row; "" for an absent one."""
    return [each or "" for each in flatten(names)]


def variables(walk: Replayed, names: Any, values: Mapping[str, Any]) -> Any:
    """Return the arrays of Variables; a list for several."""
    if isinstance(names, tuple):
        return [variables(walk, each, values) for each in names]
    return walk.datum(values[names]) if names in values else None


def program_rule(
    op: Any, attrs: Any, given: Sequence[Any], kernel: events.Kernel
) -> tuple[FunctionComputation, list[str]]:
    """Return the run of the gradient rule of an operator, and the names of its operands.

    The operator's arguments are the Variables that the rule reads, then gradients of the outputs.
    """
    reads, names = names_read(op), [*kernel.arguments]
    known = dict(zip(reads, given, strict=False))
    rows, called = given[len(reads) :], names[len(reads) :]
    count = len(op.outputs)
    outs: list[Any] = [known.get(name) or Datum(None) for name in op.outputs]
    if op.list_result:
        rows, called = rows[0], list(called[0] or ())
        count = len(rows)
        outs = [Datum(None)] * count
    inputs = [known.get(name) for name in op.inputs]
    needs = [name is not None for name in kernel.results]
    rule = RuleMap(Call(0, op, attrs, inputs, outs), needs)
    arrived: list[Any] = [None] * count
    operands = [""] * count
    for slot, datum, name in zip(op.graded_slots(count), rows, called, strict=False):
        if datum is not None:
            arrived[slot], operands[slot] = widened_array(datum), name
    read = zip(flatten(given[: len(reads)]), flat_names(names[: len(reads)]), strict=True)
    operands += [name for datum, name in read if datum is not None]
    return of_rule(rule, arrived, needs, summed=True), operands
