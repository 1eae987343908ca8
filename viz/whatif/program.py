"""The computation behind a page: instructions, and the content of their leaves.

The records of a trace are replayed once, on traced arrays, which list instructions. The
instructions are cut into chapters (`chapters.py`), parts of a trace with one graph each; each value
that a page shows is an array of a chapter.
"""

from __future__ import annotations

import base64
import marshal
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.events import Seen, UpdateRule
from minipaddle.messages import EMPTY, Message
from minipaddle.ops.recording_arrays import Traced, TracedNumber, Untraceable, record_with

from ..document.values import Entry, is_zero, little_endian, summary
from .called_with import CalledWith
from .chapters import parts_of
from .constants import Constant, Constants, Place
from .datum import Datum
from .instructions import State
from .listing import Listing
from .numbers import AsRecorded, Content, array_of, content_of, fits, is_telling
from .replay import Replay
from .what_if import WHY, losses_of

WHOLE = 1 << 20  # bytes of leaves that a page may contain beside its values
ROUNDING = 4e-6  # size, relative to its summands, of a gradient that is nothing but rounding
STEPS = 16  # most learning rates by which rounding may change an update
SMALL_LEAF = 64  # bytes up to which a leaf is not counted
RATE = "lr"
FAILED = Message("this recording cannot be computed once more, so its numbers cannot be changed")
TOO_LARGE = Message(
    "its numbers cannot be changed: what they are computed from is too large for a page"
)
# Reasons why a number on a page is stale, or cannot be changed.
REASONS = {
    **WHY,
    "page": Message("the page cannot compute this operator"),
    "asked": Message("an operator asked for a value that has changed, and may go another way now"),
    "measured": Message("it was measured with the recorded numbers"),
    "constant": Message(
        "the page cannot compute this operator with another number; trace.what_if in Python can"
    ),
    "computed": Message("it is computed from other values, so it follows them"),
}


class Difference(NamedTuple):
    """Difference of two arrays' states."""

    before: State
    after: State


class ConstantUse(NamedTuple):
    """A constant in a chapter, and the records that are computed with the constant."""

    number: CalledWith
    records: list[int]


class Named(NamedTuple):
    """A number that no record has as a value; without records, a learning rate of all updates."""

    name: str
    entry: Entry
    records: list[int]


FIXED = "fixed"  # identity of a value that never changes
Identity = State | Difference | str | None


class NotedNumbers(AsRecorded):
    """Traced numbers of a replay; `borders` are the records at which later chapters begin."""

    def __init__(self, borders: Iterable[int]) -> None:
        self.listing = Listing()
        self.borders = frozenset(borders)
        self.shown_as: dict[int, State] = {}  # occurrence of a value -> state of its array
        self.known_states: set[State] = set()
        self.sources: dict[int, Any] = {}  # leaf array -> its content
        self.rates: dict[tuple[int, float], TracedNumber] = {}  # (chapter, rate) -> traced rate
        self.constants: dict[Place, dict[str, Constant]] = {}  # place -> {attribute: constant}
        self.called: dict[tuple[int, str], ConstantUse] = {}  # (chapter, name) -> constant
        self.refused: set[str] = set()  # names of constants that a page cannot change
        self.inputs: set[int] = set()  # leaf arrays that a page can change
        self.before: Traced | None = None  # array that is stale if an earlier chapter has changed
        self.began = 0  # number of leaves in earlier chapters
        self.computed: dict[Content, Traced] = {}  # content -> computed array
        self.noise: dict[State, float] = {}  # array that is only rounding -> size of the rounding
        self.last_rate = -1, 0.0  # last update's record and learning rate
        self.room = WHOLE
        self.failed_at = -1
        self.writes_before: list[dict[int, int]] = [{}]  # chapter -> {memory: earlier writes}
        super().__init__()

    @property
    def record(self) -> int:
        """Index of the record that is being replayed."""
        return self._record

    @record.setter
    def record(self, at: int) -> None:
        self._record = at
        if at in self.borders:
            self.before = self.add_witness()
            self.began = len(self.sources)
            self.listing.cuts.append(len(self.listing.code))
            self.writes_before.append(dict(self.listing.writes))

    @property
    def chapter(self) -> int:
        return len(self.listing.cuts) - 1

    # ----- leaves -----

    def leaf(self, value: Any, seen: Seen | None, free: bool = False) -> Datum:
        array = self.content(value)
        if array is None:
            return Datum(None)
        if free:
            seen = None  # an op without inputs made it: equal numbers elsewhere are a coincidence
        same = self.computed.get(content_of(array)) if seen and is_telling(array) else None
        made_from: list[Traced] | None = None
        if same is not None:  # probably a copy made with NumPy
            made_from = [same]
        elif seen and not seen.leaf:  # the result of unrecorded work
            made_from = self.all_sources()
        made = self.add_array(value, array, made_from)
        self.inputs.add(made._number)
        return Datum(made)

    def content(self, value: Any) -> Any:
        """Return the array of a value, or None if not stored or the page has no room for it."""
        array = array_of(value)
        if array is not None and value.data["data"] is None:
            self.room -= array.nbytes
            return array if self.room >= 0 else None
        return array

    def add_array(
        self, value: Any, array: Any, made_from: Iterable[Traced] | None, why: str = "python"
    ) -> Traced:
        """Add an array with its content; if `made_from` others, it is stale once they change."""
        listing = self.listing
        if made_from is None:
            made = listing.leaf(array)
        else:
            made = listing.kept(array, made_from, why)
        self.sources[made._number] = value
        return made

    def all_sources(self) -> list[Traced]:
        """Return arrays of which one changes or is stale if any leaf so far has changed."""
        listing = self.listing
        here = [Traced(listing.arrays[n], n) for n in [*self.sources][self.began :]]
        return [*here, *([self.before] if self.before is not None else [])]

    def add_witness(self) -> Traced:
        """Add an array that is stale once any leaf has changed."""
        made = self.listing.kept(np.zeros((), "int8"), self.all_sources())
        self.sources[made._number] = 0.0
        return made

    def linked(self, seen: Seen, candidates: Sequence[Datum]) -> Datum | None:
        known: Any = seen.value
        same = {each.array._number: each for each in candidates if fits(each.array._array, known)}
        if len(same) < 2:
            return next(iter(same.values()), None)
        array = array_of(known)
        if array is None:
            return None
        return Datum(self.add_array(known, array, [each.array for each in same.values()]))

    def rate(self, event: events.ParameterUpdated, follows: UpdateRule, dtype: Any) -> Any:  # noqa: ARG002
        self.last_rate = self.record, event.rate
        if follows.factor != 1.0:
            return event.rate
        key = self.chapter, event.rate
        if key not in self.rates:
            self.rates[key] = TracedNumber(event.rate, self.number(event.rate))
        return self.rates[key]

    def number(self, number: float) -> int:
        """Add a leaf for a number that is no tensor; return the leaf's number."""
        leaf = self.listing.leaf(np.float64(number))
        self.inputs.add(leaf._number)
        self.sources[leaf._number] = number
        self.listing.snapshot(leaf)
        return leaf._number

    # ----- computed values -----

    def kept(
        self, value: Any, made_from: Iterable[Datum | None] | None = (), why: str = "python"
    ) -> Any:
        array = self.content(value)
        if array is None:
            return None
        arrays = [] if made_from is None else [each.array for each in made_from if each]
        sources = self.all_sources() if made_from is None else [x for x in arrays if x is not None]
        if self.failed_at == self.record:
            why = "page"
        if any(each is None for each in arrays):
            why, sources = "large", [*sources, *self.all_sources()]
        return self.add_array(value, array, sources, why)

    def attributes(self, place: Any, recorded: Any, read: Sequence[Datum] = ()) -> Any:
        """Return the attributes, or None if Python read one of them from a tensor."""
        if read:
            self.refused.update(each.name for each in self.constants.get(place, {}).values())
        return None if read else recorded

    def attempts(self, place: Any, attrs: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield attributes with all changeable constants, then fewer, and at last with none."""
        own = self.constants.get(place, {})
        while free := {key: each for key, each in own.items() if each.name not in self.refused}:
            numbers = {key: self.called_with(each) for key, each in free.items()}
            yield {**attrs, **numbers}
            hinder = [free[key].name for key, number in numbers.items() if number.hinders]
            self.refused.update(hinder or (each.name for each in free.values()))
        yield attrs

    def give_up_refused(self) -> None:
        """Make constants unchangeable that some kernel could not be traced with."""
        for (_, name), (number, _) in self.called.items():
            if name in self.refused:
                self.inputs.discard(number.leaf)

    def called_with(self, constant: Constant) -> CalledWith:
        key = self.chapter, constant.name
        if key not in self.called:
            leaf = self.number(constant.number)
            number = CalledWith(constant.number, leaf, constant.op.name, constant.attribute)
            self.called[key] = ConstantUse(number, [])
        number, records = self.called[key]
        records.append(self.record)
        return number

    def array(self, plain: Any, made_from: Sequence[Datum] = ()) -> Any:
        if not made_from:
            return self.listing.constant(plain)
        made = self.listing.kept(plain, [each.array for each in made_from])
        self.sources[made._number] = plain
        return made

    def follows(self, value: Any, array: Any, made_from: Iterable[Datum | None] = ()) -> str:
        """Return "" if a computed array is a value up to rounding, else why they differ."""
        if fits(array._array, value):
            return ""
        known = array_of(value)
        if known is None or known.shape != array.shape or known.dtype != array.dtype:
            return "python"
        if known.dtype.kind != "f" or not known.size:
            return "python"
        sources = [each.array for each in made_from if each is not None and each.array is not None]
        summed = min((size for each in sources if (size := size_of(each))), default=0.0)
        noise = [self.noise.get(self.listing.state(each), 0.0) for each in (array, *sources)]
        slack = max(ROUNDING * summed / known.size, 4 * max(noise))
        off = known - array._array
        if np.all(np.abs(off) <= slack):
            self.noise[self.listing.state(array)] = slack
            return ""
        at, rate = self.last_rate
        if at == self.record and any(noise) and np.all(np.abs(off) <= STEPS * rate):
            # The update amplified mere rounding: add the difference, to get the recorded result.
            leaf = self.listing.leaf(off)
            self.sources[leaf._number] = off
            array += leaf
            return ""
        return "python"

    def shown(self, value: Any, datum: Datum) -> None:
        array = datum.array
        if array is None:
            return
        self.listing.snapshot(array)
        state = self.shown_as[value.occurrence] = self.listing.state(array)
        if state not in self.known_states:
            self.known_states.add(state)
            self.computed.setdefault(content_of(array._array), array)

    def call(self, number: int, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except Untraceable:
            self.failed_at = self.record
            return None
        except Exception:  # noqa: BLE001  (an op of another version may fail in any way)
            self.failed.add(number)
            return None


def size_of(array: Traced) -> float:
    """Return the root mean square of an array times its number of elements; 0 if not floating."""
    if array.dtype.kind != "f" or not array.size:
        return 0.0
    return float(np.sqrt(np.mean(np.square(array._array, dtype=float)))) * float(array.size)


class Program:
    """A replay of a trace as instructions, and the payload with which a page computes.

    `firsts`: the records with which chapters begin.
    """

    def __init__(
        self, records: Sequence[Any], firsts: Sequence[int], constants: Constants | None = None
    ) -> None:
        self.records, self.firsts = records, [0, *firsts[1:]]
        self.noted = NotedNumbers(firsts[1:])
        self.noted.constants = constants.by_place() if constants else {}
        self.listing = self.noted.listing
        self.left_out = EMPTY
        try:
            with record_with(self.listing):
                Replay(self.noted, records, plainly=True).walk()
        except Exception:  # noqa: BLE001  (a document need not come from a recording)
            self.left_out = FAILED
        self.noted.give_up_refused()

    def identity(self, value: Mapping[str, Any]) -> Identity:
        """Return the state that a page value has, a difference, or FIXED; None if it has none."""
        if not isinstance(value, Entry):
            return FIXED if is_zero(value) else None
        states, where = self.noted.shown_as, value.occurrence
        if isinstance(where, tuple):
            before, after = (states.get(each) for each in where)
            return before and after and Difference(before, after)
        return None if where is None else states.get(where)

    def slopes(self) -> Iterator[tuple[int, State | None, State | None]]:
        """Yield (chapter, state of a leaf, state of its gradient), and (chapter, None, state) of
        losses.
        """
        states, losses = self.noted.shown_as, losses_of(self.records)
        for at, event in enumerate(self.records):
            chapter = bisect_right(self.firsts, at) - 1
            if at in losses:
                yield chapter, None, states.get(losses[at].occurrence)
            if isinstance(event, events.LeafReached):
                both = event.tensor.value, event.grad
                one, other = (states.get(each.occurrence) for each in both)  # type: ignore[attr-defined]
                yield chapter, one, other

    def named(self, chapter: int) -> list[Named]:
        """Return the learning rates and the constants of a chapter, which no record has as values.

        Refused constants are included, since the page says why they cannot be changed.
        """
        return self._named.get(chapter, [])

    @cached_property
    def _named(self) -> dict[int, list[Named]]:
        found = defaultdict[int, list[Named]](list)
        for (at, _), rate in self.noted.rates.items():
            found[at].append(Named(RATE, self.entry_of(rate._array, rate._number), []))
        for (at, name), (number, records) in self.noted.called.items():
            found[at].append(Named(name, self.entry_of(number._array, number.leaf), records))
        return found

    def entry_of(self, plain: Any, leaf: int) -> Entry:
        """Return a number as a page's value, whose array is a leaf."""
        occurrence = -1 - leaf
        self.noted.shown_as[occurrence] = leaf, 0
        made = {"shape": [], "dtype": "float64", "data": float(plain)}
        entry = Entry(made, stats=summary(np.float64(plain)))
        entry.occurrence = occurrence
        return entry

    def payload(
        self,
        shown: Sequence[Mapping[int, Identity]],
        names: Sequence[Sequence[list[Any]]],
        has_numbers: Callable[[int], bool],
    ) -> dict[str, Any]:
        """Return the instructions of all chapters, and the content of their leaves.

        `shown`: for each chapter the identities of its page values; `names`: rows of a name, a
        value and steps; `has_numbers`: whether a page value has its elements on the page.
        """
        why = {reason: text.by_language() for reason, text in REASONS.items()}
        base: dict[str, Any] = {"codes": [], "chapters": [], "why": why, "left_out": None}
        if not self.left_out.en:
            payload = Payload(self, shown, names, has_numbers)
            chapters = [payload.chapter(number) for number in range(len(payload.parts))]
            if payload.size <= WHOLE:
                return {**base, "codes": payload.codes, "chapters": chapters}
        left_out = self.left_out if self.left_out.en else TOO_LARGE
        return {**base, "left_out": left_out.by_language()}


def states_of(what: Identity) -> tuple[State, ...]:
    if isinstance(what, Difference):
        return tuple(what)
    return () if what is None or isinstance(what, str) else (what,)


class Payload:
    """Part of a page's payload: the instructions of its chapters."""

    def __init__(
        self,
        program: Program,
        shown: Sequence[Mapping[int, Identity]],
        names: Sequence[Sequence[list[Any]]],
        has_numbers: Callable[[int], bool],
    ) -> None:
        self.noted, self.listing = program.noted, program.listing
        self.shown, self.names = shown, names
        self.codes: list[dict[str, Any]] = []
        self.places: dict[bytes, int] = {}  # marshalled code -> index in `codes`
        latest: dict[State, int] = {}
        own: dict[tuple[State, int], int] = {}
        for (state, chapter), array in self.listing.snapshots.items():
            latest[state] = own[state, chapter - 1] = array
        self.arrays = [  # one dict per chapter: state on the page -> array with its content
            {
                state: own.get((state, chapter), latest[state])
                for what in each.values()
                for state in states_of(what)
            }
            for chapter, each in enumerate(shown)
        ]
        self.parts = parts_of(self.listing, [each.values() for each in self.arrays])
        self.values: dict[State, int] = {}  # state -> page value that has its elements
        for each in shown:
            for value, what in each.items():
                if states_of(what) == (what,) and has_numbers(value):
                    self.values.setdefault(what, value)  # type: ignore[arg-type]
        self.found: dict[int, list[tuple[State | None, State | None]]] = {}
        for chapter, leaf, what in program.slopes():
            self.found.setdefault(chapter, []).append((leaf, what))
        self.size = 0

    def chapter(self, number: int) -> dict[str, Any]:
        """Return the payload of one chapter."""
        part, arrays, shown = self.parts[number], self.arrays[number], self.shown[number]
        values, fixed = [], []
        for value, what in shown.items():
            here = [part.numbers[arrays[state]] for state in states_of(what)]
            if isinstance(what, Difference):
                one, other = (part.instructions.arrays[each] for each in here)
                made = part.instructions.make("map", one - other, "subtract", here)
                here = [made._number]
            if here:
                values.append([value, here[0]])
            elif what == FIXED:
                fixed.append(value)
        inputs = [
            [value, *where]
            for value, what in shown.items()
            if (where := self.input_of(number, what)) is not None
        ]
        leaves = [[here, self.source(whole)] for whole, here in part.given]
        leaves += [[here, {"of": [*link]}] for here, link in part.links.items()]
        code = part.instructions.packed()
        place = self.places.setdefault(marshal.dumps(code, 2), len(self.codes))
        if place == len(self.codes):
            self.codes.append(code)
        return {
            "code": place,
            "leaves": leaves,
            "values": values,
            "inputs": inputs,
            "fixed": fixed,
            "names": self.names[number],
            **self.slopes(number),
        }

    def slopes(self, number: int) -> dict[str, Any]:
        """Return pairs of page values, leaf and gradient, and the value of the last loss."""
        values = {what: value for value, what in self.shown[number].items()}
        grads: dict[int, int] = {}
        loss = None
        for leaf, what in self.found.get(number, ()):
            if leaf is None:
                loss = values.get(what, loss)
            elif leaf in values and what in values:
                grads[values[leaf]] = values[what]
        return {"grads": [*map(list, grads.items())], "loss": loss}

    def source(self, number: int) -> dict[str, Any]:
        """Return the page value that has a leaf's elements, or the elements themselves."""
        value = self.values.get((number, 0))
        if value is not None:
            return {"value": value}
        array = self.listing.arrays[number]
        if array.dtype == bool:
            array = array.astype("uint8")
        data = little_endian(array)
        self.size += len(data) if len(data) > SMALL_LEAF else 0
        return {"whole": base64.b64encode(data).decode("ascii")}

    def input_of(self, chapter: int, what: Identity) -> tuple[int, int] | None:
        """Return the chapter and the leaf in which a page value can be changed, or None."""
        if not isinstance(what, tuple) or isinstance(what, Difference):
            return None
        number, written = what
        while True:
            part = self.parts[chapter]
            here = part.numbers.get(number)
            if here is None or number in self.listing.bases:
                return None
            link = part.links.get(here)
            if link is None:
                first = number in self.noted.inputs and not written
                return (chapter, here) if first else None
            if self.noted.writes_before[chapter].get(number, 0) != written:
                return None
            if written:
                return chapter, here
            chapter = link.chapter
