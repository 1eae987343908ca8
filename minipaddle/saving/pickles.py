"""Files of arrays: pickles that Paddle reads and writes, read here without executing anything.

Python's Unpickler calls the functions that a file names. Here `find_class` returns stand-ins for
the few functions with which arrays are written, and raises an error for all others. Then arrays
replace their stand-ins, and a value of any other type raises an error.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.errors import MinipaddleError
from ..errors import misfit
from . import errors

DEEPEST = 100  # most containers inside one another
PLAIN = (str, bool, int, float, complex, type(None))

# Name in NumPy's pickles -> dtype, for all element types of arrays in files.
KINDS = {
    name: np.dtype(name)
    for name in (
        "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16",
    )
}  # fmt: skip
DTYPES = frozenset(KINDS.values())


# ----- nested values -----------------------------------------------------------------------------


class Rebuilding:
    """Copier of nested dicts, lists, tuples and sets, with other leaves and checked keys.

    A shared container is copied once, since n containers that share their items may hold 2^n paths.
    RecursionError for a container that holds itself, and for too deep a nesting.
    """

    def __init__(
        self,
        replace: Callable[[Any], Any],
        check_key: Callable[[Any], None] = lambda _key: None,
        is_leaf: Callable[[Any], bool] | None = None,
    ) -> None:
        self.replace, self.check_key = replace, check_key
        self.is_leaf = is_leaf or is_no_container
        self.copies: dict[int, Any] = {}
        self.open: set[int] = set()

    def __call__(self, obj: Any) -> Any:
        if self.is_leaf(obj):
            return self.replace(obj)
        if id(obj) in self.open:
            raise RecursionError("a list or dict that holds itself")
        if id(obj) not in self.copies:
            if len(self.open) == DEEPEST:
                raise RecursionError(f"more than {DEEPEST} lists or dicts in each other")
            self.open.add(id(obj))
            self.copies[id(obj)] = self._copy_container(obj)
            self.open.remove(id(obj))
        return self.copies[id(obj)]

    def _copy_container(self, obj: Any) -> Any:
        for key in obj if isinstance(obj, (dict, set)) else ():
            self.check_key(key)
        if isinstance(obj, dict):
            kind = OrderedDict if isinstance(obj, OrderedDict) else dict
            return kind((key, self(value)) for key, value in obj.items())
        return set(obj) if isinstance(obj, set) else type(obj)(map(self, obj))


def is_no_container(obj: Any) -> bool:
    """Return whether a value is none of the containers that files hold."""
    return not isinstance(obj, dict) and type(obj) not in (list, tuple, set)


def is_key(key: Any) -> bool:
    """Return whether a file can hold this as a key of a dict or an element of a set."""
    if type(key) is tuple:
        return all(map(is_key, key))
    return type(key) in (*PLAIN, bytes) or (isinstance(key, np.generic) and is_readable(key))


def is_readable(value: Any) -> bool:
    """Return whether files may hold elements of this type."""
    return value.dtype.newbyteorder("=") in DTYPES


# ----- what a file may call ----------------------------------------------------------------------


class Array:
    """Stand-in for an array, whose data arrives by `__setstate__`."""

    array: Any = None

    def __setstate__(self, state: Any) -> None:
        *_version, shape, dtype, fortran, data = state
        self.array = array_of(data, dtype, shape, "F" if fortran else "C")


class Dtype:
    """Stand-in for a dtype, since NumPy trusts states of dtypes, and a wrong one may crash it."""

    def __init__(self, code: Any, *flags: Any) -> None:
        if flags != (False, True):  # NumPy writes only these flags: not aligned, copied
            raise ValueError("a dtype with other flags than NumPy's")
        if code not in KINDS:
            raise ValueError(f"elements of type {str(code)[:40]}, which Paddle does not have")
        self.dtype = KINDS[code]

    def __setstate__(self, state: Any) -> None:
        match state:
            case (3, "<" | ">" | "|" as order, None, None, None, -1, -1, 0):
                self.dtype = self.dtype.newbyteorder(order)
            case _:
                raise ValueError("a dtype with fields")


def array_of(data: Any, dtype: Any, shape: Any, order: Any = "C") -> Any:
    """Make an array of these bytes, in this machine's byte order and in memory of its own."""
    if not isinstance(dtype, Dtype):
        raise ValueError("an array of what is no dtype")
    if isinstance(data, str):  # Python 2 wrote the pickle
        data = data.encode("latin1")
    if dtype.dtype.kind == "b" and data.strip(b"\0\1"):
        raise ValueError("a bool that is neither 0 nor 1")
    values: Any = np.frombuffer(data, dtype.dtype).reshape(shape, order=order)
    return values.astype(np.dtype(values.dtype.type))


FUNCTIONS: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "ndarray"): Array,  # argument of _reconstruct
    ("numpy", "dtype"): Dtype,
    ("numpy.core.multiarray", "_reconstruct"): lambda *_: Array(),
    ("numpy.core.multiarray", "scalar"): lambda dtype, data: array_of(data, dtype, ())[()],
    ("numpy.core.numeric", "_frombuffer"): array_of,
    ("_codecs", "encode"): lambda text, _latin1: text.encode("latin1"),  # protocol 2's bytes
    ("collections", "OrderedDict"): OrderedDict,
    ("builtins", "bytes"): lambda: b"",
    ("builtins", "tuple"): tuple,
    ("builtins", "set"): set,
    ("builtins", "complex"): complex,
}
OLD_NAMES = {"numpy._core": "numpy.core", "__builtin__": "builtins"}


class Unpickler(pickle.Unpickler):
    """Python's Unpickler, which here calls nothing but FUNCTIONS."""

    def find_class(self, module: str, name: str) -> Any:
        home = module
        for other, known in OLD_NAMES.items():
            home = home.replace(other, known)
        function = FUNCTIONS.get((home, name))
        if function is None:
            raise errors.asks_to_call(ascii(f"{module}.{name}")[1:-1][:100])

        def call(*arguments: Any) -> Any:
            """Call the function; a file may change this wrapper, which is its own."""
            return function(*arguments)

        return call


# ----- files -------------------------------------------------------------------------------------


def loads(data: bytes, where: str) -> Any:
    """Return the value of a pickle of arrays; `where` names it in errors. ValueError if damaged."""
    try:
        check_memo(data)
        value = Unpickler(io.BytesIO(data), encoding="latin1").load()
        return Rebuilding(finish, check_key)(value)
    except MinipaddleError:
        raise
    except Exception as error:
        raise errors.damaged(where, data, error) from error


def check_memo(data: bytes) -> None:
    """Raise an error for large memo numbers: the Unpickler's table has the size of the largest."""
    for instruction, argument, _ in pickletools.genops(data):
        if "PUT" in instruction.name and (argument or 0) >= len(data):  # a number needs a byte
            raise ValueError(f"the memo number {argument} in {len(data)} bytes")


def finish(leaf: Any) -> Any:
    """Return a leaf of a file's value, with an array instead of its stand-in."""
    if isinstance(leaf, Array) and leaf.array is not None:
        return leaf.array
    if isinstance(leaf, (*PLAIN, bytes, bytearray, np.ndarray, np.generic)):
        return leaf
    raise ValueError("a function, or half an array, in the place of a value")


def check_key(key: Any) -> None:
    """Raise an error for a key that `paddle.save` would not write."""
    if not is_key(key):
        raise ValueError(f"a key of type {type(key).__name__}")


def check_protocol(protocol: Any) -> int:
    """Return the protocol of a new file; raise an error unless Paddle writes it."""
    if not isinstance(protocol, int) or isinstance(protocol, bool) or not 1 < protocol < 5:
        raise misfit("save", "protocol 2, 3 or 4", protocol=protocol)
    return protocol


def load(path: Path) -> Any:
    """Return the value in a file of arrays."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise errors.not_there(path) from None
    return loads(data, str(path))
