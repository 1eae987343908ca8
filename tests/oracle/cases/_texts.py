"""Cases of one expression each, in dynamic mode."""

import numpy as np

from ..harness import Case
from ._calls import describe
from ._tables import recorded_texts


def world(paddle):
    """Return the names that the expressions use."""
    T = paddle.to_tensor

    def G(function, *args):
        """Return the gradients of a weighted sum of the first output."""
        leaves = [a.detach().clone() for a in args]
        for leaf in leaves:
            leaf.stop_gradient = False
        out = function(*leaves)
        out = out[0] if isinstance(out, list | tuple) else out
        weights = (paddle.arange(out.size).astype(out.dtype) + 1).reshape(out.shape)
        return paddle.grad([out], leaves, [weights], allow_unused=True)

    def W(x, index, value):
        """Return a copy of x with a value written into it."""
        x = x.clone()
        x[index] = value
        return x

    def V(x, function):
        """Return x and its version after a result of it is set to zero in place."""
        x = x.clone()
        function(x).zero_()
        return [x, x.inplace_version]

    def S(seed, function):
        """Return what a function draws after a seed."""
        paddle.seed(seed)
        return function()

    return {
        "paddle": paddle, "np": np, "T": T, "G": G, "W": W, "V": V, "S": S,
        "x": paddle.arange(24).astype("float32").reshape([2, 3, 4]),
        "r": paddle.arange(6).astype("float32").reshape([2, 3]),
        "v": T([1.0, 2.0, 3.0]), "i": T([1, 0]), "m": T([True, False]), "s": slice,
        "I": T([[0], [1]]), "J": T([[0, 0], [1, 1]]), "U": T([[7.0, 5.0], [8.0, 2.0]]),
    }  # fmt: skip


def texts(topic, *groups, names=None, differs=None, ulps=4):
    """Make a case of each recorded expression of these groups.

    `names` has further names for the expressions, or is a function of `paddle` that returns them.
    """

    def asked(text):
        def run(paddle, show):
            more = names(paddle) if callable(names) else names or {}
            show("value", describe(eval(text, world(paddle) | more)))

        return run

    return [
        Case(name, asked(text), differs, ulps)
        for group in groups
        for name, text in recorded_texts(topic, group)
    ]


def cotangent(shape):
    """Return numbers of which no two neighbours are equal."""
    size = int(np.prod(shape))
    return (np.arange(size) * 7 % 5 - 1.75).reshape(shape)


def graded(topic, *groups, names, dtypes=("float32", "float64"), differs=None, ulps=16):
    """Make a case of each recorded expression: its results, and the gradient of each `L(values)`.

    `L` makes a tensor; floats are tested in each of `dtypes`.
    """

    def asked(text):
        def run(paddle, show):
            for dtype in dtypes:
                leaves = []

                def L(values, dtype=dtype, leaves=leaves):
                    values = np.asarray(values)
                    floats = values.dtype.kind == "f"
                    leaf = paddle.to_tensor(values.astype(dtype) if floats else values)
                    leaf.stop_gradient = not floats
                    leaves.append(leaf)
                    return leaf

                outs = eval(text, world(paddle) | names | {"L": L, "dtype": dtype})
                outs = list(outs) if isinstance(outs, list | tuple) else [outs]
                show(f"{dtype} out", outs)
                wanted = [y for y in outs if not y.stop_gradient]
                seeds = [cotangent(y.shape).astype(y.numpy().dtype) for y in wanted]
                if wanted:
                    paddle.autograd.backward(wanted, [paddle.to_tensor(seed) for seed in seeds])
                show(f"{dtype} grads", [leaf.grad for leaf in leaves])

        return run

    return [
        Case(name, asked(text), differs, ulps)
        for group in groups
        for name, text in recorded_texts(topic, group)
    ]
