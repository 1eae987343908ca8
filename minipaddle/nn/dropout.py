"""Dropout of whole channels, and dropout that fits selu."""

from __future__ import annotations

from typing import Any

from . import functional as F
from .layer import Layer


class Dropout3D(Layer):
    """Drop whole channels of x [N, C, D, H, W], in training only.

    Dtypes: all kept.
    Errors: ValueError for a p outside [0, 1], or other than 5 axes.
    Source: Paddle's `paddle.nn.Dropout3D`.

    >>> import minipaddle as paddle
    >>> paddle.nn.Dropout3D(0.9).eval()(paddle.ones([1, 2, 1, 1, 1])).flatten().tolist()
    [1.0, 1.0]
    """

    def __init__(self, p: float = 0.5, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__()
        self.p, self.data_format, self.name = p, data_format, name

    def forward(self, input: Any) -> Any:
        return F.dropout3d(input, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        name = f", name={self.name}" if self.name else ""
        return f"p={self.p}, data_format={self.data_format}{name}"


class AlphaDropout(Layer):
    """Dropout that keeps mean 0 and variance 1, to go with SELU; in training only.

    Shapes: for example input [2, 1] gives [2, 1].
    Dtypes: all kept.
    Errors: ValueError for a p outside [0, 1].
    Source: Paddle's `paddle.nn.AlphaDropout`.

    >>> import minipaddle as paddle
    >>> paddle.nn.AlphaDropout(0.9).eval()(paddle.ones([2, 1])).flatten().tolist()
    [1.0, 1.0]
    """

    def __init__(self, p: float = 0.5, name: str | None = None) -> None:
        super().__init__()
        self.p, self.name = p, name

    def forward(self, input: Any) -> Any:
        return F.alpha_dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}" + (f", name={self.name}" if self.name else "")


class FeatureAlphaDropout(Layer):
    """AlphaDropout of whole channels of x [N, C, ...], in training only.

    Shapes: for example input [2, 1] gives [2, 1].
    Dtypes: all kept.
    Errors: ValueError for a p outside [0, 1].
    Source: Paddle's `paddle.nn.FeatureAlphaDropout`.

    >>> import minipaddle as paddle
    >>> paddle.nn.FeatureAlphaDropout(0.9).eval()(paddle.ones([2, 1])).flatten().tolist()
    [1.0, 1.0]
    """

    def __init__(self, p: float = 0.5, name: str | None = None) -> None:
        super().__init__()
        self.p, self.name = p, name

    def forward(self, input: Any) -> Any:
        return F.feature_alpha_dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}" + (f", name={self.name}" if self.name else "")
