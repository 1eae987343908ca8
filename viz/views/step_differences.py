"""Two runs side by side: where they part, step by step, and a picture of the second one.

Steps are matched by what they do and the line they stand on, then by what they do alone, then by
their place between those that match; of two that match, op, shape and values are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from minipaddle.events import Value

from ..model import Node, Shown, Step, Story
from ..story.finite_differences import Unmeasured, numbers
from ..story.sentences.wording import digits, shape
from .align import Pair, aligned

LEAVES = frozenset({"leaf", "parameter", "data"})
TENSORS = frozenset({"leaf", "parameter", "data", "result", "leaf_grad", "seed", "port"})


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: in which step of the first and of the second run, of what, and how far.

    kind: missing (only the first run has the step), new, op (another one), shape, value or
    gradient. `before` and `after` say what it was and is, of the element `at` that differs most;
    `node` is the box in the second run, of a missing step that in the first.
    """

    kind: str
    first: int | None
    second: int | None
    name: str = ""
    node: str | None = None
    before: str = ""
    after: str = ""
    at: str = ""
    off: float = 0.0


@dataclass(frozen=True, slots=True)
class Mark:
    """What a step is matched by."""

    phase: str
    kind: str
    does: str
    line: str


def marks(story: Story) -> list[Mark]:
    """The steps of a story as they are matched."""
    nodes = {node.id: node for node in story.graph.nodes}
    nodes |= {g.closed.id: g.closed for g in story.graph.groups if g.closed}
    return [
        Mark(step.phase, step.kind, doing(step, nodes).label, code(story, step))
        for step in story.steps
    ]


def doing(step: Step, nodes: Mapping[str, Node]) -> Node:
    """The box at work in a step: the last op, or else the last box."""
    there = [nodes[name] for name in step.nodes if name in nodes]
    working = [node for node in there if node.kind not in TENSORS]
    return (working or there or [Node("", "op", "")])[-1]


def code(story: Story, step: Step) -> str:
    """The line of code that a step stands on."""
    place = step.forward_line or step.line
    if place is None:
        return ""
    source = story.sources[place[0]]
    return source.lines[place[1] - source.first].strip()


def pairs(one: Story, other: Story) -> list[Pair]:
    """Which step of the first run is which of the second."""
    return aligned(
        marks(one),
        marks(other),
        lambda mark: mark,
        lambda mark: (mark.phase, mark.kind, mark.does),
        lambda mark: (mark.phase, mark.kind),
    )


def changes(
    one: Story, other: Story, matched: list[Pair], rtol: float, atol: float
) -> Iterator[Change]:
    """Every difference, in the order of the steps."""
    was, now = marks(one), marks(other)
    boxes = [
        {n.id: n for n in (*s.graph.nodes, *(g.closed for g in s.graph.groups if g.closed))}
        for s in (one, other)
    ]
    leaves = {n.label: n.id for n in other.graph.nodes if n.kind in LEAVES}
    made: set[str] = set()
    for a, b in matched:
        if a is None or b is None:
            story, at, side = (one, a, 0) if b is None else (other, b, 1)
            node = doing(story.steps[at or 0], boxes[side])
            yield Change("new" if a is None else "missing", a, b, node.label, node.id)
            continue
        node = doing(other.steps[b], boxes[1])
        if was[a].does != now[b].does and other.steps[b].kind in ("op", "enter", "visit"):
            yield Change("op", a, b, node.label, node.id, was[a].does, now[b].does)
        known: list[Change] = []
        for before, after in zip(one.steps[a].shown, other.steps[b].shown, strict=False):
            found = None
            if before.role == after.role:
                given = after.role == "input" and after.name not in made
                found = compared(before, after, rtol, atol) if given or told(after) else None
            made.add(after.name)
            if found is not None and found not in known:
                known.append(found)
                box = leaves.get(found.name) if after.role == "input" else None
                yield replace(found, first=a, second=b, node=box or found.node)


def told(shown: Shown) -> bool:
    """Whether a value is compared here; what is only read is compared where it is made."""
    return shown.role not in ("input", "saved", "grad_in", "before")


def compared(before: Shown, after: Shown, rtol: float, atol: float) -> Change | None:
    """How one value differs from that in the same place of the other run."""
    was, now = before.value, after.value
    if was is now is None:
        return None
    gradient = after.role in ("grad_out", "after")
    found = Change("gradient" if gradient else "value", None, None, after.name, after.node)
    if was is None or now is None:
        told = "None" if was is None else element(was), "None" if now is None else element(now)
        return replace(found, before=told[0], after=told[1])
    if (was["shape"], was["dtype"]) != (now["shape"], now["dtype"]):
        form = [f"{shape(v['shape'])} {v['dtype']}" for v in (was, now)]
        return replace(found, kind="shape", before=form[0], after=form[1])
    try:
        one, other = (numbers(Value(tuple(v["shape"]), v["dtype"], v)) for v in (was, now))
    except Unmeasured:  # too large: only statistics were kept
        one, other = (statistics(v) for v in (was, now))
    if one.dtype.kind in "OSU" or one.size == 0:
        return None
    if np.allclose(other, one, rtol, atol, equal_nan=True):
        return None
    one, other = one.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid="ignore"):
        apart = np.array(np.abs(other - one))
    apart[np.isnan(apart)] = np.inf
    apart[(one == other) | (np.isnan(one) & np.isnan(other))] = 0.0
    worst = np.unravel_index(int(apart.argmax()), apart.shape)
    at = shape([int(k) for k in worst]) if one.size > 1 else ""
    was_text, now_text = digits(one[worst].item()), digits(other[worst].item())
    if was_text == now_text:  # four digits do not tell them apart
        was_text, now_text = f"{one[worst].item():.9g}", f"{other[worst].item():.9g}"
    return replace(found, before=was_text, after=now_text, at=at, off=float(apart[worst]))


def statistics(value: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """What is known of a large array, as numbers to compare."""
    stats = value["stats"]
    found = [stats.get(name) for name in ("min", "max", "mean", "nan", "inf")]
    return np.array([np.nan if x is None else float(x) for x in found])


def element(value: Mapping[str, Any]) -> str:
    """A value in few letters: its number, or its form."""
    data = value.get("data")
    while isinstance(data, list) and len(data) == 1:
        data = data[0]
    if data is None or isinstance(data, list):
        return f"{shape(value['shape'])} {value['dtype']}"
    return digits(data)
