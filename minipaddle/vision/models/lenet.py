"""LeNet, for images of 28 × 28 pixels."""

from __future__ import annotations

from typing import Any

from ... import nn
from ...paddle_names import absent

__getattr__ = absent.names(__name__)


class LeNet(nn.Layer):
    """Two convolutions and three linear layers: images [N, 1, 28, 28] to scores of classes.

    num_classes: the number of classes; 0 for the convolutions alone.

    Errors: ValueError for images of another size.
    Source: Paddle's `paddle.vision.models.LeNet`.

    >>> net = paddle.vision.models.LeNet()
    >>> list(net(paddle.ones([2, 1, 28, 28])).shape)
    [2, 10]
    """

    def __init__(self, num_classes: int = 10) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.features = nn.Sequential(
            nn.Conv2D(1, 6, 3, stride=1, padding=1),
            nn.ReLU(),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(6, 16, 5, stride=1, padding=0),
            nn.ReLU(),
            nn.MaxPool2D(2, 2),
        )
        if num_classes > 0:
            self.fc = nn.Sequential(
                nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, num_classes)
            )

    def forward(self, inputs: Any) -> Any:
        x = self.features(inputs)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x
