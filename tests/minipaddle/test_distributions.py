"""paddle.distribution where real Paddle gives no answer; tests/oracle compares the numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.engine.errors import MinipaddleError
from minipaddle.events.event_types import OpFinished
from tests.each import each

D = paddle.distribution


def leaf(*values: float) -> Any:
    return paddle.to_tensor([*values], "float64", stop_gradient=False)


def two(family: Any) -> Callable[[Any, Any], Any]:
    return lambda a, b: family(a, b).rsample([3])


PATHS = {
    "Normal": two(D.Normal),
    "Uniform": lambda a, b: D.Uniform(a, a + b).sample([3]),
    "Laplace": two(D.Laplace),
    "Exponential": lambda a, b: D.Exponential(a * b).rsample([3]),
    "Bernoulli": lambda a, b: D.Bernoulli(a * b / 4).rsample([3], 0.5),
    "Laplace.entropy": lambda a, b: D.Laplace(a, b).entropy() * a,
    "Bernoulli.entropy": lambda a, b: D.Bernoulli(a * b / 4).entropy(),
    "Bernoulli.log_prob": lambda a, b: D.Bernoulli(a * b / 4).log_prob(paddle.ones([3, 2])),
}


@each("path", PATHS)
def test_gradients_reach_the_parameters(path: str) -> None:
    """With the same noise, the gradient is the slope of the draw."""

    def run(a: Any, b: Any) -> Any:
        paddle.seed(2)
        return PATHS[path](a, b)

    paddle.testing.check_grad(run, [leaf(0.5, 1.25), leaf(0.75, 2.0)])


MOMENTS = {
    "Normal": lambda: D.Normal(1.0, 2.0),
    "Exponential": lambda: D.Exponential(0.5),
    "Laplace": lambda: D.Laplace(1.0, 0.5),
    "Bernoulli": lambda: D.Bernoulli(0.3),
    "Multinomial": lambda: D.Multinomial(4, paddle.to_tensor([0.25, 0.75])),
}


@each("family", MOMENTS)
def test_many_draws_have_the_mean_and_the_variance(family: str) -> None:
    dist = MOMENTS[family]()
    drawn = dist.sample([3000]).numpy()
    error = np.sqrt(dist.variance.numpy() / 3000)
    assert (abs(drawn.mean(0) - dist.mean.numpy()) < 4 * error).all()
    np.testing.assert_allclose(drawn.var(0), dist.variance.numpy(), rtol=0.2)


def test_draws_have_the_documented_shape() -> None:
    row = paddle.ones([1, 2])
    assert D.Categorical(row).sample((2,)).shape == [2, 1]
    assert D.Categorical(row).batch_shape == (1,)
    drawn = D.Normal(paddle.zeros([]), paddle.ones([4])).rsample([])
    assert len({*drawn.tolist()}) == 4


def test_a_rule_for_two_families_is_used() -> None:
    class Mine(D.Normal):
        pass

    @D.register_kl(Mine, D.Normal)
    def rule(p: Any, q: Any) -> Any:
        return p.loc - q.loc

    assert Mine(3.0, 1.0).kl_divergence(D.Normal(1.0, 1.0)).item() == 2
    assert D.Normal(1.0, 1.0).kl_divergence(Mine(1.0, 1.0)).item() == 0


def test_a_recording_shows_the_ops_of_a_draw() -> None:
    loc = paddle.to_tensor([1.0], stop_gradient=False)
    with viz.record() as trace:
        D.Normal(loc, paddle.ones([1])).rsample([2])
    ops = [event.op for event in trace.events if isinstance(event, OpFinished)]
    assert ops == ["full", "gaussian", "multiply", "add"]


MISTAKES = {
    "no rule": (NotImplementedError, lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))),
    "no mean": (NotImplementedError, lambda: D.Uniform(0.0, 1.0).mean),
    "mixed": (ValueError, lambda: D.Normal(0.0, paddle.ones([1]))),
    "complex": (TypeError, lambda: D.Normal([1j], [1.0])),
    "sizes": (TypeError, lambda: D.Normal(0.0, 1.0).sample(3)),
}


@each("name", MISTAKES)
def test_a_mistake_is_explained_in_two_languages(name: str) -> None:
    kind, call = MISTAKES[name]
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, MinipaddleError)
    assert set(caught.value.parts) == {"what", "expected", "received", "fix"}
    for part in ("what", "fix"):
        assert any(letter >= "一" for letter in caught.value.parts[part].zh)
