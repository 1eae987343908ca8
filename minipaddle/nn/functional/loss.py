"""Losses of classes: how far scores are from a class number, or from shares of classes."""

from __future__ import annotations

from typing import Any

from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import rounds_once
from .. import errors

_mean = ops.mean.direct
_WHOLE = ops.mean.op.defaults  # over all axes


@rounds_once
def cross_entropy(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    soft_label: bool = False,
    axis: int = -1,
    use_softmax: bool = True,
    label_smoothing: float = 0.0,
    name: str | None = None,
) -> Any:
    """How surprised softmax(input) is by the label, in nats.

    `input`: scores with the classes along `axis` (probabilities if use_softmax is False).
    `label`: a class number per row, with or without an axis of size 1; with soft_label a weight
    per class. `weight`: one factor per class; the mean then divides by the factors' sum. Rows
    labelled `ignore_index` cost nothing; a mean leaves them out of its count if ignore_index >= 0.
    InvalidArgument for shapes that do not fit, OutOfRange for a label that is no class.
    Source: Paddle's `paddle.nn.functional.cross_entropy`.

    Dtypes: floating kept.

    >>> import minipaddle as paddle
    >>> scores = paddle.to_tensor([[0.0, 0.0], [9.0, 0.0]])
    >>> paddle.nn.functional.cross_entropy(scores, paddle.to_tensor([0, 0]), reduction="sum")
    Tensor(shape=[], dtype=float32, place=Place(cpu), stop_gradient=True,
           0.69327056)
    """
    check_reduction("cross_entropy", reduction)
    if weight is None and label_smoothing == 0 and axis == -1 and use_softmax:  # the common case
        column = label.ndim != input.ndim
        label = _column(input, label, -1) if column else label
        attrs = {"soft_label": soft_label, "ignore_index": ignore_index}
        _, loss = ops.softmax_with_cross_entropy.direct((input, label), attrs)
        if reduction == "mean" and (soft_label or ignore_index < 0):
            return _mean(loss, _WHOLE)
        kept = None if soft_label else label != ignore_index
        return _finish(loss, kept, None, ignore_index, reduction, column, -1)
    axis = axis % input.ndim
    column = label.ndim != input.ndim
    label = _last(_column(input, label, axis) if column else label, axis)
    input = _last(input, axis)
    kept = None if soft_label else label != ignore_index
    if label_smoothing:
        classes = input.shape[-1]
        if soft_label or label.shape[-1] == classes > 1:  # one number per class already
            kept = None
        else:
            input = ops.where(kept, input, ops.fill_like(input))
            label = ops.hot_rows(label, input, ignore_index=ignore_index)
        label = ops.cast(label, input.dtype) * (1.0 - label_smoothing)
        label = label + label_smoothing / classes
        # Paddle gives a smoothed loss its axis of size 1, as it does with soft labels.
        soft_label, column = True, False
    loss = _loss(input, label, soft_label, ignore_index, use_softmax)
    factors = _factors(input, label, weight, soft_label, ignore_index)
    if label_smoothing and kept is not None:  # the smoothed label of an ignored row has shares
        loss = ops.where(kept, loss, ops.fill_like(loss))
        factors = None if factors is None else ops.where(kept, factors, ops.fill_like(factors))
    return _finish(loss, kept, factors, ignore_index, reduction, column, axis)


def _column(input: Any, label: Any, axis: int, name: str = "cross_entropy") -> Any:
    """Return the label with an axis of size 1 where the input has its classes."""
    if label.ndim != input.ndim - 1:
        expected = "a label of as many axes as input, or one fewer: [N] or [N, 1] for [N, C]"
        raise errors.misfit(name, expected, input=input, label=label)
    return ops.unsqueeze.direct(label, {"axis": axis})


def _last(x: Any, axis: int, back: bool = False) -> Any:
    """Move this axis of x to the end, or back from there."""
    rank = x.ndim
    if axis in (-1, rank - 1):
        return x
    order = [d for d in range(rank) if d != axis] + [axis]
    perm = [order.index(d) for d in range(rank)] if back else order
    return ops.transpose(x, perm=perm)


def _loss(input: Any, label: Any, soft_label: bool, ignore_index: int, use_softmax: bool) -> Any:
    """Return the loss of every row, as a column."""
    if use_softmax:
        return ops.softmax_with_cross_entropy(
            input, label, soft_label=soft_label, ignore_index=ignore_index
        )[1]
    if soft_label:
        # As in Paddle, so that a class with the label 0 costs nothing where its probability is 0.
        logs = ops.clip(ops.log(input), min=-1e20)
        return -ops.sum(ops.multiply(label, logs), axis=-1, keepdim=True)
    return ops.negative_log_likelihood(input, label, ignore_index=ignore_index)


def _factors(input: Any, label: Any, weight: Any, soft_label: bool, ignore_index: int) -> Any:
    """Return the class weight of every row, as a column; None without class weights."""
    if weight is None:
        return None
    if weight.shape[-1] != input.shape[-1]:
        expected = f"{input.shape[-1]} class weights, one per class"
        raise errors.misfit("cross_entropy", expected, weight=weight, input=input)
    share = label if soft_label else ops.hot_rows(label, input, ignore_index=ignore_index)
    return ops.sum(ops.multiply(share, weight), axis=-1, keepdim=True)


def _finish(
    loss: Any, kept: Any, factors: Any, ignore_index: int, reduction: str, column: bool, axis: int
) -> Any:
    """Weigh the rows' losses and reduce them as Paddle does; `kept` is False in ignored rows."""
    if factors is not None:
        loss = ops.multiply(loss, factors)
    if reduction == "none":
        loss = _last(loss, axis, back=True)
        return ops.squeeze(loss, axis=axis) if column else loss
    total = ops.sum(loss)
    if reduction == "sum":
        return total
    if factors is not None:
        count = ops.sum(factors)
    elif ignore_index >= 0 and kept is not None:
        count = ops.sum(ops.cast(kept, loss.dtype))
    else:
        return _mean(loss, _WHOLE)
    return _over(total, count)


def _over(total: Any, count: Any) -> Any:
    """Divide by a count of rows; where all rows are ignored, 0 / 1 in place of 0 / 0."""
    return total / (count + ops.cast(count == 0.0, total.dtype))


@rounds_once
def softmax_with_cross_entropy(
    logits: Any,
    label: Any,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """The cross entropy of every row, the axis of the classes kept with size 1; no reduction.

    `return_softmax`: a pair, the loss and softmax(logits). The numbers are always stable.

    >>> import minipaddle as paddle
    >>> x = paddle.zeros([1, 2])
    >>> paddle.nn.functional.softmax_with_cross_entropy(x, paddle.to_tensor([[1]])).tolist()
    [[0.6931471824645996]]
    """
    axis = axis % len(logits.shape)
    label = label if len(label.shape) == len(logits.shape) else _column(logits, label, axis)
    shares, loss = ops.softmax_with_cross_entropy(
        _last(logits, axis), _last(label, axis), soft_label=soft_label, ignore_index=ignore_index
    )
    loss = _last(loss, axis, back=True)
    return (loss, _last(shares, axis, back=True)) if return_softmax else loss


@rounds_once
def nll_loss(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the log-probability of each row's label: cross entropy after log_softmax.

    `input`: log-probabilities [N, C] or [N, C, ...]; `label`: class numbers [N], [N, 1] or
    [N, ...]; InvalidArgument for one that is no class.
    The mean divides by the sum of the rows' class weights, ignored rows not counted.

    Dtypes: floating kept.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[-0.5, -2.0]])
    >>> float(paddle.nn.functional.nll_loss(x, paddle.to_tensor([1])))
    2.0
    """
    check_reduction("nll_loss", reduction)
    x = _last(input, 1)
    if label.ndim != x.ndim:
        label = _column(x, label, -1, "nll_loss")
    loss = ops.nll_rows(x, label, ignore_index=ignore_index)
    factors = _factors(x, label, weight, False, ignore_index)
    loss = loss if factors is None else ops.multiply(loss, factors)
    if reduction == "none":
        return ops.squeeze(loss, axis=-1)
    if reduction == "sum":
        return ops.sum(loss)
    if factors is None:
        factors = ops.cast(label != ignore_index, loss.dtype)
    return _over(ops.sum(loss), ops.sum(factors))


THREE = ("sum", "mean", "none")


def check_reduction(name: str, reduction: Any, known: tuple[str, ...] = THREE) -> None:
    """Refuse another reduction than those that are known."""
    if reduction not in known:
        raise errors.choice(name, "reduction", reduction, known)


def reduce(loss: Any, reduction: str) -> Any:
    """Reduce a loss to its mean or its sum, or leave it as it is."""
    if reduction == "mean":
        return ops.mean(loss)
    return ops.sum(loss) if reduction == "sum" else loss
