"""Counts and histograms equal NumPy's, and joined runs give the tensor back."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle

INTS = arrays.arrays(
    np.int64,
    arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4),
    elements=st.integers(0, 2),
)
ROWS = arrays.arrays(np.float64, st.integers(1, 12), elements=st.integers(-4, 4).map(float))


@given(INTS, st.data())
def test_joined_runs_give_the_tensor_back(x: Any, data: Any) -> None:
    axis = data.draw(st.integers(0, x.ndim - 1))
    out, runs, counts = (
        t.numpy() for t in paddle.unique_consecutive(paddle.to_tensor(x), True, True, axis)
    )
    np.testing.assert_array_equal(np.take(out, runs, axis), x)
    np.testing.assert_array_equal(np.repeat(out, counts, axis), x)
    around = np.moveaxis(out, axis, 0).reshape(out.shape[axis], -1)
    assert (around[1:] != around[:-1]).any(axis=1).all()  # neighbours differ


@given(arrays.arrays(np.int64, st.integers(0, 9), elements=st.integers(0, 5)), st.integers(0, 8))
def test_counts_are_numpys(x: Any, least: int) -> None:
    t = paddle.to_tensor(x)
    np.testing.assert_array_equal(paddle.bincount(t, minlength=least), np.bincount(x, None, least))
    weights = np.linspace(0, 1, len(x)).astype("float32")
    found = paddle.bincount(t, paddle.to_tensor(weights), least)
    assert found.dtype == paddle.float32
    np.testing.assert_allclose(found.numpy(), np.bincount(x, weights, least), rtol=1e-6)


@given(ROWS, st.integers(1, 6), st.booleans(), st.booleans())
def test_histograms_are_numpys(x: Any, bins: int, given_range: bool, density: bool) -> None:
    low, high = (-2.0, 3.0) if given_range else (0.0, 0.0)
    inside = x[(x >= low) & (x <= high)] if given_range else x
    how: dict[str, Any] = {"range": (low, high)} if given_range else {}
    t = paddle.to_tensor(x)
    wanted, edges = np.histogram(x, bins, **how)
    assert paddle.histogram(t, bins, low, high).tolist() == wanted.tolist()
    found = paddle.histogram_bin_edges(t, bins, low, high).numpy()
    np.testing.assert_allclose(found, edges, rtol=1e-6, atol=1e-6)
    if density and inside.size:
        found = paddle.histogram(t, bins, low, high, density=True).numpy()
        wanted = np.histogram(x, bins, density=True, **how)[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
