"""Files of arrays: pickles that Paddle reads and writes, read here without running anything.

A pickle is a program for a small machine with a stack and a memo. Python's own machine runs
whatever functions a file names; this one has the instructions that values need, and of functions
only those with which arrays are written. Whatever a file claims of sizes is compared with the
bytes that are there before anything is made.
"""

from __future__ import annotations

import math
import pickle
import pickletools
from collections import OrderedDict
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.errors import MinipaddleError
from . import errors

AXES = 64  # the most that NumPy's arrays have
DEEPEST = 100  # containers in each other
RING = DEEPEST + 1  # of one that is still being looked into
ROOM = 4  # bytes that may be made for each byte of a file: an old one has latin-1 as UTF-8
EQUAL = 20  # keys with one hash: more are no accident, and a dict of them takes for ever
KEYS = (str, bytes, int, float, complex, type(None), np.generic)  # and tuples of these

# The types of elements that arrays in files have, as NumPy's pickles name them.
KINDS = {
    name: np.dtype(name)
    for name in (
        "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16",
    )
}  # fmt: skip
DTYPES = frozenset(KINDS.values())

LITERALS = {
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT",
    "STRING", "BINSTRING", "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8",
    "BYTEARRAY8", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8",
}  # fmt: skip
CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
EMPTY: dict[str, type] = {
    "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "EMPTY_DICT": dict, "EMPTY_SET": set,
}  # fmt: skip


# ----- the machine -------------------------------------------------------------------------------


class Machine:
    """Runs the instructions of one pickle."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.room = ROOM * len(data)
        self.hashes: dict[int, list[Any]] = {}
        self.stack: list[Any] = []
        self.below: list[list[Any]] = []  # the stacks under the marks
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        """What the pickle holds; ValueError, or any other Exception, if it is damaged."""
        for instruction, argument, _place in pickletools.genops(self.data):
            name = instruction.name
            if name in LITERALS:
                self.stack.append(argument)
            elif name in CONSTANTS:
                self.stack.append(CONSTANTS[name])
            elif name in EMPTY:
                self.stack.append(EMPTY[name]())
            elif name in STEPS:
                STEPS[name](self, argument)
            elif name != "STOP":
                raise ValueError(f"the instruction {name}")
        return self.pop()

    def charge(self, size: int) -> None:
        """Refuse what makes much out of little, before it is made."""
        self.room -= size
        if self.room < 0:
            raise ValueError(f"more than {len(self.data)} bytes can hold")

    # ----- stack and memo -----

    def pop(self) -> Any:
        """The value on top."""
        return value_of(self.stack.pop())

    def pop_to_mark(self) -> list[Any]:
        """All values above the last mark."""
        items = [value_of(item) for item in self.stack]
        self.stack = self.below.pop()
        return items

    def mark(self, _: Any) -> None:
        self.below.append(self.stack)
        self.stack = []

    def drop(self, _: Any) -> None:
        if self.stack:
            self.stack.pop()
        else:
            self.stack = self.below.pop()

    def drop_to_mark(self, _: Any) -> None:
        self.pop_to_mark()

    def again(self, _: Any) -> None:
        self.stack.append(self.stack[-1])

    def memoize(self, _: Any) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def put(self, number: int) -> None:
        if number >= len(self.data):  # each needs a byte at least
            raise ValueError(f"the memo number {number} in {len(self.data)} bytes")
        self.memo[number] = self.stack[-1]

    def get(self, number: int) -> None:
        self.stack.append(self.memo[number])

    def frame(self, size: int) -> None:
        if size > len(self.data):
            raise ValueError(f"a frame of {size} bytes in {len(self.data)}")

    # ----- containers -----

    def make_tuple(self, size: int) -> None:
        items = [self.pop() for _ in range(size)]
        self.stack.append(tuple(reversed(items)))

    def tuple_to_mark(self, _: Any) -> None:
        items = tuple(self.pop_to_mark())
        self.stack.append(items)

    def list_to_mark(self, _: Any) -> None:
        items = self.pop_to_mark()
        self.stack.append(items)

    def dict_to_mark(self, _: Any) -> None:
        items = self.pop_to_mark()
        self.stack.append({})
        self.set_pairs(items)

    def append(self, _: Any) -> None:
        self.extend([self.pop()])

    def append_to_mark(self, _: Any) -> None:
        self.extend(self.pop_to_mark())

    def extend(self, items: list[Any]) -> None:
        self.on_top(list).extend(items)

    def set_item(self, _: Any) -> None:
        value, key = self.pop(), self.pop()
        self.set_pairs([key, value])

    def set_to_mark(self, _: Any) -> None:
        self.set_pairs(self.pop_to_mark())

    def set_pairs(self, items: list[Any]) -> None:
        target = self.on_top(dict, OrderedDict)
        for key, value in zip(items[::2], items[1::2], strict=True):
            target[self.key(key)] = value

    def add_to_mark(self, _: Any) -> None:
        items = self.pop_to_mark()
        self.on_top(set).update(map(self.key, items))

    def on_top(self, *kinds: type) -> Any:
        """The container that something is put into; nothing else in a file can be changed."""
        container = self.stack[-1]
        if type(container) not in kinds:
            raise ValueError(f"items for a {type(container).__name__}")
        return container

    def key(self, key: Any) -> Any:
        """The key, if hashing and comparing it takes no longer than reading it."""
        if isinstance(key, str):
            return key
        self.check_key(key)
        alike = self.hashes.setdefault(hash(key), [])
        if key not in alike:
            alike.append(key)
        if len(alike) > EQUAL:
            raise ValueError(f"more than {EQUAL} keys with one hash")
        return key

    def check_key(self, key: Any) -> None:
        if isinstance(key, tuple):
            self.charge(len(key))
            for item in key:
                self.check_key(item)
        elif not isinstance(key, KEYS):
            raise ValueError(f"a key of type {type(key).__name__}")

    # ----- functions -----

    def named(self, words: str) -> None:
        module, _, name = words.partition(" ")
        self.push_function(module, name)

    def named_on_stack(self, _: Any) -> None:
        name, module = self.pop(), self.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise ValueError("a function whose name is no text")
        self.push_function(module, name)

    def push_function(self, module: str, name: str) -> None:
        known = KNOWN.get((module, name))
        if known is None:
            called = ascii(f"{module}.{name}")[1:-1][:100]
            raise errors.asks_to_call(called)
        self.stack.append(known)

    def call(self, _: Any) -> None:
        arguments, function = self.pop(), self.stack.pop()
        if not isinstance(function, Function) or type(arguments) is not tuple:
            raise ValueError("a call of what is no function")
        self.stack.append(function.run(self, *arguments))

    def build(self, _: Any) -> None:
        state = self.pop()
        thing = self.stack[-1]
        if not isinstance(thing, Unfinished) or type(state) is not tuple:
            raise ValueError(f"a state for a {type(thing).__name__}")
        thing.finish(self, *state)

    # ----- arrays -----

    def array(self, kind: Any, data: Any, shape: Any, order: str = "C") -> Any:
        """An array of these bytes in the order of this machine, with memory of its own."""
        if not isinstance(kind, np.dtype):
            raise ValueError("an array of what is no dtype")
        if isinstance(data, str):  # of Python 2
            data = data.encode("latin1")
        if not isinstance(data, (bytes, bytearray)) or order not in ("C", "F"):
            raise ValueError("an array without bytes")
        sizes = sizes_of(shape)
        if math.prod(sizes) * kind.itemsize != len(data):
            raise ValueError(f"{len(data)} bytes for the shape {sizes} of {kind}")
        self.charge(len(data))
        if kind.kind == "b" and data.strip(b"\0\1"):
            raise ValueError("a bool that is neither 0 nor 1")
        values: Any = np.frombuffer(data, kind).reshape(sizes, order=order)  # type: ignore[call-overload]
        return values.astype(np.dtype(kind.type))


def sizes_of(shape: Any) -> tuple[int, ...]:
    """A shape that an array can have."""
    if type(shape) not in (tuple, list) or len(shape) > AXES:
        raise ValueError(f"a shape that is no tuple of at most {AXES} sizes")
    if not all(type(size) is int and 0 <= size < 2**63 for size in shape):
        raise ValueError("a size that no array has")
    return tuple(shape)


STEPS: dict[str, Callable[[Machine, Any], None]] = {
    "PROTO": lambda _machine, _version: None,
    "FRAME": Machine.frame,
    "MARK": Machine.mark,
    "POP": Machine.drop,
    "POP_MARK": Machine.drop_to_mark,
    "DUP": Machine.again,
    "MEMOIZE": Machine.memoize,
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), Machine.put),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), Machine.get),
    "TUPLE": Machine.tuple_to_mark,
    "TUPLE1": lambda machine, _: machine.make_tuple(1),
    "TUPLE2": lambda machine, _: machine.make_tuple(2),
    "TUPLE3": lambda machine, _: machine.make_tuple(3),
    "LIST": Machine.list_to_mark,
    "DICT": Machine.dict_to_mark,
    "APPEND": Machine.append,
    "APPENDS": Machine.append_to_mark,
    "SETITEM": Machine.set_item,
    "SETITEMS": Machine.set_to_mark,
    "ADDITEMS": Machine.add_to_mark,
    "GLOBAL": Machine.named,
    "STACK_GLOBAL": Machine.named_on_stack,
    "REDUCE": Machine.call,
    "BUILD": Machine.build,
}


# ----- what a file may call ----------------------------------------------------------------------


class Function:
    """Stands on the stack for a function that a file named; no file can change or return it."""

    __slots__ = ("run",)

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run


class Unfinished:
    """An array or a dtype between the call that makes it and the state that fills it."""

    value: Any = None

    def finish(self, machine: Machine, *state: Any) -> None:
        raise NotImplementedError


class Array(Unfinished):
    def finish(self, machine: Machine, *state: Any) -> None:
        *_version, shape, kind, fortran, data = state
        self.value = machine.array(kind, data, shape, "F" if fortran else "C")


class Dtype(Unfinished):
    def __init__(self, code: Any, *flags: Any) -> None:
        if flags != (False, True):  # not aligned, a copy: the only ones that NumPy writes
            raise ValueError("a dtype with other flags than NumPy's")
        if not isinstance(code, str) or code not in KINDS:
            called = code if isinstance(code, str) else type(code).__name__
            raise ValueError(f"elements of type {called[:40]}, which Paddle does not have")
        self.code = code
        self.value = KINDS[code]

    def finish(self, _machine: Machine, *state: Any) -> None:
        match state:
            case (3, "<" | ">" | "|" as order, None, None, None, -1, -1, 0):
                self.value = KINDS[self.code].newbyteorder(order)
            case _:
                raise ValueError("a dtype with fields")


def value_of(thing: Any) -> Any:
    """What takes part in other values, in place of what stood for it while it was made."""
    if isinstance(thing, Function) or (isinstance(thing, Unfinished) and thing.value is None):
        raise ValueError("a function, or half an array, in the place of a value")
    return thing.value if isinstance(thing, Unfinished) else thing


def latin1(machine: Machine, text: str, encoding: str) -> bytes:
    """How protocol 2 writes bytes."""
    if encoding != "latin1":
        raise ValueError("an encoding other than latin1")
    machine.charge(len(text))
    return text.encode("latin1")


def collect(kind: Callable[..., Any]) -> Function:
    """A container made of another one."""

    def run(machine: Machine, items: Any = ()) -> Any:
        if type(items) not in (list, tuple, set):
            raise ValueError(f"a container made of a {type(items).__name__}")
        machine.charge(len(items))
        return kind(map(machine.key, items) if kind is set else items)

    return Function(run)


def ordered(machine: Machine, pairs: Any = ()) -> Any:
    """The pairs are those of an old Python; newer ones set each item."""
    machine.charge(len(pairs))
    return OrderedDict((machine.key(key), value) for key, value in pairs)


def number(_machine: Machine, real: Any, imaginary: Any) -> complex:
    if not isinstance(real, float) or not isinstance(imaginary, float):
        raise ValueError("a complex number that is not made of two")
    return complex(real, imaginary)


KNOWN: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): "numpy.ndarray",  # only handed on to the next
    ("numpy", "dtype"): Function(lambda _machine, *arguments: Dtype(*arguments)),
    ("_codecs", "encode"): Function(latin1),
    ("__builtin__", "bytes"): Function(lambda _machine: b""),
    ("collections", "OrderedDict"): Function(ordered),
}
for _home in ("builtins", "__builtin__"):  # of Python 3, and as the old protocols spell it
    KNOWN[_home, "tuple"], KNOWN[_home, "set"] = collect(tuple), collect(set)
    KNOWN[_home, "complex"] = Function(number)
for _core in ("numpy.core", "numpy._core"):
    KNOWN[f"{_core}.multiarray", "_reconstruct"] = Function(lambda _machine, *_: Array())
    KNOWN[f"{_core}.multiarray", "scalar"] = Function(
        lambda machine, kind, data: machine.array(kind, data, ())[()]
    )
    KNOWN[f"{_core}.numeric", "_frombuffer"] = Function(
        lambda machine, data, kind, shape, order: machine.array(kind, data, shape, order)
    )


# ----- files -------------------------------------------------------------------------------------


def loads(data: bytes, where: str) -> Any:
    """What a pickle of arrays holds; `where` names it in errors. ValueError if it is damaged."""
    try:
        value = Machine(data).run()
        check_nesting(value)
    except MinipaddleError:
        raise
    except Exception as error:
        raise errors.damaged(where, data, error) from error
    return value


def check_nesting(value: Any) -> None:
    """ValueError for too many containers in each other, and for a ring of them."""
    height(value, 0, {})


def height(value: Any, depth: int, known: dict[int, int]) -> int:
    """How many containers are in each other, of which each is looked into once."""
    if not isinstance(value, (dict, list, tuple, set)):
        return 0
    if id(value) not in known:
        known[id(value)] = RING  # until it is known
        if depth < DEEPEST:
            inner = chain(value, value.values()) if isinstance(value, dict) else value
            known[id(value)] = 1 + max((height(i, depth + 1, known) for i in inner), default=0)
    found = known[id(value)]
    if found == RING and depth < DEEPEST:
        raise ValueError("a list or dict that holds itself")
    if depth + found > DEEPEST:
        raise ValueError(f"more than {DEEPEST} lists or dicts in each other")
    return found


def load(path: Path) -> Any:
    """What a file of arrays holds."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise errors.not_there(path) from None
    return loads(data, str(path))


def dumps(value: Any, protocol: int) -> bytes:
    """A pickle that Paddle reads."""
    return pickle.dumps(value, protocol=protocol)
