"""How `paddle.io` refuses an argument."""

from __future__ import annotations

from typing import Any

from ..engine.errors import CheckFailed, MinipaddleError
from .errors import refused


def require(
    holds: Any,
    what: str,
    expected: str,
    received: Any,
    fix: str,
    kind: type[MinipaddleError] = CheckFailed,
) -> None:
    """Raise an error unless an argument is as it should be."""
    if not holds:
        raise refused(what, expected, received, fix, kind)


def positive(name: str, value: Any) -> None:
    """A size of a batch."""
    good = isinstance(value, int) and not isinstance(value, bool) and value > 0
    what = f"{name} should be a positive integer."
    require(good, what, "an int above 0", value, f"write {name}=32")


def truth(name: str, value: Any) -> None:
    """A switch."""
    what = f"{name} should be a boolean value."
    require(isinstance(value, bool), what, "True or False", value, f"write {name}=True")
