"""The framework that a recording is asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import minipaddle
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.install_advice import optional_imports

from .framework import Framework


def framework_among(variables: Mapping[str, Any]) -> str | None:
    """Return the framework whose modules a program has, if it is one, and not minipaddle.

    >>> framework_among({"nn": ModuleType("torch.nn")})
    'torch'
    >>> framework_among({"torch": ModuleType("torch"), "paddle": minipaddle})
    """
    modules = [each for each in variables.values() if isinstance(each, ModuleType)]
    packages = {each.__name__.partition(".")[0] for each in modules}
    found = packages & {"torch", "paddle", "minipaddle"}
    return found.pop() if len(found) == 1 else None


def framework_called(name: str | None) -> Framework:
    """Return the framework with this name, for one recording; None is minipaddle.

    Errors: ValueError for a name that is unknown; ImportError if it is not installed.
    """
    stands_in = name == "paddle" and sys.modules.get("paddle") is minipaddle  # minipaddle run
    if name is None or name == "minipaddle" or stands_in:
        return Framework()
    if name not in ("torch", "paddle"):
        raise InvalidArgument(
            "This framework cannot be recorded.",
            expected='framework="torch" or "paddle", or None for minipaddle',
            received=repr(name),
        )
    with optional_imports():
        if name == "paddle":
            from .paddle_events import paddle_here

            return paddle_here()
        from .torch_events import torch_here

        return torch_here()
