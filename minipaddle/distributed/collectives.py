"""Collectives of a group: reduce, spread and gather tensors.

Each writes its result into tensors that are there, as in Paddle. With `sync_op=False` it gives a
`Task`, whose `wait()` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import modes
from ..engine.tensor import Tensor
from . import requests
from .agreement import Call
from .arguments import (
    check_tensor,
    list_for_results,
    list_of_tensors,
    name_of_op,
    rank_inside,
    rows_of,
)
from .exchange import Collective, Task, perform, perform_in_place, perform_into, start_task
from .groups import Group, group_here


class ReduceOp:
    """How `all_reduce`, `reduce` and `reduce_scatter` join the tensors of the ranks.

    Source: Paddle's `paddle.distributed.ReduceOp`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.ReduceOp.SUM
    0
    """

    SUM, MAX, MIN, PROD, AVG = range(5)


# ----- in the memory of a tensor -----------------------------------------------------------------


def all_reduce(
    tensor: Tensor, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Replace the tensor, on every rank, by the sum (or what `op` says) of those of all ranks.

    In a graph the gradient goes on as it is, as in Paddle: that of this rank's loss alone. That of
    all ranks' losses is in `paddle.distributed.functional.all_reduce`.

    Shapes and dtypes must be the same on all ranks.
    Errors: RuntimeError before `init_parallel_env`, or where ranks do not call the same;
    TypeError for anything but a Tensor; ValueError for an unknown op.
    Source: Paddle's `paddle.distributed.all_reduce`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.all_reduce(paddle.ones([2]))  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("all_reduce", "tensor", tensor)
    how = name_of_op("all_reduce", op, x)
    exchange = requests.all_reduce(x, how, members, sync_op=sync_op)
    return start_task(exchange, lambda: perform_in_place(exchange, "all_reduce", x, op=how))


def reduce(
    tensor: Tensor,
    dst: int,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Join the tensors on rank `dst` alone, as `all_reduce` does; elsewhere they stay as they are.

    Source: Paddle's `paddle.distributed.reduce`; gradients, shapes and errors as of `all_reduce`,
    and ValueError for a rank that is not in the group.
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("reduce", "tensor", tensor)
    how = name_of_op("reduce", op, x)
    exchange = requests.reduce(x, dst, how, members, sync_op=sync_op)
    attrs = {"op": how, "dst": dst}
    return start_task(exchange, lambda: perform_in_place(exchange, "reduce", x, **attrs))


def broadcast(
    tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Replace the tensor, on every rank, by that of rank `src`.

    Source: Paddle's `paddle.distributed.broadcast`; gradients, shapes and errors as of
    `all_reduce`, and ValueError for a rank that is not in the group.
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("broadcast", "tensor", tensor)
    exchange = requests.broadcast(x, src, members, sync_op=sync_op)
    return start_task(exchange, lambda: perform_in_place(exchange, "broadcast", x, src=src))


def fillable(tensors: list[Tensor]) -> Sequence[Tensor]:
    """Return tensors whose memory may be filled at once; none while somebody records."""
    return () if modes.gate_open else tensors


# ----- from one tensor to many, and back ---------------------------------------------------------


def scatter(
    tensor: Tensor,
    tensor_list: Sequence[Tensor] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Rank `src` gives each rank, itself too, one tensor of its list: its values for `tensor`.

    The history of `tensor` stays as it was, as in Paddle.

    Shapes and dtypes must be the same everywhere.
    Source: Paddle's `paddle.distributed.scatter`; errors as of `broadcast`.
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("scatter", "tensor", tensor)
    exchange, tensors = requests.scatter(
        x, tensor_list, src, members, sync_op=sync_op, fresh=modes.gate_open
    )
    name, attrs = "dist_scatter", {"src": src}
    return start_task(exchange, lambda: perform_into(exchange, name, x, tensors, **attrs))


def gather(
    tensor: Tensor,
    gather_list: list[Tensor] | None = None,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Put the tensors of all ranks into the list of rank `dst`, empty or with one for each rank.

    No gradient comes back from what is in the list, as in Paddle.

    Shapes and dtypes must be the same on all ranks.
    Source: Paddle's `paddle.distributed.gather`; errors as of `broadcast`.
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("gather", "tensor", tensor)
    here = members.rank == rank_inside("gather", members, dst)
    room = list_for_results("gather", "gather_list", gather_list, members, x) if here else []
    exchange = requests.gather(x, dst, members, rooms=fillable(room), sync_op=sync_op)
    name, attrs = "dist_gather", {"dst": dst}
    return start_task(exchange, lambda: perform_into(exchange, name, room, x, **attrs))


def all_gather(
    tensor_list: list[Tensor], tensor: Tensor, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Put the tensors of all ranks into the list, which is empty or has one for each rank.

    No gradient comes back from what is in the list, as in Paddle; it does from the results of
    `paddle.distributed.functional.all_gather`.

    Shapes and dtypes must be the same on all ranks.
    Source: Paddle's `paddle.distributed.all_gather`; errors as of `all_reduce`.
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("all_gather", "tensor", tensor)
    room = list_for_results("all_gather", "tensor_list", tensor_list, members, x)
    exchange = requests.all_gather(x, members, rooms=fillable(room), sync_op=sync_op)
    return start_task(exchange, lambda: perform_into(exchange, "all_gather", room, x))


# ----- from many tensors to many -----------------------------------------------------------------


def reduce_scatter(
    tensor: Tensor,
    tensor_list: Sequence[Tensor],
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Let `tensor` have the sum (or what `op` says) of what all ranks have for this one.

    The history of `tensor` stays as it was.

    Shapes and dtypes must be the same everywhere.
    Source: Paddle's `paddle.distributed.reduce_scatter`; errors as of `all_reduce`.
    """
    members = group_here(group)
    if members is None:
        return None
    x = check_tensor("reduce_scatter", "tensor", tensor)
    how = name_of_op("reduce_scatter", op, x)
    tensors = rows_of("reduce_scatter", "tensor_list", tensor_list, members, x)
    exchange = requests.reduce_scatter(
        x, tensors, how, members, sync_op=sync_op, fresh=modes.gate_open
    )
    name, attrs = "reduce_scatter", {"op": how}
    return start_task(exchange, lambda: perform_into(exchange, name, x, tensors, **attrs))


def alltoall(
    out_tensor_list: list[Tensor],
    in_tensor_list: Sequence[Tensor],
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Rank r gets, from every rank, number r of its list: into a list, empty or with one for each.

    Shapes and dtypes must be the same everywhere.
    Source: Paddle's `paddle.distributed.alltoall`; errors as of `all_reduce`.
    """
    members = group_here(group)
    if members is None:
        return None
    tensors = list_of_tensors("alltoall", "in_tensor_list", in_tensor_list, members)
    room = list_for_results("alltoall", "out_tensor_list", out_tensor_list, members, tensors[0])
    exchange = requests.alltoall(tensors, members, rooms=fillable(room), sync_op=sync_op)
    return start_task(exchange, lambda: perform_into(exchange, "alltoall", room, tensors))


# ----- without tensors ---------------------------------------------------------------------------


def barrier(group: Group | None = None) -> None:
    """Wait until every rank of the group has come here.

    Source: Paddle's `paddle.distributed.barrier`; errors as of `all_reduce`.
    """
    members = group_here(group)
    if members is not None:
        perform(Collective(members, Call("barrier"), list, "Barrier"), "barrier")
