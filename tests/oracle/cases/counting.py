"""Different elements, counts, histograms."""

import numpy as np

from ..harness import case
from ._lists import KINDS, tensor, try_all
from ._texts import texts

ROW = [2, 3, 3, 1, 5, 3, 2]
MATRIX = [[2, 1, 3], [3, 0, 1], [2, 1, 3]]


@case
def different_elements(paddle, show):
    x, m, f = tensor(paddle, ROW), tensor(paddle, MATRIX), paddle.unique
    every = {"return_index": True, "return_inverse": True, "return_counts": True}
    calls = {"plain": lambda: f(x), "by position": lambda: f(x, True, True, True)}
    calls |= {way: lambda w=way: f(x, **{w: True}) for way in every}
    calls |= {f"axis {a}": lambda a=a: f(m, axis=a, **every) for a in (None, 0, 1, -1, 2, -3)}
    calls["int32"] = lambda: f(x, dtype="int32", **every)
    calls["float32"] = lambda: f(x, dtype="float32", **every)
    calls["unsorted"] = lambda: f(x, sorted=False)
    calls["method"] = lambda: x.unique(return_counts=True)
    calls["0-D"] = lambda: f(paddle.to_tensor(2.0), **every)
    calls["0-D axis"] = lambda: f(paddle.to_tensor(2.0), axis=0)
    calls["list of axes"] = lambda: f(m, axis=[0])
    calls["empty"] = lambda: f(paddle.zeros([0]), **every)
    calls["no rows"] = lambda: f(paddle.zeros([0, 2]), axis=0, **every)
    cube = np.array([[[1, 2], [1, 2]], [[0, 3], [0, 3]]])
    calls["cube"] = lambda: f(paddle.to_tensor(cube), axis=1, **every)
    calls |= {k: lambda k=k: f(tensor(paddle, [3, 1, 2, 1], k), **every) for k in KINDS}
    try_all(show, calls)


@case
def runs_of_equal_elements(paddle, show):
    x, m, f = tensor(paddle, ROW), tensor(paddle, MATRIX), paddle.unique_consecutive
    every = {"return_inverse": True, "return_counts": True}
    rows = tensor(paddle, [[1, 2], [1, 2], [0, 1], [1, 2]])
    calls = {"plain": lambda: f(x), "by position": lambda: f(x, True, True)}
    calls |= {way: lambda w=way: f(x, **{w: True}) for way in every}
    calls |= {f"axis {a}": lambda a=a: f(m, axis=a, **every) for a in (None, 0, 1, -1, 2)}
    calls["rows"] = lambda: f(rows, axis=0, **every)
    calls["int32"] = lambda: f(x, dtype="int32", **every)
    calls["float32"] = lambda: f(x, dtype="float32", **every)
    calls["0-D"] = lambda: f(paddle.to_tensor(2.0), **every)
    calls["0-D axis"] = lambda: f(paddle.to_tensor(2.0), axis=0)
    calls["empty"] = lambda: f(paddle.zeros([0]), **every)
    calls["no rows"] = lambda: f(paddle.zeros([0, 2]), axis=0, **every)
    calls |= {k: lambda k=k: f(tensor(paddle, [3, 1, 1, 2, 1], k), **every) for k in KINDS}
    try_all(show, calls)


@case
def counts(paddle, show):
    x, f = tensor(paddle, [1, 2, 1, 4, 5], "int64"), paddle.bincount
    w = [0.5, 1, 2, 3, 4]
    nothing = paddle.zeros([0], "int64")
    calls = {"plain": lambda: f(x), "method": x.bincount}
    calls |= {
        f"weights {k}": lambda k=k: f(x, tensor(paddle, w, k))
        for k in ("float32", "float64", "int64", "int32")
    }
    calls |= {f"at least {n}": lambda n=n: f(x, minlength=n) for n in (0, 3, 8, -1)}
    calls["a Tensor"] = lambda: f(x, minlength=paddle.to_tensor(8))
    calls["negative"] = lambda: f(tensor(paddle, [-1, 1], "int64"))
    calls["2-D"] = lambda: f(tensor(paddle, [[1, 2]], "int64"))
    calls["0-D"] = lambda: f(paddle.to_tensor(1))
    calls["empty"] = lambda: f(nothing)
    calls["empty, at least 3"] = lambda: f(nothing, minlength=3)
    calls["other size"] = lambda: f(x, tensor(paddle, [1, 2]))
    calls |= {k: lambda k=k: f(tensor(paddle, [1, 0, 1], k)) for k in KINDS}
    try_all(show, calls)


def names(paddle):
    """Return the names that the expressions use."""
    x = tensor(paddle, [1, 2, 1, 4, 2.5])
    f = paddle.histogram
    w = tensor(paddle, [1, 2, 3, 4, 5])
    ints = tensor(paddle, [1, 2, 1], "int64")
    return globals() | locals()


DIFFERS = {
    "different nan": "each NaN is an element of its own, with its position and count",
    "histogram of nothing": "counts of nothing are whole numbers",
}  # fmt: skip
TABLE = texts("counting", names, DIFFERS)
