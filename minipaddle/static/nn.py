"""static.nn: layers as functions that make their own parameters, and py_func."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.errors import CheckFailed
from ..ops import REGISTRY
from ..ops.boundary import publish as _publish
from ..ops.elementwise.arithmetic import add_n
from ..ops.networks import forms
from ..ops.program_ops import mul
from ..paddle_names import absent
from . import errors
from .checks import as_list, require_static, require_type
from .layers import batch_norm, conv2d, embedding, layer_norm
from .mode import all_or_none as _all_or_none
from .op_calls import append
from .program import default_main_program
from .py_func import py_func
from .spelling import outputs_named
from .variable import Variable
from .weights import activate, make_parameter

__all__ = ["batch_norm", "conv2d", "embedding", "fc", "layer_norm", "py_func"]
__getattr__ = absent.names(__name__)

FLOATS = ("float16", "float32", "float64")


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """Apply a fully connected layer: activation(x @ W + b), flattened from num_flatten_dims on.

    x: a floating-point Variable or a list of them, each with its own W. weight_attr, bias_attr:
    a name, an initializer or a ParamAttr; bias_attr=False leaves the bias out. Source: Paddle's
    `paddle.static.nn.fc`.

    Errors: AssertionError outside static mode; TypeError or ValueError for an input that does not
    fit.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3, activation="tanh")
    var fc_0.tmp_2 : DENSE_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(False)
    >>> paddle.disable_static()
    """
    require_static("fc")
    (size,) = forms.sizes("fc", "size", size, 1)
    layer = name or default_main_program().names("fc")
    with outputs_named(f"{layer}.tmp"):
        branches = as_list(x)
        if not branches:
            raise errors.none_given("fc", "x")
        attrs = _for_each(branches, weight_attr)
        parts = [
            _product(branch, size, num_flatten_dims, layer, attr)
            for branch, attr in zip(branches, attrs, strict=True)
        ]
        out = parts[0] if len(parts) == 1 else add_n(parts)
        if bias_attr is not False:
            bias = make_parameter(layer, "b", (size,), out.dtype, bias_attr)
            spelled = {"axis": num_flatten_dims}
            out = append(out.block, REGISTRY["add"], (out, bias), {}, spelled=spelled)
        return activate(out, activation, "fc")


def _for_each(branches: list[Any], attr: Any) -> list[Any]:
    """Return a weight_attr for each input."""
    attrs = as_list(attr)
    if len(attrs) == 1:
        return attrs * len(branches)
    if len(attrs) != len(branches):
        raise errors.wrong_number("fc", "weight_attr", len(attrs), len(branches), "inputs")
    return attrs


def _product(x: Any, size: int, flat: int, layer: str, attr: Any) -> Variable:
    require_type(x, (Variable,), "input", "fc")
    if x.dtype.name not in FLOATS:
        raise errors.wrong_dtype("fc", x, " or ".join(FLOATS))
    flat = len(x.shape) - 1 if flat == -1 else flat
    if not 0 < flat < len(x.shape):
        raise errors.too_few_axes(x, flat)
    if -1 in x.shape[flat:]:
        raise errors.unknown_size("fc", x, x.shape.index(-1, flat), CheckFailed)
    inner = int(np.prod(x.shape[flat:]))
    weight = make_parameter(layer, "w", (inner, size), x.dtype, attr)
    out: Variable = append(x.block, mul, (x, weight), {"num_col_dims": flat})
    return out


_publish(globals(), __all__, _all_or_none)
