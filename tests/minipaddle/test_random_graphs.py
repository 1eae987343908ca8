"""Random graphs with fan-out, several outputs, views and in-place ops, against differences.

A program is a list of steps; each takes tensors of a pool and adds to it. Its gradients are either
right, or refused because an in-place op overwrote what backward needs; never silently wrong.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import minipaddle as paddle
from minipaddle import events
from minipaddle.autograd import PyLayer, saved_tensors_hooks
from minipaddle.engine import errors
from minipaddle.testing import numerical_gradients

SIZE = 4


class Polar(PyLayer):
    """Two outputs from two inputs, saving an input and an output."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        wave = paddle.sin(y)
        ctx.save_for_backward(x, y, wave)
        return x * wave, wave

    @staticmethod
    def backward(ctx: Any, dz: Any, dwave: Any) -> Any:
        x, y, wave = ctx.saved_tensor()
        return dz * wave, (dz * x + dwave) * paddle.cos(y)


def halves(x: Any, y: Any) -> tuple[Any, ...]:
    a, b = paddle.split(x, 2)
    return (paddle.concat([b, a]) * y,)


STEPS = {
    "tanh": lambda x, _: (paddle.tanh(x),),
    "sin": lambda x, _: (paddle.sin(x),),
    "square": lambda x, _: (paddle.square(x) * 0.5,),
    "add": lambda x, y: (x + y,),
    "multiply": lambda x, y: (x * y,),
    "mean times": lambda x, y: (x.mean() * y,),
    "matmul": lambda x, y: (paddle.matmul(x.reshape([2, 2]), y.reshape([2, 2])).reshape([SIZE]),),
    "halves": halves,
    "turned": lambda x, _: (x.reshape([2, 2]).transpose([1, 0]).reshape([SIZE]),),
    "joined": lambda x, y: (paddle.concat([x[:1], y[1:]]),),
    "polar": Polar.apply,
    "softmax": lambda x, _: (paddle.nn.functional.softmax(x),),
}
IN_PLACE = {
    "scale_": lambda x, _: x.scale_(0.5),
    "add_": lambda x, y: x.add_(y),
    "tanh_": lambda x, _: x.tanh_(),
    "set row": lambda x, y: x.__setitem__(1, y[0]),
    "set half": lambda x, y: x.__setitem__(slice(0, 2), y[2:]),
}

numbers = st.integers(0, 30)
steps = st.lists(st.tuples(st.sampled_from(sorted(STEPS)), numbers, numbers), max_size=8)
rough = st.lists(
    st.tuples(st.sampled_from(sorted([*STEPS, *IN_PLACE, *IN_PLACE])), numbers, numbers),
    max_size=8,
)


def played(program: Any, leaves: list[Any]) -> list[Any]:
    """The results of a program's steps, or clones of the leaves if it has none."""
    pool = [leaf * 1 for leaf in leaves]
    for name, first, second in program:
        x, y = pool[first % len(pool)], pool[second % len(pool)]
        if name in IN_PLACE:
            if x is not y:
                IN_PLACE[name](x, y)
        else:
            pool += STEPS[name](x, y)
    return pool


def started(rng: Any) -> list[np.ndarray]:
    return [rng.uniform(-1.2, 1.2, SIZE) for _ in range(2)]


def leaves_of(arrays: Any, stop: bool = False) -> list[Any]:
    return [paddle.to_tensor(a, stop_gradient=stop) for a in arrays]


def loss_of(program: Any, leaves: list[Any], weights: Any) -> Any:
    pool = played(program, leaves)
    return sum((t * w).sum() for t, w in zip(pool, weights, strict=False))


def case(program: Any, seed: int) -> tuple[Any, Any, Any]:
    """Where a program starts, the weights of its results, and what the gradients must be."""
    rng = np.random.default_rng(seed)
    start = started(rng)
    with paddle.no_grad():
        count = len(played(program, leaves_of(start)))
    weights = [paddle.to_tensor(rng.standard_normal(SIZE)) for _ in range(count)]

    def value(*arrays: np.ndarray) -> np.ndarray:
        return np.asarray(loss_of(program, leaves_of(arrays, stop=True), weights).numpy())

    return start, weights, numerical_gradients(value, start, [np.ones(())])


def close(grads: Any, expected: Any) -> None:
    for one, other in zip(grads, expected, strict=True):
        array = np.zeros(SIZE) if one is None else one.numpy()
        np.testing.assert_allclose(array, other, rtol=1e-5, atol=1e-6)


def listening(how: str) -> Any:
    if how == "recorded":
        return events.listen(lambda _: None)
    if how == "packed":
        return saved_tensors_hooks(lambda t: t.numpy(), paddle.to_tensor)
    return contextlib.nullcontext()


@pytest.mark.parametrize("how", ["plain", "recorded", "packed"])
@settings(max_examples=30)
@given(steps, st.integers(0, 10**6))
@example([("polar", 0, 1), ("halves", 2, 3), ("matmul", 4, 4)], 1)
def test_gradients_of_random_graphs(how: str, program: Any, seed: int) -> None:
    start, weights, expected = case(program, seed)
    leaves = leaves_of(start)
    with listening(how):
        loss = loss_of(program, leaves, weights)
        close(paddle.grad(loss, leaves, allow_unused=True), expected)
        loss.backward(retain_graph=True)
        close([leaf.grad for leaf in leaves], expected)
        loss.backward()
    close([leaf.grad for leaf in leaves], [2 * e for e in expected])


@settings(max_examples=30)
@given(rough, st.integers(0, 10**6))
@example([("tanh", 0, 0), ("scale_", 2, 0)], 1)
@example([("tanh_", 0, 1), ("add_", 0, 1)], 1)
@example([("set half", 0, 1), ("multiply", 0, 1), ("set row", 1, 0)], 1)
def test_in_place_graphs_are_right_or_refused(program: Any, seed: int) -> None:
    start, weights, expected = case(program, seed)
    leaves = leaves_of(start)
    loss = loss_of(program, leaves, weights)
    try:
        loss.backward()
    except errors.PermissionDenied:
        assert any(name in IN_PLACE for name, _, _ in program)
    else:
        close([leaf.grad for leaf in leaves], expected)


@settings(max_examples=25)
@given(steps, st.integers(0, 10**6))
@example([("polar", 0, 1), ("multiply", 2, 3)], 1)
def test_second_derivatives_of_random_graphs(program: Any, seed: int) -> None:
    start, weights, _ = case(program, seed)
    ways = [paddle.to_tensor(np.random.default_rng(seed + 1).standard_normal(SIZE))] * 2

    def slope(leaves: list[Any], graph: bool) -> Any:
        loss = loss_of(program, leaves, weights)
        grads = paddle.grad(loss, leaves, create_graph=graph, allow_unused=True)
        return sum((g * w).sum() for g, w in zip(grads, ways, strict=True) if g is not None)

    def value(*arrays: np.ndarray) -> np.ndarray:
        return np.asarray(slope(leaves_of(arrays), graph=False).numpy())

    leaves = leaves_of(start)
    along = slope(leaves, graph=True)
    assume(not isinstance(along, int))
    slopes = paddle.grad(along, leaves, allow_unused=True)
    expected = numerical_gradients(value, start, [np.ones(())], eps=1e-5)
    for one, other in zip(slopes, expected, strict=True):
        array = np.zeros(SIZE) if one is None else one.numpy()
        np.testing.assert_allclose(array, other, rtol=1e-4, atol=1e-5)


@settings(max_examples=25)
@given(steps, st.integers(0, 10**6), st.data())
def test_hooks_see_the_gradients_of_results(program: Any, seed: int, data: Any) -> None:
    """A hook, retain_grads and paddle.grad agree on any tensor in the middle."""
    rng = np.random.default_rng(seed)
    leaves = leaves_of(started(rng))
    pool = played(program, leaves)
    middle = pool[data.draw(st.integers(0, len(pool) - 1))]
    seen: list[Any] = []
    middle.register_hook(lambda g: seen.append(g.numpy()))
    middle.retain_grads()
    loss = sum((t * t).sum() for t in pool)
    (asked,) = paddle.grad(loss, middle)
    loss.backward()
    assert len(seen) == 2
    np.testing.assert_array_equal(seen[1], asked.numpy())
    np.testing.assert_array_equal(middle.grad.numpy(), asked.numpy())
