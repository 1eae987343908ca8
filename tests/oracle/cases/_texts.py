"""Cases of one expression each, in dynamic mode."""

import math
import operator
import re

import numpy as np

from ..harness import Case, recorded
from ..spread import spread
from ._calls import describe


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
        "paddle": paddle, "nn": paddle.nn, "F": paddle.nn.functional, "np": np,
        "T": T, "G": G, "W": W, "V": V, "S": S, "math": math, "operator": operator,
        "NAN": math.nan, "INF": math.inf, "spread": spread,
        "x": paddle.arange(24).astype("float32").reshape([2, 3, 4]),
        "r": paddle.arange(6).astype("float32").reshape([2, 3]),
        "v": T([1.0, 2.0, 3.0]), "i": T([1, 0]), "m": T([True, False]), "s": slice,
        "I": T([[0], [1]]), "J": T([[0, 0], [1, 1]]), "U": T([[7.0, 5.0], [8.0, 2.0]]),
    }  # fmt: skip


def texts(topic, names=None, differs=None, skip=()):
    """Make a case of each recorded expression of a topic, whose name is `group: expression`.

    A group `within 8 ulps` is compared that strictly, and one `in float32` has only this dtype.
    `names` has further names for the expressions, or is a function of `paddle` that returns them;
    `differs` says for a group why its answers differ on purpose; groups of the beginnings in `skip`
    are left out. To add a case, write its name into
    the topic's file of `recorded/` with {} as its answers, and record the topic.
    """

    def asked(text, play, *more):
        def run(paddle, show):
            known = names(paddle) if callable(names) else names or {}
            play(paddle, show, text, world(paddle) | known, *more)

        return run

    made = []
    for name in recorded(topic):
        group, colon, text = name.partition(": ")
        if colon and not group.startswith(tuple(skip)):
            ulps = re.search(r"within (\d+) ulps", group)
            dtype = re.search(r"in (float\d+)", group)
            graded = re.search(r"\bL\(", text)
            dtypes = [dtype[1]] if dtype else ["float32", "float64"]
            run = asked(text, show_graded, dtypes) if graded else asked(text, show_value)
            strict = int(ulps[1]) if ulps else 16 if graded else 4
            made.append(Case(name, run, (differs or {}).get(group), strict))
    return made


def show_value(paddle, show, text, names):
    show("value", describe(eval(text, names)))


def cotangent(shape):
    """Return numbers of which no two neighbours are equal."""
    size = int(np.prod(shape))
    return (np.arange(size) * 7 % 5 - 1.75).reshape(shape)


def show_graded(paddle, show, text, names, dtypes):
    """Show the results of an expression, and the gradient of each `L(values)`, in each dtype."""
    for dtype in dtypes:
        leaves = []

        def L(values, dtype=dtype, leaves=leaves):
            values = np.asarray(values)
            floats = values.dtype.kind == "f"
            leaf = paddle.to_tensor(values.astype(dtype) if floats else values)
            leaf.stop_gradient = not floats
            leaves.append(leaf)
            return leaf

        outs = eval(text, names | {"L": L, "dtype": dtype})
        outs = list(outs) if isinstance(outs, list | tuple) else [outs]
        show(f"{dtype} out", outs)
        wanted = [y for y in outs if not y.stop_gradient]
        seeds = [cotangent(y.shape).astype(y.numpy().dtype) for y in wanted]
        if wanted:
            paddle.autograd.backward(wanted, [paddle.to_tensor(seed) for seed in seeds])
        show(f"{dtype} grads", [leaf.grad for leaf in leaves])
