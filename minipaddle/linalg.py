"""Linear algebra: `paddle.linalg`, names of functions that live with the ops."""

from __future__ import annotations

from .ops.arguments import accepting as _accepting
from .ops.catalog import find as _find
from .ops.matrices import linalg as _linalg
from .ops.matrices import norms as _norms
from .ops.matrices.contraction import vecdot
from .ops.matrices.decompositions import cond, qr, svd
from .ops.matrices.linalg import cholesky_solve
from .ops.matrices.norms import matrix_norm
from .ops.registry import REGISTRY as _REGISTRY
from .paddle_names import absent

__getattr__ = absent.names(__name__)

cholesky = _REGISTRY["cholesky"].call
corrcoef = _find("corrcoef", "method").call
cov = _find("cov", "method").call
cross = _REGISTRY["cross"].call
det = _REGISTRY["det"].call
eigh = _REGISTRY["eigh"].call
eigvalsh = _REGISTRY["eigvalsh"].call
diagonal = _REGISTRY["diagonal"].call
inv = _REGISTRY["inverse"].call
matrix_transpose = _find("matrix_transpose").call
matrix_power = _REGISTRY["matrix_power"].call
matrix_rank = _REGISTRY["matrix_rank"].call
matmul = _find("matmul").call
multi_dot = _REGISTRY["multi_dot"].call
norm = _find("norm").call
pinv = _REGISTRY["pinv"].call
slogdet = _REGISTRY["slogdet"].call
solve = _accepting(_linalg.solve, ("solve",))
svdvals = _REGISTRY["svdvals"].call
triangular_solve = _REGISTRY["triangular_solve"].call
vector_norm = _accepting(_norms.vector_norm, ("vector_norm",))

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
