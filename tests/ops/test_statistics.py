"""Medians equal NumPy's; statistics of a Program need not know the batch."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import minipaddle as paddle
from tests.each import each
from tests.static.world import fresh

NAN = float("nan")
NUMBERS = st.floats(-3, 3).map(lambda v: round(v, 2))
SHAPES = arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)
GAPS = arrays.arrays(np.float64, SHAPES, elements=NUMBERS | st.just(NAN))


# ----- variance ----------------------------------------------------------------------------------


def test_the_variance_is_exact_for_a_large_mean() -> None:
    x = paddle.to_tensor(np.arange(5.0) + 1e8)
    assert paddle.var(x).item() == 2.5
    assert paddle.std(x, unbiased=False).item() == pytest.approx(2**0.5)


# ----- medians -----------------------------------------------------------------------------------


@given(GAPS, st.data())
def test_medians_are_numpys(x: Any, data: Any) -> None:
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1) | st.none())
    keepdim = data.draw(st.booleans())
    t = paddle.to_tensor(x)
    wanted = np.median(x, axis=axis, keepdims=keepdim)
    found = paddle.median(t, axis, keepdim)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12, atol=1e-12)
    gone = tuple(range(x.ndim)) if axis is None else (axis,)
    with np.errstate(invalid="ignore"):
        rows = np.ma.median(np.ma.masked_invalid(x), axis=axis, keepdims=keepdim)
    known = ~np.isnan(x).all(axis=gone, keepdims=keepdim)
    found = paddle.nanmedian(t, axis, keepdim).numpy()
    wanted = np.where(known, np.ma.filled(rows, NAN), NAN)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@given(GAPS)
def test_the_lower_median_is_at_its_index(x: Any) -> None:
    values, places = (t.numpy() for t in paddle.nanmedian(paddle.to_tensor(x), -1, mode="min"))
    picked = np.take_along_axis(x, places[..., None], -1)[..., 0]
    np.testing.assert_array_equal(picked, values)
    below = (x < values[..., None]).sum(-1)
    known = (~np.isnan(x)).sum(-1)
    assert (below <= np.maximum(known - 1, 0) // 2).all()


# ----- programs whose batch is not known ---------------------------------------------------------

BATCH = np.array([[3.0, 1.0, 2.0], [0.5, 4.0, 1.0], [2.5, 0.0, 7.0], [9.0, 8.0, 6.0]], "float32")
FORMULAS: dict[str, Any] = {
    "var": lambda x: paddle.var(x, 0), "std": paddle.std,
    "median": lambda x: paddle.median(x, 0), "nanmean": lambda x: paddle.nanmean(x, 0),
    "lower median": lambda x: paddle.median(x, 0, mode="min")[0],
    "quantile down": lambda x: paddle.quantile(x, 0.3, axis=0),
    "quantile of all": lambda x: paddle.quantile(x, 0.3),
    "quantile": lambda x: paddle.quantile(x, [0.25, 0.5], axis=1),
    "cumsum": paddle.cumsum, "cumprod": lambda x: paddle.cumprod(x, 0),
    "sort": lambda x: paddle.sort(x, axis=0), "topk": lambda x: paddle.topk(x, 2, axis=0)[0],
    "prod": lambda x: paddle.prod(x, axis=0), "mode": lambda x: paddle.mode(x, 0)[0],
}  # fmt: skip


@each("name", FORMULAS)
def test_a_program_need_not_know_the_batch(name: str) -> None:
    call = FORMULAS[name]
    x = paddle.to_tensor(BATCH, stop_gradient=False)
    y = call(x)
    (y * y).sum().backward()
    with fresh():
        data = paddle.static.data("x", [-1, 3], "float32")
        data.stop_gradient = False
        out = call(data)
        (grad,) = paddle.static.gradients((out * out).sum(), data)
        found = paddle.static.Executor().run(feed={"x": BATCH}, fetch_list=[out, grad])
    np.testing.assert_array_equal(found[0], y.numpy())
    np.testing.assert_array_equal(found[1], x.grad.numpy())
