# Written by docs/make_stubs.py; do not edit.

from collections.abc import Sequence
from typing import Any

from minipaddle import Tensor
from minipaddle.nn.function_layer import FunctionLayer

class Pool(FunctionLayer):
    """A sliding window."""

class AdaptivePool(FunctionLayer):
    """Windows that cover the input evenly, as many as the output has elements."""

class AdaptivePool2D(AdaptivePool):
    """Such windows of images."""

class MaxPool2D(Pool):
    """The largest number of each window of images."""
    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | str | Tensor | Sequence[Any] = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...

class MaxPool1D(Pool):
    """The largest number of each window of lines."""
    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | str | Tensor | Sequence[Any] = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None: ...

class AvgPool2D(Pool):
    """The mean of each window of images."""
    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | str | Tensor | Sequence[Any] = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...

class AvgPool1D(Pool):
    """The mean of each window of lines."""
    def __init__(
        self,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] | None = None,
        padding: int | str | Tensor | Sequence[Any] = 0,
        exclusive: bool = True,
        ceil_mode: bool = False,
        name: str | None = None,
    ) -> None: ...

class AdaptiveAvgPool2D(AdaptivePool2D):
    """The mean of each of output_size windows that cover the image evenly."""
    def __init__(
        self,
        output_size: int | Sequence[int | None],
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None: ...

class AdaptiveAvgPool1D(AdaptivePool):
    """The mean of each of output_size windows that cover the line evenly."""
    def __init__(
        self, output_size: int | Sequence[int | None], name: str | None = None
    ) -> None: ...

class AdaptiveMaxPool2D(AdaptivePool2D):
    """The largest number of each of output_size windows that cover the image evenly."""
    def __init__(
        self,
        output_size: int | Sequence[int | None],
        return_mask: bool = False,
        name: str | None = None,
    ) -> None: ...

class AdaptiveMaxPool1D(AdaptivePool):
    """The largest number of each of output_size windows that cover the line evenly."""
    def __init__(
        self,
        output_size: int | Sequence[int | None],
        return_mask: bool = False,
        name: str | None = None,
    ) -> None: ...
