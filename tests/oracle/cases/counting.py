"""Different elements, counts, histograms."""

from ._lists import tensor
from ._texts import texts


def names(paddle):
    """Return the names that the expressions use."""
    x = tensor(paddle, [1, 2, 1, 4, 2.5])
    f = paddle.histogram
    w = tensor(paddle, [1, 2, 3, 4, 5])
    ints = tensor(paddle, [1, 2, 1], "int64")
    row = tensor(paddle, [2, 3, 3, 1, 5, 3, 2])
    matrix = tensor(paddle, [[2, 1, 3], [3, 0, 1], [2, 1, 3]])
    pairs = tensor(paddle, [[1, 2], [1, 2], [0, 1], [1, 2]])
    cube = paddle.to_tensor([[[1, 2], [1, 2]], [[0, 3], [0, 3]]])
    whole = tensor(paddle, [1, 2, 1, 4, 5], "int64")
    nothing = paddle.zeros([0], "int64")
    return globals() | locals()


DIFFERS = {
    "different nan": "each NaN is an element of its own, with its position and count",
    "histogram of nothing": "counts of nothing are whole numbers",
}  # fmt: skip
TABLE = texts("counting", names, DIFFERS)
