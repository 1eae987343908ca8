"""Problems with the loss: softmax applied twice, and steps that go uphill."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle import events
from minipaddle.engine.reasons import THE_LOSS
from minipaddle.events import Seen
from minipaddle.messages import Message, Text

from ...document.distinct_names import base_of
from ...document.program_names import rename_text
from ...document.values import flatten
from ...model import Problem
from .reading import Call, Maker, Reading

# Ops that give the elements of their first input another order, shape or dtype.
REARRANGING = frozenset(
    {
        *("reshape", "flatten", "squeeze", "unsqueeze", "transpose", "cast", "assign", "getitem"),
        *("concat", "stack", "gather", "split", "expand", "tile", "index_select"),
    }
)
# loss that takes scores -> function that it applies to them first, and the loss's public name
TAKES_SCORES = {
    "softmax_with_cross_entropy": ("softmax", "cross_entropy"),
    "cross_entropy": ("softmax", "cross_entropy"),
    "binary_cross_entropy_with_logits": ("sigmoid", "binary_cross_entropy_with_logits"),
}
# Ops that sum or average the measures of a loss. A measure is 0 at best, so the loss should fall.
GATHERING = frozenset({"mean", "sum", "scale", "add", "divide", "multiply", "reshape", "squeeze"})
MEASURE = re.compile(r"square|abs|pow|p_norm|\w*loss|\w*entropy\w*|\w*likelihood|nll_rows|kl_div")
LOSS_NAME = re.compile(r"loss|cost|err|mse|nll|entropy", re.IGNORECASE)
BEGUN_AT = re.compile(r"(\w+)\.backward\(|\bgrad\(\s*\[?\s*(\w+)\s*\]?\s*,")
NO_NAME = re.compile(r"[a-zA-Z]\d?")  # names of one letter, which do not say "loss"

TWICE = Message(
    "{x} came out of {first}, and {loss} takes {first} of what it gets: here it is taken twice."
)
GIVE_SCORES = Message(
    "Give {loss} the scores as they are, before {first}; where probabilities "
    "are to be shown, take {first} beside the loss."
)
CLIMBS = Message(
    "This step goes uphill: it adds a positive multiple of its gradient to {x}, so {loss} grows."
)
SUBTRACT = Message("If {loss} should fall, subtract it, as w.subtract_(lr * w.grad) does.")


def find_softmax_twice(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first softmax or sigmoid before a loss that applies it itself."""
    for at, op, given, x in (*eager_losses(reading), *appended_losses(reading)):
        first, loss = TAKES_SCORES[op]
        if given == first:
            text = TWICE.fill(x=x, first=first, loss=loss)
            todo = GIVE_SCORES.fill(first=first, loss=loss)
            yield reading.problem("softmax_twice", at, text, todo)
            return


# event number, op of the loss, op that computed the scores, name of the scores
LossInput = tuple[int, str, str, Message]


def eager_losses(reading: Reading) -> Iterator[LossInput]:
    for call in reading.calls:
        if call.event.op in TAKES_SCORES and call.inputs:
            scores = call.inputs[0]
            source = origin(reading, scores)
            yield call.at, call.event.op, source.name if source else "", reading.name(scores)


def appended_losses(reading: Reading) -> Iterator[LossInput]:
    """Yield the inputs of losses among the operators of Programs."""
    makers: dict[tuple[int, str], events.OperatorAppended] = {}
    for at, event in reading.of(events.OperatorAppended):
        scores = first_variable(event)
        if event.op in TAKES_SCORES and event.role in ("forward", "loss") and scores:
            maker = makers.get((event.program, scores))
            known: set[int] = set()  # an operator that writes its own input would loop forever
            while maker is not None and maker.op in REARRANGING and maker.index not in known:
                known.add(maker.index)
                maker = makers.get((event.program, first_variable(maker)))
            called = rename_text(scores, reading.trace.variables.get(event.program, {}))
            yield at, event.op, maker.op if maker else "", Text(called)
        names = (out.name for row in event.outputs.values() for out in row if out)
        makers |= dict.fromkeys([(event.program, name) for name in names], event)


def first_variable(event: events.OperatorAppended) -> str:
    """Return the name of the first Variable that an operator reads, or "" if it reads none."""
    names = flatten(event.kernel.arguments if event.kernel else ())
    return next(filter(None, names), "")


def origin(reading: Reading, seen: Seen) -> Maker | None:
    """Return the op that computed the elements of a tensor, behind ops that only rearrange them."""
    maker, known = reading.makers.get(seen.id), {seen.id}
    while maker is not None and maker.name in REARRANGING and maker.inputs:
        number = maker.inputs[0].id
        maker = None if number in known else reading.makers.get(number)
        known.add(number)
    return maker


# ----- uphill ------------------------------------------------------------------------------------


class Climb(NamedTuple):
    """A leaf to which a call adds a positive multiple of its gradient."""

    call: Call
    leaf: Seen


def find_uphill_steps(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for the first hand-written step that moves all leaves along the gradient.

    If some leaves do not climb, the others may do so on purpose, as in an attack on a network. A
    root that is not known to be a loss may be meant to grow.
    """
    climbs: dict[int, list[Climb]] = {}  # number of the pass before -> its climbs
    for call in reading.calls if reading.passes else ():
        climb = climb_of(reading, call) if call.event.op in ("add", "subtract") else None
        if climb is not None:
            climbs.setdefault(bisect_left(reading.passes, call.at) - 1, []).append(climb)
    for number, of_one in climbs.items():
        leaves = {climb.leaf.id: climb.leaf for climb in of_one}
        attacks = reading.used and any(leaf.kind != "parameter" for leaf in leaves.values())
        if number < 0 or attacks or not leaves.keys() >= reached_by(reading, number):
            continue
        root, name = root_of(reading, number), name_of_root(reading, number)
        is_loss = LOSS_NAME.search(name) if name else root is not None and is_measure(reading, root)
        if is_loss and all(replaces_leaf(reading, *climb) for climb in of_one):
            loss = Text(name) if name else THE_LOSS
            text = CLIMBS.fill(x=reading.names(list(leaves.values())), loss=loss)
            yield reading.problem("uphill", of_one[0].call.at, text, SUBTRACT.fill(loss=loss))
            return


def climb_of(reading: Reading, call: Call) -> Climb | None:
    """Return an addition or a subtraction as a climb, or None if it is not one."""
    sign = -1 if call.event.op == "subtract" else 1
    pairs = [call.inputs] if sign < 0 else [call.inputs, call.inputs[::-1]]
    for leaf, *others in filter(None, pairs):
        known = len(others) == 1 and leaf.id in reading.leaves
        if known and sign * gradient_sign(reading, others[0], leaf.id) > 0:
            return Climb(call, leaf)
    return None


def gradient_sign(reading: Reading, seen: Seen, leaf: int) -> int:
    """Return the sign of c in tensor = c * gradient of the leaf; 0 if that is not known."""
    todo, known = [(seen, 1)], set()
    while todo:
        each, factor = todo.pop()
        if reading.gradients.get(each.id) == leaf:
            return factor
        if factor and each.id not in known:
            known.add(each.id)
            todo += multiplied_tensors(reading, each, factor)
    return 0


def multiplied_tensors(reading: Reading, seen: Seen, factor: int) -> Iterator[tuple[Seen, int]]:
    """Yield the tensors that a tensor is a multiple of, each with `factor` times the sign."""
    alias, maker = reading.aliases.get(seen.id), reading.makers.get(seen.id)
    if alias is not None:
        yield alias.source, factor
    elif maker is not None and maker.inputs:
        one, *others = maker.inputs
        if maker.name in ("assign", "cast"):
            yield one, factor
        elif maker.name == "scale" and not others and not maker.attrs.get("bias"):
            yield one, factor * sign(maker.attrs.get("scale", 1.0))
        elif maker.name in ("multiply", "divide") and others:
            yield one, factor * sign_of(others[0])
            if maker.name == "multiply":
                yield others[0], factor * sign_of(one)


def sign_of(seen: Seen) -> int:
    """Return the sign that all elements of a tensor have; 0 if they differ or are unknown."""
    stats = seen.value.data.get("stats") or {}
    low, high = (sign(stats.get(name)) for name in ("min", "max"))
    return low if low == high else 0


def sign(number: object) -> int:
    return (number > 0) - (number < 0) if isinstance(number, int | float) else 0


def replaces_leaf(reading: Reading, call: Call, leaf: Seen) -> bool:
    """Return whether the result of a call replaces a leaf.

    It does if it was assigned to the leaf in place, has the leaf's name in the user's code, or
    gets a gradient while the leaf is not used again.
    """
    results = {out.id for out in call.event.outputs}
    for _, taken in reading.of(events.ValuesTaken):
        if taken.source.id in results and taken.way == "result" and taken.tensor.id == leaf.id:
            return True
        if taken.source.id in results and taken.way == "alias":
            results.add(taken.tensor.id)
    later = [each for each in reading.calls if each.at > call.at]
    for each in later:
        given = {seen.id for seen in each.inputs}
        if each.event.op == "assign" and given <= results:
            results |= {out.id for out in each.event.outputs}
        if each.event.op == "set_at" and leaf.id in given and given & results:
            return True
    mine = reading.trace.names.get((leaf.id, 0), "")
    known = (reading.trace.names.get((number, 0), "") for number in results)
    if mine and base_of(mine) in map(base_of, known):
        return True
    leaves = filter(None, map(reading.leaves.get, results))
    trained = any(each.has_gradient for each in leaves)
    return trained and all(leaf.id != seen.id for each in later for seen in each.inputs)


def reached_by(reading: Reading, number: int) -> set[int]:
    """Return the leaves that got a gradient in a pass."""
    begins, ends = [*reading.passes, len(reading.trace.events)][number : number + 2]
    reached = set()
    for event in reading.trace.events[begins:ends]:
        if isinstance(event, events.GradComputed) and event.edge and event.edge.kind == "leaf":
            reached.add(event.edge.id)
    return reached


def root_of(reading: Reading, number: int) -> Maker | None:
    """Return the op that made the root of a pass, or None if it is not known."""
    calls = {node: call for call, node in reading.graded.items()}
    call = calls.get(reading.trace.events[reading.passes[number]].edges[0].id)
    return next((maker for maker in reading.makers.values() if maker.call == call), None)


def is_measure(reading: Reading, root: Maker) -> bool:
    """Return whether a root is a sum or a mean of distances, such as squares or losses."""
    todo, known = {root.made.id: root}, set()
    while todo:
        maker = todo.pop(latest := max(todo))  # latest first, so that each is visited once
        known.add(latest)
        square = maker.name == "multiply" and len({seen.id for seen in maker.inputs}) == 1
        if square or MEASURE.fullmatch(maker.name):
            return True
        if maker.name in GATHERING and sign(maker.attrs.get("scale", 1.0)) > 0:
            inputs = {seen.id for seen in maker.inputs} & reading.makers.keys()
            todo |= {number: reading.makers[number] for number in inputs - known}
    return False


def name_of_root(reading: Reading, number: int) -> str:
    """Return the root's name in the line of code that begins a pass, or "" if it has one letter."""
    found = BEGUN_AT.search(reading.line(reading.trace.events[reading.passes[number]].place))
    name = found[1] or found[2] if found else ""
    return "" if NO_NAME.fullmatch(name) else name
