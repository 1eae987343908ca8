"""Pickles for a notebook's process: functions and classes of a check's file are sent whole.

Only the judge makes such pickles, and only a notebook's process reads them. The `use` of an
experiment goes with the globals that its code names: no reference, no slip, no other check.
"""

from __future__ import annotations

import importlib
import io
import marshal
import pickle
import sys
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType, GetSetDescriptorType, ModuleType
from typing import Any

from ...engine.source_line import is_library_code
from .plain import CHECKS, INSTALLED, SENT
from .remote import Remote

SKIPPED = ("__dict__", "__weakref__", "__module__", "__doc__", "__abstractmethods__")


def pickle_whole(value: Any) -> bytes:
    """Return a value as a pickle that needs no file of exercises."""
    buffer = io.BytesIO()
    Shipper(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


class Shipper(pickle.Pickler):
    """Pickler that sends by value what the notebook's process cannot import."""

    def persistent_id(self, value: Any) -> Any:
        """Return the number of an answer, which stays where it is."""
        return value._number if isinstance(value, Remote) else None

    def reducer_override(self, value: Any) -> Any:
        """Return how to make a function, class or module anew; else NotImplemented."""
        if isinstance(value, ModuleType):
            return importlib.import_module, (value.__name__,)
        if isinstance(value, FunctionType) and not is_importable(value):
            return ship_function(value)
        if isinstance(value, type) and not is_importable(value):
            return ship_class(value)
        return NotImplemented


def is_importable(value: Any) -> bool:
    """Return whether a function or class can be imported from Python, a package or minipaddle."""
    module = sys.modules.get(value.__module__ or "")
    file = getattr(module, "__file__", None)
    if module is None or (file and not (is_library_code(file) or file.startswith(INSTALLED))):
        return False
    found: Any = module
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def ship_function(function: FunctionType) -> Any:
    """Return how to make a function anew: first empty, then with what it refers to."""
    names = set(names_in(function.__code__))
    about: dict[str, Any] = {
        "globals": {k: v for k, v in function.__globals__.items() if k in names},
        "defaults": function.__defaults__,
        "kwdefaults": function.__kwdefaults__,
        "dict": function.__dict__,
        "qualname": function.__qualname__,
    }
    about["cells"] = [() if is_empty(c) else (c.cell_contents,) for c in function.__closure__ or ()]
    code = marshal.dumps(function.__code__)
    return make_function, (code, function.__name__), about, None, None, fill_function


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in a code, and in the functions inside it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names_in(inner)


def make_function(code: bytes, name: str) -> FunctionType:
    """Return a function without globals, and with empty cells."""
    own = {"__builtins__": __builtins__, "__name__": CHECKS}
    loaded = marshal.loads(code)
    return FunctionType(loaded, own, name, None, tuple(CellType() for _ in loaded.co_freevars))


def fill_function(function: FunctionType, about: dict[str, Any]) -> None:
    """Give a function what it refers to."""
    function.__globals__.update(about["globals"])
    function.__defaults__, function.__kwdefaults__ = about["defaults"], about["kwdefaults"]
    function.__dict__.update(about["dict"])
    function.__qualname__ = about["qualname"]
    for cell, filled in zip(function.__closure__ or (), about["cells"], strict=True):
        for value in filled:
            cell.cell_contents = value


def ship_class(kind: type) -> Any:
    """Return how to make a class anew: first empty, then with its methods."""
    own = {
        name: value
        for name, value in vars(kind).items()
        if name not in SKIPPED and not isinstance(value, GetSetDescriptorType)
    }
    SENT[kind.__name__] = kind
    return make_class, (type(kind), kind.__name__, kind.__bases__), own, None, None, fill_class


def make_class(meta: Any, name: str, bases: tuple[type, ...]) -> type:
    """Return a class without methods."""
    return meta(name, bases, {"__module__": CHECKS})


def fill_class(kind: type, own: dict[str, Any]) -> None:
    """Give a class its methods and attributes."""
    for name, value in own.items():
        setattr(kind, name, value)


def is_empty(cell: CellType) -> bool:
    """Return whether a variable of a closure has no value yet."""
    try:
        cell.cell_contents  # noqa: B018 - it raises
    except ValueError:
        return True
    return False
