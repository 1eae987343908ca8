"""Losses as layers: `paddle.nn.loss`."""

from __future__ import annotations

from typing import Any

from . import errors
from . import functional as F
from .function_layer import FunctionLayer
from .functional.loss import check_reduction

TRIPLET = ("input", "positive", "negative")


class Loss(FunctionLayer):
    """Base class of losses that check `reduction` in the constructor."""

    _inputs = ("input", "label")
    _shown = ()

    def _check_settings(self) -> None:
        check_reduction(type(self).__name__, self.reduction)


class LateLoss(Loss):
    """Base class of losses that check `reduction` in `forward`, as in Paddle."""

    def _check_settings(self) -> None:
        pass


class CrossEntropyLoss(LateLoss, function=F.cross_entropy):
    """Cross entropy of softmax(input) and the label; see `nn.functional.cross_entropy`.

    Shapes: for example input [1, 2], label [1] gives [1].
    Errors: ValueError if the shapes do not fit; IndexError for a label that is not a class.

    >>> import minipaddle as paddle
    >>> loss = paddle.nn.CrossEntropyLoss(reduction="none")
    >>> loss(paddle.to_tensor([[0.0, 0.0]]), paddle.to_tensor([1])).tolist()
    [0.6931471824645996]
    """


class CTCLoss(
    LateLoss,
    function=F.ctc_loss,
    inputs=("log_probs", "labels", "input_lengths", "label_lengths"),
    without=("norm_by_times",),
):
    """Minus the logarithm of the probability of a sequence of labels; see `nn.functional.ctc_loss`.

    Shapes: for example log_probs [5, 2, 4], labels [2, 3] gives [].

    >>> import minipaddle as paddle
    >>> scores, one = paddle.zeros([2, 1, 2]), paddle.to_tensor([1])
    >>> float(paddle.nn.CTCLoss()(scores, one.unsqueeze(0), one + 1, one)) > 0
    True
    """

    def forward(
        self,
        log_probs: Any,
        labels: Any,
        input_lengths: Any,
        label_lengths: Any,
        norm_by_times: bool = False,
    ) -> Any:
        how = self.blank, self.reduction, norm_by_times, self.zero_infinity
        return F.ctc_loss(log_probs, labels, input_lengths, label_lengths, *how)


class NLLLoss(Loss, function=F.nll_loss):
    """Minus the log-probability of the label; see `nn.functional.nll_loss`.

    Shapes: for example input [1, 2], label [1] gives [].
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.NLLLoss()(paddle.to_tensor([[-0.5, -2.0]]), paddle.to_tensor([1])))
    2.0
    """


class MSELoss(Loss, function=F.mse_loss, without=("name",)):
    """The mean squared difference; see `nn.functional.mse_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MSELoss()(paddle.ones([2]), paddle.zeros([2])))
    1.0
    """


class L1Loss(Loss, function=F.l1_loss):
    """The mean absolute difference; see `nn.functional.l1_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.L1Loss("sum")(paddle.ones([2]), paddle.zeros([2])))
    2.0
    """


class BCELoss(Loss, function=F.binary_cross_entropy):
    """Binary cross entropy of probabilities; see `nn.functional.binary_cross_entropy`.

    Shapes: for example input [1], label [1] gives [].
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.BCELoss()(paddle.full([1], 0.5), paddle.ones([1])))
    0.6931471824645996
    """


class BCEWithLogitsLoss(
    Loss, function=F.binary_cross_entropy_with_logits, inputs=("logit", "label")
):
    """Binary cross entropy of sigmoid(logit);
    see `nn.functional.binary_cross_entropy_with_logits`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.BCEWithLogitsLoss()(paddle.zeros([1]), paddle.ones([1])))
    0.6931471824645996
    """


class KLDivLoss(LateLoss, function=F.kl_div, without=("name",)):
    """Divergence of a distribution from log-probabilities; see `nn.functional.kl_div`.

    Shapes: for example input [1], label [1] gives [].

    >>> import minipaddle as paddle
    >>> float(paddle.nn.KLDivLoss()(paddle.zeros([1]), paddle.ones([1])))
    0.0
    """


class SmoothL1Loss(LateLoss, function=F.smooth_l1_loss):
    """Half the squared difference, but a line where it is large;
    see `nn.functional.smooth_l1_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.SmoothL1Loss()(paddle.full([1], 4.0), paddle.zeros([1])))
    3.5
    """


class MarginRankingLoss(Loss, function=F.margin_ranking_loss, inputs=("input", "other", "label")):
    """A loss that wants the larger one of two to exceed the other by a margin;
    see `nn.functional.margin_ranking_loss`.

    Dtypes: floating kept; integers give float32.
    Errors: ValueError if input is not a Tensor; RuntimeError for complex, bool.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MarginRankingLoss(1.0)(*[paddle.ones([1])] * 3))
    1.0
    """


class HingeEmbeddingLoss(LateLoss, function=F.hinge_embedding_loss):
    """A loss that wants distances to be small, or larger than a margin;
    see `nn.functional.hinge_embedding_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.HingeEmbeddingLoss()(paddle.full([1], 0.25), paddle.full([1], -1.0)))
    0.75
    """


class CosineEmbeddingLoss(
    Loss, function=F.cosine_embedding_loss, inputs=("input1", "input2", "label")
):
    """A loss that wants directions to be equal, or not; see `nn.functional.cosine_embedding_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.CosineEmbeddingLoss()(paddle.eye(2), -paddle.eye(2), paddle.ones([2])))
    2.0
    """

    def _check_settings(self) -> None:
        super()._check_settings()
        bounds = "-1 <= margin <= 1"
        errors.require(-1 <= self.margin <= 1, "CosineEmbeddingLoss", bounds, margin=self.margin)


class TripletMarginLoss(Loss, function=F.triplet_margin_loss, inputs=TRIPLET, p=2.0):
    """A loss that wants the positive one to be nearer than the negative one by a margin;
    see `nn.functional.triplet_margin_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.TripletMarginLoss()(*[paddle.ones([1, 2])] * 3))
    1.0
    """


class TripletMarginWithDistanceLoss(
    Loss, function=F.triplet_margin_with_distance_loss, inputs=TRIPLET
):
    """TripletMarginLoss with a distance of your own;
    see `nn.functional.triplet_margin_with_distance_loss`.

    Errors: ValueError if the shapes do not fit; RuntimeError for bool.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.TripletMarginWithDistanceLoss()(*[paddle.ones([1, 2])] * 3))
    1.0
    """


class SoftMarginLoss(Loss, function=F.soft_margin_loss):
    """ln(1 + exp(-label · input)) for labels of 1 and -1; see `nn.functional.soft_margin_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.SoftMarginLoss()(paddle.zeros([1]), paddle.ones([1])))
    0.6931471824645996
    """


class MultiLabelSoftMarginLoss(Loss, function=F.multi_label_soft_margin_loss):
    """Binary cross entropy over the classes of each row;
    see `nn.functional.multi_label_soft_margin_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MultiLabelSoftMarginLoss()(paddle.zeros([1, 2]), paddle.ones([1, 2])))
    0.6931471824645996
    """


class MultiMarginLoss(Loss, function=F.multi_margin_loss):
    """A loss that wants the right class to exceed the others by a margin;
    see `nn.functional.multi_margin_loss`.

    Shapes: for example input [1, 2], label [1] gives [].

    >>> import minipaddle as paddle
    >>> float(paddle.nn.MultiMarginLoss()(paddle.zeros([1, 2]), paddle.to_tensor([0])))
    0.5
    """


class PoissonNLLLoss(Loss, function=F.poisson_nll_loss):
    """Minus the log-probability of counts; see `nn.functional.poisson_nll_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.PoissonNLLLoss()(paddle.zeros([1]), paddle.zeros([1])))
    1.0
    """


class GaussianNLLLoss(Loss, function=F.gaussian_nll_loss, inputs=("input", "label", "variance")):
    """Minus the log-density of a normal distribution; see `nn.functional.gaussian_nll_loss`.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.GaussianNLLLoss()(*[paddle.ones([1])] * 3))
    0.0
    """


# The losses made of a function: their base classes have no settings.
__all__ = [name for name, value in globals().items() if getattr(value, "_settings", None)]
