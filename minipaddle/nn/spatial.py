"""Layers for lines, images or volumes: the number of axes sets their default layout."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar

from ..engine.errors import InvalidArgument
from ..ops.networks import forms
from . import errors
from .function_layer import complete
from .layer import Layer


class Spatial(Layer):
    """Base class of a family of layers that differ in the number of spatial axes.

    `class Conv1D(_Convolution, axes=1)` has the family's methods under its own name, the default
    layout "NCL", and the facts of the family's docstring.
    """

    _axes: ClassVar[int] = 0

    def __init_subclass__(cls, axes: int = 0) -> None:
        super().__init_subclass__()
        if axes:
            cls._axes = axes
            methods = {
                "__init__": with_defaults(cls.__init__, data_format=forms.FIRST[axes]),
                "forward": with_defaults(cls.forward),
            }
            for name, method in methods.items():
                method.__module__ = cls.__module__
                method.__qualname__ = f"{cls.__qualname__}.{name}"
                setattr(cls, name, method)
            cls.__doc__ = complete(cls, inspect.getdoc(cls.__base__))


def refuse_rank(layer: Spatial, x: Any) -> None:
    """Raise an error if a norm's input has another number of axes; lines need no length axis."""
    most = layer._axes + 2
    least = 2 if layer._axes == 1 else most
    instead = "the norm for this number of dimensions"
    errors.require_rank(type(layer).__name__, least, most, InvalidArgument, instead, x=x)


def with_defaults(function: Callable[..., Any], **defaults: Any) -> Callable[..., Any]:
    """Return a copy of a function with other defaults of its arguments.

    >>> with_defaults(lambda a, b=1: (a, b), b=2)(0)
    (0, 2)
    """
    assert isinstance(function, FunctionType)
    own = inspect.signature(function).parameters.values()
    values_by_name = {p.name: p.default for p in own if p.default is not p.empty} | defaults
    by_position = [p.name for p in own if p.name in values_by_name and p.kind is not p.KEYWORD_ONLY]
    code, closure = function.__code__, function.__closure__
    values = tuple(values_by_name.pop(name) for name in by_position)
    twin = FunctionType(code, function.__globals__, function.__name__, values, closure)
    twin.__kwdefaults__, twin.__doc__ = values_by_name or None, function.__doc__
    twin.__annotations__ = dict(function.__annotations__)
    return twin
