"""The error for two tensors whose dtypes do not mix; tests/oracle records those that do."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refused, refuses
from tests.each import each
from tests.static.world import fresh


def test_dtypes_that_do_not_mix_are_errors_in_both_modes() -> None:
    words = "received  x int64 [2] and y float32 [1]", "cast x.astype('float32')\n"
    with refuses(TypeError, *words):
        paddle.ones([2], "int64") + paddle.ones([1])
    with refuses(TypeError, "cast y.astype('float32')\n"):  # the cast that loses nothing
        paddle.ones([2]) * paddle.ones([2], "bool")
    with fresh():
        x, y = paddle.static.data("x", [2], "int64"), paddle.static.data("y", [1], "float32")
        with refuses(TypeError, *words):
            x + y


@each("name", ["maximum", "minimum", "fmax", "fmin", "heaviside"])
@each("dtype", ["bool", "complex64"])
def test_dtypes_without_an_order_are_errors_in_a_program(name: str, dtype: str) -> None:
    with fresh():
        v = paddle.static.data("v", [2], dtype)
        refused(getattr(paddle, name), RuntimeError, v, v)


def test_a_numpy_number_that_loses_its_fraction_gives_a_warning() -> None:
    x = paddle.to_tensor([2, 5])
    with pytest.warns(UserWarning, match=r"np.float32\(2.5\) beside a tensor of int64 is 2"):
        assert (x * np.float32(2.5)).tolist() == [4, 10]
    assert (x * np.float32(2.0)).dtype == paddle.int64
    assert (x * 2.5).tolist() == [5.0, 12.5]
    assert np.isnan((x * np.float32("nan")).numpy()).all()
