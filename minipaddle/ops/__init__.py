"""The ops: a registry of records, and one module per family."""

from __future__ import annotations

from . import (  # noqa: F401  (importing a family registers it)
    arithmetic,
    catalog,
    comparison,
    convert,
    counter,
    counts,
    creation,
    exponential,
    functions,
    index,
    linalg,
    lines,
    neural,
    norms,
    operators,
    ordering,
    pairs,
    parts,
    patterns,
    predicates,
    products,
    properties,
    quantiles,
    ranges,
    rearrange,
    reduction,
    repeating,
    rounding,
    sampling,
    scaling,
    scan,
    searching,
    shape,
    special,
    statistics,
    transfer,
    trigonometry,
)
from .records import REGISTRY, Sample, Static, sample
from .registry import Op, get, op

__all__ = [
    "REGISTRY",
    "Op",
    "Sample",
    "Static",
    "catalog",
    "functions",
    "get",
    "op",
    "operators",
    "sample",
]
