"""The picture of an explanation: the road down, the gradient up, and scissors where it is cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .. import theme
from ..draw.paint import Line, Mark, Painting, Part, Patch, Rect, Words
from ..layout.curves import Point, parse, sampled, straight
from ..layout.scene import Scene
from ..model import Edge, Graph, Node
from ..story.sentences.wording import d
from .gradient_path import Road

CUT, GOAL = "cut", "goal"  # the wire that is cut, and the box that the gradient never reaches
CUTTING = ("no_grad", "detached", "gradless op", "non-differentiable")

# What stands beside the scissors.
WORDS: Mapping[str, tuple[str, str]] = {
    "has gradient": ("", ""),
    "stop_gradient": ("stop_gradient = True", "stop_gradient = True"),
    "integer": ("integers", "整数"),
    "no_grad": ("no_grad()", "no_grad()"),
    "detached": ("detach()", "detach()"),
    "gradless op": ("{by} has no gradient", "{by} 没有梯度"),
    "non-differentiable": ("marked non-differentiable", "标记为不可求导"),
    "not a leaf": ("not a leaf: not kept", "不是叶子：不保留"),
    "overwritten": ("overwritten in place", "被原地改写"),
    "no backward": ("no backward() yet", "还没有 backward()"),
    "cleared": ("cleared", "已清除"),
    "not reached": ("no way here", "没有路到这里"),
    "returned None": ("None", "None"),
    "interrupted": ("an exception", "异常"),
    "zero": ("all zero from here on", "从这里起全是零"),
}


def word(why: Any, lang: str) -> str:
    """What stands beside the mark."""
    return WORDS[why.reason.value][lang == "zh"].format(by=why.where)


def graph_of(road: Road, name: str, why: Any) -> Graph:
    """The stations below each other, the gradients that came beside them, and the goal."""
    reason = why.reason.value
    nodes = [
        Node(f"f{k}", station.kind, station.label, station.detail)
        for k, station in enumerate(road.stations)
    ]
    edges = [Edge(f"d{k}", f"f{k}", f"f{k + 1}") for k in range(len(nodes) - 1) if road.connected]
    reached = [k for k, station in enumerate(road.stations) if station.gradient]
    last = len(nodes) - 1
    for k in reached:
        station = road.stations[k]
        if k or reason in ("not a leaf", "overwritten"):
            kind = "seed" if k == last else "pylayer_grad" if station.kind == "pylayer" else "grad"
            whose = d(station.label) if kind == "seed" else ""
            nodes.append(Node(f"g{k}", kind, station.gradient, whose, "backward", pair=f"f{k}"))
    came = [k for k in reached if f"g{k}" in {node.id for node in nodes}]
    content = {"zero": "0", "has gradient": ""}.get(reason, "None")
    label = f"{name}.grad = {content}" if content else f"{name}.grad"
    paired = None if came[:1] == [0] else "f0"
    nodes.append(Node(GOAL, "leaf_grad", label, lane="backward", pair=paired))
    if not came:  # nothing came at all
        nodes.append(Node("g", "seed", "backward()", lane="backward", pair=f"f{last}"))
    starts = [f"g{k}" for k in came] or ["g"]
    zero = _first_zero(road, came) if reason == "zero" else -1
    targets = [*starts[1:], GOAL] if not came else [GOAL, *starts[:-1]]
    for k, (source, target) in enumerate(zip(starts, targets, strict=True)):
        cut = came[k] == zero if zero >= 0 and came else target == GOAL and reason != "has gradient"
        edges.append(Edge(CUT if cut else f"b{k}", source, target, "grad"))
    return Graph(tuple(nodes), tuple(edges))


def _first_zero(road: Road, came: list[int]) -> int:
    """The station nearest to the loss whose gradient is all zero; else the last on the way."""
    found = [k for k in came if road.stations[k].zero]
    return max(found, default=came[0] if came else -1)


def marked(scene: Scene) -> Scene:
    """The goal in the colour of an alert."""
    there = any(wire.id == CUT for wire in scene.wires)
    boxes = tuple(
        replace(box, fill="alert-fill", accent="alert") if box.id == GOAL and there else box
        for box in scene.boxes
    )
    return replace(scene, boxes=boxes)


# ----- the mark ----------------------------------------------------------------------------------


def with_cut(painting: Painting, scene: Scene, text: str) -> Painting:
    """The painting with scissors (or a zero) on the wire that is cut, and its word beside them."""
    wire = next((wire for wire in scene.wires if wire.id == CUT), None)
    if wire is None:
        return painting
    points = sampled(parse(wire.path))
    at = min(range(len(points)), key=lambda k: abs(points[k][1] - _height(points)))
    zero = text == WORDS["zero"][0] or text == WORDS["zero"][1]
    marks = _zero(points, at) if zero else _cut(points, at)
    x, y = points[at]
    marks.append(Words(x + 34, y + 4.5, text, 12, "alert", anchor="start", bold=True, halo="paper"))
    right = x + 34 + theme.text_width(text, 12, bold=True) + 16
    wide = max(painting.width, right - painting.left)
    parts = [part for part in painting.parts if part.id != CUT and part.role != "paper"]
    paper = Part("paper", (Rect(painting.left, 0, wide, painting.height, 0, "paper"),))
    mark = Part("wire", tuple(marks), CUT, "grad", text)
    return Painting(painting.left, wide, painting.height, (paper, *parts, mark))


def _height(points: list[Point]) -> float:
    """Where the wire is cut: near its start, or in the middle of a short one."""
    start, end = points[0][1], points[-1][1]
    return start + (end - start) * min(0.5, 40 / max(abs(end - start), 1))


def _line(points: list[Point], colour: str, dashed: bool = False) -> Line:
    return Line(straight(*points), colour, 1.7, dashed)


def _cut(points: list[Point], at: int) -> list[Mark]:
    """The wire in two pieces, the second one dashed, and scissors with their points between."""
    x, y = points[at]
    before = [p for p in points[: at + 1] if abs(p[1] - y) >= 7] or points[:1]
    after = [p for p in points[at:] if abs(p[1] - y) >= 7] or points[-1:]
    tip = after[-1]
    marks: list[Mark] = [
        _line([*before, (before[-1][0], y + 7)], "backward"),
        _line([(after[0][0], y - 7), *after], "line", dashed=True),
        Patch((tip, (tip[0] - 4, tip[1] + 8), (tip[0] + 4, tip[1] + 8)), "line"),
    ]
    marks += [_line([(x - 6, y + d), (x + 6, y + d)], "alert") for d in (7, -7)]
    return marks + _scissors(x, y)


def _scissors(x: float, y: float) -> list[Mark]:
    marks: list[Mark] = []
    for up in (1, -1):
        marks.append(_line([(x - 9, y - 4.5 * up), (x + 9, y), (x + 15, y + 3 * up)], "alert"))
        ring = Rect(x + 14.5, y + 5.5 * up - 4.5, 9, 9, 4.5, None, "alert", 1.8)
        marks.append(ring)
    return marks


def _zero(points: list[Point], at: int) -> list[Mark]:
    """The whole wire, and a disc with a zero on it."""
    x, y = points[at]
    tip = points[-1]
    base = (tip[0], tip[1] + 8)
    return [
        _line([*points[:-1], base], "backward"),
        Patch((tip, (tip[0] - 4, base[1]), (tip[0] + 4, base[1])), "backward"),
        Rect(x - 10, y - 10, 20, 20, 10, "paper", "alert", 1.8),
        Words(x, y + 4.5, "0", 12, "alert", bold=True),
    ]
