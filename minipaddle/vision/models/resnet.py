"""ResNet, ResNeXt and Wide ResNet: blocks that add what they compute to their input."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from ... import nn
from ...engine.errors import InvalidName, Unimplemented
from ...errors import require
from ...ops.errors import choice
from ...paddle_names import absent
from .classifier import HAPI, Classifier, maker

__getattr__ = absent.names(__name__)

# Blocks in the four layers, by depth.
BLOCKS = {
    18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3),
}  # fmt: skip
SETTINGS = """num_classes: 1000, or 0 for the features alone. with_pool: whether these are
averaged over the image."""


class BasicBlock(nn.Layer):
    """relu(x + two convolutions of x); `downsample` brings x to their shape."""

    expansion: ClassVar[int] = 1  # channels of the result for each of `planes`

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: nn.Layer | None = None,
        groups: int = 1,  # noqa: ARG002  (settings of the other block)
        base_width: int = 64,  # noqa: ARG002
        dilation: int = 1,
        norm_layer: Any = nn.BatchNorm2D,
    ) -> None:
        super().__init__()
        require(dilation == 1, "BasicBlock", "dilation=1", Unimplemented, dilation=dilation)
        self.conv1 = nn.Conv2D(inplanes, planes, 3, stride, 1, bias_attr=False)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        identity = x if self.downsample is None else self.downsample(x)
        return self.relu(out + identity)


class BottleneckBlock(nn.Layer):
    """relu(x + three convolutions of x), the middle one of fewer channels."""

    expansion: ClassVar[int] = 4

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: int = 1,
        downsample: nn.Layer | None = None,
        groups: int = 1,
        base_width: int = 64,
        dilation: int = 1,
        norm_layer: Any = nn.BatchNorm2D,
    ) -> None:
        super().__init__()
        width = int(planes * (base_width / 64)) * groups
        middle: Any = {
            "stride": stride,
            "padding": dilation,
            "dilation": dilation,
            "groups": groups,
        }
        self.conv1 = nn.Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = norm_layer(width)
        self.conv2 = nn.Conv2D(width, width, 3, bias_attr=False, **middle)
        self.bn2 = norm_layer(width)
        self.conv3 = nn.Conv2D(width, planes * self.expansion, 1, bias_attr=False)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = nn.ReLU()
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        identity = x if self.downsample is None else self.downsample(x)
        return self.relu(out + identity)


class ResNet(Classifier):
    """A convolution, four layers of blocks, and a linear layer.

    block: BasicBlock or BottleneckBlock of `paddle.vision.models.resnet`. depth: 18, 34, 50, 101
    or 152. width, groups: of the middle convolution of a BottleneckBlock. num_classes: the number
    of classes; 0 for no linear layer. with_pool: whether features are averaged over the image.

    Errors: KeyError for another depth.
    Source: Paddle's `paddle.vision.models.ResNet`.

    >>> block = paddle.vision.models.resnet.BasicBlock
    >>> paddle.enable_static()
    >>> net = paddle.vision.models.ResNet(block, 18, num_classes=10)
    >>> net(paddle.static.data("images", [None, 3, 64, 64])).shape
    (-1, 10)
    >>> paddle.disable_static()
    """

    def __init__(
        self,
        block: Any,
        depth: int = 50,
        width: int = 64,
        num_classes: int = 1000,
        with_pool: bool = True,
        groups: int = 1,
    ) -> None:
        super().__init__(num_classes, with_pool)
        if depth not in BLOCKS:
            raise choice("ResNet", "depth", depth, BLOCKS, InvalidName)
        self.groups, self.base_width, self.inplanes = groups, width, 64
        self.conv1 = nn.Conv2D(3, 64, 7, stride=2, padding=3, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2D(3, stride=2, padding=1)
        for number, count in enumerate(BLOCKS[depth]):
            layer = self._make_layer(block, 64 * 2**number, count, min(number + 1, 2))
            self.add_sublayer(f"layer{number + 1}", layer)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block: Any, planes: int, count: int, stride: int) -> nn.Layer:
        """Make a layer of blocks, the first with a stride and perhaps other channels of x."""
        after, downsample = planes * block.expansion, None
        if stride != 1 or self.inplanes != after:
            conv = nn.Conv2D(self.inplanes, after, 1, stride, bias_attr=False)
            downsample = nn.Sequential(conv, nn.BatchNorm2D(after))
        settings = {"groups": self.groups, "base_width": self.base_width}
        first = block(self.inplanes, planes, stride, downsample, **settings)
        self.inplanes = after
        others = [block(after, planes, **settings) for _ in range(count - 1)]
        return nn.Sequential(first, *others)

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        for layer in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = layer(x)
        return self._finish(x)


def _resnet(name: str, depth: int, **settings: Any) -> Any:
    block = BasicBlock if depth < 50 else BottleneckBlock
    build = partial(ResNet, block, depth, **settings)
    return maker(name, build, f"{HAPI}{name}.pdparams", SETTINGS)


resnet18 = _resnet("resnet18", 18)
resnet34 = _resnet("resnet34", 34)
resnet50 = _resnet("resnet50", 50)
resnet101 = _resnet("resnet101", 101)
resnet152 = _resnet("resnet152", 152)
resnext50_32x4d = _resnet("resnext50_32x4d", 50, groups=32, width=4)
resnext50_64x4d = _resnet("resnext50_64x4d", 50, groups=64, width=4)
resnext101_32x4d = _resnet("resnext101_32x4d", 101, groups=32, width=4)
resnext101_64x4d = _resnet("resnext101_64x4d", 101, groups=64, width=4)
resnext152_32x4d = _resnet("resnext152_32x4d", 152, groups=32, width=4)
resnext152_64x4d = _resnet("resnext152_64x4d", 152, groups=64, width=4)
wide_resnet50_2 = _resnet("wide_resnet50_2", 50, width=128)
wide_resnet101_2 = _resnet("wide_resnet101_2", 101, width=128)
