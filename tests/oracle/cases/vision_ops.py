"""Choosing boxes that do not overlap."""

import numpy as np

from ..harness import case
from ._texts import texts


def boxes(paddle, count=40):
    numbers = np.random.RandomState(9)
    corners = numbers.rand(count, 4) * 10
    low, high = (
        np.minimum(corners[:, :2], corners[:, 2:]),
        np.maximum(corners[:, :2], corners[:, 2:]),
    )
    values = np.concatenate([low, high], 1).astype("float32")
    scores = numbers.permutation(count).astype("float32")
    return paddle.to_tensor(values), paddle.to_tensor(scores), numbers.randint(0, 3, count)


@case
def convolutions_with_norms(paddle, show):
    make = paddle.vision.ops.ConvNormActivation
    for settings in ({}, {"norm_layer": None}, {"activation_layer": None, "bias": True}):
        net = make(4, 6, 3, 2, groups=2, **settings)
        shapes = [[key, list(value.shape)] for key, value in net.state_dict().items()]
        show(f"{settings}", [shapes, list(net(paddle.ones([1, 4, 7, 7])).shape)])
    show("dilated", list(make(1, 1, 3, dilation=2)(paddle.ones([1, 1, 7, 7])).shape))


DIFFERS = {
    "best boxes": "Paddle keeps more than top_k boxes where they have no categories",
}  # fmt: skip
TABLE = texts("vision_ops", globals(), DIFFERS)
