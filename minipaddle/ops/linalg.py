"""Matrix products."""

from __future__ import annotations

from typing import Any

from ..errors import InvalidArgument
from ..meta import Meta, broadcast, promoted
from .records import Static, sample
from .registry import op


def _matmul_infer(x: Meta, y: Meta) -> Meta:
    if not x.shape or not y.shape:
        raise InvalidArgument(
            "matmul(): a 0-D tensor cannot be multiplied as a matrix.",
            expected="x and y with at least one dimension",
            received=f"x {x} and y {y}",
            fix="use x * y for a number times a tensor",
        )
    a = x.shape if len(x.shape) > 1 else (1, *x.shape)
    b = y.shape if len(y.shape) > 1 else (*y.shape, 1)
    if a[-1] != b[-2] and -1 not in (a[-1], b[-2]):
        raise InvalidArgument(
            f"matmul(): the last dimension of x must be equal to the "
            f"{'first' if len(y.shape) == 1 else 'second to last'} dimension of y.",
            expected=f"y with size {a[-1]} there, to fit x {x}",
            received=f"y {y}, with size {b[-2]}",
            fix="transpose one of them, or check which layer's size is wrong",
        )
    if x.dtype != y.dtype:
        promoted("matmul", x, y)
        raise InvalidArgument(
            "matmul(): x and y must have one dtype; matmul does not promote.",
            expected=f"y in {x.dtype.name}, as x {x}",
            received=f"y {y}",
            fix=f"y.astype('{x.dtype.name}')",
        )
    lead = broadcast("matmul", Meta(a[:-2], x.dtype), Meta(b[:-2], y.dtype))
    rows = a[-2:-1] if len(x.shape) > 1 else ()
    columns = b[-1:] if len(y.shape) > 1 else ()
    return Meta((*lead, *rows, *columns), x.dtype)


@op(
    "matmul", infer=_matmul_infer, saves=("x", "y"), symbol="@", public=False, method=False,
    static=Static(
        "matmul_v2", extra={"trans_x": False, "trans_y": False}, prefix="matmul"
    ),
    samples=(
        sample((2, 3), (3, 4)), sample((3,), (3,)), sample((2, 3), (3,)), sample((3,), (3, 2)),
        sample((2, 2, 3), (3, 2)), sample((2, 1, 2, 3), (4, 3, 2)),
    ),
    formula="z = x @ y", grad_formula="dx = dz @ yᵀ, dy = xᵀ @ dz",
)  # fmt: skip
def matmul(xp: Any, x: Any, y: Any) -> Any:
    """The matrix product over the last two axes; leading axes broadcast."""
    if x.dtype != y.dtype:
        _matmul_infer(Meta(x.shape, x.dtype), Meta(y.shape, y.dtype))
    # For two matrices dot is the same product with half of matmul's overhead.
    return x.dot(y) if x.ndim == 2 and y.ndim == 2 else xp.matmul(x, y)


@matmul.grad
def matmul_grad(F: Any, dout: Any, x: Any, y: Any, *, needs: list[bool]) -> Any:
    if x.ndim == 2 and y.ndim == 2:
        dx = F.matmul(dout, y.T) if needs[0] else None
        return dx, F.matmul(x.T, dout) if needs[1] else None
    return _batched_grad(F, dout, x, y, needs)


def _batched_grad(F: Any, dout: Any, x: Any, y: Any, needs: list[bool]) -> Any:
    """Vectors as matrices with one row or column; leading axes summed where they broadcast."""
    a = F.reshape(x, shape=(1, x.shape[0])) if x.ndim == 1 else x
    b = F.reshape(y, shape=(y.shape[0], 1)) if y.ndim == 1 else y
    if x.ndim == 1:
        dout = F.unsqueeze(dout, axis=-1 if y.ndim == 1 else -2)
    if y.ndim == 1:
        dout = F.unsqueeze(dout, axis=-1)
    dx = dy = None
    if needs[0]:
        dx = F.matmul(dout, F.transpose(b, perm=_swapped(b.ndim)))
        dx = F.reshape(F.sum_to(dx, shape=tuple(a.shape)), shape=tuple(x.shape))
    if needs[1]:
        dy = F.matmul(F.transpose(a, perm=_swapped(a.ndim)), dout)
        dy = F.reshape(F.sum_to(dy, shape=tuple(b.shape)), shape=tuple(y.shape))
    return dx, dy


def _swapped(rank: int) -> tuple[int, ...]:
    return (*range(rank - 2), rank - 1, rank - 2)
