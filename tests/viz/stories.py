"""More small recorded programs, for cases that those of `programs.py` do not reach.

Each has the rare cases of one subject: marks and hooks, gradients of gradients, errors, cut
recordings, words for ops, layers that repeat, Programs without the usual ends.
"""

# ruff: noqa: F841, RUF059  (what is assigned here gives tensors their names)

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import nn, static
from minipaddle.autograd import PyLayer
from tests.static.world import fresh
from viz.trace import Trace

from .programs import ROWS, cus_tanh, double, leaf

F = paddle.nn.functional


def look(_grad: Any) -> None:
    """A hook that only looks."""


# ----- ops in words ------------------------------------------------------------------------------


def words() -> Trace:
    """One call of every op that has a sentence of its own, and of some that have none."""
    X, Y = paddle.to_tensor(ROWS), paddle.to_tensor([[2.0, 0.5, 4.0], [0.25, 1.0, 8.0]])
    with viz.record() as trace:
        squashed = [paddle.tanh(X), F.sigmoid(X), F.relu(X), F.softmax(X)]
        raised = [paddle.exp(X), paddle.log(Y), paddle.sqrt(Y), paddle.rsqrt(Y), paddle.square(X)]
        pairs = [X + Y, X - Y, X * Y, X / Y, paddle.maximum(X, Y), paddle.minimum(X, Y)]
        numbers = [1 - X, X * 2.0, X + 3.0, X - 3.0, -X, 1 / Y, paddle.scale(X, 2.0, 3.0), X**2]
        less = [X.mean(), X.sum(), X.max(), X.min(), X.abs(), paddle.reciprocal(Y)]
        product = X @ Y.T
        turned = [X.unsqueeze(0), X.cast("float32"), X.reshape([3, 2]), X.T, X.flatten()]
        joined = [paddle.concat([X, Y, X]), paddle.stack([X, Y])]
        random = [paddle.randn([2]), paddle.rand([2, 2]), paddle.ones([2]), paddle.arange(3)]
        loss = F.cross_entropy(X.cast("float32"), paddle.to_tensor([0, 2]))
        sizes = [F.softmax(X, axis=0), X.sum(axis=1, keepdim=True), X > Y, X.argmax()]
    return trace


# ----- PyLayers, marks and hooks -----------------------------------------------------------------


class Marks(PyLayer):
    """Every mark, inputs that are no tensors, one that is saved twice, and an unused result."""

    @staticmethod
    def forward(ctx, factor, x, *, mode):
        ctx.mark_not_inplace(x)
        ctx.set_materialize_grads(True)
        whole = x.floor()
        ctx.mark_non_differentiable(whole)
        ctx.save_for_backward(x, x)
        return x * factor, whole, x + factor

    @staticmethod
    def backward(ctx, dscaled, dwhole, dmore):
        x, _ = ctx.saved_tensor()
        return dscaled * 2.0 + dmore


class NoWay(PyLayer):
    """A PyLayer that returns None for every gradient."""

    @staticmethod
    def forward(ctx, a, b):
        return a * b

    @staticmethod
    def backward(ctx, dout):
        return None, None


def marks() -> Trace:
    x = leaf()
    with viz.record() as trace:
        scaled, whole, more = Marks.apply(2.0, x, mode="all")
        lost = NoWay.apply(scaled, more)
        loss = scaled.sum() + lost.mean()
        loss.backward()
    return trace


def unwanted() -> Trace:
    """PyLayers whose gradient nobody wants, and a backward that has nothing to do."""
    x = paddle.to_tensor(ROWS)
    with viz.record() as trace:
        y = cus_tanh.apply(x)
        with paddle.no_grad():
            z = cus_tanh.apply(leaf())
        (y + z).sum().backward()
    return trace


def before(_layer: Any, inputs: Any) -> Any:
    return (inputs[0] * 2.0,)


def after(_layer: Any, _inputs: Any, outputs: Any) -> Any:
    return outputs + 1.0


def seen(_layer: Any, _inputs: Any, _outputs: Any) -> None:
    """Look at the result only."""


def hooks() -> Trace:
    """Hooks of layers, a leaf, results and a PyLayer's output; some replace, some only look."""
    paddle.seed(0)
    linear = nn.Linear(3, 2)
    linear.register_forward_pre_hook(before)
    linear.register_forward_post_hook(seen)
    linear.register_forward_post_hook(after)
    x = leaf(np.array(ROWS, "float32"))
    with viz.record() as trace:
        y = linear(x)
        z = cus_tanh.apply(y)
        for tensor, hook in ((x, look), (y, double), (z, look), (linear.bias, double)):
            tensor.register_hook(hook)
        z.sum().backward()
    return trace


# ----- gradients ---------------------------------------------------------------------------------


def second() -> Trace:
    """The gradient of a gradient, twice through a shared weight, added to what was there."""
    x, w = leaf(2.0), leaf(3.0)
    (w * 2.0).backward()
    with viz.record() as trace:
        y = x * x * w
        (dx,) = paddle.grad(y, x, create_graph=True)
        penalty = dx * dx + w
        penalty.backward()
        y = paddle.tanh(w)
        y.backward()
    return trace


def many_uses() -> Trace:
    """A fan-in of three, broadcast both ways, several roots with gradients of their own."""
    x, row = leaf(), leaf([[1.0, 2.0, 3.0]])
    with viz.record() as trace:
        a, b = x * row, x + row
        c = (a - b) * x
        paddle.autograd.backward([c, a], [paddle.ones([2, 3], "float64"), None])
    return trace


def odd() -> Trace:
    """Inf forward, NaN backward, leaves without a gradient, and an unused result."""
    x, unused, stopped = leaf([0.0, 1.0]), leaf([2.0, 3.0]), leaf([4.0, 5.0])
    with viz.record() as trace:
        root = paddle.sqrt(x)
        logs = paddle.log(x * 0.0)
        aside = paddle.tanh(unused)
        kept = stopped.detach() * root
        loss = (kept * logs).sum()
        loss.backward()
    return trace


def given_odd() -> Trace:
    """NaN and Inf from before the recording: in a leaf and in data."""
    x = leaf([float("nan"), 1.0])
    far = paddle.to_tensor([float("inf"), 2.0], dtype="float64")
    with viz.record() as trace:
        y = x * far
        loss = y.mean()
        loss.backward()
    return trace


# ----- errors and limits -------------------------------------------------------------------------


class Refuses(PyLayer):
    @staticmethod
    def forward(ctx, x):
        return x * 2.0

    @staticmethod
    def backward(ctx, dy):
        raise ValueError("no idea how.\nReally.")


def failing() -> Trace:
    """An exception that is caught in forward, and one in backward that ends the trace."""
    x = leaf()
    with contextlib.suppress(Exception), viz.record() as trace:
        with contextlib.suppress(ValueError):
            x @ paddle.ones([9, 9], "float64")
        y = Refuses.apply(x)
        (y * y).sum().backward()
    return trace


class Stops(PyLayer):
    @staticmethod
    def forward(ctx, x):
        y = x * 2.0
        raise RuntimeError("in forward")


class Broken(nn.Layer):
    def forward(self, x: Any) -> Any:
        raise KeyError("broken")


def bad(_given: Any) -> Any:
    raise ValueError("bad")


def failing_parts() -> Trace:
    """Errors in a layer, a PyLayer's forward, hooks of a result and a leaf, and a second pass."""
    x = leaf()
    with viz.record() as trace:
        with contextlib.suppress(KeyError):
            Broken()(x)
        with contextlib.suppress(RuntimeError):
            Stops.apply(x)
        for hooked in (0, 1):
            y = x * 2.0
            (x, y)[hooked].register_hook(bad)
            with contextlib.suppress(OSError):
                y.sum().backward()
        with contextlib.suppress(OSError):
            paddle.grad(y.sum(), y)
        loss = paddle.exp(leaf()).sum()
        loss.backward()
        with contextlib.suppress(SystemError):
            loss.backward()
    return trace


def failing_program() -> Trace:
    with programs() as (main, _), contextlib.suppress(ValueError), viz.record() as trace:
        x, y = static.data("x", [-1, 3]), static.data("y", [-1, 3])
        feed = {"x": np.ones((2, 3), "float32"), "y": np.ones((5, 3), "float32")}
        static.Executor().run(main, feed=feed, fetch_list=[x + y])
    return trace


def failing_function() -> Trace:
    with programs() as (main, _), contextlib.suppress(ValueError), viz.record() as trace:
        x = static.data("x", [2, 3])
        out = main.current_block().create_var("out", [2, 3], "float32")
        static.py_func(bad, x, out)
        static.Executor().run(feed={"x": np.ones((2, 3), "float32")}, fetch_list=[out])
    return trace


def refused_operator() -> Trace:
    with programs(), contextlib.suppress(ValueError), viz.record() as trace:
        x, w = static.data("x", [4, 3]), static.data("w", [2, 3])
        y = paddle.tanh(x) @ w
    return trace


def cut() -> Trace:
    x = leaf()
    with viz.record(limit=5) as trace:
        y = x * x
        for _ in range(3):
            y = paddle.tanh(y)
        y.sum().backward()
    return trace


# ----- layers ------------------------------------------------------------------------------------


class Block(nn.Layer):
    """A residual block of one Linear and a PyLayer."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        return x + cus_tanh.apply(self.inner(x))


def blocks(count: int) -> Trace:
    """Blocks, a weight that the first and the last layer share, and one step of Adam."""
    paddle.seed(0)
    net = nn.Sequential(*(Block() for _ in range(count)))
    head = nn.Linear(2, 2)
    head.weight = net[0].inner.weight
    adam = paddle.optimizer.Adam(0.1, parameters=[*net.parameters(), head.bias])
    x = paddle.to_tensor(np.array(ROWS, "float32")[:, :2])
    with viz.record() as trace:
        loss = head(net(x)).square().mean()
        loss.backward()
        adam.step()
    return trace


def digits() -> Trace:
    """Convolution, pooling and normalization: more saved values than a sentence has room for."""
    paddle.seed(0)
    net = nn.Sequential(
        nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten()
    )
    net.eval()
    image = paddle.to_tensor(np.linspace(-1.0, 1.0, 36, dtype="float32").reshape(1, 1, 6, 6))
    with viz.record() as trace:
        features = net(image)
        F.dropout(features, 0.0).mean().backward()
    return trace


# ----- Programs ----------------------------------------------------------------------------------


@contextlib.contextmanager
def programs() -> Iterator[tuple[Any, Any]]:
    paddle.seed(0)
    with fresh() as both:
        yield both


def halves(x: Any) -> Any:
    return np.asarray(x) / 2.0, np.asarray(x) - 1.0


def prints(x: Any) -> None:
    """Look at a value and return None."""


def built() -> Trace:
    """A Program that only computes: py_funcs without gradients, a fetch of three, run twice."""
    with programs() as (main, _), viz.record() as trace:
        x = static.data("x", [-1, 3], "float32")
        block = main.current_block()
        half = block.create_var(name="half", shape=[-1, 3], dtype="float32")
        less = block.create_var(name="less", shape=[-1, 3], dtype="float32")
        static.py_func(halves, x, [half, less])
        static.py_func(prints, half, None)
        both = paddle.concat([half, less], axis=1)
        total = paddle.sum(both * both)
        executor = static.Executor()
        for rows in (1, 2):
            feed = {"x": np.array(ROWS, "float32")[:rows]}
            executor.run(main, feed=feed, fetch_list=[half, less, total])
        executor.run(main, feed=feed, fetch_list=[])
    return trace


def skipping() -> Trace:
    """A py_func x, y -> out, more, whose backward skips y and out; `more` has no gradient."""
    with programs() as (main, _), viz.record() as trace:
        x, y = static.data("x", [2, 3]), static.data("y", [2, 3])
        x.stop_gradient = False
        block = main.current_block()
        out, more = (block.create_var(name, [2, 3], "float32") for name in ("out", "more"))
        static.py_func(
            lambda x, y: (np.asarray(x) * 2, np.asarray(y) * 3),
            [x, y],
            [out, more],
            lambda x, more, dout, dmore: (np.asarray(dout) * 2, None),
            [y, out],
        )
        (dx,) = static.gradients(paddle.mean(out), [x])
        rows = np.ones((2, 3), "float32")
        static.Executor().run(main, feed={"x": rows, "y": rows}, fetch_list=[dx])
    return trace


def adam() -> Trace:
    """Gradients that meet, a weight used twice, an optimizer with a state, clipped."""
    with programs() as (main, startup), viz.record() as trace:
        x = static.data("x", [2, 3], "float32")
        w = paddle.create_parameter([3, 3], "float32", name="w")
        hidden = paddle.tanh(paddle.matmul(x, w))
        loss = paddle.mean(paddle.matmul(hidden, w) + hidden)
        clip = nn.ClipGradByGlobalNorm(0.5)
        paddle.optimizer.Adam(0.1, grad_clip=clip).minimize(loss)
        executor = static.Executor()
        executor.run(startup)
        executor.run(main, feed={"x": np.array(ROWS, "float32")}, fetch_list=[loss, w])
    return trace


def asked() -> Trace:
    """Gradients by static.gradients, also of gradients."""
    with programs() as (main, _), viz.record() as trace:
        x = static.data("x", [3], "float32")
        x.stop_gradient = False
        y = paddle.sum(x * x * x)
        (dx,) = static.gradients([y], [x])
        (again,) = static.gradients([dx], [x])
        rows = np.array(ROWS[0], "float32")
        static.Executor().run(main, feed={"x": rows}, fetch_list=[dx, again])
    return trace


def branching() -> Trace:
    """A cond with a gradient; its false_fn does not run."""
    with programs() as (main, _), viz.record() as trace:
        x = static.data("x", [3], "float32")
        x.stop_gradient = False
        big = paddle.max(x) > 1.0
        y = static.nn.cond(big, lambda: paddle.tanh(x) * 2.0, lambda: x - 1.0)
        (dx,) = static.gradients([paddle.sum(y)], [x])
        feed = {"x": np.array(ROWS[0], "float32")}
        static.Executor().run(main, feed=feed, fetch_list=[y, dx])
    return trace


def looping() -> Trace:
    """A while_loop of three turns, with the gradients of what it reads from outside."""
    with programs() as (main, _), viz.record() as trace:
        x, w = static.data("x", [3], "float32"), static.data("w", [3], "float32")
        x.stop_gradient = w.stop_gradient = False
        begin = paddle.zeros([1], "int64")
        _, y = static.nn.while_loop(
            lambda i, y: i < 3, lambda i, y: [i + 1, paddle.tanh(y * w)], [begin, x]
        )
        grads = static.gradients([paddle.sum(y)], [x, w])
        feed = {"x": np.array(ROWS[0], "float32"), "w": np.array(ROWS[1], "float32")}
        static.Executor().run(main, feed=feed, fetch_list=[y, *grads])
    return trace


def framed() -> Trace:
    """A cond and a while_loop in dynamic mode."""
    x = paddle.to_tensor(np.array(ROWS[0], "float32"), stop_gradient=False)
    with viz.record() as trace:
        y = static.nn.cond(x.max() > 1.0, lambda: paddle.tanh(x) * 2.0, lambda: x - 1.0)
        i = paddle.to_tensor(0)
        i, y = static.nn.while_loop(lambda i, y: i < 2, lambda i, y: [i + 1, y * x], [i, y])
        y.sum().backward()
    return trace


ALL: tuple[Callable[[], Trace], ...] = (
    words, marks, unwanted, hooks, second, many_uses, odd, given_odd,
    failing, failing_parts, failing_program, failing_function, refused_operator,
    cut, digits, built, skipping, adam, asked, branching,
)  # fmt: skip


# ----- programs for tests of sentences, formulas and labels, not of pictures ---------------------


def axes() -> Trace:
    """Axes that are added, removed, exchanged, and summed over."""
    x, y = leaf(np.ones([2, 3, 4])), leaf(np.ones([1, 2]))
    with viz.record() as trace:
        one, both = paddle.unsqueeze(x, 0), paddle.unsqueeze(y, [0, 2])
        flat = paddle.squeeze(both)
        turned = paddle.transpose(x, [1, -1, 0])
        (paddle.transpose(turned, [0, 1, 2]) * turned).sum().backward()
        rows, ends = x.sum(axis=1), x.mean(axis=[0, -1], keepdim=True)
        most, product, whole = paddle.max(x, axis=-1), paddle.prod(x, 2), x.sum()
        joined = paddle.concat([y, y, y])
    return trace


def limits() -> Trace:
    """Numbers in formulas: limits, powers, signs, random draws."""
    x, square = leaf([1.0, 2.0]), leaf([[2.0, 1.0], [1.0, 3.0]])
    with viz.record() as trace:
        a, b, c = paddle.clip(x, -0.5, 2.0), paddle.clip(x, min=0), paddle.clip(x, max=3)
        d, e = x**2 + x**3, F.hardtanh(x, -2.0, 0.5)
        (a + b + c + d + e + paddle.maximum(x, a) + paddle.minimum(x, b)).sum().backward()
        signs = [x > 1.0, x // 2.0, x % 2.0]
        u, s, v = paddle.linalg.svd(square)
        s.sum().backward()
        total = (x * (1 - paddle.square(d.detach())) + b.detach() * 2).sum()
        for _ in range(2):
            loss = (x * x).sum()
    return trace


def scales() -> Trace:
    """A number and a tensor in every operation between them."""
    x = leaf([3.0, -4.0])
    with viz.record() as trace:
        y = [x * 1.0, 1 * x, x * 0, x + 0, x - 0, x - 0.0, x - 1.5, -x, 2 - x, 0 - x, x * -2.5]
        y += [x * 1234567, paddle.scale(x, 2, 1), paddle.scale(x, 2, -1), paddle.scale(x)]
        y += [paddle.scale(x, 2, 1, bias_after_scale=False), paddle.scale(x, 1.0, 3.0)]
        paddle.add_n(y).sum().backward()
    return trace


def positions() -> Trace:
    """Reading and writing by position, with a gradient, and one that fails."""
    h, picks = leaf(np.arange(12.0).reshape(3, 4)), paddle.to_tensor([2, 0])
    v, where = leaf([7.0, 8.0, 9.0]), paddle.to_tensor([1])
    with viz.record() as trace:
        a, b, c, d = h[:, 0], h[..., None, 1:3:2], h[1], h[[0, 2]]
        e, f, mask = h[picks], h[:, [1, 3]], h > 3.0
        g, picked = h[mask], paddle.masked_select(h, mask)
        r, q = paddle.zeros([2, 3], "float64"), paddle.zeros([2, 3], "float64")
        r[0], q[:, where] = v, v[1]
        r[1, 1] = v[1] + 3.0
        total = h[:, 0].sum() + h[1, 2] + (r + q).sum() + e.sum()
        (dh,) = paddle.grad(total, [h], create_graph=True)
        total.backward()
        with contextlib.suppress(IndexError):
            h[5]
    return trace


def turns() -> Trace:
    """Loops that rebind a name: nested loops, and an RNN."""
    x, w, h = leaf(np.ones([2, 2])), leaf(np.ones([2, 2])), paddle.zeros([2], "float64")
    with viz.record() as trace:
        for t in range(2):
            a = x[t] @ w
            h = paddle.tanh(a + h)
        total = h.sum()
        for i in range(2):
            for kind in ("up", "down"):
                total = total * 2.0 if kind == "up" else total - float(i)
        total.backward()
    return trace


def filled() -> Trace:
    """Tensors that are made, drawn, and filled in place."""
    x, r, w = leaf([1.0, 2.0]), paddle.ones([2, 2]), leaf([1.0, 2.0])
    with viz.record() as trace:
        a = paddle.randn([2])
        b = paddle.rand([2])
        c = paddle.normal(0.0, 1.0, [2])
        d, e, f = paddle.zeros([2]), paddle.full([2], 3.5), paddle.ones_like(x)
        g, h = paddle.zeros([2]) + paddle.ones([2]), paddle.zeros_like(x) + paddle.ones_like(x)
        i, j = x.clone(), x.norm()
        r.uniform_()
        r.normal_(0.0, 1.0)
        r.zero_()
        r.fill_(3)
        r.exponential_()
        r.fill_diagonal_(2)
        w.set_value(np.array([5.0, 6.0]))
        nn.initializer.Constant(3.0)(w)
    return trace


def reasons() -> Trace:
    """Every reason why a gradient is added to another, and every way to begin."""
    x = leaf([1.0, 2.0, 3.0, 4.0])
    (x * 3.0).sum().backward()
    before = paddle.tanh(x)
    with viz.record() as trace:
        (x * 2.0).sum().backward()
        x.clear_grad()
        (x * 2.0).sum().backward()
        x.clear_grad(set_to_zero=False)
        (x * x).sum().backward()
        (x * x).sum().backward()
        paddle.grad((x * x).sum(), [x])
        y = x * 2.0
        paddle.autograd.backward([y, (y * 3.0).sum()], [paddle.ones([4], "float64"), None])
        x.sum().backward(paddle.to_tensor(3.0, "float64"))
        p, q, r = paddle.split(x, 4 * [1])[:3]
        (q * 3.0).sum().backward()
        values, indices = paddle.topk(x, 2)
        values.sum().backward()
        before.sum().backward()
        paddle.to_tensor([1.0]).backward()
    return trace


TOLD: tuple[Callable[[], Trace], ...] = (
    axes, limits, scales, positions, turns, filled, reasons,
)  # fmt: skip
