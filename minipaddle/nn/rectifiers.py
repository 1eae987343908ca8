"""Activations made of straight pieces as layers: relu and its variants, shrinking, limiting."""

from __future__ import annotations

from typing import Any

from ..parameters.initializers import Constant
from . import functional as F
from .function_layer import Plain, Tuned


class ReLU(Plain):
    """max(0, x).

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.ReLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.ReLU()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    function = staticmethod(F.relu)


class ReLU6(Plain):
    """min(max(0, x), 6).

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.ReLU6`.

    >>> import minipaddle as paddle
    >>> paddle.nn.ReLU6()(paddle.to_tensor([-1.0, 7.0])).tolist()
    [0.0, 6.0]
    """

    function = staticmethod(F.relu6)


class LeakyReLU(Tuned):
    """x, or negative_slope · x where x is negative.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.LeakyReLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.LeakyReLU()(paddle.to_tensor([0.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    function = staticmethod(F.leaky_relu)

    def __init__(self, negative_slope: float = 0.01, name: str | None = None) -> None:
        super().__init__(name, negative_slope=negative_slope)


class Hardtanh(Tuned):
    """x, limited to [min, max].

    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Hardtanh`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardtanh()(paddle.to_tensor([-3.0, 0.5])).tolist()
    [-1.0, 0.5]
    """

    function = staticmethod(F.hardtanh)

    def __init__(self, min: float = -1.0, max: float = 1.0, name: str | None = None) -> None:
        super().__init__(name, min=min, max=max)


class Hardsigmoid(Plain):
    """A line through (0, ½), limited to [0, 1].

    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Hardsigmoid`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardsigmoid()(paddle.to_tensor([-4.0, 0.0])).tolist()
    [0.0, 0.5]
    """

    function = staticmethod(F.hardsigmoid)


class Hardswish(Plain):
    """0 below -3, x above 3, a parabola between.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Hardswish`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardswish()(paddle.to_tensor([0.0, 4.0])).tolist()
    [0.0, 4.0]
    """

    function = staticmethod(F.hardswish)


class Hardshrink(Tuned):
    """x, or 0 where |x| < threshold.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Hardshrink`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Hardshrink()(paddle.to_tensor([-1.0, 0.3])).tolist()
    [-1.0, 0.0]
    """

    function = staticmethod(F.hardshrink)

    def __init__(self, threshold: float = 0.5, name: str | None = None) -> None:
        super().__init__(name, threshold=threshold)


class Softshrink(Tuned):
    """x, moved towards 0 by the threshold.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.Softshrink`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Softshrink()(paddle.to_tensor([-1.0, 0.3])).tolist()
    [-0.5, 0.0]
    """

    function = staticmethod(F.softshrink)

    def __init__(self, threshold: float = 0.5, name: str | None = None) -> None:
        super().__init__(name, threshold=threshold)


class ThresholdedReLU(Tuned):
    """x, or value where x is not above the threshold.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.ThresholdedReLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.ThresholdedReLU()(paddle.to_tensor([0.5, 2.0])).tolist()
    [0.0, 2.0]
    """

    function = staticmethod(F.thresholded_relu)

    def __init__(self, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> None:
        super().__init__(name, threshold=threshold, value=value)


class Maxout(Tuned):
    """The largest of each `groups` neighbouring channels of x [N, C, H, W].

    Dtypes: floating, uint8, int16, int32, int64 kept.
    Errors: RuntimeError for complex, bool, int8.
    Source: Paddle's `paddle.nn.Maxout`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Maxout(3)(paddle.ones([1, 6, 2, 2])).shape
    paddle.Size([1, 2, 2, 2])
    """

    function = staticmethod(F.maxout)

    def __init__(self, groups: int, axis: int = 1, name: str | None = None) -> None:
        super().__init__(name, groups=groups, axis=axis)


class PReLU(Plain):
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
        super().__init__(name)
        self._num_parameters, self._init, self._data_format = num_parameters, init, data_format
        self._weight = self.create_parameter(
            [num_parameters], weight_attr, default_initializer=Constant(init)
        )

    def forward(self, x: Any) -> Any:
        return F.prelu(x, self._weight, self._data_format)

    def extra_repr(self) -> str:
        name = f", name={self._name}" if self._name else ""
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, "
            f"init={self._init}, dtype={self._dtype.name}{name}"
        )


class RReLU(Plain):
    """x, or a random slope of [lower, upper) times x where x is negative; in use their mean.

    Shapes: for example x [2] gives [2].
    Dtypes: floating, complex kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.RReLU`.

    >>> import minipaddle as paddle
    >>> paddle.nn.RReLU(0.25, 0.75).eval()(paddle.to_tensor([-1.0, 2.0])).tolist()
    [-0.5, 2.0]
    """

    def __init__(
        self, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, name: str | None = None
    ) -> None:
        super().__init__(name)
        self._lower, self._upper = lower, upper

    def forward(self, x: Any) -> Any:
        return F.rrelu(x, self._lower, self._upper, self.training)

    def extra_repr(self) -> str:
        name = f", name={self._name}" if self._name else ""
        return (
            f"lower={self._lower}, upper={self._upper}, training={self.training}, "
            f"dtype={self._dtype.name}{name}"
        )
