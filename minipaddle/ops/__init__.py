"""Ops, with one record each, in modules by family; importing a module registers its ops."""

from __future__ import annotations

from . import catalog, operators
from .elementwise import (  # noqa: F401
    arithmetic,
    comparison,
    exponential,
    gamma,
    options,
    pairs,
    predicates,
    rounding,
    scaling,
    special,
    trigonometry,
)
from .indexing import along, gathering, index, masking, picking, scattering  # noqa: F401
from .making import convert, creation, patterns, properties, ranges, sampling  # noqa: F401
from .matrices import contraction, decompositions, einsum, linalg, norms, products  # noqa: F401
from .networks import (  # noqa: F401
    activations,
    classes,
    convolution,
    forms,
    losses,
    neural,
    normalization,
    padding,
    pooling,
    rectifiers,
    rows,
)
from .op_spec import Op, op
from .ranks import collectives  # noqa: F401
from .record import Sample, Static, sample
from .reductions import composed, counts, lines, ordering, reduction, scan, statistics  # noqa: F401
from .registry import REGISTRY
from .shapes import diagonals, parts, rearrange, repeating, shape  # noqa: F401

__all__ = ["REGISTRY", "Op", "Sample", "Static", "catalog", "op", "operators", "sample"]
