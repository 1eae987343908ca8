"""Norms and distances: every p, axes, corners, zeros, errors."""

import numpy as np

from ..spread import spread
from ._texts import texts

X = np.array([[0.0, -2.0], [2.0, 1.0]])
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
ZEROS = np.array([[0.0, 0.0], [0.0, -1.0]])
CUBE = spread(2, 2, 3)


DIFFERS = {
    "out and gradients, a fraction":
        "1 / p has all its digits in float64: real Paddle rounds it to float32",
    "out and gradients, without p":
        "p = None is the Frobenius norm of a matrix, as documented: real Paddle takes 2",
}  # fmt: skip
TABLE = texts("norms", globals(), DIFFERS)
