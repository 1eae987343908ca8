"""Events to JSON and back, driven by the types of their fields.

No kind of event has code of its own here: a field `tensor: Seen` is written and read as a Seen in
every event. Reading checks everything against the types, so that a damaged or hostile trace ends in
one clear error and never in a later crash.
"""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from types import UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import event_types

from .sources import LoadedLine, SourceTable, whole_letters
from .values import Entry, LoadedValue, ValueTable
from .variable_names import GENERATED, tensors_of

EVENTS: dict[str, type[event_types.Event]] = {
    name: kind
    for name, kind in vars(event_types).items()
    if isinstance(kind, type) and event_types.Event in kind.__bases__
}
LARGEST = 2**64  # excluded upper bound of whole numbers: ids, sizes and elements
NOT_FINITE = ("nan", "inf", "-inf")  # texts in place of numbers that JSON does not have
NEWER = "load it with the minipaddle that wrote it or a later one, or record again with this one"
# Fields, each with its own numbering.
NUMBERED = ("call", "node", "scope", "run", "program", "part", "loop")
SHARED = {"part": "program"}  # fields that share the numbering of another one
TensorName = int | str  # a tensor's number, or the name of a Program's variable


def damage_error(where: str, expected: str, received: object) -> InvalidArgument:
    """Return the error of a trace file with a wrong part."""
    return InvalidArgument(
        f"this is not a usable trace: {where} is wrong.",
        expected=expected,
        received=shorten(received),
        fix="record the trace again, or restore the file as trace.save() wrote it",
    )


def unknown_event(where: str, name: str) -> InvalidArgument:
    """Return the error of an unknown kind of event, probably of a later minipaddle."""
    return InvalidArgument(
        f"this trace holds a kind of event that is not known here: {where}.event.",
        expected=f"one of the {len(EVENTS)} kinds that this minipaddle tells of",
        received=shorten(name),
        fix=NEWER,
    )


def shorten(thing: object) -> str:
    """Describe a value from a document in a few words."""
    if isinstance(thing, (dict, list)):
        return f"{'an object' if isinstance(thing, dict) else 'a list'} of {len(thing)}"
    text = repr(thing)
    return text if len(text) <= 60 else text[:57] + "..."


# ----- writing -----------------------------------------------------------------------------------


class Numbering:
    """New numbers of tensors, calls, nodes and so on: each family counts from 1 by first use."""

    def __init__(self, records: Iterable[Any] = ()) -> None:
        self._families = defaultdict[str, dict[int, int]](lambda: {0: 0})  # 0 means none
        self._records = records

    @cached_property
    def shown(self) -> frozenset[int]:
        """Original numbers of the tensors that records show, or that paddle.grad returns."""
        records = [*self._records]
        ends = (record for record in records if isinstance(record, event_types.BackwardFinished))
        given = {taken.holder for end in ends for taken in end.results}
        return frozenset(seen.id for record in records for seen in tensors_of(record)) | given

    def family(self, name: str) -> dict[int, int]:
        """Return a family's numbers: original -> new."""
        return self._families[name]

    def number(self, family: str, original: int) -> int:
        known = self._families[SHARED.get(family, family)]
        return known.setdefault(original, len(known))

    def tensor_or_none(self, original: int) -> int:
        """Return the new number of a tensor; a negative one stands for None and stays."""
        return original if original < 0 else self.number("tensor", original)

    def shown_number(self, original: int) -> int:
        """Return the new number of a tensor, or 0 if no record shows the tensor."""
        return self.number("tensor", original) if original in self.shown else 0

    def of(self, record: Any) -> int:
        """Return the new number of a record that has an `id`."""
        family = family_of(record)
        return int(record.id) if family is None else self.number(family, record.id)


class Encoder(Numbering):
    """Writer of events."""

    def __init__(self, values: ValueTable, sources: SourceTable, records: Iterable[Any]) -> None:
        super().__init__(records)
        self.values = values
        self.sources = sources

    def events(self, events: Iterable[Any]) -> list[dict[str, Any]]:
        return [{"event": type(event).__name__, **self.fields(event)} for event in events]

    def fields(self, record: Any) -> dict[str, Any]:
        kind = record.__class__
        row = {name: write(self, read(record)) for name, read, write in writers(kind)}
        for name in rare_fields(kind):
            if getattr(record, name):
                _, read, write = writer(kind, name, hints_of(kind)[name])
                written = write(self, read(record))
                if any(written) if isinstance(written, list) else written:
                    row[name] = written
        return row

    def tensor(self, tensor: TensorName) -> TensorName:
        return whole_letters(tensor) if isinstance(tensor, str) else self.number("tensor", tensor)

    def argument(self, thing: Any) -> Any:
        if isinstance(thing, (tuple, list)):
            return [self.argument(item) for item in thing]
        return None if thing is None else self.fields(thing)


class Writer(NamedTuple):
    """A field's name, what is read from a record for it, and how that is written."""

    name: str
    read: Callable[[Any], Any]
    write: Callable[[Encoder, Any], Any]


@cache
def writers(kind: type) -> tuple[Writer, ...]:
    """Return the writers of the fields that are always written."""
    rows = ((name, hint) for name, hint, _ in typed_fields(kind) if name not in rare_fields(kind))
    return tuple(writer(kind, name, hint) for name, hint in rows)


def writer(kind: type, name: str, hint: Any) -> Writer:
    """Return the writer of a field, which renumbers numbers and drops generated names."""
    if name == "id":
        return Writer(name, lambda record: record, Numbering.of)
    write = form(hint).write
    if name in NUMBERED:
        write = lambda encoder, number: encoder.number(name, number)  # noqa: E731
    elif kind is events.Seen and name == "name":
        write = lambda _, text: own_name(text)  # noqa: E731
    return Writer(name, attrgetter(name), write)


@lru_cache(maxsize=4096)
def own_name(name: str) -> str:
    """Return a tensor's name, or "" if it was generated."""
    return "" if GENERATED.fullmatch(name) else text_of(name)


def text_of(text: str) -> str:
    """Return a text with surrogates spelled out."""
    return text if text.isascii() else whole_letters(text)


def family_of(thing: Any) -> str | None:
    """Return the numbering family of a record's `id`, or None if the `id` is not renumbered."""
    if isinstance(thing, events.Seen):
        return "tensor"
    if isinstance(thing, events.Edge):
        return "tensor" if thing.kind == "leaf" else "node"
    return {"op": "call", "scope": "scope", "node": "node", "leaf": "tensor"}.get(thing.during)


def plain(thing: Any) -> Any:
    """Return an attribute as JSON: numbers, texts, lists and mappings as such, others by name.

    >>> plain((slice(None), ..., slice(1, 3, 2)))
    [':', '...', '1:3:2']
    """
    if isinstance(thing, str):
        return text_of(thing)
    if thing is None or isinstance(thing, (bool, int)):
        return thing
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else str(thing)
    if isinstance(thing, complex):
        return str(thing)
    if isinstance(thing, (list, tuple)):
        return [plain(item) for item in thing]
    if thing is Ellipsis:
        return "..."
    if isinstance(thing, slice):
        ends = ["" if end is None else str(end) for end in (thing.start, thing.stop, thing.step)]
        return ":".join(ends if ends[2] else ends[:2])
    if isinstance(thing, Mapping):
        return {whole_letters(str(key)): plain(item) for key, item in thing.items()}
    if isinstance(thing, np.generic):
        return plain(thing.item())
    if isinstance(thing, np.ndarray) and thing.size <= 64:
        return plain(thing.tolist())
    names = (getattr(thing, name, None) for name in ("__name__", "name", "text"))
    name = next((each for each in names if isinstance(each, str)), f"<{type(thing).__name__}>")
    return whole_letters(name)


# ----- reading -----------------------------------------------------------------------------------


class Decoder:
    """Reader of events, which checks everything against the types of their fields."""

    def __init__(self, values: list[dict[str, Any]], sources: list[dict[str, Any]]) -> None:
        self.values = values
        self.sources = sources
        self.read = 0  # number of values that were read

    def events(self, rows: list[Any]) -> tuple[Any, ...]:
        return tuple([self.event(row, f"events[{at}]") for at, row in enumerate(rows)])

    def event(self, thing: Any, where: str) -> Any:
        if not isinstance(thing, dict):
            raise damage_error(where, "an object with the name of an event", thing)
        name = thing.get("event")
        if not isinstance(name, str):
            raise damage_error(f"{where}.event", "the name of an event", name)
        if name not in EVENTS:
            raise unknown_event(where, name)
        return self.fields(EVENTS[name], thing, where)

    def fields(self, kind: type, thing: Any, where: str) -> Any:
        if not isinstance(thing, dict):
            raise damage_error(where, f"an object ({kind.__name__})", thing)
        content = {}
        for name, read, needed in readers(kind):
            if name in thing:
                content[name] = read(self, thing[name], f"{where}.{name}")
            elif needed:
                raise damage_error(f"{where}.{name}", f"the {name} of a {kind.__name__}", "nothing")
        return kind(**content)

    def argument(self, thing: Any, where: str) -> Any:
        return self.nested(thing, where, lambda x, at: self.fields(events.Seen, x, at))

    def names(self, thing: Any, where: str) -> Any:
        return self.nested(thing, where, self.text)

    def nested(self, thing: Any, where: str, read: Callable[[Any, str], Any]) -> Any:
        """Read a thing, or nested lists of things; return None for null."""
        if isinstance(thing, list):
            return tuple(self.nested(x, f"{where}[{i}]", read) for i, x in enumerate(thing))
        return None if thing is None else read(thing, where)

    def value(self, thing: Any, where: str) -> LoadedValue:
        if type(thing) is not int or not 0 <= thing < len(self.values):
            raise damage_error(where, f"the number of a value, 0 to {len(self.values) - 1}", thing)
        entry = self.values[thing]
        self.read += 1
        own = Entry(entry)
        own.occurrence = self.read - 1
        return LoadedValue(tuple(entry["shape"]), entry["dtype"], own)

    def place(self, thing: Any, where: str) -> LoadedLine:
        match thing:
            case [int(source), int(line), str(function)] if 0 <= source < len(self.sources):
                return LoadedLine(source, line, function)
            case [int(source), int(line), str(function), str(called)] if (
                0 <= source < len(self.sources)
            ):
                return LoadedLine(source, line, function, called)
        raise damage_error(where, "[number of a source, line, function]", thing)

    def whole(self, thing: Any, where: str) -> int:
        if type(thing) is not int:
            raise damage_error(where, "a whole number", thing)
        if abs(thing) >= LARGEST:
            raise damage_error(where, "a whole number of at most 64 bits", thing)
        return thing

    def text(self, thing: Any, where: str) -> str:
        if type(thing) is not str:
            raise damage_error(where, "text", thing)
        return thing

    def number(self, thing: Any, where: str) -> float:
        if thing in NOT_FINITE or type(thing) in (int, float):
            return float(thing)
        raise damage_error(where, "a number", thing)

    def truth(self, thing: Any, where: str) -> bool:
        if type(thing) is not bool:
            raise damage_error(where, "bool", thing)
        return thing


# ----- types -------------------------------------------------------------------------------------


class Form(NamedTuple):
    """Writer and reader of a type; the reader gets the place in the document for errors."""

    write: Callable[[Encoder, Any], Any]
    read: Callable[[Decoder, Any, str], Any]


FORMS: dict[Any, Form] = {
    int: Form(lambda _, x: x, Decoder.whole),
    str: Form(lambda _, x: text_of(x), Decoder.text),
    bool: Form(lambda _, x: x, Decoder.truth),
    float: Form(lambda _, x: plain(x), Decoder.number),
    Any: Form(lambda _, x: plain(x), lambda _decoder, x, _where: x),
    event_types.TensorNumber: Form(lambda encoder, x: encoder.shown_number(x), Decoder.whole),
    event_types.Argument: Form(Encoder.argument, Decoder.argument),
    event_types.Names: Form(lambda _, x: plain(x), Decoder.names),
    events.Value: Form(lambda encoder, x: encoder.values.add(x), Decoder.value),
    SourceLine: Form(lambda encoder, x: encoder.sources.add(x), Decoder.place),
    TensorName: Form(
        Encoder.tensor, lambda d, x, where: (d.text if type(x) is str else d.whole)(x, where)
    ),
}


@cache
def typed_fields(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    """List each field of a record: its name, its type and whether it is required."""
    hints = hints_of(kind)
    return tuple(
        (f.name, hints[f.name], f.default is dataclasses.MISSING)
        for f in dataclasses.fields(kind)
        if "unstored" not in f.metadata
    )


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the type of each field of a record."""
    return get_type_hints(kind, include_extras=True)


@cache
def rare_fields(kind: Any) -> tuple[str, ...]:
    """List the fields of a record that are written only if they are not empty."""
    return tuple(f.name for f in dataclasses.fields(kind) if f.metadata.get("seldom"))


@cache
def readers(kind: Any) -> tuple[tuple[str, Callable[[Decoder, Any, str], Any], bool], ...]:
    """Return each field of a record: its name, its reader and whether it is required."""
    return tuple([(name, form(hint).read, needed) for name, hint, needed in typed_fields(kind)])


@cache
def form(hint: Any) -> Form:
    """Return the form for the type of a record's field; raise TypeError if it has none."""
    if hint in FORMS:
        return FORMS[hint]
    if isinstance(hint, TypeVar):  # a line, as recorded or as loaded
        return form(SourceLine)
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):  # the only unions of records are `X | None`
        return optional(form(parts[0]))
    if origin is dict:
        return pairs(form(parts[1]))
    if origin is tuple:
        return row(form(parts[0])) if parts[-1] is ... else fixed_row(tuple(map(form, parts)))
    if not isinstance(hint, type) or not dataclasses.is_dataclass(hint):
        raise TypeError(f"a field of an event is a {hint}, which has no row in codec.FORMS")
    return Form(Encoder.fields, lambda decoder, x, where: decoder.fields(hint, x, where))


def optional(inner: Form) -> Form:
    return Form(
        lambda encoder, x: None if x is None else inner.write(encoder, x),
        lambda decoder, x, where: None if x is None else inner.read(decoder, x, where),
    )


def row(inner: Form) -> Form:
    """Return the form of tuple[X, ...], which is written as a list."""

    def read(decoder: Decoder, thing: Any, where: str) -> Any:
        if not isinstance(thing, list):
            raise damage_error(where, "a list", thing)
        return tuple(inner.read(decoder, item, f"{where}[{i}]") for i, item in enumerate(thing))

    return Form(lambda encoder, x: [inner.write(encoder, item) for item in x], read)


def fixed_row(inner: tuple[Form, ...]) -> Form:
    """Return the form of tuple[X, Y], which is written as a list."""

    def read(decoder: Decoder, thing: Any, where: str) -> Any:
        if not isinstance(thing, list) or len(thing) != len(inner):
            raise damage_error(where, f"a list of {len(inner)}", thing)
        return tuple(
            one.read(decoder, item, f"{where}[{i}]")
            for i, (one, item) in enumerate(zip(inner, thing, strict=True))
        )

    return Form(
        lambda encoder, x: [one.write(encoder, i) for one, i in zip(inner, x, strict=True)], read
    )


def pairs(inner: Form) -> Form:
    """Return the form of dict[str, X], a list of [key, content], which preserves the order."""

    def read(decoder: Decoder, thing: Any, where: str) -> Any:
        if not isinstance(thing, list):
            raise damage_error(where, "a list of pairs", thing)
        content = {}
        for i, pair in enumerate(thing):
            match pair:
                case [str(key), item]:
                    content[key] = inner.read(decoder, item, f"{where}[{i}]")
                case _:
                    raise damage_error(f"{where}[{i}]", "[name, content]", pair)
        return content

    def write(encoder: Encoder, content: Any) -> Any:
        rows = content.items()
        return [[whole_letters(str(key)), inner.write(encoder, item)] for key, item in rows]

    return Form(write, read)
