"""AlexNet: five convolutions and three linear layers."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

from ... import nn
from ...nn import functional as F
from ...nn.initializer import Uniform
from ...paddle_names import absent
from .classifier import maker

__getattr__ = absent.names(__name__)

URL = "https://paddle-imagenet-models-name.bj.bcebos.com/dygraph/AlexNet_pretrained.pdparams"


def _uniform(*fan: int) -> dict[str, Any]:
    """Return settings of weights and biases up to 1 / √(inputs of one output)."""
    bound = 1 / sqrt(prod(fan))
    attr = nn.ParamAttr(initializer=Uniform(-bound, bound))
    return {"weight_attr": attr, "bias_attr": attr}


class ConvPoolLayer(nn.Layer):
    """A convolution, a ReLU and a pooling."""

    def __init__(self, channels: tuple[int, int], kernel: int, stride: int, padding: int) -> None:
        super().__init__()
        self.relu = nn.ReLU()
        attrs = _uniform(channels[0], kernel, kernel)
        self._conv = nn.Conv2D(*channels, kernel, stride, padding, **attrs)
        self._pool = nn.MaxPool2D(3, 2)

    def forward(self, inputs: Any) -> Any:
        return self._pool(self.relu(self._conv(inputs)))


class AlexNet(nn.Layer):
    """Five convolutions, three of them with a pooling, and three linear layers.

    num_classes: the number of classes; 0 for the convolutions alone.

    Errors: ValueError for images of another size than 224 × 224, but for the convolutions alone.
    Source: Paddle's `paddle.vision.models.AlexNet`.

    >>> net = paddle.vision.models.AlexNet(num_classes=0)
    >>> list(net(paddle.ones([1, 3, 64, 64])).shape)
    [1, 256, 1, 1]
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self._conv1 = ConvPoolLayer((3, 64), 11, 4, 2)
        self._conv2 = ConvPoolLayer((64, 192), 5, 1, 2)
        self._conv3 = nn.Conv2D(192, 384, 3, padding=1, **_uniform(192, 3, 3))
        self._conv4 = nn.Conv2D(384, 256, 3, padding=1, **_uniform(384, 3, 3))
        self._conv5 = ConvPoolLayer((256, 256), 3, 1, 1)
        if num_classes > 0:
            attrs = _uniform(256, 6, 6)
            self._drop1 = nn.Dropout(0.5, mode="downscale_in_infer")
            self._fc6 = nn.Linear(256 * 6 * 6, 4096, **attrs)
            self._drop2 = nn.Dropout(0.5, mode="downscale_in_infer")
            self._fc7 = nn.Linear(4096, 4096, **attrs)
            self._fc8 = nn.Linear(4096, num_classes, **attrs)

    def forward(self, inputs: Any) -> Any:
        x = self._conv2(self._conv1(inputs))
        x = F.relu(self._conv4(F.relu(self._conv3(x))))
        x = self._conv5(x)
        if self.num_classes > 0:
            x = F.relu(self._fc6(self._drop1(x.flatten(1))))
            x = F.relu(self._fc7(self._drop2(x)))
            x = self._fc8(x)
        return x


alexnet = maker("alexnet", AlexNet, URL, "num_classes: 1000, or 0 for the convolutions alone.")
