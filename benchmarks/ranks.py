"""Time of a training step on several ranks, with and without the exchange of gradients.

    minipaddle launch --nproc_per_node 2 benchmarks/ranks.py

Each number is the slowest rank's; `own` is a step without an exchange. The table is in
docs/distributed.md. `benchmarks/collectives.py` measures the collectives alone.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np

import minipaddle as paddle
import minipaddle.distributed as dist

SECONDS, CALLS = 0.3, (20, 5_000)  # duration of each measurement, and limits of its number of calls
BATCH = 96  # samples on all ranks together
WIDTHS = (64, 256, 768)


def shortest(call: Callable[[], object]) -> float:
    """Return the microseconds of a call on an idle machine: the tenth percentile.

    All ranks call equally often, since each call needs all of them.
    """
    call()
    begun = time.perf_counter()
    call()
    count = int(longest(np.clip(SECONDS / (time.perf_counter() - begun), *CALLS)))
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return longest(sorted(times)[count // 10]) * 1e6


def longest(number: float) -> float:
    """Return the largest number of all ranks."""
    if not dist.is_initialized():
        return number
    row = paddle.to_tensor([number], dtype="float64")
    dist.all_reduce(row, dist.ReduceOp.MAX)
    return float(row)


def training(width: int) -> tuple[int, float, float]:
    """Return the bytes of an MLP's gradients, and the times of a step with and without exchange."""
    layers = [paddle.nn.Linear(width, width) for _ in range(4)]
    net = paddle.nn.Sequential(*layers)
    model = paddle.DataParallel(net)
    optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
    x = paddle.rand([BATCH // dist.get_world_size(), width])

    def step(forward: Callable[[paddle.Tensor], paddle.Tensor]) -> None:
        forward(x).mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    size = sum(each.size * 4 for each in net.parameters())
    return size, shortest(lambda: step(model)), shortest(lambda: step(net))


def main() -> None:
    with warnings.catch_warnings(action="ignore"):  # the warning of a single process
        dist.init_parallel_env()
        rows = [(width, *training(width)) for width in WIDTHS]
    if dist.get_rank() == 0:
        print(f"{dist.get_world_size()} ranks, a batch of {BATCH}")
        for width, size, whole, own in rows:
            print(f"  width {width:4}: {size:9,} bytes  {whole:9.0f} us a step, own {own:9.0f}")


if __name__ == "__main__":
    main()
