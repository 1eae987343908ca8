"""Parameter groups, clipping, regularizers and schedulers, beyond real Paddle's record."""

import pytest

import minipaddle as paddle
import viz
from minipaddle import events, nn
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refused
from ..samples import leaf

lr = paddle.optimizer.lr


# ----- groups -----


def test_groups_take_plain_tensors() -> None:
    a, b = leaf(1.0), leaf(1.0)
    rows = [{"params": a, "learning_rate": 0.5}, {"params": [b], "weight_decay": 2}]
    sgd = paddle.optimizer.SGD(0.25, parameters=rows)
    ((a + b) * 2).backward()
    sgd.step()
    assert (a.tolist(), b.tolist()) == ([0.75], [0.0])
    sgd.clear_grad(set_to_zero=False)
    assert a.grad is b.grad is None


def test_gradients_are_rescaled() -> None:
    w = leaf(1.0)
    momentum = paddle.optimizer.Momentum(0.5, parameters=[w], rescale_grad=0.25)
    (w * 4).backward()
    momentum.step()
    assert w.tolist() == [0.5]


# ----- clipping and penalties -----


def test_clipping_gives_the_same_bits_with_a_listener() -> None:
    def run(listener) -> list:
        w = leaf(1.0, -2.0)
        sgd = paddle.optimizer.SGD(0.1, parameters=[w], grad_clip=nn.ClipGradByGlobalNorm(0.3))
        with events.listen(listener):
            for _ in range(3):
                (w * w).sum().backward()
                sgd.step()
        return w.tolist()

    heard: list = []
    assert run(lambda _: None) == run(heard.append)
    updates = [e for e in heard if isinstance(e, events.ParameterUpdated)]
    assert updates[0].grad.data.tolist() == [2.0, -4.0]


def test_a_parameter_without_axes_is_clipped_by_the_global_norm() -> None:
    w = paddle.to_tensor(0.5, stop_gradient=False)
    u = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.1, [w, u], grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5))
    with viz.record() as trace:
        (w * w * 3 + u.sum() * 4).backward()
        sgd.step()
    sgd.step()
    wanted = [0.47657394, [0.96876526, 1.96876526]]  # after one step, by real Paddle
    shown = [step.shown[-2].value["data"] for step in trace.steps if step.kind == "update"]
    assert shown == [pytest.approx(each) for each in wanted]
    assert w.shape == []
    again = trace.what_if({"u": [1.0, 2.0]}).steps
    assert [step.say() for step in again] == [step.say() for step in trace.steps]


@fresh()
def test_clipping_norms_in_a_program_is_an_error() -> None:
    refused(nn.utils.clip_grad_norm_, RuntimeError, [], 1.0)


# ----- schedulers, and what does not fit -----


def test_a_state_of_another_kind_of_scheduler_gives_a_warning() -> None:
    state = lr.ReduceOnPlateau(0.5).state_dict()
    with pytest.warns(UserWarning, match="unused values"):
        lr.StepDecay(0.5, 1).set_state_dict(state)


sgd, utils = paddle.optimizer.SGD, nn.utils


@each(
    ("call", "kind"),
    [
        (lambda a, b: sgd(0.1, parameters=[{"params": {a}}]), TypeError),
        (lambda a, b: sgd(0.1, parameters=[{"params": ["w"]}]), AttributeError),
        (lambda a, b: sgd(0.1, parameters=[{"params": [a], "weight_decay": "a"}]), TypeError),
        (lambda a, b: paddle.optimizer.ASGD(0.1, batch_num=0, parameters=[a]), ValueError),
        (
            lambda a, b: paddle.optimizer.Rprop(0.1, learning_rate_range=(1, 2), parameters=[a]),
            ValueError,
        ),
        (
            lambda a, b: paddle.optimizer.AdamW(0.1, apply_decay_param_fun=3, parameters=[a]),
            TypeError,
        ),
        (lambda a, b: nn.ClipGradByGlobalNorm(1.0, auto_skip_clip=1), AssertionError),
    ],
)
def test_wrong_arguments_are_errors(call, kind) -> None:
    refused(call, kind, leaf(1.0), leaf(1.0))
