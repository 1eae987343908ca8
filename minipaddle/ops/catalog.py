"""Under which names users find the ops: as functions, as methods, as in-place forms.

A record says it in its part `public`; a function that is more than one record, written with the
records' functions, says the same by `@public`. A record's function is made when it is first used:
`import minipaddle` need not make hundreds of them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal

from .arguments import accepting
from .op_spec import Op
from .record import Public
from .registry import REGISTRY

Function = Callable[..., Any]
Kind = Literal["function", "method", "inplace"]


class Written:
    """A public function that is no record's own; what users need of it is called as in `Op`."""

    def __init__(self, function: Function, places: Public) -> None:
        self.function = function
        self.name = function.__name__
        self.public = places
        self.aliases = places.aliases
        self.view = places.view

    @property
    def call(self) -> Function:
        """The public function."""
        return accepting(self.function, (self.name, *self.aliases))


_written: list[Written] = []


def public(**places: Any) -> Callable[[Function], Function]:
    """Give a function written with the records' functions its places, the fields of `Public`."""

    def register(function: Function) -> Function:
        _written.append(Written(function, Public(**places)))
        return function

    return register


# ----- by name -----------------------------------------------------------------------------------


@functools.cache
def table(kind: Kind) -> dict[str, Op | Written]:
    """All of one kind by name; a written function hides the record that it is named after."""
    records = [op for op in REGISTRY.values() if op.public is not None]
    return {
        name: source
        for source in (*records, *_written)
        if getattr(source.public, kind)
        for name in (source.name, *source.aliases)
    }


def find(name: str, kind: Kind = "function") -> Op | Written:
    """The record or the written function of a name."""
    return table(kind)[name]


def install(cls: type) -> None:
    """Give a class of tensors its methods, but for those that it has of its own."""
    own = set(vars(cls))
    for name, source in table("method").items():
        if name not in own:
            setattr(cls, name, Method(cls, name, source))


class Method:
    """A method that is made when it is first looked up, and then takes this place."""

    def __init__(self, owner: type, name: str, source: Op | Written) -> None:
        self.owner = owner
        self.name = name
        self.source = source

    def __get__(self, tensor: Any, cls: type | None = None) -> Any:
        setattr(self.owner, self.name, self.source.call)
        return getattr(self.owner if tensor is None else tensor, self.name)
