"""The picture at one step: what is pending, active and done, and the sentence below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log
from typing import Protocol

from .. import theme
from ..layout.curves import straight_path
from ..layout.scene import Box, Frame, Scene, Wire, first_open, scene_of
from ..model import Step, Story
from ..statistics.magnitude import Colouring, colourings
from ..story.chapters import Chapter, Chaptered, Told, chapter_at, heading
from . import memory_chart
from .magnitude_tint import tint
from .paint import Line, Mark, Painting, Part, Patch, Rect, Words, paint

CAPTION = 13.0  # font size
LINE = 19.0  # from one line of a caption to the next
PAD = 16.0
NARROWEST = 320.0  # a caption is wider than a slim picture
LONG_TAIL = "，。；：、）"  # no line begins with one of these


def states(story: Story, scene: Scene) -> Iterator[dict[str, str]]:
    """For each step, the state of every box and wire that has been reached by then."""
    parts: tuple[Box | Wire | Frame, ...] = (*scene.boxes, *scene.wires, *scene.frames)
    visible = {part.id for part in parts}
    tags: dict[str, list[str]] = {}
    names = {box.id for box in scene.boxes if box.tag_of is not None}
    for wire in scene.wires:
        tags[wire.id] = [end for end in (wire.source, wire.target) if end in names]
    done: dict[str, str] = {}
    act = ""
    for step in story.steps:
        if act_of(step) != act:
            act, done = act_of(step), {}  # what was built is not yet done when the run begins
        active = {
            name if name in visible else scene.alias.get(name, "")
            for name in (*step.nodes, *step.edges)
        }
        active |= {tag for name in active for tag in tags.get(name, ())}
        yield {**done, **dict.fromkeys(active, "active")}
        done |= dict.fromkeys(active, "done")


def act_of(step: Step) -> str:
    """A Program is built and then run; eager work is one act."""
    return step.phase if step.phase in ("build", "run") else "eager"


def moments(
    story: Story,
    scene: Scene,
    chosen: Sequence[int],
    lang: str,
    legend: bool = True,
    colouring: Colouring | None = None,
    first: int = 0,
    head: str = "",
) -> Iterator[Painting]:
    """The picture at each of these steps (in rising order), with its sentence.

    All have one size: room is left for the longest of the sentences. `first` is the number of the
    story's first step, and `head` a line above the sentence.
    """
    steps = set(chosen)

    def tint_at(painting: Painting, at: int) -> Painting:
        return tint(painting, scene, colouring, at, lang) if colouring else painting

    width = max(tint_at(paint(scene, lang=lang, legend=legend), 0).width, NARROWEST)
    texts = {
        at: wrap_text(f"{first + at + 1}  {story.steps[at].text[lang]}", width - 2 * PAD)
        for at in steps
    }
    heads = wrap_text(head, width - 2 * PAD)
    lines = max(map(len, texts.values()), default=0)
    for at, now in enumerate(states(story, scene)):
        if at in steps:
            bare = paint(scene, lang=lang, legend=legend, states=now)
            tinted = tint_at(bare, at)
            with_chart = memory_chart.add_chart(tinted, story, lang, at, rows=False, first=first)
            yield add_lines(with_chart, texts[at], lines, width, heads)


class Pictured(Told, Protocol):
    """What a chapter is drawn by: a trace."""

    @property
    def picture(self) -> Scene: ...


class Filmed(Chaptered, Protocol):
    """A trace, of whose chapters there are pictures."""

    @property
    def chapters(self) -> Sequence[Chapter[Pictured]]: ...


def film(trace: Filmed, chosen: Sequence[int], lang: str, color_by: str = "") -> Iterator[Painting]:
    """The picture at each of these steps of a trace (in rising order), all of one size.

    Rounds of one structure have one layout, so that boxes keep their places; the sizes of all have
    one scale of colours.
    """
    acts: dict[int, list[int]] = {}
    for step in chosen:
        chapter = chapter_at(trace.chapters, step)
        acts.setdefault(chapter.first, []).append(step - chapter.first)
    chapters = [chapter_at(trace.chapters, first) for first in acts]
    stories = [chapter.trace.story for chapter in chapters]
    colours = colourings(stories, color_by) if color_by else [None] * len(acts)
    scenes = scenes_of(trace, chapters)
    heads = [heading(trace, chapter).of(lang) if trace.rounds else "" for chapter in chapters]

    def act(k: int) -> Iterator[Painting]:
        first = chapters[k].first
        told = stories[k], scenes[k], acts[first], lang
        return moments(*told, colouring=colours[k], first=first, head=heads[k])

    if len(acts) == 1:
        yield from act(0)
        return
    firsts = [next(act(k)) for k in range(len(acts))]
    width, height = max(one.width for one in firsts), max(one.height for one in firsts)
    for k in range(len(acts)):
        for painting in act(k):
            yield with_room(painting, width, height)


def scenes_of(trace: Filmed, chapters: Sequence[Chapter[Pictured]]) -> list[Scene]:
    """The picture of each chapter: rounds of one structure share one."""
    rounds = {chapter.round for chapter in chapters if chapter.round is not None}
    shared: dict[int | None, Scene] = {}
    for structure in trace.structures:
        alike = rounds.intersection(structure.rounds)
        if len(alike) > 1:
            scene = scene_of(structure.graph, first_open(structure.graph))
            shared |= dict.fromkeys(alike, scene)
    return [shared.get(each.round) or each.trace.picture for each in chapters]


def with_room(painting: Painting, width: float, height: float) -> Painting:
    """The painting in the middle of so much paper, at its upper end."""
    left = painting.left - (width - painting.width) / 2
    paper = Part("paper", (Rect(left, 0, width, height, 0, "paper"),))
    rest = tuple(part for part in painting.parts if part.role != "paper")
    return Painting(left, width, height, (paper, *rest))


def add_lines(
    painting: Painting, rows: Sequence[str], lines: int, width: float, head: Sequence[str] = ()
) -> Painting:
    """The painting with lines of text below it, those of `head` first and bold."""
    left = painting.left - (width - painting.width) / 2
    height = painting.height + (lines + len(head)) * LINE + 2 * PAD
    top = painting.height + PAD
    rule = Line(
        straight_path((left + PAD, painting.height), (left + width - PAD, painting.height)),
        "rule",
        1.0,
    )
    words = [
        Words(left + PAD, top + LINE * (k + 0.72), row, CAPTION, anchor="start", bold=k < len(head))
        for k, row in enumerate((*head, *rows))
    ]
    paper = Part("paper", (Rect(left, 0, width, height, 0, "paper"),))
    rest = tuple(part for part in painting.parts if part.role != "paper")
    return Painting(left, width, height, (paper, *rest, Part("caption", (rule, *words))))


def wrap_text(text: str, widest: float) -> list[str]:
    """The text in lines no wider than this; Chinese breaks between any two letters."""
    lines: list[str] = []
    line, used = "", 0.0
    for word in _words(theme.visible(text)):
        wide = theme.text_width(word, CAPTION)
        if line and used + wide > widest and word[0] not in LONG_TAIL and word.strip():
            lines.append(line.rstrip())
            line, used, word = "", 0.0, word.lstrip()
        line, used = line + word, used + wide
    return [*lines, line.rstrip()] if line.strip() else lines


def _words(text: str) -> Iterator[str]:
    """Pieces that stay whole: words with the blank before them, single wide letters."""
    piece = ""
    for letter in text:
        wide = theme.text_width(letter, 1.0) > 1.0
        if piece and (letter == " " or wide):
            yield piece
            piece = ""
        piece += letter
        if wide:
            yield piece
            piece = ""
    if piece:
        yield piece


# ----- several pictures in one -------------------------------------------------------------------


def strip(paintings: Sequence[Painting], columns: int = 0) -> Painting:
    """Paintings of one size side by side, in rows; without `columns` as many as look best."""
    wide, tall = paintings[0].width, paintings[0].height
    columns = min(columns or _columns(len(paintings), wide / tall), len(paintings))
    rows = -(-len(paintings) // columns)
    parts = [Part("paper", (Rect(0, 0, wide * columns, tall * rows, 0, "paper"),))]
    for k, painting in enumerate(paintings):
        x, y = wide * (k % columns) - painting.left, tall * (k // columns)
        parts += [
            replace(part, marks=tuple(move(mark, x, y) for mark in part.marks))
            for part in painting.parts
            if part.role != "paper"
        ]
        frame = Rect(wide * (k % columns) + 4, y + 4, wide - 8, tall - 8, 8, None, "rule", 1.0)
        parts.append(Part("panel", (frame,)))
    return Painting(0, wide * columns, tall * rows, tuple(parts))


def _columns(count: int, shape: float) -> int:
    """How many of these panels make a row: near 16 to 9, with few places left empty."""

    def ugliness(columns: int) -> float:
        rows = -(-count // columns)
        return abs(log(columns * shape / rows / (16 / 9))) + 2 * (rows * columns / count - 1)

    return min(range(1, count + 1), key=ugliness)


def move(mark: Mark, x: float, y: float) -> Mark:
    """The mark in another place."""
    if isinstance(mark, Rect | Words):
        return replace(mark, x=mark.x + x, y=mark.y + y)
    if isinstance(mark, Line):
        path = tuple(
            (letter, tuple((a + x, b + y) for a, b in points)) for letter, points in mark.path
        )
        return replace(mark, path=path)
    assert isinstance(mark, Patch)
    return replace(mark, points=tuple((a + x, b + y) for a, b in mark.points))
