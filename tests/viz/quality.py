"""The quality of a layout: its faults, which should be none, and its crossings of wires."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from viz import theme
from viz.layout.curves import Point, sample
from viz.layout.labels import Area, Label
from viz.layout.scene import Box, Frame, Scene, Wire

_BIN = 64.0


def faults(scene: Scene) -> list[str]:
    """Return one sentence for every fault; a good picture has none.

    >>> from dataclasses import replace
    >>> from viz.model import Graph, Node
    >>> from viz.layout.scene import scene_of
    >>> scene = scene_of(Graph((Node("x", "leaf", "x"), Node("y", "leaf", "y")), ()))
    >>> faults(scene)
    []
    >>> first, second = scene.boxes
    >>> faults(replace(scene, boxes=(first, replace(second, x=first.x, y=first.y))))
    ['boxes x and y overlap']
    """
    return [
        *_overlaps(scene),
        *_misplaced_boxes(scene),
        *_cut_labels(scene),
        *_covered_labels(scene),
        *_pierced_boxes(scene),
        *_loose_ends(scene),
        *_uneven_pairs(scene),
        *_crooked_wires(scene),
        *_outside_parts(scene),
    ]


def _overlaps(scene: Scene) -> Iterator[str]:
    near = _boxes_by_bin(scene.boxes)
    seen = set()
    for boxes in near.values():
        for one, other in combinations(boxes, 2):
            if _do_overlap(one, other) and (one.id, other.id) not in seen:
                seen.add((one.id, other.id))
                yield f"boxes {one.id} and {other.id} overlap"


def _do_overlap(one: Box | Frame, other: Box | Frame) -> bool:
    return (
        one.x < other.x + other.w
        and other.x < one.x + one.w
        and one.y < other.y + other.h
        and other.y < one.y + one.h
    )


def _is_inside(box: Box | Frame, frame: Frame) -> bool:
    return (
        frame.x <= box.x
        and frame.y <= box.y
        and box.x + box.w <= frame.x + frame.w
        and box.y + box.h <= frame.y + frame.h
    )


def _misplaced_boxes(scene: Scene) -> Iterator[str]:
    """Yield boxes and frames that are outside of their frame or overlap a foreign one."""
    parent = {frame.id: frame.parent for frame in scene.frames}
    for frame in scene.frames:
        for box in scene.boxes:
            member = frame.id in _enclosing_groups(box.group, parent)
            if member and not _is_inside(box, frame):
                yield f"box {box.id} is not inside its frame {frame.id}"
            elif not member and _do_overlap(box, frame):
                yield f"box {box.id} stands in the foreign frame {frame.id}"
    for one, other in combinations(scene.frames, 2):
        around = frozenset(
            (*_enclosing_groups(one.parent, parent), *_enclosing_groups(other.parent, parent))
        )
        if other.id in around or one.id in around:
            inner, outer = (one, other) if other.id in around else (other, one)
            if not _is_inside(inner, outer):
                yield f"frame {inner.id} is not inside its frame {outer.id}"
        elif _do_overlap(one, other):
            yield f"frames {one.id} and {other.id} overlap"


def _enclosing_groups(group: str | None, parent: dict[str, str | None]) -> list[str]:
    names: list[str] = []
    while group is not None and group in parent and group not in names:
        names.append(group)
        group = parent[group]
    return names


def _cut_labels(scene: Scene) -> Iterator[str]:
    for box in scene.boxes:
        small = box.shape == "tag"
        label = theme.label_width(box.label, theme.SMALL if small else theme.LABEL, not small)
        detail = theme.text_width(box.detail, theme.DETAIL, mono=True)
        if max(label, detail, theme.badge_row(box.badges)) > box.w - 6:
            yield f"a text of box {box.id} is wider than the box"


def _covered_labels(scene: Scene) -> Iterator[str]:
    """Yield words of wires that cover a box or the words of another wire."""
    near = _boxes_by_bin(scene.boxes)
    others: dict[int, list[Wire]] = defaultdict(list)
    for wire in scene.wires:
        if not wire.label:
            continue
        area = Label(wire.label, wire.label_at).area()
        rows = range(int(area.top // _BIN), int(area.bottom // _BIN) + 1)
        for box in {box.id: box for row in rows for box in near.get(row, ())}.values():
            if area.touches(Area(box.x, box.y, box.x + box.w, box.y + box.h)):
                yield f"the label of wire {wire.id} lies on box {box.id}"
        for other in {other.id: other for row in rows for other in others[row]}.values():
            if area.touches(Label(other.label, other.label_at).area()):
                yield f"the labels of wires {other.id} and {wire.id} overlap"
        for row in rows:
            others[row].append(wire)


def _pierced_boxes(scene: Scene) -> Iterator[str]:
    """Yield wires that run through a box other than their own ends."""
    near = _boxes_by_bin(scene.boxes)
    for wire in scene.wires:
        ends = (wire.source, wire.target)
        hit = {
            box.id
            for x, y in sample(wire.path)
            for box in near.get(int(y // _BIN), ())
            if box.id not in ends
            and box.x < x < box.x + box.w
            and box.y + 0.5 < y < box.y + box.h - 0.5
        }
        for name in sorted(hit):
            yield f"wire {wire.id} runs through box {name}"


def _loose_ends(scene: Scene) -> Iterator[str]:
    boxes = {box.id: box for box in scene.boxes}
    for wire in scene.wires:
        for name, (x, y) in ((wire.source, wire.points[0]), (wire.target, wire.points[-1])):
            box = boxes[name]
            if not (box.x - 1 <= x <= box.x + box.w + 1 and box.y - 1 <= y <= box.y + box.h + 1):
                yield f"wire {wire.id} does not reach box {name}"


def _uneven_pairs(scene: Scene) -> Iterator[str]:
    middle = {box.id: box.y + box.h / 2 for box in scene.boxes}
    for one, other in scene.pairs:
        if abs(middle[one] - middle[other]) > 0.2:
            yield f"{one} and its gradient {other} stand at different heights"
    twins: dict[str, list[Frame]] = defaultdict(list)
    for frame in scene.frames:
        if frame.twin is not None:
            twins[frame.twin].append(frame)
    for name, frames in twins.items():
        if len({(frame.y, frame.h) for frame in frames}) > 1:
            yield f"the halves of {name} do not have one height"


def _crooked_wires(scene: Scene) -> Iterator[str]:
    straight = set(scene.spine)
    for wire in scene.wires:
        xs = [x for x, _ in wire.points]
        if wire.id in straight and max(xs) - min(xs) > 0.2:
            yield f"wire {wire.id} of the spine is not straight"


def _outside_parts(scene: Scene) -> Iterator[str]:
    for box in scene.boxes:
        if not (0 <= box.x <= scene.width - box.w and 0 <= box.y <= scene.height - box.h):
            yield f"box {box.id} is outside the picture"
    for wire in scene.wires:
        area = Label(wire.label, wire.label_at).area()
        if wire.label and not 0 <= area.left <= area.right <= scene.width:
            yield f"the label of wire {wire.id} is outside the picture"


def _boxes_by_bin(boxes: Iterable[Box]) -> dict[int, list[Box]]:
    bins: dict[int, list[Box]] = defaultdict(list)
    for box in boxes:
        for k in range(int(box.y // _BIN), int((box.y + box.h) // _BIN) + 1):
            bins[k].append(box)
    return bins


# ----- crossings ---------------------------------------------------------------------------------


def crossings(scene: Scene, kinds: frozenset[str] = frozenset({"data"})) -> int:
    """Count the crossings of wires of these kinds that have no common end."""
    near: dict[int, list[tuple[int, Point, Point]]] = defaultdict(list)
    wires = [wire for wire in scene.wires if wire.kind in kinds]
    for k, wire in enumerate(wires):
        for one, other in pairwise(sample(wire.path)):
            low, high = sorted((one[1], other[1]))
            for row in range(int(low // _BIN), int(high // _BIN) + 1):
                near[row].append((k, one, other))
    met = set()
    for pieces in near.values():
        for (a, *ends), (b, *others) in combinations(pieces, 2):
            if a == b or _share_an_end(wires[a], wires[b]):
                continue
            if _do_cross(ends[0], ends[1], others[0], others[1]):
                met.add((a, b))
    return len(met)


def _share_an_end(one: Wire, other: Wire) -> bool:
    return bool({one.source, one.target} & {other.source, other.target})


def _do_cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return (
        _side_of_line(a, b, c) * _side_of_line(a, b, d) < 0
        and _side_of_line(c, d, a) * _side_of_line(c, d, b) < 0
    )


def _side_of_line(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
