"""VGG: convolutions of 3 × 3, in blocks that end with a pooling."""

from __future__ import annotations

from functools import partial
from typing import Any

from ... import nn
from ...paddle_names import absent
from .classifier import HAPI, Classifier, maker

__getattr__ = absent.names(__name__)

# Convolutions in each block of 64, 128, 256, 512 and 512 channels.
BLOCKS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
CHANNELS = (64, 128, 256, 512, 512)
SETTINGS = """batch_norm: whether a batch norm follows each convolution. num_classes: 1000, or 0 for
the features alone. with_pool: whether these are pooled to 7 × 7."""


class VGG(Classifier):
    """Features, which are pooled to 7 × 7, and three linear layers.

    features: a layer that gives 512 channels. num_classes: the number of classes; 0 for no linear
    layers. with_pool: whether there is the pooling.

    Errors: ValueError for images that do not fit the features.
    Source: Paddle's `paddle.vision.models.VGG`.

    >>> features = paddle.nn.Conv2D(3, 512, 3)
    >>> net = paddle.vision.models.VGG(features, num_classes=0)
    >>> list(net(paddle.ones([1, 3, 16, 16])).shape)
    [1, 512, 7, 7]
    """

    _scores = "classifier"

    def __init__(self, features: Any, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__(num_classes, with_pool)
        self.features = features
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(512 * 7 * 7, 4096),
                nn.ReLU(),
                nn.Dropout(),
                nn.Linear(4096, 4096),
                nn.ReLU(),
                nn.Dropout(),
                nn.Linear(4096, num_classes),
            )

    def forward(self, x: Any) -> Any:
        return self._finish(self.features(x))


def _build(depth: int, batch_norm: bool = False, **kwargs: Any) -> VGG:
    layers: list[nn.Layer] = []
    before = 3
    for count, channels in zip(BLOCKS[depth], CHANNELS, strict=True):
        for _ in range(count):
            layers.append(nn.Conv2D(before, channels, 3, padding=1))
            layers += [nn.BatchNorm2D(channels)] if batch_norm else []
            layers.append(nn.ReLU())
            before = channels
        layers.append(nn.MaxPool2D(2, 2))
    return VGG(nn.Sequential(*layers), **kwargs)


def _vgg(depth: int, has_weights: bool = False) -> Any:
    name = f"vgg{depth}"
    url = f"{HAPI}{name}.pdparams" if has_weights else None
    return maker(name, partial(_build, depth), url, SETTINGS)


vgg11 = _vgg(11)
vgg13 = _vgg(13)
vgg16 = _vgg(16, has_weights=True)
vgg19 = _vgg(19, has_weights=True)
