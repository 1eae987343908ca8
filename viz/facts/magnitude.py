"""The sizes of values and gradients, step by step: the root mean square of their elements.

Each box has at most one size at a time: the largest of its outputs, or of the boxes that a closed
group hides. A gradient belongs to the box that computed it and to a forward box: the gradient that
arrives at a backward box is that of the output of its forward partner. A value that has not been
computed has no size; NaN and infinity are sizes larger than every number.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from minipaddle.engine.errors import InvalidArgument

from .. import theme
from ..layout.scene import Scene
from ..model import GIVEN, Graph, Node, Shown, Story
from ..story.sentences.wording import digits

BY = ("grad", "value")
CLASSES = len(theme.RAMP)  # colours of the scale
VISITS = frozenset({"grad", "pylayer_grad", "py_func_grad"})  # boxes that visit a node of the tape
CARRIERS = frozenset({"port", "seed", "leaf_grad", "accumulate", "unbroadcast", "hook"})
COMPUTED = ("grad_out", "after")
FEW = 20  # one size in FEW may lie below the scale
OUTLYING = 2  # distance of an outlier from the middle half, in widths of that half
NARROW = 0.5  # least width of the middle half, in powers of ten
DIGITS = 4  # significant digits, the same in players and pictures
NEAR = 1e-3  # relative distance from an end of a scale, which is rounded, that is not beyond it

Size = float | str  # 0.0 is exactly zero; "nan" or "inf" if there are such elements
_RANK_OF_ODD = {"inf": 1, "nan": 2}
SIGNS = {"zero": "0", "nan": "NaN", "inf": "Inf"}


def check_quantity(color_by: str) -> str:
    """Return the quantity to colour by, or "" for none; InvalidArgument for anything else."""
    if color_by not in ("", *BY):
        raise InvalidArgument(
            f"a picture cannot be coloured by {color_by!r}.",
            expected='color_by="grad" (gradients), "value" (values, activations), "time", "flops", '
            '"parameters", "bytes" or ""',
            received=f"color_by={color_by!r}",
            fix='write color_by="grad", or leave color_by out',
        )
    return color_by


def size_of(entry: Mapping[str, Any] | None) -> Size | None:
    """Return the root mean square of a value's elements, or None if it has no numbers.

    >>> size_of({"stats": {"min": -1.0, "max": 7.0, "mean": 3.0, "std": 4.0}})
    5.0
    """
    stats = (entry or {}).get("stats") or {}
    for kind in ("nan", "inf"):
        if stats.get(kind):
            return kind
    mean, std, low, high = stats.get("mean"), stats.get("std"), stats.get("min"), stats.get("max")
    if mean is None or std is None or low is None or high is None:
        return None
    largest = max(abs(float(low)), abs(float(high)))
    size = min(math.hypot(float(mean), float(std)), largest)  # finite if the sum overflowed
    return float(f"{size:.{DIGITS}g}") if math.isfinite(size) else None


def larger(one: Size | None, other: Size | None) -> Size | None:
    """Return the larger of two sizes; NaN before infinity before numbers."""
    return max(one, other, key=_rank_of_size)


def _rank_of_size(size: Size | None) -> tuple[int, float]:
    if size is None:
        return -1, 0.0
    return (_RANK_OF_ODD[size], 0.0) if isinstance(size, str) else (0, size)


# ----- boxes of sizes ----------------------------------------------------------------------------


class Owners:
    """Finds the boxes that a value in a step belongs to, as a gradient or as a value."""

    def __init__(self, graph: Graph) -> None:
        self._known: dict[tuple[str, str | None, str | None, str], list[str]] = {}
        self.nodes = {node.id: node for node in graph.nodes}
        ends = {node.id for node in graph.nodes if node.kind == "result"}
        into = (edge for edge in graph.edges if edge.target in ends)
        self.results = {edge.id: (edge.source, edge.target) for edge in into}
        self.partners = {g.id: g.closed.pair for g in graph.groups if g.closed}

    def of(self, by: str, shown: Shown) -> list[str]:
        """Return the ids of the boxes whose size a shown value is."""
        key = by, shown.node, shown.holder, shown.role
        if key not in self._known:
            self._known[key] = self._find_owners(by, shown)
        return self._known[key]

    def showing(self, shown: Shown) -> list[str]:
        """Return the boxes that show a value: as theirs or, in backward lanes, as a gradient."""
        key = "", shown.node, shown.holder, shown.role
        if key not in self._known:
            lanes = ((by, name) for by in ("value", "grad") for name in self.of(by, shown))
            self._known[key] = [
                name
                for by, name in lanes
                if (self.nodes[name].lane == "backward") == (by == "grad")
            ]
        return self._known[key]

    def _find_owners(self, by: str, shown: Shown) -> list[str]:
        find = self._owners_of_gradient if by == "grad" else self._owners_of_value
        places = dict.fromkeys((shown.node, shown.holder))
        nodes = (self.nodes[place] for place in places if place in self.nodes)
        boxes = (name for node in nodes for name in find(node, shown.role))
        return [name for name in dict.fromkeys(boxes) if name in self.nodes]

    def _owners_of_gradient(self, node: Node, role: str) -> Iterator[str]:
        arrives = role == "grad_in" and node.lane == "backward"
        if arrives and (node.kind in VISITS or node.kind == "port"):
            yield node.pair or self.partners.get(node.group or "") or ""
        if (arrives and node.kind == "port") or (role in COMPUTED and node.kind in VISITS):
            yield node.id
        elif role in COMPUTED and node.kind in CARRIERS and node.lane == "backward":
            yield node.id
            yield node.pair or ""

    def _owners_of_value(self, node: Node, role: str) -> Iterator[str]:
        held = node.kind in GIVEN or node.kind == "result"
        port = node.kind == "port" and node.lane == "forward"
        gradient = node.kind in VISITS or (node.kind in CARRIERS and node.lane == "backward")
        fits = {
            "input": held or port,
            "output": port or not gradient,
            "after": held or node.kind == "update" or (node.kind == "hook" and not gradient),
        }
        if fits.get(role):
            yield node.id


def size_changes(story: Story, by: str, owners: Owners) -> list[tuple[int, str, Size]]:
    """Return (step, box, size) for each change of a box's size, in the order of the steps."""
    now: dict[str, Size] = {}
    rows = []
    for step in story.steps:
        fresh: dict[str, Size] = {}
        for shown in step.shown:
            names = owners.of(by, shown)
            size = size_of(shown.value) if names else None
            if size is not None:
                for name in names:
                    fresh[name] = larger(fresh[name], size) or 0.0 if name in fresh else size
        for edge in step.edges if by == "value" else ():
            source, target = owners.results.get(edge, ("", ""))
            latest = fresh.get(source, now.get(source))
            if latest is not None:
                fresh.setdefault(target, latest)
        rows += [(step.index, name, size) for name, size in fresh.items() if now.get(name) != size]
        now |= fresh
    return rows


# ----- the scale ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic scale: CLASSES parts of one width, with `edges` between low and high.

    `below` and `above`: there are sizes beyond its ends, which have the first and the last colour.
    """

    low: float
    high: float
    edges: tuple[float, ...]
    below: bool = False
    above: bool = False

    def mark(self, size: Size) -> str:
        """Return the number of the colour, from "0", or "zero", "nan", "inf"."""
        if isinstance(size, str):
            return size
        return str(bisect_right(self.edges, size)) if size else "zero"


def scale_of(sizes: Iterable[Size], typical: Iterable[Size] = ()) -> Scale | None:
    """Return a scale up to the largest size, at least a factor of ten; None without numbers.

    With `typical`, the scale is for those among the sizes, without outliers. The smallest twentieth
    lies below the scale. Otherwise the rounding errors of gradients that should be zero would take
    up most of the colours.
    """
    numbers = _positive(sizes)
    if not numbers:
        return None
    kept = _without_outliers(_positive(typical)) or numbers
    low, high = math.log10(kept[len(kept) // FEW]), math.log10(kept[-1])
    if high - low < 1:
        low, high = (low + high - 1) / 2, (low + high + 1) / 2
    ends = [10 ** (low + (high - low) * k / CLASSES) for k in range(CLASSES + 1)]
    rounded = [float(f"{end:.{DIGITS}g}") for end in ends]
    beyond = numbers[0] < rounded[0] * (1 - NEAR), numbers[-1] > rounded[-1] * (1 + NEAR)
    return Scale(rounded[0], rounded[-1], tuple(rounded[1:-1]), *beyond)


def _positive(sizes: Iterable[Size]) -> list[float]:
    return sorted(size for size in sizes if isinstance(size, float) and 0 < size < math.inf)


def _without_outliers(numbers: Sequence[float]) -> list[float]:
    """Return the sorted numbers whose logarithm is not far from those of the middle half."""
    if not numbers:
        return []
    logs = [math.log10(number) for number in numbers]
    first, last = logs[len(logs) // 4], logs[3 * len(logs) // 4]
    far = OUTLYING * max(last - first, NARROW)
    return [n for n, log in zip(numbers, logs, strict=True) if first - far <= log <= last + far]


def typical_sizes(by: str, rows: Iterable[tuple[int, str, Size]], graph: Graph) -> list[Size]:
    """Return the sizes in rows of `size_changes`, without the seed of gradients, mostly 1."""
    seeds = [node for node in graph.nodes if node.kind == "seed"] if by == "grad" else []
    left = {box for node in seeds for box in (node.id, node.pair)}
    left |= {edge.source for edge in graph.edges if edge.target in left and edge.kind == "data"}
    return [size for _, box, size in rows if box not in left]


@dataclass(frozen=True, slots=True)
class Colouring:
    """The sizes that a story gives its boxes, and the scale that they all share."""

    by: str
    changes: tuple[tuple[int, str, Size], ...]
    scale: Scale | None

    def text_of(self, size: Size) -> str:
        """Return a size as a reader sees it."""
        return SIGNS[size] if isinstance(size, str) else digits(size)

    def at(self, scene: Scene, step: int) -> dict[str, Size]:
        """Return the sizes of the boxes of a scene after a step, without boxes that have none."""
        boxes = {box.id for box in scene.boxes}
        latest = {name: size for k, name, size in self.changes if k <= step}
        sizes: dict[str, Size] = {}
        for name, size in latest.items():
            box = name if name in boxes else scene.alias.get(name, "")
            if box in boxes:
                sizes[box] = larger(sizes.get(box), size) or 0.0
        for each in scene.boxes:
            if each.tag_of in latest:
                sizes[each.id] = latest[each.tag_of]
        return sizes


def colouring(story: Story, by: str, owners: Owners | None = None) -> Colouring:
    """Colour the boxes of a story; `owners` are those of its graph, if known already."""
    return colourings([story], by, owners)[0]


def colourings(stories: Sequence[Story], by: str, owners: Owners | None = None) -> list[Colouring]:
    """Colour the boxes of several stories on one scale."""
    rows = [size_changes(story, by, owners or Owners(story.graph)) for story in stories]
    known = zip(rows, stories, strict=True)
    typical = [size for some, story in known for size in typical_sizes(by, some, story.graph)]
    scale = scale_of((size for some in rows for _, _, size in some), typical)
    return [Colouring(by, tuple(some), scale) for some in rows]
