"""Reading plain arguments by their annotations.

An annotation is resolved as a type, once for a function. Its `Kind` then says of a value whether
it fits, and gives it in one form: a size may be a NumPy integer or a Tensor of one integer, and
is an int for the function. An annotation of `Any` leaves its argument to the function itself.
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

REFUSED: Any = object()  # the answer of a reader to what does not fit
VARIADIC = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


class Kind(NamedTuple):
    """What an annotation allows, in words, and how a value is brought into its one form."""

    words: Message
    read: Callable[[Any], Any]
    plain: frozenset[type]  # the classes of values that are in this form already


def scalar(value: Any) -> Any:
    """Return the one element of a Tensor or an array of one element; other values as they are."""
    array = value._data if isinstance(value, Tensor) else value
    if isinstance(array, np.generic):
        return array.item()
    if getattr(array, "size", 0) == 1 and hasattr(array, "dtype") and hasattr(array, "item"):
        return array.item()
    return value


def _integer(value: Any) -> Any:
    value = scalar(value)
    return value if isinstance(value, int) else REFUSED


def _real(value: Any) -> Any:
    value = scalar(value)
    return value if isinstance(value, (int, float)) else REFUSED


def _flag(value: Any) -> Any:
    plain = scalar(value)
    return plain if plain is None or isinstance(plain, (bool, int)) else REFUSED


def _callable(value: Any) -> Any:
    return value if callable(value) else REFUSED


def _instance(cls: type) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, cls) else REFUSED


def _tensor(value: Any) -> Any:
    return value if hasattr(value, "stop_gradient") else REFUSED  # a Variable is one, too


def _row(item: Kind | None) -> Callable[[Any], Any]:
    """Return a row of values, also an array or a Tensor of one axis."""

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


INT = Kind(Message("an int"), _integer, frozenset({int, bool}))
FLOAT = Kind(Message("a number"), _real, frozenset({int, float, bool}))
BOOL = Kind(Message("True or False"), _flag, frozenset({bool}))
STR = Kind(Message("a str"), _instance(str), frozenset({str}))
NONE = Kind(Message("None"), _instance(type(None)), frozenset({type(None)}))
TENSOR = Kind(Message("a Tensor"), _tensor, frozenset({Tensor}))
FUNCTION = Kind(Message("a function"), _callable, frozenset({types.FunctionType}))
ITEMS = (int, float, str, bool)  # the items of a row that are asked one by one
KINDS = {int: INT, float: FLOAT, bool: BOOL, str: STR, type(None): NONE, Tensor: TENSOR}


def kind_of(annotation: Any) -> Kind | None:
    """Return the kind that a resolved annotation stands for; None where it allows anything."""
    if annotation in (Any, object) or annotation is inspect.Parameter.empty:
        return None
    if annotation.__class__ is not type and isinstance(annotation, typing.TypeVar):
        return None
    if annotation in KINDS:
        return KINDS[annotation]
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _union([kind_of(part) for part in parts])
    if origin is Literal:
        return _one_of(parts)
    cls = origin or annotation
    if cls is abc.Callable:
        return FUNCTION
    if not isinstance(cls, type) or cls is np.ndarray:
        return None
    if cls in (list, tuple, abc.Sequence):
        return _row_kind(parts)
    name = cls.__name__
    words = (Message("an {name}") if name[0] in "AEIOU" else Message("a {name}")).fill(name=name)
    return Kind(words, _instance(cls), frozenset({cls}))


def _row_kind(parts: tuple[Any, ...]) -> Kind:
    one = len({part for part in parts if part is not ...}) == 1  # tuple[int, ...], list[int]
    item = kind_of(parts[0]) if one and parts[0] in ITEMS else None
    words = Message("a list or a tuple")
    if item is not None:
        words = Message("{row}, each item {item}").fill(row=words, item=item.words)
    plain = frozenset({list, tuple}) if item is None else frozenset()
    return Kind(words, _row(item), plain)


def _union(kinds: list[Kind | None]) -> Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None

    def read(value: Any) -> Any:
        answers = (kind.read(value) for kind in known)
        return next((answer for answer in answers if answer is not REFUSED), REFUSED)

    words = Row([kind.words for kind in known], OR).message()
    return Kind(words, read, frozenset().union(*(kind.plain for kind in known)))


def _one_of(values: tuple[Any, ...]) -> Kind:
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
    kinds = {p.name: _with_default(kind_of(hints.get(p.name, Any)), p.default) for p in rows}
    names = [p.name for p in rows if p.kind is not p.KEYWORD_ONLY]
    return Parameters(
        tuple((name, kinds[name]) for name in names),
        {name: kind for name, kind in kinds.items() if kind is not None},
    )


def _with_default(kind: Kind | None, default: Any) -> Kind | None:
    """Return a kind that its own default fits, whatever the annotation says."""
    fits = kind is None or default is inspect.Parameter.empty or kind.read(default) is not REFUSED
    return kind if fits else None


def read(
    name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], MinipaddleError | None]:
    """Return the arguments of a call in their one form, and the error of one that does not fit.

    A Tensor that does not fit is refused at once: no function may compare it with anything.
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
    """Return a reader for each keyword-only argument of these kinds, which refuses what does not
    fit."""
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
    """Make the error of an argument of another kind."""
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
    """Make the errors of arguments, by name, that do not fit their annotations."""
    kinds = parameters_of(function).by_name
    for position, (argument, value) in enumerate(given.items()):
        kind = kinds.get(argument)
        if kind is not None and value.__class__ not in kind.plain and kind.read(value) is REFUSED:
            yield misfit(name, argument, kind, value, position)
