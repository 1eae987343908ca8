"""Activations as layers: smooth ones, those along an axis, and piecewise linear ones."""

from __future__ import annotations

from typing import Any

from ..engine.errors import CheckFailed
from ..parameters.initializers import Constant
from . import errors
from . import functional as F
from .function_layer import Activation
from .layer import Layer
from .support import describe


class ELU(Activation, function=F.elu):
    """x, or alpha · (eˣ - 1) where x is negative.

    >>> import minipaddle as paddle
    >>> paddle.nn.ELU()(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """


class SELU(Activation, function=F.selu):
    """ELU with the scale that keeps mean 0 and variance 1 from layer to layer.

    >>> import minipaddle as paddle
    >>> paddle.nn.SELU()(paddle.to_tensor([0.0])).tolist()
    [0.0]
    """


class CELU(Activation, function=F.celu):
    """ELU with a slope of 1 at 0 for every alpha.

    >>> import minipaddle as paddle
    >>> paddle.nn.CELU()(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """


class GELU(Activation, function=F.gelu):
    """x · Φ(x), Φ the distribution function of the standard normal distribution.

    >>> import minipaddle as paddle
    >>> paddle.nn.GELU()(paddle.to_tensor([0.0, 9.0])).tolist()
    [0.0, 9.0]
    """


class Silu(Activation, function=F.silu):
    """x · sigmoid(x).

    >>> import minipaddle as paddle
    >>> paddle.nn.Silu()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """


class Swish(Activation, function=F.swish):
    """x · sigmoid(x), another name of Silu.

    >>> import minipaddle as paddle
    >>> paddle.nn.Swish()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """


class Mish(Activation, function=F.mish):
    """x · tanh(softplus(x)).

    >>> import minipaddle as paddle
    >>> paddle.nn.Mish()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """


class Softplus(Activation, function=F.softplus):
    """ln(1 + e^(beta · x)) / beta: a smooth relu.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softplus()(paddle.to_tensor([-200.0, 100.0])).tolist()
    [0.0, 100.0]
    """


class Softsign(Activation, function=F.softsign):
    """x / (1 + |x|).

    >>> import minipaddle as paddle
    >>> paddle.nn.Softsign()(paddle.to_tensor([-1.0, 3.0])).tolist()
    [-0.5, 0.75]
    """


class Sigmoid(Activation, function=F.sigmoid):
    """1 / (1 + e⁻ˣ).

    >>> import minipaddle as paddle
    >>> paddle.nn.Sigmoid()(paddle.zeros([1])).tolist()
    [0.5]
    """


class LogSigmoid(Activation, function=F.log_sigmoid):
    """ln sigmoid(x).

    >>> import minipaddle as paddle
    >>> paddle.nn.LogSigmoid()(paddle.to_tensor([-1000.0])).tolist()
    [-1000.0]
    """


class Tanh(Activation, function=F.tanh):
    """tanh x.

    >>> import minipaddle as paddle
    >>> paddle.nn.Tanh()(paddle.zeros([1])).tolist()
    [0.0]
    """


class Tanhshrink(Activation, function=F.tanhshrink):
    """x - tanh x.

    >>> import minipaddle as paddle
    >>> paddle.nn.Tanhshrink()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 99.0]
    """


class Softmax(Activation, function=F.softmax, without=("dtype",)):
    """Positive numbers that sum to 1 along `axis`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softmax()(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """


class LogSoftmax(Activation, function=F.log_softmax, without=("dtype",)):
    """The logarithm of softmax along `axis`.

    >>> import minipaddle as paddle
    >>> paddle.nn.LogSoftmax()(paddle.to_tensor([0.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """


class GLU(Activation, function=F.glu):
    """The first half of x along `axis`, times sigmoid of the second.

    >>> import minipaddle as paddle
    >>> paddle.nn.GLU()(paddle.to_tensor([4.0, 0.0])).tolist()
    [2.0]
    """


class Softmax2D(Activation, function=F.softmax, without=("axis", "dtype")):
    """softmax over the channels of x [N, C, H, W] or [C, H, W].

    Shapes: that of x.
    Errors: AssertionError for other numbers of axes; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softmax2D()(paddle.zeros([2, 1, 1])).flatten().tolist()
    [0.5, 0.5]
    """

    def forward(self, x: Any) -> Any:
        errors.require_rank("Softmax2D", 3, 4, CheckFailed, "Softmax(axis)", x=x)
        return F.softmax(x, axis=-3)


SiLU = Silu


# ----- piecewise linear ---------------------------------------------------------------------------


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
    """x / 6 + ½, limited to [0, 1].

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
    """x, moved towards 0 by at most the threshold.

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
    """The maximum of each `groups` neighbouring channels of x [N, C, H, W].

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
    """x, or x times a random slope in [lower, upper) where x is negative; in eval mode their mean.

    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.RReLU(0.25, 0.75).eval()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [-0.5, 2.0]
    """

    def extra_repr(self) -> str:
        settings = {"lower": self._lower, "upper": self._upper, "training": self.training}
        return describe(**settings, dtype=self._dtype.name, name=self._name)
