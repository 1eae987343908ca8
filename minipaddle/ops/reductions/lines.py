"""Helpers along an axis: 0-D tensors as rows, shifts, and recurrences.

Sorting, scans and statistics use these; they are not public.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.meta import Meta, axis_of, broadcast
from ..arguments import read_integer
from ..op_spec import internal
from ..record import Formula, sample
from ..rule_functions import GRAPH as F


def call_along(call: Callable[..., Any], x: Any, axis: Any, **attrs: Any) -> Any:
    """Call an op along an axis; for None x is flattened, and a 0-D tensor gets an axis."""
    if not hasattr(x, "stop_gradient"):
        return call(x, axis=0, **attrs)  # raises the error
    if axis is None:
        return call(F.reshape(x, shape=[-1]), axis=0, **attrs)
    axis = read_integer(axis)
    if len(x.shape):
        return call(x, axis=axis, **attrs)
    axis_of(call.__name__, Meta((), np.dtype("float32")), axis)
    result = call(F.reshape(x, shape=[1]), axis=0, **attrs)
    if isinstance(result, tuple):
        return tuple(F.reshape(one, shape=[]) for one in result)
    return F.reshape(result, shape=[])


def part_of(axis: int, rank: int, start: int | None, stop: int | None) -> tuple[Any, ...]:
    """Return the index of the slices from start to stop along an axis."""
    return (slice(None),) * (axis % rank) + (slice(start, stop),)


# ----- shifts and recurrences --------------------------------------------------------------------


@internal(
    infer=lambda x, *, axis, by, fill: x,
    formula=Formula("y[k] = x[k − by]"),
    samples=(
        sample((3,), axis=0, by=1),
        sample((2, 3), axis=-1, by=-1, fill=1.0),
        sample((2, 1), axis=1, by=1, fill=2.0),
        sample((3, 0), axis=1, by=1),
    ),
)
def shifted(xp: Any, x: Any, *, axis: int, by: int, fill: float = 0.0) -> Any:
    """x shifted by one position (by = 1 or by = -1), with `fill` at the free end."""
    out = xp.full_like(x, fill)
    front, back = part_of(axis, x.ndim, 1, None), part_of(axis, x.ndim, None, -1)
    out[front if by > 0 else back] = x[back if by > 0 else front]
    return out


shifted.grad(lambda F, dout, *, axis, by: F.shifted(dout, axis=axis, by=-by))


def _recurrence_formula(formula: str, attrs: dict[str, Any]) -> str:
    """Return a formula in which the places before and after k are exchanged for `reverse`."""
    if attrs["reverse"]:
        formula = formula.replace("k − 1", "k ± 1").replace("k + 1", "k − 1").replace("±", "+")
    return formula


@internal(
    infer=lambda a, b, *, axis, reverse: Meta(broadcast("recurrence", a, b), b.dtype),
    formula=Formula(
        lambda attrs: _recurrence_formula("y[k] = b[k] + a[k] · y[k − 1]", attrs),
        lambda attrs: _recurrence_formula(
            "db[k] = dy[k] + a[k + 1] · db[k + 1], da[k] = db[k] · y[k − 1]", attrs
        ),
    ),
    samples=(
        sample((5,), (5,), axis=0),
        sample((2, 4), (2, 4), axis=1, reverse=True),
        sample((3, 2), (3, 2), axis=0),
        sample((1,), (1,), axis=0),
        sample((0, 2), (0, 2), axis=0),
    ),
)
def recurrence(xp: Any, a: Any, b: Any, *, axis: int, reverse: bool = False) -> Any:
    """yᵢ = bᵢ + aᵢ yᵢ₋₁ along an axis, from its end if reverse.

    Two steps of a recurrence are one step of the same form, so log2(n) passes are enough.
    """
    a, out = a.copy(), b.copy()
    step, rank = 1, out.ndim
    while step < out.shape[axis]:
        late, early = part_of(axis, rank, step, None), part_of(axis, rank, None, -step)
        if reverse:
            late, early = early, late
        out[late] = out[late] + a[late] * out[early]
        a[late] = a[late] * a[early]
        step *= 2
    return out


@recurrence.grad
def recurrence_grad(F: Any, dout: Any, a: Any, out: Any, *, axis: int, reverse: bool) -> Any:
    """Run the transposed recurrence in reverse, with the coefficient of the neighbour."""
    on = -1 if reverse else 1
    db = F.recurrence(F.shifted(a, axis=axis, by=-on), dout, axis=axis, reverse=not reverse)
    return db * F.shifted(out, axis=axis, by=on), db
