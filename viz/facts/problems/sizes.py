"""Gradients that vanish or explode, units that are dead, and updates that are rounded away."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.events import Seen
from minipaddle.messages import Message

from ...document.values import is_zero
from ...model import Problem
from ...story.sentences.wording import digits
from ..magnitude import size_of
from .reading import Call, Reading

RECTIFIERS = {"relu", "relu6"}
STANDS_BY_RULE = frozenset({"Rprop"})  # optimizers that skip elements whose gradient changed sign
NARROW = ("float16", "bfloat16", "float32")
SATURATING = frozenset({"tanh", "sigmoid", "softmax"})
LEVEL = 1e-3  # a function with a smaller mean slope is saturated

VANISHES = Message(
    "On the way back from the op with {late} to the op with {early}, over {layers} layers, the "
    "gradient that arrives shrinks from {there} (root mean square) to {here}."
)
EXPLODES = Message(
    "On the way back from the op with {late} to the op with {early}, over {layers} layers, the "
    "gradient that arrives grows from {there} (root mean square) to {here}."
)
KEEP_SIZE = Message(
    "Take relu or tanh in place of sigmoid, put nn.LayerNorm or nn.BatchNorm1D between the layers, "
    "or add each layer's input to its output. Weights of a good size at the start, by "
    "nn.initializer.KaimingNormal() for relu or XavierNormal() for tanh, help too."
)
SHRANK = Message(
    "The gradient of {x} went from {first} (root mean square) to {last} over {count} rounds, and "
    "the loss did not fall: {before} at first, {after} at last."
)
GREW = Message(
    "Over {count} rounds the gradient of {x} grew from {first} (root mean "
    "square) to {last}, and the loss from {before} to {after}."
)
SATURATED = Message(
    "Start from smaller weights or take a smaller learning rate, so that "
    "tanh, sigmoid and softmax do not come to where their slope is 0."
)
SMALLER_RATE = Message(
    "Take a smaller learning rate; grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0) bounds each step."
)
DEAD = Message(
    "{count} of {units} units of {op} give 0 in each of the {rows} rows of "
    "this batch, so no gradient passes through them."
)
LEAKY = Message(
    "All that goes in there is 0 or less: start from a larger bias before it, take a smaller "
    "learning rate if updates brought it there, or use F.leaky_relu, which lets a gradient through."
)
ROUNDED = Message(
    "{count} of the {size} elements of {x} with a gradient stay as they are "
    "in this update: in {dtype} the change is too small beside them."
)
FINER = Message(
    "Keep the parameter in float64, bring it to a size near 1, or take a larger learning rate."
)


# ----- over layers -------------------------------------------------------------------------------


class Station(NamedTuple):
    """Op with a weight; the norm and the size of the gradient that arrived there, and its event."""

    call: int
    weight: Seen
    norm: float
    size: float
    at: int


def find_extremes_over_layers(reading: Reading) -> Iterator[Problem]:
    """Yield a problem if a gradient's norm is far from the norms at ops later in forward."""
    apart = max(1, int(reading.limits.layers))
    found: set[str] = set()
    for row in stations(reading):
        far: dict[str, tuple[int, int]] = {}  # kind -> earliest place, and the place compared with
        largest = smallest = len(row) - 1  # places of the extreme norms at least `apart` later
        for place in reversed(range(len(row) - apart)):
            norm, latest = row[place].norm, place + apart
            largest = max(largest, latest, key=lambda at: row[at].norm)
            smallest = min(smallest, latest, key=lambda at: row[at].norm)
            if norm < reading.limits.vanishing * row[largest].norm:
                far["vanishing"] = place, largest
            if norm > reading.limits.exploding * row[smallest].norm:
                far["exploding"] = place, smallest
        for kind, (place, other) in far.items():
            if kind not in found:
                found.add(kind)
                text = VANISHES if kind == "vanishing" else EXPLODES
                said = compare(reading, row[place], row[other], other - place, text)
                step, box = reading.spot(row[place].at)
                partner = reading.partner(row[place].at, box)  # the forward box shows this size
                yield Problem(kind, step, partner, said, KEEP_SIZE)


def stations(reading: Reading) -> Iterator[list[Station]]:
    """Yield the stations of each pass, in forward order, where a gradient other than 0 arrived."""
    of_node = {
        reading.graded[call.event.call]: (place, weight)
        for place, call in enumerate(reading.calls)
        if call.event.call in reading.graded and (weight := weight_of(call)) is not None
    }
    visited = reading.of(events.NodeVisited)
    visits = [at for at, _event in visited]
    for begins, ends in pairwise([*reading.passes, len(reading.trace.events)]):
        row = []
        for at, event in visited[bisect_left(visits, begins) : bisect_left(visits, ends)]:
            if event.node in of_node and event.arrived:
                arrived = event.arrived[0]
                size = None if arrived is None else size_of(arrived.data)
                if arrived is not None and isinstance(size, float) and size:
                    norm = size * math.sqrt(math.prod(arrived.shape))
                    row.append(Station(*of_node[event.node], norm, size, at))
        yield sorted(row, key=lambda station: station.call)


def weight_of(call: Call) -> Seen | None:
    """Return the weight of a call, or None: a leaf with two axes or more that wants a gradient."""
    wanting = (seen for seen in call.inputs if seen.leaf and not seen.stop_gradient)
    return next((seen for seen in wanting if len(seen.value.shape) >= 2), None)


def compare(reading: Reading, early: Station, late: Station, apart: int, text: Message) -> Message:
    """Return a sentence about two stations."""
    names = {"early": reading.name(early.weight), "late": reading.name(late.weight)}
    sizes = {"there": digits(late.size), "here": digits(early.size)}
    return text.fill(layers=str(apart), **names, **sizes)


# ----- over rounds -------------------------------------------------------------------------------


def find_extremes_over_rounds(reading: Reading) -> Iterator[Problem]:
    """Yield a problem if gradients shrink or grow over the rounds and the loss does not fall.

    A gradient that shrinks because the loss has come to its minimum is no problem.
    """
    rounds = [each for each in reading.trace.rounds if is_finite(each.loss) and each.sizes]
    rounds = [each for each in rounds if each.loss_name == rounds[-1].loss_name]
    if len(rounds) < 3:
        return
    losses = [each.loss or 0.0 for each in rounds]
    before, after, least = losses[0], losses[-1], min(losses)
    if before - after > reading.limits.improving * abs(before):
        return
    first = {each.name: each.grad for each in rounds[0].sizes}
    last = {each.name: each.grad for each in rounds[-1].sizes}
    both = [(x, first[x], last[x]) for x in first if x in last]
    pairs = [(x, a, b) for x, a, b in both if is_finite(a) and is_finite(b) and a]
    shrunk = [p for p in pairs if float(p[2]) < reading.limits.shrinking * float(p[1])]
    grown = [p for p in pairs if float(p[2]) > reading.limits.growing * float(p[1])]
    step = next((each.last for each in reversed(rounds) if each.last is not None), 0) or 0
    numbers = {"before": digits(before), "after": digits(after), "count": str(len(rounds))}
    converged = after - least <= reading.limits.improving * abs(least)
    if shrunk and len(shrunk) == len(pairs) and not converged and is_saturated(reading):
        text = SHRANK.fill(**slots_of_change(shrunk[0]), **numbers)
        yield Problem("vanishing", step, None, text, SATURATED)
    if grown and after > before:
        text = GREW.fill(**slots_of_change(grown[0]), **numbers)
        yield Problem("exploding", step, None, text, SMALLER_RATE)


def is_saturated(reading: Reading) -> bool:
    """Return whether a tanh, sigmoid or softmax has a mean slope near 0 before the last pass."""
    begins, ends = [0, 0, *reading.passes][-2:]
    for event in reading.trace.events[begins:ends]:
        if isinstance(event, events.OpFinished) and event.op in SATURATING and event.outputs:
            entry = event.outputs[0].value.data
            size = size_of(entry)
            if isinstance(size, float):  # the slope is 1 - y² for tanh, y - y² for the others
                most = 1.0 if event.op == "tanh" else float(entry["stats"]["mean"])
                if most - size * size < LEVEL:
                    return True
    return False


def is_finite(number: Any) -> bool:
    return isinstance(number, float) and math.isfinite(number)


def slots_of_change(pair: tuple[str, Any, Any]) -> dict[str, str]:
    name, first, last = pair
    return {"x": name, "first": f"{first:.2g}", "last": f"{last:.2g}"}


# ----- units and elements ------------------------------------------------------------------------


def find_dead_units(reading: Reading) -> Iterator[Problem]:
    """Yield a problem for each layer with a relu whose units mostly give 0 for a whole batch.

    A hinge, `relu(margin - x)`, does not count: it is meant to be 0.
    """
    done: set[str] = set()
    shifted: set[int] = set()  # results of ops that add a number
    for call in reading.calls:
        event = call.event
        if event.op == "scale" and event.attrs.get("bias"):
            shifted.add(event.outputs[0].id)
        if event.op not in RECTIFIERS or event.call not in reading.graded:
            continue
        if call.inputs[0].id in shifted:
            continue
        counts = count_dead_units(event.outputs[0].value.data, reading.limits.batch)
        name = call.layer or event.op
        if counts is None or name in done or counts[0] < reading.limits.dead * counts[1]:
            continue
        done.add(name)
        dead, units, rows = map(str, counts)
        text = DEAD.fill(count=dead, units=units, rows=rows, op=name)
        yield reading.problem("dead_relu", call.at, text, LEAKY)


def count_dead_units(entry: Mapping[str, Any], least: int) -> tuple[int, int, int] | None:
    """Return the numbers of units that are 0 in all rows, of all units, and of rows.

    A unit is an element of a row, or a channel of images. Return None if there is no batch, or if
    its numbers are not known.
    """
    shape = entry["shape"]
    rows = shape[0] if shape else 0
    if len(shape) < 2 or rows < max(1, least) or not math.prod(shape):
        return None
    if entry["data"] is None:
        return (shape[1], shape[1], rows) if is_zero(entry) else None
    array = np.asarray(entry["data"])
    if array.dtype.kind not in "fiu":
        return None
    if array.ndim == 3:
        array = array.reshape(-1, array.shape[-1])
    used = array.any(axis=(0, *range(2, array.ndim)))
    return int(used.size - used.sum()), int(used.size), int(array.shape[0])


def find_rounded_away(reading: Reading) -> Iterator[Problem]:
    """Find an update that leaves most elements of a parameter as they are, because of rounding."""
    first: dict[int, float] = {}
    for at, event in reading.of(events.ParameterUpdated):
        dtype = event.tensor.value.dtype
        size = size_of(event.grad.data)
        if dtype not in NARROW or not event.rate or not isinstance(size, float):
            continue
        if event.optimizer in STANDS_BY_RULE:
            continue
        begun = first.setdefault(event.tensor.id, size)
        if size < max(reading.limits.settled * begun, reading.limits.flat):
            continue
        arrays = [v.data["data"] for v in (event.grad, event.before, event.tensor.value)]
        if any(array is None for array in arrays):
            continue
        grad, before, after = (np.asarray(array) for array in arrays)
        if not before.shape == after.shape == grad.shape or grad.dtype.kind != "f":
            continue
        wanted = grad != 0
        stay = int((wanted & (before == after)).sum())
        if wanted.any() and stay >= reading.limits.rounded * int(wanted.sum()):
            x, size = reading.name(event.tensor), str(int(wanted.sum()))
            text = ROUNDED.fill(count=str(stay), size=size, x=x, dtype=dtype)
            yield reading.problem("rounded_away", at, text, FINER, event.tensor.id)
            return
