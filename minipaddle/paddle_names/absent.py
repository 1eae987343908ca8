"""Names that Paddle has and minipaddle lacks, and the error that says what to use instead.

`public_names.txt` records Paddle's public names, module by module. What is absent follows from
what is here, so there is no list to keep. A module says `__getattr__ = _absent.names(__name__)`;
Tensor gets an `Absent` for each method: a `__getattr__` would slow every attribute down.
"""

from __future__ import annotations

import functools
import importlib
import opcode
import os
import sys
from collections.abc import Callable, Collection
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

from ..engine.errors import MinipaddleError, NoSuchImport, NoSuchName
from .inner_modules import MODULES, PACKAGES

RECORD = os.path.join(os.path.dirname(__file__), "public_names.txt")
PACKAGE = __package__.partition(".")[0]
IMPORT_FROM = opcode.opmap["IMPORT_FROM"]


@functools.cache
def record() -> dict[str, list[str]]:
    """Paddle's public names by module: `paddle`, `paddle.nn`, ..., `paddle.Tensor`."""
    with open(RECORD, encoding="utf-8") as lines:
        next(lines)
        rows = [line.partition(": ") for line in lines]
    return {path: inner.split() for path, _, inner in rows}


@functools.cache
def version() -> str:
    """Return the version of the Paddle whose names are on record."""
    with open(RECORD, encoding="utf-8") as lines:
        return next(word.strip(",") for word in next(lines).split() if word[0].isdigit())


# ----- Modules -----------------------------------------------------------------------------------


def names(module: str) -> Callable[[str], Any]:
    """Return a module's `__getattr__`, which raises the error for a name that it lacks.

    The modules inside a package get theirs with it, once they are loaded: `paddle.nn.layer`.
    """
    for name, inner in list(sys.modules.items()):
        if name.startswith(f"{module}.") and module != PACKAGE:
            vars(inner).setdefault("__getattr__", _names(name))
    return _names(module)


def _names(module: str) -> Callable[[str], Any]:
    path = _paddles(module)
    places = MODULES.get(path, ())

    def __getattr__(name: str) -> Any:
        if name == "__path__" and path in PACKAGES:
            return []  # so that Python imports what is inside
        if f"{path}.{name}" in MODULES:
            return importlib.import_module(f"{module}.{name}")
        for place in places if name[:1] not in ("", "_") else ():
            if place != path and is_here(f"{place}.{name}"):
                return _find(f"{place}.{name}")
        frame = sys._getframe(1)
        while frame.f_code.co_name == "__getattr__" and frame.f_back is not None:
            frame = frame.f_back
        # `from ... import name` would replace an AttributeError by a text of Python's own.
        code, at = frame.f_code.co_code, frame.f_lasti
        imported = 0 <= at < len(code) and code[at] == IMPORT_FROM
        home = next(
            (place for place in places if name in record().get(place, ())), (path, *places)[-1]
        )
        raise absent(home, name, NoSuchImport if imported else NoSuchName, here=path)

    return __getattr__


def absent(
    path: str, name: str, kind: type[MinipaddleError] = NoSuchName, here: str = ""
) -> MinipaddleError:
    """Make the error for a name that `path` has not: Paddle's, misspelled, or nobody's."""
    here = here or path
    if name.startswith("_"):
        return kind(f"{here} has no '{name}'.")
    from .instead import INSTEAD, OF_MODULE  # read when the first name is missing

    paddles = f"{path}.{name}"
    if is_paddles(path, name):
        what = f"{here} has no '{name}' here yet; Paddle {version()} has it."
        fix = INSTEAD.get(paddles) or _elsewhere(path, name) or _without_underscore(path, name)
        fix = fix or OF_MODULE.get(path, "")
        fix = fix or "write it with the functions that are here, or as a PyLayer with NumPy inside"
    else:
        what = f"{here} has no '{name}'; it is no public name of Paddle {version()} either."
        near = _elsewhere(path, name) or _similar_names(path, name)
        fix = near or f"dir({here}) lists what is here"
    return kind(what, expected=f"one of dir({here})", received=name, fix=fix)


def is_paddles(path: str, name: str) -> bool:
    """Return whether Paddle has a name in a module."""
    return name in record().get(path, ()) or f"{path}.{name}" in record()


def _elsewhere(path: str, name: str) -> str:
    """Say where it is in another place or form: leaky_relu for LeakyReLU."""
    forms = _forms().get(_plain(name), ())
    forms_here = [other for other in forms if other != f"{path}.{name}" and is_here(other)]
    forms_here.sort(key=lambda other: not other.endswith(f".{name}"))
    return f"use {forms_here[0]}, which is here" if forms_here else ""


@functools.cache
def _forms() -> dict[str, list[str]]:
    """Return where Paddle has a name, however it is spelled there."""
    forms: dict[str, list[str]] = {}
    for path, inner in record().items():
        for name in inner:
            forms.setdefault(_plain(name), []).append(f"{path}.{name}")
    return forms


def _without_underscore(path: str, name: str) -> str:
    """Suggest the form that makes a new tensor, for an in-place form that is missing."""
    base = name.removesuffix("_")
    if base == name or not is_here(f"{path}.{base}"):
        return ""
    return f"x = x.{base}(...) instead of x.{name}(...)"


def _similar_names(path: str, name: str) -> str:
    """Suggest names that differ by a few letters."""
    import difflib

    known = [n for n in _names_in(_find(path)) if n[0] != "_"]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.7)
    return f"did you mean {' or '.join(f'{path}.{n}' for n in near)}?" if near else ""


def _plain(name: str) -> str:
    return name.replace("_", "").lower() + "_" * name.endswith("_")


def _find(path: str, default: Any = None) -> Any:
    """Return what minipaddle has under a path of Paddle's, else the default; raise no error."""
    if path in MODULES:
        return importlib.import_module(PACKAGE + path.removeprefix("paddle"))
    place: Any = sys.modules[PACKAGE]
    for step in path.split(".")[1:]:
        if step not in _names_in(place):
            return default
        place = vars_of(place)[step] if isinstance(place, type) else getattr(place, step)
    return default if isinstance(place, Absent) else place


def is_here(path: str) -> bool:
    """Return whether minipaddle has something under a path of Paddle's."""
    return _find(path, Absent) is not Absent


def _names_in(place: Any) -> Collection[str]:
    """Return the names of a class or a module, also those that are loaded when first used."""
    if isinstance(place, type):
        return vars_of(place)
    return {*dir(place), *getattr(place, "__all__", ())}


def _paddles(module: str) -> str:
    """Return Paddle's name of a module: minipaddle.nn is paddle.nn."""
    return "paddle" + module[len(PACKAGE) :]


# ----- Inner modules -----------------------------------------------------------------------------


_in_tensor = _names(f"{PACKAGE}.tensor")


class TensorFunctions:
    """A function that is also a module: `paddle.tensor([1.0])`, and `paddle.tensor.math.add`."""

    def __init__(self, call: Callable[..., Any]) -> None:
        functools.update_wrapper(self, call)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return _in_tensor(name)

    def __dir__(self) -> list[str]:
        parts = [path.rpartition(".")[2] for path in MODULES if path.startswith("paddle.tensor.")]
        return [*parts, *(name for name in record()["paddle"] if is_here(f"paddle.{name}"))]


class InnerModules:
    """Finder and loader of the modules of `inner_modules`."""

    @classmethod
    def find_spec(cls, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if not name.startswith(f"{PACKAGE}."):
            return None
        if (path := _paddles(name)) in MODULES:
            return ModuleSpec(name, cls(), is_package=path in PACKAGES)  # type: ignore[arg-type]
        above, _, last = path.rpartition(".")
        if is_paddles(above, last):
            raise absent(above, last, NoSuchImport)
        return None

    def create_module(self, spec: ModuleSpec) -> Any:
        """Make a module that looks in public modules for its names."""
        if spec.name == f"{PACKAGE}.tensor":
            return sys.modules[PACKAGE].tensor
        module: Any = ModuleType(spec.name, f"An inner module of Paddle: {_paddles(spec.name)}.")
        module.__getattr__ = _names(spec.name)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module is made."""


# ----- Methods of Tensor -------------------------------------------------------------------------


class Absent:
    """A method that Paddle's Tensor has and ours has not; asking for it is an error."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Any, kind: type) -> NoReturn:
        raise absent("paddle.Tensor", self.name, here=kind.__name__)


def install(kind: Any) -> None:
    """Add an Absent for each of Paddle's methods that a class lacks."""
    known = vars_of(kind)
    with open(RECORD, encoding="utf-8") as lines:  # only its second line: imports are quick
        next(lines)
        for name in next(lines).split()[1:]:
            if name not in known:
                setattr(kind, name, Absent(name))
    kind.__dir__ = _present


def _present(self: Any) -> list[str]:
    """List names without the absent methods, for `dir`."""
    known = vars_of(type(self))
    return [name for name in object.__dir__(self) if not isinstance(known.get(name), Absent)]


def vars_of(kind: type) -> dict[str, Any]:
    """Return the attributes of a class and of those it derives from."""
    return {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}
