"""Printed tensors have every element, in columns; the oracle has the texts of real Paddle."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.eager import printing
from minipaddle.engine.tensor import Parameter


@pytest.fixture(autouse=True)
def options() -> Iterator[None]:
    """Set Paddle's options before and after each test."""
    yield
    printing.OPTIONS = printing.Options()


def test_a_parameter_prints_as_a_parameter() -> None:
    text = repr(Parameter(np.zeros(2, np.float32), "w"))
    assert text.startswith("Parameter containing:\nTensor(shape=[2], dtype=float32, place=")
    assert "stop_gradient=False" in text


def test_a_wrong_option_is_an_error_and_changes_nothing() -> None:
    for name, value in (("precision", -1), ("threshold", 1.5), ("edgeitems", "3")):
        with pytest.raises(ValueError, match=rf"set_printoptions\(\): {name} ") as caught:
            paddle.set_printoptions(**{name: value})
        assert f"={value!r}" in str(caught.value)
    assert printing.Options() == printing.OPTIONS


@given(
    arrays.arrays(
        st.sampled_from([np.float32, np.float64, np.int64, np.bool_]),
        arrays.array_shapes(max_dims=4, max_side=4),
    )
)
def test_every_element_is_in_the_text_in_order(array: Any) -> None:
    """Parsing the text gives the elements up to the shown digits."""
    text = printing.data_text(array, 7)
    items = text.translate(str.maketrans("[],", "   ")).replace("inf.", "inf").split()
    shown = np.array([item == "True" if array.dtype == bool else float(item) for item in items])
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(shown, array.ravel().astype(float), rtol=1e-7, atol=1e-8)


FEW = st.tuples(st.integers(2, 5), st.integers(1, 4))


@given(arrays.arrays(np.float32, FEW, elements=st.floats(-100, 100, width=32)))
def test_columns_line_up(array: Any) -> None:
    lines = printing.data_text(array, 7).split("\n")
    assert len(lines) == len(array)
    assert len({len(line.rstrip(",]")) for line in lines[1:]}) == 1
    assert all(line.startswith(" " * 8 + "[") for line in lines[1:])
