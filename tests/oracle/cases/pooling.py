"""Pooling: windows, padding, ties, masks, adaptive windows, errors."""

import numpy as np

from ..spread import spread
from ._texts import texts

IMAGES = spread(2, 2, 6, 7)
IMAGE = IMAGES[:1, :1].copy()
LAST = IMAGES.transpose(0, 2, 3, 1).copy()
LINES = IMAGES[:, :, 0].copy()
TIES = (np.arange(36.0) * 7 % 3).reshape(1, 1, 6, 6)

VOLUME = spread(1, 1, 3, 4, 3)
LAST_VOLUME = spread(1, 2, 3, 2, 3).transpose(0, 2, 3, 4, 1).copy()
VOLUME_OF_TIES = (np.arange(36.0) * 7 % 3).reshape(1, 1, 3, 4, 3)

DIFFERS = {
    "out and gradients, one side":
        "padding counts on the side where it is: real Paddle clips at the other one",
    "out and gradients, thirds":
        "the gradient has all its digits in float64: real Paddle divides in float32",
}  # fmt: skip
TABLE = texts("pooling", globals(), DIFFERS)
