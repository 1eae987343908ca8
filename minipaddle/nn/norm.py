"""Normalization layers."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

from ..engine.dtypes import DType
from ..engine.errors import CheckFailed
from ..ops.arguments import as_list, shapes_differ, to_python
from ..ops.networks import forms
from ..parameters.initializers import Constant, Normal, ParamAttr
from . import errors
from . import functional as F
from .functional.norm import divide_by_norm
from .layer import Layer
from .spatial import Spatial, refuse_rank
from .support import describe


def scale_and_shift(
    layer: Layer, count: int, weight_attr: Any, bias_attr: Any, device: Any = None
) -> tuple[Any, Any]:
    """Make a layer's weight, which starts with 1, and bias, which starts with 0."""
    make = partial(layer.create_parameter, [count], device=device)
    weight = make(weight_attr, default_initializer=Constant(1.0))
    return weight, make(bias_attr, is_bias=True)


def running_statistics(
    layer: Layer, count: int, mean: str | None, variance: str | None
) -> list[Any]:
    """Make a layer's running mean and variance, by names: parameters that are not trained."""
    made = []
    for name, initial in ((mean, 0.0), (variance, 1.0)):
        attr = ParamAttr(name, Constant(initial), trainable=False)
        made.append(layer.create_parameter([count], attr))
        made[-1].stop_gradient = True
    return made


class _BatchNorm(Spatial):
    """Base class of batch norms: weight, bias, and running mean and variance.

    Running mean and variance are parameters that no optimizer trains, as in Paddle.

    Dtypes: those of its parameters, float32 by default.
    Errors: RuntimeError for a dtype that is not floating; ValueError for one that is not the
    weight's, or if the shapes do not fit.
    """

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if self._dtype.name == "float16":  # statistics need more digits
            self._dtype = DType.of("float32")
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self._data_format, self._use_global_stats = data_format, use_global_stats
        self._name = name
        self.weight, self.bias = scale_and_shift(self, num_features, weight_attr, bias_attr)
        names = [name and f"{name}_{what}" for what in ("mean", "variance")]
        self._mean, self._variance = running_statistics(self, num_features, *names)

    def forward(self, x: Any) -> Any:
        refuse_rank(self, x)
        settings = self._momentum, self._epsilon, self._data_format, self._use_global_stats
        parameters = self._mean, self._variance, self.weight, self.bias
        return F.batch_norm(x, *parameters, self.training, *settings)

    def extra_repr(self) -> str:
        layout = self._data_format if self._data_format != "NCHW" else None
        settings = {"num_features": self._num_features, "momentum": self._momentum}
        settings |= {"epsilon": self._epsilon, "data_format": layout, "name": self._name}
        return describe(**settings)


class BatchNorm1D(_BatchNorm, axes=1):
    """Batch norm of [N, C] or [N, C, L]: mean 0 and variance 1 in each channel.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.BatchNorm1D(1)
    >>> [round(v, 3) for v in layer(paddle.to_tensor([[1.0], [3.0]])).flatten().tolist()]
    [-1.0, 1.0]
    """


class BatchNorm2D(_BatchNorm, axes=2):
    """Batch norm of images [N, C, H, W].

    >>> import minipaddle as paddle
    >>> paddle.nn.BatchNorm2D(3)(paddle.rand([2, 3, 4, 4])).shape
    paddle.Size([2, 3, 4, 4])
    """


class BatchNorm3D(_BatchNorm, axes=3):
    """Batch norm of volumes [N, C, D, H, W].

    >>> import minipaddle as paddle
    >>> paddle.nn.BatchNorm3D(3)(paddle.rand([2, 3, 4, 4, 4])).shape
    paddle.Size([2, 3, 4, 4, 4])
    """


class BatchNorm(Layer):
    """Batch norm of any number of axes, then an activation: the older form of `BatchNorm2D`.

    `act` names a function of `nn.functional`; `is_test` begins in eval mode. With
    `trainable_statistics` eval mode computes with the statistics of the batch, too.

    Shapes: for example input [2, 3, 4, 4] gives [2, 3, 4, 4].
    Dtypes: those of its parameters, float32 by default.
    Errors: RuntimeError for a dtype that is not floating; ValueError for one that is not the
    weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.BatchNorm`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.BatchNorm(1, act="relu")
    >>> [round(v, 3) for v in layer(paddle.to_tensor([[1.0], [3.0]])).flatten().tolist()]
    [0.0, 1.0]
    """

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,  # noqa: ARG002
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,  # noqa: ARG002
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ) -> None:
        super().__init__(dtype="float32" if dtype == "float16" else dtype)
        self._act, self._momentum, self._epsilon = act, momentum, epsilon
        self._data_layout, self._use_global_stats = data_layout, use_global_stats
        self._trainable_statistics = trainable_statistics
        self.weight, self.bias = scale_and_shift(self, num_channels, param_attr, bias_attr)
        names = moving_mean_name, moving_variance_name
        self._mean, self._variance = running_statistics(self, num_channels, *names)
        if is_test:
            self.eval()

    def forward(self, input: Any) -> Any:
        out = F.batch_norm(
            input,
            *(self._mean, self._variance, self.weight, self.bias),
            training=self.training or self._trainable_statistics,
            momentum=self._momentum,
            epsilon=self._epsilon,
            data_format=self._data_layout,
            use_global_stats=self._use_global_stats or None,
        )
        return out if self._act is None else getattr(F, self._act)(out)


# ----- over a sample -----------------------------------------------------------------------------


class LayerNorm(Layer):
    """Mean 0 and variance 1 over the last axes; weight and bias are vectors.

    Shapes: for example x [4, 2, 3] gives [4, 2, 3].
    Dtypes: those of its parameters, float32 by default.
    Errors: RuntimeError for a dtype that is not floating; ValueError for one that is not the
    weight's, or if the shapes do not fit.
    Source: Paddle's `paddle.nn.LayerNorm`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.LayerNorm([2, 3])
    >>> layer(paddle.rand([4, 2, 3])).shape, layer.weight.shape
    (paddle.Size([4, 2, 3]), paddle.Size([6]))
    """

    def __init__(
        self,
        normalized_shape: Any,
        epsilon: float = 1e-5,
        *,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype)
        self._normalized_shape = as_list(to_python(normalized_shape))
        self._epsilon, self._name = epsilon, name
        count = prod(self._normalized_shape)
        affine = (weight_attr, bias_attr if bias else False) if elementwise_affine else (False,) * 2
        self.weight, self.bias = scale_and_shift(self, count, *affine, device)

    def forward(self, x: Any) -> Any:
        return F.layer_norm(x, self._normalized_shape, self.weight, self.bias, self._epsilon)

    def extra_repr(self) -> str:
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class GroupNorm(Layer):
    """Mean 0 and variance 1 over groups of channels of each sample.

    Shapes: for example x [1, 4, 3, 3] gives [1, 4, 3, 3].
    Dtypes: float32, float64 kept.
    Errors: RuntimeError for complex, integers, bool, float16.
    Source: Paddle's `paddle.nn.GroupNorm`.

    >>> import minipaddle as paddle
    >>> paddle.nn.GroupNorm(2, 4)(paddle.rand([1, 4, 3, 3])).shape
    paddle.Size([1, 4, 3, 3])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        epsilon: float = 1e-5,
        *,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype)
        self._num_groups, self._num_channels, self._epsilon = num_groups, num_channels, epsilon
        self._data_format, self._name = data_format, name
        attrs = (weight_attr, bias_attr) if affine else (False, False)
        self.weight, self.bias = scale_and_shift(self, num_channels, *attrs, device)

    def forward(self, x: Any) -> Any:
        return F.group_norm(
            x, self._num_groups, self._epsilon, self.weight, self.bias, self._data_format
        )

    def extra_repr(self) -> str:
        groups, channels = self._num_groups, self._num_channels
        return describe(num_groups=groups, num_channels=channels, epsilon=self._epsilon)


class _InstanceNorm(Spatial):
    """Base class of instance norms: weight and bias.

    Dtypes: float32, float64 kept.
    Errors: RuntimeError for complex, integers, bool, float16.
    """

    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_features, self._epsilon, self._momentum = num_features, epsilon, momentum
        self._data_format, self._name = data_format, name
        self.scale, self.bias = scale_and_shift(self, num_features, weight_attr, bias_attr)

    def forward(self, x: Any) -> Any:
        refuse_rank(self, x)
        forms.has_channels_last(type(self).__name__, self._data_format, self._axes)
        return F.instance_norm(
            x, weight=self.scale, bias=self.bias, eps=self._epsilon, data_format=self._data_format
        )

    def extra_repr(self) -> str:
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(_InstanceNorm, axes=1):
    """Mean 0 and variance 1 in each channel of each line.

    Shapes: for example x [1, 2, 3] gives [1, 2, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.InstanceNorm1D(2)(paddle.rand([1, 2, 3])).shape
    paddle.Size([1, 2, 3])
    """


class InstanceNorm2D(_InstanceNorm, axes=2):
    """Mean 0 and variance 1 in each channel of each image.

    Shapes: for example x [1, 2, 3, 3] gives [1, 2, 3, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.InstanceNorm2D(2)(paddle.rand([1, 2, 3, 3])).shape
    paddle.Size([1, 2, 3, 3])
    """


class InstanceNorm3D(_InstanceNorm, axes=3):
    """Mean 0 and variance 1 in each channel of each volume.

    Shapes: for example x [1, 2, 3, 3, 3] gives [1, 2, 3, 3, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.InstanceNorm3D(2)(paddle.rand([1, 2, 3, 3, 3])).shape
    paddle.Size([1, 2, 3, 3, 3])
    """


# ----- a weight with the largest singular value 1 -------------------------------------------------


class SpectralNorm(Layer):
    """A weight divided by its largest singular value, estimated by power iterations.

    As in Paddle each call starts from the same random vectors `weight_u` and `weight_v`, and
    `nn.utils.spectral_norm` improves them at each call. The rows of the matrix are along `dim`.

    Shapes: for example x [2, 3] gives [2, 3].
    Dtypes: `dtype`, kept.
    Errors: ValueError for a weight of another shape, or power_iters < 0; AssertionError for a size
    of 0 or an axis that is not there.
    Source: Paddle's `paddle.nn.SpectralNorm`.

    >>> import minipaddle as paddle
    >>> weight = paddle.nn.SpectralNorm([2, 3], power_iters=50)(paddle.rand([2, 3]))
    >>> round(float(paddle.linalg.svdvals(weight)[0]), 3)
    1.0
    """

    def __init__(
        self,
        weight_shape: Any,
        dim: int = 0,
        power_iters: int = 1,
        eps: float = 1e-12,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._weight_shape, count = tuple(weight_shape), prod(weight_shape)
        rank, sizes = len(self._weight_shape), {"weight_shape": list(weight_shape)}
        errors.require(count > 0, "SpectralNorm", "sizes > 0", CheckFailed, **sizes)
        errors.require(
            -rank <= dim < rank, "SpectralNorm", f"an axis of {rank}", CheckFailed, dim=dim
        )
        errors.require(
            power_iters >= 0, "SpectralNorm", "power_iters >= 0", power_iters=power_iters
        )
        self._dim, self._power_iters, self._eps, self._dtype = dim % rank, power_iters, eps, dtype
        rows = self._weight_shape[dim]
        for name, size in (("weight_u", rows), ("weight_v", count // rows)):
            vector = self.create_parameter([size], dtype=dtype, default_initializer=Normal())
            vector.stop_gradient = True
            self.add_parameter(name, vector)

    def forward(self, x: Any) -> Any:
        fits = not shapes_differ(self._weight_shape, tuple(x.shape))
        errors.require(fits, "SpectralNorm", f"a weight {list(self._weight_shape)}", x=x)
        u, v, steps = self.weight_u, self.weight_v, self._power_iters
        return divide_by_norm(x, u, v, self._dim, steps, self._eps)[0]
