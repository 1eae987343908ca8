"""Random calls of one function each, with values that break masks, windows and sums.

A seed determines the shapes, options, numbers, and cotangents of a call. Only `random()` of
Python's Random is used, because it is the same in every version.
"""

from random import Random

import numpy as np

from ..harness import builtin_class

INF, NAN = float("inf"), float("nan")
WILD = [INF, -INF, NAN, 0.0, -0.0, 1e4, -1e4]


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

    def shape(self, least=1, most=3):
        return [1 + self.below(3) for _ in range(least + self.below(most - least + 1))]

    def numbers(self, shape, wild=0, low=-8):
        """Return quarters from `low / 4` to 2; `wild` in ten are infinite, NaN, zero or huge."""

        def number():
            if self.below(10) < wild:
                return self.pick(*WILD)
            return (low + self.below(9 - low)) / 4

        return np.array([number() for _ in range(int(np.prod(shape)))]).reshape(shape)

    def leaf(self, shape, dtype="float32", wild=0, low=-8):
        """Return a tensor that needs a gradient."""
        values = self.numbers(shape, wild, low)
        if dtype.startswith("complex"):
            values = values + 1j * self.numbers(shape, wild, low)
        leaf = self.paddle.to_tensor(values.astype(dtype))
        leaf.stop_gradient = False
        self.leaves.append(leaf)
        return leaf

    def integers(self, shape, low, high, dtype="int64"):
        values = [low + self.below(high - low) for _ in range(int(np.prod(shape)))]
        return self.paddle.to_tensor(np.array(values, dtype).reshape(shape))

    def mask(self, shape):
        values = [self.maybe() for _ in range(int(np.prod(shape)))]
        return self.paddle.to_tensor(np.array(values, bool).reshape(shape))

    def broadcast(self, shape):
        """Return a shape that broadcasts to the given one."""
        row = [1 if self.maybe(3) else size for size in shape]
        return row[self.below(len(row)) :] if self.maybe(3) else row

    def cotangent(self, out):
        values = self.numbers(out.shape)
        if "complex" in str(out.dtype):
            values = values + 1j * self.numbers(out.shape)
        return self.paddle.to_tensor(values.astype(str(out.dtype).rpartition(".")[2]))


def play(paddle, show, call, seeds):
    """Draw a call for each seed; show its result and every gradient, or the error's class.

    `call` takes a Draw, makes leaves, and returns a function without parameters, and its text.
    """
    for seed in range(seeds):
        draw = Draw(paddle, seed)
        text, run = call(draw)
        label = f"{seed} {text}"
        try:
            made = run()
        except Exception as error:  # noqa: BLE001  (every class is an answer)
            show(label, builtin_class(error))
            continue
        outs = list(made) if isinstance(made, list | tuple) else [made]
        roots = [out for out in outs if not out.stop_gradient]
        if roots:
            paddle.autograd.backward(roots, [draw.cotangent(out) for out in roots])
        rows = [*outs, *(leaf.grad for leaf in draw.leaves)]
        show(label, [row if row is None else parts(row.numpy()) for row in rows])


def parts(array):
    """Return complex numbers as pairs of floats, which are compared with a tolerance."""
    return np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array
