"""Arguments of collectives, checked before any other rank is asked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..engine.tensor import Tensor
from . import errors
from .groups import Group

OPS = ("sum", "max", "min", "prod", "avg")  # as the records spell them
ORDERED = ("max", "min")  # for numbers that are less or greater


def describe(x: Tensor) -> str:
    """Describe what must be equal on every rank: dtype and shape."""
    return describe_kind(kind_of(x))


def kind_of(x: Tensor) -> tuple[Any, tuple[int, ...]]:
    """Return the dtype and the shape, which must be equal on every rank."""
    data = x._data
    return data.dtype, data.shape


@lru_cache(1024)
def describe_kind(kind: tuple[Any, tuple[int, ...]]) -> str:
    """Describe a dtype and a shape: `float32 [2, 3]`."""
    dtype, shape = kind
    return f"{dtype.name} {list(shape)}"


def check_tensor(what: str, name: str, tensor: Any) -> Tensor:
    """Return the argument, which must be a Tensor."""
    if isinstance(tensor, Tensor):
        return tensor
    raise errors.not_a_tensor(what, name, tensor)


def name_of_op(what: str, op: Any, x: Tensor) -> str:
    """Return how tensors like x are joined, by Paddle's number."""
    if isinstance(op, int) and op in range(len(OPS)):
        if OPS[op] in ORDERED and x._data.dtype.kind == "c":
            raise errors.without_order(what, OPS[op], describe(x))
        return OPS[op]
    raise errors.unknown_reduce_op(what, op)


def rank_inside(what: str, group: Group, rank: int) -> int:
    """Return the number within a group of a rank of the whole."""
    number = group.get_group_rank(rank)
    if number >= 0:
        return number
    raise errors.rank_outside(what, rank, group.ranks)


def rows_of(what: str, name: str, tensors: Any, group: Group, like: Tensor) -> list[Tensor]:
    """Return a list of one tensor for each rank, all of the shape and dtype of another one."""
    rows: list[Any] = list(tensors) if isinstance(tensors, (list, tuple)) else []
    if len(rows) != group.nranks:
        raise errors.number_of_tensors(what, name, len(rows), group.nranks)
    dtype, shape = kind_of(like)
    for at, row in enumerate(rows):
        data = check_tensor(what, f"{name}[{at}]", row)._data
        if data.shape != shape or data.dtype != dtype:
            raise errors.other_kind(what, f"{name}[{at}]", describe(row), describe(like))
    return rows


def list_for_results(
    what: str, name: str, tensors: Any, group: Group, like: Tensor
) -> list[Tensor]:
    """Return a list that results go into: empty, or with a tensor for each rank."""
    if not isinstance(tensors, list):
        raise errors.not_a_list(what, name, tensors)
    if tensors:
        rows_of(what, name, tensors, group, like)
    return tensors


def list_of_tensors(what: str, name: str, tensors: Any, group: Group) -> list[Tensor]:
    """Return a list of one tensor for each rank, all of one shape and dtype."""
    first = next(iter(tensors), None) if isinstance(tensors, (list, tuple)) else None
    return rows_of(what, name, tensors, group, check_tensor(what, f"{name}[0]", first))
