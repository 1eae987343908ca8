"""Groups of ranks that communicate, among them the group of all ranks."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from ..engine import modes
from ..engine.source_line import stacklevel
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
