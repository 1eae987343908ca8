"""Boxes of eager work matched with boxes of a Program of the same model."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from minipaddle import events

from ..document import op_facts
from ..model import Node, Step, Story, boxes_of
from ..story.chapters import Recorded
from .alignment import align

OWN = "own"  # key of PyLayers and py_funcs, in place of an op


@dataclass(frozen=True, slots=True)
class Match:
    """Box on each side, or None for a side without one; role: forward, backward or optimize."""

    left: Node | None
    right: Node | None
    role: str


@dataclass(frozen=True, slots=True)
class Work:
    """Box that computes, and the key by which it is matched: the op of a forward box."""

    node: Node
    does: Hashable = None


def matches(eager: Recorded, program: Recorded) -> list[Match]:
    """Return the matches of all boxes that compute: forward, then backward, then updates."""
    left, right = boxes_of(eager.story.graph), boxes_of(program.story.graph)
    forward = _align_work(
        _eager_forward(eager, left),
        _program_forward(program, right),
        lambda work: work.does,
        lambda work: op_facts.facts(str(work.does), {}).symbol,
    )
    partner = {a.node.id: b.node.id for a, b in forward if a and b}
    backward = _align_work(
        [Work(n, _backward_key(n, partner)) for n in _of_lane(eager.story, left, "backward")],
        [Work(n, _backward_key(n, {})) for n in _of_lane(program.story, right, "backward")],
        lambda work: work.does,
        lambda work: work.node.kind,
    )
    updates = _align_work(
        [Work(n) for n in _of_lane(eager.story, left, "optimize")],
        [Work(n) for n in _of_lane(program.story, right, "optimize")],
        lambda work: work.does,
    )
    return [
        Match(a.node if a else None, b.node if b else None, role)
        for role, rows in (("forward", forward), ("backward", backward), ("optimize", updates))
        for a, b in rows
    ]


def _align_work(
    one: list[Work], other: list[Work], *keys: Callable[[Work], Hashable]
) -> list[tuple[Work | None, Work | None]]:
    return [
        (None if a is None else one[a], None if b is None else other[b])
        for a, b in align(one, other, *keys)
    ]


def _eager_forward(trace: Recorded, nodes: dict[str, Node]) -> list[Work]:
    """Return the ops outside of PyLayers and the PyLayers, in order."""
    work, inside, backward = [], 0, 0
    for event in trace.events:
        match event:
            case events.ScopeEntered(kind="pylayer.forward"):
                if not inside and not backward:
                    work.append((f"call{event.call}", OWN))
                inside += 1
            case events.ScopeLeft(kind="pylayer.forward"):
                inside -= 1
            case events.BackwardStarted() | events.ScopeEntered(kind="optimizer"):
                backward += 1
            case events.BackwardFinished() | events.ScopeLeft(kind="optimizer"):
                backward -= 1
            case events.OpFinished() if not inside and not backward:
                work.append((f"op{event.call}", event.op))
    return [Work(nodes[name], op) for name, op in work if name in nodes]


def _program_forward(trace: Recorded, nodes: dict[str, Node]) -> list[Work]:
    work = []
    for event in trace.events:
        if isinstance(event, events.OperatorAppended) and event.role in ("forward", "loss"):
            name = f"p{event.program}.op{event.index}"
            if name in nodes and nodes[name].lane == "forward":
                work.append(Work(nodes[name], OWN if event.type == "py_func" else event.op))
    return work


WORKING = frozenset({"grad", "pylayer_grad", "py_func_grad", "seed", "accumulate", "update"})


def _of_lane(story: Story, nodes: dict[str, Node], lane: str) -> list[Node]:
    """Return the computing boxes of a lane, in the order in which steps reach them."""
    reached: dict[str, Node] = {}
    for step in story.steps:
        for name in step.nodes:
            node = nodes.get(name)
            if node and node.lane == lane and node.kind in WORKING:
                reached.setdefault(name, node)
    return list(reached.values())


def _backward_key(node: Node, partner: dict[str, str]) -> Hashable:
    """Return the key of a gradient's box: its forward box, and whether it is a seed or a sum."""
    pair = node.pair or ""
    return partner.get(pair, pair), node.kind in ("seed", "accumulate")


ASIDE = frozenset({"save", "leave", "mark", "release", "free", "return"})


def main_box(step: Step, boxes: set[str]) -> str:
    """Return the last matched box of a step, or "" for a step that computes nothing."""
    if step.kind in ASIDE:
        return ""
    return next((name for name in reversed(step.nodes) if name in boxes), "")
