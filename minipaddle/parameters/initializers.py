"""Initializers: the first values of parameters, bit for bit as Paddle's.

Each is described by one op without inputs, which runs at once for an eager parameter, and is
appended to the startup Program for a static one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..device import beside, to_numpy
from ..engine.dtypes import DType
from ..engine.errors import CheckFailed, InvalidArgument, InvalidType
from ..engine.tensor import WHOLE, Tensor, change_of, changed_in_place
from ..errors import misfit
from ..messages import Message
from ..ops import REGISTRY
from ..ops.errors import require_choice

Shape = tuple[int, ...]
Description = tuple[str, dict[str, Any]]


class Initializer:
    """The base: a subclass describes the op without inputs that makes its values.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: NotImplementedError for a subclass without this op.
    Source: Paddle's `paddle.nn.initializer.Initializer`.

    >>> isinstance(paddle.nn.initializer.Constant(1.0), paddle.nn.initializer.Initializer)
    True
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        """Return the name and the attributes of the op that makes the values."""
        raise NotImplementedError

    def array(self, shape: Shape, dtype: DType) -> Any:
        """Return the values as a NumPy array."""
        name, attrs = self.describe(shape, dtype)
        return REGISTRY[name].kernel(np, **attrs)

    def __call__(self, param: Any, block: Any = None) -> None:  # noqa: ARG002  (Paddle's signature)
        """Write the values into an eager parameter."""
        array = self.array(param._data.shape, param.dtype)
        note = change_of(*WHOLE, param, Tensor(array))
        param._data[...] = beside(array, param._data)
        changed_in_place(param, note, counts=0)


class Constant(Initializer):
    """One value everywhere.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: ValueError for a value that is not a number, when the parameter is made.
    Source: Paddle's `paddle.nn.initializer.Constant`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Linear(1, 2, weight_attr=Constant(0.5)).weight.tolist()
    [[0.5, 0.5]]
    """

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return "full", {"shape": shape, "fill_value": self.value, "dtype": dtype}


class Assign(Initializer):
    """The values of an array, a list or a Tensor: of the parameter's shape, or in one row.

    InvalidArgument if they do not fit; axes of one element do not count.

    Shapes and dtypes: those of the parameter, a floating one.
    Source: Paddle's `paddle.nn.initializer.Assign`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Linear(1, 2, weight_attr=Assign([[3.0, 4.0]])).weight.tolist()
    [[3.0, 4.0]]
    """

    def __init__(self, value: Any, name: str | None = None) -> None:  # noqa: ARG002
        self.value = to_numpy(value._data) if isinstance(value, Tensor) else np.asarray(value)

    def describe(self, shape: Shape, dtype: DType) -> Description:
        size, given = math.prod(shape), [n for n in self.value.shape if n != 1]
        if self.value.size != size or given not in ([n for n in shape if n != 1], [size]):
            expected = f"Assign of shape {list(shape)}, or of {size} values in one row"
            fix = "reshape the values, or transpose them: weights are [in, out]"
            raise misfit("Assign", expected, InvalidArgument, fix, value=self.value)
        values = self.value.reshape(shape)
        return "assign_value", {"values": values, "shape": shape, "dtype": dtype}


# ----- random ------------------------------------------------------------------------------------


def _describe_uniform(shape: Shape, dtype: DType, low: float, high: float) -> Description:
    return "uniform", {"shape": shape, "dtype": dtype, "min": low, "max": high, "seed": 0}


def _describe_gaussian(shape: Shape, dtype: DType, mean: float, std: float) -> Description:
    return "gaussian", {"shape": shape, "dtype": dtype, "mean": mean, "std": std, "seed": 0}


class Uniform(Initializer):
    """Numbers spread evenly over [low, high).

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: none here; a shape or dtype that does not fit is refused when the parameter is made.
    Source: Paddle's `paddle.nn.initializer.Uniform`.

    >>> import minipaddle as paddle
    >>> bool(paddle.nn.Linear(9, 9, weight_attr=Uniform(2.0, 3.0)).weight.min() >= 2.0)
    True
    """

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:  # noqa: ARG002
        self.low, self.high = low, high

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _describe_uniform(shape, dtype, self.low, self.high)


class Normal(Initializer):
    """Normal numbers of this mean and standard deviation.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: none here; a shape or dtype that does not fit is refused when the parameter is made.
    Source: Paddle's `paddle.nn.initializer.Normal`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Linear(1, 2, weight_attr=Normal(5.0, 0.0)).weight.tolist()
    [[5.0, 5.0]]
    """

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> None:  # noqa: ARG002
        self.mean, self.std = mean, std

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _describe_gaussian(shape, dtype, self.mean, self.std)


class TruncatedNormal(Initializer):
    """Normal numbers of this mean and standard deviation, none of them outside [a, b].

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: none here; a shape or dtype that does not fit is refused when the parameter is made.
    Source: Paddle's `paddle.nn.initializer.TruncatedNormal`.

    >>> import minipaddle as paddle
    >>> bool(paddle.nn.Linear(9, 9, weight_attr=TruncatedNormal()).weight.abs().max() <= 2.0)
    True
    """

    def __init__(
        self,
        mean: float = 0.0,
        std: float = 1.0,
        a: float = -2.0,
        b: float = 2.0,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        self.mean, self.std, self.a, self.b = mean, std, a, b

    def describe(self, shape: Shape, dtype: DType) -> Description:
        limits = {"mean": self.mean, "std": self.std, "a": self.a, "b": self.b}
        return "truncated_gaussian", {"shape": shape, "dtype": dtype, **limits, "seed": 0}


class _Xavier(Initializer):
    """Base: the spread that preserves the variance of values forward and gradients backward."""

    def __init__(
        self,
        fan_in: float | None = None,
        fan_out: float | None = None,
        gain: float = 1.0,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, gain

    def fans(self, shape: Shape) -> float:
        """Return the sum of both fans; 1 for a weight without elements."""
        fan_in, fan_out = fans(shape)
        fan_in = fan_in if self.fan_in is None else self.fan_in
        return fan_in + (fan_out if self.fan_out is None else self.fan_out) or 1.0


class XavierUniform(_Xavier):
    """U(-L, L) with L = gain √(6 / (fan_in + fan_out)): the default of weights.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: none here; a shape or dtype that does not fit is refused when the parameter is made.
    Source: Paddle's `paddle.nn.initializer.XavierUniform`.

    >>> import minipaddle as paddle
    >>> bool(paddle.nn.Linear(3, 3).weight.abs().max() <= 1.0)
    True
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        limit = self.gain * math.sqrt(6.0 / self.fans(shape))
        return _describe_uniform(shape, dtype, -limit, limit)


class XavierNormal(_Xavier):
    """N(0, s²) with s = gain √(2 / (fan_in + fan_out)).

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: none here; a shape or dtype that does not fit is refused when the parameter is made.
    Source: Paddle's `paddle.nn.initializer.XavierNormal`.

    >>> XavierNormal().describe((1, 1), DType.of("float32"))[1]["std"]
    1.0
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _describe_gaussian(shape, dtype, 0.0, self.gain * math.sqrt(2.0 / self.fans(shape)))


class _Kaiming(Initializer):
    """Base: the spread that preserves the variance of values through layer and `nonlinearity`."""

    def __init__(
        self,
        fan_in: float | None = None,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
        mode: str = "fan_in",
    ) -> None:
        self.gain = gain_of(nonlinearity, negative_slope)
        require_choice(type(self).__name__, "mode", mode, ("fan_in", "fan_out"))
        self.fan_in, self.mode = fan_in, mode

    def fan(self, shape: Shape) -> float:
        return fans(shape)[self.mode == "fan_out"] if self.fan_in is None else self.fan_in


class KaimingUniform(_Kaiming):
    """U(-L, L) with L = gain √(3 / fan_in); gain √2 for ReLU.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: ValueError for a nonlinearity whose gain is not known.
    Source: Paddle's `paddle.nn.initializer.KaimingUniform`.

    >>> KaimingUniform().describe((3, 2), DType.of("float32"))[1]["max"] == math.sqrt(2.0)
    True
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        limit = self.gain * math.sqrt(3.0 / self.fan(shape))
        return _describe_uniform(shape, dtype, -limit, limit)


class KaimingNormal(_Kaiming):
    """N(0, s²) with s = gain / √fan_in; gain √2 for ReLU.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: ValueError for a nonlinearity whose gain is not known.
    Source: Paddle's `paddle.nn.initializer.KaimingNormal`.

    >>> KaimingNormal().describe((2, 5), DType.of("float32"))[1]["std"]
    1.0
    """

    def describe(self, shape: Shape, dtype: DType) -> Description:
        return _describe_gaussian(shape, dtype, 0.0, self.gain / math.sqrt(self.fan(shape)))


# ----- structured --------------------------------------------------------------------------------


class Orthogonal(Initializer):
    """Rows, or columns if these are fewer, at right angles to each other and of length `gain`.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: AssertionError for fewer than two axes.
    Source: Paddle's `paddle.nn.initializer.Orthogonal`.

    >>> import minipaddle as paddle
    >>> weight = paddle.nn.Linear(2, 2, weight_attr=Orthogonal()).weight
    >>> bool(paddle.allclose(weight @ weight.T, paddle.eye(2), atol=1e-6))
    True
    """

    def __init__(self, gain: float = 1.0, name: str | None = None) -> None:  # noqa: ARG002
        self.gain = gain

    def describe(self, shape: Shape, dtype: DType) -> Description:
        if len(shape) < 2:
            expected, fix = "2 or more axes for Orthogonal", "paddle.nn.initializer.Normal()"
            raise misfit("Orthogonal", expected, CheckFailed, fix, shape=shape)
        return "orthogonal", {"shape": shape, "dtype": dtype, "gain": self.gain, "seed": 0}


class Dirac(Initializer):
    """Filters [out, in, ...] that hand their input channels on: 1 in the middle, 0 elsewhere.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: AssertionError for groups that are not a positive integer, or fewer than three axes.
    Source: Paddle's `paddle.nn.initializer.Dirac`.

    >>> Dirac().describe((1, 1, 3), DType.of("float32"))[1]["values"].tolist()
    [[[0.0, 1.0, 0.0]]]
    """

    def __init__(self, groups: int = 1, name: str | None = None) -> None:  # noqa: ARG002
        if not isinstance(groups, int) or groups < 1:
            raise misfit("Dirac", "groups, an int of at least 1", CheckFailed, groups=groups)
        self.groups = groups

    def describe(self, shape: Shape, dtype: DType) -> Description:
        if len(shape) not in (3, 4, 5) or shape[0] % self.groups:
            filters = f"filters [out, in, ...] of 3 to 5 axes, out a multiple of {self.groups}"
            expected, fix = f"for Dirac, {filters}", Message("use Dirac for convolutions only")
            raise misfit("Dirac", expected, CheckFailed, fix, shape=shape)
        values = np.zeros(shape, dtype.numpy)
        middle = tuple(n // 2 for n in shape[2:])
        for group in range(self.groups):
            start = group * (shape[0] // self.groups)
            for channel in range(min(shape[0] // self.groups, shape[1])):
                values[(start + channel, channel, *middle)] = 1.0
        return "assign_value", {"values": values, "shape": shape, "dtype": dtype}


class Bilinear(Initializer):
    """Filters [out, in, k, k] with which a transposed convolution enlarges images.

    The weights are Paddle's: they fall along each row as in bilinear interpolation, and from row to
    row without steps, so that the right end of a row is lower than its left end.

    Shapes and dtypes: those of the parameter, a floating one.
    Errors: ValueError for other shapes.
    Source: Paddle's `paddle.nn.initializer.Bilinear`.

    >>> Bilinear().describe((1, 1, 2, 2), DType.of("float32"))[1]["values"].tolist()
    [[[[1.0, 0.0], [0.0, -0.0]]]]
    """

    def __init__(self, name: str | None = None) -> None:
        pass

    def describe(self, shape: Shape, dtype: DType) -> Description:
        if len(shape) != 4 or shape[2] != shape[3]:
            raise misfit("Bilinear", "filters [out, in, k, k]", shape=shape)
        size = shape[3]
        half = math.ceil(size / 2)
        middle = (2 * half - 1 - half % 2) / (2 * half)
        places = np.arange(math.prod(shape)).reshape(shape)
        slopes = [1 - abs(at / half - middle) for at in (places % size, places / size % size)]
        values = (slopes[0] * slopes[1]).astype("float32").astype(dtype.numpy)
        return "assign_value", {"values": values, "shape": shape, "dtype": dtype}


# ----- defaults of layers, and gains --------------------------------------------------------------

_global_initializers: dict[str, Initializer | None] = {"weight": None, "bias": None}


def set_global_initializer(weight_init: Any, bias_init: Any = None) -> None:
    """Set the initializers of weights and biases of layers without one in their ParamAttr.

    None restores the default.

    Errors: TypeError for anything but an Initializer or None.
    Source: Paddle's `paddle.nn.initializer.set_global_initializer`.

    >>> import minipaddle as paddle
    >>> set_global_initializer(Constant(2.0))
    >>> paddle.nn.Linear(1, 1).weight.tolist()
    [[2.0]]
    >>> set_global_initializer(None)
    """
    for value in (weight_init, bias_init):
        if value is not None and not isinstance(value, Initializer):
            expected = "an Initializer, or None"
            fix = "paddle.nn.initializer.Constant(0.5)"
            raise misfit("set_global_initializer", expected, InvalidType, fix, initializer=value)
    _global_initializers.update(weight=weight_init, bias=bias_init)


def fallback_initializer(is_bias: bool, default: Initializer | None) -> Initializer:
    """Return the initializer of a parameter whose attr names none."""
    usual = Constant(0.0) if is_bias else XavierUniform()
    return _global_initializers["bias" if is_bias else "weight"] or default or usual


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Return the factor by which an activation shrinks the spread of its inputs, inverted.

    `param` is the slope of leaky_relu, 0.01 by default.

    Errors: ValueError for a nonlinearity whose gain is not known.
    Source: Paddle's `paddle.nn.initializer.calculate_gain`.

    >>> calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity == "leaky_relu" and not (param is None or isinstance(param, (int, float))):
        raise misfit("calculate_gain", "a number, or None for 0.01", CheckFailed, param=param)
    return gain_of(nonlinearity, 0.01 if param is None else param)


def fans(shape: Shape) -> tuple[float, float]:
    """Return the number of inputs and of outputs of one unit of a weight of this shape."""
    if len(shape) < 2:
        n = shape[0] if shape else 1
        return n, n
    if len(shape) == 2:
        return shape[0], shape[1]  # weights are [in, out]
    window = math.prod(shape[2:])  # filters are [out, in, ...]
    return shape[1] * window, shape[0] * window


def gain_of(nonlinearity: str, slope: float = 0.0) -> float:
    """Return the inverse of the factor by which an activation shrinks the spread of inputs."""
    gains = {
        "relu": math.sqrt(2.0), "leaky_relu": math.sqrt(2.0 / (1.0 + slope**2)),
        "tanh": 5.0 / 3.0, "selu": 0.75, "sigmoid": 1, "linear": 1,
        **{f"conv{n}d{kind}": 1 for n in (1, 2, 3) for kind in ("", "_transpose")},
    }  # fmt: skip
    require_choice("calculate_gain", "nonlinearity", nonlinearity, gains)
    return gains[nonlinearity]


# ----- ParamAttr ---------------------------------------------------------------------------------


class ParamAttr:
    """The name, initializer and training options of one parameter of a layer.

    `learning_rate` multiplies the optimizer's; `trainable=False` freezes the parameter.
    Source: Paddle's `paddle.ParamAttr`.

    Errors: none here; the layer that uses it finds what is wrong.

    >>> import minipaddle as paddle
    >>> attr = paddle.ParamAttr(name="W", initializer=paddle.nn.initializer.Constant(2.0))
    >>> paddle.nn.Linear(1, 1, weight_attr=attr).weight.name
    'W'
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Initializer | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip

    @staticmethod
    def of(attr: Any) -> ParamAttr | None:
        """Return the ParamAttr of a `weight_attr` argument; None for False, no parameter."""
        if attr is False:
            return None
        if attr is None or attr is True:
            return ParamAttr()
        if isinstance(attr, ParamAttr):
            return attr
        if isinstance(attr, str):
            return ParamAttr(name=attr)
        if isinstance(attr, Initializer):
            return ParamAttr(initializer=attr)
        expected = "None, False (no parameter), a name, an Initializer or a ParamAttr"
        fix = "write paddle.ParamAttr(name=..., initializer=...)"
        raise misfit("ParamAttr", expected, InvalidType, fix, attr=attr)
