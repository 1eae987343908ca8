"""Norms and distances: every p, axes, corners, zeros, errors."""

import numpy as np

from ..spread import spread
from ._texts import graded, texts

X = np.array([[0.0, -2.0], [2.0, 1.0]])
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
ZEROS = np.array([[0.0, 0.0], [0.0, -1.0]])
CUBE = spread(2, 2, 3)


TABLE = [
    *graded("norms", "out and gradients in float32", names=globals(), dtypes=["float32"]),
    *graded("norms", "out and gradients, a fraction", names=globals(),
        differs="1 / p has all its digits in float64: real Paddle rounds it to float32"),
    *graded("norms", "out and gradients", names=globals()),
    *graded("norms", "out and gradients within 64 ulps", names=globals(), ulps=64),
    *graded("norms", "out and gradients, without p", names=globals(),
        differs="p = None is the Frobenius norm of a matrix, as documented: real Paddle takes 2"),
    *graded("norms", "out and gradients within 32 ulps", names=globals(), ulps=32),
    *texts("norms", "call", names=globals()),
]  # fmt: skip
