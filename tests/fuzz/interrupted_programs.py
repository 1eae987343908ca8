"""Programs to interrupt: together they enter every block and mode of the library, nested."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.testing import check_grad

static = paddle.static
FOLDER = tempfile.TemporaryDirectory()
SAVED = str(Path(FOLDER.name) / "state.pdparams")


class Cubed(paddle.autograd.PyLayer):
    """A layer with ops of its own, on the tape and off it."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        with paddle.enable_grad():
            inner = x.detach() * 1.0
        return inner * x * x

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        (x,) = ctx.saved_tensor()
        with paddle.no_grad():
            slope = 3.0 * x * x
        return dy * slope


def vector() -> Any:
    return paddle.to_tensor([0.5, -1.0, 2.0], stop_gradient=False)


def training() -> None:
    """A model with hooks of every kind, an optimizer that clips, a schedule."""
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Tanh(), paddle.nn.Linear(4, 1))
    net[0].register_forward_pre_hook(lambda _layer, inputs: (inputs[0] * 1.0,))
    net[1].register_forward_post_hook(lambda _layer, _inputs, outputs: outputs * 1.0)
    rate = paddle.optimizer.lr.StepDecay(0.1, step_size=1)
    adam = paddle.optimizer.Adam(
        rate, parameters=net.parameters(), grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)
    )
    data = paddle.io.TensorDataset([paddle.ones([4, 3])])
    for (batch,) in paddle.io.DataLoader(data, batch_size=2, shuffle=True):
        out = Cubed.apply(net(batch))
        out.register_hook(lambda grad: grad * 2.0)
        out.mean().backward()
        adam.step()
        adam.clear_grad()
        rate.step()


@paddle.no_grad()
def quietly(x: Any) -> Any:
    return x * 2.0


@paddle.no_grad()
def each(x: Any) -> Iterator[Any]:
    yield x * 2.0
    yield x * 3.0


def grad_modes() -> None:
    """Gradients off and on again, in blocks and by decorators."""
    x = vector()
    with paddle.no_grad():
        quietly(x)
        with paddle.enable_grad():
            quietly(x * x)
            with paddle.no_grad():
                list(each(x))
    for _ in range(5):
        with paddle.no_grad():
            x * x


def saved_tensors() -> None:
    """Tensors that wait for backward as arrays."""
    x = vector()
    with paddle.autograd.saved_tensors_hooks(lambda t: t.numpy() * 1.0, paddle.to_tensor):
        loss = Cubed.apply(paddle.tanh(x) * x).sum()
    loss.backward(retain_graph=True)
    loss.backward()


def derivatives() -> None:
    """Gradients of gradients, Jacobians, and what checks them."""
    x = vector()
    (first,) = paddle.grad((x * x * x).sum(), x, create_graph=True)
    paddle.grad(first.sum(), x)
    y = paddle.tanh(x)
    paddle.autograd.jacobian(y, x)[:]
    paddle.increment(paddle.zeros([1]))
    check_grad(paddle.square, [np.ones(2)])
    with redirect_stdout(StringIO()):
        paddle.summary(paddle.nn.Linear(3, 2), (1, 3))


def building() -> None:
    """A Program with everything that marks operators, its gradients and an optimizer."""
    paddle.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        with static.name_scope("net"), static.device_guard("cpu"):
            x = static.data("x", [2, 3])
            x.stop_gradient = False
            hidden = static.nn.fc(x, 2, activation="tanh")
        loss = paddle.mean(hidden * hidden)
        static.gradients(static.gradients(loss, x), x)
        clip = paddle.nn.ClipGradByGlobalNorm(1.0)
        paddle.optimizer.Momentum(0.1, grad_clip=clip, weight_decay=0.1).minimize(loss)
    with static.scope_guard(static.Scope()):
        executor = static.Executor()
        executor.run(startup)
        for _ in range(3):
            executor.run(main, {"x": np.ones([2, 3], "float32")}, [loss])
    paddle.disable_static()


def calling_python() -> None:
    """A Program that calls Python functions in both directions, by the interpreter and by plan."""
    paddle.enable_static()
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [2])
        x.stop_gradient = False
        out = main.current_block().create_var(name="out", shape=[2], dtype="float32")
        static.py_func(lambda a: np.array(a) * 2.0, x, out, lambda _a, _y, dy: np.array(dy) * 2.0)
        (dx,) = static.gradients(paddle.sum(out), x)
    executor = static.Executor()
    for _ in range(4):
        executor.run(main, {"x": np.ones(2, "float32")}, [dx])
    executor.plan(main, {"x": np.ones(2, "float32")}, [dx])
    paddle.disable_static()


def recording() -> None:
    """Blocks that are recorded, one in another, dynamic and static."""
    x = vector()
    with viz.record("outer") as trace:
        y = Cubed.apply(x * 2.0)
        with viz.record("inner", depth=0), paddle.no_grad():
            paddle.nn.Linear(3, 2)(y)
        y.sum().backward()
    trace.text()
    paddle.enable_static()
    with viz.record(), static.program_guard(static.Program()):
        z = paddle.tanh(static.data("z", [2]))
        static.Executor().run(feed={"z": np.ones(2, "float32")}, fetch_list=[z])
    paddle.disable_static()


def files() -> None:
    """What is saved and loaded."""
    for _ in range(2):
        paddle.save({"w": paddle.ones([3])}, SAVED)
        paddle.load(SAVED)


def places() -> None:
    """Devices, types, seeds and names."""
    with paddle.device.device_guard("cpu"):
        paddle.seed(3)
        paddle.rand([2])
        paddle.nn.Linear(2, 2)


PROGRAMS: tuple[Callable[[], None], ...] = (
    training,
    grad_modes,
    saved_tensors,
    derivatives,
    building,
    calling_python,
    recording,
    files,
    places,
)
