"""Agreement of the ranks of a group on each collective, before data travels.

Each call begins with a header: the number of the call, and a hash of all that must be equal on
every rank. If two headers differ, the ranks exchange what they called and on which line, and all
raise an equal error. Without headers MPI would deliver wrong numbers or wait for ever.
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
from .groups import Group, describe_kind
from .watch import WATCH


class Call(NamedTuple):
    """Collective with its arguments, which must be equal on all ranks."""

    name: str
    kind: tuple[Any, tuple[int, ...]] | None = None  # dtype and shape of its tensors
    more: tuple[Any, ...] = ()  # further arguments, such as the reduction and the root
    partner: int | None = None  # the only rank to wait for, None for the whole group
    sync_op: bool = True  # blocking and non-blocking calls of MPI do not match

    def __str__(self) -> str:
        kind = () if self.kind is None else (describe_kind(self.kind),)
        later = () if self.sync_op else ("sync_op=False",)
        return f"{self.name}({', '.join(map(str, (*kind, *self.more, *later)))})"


@lru_cache(1024)
def hash_of(call: Call) -> int:
    """Return a hash, equal for equal calls; it is cached, since calls repeat."""
    return zlib.crc32(str(call).encode())


HEADER = struct.Struct("=II")  # header: number and hash of a call
REPORT_AFTER = 10.0  # seconds after which a waiting rank reports
SWITCH = "MINIPADDLE_RANK_CHECKS"  # environment variable of all ranks: 0 sends no headers


class Checks:
    """Switch that turns headers on or off, equally on all ranks."""

    on = os.environ.get(SWITCH, "1") != "0"


def agree(group: Group, call: Call, number: int) -> None:
    """Wait until every rank of the group has begun this call.

    Errors: RanksDisagree if a rank calls something else, OthersMissing if one does not call.
    """
    if not Checks.on:
        return
    header = HEADER.pack(number % 2**32, hash_of(call))
    headers = bytearray(HEADER.size * group.nranks)
    finish(group, call, group._communicator.Iallgather(header, headers))
    if headers != header * group.nranks:
        rows = gather_bytes(group, call, f"{call} at {WATCH.place()}".encode())
        calls = [(rank, row.decode()) for rank, row in zip(group.ranks, rows, strict=True)]
        raise errors.ranks_disagree(call.name, calls)


def finish(group: Group, call: Call, request: Any) -> None:
    """Wait until a request of this call is done; report a long wait, raise after the timeout."""
    try:
        if mpi.is_done_soon(request):
            return
        brief = min(REPORT_AFTER, group._timeout)
        if mpi.wait(request, brief):
            return
        if brief < group._timeout:
            report_waiting(group, call)
            if mpi.wait(request, group._timeout - brief):
                return
        raise timeout_error(group, call)
    except BaseException:
        mpi.ABANDONED.append(request)
        raise


class Blocked:
    """Block in which MPI waits for other ranks and no error of Python can interrupt it.

    The thread of the watch reports a long wait, and ends the rank with an error after the timeout.
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
        """Report a long wait once; end the rank after the timeout."""
        waited = time.monotonic() - self.begin
        if waited > self.group._timeout:
            WATCH.fail(timeout_error(self.group, self.call))
        elif waited > REPORT_AFTER and not self.reported:
            self.reported = True
            report_waiting(self.group, self.call)


def gather_bytes(group: Group, call: Call, data: bytes) -> list[bytes]:
    """Return the bytes of each rank of the group; the ranks have agreed on this call."""
    sizes = np.empty(group.nranks, np.int64)
    size = np.array([len(data)], np.int64)
    finish(group, call, group._communicator.Iallgather(size, sizes))
    ends = list(accumulate(sizes.tolist()))
    begins, room = [0, *ends[:-1]], bytearray(ends[-1])
    into = [room, (sizes.tolist(), begins), mpi.module().BYTE]
    finish(group, call, group._communicator.Iallgatherv(data, into))
    return [bytes(room[begin:end]) for begin, end in zip(begins, ends, strict=True)]


def report_waiting(group: Group, call: Call) -> None:
    """Print where this rank waits, and what the others do."""
    here = group.get_global_rank(group.rank)
    waits = f"rank {here} has waited {REPORT_AFTER:g} s in {call} at {WATCH.place()}"
    print(f"{waits}; {describe_activities(group, call)}", file=sys.stderr, flush=True)


def describe_activities(group: Group, call: Call) -> Message:
    """Describe what the other ranks, for which this call waits, are doing."""
    here = group.get_global_rank(group.rank)
    others = [rank for rank in group.ranks if rank != here]
    answers = WATCH.ask(others if call.partner is None else [call.partner])
    rows = [Message("rank {rank} {activity}", rank=n, activity=a) for n, a in answers.items()]
    return Row(rows, CLAUSES).message()


def timeout_error(group: Group, call: Call) -> errors.OthersMissing:
    """Make the error of a rank that has waited too long; it says what the others do."""
    return errors.others_missing(
        call, group._timeout, describe_activities(group, call), WATCH.place()
    )
