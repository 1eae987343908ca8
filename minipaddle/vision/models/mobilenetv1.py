"""MobileNetV1: convolutions of single channels, each followed by one of single pixels."""

from __future__ import annotations

from typing import Any

from ... import nn
from ...paddle_names import absent
from ..ops import ConvNormActivation
from .classifier import HAPI, Classifier, maker

__getattr__ = absent.names(__name__)

# Name, channels before and after, stride.
BLOCKS = [
    ("conv2_1", 32, 64, 1), ("conv2_2", 64, 128, 2), ("conv3_1", 128, 128, 1),
    ("conv3_2", 128, 256, 2), ("conv4_1", 256, 256, 1), ("conv4_2", 256, 512, 2),
    *((f"conv5_{i}", 512, 512, 1) for i in range(1, 6)),
    ("conv5_6", 512, 1024, 2), ("conv6", 1024, 1024, 1),
]  # fmt: skip
SETTINGS = """scale: factor of the numbers of channels. num_classes: 1000, or 0 for the features
alone. with_pool: whether these are averaged over the image."""


class DepthwiseSeparable(nn.Layer):
    """A convolution of each channel by itself, then one of each pixel by itself."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self._depthwise_conv = ConvNormActivation(before, before, 3, stride, 1, groups=before)
        self._pointwise_conv = ConvNormActivation(before, after, 1, 1, 0)

    def forward(self, x: Any) -> Any:
        return self._pointwise_conv(self._depthwise_conv(x))


class MobileNetV1(Classifier):
    """Thirteen pairs of small convolutions, and a linear layer.

    scale: factor of the numbers of channels. num_classes: the number of classes; 0 for no linear
    layer. with_pool: whether features are averaged over the image.

    Errors: ValueError for a scale that leaves no channels.
    Source: Paddle's `paddle.vision.models.MobileNetV1`.

    >>> net = paddle.vision.models.MobileNetV1(scale=0.125, num_classes=10)
    >>> list(net(paddle.ones([1, 3, 32, 32])).shape)
    [1, 10]
    """

    _pool = "pool2d_avg"

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(num_classes, with_pool)
        self.scale = scale
        self.conv1 = ConvNormActivation(3, int(32 * scale), 3, 2, 1)
        self.dwsl = []
        for name, before, after, stride in BLOCKS:
            block = DepthwiseSeparable(int(before * scale), int(after * scale), stride)
            self.dwsl.append(self.add_sublayer(name, block))
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.fc = nn.Linear(int(1024 * scale), num_classes)

    def forward(self, x: Any) -> Any:
        x = self.conv1(x)
        for block in self.dwsl:
            x = block(x)
        return self._finish(x)


mobilenet_v1 = maker("mobilenet_v1", MobileNetV1, f"{HAPI}mobilenetv1_1.0.pdparams", SETTINGS)
