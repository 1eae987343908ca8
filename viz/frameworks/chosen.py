"""The framework that a recording is asked for."""

from __future__ import annotations

import dis
import sys
import warnings
from collections.abc import Mapping
from contextlib import suppress
from inspect import unwrap
from types import FunctionType, ModuleType
from typing import Any

import minipaddle
from minipaddle.engine import source_line
from minipaddle.engine.errors import InvalidArgument
from minipaddle.engine.install_advice import optional_imports

from .framework import Framework

FOREIGN = {"torch": "PyTorch", "paddle": "Paddle"}


def framework_among(variables: Mapping[str, Any]) -> str | None:
    """Return the framework of which a program has something, if it is one, and not minipaddle.

    >>> framework_among({"nn": ModuleType("torch.nn")})
    'torch'
    >>> framework_among({"torch": ModuleType("torch"), "Tensor": minipaddle.Tensor})
    """
    found = {*map(package_of, variables.values())} & {*FOREIGN, "minipaddle"}
    return found.pop() if len(found) == 1 else None


def variables_seen_by(function: Any) -> Mapping[str, Any]:
    """Return the variables that a function can read: globals, those of functions around, imports.

    >>> def step():
    ...     import minipaddle
    >>> "minipaddle" in variables_seen_by(step)
    True
    """
    function = unwrap(function)
    if not isinstance(function, FunctionType):
        return {}
    code, variables = function.__code__, dict(function.__globals__)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # it is assigned later
            variables[name] = cell.cell_contents
    imports = (each.argval for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME")
    return {name: ModuleType(name) for name in imports} | variables


def warn_of_nothing(variables: Mapping[str, Any]) -> None:
    """Warn that a recording of minipaddle is empty, if the program has another framework, too."""
    packages = {*map(package_of, variables.values())}
    for name in FOREIGN.keys() & packages:
        warnings.warn(
            f"viz.record() has recorded nothing, as nothing of minipaddle ran. To record "
            f'{FOREIGN[name]} write viz.record(framework="{name}").',
            stacklevel=source_line.stacklevel(),
        )


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
