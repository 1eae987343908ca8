"""`paddle.create_parameter`: a parameter that belongs to no layer."""

from __future__ import annotations

from typing import Any

from .. import static
from ..engine import modes
from ..parameters.initializers import Initializer
from ..parameters.param_attr import ParamAttr
from .layer import Layer


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
) -> Any:
    """Return a trainable parameter: a Parameter, or in static mode one of the main Program.

    Weights start with XavierUniform, biases (`is_bias`) with 0; `attr` is a ParamAttr.
    Source: Paddle's `paddle.create_parameter`.

    Errors: TypeError for a shape that is not made of ints.

    >>> import minipaddle as paddle
    >>> paddle.create_parameter([2], "float32", is_bias=True).tolist()
    [0.0, 0.0]
    """
    if modes.is_static():
        return static.create_parameter(shape, dtype, name, attr, is_bias, default_initializer)
    maker = Layer("create_parameter")
    if name:
        maker._full_name = name
        attr = ParamAttr(name=name) if attr is None else attr
    return maker.create_parameter(shape, attr, dtype, is_bias, default_initializer)
