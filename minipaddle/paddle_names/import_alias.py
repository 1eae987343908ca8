"""Modules called `paddle` that are minipaddle's: what an unmodified script imports."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from ..engine.errors import NoSuchImport
from . import absent

OURS = __name__.partition(".")[0]
FOR_WORKERS = str(Path(__file__).with_name("import_path"))  # has a package `paddle`


class Finder:
    """Finds `paddle.nn` where `minipaddle.nn` is, and loads it when it is imported."""

    @staticmethod
    def find_spec(name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if name != "paddle" and not name.startswith("paddle."):
            return None
        ours = OURS + name.removeprefix("paddle")
        if importlib.util.find_spec(ours) is None:
            above, _, last = name.rpartition(".")
            raise absent.absent(above, last, NoSuchImport)
        return ModuleSpec(name, Loader(ours), is_package=True)


class Loader(importlib.abc.Loader):
    """Gives the module that is there under our name; it keeps its own name and spec."""

    def __init__(self, ours: str) -> None:
        self.ours = ours

    def create_module(self, _spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self.ours)
        self.own = module.__spec__, module.__dict__.get("__path__")
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__, path = self.own
        if path is None:
            module.__dict__.pop("__path__", None)
        else:
            module.__path__ = path


@contextmanager
def as_paddle() -> Iterator[None]:
    """Let `import paddle` mean minipaddle, here and in worker processes; take it back at the end.

    What is forked has the modules of this process; what is spawned has its `sys.path`.
    """
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if is_paddle(name)}
    finder: Any = Finder()
    sys.meta_path.insert(0, finder)
    sys.path.insert(0, FOR_WORKERS)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        if FOR_WORKERS in sys.path:
            sys.path.remove(FOR_WORKERS)
        for name in [name for name in sys.modules if is_paddle(name)]:
            del sys.modules[name]
        sys.modules.update(hidden)


def stay_paddle() -> None:
    """Let `import paddle` mean minipaddle for the rest of this process: a worker's."""
    finder: Any = Finder()
    sys.meta_path.insert(0, finder)
    sys.modules["paddle"] = importlib.import_module(OURS)


def is_paddle(name: str) -> bool:
    return name == "paddle" or name.startswith("paddle.")
