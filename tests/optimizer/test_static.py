"""In static mode, layers, losses and optimizers give the numbers of dynamic mode."""

from collections.abc import Iterator

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn
from tests.each import each
from tests.static.world import fresh

from ..contract.refusal import refuses

RNG = np.random.default_rng(2)
X = RNG.normal(size=(8, 3)).astype("float32")
Y = RNG.integers(0, 2, 8)


@pytest.fixture
def static() -> Iterator[None]:
    with fresh():
        yield


def started() -> "paddle.static.Executor":
    exe = paddle.static.Executor()
    paddle.seed(6)
    exe.run(paddle.static.default_startup_program())
    return exe


def test_steps_belong_to_dynamic_mode(static: None) -> None:
    sgd = paddle.optimizer.SGD(0.1)
    with refuses(AssertionError, "'step()' in dynamic graph mode", "minimize(loss)"):
        sgd.step()


def test_a_variable_cannot_be_minimized_in_dynamic_mode(static: None) -> None:
    loss = paddle.mean(paddle.static.data("x", [2], "float32"))
    paddle.disable_static()
    with refuses(AssertionError, "Variable of a Program", "enable_static"):
        paddle.optimizer.SGD(0.1, parameters=[]).minimize(loss)
    paddle.enable_static()


# ----- rates, clipping, groups, several optimizers ------------------------------------------------


ROWS = {
    "SGD": {}, "Momentum": {"use_nesterov": True}, "Adam": {}, "AdamW": {}, "Adagrad": {},
    "RMSProp": {"momentum": 0.5, "centered": True}, "Adadelta": {"learning_rate": 1.0},
    "Adamax": {}, "Lamb": {}, "NAdam": {}, "RAdam": {"beta2": 0.9}, "ASGD": {"batch_num": 2},
    "Rprop": {"learning_rate": 0.01},
}  # fmt: skip
CLIPS = {
    "none": lambda: None,
    "value": lambda: nn.ClipGradByValue(0.05),
    "norm": lambda: nn.ClipGradByNorm(0.1),
    "global": lambda: nn.ClipGradByGlobalNorm(0.1),
}


def built(make, *, weight_attr=None) -> tuple:
    """A Program of a small network with an optimizer, and its loss."""
    x = paddle.static.data("x", [None, 3], "float32")
    y = paddle.static.data("y", [None], "int64")
    net = nn.Sequential(nn.Linear(3, 5, weight_attr), nn.Tanh(), nn.Linear(5, 2))
    loss = nn.CrossEntropyLoss()(net(x), y)
    optimizer = make(net)
    optimizer.minimize(loss)
    return loss, optimizer


def both(make, *, weight_attr=None, runs: int = 5, each=lambda _: None) -> tuple[list, list]:
    """Losses of the same training in dynamic mode and by a Program (by its plan from run 3)."""
    paddle.seed(6)
    net = nn.Sequential(nn.Linear(3, 5, weight_attr), nn.Tanh(), nn.Linear(5, 2))
    optimizer, eager, static = make(net), [], []
    for _ in range(runs):
        loss = nn.CrossEntropyLoss()(net(paddle.to_tensor(X)), paddle.to_tensor(Y))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        eager.append(float(loss))
        each(optimizer)
    with fresh():
        loss, optimizer = built(make, weight_attr=weight_attr)
        exe = started()
        for _ in range(runs):
            static += exe.run(feed={"x": X, "y": Y}, fetch_list=[loss])
            each(optimizer)
    return eager, [float(value) for value in static]


@each("clip", CLIPS, quick=16)
@each("kind", ROWS)
def test_every_kind_trains_alike_in_both_modes(kind: str, clip: str) -> None:
    def make(net):
        options = {"learning_rate": 0.1, "grad_clip": CLIPS[clip](), **ROWS[kind]}
        return getattr(paddle.optimizer, kind)(parameters=net.parameters(), **options)

    eager, static = both(make)
    np.testing.assert_allclose(static, eager, rtol=2e-5)
    assert eager[-1] < eager[0]


def test_groups_work_in_both_modes() -> None:
    def make(net):
        rows = [
            {"params": net[0].parameters(), "learning_rate": 0.3, "beta1": 0.5,
             "grad_clip": nn.ClipGradByNorm(0.05)},
            {"params": net[2].parameters(), "weight_decay": 0.3},
        ]  # fmt: skip
        return paddle.optimizer.Adam(0.1, parameters=rows)

    eager, static = both(make)
    np.testing.assert_allclose(static, eager, rtol=1e-5)


@pytest.mark.parametrize("change", ["number", "scheduler"])
def test_a_rate_set_later_holds_in_both_modes(change: str) -> None:
    def each(optimizer) -> None:
        if change == "number":
            optimizer.set_lr(optimizer.get_lr() / 2)
        else:
            optimizer.set_lr_scheduler(paddle.optimizer.lr.NoamDecay(4, 4, last_epoch=1))

    def make(net):
        return paddle.optimizer.SGD(0.5, parameters=net.parameters())

    eager, static = both(make, runs=6, each=each)
    np.testing.assert_allclose(static, eager, rtol=1e-5)


def test_a_rate_in_the_scope_stays_unless_the_optimizer_changes_it(static: None) -> None:
    _, sgd = built(lambda _: paddle.optimizer.SGD(0.5))
    exe, feed = started(), {"x": X, "y": Y}
    held = paddle.static.global_scope().find_var("learning_rate_0").get_tensor()
    held.set(np.float32(0.25).reshape(()))
    exe.run(feed=feed)
    assert float(np.array(held)) == 0.25
    sgd.set_lr(2)
    exe.run(feed=feed)
    assert float(np.array(held)) == 2.0


def test_a_copy_of_a_program_follows_the_scheduler(static: None) -> None:
    rate = paddle.optimizer.lr.StepDecay(0.5, 1, gamma=0.5)
    built(lambda _: paddle.optimizer.SGD(rate))
    main = paddle.static.default_main_program()
    exe, copy = started(), main.clone()
    rate.step()
    (found,) = exe.run(copy, feed={"x": X, "y": Y}, fetch_list=["learning_rate_0"])
    assert float(found) == 0.25
    assert main.clone(for_test=True).rates == {}


def test_methods_of_dynamic_mode_are_errors_in_static_mode(static: None) -> None:
    _, sgd = built(lambda _: paddle.optimizer.SGD(0.5))
    for name in ("state_dict", "clear_grad"):
        with refuses(AssertionError, f"'{name}()' in dynamic graph mode", "disable_static"):
            getattr(sgd, name)()
    with refuses(AssertionError, "a loss of one element", "[2]", "paddle.mean"):
        sgd.minimize(paddle.static.data("z", [2], "float32"))
