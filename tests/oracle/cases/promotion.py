"""The dtype of an op of two tensors, for all pairs of dtypes, also of 0-D tensors.

A word has the results for one left dtype: for each right dtype, NumPy's letter of the result's
dtype, or the first letter of the error's class (T, V, R or N).
"""

import operator
import warnings

import numpy as np

from ..harness import Case, builtin_class

DTYPES = ["bool", "int32", "int64", "float32", "float64", "complex64", "complex128"]
ALL = [*DTYPES[:1], "uint8", "int8", "int16", *DTYPES[1:3], "float16", *DTYPES[3:]]
RANKS = {"both [2]": ([2], [2]), "y 0-D": ([2], []), "x 0-D": ([], [2]), "both 0-D": ([], [])}

PLUS = ["add", "subtract", "multiply", "divide", "pow"]
COMPARISONS = ["equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"]
LARGER = ["maximum", "minimum", "fmax", "fmin", "atan2", "nextafter"]
LOGICAL = ["logical_and", "logical_or", "logical_xor"]
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
OPERATORS |= {"%": operator.mod, "//": operator.floordiv, "**": operator.pow, "<": operator.lt}


def outcome(call, x, y):
    try:
        return np.dtype(str(call(x, y).dtype).removeprefix("paddle.")).char
    except Exception as error:  # noqa: BLE001  (every class is an answer)
        return builtin_class(error)[0]


def table(name, call, dtypes=DTYPES, differs=None):
    """Return a case: every left dtype with every right one, in all ranks."""

    def run(paddle, show):
        def ones(dtype, shape):
            return paddle.to_tensor(np.ones(shape, dtype))

        for label, (left, right) in RANKS.items():
            row = [ones(dtype, right) for dtype in dtypes]
            words = [
                "".join(outcome(lambda a, b: call(paddle, a, b), ones(dtype, left), y) for y in row)
                for dtype in dtypes
            ]
            show(label, " ".join(words))

    return Case(name, run, differs=differs)


def named(name):
    return lambda paddle, x, y: getattr(paddle, name)(x, y)


def shown(name, call, differs=None):
    """Return a case of values and gradients."""

    def run(paddle, show):
        call(paddle, show)

    return Case(name, run, differs)


def quotients(paddle, show):
    f = paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False)
    mean = f.sum() / (f > 1).sum()
    mean.backward()
    show("masked mean", [mean, f.grad])
    show("times a 0-D int", f.detach() * paddle.to_tensor(2))


def gradients(paddle, show):
    for left, right in [("float32", "float64"), ("float32", "int64"), ("int32", "float64")]:
        x = paddle.to_tensor(np.array([2, 3], left), stop_gradient=False)
        y = paddle.to_tensor(np.array(4, right), stop_gradient=False)
        (x * y).sum().backward()
        show(f"{left} [2] times {right} []", [x.grad, y.grad])


def values(paddle, show):
    tenth, exact = paddle.to_tensor([0.1]), paddle.to_tensor(np.float64(0.1))
    show("0.1 is met in the dtype of the larger tensor", [tenth == exact, exact == tenth])
    small = paddle.to_tensor(np.array([250], "uint8"))
    show("bytes wrap around", [small + paddle.to_tensor(10), paddle.to_tensor(10) + small])
    large = paddle.to_tensor(np.array([1], "int32")) + paddle.to_tensor(2**40)
    show("so does int32", large)
    show("an array is a tensor", paddle.ones([2]) * np.array(2.0))


def numpy_numbers(paddle, show):
    """np.float32 is no Python number, so a tensor of integers decides the dtype."""
    for kind in ("int64", "int32", "float32", "float64"):
        x = paddle.to_tensor([2, 5]).astype(kind)
        for number in (np.float32(2.5), np.float16(1.5), np.float64(2.5), np.int32(3)):
            for symbol, call in OPERATORS.items():
                if symbol != "<":
                    with warnings.catch_warnings(action="ignore"):
                        both = [call(x, number), call(number, x)]
                    show(f"{kind} {symbol} {number!r}", both)


def further_numpy_numbers(paddle, show):
    x = paddle.to_tensor([2, 5])
    show("complex", x + np.complex64(2 + 1j))
    show.raises("of eight bits", lambda: x + np.int8(3))
    show.raises("bool", lambda: x * np.bool_(True))


COMPLEX = "the remainder of complex numbers is refused, as bools are"
NUMPY = "np.complex64 keeps its imaginary part, and any number of NumPy is one"
IN_PLACE = "in place as well a 0-D tensor counts as a number"

TABLE = [
    *(table(name, named(name)) for name in PLUS if name != "divide"),
    table("divide", named("divide"), differs="the quotient of two bools is a float"),
    table("remainder", named("remainder"), differs=COMPLEX),
    table("copysign_of_all", named("copysign"), ALL),
    table("floor_divide_of_all", named("floor_divide"), ALL),
    *(table(name, named(name)) for name in (*COMPARISONS, *LARGER, *LOGICAL, "heaviside")),
    table("where", lambda paddle, x, y: paddle.where(paddle.to_tensor(True), x, y)),
    *(
        table(f"operator_{symbol}", lambda _, x, y, call=call: call(x, y))
        for symbol, call in OPERATORS.items()
        if symbol not in "/%"
    ),
    table("stack", lambda paddle, x, y: paddle.stack([x, y]), DTYPES[:5]),
    table("logaddexp", named("logaddexp")),
    table("hypot", named("hypot")),
    table("add_in_place", lambda _, x, y: x.add_(y), differs=IN_PLACE),
    shown("a_mean_over_a_mask", quotients),
    shown("numpy_numbers", numpy_numbers),
    shown("further_numpy_numbers", further_numpy_numbers, differs=NUMPY),
    shown("gradients_have_the_dtypes_of_their_inputs", gradients),
    shown("values_in_the_dtype_where_tensors_meet", values),
]
