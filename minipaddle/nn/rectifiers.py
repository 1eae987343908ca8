"""Activations made of straight pieces as layers: relu and its variants, shrinking, limiting."""

from __future__ import annotations

from typing import Any

from ..parameters.initializers import Constant
from . import functional as F
from .function_layer import Activation
from .layer import Layer
from .support import describe


class ReLU(Activation, function=F.relu):
    """max(0, x).

    >>> import minipaddle as paddle
    >>> paddle.nn.ReLU()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """


class ReLU6(Activation, function=F.relu6):
    """min(max(0, x), 6).

    >>> import minipaddle as paddle
    >>> paddle.nn.ReLU6()(paddle.to_tensor([-1.0, 7.0])).tolist()
    [0.0, 6.0]
    """


class LeakyReLU(Activation, function=F.leaky_relu):
    """x, or negative_slope · x where x is negative.

    >>> import minipaddle as paddle
    >>> paddle.nn.LeakyReLU()(paddle.to_tensor([0.0, 2.0])).tolist()
    [0.0, 2.0]
    """


class Hardtanh(Activation, function=F.hardtanh):
    """x, limited to [min, max].

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardtanh()(paddle.to_tensor([-3.0, 0.5])).tolist()
    [-1.0, 0.5]
    """


class Hardsigmoid(Activation, function=F.hardsigmoid, without=("slope", "offset")):
    """A line through (0, ½), limited to [0, 1].

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardsigmoid()(paddle.to_tensor([-4.0, 0.0])).tolist()
    [0.0, 0.5]
    """


class Hardswish(Activation, function=F.hardswish):
    """0 below -3, x above 3, a parabola between.

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardswish()(paddle.to_tensor([0.0, 4.0])).tolist()
    [0.0, 4.0]
    """


class Hardshrink(Activation, function=F.hardshrink):
    """x, or 0 where |x| < threshold.

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardshrink()(paddle.to_tensor([-1.0, 0.3])).tolist()
    [-1.0, 0.0]
    """


class Softshrink(Activation, function=F.softshrink):
    """x, moved towards 0 by the threshold.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softshrink()(paddle.to_tensor([-1.0, 0.3])).tolist()
    [-0.5, 0.0]
    """


class ThresholdedReLU(Activation, function=F.thresholded_relu):
    """x, or value where x is not above the threshold.

    >>> import minipaddle as paddle
    >>> paddle.nn.ThresholdedReLU()(paddle.to_tensor([0.5, 2.0])).tolist()
    [0.0, 2.0]
    """


class Maxout(Activation, function=F.maxout):
    """The largest of each `groups` neighbouring channels of x [N, C, H, W].

    >>> import minipaddle as paddle
    >>> paddle.nn.Maxout(3)(paddle.ones([1, 6, 2, 2])).shape
    paddle.Size([1, 2, 2, 2])
    """


class PReLU(Layer):
    """x, or a learned slope times x where x is not positive: one slope, or one per channel.

    Shapes: for example x [2] gives [2].
    Dtypes: those of its parameters, float32 by default.
    Errors: ValueError for a dtype that is not the weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.PReLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.PReLU()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [-0.25, 2.0]
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._name = name
        self._num_parameters, self._init, self._data_format = num_parameters, init, data_format
        self._weight = self.create_parameter(
            [num_parameters], weight_attr, default_initializer=Constant(init)
        )

    def forward(self, x: Any) -> Any:
        return F.prelu(x, self._weight, self._data_format)

    def extra_repr(self) -> str:
        settings = {"num_parameters": self._num_parameters, "data_format": self._data_format}
        return describe(**settings, init=self._init, dtype=self._dtype.name, name=self._name)


class RReLU(Activation, function=F.rrelu):
    """x, or a random slope of [lower, upper) times x where x is negative; in use their mean.

    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.RReLU(0.25, 0.75).eval()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [-0.5, 2.0]
    """

    def extra_repr(self) -> str:
        settings = {"lower": self._lower, "upper": self._upper, "training": self.training}
        return describe(**settings, dtype=self._dtype.name, name=self._name)
