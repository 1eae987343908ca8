"""Parameter groups, clipping, regularizers and schedulers: what is not on record of real Paddle."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events, nn
from tests.each import each

from ..contract.refusal import refuses
from ..samples import leaf

lr = paddle.optimizer.lr


# ----- groups -----


def test_plain_tensors_in_groups() -> None:
    a, b = leaf(1.0), leaf(1.0)
    rows = [{"params": a, "learning_rate": 0.5}, {"params": [b], "weight_decay": 2}]
    sgd = paddle.optimizer.SGD(0.25, parameters=rows)
    ((a + b) * 2).backward()
    sgd.step()
    assert (a.tolist(), b.tolist()) == ([0.75], [0.0])
    sgd.clear_grad(set_to_zero=False)
    assert a.grad is b.grad is None


def test_an_optimizer_without_parameters_does_nothing() -> None:
    sgd = paddle.optimizer.SGD(0.25, parameters=[])
    sgd.step()
    sgd.clear_grad()
    assert sgd.state_dict() == {}


def test_groups_that_do_not_fit() -> None:
    a, b = leaf(1.0), leaf(1.0)
    sgd = paddle.optimizer.SGD
    with refuses(ValueError, "more than one parameter group", "again in group 1"):
        sgd(0.1, parameters=[{"params": [a]}, {"params": [b, a]}])
    with refuses(AssertionError, "params should be set", "key 'params'", "group 0"):
        sgd(0.1, parameters=[{"parms": [a]}])
    with refuses(AssertionError, "params should be set", "group 1"):
        sgd(0.1, parameters=[{"params": [a]}, b])
    with refuses(TypeError, "received set", "use a list"):
        sgd(0.1, parameters=[{"params": {a}}])
    with refuses(AttributeError, "parameter group 0: the element at 0 is no Tensor", "'w'"):
        sgd(0.1, parameters=[{"params": ["w"]}])
    with refuses(TypeError, "weight_decay should be a float or a regularizer", "'a'"):
        sgd(0.1, parameters=[{"params": [a], "weight_decay": "a"}])
    with refuses(TypeError, "weight_decay should be int, float", "'a'"):
        paddle.optimizer.AdamW(0.1, parameters=[{"params": [a], "weight_decay": "a"}])


def test_gradients_are_rescaled() -> None:
    w = leaf(1.0)
    momentum = paddle.optimizer.Momentum(0.5, parameters=[w], rescale_grad=0.25)
    (w * 4).backward()
    momentum.step()
    assert w.tolist() == [0.5]


def test_the_state_of_a_second_optimizer_has_the_same_names() -> None:
    w = nn.Linear(1, 1, bias_attr=False).weight
    for _ in range(2):
        adam = paddle.optimizer.Adam(0.1, parameters=[w])
        w.sum().backward()
        adam.step()
        assert next(iter(adam.state_dict())) == "linear_0.w_0_moment1_0"
        assert adam.get_opti_var_name_list() == list(adam.state_dict())


def test_options_that_do_not_fit() -> None:
    w = [leaf(1.0)]
    with refuses(ValueError, "batch_num should be greater than 0", "int 0"):
        paddle.optimizer.ASGD(0.1, batch_num=0, parameters=w)
    with refuses(ValueError, "Rprop", "learning_rate=0.1", "(1, 2)"):
        paddle.optimizer.Rprop(0.1, learning_rate_range=(1, 2), parameters=w)
    with refuses(TypeError, "apply_decay_param_fun should be a function", "int 3"):
        paddle.optimizer.AdamW(0.1, apply_decay_param_fun=3, parameters=w)


# ----- clipping and penalties -----


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_clipping_by_norm(dtype: str) -> None:
    a, b = leaf(0.0, 0.0, dtype=dtype), leaf(0.0, dtype=dtype)
    sgd = paddle.optimizer.SGD(1.0, parameters=[a, b], grad_clip=nn.ClipGradByNorm(2.5))
    ((a * paddle.to_tensor([3.0, -4.0], dtype=dtype)).sum() + b).backward()
    sgd.step()
    np.testing.assert_allclose(a.numpy(), [-1.5, 2.0], rtol=1e-6)
    assert b.tolist() == [-1.0]
    assert a.grad.tolist() == [3.0, -4.0]


def test_a_global_norm_of_two_types() -> None:
    a, b = leaf(0.0), leaf(0.0, dtype="float64")
    clip = nn.ClipGradByGlobalNorm(2.5)
    sgd = paddle.optimizer.SGD(1.0, parameters=[a, b], grad_clip=clip)
    (a * 3).backward()
    (b * 4).backward()
    sgd.step()
    np.testing.assert_allclose([float(a), float(b)], [-1.5, -2.0], rtol=1e-6)
    assert (a.dtype, b.dtype) == (paddle.float32, paddle.float64)


def test_clipping_changes_no_bit_while_somebody_listens() -> None:
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


def test_clips_and_penalties_that_do_not_fit() -> None:
    with refuses(AssertionError, "max must be positive", "max=-1"):
        nn.ClipGradByValue(-1)
    with refuses(ValueError, "ClipGradByNorm: 'clip_norm' must be a number", "'a'"):
        nn.ClipGradByNorm("a")
    with refuses(AssertionError, "'auto_skip_clip' must be a bool", "int 1"):
        nn.ClipGradByGlobalNorm(1.0, auto_skip_clip=1)
    with refuses(AssertionError, "L1Decay: 'coeff' is missing", "L1Decay(0.01)"):
        paddle.regularizer.L1Decay(None)
    with refuses(ValueError, "L2Decay: 'coeff' must be a number", "'a'"):
        paddle.regularizer.L2Decay("a")


def test_utils_refuse() -> None:
    utils, w = nn.utils, leaf(1.0)
    with refuses(ValueError, "norm_type only support", "norm_type=3"):
        utils.clip_grad_norm_([w], 1.0, 3)
    with refuses(ValueError, "equal to or larger", "at least 1 elements", "received  0"):
        utils.vector_to_parameters(paddle.ones([0]), [w])
    with refuses(AssertionError, "'vec' is no vector", "[1, 1]"):
        utils.vector_to_parameters(paddle.ones([1, 1]), [w])
    with refuses(IndexError, "there are no parameters", "an empty list"):
        utils.parameters_to_vector([])
    (w * float("inf")).backward()
    with refuses(RuntimeError, "non-finite", "a norm of inf"):
        utils.clip_grad_norm_([w], 1.0, error_if_nonfinite=True)
    paddle.enable_static()
    try:
        with refuses(RuntimeError, "clip_grad_norm_: this API can only run in dynamic mode"):
            utils.clip_grad_norm_([w], 1.0)
    finally:
        paddle.disable_static()


# ----- schedulers -----


def test_a_scheduler_of_another_kind_is_told() -> None:
    state = lr.ReduceOnPlateau(0.5).state_dict()
    with pytest.warns(UserWarning, match="unused values"):
        lr.StepDecay(0.5, 1).set_state_dict(state)


@each(
    ("call", "kind", "words"),
    [
        (lambda: lr.StepDecay("a", 1), TypeError, ["learning rate must be float", "'a'"]),
        (lambda: lr.StepDecay(-0.5, 1), ValueError, ["Invalid learning rate: -0.5"]),
        (lambda: lr.StepDecay(0.5, 0), AssertionError, ["'step_size'", "int 0"]),
        (lambda: lr.ExponentialDecay(0.5, 1.0), AssertionError, ["interval (0.0, 1.0)", "1.0"]),
        (lambda: lr.PiecewiseDecay([1], [0.5]), ValueError, ["2 values for 1 boundaries"]),
        (lambda: lr.MultiStepDecay(0.5, [2, 1]), ValueError, ["incremented", "[2, 1]"]),
        (lambda: lr.LambdaDecay(0.5, 3), TypeError, ["'LambdaDecay' must be 'function'"]),
        (lambda: lr.LinearWarmup(0.5, 1, 0.5, 0.5), AssertionError, ["greater than start_lr 0.5"]),
        (lambda: lr.ReduceOnPlateau(0.5, "up"), ValueError, ["mode: up is unknown"]),
        (lambda: lr.ReduceOnPlateau(0.5).step("a"), TypeError, ["metrics must be a number"]),
        (lambda: lr.OneCycleLR(1.0, 0), ValueError, ["'total_steps'", "int 0"]),
        (lambda: lr.OneCycleLR(1.0, 3, phase_pct=1), TypeError, ["'phase_pct' must be a float"]),
        (lambda: lr.CyclicLR(0.1, 1.0, 1, mode="x"), ValueError, ["'mode' is invalid"]),
        (lambda: lr.LinearLR(0.5, 3, start_factor=2), ValueError, ["`start_factor`", "int 2"]),
        (lambda: lr.CosineAnnealingWarmRestarts(0.5, 0), ValueError, ["positive integer T_0"]),
        (lambda: lr.StepDecay(0.5, 1).set_state_dict({}), RuntimeError, ["find [ last_epoch ]"]),
        (lambda: lr.NoamDecay(0, 1), ValueError, ["d_model > 0"]),
    ],
)
def test_errors_of_schedulers(call, kind, words) -> None:
    with refuses(kind, *words):
        call()


def test_setting_rates_that_do_not_fit() -> None:
    sgd = paddle.optimizer.SGD(lr.StepDecay(0.5, 1), parameters=[leaf(1.0)])
    with refuses(RuntimeError, "can't be LRScheduler", "StepDecay", "set_lr_scheduler"):
        sgd.set_lr(0.5)
    with refuses(TypeError, "'scheduler' in optimizer.set_lr_scheduler", "float 0.5"):
        sgd.set_lr_scheduler(0.5)
    with refuses(AssertionError, "LR_Scheduler state must be included", "other"):
        sgd.set_state_dict({"other": 1})
