"""Sorting and searching use NumPy's stable order, and the first of ties."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from tests.contract.refusal import refuses

ROWS = arrays.arrays(
    np.float32,
    arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=6),
    elements=st.sampled_from([-np.inf, -1.0, 0.0, 1.0, 2.0, np.inf, np.nan]),
)


@given(ROWS, st.data())
def test_the_order_is_numpys_stable_one(x: Any, data: Any) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    t = paddle.to_tensor(x)
    wanted = np.argsort(x, axis=axis, kind="stable")
    np.testing.assert_array_equal(paddle.argsort(t, axis=axis).numpy(), wanted)
    np.testing.assert_array_equal(
        paddle.sort(t, axis=axis).numpy(), np.take_along_axis(x, wanted, axis)
    )


@given(ROWS)
def test_a_descending_sort_has_nan_first_and_keeps_the_order_of_ties(x: Any) -> None:
    found = paddle.argsort(paddle.to_tensor(x), descending=True).numpy()
    wanted = np.argsort(np.where(np.isnan(x), -np.inf, -x), axis=-1, kind="stable")
    key = np.where(np.isnan(x), np.inf, x)  # NaN and infinity are distinguished below
    nan_first = np.lexsort((np.arange(x.shape[-1]) + np.zeros(x.shape), -key, ~np.isnan(x)))
    np.testing.assert_array_equal(found, nan_first)
    if not np.isnan(x).any():
        np.testing.assert_array_equal(found, wanted)


@given(ROWS, st.booleans(), st.data())
def test_the_k_largest_are_the_front_of_the_order(x: Any, largest: bool, data: Any) -> None:
    k = data.draw(st.integers(1, x.shape[0]))
    values, places = paddle.topk(paddle.to_tensor(x), k, axis=0, largest=largest)
    order = paddle.argsort(paddle.to_tensor(x), axis=0, descending=largest).numpy()[:k]
    np.testing.assert_array_equal(places.numpy(), order)
    np.testing.assert_array_equal(values.numpy(), np.take_along_axis(x, order, 0))


@given(ROWS)
def test_the_mode_is_the_smallest_of_the_most_frequent(x: Any) -> None:
    values, places = (t.numpy() for t in paddle.mode(paddle.to_tensor(x)))
    rows = x.reshape(-1, x.shape[-1])
    for row, value, place in zip(rows, values.reshape(-1), places.reshape(-1), strict=True):
        known = row[~np.isnan(row)]
        if not known.size:
            assert np.isnan(value)
            continue
        found, counts = np.unique(known, return_counts=True)
        assert value == found[np.argmax(counts)]
        assert place == np.flatnonzero(row == value)[-1]


def test_out_receives_sorted_results() -> None:
    x = paddle.to_tensor([[1.0, 3.0], [2.0, 0.0]])
    out = (paddle.zeros([2, 1]), paddle.zeros([2, 1], "int64"))
    found = paddle.topk(x, 1, out=out)
    assert found.values is out[0]
    assert out[1].tolist() == [[1], [0]]
    row = paddle.zeros([2, 2])
    assert paddle.msort(x, out=row) is row
    assert row.tolist() == [[1.0, 0.0], [2.0, 3.0]]
    with refuses(TypeError, "topk(): out must be 2 Tensors"):
        paddle.topk(x, 1, out=row)


# ----- places in sorted rows ---------------------------------------------------------------------

SORTED = arrays.arrays(np.float64, st.integers(0, 6), elements=st.integers(0, 5)).map(np.sort)
VALUES = arrays.arrays(
    np.float64,
    arrays.array_shapes(min_dims=0, max_dims=2, max_side=4),
    elements=st.sampled_from([-np.inf, 0.0, 1.0, 2.5, 5.0, 9.0, np.inf, np.nan]),
)


@given(SORTED, VALUES, st.booleans())
def test_searchsorted_equals_numpys(row: Any, x: Any, right: bool) -> None:
    t = paddle.to_tensor(row)
    found = paddle.searchsorted(t, paddle.to_tensor(x), right=right)
    wanted = np.searchsorted(row, x, side="right" if right else "left")
    np.testing.assert_array_equal(found.numpy(), wanted)
    if x.ndim:  # many rows at once give the results of single rows
        rows = paddle.to_tensor(np.broadcast_to(row, (*x.shape[:-1], len(row))).copy())
        again = paddle.searchsorted(rows, paddle.to_tensor(x), right=right)
        np.testing.assert_array_equal(again.numpy(), wanted)
