"""One element of a gradient, split over the paths from the loss: `viz.paths`."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.guard import pause_collector
from minipaddle.messages import EMPTY, LIST, Message, Row, Text

from .. import language
from ..draw import paths as paths_picture
from ..draw.paint import Painting
from ..explanation.gradient_flow import WHY, Flow, Place, flow_of, place_of
from ..explanation.gradient_paths import Found, Split, Way
from ..explanation.linear_maps import NotLinear
from ..model import DOTS, boxes_of, words
from ..story import ids
from ..story.chapters import Recorded, capital, name_of_chapter
from ..story.sentences.wording import d, digits
from ..theme import table_lines
from .element import (
    check_asked,
    index_into,
    name_in,
    no_gradient,
    numbers_in,
    odd,
    too_large,
    trace_of_caller,
)
from .view import PictureView

LONGEST = 16  # maximum number of boxes of a path in one line
FEW = 3  # maximum number of smallest factors that are named
WEAK = 0.5  # magnitude up to which a factor is small
CANCELS = 0.5  # paths cancel if at most this part of their sum of magnitudes is left

HEAD = Message("{of} = {value}: the sum over {count} from the loss.")
SUM = Message("sum, in float64")
RECORDED = Message("recorded; the sum is {off} off")
BEFORE = Message("{x}.grad held {value} there before this pass, which is not in the sum.")
CANCEL = Message("Paths of opposite sign cancel: {positive} and {negative}.")
SOME = Message(
    "{followed} of {count} paths were followed, first those that lead to the "
    "most; a stronger one may be among the others."
)
BY_BOX = Message("The strongest path, box by box:")
SMALLEST = Message("The smallest factors on the strongest path: {boxes}.")
FACTOR = Message(
    "× says by how much a box multiplies a small change of {of} on its way "
    "to the loss, counted over all elements; where changes of both signs are "
    "added up, they cancel."
)
OPAQUE = Message(
    "No path leads through {box}: {why}. Paths begin behind it, with the "
    "gradient that it handed on."
)
STOPS = Message("0 arrives")
TIMES = Text("{label} × {factor}")


class PathStep(NamedTuple):
    """Box on a path: its label and id in the player, and the tensor that comes out of it.

    `factor`: by how much the box multiplies a small change of the element on its way to the loss
    (the sum of the magnitudes of all changes after it, over the sum before; with a sign if all
    elements share it); None if the change became 0 before.
    """

    label: Message
    factor: float | None
    tensor: str
    node: str


@dataclass(frozen=True, slots=True)
class PathShare:
    """One path from the loss to the element; `begins` times all factors is `contribution`."""

    contribution: float
    begins: float
    start: Message
    steps: tuple[PathStep, ...]
    wires: tuple[int, ...]

    @property
    def factors(self) -> tuple[float | None, ...]:
        """Factor at each box, starting at the loss."""
        return tuple(step.factor for step in self.steps)

    def __str__(self) -> str:
        return self.text("en")

    def text(self, lang: str) -> str:
        """Return the boxes starting at the loss, with the middle of a long path left out."""
        row = [self.start.of(lang), *(step.label.of(lang) for step in self.steps)]
        if len(row) > LONGEST:
            row[LONGEST // 2 : -LONGEST // 2] = [f"… {len(row) - LONGEST} …"]
        return " → ".join(row)


class Paths(PictureView):
    """Result of `viz.paths`: the strongest `paths`, and their sum.

    `total` is the sum over all `count` paths, in float64, `other` the sum over paths that are not
    in `paths`, and `recorded` the recorded gradient. `complete`: all paths were followed, so no
    other is stronger. `shares` maps every wire that leads to the element to its part of the total;
    across any cut through the graph they add up to it. `opaque` maps boxes through which no path
    leads to the reason.
    """

    def __init__(
        self,
        trace: Recorded,
        name: str,
        place: Place,
        index: Any,
        top: int,
        where: Message = EMPTY,
    ) -> None:
        self.trace, self.name, self.where = trace, name, where
        self.flow: Flow = flow_of(trace.events, place.run)
        value = self.flow.values[place.key]
        if value is None:
            raise too_large(name)
        self.index = index_into("viz.paths", f"{name}.grad", value.shape, index, name)
        self.recorded = float(value[self.index])
        try:
            self.split = Split(self.flow, self.flow.ends[place.key], self.index, value.shape)
        except NotLinear:
            raise too_large(name) from None
        if not isfinite(self.split.total - self.recorded):
            raise odd(name)
        before = self.flow.before.get(place.key)
        self.before = 0.0 if before is None else float(before[self.index])
        self.found: Found = self.split.strongest(top)
        self.total, self.count = self.split.total, self.found.count
        self.shares = self.split.shares
        self.labels = Labels(trace, self.flow)
        self.paths = tuple(map(self.path_of, self.found.ways))
        self.other = self.total - sum(path.contribution for path in self.paths)
        self.complete = self.found.followed == self.count
        self.opaque = {
            self.labels.of_box(box).en: WHY[why] for box, why in self.split.opaque.items()
        }

    def path_of(self, way: Way) -> PathShare:
        """Return a path with the names of its boxes."""
        start = self.flow.wires[way.wires[0]].source
        steps = tuple(
            PathStep(
                self.labels.of_box(each.box),
                each.factor,
                self.labels.of_tensor(each.box, each.slot),
                self.labels.node_of(each.box),
            )
            for each in way.passed
        )
        return PathShare(way.brings, way.begins, self.labels.of_box(start), steps, way.wires)

    def __repr__(self) -> str:
        return f"<Paths to {self.of}: {self.paths_in_words()}>"

    @property
    def of(self) -> str:
        """Name of the gradient's element: `w.grad[0, 1]`."""
        at = "[" + ", ".join(map(str, self.index)) + "]" if self.index else ""
        return f"{self.name}.grad{at}"

    @property
    def element(self) -> str:
        """Name of the tensor's element: `w[0, 1]`."""
        return self.of.replace(".grad", "", 1)

    def paths_in_words(self, count: int | None = None) -> Message:
        """Return a number of paths as text: `6 paths`."""
        number = self.count if count is None else count
        return Message("{count:,} {count:path|paths}", count=number)

    # ----- text ----------------------------------------------------------------------------------

    def text(self, lang: str = "en") -> str:
        """Return the paths as a table, the strongest path box by box, and remarks."""
        language.check_lang(lang)
        rows = [self.headline(lang), "", *self.table(lang), ""]
        if self.paths and self.paths[0].steps:
            rows += [BY_BOX.of(lang), *self.boxes_of(self.paths[0], lang), ""]
        return "\n".join([*rows, *self.remarks(lang)]).rstrip() + "\n"

    def headline(self, lang: str) -> str:
        """Return a sentence with the element, its value and the number of paths."""
        filled = HEAD.fill(of=self.of, value=digits(self.recorded), count=self.paths_in_words())
        text = DOTS.fill(row=self.where, next=filled) if self.where.en else filled
        return text.of(lang)

    def table(self, lang: str) -> list[str]:
        """Return a row for each path, then the others and the sum."""
        rows = [(p.contribution, self.percent(p.contribution), p.text(lang)) for p in self.paths]
        rest = self.count - len(self.paths)
        if rest:
            others = Message("{paths} more", paths=self.paths_in_words(rest)).of(lang)
            rows.append((self.other, self.percent(self.other), others))
        off = digits(abs(self.total - self.recorded))
        rows.append((self.total, "", SUM.of(lang)))
        rows.append((self.recorded, "", RECORDED.fill(off=off).of(lang)))
        numbers = [digits(number) for number, _, _ in rows]
        wide = max(map(len, numbers))
        return [
            f"  {number:>{wide}}  {part:>6}  {words}".rstrip()
            for number, (_, part, words) in zip(numbers, rows, strict=True)
        ]

    def percent(self, number: float) -> str:
        """Return a number's part of the total in percent, or "" from 1000 % on."""
        part = 100 * number / self.total if self.total else float("inf")
        return f"{round(part)} %".replace("-", "−") if abs(part) < 1000 else ""

    def boxes_of(self, path: PathShare, lang: str) -> list[str]:
        """Return a row for each box of a path: its factor, its label, and its output tensor."""
        rows = [(digits(path.begins), path.start.of(lang), "")]
        for step in path.steps:
            factor = STOPS.of(lang) if step.factor is None else f"× {digits(step.factor)}"
            rows.append((factor, step.label.of(lang), step.tensor))
        rows.append((f"= {digits(path.contribution)}", self.of, ""))
        return [f"  {line}" for line in table_lines(rows, "><<")]

    def remarks(self, lang: str) -> list[str]:
        """Return remarks about the sum and about values that are not in it."""
        found, rows = self.found, list[Message]()
        whole = found.positive - found.negative
        if self.complete and abs(self.total) <= CANCELS * whole and found.positive and whole:
            signs = {"positive": digits(found.positive), "negative": digits(found.negative)}
            rows.append(CANCEL.fill(**signs))
        if not self.complete:
            numbers = {"followed": f"{found.followed:,}", "count": f"{self.count:,}"}
            rows.append(SOME.fill(**numbers))
        steps = [(s.factor, s.label) for path in self.paths[:1] for s in path.steps]
        small = [(f, label) for f, label in steps if f is not None and abs(f) <= WEAK]
        if small:
            small.sort(key=lambda each: abs(each[0]))
            factors = [TIMES.fill(label=label, factor=digits(f)) for f, label in small[:FEW]]
            rows.append(SMALLEST.fill(boxes=Row(factors, LIST)))
        if any(path.steps for path in self.paths):
            rows.append(FACTOR.fill(of=self.element))
        for name, why in self.opaque.items():
            rows.append(OPAQUE.fill(box=name, why=why))
        if self.before:
            rows.append(BEFORE.fill(x=self.name, value=digits(self.before)))
        return [row.of(lang) for row in rows]

    # ----- picture -------------------------------------------------------------------------------

    def painting(self, lang: str = "en") -> Painting:
        """Return the picture: wires as wide as their shares, the strongest path highlighted."""
        return paths_picture.painting(self, lang)

    def description(self, lang: str) -> tuple[str, str]:
        """Return the headline, and the rest of the text."""
        return self.headline(lang), self.text(lang)


class Labels:
    """Names of boxes and tensors, as in the player."""

    def __init__(self, trace: Recorded, flow: Flow) -> None:
        self.flow = flow
        self.nodes = boxes_of(trace.story.graph)
        self.names = trace.names

    def node_of(self, number: int) -> str:
        """Return the id of a box in the player, or "" if it has none."""
        box = self.flow.boxes[number]
        return ids.grad(box.node, box.visit) if box.node else ""

    def of_box(self, number: int) -> Message:
        """Return the label of a box's forward partner; for a seed, the name of its gradient."""
        box = self.flow.boxes[number]
        if box.kind in ("seed", "end"):
            return Text(d(self.of_tensor(number, 0) or "loss"))
        node = self.nodes.get(self.node_of(number))
        pair = self.nodes.get(node.pair or "") if node else None
        return words(pair.label if pair else box.name)

    def of_tensor(self, number: int, slot: int) -> str:
        """Return the user's name of the tensor whose gradient arrives at a slot, or ""."""
        tensors = self.flow.boxes[number].tensors
        tensor = tensors[slot] if slot < len(tensors) else 0
        return self.names.get((tensor, 0), "")


# ----- viz.paths ---------------------------------------------------------------------------------


def paths(x: Any, index: Any = None, trace: Recorded | None = None, *, top: int = 5) -> Paths:
    """Return one element of a gradient as a sum over the paths from the loss, the strongest first.

    x: a Tensor, or its name in the trace; index: of one element, as in x[index], left out where
    there is just one. trace: the recording; left out, the one in a variable of the caller that
    knows x. It is the gradient of the last backward pass that reached x; `trace.round(3)` is asked
    for another one. Backward is linear, so the sum is exact but for rounding; at each box a factor
    says by how much it multiplies a small change of the element on its way to the loss.

    `.paths`, `.total`, `.recorded`, `.other` are the numbers, `.save("x.svg")` writes the picture.

    Errors: ValueError for what has no gradient in the trace; IndexError for an index outside of x;
    TypeError for what is no tensor, name or index; NotImplementedError for Variables of Programs.

    >>> import minipaddle as paddle, viz
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> with viz.record() as trace:
    ...     (x * 3.0 + x).sum().backward()
    >>> found = viz.paths(x, 0)
    >>> [(str(path), path.contribution) for path in found.paths]
    [('dloss → sum → + → × 3', 3.0), ('dloss → sum → +', 1.0)]
    """
    if type(top) is not int or top < 1:
        raise InvalidArgument(
            "viz.paths(): top must be a whole number from 1 on.",
            expected="how many of the strongest paths are wanted",
            received=f"top={top!r:.40}",
            fix="write top=5",
        )
    check_asked(x)
    trace = trace or trace_of_caller(x)
    name = x if isinstance(x, str) else name_in(trace, x)
    with pause_collector():
        for chapter in reversed(trace.chapters):
            for tensor in numbers_in(chapter.trace, x):
                place = place_of(chapter.trace.events, tensor)
                if place is not None:
                    where = name_of_chapter(trace, chapter) if trace.rounds else EMPTY
                    return Paths(chapter.trace, name, place, index, top, capital(where))
    raise no_gradient(trace, x, name)
