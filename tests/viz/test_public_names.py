"""The public names of viz are the same whatever else has been imported."""

import importlib
import pkgutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz

from . import stories

PUBLIC = ["Trace", "bug_hunt", "diff", "explain", "load", "paths", "plots", "ranks", "record"]
PUBLIC += ["rounds", "save_all", "set_lang", "set_output", "slopes", "sweep", "twin"]


def recorded() -> tuple[viz.Trace, Any]:
    x = paddle.to_tensor([0.5, 1.0], stop_gradient=False)
    with viz.record("a square") as trace:
        (x * x).sum().backward()
    return trace, x


def built() -> viz.Trace:
    """Record a square as a Program, and its run."""
    with stories.programs() as (main, _), viz.record() as program:
        x = paddle.static.data("x", [2], "float32")
        y = (x * x).sum()
        paddle.static.Executor().run(main, {"x": np.ones(2, "float32")}, [y])
    return program


@pytest.fixture(scope="module", autouse=True)
def _load_every_module() -> None:
    """Import all modules: a submodule would replace a public name that equals its own."""
    elsewhere = "keys_posix" if sys.platform == "win32" else "keys_windows"
    for module in pkgutil.walk_packages(viz.__path__, "viz."):
        if not module.name.endswith(elsewhere):
            importlib.import_module(module.name)


def test_dir_lists_the_public_names_and_nothing_else() -> None:
    assert [name for name in dir(viz) if not name.startswith("__")] == PUBLIC == viz.__all__
    assert {"__name__", "__doc__", "__path__"} <= set(dir(viz))


def test_every_public_name_can_be_used(tmp_path: Path) -> None:
    trace, x = recorded()
    assert isinstance(trace, viz.Trace)
    assert viz.load(trace.save(tmp_path / "t.json")) == trace
    assert list(viz.rounds("ab")) == ["a", "b"]
    assert not viz.diff(trace, recorded()[0])
    assert "grad" in str(viz.explain(x))
    assert "Finite differences agree" in viz.slopes(trace)
    assert isinstance(viz.plots, ModuleType)
    assert "summary" in dir(viz.twin(trace, built()))
    assert viz.set_lang("") is None
    with pytest.raises(AttributeError, match="no attribute 'trace_of'"):
        viz.trace_of  # noqa: B018
