"""Before data travels, the ranks of a group agree on what they are about to do.

Each call of a collective begins with a header: how many calls there were before it, and what must
be the same everywhere. Where two headers differ, every rank learns what each of them called, and
on which line, and all raise the same error. MPI itself would deliver wrong numbers, or wait for
ever.
"""

from __future__ import annotations

import os
import struct
import sys
import time
import zlib
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from ..messages import CLAUSES, Message, Row
from . import errors, mpi
from .arguments import describe_kind
from .groups import Group
from .watch import WATCH


class Call(NamedTuple):
    """A collective that a rank is about to do; nothing of it may differ between ranks."""

    name: str
    kind: tuple[Any, tuple[int, ...]] | None = None  # dtype and shape of its tensors
    more: tuple[Any, ...] = ()  # how to join, a root: words or numbers
    partner: int | None = None  # the one rank that is waited for; all of the group otherwise
    sync_op: bool = True  # whether it is done at once: MPI must be asked in one way by all

    def __str__(self) -> str:
        kind = () if self.kind is None else (describe_kind(self.kind),)
        later = () if self.sync_op else ("sync_op=False",)
        return f"{self.name}({', '.join(map(str, (*kind, *self.more, *later)))})"


@lru_cache(1024)
def number_of(call: Call) -> int:
    """Return a number that is equal where the calls are; texts take long, and calls repeat."""
    return zlib.crc32(str(call).encode())


HEADER = struct.Struct("=II")  # the number of a call, and that of its kind
SILENT = 10.0  # seconds that a rank waits before it says so
SWITCH = "MINIPADDLE_RANK_CHECKS"  # in the environment of all ranks: 0 sends no headers


class Checks:
    """Switch of the exchange of headers, equal on all ranks."""

    on = os.environ.get(SWITCH, "1") != "0"


def agree(group: Group, call: Call, number: int) -> None:
    """Wait until every rank of the group is about to do this call.

    Errors: RanksDisagree where one does something else, OthersMissing where one does not come.
    """
    if not Checks.on:
        return
    header = HEADER.pack(number % 2**32, number_of(call))
    headers = bytearray(HEADER.size * group.nranks)
    finish(group, call, group._carrier.Iallgather(header, headers))
    if headers != header * group.nranks:
        rows = gather_bytes(group, call, f"{call} at {WATCH.place()}".encode())
        calls = [(rank, row.decode()) for rank, row in zip(group.ranks, rows, strict=True)]
        raise errors.ranks_disagree(call.name, calls)


def finish(group: Group, call: Call, request: Any) -> None:
    """Wait until a request of this call is done; what takes long is told, too long is an error."""
    try:
        if mpi.soon(request):
            return
        silent = min(SILENT, group._seconds)
        if mpi.wait(request, silent):
            return
        if silent < group._seconds:
            report_waiting(group, call)
            if mpi.wait(request, group._seconds - silent):
                return
        raise missing(group, call)
    except BaseException:
        mpi.LEFT.append(request)
        raise


class Blocked:
    """A block in which MPI waits for other ranks, and lets no error of Python interrupt it.

    The thread of the watch tells what takes long; where it takes too long, that thread ends the
    rank with the error.
    """

    __slots__ = ("begin", "call", "group", "reported")

    def __init__(self, group: Group, call: Call) -> None:
        self.group, self.call = group, call
        self.begin, self.reported = time.monotonic(), False

    def __enter__(self) -> None:
        WATCH.blocked = self

    def __exit__(self, *_error: object) -> None:
        WATCH.blocked = None

    def look(self) -> None:
        """Tell that it takes long, once, or end the rank."""
        waited = time.monotonic() - self.begin
        if waited > self.group._seconds:
            WATCH.fail(missing(self.group, self.call))
        elif waited > SILENT and not self.reported:
            self.reported = True
            report_waiting(self.group, self.call)


def gather_bytes(group: Group, call: Call, data: bytes) -> list[bytes]:
    """Return the bytes of all ranks of the group, which have agreed that they will come here."""
    sizes = np.empty(group.nranks, np.int64)
    size = np.array([len(data)], np.int64)
    finish(group, call, group._carrier.Iallgather(size, sizes))
    ends = list(accumulate(sizes.tolist()))
    begins, room = [0, *ends[:-1]], bytearray(ends[-1])
    into = [room, (sizes.tolist(), begins), mpi.module().BYTE]
    finish(group, call, group._carrier.Iallgatherv(data, into))
    return [bytes(room[begin:end]) for begin, end in zip(begins, ends, strict=True)]


def report_waiting(group: Group, call: Call) -> None:
    """Let the user know who waits where, and for whom."""
    here = group.get_global_rank(group.rank)
    waits = f"rank {here} has waited {SILENT:g} s in {call} at {WATCH.place()}"
    print(f"{waits}; {activities(group, call)}", file=sys.stderr, flush=True)


def activities(group: Group, call: Call) -> Message:
    """Return what the ranks do that this call waits for."""
    here = group.get_global_rank(group.rank)
    others = [rank for rank in group.ranks if rank != here]
    answers = WATCH.ask(others if call.partner is None else [call.partner])
    rows = [Message("rank {rank} {activity}", rank=n, activity=a) for n, a in answers.items()]
    return Row(rows, CLAUSES).message()


def missing(group: Group, call: Call) -> errors.OthersMissing:
    """Make the error of a rank that has waited too long, with what the others do."""
    return errors.others_missing(call, group._seconds, activities(group, call), WATCH.place())
