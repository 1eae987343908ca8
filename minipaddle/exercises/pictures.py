"""Player at the first wrong gradient; viz is imported only when it is needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .. import get_rng_state, set_rng_state
from ..engine.errors import MinipaddleError
from ..engine.guard import kept


def show(run: Callable[[], object]) -> None:
    """Run something again in a recording, and show the player at the first wrong gradient."""
    try:
        viz = importlib.import_module("viz")
    except ImportError:
        return
    try:
        trace = record_run(viz, run)
        if len(trace):
            trace.show(step=first_wrong(viz, trace))
    except MinipaddleError:  # for example a too large trace; the card has explained the mistake
        return


def record_run(viz: Any, run: Callable[[], object]) -> Any:
    """Return the trace of a run, even of one that raises an exception."""
    random_numbers = kept(get_rng_state, set_rng_state)
    with suppress(Exception), random_numbers, viz.record() as trace:
        run()
    return trace


def first_wrong(viz: Any, trace: Any) -> int:
    """Return the first step whose gradient differs from finite differences, else the last step."""
    wrong = (found.step for found in viz.slopes(trace).findings if found.agrees is False)
    return next(wrong, len(trace) - 1)
