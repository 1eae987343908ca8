"""Time of collectives beside mpi4py alone, and the part that checks of order and shape take.

    minipaddle launch --nproc_per_node 2 benchmarks/collectives.py
    minipaddle launch --nproc_per_node 2 benchmarks/collectives.py all_reduce broadcast

The table has the microseconds of a call on the slowest rank, in the fastest of many short blocks
that alternate between all variants. `MPI` is mpi4py's blocking collective on equal arrays;
`unchecked` is ours without headers. `send and recv` are two messages, there and back. From 64 KB a
call may take 1.3 times as long as MPI's; a smaller call may take 20 microseconds more.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI

import minipaddle as paddle
import minipaddle.distributed as dist
from minipaddle.distributed.agreement import Checks

SIZES = (64, 4_096, 65_536, 1 << 20, 1 << 23)  # bytes of a tensor
LARGE = 65_536
BLOCKS, SECONDS = 60, 0.002  # number of blocks, length of a block
Call = Callable[[], object]


def pairs(size: int) -> dict[str, tuple[Call, Call]]:
    """Return our collective and MPI's by name, for `size` bytes per rank."""
    world, rank, count = MPI.COMM_WORLD, dist.get_rank(), dist.get_world_size()
    x = paddle.ones([size // 4])
    own, into = np.ones(size // 4, np.float32), np.ones(size // 4, np.float32)
    parts = [paddle.ones([max(size // 4 // count, 1)]) for _ in range(count)]
    part = parts[0].numpy()
    rows = np.ones((count, part.size), np.float32)
    rows_back, more = np.ones_like(rows), np.ones((count, own.size), np.float32)
    taken = [paddle.ones([size // 4]) for _ in range(count)]
    back = [paddle.ones(parts[0].shape) for _ in range(count)]
    other = 1 - rank

    def there_and_back() -> None:
        if rank == 0:
            dist.send(x, dst=1)
            dist.recv(x, src=1)
        elif rank == 1:
            dist.recv(x, src=0)
            dist.send(x, dst=0)

    def there_and_back_by_mpi() -> None:
        if rank == 0:
            world.Send(own, other)
            world.Recv(into, other)
        elif rank == 1:
            world.Recv(into, other)
            world.Send(own, other)

    return {
        "all_reduce": (
            lambda: dist.all_reduce(x),
            lambda: world.Allreduce(MPI.IN_PLACE, own, op=MPI.SUM),
        ),
        "reduce": (
            lambda: dist.reduce(x, dst=0),
            lambda: world.Reduce(*((MPI.IN_PLACE, own) if rank == 0 else (own, None)), root=0),
        ),
        "broadcast": (lambda: dist.broadcast(x, src=0), lambda: world.Bcast(own, root=0)),
        "all_gather": (lambda: dist.all_gather(taken, x), lambda: world.Allgather(own, more)),
        "scatter": (
            lambda: dist.scatter(parts[0], parts if rank == 0 else None, src=0),
            lambda: world.Scatter(rows if rank == 0 else None, part, root=0),
        ),
        "reduce_scatter": (
            lambda: dist.reduce_scatter(parts[0], parts),
            lambda: world.Reduce_scatter_block(rows, part),
        ),
        "alltoall": (lambda: dist.alltoall(back, parts), lambda: world.Alltoall(rows, rows_back)),
        "send and recv": (there_and_back, there_and_back_by_mpi),
        "barrier": (lambda: dist.barrier(), lambda: world.Barrier()),  # noqa: PLW0108
    }


def best(calls: list[Call]) -> list[float]:
    """Return the microseconds of each call, timed in alternating blocks."""
    times: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    counts = [calls_per_block(call) for call in calls]
    for _ in range(BLOCKS):
        for call, count, row in zip(calls, counts, times, strict=True):
            MPI.COMM_WORLD.Barrier()
            begun = time.perf_counter()
            for _ in range(count):
                call()
            row.append((time.perf_counter() - begun) / count * 1e6)
    return [slowest(min(row)) for row in times]


def calls_per_block(call: Call) -> int:
    """Return the number of calls that fill a block, equal on all ranks."""
    begun = time.perf_counter()
    for _ in range(3):
        call()
    return max(3, int(SECONDS / slowest((time.perf_counter() - begun) / 3)))


def slowest(number: float) -> float:
    found: float = MPI.COMM_WORLD.allreduce(number, MPI.MAX)
    return found


def without_checks(call: Call) -> Call:
    """Return the collective call without the headers of the checks."""

    def run() -> None:
        Checks.on = False
        call()
        Checks.on = True

    return run


def row(name: str, size: int, ours: Call, theirs: Call) -> str:
    """Return a row of the table."""
    mpi, full, bare = best([theirs, ours, without_checks(ours)])
    kept = full / mpi <= 1.3 if size >= LARGE else full - mpi <= 20
    return (
        f"{name:<15}{size:>9}{mpi:>10.1f}{full:>10.1f}{bare:>11.1f}"
        f"{full / mpi:>8.2f}{full - mpi:>9.1f}  {'' if kept else 'too slow'}"
    )


def main() -> None:
    """Print the table on rank 0."""
    dist.init_parallel_env()
    chosen: Any = sys.argv[1:] or list(pairs(64))
    if dist.get_rank() == 0:
        print(f"{'':<15}{'bytes':>9}{'MPI':>10}{'ours':>10}{'unchecked':>11}{'x':>8}{'+ us':>9}")
    for name in chosen:
        for size in SIZES if name != "barrier" else SIZES[:1]:
            text = row(name, size, *pairs(size)[name])
            if dist.get_rank() == 0:
                print(text, flush=True)


if __name__ == "__main__":
    main()
