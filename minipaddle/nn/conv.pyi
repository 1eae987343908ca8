# Written by docs/make_stubs.py; do not edit.

from collections.abc import Sequence
from typing import Any

from minipaddle import Tensor, _DTypeLike, _PlaceLike
from minipaddle.nn.spatial import Spatial

class _Conv(Spatial):
    """What the convolutions share: parameters, settings, and the text."""

class _Convolution(_Conv):
    """What the convolutions share that are not transposed."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | str | Tensor | Sequence[Any] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        *,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: _PlaceLike | None = None,
        dtype: _DTypeLike | None = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "",
    ) -> None: ...

class _Transposed(_Conv):
    """What the transposed convolutions share."""

class Conv2D(_Convolution):
    """Learned filters that slide over images; weight [out, in / groups, height, width]."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | str | Tensor | Sequence[Any] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        *,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: _PlaceLike | None = None,
        dtype: _DTypeLike | None = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ) -> None: ...

class Conv1D(_Convolution):
    """Learned filters that slide over lines [N, C, L]; weight [out, in / groups, length]."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | str | Tensor | Sequence[Any] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        *,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: _PlaceLike | None = None,
        dtype: _DTypeLike | None = None,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
    ) -> None: ...

class Conv2DTranspose(_Transposed):
    """The transpose of Conv2D, from responses to images; weight [in, out / groups, h, w]."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | str | Tensor | Sequence[Any] = 0,
        output_padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
    ) -> None: ...

class Conv1DTranspose(_Transposed):
    """The transpose of Conv1D, from responses to lines; weight [in, out / groups, length]."""
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | Sequence[int],
        stride: int | Sequence[int] = 1,
        padding: int | str | Tensor | Sequence[Any] = 0,
        output_padding: int | Sequence[int] = 0,
        groups: int = 1,
        dilation: int | Sequence[int] = 1,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCL",
    ) -> None: ...
