"""An MLP that no rank has whole: each has some columns of the first matrix, rows of the second.

    minipaddle launch --nproc_per_node 4 examples/tensor_parallel_mlp.py

The ranks meet in two PyLayers, the f and g of Megatron-LM: f hands x on, and adds up the gradients
that the ranks have for it; g adds up what the ranks have, and hands the gradient on. So each is the
other's backward. It runs unchanged with PaddlePaddle, where minipaddle is not installed:

    python -m paddle.distributed.launch --nproc_per_node 4 examples/tensor_parallel_mlp.py
"""

import sys

import numpy as np

try:
    import minipaddle as paddle
    import minipaddle.distributed as dist
except ImportError:
    import paddle
    import paddle.distributed as dist

SIZES = (6, 24, 4)  # what comes in, what is shared among the ranks, what goes out
BATCH = 8


def summed_over_ranks(x):
    """The sum of what the ranks have, as a new tensor."""
    total = x.clone()
    if dist.is_initialized():
        dist.all_reduce(total)
    return total


class F(paddle.autograd.PyLayer):
    """Before the ranks part."""

    @staticmethod
    def forward(ctx, x):  # noqa: ARG004
        return x.clone()

    @staticmethod
    def backward(ctx, dy):  # noqa: ARG004
        return summed_over_ranks(dy)


class G(paddle.autograd.PyLayer):
    """Where the ranks meet again."""

    @staticmethod
    def forward(ctx, x):  # noqa: ARG004
        return summed_over_ranks(x)

    @staticmethod
    def backward(ctx, dy):  # noqa: ARG004
        return dy.clone()


class ParallelMLP(paddle.nn.Layer):
    """x [batch, 6] to [batch, 4], by way of 24 numbers of which each rank has its part."""

    def __init__(self, rng):
        super().__init__()
        first, second = rng.normal(size=SIZES[:2]) / 2, rng.normal(size=SIZES[1:]) / 4
        share, rest = divmod(SIZES[1], dist.get_world_size())
        assert rest == 0, f"{SIZES[1]} columns cannot be shared among {dist.get_world_size()} ranks"
        own = slice(dist.get_rank() * share, (dist.get_rank() + 1) * share)
        self.columns = self.parameter(first[:, own])
        self.bias = self.parameter(np.zeros(share))
        self.rows = self.parameter(second[own])
        self.offset = self.parameter(np.zeros(SIZES[2]))  # the same on every rank

    def parameter(self, values):
        values = values.astype(paddle.get_default_dtype())
        start = paddle.nn.initializer.Assign(values)
        return self.create_parameter(list(values.shape), default_initializer=start)

    def forward(self, x):
        hidden = paddle.tanh(F.apply(x) @ self.columns + self.bias)
        return G.apply(hidden @ self.rows) + self.offset


def train(steps):
    """Two such layers, one after the other, and the loss of every step."""
    dist.init_parallel_env()
    rng = np.random.default_rng(0)  # the same numbers on every rank
    back = rng.normal(size=(SIZES[2], SIZES[0])).astype(paddle.get_default_dtype())
    first, second = ParallelMLP(rng), ParallelMLP(rng)
    parameters = first.parameters() + second.parameters()
    optimizer = paddle.optimizer.SGD(0.1, parameters=parameters)
    x, wanted = (
        paddle.to_tensor(rng.normal(size=(BATCH, size)).astype(back.dtype)) for size in SIZES[::2]
    )
    losses = []
    for _ in range(steps):
        out = second(paddle.tanh(first(x)) @ paddle.to_tensor(back))
        loss = ((out - wanted) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return first, second, losses


if __name__ == "__main__":
    *_, losses = train(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    if dist.get_rank() == 0:
        for step in range(0, len(losses), 10):
            print(f"step {step:2}: loss {losses[step]:.4f}")
