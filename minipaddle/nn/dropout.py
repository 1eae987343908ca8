"""Dropout of whole channels, and dropout that fits selu."""

from __future__ import annotations

from . import functional as F
from .function_layer import FunctionLayer


class Dropout2D(FunctionLayer, function=F.dropout2d):
    """Drop whole channels of images with probability p, in training only.

    Shapes: for example x [1, 1, 1, 2] gives [1, 1, 1, 2].

    >>> import minipaddle as paddle
    >>> paddle.nn.Dropout2D(0.9).eval()(paddle.ones([1, 1, 1, 2])).tolist()
    [[[[1.0, 1.0]]]]
    """


class Dropout3D(FunctionLayer, function=F.dropout3d, inputs=("input",)):
    """Drop whole channels of x [N, C, D, H, W], in training only.

    >>> import minipaddle as paddle
    >>> paddle.nn.Dropout3D(0.9).eval()(paddle.ones([1, 2, 1, 1, 1])).flatten().tolist()
    [1.0, 1.0]
    """


class AlphaDropout(FunctionLayer, function=F.alpha_dropout, inputs=("input",)):
    """Dropout that keeps mean 0 and variance 1, to go with SELU; in training only.

    Shapes: for example input [2, 1] gives [2, 1].

    >>> import minipaddle as paddle
    >>> paddle.nn.AlphaDropout(0.9).eval()(paddle.ones([2, 1])).flatten().tolist()
    [1.0, 1.0]
    """


class FeatureAlphaDropout(FunctionLayer, function=F.feature_alpha_dropout, inputs=("input",)):
    """AlphaDropout of whole channels of x [N, C, ...], in training only.

    Shapes: for example input [2, 1] gives [2, 1].

    >>> import minipaddle as paddle
    >>> paddle.nn.FeatureAlphaDropout(0.9).eval()(paddle.ones([2, 1])).flatten().tolist()
    [1.0, 1.0]
    """
