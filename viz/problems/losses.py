"""What is minimised, and which way: a softmax too many before a loss, steps that climb."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from minipaddle import events
from minipaddle.engine.bilingual import Text
from minipaddle.engine.reasons import THE_LOSS
from minipaddle.events import Seen

from ..document.distinct_names import base_of
from ..model import Problem
from .reading import Call, Maker, Reading, entry_of
from .thresholds import Thresholds

# Ops that give the elements of their first input another order, shape or dtype.
REARRANGING = frozenset(
    {
        *("reshape", "flatten", "squeeze", "unsqueeze", "transpose", "cast", "assign", "getitem"),
        *("concat", "stack", "gather", "split", "expand", "tile", "index_select"),
    }
)
# By a loss that takes scores: what it does to them first, and the name that the user calls it by.
TAKES_SCORES = {
    "softmax_with_cross_entropy": ("softmax", "cross_entropy"),
    "binary_cross_entropy_with_logits": ("sigmoid", "binary_cross_entropy_with_logits"),
}
# Sums and means of what a loss measures; the measures are 0 at best, so a loss is to fall.
GATHERING = frozenset({"mean", "sum", "scale", "add", "divide", "multiply", "reshape", "squeeze"})
MEASURE = re.compile(r"square|abs|pow|p_norm|\w*loss|\w*entropy\w*|\w*likelihood|nll_rows|kl_div")
LOSS_NAME = re.compile(r"loss|cost|err|mse|nll|entropy", re.IGNORECASE)
NO_NAME = re.compile(r"[a-zA-Z]\d?")  # of one letter, which says nothing of what it is

TWICE = Text(
    "{x} came out of {first}, and {loss} takes {first} of what it gets: here it is taken twice.",
    "{x} 是 {first} 的结果，而 {loss} 会对传入的值再做一次 {first}：这里做了两次。",
)
GIVE_SCORES = Text(
    "Give {loss} the scores as they are, before {first}; where probabilities are to be shown, take "
    "{first} beside the loss.",
    "把 {first} 之前的原始分数传给 {loss}；需要显示概率时，在损失之外另做 {first}。",
)
CLIMBS = Text(
    "Adds a positive multiple of its gradient to {x}: a step uphill, on which {loss} grows.",
    "给 {x} 加上了它的梯度的正数倍：这是上坡的一步，会使{loss}增大。",
)
SUBTRACT = Text(
    "Subtract it, as w.subtract_(lr * w.grad) does. Only what should grow is climbed.",
    "应该减去它，例如 w.subtract_(lr * w.grad)。只有希望增大的量才沿梯度方向走。",
)


def softmax_twice(reading: Reading, _: Thresholds) -> Iterator[Problem]:
    """A softmax or a sigmoid before a loss that takes scores and does the same itself."""
    for call in reading.calls:
        first, loss = TAKES_SCORES.get(call.event.op, ("", ""))
        if not first or not call.inputs:
            continue
        source = origin(reading, call.inputs[0])
        if source is not None and source.name == first:
            words = {"x": reading.name(call.inputs[0]), "first": first, "loss": loss}
            text, todo = TWICE.fill(**words), GIVE_SCORES.fill(first=first, loss=loss)
            yield reading.problem("softmax_twice", call.at, text, todo)
            return


def origin(reading: Reading, seen: Seen) -> Maker | None:
    """What computed the elements of a tensor, however they were rearranged since."""
    maker = reading.makers.get(seen.id)
    while maker is not None and maker.name in REARRANGING and maker.inputs:
        maker = reading.makers.get(maker.inputs[0].id)
    return maker


# ----- uphill ------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A leaf that takes a step by hand along its gradient (1) or against it (-1)."""

    at: int
    leaf: Seen
    way: int


def uphill(reading: Reading, _: Thresholds) -> Iterator[Problem]:
    """Steps by hand by which all that a loss depends on climbs along its gradient.

    Where some leaves go down or stay, others may climb on purpose, as an attack on a network does;
    and what is not known to be a loss may be meant to grow.
    """
    moves: dict[int, list[Move]] = {}  # by the pass before
    for call in reading.calls:
        move = move_of(reading, call) if call.event.op in ("add", "subtract") else None
        if move is not None:
            moves.setdefault(bisect_left(reading.passes, call.at) - 1, []).append(move)
    for number, of_one in moves.items():
        climbing = {move.leaf.id: move for move in of_one if move.way > 0}
        attacks = reading.used and not all(m.leaf.kind == "parameter" for m in climbing.values())
        if number < 0 or attacks or not climbing.keys() >= reached_by(reading, number):
            continue
        root = root_of(reading, number)
        if root is not None and is_loss(reading, root):
            first, *_more = climbing.values()
            loss = reading.name(root.made) if name_of(reading, root.made) else THE_LOSS
            text = CLIMBS.fill(x=reading.names([m.leaf for m in climbing.values()]), loss=loss)
            yield reading.problem("uphill", first.at, text, SUBTRACT)
            return


def move_of(reading: Reading, call: Call) -> Move | None:
    """The step of a leaf that an addition or a subtraction is, None if it is none."""
    pairs = [(call.inputs, -1 if call.event.op == "subtract" else 1)]
    if call.event.op == "add":
        pairs.append((call.inputs[::-1], 1))
    for inputs, sign in pairs:
        if len(inputs) == 2 and inputs[0].id in reading.leaves:
            way = sign * way_of(reading, inputs[1], inputs[0].id)
            if way and takes_its_place(reading, call, inputs[0]):
                return Move(call.at, inputs[0], way)
    return None


def way_of(reading: Reading, seen: Seen, leaf: int) -> int:
    """The sign of the factor by which a tensor is the gradient of a leaf; 0 if it is unknown."""
    if reading.gradients.get(seen.id) == leaf:
        return 1
    alias, maker = reading.aliases.get(seen.id), reading.makers.get(seen.id)
    if alias is not None:
        return way_of(reading, alias.source, leaf)
    if maker is None or not maker.inputs:
        return 0
    one, *others = maker.inputs
    if maker.name in ("assign", "cast"):
        return way_of(reading, one, leaf)
    if maker.name == "scale" and not others and not maker.attrs.get("bias"):
        return sign(maker.attrs.get("scale", 1.0)) * way_of(reading, one, leaf)
    if maker.name in ("multiply", "divide") and others:
        way = way_of(reading, one, leaf) * sign_of(others[0])
        turned = maker.name == "multiply" and not way
        return way_of(reading, others[0], leaf) * sign_of(one) if turned else way
    return 0


def sign_of(seen: Seen) -> int:
    """The sign that all elements of a tensor have; 0 if they differ or are unknown."""
    stats = entry_of(seen.value).get("stats") or {}
    low, high = (sign(stats.get(name)) for name in ("min", "max"))
    return low if low == high else 0


def sign(number: object) -> int:
    return (number > 0) - (number < 0) if isinstance(number, int | float) else 0


def takes_its_place(reading: Reading, call: Call, leaf: Seen) -> bool:
    """Whether a result becomes the new value of a leaf: in place, by its name, or by its use."""
    results = {out.id for out in call.event.outputs}
    for _, taken in reading.taken:
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
    read = {seen.id for each in later for seen in each.inputs}
    return leaf.id not in read and not results.isdisjoint(read)


def reached_by(reading: Reading, number: int) -> set[int]:
    """The leaves that got a gradient in a pass."""
    begins, ends = [*reading.passes, len(reading.trace.events)][number : number + 2]
    reached = set()
    for event in reading.trace.events[begins:ends]:
        if isinstance(event, events.GradComputed) and event.edge and event.edge.kind == "leaf":
            reached.add(event.edge.id)
    return reached


def root_of(reading: Reading, number: int) -> Maker | None:
    """What made the tensor that a pass began at."""
    calls = {node: call for call, node in reading.graded.items()}
    call = calls.get(reading.roots[number])
    return next((maker for maker in reading.makers.values() if maker.call == call), None)


def is_loss(reading: Reading, root: Maker) -> bool:
    """Whether it is to fall: by its name, or because it gathers what measures a distance."""
    name = name_of(reading, root.made)
    return bool(LOSS_NAME.search(name)) if name else measures(reading, root)


def measures(reading: Reading, maker: Maker | None) -> bool:
    if maker is None or MEASURE.fullmatch(maker.name):
        return maker is not None
    if maker.name == "multiply" and len({seen.id for seen in maker.inputs}) == 1:
        return True
    if maker.name not in GATHERING or sign(maker.attrs.get("scale", 1.0)) < 0:
        return False
    return any(measures(reading, reading.makers.get(seen.id)) for seen in maker.inputs)


def name_of(reading: Reading, seen: Seen) -> str:
    """The name that the code gives a tensor, "" for none or one that says nothing of it."""
    name = base_of(reading.trace.names.get((seen.id, 0), ""))
    return name if name.isidentifier() and not NO_NAME.fullmatch(name) else ""
