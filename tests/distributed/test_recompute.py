"""recompute gives the values and gradients of a plain call, and keeps only the inputs."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.distributed.fleet.utils import recompute
from minipaddle.engine.errors import MinipaddleError
from tests.each import each

nn = paddle.nn


def results_of(call: Any) -> list[Any]:
    """Return the results and gradients of a network with dropout, whose middle part is called."""
    paddle.seed(1)
    first, middle = nn.Linear(3, 8), nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Dropout(0.4))
    x = paddle.randn([5, 3])
    x.stop_gradient = False
    for _ in range(2):  # gradients add up
        h = first(x)
        y = call(lambda a, b: (middle(a) + b, a * 3.0), h, b=h * 2.0)
        (y[0] * y[0] * y[1]).sum().backward()
    parameters = [*first.parameters(), *middle.parameters()]
    return [t.numpy() for t in (*y, x.grad, *(p.grad for p in parameters))]


@each("reentrant", [True, False])
def test_values_and_gradients_are_those_of_a_plain_call(reentrant: bool) -> None:
    def again(function: Any, *args: Any, **kwargs: Any) -> Any:
        return recompute(function, *args, use_reentrant=reentrant, **kwargs)

    expected = results_of(lambda function, *args, **kwargs: function(*args, **kwargs))
    for value, wanted in zip(results_of(again), expected, strict=True):
        # The inner backward adds up the gradients of an argument first: another order of a sum.
        np.testing.assert_allclose(value, wanted, rtol=1e-5 if reentrant else 0.0)


@each("reentrant", [True, False])
def test_values_inside_are_kept_only_by_the_second_run(reentrant: bool) -> None:
    x, seen = paddle.ones([4]), []
    x.stop_gradient = False

    def twice(x: Any) -> Any:
        h = paddle.tanh(x)
        seen.append(h)
        return paddle.tanh(h)

    y = recompute(twice, x, use_reentrant=reentrant)
    assert len(seen) == 1
    y.sum().backward(retain_graph=True)
    assert len(seen) == 2
    once = x.grad.numpy()
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2 * once)


def test_what_cannot_be_recomputed_is_refused() -> None:
    x, sizes = paddle.ones([2]), iter([1, 3])
    x.stop_gradient = False

    def changing(x: Any) -> Any:
        for _ in range(next(sizes)):
            x = paddle.tanh(x)
        return x

    with pytest.raises(TypeError, match="must be a function"):
        recompute(x)
    with pytest.raises(OSError, match="none of output has requires_grad=True"):
        recompute(lambda x: x.detach() * 2.0, x).sum().backward()
    y = recompute(changing, x, use_reentrant=False)
    with pytest.raises(MinipaddleError, match="other tensors"):
        y.sum().backward()
    with paddle.no_grad():
        assert recompute(paddle.tanh, x).stop_gradient
