"""Reading and writing by tensors of positions and masks: values, edge cases, mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.ops import REGISTRY, Op, Sample
from tests.contract.refusal import refused
from tests.each import each
from tests.static.world import data, fresh, run

from .drawing import attrs_of, draw, inferred, kernel, metas_of

X = np.arange(12, dtype="float32").reshape(3, 4)


def tensor(*args: Any) -> Any:
    return paddle.to_tensor(*args)


def put(reduce: str, include_self: bool, arr: Any, indices: Any, values: Any) -> Any:
    """put_along_axis along axis 0, element by element."""
    join = {
        "assign": lambda row: row[-1],
        "add": sum,
        "multiply": np.prod,
        "mean": np.mean,
        "amin": min,
        "amax": max,
    }[reduce]
    out = arr.copy()
    for column in range(indices.shape[1]):
        for place in set(indices[:, column].tolist()):
            row = [arr[place, column]] if include_self or reduce == "assign" else []
            row += values[indices[:, column] == place, column].tolist()
            out[place, column] = join(row)
    return out


@each("reduce", ["assign", "add", "multiply", "mean", "amin", "amax"])
@each("include_self", [True, False])
def test_put_along_axis_joins_one_by_one(reduce: str, include_self: bool) -> None:
    rng = np.random.default_rng(2)
    indices, values = rng.integers(0, 3, (5, 4)), rng.normal(size=(5, 4)).astype("float32")
    found = paddle.put_along_axis(
        tensor(X), tensor(indices), tensor(values), 0, reduce, include_self, broadcast=False
    )
    wanted = put(reduce, include_self, X, indices, values)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-5)


@each("reduce", ["amin", "amax", "mean", "add", "mul"])
def test_put_along_axis_of_integers(reduce: str) -> None:
    x, at, values = tensor([5, 6, 7]), tensor([1, 1]), tensor([2, 9])
    wanted = {"amin": 2, "amax": 9, "mean": 5, "add": 11, "mul": 18}[reduce]
    found = paddle.put_along_axis(x, at, values, 0, reduce, include_self=False)
    assert (found.tolist(), found.dtype) == ([5, wanted, 7], paddle.int64)


def test_equal_extremes_share_the_gradient() -> None:
    x = tensor([3.0, 0.0])
    values = tensor([3.0, 3.0, 1.0])
    x.stop_gradient = values.stop_gradient = False
    paddle.put_along_axis(x, tensor([0, 0, 0]), values, 0, "amax").sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [1 / 3, 1.0], rtol=1e-6)
    np.testing.assert_allclose(values.grad.numpy(), [1 / 3, 1 / 3, 0.0], rtol=1e-6)


def test_the_last_of_repeated_positions_gets_the_gradient() -> None:
    for write in (
        lambda x, v: paddle.scatter(x, tensor([1, 1]), v),
        lambda x, v: paddle.put_along_axis(x, tensor([1, 1]), v, 0),
        lambda x, v: paddle.index_put(x, (tensor([1, 1]),), v),
    ):
        x, values = tensor([1.0, 2.0]), tensor([5.0, 6.0])
        x.stop_gradient = values.stop_gradient = False
        out = write(x, values)
        out.sum().backward()
        assert out.tolist() == [1.0, 6.0]
        assert (x.grad.tolist(), values.grad.tolist()) == ([1.0, 0.0], [0.0, 1.0])


def test_taking_along_an_axis_is_numpys() -> None:
    indices = np.array([[0, 3], [2, 2], [-1, 0]])
    found = paddle.take_along_axis(tensor(X), tensor(indices), 1)
    np.testing.assert_array_equal(found.numpy(), np.take_along_axis(X, indices, 1))
    column = paddle.take_along_axis(tensor(X), tensor([[1]]), 1)
    assert column.tolist() == [[1.0], [5.0], [9.0]]


def test_where_gives_positions_or_chooses() -> None:
    mask = tensor(X) > 9
    assert [t.tolist() for t in paddle.where(mask)] == [[2, 2], [2, 3]]
    assert paddle.nonzero(mask).tolist() == [[2, 2], [2, 3]]
    assert paddle.nonzero(tensor([0, 0])).shape == [0, 1]
    assert paddle.where(mask, 1.0, 2.0).dtype == paddle.float32
    assert paddle.where(mask, tensor(X), 0)[2].tolist() == [0.0, 0.0, 10.0, 11.0]


def test_masks_broadcast() -> None:
    mask = tensor([True, False, False, True])
    assert paddle.masked_select(tensor(X), mask).tolist() == [0.0, 3.0, 4.0, 7.0, 8.0, 11.0]
    assert paddle.masked_fill(tensor(X), mask, -1)[1].tolist() == [-1.0, 5.0, 6.0, -1.0]
    filled = paddle.masked_scatter(tensor(X), mask, tensor(-X))
    assert filled[:2].tolist() == [[0.0, 1.0, 2.0, -1.0], [-2.0, 5.0, 6.0, -3.0]]


I64, Y = tensor([1]), tensor(X)
MISTAKES = [
    (lambda: paddle.gather(Y, tensor([3])), IndexError),
    (lambda: paddle.gather(Y, tensor([[0, 1]])), ValueError),
    (lambda: paddle.gather(Y, tensor([0.0])), ValueError),
    (lambda: paddle.gather(Y, I64, 2), IndexError),
    (lambda: paddle.gather_nd(Y, tensor([[3]])), ValueError),
    (lambda: paddle.gather_nd(Y, tensor([1, 2, 3])), ValueError),
    (lambda: paddle.index_select(Y, tensor(1)), ValueError),
    (lambda: paddle.index_sample(Y, I64), ValueError),
    (lambda: paddle.index_sample(Y[:1], tensor([[-1]])), ValueError),
    (lambda: paddle.take(Y, tensor([12])), ValueError),
    (lambda: paddle.take(Y, I64, "near"), ValueError),
    (lambda: paddle.take(Y, 1), TypeError),
    (lambda: paddle.take_along_axis(Y, I64, 1), ValueError),
    (lambda: paddle.take_along_axis(Y, tensor([[9]]), 1), IndexError),
    (lambda: paddle.take_along_axis(Y, tensor([[0]] * 4), 1, False), RuntimeError),
    (lambda: paddle.scatter(Y, tensor([3]), Y[:1]), IndexError),
    (lambda: paddle.scatter(Y, tensor([1]), Y), ValueError),
    (lambda: paddle.scatter(Y, tensor([[1, 2]]), Y), ValueError),
    (lambda: paddle.scatter_nd(tensor([[5]]), tensor([1.0]), [3]), IndexError),
    (lambda: paddle.scatter_nd_add(Y, I64, Y), ValueError),
    (lambda: paddle.scatter_nd_add(Y, I64, tensor([1])), TypeError),
    (lambda: paddle.index_add(Y, I64, 0, Y), ValueError),
    (lambda: paddle.index_put(Y, I64, tensor(1.0)), ValueError),
    (lambda: paddle.index_put(Y, [I64] * 3, tensor(1.0)), ValueError),
    (lambda: paddle.select_scatter(Y, I64, 0, 1), ValueError),
    (lambda: paddle.put_along_axis(Y, I64, 1.0, 0), ValueError),
    (lambda: paddle.put_along_axis(Y, tensor([[0]]), 1.0, 0, "max"), ValueError),
    (lambda: paddle.put_along_axis(Y, tensor([[0]]), tensor([[1]]), 0), ValueError),
    (lambda: paddle.where(Y, 1.0, 2.0), ValueError),
    (lambda: paddle.where(Y > 1, Y), ValueError),
    (lambda: paddle.where(tensor([True]), I64, 1.5), TypeError),
    (lambda: paddle.nonzero(tensor(1.0)), ValueError),
    (lambda: paddle.masked_fill(Y, Y > 1, I64 * tensor([1, 1])), ValueError),
    (lambda: paddle.masked_select(Y, Y), ValueError),
    (lambda: paddle.masked_scatter(Y, Y > 1, tensor([1.0])), ValueError),
    (lambda: paddle.masked_scatter(Y, Y > 1, I64), AssertionError),
]


@each(("call", "kind"), MISTAKES)
def test_a_mistake_is_refused(call: Any, kind: Any) -> None:
    refused(call, kind)


# ----- sizes that values decide -------------------------------------------------------------------


def open_samples(op: Op) -> list[Sample]:
    """The samples of whose result some size is unknown although all of the inputs' are known."""
    unsettled = []
    for sample in () if op.random else op.samples:
        told = inferred(op, metas_of(draw(op, sample)), attrs_of(op, sample))
        if any(-1 in meta.shape for meta in told):
            unsettled.append(sample)
    return unsettled


OPEN = [
    pytest.param(op, rows, id=op.name) for op in REGISTRY.values() if (rows := open_samples(op))
]


@each(("op", "samples"), OPEN)
def test_a_size_is_left_open_only_where_values_decide_it(op: Op, samples: list[Sample]) -> None:
    """Inputs of the same shapes with other values give results of other sizes."""
    varied = [
        {kernel(op, draw(op, sample, seed), sample)[0].shape for seed in range(30)}
        for sample in samples
    ]
    assert max(map(len, varied)) > 1


def test_the_number_of_coordinates_must_be_known() -> None:
    with (
        fresh(),
        pytest.raises(ValueError, match="size of axis -1 of index must be known"),
    ):
        paddle.gather_nd(data("x", [3, 4]), data("i", [2, -1], "int64"))


def test_masks_and_positions_in_a_program_with_unknown_sizes() -> None:
    with fresh():
        x = data("x", [-1, 4], needs=True)
        picked = paddle.masked_select(x, x > 5)
        places = paddle.nonzero(x > 5)
        repeated = paddle.repeat_interleave(x, data("n", [-1], "int64"), 0)
        assert [list(v.shape) for v in (picked, places, repeated)] == [[-1], [-1, 2], [-1, 4]]
        (dx,) = paddle.static.gradients([(picked * picked).sum()], [x])
        values = run(picked, places, repeated, dx, x=X, n=np.array([2, 0, 1]))
    np.testing.assert_array_equal(values[0], X[X > 5])
    np.testing.assert_array_equal(values[1], np.argwhere(X > 5))
    np.testing.assert_array_equal(values[2], X.repeat([2, 0, 1], 0))
    np.testing.assert_array_equal(values[3], np.where(X > 5, 2 * X, 0))
