"""Medians and quantiles."""

import numpy as np

from ._lists import NAN, slope, tensor  # noqa: F401  (slope: of recorded expressions)
from ._texts import texts

ROWS = [[1, NAN, 3, 0], [NAN, NAN, NAN, NAN], [5, 2, 2, 7], [3, 1, 2, 4]]
WHOLE = [[5, 2, 2, 8], [3, 1, 2, 7]]


def names(paddle):
    """Return the names that the expressions use."""
    holes = tensor(paddle, ROWS)
    rows = tensor(paddle, [[3, 1, 2, 9], [0, 1, 4, 2]])
    cube = paddle.to_tensor(np.arange(24.0).reshape(2, 3, 4))
    return globals() | locals()


DIFFERS = {
    "slope of a median between ties": "all elements equal to a middle one share its gradient",
    "quantile of nothing": "nothing has no quantiles",
}  # fmt: skip
TABLE = texts("statistics", names, DIFFERS)
