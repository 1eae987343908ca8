"""Pooling layers."""

from __future__ import annotations

from typing import ClassVar

from . import functional as F
from .function_layer import FunctionLayer


class Pool(FunctionLayer):
    """Base class of pooling with a sliding window."""

    _renamed: ClassVar = {"kernel_size": "ksize", "divisor_override": "divisor"}
    _shown: ClassVar[tuple[str, ...] | None] = ("kernel_size", "stride", "padding")


class Unpool(Pool):
    """Base class of layers that put the maxima of windows back."""

    _inputs = ("x", "indices")
    _shown = ("output_size",)


class AdaptivePool(FunctionLayer):
    """Base class of pooling with a window for each element of the output."""

    _shown = ("output_size", "return_mask")


class WideAdaptivePool(AdaptivePool):
    """Base class of adaptive pooling of images and volumes."""

    _stored = "_{}"


class MaxPool2D(Pool, function=F.max_pool2d):
    """The maximum of each window of images.

    Shapes: for example x [1, 1, 6, 6] gives [1, 1, 3, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.MaxPool2D(2)(paddle.ones([1, 1, 6, 6])).shape
    paddle.Size([1, 1, 3, 3])
    """


class MaxPool3D(Pool, function=F.max_pool3d):
    """The maximum of each window of volumes.

    Shapes: for example x [1, 1, 4, 6, 6] gives [1, 1, 2, 3, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.MaxPool3D(2)(paddle.ones([1, 1, 4, 6, 6])).shape
    paddle.Size([1, 1, 2, 3, 3])
    """


class MaxPool1D(Pool, function=F.max_pool1d):
    """The maximum of each window of lines.

    Shapes: for example x [1, 1, 6] gives [1, 1, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.MaxPool1D(2)(paddle.ones([1, 1, 6])).shape
    paddle.Size([1, 1, 3])
    """


class MaxUnPool1D(Unpool, function=F.max_unpool1d):
    """Lines of zeros with the maxima of MaxPool1D at their places.

    Shapes: for example x [1, 1, 3] gives [1, 1, 6].

    >>> import minipaddle as paddle
    >>> y, indices = paddle.nn.MaxPool1D(2, return_mask=True)(paddle.ones([1, 1, 6]))
    >>> paddle.nn.MaxUnPool1D(2)(y, indices).shape
    paddle.Size([1, 1, 6])
    """


class MaxUnPool2D(Unpool, function=F.max_unpool2d):
    """Images of zeros with the maxima of MaxPool2D at their places.

    >>> import minipaddle as paddle
    >>> y, indices = paddle.nn.MaxPool2D(2, return_mask=True)(paddle.ones([1, 1, 6, 6]))
    >>> paddle.nn.MaxUnPool2D(2)(y, indices).shape
    paddle.Size([1, 1, 6, 6])
    """


class MaxUnPool3D(Unpool, function=F.max_unpool3d):
    """Volumes of zeros with the maxima of MaxPool3D at their places.

    Shapes: for example x [1, 1, 2, 3, 3] gives [1, 1, 4, 6, 6].

    >>> import minipaddle as paddle
    >>> y, indices = paddle.nn.MaxPool3D(2, return_mask=True)(paddle.ones([1, 1, 4, 6, 6]))
    >>> paddle.nn.MaxUnPool3D(2)(y, indices).shape
    paddle.Size([1, 1, 4, 6, 6])
    """


class AvgPool2D(Pool, function=F.avg_pool2d):
    """The mean of each window of images.

    >>> import minipaddle as paddle
    >>> paddle.nn.AvgPool2D(2)(paddle.ones([1, 1, 6, 6])).shape
    paddle.Size([1, 1, 3, 3])
    """


class AvgPool3D(Pool, function=F.avg_pool3d):
    """The mean of each window of volumes.

    Shapes: for example x [1, 1, 4, 6, 6] gives [1, 1, 2, 3, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.AvgPool3D(2)(paddle.ones([1, 1, 4, 6, 6])).shape
    paddle.Size([1, 1, 2, 3, 3])
    """


class AvgPool1D(Pool, function=F.avg_pool1d):
    """The mean of each window of lines.

    Shapes: for example x [1, 1, 6] gives [1, 1, 3].

    >>> import minipaddle as paddle
    >>> paddle.nn.AvgPool1D(2)(paddle.ones([1, 1, 6])).shape
    paddle.Size([1, 1, 3])
    """


# ----- adaptive ----------------------------------------------------------------------------------


class AdaptiveAvgPool2D(WideAdaptivePool, function=F.adaptive_avg_pool2d):
    """The mean of each of output_size windows that cover the image evenly.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveAvgPool2D(1)(paddle.ones([1, 3, 5, 7])).shape
    paddle.Size([1, 3, 1, 1])
    """


class AdaptiveAvgPool3D(WideAdaptivePool, function=F.adaptive_avg_pool3d):
    """The mean of each of output_size windows that cover the volume evenly.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveAvgPool3D(2)(paddle.ones([1, 3, 4, 5, 7])).shape
    paddle.Size([1, 3, 2, 2, 2])
    """


class AdaptiveAvgPool1D(AdaptivePool, function=F.adaptive_avg_pool1d):
    """The mean of each of output_size windows that cover the line evenly.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveAvgPool1D(2)(paddle.ones([1, 3, 5])).shape
    paddle.Size([1, 3, 2])
    """


class AdaptiveMaxPool2D(WideAdaptivePool, function=F.adaptive_max_pool2d):
    """The maximum of each of output_size windows that cover the image evenly.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveMaxPool2D(2)(paddle.ones([1, 3, 5, 7])).shape
    paddle.Size([1, 3, 2, 2])
    """


class AdaptiveMaxPool3D(WideAdaptivePool, function=F.adaptive_max_pool3d):
    """The maximum of each of output_size windows that cover the volume evenly.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveMaxPool3D(2)(paddle.ones([1, 3, 4, 5, 7])).shape
    paddle.Size([1, 3, 2, 2, 2])
    """


class AdaptiveMaxPool1D(AdaptivePool, function=F.adaptive_max_pool1d):
    """The maximum of each of output_size windows that cover the line evenly.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveMaxPool1D(2)(paddle.ones([1, 3, 5])).shape
    paddle.Size([1, 3, 2])
    """
