"""The framework that a recording is asked for."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import minipaddle
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.install_advice import optional_imports

from .framework import Framework


def framework_among(variables: Mapping[str, Any]) -> str | None:
    """Return the framework of which a program has something, if it is one, and not minipaddle.

    >>> framework_among({"nn": ModuleType("torch.nn")})
    'torch'
    >>> framework_among({"torch": ModuleType("torch"), "Tensor": minipaddle.Tensor})
    """
    found = {*map(package_of, variables.values())} & {"torch", "paddle", "minipaddle"}
    return found.pop() if len(found) == 1 else None


def package_of(thing: Any) -> str:
    """Return the package of a module, a class, a function or an object's class."""
    if isinstance(thing, ModuleType):
        return thing.__name__.partition(".")[0]
    owner = thing if isinstance(thing, (type, FunctionType)) else type(thing)
    return str(owner.__module__).partition(".")[0]


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
