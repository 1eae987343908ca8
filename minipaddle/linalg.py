"""Linear algebra: `paddle.linalg`, names of functions that live with the ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .ops.boundary import guarded as _guarded
from .ops.catalog import find as _find
from .ops.matrices import decompositions as _decompositions
from .ops.matrices import norms as _norms
from .ops.reference import describe as _describe
from .ops.reference import public_function as _described
from .ops.registry import REGISTRY as _REGISTRY
from .paddle_names import absent

__getattr__ = absent.names(__name__)


def _function(name: str, here: str = "") -> Any:
    """Return a record's function, under the name that it has here."""
    return _described(_REGISTRY[name], here)


def _publish(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is written with records."""
    _describe(function, "paddle.linalg")
    return _guarded(function, (function.__name__,))


cholesky = _function("cholesky")
cholesky_solve = _find("cholesky_solve", "method").call
cond = _find("cond", "method").call
corrcoef = _find("corrcoef", "method").call
cov = _find("cov", "method").call
cross = _function("cross")
det = _function("det")
eigh = _function("eigh")
eigvalsh = _function("eigvalsh")
diagonal = _function("diagonal")
inv = _function("inverse", "inv")
matrix_transpose = _find("matrix_transpose").call
matrix_power = _function("matrix_power")
matrix_rank = _function("matrix_rank")
matmul = _find("matmul").call
multi_dot = _function("multi_dot")
norm = _find("norm").call
matrix_norm = _publish(_norms.matrix_norm)
pinv = _function("pinv")
qr = _find("qr", "method").call
slogdet = _function("slogdet")
solve = _find("solve", "method").call
svd = _publish(_decompositions.svd)
svdvals = _function("svdvals")
triangular_solve = _function("triangular_solve")
vecdot = _find("vecdot").call
vector_norm = _publish(_norms.vector_norm)

__all__ = [
    "cholesky",
    "cholesky_solve",
    "cond",
    "corrcoef",
    "cov",
    "cross",
    "det",
    "diagonal",
    "eigh",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "triangular_solve",
    "vecdot",
    "vector_norm",
]
