"""`paddle.profiler`: the time that a program takes on the CPU, op by op.

    with paddle.profiler.Profiler(scheduler=(2, 5)) as prof:
        for batch in loader:
            train(batch)
            prof.step()
    prof.summary()

Times are written to their own files and never into a trace, so recordings are reproducible.
"""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .profiler import Profiler, RecordEvent, export_chrome_tracing, load_profiler_result
from .tables import ProfilerState, ProfilerTarget, SortedKeys, SummaryView, make_scheduler

__all__ = list(_public_names(globals()))

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
