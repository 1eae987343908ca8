"""MobileNetV2: blocks that are wide inside and narrow at their ends."""

from __future__ import annotations

from typing import Any

from ... import nn
from ...paddle_names import absent
from ..ops import ConvNormActivation
from .classifier import HAPI, Classifier, make_divisible, maker

__getattr__ = absent.names(__name__)

# Expansion, channels, number of blocks, stride of the first.
BLOCKS = [
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
    (6, 320, 1, 1),
]  # fmt: skip
SETTINGS = """scale: factor of the numbers of channels. num_classes: 1000, or 0 for the features
alone. with_pool: whether these are averaged over the image."""


class InvertedResidual(nn.Layer):
    """Convolutions that widen, filter and narrow; x is added if the shape stays."""

    def __init__(
        self, inp: int, oup: int, stride: int, expand_ratio: float, norm_layer: Any = nn.BatchNorm2D
    ) -> None:
        super().__init__()
        wide = round(inp * expand_ratio)
        settings: Any = {"activation_layer": nn.ReLU6, "norm_layer": norm_layer}
        first = [ConvNormActivation(inp, wide, 1, **settings)] if expand_ratio != 1 else []
        self.use_res_connect = stride == 1 and inp == oup
        self.conv = nn.Sequential(
            *first,
            ConvNormActivation(wide, wide, stride=stride, groups=wide, **settings),
            nn.Conv2D(wide, oup, 1, 1, 0, bias_attr=False),
            norm_layer(oup),
        )

    def forward(self, x: Any) -> Any:
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Classifier):
    """Seventeen blocks that are wide inside, and a linear layer.

    scale: factor of the numbers of channels. num_classes: the number of classes; 0 for no linear
    layer. with_pool: whether features are averaged over the image.

    Errors: ValueError for images that do not fit.
    Source: Paddle's `paddle.vision.models.MobileNetV2`.

    >>> net = paddle.vision.models.MobileNetV2(scale=0.25, num_classes=10)
    >>> list(net(paddle.ones([1, 3, 32, 32])).shape)
    [1, 10]
    """

    _pool, _scores = "pool2d_avg", "classifier"

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(num_classes, with_pool)
        before, self.last_channel = make_divisible(32 * scale), make_divisible(1280 * max(1, scale))
        features: list[nn.Layer] = [
            ConvNormActivation(3, before, stride=2, activation_layer=nn.ReLU6)
        ]
        for expansion, channels, count, first in BLOCKS:
            after = make_divisible(channels * scale)
            for number in range(count):
                stride = first if number == 0 else 1
                features.append(InvertedResidual(before, after, stride, expansion))
                before = after
        last = ConvNormActivation(before, self.last_channel, 1, activation_layer=nn.ReLU6)
        self.features = nn.Sequential(*features, last)
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            scores = nn.Linear(self.last_channel, num_classes)
            self.classifier = nn.Sequential(nn.Dropout(0.2), scores)

    def forward(self, x: Any) -> Any:
        return self._finish(self.features(x))


mobilenet_v2 = maker("mobilenet_v2", MobileNetV2, f"{HAPI}mobilenet_v2_x1.0.pdparams", SETTINGS)
