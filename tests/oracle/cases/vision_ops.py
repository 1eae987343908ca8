"""Choosing boxes that do not overlap."""

import numpy as np

from ..harness import case


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
def separate_boxes(paddle, show):
    nms = paddle.vision.ops.nms
    corners, scores, kinds = boxes(paddle)
    for threshold in (0.0, 0.1, 0.3, 0.9):
        show(f"in order {threshold}", nms(corners, threshold))
        show(f"by scores {threshold}", nms(corners, threshold, scores))
    one = paddle.to_tensor(kinds)
    for top_k in (None, 3, 40):
        show(f"in kinds {top_k}", nms(corners, 0.2, scores, one, [0, 1, 2], top_k))
    show("some kinds", nms(corners, 0.2, scores, one, [2, 0]))
    same = paddle.to_tensor([[0.0, 0.0, 2.0, 2.0]] * 2 + [[0.0, 0.0, 2.0, 1.0]])
    show("half", nms(same, 0.5))
    show("less", nms(same, 0.49))
    show.raises("no categories", lambda: nms(corners, 0.2, scores, one))


@case(differs="Paddle keeps more than top_k boxes where they have no categories")
def best_boxes(paddle, show):
    corners, scores, _ = boxes(paddle)
    show("three", paddle.vision.ops.nms(corners, 0.9, scores, top_k=3))


@case
def convolutions_with_norms(paddle, show):
    make = paddle.vision.ops.ConvNormActivation
    for settings in ({}, {"norm_layer": None}, {"activation_layer": None, "bias": True}):
        net = make(4, 6, 3, 2, groups=2, **settings)
        shapes = [[key, list(value.shape)] for key, value in net.state_dict().items()]
        show(f"{settings}", [shapes, list(net(paddle.ones([1, 4, 7, 7])).shape)])
    show("dilated", list(make(1, 1, 3, dilation=2)(paddle.ones([1, 1, 7, 7])).shape))
