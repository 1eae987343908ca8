"""Checks of the arguments of collectives, before any communication."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..engine.tensor import Tensor
from . import errors
from .groups import Group

OPS = ("sum", "max", "min", "prod", "avg")  # reductions, in the order of ReduceOp's numbers
ORDERED = ("max", "min")  # reductions that need ordered numbers


def describe(x: Tensor) -> str:
    """Describe the dtype and shape of a tensor: `float32 [2, 3]`."""
    return describe_kind(kind_of(x))


def kind_of(x: Tensor) -> tuple[Any, tuple[int, ...]]:
    """Return dtype and shape, which must be equal on every rank."""
    data = x._data
    return data.dtype, data.shape


@lru_cache(1024)
def describe_kind(kind: tuple[Any, tuple[int, ...]]) -> str:
    """Describe a dtype and a shape: `float32 [2, 3]`."""
    dtype, shape = kind
    return f"{dtype.name} {list(shape)}"


def check_tensor(what: str, name: str, tensor: Any) -> Tensor:
    """Return the argument; raise an error unless it is a Tensor."""
    if isinstance(tensor, Tensor):
        return tensor
    raise errors.not_a_tensor(what, name, tensor)


def reduction_name(what: str, op: Any, x: Tensor) -> str:
    """Return the name of a reduction of tensors like x, given by Paddle's number."""
    if isinstance(op, int) and op in range(len(OPS)):
        if OPS[op] in ORDERED and x._data.dtype.kind == "c":
            raise errors.without_order(what, OPS[op], describe(x))
        return OPS[op]
    raise errors.unknown_reduce_op(what, op)


def group_rank(what: str, group: Group, rank: int) -> int:
    """Return the rank in the group of a global rank; raise an error for a rank outside."""
    number = group.get_group_rank(rank)
    if number >= 0:
        return number
    raise errors.rank_outside(what, rank, group.ranks)


def check_rows(what: str, name: str, tensors: Any, group: Group, like: Tensor) -> list[Tensor]:
    """Return a list of one tensor for each rank; raise an error for one unlike `like`."""
    rows: list[Any] = list(tensors) if isinstance(tensors, (list, tuple)) else []
    if len(rows) != group.nranks:
        raise errors.number_of_tensors(what, name, len(rows), group.nranks)
    dtype, shape = kind_of(like)
    for at, row in enumerate(rows):
        data = check_tensor(what, f"{name}[{at}]", row)._data
        if data.shape != shape or data.dtype != dtype:
            raise errors.other_kind(what, f"{name}[{at}]", describe(row), describe(like))
    return rows


def check_result_list(
    what: str, name: str, tensors: Any, group: Group, like: Tensor
) -> list[Tensor]:
    """Return a list for results; raise an error unless it is empty or has a tensor per rank."""
    if not isinstance(tensors, list):
        raise errors.not_a_list(what, name, tensors)
    if tensors:
        check_rows(what, name, tensors, group, like)
    return tensors


def check_tensors(what: str, name: str, tensors: Any, group: Group) -> list[Tensor]:
    """Return a list of one tensor for each rank; raise an error if their kinds differ."""
    first = next(iter(tensors), None) if isinstance(tensors, (list, tuple)) else None
    return check_rows(what, name, tensors, group, check_tensor(what, f"{name}[0]", first))
