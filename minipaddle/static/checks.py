"""Checks that many static functions begin with."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.errors import InvalidType, ModeError
from ..messages import Message


def require_static(name: str) -> None:
    """Refuse a call that only makes sense while a Program is built or run."""
    builder = modes.here().builder
    if builder is None:
        raise ModeError(
            Message("'{name}()' is only supported in static graph mode.", name=name),
            expected=Message("static graph mode"),
            received=Message("dynamic graph mode, which is on by default"),
            fix=Message("call paddle.enable_static() first"),
        )
    builder.allow(name)


def require_type(value: Any, kinds: tuple[type, ...], argument: str, function: str) -> None:
    """Refuse an argument of the wrong type."""
    if isinstance(value, kinds):
        return
    expected = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
    raise InvalidType(
        f"{function}(): the type of '{argument}' is wrong.",
        expected=expected,
        received=f"{type(value).__name__} {value!r:.60}",
        fix=f"pass a {expected} as {argument}",
    )
