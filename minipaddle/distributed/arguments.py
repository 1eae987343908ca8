"""What users hand to collectives, checked before any other rank is asked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..engine.errors import InvalidArgument, InvalidType
from ..engine.tensor import Tensor
from ..messages import Message
from .groups import Group

OPS = ("sum", "max", "min", "prod", "avg")  # as the records spell them
ORDERED = ("max", "min")  # for numbers that are less or greater


def described(x: Tensor) -> str:
    """What must be the same on every rank."""
    return shown(kind_of(x))


def kind_of(x: Tensor) -> tuple[Any, tuple[int, ...]]:
    """The same before it is a text."""
    held = x._data
    return held.dtype, held.shape


@lru_cache(1024)
def shown(kind: tuple[Any, tuple[int, ...]]) -> str:
    """Dtype and shape: `float32 [2, 3]`."""
    dtype, shape = kind
    return f"{dtype.name} {list(shape)}"


def checked(what: str, name: str, tensor: Any) -> Tensor:
    """The argument, which must be a Tensor."""
    if isinstance(tensor, Tensor):
        return tensor
    raise InvalidType(
        Message(
            "{what}(): {name} must be Tensor, but got {tensor_name}.",
            what=what,
            name=name,
            tensor_name=type(tensor).__name__,
        ),
        expected=Message("a Tensor"),
        received=type(tensor).__name__,
        fix="paddle.to_tensor(...)",
    )


def joining(what: str, op: Any, x: Tensor) -> str:
    """How tensors like x are joined, by Paddle's number."""
    if isinstance(op, int) and op in range(len(OPS)):
        if OPS[op] in ORDERED and x._data.dtype.kind == "c":
            raise without_order(what, OPS[op], x)
        return OPS[op]
    raise InvalidArgument(
        Message("{what}(): Unknown reduce_op type for {op:.40}.", what=what, op=repr(op)),
        expected="ReduceOp.SUM, MAX, MIN, PROD, AVG",
        received=repr(op),
        fix="paddle.distributed.ReduceOp.SUM",
    )


def without_order(what: str, op: str, x: Tensor) -> InvalidType:
    """The error of a maximum of complex numbers."""
    return InvalidType(
        Message(
            "{what}(): complex numbers have no {op}imum.",
            what=what,
            op=op,
            value="最大值" if op == "max" else "最小值",
        ),
        expected=Message("a tensor of real numbers, or ReduceOp.SUM, PROD, AVG"),
        received=f"ReduceOp.{op.upper()}, {described(x)}",
        fix=Message("join its absolute values: x.abs()"),
    )


def inside(what: str, group: Group, rank: int) -> int:
    """The number within a group of a rank of the whole."""
    number = group.get_group_rank(rank)
    if number >= 0:
        return number
    raise InvalidArgument(
        Message("{what}(): rank {rank} is not in the group.", what=what, rank=rank),
        expected=Message("one of the ranks {ranks}", ranks=group.ranks),
        received=str(rank),
        fix=Message("name a rank of the group by its number in the whole"),
    )


def rows_of(what: str, name: str, tensors: Any, group: Group, like: Tensor) -> list[Tensor]:
    """A list of one tensor for each rank, all of the shape and dtype of another one."""
    rows: list[Any] = list(tensors) if isinstance(tensors, (list, tuple)) else []
    if len(rows) != group.nranks:
        raise InvalidArgument(
            Message(
                "{what}(): {name} has {count_of_rows} tensors for {nranks} ranks.",
                what=what,
                name=name,
                count_of_rows=len(rows),
                nranks=group.nranks,
            ),
            expected=Message("a list of {nranks} tensors", nranks=group.nranks),
            received=Message("{count_of_rows} of them", count_of_rows=len(rows)),
            fix=Message("give one tensor for each rank"),
        )
    dtype, shape = kind_of(like)
    for at, row in enumerate(rows):
        held = row._data if isinstance(row, Tensor) else None
        if held is None or held.shape != shape or held.dtype != dtype:
            raise misfit(what, f"{name}[{at}]", checked(what, f"{name}[{at}]", row), like)
    return rows


def misfit(what: str, name: str, x: Tensor, like: Tensor) -> InvalidArgument:
    """A tensor of another shape or dtype."""
    return InvalidArgument(
        Message(
            "{what}(): {name} is {described}, and not {described_2}.",
            what=what,
            name=name,
            described=described(x),
            described_2=described(like),
        ),
        expected=described(like),
        received=described(x),
        fix=Message("give tensors of one shape and dtype"),
    )


def room_in(what: str, name: str, tensors: Any, group: Group, like: Tensor) -> list[Tensor]:
    """A list that results go into: an empty one, or one with a tensor for each rank."""
    if not isinstance(tensors, list):
        raise InvalidType(
            Message(
                "{what}(): {name} must be list, but got {tensors_name}.",
                what=what,
                name=name,
                tensors_name=type(tensors).__name__,
            ),
            expected=Message("a list, which takes the results"),
            received=type(tensors).__name__,
            fix=f"{name} = []",
        )
    if tensors:
        rows_of(what, name, tensors, group, like)
    return tensors


def alike(what: str, name: str, tensors: Any, group: Group) -> list[Tensor]:
    """A list of one tensor for each rank, all of one shape and dtype."""
    first = next(iter(tensors), None) if isinstance(tensors, (list, tuple)) else None
    return rows_of(what, name, tensors, group, checked(what, f"{name}[0]", first))
