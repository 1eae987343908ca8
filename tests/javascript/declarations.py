"""The types of the payload, read from the file that the language server reads."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from viz.player.page import WEB

Check = Any  # a type: what `Declarations._union` makes of its text
_TOKEN = re.compile(r'"[^"]*"|\w+|[|\[\](),<>?]')


class Declarations:
    """Interfaces and type aliases by name; `complaints` tells where data does not fit one.

    `seen` holds, for each interface, the fields that data had.
    """

    def __init__(self, text: str) -> None:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
        aliases = re.findall(r"export type (\w+) =([^;]+);", text)
        interfaces = re.findall(r"export interface (\w+) \{([^}]*)\}", text)
        self.aliases = {name: parsed(body) for name, body in aliases}
        self.interfaces = {
            name: {field: (parsed(kind), mark == "?") for field, mark, kind in _fields(body)}
            for name, body in interfaces
        }
        self.seen: dict[str, set[str]] = defaultdict(set)

    def complaints(self, data: Any, kind: Check, place: str) -> list[str]:
        """Where the data is of another type, one line each."""
        match kind:
            case ("union", *kinds):
                tried = [self.complaints(data, each, place) for each in kinds]
                return [] if [] in tried else [f"{place}: {data!r:.60} fits none of {kinds}"]
            case ("array", item):
                if not isinstance(data, list | tuple):
                    return [f"{place}: {data!r:.60} is no array"]
                return self._all(((each, item) for each in data), place)
            case ("tuple", *items):
                if not isinstance(data, list | tuple) or len(data) != len(items):
                    return [f"{place}: {data!r:.60} has not {len(items)} items"]
                return self._all(zip(data, items, strict=True), place)
            case ("record", key, value):
                if not isinstance(data, dict):
                    return [f"{place}: {data!r:.60} is no object"]
                return [
                    complaint
                    for name, each in data.items()
                    for complaint in (
                        *self.complaints(name, key, f"a key of {place}"),
                        *self.complaints(each, value, f"{place}.{name}"),
                    )
                ]
            case ("literal", text):
                return [] if data == text else [f"{place}: {data!r:.60} is not {text!r}"]
            case str(name) if name in self.aliases:
                return self.complaints(data, self.aliases[name], place)
            case str(name) if name in self.interfaces:
                return self._fields_of(data, name, place)
            case str(name):
                return [] if plain(data) == name else [f"{place}: {data!r:.60} is no {name}"]
        raise AssertionError(f"no rule for the type {kind}")

    def _all(self, pairs: Any, place: str) -> list[str]:
        return [
            complaint
            for at, (data, kind) in enumerate(pairs)
            for complaint in self.complaints(data, kind, f"{place}[{at}]")
        ]

    def _fields_of(self, data: Any, name: str, place: str) -> list[str]:
        if not isinstance(data, Mapping):
            return [f"{place}: {data!r:.60} is no {name}"]
        declared = self.interfaces[name]
        found = [f"{place}: {name} has no field {field}" for field in data if field not in declared]
        for field, (kind, optional) in declared.items():
            if field in data:
                found += self.complaints(data[field], kind, f"{place}.{field}")
            elif not optional:
                found.append(f"{place}: {name} lacks {field}")
        if not found:
            self.seen[name].update(data)
        return found


def payload_types() -> Declarations:
    """The types in web/payload.d.ts."""
    return Declarations((WEB / "payload.d.ts").read_text(encoding="utf-8"))


def plain(data: Any) -> str:
    """The name of a type without parts."""
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "boolean"
    names = {str: "string", int: "number", float: "number"}
    return names.get(type(data), type(data).__name__)


def _fields(body: str) -> list[tuple[str, str, str]]:
    return re.findall(r"(\w+)(\??): ([^;]+);", body)


def parsed(text: str) -> Check:
    """A type as nested tuples: `("array", "string")` for `string[]`."""
    tokens = [*_TOKEN.findall(text), ""]

    def take(expected: str = "") -> str:
        token = tokens.pop(0)
        assert not expected or token == expected, f"{expected} expected in {text}"
        return token

    def union() -> Check:
        if tokens[0] == "|":
            take()
        kinds = [array()]
        while tokens[0] == "|":
            take()
            kinds.append(array())
        return kinds[0] if len(kinds) == 1 else ("union", *kinds)

    def array() -> Check:
        kind = single()
        while tokens[:2] == ["[", "]"]:
            take("[")
            take("]")
            kind = ("array", kind)
        return kind

    def several(end: str) -> list[Check]:
        kinds = [union()]
        while take() != end:
            if tokens[0] != end:  # a comma may be the last
                kinds.append(union())
        return kinds

    def single() -> Check:
        token = take()
        if token == "(":
            kind = union()
            take(")")
            return kind
        if token == "[":
            return ("tuple", *several("]"))
        if token.startswith('"'):
            return ("literal", token[1:-1])
        if tokens[0] != "<":
            return token
        take("<")
        arguments = several(">")
        return arguments[0] if token == "Partial" else (token.lower(), *arguments)

    return union()
