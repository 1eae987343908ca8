"""The parameters of `static.nn`: how they start, how they are made, and activations by name."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.dtypes import DType
from ..engine.errors import CheckFailed, InvalidArgument
from ..ops import REGISTRY
from ..parameters.initializers import Initializer, fallback_initializer
from ..parameters.param_attr import ParamAttr
from .block import check_shape
from .variable import Parameter


def make_parameter(
    layer: str, letter: str, shape: Any, dtype: DType, attr: Any, default: Initializer | None = None
) -> Parameter:
    """A parameter as its attr asks for; without one, `default` or Paddle's usual numbers."""
    attrs = ParamAttr.of(attr)
    if attrs is None:
        raise CheckFailed(
            f"{layer}: the attr of this parameter should not be False.",
            expected="None, True, a name, an Initializer or a ParamAttr",
            received="False, for a parameter that the layer cannot do without",
            fix="leave it out, or freeze the parameter with paddle.ParamAttr(trainable=False)",
        )
    initializer = attrs.initializer or fallback_initializer(letter == "b", default)
    sizes, create = check_shape(shape, layer), modes.here().builder.create_parameter
    made: Parameter = create(f"{layer}.{letter}", sizes, dtype, initializer, attrs)
    return made


def activate(x: Any, activation: str | None, layer: str) -> Any:
    """The function of this name of x."""
    if activation is None:
        return x
    op = REGISTRY.get(activation)
    if op is None or len(op.inputs) != 1:
        raise InvalidArgument(
            f"{layer}(): there is no activation '{activation}'.",
            expected="tanh, relu, sigmoid, softmax or another op of one input",
            received=repr(activation),
            fix="check the spelling, or apply the function to the result",
        )
    return op.call(x)
