"""Padding in every mode and form; masks and labels; likeness."""

import numpy as np

from ..spread import spread
from ._texts import texts

CUBE, FIVE = spread(1, 2, 3, 4), spread(1, 1, 2, 3, 4)
PLANE = CUBE[0, 0].copy()
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])


TABLE = texts("padding", globals())
