"""Small recorded programs for tests of traces and stories."""

# ruff: noqa: RET504, RUF059  (what is assigned here gives tensors their names)

from collections.abc import Callable
from functools import cache

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.autograd import PyLayer
from tests.static.world import fresh
from viz.trace import Trace

ROWS = [[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]]


class cus_tanh(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensor()
        grad = dy * (1 - paddle.square(y))
        return grad


class TwoWays(PyLayer):
    """Two inputs, two outputs, one of them without a gradient; None where nothing arrives."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(a, b)
        product = a * b
        rest = a - b
        ctx.mark_non_differentiable(rest)
        return product, rest

    @staticmethod
    def backward(ctx, dproduct, drest):
        a, b = ctx.saved_tensor()
        return dproduct * b, None


class Zeros(PyLayer):
    """Two outputs, of which the loss uses one: zeros are handed over for the other."""

    @staticmethod
    def forward(ctx, x):
        return x * 2.0, x * 3.0

    @staticmethod
    def backward(ctx, dfirst, dsecond):
        return dfirst * 2.0 + dsecond * 3.0


class Outer(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return cus_tanh.apply(x)

    @staticmethod
    def backward(ctx, dy):
        return dy * 0.5


def leaf(rows: object = None) -> paddle.Tensor:
    return paddle.to_tensor(np.array(ROWS if rows is None else rows), stop_gradient=False)


def tanh() -> Trace:
    data = leaf()
    with viz.record() as trace:
        z = cus_tanh.apply(data)
        loss = z.mean()
        loss.backward()
    return trace


def fan_in() -> Trace:
    x = leaf()
    with viz.record() as trace:
        y = x * x
        loss = y.sum()
        loss.backward()
    return trace


def broadcast() -> Trace:
    x = leaf()
    b = leaf([1.0, 2.0, 3.0])
    with viz.record() as trace:
        y = x + b
        y.sum().backward()
    return trace


def two_ways() -> Trace:
    u = leaf()
    v = paddle.to_tensor(np.array(ROWS))
    with viz.record() as trace:
        p, q = TwoWays.apply(u, v)
        p.sum().backward()
    return trace


def zeros() -> Trace:
    x = leaf()
    with viz.record() as trace:
        first, second = Zeros.apply(x)
        first.sum().backward()
    return trace


def nested() -> Trace:
    x = leaf()
    with viz.record() as trace:
        y = Outer.apply(x)
        y.sum().backward()
    return trace


def hooked() -> Trace:
    x = leaf()
    with viz.record() as trace:
        y = x * 2.0
        y.register_hook(double)
        y.sum().backward()
    return trace


def double(grad: paddle.Tensor) -> paddle.Tensor:
    return grad * 2.0


def twice() -> Trace:
    x = leaf()
    with viz.record() as trace:
        (x * 2.0).sum().backward()
        (x * 3.0).sum().backward()
    return trace


def step() -> Trace:
    """One training step of two Linear layers with a PyLayer between them."""
    paddle.seed(0)
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 2), Tanh(), paddle.nn.Linear(2, 2))
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.to_tensor(np.array(ROWS, "float32"))
    label = paddle.to_tensor(np.array([0, 1]))
    with viz.record() as trace:
        loss = paddle.nn.CrossEntropyLoss()(net(x), label)
        loss.backward()
        sgd.step()
    return trace


class Tanh(paddle.nn.Layer):
    def forward(self, x):
        return cus_tanh.apply(x)


def scale(x: object) -> object:
    return np.asarray(x) * 3.0


def scale_grad(y: object, dy: object) -> object:
    return np.asarray(dy) * 3.0


def program() -> Trace:
    """data -> fc -> py_func -> mean, with gradients and updates, built and run once."""
    paddle.seed(0)
    with fresh() as (main, startup), viz.record() as trace:
        x = paddle.static.data("x", [2, 3], "float32")
        hidden = paddle.static.nn.fc(x, size=2)
        out = main.current_block().create_var(name="out", shape=[2, 2], dtype="float32")
        paddle.static.py_func(scale, hidden, out, scale_grad, hidden)
        loss = paddle.mean(out)
        paddle.optimizer.SGD(0.1).minimize(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        rows = np.array(ROWS, "float32")
        executor.run(main, feed={"x": rows}, fetch_list=[loss])
    return trace


ALL = (tanh, fan_in, broadcast, two_ways, zeros, nested, hooked, twice, step, program)


@cache
def kept(program: Callable[[], Trace]) -> Trace:
    """Record a program once in this process, for tests that only read its trace."""
    return program()
