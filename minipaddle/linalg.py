"""`paddle.linalg`: names of functions of linear algebra, which are defined with the ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .ops.boundary import accept_names as _accept_names
from .ops.catalog import find as _find
from .ops.matrices import decompositions as _decompositions
from .ops.matrices import norms as _norms
from .ops.reference import describe as _describe
from .ops.reference import public_function as _described
from .ops.registry import REGISTRY as _REGISTRY
from .paddle_names import absent

__getattr__ = absent.names(__name__)


def _publish_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Publish a function that is made of ops, and return it."""
    _describe(function, "paddle.linalg")
    return _accept_names(function, (function.__name__,))


# Functions under the names of their ops, and functions found as a method or as a function.
_OPS = (
    "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "matrix_power",
    "multi_dot", "pinv", "slogdet", "svdvals", "triangular_solve",
)  # fmt: skip
_METHODS = ("cholesky_solve", "cond", "corrcoef", "cov", "lu", "lu_unpack", "qr", "solve")
_FUNCTIONS = ("matmul", "matrix_transpose", "norm", "vecdot")

globals().update({name: _described(_REGISTRY[name], "") for name in _OPS})
globals().update({name: _find(name, "method").call for name in _METHODS})
globals().update({name: _find(name).call for name in _FUNCTIONS})
inv = _described(_REGISTRY["inverse"], "inv")
matrix_norm = _publish_function(_norms.matrix_norm)
matrix_rank = _publish_function(_decompositions.matrix_rank)
svd = _publish_function(_decompositions.svd)
vector_norm = _publish_function(_norms.vector_norm)

__all__ = list(_OPS + _METHODS + _FUNCTIONS)
__all__ += ["inv", "matrix_norm", "matrix_rank", "svd", "vector_norm"]
