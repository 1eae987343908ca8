"""A transformer trains in a Program as in eager mode: the one of `examples/`, built of layers, and
attention written with functions. The losses of real Paddle are in
`tests/oracle/cases/transformer.py`."""

import pytest

import minipaddle as paddle
from tests.oracle.cases._examples import example

BATCH, LENGTH, SIZE, HEADS, CLASSES = 3, 5, 8, 2, 4


@pytest.mark.parametrize(("dtype", "close"), [("float32", 1e-5), ("float64", 1e-12)])
def test_the_example_trains_in_a_program_as_in_eager_mode(dtype: str, close: float) -> None:
    """All but the last digits, because the two modes add gradients that meet in another order."""
    paddle.set_default_dtype(dtype)
    try:
        transformer = example(paddle, "character_transformer")
        _, eager = transformer.train_eagerly(30)
        assert transformer.train_a_program(30) == pytest.approx(eager, rel=close)
    finally:
        paddle.set_default_dtype("float32")
    assert eager[-1] < 0.6 * eager[0]
