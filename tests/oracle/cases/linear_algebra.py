"""Linear algebra: inverses, determinants, systems, powers, factors, decompositions; errors."""

import numpy as np

from ._calls import row as calls
from .ops import row

SQUARE = np.array([[4.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.75, 2.0]])
BATCH = np.stack([SQUARE, SQUARE.T * 0.5, SQUARE @ SQUARE])
SYMMETRIC = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
TALL = np.array([[4.0, 2.0], [1.0, 3.0], [1.0, 1.0]])
RIGHT = np.array([[1.0, 0.5], [-2.0, 0.75], [-1.5, 3.0]])
V = np.array([0.25, -1.5, 2.0])
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
KINDS = ("int32", "int64", "bool")


def near(name, function, *inputs, ulps=256, differs=None):
    """A row; different factorings of LAPACK and Eigen round differently."""
    return row(name, function, *inputs, ulps=ulps, differs=differs)


def linalg(name, *inputs, label="", ulps=256, differs=None, **attributes):
    def function(p, *tensors):
        return getattr(p.linalg, name)(*tensors, **attributes)

    return near(f"{name}{label}", function, *inputs, ulps=ulps, differs=differs)


FUNCTIONS = (
    "inv",
    "det",
    "slogdet",
    "cholesky",
    "qr",
    "svd",
    "svdvals",
    "eigh",
    "eigvalsh",
    "pinv",
    "matrix_rank",
    "cond",
)

TABLE = [
    *(linalg(name, SQUARE) for name in ("inv", "det", "slogdet", "pinv", "svdvals", "cond")),
    *(linalg(name, BATCH, label=" of a batch") for name in ("inv", "det", "slogdet", "svdvals")),
    near("inverse", lambda p, x: p.inverse(x), SQUARE),
    linalg("det", SINGULAR, label=" of a singular matrix"),
    linalg("slogdet", SINGULAR, label=" of a singular matrix"),
    linalg("slogdet", np.diag([1.0, -2.0]), label=" below 0"),
    # ----- Systems -----
    linalg("solve", SQUARE, RIGHT), linalg("solve", SQUARE, V, label=" for a vector"),
    linalg("solve", BATCH, RIGHT, label=" with a batch"),
    linalg("solve", BATCH, RIGHT.T[:1] + BATCH[:, 0], label=" for vectors"),
    linalg("solve", SQUARE, np.stack([RIGHT, -RIGHT]), label=" for a batch"),
    linalg("solve", SQUARE, RIGHT.T.copy(), label=" from the right", left=False),
    *(
        linalg("triangular_solve", SQUARE, RIGHT, label=f" {upper} {transpose} {unit}", upper=upper,
               transpose=transpose, unitriangular=unit,
               differs=None if upper or not unit else
               "only the triangle has a gradient: in real Paddle also what is not read")
        for upper in (True, False) for transpose in (True, False) for unit in (True, False)
    ),
    linalg("triangular_solve", BATCH, BATCH[:, :, :2].copy(), label=" of a batch"),
    linalg("cholesky_solve", RIGHT, np.tril(SQUARE)),
    linalg("cholesky_solve", RIGHT, np.triu(SQUARE), label=" upper", upper=True),
    # ----- Powers and factors -----
    *(linalg("matrix_power", SQUARE, label=f" {n}", n=n) for n in (0, 1, 2, 3, 5, -1, -2)),
    linalg("matrix_power", BATCH, label=" of a batch", n=2),
    linalg("cholesky", SYMMETRIC), linalg("cholesky", SYMMETRIC, label=" upper", upper=True),
    near("paddle.cholesky", lambda p, x: p.cholesky(x), SYMMETRIC),
    linalg("pinv", TALL, label=" tall"), linalg("pinv", TALL.T.copy(), label=" wide"),
    # ----- Decompositions -----
    linalg("qr", SQUARE), linalg("qr", TALL, label=" tall"),
    linalg("qr", TALL.T.copy(), label=" wide"),
    linalg("svd", SQUARE), linalg("svd", TALL, label=" tall"),
    linalg("svd", TALL.T.copy(), label=" wide"), linalg("svdvals", TALL, label=" tall"),
    linalg("eigh", SYMMETRIC), linalg("eigh", SYMMETRIC, label=" U", UPLO="U"),
    linalg("eigvalsh", SYMMETRIC), near("paddle.eigvalsh", lambda p, x: p.eigvalsh(x), SYMMETRIC),
    near("qr, r alone", lambda p, x: p.linalg.qr(x, "r"), TALL,
         differs="r alone has its gradient: real Paddle has none"),
    *(
        linalg("cond", SQUARE, label=f" {p}", p=p, ulps=8192)  # of a norm, not of its sums
        for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    ),
    linalg("cond", TALL, label=" tall"),
    # ----- Without gradients -----
    calls("complete",
        lambda p: [abs(one) for one in p.linalg.qr(p.to_tensor(TALL), "complete")],
        lambda p: [abs(one) for one in p.linalg.svd(p.to_tensor(TALL), full_matrices=True)],
        ulps=256),
    calls("matrix_rank",
        lambda p: p.linalg.matrix_rank(p.to_tensor(SQUARE)),
        lambda p: p.linalg.matrix_rank(p.to_tensor(SINGULAR)),
        lambda p: p.linalg.matrix_rank(p.to_tensor(BATCH)),
        lambda p: p.linalg.matrix_rank(p.zeros([2, 3])),
        lambda p: p.linalg.matrix_rank(p.to_tensor(np.diag([1.0, 0.1])), tol=0.2),
        lambda p: p.linalg.matrix_rank(p.to_tensor(np.diag([1.0, 0.1])), rtol=0.2),
        lambda p: p.linalg.matrix_rank(p.to_tensor(np.diag([1.0, 0.1])), atol=0.5),
        lambda p: p.linalg.matrix_rank(p.to_tensor(SYMMETRIC), hermitian=True)),
    # ----- Errors -----
    *(
        calls(f"errors of {name}",
            *(lambda p, name=name, kind=kind: getattr(p.linalg, name)(p.ones([2, 2]).astype(kind))
              for kind in KINDS))
        for name in FUNCTIONS
    ),
    *(
        calls(f"{name} of a vector", lambda p, name=name: getattr(p.linalg, name)(p.ones([2])))
        for name in FUNCTIONS if name != "det"
    ),
    *(
        calls(f"{name} of a rectangle",
            lambda p, name=name: getattr(p.linalg, name)(p.ones([2, 3])))
        for name in ("inv", "det", "slogdet", "cholesky", "eigh", "eigvalsh")
    ),
    calls("no result",
        lambda p: p.linalg.inv(p.to_tensor(SINGULAR)),
        lambda p: p.linalg.solve(p.to_tensor(SINGULAR), p.ones([2, 1], "float64")),
        lambda p: p.linalg.matrix_power(p.to_tensor(SINGULAR), -1),
        lambda p: p.linalg.cholesky(p.to_tensor(SINGULAR)),
        lambda p: p.linalg.cholesky(p.to_tensor([[1.0, 2.0], [2.0, 1.0]]))),
    calls("misfits",
        lambda p: p.linalg.solve(p.to_tensor(SQUARE), p.ones([2, 2], "float64")),
        lambda p: p.linalg.solve(p.ones([2, 2]), p.ones([2, 2], "int64")),
        lambda p: p.linalg.solve(p.ones([2, 3]), p.ones([2, 2])),
        lambda p: p.linalg.triangular_solve(p.eye(2), p.ones([2])),
        lambda p: p.linalg.matrix_power(p.eye(2), 2.0), lambda p: p.linalg.cond(p.eye(2), 3),
        lambda p: p.linalg.qr(p.eye(2), "bad"), lambda p: p.linalg.eigh(p.eye(2), "X"),
        lambda p: p.linalg.cond(p.ones([2, 3]), 1)),
]  # fmt: skip
