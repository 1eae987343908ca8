"""Event records to JSON and back, driven by the annotations of their fields.

Nothing here knows a single record: a field `tensor: Seen` is written and read as a Seen wherever
it stands. Reading checks every value against its annotation, so that a damaged or hostile trace
ends in one clear error and never in a crash later.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.source_line import SourceLine
from minipaddle.events import event_types

from .sources import SourceTable
from .values import ValueTable
from .variable_names import GENERATED

RECORDS: dict[str, Any] = {
    name: kind
    for name, kind in vars(event_types).items()
    if dataclasses.is_dataclass(kind) and kind.__module__ == event_types.__name__
}
PARTS = {
    "Value",
    "Seen",
    "Edge",
    "Declared",
    "Stay",
    "MemoryBlock",
}  # parts of records, never records by themselves
LARGEST = 2**64  # of a whole number; larger ones are none that arrays or sizes have
NUMBERED = {"call": "call", "node": "node", "scope": "scope", "run": "run", "program": "program"}


def damaged(where: str, expected: str, received: object) -> InvalidArgument:
    """The error of a trace file that does not hold what it should."""
    return InvalidArgument(
        f"this is not a usable trace: {where} is wrong.",
        expected=expected,
        received=shorten(received),
        fix="record the trace again, or restore the file as trace.save() wrote it",
    )


def shorten(thing: object) -> str:
    """What came, in a few words."""
    if isinstance(thing, (dict, list)):
        return f"{'an object' if isinstance(thing, dict) else 'a list'} of {len(thing)}"
    text = repr(thing)
    return text if len(text) <= 60 else text[:57] + "..."


@cache
def parsed(annotation: str) -> ast.expr:
    """The annotation of a field as a tree."""
    return ast.parse(annotation, mode="eval").body


@cache
def fields(kind: type) -> tuple[tuple[str, str, bool], ...]:
    """Name, annotation and whether it must be there, for each field of a record."""
    return tuple(
        (f.name, str(f.type), f.default is dataclasses.MISSING) for f in dataclasses.fields(kind)
    )


def is_optional(tree: ast.expr) -> bool:
    return isinstance(tree, ast.BinOp)  # `X | None` is the only union that records use


# ----- writing -----------------------------------------------------------------------------------


class Encoder:
    """Writes records, numbering everything by first appearance from 1."""

    def __init__(self, values: ValueTable, sources: SourceTable) -> None:
        self.values = values
        self.sources = sources
        self.numbers: dict[str, dict[int, int]] = {}

    def number(self, family: str, given: int) -> int:
        known = self.numbers.setdefault(family, {0: 0})  # 0 stands for none
        return known.setdefault(given, len(known))

    def record(self, event: Any) -> dict[str, Any]:
        kind = type(event)
        return {"event": kind.__name__, **self.parts(kind, event)}

    def parts(self, kind: type, thing: Any) -> dict[str, Any]:
        return {name: write(self, getattr(thing, name), thing) for name, write in writers(kind)}

    def argument(self, thing: Any) -> Any:
        if isinstance(thing, (tuple, list)):
            return [self.argument(item) for item in thing]
        return None if thing is None else self.parts(events.Seen, thing)


Writer = Callable[[Encoder, Any, Any], Any]  # of a field's content; the record is the last argument


@cache
def writers(kind: type) -> tuple[tuple[str, Writer], ...]:
    """How each field of a record is written; worked out once, for a trace has many of a kind."""
    return tuple(
        (name, field_writer(kind, name, annotation)) for name, annotation, _ in fields(kind)
    )


def field_writer(kind: type, name: str, annotation: str) -> Writer:
    """A number of a family is given anew, a name that counts what ran before is left out."""
    if name in NUMBERED:
        family = NUMBERED[name]
        return lambda encoder, given, _: encoder.number(family, given)
    if name == "id":
        return numbered
    if kind is events.Seen and name == "name":
        return lambda _encoder, given, _: "" if GENERATED.fullmatch(given) else given
    return writer(parsed(annotation))


def numbered(encoder: Encoder, given: int, thing: Any) -> int:
    family = family_of(thing)
    return given if family is None else encoder.number(family, given)


def writer(tree: ast.expr) -> Writer:
    """How what has this annotation is written."""
    if is_optional(tree):
        inner = writer(tree.left)  # type: ignore[attr-defined]
        return lambda encoder, x, of: None if x is None else inner(encoder, x, of)
    if isinstance(tree, ast.Subscript):
        return container_writer(tree)
    name = tree.id  # type: ignore[attr-defined]
    if name in PARTS and name != "Value":
        return lambda encoder, x, _: encoder.parts(RECORDS[name], x)
    return WRITERS.get(name, lambda _encoder, x, _: plain(x))


def container_writer(tree: ast.Subscript) -> Writer:
    inner = tree.slice.elts  # type: ignore[attr-defined]
    if tree.value.id == "dict":  # type: ignore[attr-defined]
        # As pairs: sorted keys, which the document has, would lose the order of the arguments.
        of_item = writer(inner[1])
        return lambda encoder, x, of: [[str(k), of_item(encoder, v, of)] for k, v in x.items()]
    if isinstance(inner[-1], ast.Constant):  # tuple[X, ...]
        of_each = writer(inner[0])
        return lambda encoder, x, of: [of_each(encoder, item, of) for item in x]
    each = [writer(one) for one in inner]
    return lambda encoder, x, of: [w(encoder, i, of) for w, i in zip(each, x, strict=True)]


WRITERS: dict[str, Writer] = {
    "Argument": lambda encoder, x, _: encoder.argument(x),
    "Value": lambda encoder, x, _: encoder.values.add(x),
    "SourceLine": lambda encoder, x, _: encoder.sources.add(x),
    **dict.fromkeys(("int", "str", "bool"), lambda _encoder, x, _: x),
}


def family_of(thing: Any) -> str | None:
    """Which numbering the `id` of a record belongs to, None for a plain number."""
    if isinstance(thing, events.Seen):
        return "tensor"
    if isinstance(thing, events.Edge):
        return "tensor" if thing.kind == "leaf" else "node"
    return {"op": "call", "scope": "scope", "node": "node", "leaf": "tensor"}.get(thing.during)


def plain(thing: Any) -> Any:
    """An attribute as JSON: numbers, texts and lists as they are, all else by its name."""
    if thing is None or isinstance(thing, (bool, int, str)):
        return thing
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else str(thing)
    if isinstance(thing, (list, tuple)):
        return [plain(item) for item in thing]
    if isinstance(thing, Mapping):
        return {str(key): plain(item) for key, item in thing.items()}
    if isinstance(thing, np.generic):
        return plain(thing.item())
    if isinstance(thing, np.ndarray) and thing.size <= 64:
        return plain(thing.tolist())
    name = getattr(thing, "__name__", None) or getattr(thing, "name", None)
    return name if isinstance(name, str) else f"<{type(thing).__name__}>"


# ----- reading -----------------------------------------------------------------------------------


class Decoder:
    """Reads records, checking everything against the annotations."""

    def __init__(self, values: list[dict[str, Any]], sources: list[dict[str, Any]]) -> None:
        self.values = values
        self.sources = sources

    def record(self, thing: Any, where: str) -> Any:
        if not isinstance(thing, dict):
            raise damaged(where, "an object with the name of an event", thing)
        name = thing.get("event")
        if not isinstance(name, str) or name in PARTS or name not in RECORDS:
            raise damaged(f"{where}.event", "the name of an event", name)
        return self.parts(RECORDS[name], thing, where)

    def parts(self, kind: Any, thing: Any, where: str) -> Any:
        if not isinstance(thing, dict):
            raise damaged(where, f"an object ({kind.__name__})", thing)
        found = {}
        for name, annotation, needed in fields(kind):
            if name in thing:
                found[name] = self.decode(parsed(annotation), thing[name], f"{where}.{name}")
            elif needed:
                raise damaged(f"{where}.{name}", f"the {name} of a {kind.__name__}", "nothing")
        return kind(**found)

    def decode(self, tree: ast.expr, thing: Any, where: str) -> Any:
        if is_optional(tree):
            return None if thing is None else self.decode(tree.left, thing, where)  # type: ignore[attr-defined]
        if isinstance(tree, ast.Subscript):
            return self.container(tree, thing, where)
        name = tree.id  # type: ignore[attr-defined]
        return READERS.get(name, Decoder.part)(self, thing, where, name)

    def container(self, tree: ast.Subscript, thing: Any, where: str) -> Any:
        inner = tree.slice.elts  # type: ignore[attr-defined]
        if tree.value.id == "dict":  # type: ignore[attr-defined]
            return self.mapping(inner[1], thing, where)
        if not isinstance(thing, list):
            raise damaged(where, "a list", thing)
        if isinstance(inner[-1], ast.Constant):
            inner = [inner[0]] * len(thing)
        if len(inner) != len(thing):
            raise damaged(where, f"a list of {len(inner)}", thing)
        return tuple(
            self.decode(t, item, f"{where}[{i}]")
            for i, (t, item) in enumerate(zip(inner, thing, strict=True))
        )

    def mapping(self, tree: ast.expr, thing: Any, where: str) -> Any:
        """A mapping, or an attribute's object, from rows of key and content."""
        if not isinstance(thing, list):
            raise damaged(where, "a list of pairs", thing)
        found = {}
        for i, row in enumerate(thing):
            match row:
                case [str(key), item]:
                    found[key] = self.decode(tree, item, f"{where}[{i}]")
                case _:
                    raise damaged(f"{where}[{i}]", "[name, content]", row)
        return found

    def argument(self, thing: Any, where: str, name: str) -> Any:
        if isinstance(thing, list):
            return tuple(self.argument(t, f"{where}[{i}]", name) for i, t in enumerate(thing))
        return None if thing is None else self.parts(events.Seen, thing, where)

    def value(self, thing: Any, where: str, name: str) -> events.Value:  # noqa: ARG002
        if type(thing) is not int or not 0 <= thing < len(self.values):
            raise damaged(where, f"the number of a value, 0 to {len(self.values) - 1}", thing)
        entry = self.values[thing]
        return events.Value(tuple(entry["shape"]), entry["dtype"], entry)

    def place(self, thing: Any, where: str, name: str) -> SourceLine:  # noqa: ARG002
        match thing:
            case [int(source), int(line), str(function)] if 0 <= source < len(self.sources):
                return SourceLine(source, line, function)  # type: ignore[arg-type]  # an index by now
        raise damaged(where, "[number of a source, line, function]", thing)

    def scalar(self, thing: Any, where: str, name: str) -> Any:
        if type(thing).__name__ != name:
            raise damaged(where, {"int": "a whole number", "str": "text"}.get(name, name), thing)
        if name == "int" and abs(thing) >= LARGEST:
            raise damaged(where, "a whole number of at most 64 bits", thing)
        return thing

    def anything(self, thing: Any, where: str, name: str) -> Any:  # noqa: ARG002
        return thing

    def part(self, thing: Any, where: str, name: str) -> Any:
        return self.parts(RECORDS[name], thing, where)


READERS: dict[str, Callable[[Decoder, Any, str, str], Any]] = {
    "Argument": Decoder.argument,
    "Value": Decoder.value,
    "SourceLine": Decoder.place,
    "Any": Decoder.anything,
    "int": Decoder.scalar,
    "str": Decoder.scalar,
    "bool": Decoder.scalar,
}
