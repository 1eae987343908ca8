"""The values in boxes after a step: numbers in place of shape and dtype, and small pictures.

`player/web/values.js` decides the same for the page; tests/javascript/test_values.py compares both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from math import isfinite, prod
from typing import Any

from ..document.values import SMALL, flatten, only
from ..model import (
    GIVEN,
    NONE,
    Edge,
    Face,
    Graph,
    Node,
    Picture,
    Shown,
    Step,
    Story,
    around,
    boxes_of,
    group_by_key,
    label_of,
    with_boxes,
)
from ..story.numbers import WHOLE
from ..story.sentences.wording import coded, digits, nested_text, shape
from .magnitude import Owners

WIDE = 32  # maximum width of elements written out; longer values show the range
FEW = 4  # maximum number of elements, or of single results, that are all written out
EACH = 9  # letters of each of these elements
RANGE = 17  # letters of a range
LONGEST = 14  # maximum length of a name before its numbers
LINE = 53  # maximum length of a line
TILES = 4  # maximum number of matrices side by side
PIXELS = 8  # least side of an image
CELL, LEAST, WIDEST, FLAT, HIGH = 10.0, 24.0, 100.0, 40.0, 56.0  # sides of cells and pictures
PLUS, MINUS, ODD = (104, 156, 36), (196, 84, 158), (208, 0, 111, 255)
LEAST_OFF, TIMES_OTHERS = 1e5, 1e4  # numbers off the scale, as in `web/numbers.js`

STORING = frozenset({"leaf", "leave", "return"})  # steps whose boxes hold what arrives
MOVING = STORING | {"enter", "receive", "update"}  # steps whose boxes rename a value

# Step, box, and the box's content from then on: indices of the step's values, or the box whose
# values it repeats.
Row = tuple[int, str, tuple[int, ...] | str]


def value_line(entry: Mapping[str, Any], wide: int = WIDE, sized: bool = True) -> str:
    """Return a value in one line: its elements, or its shape and range; "" if it has no numbers.

    wide: number of letters that fit; sized: whether the shape precedes a range.

    >>> value_line({"shape": [2], "data": [0.5, -1.0], "stats": {}})
    '[0.5, −1]'
    >>> value_line({"shape": [9, 9], "data": None, "stats": {"min": -1.25, "max": 3.0}})
    '[9, 9] −1.25 … 3'
    >>> small = {"min": -0.0226, "max": 0.00794}
    >>> value_line({"shape": [9], "data": None, "stats": small}, 15, False)
    '−0.023 … 0.0079'
    """
    data, stats = entry.get("data"), entry.get("stats") or {}
    few = data is not None and prod(entry["shape"]) <= wide / 2
    for precision in (3, 2) if few else ():
        whole = nested_text(data, partial(_write_number, precision=precision))
        if whole and len(whole) <= wide:
            return whole
    if stats.get("min") is None:
        return ""
    ends = stats["min"], stats["max"]
    lead = f"{shape(entry['shape'])} " if sized else ""
    spans = [
        lead + " … ".join(_write_number(end, precision) for end in ends) for precision in (3, 2, 1)
    ]
    return next((each for each in spans if len(each) <= wide), spans[-1])


def _write_number(number: Any, precision: int = 3) -> str:
    """Write a number with `precision` significant digits."""
    short = float(f"{number:.{precision}g}") if isinstance(number, float) else number
    return digits(short).replace("-", "−")


# ----- pictures of arrays ------------------------------------------------------------------------


def is_image(kind: str, sizes: Sequence[int]) -> bool:
    """Return whether a box of this kind and these sizes may be an image, channels first.

    >>> is_image("leaf", [28, 28]), is_image("leaf", [2, 3, 28, 28]), is_image("op", [28, 28])
    (True, True, False)
    """
    if kind not in ("leaf", "data") or len(sizes) < 2 or min(sizes[-2:]) < PIXELS:
        return False
    return sizes[-3] in (1, 3) if len(sizes) > 2 else sizes[0] == sizes[1]


def picture_room(kind: str, sizes: Sequence[int]) -> Picture | None:
    """Return an empty picture for an array, or None if it has too few elements or too many.

    Of an array with several matrices, or images, the first few are side by side.
    """
    count = prod(sizes)
    if not FEW < count <= SMALL:
        return None
    rows, across = [1, *sizes][-2:]
    colours = 3 if is_image(kind, sizes) and sizes[-3:-2] == [3] else 1
    tiles = min(TILES, count // (rows * across * colours))
    columns = tiles * (across + 1) - 1
    if len(sizes) > 2 or rows == across:
        cell = min(WIDEST / columns, (HIGH if rows >= PIXELS else FLAT) / rows, CELL)
        return Picture(cell * columns, cell * rows, columns, rows)
    wide, high = max(LEAST, CELL * columns), CELL * rows
    return Picture(min(WIDEST, wide), min(FLAT, high), columns, rows)


def picture_of(kind: str, entry: Mapping[str, Any]) -> Picture | None:
    """Return the picture of a value: an image in its greys or colours, else colours of signs."""
    sizes, data = list(entry["shape"]), entry.get("data")
    room = None if data is None else picture_room(kind, sizes)
    if room is None:
        return None
    numbers = [float(number) for number in flatten([data])]
    rows, across = [1, *sizes][-2:]
    matrix = rows * across
    finite = [number for number in numbers if isfinite(number)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    image = is_image(kind, sizes) and (len(sizes) > 2 or low >= 0)
    colours = 3 if image and sizes[-3:-2] == [3] else 1
    end = high - low if image else end_of_scale(finite)

    def paint(each: list[float]) -> tuple[int, ...]:
        if not all(map(isfinite, each)):
            return ODD
        if image:
            shades = [_byte((number - low) / (end or 1.0)) for number in each]
            return (*(shades * (3 // colours)), 255)
        return (*(MINUS if each[0] < 0 else PLUS), _byte(abs(each[0]) / (end or 1.0)))

    pixels = bytearray()
    for row in range(rows):
        for column in range(room.columns):
            tile, x = divmod(column, across + 1)
            at = (tile * colours * rows + row) * across + x
            gap = x == across
            pixels += bytes(4 if gap else paint(numbers[at : at + colours * matrix : matrix]))
    return room._replace(pixels=bytes(pixels))


def _byte(share: float) -> int:
    return int(255 * min(1.0, share) + 0.5)


def end_of_scale(numbers: Iterable[float]) -> float:
    """Return the largest absolute value on the scale, like `endOfScale` of `web/numbers.js`.

    >>> end_of_scale([1.0, -2.0]), end_of_scale([0.5, -1e9])
    (2.0, 0.5)
    """
    sizes = sorted(abs(number) for number in numbers if number)
    far = (b >= LEAST_OFF and b >= TIMES_OTHERS * a for a, b in pairwise(sizes))
    return next((a for a, off in zip(sizes, far, strict=False) if off), max(sizes, default=0.0))


# ----- what each box shows -----------------------------------------------------------------------


def letters_for(sizes: Sequence[int]) -> int:
    """Return the number of letters that the numbers of an array of these sizes take at most."""
    span = len(shape(sizes)) + 1 + RANGE
    count = prod(sizes)
    if count > FEW:
        return span
    return max(EACH * count, span) if count > 1 else EACH + 2 * len(sizes)


def face_of(node: Node, values: Sequence[Shown]) -> Face:
    """Return what a box shows of values: their numbers, and a picture of the main one."""
    entry = values[_main_of(node, values)].value
    return Face(_line(node, values, value_line), picture_of(node.kind, entry) if entry else None)


def room_for(node: Node, values: Sequence[Shown]) -> Face:
    """Return the longest line and the largest picture that a box shows of such values."""
    entry = values[_main_of(node, values)].value or {}
    longest = _line(node, values, lambda _entry, letters: "0" * letters)
    return Face(longest, picture_room(node.kind, entry["shape"]))


def _main_of(node: Node, values: Sequence[Shown]) -> int:
    """Return the place of the first value that has the shape in a box's detail, or else 0."""
    shapes = [f"{shape((each.value or {})['shape'])} " for each in values]
    return next((k for k, each in enumerate(shapes) if each in f"{node.detail} "), 0)


def _line(
    node: Node, values: Sequence[Shown], write: Callable[[Mapping[str, Any], int], str]
) -> str:
    """Return a box's second line: `y = [0.5, −1]` if its detail names y, else the numbers.

    Of several results each is named, as far as single numbers fit; of arrays the main one.
    """
    entries = [each.value or {} for each in values]
    letters = [letters_for(entry["shape"]) for entry in entries]
    name, colon, _ = node.detail.partition(": ")
    if len(values) == 1:
        lead = f"{name} = " if colon and len(name) <= LONGEST else ""
        return lead + write(entries[0], letters[0])
    names = [
        each.name if len(each.name) <= LONGEST else f"{each.name[: LONGEST - 1]}…"
        for each in values
    ]
    widths = accumulate(len(own) + 5 + each for own, each in zip(names, letters, strict=True))
    fitting = sum(width <= LINE for width in widths)
    single = all(prod(entry["shape"]) == 1 for entry in entries)
    main = _main_of(node, values)
    chosen = range(min(FEW, max(1, fitting))) if single else (main,)
    return ", ".join(f"{names[k]} = {write(entries[k], letters[k])}" for k in chosen)


@dataclass(frozen=True, eq=False)
class LastValues:
    """The faces of the boxes of a story, step by step."""

    changes: tuple[tuple[int, str, Face], ...]  # step, box, its face from then on
    widest: Mapping[str, Face]  # room of each box that ever shows a value

    def at(self, step: int) -> dict[str, Face]:
        """Return the faces of boxes after a step, by the ids of nodes and closed groups."""
        return {name: face for k, name, face in self.changes if k <= step}


def last_values(story: Story) -> LastValues:
    """Return the faces of all boxes: values in the forward lane, gradients in the others."""
    boxes = boxes_of(story.graph)
    rows = values_by_row(story, rows_of(story))
    faces = tuple((step, name, face_of(boxes[name], values)) for step, name, values in rows)
    return LastValues(faces, rooms_of(boxes, rows))


def rooms_of(
    boxes: Mapping[str, Node], rows: Iterable[tuple[int, str, Sequence[Shown]]]
) -> dict[str, Face]:
    """Return the room of each box that shows values; all that it ever shows have one shape."""
    return {name: room_for(boxes[name], values) for _, name, values in rows}


def rows_of(story: Story, owners: Owners | None = None) -> list[Row]:
    """Return the changes of values in boxes, in the order of steps.

    A closed group repeats the last box in it that has the group's shape.
    """
    owners = owners or Owners(story.graph)
    stands = _groups_by_node(story.graph)
    known: set[str] = set()
    rows: list[Row] = []
    for step in story.steps:
        found: dict[str, list[int]] = {}
        for k, shown in enumerate(step.shown):
            for name in owners.showing(shown) if _has_numbers(shown.value) else ():
                node = owners.nodes[name]
                if node.detail != NONE and not _is_label(node, shown.value):
                    several = shown.role in ("output", "grad_out") and node.kind not in GIVEN
                    found[name] = [*(found.get(name, ()) if several else ()), k]
        for name, places in found.items():
            known.add(name)
            rows.append((step.index, name, tuple(places)))
            rows += [(step.index, group, name) for group in stands.get(name, ())]
        for edge in step.edges:
            source, result = owners.results.get(edge, ("", ""))
            if source in known and not WHOLE.fullmatch(label_of(owners.nodes[result], "en")):
                rows.append((step.index, result, source))
    return rows


def values_by_row(story: Story, rows: Iterable[Row]) -> list[tuple[int, str, list[Shown]]]:
    """Return the rows, with values instead of their indices."""
    latest: dict[str, list[Shown]] = {}
    found = []
    for step, name, source in rows:
        shown = story.steps[step].shown
        latest[name] = latest[source] if isinstance(source, str) else [shown[k] for k in source]
        found.append((step, name, latest[name]))
    return found


def moved_values(edges: Mapping[str, Edge], step: Step) -> list[tuple[str, int]]:
    """Return the wires along which a step moves values, with the places of the values.

    A wire carries the value that it is named after, or else the only one that its end receives.
    Wires without names carry the values that no wire is named after, in their order.
    """
    roles = ("input", "grad_in", *(() if step.kind == "update" else ("before",)))
    shown = step.shown
    known = [k for k, each in enumerate(shown) if each.value is not None]
    arriving = [k for k in known if shown[k].role in roles]
    if step.kind == "accumulate":  # the last wire carries what is added, the one before the sum
        return list(zip(step.edges[::-1], arriving[::-1], strict=False))
    wires = [edges[name] for name in step.edges if edges[name].kind != "saved"]
    names = {wire.label for wire in wires}
    rest = [k for k in arriving if shown[k].name not in names]
    blank = [wire for wire in wires if not wire.label]
    found = []
    for wire in wires:
        chosen = [k for k in arriving if shown[k].name == wire.label]
        if not chosen and not wire.label and len(blank) == len(rest):
            chosen = [rest[blank.index(wire)]]
        if not chosen and (not wire.label or step.kind in MOVING):
            values = known if step.kind in STORING else arriving
            own = [k for k in values if shown[k].node == wire.target]
            chosen = own if len(own) == 1 else []
        found += [(wire.id, k) for k in chosen[:1]]
    return found


def _has_numbers(entry: Mapping[str, Any] | None) -> bool:
    stats = (entry or {}).get("stats") or {}
    return entry is not None and (entry.get("data") is not None or stats.get("min") is not None)


def _is_label(node: Node, entry: Mapping[str, Any] | None) -> bool:
    """Return whether the label of a box is the number itself."""
    number = only(entry and entry.get("data"))
    return number is not None and node.label == coded(number)


def _groups_by_node(graph: Graph) -> dict[str, list[str]]:
    """Map nodes to closed groups: a group stands for its last inner node of the same shape."""
    groups = {group.id: group for group in graph.groups}
    inside = group_by_key(
        (name, node) for node in graph.nodes for name in around(groups, node.group)
    )
    stands: dict[str, list[str]] = {}
    for group in graph.groups:
        if group.closed and group.closed.detail:
            text = _shape_text(group.closed)
            members = (n for n in inside.get(group.id, ()) if n.tag_of is None)
            same = [n for n in members if _shape_text(n) == text]
            if same:
                stands.setdefault(same[-1].id, []).append(group.closed.id)
    return stands


def _shape_text(node: Node) -> str:
    return node.detail.rpartition(": ")[2]


def with_values(graph: Graph, faces: Mapping[str, Face]) -> Graph:
    """Return the graph with these faces of its boxes and closed groups."""

    def fill(node: Node) -> Node:
        face = faces.get(node.id)
        return replace(node, detail=face.line, picture=face.picture) if face else node

    return with_boxes(graph, fill)
