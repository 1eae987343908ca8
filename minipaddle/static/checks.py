"""Checks of arguments that many static functions share."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.errors import InvalidType, MinipaddleError
from . import errors


def require_static(name: str) -> None:
    """Raise an error for a call that only makes sense while a Program is built or run."""
    builder = modes.here().builder
    if builder is None:
        raise errors.only_static(name)
    builder.allow(name)


def require_type(
    value: Any,
    kinds: tuple[type, ...],
    argument: str,
    function: str,
    error: type[MinipaddleError] = InvalidType,
) -> None:
    """Raise an error for an argument of the wrong type."""
    if isinstance(value, kinds):
        return
    expected = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
    raise errors.wrong_argument(function, argument, value, expected, kind=error)


def fits(declared: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether two shapes may be equal: -1, an unknown size, fits every size."""
    return len(shape) == len(declared) and all(
        m == n or -1 in (m, n) for m, n in zip(declared, shape, strict=True)
    )
