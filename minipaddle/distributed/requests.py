"""Requests of collectives to MPI, and what becomes of the memory that it filled.

A result that is `fresh` has memory of its own, instead of that of x. What is only begun
(`sync_op=False`) leaves x alone meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..engine.tensor import Tensor
from . import mpi
from .agreement import Call
from .arguments import kind_of, rank_inside, rows_of
from .exchange import Collective, Parts, from_mpi, room_like, to_mpi
from .groups import Group

JOIN = {
    "sum": np.add,
    "avg": np.add,  # which is divided afterwards
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
}


FEW = 16_384  # bytes


@cache
def mpi_op(op: str) -> Any:
    """Return MPI's operation: an average is a sum, which is divided afterwards."""
    return getattr(mpi.module(), "SUM" if op == "avg" else op.upper())


def divide_average(array: Any, how: str, group: Group) -> None:
    """Divide a sum by the number of ranks where an average is wanted."""
    if how == "avg":
        np.divide(array, group.nranks, out=array, casting="unsafe")


# ----- in one piece ------------------------------------------------------------------------------


def all_reduce(
    x: Tensor, how: str, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """Join the tensors of all ranks."""
    array = to_mpi(x, own=fresh or not sync_op)

    def store() -> Any:
        divide_average(array, how, group)
        return from_mpi(x, array, fresh)

    call = Call("all_reduce", kind_of(x), (how,), None, sync_op)
    return Collective(group, call, store, "Allreduce", mpi.module().IN_PLACE, array, mpi_op(how))


def reduce(
    x: Tensor, dst: int, how: str, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """Join the tensors of all ranks, on one of them."""
    root = rank_inside("reduce", group, dst)
    here = group.rank == root
    array = to_mpi(x, own=fresh or not sync_op)

    def store() -> Any:
        if here:
            divide_average(array, how, group)
        return from_mpi(x, array, fresh)

    call = Call("reduce", kind_of(x), (how, f"dst={dst}"), None, sync_op)
    buffers = (mpi.module().IN_PLACE, array) if here else (array, None)
    return Collective(group, call, store, "Reduce", *buffers, mpi_op(how), root)


def broadcast(
    x: Tensor, src: int, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """Copy the tensor of one rank to all."""
    root = rank_inside("broadcast", group, src)
    array = to_mpi(x, own=fresh or not sync_op)
    call = Call("broadcast", kind_of(x), (f"src={src}",), None, sync_op)
    return Collective(group, call, lambda: from_mpi(x, array, fresh), "Bcast", array, root)


# ----- in parts ----------------------------------------------------------------------------------


def only(rank: int, array: Any, group: Group) -> list[Any]:
    """Return the array for one rank, nothing for the others."""
    return [array if each == rank else None for each in range(group.nranks)]


def memory_for(
    rooms: Sequence[Tensor], sent: Sequence[Any], group: Group, sync_op: bool
) -> list[Any]:
    """Return memory for the parts of all ranks: that of the tensors they go into, if possible.

    Each must be in a row there, as MPI sends it, and touch neither another one nor what is sent.
    Of few bytes a copy is made sooner than that is known.
    """
    if rooms and sync_op and sent[0].nbytes > FEW:
        into = [to_mpi(room) for room in rooms]
        direct = all(array is room._data for array, room in zip(into, rooms, strict=True))
        if direct and are_separate([*into, *sent]):
            return into
    return [np.empty_like(sent[0]) for _ in range(group.nranks)]


def are_separate(arrays: Sequence[Any]) -> bool:
    """Return whether each of several arrays is in a memory that no other one is in."""
    owners = {id(array if array.base is None else array.base) for array in arrays}
    return len(owners) == len(arrays)


def results(x: Tensor, rooms: Sequence[Tensor], arrays: Sequence[Any]) -> list[Any]:
    """Return what came from several ranks, in the tensors' memory, or as new arrays like x."""
    if rooms:
        return [from_mpi(room, array) for room, array in zip(rooms, arrays, strict=True)]
    return [from_mpi(x, array, fresh=True) for array in arrays]


def scatter(
    x: Tensor, tensors: Any, src: int, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> tuple[Parts, list[Tensor]]:
    """Give each rank one tensor of one rank's list; also return what this rank gives, else x."""
    root = rank_inside("scatter", group, src)
    here = group.rank == root
    rows = rows_of("scatter", "tensor_list", tensors, group, x) if here else [x]
    gives = [to_mpi(each, own=not sync_op) for each in rows] if here else [None] * group.nranks
    into = room_like(x, fresh or not sync_op)
    call = Call("scatter", kind_of(x), (f"src={src}",), None, sync_op)
    takes = only(root, into, group)
    return Parts(group, call, lambda: from_mpi(x, into, fresh), gives, takes), rows


def gather(
    x: Tensor, dst: int, group: Group, *, rooms: Sequence[Tensor] = (), sync_op: bool = True
) -> Parts:
    """Collect the tensors of all ranks on one of them."""
    root = rank_inside("gather", group, dst)
    array = to_mpi(x, own=not sync_op)
    here = group.rank == root
    takes = memory_for(rooms, [array], group, sync_op) if here else [None] * group.nranks
    call = Call("gather", kind_of(x), (f"dst={dst}",), None, sync_op)
    gives = only(root, array, group)
    return Parts(group, call, lambda: results(x, rooms, takes) if here else [], gives, takes)


def all_gather(
    x: Tensor, group: Group, *, rooms: Sequence[Tensor] = (), sync_op: bool = True
) -> Parts:
    """Collect the tensors of all ranks everywhere."""
    array = to_mpi(x, own=not sync_op)
    takes = memory_for(rooms, [array], group, sync_op)
    call = Call("all_gather", kind_of(x), (), None, sync_op)
    return Parts(group, call, lambda: results(x, rooms, takes), [array] * group.nranks, takes)


def reduce_scatter(
    x: Tensor,
    tensors: Sequence[Tensor],
    how: str,
    group: Group,
    *,
    sync_op: bool = True,
    fresh: bool = False,
) -> Parts:
    """Join what all ranks have for this one, like x."""
    gives = [to_mpi(each, own=not sync_op) for each in tensors]
    takes = [np.empty_like(array) for array in gives]

    def store() -> Any:
        total = takes[0]
        into = total if fresh else to_mpi(x)
        for array in takes[1:]:
            total = JOIN[how](total, array, out=into)
        divide_average(total, how, group)
        return from_mpi(x, total, fresh)

    call = Call("reduce_scatter", kind_of(x), (how,), None, sync_op)
    return Parts(group, call, store, gives, takes)


def alltoall(
    tensors: Sequence[Tensor], group: Group, *, rooms: Sequence[Tensor] = (), sync_op: bool = True
) -> Parts:
    """Collect what all ranks have for this one."""
    gives, x = [to_mpi(each, own=not sync_op) for each in tensors], tensors[0]
    takes = memory_for(rooms, gives, group, sync_op)
    call = Call("alltoall", kind_of(x), (), None, sync_op)
    return Parts(group, call, lambda: results(x, rooms, takes), gives, takes)
