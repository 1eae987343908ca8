"""Under which names users find the ops: as functions, as methods, as in-place forms.

A record says it in its fields `public`, `method`, `inplace` and `aliases`; a function that is more
than one record, written with the records' functions, says it by `@public`. A record's function is
made when it is first used: `import minipaddle` need not make hundreds of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from .arguments import accepting
from .later import FAMILIES
from .op_spec import Op
from .registry import REGISTRY, load

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
        if isinstance(self.source, Op):
            return self.source.call
        return accepting(self.source, self.names)


_written: list[Entry] = []


def public(
    *,
    function: bool = True,
    method: bool = True,
    inplace: bool = False,
    aliases: tuple[str, ...] = (),
    view: bool = False,
) -> Callable[[Function], Function]:
    """Give a function written with the records' functions its public places and other names."""

    def register(call: Function) -> Function:
        names = (call.__name__, *aliases)
        _written.append(Entry(call, names, function, method, inplace, view))
        return call

    return register


# ----- by name -----------------------------------------------------------------------------------

Kind = Literal["function", "method", "inplace"]
_tables: tuple[Any, dict[Kind, dict[str, Entry]]] = (None, {})  # made when so much was loaded


def loaded() -> Iterator[Entry]:
    """What is there already; a written function hides the record it is named after."""
    for op in REGISTRY.loaded():
        yield Entry(op, (op.name, *op.aliases), op.public, op.method, op.inplace, op.view)
    yield from _written


def table(kind: Kind) -> dict[str, Entry]:
    """The entries of one kind by name, as far as their families are loaded."""
    global _tables
    count, (counted, found) = (len(REGISTRY.loaded()), len(_written)), _tables
    if count != counted:
        kinds: tuple[Kind, ...] = ("function", "method", "inplace")
        found = {k: {n: e for e in loaded() if getattr(e, k) for n in e.names} for k in kinds}
        _tables = count, found  # in one step: threads may meet here
    return found[kind]


def names(kind: Kind) -> list[str]:
    """Every name of one kind, those of families included that are not loaded."""
    later = (n for place in FAMILIES.values() for n, kinds in place.items() if kind[0] in kinds)
    return list(dict.fromkeys((*table(kind), *later)))


def find(name: str, kind: Kind = "function") -> Entry:
    """The entry of a name; its family is loaded, or another thread is waited for that loads it."""
    for family, place in FAMILIES.items():
        if kind[0] in place.get(name, ""):
            load(family)
    return table(kind)[name]


def install(cls: type) -> None:
    """Give a class of tensors its methods, but for those that it has of its own."""
    own = set(vars(cls))
    for name in names("method"):
        if name not in own:
            setattr(cls, name, Method(cls, name))


class Method:
    """A method that is made when it is first looked up, and then takes this place."""

    def __init__(self, owner: type, name: str) -> None:
        self.place = owner, name

    def __get__(self, tensor: Any, cls: type | None = None) -> Any:
        owner, name = self.place
        setattr(owner, name, find(name, "method").call)
        return getattr(owner if tensor is None else tensor, name)
