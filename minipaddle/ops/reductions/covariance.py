"""Covariance and correlation of several variables."""

from __future__ import annotations

import math
from typing import Any

from ...engine.dtypes import DType
from ...engine.tensor import Tensor
from ...errors import misfit
from .. import errors
from ..catalog import public
from ..matrices.products import swap_axes
from ..rule_functions import GRAPH as F
from ..widening import rounds_once
from .composed import refuse_integers


@public(function=False)
@rounds_once
def cov(
    x: Any,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Any = None,
    aweights: Any = None,
    name: str | None = None,
) -> Any:
    """How the rows of x vary together; `fweights` says how often each column was observed,
    `aweights` how much it counts.

    Shapes: for example x [2, 3] gives [2, 2].
    Dtypes: floating kept.
    Errors: TypeError for complex, integers, bool.

    >>> x = paddle.to_tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    >>> paddle.linalg.cov(x).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    x = _as_rows("cov", x, rowvar)
    columns = x.shape[1]
    weights = {"fweights": fweights, "aweights": aweights}
    for label, row in weights.items():
        _check_weights(label, row, columns)
    given = [F.cast(row, dtype=DType.of(x.dtype)) for row in weights.values() if row is not None]
    less = int(ddof)
    if not given:
        apart = x - F.mean(x, axis=1, keepdim=True)
        return _squeeze(F.matmul(apart, swap_axes(F, apart)) / max(columns - less, 0))
    weight = math.prod(given[1:], start=given[0])
    whole = F.sum(weight)
    count = whole
    if less:
        count = whole - F.sum(weight * given[-1]) / whole if aweights is not None else whole - 1.0
    apart = x - F.sum(x * weight, axis=1, keepdim=True) / whole
    return _squeeze(F.matmul(apart * weight, swap_axes(F, apart)) / count)


def _as_rows(op_name: str, x: Any, rowvar: bool) -> Any:
    """Return x as a matrix with a row for each variable."""
    if not 1 <= len(x.shape) <= 2:
        raise errors.rank(op_name, 1, 2, x=x)
    refuse_integers(op_name, x)
    if len(x.shape) == 1:
        return F.unsqueeze(x, axis=0)
    return x if rowvar or x.shape[0] == 1 else swap_axes(F, x)


def _check_weights(label: str, row: Any, columns: int) -> None:
    if row is None:
        return
    size = row.shape[0] if len(row.shape) == 1 else -1
    if size != columns and columns != -1:
        raise errors.shape("cov", (columns,), **{label: row})
    if isinstance(row, Tensor) and row._data.size and row._data.min() < 0:
        raise misfit("cov", f"{label} >= 0", **{label: row._data.min()})


def _squeeze(x: Any) -> Any:
    """Return a number for a single variable."""
    return F.reshape(x, shape=[]) if tuple(x.shape) == (1, 1) else x


@public(function=False)
@rounds_once
def corrcoef(x: Any, rowvar: bool = True, name: str | None = None) -> Any:
    """The correlation of each pair of rows of x: 1 for equal courses, -1 for opposite ones.

    Shapes: for example x [2, 3] gives [2, 2].
    Dtypes: floating kept.
    Errors: TypeError for complex, integers, bool.

    >>> x = paddle.to_tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    >>> paddle.linalg.corrcoef(x).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    _as_rows("corrcoef", x, rowvar)
    matrix = cov(x, rowvar)
    if not matrix.shape:
        return matrix / matrix
    spread = F.sqrt(F.diagonal(matrix))
    matrix = matrix / F.unsqueeze(spread, axis=1) / F.unsqueeze(spread, axis=0)
    return F.clip(matrix, min=-1.0, max=1.0)
