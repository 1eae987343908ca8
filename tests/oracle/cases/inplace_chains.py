"""Chains of in-place ops: a gradient, or an error because a saved value was overwritten."""

import numpy as np

from ..harness import Case, case

OPS = {  # name -> (domain of x, arguments)
    "abs": (0.1, 1, ()), "asin": (-0.4, 0.4, ()), "asinh": (-1, 1, ()), "atan": (-1, 1, ()),
    "atanh": (-0.3, 0.3, ()), "ceil": (-1, 1, ()), "clip": (0, 1, (0.2, 0.8)),
    "cos": (-1, 1, ()), "cosh": (-1, 1, ()), "cumsum": (-1, 1, (0,)), "digamma": (6, 8, ()),
    "erfinv": (-0.3, 0.3, ()), "exp": (-0.5, 0.5, ()), "floor": (-1, 1, ()),
    "frac": (0.1, 0.9, ()), "lgamma": (3, 5, ()), "log": (3, 5, ()), "log10": (20, 30, ()),
    "log1p": (1, 3, ()), "log2": (5, 7, ()), "logit": (0.55, 0.6, ()), "neg": (-1, 1, ()),
    "pow": (0.5, 1, (2.0,)), "reciprocal": (0.5, 1.5, ()), "round": (-1, 1, ()),
    "rsqrt": (0.3, 1, ()), "scale": (-1, 1, (1.5, 0.5)), "sigmoid": (-1, 1, ()),
    "sin": (-1, 1, ()), "sinh": (-1, 1, ()), "sqrt": (0.2, 1, ()), "square": (-1, 1, ()),
    "tan": (0.1, 0.4, ()), "tanh": (-1, 1, ()), "tril": (-1, 1, ()), "triu": (-1, 1, ()),
    "trunc": (-1, 1, ()), "t": (-1, 1, ()), "reshape": (0, 1, ([2, 2],)),
    "nan_to_num": (0, 1, ()),
}  # fmt: skip
OF_TWO = ("add", "subtract", "multiply", "remainder", "copysign")
MIXED = ("tan", "exp", "sin", "scale", "t")


def chained(paddle, names):
    """Return the gradient through a chain of in-place ops."""
    low, high, _ = OPS.get(names[0], (0.5, 1, ()))
    values = low + (high - low) * np.array([[0.21, 0.43], [0.64, 0.83]])
    other = paddle.to_tensor([[0.6, 0.8], [0.7, 0.9]], "float64")
    x = paddle.to_tensor(values, stop_gradient=False)
    h = x * 1.0
    for name in names:
        args = OPS[name][2] if name in OPS else (other,)
        getattr(h, f"{name}_")(*args)
    weights = paddle.to_tensor([[0.3, -0.7], [0.9, 0.2]], "float64")
    (h * weights).sum().backward()
    return x.grad


def of_op(name):
    def run(paddle, show):
        for times in (1, 2):
            names = [name] * times
            try:
                show(f"{times} times", chained(paddle, names))
            except RuntimeError:
                show(f"{times} times", "RuntimeError")

    return Case(f"{name}_", run, ulps=64)


TABLE = [of_op(name) for name in (*OPS, *OF_TWO)]


def compare(paddle, show, chains):
    for names in chains:
        try:
            show(" ".join(names), chained(paddle, names))
        except RuntimeError:
            show(" ".join(names), "RuntimeError")


def mixtures(paddle, show):
    pairs = [(one, two) for one in MIXED for two in (*MIXED, "add") if one != two]
    compare(paddle, show, [chain for one, two in pairs for chain in ((one, two), (one, two, one))])


TABLE.append(Case("mixtures", mixtures, ulps=64))


@case(differs="these save nothing that they overwrite, so they may follow one another", ulps=64)
def ops_that_save_less(paddle, show):
    compare(paddle, show, [("divide", "divide")])
