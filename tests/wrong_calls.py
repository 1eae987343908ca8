"""Wrong calls of public functions and classes, made from the good ones in their docstrings.

The examples of the docstrings are run once, and each call of a public name in them is noted. Then
one argument at a time is replaced. What may come of it is an answer or an error of minipaddle.
"""

import contextlib
import doctest
import inspect
import io
import re
import signal
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.engine.errors import MinipaddleError

MODULES = {
    "paddle": paddle, "nn": paddle.nn, "F": paddle.nn.functional,
    "initializer": paddle.nn.initializer, "nn.utils": paddle.nn.utils,
    "optimizer": paddle.optimizer, "lr": paddle.optimizer.lr, "io": paddle.io,
    "metric": paddle.metric, "static": paddle.static, "static.nn": paddle.static.nn,
    "fft": paddle.fft, "linalg": paddle.linalg, "autograd": paddle.autograd,
    "distributed": paddle.distributed,
    "callbacks": paddle.callbacks, "text": paddle.text, "utils": paddle.utils,
    "profiler": paddle.profiler, "regularizer": paddle.regularizer, "testing": paddle.testing,
    "vision": paddle.vision, "vision.transforms": paddle.vision.transforms,
    "vision.ops": paddle.vision.ops, "exercises": exercises, "checks": exercises.checks,
}  # fmt: skip
RAW = (  # NumPy's words, and Python's, which say nothing of the call
    "zero-size array", "tuple index", "list index", "source: axis", "cannot reshape array",
    "negative dimensions", "array is too big", "Maximum allowed", "Unable to allocate",
    "could not be broadcast", "has no len()", "not supported between", "unsupported operand",
    "too large to convert", "not a callable object", "object is not iterable", "ambiguous",
)  # fmt: skip


PYTHONS = re.compile(r"\(\) (takes|got|missing)")  # a function called with another set of arguments


class Call(NamedTuple):
    """A good call of a public name."""

    name: str
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


# Made by minipaddle itself; a setting; a file of any name; processes.
LEFT_OUT = {"paddle.Tensor", "static.Variable", "static.Parameter", "static.Block"}
LEFT_OUT |= {"static.Operator", "distributed.Group", "paddle.set_default_dtype", "paddle.save"}
LEFT_OUT |= {"distributed.spawn", "profiler.load_profiler_result", "paddle.load"}
LEFT_OUT |= {"profiler.export_chrome_tracing", "static.save", "static.load"}


def public() -> Iterator[tuple[str, Any]]:
    """Every public function and class by its name, once."""
    seen: set[int] = set()
    for path, module in MODULES.items():
        for name in module.__all__:
            value = getattr(module, name)
            ours = getattr(value, "__module__", "") or ""
            known = f"{path}.{name}" not in LEFT_OUT and callable(value)
            if known and ours.startswith("minipaddle") and id(value) not in seen:
                seen.add(id(value))
                yield f"{path}.{name}", value


def good_calls(name: str, value: Any) -> Iterator[Call]:
    """The calls of a public name in the example of its docstring."""
    function = vars(value).get("__init__") if isinstance(value, type) else value
    code = getattr(function, "__code__", None)
    found: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def note(frame: types.FrameType, event: str, _arg: Any) -> None:
        if event == "call" and frame.f_code is code:
            found.append(arguments(frame))

    example = inspect.getdoc(value) or ""
    test = doctest.DocTestParser().get_doctest(
        example, {"paddle": paddle, "np": np, "viz": viz, "exercises": exercises}, name, None, 0
    )
    scope = test.globs
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        for each in test.examples:
            compiled = compile(each.source, "<example>", "single")
            sys.setprofile(note)
            try:
                exec(compiled, scope)
            finally:
                sys.setprofile(None)
    for args, kwargs in found[:1]:
        yield Call(name, value, args[1:] if isinstance(value, type) else args, kwargs)


def arguments(frame: types.FrameType) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call that has just begun."""
    code, known = frame.f_code, frame.f_locals
    names = list(code.co_varnames)
    first = names[: code.co_argcount]
    rest = names[code.co_argcount + code.co_kwonlyargcount :]
    values = [known[n] for n in first]
    while values and (values[-1] is None or type(values[-1]) is object):
        values.pop()  # a default
    kwargs = {n: known[n] for n in names[code.co_argcount :][: code.co_kwonlyargcount]}
    if code.co_flags & inspect.CO_VARARGS:
        values += known[rest.pop(0)]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        kwargs |= known[rest.pop(0)]
    return tuple(values), kwargs


def wrong_values() -> dict[str, Any]:
    """What nobody means, by name; new each time, as some are changed by what takes them."""
    return {
        "None": None,
        "object": object(),
        "text": "x",
        "-1": -1,
        "0": 0,
        "10**20": 10**20,
        "10**14": 10**14,
        "0.5": 0.5,
        "nan": float("nan"),
        "[]": [],
        "[-1]": [-1],
        "[10**14]": [10**14],
        "['a']": ["a"],
        "[None]": [None],
        "{}": {},
        "lambda": lambda *_: 1,
        "array": np.arange(3.0),
        "objects": np.array([None, "a"], dtype=object),
        "bools": paddle.ones([2], dtype="bool"),
        "complex": paddle.ones([2], dtype="complex64"),
        "empty": paddle.zeros([0, 2]),
        "scalar": paddle.to_tensor(1.0),
        "class": int,
        "bytes": b"x",
    }


def wrong_calls(call: Call) -> Iterator[tuple[str, Call]]:
    """The call with one argument after the other replaced, or added under its name."""
    try:
        parameters = inspect.signature(call.function).parameters
    except (TypeError, ValueError):
        parameters = types.MappingProxyType({})
    names = list(parameters)
    taken = {*names[: len(call.args)], *call.kwargs}
    free = [n for n, p in parameters.items() if n not in taken and p.kind not in (2, 4)]
    for what in wrong_values():
        for position in range(len(call.args)):
            args = list(call.args)
            args[position] = wrong_values()[what]
            yield f"argument {position}={what}", call._replace(args=tuple(args))
        for key in (*call.kwargs, *free):
            if key == "name":
                continue
            kwargs = {**call.kwargs, key: wrong_values()[what]}
            yield f"{key}={what}", call._replace(kwargs=kwargs)
    yield "an argument too many", call._replace(args=(*call.args, *[1] * 40))
    yield "an unknown name", call._replace(kwargs={**call.kwargs, "no_such_argument": 1})


def state() -> tuple[Any, ...]:
    """What a refused call must leave as it was."""
    program = paddle.static.default_main_program()
    return (
        paddle.get_default_dtype(),
        str(paddle.device.get_device()),
        paddle.in_dynamic_mode(),
        paddle.is_grad_enabled(),
        len(program.global_block().ops),
        len(warnings.filters) if warnings.filters is None else 0,
    )


class Late(BaseException):
    """A call has not come back in time."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    def late(*_: Any) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def complaint(call: Call, seconds: float = 2.0) -> str:
    """What is wrong with what comes of a wrong call; "" if nothing is."""
    before = state()
    try:
        with within(seconds), contextlib.redirect_stdout(io.StringIO()):
            call.function(*call.args, **call.kwargs)
    except MinipaddleError as error:
        text = str(error)
        raw = next((words for words in RAW if words in text.partition("\n  received")[0]), "")
        if raw:
            return f"says {raw!r}: {text.splitlines()[0][:90]}"
        if state() != before:
            return f"is refused, but changes {before} to {state()}"
    except Late:
        return "hangs"
    except TypeError as error:
        return "" if PYTHONS.search(str(error)) else f"TypeError: {str(error)[:90]!r}"
    except BaseException as error:  # noqa: BLE001
        return f"{type(error).__name__}: {str(error)[:90]!r}"
    return ""
