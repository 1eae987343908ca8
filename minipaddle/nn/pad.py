"""Padding layers."""

from __future__ import annotations

from typing import Any

from . import functional as F
from .spatial import Spatial
from .support import describe


class _Pad(Spatial):
    """Padding of lines or images.

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.
    """

    def __init__(
        self,
        padding: Any,
        mode: str = "constant",
        value: float = 0.0,
        data_format: str = "",
        name: str | None = None,
    ) -> None:
        super().__init__()
        one = isinstance(padding, int)
        self.padding = [padding] * (2 * self._axes) if one else padding
        self._mode, self.value = mode, value
        self._data_format, self._name = data_format, name

    def forward(self, x: Any) -> Any:
        return F.pad(x, self.padding, self._mode, self.value, self._data_format)

    def extra_repr(self) -> str:
        settings = {"padding": self.padding, "mode": self._mode, "value": self.value}
        return describe(**settings, data_format=self._data_format, name=self._name)


class Pad1D(_Pad, axes=1):
    """Lines with more elements at their ends: [left, right].

    >>> import minipaddle as paddle
    >>> paddle.nn.Pad1D([1, 2], mode="replicate")(paddle.to_tensor([[[1.0, 2.0]]])).tolist()
    [[[1.0, 1.0, 2.0, 2.0, 2.0]]]
    """


class Pad2D(_Pad, axes=2):
    """Images with more elements around them: [left, right, top, bottom].

    >>> import minipaddle as paddle
    >>> paddle.nn.Pad2D(1)(paddle.ones([1, 1, 2, 2])).shape
    paddle.Size([1, 1, 4, 4])
    """


class ZeroPad2D(_Pad, axes=2):
    """Images with zeros around them: [left, right, top, bottom].

    >>> import minipaddle as paddle
    >>> paddle.nn.ZeroPad2D([1, 0, 0, 0])(paddle.ones([1, 1, 1, 1])).tolist()
    [[[[0.0, 1.0]]]]
    """

    def __init__(self, padding: Any, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)
