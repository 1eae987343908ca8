"""Element types and their names."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine import dtypes
from tests.each import each


@each("name", list(dtypes.ALL))
def test_a_dtype_is_one_object_however_it_is_written(name: str) -> None:
    kind = dtypes.ALL[name]
    ways = [name, f"paddle.{name}", np.dtype(name), np.dtype(name).type, kind]
    assert {dtypes.DType.of(way) for way in ways} == {kind}
    assert repr(kind) == str(kind) == f"paddle.{name}"
    assert getattr(paddle, name) is kind
    assert kind.numpy == np.dtype(name)
    assert kind.is_floating == (name in ("float16", "float32", "float64"))


@each("kind", ["float31", "str", np.dtype("U3"), object(), np.uint32, 3])
def test_a_value_that_is_no_dtype_is_an_error(kind: Any) -> None:
    with pytest.raises(TypeError, match="is not understood") as caught:
        dtypes.DType.of(kind)
    assert "expected  one of bool, uint8" in str(caught.value)
