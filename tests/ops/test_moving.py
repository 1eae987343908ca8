"""Ops that move elements: shapes, orders, joining, cutting, repeating, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refused
from tests.each import each
from tests.static.world import data, fresh, run

X = np.arange(24, dtype="float32").reshape(2, 3, 4)
ROW = np.float32([1, 2, 3])


def tensor(array: Any) -> Any:
    return paddle.to_tensor(array)


SAME_AS_NUMPY = [
    (lambda p: p.reshape(tensor(X), [4, -1]), X.reshape(4, -1)),
    (lambda p: tensor(X).reshape(3, 8), X.reshape(3, 8)),
    (lambda p: p.flatten(tensor(X), 0, 1), X.reshape(6, 4)),
    (lambda p: p.ravel(tensor(X)), X.ravel()),
    (lambda p: p.unflatten(tensor(X), -1, [2, -1]), X.reshape(2, 3, 2, 2)),
    (lambda p: p.view(tensor(X), [6, 4]), X.reshape(6, 4)),
    (lambda p: p.view(tensor(X), "int32"), X.view("int32")),
    (lambda p: p.view(tensor(X), "uint8"), X.view("uint8")),
    (lambda p: p.view_as(tensor(X), p.ones([4, 6])), X.reshape(4, 6)),
    (lambda p: p.squeeze(tensor(X[:1]), 0), X[0]),
    (lambda p: p.unsqueeze(tensor(ROW), [0, -1]), ROW[None, :, None]),
    (lambda p: p.atleast_2d(tensor(ROW)), ROW[None]),
    (lambda p: p.atleast_3d(tensor(ROW)), ROW[None, :, None]),
    (lambda p: p.transpose(tensor(X), [2, 0, 1]), X.transpose(2, 0, 1)),
    (lambda p: tensor(X).permute(1, 0, 2), X.transpose(1, 0, 2)),
    (lambda p: p.moveaxis(tensor(X), [0, -1], [1, 0]), np.moveaxis(X, [0, -1], [1, 0])),
    (lambda p: p.swapaxes(tensor(X), 0, -1), np.swapaxes(X, 0, -1)),
    (lambda p: p.matrix_transpose(tensor(X)), X.swapaxes(1, 2)),
    (lambda p: p.flip(tensor(X), [0, 2]), np.flip(X, (0, 2))),
    (lambda p: p.roll(tensor(X), [1, -1], [0, 2]), np.roll(X, (1, -1), (0, 2))),
    (lambda p: p.roll(tensor(X), 5), np.roll(X, 5)),
    *[(lambda p, k=k: p.rot90(tensor(X), k, [0, 2]), np.rot90(X, k, (0, 2))) for k in range(-3, 5)],
    (lambda p: p.expand(tensor(ROW), [2, -1]), np.broadcast_to(ROW, (2, 3))),
    (lambda p: p.tile(tensor(X), [2, 1, 3]), np.tile(X, (2, 1, 3))),
    (lambda p: p.repeat_interleave(tensor(X), 2, 1), X.repeat(2, 1)),
    (lambda p: p.repeat_interleave(tensor(X), tensor([1, 0, 2]), 1), X.repeat([1, 0, 2], 1)),
    (lambda p: p.concat([tensor(X), tensor(X)], -1), np.concatenate([X, X], -1)),
    (lambda p: p.stack([tensor(X), tensor(X)], 2), np.stack([X, X], 2)),
    (lambda p: p.hstack([tensor(X), tensor(X)]), np.hstack([X, X])),
    (lambda p: p.vstack([tensor(ROW), tensor(ROW)]), np.vstack([ROW, ROW])),
    (lambda p: p.dstack([tensor(ROW), tensor(ROW)]), np.dstack([ROW, ROW])),
    (lambda p: p.column_stack([tensor(ROW), tensor(ROW)]), np.column_stack([ROW, ROW])),
    (lambda p: p.slice(tensor(X), [0, 2], [0, -2], [1, 9]), X[0:1, :, -2:9]),
    (lambda p: p.strided_slice(tensor(X), [2], [3], [-9], [-2]), X[:, :, 3:-9:-2]),
    (lambda p: p.narrow(tensor(X), 2, -3, 2), X[:, :, 1:3]),
    (lambda p: p.crop(tensor(X), [1, -1, 2], [1, 1, 0]), X[1:2, 1:, :2]),
    (lambda p: p.diagonal(tensor(X), 1, 2, 0), np.diagonal(X, 1, 2, 0)),
    (lambda p: p.diagonal(tensor(X), -2, 1, 2), np.diagonal(X, -2, 1, 2)),
    (lambda p: p.trace(tensor(X), 1, 1, 2), np.trace(X, 1, 1, 2)),
    (lambda p: p.diag_embed(tensor(ROW), -1), np.diag(ROW, -1)),
    (lambda p: p.split(tensor(X), [1, -1], 2)[1], X[:, :, 1:]),
    (lambda p: p.chunk(tensor(X), 2, -1)[1], X[:, :, 2:]),
    (lambda p: p.unbind(tensor(X), 1)[2], X[:, 2]),
]


@each(("call", "expected"), SAME_AS_NUMPY)
def test_the_result_is_numpys(call: Any, expected: Any) -> None:
    out = call(paddle).numpy()
    assert (out.dtype, out.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(out, expected)


@each("cut", [3, [1, 2], [-1], [2, 9], [3, 1], [0]])
def test_tensor_split_is_numpys_array_split(cut: Any) -> None:
    for axis in (0, 1, 2):
        expected = np.array_split(X, cut, axis)
        found = paddle.tensor_split(tensor(X), cut, axis)
        assert [f.shape for f in found] == [list(e.shape) for e in expected]
        for f, e in zip(found, expected, strict=True):
            np.testing.assert_array_equal(f.numpy(), e)


def test_pieces_by_number_and_by_size() -> None:
    assert [p.shape for p in paddle.split(tensor(X), [1, -1], 2)] == [[2, 3, 1], [2, 3, 3]]
    assert [p.shape for p in paddle.chunk(tensor(X), 2, -1)] == [[2, 3, 2], [2, 3, 2]]
    assert [p.shape for p in paddle.unbind(tensor(X), 1)] == [[2, 4]] * 3
    assert [p.shape for p in paddle.hsplit(tensor(X), 3)] == [[2, 1, 4]] * 3
    assert [p.shape for p in paddle.vsplit(tensor(X), 2)] == [[1, 3, 4]] * 2
    assert [p.shape for p in paddle.dsplit(tensor(X), [1])] == [[2, 3, 1], [2, 3, 3]]


def test_results_that_are_no_views_have_memory_of_their_own() -> None:
    for call in (
        lambda x: paddle.flip(x, 0),
        lambda x: paddle.roll(x, 0),
        lambda x: paddle.tile(x, 1),
        lambda x: x.expand([2, 3]),
        lambda x: paddle.split(x, 1)[0],
        lambda x: x[[0, 1]],
    ):
        x = paddle.ones([2, 3])
        call(x).zero_()
        assert (float(x.sum()), x.inplace_version) == (6.0, 0)


def test_a_row_of_views_shares_memory_and_version() -> None:
    x = paddle.ones([2, 3])
    first, second = paddle.unbind(x)
    second.zero_()
    assert x.tolist() == [[1.0] * 3, [0.0] * 3]
    assert {t.inplace_version for t in (x, first, second)} == {1}


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


ROWS = tensor(ROW)
MISTAKES = [
    (lambda: paddle.flatten(tensor(X), 2, 1), ValueError),
    (lambda: paddle.unflatten(tensor(X), 3, [1]), AssertionError),
    (lambda: paddle.view(ROWS, "float64"), ValueError),
    (lambda: paddle.t(tensor(X)), ValueError),
    (lambda: paddle.matrix_transpose(ROWS), ValueError),
    (lambda: paddle.moveaxis(tensor(X), [0], [0, 1]), AssertionError),
    (lambda: paddle.moveaxis(tensor(X), [0, 0], [0, 1]), ValueError),
    (lambda: paddle.flip(tensor(X), 3), ValueError),
    (lambda: paddle.roll(tensor(X), [1, 2], 0), ValueError),
    (lambda: paddle.rot90(tensor(X), 1, [0, 0]), ValueError),
    (lambda: paddle.repeat_interleave(ROWS, 0), ValueError),
    (lambda: paddle.repeat_interleave(ROWS, [1]), TypeError),
    (lambda: paddle.repeat_interleave(tensor(X), tensor([1]), 1), ValueError),
    (lambda: paddle.concat([tensor(1.0)]), ValueError),
    (lambda: paddle.stack([ROWS, ROWS.astype("float64")]), ValueError),
    (lambda: paddle.tensor_split(ROWS, 0), ValueError),
    (lambda: paddle.tensor_split(ROWS, tensor(2)), ValueError),
    (lambda: paddle.dsplit(ROWS, 2), ValueError),
    (lambda: paddle.unstack(ROWS, num=2), ValueError),
    (lambda: paddle.slice(tensor(X), [0], [0, 1], [1]), ValueError),
    (lambda: paddle.narrow(tensor(X), 0, 1, 2), ValueError),
    (lambda: paddle.crop(ROWS, [3], [1]), ValueError),
    (lambda: paddle.diagonal(ROWS), IndexError),
    (lambda: paddle.diagonal(tensor(X), 0, 1, 1), ValueError),
    (lambda: paddle.diagonal_scatter(tensor(X[0]), ROWS[:2]), ValueError),
    (lambda: paddle.broadcast_shape([2], [3]), ValueError),
]


@each(("call", "kind"), MISTAKES)
def test_a_mistake_is_refused(call: Any, kind: Any) -> None:
    refused(call, kind)


def test_a_slice_with_ends_that_a_program_learns_when_it_runs() -> None:
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


def test_unbind_in_a_program_needs_a_known_size() -> None:
    with fresh(), pytest.raises(ValueError, match="size of axis 0 of input must be known"):
        paddle.unbind(data("x", [-1, 4]))


def test_a_shape_that_a_program_learns_when_it_runs() -> None:
    with fresh():
        x = data("x", [-1, 4], needs=True)
        sizes = paddle.shape(x)
        outs = [
            paddle.reshape(x, [sizes[0] * 2, -1]),
            paddle.reshape(x, sizes),
            paddle.expand(x, [2, sizes[0], -1]),
            paddle.broadcast_to(x[:1], sizes),
        ]
        assert [list(out.shape) for out in outs] == [[-1, -1], [-1, -1], [2, -1, 4], [-1, 4]]
        (dx,) = paddle.static.gradients([(outs[2] * outs[2]).sum()], [x])
        values = run(*outs, dx, x=X[0])
    expected = (
        X[0].reshape(6, 2),
        X[0],
        np.stack([X[0], X[0]]),
        np.broadcast_to(X[0][:1], (3, 4)),
        4 * X[0],
    )
    for value, wanted in zip(values, expected, strict=True):
        np.testing.assert_array_equal(value, wanted)


@each(
    "call",
    [
        lambda x: paddle.expand(x, [1] * 9),
        lambda x: paddle.broadcast_to(x, [1] * 9),
        lambda x: paddle.expand_as(x, paddle.ones([1] * 9)),
        lambda x: paddle.tile(x, [1] * 8),
    ],
)
def test_more_axes_than_paddle_takes_are_refused(call: Any) -> None:
    with pytest.raises(ValueError, match="more axes than Paddle takes"):
        call(paddle.ones([1]))
    assert paddle.expand(paddle.ones([1]), [1] * 8).ndim == 8
