"""What users hand to collectives, checked before any other rank is asked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..engine.bilingual import Text
from ..engine.errors import InvalidArgument, InvalidType
from ..engine.tensor import Tensor
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
        Text(
            f"{what}(): {name} must be Tensor, but got {type(tensor).__name__}.",
            f"{what}()：{name} 必须是 Tensor，却传入了 {type(tensor).__name__}。",
        ),
        expected=Text("a Tensor", "Tensor"),
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
        Text(
            f"{what}(): Unknown reduce_op type for {op!r:.40}.",
            f"{what}()：`op` 不是 `ReduceOp` 的成员：{op!r:.40}。",
        ),
        expected="ReduceOp.SUM, MAX, MIN, PROD, AVG",
        received=repr(op),
        fix="paddle.distributed.ReduceOp.SUM",
    )


def without_order(what: str, op: str, x: Tensor) -> InvalidType:
    """The error of a maximum of complex numbers."""
    return InvalidType(
        Text(
            f"{what}(): complex numbers have no {op}imum.",
            f"{what}()：复数没有大小之分，不能取{'最大值' if op == 'max' else '最小值'}。",
        ),
        expected=Text(
            "a tensor of real numbers, or ReduceOp.SUM, PROD, AVG",
            "实数 Tensor，或 ReduceOp.SUM、ReduceOp.PROD、ReduceOp.AVG",
        ),
        received=f"ReduceOp.{op.upper()}, {described(x)}",
        fix=Text("join its absolute values: x.abs()", "改用绝对值：x.abs()"),
    )


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


def rows_of(what: str, name: str, tensors: Any, group: Group, like: Tensor) -> list[Tensor]:
    """A list of one tensor for each rank, all of the shape and dtype of another one."""
    rows: list[Any] = list(tensors) if isinstance(tensors, (list, tuple)) else []
    if len(rows) != group.nranks:
        raise InvalidArgument(
            Text(
                f"{what}(): {name} has {len(rows)} tensors for {group.nranks} ranks.",
                f"{what}()：{name} 中有 {len(rows)} 个 Tensor，而 rank 有 {group.nranks} 个。",
            ),
            expected=Text(f"a list of {group.nranks} tensors", f"{group.nranks} 个 Tensor 的列表"),
            received=Text(f"{len(rows)} of them", f"{len(rows)} 个"),
            fix=Text("give one tensor for each rank", "每个 rank 给一个 Tensor"),
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
        Text(
            f"{what}(): {name} is {described(x)}, and not {described(like)}.",
            f"{what}()：{name} 为 {described(x)}，而不是 {described(like)}。",
        ),
        expected=described(like),
        received=described(x),
        fix=Text("give tensors of one shape and dtype", "各 Tensor 的形状与数据类型须相同"),
    )


def room_in(what: str, name: str, tensors: Any, group: Group, like: Tensor) -> list[Tensor]:
    """A list that results go into: an empty one, or one with a tensor for each rank."""
    if not isinstance(tensors, list):
        raise InvalidType(
            Text(
                f"{what}(): {name} must be list, but got {type(tensors).__name__}.",
                f"{what}()：{name} 必须是 list，却传入了 {type(tensors).__name__}。",
            ),
            expected=Text("a list, which takes the results", "用来存放结果的 list"),
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
