"""The modules of viz that only some need, loaded when they are first used: `later.svg`."""

from __future__ import annotations

import importlib
from types import ModuleType

MODULES = (
    *(
        "chart",
        "dot",
        "explanation",
        "gif",
        "html",
        "magnitude",
        "moments",
        "paint",
        "payload",
        "player",
    ),
    *("raster", "scene", "statistics", "svg", "tint", "keys_posix", "keys_windows"),
)


def __getattr__(name: str) -> ModuleType:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f".{name}", __package__)
