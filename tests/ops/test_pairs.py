"""Ops on two tensors give NumPy's values for any broadcasting."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.ops import REGISTRY
from tests.each import each
from tests.static.world import fresh

FLOATS = st.floats(-4, 4, width=32)
INTS = st.integers(-9, 9)
BINARY: dict[str, Any] = {
    "atan2": np.arctan2, "copysign": np.copysign, "fmax": np.fmax, "fmin": np.fmin,
    "heaviside": np.heaviside, "hypot": np.hypot, "logaddexp": np.logaddexp,
    "nextafter": np.nextafter, "maximum": np.maximum, "minimum": np.minimum,
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "equal": np.equal,
    "not_equal": np.not_equal, "less_than": np.less, "less_equal": np.less_equal,
    "greater_than": np.greater, "greater_equal": np.greater_equal,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor,
    # ops of positive numbers
    "divide": np.divide, "floor_divide": np.floor_divide, "remainder": np.remainder,
    "pow": np.power,
}  # fmt: skip
POSITIVE = {"divide", "floor_divide", "remainder", "pow"}
WHOLE: dict[str, Any] = {"gcd": np.gcd, "lcm": np.lcm}
BITS = ("bitwise_and", "bitwise_or", "bitwise_xor")


def drawn(data: Any, shapes: Any, dtype: Any, elements: Any) -> list[Any]:
    return [data.draw(arrays.arrays(dtype, shape, elements=elements)) for shape in shapes]


def pairs_of_shapes() -> Any:
    return arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3)


@given(st.sampled_from(sorted(BINARY)), pairs_of_shapes(), st.data())
def test_values_are_numpys(name: str, shapes: Any, data: Any) -> None:
    elements = st.floats(0.25, 4, width=32) if name in POSITIVE else FLOATS
    x, y = drawn(data, shapes.input_shapes, np.float32, elements)
    made, wanted = getattr(paddle, name)(paddle.to_tensor(x), paddle.to_tensor(y)), BINARY[name]
    assert made.dtype.name == wanted(x, y).dtype
    np.testing.assert_allclose(made.numpy(), wanted(x, y), rtol=1e-5, atol=1e-6)


@given(st.sampled_from(sorted(WHOLE)), pairs_of_shapes(), st.data())
def test_values_of_integers_are_numpys(name: str, shapes: Any, data: Any) -> None:
    x, y = drawn(data, shapes.input_shapes, np.int64, INTS)
    made = getattr(paddle, name)(paddle.to_tensor(x), paddle.to_tensor(y))
    np.testing.assert_array_equal(made.numpy(), WHOLE[name](x, y))


@given(st.sampled_from(BITS), st.sampled_from(["int32", "int64", "uint8", "bool"]), st.data())
def test_bits_are_numpys(name: str, kind: str, data: Any) -> None:
    x, y = (data.draw(arrays.arrays(kind, 3)) for _ in range(2))
    made = getattr(paddle, name)(paddle.to_tensor(x), paddle.to_tensor(y))
    assert made.tolist() == getattr(np, name)(x, y).tolist()
    assert paddle.bitwise_not(paddle.to_tensor(x)).tolist() == np.invert(x).tolist()


@given(pairs_of_shapes(), st.data())
def test_quotient_and_rest_make_the_whole(shapes: Any, data: Any) -> None:
    x, y = drawn(data, shapes.input_shapes, np.int64, INTS)
    y = np.where(y == 0, 1, y)
    a, b = paddle.to_tensor(x), paddle.to_tensor(y)
    whole = paddle.floor_divide(a, b) * b + paddle.remainder(a, b)
    np.testing.assert_array_equal(whole.numpy(), np.broadcast_to(x, whole.shape))


# ----- refusals ----------------------------------------------------------------------------------


@each("name", ["subtract", "maximum", "fmax", "floor_divide", "remainder"])
def test_an_op_without_a_kernel_for_bools_says_so_also_in_a_program(name: str) -> None:
    with fresh():
        x = paddle.static.data("x", [2], "bool")
        with pytest.raises(RuntimeError, match="no kernel for bool"):
            REGISTRY[name].call(x, x)
