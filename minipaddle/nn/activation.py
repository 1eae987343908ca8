"""Activations that are curves, and those along an axis, as layers."""

from __future__ import annotations

from typing import Any

from ..engine.errors import CheckFailed
from . import errors
from . import functional as F
from .function_layer import Activation


class ELU(Activation, function=F.elu):
    """x, or alpha · (eˣ - 1) where x is negative.

    >>> import minipaddle as paddle
    >>> paddle.nn.ELU()(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """


class SELU(Activation, function=F.selu):
    """elu with the scale that keeps mean 0 and variance 1 from layer to layer.

    >>> import minipaddle as paddle
    >>> paddle.nn.SELU()(paddle.to_tensor([0.0])).tolist()
    [0.0]
    """


class CELU(Activation, function=F.celu):
    """elu with a slope of 1 at 0 for every alpha.

    >>> import minipaddle as paddle
    >>> paddle.nn.CELU()(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """


class GELU(Activation, function=F.gelu):
    """x times the share of a normal distribution below x.

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
    """x · sigmoid(x), the other name of Silu.

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
    Errors: AssertionError for other numbers of axes; RuntimeError for integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softmax2D()(paddle.zeros([2, 1, 1])).flatten().tolist()
    [0.5, 0.5]
    """

    def forward(self, x: Any) -> Any:
        if len(x.shape) not in (3, 4):
            raise errors.rank("Softmax2D", 3, 4, CheckFailed, "Softmax(axis)", x=x)
        return F.softmax(x, axis=-3)


SiLU = Silu
