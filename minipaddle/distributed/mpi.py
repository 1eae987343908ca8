"""The MPI beneath: it carries the messages, and nobody waits for one without end."""

from __future__ import annotations

import faulthandler
import os
import time
from functools import cache
from typing import Any

from . import errors

EAGER = 1000  # times that a message is asked about at once, before others get the processor
BRIEF = 2e-3  # seconds in which they get it between two questions; later we sleep in between
NAP = 5e-5  # seconds
PATIENCE = "PADDLE_PG_TIMEOUT"  # in the environment: milliseconds that a rank waits for others
MILLISECONDS = "1800000"
START = 30.0  # seconds that ranks may differ in, when they start, however short their patience is
# Requests that nobody waits for any more, after an error; MPI still uses their memory.
LEFT: list[Any] = []


def patience() -> float:
    """Seconds that a rank waits for the others."""
    return float(os.environ.get(PATIENCE, MILLISECONDS)) / 1000


def patience_at_start() -> float:
    """Seconds that a rank waits for those that have not begun."""
    return max(START, patience())


@cache
def module() -> Any:
    """mpi4py's MPI, which starts MPI when it is first imported.

    That waits for all ranks, and no other thread runs meanwhile; so it is C that ends this rank
    where one of them never comes, and shows the line.
    """
    faulthandler.dump_traceback_later(patience_at_start(), exit=True, file=2)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # without mpi4py; without a library
        raise errors.mpi_not_loaded(error) from None
    finally:
        faulthandler.cancel_dump_traceback_later()
    return MPI


def library() -> str:
    """Return the name and version of the MPI library that mpi4py has loaded."""
    return str(module().Get_library_version()).partition(",")[0].strip()


def soon(request: Any) -> bool:
    """Return whether the request is done within a moment."""
    test = request.Test
    return any(test() for _ in range(EAGER))


def wait(request: Any, seconds: float) -> bool:
    """Wait until the request is done, at most so many seconds; return whether it is.

    Two processes may share a processor, so whoever waits lets go of it, and soon sleeps.
    """
    begin = time.monotonic()
    while not request.Test():
        waited = time.monotonic() - begin
        if waited > seconds:
            return False
        time.sleep(0 if waited < BRIEF else NAP)
    return True
