"""Losses as layers: `paddle.nn.loss`."""

from __future__ import annotations

from typing import Any

from . import functional as F
from .functional.reduction import check_reduction
from .layer import Layer

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

    Shapes: for example input [1, 2], label [1] gives [1].
    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit; IndexError for a label that is not a class.
    Source: Paddle's `paddle.nn.CrossEntropyLoss`.

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

    Shapes: for example input [1, 2], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.NLLLoss`.

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

    Shapes: for example input [2], label [2] gives [].
    Dtypes: floating, complex, int32, int64 kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for bool,
    uint8, int8, int16.
    Source: Paddle's `paddle.nn.MSELoss`.

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

    Shapes: for example input [2], label [2] gives [].
    Dtypes: floating, int64 kept; int32 give int64; complex64 give float32; complex128 give float64.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for bool,
    uint8, int8, int16.
    Source: Paddle's `paddle.nn.L1Loss`.

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


class BCELoss(Layer):
    """Binary cross entropy of probabilities; see `nn.functional.binary_cross_entropy`.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.
    Source: Paddle's `paddle.nn.BCELoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.BCELoss()(paddle.full([1], 0.5), paddle.ones([1])))
    0.6931471824645996
    """

    def __init__(
        self, weight: Any = None, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__()
        check_reduction("BCELoss", reduction)
        self.weight = weight
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.binary_cross_entropy(input, label, self.weight, self.reduction)


class BCEWithLogitsLoss(Layer):
    """Binary cross entropy of sigmoid(logit);
    see `nn.functional.binary_cross_entropy_with_logits`.

    Shapes: for example logit [1], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if logit is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.
    Source: Paddle's `paddle.nn.BCEWithLogitsLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.BCEWithLogitsLoss()(paddle.zeros([1]), paddle.ones([1])))
    0.6931471824645996
    """

    def __init__(
        self,
        weight: Any = None,
        reduction: str = "mean",
        pos_weight: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("BCEWithLogitsLoss", reduction)
        self.weight = weight
        self.reduction = reduction
        self.pos_weight = pos_weight
        self.name = name

    def forward(self, logit: Any, label: Any) -> Any:
        return F.binary_cross_entropy_with_logits(
            logit,
            label,
            self.weight,
            self.reduction,
            self.pos_weight,
        )


class KLDivLoss(Layer):
    """How far log-probabilities are from a distribution; see `nn.functional.kl_div`.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool.
    Source: Paddle's `paddle.nn.KLDivLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.KLDivLoss()(paddle.zeros([1]), paddle.ones([1])))
    0.0
    """

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__()
        self.reduction = reduction
        self.log_target = log_target

    def forward(self, input: Any, label: Any) -> Any:
        return F.kl_div(input, label, self.reduction, self.log_target)


class SmoothL1Loss(Layer):
    """Half the squared difference, but a line where it is large;
    see `nn.functional.smooth_l1_loss`.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.
    Source: Paddle's `paddle.nn.SmoothL1Loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.SmoothL1Loss()(paddle.full([1], 4.0), paddle.zeros([1])))
    3.5
    """

    def __init__(
        self,
        reduction: str = "mean",
        delta: float = 1.0,
        is_huber: bool = True,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.reduction = reduction
        self.delta = delta
        self.is_huber = is_huber
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.smooth_l1_loss(input, label, self.reduction, self.delta, self.is_huber)


class MarginRankingLoss(Layer):
    """How far the larger one of two is from being it by a margin;
    see `nn.functional.margin_ranking_loss`.

    Shapes: for example input [1], other [1], label [1] gives [].
    Dtypes: floating, complex kept; integers give float32.
    Errors: ValueError if input is not a Tensor; RuntimeError for bool.
    Source: Paddle's `paddle.nn.MarginRankingLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MarginRankingLoss(1.0)(*[paddle.ones([1])] * 3))
    1.0
    """

    def __init__(
        self, margin: float = 0.0, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__()
        check_reduction("MarginRankingLoss", reduction)
        self.margin = margin
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, other: Any, label: Any) -> Any:
        return F.margin_ranking_loss(input, other, label, self.margin, self.reduction)


class HingeEmbeddingLoss(Layer):
    """A distance that should be small, or larger than a margin;
    see `nn.functional.hinge_embedding_loss`.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating, complex kept.
    Errors: ValueError if input is not a Tensor; TypeError for integers, bool.
    Source: Paddle's `paddle.nn.HingeEmbeddingLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.HingeEmbeddingLoss()(paddle.full([1], 0.25), paddle.full([1], -1.0)))
    0.75
    """

    def __init__(
        self, margin: float = 1.0, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__()
        self.margin = margin
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.hinge_embedding_loss(input, label, self.margin, self.reduction)


class CosineEmbeddingLoss(Layer):
    """Rows that should have the same direction, or not; see `nn.functional.cosine_embedding_loss`.

    Shapes: for example input1 [2, 2], input2 [2, 2], label [2] gives [].
    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit, for complex, integers, bool.
    Source: Paddle's `paddle.nn.CosineEmbeddingLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.CosineEmbeddingLoss()(paddle.eye(2), -paddle.eye(2), paddle.ones([2])))
    2.0
    """

    def __init__(self, margin: float = 0, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        check_reduction("CosineEmbeddingLoss", reduction)
        self.margin = margin
        self.reduction = reduction
        self.name = name

    def forward(self, input1: Any, input2: Any, label: Any) -> Any:
        return F.cosine_embedding_loss(input1, input2, label, self.margin, self.reduction)


class TripletMarginLoss(Layer):
    """The positive one should be nearer than the negative one, by a margin;
    see `nn.functional.triplet_margin_loss`.

    Shapes: for example input [1, 2], positive [1, 2], negative [1, 2] gives [].
    Dtypes: floating kept; integers, complex64 give float32; complex128 give float64.
    Errors: ValueError if the shapes do not fit; RuntimeError for bool.
    Source: Paddle's `paddle.nn.TripletMarginLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.TripletMarginLoss()(*[paddle.ones([1, 2])] * 3))
    1.0
    """

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        epsilon: float = 1e-6,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("TripletMarginLoss", reduction)
        self.margin = margin
        self.p = p
        self.epsilon = epsilon
        self.swap = swap
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, positive: Any, negative: Any) -> Any:
        return F.triplet_margin_loss(
            input,
            positive,
            negative,
            self.margin,
            self.p,
            self.epsilon,
            self.swap,
            self.reduction,
        )


class TripletMarginWithDistanceLoss(Layer):
    """TripletMarginLoss with a distance of your own;
    see `nn.functional.triplet_margin_with_distance_loss`.

    Shapes: for example input [1, 2], positive [1, 2], negative [1, 2] gives [].
    Dtypes: floating kept; integers, complex64 give float32; complex128 give float64.
    Errors: ValueError if the shapes do not fit; RuntimeError for bool.
    Source: Paddle's `paddle.nn.TripletMarginWithDistanceLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.TripletMarginWithDistanceLoss()(*[paddle.ones([1, 2])] * 3))
    1.0
    """

    def __init__(
        self,
        distance_function: Any = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("TripletMarginWithDistanceLoss", reduction)
        self.distance_function = distance_function
        self.margin = margin
        self.swap = swap
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, positive: Any, negative: Any) -> Any:
        return F.triplet_margin_with_distance_loss(
            input,
            positive,
            negative,
            self.distance_function,
            self.margin,
            self.swap,
            self.reduction,
        )


class SoftMarginLoss(Layer):
    """ln(1 + exp(-label · input)) for labels of 1 and -1; see `nn.functional.soft_margin_loss`.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating kept; complex, integers, bool give float32.
    Errors: ValueError if the shapes do not fit.
    Source: Paddle's `paddle.nn.SoftMarginLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.SoftMarginLoss()(paddle.zeros([1]), paddle.ones([1])))
    0.6931471824645996
    """

    def __init__(self, reduction: str = "mean", name: str | None = None) -> None:
        super().__init__()
        check_reduction("SoftMarginLoss", reduction)
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.soft_margin_loss(input, label, self.reduction)


class MultiLabelSoftMarginLoss(Layer):
    """Binary cross entropy over the classes of each row;
    see `nn.functional.multi_label_soft_margin_loss`.

    Shapes: for example input [1, 2], label [1, 2] gives [].
    Dtypes: floating, complex kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for integers, bool.
    Source: Paddle's `paddle.nn.MultiLabelSoftMarginLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MultiLabelSoftMarginLoss()(paddle.zeros([1, 2]), paddle.ones([1, 2])))
    0.6931471824645996
    """

    def __init__(
        self, weight: Any = None, reduction: str = "mean", name: str | None = None
    ) -> None:
        super().__init__()
        check_reduction("MultiLabelSoftMarginLoss", reduction)
        self.weight = weight
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.multi_label_soft_margin_loss(input, label, self.weight, self.reduction)


class MultiMarginLoss(Layer):
    """By how much wrong classes come within a margin of the right one;
    see `nn.functional.multi_margin_loss`.

    Shapes: for example input [1, 2], label [1] gives [].
    Dtypes: floating, complex kept; uint8, int8, int16, int64 give float32.
    Errors: ValueError if the shapes do not fit; TypeError for bool, int32.
    Source: Paddle's `paddle.nn.MultiMarginLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MultiMarginLoss()(paddle.zeros([1, 2]), paddle.to_tensor([0])))
    0.5
    """

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Any = None,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("MultiMarginLoss", reduction)
        self.p = p
        self.margin = margin
        self.weight = weight
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.multi_margin_loss(input, label, self.p, self.margin, self.weight, self.reduction)


class PoissonNLLLoss(Layer):
    """Minus the log-probability of counts; see `nn.functional.poisson_nll_loss`.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating, complex kept.
    Errors: ValueError if input is not a Tensor; RuntimeError for bool, uint8, int8, int16;
    TypeError for int32, int64.
    Source: Paddle's `paddle.nn.PoissonNLLLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.PoissonNLLLoss()(paddle.zeros([1]), paddle.zeros([1])))
    1.0
    """

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        epsilon: float = 1e-8,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("PoissonNLLLoss", reduction)
        self.log_input = log_input
        self.full = full
        self.epsilon = epsilon
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any) -> Any:
        return F.poisson_nll_loss(
            input,
            label,
            self.log_input,
            self.full,
            self.epsilon,
            self.reduction,
        )


class GaussianNLLLoss(Layer):
    """Minus the log-density of a normal distribution; see `nn.functional.gaussian_nll_loss`.

    Shapes: for example input [1], label [1], variance [1] gives [].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, bool, uint8, int8, int16; TypeError for int32, int64.
    Source: Paddle's `paddle.nn.GaussianNLLLoss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.GaussianNLLLoss()(*[paddle.ones([1])] * 3))
    0.0
    """

    def __init__(
        self,
        full: bool = False,
        epsilon: float = 1e-6,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None:
        super().__init__()
        check_reduction("GaussianNLLLoss", reduction)
        self.full = full
        self.epsilon = epsilon
        self.reduction = reduction
        self.name = name

    def forward(self, input: Any, label: Any, variance: Any) -> Any:
        return F.gaussian_nll_loss(input, label, variance, self.full, self.epsilon, self.reduction)
