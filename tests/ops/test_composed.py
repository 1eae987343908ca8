"""Functions made of others: derivatives, Programs, empty tensors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.testing import check_grad
from tests.each import each
from tests.static.world import fresh

MATRIX = np.array([[1.0, 2.0, 4.0], [3.0, 1.0, 0.5]])


def tensor(values: Any, **options: Any) -> Any:
    return paddle.to_tensor(np.array(values), **options)


# ----- values, by NumPy --------------------------------------------------------------------------


# Their recorded answers in tests/oracle are without gradients.
@each("call", [lambda x: paddle.renorm(x, 3.0, 0, 1.0), paddle.linalg.corrcoef])
def test_a_normed_or_correlated_matrix_has_its_gradient(call: Callable[[Any], Any]) -> None:
    check_grad(call, [MATRIX])


def test_composed_functions_run_in_a_program() -> None:
    with fresh() as (main, _):
        x = paddle.static.data("x", [2, 3], "float64")
        fetched = [
            paddle.diff(x), paddle.trapezoid(x), paddle.linalg.cov(x), paddle.sinc(x),
            paddle.isin(x, x[0]), paddle.block_diag([x, x]), paddle.combinations(x[0]),
            paddle.renorm(x, 2.0, 0, 1.0), paddle.vander(x[1], 3), paddle.pdist(x),
        ]  # fmt: skip
        found = paddle.static.Executor().run(main, feed={"x": MATRIX}, fetch_list=fetched)
    np.testing.assert_array_equal(found[0], np.diff(MATRIX))
    np.testing.assert_allclose(found[2], np.cov(MATRIX))
    np.testing.assert_allclose(found[3], np.sinc(MATRIX), atol=1e-15)
    assert found[4].tolist() == np.isin(MATRIX, MATRIX[0]).tolist()
    assert found[5].shape == (4, 6)
    assert found[8].tolist() == np.vander(MATRIX[1], 3).tolist()


# ----- empty tensors -----------------------------------------------------------------------------

EMPTY: list[Callable[[Any], Any]] = [
    lambda x: x.reshape([3, 0]),
    lambda x: x.flatten(1),
    lambda x: x.unsqueeze(1),
    lambda x: x.unsqueeze(1).squeeze(1),
    lambda x: x.unflatten(2, [3, 1]),
    lambda x: x.transpose([2, 0, 1]),
    lambda x: x.tile([2, 1, 1]),
    lambda x: x.unsqueeze(0).expand([4, 2, 0, 3]),
    lambda x: x.repeat_interleave(2),
    lambda x: x.repeat_interleave(2, axis=0),
    lambda x: x.prod(1),
    lambda x: x.prod([0, 2]),
    paddle.diagflat,
    lambda x: paddle.meshgrid(x.flatten(), x.flatten())[0],
    lambda x: x @ paddle.ones([3, 5]),
    lambda x: paddle.ones([2, 4, 0]) @ x,
    lambda x: paddle.kron(x[0], paddle.ones([2, 2])),
    lambda x: paddle.inner(x, paddle.ones([3])),
    lambda x: paddle.tensordot(x, paddle.ones([3, 4]), axes=1),
    lambda x: paddle.linalg.multi_dot([x[0], paddle.ones([3, 4]), paddle.ones([4, 2])]),
    lambda x: x[paddle.to_tensor([1, 0])],
    lambda x: x[x > 0],
    lambda x: paddle.scatter_nd_add(x, paddle.zeros([1, 1], "int64"), paddle.ones([1, 0, 3])),
]


@each("call", EMPTY)
def test_gradients_flow_through_empty_tensors(call: Callable[[Any], Any]) -> None:
    x = paddle.ones([2, 0, 3])
    x.stop_gradient = False
    (dx,) = paddle.grad(call(x * x).sum(), x, create_graph=True)
    assert dx.shape == [2, 0, 3]
    (second,) = paddle.grad((dx * dx).sum(), x)
    assert second.shape == [2, 0, 3]


# ----- factors that are 0 ------------------------------------------------------------------------


@pytest.mark.parametrize("include_self", [False, True])
def test_a_product_along_an_axis_has_gradients_at_0(include_self: bool) -> None:
    index = paddle.to_tensor([[1, 1, 0, 0, 1]])
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, v = rng.integers(0, 3, (1, 2)).astype(float), rng.integers(0, 3, (1, 5)).astype(float)
        a, b = tensor(x, stop_gradient=False), tensor(v, stop_gradient=False)
        y = paddle.put_along_axis(a, index, b, 1, "mul", include_self=include_self)
        y.backward(tensor([[2.0, 3.0]]))
        for place, dy in ((0, 2.0), (1, 3.0)):
            where = [k for k in range(5) if index[0, k].item() == place]
            factors = [*([x[0, place]] if include_self else []), *v[0, where]]
            wanted = [dy * np.prod(factors[:k] + factors[k + 1 :]) for k in range(len(factors))]
            found = [*([a.grad[0, place].item()] if include_self else [])]
            found += [b.grad[0, k].item() for k in where]
            assert found == wanted
        if not include_self:
            assert a.grad.tolist() == [[0.0, 0.0]]
