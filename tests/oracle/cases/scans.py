"""Running sums, products, extremes and logarithms of sums."""

from ..harness import Case, case
from ..spread import spread
from ._lists import INF, KINDS, NAN, ROWS, slope, tensor, try_all
from ._texts import texts

NAMES = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
DIM = {"cumprod": "dim"}


def over_axes(name):
    def run(paddle, show):
        x, f = tensor(paddle, ROWS), getattr(paddle, name)
        calls = {f"{a}": lambda a=a: f(x, a) for a in (None, 0, 1, -1, -2, 2, -3, [0])}
        calls["by name"] = lambda: f(x, **{DIM.get(name, "axis"): 1})
        calls["method"] = lambda: getattr(x, name)(0)
        calls["a Tensor"] = lambda: f(x, paddle.to_tensor(0))
        calls |= {f"0-D {a}": lambda a=a: f(paddle.to_tensor(2.0), a) for a in (None, 0, 1)}
        calls |= {f"empty {a}": lambda a=a: f(paddle.zeros([2, 0]), a) for a in (None, 0, 1)}
        try_all(show, calls)

    return Case(f"{name}_axes", run, ulps=8)


def of_kinds(name):
    def run(paddle, show):
        f = getattr(paddle, name)
        try_all(show, {k: lambda k=k: f(tensor(paddle, ROWS, k), 1) for k in KINDS})

    return Case(f"{name}_kinds", run, ulps=8)


def slopes(name):
    def run(paddle, show):
        f = getattr(paddle, name)
        ties = [[1, 2, 3], [2, 0, 3], [0, 0, 1]]
        for axis in (0, 1, None):
            show(f"{axis}", slope(paddle, lambda x, a=axis: f(x, a), ties))
        cube = spread(2, 3, 4)
        show("cube", slope(paddle, lambda x: f(x, -2), cube))
        show("one", slope(paddle, lambda x: f(x, 0), [3.0]))

    return Case(f"{name}_slopes", run, ulps=64)


TABLE = [make(name) for name in NAMES for make in (over_axes, of_kinds, slopes)]


@case
def dtype_of_the_result(paddle, show):
    calls = {}
    for kind in ("int32", "float32"):
        for dtype in ("bool", "int32", "int64", "float32", "float64"):
            for name in ("cumsum", "cumprod"):
                f, axis = getattr(paddle, name), DIM.get(name, "axis")
                x, how = tensor(paddle, ROWS, kind), {axis: 1, "dtype": dtype}
                calls[f"{name} of {kind} in {dtype}"] = lambda f=f, x=x, how=how: f(x, **how)
    for dtype in ("int32", "int64", "float32", "bool", None):
        calls[f"cummax {dtype}"] = lambda d=dtype: paddle.cummax(tensor(paddle, ROWS), 1, dtype=d)
    try_all(show, calls)


@case
def special_values(paddle, show):
    x = tensor(paddle, [1, NAN, 3, NAN, 2, -INF, INF])
    for name in ("cumsum", "cumprod", "cummax", "cummin"):
        out = getattr(paddle, name)(x)
        show(name, list(out) if isinstance(out, tuple) else out)


@case
def in_place(paddle, show):
    for name in ("cumsum", "cumprod"):
        x = tensor(paddle, ROWS, grad=True)
        h = x * 1
        show(f"{name} result", getattr(h, f"{name}_")(1))
        h.sum().backward()
        show(f"{name} slope", x.grad)
        y = tensor(paddle, ROWS)
        getattr(paddle, f"{name}_")(y, 0)
        show(f"{name} function", y)
    show("ints", tensor(paddle, ROWS, "int64").cumprod_(0))


DIFFERS = {
    "logcumsumexp of nan": "NaN goes on",
}  # fmt: skip
TABLE += texts("scans", globals(), DIFFERS)
