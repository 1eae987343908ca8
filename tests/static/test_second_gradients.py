"""Gradients of gradients equal those of dynamic mode, also for an unknown batch, or raise."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.engine.errors import Unimplemented
from tests.each import each
from tests.ops.drawing import call, draw, flat, like, sampled, tensors_of

from .world import data, fresh, run

SAMPLES = [pytest.param(op, row, id=name) for op, row, name in sampled() if op.rule is not None]
SIZES_AT_ONCE = ("gather_nd", "unbind")  # ops that need sizes while the first gradient is built
# Ops whose second gradient needs declared sizes, because their rules compute with them.
REFUSED = (
    *("argsort", "concat", "cummax", "cummin", "diag", "diagonal", "embedding", "fft_c2r"),
    *("lu", "lu_unpack"),
    *("fft_r2c", "gather", "gather_nd", "index_sample", "index_select", "kron", "kthvalue"),
    *("mode", "pick", "prod", "qr", "solve", "take_along_axis", "topk", "trace"),
)


def second(grad: Callable[..., Any], targets: list[Any], sources: list[Any]) -> list[Any]:
    """Return the gradient of the squares of the gradient of the targets' squares."""
    firsts = [g for g in grad([t * t for t in targets], sources) if g is not None]
    firsts = [g for g in firsts if not g.stop_gradient]
    return grad([g * g for g in firsts], sources) if firsts else []


def eagerly(op: Any, row: Any, arrays: list[Any]) -> list[Any]:
    tensors = tensors_of(arrays)
    targets = [out for out in call(op, tensors, row) if not out.stop_gradient]
    sources = [t for t in flat(tensors) if not t.stop_gradient]

    def grad(targets: Any, sources: Any) -> Any:
        return paddle.grad(targets, sources, create_graph=True, allow_unused=True)

    return [None if g is None else g.numpy() for g in second(grad, targets, sources)]


def statically(op: Any, row: Any, arrays: list[Any], declared: bool) -> list[Any]:
    """Return the gradients of a Program whose first axes may be unknown unless broadcast."""
    with fresh():
        variables, feed = [], {}
        for number, array in enumerate(flat(arrays)):
            unknown = not declared and array.size
            batch = [-1 if n > 1 and unknown else n for n in array.shape[:1]]
            var = data(f"in{number}", (*batch, *array.shape[1:]), array.dtype.name)
            var.stop_gradient = array.dtype.kind not in "fc"
            variables.append(var)
            feed[var.name] = array
        targets = [out for out in call(op, like(arrays, variables), row) if not out.stop_gradient]
        sources = [var for var in variables if not var.stop_gradient]

        def grad(targets: Any, sources: Any) -> Any:
            return paddle.static.gradients(targets, sources) or [None] * len(sources)

        grads = second(grad, targets, sources)
        values = iter(run(*(g for g in grads if g is not None), **feed))
        return [None if g is None else next(values) for g in grads]


@each("declared", [True, False])
@each(("op", "row"), SAMPLES, quick=150)
def test_the_second_gradient_equals_that_of_dynamic_mode(op: Any, row: Any, declared: bool) -> None:
    if op.name in SIZES_AT_ONCE and not declared:
        return
    arrays = draw(op, row)
    try:
        values = statically(op, row, arrays, declared)
    except Unimplemented:
        assert op.name in REFUSED
        assert not declared
        return
    for value, expected in zip(values, eagerly(op, row, arrays), strict=True):
        if value is None or expected is None:
            assert not np.any(value if expected is None else expected)
        else:
            assert value.shape == expected.shape
            np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-12)


@each("count", [1, 2, 5])
def test_a_penalty_on_a_mean_over_an_unknown_batch_has_gradients(count: int) -> None:
    given = np.arange(1.0, 3 * count + 1).astype("float32").reshape(count, 3)
    with fresh():
        x = data("x", (-1, 3), needs=True)
        (g,) = paddle.static.gradients(paddle.mean(x * x * x, axis=0), x)
        (gg,) = paddle.static.gradients(paddle.sum(g * g), x)
        (value,) = run(gg, x=given)
    # d/dx of (3x²/n)², n known at the run
    np.testing.assert_allclose(value, 36 * given**3 / count**2, rtol=1e-5)
