"""Losses of scores of classes against class numbers or class probabilities."""

from __future__ import annotations

from typing import Any

from ...engine.tensor import Tensor
from ...ops.networks.classes import classes_of
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors

_mean = ops.mean.direct
_WHOLE = ops.mean.op.defaults  # arguments of a mean over all axes


@round_once
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
    """Minus the logarithm of the softmax probability of the label.

    `input`: scores with the classes along `axis` (probabilities if use_softmax is False).
    `label`: a class number per row, with or without an axis of size 1; with soft_label a
    probability per class. `weight`: one factor per class; the mean then divides by the factors'
    sum. Rows labelled `ignore_index` have loss 0; a mean does not count them if ignore_index >= 0.
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
        label = _with_column(input, label, -1) if column else label
        attrs = {"soft_label": soft_label, "ignore_index": ignore_index}
        _, loss = ops.softmax_with_cross_entropy.direct((input, label), attrs)
        if reduction == "mean" and (soft_label or ignore_index < 0):
            return _mean(loss, _WHOLE)
        numbers = None if soft_label else label
        return _reduce_rows(loss, numbers, None, ignore_index, reduction, column, -1)
    axis = axis % input.ndim
    column = label.ndim != input.ndim
    label = _move_axis(_with_column(input, label, axis) if column else label, axis)
    input = _move_axis(input, axis)
    numbers = None if soft_label else label
    if label_smoothing:
        kind, off = classes_of(input), label_smoothing / input.shape[-1]
        on = 1.0 - label_smoothing + off
        if soft_label or label.shape[-1] == kind["classes"] > 1:  # a probability per class
            numbers = None
            label = label if label.dtype == input.dtype else ops.cast(label, input.dtype)
            label = ops.scale(label, scale=on - off, bias=off)
        else:
            if not _has_no(label, ignore_index):  # no gradient reaches an ignored row, not even NaN
                input = ops.where(label != ignore_index, input, ops.fill_like(input))
            label = ops.hot_rows(label, **kind, ignore_index=ignore_index, on=on, off=off)
        # In Paddle a smoothed loss keeps an axis of size 1, as with soft labels.
        soft_label, column = True, False
    loss = _row_losses(input, label, soft_label, ignore_index, use_softmax)
    factors = _row_weights(input, label, weight, soft_label, ignore_index)
    return _reduce_rows(loss, numbers, factors, ignore_index, reduction, column, axis)


def _with_column(input: Any, label: Any, axis: int, name: str = "cross_entropy") -> Any:
    """Return the label with an axis of size 1 at the position of the classes in the input."""
    if label.ndim != input.ndim - 1:
        expected = "a label of as many axes as input, or one fewer: [N] or [N, 1] for [N, C]"
        raise errors.misfit(name, expected, input=input, label=label)
    return ops.unsqueeze.direct(label, {"axis": axis})


def _move_axis(x: Any, axis: int, back: bool = False) -> Any:
    """Move an axis of x to the end, or with `back` from the end to this position."""
    rank = x.ndim
    if axis in (-1, rank - 1):
        return x
    order = [d for d in range(rank) if d != axis] + [axis]
    perm = [order.index(d) for d in range(rank)] if back else order
    return ops.transpose(x, perm=perm)


def _row_losses(
    input: Any, label: Any, soft_label: bool, ignore_index: int, use_softmax: bool
) -> Any:
    """Return the loss of every row, as a column."""
    if use_softmax:
        return ops.softmax_with_cross_entropy(
            input, label, soft_label=soft_label, ignore_index=ignore_index
        )[1]
    if soft_label:
        # Limited logarithms, as in Paddle: label 0 and probability 0 give a loss of 0.
        logs = ops.clip(ops.log(input), min=-1e20)
        return -ops.sum(ops.multiply(label, logs), axis=-1, keepdim=True)
    return ops.negative_log_likelihood(input, label, ignore_index=ignore_index)


def _row_weights(input: Any, label: Any, weight: Any, soft_label: bool, ignore_index: int) -> Any:
    """Return the class weight of every row as a column, or None if there are no weights."""
    if weight is None:
        return None
    if weight.shape[-1] != input.shape[-1]:
        expected = f"{input.shape[-1]} class weights, one per class"
        raise errors.misfit("cross_entropy", expected, weight=weight, input=input)
    share = label
    if not soft_label:
        share = ops.hot_rows(label, **classes_of(input), ignore_index=ignore_index)
    return ops.sum(ops.multiply(share, weight), axis=-1, keepdim=True)


def _reduce_rows(
    loss: Any,
    numbers: Any,
    factors: Any,
    ignore_index: int,
    reduction: str,
    column: bool,
    axis: int,
) -> Any:
    """Multiply losses by class weights and reduce them; `numbers` are class numbers, or None."""
    if factors is not None:
        loss = ops.multiply(loss, factors)
    if reduction == "none":
        loss = _move_axis(loss, axis, back=True)
        return ops.squeeze(loss, axis=axis) if column else loss
    if reduction == "sum":
        return ops.sum(loss)
    if isinstance(loss, Tensor) and not loss._data.size:
        return _mean(loss, _WHOLE)  # NaN, as in Paddle
    return _average(loss, numbers if ignore_index >= 0 else None, factors, ignore_index)


def _average(loss: Any, numbers: Any, factors: Any, ignore_index: int) -> Any:
    """Divide the sum of losses by that of their factors.

    A class number that is not ignored has the factor 1, and a sum of 0 counts as 1. The values of
    Tensors show which of these steps are needless; they are skipped.
    """
    if factors is None:
        if numbers is None or (_has_no(numbers, ignore_index) and loss._data.size):
            return _mean(loss, _WHOLE)
        factors = ops.cast(numbers != ignore_index, loss.dtype)
    total, count = ops.sum(loss), ops.sum(factors)
    if _has_no(count, 0):
        return total / count
    return total / (count + ops.cast(count == 0.0, total.dtype))


def _has_no(x: Any, value: Any) -> bool:
    """Return whether no element of a Tensor has this value; False for a Variable."""
    return isinstance(x, Tensor) and not (x._data == value).any()


@round_once
def softmax_with_cross_entropy(
    logits: Any,
    label: Any,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
) -> Any:
    """The cross entropy of every row, without reduction; the axis of the classes has size 1.

    `return_softmax`: return the pair of loss and softmax(logits). The numbers are always stable.

    >>> import minipaddle as paddle
    >>> x = paddle.zeros([1, 2])
    >>> paddle.nn.functional.softmax_with_cross_entropy(x, paddle.to_tensor([[1]])).tolist()
    [[0.6931471824645996]]
    """
    axis = axis % len(logits.shape)
    label = label if len(label.shape) == len(logits.shape) else _with_column(logits, label, axis)
    shares, loss = ops.softmax_with_cross_entropy(
        _move_axis(logits, axis),
        _move_axis(label, axis),
        soft_label=soft_label,
        ignore_index=ignore_index,
    )
    loss = _move_axis(loss, axis, back=True)
    return (loss, _move_axis(shares, axis, back=True)) if return_softmax else loss


@round_once
def nll_loss(
    input: Any,
    label: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    name: str | None = None,
) -> Any:
    """Minus the log-probability of each row's label: the cross entropy if log_softmax is the input.

    `input`: log-probabilities [N, C] or [N, C, ...]; `label`: class numbers [N], [N, 1] or
    [N, ...]; InvalidArgument for a label that is no class.
    The mean divides by the sum of the rows' class weights, ignored rows not counted.

    Dtypes: floating kept.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[-0.5, -2.0]])
    >>> float(paddle.nn.functional.nll_loss(x, paddle.to_tensor([1])))
    2.0
    """
    check_reduction("nll_loss", reduction)
    x = _move_axis(input, 1)
    if label.ndim != x.ndim:
        label = _with_column(x, label, -1, "nll_loss")
    loss = ops.nll_rows(x, label, ignore_index=ignore_index)
    factors = _row_weights(x, label, weight, False, ignore_index)
    loss = loss if factors is None else ops.multiply(loss, factors)
    if reduction == "none":
        return ops.squeeze(loss, axis=-1)
    if reduction == "sum":
        return ops.sum(loss)
    return _average(loss, label, factors, ignore_index)


THREE = ("sum", "mean", "none")


def check_reduction(name: str, reduction: Any, known: tuple[str, ...] = THREE) -> None:
    """Raise an error for an unknown reduction."""
    errors.require_choice(name, "reduction", reduction, known)


def reduce(loss: Any, reduction: str) -> Any:
    """Reduce a loss to its mean or its sum, or with "none" return it."""
    if reduction == "mean":
        return ops.mean(loss)
    return ops.sum(loss) if reduction == "sum" else loss
