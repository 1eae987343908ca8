"""Public functions with more arguments than the op they call: numbers, options, `out`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.dispatch import into
from .arguments import SCALARS, constant
from .boundary import guarded
from .catalog import public
from .op_spec import Op, keywords


def publish(record: Op, function: Callable[..., Any], *, inplace: bool = False) -> None:
    """Make a function, which calls the op, public under the names of the op."""
    function.__name__ = function.__qualname__ = record.name
    function.__module__ = "minipaddle"
    function.op = record  # type: ignore[attr-defined]
    public(aliases=record.aliases, inplace=inplace)(function)


def publish_with_number(record: Op, *, inplace: bool = False) -> None:
    """Publish the function of an op on x and y, where y may also be a number."""

    def function(x: Any, y: Any, name: str | None = None, *, out: Any = None) -> Any:
        y = constant(y, x) if isinstance(y, SCALARS) else y
        return into(out, record.call(x, y), record.name)

    publish(record, function, inplace=inplace)


def options(record: Op) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function, which calls the op, the target of calls with its keyword-only arguments.

    Calls without them go directly to the quick call of the op.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        wide = guarded(function, (record.name, *record.aliases))
        record.options = dict.fromkeys({*keywords(function)} - {"out"}, wide)
        return function

    return register
