"""What a page says after edits, held against what minipaddle computes for the same ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.errors import MinipaddleError
from viz.player.book import Chapter, bound
from viz.trace import Trace
from viz.whatif.numbers import AsRecorded
from viz.whatif.program import Program
from viz.whatif.replay import Replay
from viz.whatif.what_if import Leaves, constants_of

from .composing import what_ifs

NEAR = 1e-4  # of the larger of a number and the root mean square of its array


class Seen(Program):
    """A program that says which arrays the page values of each chapter are."""

    def travelling(self, shown: Any, *rest: Any) -> dict[str, Any]:
        self.shown = shown
        return super().travelling(shown, *rest)


class Place(NamedTuple):
    """What can be changed: its name for Python, where it is on the page, and what it holds."""

    name: Any
    chapter: int
    value: int
    shape: tuple[int, ...]
    dtype: str
    numbers: list[Any]
    others: tuple[tuple[int, int], ...] = ()  # the same number elsewhere: chapters and values
    is_one: bool = False  # a number with a name of its own


class Tally(NamedTuple):
    """How many numbers' arrays were compared, and of how many the page does not know enough."""

    compared: int
    stale: int
    unsure: int


class Page:
    """The page of a trace, which may have rounds."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        chapters = [
            Chapter(each.trace.story, each.first, each.round, each.given - each.begins)
            for each in trace.chapters
        ]
        begins = [each.begins for each in trace.chapters]
        self.constants = constants_of(trace)
        self.program = Seen(trace.events, begins, self.constants)
        told = bound(trace.title, chapters, trace.rounds, trace.structures, program=self.program)
        self.book = json.loads(json.dumps(told))
        self.places = [*self._leaves(), *self._rates(), *self._constants()]

    def _leaves(self) -> Iterator[Place]:
        before = AsRecorded()
        replay = Replay(before, self.trace.events)
        replay.walk()
        homes = {
            self.program.shown[at][value]: (at, value)
            for at, chapter in enumerate(self.book["what_if"]["chapters"])
            for value, home, _ in chapter["inputs"]
            if home == at
        }
        for name, leaf in Leaves(self.trace, before, replay.programs.rates).leaves.items():
            home = homes.get(self.program.noted.shown_as.get(leaf.value.occurrence))
            data = leaf.value.data["data"]
            if home and data is not None and leaf.value.shape.count(0) == 0:
                yield Place(name, *home, leaf.value.shape, leaf.value.dtype, flat(data))

    def _rates(self) -> Iterator[Place]:
        chapters = self.book["chapters"]
        for at, chapter in enumerate(self.book["what_if"]["chapters"]):
            for name, value, _ in chapter["names"]:
                if name == "lr":
                    key = ("lr", chapters[at]["round"]) if len(chapters) > 1 else "lr"
                    yield Place(key, at, value, (), "float64", self._number(value), is_one=True)

    def _constants(self) -> Iterator[Place]:
        keys = {constant.name: key for key, constant in self.constants.named.items()}
        found: dict[str, list[tuple[int, int]]] = {}
        for at, chapter in enumerate(self.book["what_if"]["chapters"]):
            inputs = {value for value, *_ in chapter["inputs"]}
            for name, value, _ in chapter["names"]:
                if name in keys and value in inputs:
                    found.setdefault(name, []).append((at, value))
        for name, (first, *others) in found.items():
            number = self._number(first[1])
            yield Place(keys[name], *first, (), "float64", number, tuple(others), is_one=True)

    def _number(self, value: int) -> list[Any]:
        return flat(self.book["values"][value][1])

    def edits(self, choice: random.Random) -> tuple[list[Any], dict[Any, Any]]:
        """One or two numbers changed at random: as the page takes them, and as Python does."""
        on_page, by_name = [], {}
        for place in choice.sample(self.places, min(len(self.places), choice.choice([1, 1, 2]))):
            at = choice.randrange(len(place.numbers))
            new = other(place.numbers[at], place, choice)
            index = tuple(int(i) for i in np.unravel_index(at, place.shape)) if place.shape else ()
            homes = [(place.chapter, place.value), *place.others]
            on_page += [[chapter, value, at, new] for chapter, value in homes]
            by_name[place.name if place.is_one else (place.name, index)] = new
        return on_page, by_name

    def judge(self, count: int, seed: int = 0) -> Tally:
        """Every number after so many edits, one after the other, is that of Python."""
        choice = random.Random(seed)
        cases = [self.edits(choice) for _ in range(count)]
        tallies = [Tally(0, 0, 0)]
        pages = what_ifs(self.book, [on_page for on_page, _ in cases])
        for (_, changes), after in zip(cases, pages, strict=True):
            try:
                changed = self.trace.what_if(changes)
            except MinipaddleError:
                continue  # an index that there is not
            tallies.append(self.compare(changes, after, changed))
        return Tally(*map(sum, zip(*tallies, strict=True)))

    def compare(self, changes: Any, after: Sequence[Mapping[str, Any]], changed: Trace) -> Tally:
        moved = {(each["chapter"], each["value"]): each for each in after}
        compared = stale = unsure = 0
        for at, (mine, told) in enumerate(zip(self.trace.chapters, changed.chapters, strict=True)):
            steps = zip(mine.trace.story.steps, told.trace.story.steps, strict=True)
            pairs = [pair for one, two in steps for pair in zip(one.shown, two.shown, strict=True)]
            values = iter(self.shown_in(at))
            for one, two in pairs:
                value = next(values)
                if value is None or two.value is None:
                    continue
                entry = moved.get((at, value), {})
                stale += bool(entry.get("stale"))
                unsure += bool(entry.get("kink"))
                numbers = entry.get("numbers") or flat(self.book["values"][value][1])
                known = two.value.get("data") is not None and numbers != [None]
                if entry.get("stale") or entry.get("kink") or two.value.get("stale") or not known:
                    continue
                compared += 1
                assert near(numbers, flat(two.value["data"])), (changes, at, one.name, one.role)
        return Tally(compared, stale, unsure)

    def shown_in(self, chapter: int) -> list[int | None]:
        """The page values that the steps of a chapter show, in order."""
        packed, tables = self.book["chapters"][chapter], self.book["tables"]
        values, found = iter(packed["values"]), []
        for move in tables["ways"][packed["way"]]:
            *_, terms, entries = tables["moves"][move]
            for _ in range(terms):
                next(values)
            found += [next(values) for _ in entries]
        return found


def other(number: Any, place: Place, choice: random.Random) -> Any:
    """Another number for a place."""
    if place.dtype == "bool":
        return not number
    if place.dtype.startswith(("int", "uint")):
        return choice.choice([each for each in (0, 1, 2) if each != number])
    step = choice.choice([0.01, 0.3, -2.0])
    new = float(number) * choice.random() if place.is_one else float(number) + step
    return float(str(np.dtype(place.dtype).type(new)))


def flat(data: Any) -> list[Any]:
    return [each for row in data for each in flat(row)] if isinstance(data, list) else [data]


def near(ours: list[Any], theirs: list[Any]) -> bool:
    """Whether numbers are equal, as far as the two ways of computing can be."""
    one, two = (np.array([float(each) for each in some]) for some in (ours, theirs))
    finite = two[np.isfinite(two)]
    size = np.sqrt(np.mean(np.square(finite))) if finite.size else 0.0
    with np.errstate(invalid="ignore"):
        same = (one == two) | (np.isnan(one) & np.isnan(two))
        return bool(np.all(same | (np.abs(one - two) <= NEAR * np.maximum(np.abs(two), size))))
