"""Files of arrays: pickles that Paddle reads and writes, read here without running anything.

A pickle names functions that the reader is to call. This reader knows only those with which NumPy
writes arrays, and has its own in their place; anything else is refused.
"""

from __future__ import annotations

import io
import math
import os
import pickle
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.errors import InvalidArgument, MinipaddleError, NoSuchFile, PermissionDenied


class _Kind:
    """An element type while it is read."""

    def __init__(self, text: str, *_flags: Any) -> None:
        self.dtype = np.dtype(str(text))

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in ("<", ">"):
            self.dtype = self.dtype.newbyteorder(state[1])

    def array(self, data: Any, shape: Any, order: str) -> Any:
        if self.dtype.kind not in "biufc":
            raise ValueError(f"elements of type {self.dtype}")
        sizes = tuple(int(n) for n in shape)
        if min(sizes, default=0) < 0 or math.prod(sizes) * self.dtype.itemsize != len(data):
            raise ValueError(f"{len(data)} bytes for the shape {sizes} of {self.dtype}")
        values = np.frombuffer(bytes(data), self.dtype).reshape(sizes, order=order)  # type: ignore[call-overload]
        return values.astype(np.dtype(self.dtype.type))  # this machine's order, memory of its own


class _Array:
    """An array while it is read."""

    value: Any = None

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        *_version, shape, kind, fortran, data = state
        self.value = kind.array(data, shape, "F" if fortran else "C")


def _reconstruct(_kind: Any, _shape: Any, _code: Any) -> _Array:
    return _Array()


def _from_buffer(data: Any, kind: _Kind, shape: Any, order: str) -> Any:
    return kind.array(data, shape, order)


def _scalar(kind: _Kind, data: Any) -> Any:
    return kind.array(data, (), "C")[()]


def _latin1(text: str, encoding: str) -> bytes:
    if encoding != "latin1":
        raise ValueError(f"the encoding {encoding}")
    return text.encode("latin1")


def _no_bytes() -> bytes:
    return b""


BUILTINS = ("builtins", "__builtin__")  # of Python 3, and as the old protocols spell it
_KNOWN: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Kind,
    ("_codecs", "encode"): _latin1,
    ("__builtin__", "bytes"): _no_bytes,
    ("collections", "OrderedDict"): OrderedDict,
    **{(home, kind.__name__): kind for home in BUILTINS for kind in (tuple, set, complex)},
}
for _core in ("numpy.core", "numpy._core"):
    _KNOWN[f"{_core}.multiarray", "_reconstruct"] = _reconstruct
    _KNOWN[f"{_core}.multiarray", "scalar"] = _scalar
    _KNOWN[f"{_core}.numeric", "_frombuffer"] = _from_buffer


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        known = _KNOWN.get((module, name))
        if known is None:
            raise PermissionDenied(
                f"this file asks to call {module}.{name}, which is refused.",
                expected="arrays, numbers, texts, and dicts and lists of them",
                received=f"a pickle that uses {module}.{name}",
                fix="load only files of arrays, as paddle.save and paddle.static.save write them",
            )
        return known


def loads(data: bytes, where: str) -> Any:
    """What a pickle of arrays holds; `where` names it in errors. ValueError if it is damaged."""
    try:
        return _resolve(_Reader(io.BytesIO(data)).load())
    except MinipaddleError:
        raise
    except Exception as error:
        raise InvalidArgument(
            f"'{where}' cannot be read: {error or type(error).__name__}",
            expected="a whole file of arrays, as paddle.save and paddle.static.save write it",
            received=f"{len(data)} bytes of something else, or a part of such a file",
            fix="save it again; a copy that was interrupted is not complete",
        ) from error


def _resolve(value: Any, around: tuple[int, ...] = ()) -> Any:
    """Arrays in place of what stood for them while they were read."""
    if isinstance(value, _Array):
        return value.value
    if isinstance(value, (dict, list, tuple)):
        if id(value) in around:
            raise ValueError("a list that holds itself")
        around = (*around, id(value))
        if isinstance(value, dict):
            return {key: _resolve(item, around) for key, item in value.items()}
        return type(value)(_resolve(item, around) for item in value)
    return value


def load(path: Path) -> Any:
    """What a file of arrays holds."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NoSuchFile(
            f"No such file or directory: '{path}'.",
            expected="a file that paddle.static.save wrote",
            received=f"the path '{path}'",
            fix="check the path; the ending is added to the name that you give",
        ) from None
    return loads(data, str(path))


def dumps(value: Any, protocol: int) -> bytes:
    """A pickle that Paddle reads."""
    return pickle.dumps(value, protocol=protocol)


def write(files: dict[Path, bytes]) -> None:
    """Write whole files: each is there with all of its bytes, or as it was before."""
    parts = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    try:
        for path, data in files.items():
            with parts[path].open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
