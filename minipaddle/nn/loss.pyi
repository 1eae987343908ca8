# Written by docs/make_stubs.py; do not edit.

from collections.abc import Callable

from minipaddle import Tensor, _AnyTensor
from minipaddle.nn.function_layer import FunctionLayer

class Loss(FunctionLayer):
    """A loss; one whose setting `reduction` is unknown is refused when it is made."""

class LateLoss(Loss):
    """A loss that is refused when it is called, as in Paddle."""

class CrossEntropyLoss(LateLoss):
    """Cross entropy of softmax(input) and the label; see `nn.functional.cross_entropy`."""
    def __init__(
        self,
        weight: _AnyTensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        soft_label: bool = False,
        axis: int = -1,
        use_softmax: bool = True,
        label_smoothing: float = 0.0,
        name: str | None = None,
    ) -> None: ...

class NLLLoss(Loss):
    """Minus the log-probability of the label; see `nn.functional.nll_loss`."""
    def __init__(
        self,
        weight: _AnyTensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None: ...

class MSELoss(Loss):
    """The mean squared difference; see `nn.functional.mse_loss`."""
    def __init__(self, reduction: str = "mean") -> None: ...

class L1Loss(Loss):
    """The mean absolute difference; see `nn.functional.l1_loss`."""
    def __init__(self, reduction: str = "mean", name: str | None = None) -> None: ...

class BCELoss(Loss):
    """Binary cross entropy of probabilities; see `nn.functional.binary_cross_entropy`."""
    def __init__(
        self, weight: _AnyTensor | None = None, reduction: str = "mean", name: str | None = None
    ) -> None: ...

class BCEWithLogitsLoss(Loss):
    """Binary cross entropy of sigmoid(logit); see `nn.functional.binary_cross_entropy_with_logits`."""
    def __init__(
        self,
        weight: _AnyTensor | None = None,
        reduction: str = "mean",
        pos_weight: _AnyTensor | None = None,
        name: str | None = None,
    ) -> None: ...

class KLDivLoss(LateLoss):
    """How far log-probabilities are from a distribution; see `nn.functional.kl_div`."""
    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None: ...

class SmoothL1Loss(LateLoss):
    """Half the squared difference, but a line where it is large; see `nn.functional.smooth_l1_loss`."""
    def __init__(
        self,
        reduction: str = "mean",
        delta: float = 1.0,
        is_huber: bool = True,
        name: str | None = None,
    ) -> None: ...

class MarginRankingLoss(Loss):
    """How far the larger one of two is from being it by a margin; see `nn.functional.margin_ranking_loss`."""
    def __init__(
        self, margin: float = 0.0, reduction: str = "mean", name: str | None = None
    ) -> None: ...

class HingeEmbeddingLoss(LateLoss):
    """A distance that should be small, or larger than a margin; see `nn.functional.hinge_embedding_loss`."""
    def __init__(
        self, margin: float = 1.0, reduction: str = "mean", name: str | None = None
    ) -> None: ...

class CosineEmbeddingLoss(Loss):
    """Rows that should have the same direction, or not; see `nn.functional.cosine_embedding_loss`."""
    def __init__(
        self, margin: float = 0, reduction: str = "mean", name: str | None = None
    ) -> None: ...

class TripletMarginLoss(Loss):
    """The positive one should be nearer than the negative one, by a margin; see `nn.functional.triplet_margin_loss`."""
    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        epsilon: float = 1e-06,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None: ...

class TripletMarginWithDistanceLoss(Loss):
    """TripletMarginLoss with a distance of your own; see `nn.functional.triplet_margin_with_distance_loss`."""
    def __init__(
        self,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None: ...

class SoftMarginLoss(Loss):
    """ln(1 + exp(-label · input)) for labels of 1 and -1; see `nn.functional.soft_margin_loss`."""
    def __init__(self, reduction: str = "mean", name: str | None = None) -> None: ...

class MultiLabelSoftMarginLoss(Loss):
    """Binary cross entropy over the classes of each row; see `nn.functional.multi_label_soft_margin_loss`."""
    def __init__(
        self, weight: _AnyTensor | None = None, reduction: str = "mean", name: str | None = None
    ) -> None: ...

class MultiMarginLoss(Loss):
    """By how much wrong classes come within a margin of the right one; see `nn.functional.multi_margin_loss`."""
    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: _AnyTensor | None = None,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None: ...

class PoissonNLLLoss(Loss):
    """Minus the log-probability of counts; see `nn.functional.poisson_nll_loss`."""
    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        epsilon: float = 1e-08,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None: ...

class GaussianNLLLoss(Loss):
    """Minus the log-density of a normal distribution; see `nn.functional.gaussian_nll_loss`."""
    def __init__(
        self,
        full: bool = False,
        epsilon: float = 1e-06,
        reduction: str = "mean",
        name: str | None = None,
    ) -> None: ...
