"""The picture at one step: boxes pending, active or done, and the sentence below it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from typing import NamedTuple, Protocol

from minipaddle.engine.visible import make_visible

from .. import theme
from ..facts.costs import BY as COSTS
from ..facts.costs import Costs, costs_of, on_one_scale
from ..facts.last_values import (
    LastValues,
    last_values,
    letters_for,
    moved_values,
    picture_of,
    value_line,
)
from ..facts.magnitude import Colouring, colourings
from ..language.words import say
from ..layout.curves import Point, point_on, straight_path
from ..layout.scene import Box, Frame, Scene, Wire
from ..model import NONE, Face, Step, Story, group_by_key
from ..story.chapters import Chapter, Chaptered, Told, chapter_at, heading
from . import magnitude_tint
from .form import EDGE, PLAIN, TALL, Form, scene_in, with_faces
from .magnitude_tint import tint
from .memory_chart import add_chart
from .paint import Line, Painting, Part, Pixels, Rect, Words, on_paper, paint
from .transcript import fault_lines
from .transform import transform, zoom

CAPTION = 13.0  # font size
LEADING = 19 / 13  # line height of a caption, relative to its font size
TOLD = 15.0  # font size of a caption on a slide
READABLE = 40  # a moving picture is at most this many caption lines high
APART = 8.0  # space between a slide's picture and the rule below it
BARE = 24.0  # margin of a picture that a slide cuts off above its feet
LARGEST = 2.2  # maximum enlargement of a small picture
SEPARATOR = "   "
PAD = 16.0
GLIDING = 100  # maximum number of steps of a film in which values move
MOMENTS = 5  # paintings in which a value moves along its wire
ADDED = 8  # paintings in which two numbers are added
NARROWEST = 320.0  # minimum width of a picture with a caption


def states(story: Story, scene: Scene) -> Iterator[dict[str, str]]:
    """Yield for each step the states of the boxes and wires that have been active."""
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
            act, done = act_of(step), {}  # built boxes are pending again when the run begins
        active = {
            name if name in visible else scene.alias.get(name, "")
            for name in (*step.nodes, *step.edges)
        }
        active |= {tag for name in active for tag in tags.get(name, ())}
        yield {**done, **dict.fromkeys(active, "active")}
        done |= dict.fromkeys(active, "done")


def act_of(step: Step) -> str:
    """Return the act of a step: "build" or "run" of a Program, or "eager"."""
    return step.phase if step.phase in ("build", "run") else "eager"


class Row(NamedTuple):
    """Line of a caption."""

    text: str
    bold: bool = False
    mono: bool = False
    colour: str = "ink"


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that the pictures of a story's steps depend on; `first` numbers its first step."""

    story: Story
    scene: Scene
    form: Form = PLAIN
    values: LastValues | None = None
    colours: Colouring | Costs | None = None
    first: int = 0

    def scene_at(self, step: int) -> Scene:
        """Return the scene with the numbers that its boxes have after a step."""
        if isinstance(self.colours, Costs):
            lines = self.colours.lines(self.scene)
            return with_faces(self.scene, lines, lines)
        if self.values is None:
            return self.scene
        several = {box.id for box in self.scene.boxes if box.several}  # show no value of one turn
        ever = {name: face for name, face in self.values.widest.items() if name not in several}
        return with_faces(self.scene, self.values.at(step), ever)

    def paint(
        self, step: int, lang: str, legend: bool = True, states: Mapping[str, str] | None = None
    ) -> Painting:
        """Return the painting of a step, coloured by magnitude if asked for."""
        scene = self.scene_at(step)
        bare = paint(scene, lang=lang, legend=legend, states=states)
        return tint(bare, scene, self.colours, step, lang, legend) if self.colours else bare

    def frames(
        self, chosen: Container[int], lang: str, gliding: bool, legend: bool = True
    ) -> Iterator[tuple[int, Painting]]:
        """Yield the chosen steps with their paintings, in order.

        If `gliding`, the paintings in which a step's values arrive come before.
        """
        for at, now in enumerate(states(self.story, self.scene)):
            if at in chosen:
                still = self.paint(at, lang, legend, now)
                moving = gliding and self.values is not None
                for chips in chips_of(self.story, self.scene, at) if moving else ():
                    yield at, replace(still, parts=(*still.parts, *chips), brief=True)
                yield at, still

    def feet(self, lang: str, step: int | None = None) -> list[Painting]:
        """Return the feet of a slide; a line in the chart marks the step, if given."""
        return feet_of(self.story, self.form, self.colours, lang, step, self.first)


def feet_of(
    story: Story,
    form: Form,
    colours: Colouring | Costs | None,
    lang: str,
    step: int | None = None,
    first: int = 0,
) -> list[Painting]:
    """Return the scale of colours and the chart of memory, as far as a slide has them."""
    grown = theme.LABEL / theme.SMALL
    width = form.width / grown
    feet = [magnitude_tint.legend(width, colours, lang)] if colours else []
    if form.memory and story.memory.rows:
        feet.append(add_chart(Painting(0, width, 0, ()), story, lang, step, False, first))
    return [zoom(foot, grown) for foot in feet]


def moments(
    look: Look,
    chosen: Sequence[int],
    lang: str,
    head: str,
    moving: bool,
    gliding: bool,
) -> Iterator[Painting]:
    """Yield the picture at each chosen step (in rising order), with its sentence.

    All have one size, with room for the longest sentence. `head` is a line above the sentence. A
    moving picture also shows the line of code and the numbers, in larger letters. If `gliding`,
    values move to their boxes.
    """
    story = look.story
    bare = look.paint(0, lang)
    width, size = max(bare.width, NARROWEST), CAPTION
    if moving:
        size = max(CAPTION, bare.height / READABLE)
        width = max(width, 30 * size)
    room = width - 2 * PAD
    texts = {at: caption(story, at, look.first, lang, room, size, moving) for at in chosen}
    heads = wrap_text(head, room, size)
    lines = max(map(len, texts.values()), default=0)
    for at, frame in look.frames(texts, lang, gliding):
        painting = frame
        if look.form.memory:
            painting = add_chart(painting, story, lang, at, False, look.first)
        painting = add_lines(painting, texts[at], lines, width, heads, size)
        yield replace(painting, brief=frame.brief)


def slides(
    look: Look, chosen: Sequence[int], lang: str, lines: int, head: str, gliding: bool
) -> Iterator[Painting]:
    """Yield each chosen step (in rising order) as a slide, with room for `lines` lines of text."""
    width = look.form.width
    heads = wrap_text(head, width - 2 * PAD, TOLD)
    empty = Painting(0, width, APART, ())
    feet: dict[int, list[Painting]] = {}
    for at in chosen:
        rows = caption(look.story, at, look.first, lang, width - 2 * PAD, TOLD, whole=True)
        feet[at] = [*look.feet(lang, at), add_lines(empty, rows, lines, width, heads, TOLD)]
    for at, frame in look.frames(feet, lang, gliding, legend=False):
        yield replace(slide(frame, feet[at], width), brief=frame.brief)


def caption(
    story: Story, at: int, first: int, lang: str, widest: float, size: float, whole: bool
) -> list[Row]:
    """Return the caption of a step: its sentence; if `whole`, also its line of code and numbers.

    An error has its shapes and advice in place of numbers.
    """
    step = story.steps[at]
    sentence = wrap_text(f"{first + at + 1}  {step.text.of(lang)}", widest, size)
    rows = [Row(text) for text in sentence]
    faults = [
        Row(text, mono=True, colour="alert")
        for line in fault_lines(step.fault, lang, brief=True)
        for text in (wrap_text(line, widest, size, mono=True) if line.strip() else [line])
    ]
    if not whole:
        return rows + faults
    _, code = story.code_at(step.line)
    small = theme.shorten(code, size, widest, mono=True)
    rows.insert(0, Row(small, mono=True, colour="muted"))
    if faults:
        return rows + faults
    text = SEPARATOR.join(numbers_of(step, lang))
    shown = wrap_text(text, widest, size, mono=True)[:2]
    return rows + [Row(text, mono=True, colour="forward") for text in shown]


def numbers_of(step: Step, lang: str) -> Iterator[str]:
    """Yield the values that a step shows: `in x = [0.5, −1]`."""
    for shown in step.shown:
        text = value_line(shown.value) if shown.value is not None else NONE
        role = say(f"{shown.role}_short" if shown.role != "taken" else "taken", lang)
        if text:
            yield f"{role} {shown.name} = {text}" if shown.name != text else f"{role} {text}"


# ----- values that move --------------------------------------------------------------------------


def chips_of(story: Story, scene: Scene, at: int) -> Iterator[list[Part]]:
    """Yield the chips of a step, moment by moment: each value on its way along its wire.

    Two numbers that are added stand side by side at the end.
    """
    step = story.steps[at]
    kinds = {box.id: box.kind for box in scene.boxes}
    wires = {wire.id: wire for wire in scene.wires}
    moved: dict[str, tuple[Wire, Face]] = {}
    for name, place in moved_values({edge.id: edge for edge in story.graph.edges}, step):
        wire = wires.get(name) or wires.get(scene.alias.get(name, ""))
        entry = step.shown[place].value
        if wire and entry:
            text = value_line(entry, letters_for(entry["shape"]))
            face = Face(text, picture_of(kinds.get(wire.source, ""), entry))
            moved.setdefault(wire.id, (wire, face))
    for k in range(MOMENTS if moved else 0):
        share = k / (MOMENTS - 1)
        yield [_chip(face, point_on(wire.path, share), wire) for wire, face in moved.values()]
    faces = [face for _, face in moved.values()]
    if step.kind == "accumulate" and len(faces) == 2 and not any(face.picture for face in faces):
        (wire, _), (other, _) = moved.values()
        (x, y), (x2, _) = wire.points[-1], other.points[-1]
        both = Face(" + ".join(face.line for face in faces))
        yield from [[_chip(both, ((x + x2) / 2, y), wire)]] * ADDED


def _chip(face: Face, at: Point, wire: Wire) -> Part:
    """Return a value around a point: its picture, or its numbers."""
    x, y = at
    if face.picture:
        left, top, w, h = x - face.picture.w / 2, y - face.picture.h / 2, *face.picture[:2]
        frame = Rect(left, top, w, h, 0, "paper", wire.colour, 1.6)
        return Part("chip", (frame, Pixels(left, top, *face.picture)))
    half = theme.text_width(face.line, theme.DETAIL, mono=True) / 2 + 6
    frame = Rect(x - half, y - 9, 2 * half, 18, 9, "paper", wire.colour, 1.6)
    return Part("chip", (frame, Words(x, y + 4, face.line, theme.DETAIL, bold=True, mono=True)))


class Pictured(Told, Protocol):
    """Trace of one chapter: a part with one graph and one picture."""

    @property
    def picture(self) -> Scene: ...


class Filmed(Chaptered, Protocol):
    """Trace whose chapters have pictures."""

    @property
    def chapters(self) -> Sequence[Chapter[Pictured]]: ...


def film(
    trace: Filmed,
    chosen: Sequence[int],
    lang: str,
    color_by: str = "",
    form: Form = PLAIN,
    moving: bool = False,
) -> Iterator[Painting]:
    """Yield the picture at each chosen step of a trace (in rising order), all of one size.

    Rounds of one structure have one layout, so that boxes keep their places. All chapters share one
    scale of colours.
    """
    gliding = moving and len(chosen) <= GLIDING
    starts = [chapter_at(trace.chapters, step).first for step in chosen]
    acts = group_by_key((first, step - first) for first, step in zip(starts, chosen, strict=True))
    chapters = [chapter_at(trace.chapters, first) for first in acts]
    heads = [heading(trace, chapter).of(lang) if trace.rounds else "" for chapter in chapters]
    if form.width:
        yield from _slides_of(
            trace, chapters, list(acts.values()), heads, lang, color_by, form, gliding
        )
        return
    looks = looks_of(trace, chapters, color_by, form)

    def act(k: int) -> Iterator[Painting]:
        own = acts[chapters[k].first]
        return moments(looks[k], own, lang, heads[k], moving, gliding)

    if len(acts) == 1:
        yield from act(0)
        return
    firsts = [next(act(k)) for k in range(len(acts))]
    width, height = max(one.width for one in firsts), max(one.height for one in firsts)
    for k in range(len(acts)):
        for painting in act(k):
            yield with_room(painting, width, height)


def _slides_of(
    trace: Filmed,
    chapters: Sequence[Chapter[Pictured]],
    steps: Sequence[Sequence[int]],
    heads: Sequence[str],
    lang: str,
    color_by: str,
    form: Form,
    gliding: bool,
) -> Iterator[Painting]:
    """Yield the steps as slides, whose feet are equally tall."""
    room = form.width - 2 * PAD
    counts = [
        len(caption(chapter.trace.story, at, chapter.first, lang, room, TOLD, whole=True))
        for chapter, chosen in zip(chapters, steps, strict=True)
        for at in chosen
    ]
    head = max(len(wrap_text(text, room, TOLD)) for text in heads)
    foot = (max(counts) + head) * TOLD * LEADING + 2 * PAD + APART
    looks = looks_of(trace, chapters, color_by, form, foot)
    for look, chosen, text in zip(looks, steps, heads, strict=True):
        yield from slides(look, chosen, lang, max(counts), text, gliding)


def looks_of(
    trace: Filmed,
    chapters: Sequence[Chapter[Pictured]],
    color_by: str,
    form: Form = PLAIN,
    foot: float = 0.0,
) -> list[Look]:
    """Return the look of each chapter; `foot` is the room below the picture of a slide."""
    stories = [chapter.trace.story for chapter in chapters]
    values: list[LastValues | None] = [None] * len(stories)
    colours: Sequence[Colouring | Costs | None] = [None] * len(stories)
    widest: Sequence[Costs | LastValues | None] = values
    if color_by in COSTS:
        whole = [(chapter.trace, chapter.given) for chapter in trace.chapters]
        shown = [[c.first for c in trace.chapters].index(c.first) for c in chapters]
        colours = widest = costs_of(whole, shown, color_by, form.times)
    elif color_by:
        colours = colourings(stories, color_by)
    if form.values and color_by not in COSTS:
        values = [last_values(story) for story in stories]
        widest = values
    if form.width:
        both = zip(stories, colours, strict=True)
        feet = [feet_of(story, form, colour, "en") for story, colour in both]
        foot += max(sum(painting.height for painting in each) for each in feet)
        foot -= BARE - EDGE if foot else 0.0
    scenes = scenes_of(trace, chapters, form, widest, foot)
    costs = [each for each in colours if isinstance(each, Costs)]
    if costs:
        colours = on_one_scale(list(zip(costs, scenes, strict=True)))
    parts = zip(stories, scenes, values, colours, chapters, strict=True)
    return [Look(s, scene, form, v, c, chapter.first) for s, scene, v, c, chapter in parts]


def scenes_of(
    trace: Filmed,
    chapters: Sequence[Chapter[Pictured]],
    form: Form,
    values: Sequence[LastValues | Costs | None],
    foot: float,
) -> list[Scene]:
    """Return the scene of each chapter; rounds of one structure share a scene."""
    places = {chapter.round: k for k, chapter in enumerate(chapters) if chapter.round is not None}
    shown = [value for value in values if value is not None]
    shared: dict[int | None, Scene] = {}
    for structure in trace.structures:
        alike = [number for number in structure.rounds if number in places]
        if len(alike) > 1:
            own = [shown[places[number]] for number in alike] if shown else []
            scene = scene_in(form, structure.graph, own, foot)
            shared |= dict.fromkeys(alike, scene)

    def alone(k: int, trace: Pictured) -> Scene:
        if form.plain and not shown:
            return trace.picture
        return scene_in(form, trace.story.graph, shown[k : k + 1], foot)

    return [shared.get(each.round) or alone(k, each.trace) for k, each in enumerate(chapters)]


def with_room(painting: Painting, width: float, height: float) -> Painting:
    """Return the painting on a larger paper, centred at the top."""
    left = painting.left - (width - painting.width) / 2
    return replace(on_paper(left, width, height, painting.parts), brief=painting.brief)


def add_lines(
    painting: Painting,
    rows: Sequence[str | Row],
    lines: int,
    width: float,
    head: Sequence[str] = (),
    size: float = CAPTION,
) -> Painting:
    """Return the painting with lines of text below it; `head` comes first, in bold."""
    left = painting.left - (width - painting.width) / 2
    line = round(size * LEADING, 1)
    height = painting.height + (lines + len(head)) * line + 2 * PAD
    top = painting.height + PAD
    rule = Line(
        straight_path((left + PAD, painting.height), (left + width - PAD, painting.height)),
        "rule",
        1.0,
    )
    texts = [Row(row, bold=True) for row in head]
    texts += [row if isinstance(row, Row) else Row(row) for row in rows]
    words = [
        Words(left + PAD, top + line * (k + 0.72), row.text, size, row.colour, "start", *row[1:3])
        for k, row in enumerate(texts)
    ]
    caption = Part("caption", (rule, *words))
    return on_paper(left, width, height, [*painting.parts, caption])


def slide(picture: Painting, feet: Sequence[Painting], width: float) -> Painting:
    """Return a slide: the picture as large as fits, above the feet."""
    below = sum(foot.height for foot in feet)
    wide = picture.width - 2 * EDGE
    tall = picture.height - EDGE - (BARE if feet else EDGE)
    grown = min(width / wide, (TALL - below) / tall, LARGEST)
    large = zoom(picture, grown)
    x = (width - large.width) / 2 - large.left
    y = (TALL - below - tall * grown) / 2 - EDGE * grown
    parts = _move_parts(large, x, y)
    top = TALL - below
    for foot in feet:
        parts += _move_parts(foot, -foot.left, top)
        top += foot.height
    return on_paper(0, width, TALL, parts)


def _move_parts(painting: Painting, x: float, y: float) -> list[Part]:
    """Return the parts of a painting moved by x and y, without its paper."""
    return [
        replace(part, marks=tuple(transform(mark, 1.0, x, y) for mark in part.marks))
        for part in painting.parts
        if part.role != "paper"
    ]


def wrap_text(text: str, widest: float, size: float = CAPTION, mono: bool = False) -> list[str]:
    """Return a text broken into lines of at most `widest`."""
    return theme.wrap(make_visible(text), widest, partial(theme.text_width, size=size, mono=mono))


# ----- several pictures in one -------------------------------------------------------------------


def strip(paintings: Sequence[Painting]) -> Painting:
    """Return paintings of one size side by side, in rows."""
    wide, tall = paintings[0].width, paintings[0].height
    columns = _choose_columns(len(paintings), wide / tall)
    rows = -(-len(paintings) // columns)
    parts: list[Part] = []
    for k, painting in enumerate(paintings):
        x, y = wide * (k % columns) - painting.left, tall * (k // columns)
        parts += _move_parts(painting, x, y)
        frame = Rect(wide * (k % columns) + 4, y + 4, wide - 8, tall - 8, 8, None, "rule", 1.0)
        parts.append(Part("panel", (frame,)))
    return on_paper(0, wide * columns, tall * rows, parts)


def _choose_columns(count: int, shape: float) -> int:
    """Return the number of panels in a row: near 16 to 9, with few empty places."""

    def ugliness(columns: int) -> float:
        rows = -(-count // columns)
        return abs(log(columns * shape / rows / (16 / 9))) + 2 * (rows * columns / count - 1)

    return min(range(1, count + 1), key=ugliness)
