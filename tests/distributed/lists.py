"""Lists of tensors between ranks, in any kind of memory; each function runs on all ranks."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import distributed as dist

from .scenarios import OPS, drawn, here, tensor

FEW, MANY = (
    (3, 2),
    (700, 30),
)  # shapes of few elements, which are copied, and of many, which may be received in place
KINDS = ("apart", "rows of one", "not in a row", "one twice", "what is given")
JOIN = {"SUM": np.sum, "MAX": np.max, "MIN": np.min, "PROD": np.prod, "AVG": np.mean}


def rooms_of(kind: str, shape: tuple[int, ...], given: list[Any]) -> list[Any]:
    """Return a tensor for each rank's part, in memory of some kind."""
    _, count = here()
    rooms = [paddle.zeros(shape, "float64") for _ in range(count)]
    if kind == "rows of one":
        rooms = list(paddle.zeros([count, *shape], "float64"))
    elif kind == "not in a row":
        rooms = [paddle.zeros(shape[::-1], "float64").transpose([1, 0]) for _ in range(count)]
    elif kind == "one twice":
        rooms[0] = rooms[-1]
    elif kind == "what is given":
        rooms[: len(given)] = given[::-1]
    return rooms


def hold(rooms: list[Any], parts: list[Any]) -> bool:
    """Say whether tensors have these values (the last of several), and count the change."""
    last = {id(room): part for room, part in zip(rooms, parts, strict=True)}
    right = [np.allclose(room.numpy(), last[id(room)], rtol=1e-14, atol=0) for room in rooms]
    return all(right) and all(room.inplace_version > 0 for room in rooms)


def all_gather(kind: str, shape: tuple[int, ...], sync_op: bool) -> bool:
    rank, count = here()
    x = tensor(rank, *shape, leaf=False)
    rooms = rooms_of(kind, shape, [x])
    dist.all_gather(rooms, x, sync_op=sync_op).wait()  # type: ignore[union-attr]
    return hold(rooms, [drawn(r, *shape) for r in range(count)])


def gather(kind: str, shape: tuple[int, ...], sync_op: bool) -> bool:
    rank, count = here()
    x, last = tensor(rank, *shape, leaf=False), count - 1
    rooms = rooms_of(kind, shape, [x]) if rank == last else []
    dist.gather(x, rooms, last, sync_op=sync_op).wait()  # type: ignore[union-attr]
    return rank != last or hold(rooms, [drawn(r, *shape) for r in range(count)])


def alltoall(kind: str, shape: tuple[int, ...], sync_op: bool) -> bool:
    rank, count = here()
    given = [tensor(10 * rank + to, *shape, leaf=False) for to in range(count)]
    rooms = rooms_of(kind, shape, given)
    dist.alltoall(rooms, given, sync_op=sync_op).wait()  # type: ignore[union-attr]
    return hold(rooms, [drawn(10 * r + rank, *shape) for r in range(count)])


def scatter(kind: str, shape: tuple[int, ...], sync_op: bool) -> bool:
    rank, count = here()
    given = [tensor(10 * rank + to, *shape, leaf=False) for to in range(count)]
    x, src = rooms_of(kind, shape, given)[0], count - 1
    dist.scatter(x, given, src, sync_op=sync_op).wait()  # type: ignore[union-attr]
    return hold([x], [drawn(10 * src + rank, *shape)])


def reduce_scatter(kind: str, shape: tuple[int, ...], sync_op: bool, op: str) -> bool:
    rank, count = here()
    given = [tensor(10 * rank + to, *shape, leaf=False) for to in range(count)]
    x, how = rooms_of(kind, shape, given)[0], getattr(dist.ReduceOp, op)
    dist.reduce_scatter(x, given, how, sync_op=sync_op).wait()  # type: ignore[union-attr]
    return hold([x], [JOIN[op]([drawn(10 * r + rank, *shape) for r in range(count)], axis=0)])


def wrong(shape: tuple[int, ...], heard: bool) -> list[str]:
    """List the calls that differ from NumPy; `heard`: with a listener."""
    asked = {each.__name__: each for each in (all_gather, gather, alltoall, scatter)}
    asked |= {f"reduce_scatter {op}": partial(reduce_scatter, op=op) for op in OPS}
    with viz.record() if heard else nullcontext():
        return [
            f"{name}, {kind}, sync_op={sync_op}"
            for kind in KINDS
            for sync_op in (True, False)
            for name, right in asked.items()
            if not right(kind, shape, sync_op)
        ]


def everything() -> list[str]:
    """List the calls of all kinds that differ from NumPy."""
    return [
        f"{shape}, {heard=}: {name}"
        for shape, heard in ((FEW, True), (MANY, False))
        for name in wrong(shape, heard)
    ]
