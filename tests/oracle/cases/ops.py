"""Ops without a topic of their own: values and gradients in float32 and in float64."""

import numpy as np

from ._texts import texts

X = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
Y = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
LABELS = np.array([2, 0])


DIFFERS = {
    "out and gradients, positions": "positions want no gradient",
    "out and gradients, soft labels": "soft labels have a gradient like any other input",
    "out and gradients, labels": "labels have a gradient like any other input",
}  # fmt: skip
TABLE = texts("ops", globals(), DIFFERS)
