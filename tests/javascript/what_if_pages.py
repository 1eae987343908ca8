"""What a page says after edits, held against what minipaddle computes for the same ones."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.errors import MinipaddleError
from viz.player.book import Chapter, bind
from viz.trace import Trace
from viz.whatif.numbers import AsRecorded
from viz.whatif.program import Program
from viz.whatif.replay import Replay
from viz.whatif.what_if import Leaves, constants_of

from ..viz.unpacking import read
from .composing import what_ifs

NEAR = 1e-4  # tolerance relative to a number or its array's root mean square


class Seen(Program):
    """A program that says which arrays the page values of each chapter are."""

    def payload(self, shown: Any, *rest: Any) -> dict[str, Any]:
        self.shown = shown
        return super().payload(shown, *rest)


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
    further: tuple[Any, ...] = ()  # names of the others, where they have their own


class Edit(NamedTuple):
    """A number that is changed: its place in the order of the indices, and the new one."""

    place: Place
    at: int
    number: Any

    @property
    def index(self) -> tuple[int, ...]:
        shape = self.place.shape
        return tuple(int(i) for i in np.unravel_index(self.at, shape)) if shape else ()

    def on_page(self) -> list[list[Any]]:
        """As the page takes it, everywhere."""
        homes = [(self.place.chapter, self.place.value), *self.place.others]
        return [[chapter, value, self.at, self.number] for chapter, value in homes]

    def by_name(self) -> dict[Any, Any]:
        """As `Trace.what_if` takes it."""
        if self.place.is_one:
            return dict.fromkeys((self.place.name, *self.place.further), self.number)
        return {(self.place.name, self.index): self.number}


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
        told = bind(trace.title, chapters, trace.rounds, trace.structures, program=self.program)
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
        for name, leaf in Leaves(self.trace, before, replay.rates).leaves.items():
            home = homes.get(self.program.noted.shown_as.get(leaf.value.occurrence))
            data = leaf.value.data["data"]
            if home and data is not None and leaf.value.shape.count(0) == 0:
                yield Place(name, *home, leaf.value.shape, leaf.value.dtype, flat(data))

    def _rates(self) -> Iterator[Place]:
        """The page changes a rate in all rounds that have the same one."""
        chapters = self.book["chapters"]
        found: dict[float, list[tuple[Any, int, int]]] = {}
        for at, chapter in enumerate(self.book["what_if"]["chapters"]):
            for name, value, _ in chapter["names"]:
                if name == "lr":
                    key = ("lr", chapters[at]["round"]) if len(chapters) > 1 else "lr"
                    found.setdefault(self._number(value)[0], []).append((key, at, value))
        for number, ((key, *first), *others) in found.items():
            homes = tuple((at, value) for _, at, value in others)
            names = tuple(name for name, _, _ in others)
            yield Place(key, *first, (), "float64", [number], homes, True, names)

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
        return flat(self.book["values"][value][0])

    def edits(self, choice: random.Random) -> list[Edit]:
        """One or two numbers changed at random."""
        edits = []
        for place in choice.sample(self.places, min(len(self.places), choice.choice([1, 1, 2]))):
            at = choice.randrange(len(place.numbers))
            edits.append(Edit(place, at, other(place.numbers[at], place, choice)))
        return edits

    def changed(self, edits: Sequence[Edit]) -> Trace | None:
        """What minipaddle computes; None where it refuses an index that there is not."""
        try:
            return self.trace.what_if(
                {key: n for edit in edits for key, n in edit.by_name().items()}
            )
        except MinipaddleError:
            return None

    def judge(self, count: int, seed: int = 0) -> Tally:
        """Every number after so many edits, one after the other, is that of Python."""
        choice = random.Random(seed)
        cases = [self.edits(choice) for _ in range(count)]
        tallies = [Tally(0, 0, 0)]
        pages = what_ifs(
            self.book, [[each for e in edits for each in e.on_page()] for edits in cases]
        )
        for edits, after in zip(cases, pages, strict=True):
            changed = self.changed(edits)
            if changed is not None:
                tallies.append(self.compare(edits, after, changed))
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
                numbers = entry.get("numbers") or flat(self.book["values"][value][0])
                known = two.value.get("data") is not None and numbers != [None]
                if entry.get("stale") or entry.get("kink") or two.value.get("stale") or not known:
                    continue
                compared += 1
                assert near(numbers, flat(two.value["data"])), (changes, at, one.name, one.role)
        return Tally(compared, stale, unsure)

    def shown_in(self, chapter: int) -> list[int | None]:
        """The page values that the steps of a chapter show, in order."""
        told = self.book["chapters"][chapter]
        steps = read(self.book, told["steps"], told["graph"])
        return [shown["value"] for step in steps for shown in step["shown"]]


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


def near(ours: Sequence[Any], theirs: Sequence[Any], whole: Sequence[Any] = ()) -> bool:
    """Whether numbers are equal, as far as two ways of computing can be; of a `whole` array these
    may be some."""
    one, two, array = (
        np.array([float(each) for each in some])
        for some in (ours, theirs, whole if len(whole) else theirs)
    )
    finite = array[np.isfinite(array)]
    size = np.sqrt(np.mean(np.square(finite))) if finite.size else 0.0
    with np.errstate(invalid="ignore"):
        same = (one == two) | (np.isnan(one) & np.isnan(two))
        return bool(np.all(same | (np.abs(one - two) <= NEAR * np.maximum(np.abs(two), size))))
