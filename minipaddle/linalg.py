"""`paddle.linalg`: names of functions of linear algebra, which are defined with the ops."""

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


def _function_of(name: str, here: str = "") -> Any:
    """Return the public function of an op; `here` is its name in this module, if another."""
    return _described(_REGISTRY[name], here)


def _publish_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Publish a function that is made of ops, and return it."""
    _describe(function, "paddle.linalg")
    return _guarded(function, (function.__name__,))


cholesky = _function_of("cholesky")
cholesky_solve = _find("cholesky_solve", "method").call
cond = _find("cond", "method").call
corrcoef = _find("corrcoef", "method").call
cov = _find("cov", "method").call
cross = _function_of("cross")
det = _function_of("det")
eigh = _function_of("eigh")
eigvalsh = _function_of("eigvalsh")
diagonal = _function_of("diagonal")
inv = _function_of("inverse", "inv")
matrix_transpose = _find("matrix_transpose").call
matrix_power = _function_of("matrix_power")
matrix_rank = _function_of("matrix_rank")
matmul = _find("matmul").call
multi_dot = _function_of("multi_dot")
norm = _find("norm").call
matrix_norm = _publish_function(_norms.matrix_norm)
pinv = _function_of("pinv")
qr = _find("qr", "method").call
slogdet = _function_of("slogdet")
solve = _find("solve", "method").call
svd = _publish_function(_decompositions.svd)
svdvals = _function_of("svdvals")
triangular_solve = _function_of("triangular_solve")
vecdot = _find("vecdot").call
vector_norm = _publish_function(_norms.vector_norm)

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
