"""Which rank this process is, and how the ranks begin and end."""

from __future__ import annotations

import atexit
import os
import sys
import time
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from importlib.util import find_spec
from types import TracebackType
from typing import Any

from .. import events
from ..engine.source_line import stacklevel
from . import errors, mpi
from .agreement import Blocked, Call, agree, finish
from .exchange import All
from .groups import GROUPS, Group, started_with
from .mpi import patience, patience_at_start
from .watch import WATCH, During


class ParallelEnv:
    """Rank of this process, as its starter says: `rank`, `world_size`, `nranks`, `local_rank`.

    Source: Paddle's `paddle.distributed.ParallelEnv`.

    >>> import minipaddle as paddle
    >>> env = paddle.distributed.ParallelEnv()
    >>> env.rank, env.world_size
    (0, 1)
    """

    def __init__(self) -> None:
        self.rank, self.world_size = started_with()
        self.nranks = self.world_size
        local = ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")  # the number on this machine
        self.local_rank = int(next(filter(None, map(os.environ.get, local)), self.rank))
        self.pg_timeout = int(patience() * 1000)  # milliseconds that a rank waits for others


def init_parallel_env() -> Group | None:
    """Begin to talk with the other ranks: the group of all of them.

    With one process it warns and does nothing. An error that nobody catches then ends all ranks.

    Errors: NotImplementedError where mpi4py is missing; RuntimeError where mpiexec belongs to
    another MPI library. Source: Paddle's `paddle.distributed.init_parallel_env`.

    >>> import minipaddle as paddle
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     paddle.distributed.init_parallel_env()  # one process
    """
    if 0 in GROUPS.known:
        return GROUPS.known[0]
    if started_with()[1] < 2:
        warnings.warn(
            "Currently not a parallel execution environment, "
            "`paddle.distributed.init_parallel_env` will not do anything.",
            stacklevel=stacklevel(),
        )
        return None
    whole = mpi.module().COMM_WORLD
    if whole.size != started_with()[1]:
        raise errors.another_mpi(started_with()[1], whole.size, mpi.library())
    LAST_WORDS.begin()
    atexit.unregister(at_exit)  # of an earlier init_parallel_env
    atexit.register(at_exit)
    call = Call("init_parallel_env")
    with During(call):
        (world, first), (carrier, second) = whole.Idup(), whole.Idup()
        group = Group(0, range(whole.size), whole.rank, world, patience_at_start())
        finish(group, call, All([first, second]))
        WATCH.begin(carrier)
        group._seconds = patience()
        GROUPS.known[0] = group
    events.stand_among((whole.rank, whole.size))
    return group


class LastWords:
    """Excepthook that shows an error, and ends all ranks, which would wait for this one."""

    def __init__(self) -> None:
        self.shows: Any = None  # the hook that was there, while this one stands before it
        self.active = False  # another hook may call this one when it should no longer act

    def begin(self) -> None:
        """Be Python's hook, if this is not so already."""
        self.active = True
        if self.shows is None:
            self.shows, sys.excepthook = sys.excepthook, self

    def end(self) -> None:
        """Give way to the hook that was there; where another one calls this, it stays."""
        self.active = False
        if sys.excepthook is self:
            sys.excepthook, self.shows = self.shows, None

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self.shows(kind, error, trace)
        sys.stderr.flush()
        if self.active:
            mpi.module().COMM_WORLD.Abort(1)


LAST_WORDS = LastWords()


# ----- what nobody has waited for ----------------------------------------------------------------

LAST_WAIT = 2.0  # seconds


def complete(groups: Iterable[Group]) -> None:
    """Wait a little for what has begun in these groups, and keep what is not done by then."""
    end = time.monotonic() + LAST_WAIT
    begun = [task._exchange.request for group in groups for task in group.begun]
    requests, mpi.LEFT[:] = [*mpi.LEFT, *begun], []
    for request in requests:
        with suppress(errors.RanksDisagree):  # a message that does not fit concerns nobody now
            if not mpi.wait(request, end - time.monotonic()):
                mpi.LEFT.append(request)


def at_exit() -> None:
    """End the thread and the tasks of this rank before Python frees the memory that they use."""
    WATCH.end()
    complete(GROUPS.known.values())
    if mpi.LEFT:
        mpi.module().Finalize()


def is_available() -> bool:
    """Return whether ranks can be started here: whether mpi4py is installed.

    Source: Paddle's `paddle.distributed.is_available`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.is_available() in (True, False)
    True
    """
    return find_spec("mpi4py") is not None


def is_initialized() -> bool:
    """Return whether `init_parallel_env` has begun.

    Source: Paddle's `paddle.distributed.is_initialized`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.is_initialized()
    False
    """
    return 0 in GROUPS.known


def get_rank(group: Group | None = None) -> int:
    """The number of this process among all, or in a group; -1 outside of that.

    Source: Paddle's `paddle.distributed.get_rank`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.get_rank()
    0
    """
    return started_with()[0] if group is None else group.rank


def get_world_size(group: Group | None = None) -> int:
    """How many processes there are, or are in a group; -1 for a process outside of that.

    Source: Paddle's `paddle.distributed.get_world_size`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.get_world_size()
    1
    """
    return started_with()[1] if group is None else group.world_size


def new_group(
    ranks: Sequence[int] | None = None,
    backend: str | None = None,  # noqa: ARG001  (MPI is all there is)
    timeout: timedelta | None = None,
) -> Group:
    """A group of these ranks, all if None; every rank must call this, members or not.

    Errors: RuntimeError before `init_parallel_env`; ValueError for a rank that is not there.
    Source: Paddle's `paddle.distributed.new_group`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.new_group([0])
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    world = GROUPS.of(None)
    chosen = sorted(set(world.ranks if ranks is None else ranks))
    strange = [rank for rank in chosen if rank not in world.ranks]
    if strange:
        raise errors.no_such_rank(strange[0], world.nranks - 1, ranks)
    inside, call = world.rank in chosen, Call("new_group", more=(tuple(chosen),))
    seconds = world._seconds if timeout is None else timeout.total_seconds()
    with During(call):
        agree(world, call, world.next_number())
        with Blocked(world, call):
            part = world._carrier.Split(0 if inside else mpi.module().UNDEFINED, world.rank)
        number, rank = GROUPS.made, chosen.index(world.rank) if inside else -1
        GROUPS.made += 1
        made = GROUPS.known[number] = Group(number, chosen, rank, part if inside else None, seconds)
    return made


def get_group(id: int = 0) -> Group | None:
    """The group of this number, None with a warning if there is none.

    Source: Paddle's `paddle.distributed.get_group`.

    >>> import minipaddle as paddle
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     paddle.distributed.get_group(7)
    """
    if id not in GROUPS.known:
        warnings.warn(f"Group {id} is not initialized.", stacklevel=stacklevel())
    return GROUPS.known.get(id)


def destroy_process_group(group: Group | None = None) -> None:
    """End a group, or all of them; after that `init_parallel_env` may begin again.

    Every rank must call this, as the ranks of a group share what carries their messages.

    Errors: RuntimeError for one that is not there, or has ended.
    Source: Paddle's `paddle.distributed.destroy_process_group`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.destroy_process_group()
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    chosen = GROUPS.of(group)
    ending = list(GROUPS.known.values()) if chosen.id == 0 else [chosen]
    call = Call("destroy_process_group")
    with During(call):
        complete(ending)
        for each in ending:
            del GROUPS.known[each.id]
            if each._carrier is not None:
                with Blocked(each, call):
                    each._carrier.Free()
        if not GROUPS.known:
            WATCH.end()
            WATCH.carrier.Free()
            events.stand_among(None)
            LAST_WORDS.end()


def get_backend(group: Group | None = None) -> str:
    """What carries the messages: "MPI".

    Source: Paddle's `paddle.distributed.get_backend`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.get_backend()
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    return GROUPS.of(group).backend
