"""Ops on two tensors: values against NumPy, what they refuse, and their texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.ops import REGISTRY
from tests.contract.refusal import refused
from tests.each import each

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
    # of positive numbers:
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


@each("kind", ["uint8", "int8", "int16", "int32", "int64"])
def test_shifts_are_products_with_powers_of_2(kind: str) -> None:
    x, y = np.array([1, 2, 5, 7], kind), np.array([0, 1, 2, 3], kind)
    left = paddle.bitwise_left_shift(paddle.to_tensor(x), paddle.to_tensor(y))
    assert left.tolist() == [1, 4, 20, 56]
    assert paddle.bitwise_right_shift(left, paddle.to_tensor(y)).tolist() == x.tolist()
    if kind != "uint8":
        bits, minus = np.dtype(kind).itemsize * 8, paddle.to_tensor(-np.ones(1, kind))
        one = paddle.to_tensor(np.ones(1, kind))
        assert paddle.bitwise_right_shift(minus, one).item() == -1
        wide = paddle.bitwise_right_shift(minus, one, is_arithmetic=False)
        assert (wide.item(), wide.dtype.name) == (2 ** (bits - 1) - 1, kind)


# ----- slopes ------------------------------------------------------------------------------------


def slopes(call: Any, *values: float) -> list[float]:
    tensors = [paddle.to_tensor([value], stop_gradient=False) for value in values]
    call(*tensors).backward()
    return [t.grad.item() for t in tensors]


@each(
    ("name", "values", "wanted"),
    [
        ("maximum", (1.0, 1.0), [0.5, 0.5]),
        ("minimum", (1.0, 1.0), [0.5, 0.5]),
        ("maximum", (np.nan, 1.0), [0.0, 0.0]),
        ("fmax", (1.0, 1.0), [1.0, 0.0]),
        ("fmin", (1.0, 1.0), [1.0, 0.0]),
        ("fmax", (np.nan, 1.0), [0.0, 1.0]),
        ("fmin", (1.0, np.nan), [1.0, 0.0]),
        ("fmax", (np.nan, np.nan), [1.0, 0.0]),
        ("pow", (0.0, 2.0), [0.0, 0.0]),
        ("pow", (0.0, 1.0), [1.0, 0.0]),
        ("pow", (0.0, 0.0), [0.0, 0.0]),
        ("pow", (0.0, 0.5), [np.inf, 0.0]),
        ("pow", (2.0, 0.0), [0.0, np.log(2)]),
        ("heaviside", (0.0, 0.5), [0.0, 1.0]),
        ("copysign", (0.0, -1.0), [0.0, 0.0]),
        ("copysign", (2.0, -1.0), [-1.0, 0.0]),
        ("logaddexp", (1000.0, 1000.0), [0.5, 0.5]),
    ],
)
def test_slopes_at_corners(name: str, values: Any, wanted: list[float]) -> None:
    assert slopes(getattr(paddle, name), *values) == pytest.approx(wanted)


def test_the_weight_of_lerp_has_a_gradient() -> None:
    assert slopes(paddle.lerp, 1.0, 4.0, 0.25) == [0.75, 0.25, 3.0]


def test_a_quotient_that_is_cut_off_has_no_gradient() -> None:
    x = paddle.to_tensor([7.0, -7.0], stop_gradient=False)
    for mode, wanted in (("trunc", [3.0, -3.0]), ("floor", [3.0, -4.0])):
        made = paddle.divide(x, paddle.to_tensor([2.0]), rounding_mode=mode)
        assert (made.tolist(), made.stop_gradient) == (wanted, True)


def test_add_n_gives_each_its_own_gradient() -> None:
    x, y = (paddle.to_tensor([1.0], stop_gradient=False) for _ in range(2))
    paddle.add_n([x, y, x]).backward()
    x.grad.set_value(np.zeros(1, "float32"))
    assert (x.grad.item(), y.grad.item()) == (0.0, 1.0)


# ----- refusals ----------------------------------------------------------------------------------


one, two = paddle.ones([1]), paddle.ones([2])


@each(
    ("call", "kind"),
    [
        (lambda: paddle.lerp(two, paddle.ones([2], "float64"), 0.5), ValueError),
    ],
)
def test_refusals(call: Any, kind: Any) -> None:
    refused(call, kind)


@each("name", ["subtract", "maximum", "fmax", "floor_divide", "remainder"])
def test_what_has_no_kernel_for_bools_says_so_in_a_program_too(name: str) -> None:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            x = paddle.static.data("x", [2], "bool")
            with pytest.raises(RuntimeError, match="no kernel for bool"):
                REGISTRY[name].call(x, x)
    finally:
        paddle.disable_static()


def test_close_is_as_the_formula_says() -> None:
    x = paddle.to_tensor([1.0, np.inf, np.nan])
    assert paddle.isclose(x, x).tolist() == [True, True, False]
    assert paddle.isclose(x, x, equal_nan=True).tolist() == [True, True, True]
    assert not paddle.allclose(x, x).item()
    assert paddle.allclose(paddle.ones([2]), paddle.ones([2]) * 1.5, rtol=0.0, atol=0.5).item()
    assert not paddle.equal_all(x, x).item()
    assert not paddle.equal_all(paddle.ones([1, 2]), paddle.ones([2])).item()


def test_equal_takes_a_number_and_a_place_for_its_answer() -> None:
    x, out = paddle.to_tensor([1.0, 2.0]), paddle.zeros([2], "bool")
    assert paddle.equal(x, 2.0, out=out) is out
    assert out.tolist() == paddle.equal(x, paddle.to_tensor(2.0)).tolist() == [False, True]


def test_an_answer_in_place_has_the_dtype_of_answers() -> None:
    x = paddle.to_tensor([1.0, 2.0])
    assert x.less_than_(paddle.to_tensor([2.0, 2.0])) is x
    assert (x.dtype.name, x.tolist()) == ("bool", [True, False])
