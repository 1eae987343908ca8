"""Programs that real processes record for `test_real_ranks.py`, imported by name."""

from typing import Any

import minipaddle as paddle
import viz
from minipaddle import distributed as dist
from minipaddle.distributed import functional as true


def everything() -> dict[str, dict[str, Any]]:
    """Return the documents that this rank records."""
    rank, count = dist.get_rank(), dist.get_world_size()
    return {
        "all": collectives(rank, count),
        "late": late(rank),
        "true": true_gradient(rank),
        "wrapped": wrapped(),
    }


def collectives(rank: int, count: int) -> dict[str, Any]:
    with viz.record() as trace:
        x = paddle.to_tensor([1.0 + rank, 2.0])
        dist.reduce(x, dst=0)
        dist.all_reduce(x)
        parts: list[Any] = []
        dist.all_gather(parts, x)
        got = paddle.zeros([2])
        dist.scatter(got, [x * float(k) for k in range(count)] if rank == 0 else None, src=0)
        many: list[Any] = []
        dist.gather(got, many, dst=1)
        out = paddle.zeros([2])
        dist.reduce_scatter(out, [got] * count)
        row: list[Any] = []
        dist.alltoall(row, [out] * count)
        if rank == 0:
            dist.send(out, dst=1)
        if rank == 1:
            dist.recv(out, src=0)
        dist.barrier()
    return trace.document


def late(rank: int) -> dict[str, Any]:
    x, y = paddle.to_tensor([1.0 + rank]), paddle.to_tensor([2.0])
    with viz.record() as trace:
        task = dist.all_reduce(x, sync_op=False)
        z = paddle.tanh(y)
        task.wait()
        paddle.add(x, z)
    return trace.document


def true_gradient(rank: int) -> dict[str, Any]:
    x = paddle.to_tensor([1.0 + rank], stop_gradient=False)
    with viz.record() as trace:
        (true.all_reduce(x * 2.0) ** 2).sum().backward()
    return trace.document


def wrapped() -> dict[str, Any]:
    """Record a network that DataParallel sends to all ranks."""

    def train(net: paddle.nn.Layer) -> None:
        net = paddle.DataParallel(net)
        net(paddle.ones([1, 2])).sum().backward()

    with viz.record() as trace:
        train(paddle.nn.Linear(2, 1))
    return trace.document
