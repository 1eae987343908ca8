"""Parameters and activations of the layers in `static.nn`."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.dtypes import DType
from ..ops import REGISTRY
from ..parameters.initializers import Initializer, fallback_initializer
from ..parameters.param_attr import ParamAttr
from . import errors
from .block import check_shape
from .variable import Parameter


def make_parameter(
    layer: str, letter: str, shape: Any, dtype: DType, attr: Any, default: Initializer | None = None
) -> Parameter:
    """Make the parameter that `attr` describes; without an initializer `default` fills it."""
    attrs = ParamAttr.of(attr)
    if attrs is None:
        raise errors.parameter_left_out(layer)
    initializer = attrs.initializer or fallback_initializer(letter == "b", default)
    sizes, create = check_shape(shape, layer), modes.here().builder.create_parameter
    made: Parameter = create(f"{layer}.{letter}", sizes, dtype, initializer, attrs)
    return made


def activate(x: Any, activation: str | None, layer: str) -> Any:
    """Apply the activation of this name to x."""
    if activation is None:
        return x
    op = REGISTRY.get(activation)
    if op is None or len(op.inputs) != 1:
        raise errors.unknown_activation(layer, activation)
    return op.call(x)
