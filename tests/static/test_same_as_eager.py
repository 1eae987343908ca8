"""Every op of the registry gives the same in a Program as in dynamic mode, bit for bit."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from tests.each import each
from tests.ops.drawing import call, draw, fits, flat, like, sampled, tensors_of

from .world import fresh

SAMPLES = [pytest.param(op, sample, id=name) for op, sample, name in sampled()]


def weights_like(arrays: list[Any]) -> list[Any]:
    rng = np.random.default_rng(1)
    return [np.asarray(rng.normal(size=a.shape)).astype(a.dtype) for a in arrays]


def variables_of(arrays: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """Declare the arrays as inputs; return the Variables and their feeds."""
    row, feed = [], {}
    for number, array in enumerate(flat(arrays)):
        var = paddle.static.data(f"in{number}", list(array.shape), array.dtype.name)
        var.stop_gradient = array.dtype.kind not in "fc"
        row.append(var)
        feed[var.name] = array
    return like(arrays, row), feed


def eagerly(op: Any, sample: Any, arrays: list[Any], graded: bool) -> tuple[list[Any], list[Any]]:
    """Return the outputs, and the gradients of their weighted sum."""
    tensors = tensors_of(arrays)
    outs = call(op, tensors, sample)
    values = [out.numpy() for out in outs]
    sources = [t for t in flat(tensors) if not t.stop_gradient]
    if not graded or not sources:
        return values, []
    targets = [out for out in outs if not out.stop_gradient]
    drawn = weights_like([t.numpy() for t in targets])
    weights = [paddle.to_tensor(w, place=t.place) for w, t in zip(drawn, targets, strict=True)]
    grads = paddle.grad(targets, sources, grad_outputs=weights, allow_unused=True)
    return values, [None if grad is None else grad.numpy() for grad in grads]


def statically(op: Any, sample: Any, arrays: list[Any], graded: bool) -> tuple[Any, list[Any]]:
    """Return outputs and gradients of a Program, run by an Executor."""
    with fresh():
        variables, feed = variables_of(arrays)
        outs = call(op, variables, sample)
        sources = [var for var in flat(variables) if not var.stop_gradient]
        grads: list[Any] = []
        if graded and sources:
            targets = [out for out in outs if not out.stop_gradient]
            values = paddle.static.Executor().run(feed=feed, fetch_list=targets)
            weights = []
            for number, weight in enumerate(weights_like(values)):
                declared = paddle.static.data(f"w{number}", list(weight.shape), weight.dtype.name)
                weights.append(declared)
                feed[declared.name] = weight
            grads = paddle.static.gradients(targets, sources, weights) or [None] * len(sources)
        fetch = [var for var in (*outs, *grads) if var is not None]
        values = paddle.static.Executor().run(feed=feed, fetch_list=fetch)
    for var, value in zip(fetch, values, strict=True):
        assert fits(var.meta, value), "the Program declares another shape or dtype"
    fetched = iter(values[len(outs) :])
    return values[: len(outs)], [None if grad is None else next(fetched) for grad in grads]


@each(("op", "sample"), SAMPLES, per="op", quick=2)
@each("dtype", ["float64", "float32"])
def test_a_program_computes_what_the_op_computes(op: Any, sample: Any, dtype: str) -> None:
    arrays = draw(op, sample, dtype=dtype)
    eager, eager_grads = eagerly(op, sample, arrays, op.rule is not None)
    static, static_grads = statically(op, sample, arrays, op.rule is not None)
    assert len(eager_grads) == len(static_grads)
    for left, right in zip((*eager, *eager_grads), (*static, *static_grads), strict=True):
        if left is None or right is None:
            assert left is right
            continue
        assert (left.dtype, left.shape) == (right.dtype, right.shape)
        np.testing.assert_array_equal(left, right)


RANDOM = [pytest.param(op, sample, id=name) for op, sample, name in sampled(random=True)]


@each(("op", "sample"), RANDOM)
def test_random_ops_continue_the_stream_of_eager_mode(op: Any, sample: Any) -> None:
    arrays = draw(op, sample, dtype="float32")
    paddle.seed(7)
    eager = [call(op, tensors_of(arrays), sample)[0].numpy() for _ in range(2)]
    with fresh():
        variables, feed = variables_of(arrays)
        outs = call(op, variables, sample)
        paddle.seed(7)
        executor = paddle.static.Executor()
        static = [executor.run(feed=feed, fetch_list=outs)[0] for _ in range(2)]
    np.testing.assert_array_equal(eager, static)
