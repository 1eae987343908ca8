"""Detection: what is not here says so by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import nn
from ..eager.creation import to_tensor
from ..engine.errors import CheckFailed
from ..errors import require
from ..ops.boundary import publish as _publish
from ..paddle_names import absent

__all__ = ["nms"]

__getattr__ = absent.names(__name__)


class ConvNormActivation(nn.Sequential):
    """A convolution, a norm and an activation; None leaves norm or activation out."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int = 3,
        stride: Any = 1,
        padding: Any = None,
        groups: int = 1,
        norm_layer: Callable[..., Any] | None = nn.BatchNorm2D,
        activation_layer: Callable[..., Any] | None = nn.ReLU,
        dilation: int = 1,
        bias: bool | None = None,
    ) -> None:
        padding = (kernel_size - 1) // 2 * dilation if padding is None else padding
        bias = norm_layer is None if bias is None else bias
        settings: Any = {"dilation": dilation, "groups": groups, "bias_attr": bias}
        layers: list[Any] = [
            nn.Conv2D(in_channels, out_channels, kernel_size, stride, padding, **settings)
        ]
        layers += [norm_layer(out_channels)] if norm_layer is not None else []
        layers += [activation_layer()] if activation_layer is not None else []
        super().__init__(*layers)


def nms(
    boxes: Any,
    iou_threshold: float = 0.3,
    scores: Any = None,
    category_idxs: Any = None,
    categories: Sequence[int] | None = None,
    top_k: int | None = None,
) -> Any:
    """Choose boxes of which no two overlap much, the best ones first: their positions.

    boxes: a Tensor [N, 4] of corners x1, y1, x2, y2, the best first where no scores [N] are given.
    iou_threshold: the largest intersection, as part of the union, of two boxes that both stay.
    category_idxs: the category of each box, of which only boxes of one exclude each other;
    `categories` lists them all. top_k: the largest number of boxes.

    Errors: AssertionError for category_idxs without categories, or without scores.
    Source: Paddle's `paddle.vision.ops.nms`.

    >>> boxes = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0], [0.0, 0.0, 4.0, 3.0], [5.0, 5.0, 6.0, 6.0]])
    >>> paddle.vision.ops.nms(boxes, 0.5).tolist()
    [0, 2]
    """
    corners = boxes.numpy()
    order = np.arange(len(corners))
    if scores is not None:
        order = np.argsort(-scores.numpy(), kind="stable")
    if category_idxs is None:
        return to_tensor(order[_separate(corners[order], iou_threshold)][:top_k])
    good = categories is not None and scores is not None
    require(good, "nms", "scores and categories", CheckFailed, categories=categories)
    of_order, stays = category_idxs.numpy()[order], np.zeros(len(order), bool)
    for category in categories or ():
        places = np.flatnonzero(of_order == int(category))
        stays[places[_separate(corners[order[places]], iou_threshold)]] = True
    return to_tensor(order[stays][:top_k])


def _separate(corners: Any, threshold: float) -> list[int]:
    """Return the positions of boxes that do not overlap an earlier one that stays."""
    low, high = corners[:, :2], corners[:, 2:]
    areas = (high - low).prod(1)
    kept: list[int] = []
    for place in range(len(corners)):
        edges = np.minimum(high[place], high[kept]) - np.maximum(low[place], low[kept])
        common = edges.clip(0).prod(1)
        if not (common / (areas[place] + areas[kept] - common) > threshold).any():
            kept.append(place)
    return kept


_publish(globals(), {*__all__, "ConvNormActivation"})
