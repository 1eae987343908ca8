"""The ops: a registry of records, and one module per family.

The families below are loaded at once; every other one when a name of it is first used. A new
family needs no line here: `python -m tests.architecture.later` writes its names into `later.py`.
"""

from __future__ import annotations

import importlib
from typing import Any

from . import (  # noqa: F401  (importing a family registers it)
    arithmetic,
    catalog,
    comparison,
    convert,
    creation,
    exponential,
    index,
    operators,
    options,
    products,
    reduction,
    scaling,
    shape,
    trigonometry,
)
from .later import FAMILIES
from .records import REGISTRY, Sample, Static, sample
from .registry import Op, get, op

__all__ = [
    "REGISTRY",
    "Op",
    "Sample",
    "Static",
    "catalog",
    "get",
    "op",
    "operators",
    "sample",
]


def __getattr__(name: str) -> Any:
    """A family that is loaded later, or the nodes of saved_tensors_hooks."""
    if name not in FAMILIES and name != "packed":
        raise AttributeError(name)
    return importlib.import_module(f".{name}", __name__)
