"""Records of operators that exist only in Programs, without public functions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..engine.errors import InvalidArgument
from ..engine.meta import Meta, size
from ..errors import misfit
from .foreign_ops import FOREIGN_OPS
from .op_spec import Op, op
from .record import Formula, Results, Static, each_of
from .registry import REGISTRY

PROGRAM_OPS: dict[str, Op] = {}
program_op = partial(op, registry=PROGRAM_OPS, public=None)


def _mul_infer(x: Meta, y: Meta, *, num_col_dims: int) -> Meta:
    inner = size(x.shape[num_col_dims:])
    if len(x.shape) <= num_col_dims or (inner != y.shape[0] and inner != -1):
        expected = f"x with {y.shape[0]} elements after its first {num_col_dims} axes"
        fix = "check num_flatten_dims and the sizes of the layers"
        raise misfit("mul", expected, InvalidArgument, fix, x=x, y=y)
    return Meta((*x.shape[:num_col_dims], *y.shape[1:]), x.dtype)


def _mul_formulas(attrs: dict[str, Any]) -> tuple[str, str]:
    """Return the formulas of `mul`, which flattens the axes of x after those of the rows."""
    count = attrs["num_col_dims"]
    rows, dx, total = "x", "dz @ yᵀ", "Σ " if count > 1 else ""
    if attrs.get("rank", 2) - count > 1:
        rows, dx = f"flatten(x, {count})", "reshape(dz @ yᵀ)"
    return f"z = {rows} @ y", f"dx = {dx}, dy = {total}{rows}ᵀ @ dz"


@program_op(
    infer=_mul_infer,
    formula=Formula(*each_of(_mul_formulas), symbol="@"),
    static=Static("mul", attrs={"num_col_dims": "x_num_col_dims"}, extra={"y_num_col_dims": 1}),
)
def mul(xp: Any, x: Any, y: Any, *, num_col_dims: int = 1) -> Any:
    """Multiply x, as a matrix whose rows are its first x_num_col_dims axes, by the matrix y."""
    if x.ndim == 2 and num_col_dims == 1:
        return x.dot(y)
    lead = x.shape[:num_col_dims]
    rows = int(np.prod(lead, dtype=np.int64))
    return x.reshape(rows, y.shape[0]).dot(y).reshape(*lead, y.shape[1])


@mul.grad
def mul_grad(F: Any, dout: Any, x: Any, y: Any, *, num_col_dims: int, needs: list[bool]) -> Any:
    rows = x
    if x.ndim > 2 or num_col_dims != 1:
        rows = F.reshape(x, shape=(-1, y.shape[0]))
        dout = F.reshape(dout, shape=(-1, y.shape[1]))
    dx = F.matmul(dout, y.T) if needs[0] else None
    if dx is not None and rows is not x:
        dx = F.reshape(dx, shape=tuple(x.shape))
    return dx, F.matmul(rows.T, dout) if needs[1] else None


def _accuracy_infer(out: Meta, indices: Meta, label: Meta) -> list[Meta]:
    if len(label.shape) != len(indices.shape) or label.shape[-1] not in (1, -1):
        fix = "label.reshape([-1, 1])"
        expected = "one label for each row: [N, 1]"
        raise misfit("accuracy", expected, InvalidArgument, fix, label=label, out=out)
    return [Meta((), np.dtype(kind)) for kind in ("float32", "int32", "int32")]


@program_op(
    infer=_accuracy_infer,
    gradless="it counts",
    results=Results(("accuracy", "correct", "total")),
    formula=Formula("accuracy = correct / total"),
)
def accuracy(xp: Any, out: Any, indices: Any, label: Any) -> Any:
    """Return the share of rows of indices that contain their label, and both counts."""
    hits = xp.sum(xp.any(indices == label, axis=1), dtype="int32")
    rows = indices.shape[0]
    return (hits / max(rows, 1)).astype("float32"), hits, xp.full((), rows, dtype="int32")


def find_op(name: str) -> Op | None:
    """Return the op of this name, of Programs and other frameworks, too; None if unknown."""
    return REGISTRY.get(name) or PROGRAM_OPS.get(name) or FOREIGN_OPS.get(name)
