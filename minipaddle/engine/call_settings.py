"""Arguments of a call that are no Tensors, as listeners see them."""

from __future__ import annotations

import inspect
import reprlib
from typing import Any

from .source_line import is_library_code
from .tensor import Tensor

PLAIN = (bool, int, float, complex, str, type(None), range, slice)


def settings_of(forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, str]:
    """Return the arguments without Tensors, and the defaults, as code by parameter.

    The first of `args` is the context. The result is empty for arguments that do not fit, and for
    library code, whose parameters say nothing to the user.

    >>> settings_of(lambda ctx, x, factor, mode="up": x, (None, paddle.ones([1]), 0.5), {})
    {'factor': '0.5', 'mode': "'up'"}
    >>> settings_of(lambda ctx, *rest, **more: 1, (None, paddle.ones([1]), 0.5), {"k": 2})
    {'rest[1]': '0.5', 'k': '2'}
    """
    code = getattr(forward, "__code__", None)
    if code is not None and is_library_code(code.co_filename):
        return {}
    only = code is not None and code.co_argcount == len(args) and not code.co_kwonlyargcount
    if only and not kwargs and all(isinstance(value, Tensor) for value in args[1:]):
        return {}  # the usual case
    try:
        signature = inspect.signature(forward)
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):  # the call itself raises the error
        return {}
    bound.apply_defaults()
    named = list(named_arguments(bound).items())[1:]
    return {name: as_code(value) for name, value in named if not has_tensor(value)}


def named_arguments(bound: inspect.BoundArguments) -> dict[str, Any]:
    """Return the arguments by parameter; an item of `*args` is `args[0]`, of `**more` its key."""
    named: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            named |= {f"{name}[{at}]": item for at, item in enumerate(value)}
        else:
            named |= value if kind is inspect.Parameter.VAR_KEYWORD else {name: value}
    return named


def has_tensor(value: Any) -> bool:
    items = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(item, Tensor) for item in items)


def as_code(value: Any) -> str:
    """Return a plain value as code, at most a line; the name of a function; the class of others.

    >>> as_code([1, 2.5]), as_code(len), as_code(object())
    ('[1, 2.5]', 'len', '<object>')
    """
    items = value if isinstance(value, (list, tuple)) else [value]
    if all(isinstance(item, PLAIN) for item in items):
        return reprlib.repr(value)
    return getattr(value, "__name__", "") or f"<{type(value).__name__}>"
