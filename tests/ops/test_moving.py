"""Ops that move elements: the memory of results, and sizes that only a run knows."""

import numpy as np
import pytest

import minipaddle as paddle
from tests.static.world import data, fresh, run

X = np.arange(24, dtype="float32").reshape(2, 3, 4)


def test_another_shape_in_place_keeps_memory_history_and_counts() -> None:
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    h = x * 3.0
    part = h[0]
    saved = h * h
    assert h.reshape_([3, 2]) is h
    assert (h.shape, h.inplace_version, h.is_leaf) == ([3, 2], 1, False)
    h.zero_()
    assert part.tolist() == [0.0] * 3
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        saved.sum().backward()
    t = paddle.to_tensor(X[0])
    t.transpose_([1, 0]).flatten_()
    np.testing.assert_array_equal(t.numpy(), X[0].T.ravel())


def test_a_slice_takes_ends_that_only_the_run_knows() -> None:
    x = X[0]
    with fresh():
        var, start, both = data("x", [-1, 4]), data("a", [], "int64"), data("b", [2], "int64")
        outs = [
            paddle.slice(var, [1], [start], [4]),
            paddle.slice(var, [0, 1], both, both + 1),
            paddle.strided_slice(var, [1], [3], [-9], [-start]),
        ]
        assert [list(out.shape) for out in outs] == [[-1, -1], [-1, -1], [-1, -1]]
        values = run(*outs, x=x, a=np.array(1), b=np.array([2, 0]))
    for value, expected in zip(values, (x[:, 1:], x[2:3, 0:1], x[:, ::-1]), strict=True):
        np.testing.assert_array_equal(value, expected)
