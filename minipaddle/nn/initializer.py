"""Initializers: which numbers a parameter starts with, bit for bit those of Paddle.

Each describes itself as one op without inputs. Run at once on arrays it gives an eager
parameter; appended to a startup Program it gives a static one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _absent
from ..core import Tensor, changed_in_place
from ..device import beside, to_numpy
from ..dtypes import DType
from ..errors import InvalidArgument
from ..ops import REGISTRY

__getattr__ = _absent.names(__name__)

Shape = tuple[int, ...]
Description = tuple[str, dict[str, Any]]


class Initializer:
    """The base: a subclass says which op without inputs makes its numbers."""

    def describe(self, shape: Shape, dtype: DType) -> Description:
        """The op's name and attributes."""
        raise NotImplementedError

    def array(self, shape: Shape, dtype: DType) -> Any:
        """The numbers as an array."""
        name, attrs = self.describe(shape, dtype)
        return REGISTRY[name].kernel(np, **attrs)

    def __call__(self, param: Any, block: Any = None) -> None:  # noqa: ARG002  (Paddle's signature)
        """Give an eager parameter these numbers."""
        array = self.array(param._data.shape, param.dtype)
        param._data[...] = beside(array, param._data)
        changed_in_place(param)


class Constant(Initializer):
    """One value everywhere.

    >>> import minipaddle as paddle
    >>> paddle.nn.Linear(1, 2, weight_attr=Constant(0.5)).weight.tolist()
    [[0.5, 0.5]]
    """

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return "full", {"shape": shape, "fill_value": self.value, "dtype": dtype}


class Assign(Initializer):
    """The values of an array, a list or a Tensor; InvalidArgument if their shape is another.

    >>> import minipaddle as paddle
    >>> paddle.nn.Linear(1, 2, weight_attr=Assign([[3.0, 4.0]])).weight.tolist()
    [[3.0, 4.0]]
    """

    def __init__(self, value: Any, name: str | None = None) -> None:  # noqa: ARG002
        self.value = to_numpy(value._data) if isinstance(value, Tensor) else np.asarray(value)

    def describe(self, shape: Shape, dtype: DType) -> Description:
        if self.value.shape != shape:
            raise InvalidArgument(
                "Assign: the values do not have the parameter's shape.",
                expected=f"shape {list(shape)}",
                received=f"shape {list(self.value.shape)}",
                fix="reshape the values, or transpose them: weights are [in, out]",
            )
        return "assign_value", {"values": self.value, "shape": shape, "dtype": dtype}


# ----- random ------------------------------------------------------------------------------------


def _uniform(shape: Shape, dtype: DType, low: float, high: float) -> Description:
    return "uniform", {"shape": shape, "dtype": dtype, "min": low, "max": high, "seed": 0}


def _gaussian(shape: Shape, dtype: DType, mean: float, std: float) -> Description:
    return "gaussian", {"shape": shape, "dtype": dtype, "mean": mean, "std": std, "seed": 0}


class Uniform(Initializer):
    """Numbers spread evenly over [low, high).

    >>> import minipaddle as paddle
    >>> bool(paddle.nn.Linear(9, 9, weight_attr=Uniform(2.0, 3.0)).weight.min() >= 2.0)
    True
    """

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:  # noqa: ARG002
        self.low, self.high = low, high

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _uniform(shape, dtype, self.low, self.high)


class Normal(Initializer):
    """Normal numbers of this mean and standard deviation.

    >>> import minipaddle as paddle
    >>> paddle.nn.Linear(1, 2, weight_attr=Normal(5.0, 0.0)).weight.tolist()
    [[5.0, 5.0]]
    """

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> None:  # noqa: ARG002
        self.mean, self.std = mean, std

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _gaussian(shape, dtype, self.mean, self.std)


class _Xavier(Initializer):
    """The width that keeps the variance of values forwards and of gradients backwards."""

    def __init__(
        self, fan_in: float | None = None, fan_out: float | None = None, gain: float = 1.0,
        name: str | None = None,  # noqa: ARG002
    ) -> None:  # fmt: skip
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, gain

    def fans(self, shape: Shape) -> float:
        fan_in, fan_out = fans(shape)
        fan_in = fan_in if self.fan_in is None else self.fan_in
        return fan_in + (fan_out if self.fan_out is None else self.fan_out)


class XavierUniform(_Xavier):
    """U(-L, L) with L = gain √(6 / (fan_in + fan_out)): what weights start with by default.

    >>> import minipaddle as paddle
    >>> bool(paddle.nn.Linear(3, 3).weight.abs().max() <= 1.0)
    True
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        limit = self.gain * math.sqrt(6.0 / self.fans(shape))
        return _uniform(shape, dtype, -limit, limit)


class XavierNormal(_Xavier):
    """N(0, s²) with s = gain √(2 / (fan_in + fan_out)).

    >>> XavierNormal().describe((1, 1), DType.of("float32"))[1]["std"]
    1.0
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _gaussian(shape, dtype, 0.0, self.gain * math.sqrt(2.0 / self.fans(shape)))


class _Kaiming(Initializer):
    """The width that keeps the variance of values through a layer followed by `nonlinearity`."""

    def __init__(
        self, fan_in: float | None = None, negative_slope: float = 0.0,
        nonlinearity: str = "relu", mode: str = "fan_in",
    ) -> None:  # fmt: skip
        self.gain = gain_of(nonlinearity, negative_slope)
        if mode not in ("fan_in", "fan_out"):
            raise InvalidArgument(
                f"{type(self).__name__}: the mode is not known.",
                expected="'fan_in' or 'fan_out'",
                received=repr(mode),
                fix="leave it out for 'fan_in'",
            )
        self.fan_in, self.mode = fan_in, mode

    def fan(self, shape: Shape) -> float:
        return fans(shape)[self.mode == "fan_out"] if self.fan_in is None else self.fan_in


class KaimingUniform(_Kaiming):
    """U(-L, L) with L = gain √(3 / fan_in); gain √2 for ReLU.

    >>> KaimingUniform().describe((3, 2), DType.of("float32"))[1]["max"] == math.sqrt(2.0)
    True
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        limit = self.gain * math.sqrt(3.0 / self.fan(shape))
        return _uniform(shape, dtype, -limit, limit)


class KaimingNormal(_Kaiming):
    """N(0, s²) with s = gain / √fan_in; gain √2 for ReLU.

    >>> KaimingNormal().describe((2, 5), DType.of("float32"))[1]["std"]
    1.0
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _gaussian(shape, dtype, 0.0, self.gain / math.sqrt(self.fan(shape)))


def fans(shape: Shape) -> tuple[float, float]:
    """How many numbers flow into and out of one unit, for a weight of this shape."""
    if len(shape) < 2:
        n = shape[0] if shape else 1
        return n, n
    if len(shape) == 2:
        return shape[0], shape[1]  # weights are [in, out]
    window = math.prod(shape[2:])  # filters are [out, in, ...]
    return shape[1] * window, shape[0] * window


def gain_of(nonlinearity: str, slope: float = 0.0) -> float:
    """By how much an activation shrinks the spread of its inputs, inverted."""
    gains = {
        "relu": math.sqrt(2.0), "leaky_relu": math.sqrt(2.0 / (1.0 + slope**2)),
        "tanh": 5.0 / 3.0, "selu": 0.75, "sigmoid": 1.0, "linear": 1.0, "conv2d": 1.0,
    }  # fmt: skip
    if nonlinearity not in gains:
        raise InvalidArgument(
            f"nonlinearity '{nonlinearity}' has no known gain.",
            expected=f"one of {', '.join(gains)}",
            received=repr(nonlinearity),
            fix="take the activation that follows the layer, or 'linear'",
        )
    return gains[nonlinearity]
