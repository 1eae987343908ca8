"""Modules of Pillow, each imported at its first use: networks and arrays need none of them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.install_advice import not_installed
from ..engine.source_line import mark_library

if TYPE_CHECKING:
    from PIL import Image, ImageEnhance, ImageOps

__all__ = ["Image", "ImageEnhance", "ImageOps"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = globals()[name] = import_module(f"PIL.{name}")
    except ModuleNotFoundError as error:
        raise not_installed("PIL", error) from error
    mark_library(str(Path(module.__file__ or "").parent))  # an error in there is one of an argument
    return module
