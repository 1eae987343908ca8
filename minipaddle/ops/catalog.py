"""Under which names users find the ops: as functions, as methods, as in-place forms.

A record says it in its fields `public`, `method`, `inplace` and `aliases`; a function that is more
than one record, written with the records' functions, says it by `@public`. A record's function is
made when it is first used: `import minipaddle` need not make hundreds of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .records import REGISTRY
from .registry import Op

Function = Callable[..., Any]


class Entry(NamedTuple):
    """A record or a written function, with its names and the places where it is found."""

    source: Op | Function
    names: tuple[str, ...]
    function: bool = True
    method: bool = True
    inplace: bool = False
    view: bool = False  # the in-place form gives x's memory another shape

    @property
    def call(self) -> Function:
        """The public function."""
        return self.source.call if isinstance(self.source, Op) else self.source


_written: list[Entry] = []


def public(
    *, function: bool = True, method: bool = True, inplace: bool = False,
    aliases: tuple[str, ...] = (), view: bool = False,
) -> Callable[[Function], Function]:  # fmt: skip
    """Give a function written with the records' functions its public places and other names."""

    def register(call: Function) -> Function:
        names = (call.__name__, *aliases)
        _written.append(Entry(call, names, function, method, inplace, view))
        return call

    return register


def entries() -> Iterator[Entry]:
    """Everything public of this package; a written function hides the record it is named after."""
    for op in REGISTRY.values():
        yield Entry(op, (op.name, *op.aliases), op.public, op.method, op.inplace, op.view)
    yield from _written


def functions() -> dict[str, Entry]:
    """The functions of `paddle`, by name."""
    return {name: entry for entry in entries() if entry.function for name in entry.names}


def changing() -> dict[str, Entry]:
    """What has an in-place form `name_`, by the name without the underscore."""
    return {name: entry for entry in entries() if entry.inplace for name in entry.names}


def install(cls: type) -> None:
    """Give a class of tensors its methods, but for those that it has of its own."""
    own = set(vars(cls))
    for entry in entries():
        for name in entry.names if entry.method else ():
            if name not in own:
                setattr(cls, name, Method(entry, cls, name))


class Method:
    """A method that is made when it is first looked up, and then takes this place."""

    def __init__(self, entry: Entry, owner: type, name: str) -> None:
        self.place = entry, owner, name

    def __get__(self, tensor: Any, cls: type | None = None) -> Any:
        entry, owner, name = self.place
        setattr(owner, name, entry.call)
        return getattr(owner if tensor is None else tensor, name)
