"""The same values in another dtype, or in another place of memory."""

from __future__ import annotations

from typing import Any

from ..dtypes import DType
from ..meta import Meta, unchanged
from .records import Static, sample
from .registry import op


def _cast_infer(x: Meta, *, dtype: Any) -> Meta:
    return Meta(x.shape, DType.of(dtype).numpy)


@op(
    "cast", infer=_cast_infer, saves=("x.dtype",), canon={"dtype": DType.of},
    symbol=lambda attrs: f"→ {DType.of(attrs['dtype']).name}",
    static=Static("cast", attrs={"dtype": "out_dtype"}, prefix="cast"),
    formula="y = cast(x)", grad_formula="dx = cast(dy)",
    samples=(sample((2, 3), dtype="float64"),),
)  # fmt: skip
def cast(xp: Any, x: Any, *, dtype: Any) -> Any:
    """The same values in another dtype; the gradient comes back in the old one."""
    return x.astype(DType.of(dtype).numpy)


@cast.grad
def cast_grad(F: Any, dout: Any, x_dtype: Any) -> Any:
    return F.cast(dout, dtype=x_dtype)


@op(
    "assign", infer=unchanged, formula="y = x", grad_formula="dx = dy", method=False,
    samples=(sample((2, 3)), sample(())),
)  # fmt: skip
def assign(xp: Any, x: Any) -> Any:
    """A copy, still connected to the graph."""
    return x.copy()


@assign.grad
def assign_grad(F: Any, dout: Any) -> Any:
    return dout
