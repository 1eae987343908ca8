"""Comparisons, logic, bits: values, dtypes, `out`, numbers, isclose and equality."""

import numpy as np

from ..harness import case
from ._texts import texts

NAN, INF = np.nan, np.inf
SPECIAL = np.array([1, INF, INF, -INF, NAN, 1, 0.0], "float32")
OTHERS = np.array([1 + 1e-6, INF, -INF, -INF, NAN, INF, 1e-9], "float32")
TABLE = texts("comparison", globals())


@case
def logic_into_a_tensor(paddle, show):
    x, y = paddle.to_tensor([True, False]), paddle.to_tensor([True, True])
    for name in ("logical_and", "logical_or", "logical_xor", "equal"):
        out = paddle.to_tensor([False, False])
        show(name, [getattr(paddle, name)(x, y, out=out), out])
    out = paddle.to_tensor([False, False])
    show("logical_not", [paddle.logical_not(x, out=out), out])


@case(differs="`out` takes the result, as documented: real Paddle leaves it unchanged")
def bits_into_a_tensor(paddle, show):
    out = paddle.to_tensor([0])
    paddle.bitwise_and(paddle.to_tensor([7]), paddle.to_tensor([2]), out)
    show("and", out)
