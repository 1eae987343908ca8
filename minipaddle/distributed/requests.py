"""What MPI is asked for by each collective, and what becomes of the memory that it filled.

A result that is `fresh` has memory of its own, instead of that of x. What is only begun
(`sync_op=False`) leaves x alone meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from ..engine.tensor import Tensor
from . import mpi
from .agreement import Call
from .arguments import inside, kind_of, rows_of
from .exchange import Collective, apart, carried, landed
from .groups import Group


@cache
def mpi_op(op: str) -> Any:
    """What MPI calls it: an average is a sum, which is divided afterwards."""
    return getattr(mpi.module(), "SUM" if op == "avg" else op.upper())


def stacked(tensors: Sequence[Tensor]) -> Any:
    """The elements of several tensors, in memory of their own."""
    return np.stack([carried(each) for each in tensors])


def reducing(
    x: Tensor, how: str, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """The tensors of all ranks, joined."""
    buffer = carried(x, own=fresh or not sync_op)

    def land() -> Any:
        averaged(buffer, how, group)
        return landed(x, buffer, fresh)

    call = Call("all_reduce", kind_of(x), (how,), sync_op=sync_op)
    given = mpi.module().IN_PLACE, buffer
    return Collective(group, call, land, "Allreduce", *given, op=mpi_op(how))


def reducing_to(
    x: Tensor, dst: int, how: str, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """The tensors of all ranks, joined, on one of them."""
    root = inside("reduce", group, dst)
    here = group.rank == root
    buffer = carried(x, own=fresh or not sync_op)

    def land() -> Any:
        if here:
            averaged(buffer, how, group)
        return landed(x, buffer, fresh)

    call = Call("reduce", kind_of(x), (how, f"dst={dst}"), sync_op=sync_op)
    given = (mpi.module().IN_PLACE, buffer) if here else (buffer, None)
    return Collective(group, call, land, "Reduce", *given, op=mpi_op(how), root=root)


def averaged(buffer: Any, how: str, group: Group) -> None:
    """Make an average of a sum."""
    if how == "avg":
        np.divide(buffer, group.nranks, out=buffer, casting="unsafe")


def broadcasting(
    x: Tensor, src: int, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """The tensor of one rank, everywhere."""
    root = inside("broadcast", group, src)
    buffer = carried(x, own=fresh or not sync_op)
    call = Call("broadcast", kind_of(x), (f"src={src}",), sync_op=sync_op)
    return Collective(group, call, lambda: landed(x, buffer, fresh), "Bcast", buffer, root=root)


def scattering(
    x: Tensor, tensors: Any, src: int, group: Group, *, sync_op: bool = True
) -> tuple[Collective, list[Tensor]]:
    """One of the tensors of one rank for each, and what this rank gives: elsewhere x."""
    root = inside("scatter", group, src)
    here = group.rank == root
    given = rows_of("scatter", "tensor_list", tensors, group, x) if here else [x]
    rows, into = stacked(given) if here else None, np.empty_like(carried(x))
    call = Call("scatter", kind_of(x), (f"src={src}",), sync_op=sync_op)
    land = partial(landed, x, into, True)
    return Collective(group, call, land, "Scatter", rows, into, root=root), given


def gathering_to(x: Tensor, dst: int, group: Group, *, sync_op: bool = True) -> Collective:
    """The tensors of all ranks, on one of them."""
    root = inside("gather", group, dst)
    given = carried(x, own=not sync_op)
    room = group.nranks if group.rank == root else 0
    rows = np.empty((room, *given.shape), given.dtype)
    call = Call("gather", kind_of(x), (f"dst={dst}",), sync_op=sync_op)
    land = partial(apart, x, rows)
    return Collective(group, call, land, "Gather", given, rows if room else None, root=root)


def gathering(x: Tensor, group: Group, *, sync_op: bool = True) -> Collective:
    """The tensors of all ranks, everywhere."""
    given = carried(x, own=not sync_op)
    rows = np.empty((group.nranks, *given.shape), given.dtype)
    call = Call("all_gather", kind_of(x), sync_op=sync_op)
    return Collective(group, call, partial(apart, x, rows), "Allgather", given, rows)


def reduce_scattering(
    tensors: Sequence[Tensor], how: str, group: Group, *, sync_op: bool = True
) -> Collective:
    """What all ranks have for this one, joined."""
    x, rows = tensors[0], stacked(tensors)
    into = np.empty_like(rows[0])

    def land() -> Any:
        averaged(into, how, group)
        return landed(x, into, True)

    call = Call("reduce_scatter", kind_of(x), (how,), sync_op=sync_op)
    return Collective(group, call, land, "Reduce_scatter_block", rows, into, op=mpi_op(how))


def transposing(tensors: Sequence[Tensor], group: Group, *, sync_op: bool = True) -> Collective:
    """What all ranks have for this one."""
    rows = stacked(tensors)
    into = np.empty_like(rows)
    call = Call("alltoall", kind_of(tensors[0]), sync_op=sync_op)
    return Collective(group, call, partial(apart, tensors[0], into), "Alltoall", rows, into)
