"""Layers that put images into another order or size."""

from __future__ import annotations

from typing import Any, ClassVar

from ..ops.networks import forms
from . import functional as F
from .function_layer import FunctionLayer
from .functional.vision import check_factor
from .layer import Layer
from .support import describe


class Reordered(FunctionLayer):
    """Base class of layers with a factor, which the constructor checks."""

    _stored = "_{}"

    def _check_settings(self) -> None:
        name, factor = type(self).__name__, next(iter(self._settings))
        check_factor(name, factor, getattr(self, f"_{factor}"))
        forms.has_channels_last(name, self._data_format, 2)

    def extra_repr(self) -> str:
        shown = {name: getattr(self, stored) for name, stored in self._settings.items()}
        plain = {"data_format": "NCHW", "name": None}
        return ", ".join(f"{k}={v}" for k, v in shown.items() if v != plain.get(k, ""))


class PixelShuffle(Reordered, function=F.pixel_shuffle):
    """Squares of pixels from groups of channels; see `nn.functional.pixel_shuffle`.

    Shapes: for example x [1, 4, 1, 2] gives [1, 1, 2, 4].

    >>> import minipaddle as paddle
    >>> paddle.nn.PixelShuffle(2)(paddle.rand([1, 4, 1, 2])).shape
    paddle.Size([1, 1, 2, 4])
    """


class PixelUnshuffle(Reordered, function=F.pixel_unshuffle):
    """Groups of channels from squares of pixels; see `nn.functional.pixel_unshuffle`.

    Shapes: for example x [1, 1, 2, 4] gives [1, 4, 1, 2].

    >>> import minipaddle as paddle
    >>> paddle.nn.PixelUnshuffle(2)(paddle.rand([1, 1, 2, 4])).shape
    paddle.Size([1, 4, 1, 2])
    """


class ChannelShuffle(Reordered, function=F.channel_shuffle):
    """Channels in turn from each group; see `nn.functional.channel_shuffle`.

    Shapes: for example x [1, 4, 1, 1] gives [1, 4, 1, 1].

    >>> import minipaddle as paddle
    >>> paddle.nn.ChannelShuffle(2)(paddle.rand([1, 4, 1, 1])).shape
    paddle.Size([1, 4, 1, 1])
    """


# ----- patches -----------------------------------------------------------------------------------


class Unfold(Layer):
    """Each window of images as a column; see `nn.functional.unfold`.

    Shapes: for example input [1, 1, 2, 3] gives [1, 4, 2].
    Dtypes: float32, float64 kept.
    Errors: ValueError for sizes that do not fit; AssertionError for other than 4 axes.
    Source: Paddle's `paddle.nn.Unfold`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Unfold(2)(paddle.rand([1, 1, 2, 3])).shape
    paddle.Size([1, 4, 2])
    """

    def __init__(
        self,
        kernel_sizes: Any,
        dilations: Any = 1,
        paddings: Any = 0,
        strides: Any = 1,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.kernel_sizes, self.dilations = kernel_sizes, dilations
        self.paddings, self.strides, self.name = paddings, strides, name

    def forward(self, input: Any) -> Any:
        return F.unfold(input, self.kernel_sizes, *self._windows())

    def _windows(self) -> tuple[Any, ...]:
        return self.strides, self.paddings, self.dilations

    def extra_repr(self) -> str:
        names = {"kernel_size": self.kernel_sizes, "dilation": self.dilations}
        return describe(**names, padding=self.paddings, stride=self.strides, name=self.name)


class Fold(Unfold):
    """Columns added up at the places of their windows; see `nn.functional.fold`.

    Shapes: for example input [1, 4, 2] gives [1, 1, 2, 3].
    Dtypes: float32, float64, complex kept.
    Errors: ValueError for sizes that do not fit; AssertionError for other than 3 axes.
    Source: Paddle's `paddle.nn.Fold`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Fold([2, 3], 2)(paddle.rand([1, 4, 2])).shape
    paddle.Size([1, 1, 2, 3])
    """

    def __init__(
        self,
        output_sizes: Any,
        kernel_sizes: Any,
        dilations: Any = 1,
        paddings: Any = 0,
        strides: Any = 1,
        name: str | None = None,
    ) -> None:
        super().__init__(kernel_sizes, dilations, paddings, strides, name)
        self.output_sizes = output_sizes

    def forward(self, input: Any) -> Any:
        return F.fold(input, self.output_sizes, self.kernel_sizes, *self._windows())


# ----- interpolation -----------------------------------------------------------------------------


class Upsample(FunctionLayer, function=F.interpolate, without=("antialias",)):
    """Images of another size; see `nn.functional.interpolate`.

    Shapes: for example x [1, 1, 2, 2] gives [1, 1, 4, 4].

    >>> import minipaddle as paddle
    >>> paddle.nn.Upsample(scale_factor=2, mode="bilinear")(paddle.rand([1, 1, 2, 2])).shape
    paddle.Size([1, 1, 4, 4])
    """

    def extra_repr(self) -> str:
        shown = {key: getattr(self, key) for key in ("mode", "align_corners", "align_mode")}
        shown |= {"data_format": str(self.data_format), "name": self.name}
        return describe(**size_of(self), **shown)


def size_of(layer: Any) -> dict[str, Any]:
    """Return the factor of a layer that interpolates, or else its size, by name."""
    name = "size" if layer.scale_factor is None else "scale_factor"
    return {name: getattr(layer, name)}


class _Upsampling(Layer):
    """Base class of layers that make images of another size in one mode."""

    _mode: ClassVar[str] = ""

    def __init_subclass__(cls, mode: str = "") -> None:
        super().__init_subclass__()
        cls._mode = mode or cls._mode

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.size = [size, size] if isinstance(size, int) else size
        self.scale_factor, self.data_format, self.name = scale_factor, data_format, name

    def forward(self, x: Any) -> Any:
        corners = self._mode == "bilinear"
        settings = self.size, self.scale_factor, self._mode, corners
        return F.interpolate(x, *settings, data_format=self.data_format)

    def extra_repr(self) -> str:
        return describe(**size_of(self), data_format=self.data_format, name=self.name)


class UpsamplingNearest2D(_Upsampling, mode="nearest"):
    """Images [N, C, H, W] of another size, each pixel that of the nearest one.

    Shapes: for example x [1, 1, 2, 2] gives [1, 1, 4, 4].
    Dtypes: float32, float64 kept.
    Errors: ValueError for a size or layout that does not fit x.
    Source: Paddle's `paddle.nn.UpsamplingNearest2D`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.UpsamplingNearest2D(scale_factor=2)
    >>> layer(paddle.to_tensor([[[[1.0, 2.0]]]])).tolist()
    [[[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0]]]]
    """


class UpsamplingBilinear2D(_Upsampling, mode="bilinear"):
    """Images [N, C, H, W] of another size, linear between pixels; the corners stay.

    Shapes: for example x [1, 1, 2, 2] gives [1, 1, 4, 4].
    Dtypes: float32, float64 kept.
    Errors: ValueError for a size or layout that does not fit x.
    Source: Paddle's `paddle.nn.UpsamplingBilinear2D`.

    >>> import minipaddle as paddle
    >>> layer = paddle.nn.UpsamplingBilinear2D(size=[1, 3])
    >>> layer(paddle.to_tensor([[[[1.0, 2.0]]]])).tolist()
    [[[[1.0, 1.5, 2.0]]]]
    """
