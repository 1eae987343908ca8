"""Groups of ranks that talk to each other, and the one of all ranks."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from ..engine import modes
from ..engine.source_line import stacklevel
from . import errors

FIRST_NUMBER = 10  # of groups that users make, as in Paddle
# How starters of MPI programs tell a process its rank and how many there are.
STARTERS = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),  # Open MPI
    ("PMI_RANK", "PMI_SIZE"),  # MPICH and Intel MPI
)


class Group:
    """Some ranks, in their order; made by `new_group`, the one of all by `init_parallel_env`.

    `ranks` are numbers in the whole, `rank` is this process's own number inside, -1 outside.

    Source: Paddle's `paddle.distributed.new_group`.

    >>> import minipaddle as paddle
    >>> str(paddle.distributed.Group(0, [0, 1], 1, None, 60.0))
    'rank: 1, nranks: 2, id: 0, ranks: 0, 1; name: _default_pg'
    """

    def __init__(
        self, number: int, ranks: Sequence[int], rank: int, carrier: Any, seconds: float
    ) -> None:
        self.id, self.ranks, self.rank, self.nranks = number, list(ranks), rank, len(ranks)
        self.world_size = self.nranks if rank >= 0 else -1
        self.name, self.backend = f"_default_pg{number or ''}", "MPI"
        self._carrier = carrier  # an MPI communicator of these ranks alone
        self._seconds = seconds
        # To whom parts go, and from whom they come, one after the other: no two send to one.
        steps, count = range(1, self.nranks), self.nranks
        self.others = [((rank + step) % count, (rank - step) % count) for step in steps]
        self._calls: dict[Any, int] = {}
        self.begun: list[Any] = []  # tasks for whose end nobody has waited yet

    def next_number(self, *route: Any) -> int:
        """Count calls from 1: collectives, or messages to or from one rank."""
        self._calls[route] = number = self._calls.get(route, 0) + 1
        return number

    def is_member(self) -> bool:
        """Return whether this process is one of them."""
        return self.rank >= 0

    def get_group_rank(self, rank: int) -> int:
        """Return the number inside of a rank of the whole; -1 for one that is not in the group."""
        return self.ranks.index(rank) if rank in self.ranks else -1

    def get_global_rank(self, rank: int) -> int:
        """Return the number in the whole of a rank inside."""
        return self.ranks[rank]

    def __str__(self) -> str:
        ranks = ", ".join(map(str, self.ranks))
        return (
            f"rank: {self.rank}, nranks: {self.nranks}, id: {self.id}, "
            f"ranks: {ranks}; name: {self.name}"
        )

    __repr__ = __str__


class Groups:
    """The groups of this process, by number; 0 is that of all ranks."""

    def __init__(self) -> None:
        self.known: dict[int, Group] = {}
        self.made = FIRST_NUMBER

    def of(self, group: Group | None) -> Group:
        """Return the group that an argument means, which must not have ended."""
        if group is not None and not isinstance(group, Group):
            raise errors.not_a_group(group)
        found = self.known.get(0 if group is None else group.id)
        if found is None or group not in (None, found):
            raise errors.not_begun() if group is None else errors.group_has_ended(group.name)
        return found


GROUPS = Groups()


def group_here(group: Group | None) -> Group | None:
    """Return the group that an argument means; None, with a warning, where this rank is outside.

    Errors: RuntimeError where there is none, or in static mode; TypeError for anything else.
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


def started_with() -> tuple[int, int]:
    """Return this process's rank and how many there are, as its starter says, without MPI."""
    for rank, size in STARTERS:
        if rank in os.environ and size in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1
