"""Watch minipaddle work: record what runs, step through it, save the picture.

import minipaddle as paddle, viz
with viz.record() as trace:
    z = paddle.tanh(x)
    z.mean().backward()
trace                      # in a notebook: the player
trace.save("tanh.html")    # also .svg .png .pdf .gif .mp4 .webm .dot .json .txt
print(trace.statistics())  # mean, spread and gradient of parameters and activations
trace.problems()           # what is wrong, as far as the records prove it, and what to do
print(viz.explain(x))      # why x.grad is None; viz.diff, viz.twin, viz.slopes, viz.plots
print(viz.paths(x, 0))     # why x.grad[0] is small: the paths that it came on, and their factors
viz.sweep(train, [0.1, 1]) # many runs at once; viz.save_all writes many traces (docs/many.md)
viz.flight("out/")          # writes a page at the first NaN of a long training
viz.ranks("traces/")       # what many processes did, side by side
trace.quiz()               # the player asks before it shows; viz.bug_hunt(trace) has a mistake

In a notebook also `%load_ext viz`; then `%%watch` as the first line of a cell records the cell.
"""

from __future__ import annotations

from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from minipaddle.engine import source_line
from minipaddle.engine.install_advice import optional_imports

if TYPE_CHECKING:
    from .compare.diff import diff
    from .compare.twin import twin
    from .draw import plots
    from .flight_recorder import flight
    from .language import set_lang
    from .many_ranks.ranks import ranks
    from .player.display import set_output
    from .recorder import record
    from .recording.marked_rounds import rounds
    from .story.finite_differences import slopes
    from .sweeps import sweep
    from .trace import Trace, bug_hunt, load, save_all
    from .views.explanation import explain
    from .views.paths import paths

source_line.mark_library(str(Path(__file__).parent))

# public name, or the name that IPython looks for -> its module and its name there
_HOMES = {
    "Trace": "trace:Trace",
    "bug_hunt": "trace:bug_hunt",
    "diff": "compare.diff:diff",
    "flight": "flight_recorder:flight",
    "explain": "views.explanation:explain",
    "load": "trace:load",
    "load_ipython_extension": "magics:load_ipython_extension",
    "paths": "views.paths:paths",
    "plots": "draw.plots:",
    "ranks": "many_ranks.ranks:ranks",
    "record": "recorder:record",
    "rounds": "recording.marked_rounds:rounds",
    "save_all": "trace:save_all",
    "set_lang": "language:set_lang",
    "set_output": "player.display:set_output",
    "slopes": "story.finite_differences:slopes",
    "sweep": "sweeps:sweep",
    "twin": "compare.twin:twin",
}

__all__ = [
    "Trace", "bug_hunt", "diff", "explain", "flight", "load", "paths", "plots", "ranks", "record",
    "rounds", "save_all", "set_lang", "set_output", "slopes", "sweep", "twin",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'viz' has no attribute {name!r}")
    with optional_imports():
        thing = globals()[name] = resolve_name(f"viz.{_HOMES[name]}")
    return thing


def __dir__() -> list[str]:
    """Return the public names and the module's special attributes."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
