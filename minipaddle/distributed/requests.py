"""Exchanges of collectives: the MPI call of each, and how its result is stored.

A `fresh` result has its own memory instead of x's. An asynchronous call (`sync_op=False`) uses
copies, so that x stays unchanged until the task is complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..engine.tensor import Tensor
from . import mpi
from .agreement import Call
from .exchange import Collective, Parts, from_mpi, room_like, to_mpi
from .groups import Group, check_rows, group_rank, kind_of

REDUCTIONS = {
    "sum": np.add,
    "avg": np.add,  # `divide_average` divides the sum
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
}
SMALL = 16_384  # bytes up to which a copy costs less than checking for overlaps


@cache
def mpi_op(op: str) -> Any:
    """Return the operation of MPI; an average is a sum that is divided afterwards."""
    return getattr(mpi.module(), "SUM" if op == "avg" else op.upper())


def divide_average(array: Any, how: str, group: Group) -> None:
    """Divide a sum by the number of ranks if `how` is "avg"."""
    if how == "avg":
        np.divide(array, group.nranks, out=array, casting="unsafe")


# ----- one array for all ranks -------------------------------------------------------------------


def all_reduce(
    x: Tensor, how: str, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """Reduce the tensors of all ranks, on all ranks."""
    array = to_mpi(x, own=fresh or not sync_op)

    def store() -> Any:
        divide_average(array, how, group)
        return from_mpi(x, array, fresh)

    call = Call("all_reduce", kind_of(x), (how,), None, sync_op)
    return Collective(group, call, store, "Allreduce", mpi.module().IN_PLACE, array, mpi_op(how))


def reduce(
    x: Tensor, dst: int, how: str, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> Collective:
    """Reduce the tensors of all ranks, on one rank."""
    root = group_rank("reduce", group, dst)
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
    root = group_rank("broadcast", group, src)
    array = to_mpi(x, own=fresh or not sync_op)
    call = Call("broadcast", kind_of(x), (f"src={src}",), None, sync_op)
    return Collective(group, call, lambda: from_mpi(x, array, fresh), "Bcast", array, root)


# ----- an array for each rank --------------------------------------------------------------------


def for_rank(rank: int, array: Any, group: Group) -> list[Any]:
    """Return a list with the array at one rank, and None at the others."""
    return [array if each == rank else None for each in range(group.nranks)]


def allocate_parts(
    rooms: Sequence[Tensor], sent: Sequence[Any], group: Group, sync_op: bool
) -> list[Any]:
    """Return memory for the parts of all ranks: that of the target tensors `rooms` if possible.

    A target must be contiguous and overlap neither another target nor a sent array. Small parts are
    always copied, which is cheaper than the check.
    """
    if rooms and sync_op and sent[0].nbytes > SMALL:
        into = [to_mpi(room) for room in rooms]
        direct = all(array is room._data for array, room in zip(into, rooms, strict=True))
        if direct and are_separate([*into, *sent]):
            return into
    return [np.empty_like(sent[0]) for _ in range(group.nranks)]


def are_separate(arrays: Sequence[Any]) -> bool:
    """Return whether no two of the arrays share memory."""
    owners = {id(array if array.base is None else array.base) for array in arrays}
    return len(owners) == len(arrays)


def collect_results(x: Tensor, rooms: Sequence[Tensor], arrays: Sequence[Any]) -> list[Any]:
    """Return the arrays of all ranks, in the memory of `rooms` or as new arrays like x."""
    if rooms:
        return [from_mpi(room, array) for room, array in zip(rooms, arrays, strict=True)]
    return [from_mpi(x, array, fresh=True) for array in arrays]


def scatter(
    x: Tensor, tensors: Any, src: int, group: Group, *, sync_op: bool = True, fresh: bool = False
) -> tuple[Parts, list[Tensor]]:
    """Send each rank one tensor of a rank's list; also return the sent tensors, elsewhere [x]."""
    root = group_rank("scatter", group, src)
    here = group.rank == root
    rows = check_rows("scatter", "tensor_list", tensors, group, x) if here else [x]
    gives = [to_mpi(each, own=not sync_op) for each in rows] if here else [None] * group.nranks
    into = room_like(x, fresh or not sync_op)
    call = Call("scatter", kind_of(x), (f"src={src}",), None, sync_op)
    takes = for_rank(root, into, group)
    return Parts(group, call, lambda: from_mpi(x, into, fresh), gives, takes), rows


def gather(
    x: Tensor, dst: int, group: Group, *, rooms: Sequence[Tensor] = (), sync_op: bool = True
) -> Parts:
    """Gather the tensors of all ranks on one rank."""
    root = group_rank("gather", group, dst)
    array = to_mpi(x, own=not sync_op)
    here = group.rank == root
    takes = allocate_parts(rooms, [array], group, sync_op) if here else [None] * group.nranks
    call = Call("gather", kind_of(x), (f"dst={dst}",), None, sync_op)
    gives = for_rank(root, array, group)
    return Parts(
        group, call, lambda: collect_results(x, rooms, takes) if here else [], gives, takes
    )


def all_gather(
    x: Tensor, group: Group, *, rooms: Sequence[Tensor] = (), sync_op: bool = True
) -> Parts:
    """Gather the tensors of all ranks on all ranks."""
    array = to_mpi(x, own=not sync_op)
    takes = allocate_parts(rooms, [array], group, sync_op)
    call = Call("all_gather", kind_of(x), (), None, sync_op)
    return Parts(
        group, call, lambda: collect_results(x, rooms, takes), [array] * group.nranks, takes
    )


def reduce_scatter(
    x: Tensor,
    tensors: Sequence[Tensor],
    how: str,
    group: Group,
    *,
    sync_op: bool = True,
    fresh: bool = False,
) -> Parts:
    """Reduce the tensors that all ranks have for this rank, each like x."""
    gives = [to_mpi(each, own=not sync_op) for each in tensors]
    takes = [np.empty_like(array) for array in gives]

    def store() -> Any:
        total = takes[0]
        into = total if fresh else to_mpi(x)
        for array in takes[1:]:
            total = REDUCTIONS[how](total, array, out=into)
        divide_average(total, how, group)
        return from_mpi(x, total, fresh)

    call = Call("reduce_scatter", kind_of(x), (how,), None, sync_op)
    return Parts(group, call, store, gives, takes)


def alltoall(
    tensors: Sequence[Tensor], group: Group, *, rooms: Sequence[Tensor] = (), sync_op: bool = True
) -> Parts:
    """Gather the tensors that all ranks have for this rank."""
    gives, x = [to_mpi(each, own=not sync_op) for each in tensors], tensors[0]
    takes = allocate_parts(rooms, gives, group, sync_op)
    call = Call("alltoall", kind_of(x), (), None, sync_op)
    return Parts(group, call, lambda: collect_results(x, rooms, takes), gives, takes)
