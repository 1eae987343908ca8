"""The LeNet of `examples/` gives the same losses in both modes; those of real Paddle are in
`tests/oracle/cases/lenet.py`."""

import pytest

import minipaddle as paddle
from tests.oracle.cases._examples import example


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_lenet_trains_equally_in_a_program_and_in_dynamic_mode(dtype: str) -> None:
    paddle.set_default_dtype(dtype)
    try:
        lenet = example(paddle, "lenet_digits")
        eager = lenet.train_eagerly(30)
        assert lenet.train_a_program(30) == eager
    finally:
        paddle.set_default_dtype("float32")
    assert eager[-1] < 0.9 * eager[0]
