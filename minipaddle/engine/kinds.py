"""Check and convert plain arguments by their annotations.

The annotations of a function are resolved once, each to a `Kind`, which checks a value and converts
it: a size may be a NumPy integer or a Tensor of one integer, and reaches the function as an int.
An argument annotated with `Any` is passed on unchecked.
"""

from __future__ import annotations

import collections.abc as abc
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from ..messages import OR, Message, Row
from .dispatch import wrong_kind
from .errors import InvalidType, MinipaddleError
from .tensor import Tensor

REFUSED: Any = object()  # result of a reader for a value that does not fit
VARIADIC = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


class Kind(NamedTuple):
    """The values that an annotation allows: their name, and the function that converts one."""

    words: Message
    read: Callable[[Any], Any]
    plain: frozenset[type]  # classes of values that need no conversion


def scalar(value: Any) -> Any:
    """Return the element of a Tensor or array that has one; return other values unchanged."""
    array = value._data if isinstance(value, Tensor) else value
    if isinstance(array, np.generic):
        return array.item()
    if getattr(array, "size", 0) == 1 and hasattr(array, "dtype") and hasattr(array, "item"):
        return array.item()
    return value


def _scalar_reader(*types: type) -> Callable[[Any], Any]:
    """Return the reader of numbers of these types, also in arrays and Tensors of one element."""

    def read(value: Any) -> Any:
        number = scalar(value)
        return number if isinstance(number, types) else REFUSED

    return read


def _read_callable(value: Any) -> Any:
    return value if callable(value) else REFUSED


def _instance_reader(cls: type) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, cls) else REFUSED


def _read_tensor(value: Any) -> Any:
    return value if hasattr(value, "stop_gradient") else REFUSED  # true of a Variable too


def _row_reader(item: Kind | None) -> Callable[[Any], Any]:
    """Return the reader of lists and tuples; it also takes arrays and Tensors with axes."""

    def read(value: Any) -> Any:
        array = value._data if isinstance(value, Tensor) else value
        listed = getattr(array, "ndim", 0) and hasattr(array, "tolist")
        if not listed and (isinstance(value, (str, bytes)) or not isinstance(value, abc.Sequence)):
            return REFUSED
        if item is None:
            return value
        value = array.tolist() if listed else value
        items = [each if each.__class__ in item.plain else item.read(each) for each in value]
        if any(each is REFUSED for each in items):
            return REFUSED
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else tuple(items) if isinstance(value, tuple) else items

    return read


INT = Kind(Message("an int"), _scalar_reader(int), frozenset({int, bool}))
FLOAT = Kind(Message("a number"), _scalar_reader(int, float), frozenset({int, float, bool}))
BOOL = Kind(Message("True or False"), _scalar_reader(int, type(None)), frozenset({bool}))
STR = Kind(Message("a str"), _instance_reader(str), frozenset({str}))
NONE = Kind(Message("None"), _instance_reader(type(None)), frozenset({type(None)}))
TENSOR = Kind(Message("a Tensor"), _read_tensor, frozenset({Tensor}))
FUNCTION = Kind(Message("a function"), _read_callable, frozenset({types.FunctionType}))
ITEMS = (int, float, str, bool)  # types of items that are checked one by one
KINDS = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE, Tensor: TENSOR}


def kind_of(annotation: Any) -> Kind | None:
    """Return the kind of a resolved annotation, or None if it allows anything."""
    if annotation in (Any, object) or annotation is inspect.Parameter.empty:
        return None
    if annotation.__class__ is not type and isinstance(annotation, typing.TypeVar):
        return None
    if annotation in KINDS:
        return KINDS[annotation]
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _union_kind([kind_of(part) for part in parts])
    if origin is Literal:
        return _literal_kind(parts)
    cls = origin or annotation
    if cls is abc.Callable:
        return FUNCTION
    if not isinstance(cls, type) or cls is np.ndarray:
        return None
    if cls in (list, tuple, abc.Sequence):
        return _row_kind(parts)
    name = cls.__name__
    words = (Message("an {name}") if name[0] in "AEIOU" else Message("a {name}")).fill(name=name)
    return Kind(words, _instance_reader(cls), frozenset({cls}))


def _row_kind(parts: tuple[Any, ...]) -> Kind:
    one = len({part for part in parts if part is not ...}) == 1  # tuple[int, ...], list[int]
    item = kind_of(parts[0]) if one and parts[0] in ITEMS else None
    words = Message("a list or a tuple")
    if item is not None:
        words = Message("{row}, each item {item}").fill(row=words, item=item.words)
    plain = frozenset({list, tuple}) if item is None else frozenset()
    return Kind(words, _row_reader(item), plain)


def _union_kind(kinds: list[Kind | None]) -> Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None

    def read(value: Any) -> Any:
        answers = (kind.read(value) for kind in known)
        return next((answer for answer in answers if answer is not REFUSED), REFUSED)

    words = Row([kind.words for kind in known], OR).message()
    return Kind(words, read, frozenset().union(*(kind.plain for kind in known)))


def _literal_kind(values: tuple[Any, ...]) -> Kind:
    listed = ", ".join(map(repr, values))
    words = Message("one of {listed}", listed=listed)
    return Kind(words, lambda value: value if value in values else REFUSED, frozenset())


# ----- the arguments of a function ---------------------------------------------------------------


class Parameters(NamedTuple):
    """The kinds of a function's arguments."""

    by_position: tuple[tuple[str, Kind | None], ...]
    by_name: dict[str, Kind]


@functools.cache
def parameters_of(function: Callable[..., Any]) -> Parameters:
    """Return the kinds of a function's arguments, from its annotations."""
    hints = typing.get_type_hints(function)
    rows = [p for p in inspect.signature(function).parameters.values() if p.kind not in VARIADIC]
    kinds = {p.name: _fit_default(kind_of(hints.get(p.name, Any)), p.default) for p in rows}
    names = [p.name for p in rows if p.kind is not p.KEYWORD_ONLY]
    return Parameters(
        tuple((name, kinds[name]) for name in names),
        {name: kind for name, kind in kinds.items() if kind is not None},
    )


def _fit_default(kind: Kind | None, default: Any) -> Kind | None:
    """Return a kind, or None (any value) if the argument's own default does not fit it."""
    fits = kind is None or default is inspect.Parameter.empty or kind.read(default) is not REFUSED
    return kind if fits else None


def read(
    name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], MinipaddleError | None]:
    """Return the converted arguments of a call, and the error of the first one that does not fit.

    The error is raised at once if a Tensor does not fit: no function may compare it with anything.
    """
    parameters, error, at_once = parameters_of(function), None, False
    new: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
    names = {at: name for at, (name, _) in enumerate(parameters.by_position)}
    for at, value in new.items():
        argument = names.get(at, at)
        kind = parameters.by_name.get(argument)
        if kind is not None and value.__class__ not in kind.plain:
            answer = new[at] = kind.read(value)
            if answer is REFUSED:
                position = at if at in names else 0
                error = error or misfit(name, argument, kind, value, position)
                at_once = at_once or hasattr(value, "stop_gradient")
                new[at] = value
    if error is not None and at_once:
        raise error
    return tuple(new.pop(at) for at in range(len(args))), new, error


def readers(
    name: str, function: Callable[..., Any], wanted: tuple[Kind, ...]
) -> dict[str, Callable[[Any], Any]]:
    """Return readers of a function's keyword-only arguments of these kinds.

    A reader raises an error for a value that does not fit.
    """
    if not function.__code__.co_kwonlyargcount:
        return {}
    return {
        argument: functools.partial(_read_one, name, argument, kind)
        for argument, kind in parameters_of(function).by_name.items()
        if kind in wanted
    }


def _read_one(name: str, argument: str, kind: Kind, value: Any) -> Any:
    if value.__class__ in kind.plain:
        return value
    answer = kind.read(value)
    if answer is REFUSED:
        raise misfit(name, argument, kind, value)
    return answer


def misfit(name: str, argument: str, kind: Kind, value: Any, position: int = 0) -> MinipaddleError:
    """Make the error of an argument that is not of its kind."""
    if kind is TENSOR:
        return wrong_kind(name, argument, position, value)
    given = type(value).__name__
    return InvalidType(
        Message("{name}(): {argument} must be {kind}, but got {given}."),
        expected=kind.words,
        received=f"{given} {value!r:.60}",
        fix=Message("give {argument} another value"),
        slots={"name": name, "argument": argument, "kind": kind.words, "given": given},
    )


def misfits(
    name: str, function: Callable[..., Any], given: dict[str, Any]
) -> Iterator[MinipaddleError]:
    """Yield the errors of the arguments that do not fit their annotations."""
    kinds = parameters_of(function).by_name
    for position, (argument, value) in enumerate(given.items()):
        kind = kinds.get(argument)
        if kind is not None and value.__class__ not in kind.plain and kind.read(value) is REFUSED:
            yield misfit(name, argument, kind, value, position)
