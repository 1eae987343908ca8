"""Pooling layers."""

from __future__ import annotations

from typing import Any

from . import functional as F
from .layer import Layer


class _Pool(Layer):
    """What the layers with a sliding window share."""

    def _set_up(self, ksize: Any, stride: Any, padding: Any, **more: Any) -> None:
        self.ksize, self.stride, self.padding = ksize, stride, padding
        for name, value in more.items():
            setattr(self, name, value)

    def extra_repr(self) -> str:
        return f"kernel_size={self.ksize}, stride={self.stride}, padding={self.padding}"


class MaxPool2D(_Pool):
    """The largest number of each window of images.

    Shapes: for example x [1, 1, 6, 6] gives [1, 1, 3, 3].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.MaxPool2D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.MaxPool2D(2)(paddle.ones([1, 1, 6, 6])).shape
    paddle.Size([1, 1, 3, 3])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._set_up(
            kernel_size,
            stride,
            padding,
            return_mask=return_mask,
            ceil_mode=ceil_mode,
            data_format=data_format,
            name=name,
        )

    def forward(self, x: Any) -> Any:
        return F.max_pool2d(
            x,
            self.ksize,
            self.stride,
            self.padding,
            self.return_mask,
            self.ceil_mode,
            self.data_format,
        )


class MaxPool1D(_Pool):
    """The largest number of each window of lines.

    Shapes: for example x [1, 1, 6] gives [1, 1, 3].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.MaxPool1D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.MaxPool1D(2)(paddle.ones([1, 1, 6])).shape
    paddle.Size([1, 1, 3])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._set_up(
            kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode, name=name
        )

    def forward(self, x: Any) -> Any:
        return F.max_pool1d(
            x, self.ksize, self.stride, self.padding, self.return_mask, self.ceil_mode
        )


class AvgPool2D(_Pool):
    """The mean of each window of images.

    Shapes: for example x [1, 1, 6, 6] gives [1, 1, 3, 3].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.AvgPool2D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AvgPool2D(2)(paddle.ones([1, 1, 6, 6])).shape
    paddle.Size([1, 1, 3, 3])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._set_up(
            kernel_size,
            stride,
            padding,
            ceil_mode=ceil_mode,
            exclusive=exclusive,
            divisor=divisor_override,
            data_format=data_format,
            name=name,
        )

    def forward(self, x: Any) -> Any:
        return F.avg_pool2d(
            x,
            self.ksize,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.exclusive,
            self.divisor,
            self.data_format,
        )


class AvgPool1D(_Pool):
    """The mean of each window of lines.

    Shapes: for example x [1, 1, 6] gives [1, 1, 3].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.AvgPool1D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AvgPool1D(2)(paddle.ones([1, 1, 6])).shape
    paddle.Size([1, 1, 3])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        exclusive: bool = True,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._set_up(
            kernel_size, stride, padding, exclusive=exclusive, ceil_mode=ceil_mode, name=name
        )

    def forward(self, x: Any) -> Any:
        return F.avg_pool1d(
            x, self.ksize, self.stride, self.padding, self.exclusive, self.ceil_mode
        )


# ----- adaptive ----------------------------------------------------------------------------------


class AdaptiveAvgPool2D(Layer):
    """The mean of each of output_size windows that cover the image evenly.

    Shapes: for example x [1, 3, 5, 7] gives [1, 3, 1, 1].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.AdaptiveAvgPool2D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveAvgPool2D(1)(paddle.ones([1, 3, 5, 7])).shape
    paddle.Size([1, 3, 1, 1])
    """

    def __init__(
        self, output_size: Any, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        super().__init__()
        self._output_size, self._data_format, self._name = output_size, data_format, name

    def forward(self, x: Any) -> Any:
        return F.adaptive_avg_pool2d(x, self._output_size, self._data_format)

    def extra_repr(self) -> str:
        return f"output_size={self._output_size}"


class AdaptiveAvgPool1D(Layer):
    """The mean of each of output_size windows that cover the line evenly.

    Shapes: for example x [1, 3, 5] gives [1, 3, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.AdaptiveAvgPool1D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveAvgPool1D(2)(paddle.ones([1, 3, 5])).shape
    paddle.Size([1, 3, 2])
    """

    def __init__(self, output_size: Any, name: str | None = None) -> None:
        super().__init__()
        self.output_size, self.name = output_size, name

    def forward(self, x: Any) -> Any:
        return F.adaptive_avg_pool1d(x, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool2D(Layer):
    """The largest number of each of output_size windows that cover the image evenly.

    Shapes: for example x [1, 3, 5, 7] gives [1, 3, 2, 2].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.AdaptiveMaxPool2D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveMaxPool2D(2)(paddle.ones([1, 3, 5, 7])).shape
    paddle.Size([1, 3, 2, 2])
    """

    def __init__(
        self, output_size: Any, return_mask: bool = False, name: str | None = None
    ) -> None:
        super().__init__()
        self._output_size, self._return_mask, self._name = output_size, return_mask, name

    def forward(self, x: Any) -> Any:
        return F.adaptive_max_pool2d(x, self._output_size, self._return_mask)

    def extra_repr(self) -> str:
        return f"output_size={self._output_size}, return_mask={self._return_mask}"


class AdaptiveMaxPool1D(Layer):
    """The largest number of each of output_size windows that cover the line evenly.

    Shapes: for example x [1, 3, 5] gives [1, 3, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.AdaptiveMaxPool1D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AdaptiveMaxPool1D(2)(paddle.ones([1, 3, 5])).shape
    paddle.Size([1, 3, 2])
    """

    def __init__(
        self, output_size: Any, return_mask: bool = False, name: str | None = None
    ) -> None:
        super().__init__()
        self.output_size, self.return_mask, self.name = output_size, return_mask, name

    def forward(self, x: Any) -> Any:
        return F.adaptive_max_pool1d(x, self.output_size, self.return_mask)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}, return_mask={self.return_mask}"
