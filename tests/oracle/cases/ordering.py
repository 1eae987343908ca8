"""Sorting, the largest, the k-th, the most frequent elements, and places in sorted rows."""

import numpy as np

from ..harness import Case
from ..spread import spread
from ._lists import INF, KINDS, NAN, ROWS, slope, tensor, try_all
from ._texts import texts

NAMES = ("sort", "argsort", "topk", "kthvalue", "mode")
K = {"topk": (2,), "kthvalue": (2,)}
TIES = [2, 1, 2, NAN, 1, 2, -INF, INF, NAN, 0, -0.0]


def over_axes(name):
    def run(paddle, show):
        x, f, k = tensor(paddle, ROWS), getattr(paddle, name), K.get(name, ())
        calls = {f"{a}": lambda a=a: f(x, *k, axis=a) for a in (0, 1, -1, -2, -3, [0], 1.5)}
        if name != "mode":
            calls["2"] = lambda: f(x, *k, axis=2)
        calls["None"] = lambda: f(x, *k, axis=None)
        calls["default"] = lambda: f(x, *k)
        calls["method"] = lambda: getattr(x, name)(*k)
        calls["list"] = lambda: f([1.0, 2.0], *k)
        one = k and (1,)
        calls |= {
            f"0-D {a}": lambda a=a: f(paddle.to_tensor(2.0), *one, axis=a) for a in (0, -1, 1)
        }
        calls["no rows"] = lambda: f(paddle.zeros([0, 3]), *k)
        if name in ("sort", "argsort"):
            calls["no columns"] = lambda: f(paddle.zeros([2, 0]))
        try_all(show, calls)

    return Case(f"{name}_axes", run)


def of_kinds(name):
    def run(paddle, show):
        f, k = getattr(paddle, name), K.get(name, ())
        try_all(show, {d: lambda d=d: f(tensor(paddle, ROWS, d), *k) for d in KINDS})

    return Case(f"{name}_kinds", run)


def slopes(name):
    def run(paddle, show):
        f, k = getattr(paddle, name), K.get(name, ())
        values = [[1, 3, 2.5, 4], [2, 0, 2.25, 1.5]]
        show("rows", slope(paddle, lambda x: f(x, *k), values))
        show("columns", slope(paddle, lambda x: f(x, *k, axis=0), values))
        cube = spread(2, 3, 4)
        show("cube", slope(paddle, lambda x: f(x, *k, axis=1), cube))
        if name in ("kthvalue", "mode"):
            show("kept", slope(paddle, lambda x: f(x, *k, axis=1, keepdim=True), cube))

    return Case(f"{name}_slopes", run)


TABLE = [
    make(name)
    for name in NAMES
    for make in (over_axes, of_kinds, slopes)
    if not (make is slopes and name == "argsort")
]


def names(paddle):
    """Return the names that the expressions use."""
    x = tensor(paddle, TIES)
    many = np.random.RandomState(0).randint(0, 4, 60)
    row = tensor(paddle, [1, 3, 3, 5])
    f = paddle.bucketize
    rows = tensor(paddle, ROWS)
    return globals() | locals()


DIFFERS = {
    "places of infinity": "-inf stands before all numbers, NaN behind them",
    "unstable sort of many ties": "a sort keeps the order of ties also where it need not",
    "positions of ties": "of ties, the first ones are taken",
    "of nothing": "nothing has no largest and no most frequent element",
}  # fmt: skip
TABLE += texts("ordering", names, DIFFERS)
