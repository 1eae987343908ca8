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
from .arguments import alike, check_tensor, inside, joining, room_in, rows_of
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
    how = joining("all_reduce", op, x)
    exchange = requests.reducing(x, how, members, sync_op=sync_op)
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
    how = joining("reduce", op, x)
    exchange = requests.reducing_to(x, dst, how, members, sync_op=sync_op)
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
    exchange = requests.broadcasting(x, src, members, sync_op=sync_op)
    return start_task(exchange, lambda: perform_in_place(exchange, "broadcast", x, src=src))


def unheard(tensors: list[Tensor]) -> Sequence[Tensor]:
    """Tensors whose memory may be filled at once, as nobody is to be told what came first."""
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
    exchange, given = requests.scattering(
        x, tensor_list, src, members, sync_op=sync_op, fresh=modes.gate_open
    )
    name, attrs = "dist_scatter", {"src": src}
    return start_task(exchange, lambda: perform_into(exchange, name, x, given, **attrs))


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
    here = members.rank == inside("gather", members, dst)
    room = room_in("gather", "gather_list", gather_list, members, x) if here else []
    exchange = requests.gathering_to(x, dst, members, rooms=unheard(room), sync_op=sync_op)
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
    room = room_in("all_gather", "tensor_list", tensor_list, members, x)
    exchange = requests.gathering(x, members, rooms=unheard(room), sync_op=sync_op)
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
    how = joining("reduce_scatter", op, x)
    given = rows_of("reduce_scatter", "tensor_list", tensor_list, members, x)
    exchange = requests.reduce_scattering(
        x, given, how, members, sync_op=sync_op, fresh=modes.gate_open
    )
    name, attrs = "reduce_scatter", {"op": how}
    return start_task(exchange, lambda: perform_into(exchange, name, x, given, **attrs))


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
    given = alike("alltoall", "in_tensor_list", in_tensor_list, members)
    room = room_in("alltoall", "out_tensor_list", out_tensor_list, members, given[0])
    exchange = requests.transposing(given, members, rooms=unheard(room), sync_op=sync_op)
    return start_task(exchange, lambda: perform_into(exchange, "alltoall", room, given))


# ----- without tensors ---------------------------------------------------------------------------


def barrier(group: Group | None = None) -> None:
    """Wait until every rank of the group has come here.

    Source: Paddle's `paddle.distributed.barrier`; errors as of `all_reduce`.
    """
    members = group_here(group)
    if members is not None:
        perform(Collective(members, Call("barrier"), list, "Barrier"), "barrier")
