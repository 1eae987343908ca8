"""The path from a tensor to the loss, and the boxes on it that the gradient reached."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from minipaddle import events
from minipaddle.engine.reasons import Reason
from minipaddle.engine.why_no_grad import Why
from minipaddle.events import Seen

from ..document.values import is_zero
from ..language.words import WORDS
from ..layout.fold import View, fold, pairs
from ..model import Graph, Label, Node, label_of
from ..story import ids
from ..story.chapters import Recorded
from ..story.sentences.wording import digits, shape
from ..whatif.what_if import roots_of

LONGEST = 7  # maximum number of boxes drawn; the middle of a longer path is left out

NO_LEAF = frozenset({Reason.NOT_A_LEAF, Reason.OVERWRITTEN})
CUT_AT_AN_OP = frozenset(
    {Reason.NO_GRAD, Reason.DETACHED, Reason.GRADLESS_OP, Reason.NON_DIFFERENTIABLE}
)


@dataclass(frozen=True, slots=True)
class PathBox:
    """Box on the path, and the label of its gradient's box.

    `gradient` is "" if backward did not reach the box; `zero`: the whole gradient is zero.
    """

    label: Label
    detail: str = ""
    kind: str = "op"
    gradient: Label = ""
    zero: bool = False


@dataclass(frozen=True, slots=True)
class GradientPath:
    """Boxes from the tensor to the loss; not `connected` if no path leads to the loss."""

    boxes: tuple[PathBox, ...]
    connected: bool = True

    def from_tensor(self, name: str) -> GradientPath:
        """Return the path with `name` on its first box."""
        first, *rest = self.boxes
        return replace(self, boxes=(replace(first, label=name), *rest))


# ----- without a recording -----------------------------------------------------------------------


def path_of_reason(tensor: Any, name: str, why: Why) -> GradientPath:
    """Return the path as far as the engine's answer describes it."""
    reason, by = why.reason, str(why.message.facts["by"])
    gradient_there = "" if reason is Reason.NO_BACKWARD else "…"
    kind = "op" if reason in NO_LEAF else "data" if tensor.stop_gradient else "leaf"
    gradient = WORDS["backward"].changed(str.lower) if reason in NO_LEAF else ""
    detail = f"{shape(tensor.shape)} {str(tensor.dtype).rpartition('.')[2]}"
    start = PathBox(name, detail, kind, gradient)
    if reason is Reason.RETURNED_NONE:
        between = [PathBox(by, "", "pylayer", f"{by}.backward")]
    elif reason in CUT_AT_AN_OP and not tensor.stop_gradient:
        between = [PathBox(by), PathBox("…", gradient=gradient_there)]
    else:
        between = [PathBox("…", gradient=gradient_there, zero=reason is Reason.ZERO)]
    end = PathBox("loss", "", "result", "" if reason is Reason.NO_BACKWARD else "1")
    if reason is Reason.NOT_REACHED:
        return GradientPath((start, end), connected=False)
    return GradientPath((start, *between, end))


# ----- from a recording --------------------------------------------------------------------------


def recorded_path(trace: Recorded, tensor: int) -> GradientPath | None:
    """Return the path in a trace, with PyLayers closed; None if the graph lacks the tensor."""
    graph: Graph = trace.story.graph
    opened = {group.toggles for group in graph.groups if group.kind == "layer"}
    view = fold(graph, opened)
    nodes = {part.item.box.id: part.item.box for part in view.seen.boxes}
    makers = _makers_of_tensors(trace.events)

    def box(number: int) -> str:
        maker = makers.get(number, ids.tensor(number))
        maker = view.alias.get(maker, maker)
        return maker if maker in nodes else ids.tensor(number)

    start = box(tensor)
    if start not in nodes:
        return None
    targets: dict[str, list[str]] = defaultdict(list)
    for thread in view.threads:
        source, target = thread.source.item.box, thread.target.item.box
        if thread.edge.kind == "data" and target.lane == "forward":
            targets[source.id].append(target.id)
    last = next(reversed(roots_of(trace.events).values()), [])  # roots of the last pass
    ends = [end for root in last if (end := box(root)) in nodes]
    path = _shortest_path(targets, start, ends)
    connected = path is not None
    if path is None:
        path = [start, *ends[:1]]
    else:
        results = [n for n in targets[path[-1]] if nodes[n].kind == "result"]
        path += results[:1]
    gradients = _gradients_of_boxes(trace, view)
    boxes = [_path_box(nodes[name], gradients) for name in path]
    return GradientPath(_leave_out_middle(boxes), connected)


def _makers_of_tensors(records: Iterable[Any]) -> dict[int, str]:
    """Map tensors to the boxes that make them."""
    makers: dict[int, str] = {}
    inside = 0
    for event in records:
        match event:
            case events.ScopeEntered(kind="pylayer.forward"):
                inside += 1
            case events.ScopeLeft(kind="pylayer.forward"):
                inside -= 1
                for i, seen in enumerate(event.outputs):
                    if isinstance(seen, Seen):
                        makers[seen.id] = ids.port(ids.pylayer(event.call), "out", i)
            case events.OpFinished() if not inside:
                makers |= {seen.id: ids.op(event.call) for seen in event.outputs}
    return makers


def _shortest_path(
    targets: Mapping[str, Sequence[str]], start: str, ends: Sequence[str]
) -> list[str] | None:
    """Return the shortest path to one of the ends, or to the farthest box if there are no ends."""
    origins: dict[str, str | None] = {start: None}
    queue = [start]
    for name in queue:
        if name in ends:
            break
        for target in targets[name]:
            if target not in origins:
                origins[target] = name
                queue.append(target)
    last: str | None = next((end for end in ends if end in origins), None)
    if last is None:
        if ends:
            return None
        last = queue[-1]
    path = []
    while last is not None:
        path.append(last)
        last = origins[last]
    return path[::-1]


def _gradients_of_boxes(trace: Recorded, view: View) -> dict[str, tuple[Label, bool]]:
    """Map forward boxes to their gradient in the last pass, and whether it is all zero."""
    zero: dict[str, bool] = {}
    for step in trace.story.steps:
        for shown in step.shown:
            if shown.value is not None and shown.role in ("grad_out", "after", "output"):
                name = view.alias.get(shown.node or "", shown.node or "")
                zero[name] = is_zero(shown.value)
    gradients: dict[str, tuple[Label, bool]] = {}
    for part, pair in pairs(view.seen):
        node, forward = part.item.box, pair.item.box.id
        if node.lane == "backward" and node.kind != "port":
            if node.kind != "seed":
                gradients[forward] = node.label, zero.get(node.id, False)
            elif forward not in gradients:
                gradients[forward] = digits(label_of(node, "en")), zero.get(node.id, False)
    return gradients


def _path_box(node: Node, gradients: Mapping[str, tuple[Label, bool]]) -> PathBox:
    return PathBox(node.label, node.detail, node.kind, *gradients.get(node.id, ()))


def _leave_out_middle(boxes: Sequence[PathBox]) -> tuple[PathBox, ...]:
    """Return a path of at most LONGEST boxes, with one box that counts those left out.

    The boxes at both ends, and those where the gradient stops, are preserved.
    """
    if len(boxes) <= LONGEST:
        return tuple(boxes)
    last = len(boxes) - 1
    end = next((k for k, box in enumerate(boxes) if k and box.gradient), last)
    kept: list[PathBox] = []
    skipped: list[PathBox] = []
    for k, box in enumerate(boxes):
        if k not in (0, 1, last - 1, last, end, end - 1):
            skipped.append(box)
            continue
        if skipped:
            through = all(each.gradient for each in skipped)
            kept.append(PathBox(f"… {len(skipped)} …", gradient="…" if through else ""))
            skipped = []
        kept.append(box)
    return tuple(kept)
