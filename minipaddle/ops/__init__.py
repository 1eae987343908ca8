"""Ops, with one record each, in modules by family; importing a module registers its ops."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from . import catalog, operators
from .elementwise import (
    arithmetic,
    comparison,
    complex_numbers,
    exponential,
    gamma,
    options,
    pairs,
    rounding,
    scaling,
    special,
    trigonometry,
)
from .indexing import along, gathering, index, masking, picking, scattering
from .making import creation, patterns, properties, ranges, sampling
from .matrices import contraction, decompositions, einsum, factors, fourier, linalg, norms, products
from .networks import (
    activations,
    classes,
    convolution,
    forms,
    grids,
    losses,
    neural,
    normalization,
    padding,
    pooling,
    rectifiers,
    resampling,
)
from .op_spec import Op, op
from .ranks import collectives
from .record import Sample, Static, sample
from .reductions import composed, counts, lines, ordering, reduction, scan, statistics
from .registry import REGISTRY
from .shapes import diagonals, parts, rearrange, repeating, shape

__all__ = ["REGISTRY", "Op", "Sample", "Static", "catalog", "op", "operators", "sample"]
