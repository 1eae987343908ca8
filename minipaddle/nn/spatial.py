"""Layers for lines, images or volumes: the number of axes decides their usual layout."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar

from ..engine.errors import InvalidArgument
from ..ops.networks import forms
from . import errors
from .docstrings import complete
from .layer import Layer


class Spatial(Layer):
    """A layer of one family for each number of axes beside those of samples and channels.

    `class Conv1D(_Convolution, axes=1)` has the family's methods under its own name, "NCL" as the
    layout where none is given, and the facts of the family's docstring.
    """

    _axes: ClassVar[int] = 0

    def __init_subclass__(cls, axes: int = 0) -> None:
        super().__init_subclass__()
        if axes:
            cls._axes = axes
            made = {
                "__init__": with_defaults(cls.__init__, data_format=forms.FIRST[axes]),
                "forward": with_defaults(cls.forward),
            }
            for name, method in made.items():
                method.__module__ = cls.__module__
                method.__qualname__ = f"{cls.__qualname__}.{name}"
                setattr(cls, name, method)
            cls.__doc__ = complete(cls, inspect.getdoc(cls.__base__))


def refuse_rank(layer: Spatial, x: Any) -> None:
    """Raise an error for a norm's input with other numbers of axes; lines may have length 1."""
    most = layer._axes + 2
    least = 2 if layer._axes == 1 else most
    if not least <= len(x.shape) <= most:
        instead = "the norm for this number of dimensions"
        raise errors.rank(type(layer).__name__, least, most, InvalidArgument, instead, x=x)


def with_defaults(function: Callable[..., Any], **defaults: Any) -> Callable[..., Any]:
    """Return a twin of a function whose arguments have other defaults.

    >>> with_defaults(lambda a, b=1: (a, b), b=2)(0)
    (0, 2)
    """
    assert isinstance(function, FunctionType)
    own = inspect.signature(function).parameters.values()
    usual = {p.name: p.default for p in own if p.default is not p.empty} | defaults
    by_position = [p.name for p in own if p.name in usual and p.kind is not p.KEYWORD_ONLY]
    code, closure = function.__code__, function.__closure__
    values = tuple(usual.pop(name) for name in by_position)
    twin = FunctionType(code, function.__globals__, function.__name__, values, closure)
    twin.__kwdefaults__, twin.__doc__ = usual or None, function.__doc__
    twin.__annotations__ = dict(function.__annotations__)
    return twin
