"""Eager work and a Program of the same model: which box of one is which box of the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from minipaddle import events

from ..document import op_facts
from ..model import Node, Step, Story, boxes_of
from ..story.chapters import Recorded
from .alignment import align

OWN = "own"  # stands for the op of a PyLayer or a py_func


@dataclass(frozen=True, slots=True)
class Match:
    """A box on each side, or None where a side has nothing; role: forward, backward or optimize."""

    left: Node | None
    right: Node | None
    role: str


@dataclass(frozen=True, slots=True)
class Work:
    """A box that computes, and what it is matched by: of a forward box its op."""

    node: Node
    does: Hashable = None


def matches(eager: Recorded, program: Recorded) -> list[Match]:
    """Return every box that computes, forward, backward and updates, once, in the order of the
    Program."""
    left, right = boxes_of(eager.story.graph), boxes_of(program.story.graph)
    forward = _pair(
        _eager_forward(eager, left),
        _program_forward(program, right),
        lambda work: work.does,
        lambda work: op_facts.facts(str(work.does), {}).symbol,
    )
    partner = {a.node.id: b.node.id for a, b in forward if a and b}
    backward = _pair(
        [Work(n, _base(n, partner)) for n in _of_lane(eager.story, left, "backward")],
        [Work(n, _base(n, {})) for n in _of_lane(program.story, right, "backward")],
        lambda work: work.does,
        lambda work: work.node.kind,
    )
    updates = _pair(
        [Work(n) for n in _of_lane(eager.story, left, "optimize")],
        [Work(n) for n in _of_lane(program.story, right, "optimize")],
        lambda work: work.does,
    )
    return [
        Match(a.node if a else None, b.node if b else None, role)
        for role, rows in (("forward", forward), ("backward", backward), ("optimize", updates))
        for a, b in rows
    ]


def _pair(
    one: list[Work], other: list[Work], *keys: Callable[[Work], Hashable]
) -> list[tuple[Work | None, Work | None]]:
    return [
        (None if a is None else one[a], None if b is None else other[b])
        for a, b in align(one, other, *keys)
    ]


def _eager_forward(trace: Recorded, nodes: dict[str, Node]) -> list[Work]:
    """Return the ops outside of PyLayers, and each PyLayer as one."""
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
    """Return the boxes of a lane that work, by the step in which each is reached first."""
    reached: dict[str, Node] = {}
    for step in story.steps:
        for name in step.nodes:
            node = nodes.get(name)
            if node and node.lane == lane and node.kind in WORKING:
                reached.setdefault(name, node)
    return list(reached.values())


def _base(node: Node, partner: dict[str, str]) -> Hashable:
    """Return the key of a gradient's box: its forward box in the Program, and whether it is an
    op."""
    pair = node.pair or ""
    return partner.get(pair, pair), node.kind in ("seed", "accumulate")


ASIDE = frozenset({"save", "leave", "mark", "release", "free", "return"})


def main_box(step: Step, boxes: set[str]) -> str:
    """Return the last box of a step that is matched; "" for a step in which nothing is computed."""
    if step.kind in ASIDE:
        return ""
    return next((name for name in reversed(step.nodes) if name in boxes), "")
