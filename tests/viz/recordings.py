"""Small recorded programs of all kinds, whose stories are golden texts."""

# ruff: noqa: F841, RUF059  (what is assigned here gives tensors their names)

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn, static
from minipaddle.autograd import PyLayer
from viz.trace import Trace

from .stories import programs as guarded


def numbers(*shape: int, dtype: str = "float32") -> Any:
    """Return a tensor of different numbers, none of them 0 or 1."""
    count = int(np.prod(shape))
    return (np.arange(count, dtype=dtype).reshape(shape) * 0.37 - 0.9).astype(dtype)


def leaf(*shape: int, dtype: str = "float32") -> Any:
    return paddle.to_tensor(numbers(*shape, dtype=dtype), stop_gradient=False)


# ----- layers and optimizers ---------------------------------------------------------------------


def transformer() -> Trace:
    paddle.seed(4)
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)
    x = leaf(1, 3, 4)
    with viz.record() as trace:
        y = layer(x)
        loss = (y * x).mean()  # the mean of y is 0, up to rounding
        loss.backward()
    return trace


# ----- PyLayers ----------------------------------------------------------------------------------


class Parts(PyLayer):
    """Three outputs: one used, one unused, one without gradient; None for its second input."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        product, rest, whole = a * b, a - b, a.floor()
        ctx.mark_non_differentiable(whole)
        return product, rest, whole

    @staticmethod
    def backward(ctx, dproduct, drest, dwhole):
        a, b = ctx.saved_tensor()
        return dproduct * b + drest, None


class Raw(PyLayer):
    """None in place of a gradient that never arrives."""

    @staticmethod
    def forward(ctx, u):
        ctx.set_materialize_grads(False)
        return u * 2.0, u * 3.0

    @staticmethod
    def backward(ctx, done, dother):
        return done * 2.0


def pylayer_parts() -> Trace:
    u, v, w = leaf(2, 3), leaf(2, 3), leaf(3)
    with viz.record() as trace:
        p, q, r = Parts.apply(u, v)
        one, other = Raw.apply(w)
        loss = p.sum() + one.sum() + r.sum()
        loss.backward()
    return trace


# ----- the graph ---------------------------------------------------------------------------------


def from_the_middle() -> Trace:
    """The recording begins when a gradient is there and half of the graph is built."""
    x = leaf(3)
    (x * 5.0).sum().backward()
    h = paddle.tanh(x * 3.0)
    with viz.record() as trace:
        y = h * 2.0
        loss = y.sum()
        loss.backward()
    return trace


def cut_off() -> Trace:
    x, w, unused = leaf(3), leaf(3), leaf(3)
    with viz.record() as trace:
        with paddle.no_grad():
            free = x * 2.0
            copy = free.detach()
        apart, copied = (w * 3.0).detach(), paddle.to_tensor(w)
        idle = unused.exp()
        loss = (x * free + apart * copied).sum()
        loss.backward()
        free.backward()
    return trace


# ----- ops ---------------------------------------------------------------------------------------


def overwritten() -> Trace:
    """Weights whose values change without an op."""
    w, b, start = leaf(2, 2), leaf(2), leaf(2)
    with viz.record() as trace:
        for _ in range(2):
            loss = (w * w).sum() + (b * b).sum()
            loss.backward()
            w.set_value(w - 0.1 * w.grad)
            b.copy_(b - 0.1 * b.grad, True)
            w.clear_grad()
            b.clear_grad()
        b.set_value(start)
        with paddle.no_grad():
            w.subtract_(0.1 * w)
            b.scale_(0.5)
            b.zero_()
        y = b * 2.0
        y.add_(b)
    return trace


def dtypes() -> Trace:
    half, single, double = leaf(3, dtype="float16"), leaf(3), leaf(3, dtype="float64")
    whole = paddle.to_tensor([1, 2, 3])
    with viz.record() as trace:
        up = half.astype("float32") * single
        more = up.astype("float64") + double * whole.astype("float64")
        far = more > 0.0
        loss = more.sum()
        loss.backward()
    return trace


# ----- random programs ---------------------------------------------------------------------------

UNARY = (paddle.tanh, paddle.exp, paddle.square, paddle.abs, lambda x: x * 2.0, lambda x: x.T.T)
BINARY = (paddle.add, paddle.subtract, paddle.multiply, paddle.maximum)


class Sum(paddle.autograd.PyLayer):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a)
        return a + b

    @staticmethod
    def backward(ctx, dout):
        return dout, dout * 1.0


def drawn(seed: int) -> Trace:
    """Record a random program of ops and PyLayers, forward and backward."""
    choice = random.Random(seed)
    shapes = ([2, 3], [3], [1, 3], [2, 1])
    tensors = [paddle.rand(choice.choice(shapes)) for _ in range(3)]
    tensors.append(paddle.rand([2, 3]))
    for tensor in tensors:
        tensor.stop_gradient = choice.random() < 0.3
    tensors[-1].stop_gradient = False
    with viz.record() as trace:
        for _ in range(8):
            one, other = choice.sample(tensors, 2)
            kind = choice.randrange(5)
            if kind < 2:
                tensors.append(choice.choice(UNARY)(one))
            elif kind < 4:
                tensors.append(choice.choice(BINARY)(one, other))
            else:
                same = one + tensors[3] * 0.0, other + tensors[3] * 0.0
                tensors.append(Sum.apply(*same))
        loss = (tensors[-1] * tensors[3]).sum()
        loss.backward()
    return trace


def repeated() -> Trace:
    """A while_loop with a gradient, whose turns differ between two runs."""
    with guarded(), viz.record() as trace:
        x, n = static.data("x", [2]), static.data("n", [1], "int64")
        w = static.data("w", [2])
        x.stop_gradient = w.stop_gradient = False
        i = paddle.zeros([1], "int64")
        last, y = static.nn.while_loop(
            lambda i, y: i < n, lambda i, y: [i + 1, paddle.tanh(y * w)], [i, x]
        )
        loss = y.sum()
        dx, dw = static.gradients(loss, [x, w])
        exe = static.Executor()
        for count in (3, 0, 2):
            feed = {"x": np.float32([2, 3]), "w": np.float32([0.5, 0.25])}
            exe.run(feed={**feed, "n": np.int64([count])}, fetch_list=[loss, dx, dw])
    return trace


def own_gradient() -> Trace:
    """A static_pylayer, whose backward is the user's."""
    with guarded(), viz.record() as trace:
        x = static.data("x", [2])
        x.stop_gradient = False
        y = static.nn.static_pylayer(paddle.tanh, [x], lambda dy: dy * 5.0)
        loss = y.sum()
        (dx,) = static.gradients(loss, x)
        exe = static.Executor()
        exe.run(static.default_startup_program())
        exe.run(feed={"x": np.float32([2, 3])}, fetch_list=[loss, dx])
    return trace


WHOLE: tuple[Callable[[], Trace], ...] = (
    pylayer_parts, from_the_middle, cut_off, overwritten, dtypes, own_gradient,
)  # fmt: skip
ALL = (transformer, *WHOLE)
