"""Access to MPI: the module, timeouts, and waiting for requests."""

from __future__ import annotations

import faulthandler
import os
import time
from functools import cache
from typing import Any

from . import errors

SPINS = 1000  # tests of a request before the processor is yielded
YIELDING = 2e-3  # seconds of yielding between two tests, before sleeping begins
SLEEP = 5e-5  # seconds between two later tests
TIMEOUT_VARIABLE = "PADDLE_PG_TIMEOUT"  # environment variable, in milliseconds
MILLISECONDS = "1800000"
LEAST_START_TIMEOUT = 30.0  # seconds; ranks start at different times, however short the timeout is
# Unfinished requests after an error; MPI still uses their memory.
ABANDONED: list[Any] = []


def timeout() -> float:
    """Return the seconds that a rank waits for others."""
    return float(os.environ.get(TIMEOUT_VARIABLE, MILLISECONDS)) / 1000


def start_timeout() -> float:
    """Return the seconds that a rank waits for ranks that have not started."""
    return max(LEAST_START_TIMEOUT, timeout())


@cache
def module() -> Any:
    """Return mpi4py's MPI; its first import starts MPI.

    Starting waits for all ranks and blocks every thread, so faulthandler ends this rank after the
    timeout and prints the line.
    """
    faulthandler.dump_traceback_later(start_timeout(), exit=True, file=2)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # mpi4py or its MPI library is missing
        raise errors.mpi_not_loaded(error) from None
    finally:
        faulthandler.cancel_dump_traceback_later()
    return MPI


def library() -> str:
    """Return the name and version of the MPI library that mpi4py has loaded."""
    return str(module().Get_library_version()).partition(",")[0].strip()


def is_done_soon(request: Any) -> bool:
    """Return whether the request is done within `SPINS` tests."""
    test = request.Test
    return any(test() for _ in range(SPINS))


def wait(request: Any, seconds: float) -> bool:
    """Wait until the request is done, at most `seconds`; return whether it is done.

    Processes may share a processor, so a waiting process first yields, then sleeps.
    """
    begin = time.monotonic()
    while not request.Test():
        waited = time.monotonic() - begin
        if waited > seconds:
            return False
        time.sleep(0 if waited < YIELDING else SLEEP)
    return True
