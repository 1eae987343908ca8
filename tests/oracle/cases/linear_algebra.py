"""Linear algebra: inverses, determinants, systems, powers, factors, decompositions; errors."""

import numpy as np

from ._texts import graded, texts

SQUARE = np.array([[4.0, 1.0, 0.5], [-1.0, 3.0, 0.25], [0.5, 0.75, 2.0]])
BATCH = np.stack([SQUARE, SQUARE.T * 0.5, SQUARE @ SQUARE])
SYMMETRIC = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
TALL = np.array([[4.0, 2.0], [1.0, 3.0], [1.0, 1.0]])
RIGHT = np.array([[1.0, 0.5], [-2.0, 0.75], [-1.5, 3.0]])
V = np.array([0.25, -1.5, 2.0])
SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])


# Factorings of LAPACK and Eigen round differently.
TABLE = [
    *graded("linear_algebra", "out and gradients within 256 ulps", names=globals(), ulps=256),
    *graded("linear_algebra", "out and gradients within 256 ulps, triangles", names=globals(),
        ulps=256, differs="only the triangle has a gradient: in real Paddle also what is not read"),
    *graded("linear_algebra", "out and gradients within 256 ulps, r alone", names=globals(),
        ulps=256, differs="r alone has its gradient: real Paddle has none"),
    *graded("linear_algebra", "out and gradients within 8192 ulps", names=globals(), ulps=8192),
    *texts("linear_algebra", "call within 256 ulps", names=globals(), ulps=256),
    *texts("linear_algebra", "call", names=globals()),
]  # fmt: skip
