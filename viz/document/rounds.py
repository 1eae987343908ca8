"""Rounds (training iterations and the like) of a recording, and excerpts with their own numbers.

An excerpt is numbered from 1 by first appearance, as a trace is: two iterations that do the same
differ only in their values, and all code that reads a trace can read one round as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, get_args

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import OutOfRange
from minipaddle.events import Value
from minipaddle.events.event_types import Argument, TensorNumber

from .codec import NUMBERED, Numbering, TensorName, damage_error, typed_fields
from .values import host

KINDS = ("training", "evaluation", "run", "marked")


class SizeMark(NamedTuple):
    """The root mean square of a parameter's new value and of its gradient."""

    tensor: TensorName
    value: float
    grad: float


Change = tuple[TensorName, Any, Any]  # parameter, new value, gradient; or their sizes instead


@dataclass(slots=True, eq=False)
class RoundMark:
    """A round as it is found while a block is recorded.

    kind: training, evaluation, run or marked; names: integer loop variables with their values.
    `first` and `last` are positions in the log, `last` excluded; they are equal if the round's
    events are not in the log. `copied` is the size of the log's copies before the round; after its
    end, of its own copies.
    """

    kind: str
    first: int
    last: int = 0
    copied: int = 0
    names: tuple[tuple[str, int], ...] = ()
    loss: float | None = None
    changes: list[Change] = field(default_factory=list)  # changed parameters
    held: dict[int, str] = field(default_factory=dict)  # tensor -> its variable at the end

    @property
    def sizes(self) -> list[SizeMark]:
        """Sizes of the changed parameters whose value and gradient are recorded."""
        sizes = map(measure, self.changes)
        return [SizeMark(*each) for each in sizes if None not in each]


def measure(change: Change) -> Change:
    """Return a change with sizes in place of values, so that the values may be freed."""
    name, value, grad = change
    with np.errstate(all="ignore"):  # the size of huge values may overflow
        return name, size_of(value), size_of(grad)


class Span(NamedTuple):
    """Events from `first` to before `last`, of a round or between rounds."""

    first: int
    last: int
    round: int | None = None


def spans_of(rounds: Sequence[Mapping[str, Any]], count: int) -> list[Span]:
    """Return spans that cover all events of a document; rounds without events have no span."""
    spans, at = [], 0
    for number, each in enumerate(rounds):
        first, last = each["events"]
        if first == last:
            continue
        spans += [Span(at, first)] if at < first else []
        spans.append(Span(first, last, number))
        at = last
    return [*spans, Span(at, count)] if at < count or not spans else spans


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """A round in a document; `events` are its first event and the event after its last."""

    kind: str
    events: tuple[int, int]
    names: tuple[tuple[str, int], ...]
    loss: float | None
    sizes: tuple[tuple[TensorName, float, float], ...]


def check_rounds(rounds: Sequence[RoundEntry], count: int) -> None:
    """Raise an error unless rounds have known kinds and follow each other in `count` events."""
    at = 0
    for i, each in enumerate(rounds):
        first, last = each.events
        if each.kind not in KINDS:
            raise damage_error(f"rounds[{i}].kind", f"one of {', '.join(KINDS)}", each.kind)
        if not at <= first <= last <= count:
            expected = f"[first, last], {at} to {count}"
            raise damage_error(f"rounds[{i}].events", expected, list(each.events))
        at = last


def real(number: Any) -> Any:
    """Return a document's number, which may be a text for NaN or infinity, as a float."""
    return None if number is None else float(number)


def no_round(number: int, count: int, kept: Sequence[int]) -> OutOfRange:
    """Return the error for a round without recorded steps."""
    expected, fix = f"a round from 0 to {count - 1}", "choose one of those; -1 is the last"
    if not count:
        expected = "a recording of at least two rounds"
        fix = "leave the round out, or mark rounds yourself: for x in viz.rounds(loader): ..."
    elif -count <= number < count:
        some = ", ".join(abridge(kept))
        expected = f"one of the {len(kept)} rounds whose steps were kept: {some}"
        fix = "choose one of those, or record it: viz.record(rounds=[...])"
    return OutOfRange(
        f"this trace has no steps of round {number}.",
        expected=expected,
        received=f"{number}",
        fix=fix,
    )


def abridge(numbers: Sequence[int]) -> list[str]:
    """Return numbers as texts; of six or more, the first three and the last one.

    >>> abridge([0, 10, 20]), abridge(range(0, 100, 10))
    (['0', '10', '20'], ['0', '10', '20', '…', '90'])
    """
    shown = [str(number) for number in numbers]
    return shown if len(shown) < 6 else [*shown[:3], "…", shown[-1]]


def size_of(cell: Any) -> float | None:
    """Return the root mean square of an array, a note's cell or statistics, or None if there are no
    numbers.
    """
    if cell is None or cell.__class__ is float:  # already a size
        return cell
    data: Any
    if cell.__class__ is tuple:
        _, dtype, content = cell
        data = np.frombuffer(content, dtype)
    else:
        data = cell.data if cell.__class__ is Value else cell
    if isinstance(data, dict):
        return size_of_summary(data)
    if data is None or data.size == 0 or data.dtype.kind not in "biufc":
        return None
    row = host(data).reshape(-1)
    if row.dtype.kind == "f" and row.itemsize >= 4:
        square = float(row.dot(row))
        if 1e-20 < square < 1e30:
            return math.sqrt(square / row.size)
    row = np.abs(row).astype(np.float64)
    largest = float(row.max())  # scale, so that squares do not overflow
    if not 0 < largest < math.inf:
        return largest
    return largest * math.sqrt(float(((row / largest) ** 2).mean()))


def size_of_summary(stats: dict[str, Any]) -> float | None:
    """Return the root mean square of an array, computed from its statistics."""
    if stats["nan"] or stats["inf"]:
        return math.nan if stats["nan"] else math.inf
    return None if stats["mean"] is None else math.hypot(float(stats["mean"]), float(stats["std"]))


# ----- excerpts ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some events of a trace, renumbered as a trace of their own.

    `tensors`, `scopes` and `programs` map old numbers to new ones.
    """

    records: tuple[Any, ...]
    tensors: Mapping[int, int]
    scopes: Mapping[int, int]
    programs: Mapping[int, int]

    def names(
        self, names: Mapping[int, Sequence[tuple[int, str]]]
    ) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield ((tensor, scope), name) with the excerpt's numbers, from names by old tensor."""
        absent = ((number, number) for number in names if number < 0)
        for old, new in (*self.tensors.items(), *absent):
            for scope, name in names.get(old, ()):
                if scope in self.scopes:
                    yield (new, self.scopes[scope]), name


def excerpt(records: Iterable[Any]) -> Excerpt:
    """Return records of a trace as an excerpt, renumbered."""
    records = tuple(records)
    numbering = Numbering(records)
    new = tuple(renumber(numbering, event) for event in records)
    return Excerpt(new, *map(numbering.family, ("tensor", "scope", "program")))


def renumber(numbering: Numbering, record: Any) -> Any:
    """Return a copy of a record with new numbers; parts without numbers are shared."""
    kind: Any = type(record)
    return kind(*[make(numbering, record) for make in field_copiers(kind)])


@cache
def field_copiers(kind: Any) -> tuple[Callable[[Numbering, Any], Any], ...]:
    """Return the functions that copy the fields of a record."""
    return tuple(field_copier(name, hint) for name, hint, _ in typed_fields(kind))


def field_copier(name: str, hint: Any) -> Callable[[Numbering, Any], Any]:
    if name in NUMBERED:
        return lambda numbering, record: numbering.number(name, getattr(record, name))
    if name == "id":
        return Numbering.of
    if hint == TensorNumber:
        return lambda numbering, record: numbering.shown_number(getattr(record, name))
    if hint == tuple[TensorNumber, ...]:
        return lambda numbering, record: tuple(
            numbering.shown_number(number) for number in getattr(record, name)
        )
    if holds_numbers(hint):
        return lambda numbering, record: renumber_parts(numbering, getattr(record, name))
    return lambda _, record: getattr(record, name)


@cache
def holds_numbers(hint: Any) -> bool:
    """Return whether a field of this type may hold a Seen, an Edge or a GradientTaken."""
    if hint in (events.Seen, events.Edge, events.GradientTaken, Argument):
        return True
    return any(map(holds_numbers, get_args(hint)))


def renumber_parts(numbering: Numbering, thing: Any) -> Any:
    if isinstance(thing, tuple):
        return tuple([renumber_parts(numbering, item) for item in thing])
    return None if thing is None else renumber(numbering, thing)
