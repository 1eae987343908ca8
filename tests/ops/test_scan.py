"""Scans name the last of ties; tests/oracle has their values."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle

ROWS = arrays.arrays(
    np.float64,
    arrays.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=9),
    elements=st.integers(-4, 4).map(lambda v: v / 2),
)


@given(st.sampled_from(["cummax", "cummin"]), ROWS, st.data())
def test_positions_name_the_last_of_the_ties(name: str, x: Any, data: Any) -> None:
    axis = data.draw(st.integers(0, x.ndim - 1))
    values, places = (t.numpy() for t in getattr(paddle, name)(paddle.to_tensor(x), axis))
    np.testing.assert_array_equal(np.take_along_axis(x, places, axis), values)
    x, places = np.moveaxis(x, axis, 0), np.moveaxis(places, axis, 0)
    for k in range(len(x)):
        later = np.arange(k + 1).reshape(-1, *[1] * (x.ndim - 1)) > places[k]
        better = x[: k + 1] >= np.moveaxis(values, axis, 0)[k]
        if name == "cummin":
            better = x[: k + 1] <= np.moveaxis(values, axis, 0)[k]
        assert not (later & better).any()


# ----- errors ------------------------------------------------------------------------------------
