"""Losses of similarity: margins, distances of pairs and triplets, labels of 1 and -1."""

from __future__ import annotations

from typing import Any

from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument, Unimplemented
from ...engine.meta import Meta, no_kernel
from ...engine.tensor import Tensor
from ...ops.arguments import read_number, round_to_float32
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors
from .common import one_hot
from .loss import check_reduction, reduce, softmax_with_cross_entropy

LABELS = "int32", "int64", "float32", "float64"


def _require_same_shapes(name: str, first: Any, **others: Any) -> None:
    """Raise an error unless all tensors have the shape of the first one."""
    for argument, other in others.items():
        if list(other.shape) != list(first.shape):
            raise errors.shape(name, first.shape, **{argument: other})


# ----- pairs -------------------------------------------------------------------------------------


@round_once
def margin_ranking_loss(
    input: Any,
    other: Any,
    label: Any,
    margin: float = 0.0,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """max(0, -label · (input - other) + margin): label 1 wants input to be the larger one.

    Shapes: for example input [1], other [1], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> one = paddle.ones([1])
    >>> float(paddle.nn.functional.margin_ranking_loss(one, one * 3, one))
    2.0
    """
    check_reduction("MarginRankingLoss", reduction)
    difference = ops.subtract(other, input)
    excess = ops.multiply(difference, label)
    return reduce(ops.relu(excess + margin if margin else excess), reduction)


@round_once
def hinge_embedding_loss(
    input: Any, label: Any, margin: float = 1.0, reduction: str = "mean", name: str | None = None
) -> Any:
    """The distance where the label is 1, max(0, margin - distance) where it is -1.

    Shapes: for example input [2], label [2], reduction='none' gives [2].
    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; TypeError for integers,
    bool; RuntimeError for complex.

    >>> import minipaddle as paddle
    >>> x, y = paddle.to_tensor([0.25, 0.25]), paddle.to_tensor([1.0, -1.0])
    >>> paddle.nn.functional.hinge_embedding_loss(x, y, reduction="none").tolist()
    [0.25, 0.75]
    """
    check_reduction("hinge_embedding_loss", reduction)
    zero = ops.fill_like(input)
    similar = ops.where(label == 1.0, input, zero)
    dissimilar = ops.where(label == -1.0, ops.relu(margin - input), zero)
    return reduce(similar + dissimilar, reduction)


@round_once
def cosine_embedding_loss(
    input1: Any,
    input2: Any,
    label: Any,
    margin: float = 0,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """1 - the cosine of two rows where the label is 1, max(0, cosine - margin) where it is -1.

    Shapes: for example input1 [1, 2], input2 [1, 2], label [1] gives [].
    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit, for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x, y = paddle.to_tensor([[1.0, 0.0]]), paddle.to_tensor([[0.0, 2.0]])
    >>> float(paddle.nn.functional.cosine_embedding_loss(x, y, paddle.to_tensor([1])))
    1.0
    """
    check_reduction("cosine_embedding_loss", reduction)
    _require_same_shapes("cosine_embedding_loss", input1, input2=input2)
    if len(label.shape) != 1 or len(input1.shape) not in (1, 2):
        expected = "label [N], input1 and input2 [N, M]; or [M] and one label"
        raise errors.misfit("cosine_embedding_loss", expected, label=label, input1=input1)
    for argument, x in (("input1", input1), ("input2", input2)):
        if not DType.of(x.dtype).is_floating:
            dtypes = "float32", "float64"
            raise errors.dtype("cosine_embedding_loss", dtypes, InvalidArgument, **{argument: x})
    if DType.of(label.dtype).name not in LABELS:
        raise errors.dtype("cosine_embedding_loss", LABELS, InvalidArgument, label=label)
    tiny = 10e-12
    squared_norm1 = ops.sum(ops.square(input1), axis=-1) + tiny
    squared_norm2 = ops.sum(ops.square(input2), axis=-1) + tiny
    dot = ops.sum(ops.multiply(input1, input2), axis=-1)
    norms = ops.sqrt(ops.multiply(squared_norm1, squared_norm2))
    cosine = dot / norms
    zero = ops.fill_like(cosine)
    similar = ops.where(label == 1, 1.0 - cosine, zero)
    dissimilar = ops.where(label == -1, ops.relu(cosine - margin), zero)
    return reduce(similar + dissimilar, reduction)


@round_once
def pairwise_distance(
    x: Any,
    y: Any,
    p: float = 2.0,
    epsilon: float = 1e-6,
    keepdim: bool = False,
    name: str | None = None,
) -> Any:
    """The p-norm of x - y + epsilon along the last axis.

    Shapes: for example x [1, 2], y [1, 2], epsilon=0.0 gives [1].
    Dtypes: floating kept; complex64 gives float32; complex128 gives float64.
    Errors: ValueError if x is not a Tensor, if the shapes do not fit; RuntimeError for integers,
    bool.

    >>> import minipaddle as paddle
    >>> x, y = paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]])
    >>> paddle.nn.functional.pairwise_distance(x, y, epsilon=0.0).tolist()
    [5.0]
    """
    difference = ops.subtract(x, y)
    shifted = difference + epsilon if epsilon else difference
    return ops.p_norm(shifted, porder=p, axis=-1, keepdim=keepdim)


# ----- triplets ----------------------------------------------------------------------------------


def _check_triplet(name: str, margin: float, input: Any, positive: Any, negative: Any) -> None:
    errors.require(margin >= 0, name, "margin >= 0", margin=margin)
    _require_same_shapes(name, input, positive=positive, negative=negative)


def _triplet_loss(to_positive: Any, to_negative: Any, margin: float, reduction: str) -> Any:
    difference = ops.subtract(to_positive, to_negative)
    excess = difference + margin
    return reduce(ops.relu(excess), reduction)


@round_once
def triplet_margin_loss(
    input: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    epsilon: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """max(0, distance to positive - distance to negative + margin), by the p-norm.

    `swap`: the negative's distance is the smaller one of those to anchor and positive.

    Shapes: for example input [1, 2], positive [1, 2], negative [1, 2] gives [].
    Dtypes: floating kept; integers, complex64 give float32; complex128 gives float64.
    Errors: ValueError if the shapes do not fit; RuntimeError for bool.

    >>> import minipaddle as paddle
    >>> x = paddle.zeros([1, 2])
    >>> float(paddle.nn.functional.triplet_margin_loss(x, x, x))
    1.0
    """
    check_reduction("triplet_margin_loss", reduction)
    _check_triplet("triplet_margin_loss", margin, input, positive, negative)
    to_positive = pairwise_distance(input, positive, p, epsilon)
    to_negative = pairwise_distance(input, negative, p, epsilon)
    if swap:
        swapped = pairwise_distance(positive, negative, p, epsilon)
        to_negative = ops.minimum(to_negative, swapped)
    return _triplet_loss(to_positive, to_negative, margin, reduction)


@round_once
def triplet_margin_with_distance_loss(
    input: Any,
    positive: Any,
    negative: Any,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """`triplet_margin_loss` with your own distance, a function of two tensors.

    InvalidArgument for a negative distance.

    Shapes: for example input [1, 2], positive [1, 2], negative [1, 2], margin=3.0 gives [].
    Dtypes: floating kept; integers, complex64 give float32; complex128 gives float64.

    >>> import minipaddle as paddle
    >>> x = paddle.zeros([1, 2])
    >>> float(paddle.nn.functional.triplet_margin_with_distance_loss(x, x, x, margin=3.0))
    3.0
    """
    check_reduction("triplet_margin_with_distance_loss", reduction)
    _check_triplet("triplet_margin_with_distance_loss", margin, input, positive, negative)
    distance = distance_function or pairwise_distance
    to_positive, to_negative = distance(input, positive), distance(input, negative)
    swapped = distance(positive, negative) if swap else to_negative
    for distances in (to_positive, to_negative, swapped):
        if isinstance(distances, Tensor) and bool((distances._data < 0).any()):
            least = float(distances._data.min())
            raise errors.misfit("distance_function", "distances >= 0", distance=least)
    if swap:
        to_negative = ops.minimum(to_negative, swapped)
    return _triplet_loss(to_positive, to_negative, margin, reduction)


# ----- labels of 1 and -1, of several classes ----------------------------------------------------


@round_once
def soft_margin_loss(
    input: Any, label: Any, reduction: str = "mean", name: str | None = None
) -> Any:
    """ln(1 + exp(-label · input)) for labels of 1 and -1.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating kept; complex, integers, bool give float32.
    Errors: ValueError if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.functional.soft_margin_loss(paddle.zeros([1]), paddle.ones([1])))
    0.6931471824645996
    """
    check_reduction("soft_margin_loss", reduction)
    _require_same_shapes("soft_margin_loss", input, label=label)
    kind = input.dtype if DType.of(input.dtype).is_floating else "float32"
    product = ops.multiply(ops.cast(label, kind), ops.cast(input, kind))
    return reduce(-ops.log_sigmoid(product), reduction)


@round_once
def multi_label_soft_margin_loss(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None
) -> Any:
    """Binary cross entropy of sigmoid(input), the mean over the classes of each row.

    Shapes: for example input [1, 2], label [1, 2] gives [].
    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.zeros([1, 2])
    >>> float(paddle.nn.functional.multi_label_soft_margin_loss(x, paddle.ones([1, 2])))
    0.6931471824645996
    """
    check_reduction("multi_label_soft_margin_loss", reduction)
    _require_same_shapes("multi_label_soft_margin_loss", input, label=label)
    targets = ops.cast(label, input.dtype)
    likelihood = targets * ops.log_sigmoid(input) + (1.0 - targets) * ops.log_sigmoid(-input)
    losses = -likelihood if weight is None else -likelihood * weight
    return reduce(ops.mean(losses, axis=-1), reduction)


@round_once
def multi_margin_loss(
    input: Any,
    label: Any,
    p: int = 1,
    margin: float = 1.0,
    weight: Any = None,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """The sum over wrong classes of max(0, margin - right score + wrong score) ** p, divided by C.

    `input` [N, C], `label` [N]: class numbers; `weight`: one factor per class.

    Dtypes: floating kept; uint8, int8, int16, int64 give float32.
    Errors: ValueError if the shapes do not fit; TypeError for bool, int32; RuntimeError for
    complex.

    >>> import minipaddle as paddle
    >>> scores = paddle.to_tensor([[1.0, 0.5]])
    >>> float(paddle.nn.functional.multi_margin_loss(scores, paddle.to_tensor([0])))
    0.25
    """
    check_reduction("multi_margin_loss", reduction)
    rows, classes = input.shape
    if label.shape[0] != rows or (weight is not None and weight.shape[0] != classes):
        expected, pairs = f"label [{rows}], weight [{classes}]", {"label": label, "weight": weight}
        raise errors.misfit("multi_margin_loss", expected, input=input, **pairs)
    targets = ops.cast(one_hot(label, classes), input.dtype)
    right_score = ops.sum(targets * input, axis=1, keepdim=True)
    excess = ops.relu(input - right_score + margin)
    losses = ops.pow(excess, p) if p != 1 else excess
    if weight is not None:
        losses = losses * ops.sum(targets * weight, axis=1, keepdim=True)
    wrong = losses * (1.0 - targets)  # the right class has an excess, too, the margin
    return reduce(ops.mean(wrong, axis=1), reduction)


def dice_loss(input: Any, label: Any, epsilon: float = 1e-5, name: str | None = None) -> Any:
    """1 - 2 · overlap / sum of probabilities [N, ..., C] and one-hot rows of classes [N, ..., 1].

    Shapes: for example input [1, 2], label [1, 1] gives [].
    Dtypes: complex, float32, float64 kept; float16 gives float32.
    Errors: AssertionError if the shapes do not fit; TypeError for integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[0.0, 1.0]])
    >>> round(float(paddle.nn.functional.dice_loss(x, paddle.to_tensor([[1]]))), 4)
    0.0
    """
    if len(input.shape) != len(label.shape) or len(input.shape) < 2 or label.shape[-1] != 1:
        expected = f"label {[*input.shape[:-1], 1]}"
        raise errors.misfit("dice_loss", expected, CheckFailed, label=label, input=input)
    targets = one_hot(ops.squeeze(label, axis=-1), input.shape[-1])
    axes = list(range(1, len(input.shape)))
    overlap = ops.sum(input * targets, axis=axes)
    total = ops.sum(input, axis=axes) + ops.sum(targets, axis=axes)
    dice = overlap * 2.0 / (total + epsilon)
    return ops.mean(1.0 - dice)


def npair_loss(anchor: Any, positive: Any, labels: Any, l2_reg: float = 0.002) -> Any:
    """Cross entropy of the similarities anchor @ positiveᵀ against equal labels, plus a penalty
    on long rows.

    Shapes: for example anchor [1, 2], positive [1, 2], labels [1] gives [].
    Dtypes: float32, float64 kept; float16 gives float32.
    Errors: ValueError if anchor is not a Tensor, if the shapes do not fit; RuntimeError for
    complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.zeros([1, 2])
    >>> float(paddle.nn.functional.npair_loss(x, x, paddle.to_tensor([1])))
    0.0
    """
    anchor_size = ops.mean(ops.sum(ops.square(anchor), axis=1))
    positive_size = ops.mean(ops.sum(ops.square(positive), axis=1))
    sizes = anchor_size + positive_size
    column = ops.reshape(labels, shape=[-1, 1])
    same_label = ops.cast(column == ops.transpose(column, perm=[1, 0]), "float32")
    targets = same_label / ops.sum(same_label, axis=1, keepdim=True)
    scores = ops.matmul(anchor, ops.transpose(positive, perm=[1, 0]))
    entropies = softmax_with_cross_entropy(scores, targets, soft_label=True)
    return sizes * (0.25 * l2_reg) + ops.mean(ops.sum(targets * entropies, axis=0))


# ----- smoothed labels and masks -----------------------------------------------------------------


@round_once
def label_smooth(
    label: Any, prior_dist: Any = None, epsilon: float = 0.1, name: str | None = None
) -> Any:
    """(1 − epsilon) · label + epsilon · prior_dist; the prior is 1 / classes if None.

    Shapes: for example label [1, 2], epsilon=0.5 gives [1, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> label = paddle.to_tensor([[0.0, 1.0]])
    >>> paddle.nn.functional.label_smooth(label, epsilon=0.5).tolist()
    [[0.25, 0.75]]
    """
    errors.require(0.0 <= epsilon <= 1.0, "label_smooth", "0 <= epsilon <= 1", epsilon=epsilon)
    kind = label.meta if hasattr(label, "meta") else Meta(tuple(label.shape), label._data.dtype)
    if kind.dtype.kind != "f":
        raise no_kernel("label_smooth", "label", kind)
    epsilon = round_to_float32(epsilon)
    scaled = label * round_to_float32(1.0 - epsilon)
    if prior_dist is None:
        return scaled + round_to_float32(epsilon / (label.shape[-1] or 1))
    return scaled + prior_dist * epsilon


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """For each length in x a row with that many ones, then zeros up to maxlen.

    maxlen is the largest length by default; a Program needs it.

    Shapes: for example x [2] gives [2, 3].
    Dtypes: floating, integers give int64.
    Errors: NotImplementedError if x is not a Tensor; TypeError for complex, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.sequence_mask(paddle.to_tensor([1, 3])).tolist()
    [[1, 0, 0], [1, 1, 1]]
    """
    if maxlen is None:
        if not isinstance(x, Tensor):
            expected, fix = "an int in static mode", "sequence_mask(x, maxlen=10)"
            raise errors.misfit("sequence_mask", expected, Unimplemented, fix, maxlen=None)
        maxlen = x._data.max()
    count = int(read_number(maxlen))
    places = ops.arange(start=0, end=count, step=1, dtype=x.dtype)
    inside = ops.less_than(places, ops.unsqueeze(x, axis=-1))
    return inside if dtype in ("bool", inside.dtype) else ops.cast(inside, dtype=dtype)


# ----- similarity --------------------------------------------------------------------------------


@round_once
def cosine_similarity(x1: Any, x2: Any, axis: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between x1 and x2 along an axis.

    Shapes: for example x1 [1, 2], x2 [1, 2] gives [1].
    Dtypes: floating kept.
    Errors: ValueError if x1 is not a Tensor, if there is no such axis, if the shapes do not fit;
    RuntimeError for complex, bool, uint8, int8, int16; TypeError for int32, int64.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[3.0, 4.0]])
    >>> paddle.nn.functional.cosine_similarity(x, paddle.to_tensor([[4.0, 3.0]])).tolist()
    [0.9599999785423279]
    """
    total, square = ops.sum, ops.square
    if list(x1.shape) != list(x2.shape):  # norms along the broadcast axis
        x1, x2 = ops.broadcast_tensors([x1, x2])
    squared_norms = ops.multiply(total(square(x1), axis=axis), total(square(x2), axis=axis))
    norms = ops.sqrt(ops.clip(squared_norms, min=eps * eps))
    dot = total(x1 * x2, axis=axis)
    return dot / norms
