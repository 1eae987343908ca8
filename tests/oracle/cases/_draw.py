"""Random choices and tensors, the same on every machine.

Only `random()` of Python's Random is used, because it is the same in every version.
"""

from random import Random

import numpy as np


class Draw:
    """Choices that depend only on a seed, and tensors made of them."""

    def __init__(self, paddle, seed):
        self.paddle, self.random = paddle, Random(seed)
        self.leaves = []

    def below(self, count):
        return int(self.random.random() * count)

    def pick(self, *row):
        return row[self.below(len(row))]

    def maybe(self, one_in=2):
        return self.below(one_in) == 0

    def numbers(self, shape):
        """Return quarters from -2 to 2."""
        values = [(self.below(17) - 8) / 4 for _ in range(int(np.prod(shape)))]
        return np.array(values).reshape(shape)

    def leaf(self, shape, dtype):
        """Return a tensor that needs a gradient."""
        leaf = self.paddle.to_tensor(self.numbers(shape).astype(dtype))
        leaf.stop_gradient = False
        self.leaves.append(leaf)
        return leaf

    def integers(self, shape, low, high, dtype="int64"):
        values = [low + self.below(high - low) for _ in range(int(np.prod(shape)))]
        return self.paddle.to_tensor(np.array(values, dtype).reshape(shape))

    def cotangent(self, out):
        return self.paddle.to_tensor(self.numbers(out.shape).astype(out.numpy().dtype))
