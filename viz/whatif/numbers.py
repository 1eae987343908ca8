"""Numbers for a replay: the recorded ones, or changed ones."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import MinipaddleError
from minipaddle.engine.guard import override_variable
from minipaddle.events import Seen, UpdateRule
from minipaddle.optimizer.recorded_rule import Update

from ..document.values import LoadedValue, summary
from .constants import Edits
from .datum import Datum, flat
from .kinks import mark_results

NOTHING: Edits = {}
_foreign: ContextVar[bool] = ContextVar("foreign", default=False)  # are values of no op of ours
Edit = Callable[[Any], Any]  # function: a leaf's array (None if not stored) -> the new array
Content = tuple[str, tuple[int, ...], bytes]


class Leaf(NamedTuple):
    """A value that nothing in the trace made: a tensor, or a backward's seed, with `seen` None."""

    value: LoadedValue
    seen: Seen | None
    record: int

    @property
    def variable(self) -> str:
        """Name of a Program's Variable, or "" for a tensor of eager mode."""
        return self.seen.name if self.seen and self.seen.kind == "variable" else ""


class AsRecorded:
    """Recorded numbers of a replay; finds out which values follow from others.

    A replay asks this object for each array, and reports each computed value to it. Subclasses
    return changed numbers, or note the computation.
    """

    def __init__(self) -> None:
        self.arrays: dict[int, Any] = {}  # occurrence of a value -> its array
        self.kept_as_recorded: set[int] = set()  # occurrences that do not follow from sources
        self.failed: set[int] = set()  # numbers of calls that raised
        self.leaves: list[Leaf] = []
        self.links: dict[int, list[int]] = {}  # unknown tensor -> equal candidates, by index
        self.record = 0  # index of the record that is being replayed

    def leaf(self, value: Any, seen: Seen | None, free: bool = False) -> Datum:  # noqa: ARG002
        """Return a value that nothing in the trace made.

        `free`: an op without inputs made the value, so Python has not computed it from others.
        """
        self.leaves.append(Leaf(value, seen, self.record))
        return Datum(array_of(value))

    def linked(self, seen: Seen, candidates: Sequence[Datum]) -> Datum | None:
        """Return the candidate with the numbers of an unknown tensor, or None."""
        known = array_of(seen.value) if candidates else None  # type: ignore[arg-type]
        if known is None:
            return None
        same = [at for at, each in enumerate(candidates) if alike(each.array, known)]
        self.links[seen.id] = same
        return candidates[same[0]] if same else None

    def kept(
        self,
        value: Any,
        made_from: Iterable[Datum | None] | None = (),  # noqa: ARG002
        why: str = "python",  # noqa: ARG002
    ) -> Any:
        """Return the recorded array of a value that is not computed, or None if it is not stored.

        made_from: the value's sources, None for all earlier values; why: the reason.
        """
        return array_of(value)

    def array(self, plain: Any, made_from: Sequence[Datum] = ()) -> Any:  # noqa: ARG002
        """Return a plain array as the replay computes with it."""
        return plain

    def follows(
        self,
        value: Any,
        array: Any,
        made_from: Iterable[Datum | None] = (),  # noqa: ARG002
    ) -> str:
        """Return "" if a computed array is this value, else the reason why they differ."""
        if fits(array, value):
            return ""
        self.kept_as_recorded.add(value.occurrence)
        return "python"

    def shown(self, value: Any, datum: Datum) -> None:
        """Note that a record shows a datum's array as a value."""
        if datum.array is not None:
            self.arrays[value.occurrence] = datum.copy()

    def attributes(self, place: Any, recorded: Any, read: Sequence[Datum] = ()) -> Any:  # noqa: ARG002
        """Return the attributes to call an op with, or None if they are unknown.

        read: one-element tensors from which Python has read attributes, as in `x * y.item()`.
        """
        return recorded

    def attempts(self, place: Any, attrs: dict[str, Any]) -> Iterable[dict[str, Any]]:  # noqa: ARG002
        """Yield attributes to try, until the op can be called with some of them."""
        return (attrs,)

    def moved(self) -> bool:
        """Return whether any value that was shown has moved."""
        return False

    def call(self, number: int, function: Callable[..., Any], *args: Any) -> Any:
        """Return the result of a function, the `number`-th that is called, or None if it fails."""
        try:
            return function(*args)
        except Exception:  # noqa: BLE001  (an op of another version may fail in any way)
            self.failed.add(number)
            return None

    def note(self, results: Sequence[Datum | None], function: Any, args: Sequence[Any]) -> None:
        """Note the results of a function."""

    def rate(self, event: events.ParameterUpdated, follows: UpdateRule, dtype: Any) -> float:  # noqa: ARG002
        """Return the learning rate of an update."""
        return event.rate


class Changed(AsRecorded):
    """Changed numbers for some leaves, for the learning rate of some updates, and for constants.

    `edits` maps occurrences of leaves' values to edits, `rates` maps records to learning rates.
    """

    def __init__(
        self,
        before: AsRecorded,
        edits: Mapping[int, Sequence[Edit]],
        rates: Mapping[int, float],
        constants: Edits = NOTHING,
    ) -> None:
        super().__init__()  # here `arrays` has only values that moved
        self.before, self.edits, self.rates, self.constants = before, edits, rates, constants
        self.stale: dict[int, str] = {}  # occurrence -> why its value cannot be computed
        self.kinks: set[int] = set()  # occurrences of values that rounding may have decided
        self.gone: set[Content] = set()  # recorded contents of values that moved
        self.taken: dict[int, float] = {}  # record of an update -> its new learning rate
        self.started = False

    def leaf(self, value: Any, seen: Seen | None, free: bool = False) -> Datum:
        array = array_of(value)
        for edit in self.edits.get(value.occurrence, ()):
            array = np.asarray(edit(array))
        if free or seen is None:
            return Datum(array)
        telling = is_own if seen.kind == "variable" else is_telling
        if array is not None and telling(array) and content_of(array) in self.gone:
            return Datum(array, "python")  # probably a copy of a moved value, made with NumPy
        if not seen.leaf and self.started:
            return Datum(array, "python")  # the result of unrecorded work
        return Datum(array)

    def linked(self, seen: Seen, candidates: Sequence[Datum]) -> Datum | None:
        same = [candidates[at] for at in self.before.links.get(seen.id, ())]
        if same and any(not same_bits(each.array, same[0].array) for each in same):
            return Datum(array_of(seen.value), "python")  # type: ignore[arg-type]
        return same[0] if same else None

    def follows(
        self,
        value: Any,
        array: Any,
        made_from: Iterable[Datum | None] = (),  # noqa: ARG002
    ) -> str:
        if value.occurrence in self.before.kept_as_recorded:
            return "python"
        return "" if tuple(array.shape) == value.shape else "size"

    def shown(self, value: Any, datum: Datum) -> None:
        number = value.occurrence
        was = self.before.arrays.get(number)
        if datum.stale:
            self.stale[number] = datum.stale
        datum.moved = datum.array is not None and not same_bits(datum.array, was)
        if datum.moved and not datum.stale:
            self.arrays[number] = datum.copy()
        if datum.memory.mark and not datum.stale:
            self.kinks.add(number)
        if not datum.differs:
            return
        self.started = True
        recorded = array_of(value)
        if recorded is not None and number not in self.edits:
            self.gone.add(content_of(recorded))

    def attributes(self, place: Any, recorded: Any, read: Sequence[Datum] = ()) -> Any:
        if place not in self.constants:
            return None if any(each.differs for each in read) else recorded
        self.started = True
        others = self.constants[place]
        return None if others is None or recorded is None else {**recorded, **others}

    def moved(self) -> bool:
        return self.started

    def call(self, number: int, function: Callable[..., Any], *args: Any) -> Any:
        if number in self.before.failed:
            return None
        try:
            return function(*args)
        except MinipaddleError:
            raise
        except Exception:  # noqa: BLE001  (a rule that does not fit the new numbers)
            return None

    def note(self, results: Sequence[Datum | None], function: Any, args: Sequence[Any]) -> None:
        if any(each.differs or each.memory.mark for each in flat(args)):
            mark_results(results, function, args)

    def rate(self, event: events.ParameterUpdated, follows: UpdateRule, dtype: Any) -> float:
        given = self.rates.get(self.record)
        if given is None:
            return event.rate
        self.started = True
        self.taken[self.record] = Update(follows, (), (), dtype.name).rate(given, dtype)
        return self.taken[self.record]


# ----- arrays ------------------------------------------------------------------------------------


UNLIKE_NUMPY = ("bfloat16", "float8_e4m3fn", "float8_e5m2")  # dtypes of other frameworks


def array_of(value: LoadedValue) -> Any:
    """Return the array of a value, or None if only its statistics were stored."""
    data, whole = value.data["data"], value.data.get("whole")
    if value.dtype in UNLIKE_NUMPY:
        return None
    if data is not None:
        return np.array(data, value.dtype).reshape(value.shape)
    if whole is None:
        return None
    kind = np.dtype(value.dtype)
    row = np.frombuffer(base64.b64decode(whole), kind.newbyteorder("<"))
    return row.astype(kind).reshape(value.shape)


def fits(array: Any, value: LoadedValue) -> bool:
    """Return whether a computed array is a value up to rounding, at least by its statistics."""
    known = array_of(value)
    if known is not None:
        return alike(array, known)
    if array.dtype != value.dtype or array.shape != value.shape:
        return False
    stats, ours = value.data["stats"], summary(array)
    if any(stats.get(name) != ours[name] for name in ("nan", "inf", "size")):
        return False
    if stats.get("std") is None:
        return True
    slack = 1e-4 * (abs(stats["mean"]) + stats["std"]) + 1e-30
    return all(abs(stats[name] - ours[name]) <= slack for name in ("mean", "std"))


def computed_by(framework: str) -> override_variable[bool]:
    """Return a block in which values fit that another framework has rounded in its own way."""
    return override_variable(_foreign, bool(framework))


def alike(one: Any, other: Any) -> bool:
    """Return whether two arrays are equal up to rounding."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.tobytes() == other.tobytes():
        return True
    if one.dtype.kind not in "fc" or not one.size:
        return bool(np.array_equal(one, other))
    slack, least = 1e-5 if one.dtype.itemsize <= 4 else 1e-12, 0.0
    if _foreign.get():
        slack, least = 100 * slack, 0.1 * slack
    finite = other[np.isfinite(other)]
    size = np.sqrt(np.mean(np.square(np.abs(finite), dtype=float))) if finite.size else 0.0
    return bool(np.allclose(one, other, slack, slack * size + least, equal_nan=True))


def same_bits(one: Any, other: Any) -> bool:
    return other is not None and one.shape == other.shape and one.tobytes() == other.tobytes()


def content_of(array: Any) -> Content:
    return array.dtype.str, array.shape, array.tobytes()


def is_own(array: Any) -> bool:
    """Return whether another feed with equal numbers is hardly a coincidence: the elements are not
    all one whole number.

    >>> is_own(np.array([1.5])), is_own(np.array([1, 2])), is_own(np.zeros(2))
    (True, True, False)
    """
    first = array.reshape(-1)[:1]
    return bool(array.size and ((array != first).any() or (first != np.rint(first)).any()))


def is_telling(array: Any) -> bool:
    """Return whether another array with equal numbers is hardly a coincidence: some number is not
    round, no multiple of 1/64.

    >>> is_telling(np.array([1.0, 2.5])), is_telling(np.array([0.1]))
    (False, True)
    """
    if array.dtype.kind != "f":
        return False
    parts = array[np.isfinite(array)].astype(np.float64) * 64
    return bool((parts != np.rint(parts)).any())
