"""Programs of ranks: one step of an MLP, data-parallel and tensor-parallel."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle.autograd import PyLayer
from viz.many_ranks.ranks import Ranks
from viz.trace import Trace

from .world import World

X = np.array([[0.5, -1.0], [1.5, 0.25], [-0.75, 1.0], [2.0, -0.5]] * 2)
W1 = np.array([[0.1, -0.2, 0.3, 0.4], [-0.7, 1.3, -0.6, 0.2]])
W2 = np.array([[-0.5], [0.3], [0.4], [1.0]])


def leaf(array: Any) -> Any:
    return paddle.to_tensor(array, stop_gradient=False)


def data_parallel(world: World) -> Trace:
    """Average the gradients over the ranks after backward."""
    rows = len(X) // world.count
    x = paddle.to_tensor(X[world.rank * rows : (world.rank + 1) * rows])
    w1, w2 = leaf(W1), leaf(W2)
    optimizer = paddle.optimizer.SGD(0.1, parameters=[w1, w2])
    with viz.record() as trace:
        h = paddle.tanh(x @ w1)
        loss = ((h @ w2) ** 2).mean()
        loss.backward()
        world.all_reduce(w2.grad, "avg")
        world.all_reduce(w1.grad, "avg")
        optimizer.step()
    return trace


def hooked(world: World) -> Trace:
    """Average the gradients by a hook of each parameter, during backward."""
    rows = len(X) // world.count
    x = paddle.to_tensor(X[world.rank * rows : (world.rank + 1) * rows])
    w1, w2 = leaf(W1), leaf(W2)

    def mean_over_ranks(grad: Any) -> Any:
        mean = grad.clone()
        world.all_reduce(mean, "avg")
        return mean

    with viz.record() as trace:
        w1.register_hook(mean_over_ranks)
        w2.register_hook(mean_over_ranks)
        h = paddle.tanh(x @ w1)
        loss = ((h @ w2) ** 2).mean()
        loss.backward()
    return trace


def tensor_parallel(world: World) -> Trace:
    """Give each rank some columns of w1 and rows of w2; f and g are Megatron's."""

    class f(PyLayer):
        """The identity forward, the sum over the ranks backward."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1.0

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            dx = dy.clone()
            world.all_reduce(dx)
            return dx

    class g(PyLayer):
        """The sum over the ranks forward, the identity backward."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.clone()
            world.all_reduce(y)
            return y

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            return dy * 1.0

    own = len(W2) // world.count
    part = slice(world.rank * own, (world.rank + 1) * own)
    x, w1, w2 = leaf(X[:3]), leaf(W1[:, part]), leaf(W2[part])
    with viz.record() as trace:
        h = paddle.tanh(f.apply(x) @ w1)
        y = g.apply(h @ w2)
        loss = (y**2).mean()
        loss.backward()
    return trace


def bucket(world: World) -> Trace:
    """Send the gradients of a layer while backward goes on to the layer before."""
    x, w1, w2 = paddle.to_tensor(X[:2] + world.rank), leaf(W1), leaf(W2)
    waits: list[Callable[[], None]] = []

    def sets_out(grad: Any) -> None:
        row = paddle.flatten(grad)
        waits.append(world.begin_all_reduce(row, "avg"))

    with viz.record() as trace:
        w2.register_hook(sets_out)
        loss = (paddle.tanh(x @ w1) @ w2).sum()
        loss.backward()
        waits[0]()
    return trace


def pairs(world: World) -> Trace:
    """Reduce over two groups of two ranks, then over all."""
    ranks = [0, 1] if world.rank < 2 else [2, 3]
    x = paddle.to_tensor([1.0 + world.rank])
    with viz.record() as trace:
        y = x * 2.0
        world.all_reduce(y, ranks=ranks)
        z = y + 1.0
        world.broadcast(z, src=2)
    return trace


@cache
def view(
    work: Callable[[World], Trace], count: int, fold: bool = True, brief: bool = False
) -> Ranks:
    """Return the view of `count` ranks that run `work`, recorded once in this process."""
    found: Ranks = viz.ranks(World(count).run(work), fold=fold, brief=brief)
    return found


ALL = ((data_parallel, 4), (hooked, 2), (tensor_parallel, 4), (bucket, 2), (pairs, 4))
TOLD = ((tensor_parallel, 2), (pairs, 4))  # programs and numbers of ranks of golden texts
