"""Form of a picture: its half of the graph, numbers, memory chart and slide shape."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from minipaddle.engine.errors import InvalidArgument

from .. import theme
from ..facts.costs import Costs
from ..facts.last_values import LastValues, with_values
from ..layout.blueprint import Blueprint, lay_out
from ..layout.halves import check_halves, half_of
from ..layout.scene import Box, Scene, first_open, scene_from, scene_of, title_of
from ..model import SERIES, Face, Graph, Node, around, boxes_of, with_boxes
from ..story.groups.repeats import in_parts

LEGIBLE = 45  # height of a slide, in lines of its smallest text
TALL = LEGIBLE * theme.LABEL  # height of a slide
EDGE = 18.0  # part of a picture's margins that a slide cuts off
ROWS = (10, 8, 6, 5, 4, 3, 2)  # lengths of rows that are tried, to cut a graph into blocks
TRIES = 80  # maximum number of openings that are tried
_ASPECT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*:\s*(\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True)
class Form:
    """Form of pictures; `width` is the width of a slide, 0 for a picture as large as it needs."""

    width: float = 0.0
    halves: str = "both"
    memory: bool = True
    values: bool = False
    dark: bool = False
    times: tuple[Any, ...] | None = None  # times of calls, for color_by="time"

    @property
    def plain(self) -> bool:
        """Whether the boxes equal those of the player."""
        return not self.width and self.halves == "both" and not self.values

    @property
    def colours(self) -> str:
        """Palette of a picture that has only one: "dark" or "light"."""
        return "dark" if self.dark else "light"


PLAIN = Form()


def form_of(
    aspect: str | None = None,
    halves: str = "both",
    memory: bool | None = None,
    values: bool = False,
    dark: bool = False,
) -> Form:
    """Return the form that a user asked for; slides show memory only if asked for.

    >>> form_of("16:9").width, form_of().memory, form_of("4:3").memory
    (1040.0, True, False)
    """
    width = 0.0 if aspect is None else TALL * ratio_of(aspect)
    shows = aspect is None if memory is None else memory
    return Form(width, check_halves(halves), shows, values, dark)


def ratio_of(aspect: str) -> float:
    """Return width divided by height for `"16:9"`; raise InvalidArgument for anything else."""
    found = _ASPECT.fullmatch(aspect) if isinstance(aspect, str) else None
    wide, tall = (float(side) for side in found.groups()) if found else (0.0, 0.0)
    if not (wide and tall and 1 / 4 <= wide / tall <= 4):
        raise InvalidArgument(
            "a slide cannot have this aspect.",
            expected='width and height as "W:H", neither more than four times the other',
            received=f"aspect={aspect!r}",
            fix='write aspect="16:9", or "4:3" for an older projector',
        )
    return wide / tall


def scene_in(
    form: Form, graph: Graph, values: Iterable[LastValues | Costs] = (), foot: float = 0.0
) -> Scene:
    """Return the scene of a graph in this form; `foot` is the room below it on a slide.

    Every box has room for the longest line of numbers that it ever shows.
    """
    values, widest = list(values), dict[str, Face]()
    for each in values:
        for name, face in each.widest.items():
            widest[name] = max(face, widest.get(name, face), key=lambda each: len(each.line))
    graph = with_values(graph, widest)
    if form.width:
        line = max(
            (each.longest for each in values if isinstance(each, Costs)), key=len, default=""
        )
        return fold_to_fit(graph, form.halves, form.width, TALL - foot, line)
    half = half_of(graph, form.halves)
    return scene_of(half, first_open(half))


def with_faces(scene: Scene, faces: Mapping[str, Face], ever: Mapping[str, Face]) -> Scene:
    """Return the scene with `faces` of its boxes; other boxes in `ever` show nothing yet."""

    def fill(box: Box) -> Box:
        if box.id not in ever:
            return box
        line, picture = faces.get(box.id, Face(""))
        shown = theme.second_line(line, scene.sizes)
        return replace(box, detail=shown, picture=picture, title=title_of(box, line))

    return replace(scene, boxes=tuple(map(fill, scene.boxes)))


# ----- folding -----------------------------------------------------------------------------------


def fold_to_fit(graph: Graph, halves: str, width: float, height: float, line: str = "") -> Scene:
    """Return the scene that shows most of a graph, or of its half, within a width and a height.

    If the graph does not fit, rows come closer, groups are closed, and long rows are cut into
    blocks. Of the scenes that fit, take the one that shows most at the outermost level, then most
    at the next level, and so on; of equal ones the roomiest. Blocks without a second line get
    room for `line`.
    """
    # Labels of wires are small, and the boxes at both ends show the same names.
    graph = replace(graph, edges=tuple(replace(edge, label="") for edge in graph.edges))

    def fits(scene: Scene) -> bool:
        return scene.width - 2 * EDGE <= width and scene.height - 2 * EDGE <= height

    best: Scene | None = None
    opening = _opening_order(half_of(graph, halves))
    for row in (0, *ROWS):
        folded = _with_room(in_parts(graph, row), line) if row else graph
        if row and len(folded.groups) == len(graph.groups):
            continue  # no row is longer than that
        half = half_of(folded, halves)
        shapes = _without_dtype(half)
        for sizes in theme.SLIDES:
            blueprint = lay_out(shapes if sizes.beside else half, sizes)
            if not row:
                whole = scene_from(blueprint, first_open(half))
                if fits(whole):
                    return whole
            closed = scene_from(blueprint)
            if fits(closed):
                scene = _open_groups(blueprint, closed, opening, fits)
                if best is None or _by_depth(scene) > _by_depth(best):
                    best = scene
    if best is not None:
        return best
    raise InvalidArgument(
        "this picture is too large for a slide, even with all that closes closed.",
        expected=f"boxes on {width:.0f} x {height:.0f} units, for what cannot be closed",
        received=f"{closed.width:.0f} x {closed.height:.0f} units",
        fix='draw one half of it (halves="forward"), leave memory or color_by out, or aspect',
    )


def _with_room(graph: Graph, line: str) -> Graph:
    """Return the graph with `line` in the blocks without a second line."""
    bare = [g.closed for g in graph.groups if g.kind in ("block", "row") and g.closed]
    return with_values(graph, {closed.id: Face(line) for closed in bare if not closed.detail})


def _without_dtype(graph: Graph) -> Graph:
    """Return the graph without the most frequent dtype in its boxes: `y: [2, 3]`."""
    found = Counter(map(_dtype_of, boxes_of(graph).values()))
    del found[""]
    if not found:
        return graph
    ((usual, _),) = found.most_common(1)
    return with_boxes(
        graph, lambda node: replace(node, detail=node.detail.removesuffix(f" {usual}"))
    )


def _dtype_of(node: Node) -> str:
    shape, _, dtype = node.detail.rpartition(" ")
    return dtype if shape.endswith("]") and dtype.isalnum() else ""


def _opening_order(graph: Graph) -> list[set[str]]:
    """Return sets of group names to open one after the other, from the outside in.

    Groups of one kind in one parent open together; a PyLayer or a py_func opens by itself, and a
    loop or a row with the first group in it. Later ones stay closed.
    """
    groups = {group.id: group for group in graph.groups}
    equals: dict[object, set[str]] = {}
    begun: set[str] = set()  # loops and rows whose first group was found
    for group in sorted(graph.groups, key=lambda group: len(around(groups, group.id))):
        own = group.kind in ("pylayer", "py_func", *SERIES)
        key: object = group.toggles if own else (group.lane, group.parent, group.kind)
        outer = groups.get(group.parent or "")
        if outer and outer.kind in SERIES:
            key = outer.toggles
            if group.lane != "forward" or key in begun:
                continue
            begun.add(outer.toggles)
        equals.setdefault(key, set()).add(group.toggles)
    return list(equals.values())[:TRIES]


def _open_groups(
    blueprint: Blueprint, scene: Scene, opening: Iterable[set[str]], fits: Callable[[Scene], bool]
) -> Scene:
    """Return the scene with as many groups open as fit."""
    shown: set[str] = set()
    for names in opening:
        fuller = scene_from(blueprint, shown | names)
        if len(fuller.frames) > len(scene.frames) and fits(fuller):
            shown, scene = shown | names, fuller
    return scene


def _by_depth(scene: Scene) -> list[int]:
    """Return the numbers of boxes and frames in no frame, in one frame, in two, ..."""
    frames = {frame.id: frame for frame in scene.frames}
    homes = [box.group for box in scene.boxes if box.tag_of is None]
    homes += [frame.parent for frame in scene.frames]
    counts = Counter(len(around(frames, home)) for home in homes)
    return [counts[depth] for depth in range(max(counts, default=0) + 1)]
