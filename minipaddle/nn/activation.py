"""Activations that are curves, and those along an axis, as layers."""

from __future__ import annotations

from typing import Any

from ..ops.networks.activations import ALPHA, SCALE
from . import errors
from . import functional as F
from .function_layer import Plain, Tuned


class ELU(Tuned):
    """x, or alpha · (eˣ - 1) where x is negative.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.ELU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.ELU()(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """

    function = staticmethod(F.elu)

    def __init__(self, alpha: float = 1.0, name: str | None = None) -> None:
        super().__init__(name, alpha=alpha)


class SELU(Tuned):
    """elu with the scale that keeps mean 0 and variance 1 from layer to layer.

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.SELU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.SELU()(paddle.to_tensor([0.0])).tolist()
    [0.0]
    """

    function = staticmethod(F.selu)

    def __init__(self, scale: float = SCALE, alpha: float = ALPHA, name: str | None = None) -> None:
        super().__init__(name, scale=scale, alpha=alpha)


class CELU(Tuned):
    """elu with a slope of 1 at 0 for every alpha.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.CELU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.CELU()(paddle.to_tensor([-100.0, 2.0])).tolist()
    [-1.0, 2.0]
    """

    function = staticmethod(F.celu)

    def __init__(self, alpha: float = 1.0, name: str | None = None) -> None:
        super().__init__(name, alpha=alpha)


class GELU(Tuned):
    """x times the share of a normal distribution below x.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.GELU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.GELU()(paddle.to_tensor([0.0, 9.0])).tolist()
    [0.0, 9.0]
    """

    function = staticmethod(F.gelu)

    def __init__(self, approximate: bool = False, name: str | None = None) -> None:
        super().__init__(name, approximate=approximate)


class Silu(Tuned):
    """x · sigmoid(x).

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.SiLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Silu()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """

    function = staticmethod(F.silu)

    def __init__(self, inplace: bool = False, name: str | None = None) -> None:
        super().__init__(name, inplace=inplace)


class Swish(Plain):
    """x · sigmoid(x), the other name of Silu.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Swish`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Swish()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """

    function = staticmethod(F.swish)


class Mish(Plain):
    """x · tanh(softplus(x)).

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Mish`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Mish()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """

    function = staticmethod(F.mish)


class Softplus(Tuned):
    """ln(1 + e^(beta · x)) / beta: a smooth relu.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Softplus`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softplus()(paddle.to_tensor([-200.0, 100.0])).tolist()
    [0.0, 100.0]
    """

    function = staticmethod(F.softplus)

    def __init__(self, beta: float = 1, threshold: float = 20, name: str | None = None) -> None:
        super().__init__(name, beta=beta, threshold=threshold)


class Softsign(Plain):
    """x / (1 + |x|).

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Softsign`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softsign()(paddle.to_tensor([-1.0, 3.0])).tolist()
    [-0.5, 0.75]
    """

    function = staticmethod(F.softsign)


class Sigmoid(Plain):
    """1 / (1 + e⁻ˣ).

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex kept; integers give float32.
    Errors: ValueError if x is not a Tensor; RuntimeError for bool.
    Source: Paddle's `paddle.nn.Sigmoid`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Sigmoid()(paddle.zeros([1])).tolist()
    [0.5]
    """

    function = staticmethod(F.sigmoid)


class LogSigmoid(Plain):
    """ln sigmoid(x).

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.LogSigmoid`.

    >>> import minipaddle as paddle
    >>> paddle.nn.LogSigmoid()(paddle.to_tensor([-1000.0])).tolist()
    [-1000.0]
    """

    function = staticmethod(F.log_sigmoid)


class Tanh(Plain):
    """tanh x.

    Shapes: for example x [1] gives [1].
    Dtypes: floating, complex kept; integers give float32.
    Errors: ValueError if x is not a Tensor; RuntimeError for bool.
    Source: Paddle's `paddle.nn.Tanh`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Tanh()(paddle.zeros([1])).tolist()
    [0.0]
    """

    function = staticmethod(F.tanh)


class Tanhshrink(Plain):
    """x - tanh x.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Tanhshrink`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Tanhshrink()(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 99.0]
    """

    function = staticmethod(F.tanhshrink)


class Softmax(Tuned):
    """Positive numbers that sum to 1 along `axis`.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Softmax`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softmax()(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """

    function = staticmethod(F.softmax)

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name, axis=axis)


class LogSoftmax(Tuned):
    """The logarithm of softmax along `axis`.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.LogSoftmax`.

    >>> import minipaddle as paddle
    >>> paddle.nn.LogSoftmax()(paddle.to_tensor([0.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """

    function = staticmethod(F.log_softmax)

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name, axis=axis)


class GLU(Tuned):
    """The first half of x along `axis`, times sigmoid of the second.

    Shapes: for example x [2] gives [1].
    Dtypes: floating, complex kept.
    Errors: RuntimeError for bool; TypeError for integers.
    Source: Paddle's `paddle.nn.GLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.GLU()(paddle.to_tensor([4.0, 0.0])).tolist()
    [2.0]
    """

    function = staticmethod(F.glu)

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name, axis=axis)


class Softmax2D(Plain):
    """softmax over the channels of x [N, C, H, W] or [C, H, W].

    Dtypes: floating, complex kept.
    Errors: RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Softmax2D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softmax2D()(paddle.zeros([2, 1, 1])).flatten().tolist()
    [0.5, 0.5]
    """

    def forward(self, x: Any) -> Any:
        if len(x.shape) not in (3, 4):
            raise errors.rank_of_images(x)
        return F.softmax(x, axis=-3)


SiLU = Silu
