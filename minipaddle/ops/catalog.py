"""Public names of ops: functions, methods and in-place forms.

A record states them in its field `public`; a function written with the functions of several
records states them by `@public`. The function of a record is made at its first use, so that
`import minipaddle` is quick.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, Literal

from ..engine import calls, modes, source_line
from ..engine.dispatch import store
from . import reference
from .arguments import SCALARS, make_operand
from .boundary import accept_names
from .op_spec import Op, keyword_parameters
from .record import Public
from .registry import REGISTRY

Function = Callable[..., Any]
Kind = Literal["function", "method", "inplace", "functional"]


class Entry:
    """A record or a hand-written function, with its public names and places."""

    def __init__(self, source: Op | Function, name: str, places: Public) -> None:
        self.source = source
        self.names = (name, *places.aliases)
        self.places = places

    @property
    def call(self) -> Function:
        """Public function with its docstring."""
        return self.function_named(self.names[0])

    def function_named(self, name: str) -> Function:
        """Return the public function under one of its names, for errors."""
        if isinstance(self.source, Op):
            return reference.public_function(self.source, name)
        home = reference.home_of(self.source.__module__, self.places)
        reference.describe(self.source, home)
        return accept_names(self.source, self.names, name)

    @property
    def view(self) -> bool:
        """True if the in-place form changes the shape of x."""
        return (self.source if isinstance(self.source, Op) else self.places).view


_hand_written: list[Entry] = []


def public(**places: Any) -> Callable[[Function], Function]:
    """Register a function written with other ops; the keywords are the fields of `Public`."""

    def register(function: Function) -> Function:
        _hand_written.append(Entry(function, function.__name__, Public(**places)))
        return function

    return register


# ----- by name -----------------------------------------------------------------------------------


@functools.cache
def entries() -> list[Entry]:
    """List all entries; a hand-written function comes last, so it replaces a record of its name."""
    records = [op for op in REGISTRY.values() if op.public is not None]
    return [*(Entry(op, op.name, op.public) for op in records), *_hand_written]


@functools.cache
def table(kind: Kind) -> dict[str, Entry]:
    """Return the entries of one kind by name."""
    return {n: entry for entry in entries() if getattr(entry.places, kind) for n in entry.names}


def find(name: str, kind: Kind = "function") -> Entry:
    """Return the entry of a name."""
    return table(kind)[name]


def install(cls: type) -> None:
    """Give a class of tensors the methods that it does not define itself."""
    own = set(vars(cls))
    for name, entry in table("method").items():
        if name not in own:
            setattr(cls, name, Method(cls, name, entry))


def install_in_place(cls: type) -> None:
    """Give the class of Variables of a Program the methods x.add_, x.tanh_, ..."""
    for name in table("inplace"):
        setattr(cls, f"{name}_", _warning_form(name))


def _warning_form(name: str) -> Function:
    def form(x: Any, *args: Any, **kwargs: Any) -> Any:
        return call_with_warning(name, find(name, "inplace").call, x, *args, **kwargs)

    form = calls.rename_frames(form, f"{name}_", op=name)
    form.__doc__ = f"`{name}`, with a warning: the result is a new Variable, and x stays as it is."
    return form


def call_with_warning(name: str, call: Function, /, *args: Any, **kwargs: Any) -> Any:
    """Call the op with a warning: in a Program, as in Paddle, an in-place form changes nothing."""
    modes.here().builder.change_in_place(name)
    warnings.warn(
        f"In static graph mode, {name}_() is the same with {name}() and does not perform inplace "
        "operation: use the Variable that it returns.",
        stacklevel=source_line.stacklevel(),
    )
    return call(*args, **kwargs)


class Method:
    """A descriptor that replaces itself by the method at the first access."""

    def __init__(self, owner: type, name: str, entry: Any) -> None:
        self.owner = owner
        self.name = name
        self.entry = entry

    def __get__(self, tensor: Any, cls: type | None = None) -> Any:
        setattr(self.owner, self.name, self.entry.function_named(self.name))
        return getattr(self.owner if tensor is None else tensor, self.name)


# ----- options and results in place --------------------------------------------------------------


def publish(record: Op, function: Callable[..., Any], *, inplace: bool = False) -> None:
    """Make a function, which calls the op, public under the names of the op."""
    function.__name__ = function.__qualname__ = record.name
    function.__module__ = "minipaddle"
    function.op = record  # type: ignore[attr-defined]
    public(aliases=record.aliases, inplace=inplace)(function)


def publish_with_number(record: Op, *, inplace: bool = False) -> None:
    """Publish the function of an op on x and y, where y may also be a number."""

    def function(x: Any, y: Any, name: str | None = None, *, out: Any = None) -> Any:
        y = make_operand(y, x) if isinstance(y, SCALARS) else y
        return store(out, record.call(x, y), record.name)

    publish(record, function, inplace=inplace)


def options(record: Op) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function, which calls the op, the target of calls with its keyword-only arguments.

    Calls without them go directly to the quick call of the op.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        wide = accept_names(function, (record.name, *record.aliases))
        record.options = dict.fromkeys({*keyword_parameters(function)} - {"out"}, wide)
        return function

    return register
