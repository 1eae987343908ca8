"""Collectives of a group: reduce, distribute and gather tensors.

Each writes its result into existing tensors, as in Paddle. With `sync_op=False` it returns a
`Task`, whose `wait()` writes the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import modes
from ..engine.tensor import Tensor
from . import requests
from .agreement import Call
from .exchange import Collective, Task, perform, perform_in_place, perform_into, start_task
from .groups import (
    Group,
    check_result_list,
    check_rows,
    check_tensor,
    check_tensors,
    group_here,
    group_rank,
    reduction_name,
)


class ReduceOp:
    """Reductions of `all_reduce`, `reduce` and `reduce_scatter`.

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
    """Replace the tensor, on every rank, by the sum (or another `op`) of the tensors of all ranks.

    Backward passes the gradient on unchanged, as in Paddle: it is the gradient of this rank's loss
    alone. `paddle.distributed.functional.all_reduce` has that of all ranks' losses.

    Shapes and dtypes must be equal on all ranks.
    Errors: RuntimeError before `init_parallel_env`, or if ranks call different things; TypeError
    for anything but a Tensor; ValueError for an unknown op.
    Source: Paddle's `paddle.distributed.all_reduce`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.all_reduce(paddle.ones([2]))  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("all_reduce", "tensor", tensor)
    how = reduction_name("all_reduce", op, x)
    exchange = requests.all_reduce(x, how, members, sync_op=sync_op)
    return start_task(exchange, lambda: perform_in_place(exchange, "all_reduce", x, op=how))


def reduce(
    tensor: Tensor,
    dst: int,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Reduce the tensors as `all_reduce` does, on rank `dst` alone; others keep theirs.

    Source: Paddle's `paddle.distributed.reduce`; gradients, shapes and errors as of `all_reduce`,
    and ValueError for a rank that is not in the group.
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("reduce", "tensor", tensor)
    how = reduction_name("reduce", op, x)
    exchange = requests.reduce(x, dst, how, members, sync_op=sync_op)
    attrs = {"op": how, "dst": dst}
    return start_task(exchange, lambda: perform_in_place(exchange, "reduce", x, **attrs))


def broadcast(
    tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Replace the tensor, on every rank, by the tensor of rank `src`.

    Source: Paddle's `paddle.distributed.broadcast`; gradients, shapes and errors as of
    `all_reduce`, and ValueError for a rank that is not in the group.
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("broadcast", "tensor", tensor)
    exchange = requests.broadcast(x, src, members, sync_op=sync_op)
    return start_task(exchange, lambda: perform_in_place(exchange, "broadcast", x, src=src))


def direct_targets(tensors: list[Tensor]) -> Sequence[Tensor]:
    """Return the tensors that MPI may write into directly: none while ops are recorded."""
    return () if modes.gate_open else tensors


# ----- from one tensor to many, and back ---------------------------------------------------------


def scatter(
    tensor: Tensor,
    tensor_list: Sequence[Tensor] | None = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Send each rank one tensor of the list of rank `src`, whose values replace those of `tensor`.

    `tensor` keeps its history, as in Paddle.

    Shapes and dtypes must be equal everywhere.
    Source: Paddle's `paddle.distributed.scatter`; errors as of `broadcast`.
    """
    if (members := group_here(group)) is None:
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

    No gradient flows back from the tensors in the list, as in Paddle.

    Shapes and dtypes must be equal on all ranks.
    Source: Paddle's `paddle.distributed.gather`; errors as of `broadcast`.
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("gather", "tensor", tensor)
    here = members.rank == group_rank("gather", members, dst)
    room = check_result_list("gather", "gather_list", gather_list, members, x) if here else []
    exchange = requests.gather(x, dst, members, rooms=direct_targets(room), sync_op=sync_op)
    name, attrs = "dist_gather", {"dst": dst}
    return start_task(exchange, lambda: perform_into(exchange, name, room, x, **attrs))


def all_gather(
    tensor_list: list[Tensor], tensor: Tensor, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Put the tensors of all ranks into the list, which is empty or has one for each rank.

    No gradient flows back from the tensors in the list, as in Paddle; it does from the results of
    `paddle.distributed.functional.all_gather`.

    Shapes and dtypes must be equal on all ranks.
    Source: Paddle's `paddle.distributed.all_gather`; errors as of `all_reduce`.
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("all_gather", "tensor", tensor)
    room = check_result_list("all_gather", "tensor_list", tensor_list, members, x)
    exchange = requests.all_gather(x, members, rooms=direct_targets(room), sync_op=sync_op)
    return start_task(exchange, lambda: perform_into(exchange, "all_gather", room, x))


# ----- from many tensors to many -----------------------------------------------------------------


def reduce_scatter(
    tensor: Tensor,
    tensor_list: Sequence[Tensor],
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Put the sum (or another `op`) of all ranks' tensors for this rank into `tensor`.

    `tensor` keeps its history.

    Shapes and dtypes must be equal everywhere.
    Source: Paddle's `paddle.distributed.reduce_scatter`; errors as of `all_reduce`.
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("reduce_scatter", "tensor", tensor)
    how = reduction_name("reduce_scatter", op, x)
    tensors = check_rows("reduce_scatter", "tensor_list", tensor_list, members, x)
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
    """Send tensor r of each rank's list to rank r, into a list that is empty or has one for each.

    Shapes and dtypes must be equal everywhere.
    Source: Paddle's `paddle.distributed.alltoall`; errors as of `all_reduce`.
    """
    if (members := group_here(group)) is None:
        return None
    tensors = check_tensors("alltoall", "in_tensor_list", in_tensor_list, members)
    room = check_result_list("alltoall", "out_tensor_list", out_tensor_list, members, tensors[0])
    exchange = requests.alltoall(tensors, members, rooms=direct_targets(room), sync_op=sync_op)
    return start_task(exchange, lambda: perform_into(exchange, "alltoall", room, tensors))


# ----- without tensors ---------------------------------------------------------------------------


def barrier(group: Group | None = None) -> None:
    """Wait until every rank of the group has called this.

    Source: Paddle's `paddle.distributed.barrier`; errors as of `all_reduce`.
    """
    if (members := group_here(group)) is not None:
        perform(Collective(members, Call("barrier"), list, "Barrier"), "barrier")
