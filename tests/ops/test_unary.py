"""Elementwise functions: an error, and accuracy; tests/oracle has the values."""

import math
import statistics
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.contract.refusal import refuses
from tests.each import each

INF, NAN = math.inf, math.nan
EULER = 0.5772156649015329


# ----- integers and bools ------------------------------------------------------------------------


def test_an_error_names_the_supported_dtypes() -> None:
    with refuses(RuntimeError, "bool or int8 or uint8 or int16", "x int8 [1]", "x.astype("):
        paddle.exp(paddle.to_tensor([1], dtype="int8"))


# ----- exactness ---------------------------------------------------------------------------------


def ulps(y: Any, wanted: Any) -> float:
    return float(np.max(np.abs(y - wanted) / np.spacing(np.abs(wanted))))


def spread() -> Any:
    """Return points of all sizes: tiny, at the borders of the formulas, and huge."""
    rng = np.random.default_rng(0)
    tiny = 10.0 ** rng.uniform(-300, 0, 2000)
    borders = [0.46875, np.nextafter(0.46875, 1), 4.0, 5.9, 6.0, 7.0]
    return np.concatenate([rng.uniform(-7, 7, 20000), rng.uniform(-1, 1, 20000), tiny, borders])


def test_erf_is_exact_to_a_few_units_in_the_last_place() -> None:
    x = spread()
    y = paddle.erf(paddle.to_tensor(x)).numpy()
    assert ulps(y, np.array([math.erf(v) for v in x])) <= 4
    single = x.astype("float32")
    single = single[np.abs(single) > 1e-30]
    y = paddle.erf(paddle.to_tensor(single)).numpy()
    assert ulps(y, np.array([math.erf(v) for v in single], "float32")) <= 1
    assert paddle.erf(paddle.to_tensor([INF, -INF, NAN])).tolist()[:2] == [1.0, -1.0]
    assert np.isnan(paddle.erf(paddle.to_tensor(NAN)).item())
    assert np.signbit(paddle.erf(paddle.to_tensor(-0.0)).item())


def test_erfinv_is_the_inverse_of_erf() -> None:
    share = spread()
    share = share[np.abs(share) < 1.0]
    y = paddle.erfinv(paddle.to_tensor(share)).numpy()
    normal = statistics.NormalDist(sigma=math.sqrt(0.5))
    wanted = [math.copysign(-normal.inv_cdf((1 - abs(v)) / 2), v) for v in share]
    np.testing.assert_allclose(y, wanted, rtol=1e-15, atol=1e-16)
    np.testing.assert_allclose(paddle.erf(paddle.to_tensor(y)).numpy(), share, rtol=1e-14)
    out = paddle.erfinv(paddle.to_tensor([1.0, -1.0, 2.0, NAN])).tolist()
    assert out[:3] == [INF, -INF, INF]
    assert math.isnan(out[3])


def test_lgamma_is_exact_also_where_it_is_0() -> None:
    x = np.concatenate([np.linspace(-5.3, 30, 3001), [1.0, 2.0, 1e-300, 1e8, 1e305]])
    y = paddle.lgamma(paddle.to_tensor(x)).numpy()
    np.testing.assert_allclose(y, [math.lgamma(v) for v in x], rtol=2e-15, atol=5e-14)
    z = np.array([0.0, 2.0**-30, -(2.0**-30)])  # Python's own lgamma has few digits here
    for zero, slope in ((1.0, -EULER), (2.0, 1.0 - EULER)):
        y = paddle.lgamma(paddle.to_tensor(zero + z)).numpy()
        bend = math.pi**2 / 12 - (0.5 if zero == 2.0 else 0.0)
        np.testing.assert_allclose(y, slope * z + bend * z * z, rtol=1e-15)
    assert paddle.lgamma(paddle.to_tensor([0.0, -3.0, INF])).tolist() == [INF, INF, INF]


@each("n", range(4))
def test_derivatives_of_lgamma_obey_their_recurrence(n: int) -> None:
    """ψ⁽ⁿ⁾(x + 1) − ψ⁽ⁿ⁾(x) is the n-th derivative of 1 / x."""
    x = np.concatenate([np.linspace(-5.3, 30, 1001), [0.25, 0.5, 1e-3]])
    low, high = (paddle.polygamma(paddle.to_tensor(v), n).numpy() for v in (x, x + 1))
    step = (-1) ** n * math.factorial(n) / x ** (n + 1)
    size = np.abs(low) + np.abs(high) + np.abs(step)
    assert np.max(np.abs(high - low - step) / size) < 1e-13
    if n == 0:
        assert low.tolist() == paddle.digamma(paddle.to_tensor(x)).tolist()


def test_small_and_large_arguments_keep_their_digits() -> None:
    tiny = paddle.to_tensor([1e-12], dtype="float64")
    assert paddle.expm1(tiny).item() == pytest.approx(1e-12 + 5e-25, rel=1e-15)
    assert paddle.log1p(tiny).item() == pytest.approx(1e-12 - 5e-25, rel=1e-15)
    far = paddle.to_tensor([-700.0, -40.0, 40.0, -800.0, 800.0], dtype="float64")
    out = paddle.sigmoid(far).tolist()
    assert out[:2] == pytest.approx([math.exp(-700.0), math.exp(-40.0)], rel=1e-15)
    assert out[2:] == [1.0, 0.0, 1.0]


@each(("name", "at"), [("acosh", 1.0), ("asin", 1.0), ("atanh", 1.0)])
def test_slopes_are_exact_near_the_border_of_the_domain(name: str, at: float) -> None:
    """Computed plainly, 1 - x² would lose half of its digits there."""
    step = 2.0**-40
    point = at + step if name == "acosh" else at - step
    x = paddle.to_tensor(point, dtype="float64", stop_gradient=False)
    getattr(paddle, name)(x).backward()
    area = 2 * step + step * step * (1 if name == "acosh" else -1)
    wanted = 1 / area if name == "atanh" else 1 / math.sqrt(area)
    assert x.grad.item() == pytest.approx(wanted, rel=1e-14)
