"""static.nn: layers as functions that make their own parameters, and py_func."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from .. import _absent, modes, naming
from ..dtypes import DType
from ..errors import CheckFailed, InvalidArgument, InvalidType
from ..ops import REGISTRY
from ..ops.arithmetic import add_n
from .building import append
from .checks import require_static, require_type
from .py_func import py_func
from .records import mul
from .spelling import outputs_named
from .variable import Parameter, Variable

__all__ = ["fc", "py_func"]
__getattr__ = _absent.names(__name__)

FLOATS = ("float16", "float32", "float64")


class _Uniform:
    """Xavier's rule: U(-L, L) with L = sqrt(6 / (fan_in + fan_out))."""

    def describe(self, shape: tuple[int, ...], dtype: DType) -> tuple[str, dict[str, Any]]:
        fans = (shape[0], shape[-1])
        if len(shape) > 2:
            field = int(np.prod(shape[2:]))
            fans = (shape[1] * field, shape[0] * field)
        limit = float(np.float32(sqrt(6.0 / sum(fans)))) if sum(fans) else 0.0
        return "uniform", {"shape": shape, "dtype": dtype, "min": -limit, "max": limit}


class _Zero:
    """0 everywhere."""

    def describe(self, shape: tuple[int, ...], dtype: DType) -> tuple[str, dict[str, Any]]:
        return "full", {"shape": shape, "dtype": dtype, "fill_value": 0.0}


def fc(
    x: Any, size: int, num_flatten_dims: int = 1, weight_attr: Any = None, bias_attr: Any = None,
    activation: str | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A fully connected layer: activation(x @ W + b), axes from num_flatten_dims on as one.

    x: a floating-point Variable or a list of them, each with its own W. weight_attr, bias_attr:
    a name, an initializer or a ParamAttr; bias_attr=False leaves the bias out. Source: Paddle's
    `paddle.static.nn.fc`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3, activation="tanh")
    var fc_0.tmp_2 : DENSE_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(False)
    >>> paddle.disable_static()
    """
    require_static("fc")
    layer = name or naming.unique("fc")
    with outputs_named(f"{layer}.tmp"):
        branches = list(x) if isinstance(x, (list, tuple)) else [x]
        attrs = weight_attr if isinstance(weight_attr, (list, tuple)) else [weight_attr]
        attrs = list(attrs) * (len(branches) if len(attrs) == 1 else 1)
        parts = [
            _product(branch, size, num_flatten_dims, layer, attr)
            for branch, attr in zip(branches, attrs, strict=True)
        ]
        out = parts[0] if len(parts) == 1 else add_n(parts)
        if bias_attr is not False:
            bias = make_parameter(layer, "b", (size,), out.dtype, bias_attr, _Zero())
            spelled = {"axis": num_flatten_dims}
            out = append(out.block, REGISTRY["add"], (out, bias), {}, spelled=spelled)
        return _activated(out, activation)


def _product(x: Any, size: int, flat: int, layer: str, attr: Any) -> Variable:
    require_type(x, (Variable,), "input", "fc")
    if x.dtype.name not in FLOATS:
        raise InvalidType(
            "fc(): The data type of 'input' is wrong.",
            expected=" or ".join(FLOATS),
            received=f"{x.dtype.name}: {x!r}",
            fix="x.astype('float32')",
        )
    flat = len(x.shape) - 1 if flat == -1 else flat
    if not 0 < flat < len(x.shape):
        raise InvalidArgument(
            "fc(): the input has too few dimensions.",
            expected=f"more than num_flatten_dims={flat} dimensions",
            received=repr(x),
            fix="add an axis for the batch, or choose another num_flatten_dims",
        )
    if -1 in x.shape[flat:]:
        raise CheckFailed(
            "fc(): the size of an inner axis of the input is not known.",
            expected=f"known sizes after the first {flat} axes: they decide the weight's shape",
            received=repr(x),
            fix="declare the sizes in paddle.static.data; only the batch may be None",
        )
    inner = int(np.prod(x.shape[flat:]))
    weight = make_parameter(layer, "w", (inner, size), x.dtype, attr, _Uniform())
    out: Variable = append(x.block, mul, (x, weight), {"num_col_dims": flat})
    return out


def _activated(x: Any, activation: str | None) -> Any:
    if activation is None:
        return x
    op = REGISTRY.get(activation)
    if op is None or len(op.inputs) != 1:
        raise InvalidArgument(
            f"fc(): there is no activation '{activation}'.",
            expected="tanh, relu, sigmoid, softmax or another op of one input",
            received=repr(activation),
            fix="check the spelling, or apply the function to the result",
        )
    return op.call(x)


# ----- parameters ---------------------------------------------------------------------------------


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
