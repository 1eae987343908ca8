"""Linear algebra: inverses, determinants, systems, powers, factors, decompositions; errors."""

import numpy as np

from ._texts import texts

SQUARE = np.array([[4.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.75, 2.0]])
BATCH = np.stack([SQUARE, SQUARE.T * 0.5, SQUARE @ SQUARE])
SYMMETRIC = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
TALL = np.array([[4.0, 2.0], [1.0, 3.0], [1.0, 1.0]])
RIGHT = np.array([[1.0, 0.5], [-2.0, 0.75], [-1.5, 3.0]])
V = np.array([0.25, -1.5, 2.0])
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])


def slopes_of_eig(paddle, values):
    """Return eigenvalues, and the slopes of them and of the lengths in the eigenvectors."""
    x = paddle.to_tensor(values, stop_gradient=False)
    w, v = paddle.linalg.eig(x)
    weights = paddle.to_tensor([1.0, 3.0], "float64")
    lengths = (v.real() ** 2 + v.imag() ** 2) * paddle.to_tensor(
        [[1.0, 2.0], [3.0, 5.0]], "float64"
    )
    sums = [(w.real() * weights).sum(), (w.imag() * weights).sum(), lengths.sum()]
    return [w.real(), w.imag(), *(paddle.grad([each], [x], retain_graph=True)[0] for each in sums)]


def triangles(paddle, x, *more):
    """Return what lu_unpack makes of the result of lu."""
    return paddle.linalg.lu_unpack(*paddle.linalg.lu(x), *more)


TURN = np.array([[1.0, -2.0], [3.0, 0.5]])
# Factorings of LAPACK and Eigen round differently.
DIFFERS = {
    "out and gradients, triangles within 256 ulps":
        "only the triangle has a gradient: in real Paddle also what is not read",
    "call, conjugated there within 64 ulps": "pinv of a complex matrix: real Paddle conjugates it",
    "out and gradients, r alone within 256 ulps": "r alone has its gradient: real Paddle has none",
}  # fmt: skip
TABLE = texts("linear_algebra", globals(), DIFFERS)
