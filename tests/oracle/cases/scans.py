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


def names(paddle):
    """Return the names that the expressions use."""
    whole, rows = (tensor(paddle, ROWS, kind) for kind in ("int32", "float32"))
    special = tensor(paddle, [1, NAN, 3, NAN, 2, -INF, INF])
    return globals() | locals()


DIFFERS = {
    "logcumsumexp of nan": "NaN goes on",
}  # fmt: skip
TABLE += texts("scans", names, DIFFERS)
