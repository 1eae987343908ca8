"""Rank of this process, and start and end of communication between ranks."""

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
from .exchange import AllRequests
from .groups import GROUPS, Group, rank_and_size
from .watch import WATCH, InCall


class ParallelEnv:
    """Rank of this process, from its launcher: `rank`, `world_size`, `nranks`, `local_rank`.

    Source: Paddle's `paddle.distributed.ParallelEnv`.

    >>> import minipaddle as paddle
    >>> env = paddle.distributed.ParallelEnv()
    >>> env.rank, env.world_size
    (0, 1)
    """

    def __init__(self) -> None:
        self.rank, self.world_size = rank_and_size()
        self.nranks = self.world_size
        local = ("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")  # rank on this machine
        self.local_rank = int(next(filter(None, map(os.environ.get, local)), self.rank))
        self.pg_timeout = int(mpi.timeout() * 1000)  # timeout in milliseconds


def init_parallel_env() -> Group | None:
    """Start to communicate with the other ranks; return the group of all ranks.

    With one process it warns and does nothing. From then on an uncaught error ends all ranks.

    Errors: NotImplementedError without mpi4py; RuntimeError if mpiexec belongs to another MPI
    library. Source: Paddle's `paddle.distributed.init_parallel_env`.

    >>> import minipaddle as paddle
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     paddle.distributed.init_parallel_env()  # one process
    """
    if 0 in GROUPS.known:
        return GROUPS.known[0]
    if rank_and_size()[1] < 2:
        warnings.warn(
            "Currently not a parallel execution environment, "
            "`paddle.distributed.init_parallel_env` will not do anything.",
            stacklevel=stacklevel(),
        )
        return None
    whole = mpi.module().COMM_WORLD
    if whole.size != rank_and_size()[1]:
        raise errors.another_mpi(rank_and_size()[1], whole.size, mpi.library())
    ABORT_ON_ERROR.begin()
    atexit.unregister(shut_down)  # handler of an earlier init_parallel_env
    atexit.register(shut_down)
    call = Call("init_parallel_env")
    with InCall(call):
        (world, first), (watch, second) = whole.Idup(), whole.Idup()
        group = Group(0, range(whole.size), whole.rank, world, mpi.start_timeout())
        finish(group, call, AllRequests([first, second]))
        WATCH.begin(watch)
        group._timeout = mpi.timeout()
        GROUPS.known[0] = group
    events.stand_among((whole.rank, whole.size))
    return group


class AbortOnError:
    """Excepthook that shows an error and ends all ranks, which would wait for this one."""

    def __init__(self) -> None:
        self.hook: Any = None  # the previous hook while this one is installed
        self.active = False  # another hook may still call this one after `end`

    def begin(self) -> None:
        """Install this hook, unless it is installed."""
        self.active = True
        if self.hook is None:
            self.hook, sys.excepthook = sys.excepthook, self

    def end(self) -> None:
        """Restore the previous hook, unless another hook has been installed since."""
        self.active = False
        if sys.excepthook is self:
            sys.excepthook, self.hook = self.hook, None

    def __call__(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self.hook(kind, error, trace)
        sys.stderr.flush()
        if self.active:
            mpi.module().COMM_WORLD.Abort(1)


ABORT_ON_ERROR = AbortOnError()


# ----- incomplete tasks --------------------------------------------------------------------------

END_TIMEOUT = 2.0  # seconds to wait for unfinished tasks at the end


def wait_for_tasks(groups: Iterable[Group]) -> None:
    """Wait briefly for the tasks of these groups; keep the requests that are not done by then."""
    end = time.monotonic() + END_TIMEOUT
    begun = [task._exchange.request for group in groups for task in group.begun]
    requests, mpi.ABANDONED[:] = [*mpi.ABANDONED, *begun], []
    for request in requests:
        with suppress(errors.RanksDisagree):  # the task's message is not needed any more
            if not mpi.wait(request, end - time.monotonic()):
                mpi.ABANDONED.append(request)


def shut_down() -> None:
    """End the watch and the tasks of this rank before Python frees the memory that they use."""
    WATCH.end()
    wait_for_tasks(GROUPS.known.values())
    if mpi.ABANDONED:
        mpi.module().Finalize()


def is_available() -> bool:
    """Return whether mpi4py is installed, which many ranks need.

    Source: Paddle's `paddle.distributed.is_available`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.is_available() in (True, False)
    True
    """
    return find_spec("mpi4py") is not None


def is_initialized() -> bool:
    """Return whether `init_parallel_env` has been called.

    Source: Paddle's `paddle.distributed.is_initialized`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.is_initialized()
    False
    """
    return 0 in GROUPS.known


def get_rank(group: Group | None = None) -> int:
    """Return the rank of this process, globally or in a group, where -1 means outside.

    Source: Paddle's `paddle.distributed.get_rank`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.get_rank()
    0
    """
    return rank_and_size()[0] if group is None else group.rank


def get_world_size(group: Group | None = None) -> int:
    """Return the number of ranks, in all or in a group; -1 for a process outside of the group.

    Source: Paddle's `paddle.distributed.get_world_size`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.get_world_size()
    1
    """
    return rank_and_size()[1] if group is None else group.world_size


def new_group(
    ranks: Sequence[int] | None = None,
    backend: str | None = None,  # noqa: ARG001  (MPI is the only one)
    timeout: timedelta | None = None,
) -> Group:
    """Make a group of these ranks, None for all; every rank must call this, members or not.

    Errors: RuntimeError before `init_parallel_env`; ValueError for an unknown rank.
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
    seconds = world._timeout if timeout is None else timeout.total_seconds()
    with InCall(call):
        agree(world, call, world.next_number())
        with Blocked(world, call):
            part = world._communicator.Split(0 if inside else mpi.module().UNDEFINED, world.rank)
        number, rank = GROUPS.made, chosen.index(world.rank) if inside else -1
        GROUPS.made += 1
        made = GROUPS.known[number] = Group(number, chosen, rank, part if inside else None, seconds)
    return made


def get_group(id: int = 0) -> Group | None:
    """Return the group of this number; None, with a warning, if there is none.

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
    """End a group, or all groups; after that `init_parallel_env` may be called again.

    Every rank must call this, since the ranks of a group share an MPI communicator.

    Errors: RuntimeError for a group that does not exist or has ended.
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
    with InCall(call):
        wait_for_tasks(ending)
        for each in ending:
            del GROUPS.known[each.id]
            if each._communicator is not None:
                with Blocked(each, call):
                    each._communicator.Free()
        if not GROUPS.known:
            WATCH.end()
            WATCH.communicator.Free()
            events.stand_among(None)
            ABORT_ON_ERROR.end()


def get_backend(group: Group | None = None) -> str:
    """Return the backend that carries the messages: "MPI".

    Source: Paddle's `paddle.distributed.get_backend`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.get_backend()
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    return GROUPS.of(group).backend
