"""Convolutions: every form of padding, strides, groups, layouts, transposes, errors."""

from ..spread import spread
from ._texts import texts

# Shapes are small, because every element and gradient is recorded in two dtypes.
IMAGES = spread(2, 2, 5, 4)
ONE = IMAGES[:1].copy()
WIDE = IMAGES.reshape(1, 4, 5, 4)
LAST = IMAGES.transpose(0, 2, 3, 1).copy()
FILTERS = spread(3, 2, 3, 2, part=2)
HALVES = spread(6, 2, 3, 2, part=3)
LINES = IMAGES[:, :, 0].copy()
COMBS = FILTERS[:, :, :, 0].copy()
BIAS, BIAS_OF_HALVES = spread(3, part=4), spread(6, part=5)
BACK = spread(2, 3, 3, 2, part=6)
BACK_OF_HALVES = spread(4, 3, 3, 2, part=7)

VOLUMES = spread(2, 1, 3, 4, 3, part=8)
VOLUME = VOLUMES[:1].copy()
WIDE_VOLUME = VOLUMES.transpose(1, 0, 2, 3, 4).copy()
LAST_VOLUME = VOLUME.transpose(0, 2, 3, 4, 1).copy()
BLOCKS = spread(2, 1, 2, 3, 2, part=9)
SMALL = spread(1, 1, 3, 2, 2, part=11)
LAST_SMALL = SMALL.transpose(0, 2, 3, 4, 1).copy()
BACK_BLOCKS = spread(1, 2, 2, 3, 2, part=12)

TABLE = texts("convolution", globals())
