"""Lines, powers, limits, roundings and counters: functions with numbers as attributes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import static
from minipaddle.ops import REGISTRY
from tests.each import each
from tests.static.world import fresh

INF, NAN = math.inf, math.nan

# ----- scale -------------------------------------------------------------------------------------


def test_scale_takes_numbers_in_all_forms() -> None:
    x = paddle.to_tensor([1.0, -2.0])
    for three in (3, 3.0, np.float32(3), np.array([3.0]), paddle.to_tensor([3.0])):
        assert paddle.scale(x, three, 1.0).tolist() == [4.0, -5.0]
    assert paddle.scale(x, 3.0, 1.0, False).tolist() == [6.0, -3.0]
    assert x.scale(2.0, act="relu").tolist() == [2.0, 0.0]
    assert paddle.scale(x).tolist() == x.tolist()
    assert paddle.scale(x) is not x


def test_scale_rounds_as_it_is_written() -> None:
    """scale · (x + bias) is not computed as scale · x + scale · bias."""
    x = paddle.to_tensor([0.1], dtype="float64")
    assert paddle.scale(x, 3.0, 0.2, False).item() == (0.1 + 0.2) * 3.0


def test_scale_of_integers_takes_the_integer_part_of_its_numbers() -> None:
    x = paddle.to_tensor([1, -2])
    assert paddle.scale(x, 2.9, -1.9).tolist() == [1, -5]
    assert paddle.scale(x, 2.9, 1.9, False).tolist() == [4, -2]
    assert paddle.scale(paddle.to_tensor([200], dtype="uint8"), 2, 100).tolist() == [244]
    assert paddle.neg(paddle.to_tensor([1], dtype="uint8")).tolist() == [255]
    assert paddle.neg(paddle.to_tensor([True, False])).tolist() == [True, False]


# ----- powers ------------------------------------------------------------------------------------


def test_powers_of_integers_stay_integers_but_for_the_operator() -> None:
    x = paddle.to_tensor([1, 2, 3])
    assert paddle.pow(x, 2.9).tolist() == [1, 4, 9]
    assert paddle.pow(x, 2.9).dtype == paddle.int64
    assert (x**2.0).dtype == paddle.float32
    assert (paddle.to_tensor([True]) ** 2).dtype == paddle.int64


@each(("factor", "slope"), [(0, 0.0), (1, 1.0), (2, 0.0), (0.5, INF)])
def test_the_slope_of_a_power_at_0(factor: float, slope: float) -> None:
    x = paddle.to_tensor(0.0, stop_gradient=False)
    paddle.pow(x, factor).backward()
    assert x.grad.item() == slope


# ----- limits ------------------------------------------------------------------------------------


def test_clip_takes_limits_in_all_forms_and_counts_them_in() -> None:
    x = paddle.to_tensor([-2.0, -1.0, 0.0, 1.0, 2.0, NAN], stop_gradient=False)
    low = paddle.to_tensor([-1.0], stop_gradient=False)
    y = paddle.clip(x, low, np.float32(1.0))
    assert y.tolist()[:5] == [-1.0, -1.0, 0.0, 1.0, 1.0]
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0, 1.0, 1.0, 0.0, 0.0]
    assert low.grad is None
    assert paddle.clamp(x.detach(), max=0.0).tolist()[:5] == [-2.0, -1.0, 0.0, 0.0, 0.0]


def test_no_limit_limits_nothing() -> None:
    x = paddle.to_tensor([INF, -INF], stop_gradient=False)
    y = paddle.clip(x)
    y.sum().backward()
    assert (y.tolist(), x.grad.tolist()) == ([INF, -INF], [1.0, 1.0])
    assert y is not x


def test_clip_of_integers() -> None:
    x = paddle.to_tensor([1, 5])
    assert paddle.clip(x, 2, 4).dtype == paddle.int64
    assert paddle.clip(x, 1.5).tolist() == [1.5, 5.0]
    assert paddle.clip(x, 1.5).dtype == paddle.float32


def test_nan_to_num() -> None:
    x = paddle.to_tensor([NAN, INF, -INF, 1.5])
    largest = float(np.finfo("float32").max)
    assert paddle.nan_to_num(x).tolist() == [0.0, largest, -largest, 1.5]
    assert paddle.nan_to_num(x, 1.0, 2.0, 3.0).tolist() == [1.0, 2.0, 3.0, 1.5]
    assert x.astype("float16").nan_to_num().tolist() == [0.0, 65504.0, -65504.0, 1.5]


# ----- rounding, logit, stanh --------------------------------------------------------------------


def test_round_counts_digits_from_the_point() -> None:
    x = paddle.to_tensor([1234.5678, 0.5, 1.5, -149.5], dtype="float64")
    assert x.round().tolist() == [1235.0, 0.0, 2.0, -150.0]
    assert x.round(2).tolist() == [1234.57, 0.5, 1.5, -149.5]
    assert x.round(decimals=-2).tolist() == [1200.0, 0.0, 0.0, -100.0]
    assert paddle.round(paddle.to_tensor([15, 25]), -1).tolist() == [15, 25]


def test_logit_stays_within_eps() -> None:
    x = paddle.to_tensor([0.0, 0.05, 0.5, 1.0], dtype="float64", stop_gradient=False)
    y = paddle.logit(x, eps=0.1)
    y.sum().backward()
    edge = math.log(0.1 / 0.9)
    assert y.tolist() == pytest.approx([edge, edge, 0.0, -edge], rel=1e-15)
    assert x.grad.tolist() == [0.0, 0.0, 4.0, 0.0]


def test_the_second_slope_of_a_limited_logit_is_finite_at_the_poles() -> None:
    x = paddle.to_tensor([0.0, 1.0, 0.25], dtype="float64", stop_gradient=False)
    (dx,) = paddle.grad(paddle.logit(x, eps=0.1).sum(), x, create_graph=True)
    (again,) = paddle.grad(dx.sum(), x)
    assert again.tolist() == pytest.approx([0.0, 0.0, -0.5 / (0.25 * 0.75) ** 2])


def test_stanh_keeps_its_numbers_in_single_precision_as_paddle_does() -> None:
    y = paddle.stanh(paddle.to_tensor([INF], dtype="float64"))
    assert y.item() == float(np.float32(1.7159))
    assert paddle.stanh(paddle.to_tensor([0.5]), 1, 2).item() == pytest.approx(2 * math.tanh(0.5))


# ----- increment ---------------------------------------------------------------------------------


def test_increment_changes_the_tensor_and_keeps_its_history() -> None:
    x = paddle.to_tensor([2.0], stop_gradient=False)
    h = x * x
    assert h.increment() is h
    (h * h).backward()
    assert (h.item(), x.grad.item(), h.inplace_version) == (5.0, 40.0, 1)
    assert paddle.increment(x, 0.5).is_leaf
    assert (x.item(), x.stop_gradient) == (2.5, False)
    assert paddle.to_tensor([1]).increment(-1.9).tolist() == [0]


def test_increment_counts_the_runs_of_a_program() -> None:
    with fresh():
        counter = static.create_global_var([1], 0.0, "float32", persistable=True, name="runs")
        assert paddle.increment(counter, 2.0) is counter
        (op,) = static.default_main_program().global_block().ops
        assert (op.type, op.input("X"), op.output("Out")) == ("increment", ["runs"], ["runs"])
        assert op.attr("step") == 2.0
        executor = static.Executor()
        executor.run(static.default_startup_program())
        runs = [executor.run(fetch_list=[counter])[0].tolist() for _ in range(3)]
    assert runs == [[2.0], [4.0], [6.0]]


def test_increment_of_a_variable_that_wants_a_gradient_is_refused() -> None:
    with fresh():
        x = static.data("x", [1], "float32")
        x.stop_gradient = False
        with pytest.raises(AssertionError, match="wants a gradient is not changed in place"):
            paddle.increment(x)
        big = static.data("big", [3], "float32")
        with pytest.raises(ValueError, match="must have one element"):
            paddle.increment(big)


def test_a_variable_as_scale() -> None:
    with fresh():
        x, factor = static.data("x", [2], "float32"), static.data("factor", [1], "float64")
        outs = [paddle.scale(x, factor, 1.0), paddle.scale(x, factor, 1.0, False)]
        feed = {"x": np.array([1.0, 2.0], "float32"), "factor": np.array([3.0])}
        after, before = static.Executor().run(feed=feed, fetch_list=outs)
    assert (after.tolist(), before.tolist()) == ([4.0, 7.0], [6.0, 9.0])


def test_the_formula_says_what_is_added_first() -> None:
    attrs = {"scale": 3.0, "bias": -1.0, "bias_after_scale": False}
    assert REGISTRY["scale"].formula.forward(attrs) == "y = 3 · (x − 1)"
    assert REGISTRY["round"].formula.forward({"decimals": 2}) == "y = round(x · 10^2) / 10^2"
    assert REGISTRY["round"].formula.forward({"decimals": 0}) == "y = round x"
