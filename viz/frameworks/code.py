"""Arguments of a function in the user's program, as code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from minipaddle.engine.call_settings import named_arguments


def settings_of(
    function: Any, args: Any, kwargs: Any, first: int, tensors_in: Callable[[Any], list[Any]]
) -> dict[str, str] | None:
    """Map parameters from number `first` on to the arguments without tensors, as code."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    named = list(named_arguments(bound).items())[first:]
    plain = ((name, value) for name, value in named if not tensors_in([value]))
    return {name: spelled(value) for name, value in plain} or None


def spelled(value: Any) -> str:
    """Return a value as code; an object without such code by its name or class."""
    text = repr(value)
    if re.search(r" at 0x[0-9a-fA-F]+", text):
        return str(getattr(value, "__name__", type(value).__name__))
    return f"{text:.60}"
