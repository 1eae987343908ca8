"""Comparisons, logic, bits: values, dtypes, `out`, numbers, and what is close or equal."""

import numpy as np

from ..harness import case
from ._calls import row

NAN, INF = np.nan, np.inf
SPECIAL = np.array([1, INF, INF, -INF, NAN, 1, 0.0], "float32")
OTHERS = np.array([1 + 1e-6, INF, -INF, -INF, NAN, INF, 1e-9], "float32")
SHIFTS = [
    ("uint8", [1, 7, 200]),
    ("int8", [1, -1, -8]),
    ("int16", [1, -1, -8]),
    ("int32", [1, -1, -8]),
    ("int64", [1, -1, -8]),
]


def shifts(p, name, kind, values, arithmetic):
    x, y = np.array(values, kind), np.array([3, 1, 2], kind)
    return getattr(p, name)(p.to_tensor(x), p.to_tensor(y), arithmetic)


COMPARISONS = (
    "equal",
    "not_equal",
    "less_than",
    "less_equal",
    "greater_than",
    "greater_equal",
    "less",
    "logical_and",
    "logical_or",
    "logical_xor",
)

TABLE = [
    *(
        row(
            name,
            lambda p, name=name: getattr(p, name)(p.to_tensor(SPECIAL), p.to_tensor(OTHERS)),
            lambda p, name=name: getattr(p, name)(p.ones([2, 1]), p.to_tensor([0.0, 1.0, 2.0])),
            lambda p, name=name: getattr(p.ones([2]), name)(p.zeros([2])),
            lambda p, name=name: getattr(p, name)(p.ones([2]), p.ones([3])),
        )
        for name in COMPARISONS
    ),
    row("logical_not", lambda p: p.logical_not(p.to_tensor([0.0, 2.0, -0.0])),
        lambda p: p.logical_not(p.to_tensor([0, 3]))),
    # ----- Bits -----
    *(
        row(
            name,
            lambda p, name=name: getattr(p, name)(p.to_tensor([6, -3]), p.to_tensor([3, 5])),
            lambda p, name=name: getattr(p, name)(p.to_tensor([True, False]), p.to_tensor([True])),
            lambda p, name=name: getattr(p, name)(p.to_tensor([1]), p.to_tensor([1], "int32")),
            lambda p, name=name: getattr(p, name)(p.ones([1]), p.ones([1])),
            lambda p, name=name: getattr(p, name)(p.to_tensor([[1], [2]]), p.to_tensor([1, 3])),
            lambda p, name=name: getattr(p, name)(p.to_tensor([1]), 1),
        )
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor")
    ),
    row("bitwise_not", lambda p: p.bitwise_not(p.to_tensor([6, -3])),
        lambda p: p.bitwise_not(p.to_tensor([True, False])), lambda p: p.bitwise_not(p.ones([1])),
        lambda p: p.bitwise_invert(p.to_tensor([6, -3]))),
    *(
        row(name, *(
            lambda p, name=name, kind=kind, values=values, arithmetic=arithmetic:
            shifts(p, name, kind, values, arithmetic)
            for kind, values in SHIFTS for arithmetic in (True, False)
        ), lambda p, name=name: getattr(p, name)(p.to_tensor([True]), p.to_tensor([True])),
            lambda p, name=name: getattr(p, name)(p.ones([1]), p.ones([1])),
            lambda p, name=name: getattr(p, name)(p.to_tensor([1]), p.to_tensor([1], "int32")))
        for name in ("bitwise_left_shift", "bitwise_right_shift")
    ),
    row("operators of integers",
        lambda p: p.to_tensor([7, -7]) << 1, lambda p: p.to_tensor([7, -7]) >> 1,
        lambda p: 1 << p.to_tensor([1, 2]), lambda p: 16 >> p.to_tensor([1, 2]),
        lambda p: p.to_tensor([3, 1]) << p.to_tensor([1, 2]), lambda p: p.ones([1]) << 1,
        lambda p: p.to_tensor([7, -7]) & 3, lambda p: 3 & p.to_tensor([7, -7]),
        lambda p: 3 | p.to_tensor([7, -7]), lambda p: 3 ^ p.to_tensor([7, -7]),
        lambda p: p.to_tensor([True]) & True, lambda p: +p.to_tensor([7]),
        lambda p: 7 // p.to_tensor([2, -2]), lambda p: 7 % p.to_tensor([2, -2]),
        lambda p: ~p.to_tensor([7]), lambda p: -p.to_tensor([7], "uint8")),
    # ----- Close and equal -----
    row("isclose",
        lambda p: p.isclose(p.to_tensor(SPECIAL), p.to_tensor(OTHERS)),
        lambda p: p.isclose(p.to_tensor(SPECIAL), p.to_tensor(OTHERS), equal_nan=True),
        lambda p: p.isclose(p.ones([2]), p.ones([2]) * 1.25, rtol=0.25),
        lambda p: p.isclose(p.ones([2]), p.ones([2]) + 0.25, 0.0, 0.25),
        lambda p: p.isclose(p.ones([2]), p.ones([1])),
        lambda p: p.isclose(p.ones([2, 1]), p.ones([2])),
        lambda p: p.isclose(p.to_tensor([1]), p.to_tensor([1])),
        lambda p: p.isclose(p.ones([1]), p.ones([1], "float64")),
        lambda p: p.to_tensor(1.0).isclose(p.to_tensor(1.0)),
        lambda p: p.isclose(p.ones([0]), p.ones([0]))),
    row("allclose",
        lambda p: p.allclose(p.to_tensor([NAN]), p.to_tensor([NAN])),
        lambda p: p.allclose(p.to_tensor([NAN, INF]), p.to_tensor([NAN, INF]), equal_nan=True),
        lambda p: p.allclose(p.ones([2]), p.ones([2]) + 1e-7),
        lambda p: p.allclose(p.ones([2]), p.zeros([2])),
        lambda p: p.allclose(p.ones([2]), p.ones([2]) * 2, rtol=p.to_tensor(0.5)),
        lambda p: p.allclose(p.ones([2]), p.ones([2]) * 2, rtol="0.5"),
        lambda p: p.allclose(p.to_tensor([1]), p.to_tensor([1])),
        lambda p: p.allclose(p.to_tensor([True]), p.to_tensor([True])),
        lambda p: p.allclose(p.ones([2]), p.ones([1])),
        lambda p: p.allclose(p.ones([1]), p.ones([1], "float64"))),
    row("equal_all",
        lambda p: p.equal_all(p.ones([2]), p.ones([2])),
        lambda p: p.equal_all(p.ones([2]), p.ones([3])),
        lambda p: p.equal_all(p.ones([2]), p.ones([1, 2])),
        lambda p: p.equal_all(p.to_tensor([1]), p.to_tensor([1])),
        lambda p: p.equal_all(p.to_tensor([NAN]), p.to_tensor([NAN])),
        lambda p: p.equal_all(p.ones([1]), p.ones([1], "float64")),
        lambda p: p.equal_all(p.ones([1]), p.to_tensor([1]))),
]  # fmt: skip


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
