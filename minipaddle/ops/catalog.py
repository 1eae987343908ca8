"""Public names of the ops: functions, methods and in-place forms.

A record says it in its part `public`; a function that is more than one record, written with the
records' functions, says the same by `@public`. A record's function is made when it is first used:
`import minipaddle` need not make hundreds of them.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, Literal

from ..engine import calls, source_line
from . import reference
from .boundary import guarded
from .op_spec import Op
from .record import Public
from .registry import REGISTRY

Function = Callable[..., Any]
Kind = Literal["function", "method", "inplace", "functional"]


class Entry:
    """A record or a written function, with its names and the places where it is found."""

    def __init__(self, source: Op | Function, name: str, places: Public) -> None:
        self.source = source
        self.names = (name, *places.aliases)
        self.places = places

    @property
    def call(self) -> Function:
        """The public function, with its docstring."""
        return self.called(self.names[0])

    def called(self, name: str) -> Function:
        """Return the public function under one of its names, which its errors use."""
        if isinstance(self.source, Op):
            function: Function = reference.public_function(self.source, name)
            return function
        home = reference.home_of(self.source.__module__, self.places)
        reference.describe(self.source, home)
        return guarded(self.source, self.names, name)

    @property
    def view(self) -> bool:
        """Whether the in-place form gives x's memory another shape."""
        return (self.source if isinstance(self.source, Op) else self.places).view


_written: list[Entry] = []


def public(**places: Any) -> Callable[[Function], Function]:
    """Give a function written with the records' functions its places, the fields of `Public`."""

    def register(function: Function) -> Function:
        _written.append(Entry(function, function.__name__, Public(**places)))
        return function

    return register


# ----- by name -----------------------------------------------------------------------------------


@functools.cache
def entries() -> list[Entry]:
    """List all entries; a written function comes after the record of its name, and so hides it."""
    records = [op for op in REGISTRY.values() if op.public is not None]
    return [*(Entry(op, op.name, op.public) for op in records), *_written]


@functools.cache
def table(kind: Kind) -> dict[str, Entry]:
    """Return the entries of one kind by name."""
    return {n: entry for entry in entries() if getattr(entry.places, kind) for n in entry.names}


def find(name: str, kind: Kind = "function") -> Entry:
    """Return the entry of a name."""
    return table(kind)[name]


def install(cls: type) -> None:
    """Give a class of tensors its methods, but for those that it has of its own."""
    own = set(vars(cls))
    for name, entry in table("method").items():
        if name not in own:
            setattr(cls, name, Method(cls, name, entry))


def install_in_place(cls: type) -> None:
    """Give the class of a Program's Variables the names x.add_, x.tanh_, ..."""
    for name in table("inplace"):
        setattr(cls, f"{name}_", _anew(name))


def _anew(name: str) -> Function:
    def form(x: Any, *args: Any, **kwargs: Any) -> Any:
        return anew(name, find(name, "inplace").call, x, *args, **kwargs)

    form = calls.named(form, f"{name}_", op=name)
    form.__doc__ = f"`{name}`, with a warning: the result is a new Variable, and x stays as it is."
    return form


def anew(name: str, call: Function, *args: Any, **kwargs: Any) -> Any:
    """Call the op itself with a warning, as Paddle does for an in-place form in a Program."""
    warnings.warn(
        f"In static graph mode, {name}_() is the same with {name}() and does not perform inplace "
        "operation: use the Variable that it returns.",
        stacklevel=source_line.stacklevel(),
    )
    return call(*args, **kwargs)


class Method:
    """A method that is made when it is first looked up, and then takes this place."""

    def __init__(self, owner: type, name: str, entry: Any) -> None:
        self.owner = owner
        self.name = name
        self.entry = entry

    def __get__(self, tensor: Any, cls: type | None = None) -> Any:
        setattr(self.owner, self.name, self.entry.called(self.name))
        return getattr(self.owner if tensor is None else tensor, self.name)
