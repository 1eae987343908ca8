"""Groups of ranks that communicate, among them the group of all ranks."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ..engine import modes
from ..engine.source_line import stacklevel
from ..engine.tensor import Tensor
from . import errors

FIRST_NUMBER = 10  # number of the first group that a user makes, as in Paddle
# Environment variables in which launchers of MPI programs pass rank and number of ranks.
LAUNCHERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),  # Open MPI
    ("PMI_RANK", "PMI_SIZE"),  # MPICH and Intel MPI
)


class Group:
    """Group of ranks in order; `new_group` makes it, `init_parallel_env` the group of all ranks.

    `ranks` are global ranks; `rank` is the rank of this process in the group, -1 outside.

    Source: Paddle's `paddle.distributed.new_group`.

    >>> import minipaddle as paddle
    >>> str(paddle.distributed.Group(0, [0, 1], 1, None, 60.0))
    'rank: 1, nranks: 2, id: 0, ranks: 0, 1; name: _default_pg'
    """

    def __init__(
        self, number: int, ranks: Sequence[int], rank: int, communicator: Any, timeout: float
    ) -> None:
        self.id, self.ranks, self.rank, self.nranks = number, list(ranks), rank, len(ranks)
        self.world_size = self.nranks if rank >= 0 else -1
        self.name, self.backend = f"_default_pg{number or ''}", "MPI"
        self._communicator = communicator  # MPI communicator of these ranks alone
        self._timeout = timeout  # seconds that a call may wait
        # Receiver and sender of each step of an exchange: no two ranks send to one rank at a time.
        steps, count = range(1, self.nranks), self.nranks
        self.others = [((rank + step) % count, (rank - step) % count) for step in steps]
        self._calls: dict[Any, int] = {}
        self.begun: list[Any] = []  # tasks that are not complete

    def next_number(self, *route: Any) -> int:
        """Return the next call's number on a route: collectives, or messages with a rank."""
        self._calls[route] = number = self._calls.get(route, 0) + 1
        return number

    def is_member(self) -> bool:
        """Return whether this process belongs to the group."""
        return self.rank >= 0

    def get_group_rank(self, rank: int) -> int:
        """Return the rank in the group of a global rank, -1 outside."""
        return self.ranks.index(rank) if rank in self.ranks else -1

    def get_global_rank(self, rank: int) -> int:
        """Return the global rank of a rank in the group."""
        return self.ranks[rank]

    def __str__(self) -> str:
        ranks = ", ".join(map(str, self.ranks))
        return (
            f"rank: {self.rank}, nranks: {self.nranks}, id: {self.id}, "
            f"ranks: {ranks}; name: {self.name}"
        )

    __repr__ = __str__


class Groups:
    """Groups of this process by number; number 0 is the group of all ranks."""

    def __init__(self) -> None:
        self.known: dict[int, Group] = {}
        self.made = FIRST_NUMBER

    def of(self, group: Group | None) -> Group:
        """Return `group`, or for None the group of all ranks; raise an error for an ended group."""
        if group is not None and not isinstance(group, Group):
            raise errors.not_a_group(group)
        found = self.known.get(0 if group is None else group.id)
        if found is None or group not in (None, found):
            raise errors.not_begun() if group is None else errors.group_has_ended(group.name)
        return found


GROUPS = Groups()


def group_here(group: Group | None) -> Group | None:
    """Return the argument `group`, or None, with a warning, if this rank is outside.

    Errors: RuntimeError without such a group, or in static mode; TypeError for another type.
    """
    found = GROUPS.of(group)
    if modes.is_static():
        raise errors.static_mode()
    if found.is_member():
        return found
    rank = GROUPS.of(None).rank
    warnings.warn(
        f"Current global rank {rank} is not in group {found.name}", stacklevel=stacklevel()
    )
    return None


def rank_and_size() -> tuple[int, int]:
    """Return the rank of this process and the number of ranks, from the environment."""
    for rank, size in LAUNCHERS:
        if rank in os.environ and size in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


# ----- arguments of collectives ------------------------------------------------------------------


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
