"""Functions of one element at a time: values, slopes, dtypes, special points, errors."""

import numpy as np

from ..harness import Case
from ._texts import texts

ANY = np.array([[-2.5, -1.0, -0.125, 0.0], [1e-6, 0.5, 1.0, 3.75]])
POSITIVE = np.array([1e-6, 0.25, 1.0, 1.0001, 2.0, 1024.0])
INSIDE = np.array([-0.875, -0.75, -0.01, 0.0, 1e-6, 0.3, 0.5])
SHARES = np.array([0.015625, 0.25, 0.5, 0.875])
ABOVE_1 = np.array([1.25, 1.5, 3.0, 1e4])
GAMMA = np.array([-2.5, -0.5, 0.0625, 0.25, 1.25, 1.5, 2.75, 10.0, 100.0])
STEPS = np.array([-2.5, -1.5, -0.5, -0.2, 0.2, 0.5, 1.5, 2.5, 1e6 + 0.5])
NAN, INF = float("nan"), float("inf")

# name -> (domain, special points)
FUNCTIONS = {
    "abs": (ANY, [0.0, -3.0, NAN]),
    "acos": (INSIDE, [-1.0, 1.0, 1.5]),
    "acosh": (ABOVE_1, [1.0, 0.5, INF, -2.5]),
    "asin": (INSIDE, [-1.0, 1.0, 1.5]),
    "asinh": (ANY, [1e30, -INF, NAN]),
    "atan": (ANY, [1e30, -INF, INF, NAN]),
    "atanh": (INSIDE, [-1.0, 1.0, 1.5]),
    "ceil": (STEPS, [0.0, INF, NAN]),
    "cos": (ANY, [100.0, INF, NAN]),
    "cosh": (ANY, [INF, -INF, NAN]),
    "deg2rad": (ANY * 90, [INF, NAN]),
    "erf": (ANY, [0.46875, -4.0, 6.0, NAN]),
    "erfinv": (INSIDE, [1.0, -1.0, 1.5, -2.0, NAN]),
    "digamma": (GAMMA, [0.0, -1.0, 1e-3]),
    "exp": (ANY, [INF, NAN]),
    "expm1": (ANY, [1e-9, INF, -INF, NAN]),
    "floor": (STEPS, [0.0, INF, NAN]),
    "frac": (STEPS, [-0.25, NAN]),
    "lgamma": (GAMMA, [0.0, -1.0, 1.0, 2.0, 1e5, INF, NAN]),
    "log": (POSITIVE, [0.0, -1.0, INF, NAN]),
    "log10": (POSITIVE, [0.0, -1.0, INF, NAN]),
    "log1p": (POSITIVE, [0.0, -1.0, 1e-9, INF, NAN]),
    "log2": (POSITIVE, [0.0, -1.0, INF, NAN]),
    "logit": (SHARES, [0.0, 1.0, -0.5, 1.5, NAN]),
    "nan_to_num": (ANY, [NAN, INF, -INF]),
    "neg": (ANY, [INF, NAN]),
    "negative": (ANY, [INF, NAN]),
    "positive": (ANY, [INF, NAN]),
    "rad2deg": (ANY, [INF, NAN]),
    "reciprocal": (POSITIVE, [0.0, -0.0, INF, NAN]),
    "round": (STEPS, [0.0, INF, NAN]),
    "rsqrt": (POSITIVE, [0.0, -1.0, INF, NAN]),
    "scale": (ANY, [INF, NAN]),
    "sgn": (ANY, [0.0, -INF, NAN]),
    "sigmoid": (ANY, [-100.0, -40.0, 40.0, INF, -INF, NAN]),
    "sign": (ANY, [0.0, -INF, NAN]),
    "sin": (ANY, [100.0, INF, NAN]),
    "sinh": (ANY, [INF, -INF, NAN]),
    "sqrt": (POSITIVE, [0.0, -1.0, INF, NAN]),
    "square": (ANY, [INF, NAN]),
    "stanh": (ANY, [INF, -INF, NAN]),
    "tan": (ANY, [100.0, INF, NAN]),
    "tanh": (ANY, [INF, -INF, NAN]),
    "trunc": (STEPS, [0.0, INF, NAN]),
}
QUESTIONS = ("isfinite", "isinf", "isnan", "isneginf", "isposinf", "isreal", "signbit")
KINDS = ("bool", "uint8", "int8", "int16", "int32", "int64")


def values_and_slopes(name, points):
    """Return a case: a function and its gradient in both float dtypes, for all shapes."""

    def run(paddle, show):
        function = getattr(paddle, name)
        for dtype in ("float32", "float64"):
            x = paddle.to_tensor(points.astype(dtype), stop_gradient=False)
            y = function(x)
            show(f"{dtype} y", y)
            weights = np.linspace(-1.0, 2.0, points.size).reshape(points.shape).astype(dtype)
            (y * paddle.to_tensor(weights)).sum().backward()
            show(f"{dtype} slope", x.grad)
        for value in (np.float32(0.5), np.zeros((0, 2), "float32")):
            x = paddle.to_tensor(value, stop_gradient=False)
            y = function(x)
            show(f"of shape {list(value.shape)}", [y, y.stop_gradient])

    return Case(name, run, ulps=8)


def special_points(name, points):
    """Return a case of single elements, as errors are measured against the largest one."""

    def run(paddle, show):
        for dtype in ("float32", "float64"):
            for point in points:
                x = paddle.to_tensor(point, dtype=dtype, stop_gradient=False)
                y = getattr(paddle, name)(x)
                y.backward()
                show(f"{dtype} {point}", [y, x.grad])

    return Case(f"{name}_special", run, ulps=8)


def other_kinds(name):
    """Return a case: dtype and values for integers and bools, or that they have no function."""

    def run(paddle, show):
        for kind in KINDS:
            x = paddle.to_tensor(
                np.array([1, 0, 1] if kind == "bool" else [1, 2, 100]).astype(kind)
            )
            show.raises(f"{kind} error", lambda x=x: getattr(paddle, name)(x))
            if show.answers[f"{kind} error"] == "no error":
                show(kind, getattr(paddle, name)(x))
                show(f"{kind} stops", getattr(paddle, name)(x).stop_gradient)

    return Case(f"{name}_kinds", run, ulps=8)


def in_place(name):
    """Return a case: value, identity, version and gradient of `name_`, if Paddle has it."""

    def run(paddle, show):
        show("exists", hasattr(paddle.Tensor, f"{name}_"))
        x = paddle.to_tensor([0.25, 0.5], stop_gradient=False)
        h = x * 1.5
        same = getattr(h, f"{name}_")()
        h.sum().backward()
        show("result", [h, same is h, h.inplace_version, x.grad])

    return Case(f"{name}_in_place", run, ulps=8)


def asked(name):
    def run(paddle, show):
        for dtype in ("float32", "float64"):
            x = paddle.to_tensor(np.array([0.0, -0.0, 1.5, -2.0, NAN, INF, -INF], dtype))
            y = getattr(paddle, name)(x)
            show(dtype, [y, y.stop_gradient, getattr(x, name)()])
        show("0-D", getattr(paddle, name)(paddle.to_tensor(-1.0)))
        show("empty", getattr(paddle, name)(paddle.zeros([0, 2])))

    return Case(name, run)


NOT_IN_PLACE = (
    "deg2rad", "erf", "expm1", "nan_to_num", "negative", "positive", "rad2deg", "sgn", "sign",
    "stanh",
)  # fmt: skip
TABLE = [
    *(values_and_slopes(name, points) for name, (points, _) in FUNCTIONS.items()),
    *(special_points(name, special) for name, (_, special) in FUNCTIONS.items()),
    *(other_kinds(name) for name in (*FUNCTIONS, *QUESTIONS)),
    *(in_place(name) for name in FUNCTIONS if name not in NOT_IN_PLACE),
    *(asked(name) for name in QUESTIONS),
]


TABLE += texts("unary", globals())
