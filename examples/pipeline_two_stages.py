"""A network in two stages: the first layers on rank 0, the last ones and the loss on rank 1.

    minipaddle launch --nproc_per_node 2 examples/pipeline_two_stages.py

A batch goes through in four parts, so that both ranks work at the same time: rank 0 sends on what
its layers made of a part, and begins with the next. When all have gone forward, rank 1 sends back
the gradients of what it got (two ranks that send to each other at once would wait for ever). It
runs unchanged with PaddlePaddle, where minipaddle is not installed:

    python -m paddle.distributed.launch --nproc_per_node 2 examples/pipeline_two_stages.py
"""

import sys

import numpy as np

try:
    import minipaddle as paddle
    import minipaddle.distributed as dist
except ImportError:
    import paddle
    import paddle.distributed as dist

BATCH, PARTS = 24, 4
SIZES = (6, 16, 16, 3)  # rank 1 gets the second of them


def stages():
    """Both halves of the network, with the same parameters wherever they are made."""
    nn = paddle.nn
    paddle.seed(0)
    first = nn.Sequential(nn.Linear(*SIZES[:2]), nn.Tanh())
    second = nn.Sequential(nn.Linear(*SIZES[1:3]), nn.Tanh(), nn.Linear(*SIZES[2:]))
    return first, second


def parts():
    """The parts of a batch: what goes in, and what should come out."""
    rng = np.random.default_rng(0)
    kind = paddle.get_default_dtype()
    x, wanted = (rng.normal(size=(BATCH, size)).astype(kind) for size in (SIZES[0], SIZES[-1]))
    rows = range(0, BATCH, BATCH // PARTS)
    return [
        [paddle.to_tensor(each[row : row + BATCH // PARTS]) for each in (x, wanted)] for row in rows
    ]


def first_stage(layers, data):
    """Send on what the layers make of each part; then let come back what belongs to it."""
    sent = []
    for x, _ in data:
        hidden = layers(x)
        dist.send(hidden.detach(), dst=1)
        sent.append(hidden)
    for hidden in sent:
        gradient = paddle.zeros_like(hidden)
        dist.recv(gradient, src=1)
        hidden.backward(gradient)


def second_stage(layers, data):
    """The loss of the batch; the gradient of each part goes back."""
    total, gradients = 0.0, []
    for _, wanted in data:
        hidden = paddle.zeros([BATCH // PARTS, SIZES[1]], paddle.get_default_dtype())
        dist.recv(hidden, src=0)
        hidden.stop_gradient = False
        loss = ((layers(hidden) - wanted) ** 2).mean() / PARTS
        loss.backward()
        gradients.append(hidden.grad)
        total += float(loss)
    for gradient in gradients:
        dist.send(gradient, dst=0)
    return total


def train(steps):
    """This rank's half, and on rank 1 the loss of every step."""
    dist.init_parallel_env()
    rank, losses = dist.get_rank(), []
    layers = stages()[rank]
    optimizer = paddle.optimizer.SGD(0.1, parameters=layers.parameters())
    for _ in range(steps):
        losses.append((first_stage, second_stage)[rank](layers, parts()))
        optimizer.step()
        optimizer.clear_grad()
    return layers, losses


if __name__ == "__main__":
    _, losses = train(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    if dist.get_rank() == 1:
        for step in range(0, len(losses), 10):
            print(f"step {step:2}: loss {losses[step]:.4f}")
