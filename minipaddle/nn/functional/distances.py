"""Losses between numbers: squares, absolute differences, probabilities, densities."""

from __future__ import annotations

import math
from typing import Any

from ...engine.dtypes import DType
from ...engine.tensor import Tensor
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors
from .loss import check_reduction, reduce


def square_error_cost(input: Any, label: Any) -> Any:
    """The squared differences.

    Shapes: for example input [2], label [2] gives [2].
    Dtypes: floating, complex, int32, int64 kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for bool,
    uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.square_error_cost(paddle.ones([2]), paddle.zeros([2])).tolist()
    [1.0, 1.0]
    """
    return ops.square(ops.subtract(input, label))


@round_once
def mse_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The squared differences, their mean, or their sum.

    Shapes: for example input [2], label [2] gives [].
    Dtypes: floating, complex, int32, int64 kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for bool,
    uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.functional.mse_loss(paddle.ones([2]), paddle.zeros([2])))
    1.0
    """
    check_reduction("mse_loss", reduction)
    return reduce(ops.square(ops.subtract(input, label)), reduction)


@round_once
def l1_loss(input: Any, label: Any, reduction: str = "mean", name: str | None = None) -> Any:
    """The absolute differences, their mean, or their sum.

    Shapes: for example input [2], label [2], reduction='sum' gives [].
    Dtypes: floating, int64 kept; int32 gives int64; complex64 gives float32; complex128 gives
    float64.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for bool,
    uint8, int8, int16.

    >>> import minipaddle as paddle
    >>> float(paddle.nn.functional.l1_loss(paddle.ones([2]), paddle.zeros([2]), "sum"))
    2.0
    """
    check_reduction("l1_loss", reduction)
    return reduce(ops.abs(ops.subtract(input, label)), reduction)


@round_once
def smooth_l1_loss(
    input: Any,
    label: Any,
    reduction: str = "mean",
    delta: float = 1.0,
    is_huber: bool = True,
    name: str | None = None,
) -> Any:
    """Half the squared differences, but delta · (|d| - delta / 2) where one is larger than delta.

    Without `is_huber` all of it is divided by delta.

    Shapes: for example input [2], label [2], reduction='none' gives [2].
    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([1.0, 4.0])
    >>> paddle.nn.functional.smooth_l1_loss(x, paddle.zeros([2]), reduction="none").tolist()
    [0.5, 3.5]
    """
    check_reduction("smooth_l1_loss", reduction)
    losses = ops.smooth_l1_loss(input, label, delta=delta)
    return reduce(losses if is_huber else losses / delta, reduction)


# ----- probabilities -----------------------------------------------------------------------------


@round_once
def binary_cross_entropy(
    input: Any, label: Any, weight: Any = None, reduction: str = "mean", name: str | None = None
) -> Any:
    """Cross entropy of probabilities and labels between 0 and 1; `weight` multiplies each loss.

    InvalidArgument for a number outside [0, 1], or a label of another shape or dtype.

    Dtypes: floating kept.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([0.5, 0.5])
    >>> float(paddle.nn.functional.binary_cross_entropy(x, paddle.to_tensor([0.0, 1.0])))
    0.6931471824645996
    """
    check_reduction("binary_cross_entropy", reduction)
    losses = ops.binary_cross_entropy(input, label)
    return reduce(losses if weight is None else ops.multiply(losses, weight), reduction)


@round_once
def binary_cross_entropy_with_logits(
    logit: Any,
    label: Any,
    weight: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
    name: str | None = None,
) -> Any:
    """Binary cross entropy of sigmoid(logit), exact also where sigmoid is 0 or 1.

    `weight` multiplies each loss, `pos_weight` the term label · ln sigmoid(logit).

    Shapes: for example logit [2], label [2], reduction='none' gives [2].
    Dtypes: floating kept.
    Errors: ValueError if logit is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([0.0, 200.0])
    >>> y = paddle.to_tensor([0.0, 1.0])
    >>> paddle.nn.functional.binary_cross_entropy_with_logits(x, y, reduction="none").tolist()
    [0.6931471824645996, 0.0]
    """
    check_reduction("binary_cross_entropy_with_logits", reduction)
    losses = ops.binary_cross_entropy_with_logits(logit, label)
    if pos_weight is not None:
        losses = losses - ops.multiply(label * ops.log_sigmoid(logit), pos_weight - 1.0)
    return reduce(losses if weight is None else ops.multiply(losses, weight), reduction)


@round_once
def log_loss(input: Any, label: Any, epsilon: float = 1e-4, name: str | None = None) -> Any:
    """Binary cross entropy of a column of probabilities, with epsilon against infinities.

    Shapes: for example input [1, 1], label [1, 1], epsilon=1.0 gives [1, 1].
    Dtypes: floating kept.
    Errors: ValueError if input is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[0.0]])
    >>> paddle.nn.functional.log_loss(x, paddle.zeros([1, 1]), epsilon=1.0).tolist()
    [[-0.6931471824645996]]
    """
    return ops.log_loss(input, label, epsilon=epsilon)


@round_once
def sigmoid_focal_loss(
    logit: Any,
    label: Any,
    normalizer: Any = None,
    alpha: float = 0.25,
    gamma: float = 2.0,
    reduction: str = "sum",
    name: str | None = None,
) -> Any:
    """Binary cross entropy times (1 - the probability of the label) ** gamma.

    `alpha` weights the ones, 1 - alpha the zeros; each loss is divided by `normalizer`.

    Shapes: for example logit [1], label [1], gamma=0.0 gives [].
    Dtypes: floating kept.
    Errors: ValueError if logit is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    bool; TypeError for integers.

    >>> import minipaddle as paddle
    >>> one = paddle.ones([1])
    >>> float(paddle.nn.functional.sigmoid_focal_loss(paddle.zeros([1]), one, gamma=0.0))
    0.1732867956161499
    """
    check_reduction("sigmoid_focal_loss", reduction)
    if normalizer is not None and len(normalizer.shape) > 1:
        raise errors.rank("sigmoid_focal_loss", 0, 1, normalizer=normalizer)
    p = ops.sigmoid(logit)
    p_wrong = p + label - 2.0 * p * label  # 1 - the probability of the label
    weights = alpha * label + (1.0 - alpha) * (1.0 - label)
    entropies = ops.binary_cross_entropy_with_logits(logit, label)
    losses = weights * ops.pow(p_wrong, gamma) * entropies
    return reduce(losses if normalizer is None else losses / normalizer, reduction)


@round_once
def kl_div(
    input: Any,
    label: Any,
    reduction: str = "mean",
    log_target: bool = False,
    name: str | None = None,
) -> Any:
    """Kullback-Leibler divergence: label · (ln label - input), with log-probabilities as input.

    `log_target`: the label is logarithms too. "batchmean" divides the sum by the size of axis 0,
    as in the definition; "mean" by the number of all elements.

    Dtypes: floating kept.
    Errors: ValueError if the shapes do not fit; RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[0.5, 0.5]])
    >>> float(paddle.nn.functional.kl_div(x.log(), x, "batchmean"))
    0.0
    """
    check_reduction("kl_div", reduction, ("sum", "batchmean", "mean", "none"))
    kinds = {DType.of(x.dtype).name for x in (input, label)}
    if kinds == {"float32", "float64"}:
        input, label = ops.cast(input, "float64"), ops.cast(label, "float64")
    losses = ops.kl_div(input, label, log_target=log_target)
    if reduction == "batchmean":
        return ops.sum(losses) / _row_count(input) if input.shape else ops.sum(losses)
    return reduce(losses, reduction)


def _row_count(x: Any) -> Any:
    """Return the size of axis 0; in a Program a Variable if it is unknown."""
    if x.shape[0] >= 0:
        return x.shape[0]
    return ops.cast(ops.shape(x)[0], x.dtype)


# ----- densities ---------------------------------------------------------------------------------


@round_once
def poisson_nll_loss(
    input: Any,
    label: Any,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the log-probability of counts, whose mean (or its logarithm) is `input`.

    `full` adds Stirling's approximation of the part that does not depend on the input.

    Shapes: for example input [1], label [1] gives [].
    Dtypes: floating, complex kept.
    Errors: ValueError if input is not a Tensor; RuntimeError for bool, uint8, int8, int16;
    TypeError for int32, int64.

    >>> import minipaddle as paddle
    >>> zero = paddle.zeros([1])
    >>> float(paddle.nn.functional.poisson_nll_loss(zero, zero))
    1.0
    """
    check_reduction("poisson_nll_loss", reduction)
    errors.require(epsilon > 0, "poisson_nll_loss", "epsilon > 0", epsilon=epsilon)
    if log_input:
        losses = ops.subtract(ops.exp(input), ops.multiply(label, input))
    else:
        losses = ops.subtract(input, ops.multiply(label, ops.log(input + epsilon)))
    if full:
        many = label > 1.0
        count = ops.where(many, label, ops.fill_like(label, value=1.0))
        rest = count * ops.log(count) - count + 0.5 * ops.log(count * (2.0 * math.pi))
        losses = losses + ops.where(many, rest, rest * 0.0)
    return reduce(losses, reduction)


@round_once
def gaussian_nll_loss(
    input: Any,
    label: Any,
    variance: Any,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the log-density of labels, normal with mean `input` and this variance (at least
    epsilon); `full` adds the constant part.

    Shapes: for example input [1], label [1], variance [1] gives [].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, bool, uint8, int8, int16; TypeError for int32, int64.

    >>> import minipaddle as paddle
    >>> one = paddle.ones([1])
    >>> float(paddle.nn.functional.gaussian_nll_loss(one, one * 3, one))
    2.0
    """
    check_reduction("gaussian_nll_loss", reduction)
    shape, wanted = list(variance.shape), list(input.shape)
    if shape not in (wanted, wanted[:-1], [*wanted[:-1], 1]):
        expected = f"variance of shape {wanted}, {wanted[:-1]} or {[*wanted[:-1], 1]}"
        raise errors.misfit("gaussian_nll_loss", expected, variance=variance)
    if isinstance(variance, Tensor) and bool((variance._data < 0).any()):
        least = float(variance._data.min())
        raise errors.misfit("gaussian_nll_loss", "variance >= 0", variance=least)
    spread = ops.unsqueeze(variance, axis=-1) if len(shape) < len(wanted) else variance
    limited = ops.clip(spread, min=epsilon)
    losses = 0.5 * (ops.log(limited) + ops.square(ops.subtract(input, label)) / limited)
    return reduce(losses + 0.5 * math.log(2.0 * math.pi) if full else losses, reduction)
