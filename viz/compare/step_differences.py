"""The differences of two runs, step by step.

Steps are matched by their kind, box and line of code, then without the line, then by phase and kind
alone. Op, shape and values of matched steps are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from minipaddle.events import Value

from ..model import Node, Shown, Step, Story, boxes_of, label_of
from ..story.finite_differences import NotMeasurable, numbers
from ..story.sentences.wording import digits, shape
from .alignment import Pair, align

Floats = np.ndarray[Any, np.dtype[np.float64]]

LEAVES = frozenset({"leaf", "parameter", "data"})
TENSORS = frozenset({"leaf", "parameter", "data", "result", "leaf_grad", "seed", "port"})


Kind = Literal["missing", "new", "op", "shape", "value", "gradient"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: its step in the first and in the second run, the value's name, and its size.

    kind: missing (only the first run has the step), new (only the second), op (another one), shape,
    value or gradient. `before` and `after` are the old and the new value of the element `at` that
    differs most, `off` is their distance. `node` is the box in the second run, or in the first for
    a missing step.
    """

    kind: Kind
    first: int | None
    second: int | None
    name: str = ""
    node: str | None = None
    before: str = ""
    after: str = ""
    at: str = ""
    off: float = 0.0


@dataclass(frozen=True, slots=True)
class StepKey:
    """Key by which steps are matched: phase, kind, box and line of code."""

    phase: str
    kind: str
    box: str
    line: str


def step_keys(story: Story) -> list[StepKey]:
    """Return the keys of a story's steps."""
    nodes = boxes_of(story.graph)
    return [
        StepKey(
            step.phase,
            step.kind,
            label_of(box_at_work(step, nodes), "en"),
            story.code_at(step.forward_line or step.line)[1],
        )
        for step in story.steps
    ]


def box_at_work(step: Step, nodes: Mapping[str, Node]) -> Node:
    """Return the running box of a step: the last op, or else the last box."""
    there = [nodes[name] for name in step.nodes if name in nodes]
    ops = [node for node in there if node.kind not in TENSORS]
    return (ops or there or [Node("", "op", "")])[-1]


def pairs(one: Story, other: Story) -> list[Pair]:
    """Return the matched steps of two runs."""
    return align(
        step_keys(one),
        step_keys(other),
        lambda doing: doing,
        lambda doing: (doing.phase, doing.kind, doing.box),
        lambda doing: (doing.phase, doing.kind),
    )


def changes(
    one: Story, other: Story, matched: list[Pair], rtol: float, atol: float
) -> Iterator[Change]:
    """Yield every difference, in the order of the steps."""
    was, now = boxes_of(one.graph), boxes_of(other.graph)
    leaves = {label_of(n, "en"): n.id for n in other.graph.nodes if n.kind in LEAVES}
    new_names: set[str] = set()
    for a, b in matched:
        if b is None:
            assert a is not None
            gone = box_at_work(one.steps[a], was)
            yield Change("missing", a, b, label_of(gone, "en"), gone.id)
            continue
        node = box_at_work(other.steps[b], now)
        if a is None:
            yield Change("new", a, b, label_of(node, "en"), node.id)
            continue
        before, after = (label_of(each, "en") for each in (box_at_work(one.steps[a], was), node))
        if before != after and other.steps[b].kind in ("op", "enter", "visit"):
            yield Change("op", a, b, after, node.id, before, after)
        reported: list[Change] = []
        for old, new in zip(one.steps[a].shown, other.steps[b].shown, strict=False):
            change = None
            if old.role == new.role:
                from_outside = new.role == "input" and new.name not in new_names
                if from_outside or is_fresh(new):
                    change = difference(old, new, other.steps[b].phase, rtol, atol)
            new_names.add(new.name)
            if change is not None and change not in reported:
                reported.append(change)
                box = leaves.get(change.name) if new.role == "input" else None
                yield replace(change, first=a, second=b, node=box or change.node)


def is_fresh(shown: Shown) -> bool:
    """Return whether a step computes a value; values that are only read are not compared again."""
    return shown.role not in ("input", "saved", "grad_in", "before")


def is_gradient(shown: Shown, phase: str) -> bool:
    """Return whether a step computes a gradient.

    A value "after" a step is a gradient in backward, and a parameter elsewhere.
    """
    return shown.role == "grad_out" or (shown.role == "after" and phase == "backward")


def difference(old: Shown, new: Shown, phase: str, rtol: float, atol: float) -> Change | None:
    """Return the difference of two values in the same place, or None if they are equal."""
    was, now = old.value, new.value
    if was is now is None:
        return None
    kind: Kind = "gradient" if is_gradient(new, phase) else "value"
    change = Change(kind, None, None, new.name, new.node)
    if was is None or now is None:
        texts = ["None" if value is None else brief(value) for value in (was, now)]
        return replace(change, before=texts[0], after=texts[1])
    if (was["shape"], was["dtype"]) != (now["shape"], now["dtype"]):
        return replace(change, kind="shape", before=form(was), after=form(now))
    try:
        one, other = (numbers(Value(tuple(v["shape"]), v["dtype"], v)) for v in (was, now))
    except NotMeasurable:  # only statistics were recorded
        one, other = (statistics(v) for v in (was, now))
    if one.dtype.kind in "OSU" or one.size == 0:
        return None
    if np.allclose(other, one, rtol, atol, equal_nan=True):
        return None
    return farthest(change, one.astype(np.float64), other.astype(np.float64))


def farthest(change: Change, one: Floats, other: Floats) -> Change:
    """Return the change with the element that differs most."""
    with np.errstate(invalid="ignore"):
        apart = np.array(np.abs(other - one))
    apart[np.isnan(apart)] = np.inf
    apart[(one == other) | (np.isnan(one) & np.isnan(other))] = 0.0
    worst = np.unravel_index(int(apart.argmax()), apart.shape)
    at = shape([int(k) for k in worst]) if one.size > 1 else ""
    before, after = digits(one[worst].item()), digits(other[worst].item())
    if before == after:  # equal in four digits
        before, after = digits(one[worst].item(), 9), digits(other[worst].item(), 9)
    return replace(change, before=before, after=after, at=at, off=float(apart[worst]))


def statistics(value: Mapping[str, Any]) -> Floats:
    """Return the statistics of a large array as numbers to compare."""
    stats = [value["stats"].get(name) for name in ("min", "max", "mean", "nan", "inf")]
    return np.array([np.nan if x is None else float(x) for x in stats])


def brief(value: Mapping[str, Any]) -> str:
    """Return a value as a short text: its number, or its shape and dtype."""
    data = value.get("data")
    while isinstance(data, list) and len(data) == 1:
        data = data[0]
    return form(value) if data is None or isinstance(data, list) else digits(data)


def form(value: Mapping[str, Any]) -> str:
    """Return shape and dtype as text: `[2, 3] float64`."""
    return f"{shape(value['shape'])} {value['dtype']}"
