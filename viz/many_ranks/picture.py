"""The picture of many ranks: a column for each, time downwards, collectives as bars across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log
from operator import itemgetter

from minipaddle.messages import Message

from .. import theme
from ..draw.paint import Line, Mark, Painting, Part, Patch, Rect, Words, on_paper
from ..language.words import say
from ..layout.curves import cornered_path, straight_path
from .collectives import Collective
from .columns import (
    Column,
    Slot,
    Value,
    columns_of,
    ends_in,
    gather_boxes,
    halves_in,
    links,
    runs_by_op,
    runs_by_phase,
)
from .score import Score
from .sentences import names_of, sentence, title

EDGE = 26.0  # margin of the picture
NAMES, CELLS = 200.0, 104.0  # width of names, and of the numbers of one rank
ALONE = 224.0  # width of the column of a single rank
ASIDE = 26.0  # part of ALONE that is reserved for wires
BETWEEN = 44.0  # space between columns, for wires
PANELS = 64.0  # space between panels
HEAD = 62.0  # height of the names of lane and ranks
CODE, ROW, STRIP = 17.0, 17.0, 25.0  # heights: a line of code, a line of values, a bar's title
PAD = 5.0  # space inside boxes, above and below
GAP = 8.0  # space between rows
AIR = 20.0  # space above and below a bar, for arrows
OUT, STEP = 9.0, 4.0  # overhang of a PyLayer's frame, and how much less each inner frame has
LABEL, SMALL = 12.0, 10.0
SHAPE = 16 / 9  # width by height of a picture that is not cut into more panels
MOST = 6  # maximum number of panels

COMES_NOT = Message("does not come")
ARROW = 4.5


@dataclass
class Track:
    """Place of a column in a panel."""

    column: Column
    x: float
    w: float

    @property
    def alone(self) -> bool:
        return len(self.column.ranks) == 1

    def middle(self, at: int) -> float:
        """Return the middle of a rank's numbers."""
        if self.alone:
            return self.x + self.w / 2
        return self.x + NAMES + CELLS * (at + 0.5)

    def port(self, at: int) -> float:
        """Return the x of a rank's wires; those of a single rank are beside its lines of code."""
        return self.x + self.w - ASIDE / 2 if self.alone else self.middle(at)


@dataclass
class Panel:
    """Some rows of all columns, drawn from top to bottom."""

    rows: range
    phases: tuple[str, ...]
    tracks: list[Track]
    tops: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    height: float = 0.0

    @property
    def right(self) -> float:
        return self.tracks[-1].x + self.tracks[-1].w


class Picture:
    """Picture of a score: the places of its rows, columns and panels."""

    def __init__(self, score: Score, fold: bool, brief: bool = False) -> None:
        self.score = score
        self.columns = gather_boxes(
            score, columns_of(score, fold), runs_by_phase if brief else runs_by_op
        )
        self.width = sum(map(width_of, self.columns)) + BETWEEN * (len(self.columns) - 1)
        self.codes, self.boxes = self.measure()
        self.open_at = open_before(self.columns, score.count)
        self.panels = self.lay_out()

    # ----- places --------------------------------------------------------------------------------

    def measure(self) -> tuple[dict[int, float], dict[int, float]]:
        """Return the room for lines of code and the height of boxes, both by row."""
        codes: dict[int, float] = {}
        boxes: dict[int, float] = {}
        for row in range(self.score.count):
            slots = [column.slots[row] for column in self.columns if row in column.slots]
            codes[row] = CODE if any(slot.code for slot in slots) else 0.0
            bars = [slot for slot in slots if slot.form == "bar"]
            heights = [height_of(slot) for slot in slots]
            boxes[row] = max([*heights, *([tall_bar(bars)] if bars else [])], default=0.0)
        return codes, boxes

    def tall(self, row: int) -> float:
        """Return the height of a row."""
        return self.codes[row] + self.boxes[row] + GAP if self.boxes[row] else 0.0

    def lay_out(self) -> list[Panel]:
        """Return panels side by side: forward, then the rest, tall ones split."""
        spans = phases(self.columns, self.score.count)
        while len(spans) < MOST:
            tallest = max(spans, key=self.room)
            if len(tallest) < 2:
                break
            at = spans.index(tallest)
            more = [*spans[:at], *self.halves(tallest), *spans[at + 1 :]]
            if self.ugliness(more) >= self.ugliness(spans):
                break
            spans = more
        panels = []
        x = EDGE
        for rows in spans:
            panels.append(self.panel(rows, x))
            x += self.width + PANELS
        return panels

    def room(self, rows: range) -> float:
        """Return the height of some rows."""
        return sum(map(self.tall, rows))

    def ugliness(self, spans: Sequence[range]) -> float:
        """Return how far panels are from the shape of a slide."""
        wide = len(spans) * (self.width + PANELS)
        return abs(log(wide / (HEAD + max(map(self.room, spans))) / SHAPE))

    def halves(self, rows: range) -> list[range]:
        """Return rows split into two spans of similar height, outside of PyLayers if possible."""
        half, above = self.room(rows) / 2, 0.0
        places: list[tuple[int, float, int]] = []
        for row in rows[1:]:
            above += self.tall(row - 1)
            places.append((self.open_at[row], abs(above - half), row))
        fair = [place for place in places if place[1] <= half / 3] or places
        at = min(fair)[2]
        return [range(rows.start, at), range(at, rows.stop)]

    def panel(self, rows: range, x: float) -> Panel:
        """Return a panel whose left edge is at x."""
        tracks = []
        for column in self.columns:
            tracks.append(Track(column, x, width_of(column)))
            x += width_of(column) + BETWEEN
        found = [c.slots[row].step.phase for row in rows for c in self.columns if row in c.slots]
        panel = Panel(rows, tuple(dict.fromkeys(found)), tracks)
        y = EDGE + HEAD
        for row in rows:
            panel.tops[row] = y + self.codes[row]
            panel.heights[row] = self.boxes[row]
            y += self.tall(row)
        panel.height = y
        return panel

    # ----- marks ---------------------------------------------------------------------------------

    def painting(self, lang: str) -> Painting:
        """Return the whole picture."""
        width = max(panel.right for panel in self.panels) + EDGE
        height = max(panel.height for panel in self.panels) + EDGE / 2
        parts: list[Part] = []
        for panel in self.panels:
            parts += self.heads(panel, lang)
            parts += self.bands(panel, lang)
        for panel in self.panels:
            parts += self.frames(panel, lang)
            parts += self.wires(panel)
            parts += self.spans(panel, lang)
            parts += self.bars(panel, lang)
            for track in panel.tracks:
                for row in panel.rows:
                    slot = track.column.slots.get(row)
                    if slot is not None and slot.form in ("box", "pill", "error"):
                        parts.append(self.box(panel, track, slot, lang))
            parts += self.lines(panel)
        return on_paper(0, width, height, parts)

    def heads(self, panel: Panel, lang: str) -> Iterator[Part]:
        """Yield the head of a panel."""
        words = " · ".join(say(name, lang) for name in panel.phases)
        tone = theme.accent(panel.phases[0] if panel.phases else "")
        left, right = panel.tracks[0].x, panel.right
        rule = Line(straight_path((left, EDGE + 22), (right, EDGE + 22)), tone, 1.2)
        name = Words(left, EDGE + 14, f"{words} ↓", 14, tone, "start", bold=True)
        yield Part("lane", (name, rule), kind="+".join(panel.phases))

    def bands(self, panel: Panel, lang: str) -> Iterator[Part]:
        """Yield a band for each rank from top to bottom, with its name."""
        top, bottom = EDGE + 30, panel.height - GAP / 2
        for track in panel.tracks:
            ranks = track.column.ranks
            if not track.alone:
                who = names_of(ranks).of(lang)
                y = EDGE + 48
                yield Part("head", (Words(track.x + 10, y, who, 13, "ink", "start", bold=True),))
            for at, rank in enumerate(ranks):
                wide = track.w if track.alone else CELLS
                left = track.middle(at) - wide / 2
                shade = Rect(left + 1, top, wide - 2, bottom - top, 8, "plain")
                who = names_of([rank]).of(lang)
                name = Words(track.middle(at), EDGE + 48, who, 13 if track.alone else 12, "ink")
                yield Part("column", (shade, name), str(rank), title=who)

    def frames(self, panel: Panel, lang: str) -> Iterator[Part]:
        """Yield the frames of PyLayers' halves, each around the boxes that run in it."""
        for track in panel.tracks:
            for slot, last, depth in sorted(halves_in(track.column), key=itemgetter(2)):
                rows = [row for row in panel.rows if slot.row <= row <= last]
                if rows:
                    yield self.frame(panel, track, slot, depth, rows, lang)

    def frame(
        self, panel: Panel, track: Track, slot: Slot, depth: int, rows: Sequence[int], lang: str
    ) -> Part:
        out = max(OUT - STEP * depth, 1.0)
        top = panel.tops[rows[0]]
        bottom = panel.tops[rows[-1]] + panel.heights[rows[-1]]
        border = Rect(track.x - out, top, track.w + 2 * out, bottom - top, 11, None, slot.tone, 1.8)
        marks: list[Mark] = [border]
        if slot.row in rows:
            name = slot.label.of(lang)
            marks.append(Words(track.x + 4, top + 15, name, LABEL, slot.tone, "start", bold=True))
        return Part("frame", tuple(marks), self.name(track, slot), title=slot.label.of(lang))

    def name(self, track: Track, slot: Slot) -> str:
        """Return the id of a part: its ranks and its row, or the first and the last of its rows."""
        since = "" if slot.since is None else f"{slot.since}-"
        return f"{'+'.join(map(str, track.column.ranks))}.{since}{slot.row}"

    # ----- collectives ---------------------------------------------------------------------------

    def bars(self, panel: Panel, lang: str) -> Iterator[Part]:
        for each in self.score.collectives:
            rows = {slot.row for t in panel.tracks for slot in t.column.slots.values()
                    if slot.collective is each}  # fmt: skip
            for row in sorted(rows & {*panel.rows}):
                yield self.bar(panel, each, row, lang)

    def bar(self, panel: Panel, each: Collective, row: int, lang: str) -> Part:
        """Return a collective: the values given, its name across all columns, the values got."""
        tracks = [
            track
            for track in panel.tracks
            if (slot := track.column.slots.get(row)) and slot.collective is each
        ]
        slots = [track.column.slots[row] for track in tracks]
        tone = slots[0].tone
        top = panel.tops[row] + AIR
        given = max(len(slot.values) for slot in slots) * ROW
        strip = top + (given + PAD if given else 0.0)
        got = max(len(slot.gets) for slot in slots) * ROW
        bottom = strip + STRIP + (got + PAD if got else 0.0)
        marks: list[Mark] = []
        # neighbours share one bar, unless there is a mismatch
        runs = [[t] for t in tracks] if each.trouble else runs_of_neighbours(panel.tracks, tracks)
        for one, other in pairwise(runs):
            y = strip + STRIP / 2
            path = straight_path((one[-1].x + one[-1].w, y), (other[0].x, y))
            marks.append(Line(path, tone, 2.4, dashed=bool(each.trouble)))
        wording = title(each).of(lang)
        widest = max(runs, key=lambda run: run[-1].x + run[-1].w - run[0].x)
        for run in runs:
            left, right = run[0].x, run[-1].x + run[-1].w
            marks.append(Rect(left, top, right - left, bottom - top, 7, f"{tone}-fill", tone, 1.6))
            marks.append(Rect(left, strip, right - left, STRIP, 0 if got else 7, tone))
            if given and not got:  # round corners at the bottom only
                marks.append(Rect(left, strip, right - left, STRIP / 2, 0, tone))
            text = wording if run is widest else ""
            if each.trouble:
                call = each.calls[run[0].column.ranks[0]]
                text = " · ".join([call.op, *call.how, *call.sizes])
            if text:
                room = right - left - 16
                text = theme.shorten(text, LABEL, room, bold=True, ends=False)
                middle = (left + right) / 2
                marks.append(Words(middle, strip + 17, text, LABEL, "paper", bold=True))
        for track, slot in zip(tracks, slots, strict=True):
            y = strip - PAD - ROW * (len(slot.values) - 1)
            marks += cells(track, slot.values, y)
            marks += cells(track, slot.gets, strip + STRIP + PAD + ROW - 6)
        marks += self.absent(panel, each, strip, lang)
        return Part("collective", tuple(marks), each.id, each.name, title=wording)

    def spans(self, panel: Panel, lang: str) -> Iterator[Part]:
        """Yield lines left of columns, from the beginning of a collective to where ranks wait."""
        for track in panel.tracks:
            spans = [
                (slot, slot.collective, range(slot.begun + 1, slot.row + 1))
                for slot in track.column.slots.values()
                if slot.begun is not None and slot.collective is not None
            ]
            for lane, (slot, each, whole) in enumerate(spans):
                rows = [row for row in panel.rows if row in whole]
                if rows:
                    left = track.x - OUT - 5 - 5 * (lane % 4)
                    marks = self.span(panel, track, slot, rows, left, rows[0] == whole[0])
                    title_text = sentence(self.score, each).of(lang)
                    yield Part("span", tuple(marks), self.name(track, slot), each.id, title_text)

    def span(
        self, panel: Panel, track: Track, slot: Slot, rows: Sequence[int], x: float, begins: bool
    ) -> Iterator[Mark]:
        """Yield a line that ends at the bar, with a ring at its beginning."""
        top = panel.tops[rows[0]] - self.codes[rows[0]] - GAP / 2
        here = slot.row in rows
        bottom = panel.tops[slot.row] + AIR + PAD if here else panel.height - GAP / 2
        stations = [(x, top), (x, bottom), *([(track.x, bottom)] if here else [])]
        yield Line(tuple(cornered_path(stations)), slot.tone, 3.0)
        if begins:
            yield Rect(x - 4.5, top - 4.5, 9, 9, 4.5, "paper", slot.tone, 2.4)

    def absent(self, panel: Panel, each: Collective, y: float, lang: str) -> Iterator[Mark]:
        """Yield an empty dashed box for each column with ranks that do not come."""
        for track in panel.tracks:
            if {*track.column.ranks} & {*each.missing}:
                x, right, bottom = track.x, track.x + track.w, y + STRIP
                corners = [(right, y), (right, bottom), (x, bottom), (x, y)]
                border = cornered_path([(x + 8, y), *corners, (x + 8, y)])
                yield Line(tuple(border), "alert", 1.6, dashed=True)
                middle = x + track.w / 2
                yield Words(middle, y + 17, COMES_NOT.of(lang), LABEL, "alert", bold=True)

    # ----- boxes ---------------------------------------------------------------------------------

    def box(self, panel: Panel, track: Track, slot: Slot, lang: str) -> Part:
        top = panel.tops[slot.row]
        tall = height_of(slot)
        tone = slot.tone
        fill = "paper" if slot.form == "pill" else f"{tone}-fill"
        radius = min(tall / 2, 12.0) if slot.form == "pill" else 6.0
        marks: list[Mark] = [Rect(track.x, top, track.w, tall, radius, fill, tone, 1.3)]
        label = slot.label.of(lang)
        y = top + PAD + 12
        if slot.form == "error":
            label = theme.shorten(f"✗ {label}", LABEL, track.w - 20, bold=True, ends=False)
            marks.append(Words(track.x + 10, y, label, LABEL, tone, "start", bold=True))
        elif slot.form == "pill":
            marks += cells(track, slot.values[:1], y, bold=True)
        else:
            one = on_one_line(slot)
            names = track.w - 10 if track.alone else NAMES
            room = names - 8 if one else track.w - 20
            short = theme.shorten(label, LABEL, room, bold=True)
            marks.append(Words(track.x + 10, y, short, LABEL, "ink", "start", bold=True))
            if one:
                after = theme.text_width(short, LABEL, bold=True) + 10
                marks += cells(track, slot.values, y, after)
            else:
                marks += cells(track, slot.values, y + ROW)
        name = self.name(track, slot)
        return Part("box", tuple(marks), name, slot.form, slot.step.text.of(lang))

    def lines(self, panel: Panel) -> Iterator[Part]:
        """Yield the lines of code, each above the first box that belongs to it."""
        for track in panel.tracks:
            for row in panel.rows:
                slot = track.column.slots.get(row)
                if slot is None or not slot.code:
                    continue
                y = panel.tops[row] - 5
                room = track.w - (ASIDE if track.alone else 4)
                code = theme.shorten(slot.code, SMALL, room, mono=True)
                ground = "plain" if track.alone else "paper"
                words = Words(track.x + 2, y, code, SMALL, "muted", "start", False, True, ground)
                yield Part("code", (words,))

    # ----- wires ---------------------------------------------------------------------------------

    def wires(self, panel: Panel) -> Iterator[Part]:
        """Yield wires from makers of a collective's tensors and to readers of its results."""
        for track in panel.tracks:
            ends = ends_in(self.score, track.column.ranks)
            slots = [track.column.slots[r] for r in panel.rows if r in track.column.slots]
            drawn: set[tuple[int, int]] = set()
            lane = 0
            for at, slot in enumerate(slots):
                for other, into in links(slots, at, ends) if slot.form == "bar" else ():
                    first, last = (other, at) if into else (at, other)
                    if (first, last) in drawn:  # a wire between two bars is found twice
                        continue
                    drawn.add((first, last))
                    tight = all(s.form in ("open", "close") for s in slots[first + 1 : last])
                    route = self.straight if tight else self.around
                    marks = route(panel, track, slots[first], slots[last], lane)
                    lane += not tight
                    side = "in" if into else "out"
                    name = f"{self.name(track, slot)}.{side}"
                    yield Part("wire", tuple(marks), name, "collective")

    def straight(
        self, panel: Panel, track: Track, one: Slot, other: Slot, _lane: int
    ) -> Iterator[Mark]:
        """Yield an arrow down for each rank."""
        start, end = bottom_of(panel, one), top_of(panel, other)
        if other.code and other.form != "bar" and not track.alone:
            end -= CODE  # end above the line of code
        tone = (one if one.form == "bar" else other).tone
        for at in range(len(track.column.ranks)):
            x = track.port(at)
            yield Line(straight_path((x, start), (x, end - 6)), tone, 1.8)
            yield Patch(((x, end), (x - ARROW, end - 8), (x + ARROW, end - 8)), tone)

    def around(
        self, panel: Panel, track: Track, one: Slot, other: Slot, lane: int
    ) -> Iterator[Mark]:
        """Yield an arrow past the boxes between, at the right of the column."""
        start, end = bottom_of(panel, one) - 9, top_of(panel, other)
        tone = (one if one.form == "bar" else other).tone
        x = track.x + track.w
        out = x + 12 + 5 * (lane % 3)
        if other.form == "bar" and continues_right(panel, track, other):
            stations = [(x, start), (out, start), (out, end - 6)]
            tip = ((out, end), (out - ARROW, end - 8), (out + ARROW, end - 8))
        else:
            end += 9
            stations = [(x, start), (out, start), (out, end), (x + 6, end)]
            tip = ((x, end), (x + 8, end - ARROW), (x + 8, end + ARROW))
        yield Line(tuple(cornered_path(stations)), tone, 1.8)
        yield Patch(tip, tone)


def open_before(columns: Sequence[Column], count: int) -> list[int]:
    """Return the number of PyLayers of all columns that are open above each row."""
    opened = [0] * (count + 1)
    for column in columns:
        now = 0
        for row in range(count):
            opened[row] += now
            slot = column.slots.get(row)
            now += 0 if slot is None else (slot.form == "open") - (slot.form == "close")
    return opened


def phases(columns: Sequence[Column], count: int) -> list[range]:
    """Return the rows before the first backward step, and the rows from there on."""
    firsts = [
        slot.row for c in columns for slot in c.slots.values() if slot.step.phase == "backward"
    ]
    at = min(firsts, default=0)
    return [range(at), range(at, count)] if 0 < at < count else [range(count)]


def width_of(column: Column) -> float:
    """Return the width of a column."""
    many = len(column.ranks)
    return ALONE if many == 1 else NAMES + CELLS * many


def on_one_line(slot: Slot) -> bool:
    """Return whether the value of a box is beside its label."""
    if len(slot.values) != 1:
        return not slot.values
    value = slot.values[0]
    label = theme.label_width(slot.label)
    name = theme.text_width(f"{value.name} {value.shape}", SMALL, mono=True)
    alone = len(value.numbers) == 1
    return not alone and slot.since is None and label + name + 30 <= NAMES


def tall_bar(slots: Sequence[Slot]) -> float:
    """Return the height of the bars in a row, with AIR above and below."""
    given = max(len(slot.values) for slot in slots)
    got = max(len(slot.gets) for slot in slots)
    return 2 * AIR + STRIP + sum(count * ROW + PAD for count in (given, got) if count)


def height_of(slot: Slot) -> float:
    """Return the height of a slot's box."""
    if slot.form == "open":
        return 22.0
    if slot.form == "close":
        return 5.0
    if slot.form != "box" or on_one_line(slot):
        return ROW + 2 * PAD
    return ROW * (1 + len(slot.values)) + 2 * PAD


def top_of(panel: Panel, slot: Slot) -> float:
    top = panel.tops[slot.row]
    return top + AIR if slot.form == "bar" else top


def bottom_of(panel: Panel, slot: Slot) -> float:
    if slot.form == "bar":
        return panel.tops[slot.row] + panel.heights[slot.row] - AIR
    return panel.tops[slot.row] + height_of(slot)


def cells(
    track: Track, values: Sequence[Value], y: float, after: float = 0.0, bold: bool = False
) -> Iterator[Mark]:
    """Yield lines of names and numbers; y is the base line of the first."""
    for at, value in enumerate(values):
        line = y + ROW * at
        widest = max((theme.text_width(n, SMALL, mono=True) for n in value.numbers), default=0.0)
        room = (track.w - widest - 30 if track.alone else NAMES - 16) - after
        name = name_within(value, room, bold)
        x = track.x + 10 + after
        yield Words(
            x, line, name, SMALL + bold, "ink" if bold else "muted", "start", bold, not bold
        )
        if track.alone:
            right = track.x + track.w - 10
            yield Words(right, line, value.numbers[0], SMALL, "ink", "end", mono=True)
        elif value.same:
            middle = (track.middle(0) + track.middle(len(value.numbers) - 1)) / 2
            yield from shared_number(track, line, value.numbers[0], middle)
        else:
            for rank, number in enumerate(value.numbers):
                yield Words(track.middle(rank), line, number, SMALL, "ink", mono=True)


def shared_number(track: Track, y: float, number: str, middle: float) -> Iterator[Mark]:
    """Yield a number that all ranks share, with lines to both sides across their cells."""
    half = theme.text_width(number, SMALL, mono=True) / 2 + 8
    left, right = track.x + NAMES + 8, track.x + track.w - 8
    for one, other in ((left, middle - half), (middle + half, right)):
        if other - one > 4:
            yield Line(straight_path((one, y - 3.5), (other, y - 3.5)), "line", 1.0)
    yield Words(middle, y, number, SMALL, "ink", mono=True)


def name_within(value: Value, room: float, bold: bool) -> str:
    """Return `dy [3, 2]`, with the middle of a long name left out."""
    left = room - theme.text_width(f" {value.shape}", SMALL, mono=True)
    name = theme.shorten(value.name, SMALL + bold, left, mono=not bold, bold=bold)
    return f"{name} {value.shape}".rstrip()


def runs_of_neighbours(tracks: Sequence[Track], chosen: Sequence[Track]) -> list[list[Track]]:
    """Return the chosen tracks in runs of neighbours."""
    runs: list[list[Track]] = []
    for track in chosen:
        if runs and tracks.index(track) - tracks.index(runs[-1][-1]) == 1:
            runs[-1].append(track)
        else:
            runs.append([track])
    return runs


def continues_right(panel: Panel, track: Track, slot: Slot) -> bool:
    """Return whether a bar continues at the right of a column."""
    after = panel.tracks[panel.tracks.index(track) + 1 :][:1]
    slots = [each.column.slots.get(slot.row) for each in after]
    joined = slot.collective is not None and not slot.collective.trouble
    return joined and any(each and each.collective is slot.collective for each in slots)
