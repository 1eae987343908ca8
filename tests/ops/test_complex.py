"""Gradients of complex tensors agree with differences in both parts: dout · conj(f′)."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.errors import MinipaddleError
from minipaddle.ops import REGISTRY, Op, Sample
from tests.each import each
from tests.static.world import fresh

from .drawing import call, draw, flat, kernel, like, sampled

# Ops whose kernels take complex numbers, but have no complex derivative.
WITHOUT_DERIVATIVE = {
    *("sign", "softsign", "log_sigmoid", "slogdet", "erf", "gelu"),
    *("hardshrink", "softshrink"),
    "eig",
    "eigh",  # the phase of an eigenvector is arbitrary
}
H = 1e-5


def complex_inputs(op: Op, sample: Sample) -> list[Any]:
    """Return a sample's inputs with random imaginary parts, or [] if the op rejects them."""
    arrays, rng = draw(op, sample), np.random.default_rng(3)
    row = [
        (a + 1j * rng.uniform(-0.5, 0.5, a.shape)) if a.dtype.kind == "f" else a
        for a in flat(arrays)
    ]
    arrays = like(arrays, [np.asarray(a) for a in row])
    try:
        outs = kernel(op, arrays, sample)
        tensors = [paddle.to_tensor(a, stop_gradient=a.dtype.kind != "c") for a in flat(arrays)]
        grads = gradients(op, sample, like(arrays, tensors), [np.ones_like(o) for o in outs])
    except (MinipaddleError, TypeError, ValueError, np.exceptions.ComplexWarning):
        return []
    return arrays if grads else []


def gradients(op: Op, sample: Sample, tensors: list[Any], cotangents: list[Any]) -> list[Any]:
    outs = call(op, tensors, sample)
    graded = op.graded_slots(len(outs))
    seeds = [paddle.to_tensor(cotangents[slot]) for slot in graded]
    paddle.autograd.backward([outs[slot] for slot in graded], seeds)
    return [t.grad for t in flat(tensors) if not t.stop_gradient]


def inner(xs: list[Any], ys: list[Any]) -> float:
    """Return the real inner product of complex arrays."""
    return float(sum(np.sum((np.conj(x) * y).real) for x, y in zip(xs, ys, strict=True)))


def random_like(arrays: list[Any], seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    drawn = []
    for a in arrays:
        parts = rng.normal(size=(2, *a.shape))
        drawn.append(np.asarray(parts[0] + (1j * parts[1] if a.dtype.kind == "c" else 0.0)))
    return [d.astype(a.dtype) for d, a in zip(drawn, arrays, strict=True)]


CASES = [
    pytest.param(op, sample, id=name)
    for op, sample, name in sampled()
    if op.rule is not None and op.name not in WITHOUT_DERIVATIVE and "dtype" not in sample.attrs
]


@each(("op", "sample"), CASES)
def test_a_complex_gradient_is_the_slope_in_both_parts(op: Op, sample: Sample) -> None:
    arrays = complex_inputs(op, sample)
    if not arrays:
        return
    row = flat(arrays)
    cotangents = random_like(kernel(op, arrays, sample), 4)
    moving = [i for i, a in enumerate(row) if a.dtype.kind == "c"]
    direction = random_like([row[i] for i in moving], 5)

    def value(step: float) -> float:
        moved = list(row)
        for i, towards in zip(moving, direction, strict=True):
            moved[i] = row[i] + step * towards
        outs = kernel(op, like(arrays, moved), sample)
        graded = op.graded_slots(len(outs))
        return inner([cotangents[s] for s in graded], [outs[s] for s in graded])

    tensors = [paddle.to_tensor(a, stop_gradient=a.dtype.kind != "c") for a in row]
    found = gradients(op, sample, like(arrays, tensors), cotangents)
    arrived = [np.zeros(()) if g is None else g.numpy() for g in found]
    expected = (value(H) - value(-H)) / (2 * H)
    assert inner(arrived, direction) == pytest.approx(expected, rel=1e-4, abs=1e-4)


@each("name", ["tanh", "multiply", "matmul"])
def test_programs_and_second_gradients_conjugate(name: str) -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(2, 2)) + 1j * rng.normal(size=(2, 2)) for _ in range(2)]
    arrays = arrays[: len(REGISTRY[name].inputs)]

    def first(point: list[Any], graph: bool = False) -> list[Any]:
        tensors = [paddle.to_tensor(a, stop_gradient=False) for a in point]
        out = REGISTRY[name].call(*tensors)
        ones = paddle.ones_like(out)
        return [tensors, paddle.grad([out], tensors, [ones], create_graph=graph)]

    _, eager = first(arrays)
    with fresh():
        variables = []
        for number, array in enumerate(arrays):
            variables.append(paddle.static.data(f"z{number}", list(array.shape), "complex128"))
            variables[-1].stop_gradient = False
        grads = paddle.static.gradients(REGISTRY[name].call(*variables), variables)
        feed = {v.name: a for v, a in zip(variables, arrays, strict=True)}
        values = paddle.static.Executor().run(feed=feed, fetch_list=grads)
    for left, right in zip(eager, values, strict=True):
        np.testing.assert_array_equal(left.numpy(), right)

    weight, direction = random_like(arrays, 7), random_like(arrays, 8)
    tensors, grads = first(arrays, graph=True)
    weights = [paddle.to_tensor(w) for w in weight]
    again = paddle.grad(grads, tensors, weights, allow_unused=True)
    found = inner([np.zeros(()) if g is None else g.numpy() for g in again], direction)

    def value(step: float) -> float:
        moved = [a + step * d for a, d in zip(arrays, direction, strict=True)]
        return inner(weight, [g.numpy() for g in first(moved)[1]])

    assert found == pytest.approx((value(H) - value(-H)) / (2 * H), rel=1e-5, abs=1e-6)
