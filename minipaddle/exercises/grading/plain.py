"""Plain data between a notebook's process and its judge: values in JSON, arrays as their bytes.

What a notebook's process sends is never unpickled, and no object of its own reaches the judge.
"""

from __future__ import annotations

import base64
import builtins
import json
import linecache
import sysconfig
import traceback
from collections.abc import Callable, Iterable
from types import CodeType, TracebackType
from typing import Any

import numpy as np

from ... import Tensor, to_tensor
from ...engine import errors as known_errors
from ...engine.errors import message_of
from ...engine.source_line import is_library_code
from ...engine.visible import make_visible
from ...messages import Message, Text
from ..trials import unwrap

NUMBERS = "biufc"  # kinds of arrays that are sent as bytes
LONGEST = 1000  # characters of a message
FRAMES = 20
CHECKS = "minipaddle_check"  # module of the functions and classes that a check sends
SENT: dict[str, type] = {}  # classes of checks that this process has sent, by name
INSTALLED = tuple(sysconfig.get_paths()[each] for each in ("stdlib", "purelib", "platlib"))

# Object of a notebook that is no plain data -> [its number, the name of its type, can be called]
Note = Callable[[Any], list[Any]]
Find = Callable[[int, str, bool], Any]  # the judge's stand-in for such an object


class NotPlain(TypeError):
    """A value is no plain data."""


def refuse(value: Any) -> list[Any]:
    """Raise NotPlain for an object that is no plain data."""
    raise NotPlain(type(value).__name__)


# ----- in the process of the notebook -------------------------------------------------------------


def encode(value: Any, note: Note = refuse, used: Iterable[str] = ()) -> Any:
    """Return a value as JSON; `note` names what is no plain data.

    `used` are the files of the check's own functions, which tracebacks name.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if value is ...:
        return ["..."]
    if isinstance(value, list | tuple | set):
        kind = next(kind for kind in (list, tuple, set) if isinstance(value, kind))
        return [kind.__name__, [encode(each, note, used) for each in value]]
    if type(value) is dict:
        pairs = value.items()
        return ["dict", [[encode(k, note, used), encode(v, note, used)] for k, v in pairs]]
    if isinstance(value, Tensor):
        array, name = encode(value.numpy(), note, used), value.name
        return ["tensor", array, bool(value.stop_gradient), str(name), value.dtype.name]
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype.kind in NUMBERS:
            data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
            return ["array", array.dtype.str, [*array.shape], data]
        items = [encode(each, note, used) for each in array.ravel().tolist()]
        return ["items", "U" if array.dtype.kind == "U" else "O", [*array.shape], items]
    if isinstance(value, Message):
        return ["text", *(make_visible(text, keep="\n", most=LONGEST) for text in value)]
    if isinstance(value, BaseException):
        return ["error", describe_error(value, used)]
    return ["object", *note(value)]


def describe_error(error: BaseException, used: Iterable[str] = ()) -> dict[str, Any]:
    """Describe an exception as plain data: its class, text, and places in the learner's code."""
    error = unwrap(error)
    try:
        said = message_of(error)
        words, texts = str(error), [said.of("en"), said.of("zh")]
    except Exception:  # noqa: BLE001 - a learner's __str__
        words, texts = "", ["", ""]
    frames = []
    for row in traceback.extract_tb(error.__traceback__)[-FRAMES:]:
        ours = is_library_code(row.filename) or row.filename.startswith(INSTALLED)
        where = "use" if row.filename in used else "ours" if ours else "cell"
        frames.append([where, row.name, row.lineno or 1, make_visible(row.line or "", most=200)])
    about = {"class": type(error).__name__, "text": words[: 4 * LONGEST], "says": texts}
    if isinstance(error, NameError | AttributeError):
        about["name"] = str(error.name)
    # Arguments of the check's own classes, such as the missing key of a dict.
    kinds = [type(each) for each in error.args if type(each).__module__ == CHECKS]
    return {**about, "of": [kind.__name__ for kind in kinds], "frames": frames}


def pack(message: Any) -> bytes:
    """Return a message as bytes."""
    return json.dumps(message).encode("ascii")


# ----- in the process of the judge ----------------------------------------------------------------


def decode(data: Any, find: Find, used: str = "") -> Any:
    """Return the value that JSON from a notebook's process describes; raise for anything else.

    `used` is the file of the check's own functions.
    """
    if data is None or type(data) in (bool, int, float, str):
        return data
    kind, *parts = data
    if kind == "...":
        return ...
    if kind in ("list", "tuple", "set"):
        [items] = parts
        values = [decode(each, find, used) for each in items]
        return {"list": list, "tuple": tuple, "set": set}[kind](values)
    if kind == "dict":
        [pairs] = parts
        return {decode(k, find, used): decode(v, find, used) for k, v in pairs}
    if kind == "array":
        return array_of(*parts)
    if kind == "items":
        letter, shape, items = parts
        values = [decode(each, find, used) for each in items]
        if letter == "U":
            return np.array([str(each) for each in values], "U").reshape(shape)
        made = np.empty(len(values), object)
        made[:] = values
        return made.reshape(shape)
    if kind == "tensor":
        array, stop_gradient, name, dtype = parts
        stopped = bool(stop_gradient)
        tensor = to_tensor(decode(array, find), dtype=str(dtype), stop_gradient=stopped)
        tensor.name = make_visible(str(name), most=100)
        return tensor
    if kind == "text":
        return Text(*map(str, parts))
    if kind == "error":
        return error_of(parts[0], used)
    if kind == "object":
        number, name, called = parts
        return find(int(number), make_visible(str(name), most=80), bool(called))
    raise ValueError(f"an unknown kind of data, {kind!r}"[:80])


def array_of(dtype: str, shape: list[int], data: str) -> Any:
    """Return the array of these bytes."""
    kind = np.dtype(str(dtype))
    if kind.kind not in NUMBERS:
        raise ValueError("an array of objects")
    return np.frombuffer(base64.b64decode(data), kind).reshape([*map(int, shape)]).copy()


def error_of(about: dict[str, Any], used: str = "") -> BaseException:
    """Return an exception as it was described, with a traceback of the same lines."""
    name, text = str(about["class"]), str(about["text"])
    base = getattr(known_errors, name, None) or getattr(builtins, name, None)
    if not (isinstance(base, type) and issubclass(base, Exception | SystemExit)):
        base = Exception
    if base is NotImplementedError:  # a scaffold's: see `is_to_be_written`
        error: BaseException = NotImplementedError(text)
    else:
        kind: Any = type(make_visible(name, most=80), (base,), {"__str__": lambda _: text})
        error = kind.__new__(kind)
        error.args = tuple(object.__new__(SENT[each]) for each in about["of"]) or (text,)
    if isinstance(error, NameError | AttributeError):
        error.name = str(about["name"])
    if isinstance(error, known_errors.MinipaddleError):
        error.message, error.place = Text(*map(str, about["says"])), None
        error.parts = {"what": error.message}
    trace = None
    for number, (where, function, line, code) in reversed([*enumerate(about["frames"])]):
        files = {"use": used, "ours": known_errors.__file__}
        file = files.get(where) or f"<cell {number}>"
        line = max(1, min(int(line), 10_000))
        if file.startswith("<"):
            lines = ["\n"] * (line - 1) + [f"{code}\n"]
            linecache.cache[file] = (len(lines), None, lines, file)
        trace = TracebackType(trace, frame_in(file, make_visible(str(function), most=80)), 0, line)
    return error.with_traceback(trace)


def frame_in(file: str, function: str) -> Any:
    """Return a frame of a function of this name in this file."""
    code: CodeType = compile("__import__('sys')._getframe()", file, "eval")
    return eval(code.replace(co_name=function))
