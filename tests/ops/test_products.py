"""Products of many matrices in the cheapest order, and slopes of einsum."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle.ops.matrices.contraction import _cheapest_splits
from tests.static.world import fresh


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def test_a_program_multiplies_over_axes_of_unknown_size() -> None:
    x, y = numbers(2, 3), numbers(4, 3, seed=1)
    with fresh() as (program, _):
        a, b = (paddle.static.data(name, [-1, 3], "float64") for name in "xy")
        made = [paddle.inner(a, b), paddle.tensordot(a, b, [[1], [1]])]
        assert [list(one.shape) for one in made] == [[-1, -1]] * 2
        feed = {"x": x, "y": y}
        got = paddle.static.Executor().run(program, feed=feed, fetch_list=made)
    for one in got:
        np.testing.assert_allclose(one, x @ y.T)


# ----- many matrices -----------------------------------------------------------------------------


def cost(sizes: list[int], cut: Any, i: int, j: int) -> int:
    """Return the number of multiplications for a way to cut the product."""
    if i == j:
        return 0
    k = cut(i, j)
    here = sizes[i] * sizes[k + 1] * sizes[j + 1]
    return cost(sizes, cut, i, k) + cost(sizes, cut, k + 1, j) + here


@given(st.lists(st.integers(1, 20), min_size=3, max_size=7), st.randoms())
def test_no_other_order_costs_less(sizes: list[int], random: Any) -> None:
    best, last = _cheapest_splits(sizes), len(sizes) - 2
    ours = cost(sizes, lambda i, j: best[i][j], 0, last)
    assert ours <= cost(sizes, random.randrange, 0, last)


# ----- einsum ------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.data())
def test_gradients_of_random_equations_are_slopes(data: Any) -> None:
    """einsum is linear in each operand, so a step of any size in one shows the slope."""
    sizes = dict(zip("abcd", (2, 3, 1, 4), strict=True))
    terms = data.draw(st.lists(st.text("abcd", max_size=3), min_size=1, max_size=3))
    used = sorted(set("".join(terms)))
    output = "".join(data.draw(st.permutations(used))[: data.draw(st.integers(0, len(used)))])
    equation = f"{','.join(terms)}->{output}"
    values = [numbers(*(sizes[c] for c in term), seed=i) for i, term in enumerate(terms)]
    tensors = [paddle.to_tensor(value, stop_gradient=False) for value in values]
    made = paddle.einsum(equation, *tensors)
    weight = numbers(*made.shape, seed=9)
    made.backward(paddle.to_tensor(weight))
    for position, (tensor, value) in enumerate(zip(tensors, values, strict=True)):
        step = numbers(*value.shape, seed=11)
        moved = [*values[:position], step, *values[position + 1 :]]
        change = np.sum(np.einsum(equation, *moved) * weight)
        assert np.sum(tensor.grad.numpy() * step) == pytest.approx(change)
