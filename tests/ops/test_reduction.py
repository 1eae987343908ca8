"""Reductions: NumPy's values, Paddle's dtypes, exact products, shared ties, told errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from minipaddle.engine import errors
from tests.contract.refusal import refused
from tests.each import each

SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=4)
FLOATS = arrays.arrays(np.float64, SHAPES, elements=st.floats(-3, 3).map(lambda v: round(v, 2)))

NUMPYS: dict[str, Any] = {
    "sum": np.sum, "mean": np.mean, "prod": np.prod, "max": np.max, "min": np.min, "amax": np.max,
    "amin": np.min, "all": np.all, "any": np.any, "count_nonzero": np.count_nonzero,
    "nansum": np.nansum, "nanmean": np.nanmean, "logsumexp": lambda x, **how: np.log(
        np.sum(np.exp(x), **how)),
}  # fmt: skip


def leaf(values: Any) -> Any:
    return paddle.to_tensor(np.asarray(values, "float64"), stop_gradient=False)


def slope(call: Any, values: Any) -> Any:
    x = leaf(values)
    call(x).sum().backward()
    return x.grad.tolist()


@given(st.sampled_from(sorted(NUMPYS)), FLOATS, st.data())
def test_values_are_numpys_over_any_axes(name: str, x: Any, data: Any) -> None:
    axes = st.lists(st.integers(0, max(x.ndim - 1, 0)), max_size=x.ndim, unique=True)
    axis = tuple(a - x.ndim * data.draw(st.booleans()) for a in data.draw(axes))
    keepdim = data.draw(st.booleans())
    found = getattr(paddle, name)(paddle.to_tensor(x), axis=axis, keepdim=keepdim)
    wanted = NUMPYS[name](x, axis=axis or None, keepdims=keepdim)
    assert found.shape == list(np.shape(wanted))
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12, atol=1e-12)


def test_sums_of_integers_are_int64_and_small_ones_stay() -> None:
    kinds = {"int32": "int64", "bool": "int64", "int64": "int64", "uint8": "uint8", "int8": "int8"}
    for kind, wanted in kinds.items():
        assert paddle.sum(paddle.ones([3], kind)).dtype.name == wanted
    assert paddle.sum(paddle.ones([300], "uint8")).item() == 44  # around the end, as in Paddle
    assert paddle.sum(paddle.to_tensor([1.7, 1.7]), dtype="int32").item() == 2


def test_means_of_integers_lose_their_fraction() -> None:
    assert paddle.mean(paddle.to_tensor([-1, -2])).item() == -1
    assert paddle.mean(paddle.to_tensor([1, 2]), dtype="float32").item() == 1.5


@each(
    ("values", "wanted"),
    [
        ([2.0, 3.0, 4.0], [12.0, 8.0, 6.0]),
        ([2.0, 0.0, 4.0], [0.0, 8.0, 0.0]),
        ([0.0, 0.0, 4.0], [0.0, 0.0, 0.0]),
        ([5.0], [1.0]),
        (5.0, 1.0),
    ],
)
def test_the_slope_of_a_product_is_the_product_of_the_others(values: Any, wanted: Any) -> None:
    assert slope(paddle.prod, values) == wanted
    assert slope(lambda x: paddle.prod(x, axis=-1), values) == wanted


def test_the_second_slope_of_a_product_holds_at_zeros() -> None:
    x = leaf([0.0, 0.0, 4.0])
    (first,) = paddle.grad(paddle.prod(x), x, create_graph=True)
    hessian = [paddle.grad(first[i], x, retain_graph=True)[0].tolist() for i in range(3)]
    assert hessian == [[0.0, 4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


@each("name", ["max", "amax", "min", "amin"])
def test_ties_share_the_gradient(name: str) -> None:
    sign = 1.0 if "max" in name else -1.0
    rows = sign * np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    assert slope(lambda x: getattr(paddle, name)(x, axis=1), rows) == [
        [0.0, 0.5, 0.5],
        [1 / 3, 1 / 3, 1 / 3],
    ]


def test_nan_wins_an_extreme_and_is_passed_over_by_positions() -> None:
    x = paddle.to_tensor([float("nan"), 1.0, 3.0])
    assert np.isnan(paddle.max(x).item())
    assert np.isnan(paddle.min(x).item())
    assert (paddle.argmax(x).item(), paddle.argmin(x).item()) == (2, 1)


def test_a_result_in_out_keeps_its_history() -> None:
    x, out = leaf([1.0, 2.0]), paddle.zeros([], "float64")
    for name in ("mean", "prod", "sum"):
        assert getattr(paddle, name)(x, out=out) is out
        assert not out.stop_gradient


# ----- errors ------------------------------------------------------------------------------------


@each("name", ["max", "min", "amax", "amin", "argmax", "argmin"])
def test_nothing_has_no_extreme(name: str) -> None:
    call = getattr(paddle, name)
    refused(lambda: call(paddle.zeros([2, 0]), axis=1), errors.InvalidArgument)
    assert call(paddle.zeros([0, 2]), axis=1).shape == [0]


def test_a_0d_tensor_counts_as_one_axis() -> None:
    x = paddle.to_tensor(2.0)
    assert paddle.sum(x, axis=-1).item() == paddle.max(x, axis=0).item() == 2.0
    refused(lambda: paddle.sum(x, axis=1), errors.InvalidArgument)


@each(
    ("call", "kind"),
    [
        (lambda x: paddle.mean(x, axis=[0.5]), errors.InvalidType),
        (lambda x: paddle.max(x > 0), errors.NotFound),
        (lambda x: paddle.argmax(x > 0), errors.NotFound),
        (lambda x: paddle.logsumexp(x > 0), errors.NotFound),
        (lambda x: paddle.mean(x.astype("uint8")), RuntimeError),
        (lambda x: paddle.all(x.astype("int8")), RuntimeError),
    ],
)
def test_a_mistake_is_refused(call: Any, kind: Any) -> None:
    refused(call, kind, paddle.ones([2, 3]))
