"""Ops on two tensors: slopes at ties, at 0, with NaN; pairs of dtypes; numbers as y."""

import numpy as np

from ..harness import Case, builtin_class
from ._texts import texts

NAN, INF = np.nan, np.inf
TIES = np.array([1, 2, 1, NAN, 1, NAN, INF, -INF, 0.0])
OTHERS = np.array([1, 1, 2, 1, NAN, NAN, INF, INF, -0.0])
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
COLUMN = np.array([[2.0], [-3.0]])
KINDS = ("bool", "uint8", "int32", "int64", "float32", "float64")
FLOATS = ("float32", "float64")
PAIRS = (
    ("bool", "int32"), ("int32", "int64"), ("int64", "float32"), ("float32", "int64"),
    ("float32", "float64"), ("float64", "float32"), ("float16", "float32"),
)  # fmt: skip


def filled(paddle, dtype, values=(1, 1, 1)):
    return paddle.to_tensor(np.array(values).astype(dtype))


def outcome(call):
    try:
        return str(call().dtype).removeprefix("paddle.")
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        return builtin_class(error)


def dtypes(name, kinds=KINDS, pairs=PAIRS):
    """Return a case: the dtype of the result, or the error, for one dtype and for two."""

    def body(paddle, show):
        call = getattr(paddle, name)
        for kind in kinds:
            x = filled(paddle, kind)
            show(kind, outcome(lambda x=x: call(x, x)))
        for a, b in pairs:
            x, y = filled(paddle, a), filled(paddle, b)
            show(f"{a} with {b}", outcome(lambda x=x, y=y: call(x, y)))

    return Case(f"dtypes of {name}", body)


DIFFERS = {
    "out and gradients, differing": "the weight gets a gradient too: real Paddle leaves it out",
    "call, differing 1":
        "the quotient of bools is float32, as that of integers: real Paddle's is bool",
}  # fmt: skip
TABLE = [
    *map(dtypes, ("add", "equal", "less_than", "not_equal")),
    dtypes("divide", KINDS[1:]),
    *(
        dtypes(name, ("int32", "int64", *FLOATS))
        for name in (
            "subtract",
            "multiply",
            "maximum",
            "minimum",
            "fmax",
            "fmin",
            "remainder",
            "floor_divide",
            "pow",
        )
    ),
    dtypes("atan2", ("bool", "int32", "int64", *FLOATS)),
    dtypes("copysign", ("int64", *FLOATS)),
    dtypes("heaviside", ("bool", "int32", "int64", *FLOATS), ()),
    *(dtypes(name, ("bool", "int32", "int64"), ()) for name in ("gcd", "lcm")),
    dtypes("nextafter", ("bool", "int64", *FLOATS)),
    dtypes("ldexp", KINDS, PAIRS[:-1]),
    dtypes("hypot", ("int32", "int64", *FLOATS), PAIRS[1:6]),
    dtypes("logaddexp", ("int32", "int64", *FLOATS), PAIRS[:6]),
    dtypes("logical_and", ("bool", "int32", "int64", *FLOATS)),
    dtypes("dist", ("bool", "int64", *FLOATS), PAIRS[3:6]),
    *texts("pairs", globals(), DIFFERS),
]
