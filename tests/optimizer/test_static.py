"""The same code in static mode: layers, losses and optimizers give the eager numbers."""

from collections.abc import Iterator

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import nn

from ..contract.refusal import refuses

RNG = np.random.default_rng(2)
X = RNG.normal(size=(8, 3)).astype("float32")
Y = RNG.integers(0, 2, 8)


@pytest.fixture
def static() -> Iterator[None]:
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            yield
    finally:
        paddle.disable_static()


def network():
    return nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))


def eager_losses(kind: str, **options) -> list[float]:
    paddle.seed(6)
    net = network()
    optimizer = getattr(paddle.optimizer, kind)(0.1, parameters=net.parameters(), **options)
    losses = []
    for _ in range(5):
        loss = nn.CrossEntropyLoss()(net(paddle.to_tensor(X)), paddle.to_tensor(Y))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def started() -> "paddle.static.Executor":
    exe = paddle.static.Executor()
    paddle.seed(6)
    exe.run(paddle.static.default_startup_program())
    return exe


@pytest.mark.parametrize("kind", ["SGD", "Momentum", "Adam", "AdamW"])
@pytest.mark.parametrize("decay", [None, 0.1])
def test_the_same_training(kind: str, decay: float | None) -> None:
    options = {} if decay is None else {"weight_decay": decay}
    wanted = eager_losses(kind, **options)
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            x = paddle.static.data("x", [None, 3], "float32")
            y = paddle.static.data("y", [None], "int64")
            loss = nn.CrossEntropyLoss()(network()(x), y)
            getattr(paddle.optimizer, kind)(0.1, **options).minimize(loss)
            exe = started()
            found = [exe.run(feed={"x": X, "y": Y}, fetch_list=[loss])[0] for _ in range(5)]
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        {}, {"reduction": "none"}, {"reduction": "sum"}, {"ignore_index": 1},
        {"label_smoothing": 0.1}, {"use_softmax": False}, {"axis": 0},
    ],
    ids=str,
)  # fmt: skip
def test_cross_entropy_of_variables(static: None, options: dict) -> None:
    labels = RNG.integers(0, 8, 3) if "axis" in options else Y
    scores = np.abs(RNG.normal(size=(8, 3))).astype("float32")
    x = paddle.static.data("x", [8, 3], "float32")
    y = paddle.static.data("y", list(labels.shape), "int64")
    loss = nn.functional.cross_entropy(x, y, **options)
    (found,) = started().run(feed={"x": scores, "y": labels}, fetch_list=[loss])
    paddle.disable_static()
    wanted = nn.functional.cross_entropy(
        paddle.to_tensor(scores), paddle.to_tensor(labels), **options
    )
    paddle.enable_static()
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-6)
    assert tuple(loss.shape) == found.shape


def test_parameters_belong_to_the_program(static: None) -> None:
    net = nn.Linear(3, 2, weight_attr=nn.initializer.Assign(np.ones((3, 2))))
    names = [p.name for p in paddle.static.default_main_program().all_parameters()]
    assert names == [p.name for p in net.parameters()] == ["linear_0.w_0", "linear_0.b_0"]
    x = paddle.static.data("x", [None, 3], "float32")
    (found,) = started().run(feed={"x": X}, fetch_list=[net(x)])
    np.testing.assert_allclose(found, np.repeat(X.sum(1)[:, None], 2, 1), rtol=1e-5)


def test_dropout_is_an_operator_that_testing_turns_off(static: None) -> None:
    x = paddle.static.data("x", [8, 3], "float32")
    y = nn.Dropout(0.5)(x)
    main = paddle.static.default_main_program()
    assert main.global_block().ops[-1].type == "dropout"
    exe = started()
    (dropped,) = exe.run(main, feed={"x": X}, fetch_list=[y])
    (kept,) = exe.run(main.clone(for_test=True), feed={"x": X}, fetch_list=[y])
    assert np.array_equal(kept, X)
    assert 0 < (dropped == 0).sum() < X.size


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
