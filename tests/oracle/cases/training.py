"""A seeded network, and mistakes with optimizers and losses."""

import numpy as np

from ._texts import texts

INPUTS = np.float32([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75], [-0.5, 1.0, 0.125], [2.0, 0.0, 1.0]])
WEIGHT = np.float32([[0.5], [-0.25], [0.125]])


TABLE = texts("training", globals())
