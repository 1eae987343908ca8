"""Watch minipaddle work: record what runs, step through it, save the picture.

import minipaddle as paddle, viz
with viz.record() as trace:
    z = paddle.tanh(x)
    z.mean().backward()
trace                      # in a notebook: the player
trace.save("tanh.html")    # also .svg .png .pdf .gif .dot .json .txt
print(trace.statistics())  # mean, spread and gradient of parameters and activations
print(viz.explain(x))      # why x.grad is None; viz.diff, viz.twin, viz.slopes, viz.plots

In a notebook also `%load_ext viz`; then `%%watch` as the first line of a cell records the cell.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minipaddle.engine import source_line

if TYPE_CHECKING:
    from .language import set_lang
    from .recording.recorder import record
    from .story.finite_differences import slopes
    from .trace import Trace, load
    from .views import plots
    from .views.diff import diff
    from .views.explanation import explain
    from .views.twin import twin

source_line.is_library(str(Path(__file__).parent))

_HOMES = {
    "record": "recording.recorder",
    "load": "trace",
    "load_ipython_extension": "magics",
    "Trace": "trace",
    "set_lang": "language",
    "explain": "views.explanation",
    "diff": "views.diff",
    "twin": "views.twin",
    "slopes": "story.finite_differences",
}

__all__ = ["Trace", "diff", "explain", "load", "plots", "record", "set_lang", "slopes", "twin"]


def __getattr__(name: str) -> Any:
    if name == "plots":
        return importlib.import_module(".views.plots", __package__)
    if name not in _HOMES:
        raise AttributeError(f"module 'viz' has no attribute {name!r}")
    found = getattr(importlib.import_module(f".{_HOMES[name]}", __package__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
