"""Common behaviour of optimizers: updated parameters, state, events, learning rate, errors."""

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import events, nn
from minipaddle.device import to_numpy
from tests.each import each

from ..contract.refusal import refused, refuses
from ..samples import leaf

KINDS = ["SGD", "Momentum", "Adam", "AdamW"]


def make(kind: str, parameters, rate: float = 0.1, **options):
    return getattr(paddle.optimizer, kind)(rate, parameters=parameters, **options)


# ----- the step -----


def test_clear_grad_sets_zeros_or_none() -> None:
    w, untouched = leaf(2.0), leaf(1.0)
    sgd = make("SGD", [w, untouched])
    (w * 3).backward()
    sgd.clear_grad()
    assert w.grad.tolist() == [0.0]
    assert untouched.grad is None
    sgd.clear_grad(set_to_zero=False)
    assert w.grad is None


# ----- the learning rate -----


@pytest.mark.parametrize("grouped", [False, True])
def test_gradients_of_other_parameters_are_applied(grouped: bool) -> None:
    a, b, c = leaf(1.0), leaf(1.0), leaf(1.0)
    clip = nn.ClipGradByValue(1.0)
    given = [
        {"params": [a], "learning_rate": 0.5, "grad_clip": nn.ClipGradByValue(0.5)},
        {"params": [c]},
    ]
    sgd = make("SGD", given if grouped else [a, c], 0.5, grad_clip=clip)
    (a * 2 + b * 2).backward()
    sgd.apply_gradients([(b, b.grad), (a, a.grad), (c, None)])
    assert (a.tolist(), b.tolist(), c.tolist()) == ([0.875 if grouped else 0.5], [0.5], [1.0])
    sgd.minimize(b, parameters=[b])
    assert b.tolist() == [0.0]


def test_the_base_class_has_no_rule() -> None:
    w = leaf(1.0)
    w.backward()
    with refuses(NotImplementedError, "no rule of its own", "SGD"):
        paddle.optimizer.Optimizer(0.1, parameters=[w]).step()
    kind = type("Halves", (paddle.optimizer.lr.LRScheduler,), {})
    with refuses(NotImplementedError, "Halves has no get_lr", "self.last_epoch"):
        kind(0.1)


# ----- saving -----


def test_a_state_that_does_not_fit_is_an_error() -> None:
    layer = nn.Linear(2, 1)
    adam, name = make("Adam", layer.parameters()), "linear_0.w_0_moment1_0"
    adam.set_state_dict({})  # state of an optimizer before its first step
    adam.set_state_dict({"other": np.ones(3)})
    layer(paddle.ones([1, 2])).backward()
    with refuses(AssertionError, name, "[2, 1]", "other"):
        adam.step()
    adam.set_state_dict({})
    adam.step()
    with refuses(AssertionError, name, "[2, 1]", "state=[]"):
        adam.set_state_dict({})
    with refuses(AssertionError, f"{name} does not fit", "[2, 1]", "[3]"):
        adam.set_state_dict({name: np.ones(3)})
    with refuses(AssertionError, "the state is no dict", "list"):
        adam.set_state_dict([])


# ----- what listeners hear -----


def test_a_step_records_each_parameter() -> None:
    layer = nn.Linear(1, 1, bias_attr=False)
    sgd = make("SGD", layer.parameters(), 0.5)
    layer(paddle.ones([1, 1])).backward()
    before, heard = layer.weight.numpy(), []

    def listen(event) -> None:
        if isinstance(event, events.ParameterUpdated):
            values = event.before.data, event.tensor.value.data
            heard.append(tuple(to_numpy(value).copy() for value in values))
        heard.append(event)

    with events.listen(listen):
        sgd.step()
    ((old, new),) = [item for item in heard if isinstance(item, tuple)]
    assert np.array_equal(old, before)
    assert np.array_equal(new, layer.weight.numpy())
    entered, updated, left = [item for item in heard if not isinstance(item, tuple)]
    assert (entered.kind, entered.name, left.scope) == ("optimizer", "SGD", entered.scope)
    assert (updated.optimizer, updated.tensor.name) == ("SGD", "linear_0.w_0")
    assert updated.grad.data.tolist() == [[1.0]]
    assert updated.place.function == "test_a_step_records_each_parameter"
    assert updated.tensor.version == 1


@each("kind", KINDS)
def test_recording_changes_no_bit(kind: str) -> None:
    def run(quiet: bool) -> list[float]:
        w = leaf(1.0, -2.0)
        optimizer = make(kind, [w], weight_decay=0.1)
        for _ in range(3):
            (w * w).sum().backward()
            if quiet:
                optimizer.step()
            else:
                with events.listen(lambda _: None):
                    optimizer.step()
        return w.tolist()

    assert run(True) == run(False)


# ----- refusals -----

opt = paddle.optimizer


@each(
    ("call", "kind"),
    [
        (lambda w: opt.SGD(0.1, parameters=[*w, 3]), AttributeError),
        (lambda w: opt.SGD(None, parameters=w), ValueError),
        (lambda w: opt.SGD(0.1, parameters=w).minimize(3.0), AssertionError),
        (lambda w: opt.Adam(0.1, beta1="big", parameters=w), ValueError),
        (lambda w: opt.Adam(0.1, epsilon=-1, parameters=w), ValueError),
        (lambda w: opt.lr.NoamDecay(d_model=64, warmup_steps=0), ValueError),
        (lambda w: opt.lr.NoamDecay(d_model=64, warmup_steps=-1), ValueError),
    ],
)
def test_wrong_arguments_are_errors(call, kind) -> None:
    refused(call, kind, [leaf(1.0)])


@pytest.mark.parametrize("kind", ["Momentum", "Adam"])
def test_the_state_follows_the_parameter_to_another_dtype(kind: str) -> None:
    def run(dtype: str) -> list[float]:
        layer = nn.Linear(1, 1, nn.initializer.Constant(1.0)).astype("float64")
        optimizer = make(kind, layer.parameters(), 0.5)
        for step in range(3):
            layer(paddle.ones([1, 1], layer.weight.dtype)).backward()
            optimizer.step()
            if step == 1:
                layer.astype(dtype)
        assert layer.weight.dtype.name == layer.weight.grad.dtype.name == dtype
        return layer.weight.tolist()[0]

    np.testing.assert_allclose(run("float32"), run("float64"), rtol=1e-6)


@each(
    "make_clip",
    [
        lambda: paddle.nn.ClipGradByNorm(-1.0),
        lambda: paddle.nn.ClipGradByNorm(0.0),
        lambda: paddle.nn.ClipGradByGlobalNorm(-1.0),
        lambda: paddle.nn.utils.clip_grad_norm_([leaf(1.0)], -1.0),
    ],
)
def test_a_norm_to_clip_to_is_not_negative(make_clip) -> None:
    with pytest.raises(ValueError, match="norm"):
        make_clip()
