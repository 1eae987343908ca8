"""Errors of arguments that several public modules share: wrong types, shapes, choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .engine.errors import InvalidArgument, InvalidType, MinipaddleError, Unimplemented
from .messages import Message, Row


def describe_value(value: object, width: int = 60) -> str:
    """Return the type of a value and the beginning of its text: `int 3`."""
    return f"{type(value).__name__} {value!r:.{width}}"


def wrong_type(
    what: str | Message,
    value: object,
    expected: str | Message,
    fix: str | Message,
    kind: type[MinipaddleError] = InvalidType,
) -> MinipaddleError:
    """Make the error of a value of the wrong type; it shows the value."""
    return kind(what, expected=expected, received=describe_value(value), fix=fix)


def wrong_shape(
    kind: type[MinipaddleError],
    what: str | Message,
    shape: Iterable[int],
    expected: str | Message,
    fix: str | Message,
) -> MinipaddleError:
    """Make the error of a tensor that has another shape than the call needs."""
    received = Message("shape {shape}", shape=list(shape))
    return kind(what, expected=expected, received=received, fix=fix)


def wrong_mode(what: str, *, wanted: str, fix: str, kind: type[MinipaddleError]) -> MinipaddleError:
    """Make the error of a call in the other mode; `wanted` is dynamic or static."""
    other = {"dynamic": "static", "static": "dynamic"}[wanted]
    return kind(what, expected=f"{wanted} mode", received=f"{other} mode", fix=fix)


def misfit(
    op: str,
    expected: str | Message,
    kind: type[MinipaddleError] = InvalidArgument,
    fix: str | Message = "",
    /,
    **given: Any,
) -> MinipaddleError:
    """Make the error of arguments that do not fit each other, or a bound such as `0 <= p <= 1`.

    Without `op` the sentence begins with the public function that was called.
    """
    names = Row(given)
    what = Message("{names} {names:does|do} not fit.", names=names)
    if op:
        what = Message("{op}(): {names} {names:does|do} not fit.", op=op, names=names)
    others = [name for name, value in given.items() if not hasattr(value, "dtype")]
    if issubclass(kind, Unimplemented):
        advice = Message("leave {names} out", names=names)
    elif others or issubclass(kind, InvalidType):
        advice = Message("choose other values for {names}", names=Row(others or given))
    else:
        advice = Message("reshape the tensors, or check the sizes that you gave")
    return kind(what, expected=expected, received=describe(given), fix=fix or advice)


def require(
    holds: object,
    op: str,
    expected: str | Message,
    kind: type[MinipaddleError] = InvalidArgument,
    fix: str | Message = "",
    /,
    **given: Any,
) -> None:
    """Raise a `misfit` unless `holds`."""
    if not holds:
        raise misfit(op, expected, kind, fix, **given)


def describe(given: dict[str, Any]) -> str:
    """Return arguments as text: `x float32 [2, 3], groups=2`."""
    return ", ".join(
        f"{name} {value.dtype.name} {list(value.shape)}"
        if hasattr(value, "dtype") and not isinstance(value, np.generic)
        else f"{name}={value!r:.60}"
        for name, value in given.items()
    )


def state_not_dict(state: object, kind: type[MinipaddleError] = InvalidType) -> MinipaddleError:
    what = "set_state_dict(): the state is no dict."
    fix = "load it first: set_state_dict(paddle.load(path))"
    return wrong_type(what, state, expected="what state_dict() returned", fix=fix, kind=kind)
