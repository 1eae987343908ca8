"""Losses as layers: `paddle.nn.loss`."""

from __future__ import annotations

from typing import Any

from . import functional as F
from .functional.reduction import check_reduction
from .layer import Layer
from .losses import (
    BCELoss,
    BCEWithLogitsLoss,
    CosineEmbeddingLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    KLDivLoss,
    MarginRankingLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    PoissonNLLLoss,
    SmoothL1Loss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


class CrossEntropyLoss(Layer):
    """Cross entropy of softmax(input) and the label; see `nn.functional.cross_entropy`.

    >>> import minipaddle as paddle
    >>> loss = paddle.nn.CrossEntropyLoss(reduction="none")
    >>> loss(paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([1])).tolist()
    [0.6931471824645996]
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction
        self.soft_label, self.axis, self.use_softmax = soft_label, axis, use_softmax
        self.label_smoothing, self.name = label_smoothing, name

    def forward(self, input: Any, label: Any) -> Any:
        return F.cross_entropy(
            input,
            label,
            self.weight,
            self.ignore_index,
            self.reduction,
            self.soft_label,
            self.axis,
            self.use_softmax,
            self.label_smoothing,
        )


class NLLLoss(Layer):
    """Minus the log-probability of the label; see `nn.functional.nll_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.NLLLoss()(paddle.to_tensor([[-0.5, -2.0]]), paddle.to_tensor([1])))
    2.0
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("NLLLoss", reduction)
        self.weight, self.ignore_index, self.reduction = weight, ignore_index, reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.nll_loss(input, label, self.weight, self.ignore_index, self.reduction)


class MSELoss(Layer):
    """The mean squared difference; see `nn.functional.mse_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MSELoss()(paddle.ones([2]), paddle.zeros([2])))
    1.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        check_reduction("MSELoss", reduction)
        self.reduction = reduction

    def forward(self, input: Any, label: Any) -> Any:
        return F.mse_loss(input, label, self.reduction)


class L1Loss(Layer):
    """The mean absolute difference; see `nn.functional.l1_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.L1Loss("sum")(paddle.ones([2]), paddle.zeros([2])))
    2.0
    """

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        check_reduction("L1Loss", reduction)
        self.reduction, self.name = reduction, name

    def forward(self, input: Any, label: Any) -> Any:
        return F.l1_loss(input, label, self.reduction)
