"""Norms and distances: every p, axes, corners, zeros, errors."""

import numpy as np

from ..harness import Case
from ..spread import spread
from ._calls import row as calls
from .ops import cotangent, row

INF = np.inf
X = np.array([[0.0, -2.0], [2.0, 1.0]])
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
ZEROS = np.array([[0.0, 0.0], [0.0, -1.0]])
CUBE = spread(2, 2, 3)
ORDERS = (2, 1, 0, INF, -INF)
FRACTIONS = (3, 2.5)  # of 1 / p real Paddle keeps only a float32's digits
MATRIX = ("fro", "nuc", 1, -1, 2, -2, INF, -INF)


def single(name, function, *inputs):
    """A row in float32 alone."""

    def body(paddle, show):
        tensors = [paddle.to_tensor(x.astype("float32"), stop_gradient=False) for x in inputs]
        out = function(paddle, *tensors)
        show("out", out)
        paddle.autograd.backward([out], [paddle.to_tensor(cotangent(out.shape).astype("float32"))])
        show("grads", [t.grad for t in tensors])

    return Case(name, body, ulps=16)


TABLE = [
    *(single(f"norm {p}", lambda q, x, p=p: q.norm(x, p), X) for p in FRACTIONS),
    *(single(f"norm {p} by row", lambda q, x, p=p: q.norm(x, p, axis=-1), A) for p in FRACTIONS),
    *(single(f"norm {p} of zeros", lambda q, x, p=p: q.norm(x, p, axis=1), ZEROS)
      for p in FRACTIONS),
    *(single(f"dist {p}", lambda q, x, y, p=p: q.dist(x, y, p), A, B) for p in FRACTIONS),
    *(single(f"cdist {p}", lambda q, x, y, p=p: q.cdist(x, y, p), A, B) for p in (3.0, 1.5)),
    single("norm over two axes",
        lambda q, x: q.linalg.vector_norm(x, 3, axis=[0, 1], keepdim=True), CUBE),
    single("norm over three axes", lambda q, x: q.linalg.norm(x, 2, axis=[0, 1, 2]), CUBE),
    single("norm over one axis in a list", lambda q, x: q.norm(x, 3, axis=[1]), CUBE),
    row("norm of a fraction", lambda q, x: q.norm(x, 3), X,
        differs="1 / p has all its digits in float64: real Paddle rounds it to float32"),
    *(row(f"norm {p}", lambda q, x, p=p: q.norm(x, p), X) for p in (*ORDERS, "fro", None, 0.5, -1)),
    *(row(f"norm {p} by row", lambda q, x, p=p: q.norm(x, p, axis=-1), A) for p in ORDERS),
    *(row(f"norm {p} kept", lambda q, x, p=p: q.norm(x, p, axis=0, keepdim=True), A)
      for p in ORDERS),
    *(row(f"norm {p} of zeros", lambda q, x, p=p: q.norm(x, p, axis=1), ZEROS)
      for p in ORDERS),
    *(row(f"matrix {p}", lambda q, x, p=p: q.linalg.norm(x, p, axis=[0, 1]), X, ulps=64)
      for p in MATRIX),
    *(row(f"matrices {p}", lambda q, x, p=p: q.linalg.norm(x, p, axis=[-2, -1], keepdim=True), CUBE,
          ulps=64) for p in MATRIX),
    *(row(f"matrices across {p}", lambda q, x, p=p: q.linalg.matrix_norm(x, p, axis=[2, 0]), CUBE,
          ulps=64) for p in MATRIX),
    row("matrix_norm", lambda q, x: q.linalg.matrix_norm(x), X),
    *(row(f"vector_norm {p}", lambda q, x, p=p: q.linalg.vector_norm(x, p), X) for p in ORDERS),
    row("norm without p over two axes", lambda q, x: q.norm(x, axis=[0, 1]), CUBE,
        differs="p = None is the Frobenius norm of a matrix, as documented: real Paddle takes 2"),
    row("norm kept whole", lambda q, x: q.norm(x, keepdim=True), A),
    row("norm 0-D", lambda q, x: q.norm(x), np.array(-3.0)),
    row("norm as a method", lambda q, x: x.norm(), A),
    *(row(f"dist {p}", lambda q, x, y, p=p: q.dist(x, y, p), A, B) for p in ORDERS),
    row("dist of a row", lambda q, x, y: q.dist(x, y), X, np.array([0.0, -2.0])),
    *(row(f"cdist {p}", lambda q, x, y, p=p: q.cdist(x, y, p), A, B[:, ::-1].copy(), ulps=32)
      for p in (2.0, 1.0, INF)),
    row("cdist of batches", lambda q, x, y: q.cdist(x, y), CUBE, CUBE[:, :1] + 1.0, ulps=32),
    calls("forms and errors",
        lambda q: q.norm(q.ones([2]), dtype="float64"), lambda q: q.norm(q.ones([0, 2])),
        lambda q: q.norm(q.ones([2]), "bad"), lambda q: q.norm(q.ones([2]), "nuc"),
        lambda q: q.norm(q.ones([2, 2]), "nuc", axis=0),
        lambda q: q.norm(q.ones([2, 2]), "fro", axis=0),
        lambda q: q.linalg.norm(q.ones([2, 2]), 3, axis=[0, 1]),
        lambda q: q.linalg.matrix_norm(q.ones([2, 2]), 0),
        lambda q: q.linalg.vector_norm(q.ones([2, 2]), "fro"),
        lambda q: q.norm(q.ones([2]), axis=3),
        lambda q: q.norm(q.ones([2], "int64")), lambda q: q.dist(q.ones([2]), q.ones([3])),
        lambda q: q.norm(q.ones([2, 2]), "nuc"),
    ),
]  # fmt: skip
