"""`paddle.profiler`: where the time of a program goes, measured on the CPU.

    with paddle.profiler.Profiler(scheduler=(2, 5)) as prof:
        for batch in loader:
            train(batch)
            prof.step()
    prof.summary()

Times stand in files of their own and never in a trace, so recordings stay the same bytes.
"""

from __future__ import annotations

from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from .profiler import Profiler, RecordEvent, export_chrome_tracing, load_profiler_result
from .states import ProfilerState, ProfilerTarget, SortedKeys, SummaryView, make_scheduler

__all__ = [
    "Profiler", "ProfilerState", "ProfilerTarget", "RecordEvent", "SortedKeys", "SummaryView",
    "export_chrome_tracing", "load_profiler_result", "make_scheduler",
]  # fmt: skip

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
