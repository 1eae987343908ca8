"""Networks for images, with Paddle's names of their parameters."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

from ...ops.boundary import public_names as _public_names
from ...ops.boundary import publish as _publish
from ...paddle_names import absent
from .alexnet import AlexNet, alexnet
from .lenet import LeNet
from .mobilenetv1 import MobileNetV1, mobilenet_v1
from .mobilenetv2 import MobileNetV2, mobilenet_v2
from .resnet import (
    ResNet,
    resnet18,
    resnet34,
    resnet50,
    resnet101,
    resnet152,
    resnext50_32x4d,
    resnext50_64x4d,
    resnext101_32x4d,
    resnext101_64x4d,
    resnext152_32x4d,
    resnext152_64x4d,
    wide_resnet50_2,
    wide_resnet101_2,
)
from .vgg import VGG, vgg11, vgg13, vgg16, vgg19

__all__ = list(_public_names(globals()))

__getattr__ = absent.names(__name__)

_publish(globals(), __all__)
