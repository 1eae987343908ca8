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
from .ops.op_spec import get as _get
from .paddle_names import absent

__getattr__ = absent.names(__name__)

cholesky = _get("cholesky").call
corrcoef = _find("corrcoef", "method").call
cov = _find("cov", "method").call
cross = _get("cross").call
det = _get("det").call
eigh = _get("eigh").call
eigvalsh = _get("eigvalsh").call
diagonal = _get("diagonal").call
inv = _get("inverse").call
matrix_transpose = _find("matrix_transpose").call
matrix_power = _get("matrix_power").call
matrix_rank = _get("matrix_rank").call
matmul = _find("matmul").call
multi_dot = _get("multi_dot").call
norm = _find("norm").call
pinv = _get("pinv").call
slogdet = _get("slogdet").call
solve = _accepting(_linalg.solve, ("solve",))
svdvals = _get("svdvals").call
triangular_solve = _get("triangular_solve").call
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
