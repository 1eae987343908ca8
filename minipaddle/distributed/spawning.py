"""spawn: run a function on several ranks, from a program that is not a rank."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing.spawn import get_preparation_data
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from . import errors
from .launch_job import Job, find

RANK = "minipaddle.distributed.spawned"
CALL = "call.pickle"
RESULT = "result-{}.pickle"
# Paddle's options, which choose a backend and devices; here there is one of each.
OPTIONS = ("backend", "gpus", "ips", "print_config", "start_method", "xpus")


class SpawnContext:
    """Ranks that `spawn` started; `return_queues[rank].get()` returns the function's result.

    Source: the result of Paddle's `paddle.distributed.spawn`.
    """

    def __init__(self, program: bytes, ranks: int, daemon: bool) -> None:
        self.return_queues: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(ranks)]
        # A rank that mpiexec leaves behind may still write into the folder while it is removed.
        self._folder = tempfile.TemporaryDirectory(prefix="minipaddle-", ignore_cleanup_errors=True)
        (Path(self._folder.name) / CALL).write_bytes(program)
        command = [*find(), "-n", str(ranks), sys.executable, "-m", RANK, self._folder.name]
        self._job = Job(command, ranks)
        self._thread = Thread(target=self._collect_results, daemon=daemon)
        self._thread.start()

    def _collect_results(self) -> None:
        with self._folder as folder, self._job as job:
            job.wait()
            for rank, queue in enumerate(self.return_queues):
                result = Path(folder) / RESULT.format(rank)
                if result.exists():
                    queue.put(pickle.loads(result.read_bytes()))

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end of all ranks, at most `timeout` seconds; return whether they have ended.

        Errors: RankFailed, with the error of the rank that failed first.
        """
        try:
            self._thread.join(timeout)
        except KeyboardInterrupt:
            self._job.end()
            self._thread.join()
            raise
        if self._thread.is_alive():
            return False
        if self._job.status:
            what, *others = self._job.describe_ends()
            error = self._job.first_error().strip()
            raise errors.rank_failed(what, others, error)
        return True


def spawn(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    nprocs: int = -1,
    join: bool = True,
    daemon: bool = False,
    **options: Any,
) -> SpawnContext:
    """Run `func(*args)` on `nprocs` ranks, which MPI starts; -1 means one for each core.

    Ranks find the function by its name, so it must be defined in a module, or in a script that
    tests `if __name__ == "__main__":` before it calls spawn. Without `join` it returns at once;
    with `daemon` the ranks end when this process does. `options` change nothing here.

    Errors: ValueError for a function that other processes cannot find, for arguments that cannot
    be pickled, or for an option that Paddle lacks; RankFailed if a rank fails; RuntimeError without
    MPI. Source: Paddle's `paddle.distributed.spawn`.

    >>> paddle.distributed.spawn(lambda: None, nprocs=2)
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.InvalidArgument: spawn(): other processes cannot find the function.
      expected ...
    """
    strange = [name for name in options if name not in OPTIONS]
    if strange:
        raise errors.unknown_option(strange[0], OPTIONS)
    count = (os.cpu_count() or 1) if nprocs == -1 else nprocs
    if not isinstance(count, int) or count < 1:
        raise errors.no_number_of_ranks(nprocs)
    context = SpawnContext(pickle_call(func, tuple(args)), count, daemon)
    if join:
        context.join()
    return context


def pickle_call(func: Any, args: tuple[Any, ...]) -> bytes:
    """Return the pickled call for the ranks: program state, function and arguments."""
    if not callable(func):
        raise errors.not_a_function(func)
    try:
        in_file = func.__module__ != "__main__" or hasattr(sys.modules["__main__"], "__file__")
        call = pickle.dumps(func) if in_file else None
    except (AttributeError, pickle.PicklingError, TypeError):
        call = None
    if call is None:
        raise errors.function_not_found(func)
    try:
        arguments = pickle.dumps(args)
    except Exception as error:
        raise errors.argument_not_picklable(error) from error
    state = get_preparation_data("minipaddle rank")
    del state["authkey"]
    return pickle.dumps((state, call, arguments))
