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


TABLE = texts("convolution", globals())
