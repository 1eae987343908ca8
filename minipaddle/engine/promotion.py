"""Promotion: the common dtype of two tensors, by one of three rules that an op's record names.

A rule returns None for dtypes that do not mix. Else the last two inputs of the op are cast to the
common dtype by `cast` ops, so that each gets its gradient in its own dtype. Public docstrings quote
the docstrings of the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import refusals
from .meta import Meta

# Kind of a dtype -> its rank: a higher kind represents the lower ones.
RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
WIDE = {np.dtype("float64"), np.dtype("complex128")}


def floats_widen(x: Meta, y: Meta) -> np.dtype[Any] | None:
    """Floats widen, and everything becomes complex beside complex."""
    a, b = x.dtype, y.dtype
    mix = a == b or a.kind == b.kind == "f" or "c" in (a.kind, b.kind)
    return _wider_dtype(a, b) if mix else None


def zero_d_is_a_number(x: Meta, y: Meta) -> np.dtype[Any] | None:
    """Floats widen, everything becomes complex beside complex, a 0-D tensor counts as a number."""
    if x.shape and y.shape:
        return floats_widen(x, y)
    if (x.shape or y.shape) and RANKS[x.dtype.kind] == RANKS[y.dtype.kind]:
        return x.dtype if x.shape else y.dtype
    return _wider_dtype(x.dtype, y.dtype)


def zero_d_widens(x: Meta, y: Meta) -> np.dtype[Any] | None:
    """Floats widen, everything becomes complex beside complex, a 0-D tensor mixes with all."""
    return floats_widen(x, y) if x.shape and y.shape else _wider_dtype(x.dtype, y.dtype)


def _wider_dtype(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the higher kind, or the wider of one kind (int64, float32: float32)."""
    if "c" in (a.kind, b.kind):
        return np.dtype("complex128" if {a, b} & WIDE else "complex64")
    if RANKS[a.kind] == RANKS[b.kind]:
        return np.promote_types(a, b)
    return max(a, b, key=lambda dtype: RANKS[dtype.kind])


def meet(op: Any, x: Meta, y: Meta) -> np.dtype[Any]:
    """Return the common dtype by an op's rule; raise an error if the dtypes do not mix."""
    dtype: np.dtype[Any] | None = op.promotes(x, y)
    if dtype is None:
        wider = _wider_dtype(x.dtype, y.dtype)
        cast = [f"{n}.astype('{wider}')" for n, m in (("x", x), ("y", y)) if m.dtype != wider]
        raise refusals.types_do_not_mix(op.name, x, y, cast)
    return dtype
