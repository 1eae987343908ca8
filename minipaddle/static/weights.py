"""The parameters of `static.nn`: how they start, how they are made, and activations by name."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any, NamedTuple

import numpy as np

from .. import modes, naming
from ..dtypes import DType
from ..errors import InvalidArgument
from ..ops import REGISTRY
from .variable import Parameter

Description = tuple[str, dict[str, Any]]


class Uniform:
    """Xavier's rule: U(-L, L) with L = sqrt(6 / (fan_in + fan_out))."""

    def describe(self, shape: tuple[int, ...], dtype: DType) -> Description:
        fans = (shape[0], shape[-1])
        if len(shape) > 2:
            field = prod(shape[2:])
            fans = (shape[1] * field, shape[0] * field)
        limit = float(np.float32(sqrt(6.0 / sum(fans)))) if sum(fans) else 0.0
        return "uniform", {"shape": shape, "dtype": dtype, "min": -limit, "max": limit}


class Gaussian(NamedTuple):
    """Normal numbers around 0."""

    std: float

    def describe(self, shape: tuple[int, ...], dtype: DType) -> Description:
        return "gaussian", {"shape": shape, "dtype": dtype, "mean": 0.0, "std": self.std}


class Fixed(NamedTuple):
    """One value everywhere."""

    value: float

    def describe(self, shape: tuple[int, ...], dtype: DType) -> Description:
        return "full", {"shape": shape, "dtype": dtype, "fill_value": self.value}


class Untrained(NamedTuple):
    """The attr of a parameter that no optimizer changes: a running statistic."""

    name: str | None
    trainable: bool = False


def make_parameter(
    layer: str, letter: str, shape: tuple[int, ...], dtype: DType, attr: Any, default: Any
) -> Parameter:
    """A parameter as its attr asks for: a name, an initializer, a ParamAttr, or None."""
    chosen = attr if isinstance(attr, str) else getattr(attr, "name", None)
    name = chosen or naming.unique(f"{layer}.{letter}")
    initializer = attr if hasattr(attr, "describe") else getattr(attr, "initializer", None)
    made: Parameter = modes.here().builder.create_parameter(
        name, shape, dtype, initializer or default, attr
    )
    return made


def activated(x: Any, activation: str | None, layer: str) -> Any:
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
