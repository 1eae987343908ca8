"""The ops: a registry of records, and one module per family."""

from __future__ import annotations

from . import (  # noqa: F401  (importing a family registers it)
    arithmetic,
    creation,
    elementwise,
    functions,
    index,
    linalg,
    neural,
    operators,
    reduction,
    shape,
)
from .registry import REGISTRY, Op, Sample, Static, get, op, sample

__all__ = ["REGISTRY", "Op", "Sample", "Static", "functions", "get", "op", "operators", "sample"]
