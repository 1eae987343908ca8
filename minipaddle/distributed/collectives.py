"""What all ranks of a group do together: reduce, spread and gather tensors.

Each writes its result into tensors that are there, as in Paddle. With `sync_op=False` it gives a
`Task`, whose `wait()` writes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.bilingual import Text
from ..engine.errors import InvalidArgument, InvalidType
from ..engine.tensor import Tensor
from . import mpi
from .agreement import Call
from .exchange import Exchange, Task, carried, described, landed, started, told_in_place
from .groups import Group, group_here


class ReduceOp:
    """How `all_reduce`, `reduce` and `reduce_scatter` join the tensors of the ranks.

    Source: Paddle's `paddle.distributed.ReduceOp`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.ReduceOp.SUM
    0
    """

    SUM, MAX, MIN, PROD, AVG = range(5)


OPS = ("sum", "max", "min", "prod", "avg")  # as the records spell them


# ----- arguments ---------------------------------------------------------------------------------


def checked(what: str, name: str, tensor: Any) -> Tensor:
    """The argument, which must be a Tensor."""
    if isinstance(tensor, Tensor):
        return tensor
    raise InvalidType(
        Text(
            f"{what}(): {name} must be Tensor, but got {type(tensor).__name__}.",
            f"{what}()：{name} 必须是 Tensor，却传入了 {type(tensor).__name__}。",
        ),
        expected=Text("a Tensor", "Tensor"),
        received=type(tensor).__name__,
        fix="paddle.to_tensor(...)",
    )


def joining(what: str, op: Any) -> str:
    """How tensors are joined, by Paddle's number."""
    if op in range(len(OPS)):
        return OPS[op]
    raise InvalidArgument(
        Text(f"{what}(): Unknown reduce_op type.", f"{what}()：op 不是 ReduceOp 的成员。"),
        expected="ReduceOp.SUM, MAX, MIN, PROD, AVG",
        received=repr(op),
        fix="paddle.distributed.ReduceOp.SUM",
    )


def mpi_op(op: str) -> Any:
    """What MPI calls it: an average is a sum, which is divided afterwards."""
    return getattr(mpi.module(), "SUM" if op == "avg" else op.upper())


def inside(what: str, group: Group, rank: int) -> int:
    """The number within a group of a rank of the whole."""
    number = group.get_group_rank(rank)
    if number >= 0:
        return number
    raise InvalidArgument(
        Text(
            f"{what}(): rank {rank} is not in the group.", f"{what}()：rank {rank} 不在通信组中。"
        ),
        expected=Text(f"one of the ranks {group.ranks}", f"{group.ranks} 中的一个 rank"),
        received=str(rank),
        fix=Text(
            "name a rank of the group by its number in the whole", "用全局编号指定组内的 rank"
        ),
    )


# ----- in place ----------------------------------------------------------------------------------


def all_reduce(
    tensor: Tensor,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Replace the tensor, on every rank, by the sum (or what `op` says) of those of all ranks."""
    members = group_here(group)
    if members is None:
        return None
    x, how = checked("all_reduce", "tensor", tensor), joining("all_reduce", op)
    buffer = carried(x, own=not sync_op)

    def land() -> Any:
        if how == "avg":
            np.divide(buffer, members.nranks, out=buffer, casting="unsafe")
        return landed(x, buffer)

    call = Call("all_reduce", (described(x), how), sync_op)
    exchange = Exchange(
        members, call, land, "Allreduce", mpi.module().IN_PLACE, buffer, op=mpi_op(how)
    )
    return started(exchange, lambda: told_in_place(exchange, "all_reduce", x, op=how), sync_op)


def broadcast(
    tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Replace the tensor, on every rank, by that of rank `src`."""
    members = group_here(group)
    if members is None:
        return None
    x, root = checked("broadcast", "tensor", tensor), inside("broadcast", members, src)
    buffer = carried(x, own=not sync_op)
    call = Call("broadcast", (described(x), f"src={src}"), sync_op)
    exchange = Exchange(members, call, lambda: landed(x, buffer), "Bcast", buffer, root=root)
    return started(exchange, lambda: told_in_place(exchange, "broadcast", x, src=src), sync_op)
