"""The picture of an explanation: the path down, the gradient up, and scissors where it is cut."""

from __future__ import annotations

from collections.abc import Iterator

from minipaddle.engine.reasons import Reason
from minipaddle.engine.why_no_grad import Why

from .. import theme
from ..explanation.gradient_path import NO_LEAF, GradientPath
from ..layout.curves import Point, sample, straight_path
from ..layout.scene import Scene, scene_of, with_alert
from ..model import Edge, Graph, Node, label_of
from ..story.sentences.wording import d
from .paint import Line, Mark, Painting, Part, Patch, Rect, Words, on_paper, paint

CUT, GOAL = "cut", "goal"  # ids of the cut wire and of the box that the gradient never reaches


def painting(path: GradientPath, name: str, why: Why, lang: str) -> Painting:
    """Return the whole picture; `name` is the name of the tensor."""
    scene = scene_of(graph_of(path, name, why.reason))
    missed = {GOAL} if any(wire.id == CUT for wire in scene.wires) else set()
    bare = paint(with_alert(scene, missed), lang=lang, legend=False)
    return with_cut(bare, scene, why.message.mark.of(lang), zero=why.reason is Reason.ZERO)


def graph_of(path: GradientPath, name: str, reason: Reason) -> Graph:
    """Return the graph of the path's boxes, the gradients that arrived, and the goal."""
    nodes = [Node(f"f{k}", box.kind, box.label, box.detail) for k, box in enumerate(path.boxes)]
    edges = [Edge(f"d{k}", f"f{k}", f"f{k + 1}") for k in range(len(nodes) - 1) if path.connected]
    last = len(nodes) - 1
    came = [k for k, box in enumerate(path.boxes) if box.gradient and (k or reason in NO_LEAF)]
    for k in came:
        box = path.boxes[k]
        kind = "seed" if k == last else "pylayer_grad" if box.kind == "pylayer" else "grad"
        whose = d(label_of(box, "en")) if kind == "seed" else ""
        nodes.append(Node(f"g{k}", kind, box.gradient, whose, "backward", pair=f"f{k}"))
    paired = None if came[:1] == [0] else "f0"
    nodes.append(Node(GOAL, "leaf_grad", _goal_label(name, reason), lane="backward", pair=paired))
    if not came:  # no gradient arrived
        nodes.append(Node("g", "seed", "backward()", lane="backward", pair=f"f{last}"))
    starts = [f"g{k}" for k in came] or ["g"]
    zero = _first_zero(path, came) if reason is Reason.ZERO else -1
    for k, (source, target) in enumerate(zip(starts, [GOAL, *starts[:-1]], strict=True)):
        if zero >= 0 and came:
            cut = came[k] == zero
        else:
            cut = target == GOAL and reason is not Reason.HAS_GRADIENT
        edges.append(Edge(CUT if cut else f"b{k}", source, target, "grad"))
    return Graph(tuple(nodes), tuple(edges))


def _goal_label(name: str, reason: Reason) -> str:
    """Return the label of the goal, such as `x.grad = None`."""
    if reason is Reason.HAS_GRADIENT:
        return f"{name}.grad"
    return f"{name}.grad = {'0' if reason is Reason.ZERO else 'None'}"


def _first_zero(path: GradientPath, came: list[int]) -> int:
    """Return the zero gradient's box nearest to the loss, else the box nearest to the tensor."""
    zeros = [k for k in came if path.boxes[k].zero]
    return max(zeros, default=came[0] if came else -1)


# ----- the mark ----------------------------------------------------------------------------------


def with_cut(painting: Painting, scene: Scene, text: str, *, zero: bool) -> Painting:
    """Return the painting with scissors, or a zero, and `text` on the wire that is cut."""
    wire = next((wire for wire in scene.wires if wire.id == CUT), None)
    if wire is None:
        return painting
    points = sample(wire.path)
    at = min(range(len(points)), key=lambda k: abs(points[k][1] - _cut_height(points)))
    marks = _zero_marks(points, at) if zero else _cut_marks(points, at)
    x, y = points[at]
    marks.append(Words(x + 34, y + 4.5, text, 12, "alert", anchor="start", bold=True, halo="paper"))
    right = x + 34 + theme.text_width(text, 12, bold=True) + 16
    wide = max(painting.width, right - painting.left)
    parts = [part for part in painting.parts if part.id != CUT]
    mark = Part("wire", tuple(marks), CUT, "grad", text)
    return on_paper(painting.left, wide, painting.height, [*parts, mark])


def _cut_height(points: list[Point]) -> float:
    """Return the height of the cut: near the wire's start, or in the middle of a short one."""
    start, end = points[0][1], points[-1][1]
    return start + (end - start) * min(0.5, 40 / max(abs(end - start), 1))


def _straight_line(points: list[Point], colour: str, dashed: bool = False) -> Line:
    return Line(straight_path(*points), colour, 1.7, dashed)


def _cut_marks(points: list[Point], at: int) -> list[Mark]:
    """Return the wire in two pieces, the second one dashed, with scissors between them."""
    x, y = points[at]
    before = [p for p in points[: at + 1] if abs(p[1] - y) >= 7] or points[:1]
    after = [p for p in points[at:] if abs(p[1] - y) >= 7] or points[-1:]
    tip = after[-1]
    return [
        _straight_line([*before, (before[-1][0], y + 7)], "backward"),
        _straight_line([(after[0][0], y - 7), *after], "line", dashed=True),
        Patch((tip, (tip[0] - 4, tip[1] + 8), (tip[0] + 4, tip[1] + 8)), "line"),
        *(_straight_line([(x - 6, y + d), (x + 6, y + d)], "alert") for d in (7, -7)),
        *_scissors_marks(x, y),
    ]


def _scissors_marks(x: float, y: float) -> Iterator[Mark]:
    for up in (1, -1):
        yield _straight_line([(x - 9, y - 4.5 * up), (x + 9, y), (x + 15, y + 3 * up)], "alert")
        yield Rect(x + 14.5, y + 5.5 * up - 4.5, 9, 9, 4.5, None, "alert", 1.8)


def _zero_marks(points: list[Point], at: int) -> list[Mark]:
    """Return the whole wire with a disc that shows a zero."""
    x, y = points[at]
    tip = points[-1]
    base = (tip[0], tip[1] + 8)
    return [
        _straight_line([*points[:-1], base], "backward"),
        Patch((tip, (tip[0] - 4, base[1]), (tip[0] + 4, base[1])), "backward"),
        Rect(x - 10, y - 10, 20, 20, 10, "paper", "alert", 1.8),
        Words(x, y + 4.5, "0", 12, "alert", bold=True),
    ]
