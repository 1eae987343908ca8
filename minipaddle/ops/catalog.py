"""Under which names users find the ops: as functions, as methods, as in-place forms.

A record says it in its fields `public`, `method`, `inplace` and `aliases`; a function that is more
than one record, written with the records' functions, says it by `@public`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .records import REGISTRY

Function = Callable[..., Any]


class Entry(NamedTuple):
    """A callable with its names and the places where it is found."""

    call: Function
    names: tuple[str, ...]
    function: bool = True
    method: bool = True
    inplace: bool = False


_written: list[Entry] = []


def public(
    *, function: bool = True, method: bool = True, inplace: bool = False,
    aliases: tuple[str, ...] = (),
) -> Callable[[Function], Function]:  # fmt: skip
    """Give a function written with the records' functions its public places and other names."""

    def register(call: Function) -> Function:
        _written.append(Entry(call, (call.__name__, *aliases), function, method, inplace))
        return call

    return register


def entries() -> Iterator[Entry]:
    """Everything public of this package; a written function hides the record it is named after."""
    for op in REGISTRY.values():
        yield Entry(op.call, (op.name, *op.aliases), op.public, op.method, op.inplace)
    yield from _written


def functions() -> dict[str, Function]:
    """The functions of `paddle`, by name."""
    return {name: entry.call for entry in entries() if entry.function for name in entry.names}


def methods() -> dict[str, Function]:
    """The methods of Tensor and Variable, by name."""
    return {name: entry.call for entry in entries() if entry.method for name in entry.names}


def changing() -> dict[str, Function]:
    """What has an in-place form `name_`, by the name without the underscore."""
    return {name: entry.call for entry in entries() if entry.inplace for name in entry.names}
