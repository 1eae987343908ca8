"""The public names of viz are the same whatever else has been imported."""

import importlib
import pkgutil
import sys
from types import ModuleType

import pytest

import viz

PUBLIC = ["Trace", "bug_hunt", "diff", "explain", "flight", "load", "paths", "plots", "ranks"]
PUBLIC += ["record", "rounds", "save_all", "set_lang", "set_output", "slopes", "sweep", "twin"]


@pytest.fixture(scope="module", autouse=True)
def _load_every_module() -> None:
    """Import all modules: a submodule would replace a public name that equals its own."""
    elsewhere = "keys_posix" if sys.platform == "win32" else "keys_windows"
    for module in pkgutil.walk_packages(viz.__path__, "viz."):
        # These need PyTorch and Paddle.
        foreign = module.name.startswith(("viz.frameworks.torch_", "viz.frameworks.paddle_"))
        if not (foreign or module.name.endswith(elsewhere)):
            importlib.import_module(module.name)


def test_dir_lists_the_public_names_and_nothing_else() -> None:
    assert [name for name in dir(viz) if not name.startswith("__")] == PUBLIC == viz.__all__
    assert {"__name__", "__doc__", "__path__"} <= set(dir(viz))


def test_every_public_name_is_a_function_a_class_or_plots() -> None:
    modules = [name for name in PUBLIC if isinstance(getattr(viz, name), ModuleType)]
    assert modules == ["plots"]
    assert all(callable(getattr(viz, name)) for name in PUBLIC if name not in modules)
    with pytest.raises(AttributeError, match="no attribute 'trace_of'"):
        viz.trace_of  # noqa: B018
