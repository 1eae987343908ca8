"""An update is shown as a sum that adds up: before − change = after."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import optimizer as kinds
from minipaddle.nn import ClipGradByGlobalNorm
from minipaddle.regularizer import L1Decay
from tests.each import each
from tests.viz.stories import programs
from viz.model import Shown, Step
from viz.trace import Trace

from .trainings import descend

OTHERS: list[tuple[type[kinds.Optimizer], dict[str, Any]]] = [
    (kinds.SGD, {"weight_decay": 0.1}),
    (kinds.SGD, {"weight_decay": L1Decay(0.1)}),
    (kinds.SGD, {"grad_clip": ClipGradByGlobalNorm(0.5)}),
    (kinds.Momentum, {}),
    (kinds.Momentum, {"use_nesterov": True, "weight_decay": 0.1, "rescale_grad": 0.5}),
    (kinds.Adam, {}),
    (kinds.Adam, {"amsgrad": True, "grad_clip": ClipGradByGlobalNorm(0.5)}),
    (kinds.AdamW, {}),
    (kinds.Adamax, {}),
    (kinds.NAdam, {}),
    (kinds.RAdam, {}),
    (kinds.Lamb, {}),
    (kinds.Adagrad, {}),
    (kinds.Adadelta, {}),
    (kinds.RMSProp, {"centered": True, "momentum": 0.9}),
    (kinds.ASGD, {}),
    (kinds.Rprop, {}),
]
NAMES = [f"{kind.__name__}-{'-'.join(more)}" for kind, more in OTHERS]


def trained(
    kind: type[kinds.Optimizer], more: dict[str, Any], dtype: str = "float32", rounds: int = 2
) -> Trace:
    """Record some rounds of training of a matrix and a vector."""
    w = paddle.randn([3, 2], dtype=dtype)
    b = paddle.randn([2], dtype=dtype)
    w.stop_gradient = b.stop_gradient = False
    needed = {"batch_num": 2} if kind is kinds.ASGD else {}
    opt = kind(learning_rate=0.05, parameters=[w, b], **needed, **more)
    x = paddle.randn([4, 3], dtype=dtype)
    return descend(opt, lambda _: (paddle.matmul(x, w) + b).square().mean(), rounds)


def sums(trace: Trace) -> Iterator[tuple[Step, list[Shown]]]:
    """Yield the updates, each with the three values of its sum."""
    for step in trace.story.steps:
        first = [k for k, shown in enumerate(step.shown) if shown.sign.startswith("−")]
        for k in first:
            yield step, list(step.shown[k - 1 : k + 2])


def array(shown: Shown) -> Any:
    assert shown.value is not None
    return np.asarray(shown.value["data"], dtype=shown.value["dtype"])


@each("dtype", ["float32", "float64"])
def test_plain_sgd_shows_exactly_the_rate_times_the_gradient(dtype):
    found = list(sums(trained(kinds.SGD, {}, dtype)))
    assert len(found) == 4
    for step, (before, grad, after) in found:
        assert (before.sign, grad.sign, after.sign) == ("", "− 0.05 ×", "=")
        assert [shown.role for shown in step.shown] == ["before", "grad_in", "after"]
        expected = array(before) - array(grad) * np.dtype(dtype).type(0.05)
        assert np.array_equal(expected, array(after))


@each(("kind", "more"), OTHERS, ids=NAMES)
def test_every_other_rule_shows_the_difference_that_was_applied(kind, more):
    found = list(sums(trained(kind, more, rounds=3)))
    assert len(found) == 6
    for step, (before, taken, after) in found:
        assert (before.sign, taken.sign, after.sign) == ("", "−", "=")
        assert (taken.role, taken.name.endswith(".grad")) == ("taken", False)
        left = array(before) - array(taken)
        assert np.allclose(left, array(after), rtol=1e-6, atol=1e-7)
        assert step.formula.endswith(taken.name)
        assert [shown.role for shown in step.shown][3:] == ["grad_in"]  # beside the sum
    # The claim that is left out would be false.
    assert not all(
        np.allclose(array(taken), 0.05 * array(step.shown[3]), rtol=1e-5)
        for step, (_, taken, _) in found
    )


def test_an_update_of_a_large_parameter_is_said_to_be_unknown():
    w = paddle.zeros([70, 70])
    w.stop_gradient = False
    adam = paddle.optimizer.Adam(0.5, parameters=[w])
    with viz.record() as trace:
        w.sum().backward()
        adam.step()
    ((_, (_, taken, _)),) = sums(trace)
    assert taken.value is None
    assert f"{taken.name}: Not known element by element" in trace.text()


def test_preparations_of_an_update_and_unchanged_statistics_have_their_own_sentences() -> None:
    with programs(), viz.record() as trace:
        x = paddle.static.data("x", [4, 2])
        loss = paddle.static.nn.fc(paddle.static.nn.batch_norm(x, is_test=True), 1).sum()
        kinds.SGD(0.1, weight_decay=0.5).minimize(loss)
        paddle.static.Executor().run(paddle.static.Program())
    told = "\n".join(f"{step.say('en')} {step.formula}" for step in trace.steps)
    assert "(the running mean, unchanged)" in told
    assert "minimize adds sum, for the penalty on a parameter: it will update" in told
    assert "fc_0.w_0@GRAD ← fc_0.w_0@GRAD + _generated_var" in told
    assert "a Program of which no operator is recorded" in told
