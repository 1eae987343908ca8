"""Reductions over all axes and over some: values, dtypes, forms of the axis, ties, emptiness."""

import numpy as np

from ..harness import Case
from ..spread import spread
from ._lists import INF, KINDS, NAN, ROWS, slope, tensor, try_all
from ._texts import texts

NAMES = (
    "sum", "mean", "prod", "max", "min", "amax", "amin", "all", "any", "logsumexp", "nansum",
    "nanmean", "count_nonzero", "std", "var",
)  # fmt: skip
GRADED = ("sum", "mean", "max", "min", "amax", "amin", "logsumexp", "nansum", "nanmean", "var")
REFUSED_BY_THEIRS = {"nanmean": ("int32",)}


def over_axes(name):
    def run(paddle, show):
        x, f = tensor(paddle, ROWS), getattr(paddle, name)
        forms = {
            "none": None, "0": 0, "1": 1, "-1": -1, "[]": [], "[0]": [0], "(0, 1)": (0, 1),
            "[-1, 0]": [-1, 0], "2": 2, "-3": -3, "[0, 0]": [0, 0], "[0, -2]": [0, -2],
            "text": "a", "1.5": 1.5,
        }  # fmt: skip
        calls = {label: lambda a=a: f(x, axis=a) for label, a in forms.items()}
        calls |= {f"{k} kept": lambda k=k: f(x, axis=forms[k], keepdim=True) for k in ("none", "1")}
        calls["a Tensor"] = lambda: f(x, axis=paddle.to_tensor(1))
        calls["method"] = lambda: getattr(x, name)(0)
        try_all(show, calls)

    return Case(f"{name}_axes", run)


def of_kinds(name):
    def run(paddle, show):
        skipped = REFUSED_BY_THEIRS.get(name, ())
        f = getattr(paddle, name)
        try_all(
            show,
            {
                kind: lambda k=kind: f(tensor(paddle, ROWS, k), axis=1)
                for kind in KINDS
                if kind not in skipped
            },
        )

    return Case(f"{name}_kinds", run)


def of_little(name):
    def run(paddle, show):
        f = getattr(paddle, name)
        nothing = np.zeros((2, 0), "float32")
        calls = {
            f"0-D, axis {axis}": lambda a=axis: f(paddle.to_tensor(2.0), axis=a)
            for axis in (None, 0, -1, 1)
        }
        calls["no columns left"] = lambda: f(paddle.to_tensor(nothing), axis=0)
        if name not in ("amax", "amin"):  # amax and amin of nothing read foreign memory
            calls["empty"] = lambda: f(paddle.to_tensor(nothing))
            calls["empty rows"] = lambda: f(paddle.to_tensor(nothing), axis=1)
        calls["list"] = lambda: f([1.0, 2.0])
        if name in ("nansum", "nanmean", "count_nonzero", "std", "var"):
            calls.pop("list")
        try_all(show, calls)

    return Case(f"{name}_of_little", run)


def of_nan(name):
    def run(paddle, show):
        f = getattr(paddle, name)
        show("nan", f(tensor(paddle, [[1, NAN, 3], [NAN, NAN, NAN], [2, 0, 1]]), axis=1))
        show("inf", f(tensor(paddle, [[INF, 1, 2], [-INF, 1, 2], [-INF, INF, 0]]), axis=1))

    return Case(f"{name}_of_nan", run)


def slopes(name):
    def run(paddle, show):
        f = getattr(paddle, name)
        ties = [[1, 3, 3], [2, 2, 2], [0, 0, 5]]
        show("rows", slope(paddle, lambda x: f(x, axis=1), ties))
        show("columns", slope(paddle, lambda x: f(x, axis=0, keepdim=True), ties))
        show("all", slope(paddle, f, ties))
        cube = spread(2, 3, 4)
        show("two axes", slope(paddle, lambda x: f(x, axis=[0, 2]), cube))
        show("0-D", slope(paddle, f, 3.0) if name != "var" else None)
        show("nan", slope(paddle, lambda x: f(x, axis=1), [[1, NAN, 3], [2, 0, 3]]))

    return Case(f"{name}_slopes", run, ulps=16)


def positions(name):
    def run(paddle, show):
        f, x = getattr(paddle, name), tensor(paddle, [[3, 1, 3], [0, 0, 4]])
        nans = [[1, NAN, 3], [NAN, NAN, NAN], [NAN, 2, 1], [INF, INF, -INF]]
        calls = {f"{a}": lambda a=a: f(x, axis=a) for a in (None, 0, 1, -1, 2, -3, [0], (0, 1))}
        calls |= {"kept": lambda: f(x, keepdim=True), "row": lambda: f(x, 1, True)}
        calls |= {
            f"in {d}": lambda d=d: f(x, axis=1, dtype=d)
            for d in ("int32", "int64", "float32", "bool", None)
        }
        calls |= {k: lambda k=k: f(tensor(paddle, ROWS, k), axis=1) for k in KINDS}
        calls["nan"] = lambda: f(tensor(paddle, nans), axis=1)
        calls |= {f"0-D {a}": lambda a=a: f(paddle.to_tensor(2.0), axis=a) for a in (None, 0, 1)}
        calls["no columns"] = lambda: f(paddle.zeros([0, 3]), axis=1)
        try_all(show, calls)

    return Case(f"{name}_positions", run)


TABLE = [
    make(name)
    for make in (over_axes, of_kinds, of_little, of_nan)
    for name in NAMES
    if (make, name) not in [(of_nan, "logsumexp"), (of_kinds, "var"), (of_kinds, "std")]
]
TABLE += [slopes(name) for name in GRADED] + [positions("argmax"), positions("argmin")]


DIFFERS = {
    "product slopes at zeros": "the product's derivative holds at zeros too",
    "extremes of nothing": "an empty axis has no largest element",
    "nanmean of int32": "the mean of int32 is a float, as that of int64",
}  # fmt: skip
TABLE += texts("reductions", globals(), DIFFERS)
