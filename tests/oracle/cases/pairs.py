"""Ops on two tensors: slopes where they tie, at 0, with NaN; dtypes that meet; numbers as y."""

import numpy as np

from ..harness import Case, builtin_class, case
from ._calls import row as calls
from .ops import row

NAN, INF = np.nan, np.inf
TIES = np.array([1, 2, 1, NAN, 1, NAN, INF, -INF, 0.0])
OTHERS = np.array([1, 1, 2, 1, NAN, NAN, INF, INF, -0.0])
A = np.array([[0.5, -1.25, 2.0], [1.5, 0.25, -0.75]])
B = np.array([[1.0, 0.5, -2.0], [0.75, -1.5, 3.0]])
COLUMN = np.array([[2.0], [-3.0]])
KINDS = ("bool", "uint8", "int32", "int64", "float32", "float64")
FLOATS = ("float32", "float64")
PAIRS = (
    ("bool", "int32"),
    ("int32", "int64"),
    ("int64", "float32"),
    ("float32", "int64"),
    ("float32", "float64"),
    ("float64", "float32"),
    ("float16", "float32"),
)


def function(name, x, y, label=""):
    return row(f"{name}{label}", lambda p, x, y: getattr(p, name)(x, y), x, y)


def filled(paddle, dtype, values=(1, 1, 1)):
    return paddle.to_tensor(np.array(values).astype(dtype))


def outcome(call):
    try:
        return str(call().dtype).removeprefix("paddle.")
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        return builtin_class(error)


def dtypes(name, kinds=KINDS, pairs=PAIRS):
    """A case: the dtype of the result, or the error, for tensors of one kind and of two."""

    def body(paddle, show):
        call = getattr(paddle, name)
        for kind in kinds:
            x = filled(paddle, kind)
            show(kind, outcome(lambda x=x: call(x, x)))
        for a, b in pairs:
            x, y = filled(paddle, a), filled(paddle, b)
            show(f"{a} with {b}", outcome(lambda x=x, y=y: call(x, y)))

    return Case(f"dtypes of {name}", body)


TABLE = [
    # ----- Ties and special values -----
    *(function(name, TIES, OTHERS, " at ties") for name in ("maximum", "minimum", "fmax", "fmin")),
    *(function(name, A, COLUMN, " of a column") for name in ("fmax", "fmin", "maximum")),
    function("divide", np.array([1.0, 0.0, -1.0]), np.zeros(3), " by zero"),
    row("multiply infinite", lambda p, x, y: p.multiply(x, y), TIES, OTHERS),
    function("floor_divide", np.array([1, 0, -1, 7, -7, 7.5]), np.array([0, 0, 0, -2, 2, 2.0]),
             " of signs"),
    function("remainder", np.array([1, 0, -1, 7, -7, 7.5, 1.0, INF, 1.0]),
             np.array([0, 0, 0, -2, 2, 2, INF, 2, -INF]), " of signs"),
    function("mod", A, B), function("floor_mod", A, COLUMN),
    function("pow", np.array([0, 0, 0, -1, 2, -2, 0, 0.0]), np.array([2, 1, 0, 2, 0, 3, 0.5, -1]),
             " at zero"),
    *(
        row(f"pow {n} at zero", lambda p, x, n=n: p.pow(x, n), np.array([0.0, -1.0, 2.0]))
        for n in (2, 1, 0.5, 3, -1, 2.5, 1.0)
    ),
    row("0 to the power", lambda p, x: 0.0**x, np.array([0.0, 1.0, 2.0])),
    # ----- More functions -----
    function("atan2", np.array([0.0, 1.0, 0.0, -1.0, 1.0]), np.array([0.0, 0.0, -1.0, -1.0, 2.0])),
    function("atan2", A, COLUMN, " of a column"),
    function("hypot", A, B), function("hypot", np.zeros(2), np.array([0.0, 1.0]), " at zero"),
    function("heaviside", np.array([0.0, 3.0, -1.0, NAN]), np.array([0.5, 4.0, 1.0, 1.0])),
    function("heaviside", A, COLUMN, " of a column"),
    function("logaddexp", A, B), function("logaddexp", A, COLUMN, " of a column"),
    function("logaddexp", np.array([0.0, 1000.0]), np.array([0.0, 999.0]), " of large numbers"),
    function("copysign", np.array([1.0, -2.0, 0.0, 3.0]), np.array([-1.0, -1.0, -1.0, -0.0])),
    function("copysign", A, COLUMN, " of a column"), function("ldexp", A, np.array([2.0, 3, -1])),
    function("nextafter", A, B),
    row("lerp with a number", lambda p, x, y: p.lerp(x, y, 0.5), A, B),
    row("lerp broadcast", lambda p, x, y: p.lerp(x, y, 0.25), B[0], A),
    row("lerp with a tensor", lambda p, x, y, w: p.lerp(x, y, w), A, B, np.array([0.25, 0.5, 2.0]),
        differs="the weight gets a gradient too: real Paddle leaves it out"),
    row("add with alpha", lambda p, x, y: p.add(x, y, alpha=2), A, COLUMN),
    row("subtract with alpha", lambda p, x, y: p.subtract(x, y, alpha=0.5), A, COLUMN),
    *(
        row(f"divide, {mode}", lambda p, x, y, mode=mode: p.divide(x, y, rounding_mode=mode), A, B)
        for mode in ("trunc", "floor", None)
    ),
    row("add_n", lambda p, x, y, z: p.add_n([x, y, z]), A, B, A),
    row("add_n of one", lambda p, x: p.add_n(x), A),
    # ----- Dtypes -----
    *map(dtypes, ("add", "equal", "less_than", "not_equal")), dtypes("divide", KINDS[1:]),
    calls("divide bools", lambda p: p.divide(p.to_tensor([True]), p.to_tensor([True])),
        differs="the quotient of bools is float32, as that of integers: real Paddle's is bool"),
    *(
        dtypes(name, ("int32", "int64", *FLOATS))
        for name in ("subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "remainder",
                     "floor_divide", "pow")
    ),
    dtypes("atan2", ("bool", "int32", "int64", *FLOATS)), dtypes("copysign", ("int64", *FLOATS)),
    dtypes("heaviside", ("bool", "int32", "int64", *FLOATS), ()),
    *(dtypes(name, ("bool", "int32", "int64"), ()) for name in ("gcd", "lcm")),
    dtypes("nextafter", ("bool", "int64", *FLOATS)),
    dtypes("ldexp", KINDS, PAIRS[:-1]), dtypes("hypot", ("int32", "int64", *FLOATS), PAIRS[1:6]),
    dtypes("logaddexp", ("int32", "int64", *FLOATS), PAIRS[:6]),
    dtypes("logical_and", ("bool", "int32", "int64", *FLOATS)),
    dtypes("dist", ("bool", "int64", *FLOATS), PAIRS[3:6]),
    # ----- Integers -----
    calls("gcd and lcm", *(
        lambda p, name=name: getattr(p, name)(
            p.to_tensor([12, -8, 0, 0]), p.to_tensor([18, 12, 5, 0])
        )
        for name in ("gcd", "lcm")
    )),
    calls("integers divided", *(
        lambda p, name=name: getattr(p, name)(p.to_tensor([7, -7, 7]), p.to_tensor([2, 2, -2]))
        for name in ("floor_divide", "remainder", "divide")
    )),
    calls("powers of integers",
        lambda p: p.pow(p.to_tensor([2, 3]), p.to_tensor([3, 0])),
        lambda p: p.pow(p.to_tensor([2, -1, 1]), p.to_tensor([-1, -1, -3])),
        lambda p: 2 ** p.to_tensor([1, 2]), lambda p: 2.0 ** p.to_tensor([1, 2]),
        lambda p: p.to_tensor([True]) ** 2,
    ),
    calls("integers with rounding_mode", *(
        lambda p, mode=mode: p.divide(p.to_tensor([7, -7]), p.to_tensor([2, 2]), rounding_mode=mode)
        for mode in ("trunc", "floor", None, "up")
    )),
    # ----- Numbers in place of y, and errors -----
    calls("numbers as y", *(
        lambda p, name=name: getattr(p, name)(p.to_tensor([7.0, -7.0]), 2)
        for name in ("add", "multiply", "divide", "maximum", "subtract", "less_than", "fmax",
                     "floor_divide", "mod", "equal", "copysign", "pow", "hypot", "isclose",
                     "allclose", "equal_all", "logical_and", "ldexp")
    )),
    calls("numbers as y of integers", *(
        lambda p, name=name: getattr(p, name)(p.to_tensor([7, -7]), 2.5)
        for name in ("floor_divide", "mod", "equal", "copysign")
    )),
    calls("errors",
        lambda p: p.pow(p.ones([1]), "2"), lambda p: p.add(p.ones([2]), p.ones([3])),
        lambda p: p.lerp(p.ones([2]), p.ones([3]), 0.5),
        lambda p: p.lerp(p.to_tensor([1]), p.to_tensor([1]), 0.5),
        lambda p: p.atan2(p.ones([2]), p.ones([3])), lambda p: p.add_n([]),
        lambda p: p.add_n([p.ones([2]), p.ones([1])]),
        lambda p: p.add_n([p.ones([1]), p.ones([1], "float64")]),
        lambda p: p.add_n([1, 2]), lambda p: p.add_n([p.ones([1], "bool")] * 2),
        lambda p: p.heaviside(p.ones([2]), p.ones([3])),
        lambda p: p.gcd(p.to_tensor([1, 2]), p.to_tensor([1, 2, 3])),
        lambda p: p.divide(p.ones([1]), p.ones([1]), rounding_mode="up"),
    ),
]  # fmt: skip


@case
def changed_in_place(paddle, show):
    def fresh():
        return paddle.to_tensor([7.0, -7.0, 5.0])

    y = paddle.to_tensor([2.0, 2.0, 5.0])
    names = (
        "add",
        "subtract",
        "multiply",
        "divide",
        "floor_divide",
        "mod",
        "remainder",
        "hypot",
        "ldexp",
        "copysign",
        "equal",
        "less_than",
        "logical_and",
        "greater_equal",
        "less",
        "logical_xor",
        "not_equal",
    )
    for name in names:
        x = fresh()
        made = getattr(x, f"{name}_")(y)
        show(name, [x, made is x])
    x = fresh()
    show("lerp", x.lerp_(y, 0.5))
    show("pow", x.pow_(2))
    show("logical_not", fresh().logical_not_())
    n = paddle.to_tensor([12, 18])
    m = paddle.to_tensor([8, 3])
    show("gcd", n.clone().gcd_(m))
    show("lcm", n.clone().lcm_(m))


@case
def gradient_through_changes_in_place(paddle, show):
    x = paddle.to_tensor([0.5, 2.0], stop_gradient=False)
    y = paddle.to_tensor([3.0, 0.25], stop_gradient=False)
    h = x * 1.0
    h.multiply_(y)
    h.sum().backward()
    show("of multiply_", [x.grad, y.grad])
    h = x * 2.0
    h.remainder_(paddle.to_tensor([2.0, 4.0]))
    h.sum().backward()
    show("of remainder_", x.grad)
