"""Executors of concurrent.futures that run many tasks: processes, or in a browser this one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minipaddle.engine.install_advice import IN_BROWSER


class OneByOne(Executor):
    """Runs each task when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def workers(executor: Executor | None) -> AbstractContextManager[Executor]:
    """Return the caller's executor, which stays open, or one with a process for each core."""
    if executor:
        return nullcontext(executor)
    if IN_BROWSER:  # which starts no processes
        return OneByOne()
    from concurrent.futures import ProcessPoolExecutor  # multiprocessing

    return ProcessPoolExecutor()
