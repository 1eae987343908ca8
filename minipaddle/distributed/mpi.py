"""The MPI beneath: it carries the messages, and nobody waits for one without end."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

from ..engine.bilingual import Text
from ..engine.errors import Unimplemented
from ..engine.install_advice import for_many_ranks

EAGER = 1000  # times that a message is asked about at once, before others get the processor
BRIEF = 2e-3  # seconds in which they get it between two questions; later we sleep in between
NAP = 5e-5  # seconds


@cache
def module() -> Any:
    """mpi4py's MPI, which starts MPI when it is first imported."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # without mpi4py; without a library
        raise Unimplemented(
            Text("paddle.distributed needs MPI.", "paddle.distributed 需要 MPI。"),
            expected=Text("mpi4py and an MPI library", "mpi4py 与一种 MPI 实现"),
            received=str(error).partition("\n")[0],
            fix=for_many_ranks(),
        ) from None
    return MPI


def soon(request: Any) -> bool:
    """Whether the request is done within a moment."""
    test = request.Test
    return any(test() for _ in range(EAGER))


def wait(request: Any, seconds: float) -> bool:
    """Until the request is done, at most so many seconds; whether it is.

    Two processes may share a processor, so whoever waits lets go of it, and soon sleeps.
    """
    begin = time.monotonic()
    while not request.Test():
        waited = time.monotonic() - begin
        if waited > seconds:
            return False
        time.sleep(0 if waited < BRIEF else NAP)
    return True
