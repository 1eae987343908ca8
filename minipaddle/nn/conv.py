"""Convolution layers."""

from __future__ import annotations

from functools import partial
from math import prod, sqrt
from typing import Any, ClassVar

from ..ops.networks import forms
from ..parameters.initializers import Normal
from . import errors
from . import functional as F
from .functional.families import variant
from .spatial import Spatial

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _Conv(Spatial):
    """Base class of all convolutions, transposed or not: parameters, settings, and repr."""

    _transposed: ClassVar[bool] = False
    _kernel_size: list[int]
    _stride: list[int]
    _dilation: list[int]

    def _set_up(
        self,
        channels: tuple[int, int],
        groups: int,
        attrs: tuple[Any, Any],
        device: Any,
        **sizes: Any,
    ) -> None:
        """Check the settings and make weight and bias."""
        name, axes = type(self).__name__, self._axes
        self._in_channels, self._out_channels, self._groups = *channels, groups
        for argument, size in sizes.items():
            setattr(self, f"_{argument}", list(forms.read_axis_sizes(name, argument, size, axes)))
        forms.has_channels_last(name, self._data_format, axes)
        if channels[0] % groups:
            arguments = {"in_channels": channels[0], "groups": groups}
            raise errors.misfit(name, "in_channels to be a multiple of groups", **arguments)
        self._check_mode(name)
        first, second = channels if self._transposed else channels[::-1]
        shape = [first, second // groups, *self._kernel_size]
        # With a standard deviation of sqrt(2 / fan in), a ReLU after it keeps the variance.
        spread = sqrt(2.0 / max(prod(self._kernel_size) * channels[0], 1))  # 0 channels count as 1
        default = None if self._transposed else Normal(0.0, spread)
        make = partial(self.create_parameter, device=device)
        self.weight = make(shape, attrs[0], default_initializer=default)
        self.bias = make([channels[1]], attrs[1], is_bias=True)

    def _check_mode(self, name: str) -> None:
        mode = self._padding_mode
        errors.require_choice(name, "padding_mode", mode, PADDING_MODES)
        if mode != "zeros" and not isinstance(self._padding, int):
            what = f"{name}: with padding_mode {mode!r} padding must be an int."
            fix = "pad with paddle.nn.functional.pad before the layer"
            raise errors.wrong_type(what, self._padding, "an int, the same on all sides", fix)

    def _op_settings(self) -> dict[str, Any]:
        names = "stride", "padding", "dilation", "groups", "data_format"
        return {name: getattr(self, f"_{name}") for name in names}

    def extra_repr(self) -> str:
        """Return the channels, the kernel size and the settings other than their defaults."""
        ones = [1] * len(self._kernel_size)
        words = [f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"]
        for name, value, default in (
            ("stride", self._stride, ones),
            ("padding", self._padding, 0),
            ("padding_mode", self._padding_mode, "zeros"),
            ("output_padding", self.output_padding, 0),
            ("dilation", self._dilation, ones),
            ("groups", self._groups, 1),
        ):
            words += [] if value == default else [f"{name}={value}"]
        return ", ".join((*words, f"data_format={self._data_format}"))


class _Convolution(_Conv):
    """Base class of convolutions: from images to responses.

    Dtypes: those of its parameters, float32 by default.
    Errors: RuntimeError for a dtype that is not floating; ValueError for one that is not the
    weight's, or if the shapes do not fit.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        *,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "",
    ) -> None:
        super().__init__(dtype=dtype)
        self._padding, self._padding_mode, self._data_format = padding, padding_mode, data_format
        self.output_padding = 0
        attrs, channels = (weight_attr, bias_attr if bias else False), (in_channels, out_channels)
        sizes = {"kernel_size": kernel_size, "stride": stride, "dilation": dilation}
        self._set_up(channels, groups, attrs, device, **sizes)

    def forward(self, x: Any) -> Any:
        settings = self._op_settings()
        if self._padding_mode != "zeros":
            around = [self._padding] * (2 * self._axes)
            x = F.pad(x, around, self._padding_mode, data_format=self._data_format)
            settings["padding"] = 0
        return getattr(F, f"conv{self._axes}d")(x, self.weight, self.bias, **settings)


class _Transposed(_Conv):
    """Base class of transposed convolutions: from responses to images.

    Dtypes: those of its parameters, float32 by default.
    Errors: RuntimeError for a dtype that is not floating; ValueError for one that is not the
    weight's, or if the shapes do not fit.
    """

    _transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "",
    ) -> None:
        super().__init__()
        self._padding, self._padding_mode, self._data_format = padding, "zeros", data_format
        self.output_padding = output_padding
        attrs, channels = (weight_attr, bias_attr), (in_channels, out_channels)
        sizes = {"kernel_size": kernel_size, "stride": stride, "dilation": dilation}
        self._set_up(channels, groups, attrs, None, **sizes)

    def forward(self, x: Any, output_size: Any = None) -> Any:
        settings = {**self._op_settings(), "output_size": output_size}
        settings["output_padding"] = 0 if output_size is not None else self.output_padding
        return getattr(F, f"conv{self._axes}d_transpose")(x, self.weight, self.bias, **settings)


class Conv2D(_Convolution, axes=2):
    """Learned filters that slide over images; weight [out, in / groups, height, width].

    It starts with Normal(0, sqrt(2 / (in * height * width))).

    Shapes: for example x [2, 1, 8, 8] gives [2, 6, 8, 8].

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.Conv2D(1, 6, 3, padding=1)
    >>> layer(paddle.ones([2, 1, 8, 8])).shape, layer
    (paddle.Size([2, 6, 8, 8]), Conv2D(1, 6, kernel_size=[3, 3], padding=1, data_format=NCHW))
    """


class Conv1D(_Convolution, axes=1):
    """Learned filters that slide over lines [N, C, L]; weight [out, in / groups, length].

    >>> import minipaddle as paddle
    >>> paddle.nn.Conv1D(2, 4, 3)(paddle.ones([1, 2, 8])).shape
    paddle.Size([1, 4, 6])
    """


class Conv3D(_Convolution, axes=3):
    """Learned filters that slide over volumes [N, C, D, H, W]; weight [out, in / groups, d, h, w].

    >>> import minipaddle as paddle
    >>> paddle.nn.Conv3D(1, 6, 3, padding=1)(paddle.ones([2, 1, 4, 8, 8])).shape
    paddle.Size([2, 6, 4, 8, 8])
    """


class Conv2DTranspose(_Transposed, axes=2):
    """The transpose of Conv2D, from responses to images; weight [in, out / groups, h, w].

    Shapes: for example x [1, 4, 3, 3] gives [1, 1, 6, 6].

    >>> import minipaddle as paddle
    >>> paddle.nn.Conv2DTranspose(4, 1, 2, stride=2)(paddle.ones([1, 4, 3, 3])).shape
    paddle.Size([1, 1, 6, 6])
    """


class Conv3DTranspose(_Transposed, axes=3):
    """The transpose of Conv3D, from responses to volumes; weight [in, out / groups, d, h, w].

    Shapes: for example x [1, 4, 2, 3, 3] gives [1, 1, 4, 6, 6].

    >>> import minipaddle as paddle
    >>> paddle.nn.Conv3DTranspose(4, 1, 2, stride=2)(paddle.ones([1, 4, 2, 3, 3])).shape
    paddle.Size([1, 1, 4, 6, 6])
    """


class Conv1DTranspose(_Transposed, axes=1):
    """The transpose of Conv1D, from responses to lines; weight [in, out / groups, length].

    Shapes: for example x [1, 4, 3] gives [1, 1, 6].

    >>> import minipaddle as paddle
    >>> paddle.nn.Conv1DTranspose(4, 1, 2, stride=2)(paddle.ones([1, 4, 3])).shape
    paddle.Size([1, 1, 6])
    """

    @variant(_Transposed.__init__, swapped=("dilation", "groups"))
    def __init__(self) -> None: ...
