"""Wrappers of public functions and classes that turn wrong calls into our errors.

A constructor checks its arguments by their annotations before it runs. A function runs without a
check, so that it stays quick. If it fails with an error of Python or NumPy, the annotations show
which argument is wrong.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import FunctionType, ModuleType
from typing import Any

from ..engine import calls, kinds, source_line
from ..engine.dispatch import wrong_kind
from ..engine.errors import (
    DivisionByZero,
    InvalidArgument,
    InvalidName,
    InvalidType,
    MinipaddleError,
    OutOfRange,
)
from ..engine.python_messages import in_chinese, in_our_words
from ..engine.tensor import Tensor
from ..messages import Message, Text
from . import errors
from .arguments import second_names
from .widening import HALF, any_of, is_half

PACKAGE = __name__.partition(".")[0]
KINDS: tuple[tuple[type[Exception], type[MinipaddleError]], ...] = (
    (AttributeError, InvalidType),
    (TypeError, InvalidType),
    (IndexError, OutOfRange),
    (KeyError, InvalidName),
    (ZeroDivisionError, DivisionByZero),
)
# Errors of Python and NumPy that a wrong argument can cause, which excludes system errors.
CAUGHT: tuple[type[Exception], ...] = (ArithmeticError, AssertionError, AttributeError, LookupError)
CAUGHT += (MemoryError, RecursionError, TypeError, ValueError)


WRONG_CALL = re.compile(r"^\S+\(\) ")  # function name in Python's text


def publish(
    namespace: dict[str, Any],
    names: Collection[str],
    around: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> None:
    """Wrap the functions and classes of a public module.

    `around` makes the context in which each function runs, such as one that removes what a
    failed call has added to a Program.
    """
    for name in namespace.keys() & {*names}:
        namespace[name] = public(namespace[name], name, around)


def public_names(namespace: dict[str, Any], *modules: str) -> Iterator[str]:
    """Yield the names of a public module's functions, classes and submodules."""
    for name, value in namespace.items():
        ours = isinstance(value, (type, FunctionType)) and value.__module__.startswith(PACKAGE)
        if name in modules or (ours and name[0] != "_"):
            yield name


def public(
    value: Any, name: str, around: Callable[[], AbstractContextManager[Any]] = nullcontext
) -> Any:
    """Wrap a function or the constructor of a class; functions without arguments stay."""
    if isinstance(value, type):
        init: Any = value.__init__  # type: ignore[misc]
        ours = isinstance(init, FunctionType) and init.__module__.startswith(PACKAGE)
        done = calls.has_renamed_frames(vars(value).get("__init__")) or issubclass(
            value, BaseException
        )
        if ours and not done:
            value.__init__ = convert_arguments(inspect.unwrap(init), value.__name__)  # type: ignore[misc]
        return value
    code = value.__code__ if isinstance(value, FunctionType) else None
    if (
        code is None
        or calls.has_renamed_frames(value)
        or not code.co_argcount + code.co_kwonlyargcount
    ):
        return value
    return convert_arguments(value, name, around)


@functools.cache
def convert_arguments(
    call: Callable[..., Any],
    name: str,
    around: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> Callable[..., Any]:
    """Make a function that converts its arguments by their annotations before it runs.

    A misfit raises an error only if the function fails too, as its effects, such as a written
    file, are done. A constructor always raises it, as the object would fail later.
    """
    makes = call.__name__ == "__init__"

    @functools.wraps(call)
    def converting_call(*args: Any, **kwargs: Any) -> Any:
        args, kwargs, misfit = kinds.read(name, call, args, kwargs)
        try:
            with around():
                result = call(*args, **kwargs)  # may raise a better error for a misfit
                if makes and misfit is not None:
                    raise misfit
                return result
        except CAUGHT as error:
            if misfit is not None and is_missing_attribute(call, error):
                raise misfit from error
            clear = explain(call, name, args, kwargs, error)
            if clear is None:
                raise
            raise clear from error

    return calls.rename_frames(converting_call, name, parameters=call.__code__.co_varnames)


def is_missing_attribute(call: Callable[..., Any], error: BaseException) -> bool:
    """Return whether the error is that an argument lacks an attribute."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raised = (
        trace is not None and trace.tb_frame.f_code is call.__code__ and error.__cause__ is None
    )
    return isinstance(error, AttributeError) and not (raised and isinstance(error, MinipaddleError))


def accept_names(
    call: Callable[..., Any], names: Collection[str], name: str = ""
) -> Callable[..., Any]:
    """Wrap a hand-written function, public under these names; `name` is for errors.

    The wrapper accepts alternative names of arguments and names a wrong argument.
    """
    code = getattr(call, "__code__", None)  # a name of an argument is no second name of another
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code else ()
    known = ((q, p) for name in names for q, p in second_names().get(name, {}).items())
    pairs = tuple({q: p for q, p in known if q not in own}.items())
    return _accept_names(call, pairs, name or call.__name__, own)


@functools.cache
def _accept_names(
    call: Callable[..., Any], pairs: tuple[tuple[str, str], ...], name: str, own: tuple[str, ...]
) -> Callable[..., Any]:
    seconds, of_half = dict(pairs), getattr(call, "of_half", None)

    @functools.wraps(call)
    def accepting_call(*args: Any, **kwargs: Any) -> Any:
        if kwargs and not seconds.keys().isdisjoint(kwargs):
            kwargs = _use_own_names(name, seconds, kwargs)
        try:
            if of_half is not None and _is_half_call(args, kwargs):
                return of_half(args, kwargs)
            return call(*args, **kwargs)
        except CAUGHT as error:
            clear = explain(call, name, args, kwargs, error)
            if clear is None:
                raise
            raise clear from error

    return calls.rename_frames(accepting_call, name, op=call.__name__, parameters=own)


def _is_half_call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether the first argument is a tensor of float16."""
    try:
        return args[0]._data.dtype is HALF
    except (AttributeError, IndexError):
        return any_of(is_half, (*args, *kwargs.values()))


def explain(
    call: Callable[..., Any],
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: BaseException,
) -> MinipaddleError | None:
    """Return our error for Python's error of a wrong argument, None for other errors."""
    if isinstance(error, MinipaddleError) or source_line.raised_by_user(error):
        return None
    signature = inspect.signature(call)
    try:
        arguments = signature.bind(*args, **kwargs).arguments
    except TypeError:  # a wrong set of arguments: Python's text names them
        arguments = {}
        text = f"{name}() {WRONG_CALL.sub('', str(error))}"
        words: Message = Text(f"{text}.", in_chinese(text))
    else:
        meant = in_our_words(error)
        words = Message("{name}(): {meant}", name=name, meant=meant)
    arguments.pop("self", None)
    if misfit := next(kinds.misfits(name, call, arguments), None):
        return misfit
    if isinstance(error, AttributeError) and error.name is not None:
        if isinstance(error.obj, (Tensor, ModuleType)):  # our fault: no argument is wrong
            return None
        for position, (argument, value) in enumerate(arguments.items()):
            items = value if isinstance(value, (list, tuple)) else ()
            usual = value is signature.parameters[argument].default
            tensors = hasattr(Tensor, error.name) and not usual  # a Tensor was expected
            if tensors and any(item is error.obj for item in (value, *items)):
                return wrong_kind(name, argument, position, error.obj)
    cls = next((ours for raw, ours in KINDS if isinstance(error, raw)), InvalidArgument)
    return cls(
        words,
        expected=Message("arguments that fit: {name}{signature}", name=name, signature=signature),
        received=", ".join(f"{arg} {_describe_argument(value)}" for arg, value in arguments.items())
        or None,
        fix=Message(
            "see help({name}); report it if the arguments fit: then minipaddle is wrong", name=name
        ),
    )


def _describe_argument(value: Any) -> str:
    tensor = isinstance(value, Tensor)
    return f"{value._data.dtype.name} {list(value._data.shape)}" if tensor else f"{value!r:.40}"


def _use_own_names(name: str, seconds: dict[str, str], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments under their own names."""
    own = {seconds.get(key, key): value for key, value in kwargs.items()}
    if len(own) < len(kwargs):
        twice = next(q for q in kwargs if seconds.get(q) in kwargs)
        raise errors.two_names(name, seconds[twice], twice)
    return own
