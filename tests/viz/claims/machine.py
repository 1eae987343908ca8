"""The machine: it compares every claim of every step of a story with the trace."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import numpy as np

import minipaddle as paddle
from minipaddle import events
from minipaddle.ops import REGISTRY
from viz.document.sources import LoadedLine
from viz.story.sentences import ops
from viz.story.sentences.wording import names_of_the_user
from viz.trace import Trace

from . import recordings, slots, whole
from .code import calls_in
from .evidence import Evidence, Moment, array
from .readers import Readers
from .slots import Told, slot_faults


@dataclass(frozen=True)
class Witnessed:
    """A trace, the rates of its optimizers, and which tensors the variables held."""

    trace: Trace
    rates: Mapping[str, float]
    held: AbstractSet[tuple[str, int]]


def witnessed(make: Callable[[], recordings.Recorded | Trace]) -> Witnessed:
    """Record a program, and observe its variables with Python alone."""
    with whole.Bindings() as bindings:
        made = make()
    trace, variables = (made, {}) if isinstance(made, Trace) else made
    rates = {
        type(thing).__name__: thing.get_lr()
        for thing in variables.values()
        if isinstance(thing, paddle.optimizer.Optimizer)
    }
    assert trace.document
    return Witnessed(trace, rates, bindings.held)


def faults(recorded: Witnessed) -> list[str]:
    """List the false claims of the story of a trace, step by step."""
    trace, evidence = recorded.trace, Evidence(recorded.trace, recorded.rates)
    with names_of_the_user(trace.names):
        return [*step_faults(trace, evidence, recorded.held), *whole.sizes_faults(evidence)]


def step_faults(trace: Trace, evidence: Evidence, held: Any) -> list[str]:
    """List the false claims of steps, and of the story as a whole."""
    readers = Readers(evidence)
    rows = slots.told(trace)
    found = []
    for one, moment in zip_longest(rows, evidence.moments):
        if one is None or moment is None or one.facts.kind != moment.kind:
            said, was = one and one.facts.kind, moment and moment.kind
            return [*found, f"step {one and one.step.index}: tells of {said}, but {was} happened"]
        told = [
            *slot_faults(one),
            *order_faults(one),
            *readers.read[type(one.facts)](one.facts, moment),
        ]
        told += [*place_faults(one, moment, evidence), *shown_faults(one, moment, evidence)]
        found += [f"step {one.step.index} ({one.facts.kind}): {fault}" for fault in told]
    found += whole.name_faults(evidence, held)
    odd = evidence.before.odd
    found += whole.odd_faults(rows, evidence.moments, lambda moment: [*values_in(moment)], odd)
    found += whole.missing_faults(trace, evidence)
    found += whole.box_faults(trace, evidence)
    found += whole.memory_faults(trace.story.memory, evidence)
    return found


# Op and language -> the two inputs that the sentence names, in its order.
ORDERS = {
    "subtract": {"en": "yx", "zh": "xy"},
    "divide": {"en": "xy", "zh": "xy"},
    "matmul": {"en": "xy", "zh": "xy"},
}


def order_faults(one: Told) -> Iterator[str]:
    """Yield a fault if a sentence names the two inputs of an op in the wrong order."""
    op = one.facts.op if one.facts.kind == "op" and hasattr(one.facts, "op") else ""
    for lang, wanted in ORDERS.get(op, {}).items():
        words = ops.WORDS[op].template_in(lang)
        if "".join(re.findall(r"\{([xy])\}", words)) != wanted:
            yield f"{words!r} should speak of {wanted}"


# ----- places ------------------------------------------------------------------------------------


def place_faults(one: Told, moment: Moment, evidence: Evidence) -> Iterator[str]:
    """Yield faults unless a step's line is the recorded one, is in the file, and has the call."""
    yield from forward_faults(one, moment, evidence)
    place, line = moment.place, one.step.line
    if not isinstance(place, LoadedLine) or line is None:
        if (place is None) != (line is None):
            yield f"the line {line} is shown, and {place} was recorded"
        return
    source = evidence.trace.sources[line.source]
    text = source.lines[line.number - source.first]
    if evidence.code.line(line.source, line.number) != text:
        yield f"line {line.number} of the file is not {text!r}"
    decorators = [evidence.code.line(place.file, n) for n in range(place.line, line.number)]
    if line.source != place.file or any(not row.lstrip().startswith("@") for row in decorators):
        yield f"line {line.number} is shown, and line {place.line} was recorded"
    statement = evidence.code.statement(line.source, line.number)
    if line.number < place.line or not holds(moment.event, statement):
        yield f"line {line.number}, {text.strip()!r}, does not call {moment.kind}"


def forward_faults(one: Told, moment: Moment, evidence: Evidence) -> Iterator[str]:
    """Yield a fault unless a step of backward points at the line that made its op."""
    call = evidence.call_of(getattr(moment.event, "node", 0))
    line = one.step.forward_line
    told = moment.kind in ("visit", "receive", "unbroadcast", "release") and call and call.place
    if told and line != told[:2]:
        yield f"the op is said to be of {line}, and was called in {told}"


OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("add", "scale"), ast.Sub: ("subtract", "scale"), ast.Mult: ("multiply", "scale"),
    ast.Div: ("divide", "scale", "reciprocal"), ast.FloorDiv: ("floor_divide",),
    ast.Mod: ("remainder",), ast.Pow: ("pow", "elementwise_pow"), ast.MatMult: ("matmul",),
    ast.USub: ("scale",), ast.Gt: ("greater_than",), ast.Subscript: ("getitem", "set_at"),
}  # fmt: skip
SPELLED = {"randn": "gaussian", "ones": "full", "zeros": "full", "split": "split", "astype": "cast"}


def holds(event: Any, statement: ast.stmt) -> bool:
    """Say whether a statement of the user's code calls what the event records."""
    nodes = [statement] if isinstance(statement, ast.FunctionDef) else [*ast.walk(statement)]
    called = calls_in(statement)
    if isinstance(event, (events.BackwardStarted, events.ParameterUpdated, events.RunStarted)):
        wanted = {"backward", "grad"}, {"step"}, {"run"}
        kinds = (events.BackwardStarted, events.ParameterUpdated, events.RunStarted)
        return bool(called & wanted[kinds.index(type(event))])
    if not isinstance(event, events.OpFinished):
        return True
    reasons = {op for node in nodes for op in OPERATORS.get(type(node), ())}
    reasons |= {SPELLED.get(name, name).rstrip("_") for name in called}
    reasons |= {"transpose" for node in nodes if getattr(node, "attr", "") == "T"}
    return event.op in reasons or any(name not in REGISTRY for name in called)


# ----- values in the inspector -------------------------------------------------------------------


def shown_faults(one: Told, moment: Moment, evidence: Evidence) -> Iterator[str]:
    """Yield faults unless the inspector's values are of the moment, or of the root of backward."""
    there = [*values_in((moment.event, moment.parts, moment.entered, moment.changed))]
    if moment.kind == "seed":
        root = evidence.tensor_at(moment.event.edges[moment.index])
        there += values_in(evidence.seen.get(root or 0, []))
    for shown in one.step.shown:
        if shown.value is None or not there or shown.role == "taken":  # "taken" is calculated
            continue
        zero = shown.role == "zeros" and not values_of(shown.value).any()
        if not zero and shown.value not in there:
            yield f"{shown.name} is shown with a value that was not there"
    yield from sum_faults(one, moment, evidence)


def sum_faults(one: Told, moment: Moment, evidence: Evidence) -> Iterator[str]:
    """Yield a fault if values shown as a sum (`w`, `− 0.1 × w.grad`, `= w`) do not add up."""
    total: Any = None
    for shown in one.step.shown:
        elements, sign = values_of(shown.value), shown.sign
        rate = re.search(r"[\d.]+(?:e−?\d+)?", sign)
        factor = float(rate[0].replace("−", "-")) if rate else 1.0
        known = evidence.rates.get(getattr(one.facts, "optimizer", ""), factor)
        if rate and not np.isclose(factor, known):
            yield f"the rate is shown as {sign!r}"
        if elements is None:
            continue
        if not sign:
            total = elements
        elif sign == "=":
            if total is not None and not np.allclose(total, elements, 1e-3, 1e-6, equal_nan=True):
                yield f"{shown.name} is not the sum that is shown"
            return
        elif total is not None:
            total = total + (-factor if sign[0] == "−" else factor) * elements


def values_of(value: Any) -> Any:
    """Return the elements of a shown value, if they were recorded."""
    if value is None or value["data"] is None:
        return None
    return array(events.Value(tuple(value["shape"]), value["dtype"], value))


def values_in(thing: Any) -> Iterator[Any]:
    """Yield every recorded value in records."""
    match thing:
        case events.Value():
            yield thing.data
        case dict():
            yield from values_in(tuple(thing.values()))
        case list() | tuple():
            for item in thing:
                yield from values_in(item)
        case events.Seen():
            yield thing.value.data
        case Moment():
            yield from values_in((thing.event, thing.parts, thing.entered))
    for name in (*getattr(thing, "tensor_fields", ()), *getattr(thing, "value_fields", ())):
        yield from values_in(getattr(thing, name))
