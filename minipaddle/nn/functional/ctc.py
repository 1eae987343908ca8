"""Connectionist temporal classification: the loss of a sequence of labels without times."""

from __future__ import annotations

from typing import Any

from ...engine.errors import CheckFailed
from ...ops.rule_functions import GRAPH as ops
from .. import errors
from .loss import THREE, reduce

NEVER = -1e30  # logarithm of probability 0, with which sums and gradients stay finite


def ctc_loss(
    log_probs: Any,
    labels: Any,
    input_lengths: Any,
    label_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    norm_by_times: bool = False,
    zero_infinity: bool = False,
) -> Any:
    """Minus the logarithm of the probability of all paths that spell the labels.

    log_probs [time, batch, classes] are scores, of which softmax is taken here; labels are
    [batch, length]. A path has one class for each time; it spells the labels if equal neighbours
    count once and blanks not at all. Labels too long for a path have loss 0. The mean divides each
    loss by the number of its labels. `norm_by_times` divides gradients by the input's length.
    Source: Paddle's `paddle.nn.functional.ctc_loss`.

    Shapes: for example log_probs [5, 2, 4], labels [2, 3] gives [2] with reduction="none".
    Dtypes: float32, float64 kept.
    Errors: ValueError for shapes that do not fit; AssertionError for another reduction.

    >>> import minipaddle as paddle
    >>> scores, one = paddle.zeros([2, 1, 2]), paddle.to_tensor([1])
    >>> loss = paddle.nn.functional.ctc_loss(scores, one.unsqueeze(0), one + 1, one)
    >>> round(float((-loss).exp()), 4)
    0.75
    """
    errors.require_choice("ctc_loss", "reduction", reduction, THREE, CheckFailed)
    if len(log_probs.shape) != 3 or len(labels.shape) != 2:
        expected = "log_probs [time, batch, classes] and labels [batch, length]"
        raise errors.misfit("ctc_loss", expected, log_probs=log_probs, labels=labels)
    given = log_probs.shape[1], labels.shape[0], input_lengths.shape[0], label_lengths.shape[0]
    if len({*given} - {-1}) > 1:
        expected = "one batch size for log_probs [time, batch, classes] and the others"
        raise errors.misfit("ctc_loss", expected, log_probs=log_probs, labels=labels)
    loss = _losses(log_probs, labels, input_lengths, label_lengths, blank)
    if norm_by_times:
        value = loss.detach()
        loss = value + (loss - value) / ops.cast(input_lengths, dtype=loss.dtype)
    if zero_infinity:
        loss = ops.where(ops.isinf(loss), ops.fill_like(loss, value=0.0), loss)
    if reduction == "mean":
        loss = loss / ops.cast(label_lengths, dtype=loss.dtype)
    return reduce(loss, reduction)


def _losses(scores: Any, labels: Any, times: Any, lengths: Any, blank: int) -> Any:
    """Return the loss of each sample, by the sums over paths that end at each place of the labels.

    `places` are the labels with a blank before, between and behind them.
    """
    blanks = ops.fill_like(labels, value=blank)
    pairs = ops.flatten(ops.stack([blanks, labels], axis=2), start_axis=1, stop_axis=2)
    places = ops.concat([pairs, blanks[:, :1]], axis=1)
    steps = ops.unbind(ops.log_softmax(scores, axis=-1), axis=0)
    at_places = [ops.take_along_axis(step, places, axis=1) for step in steps]
    never = ops.fill_like(at_places[0], value=NEVER)
    paths = ops.concat([at_places[0][:, :2], never[:, 2:]], axis=1)
    # A path may skip a blank between two different labels.
    differs = ops.not_equal(places[:, 2:], places[:, :-2])
    may_skip = ops.logical_and(differs, ops.not_equal(places[:, 2:], blanks[:, :1]))
    for t, step in enumerate(at_places[1:], 1):
        one = ops.concat([never[:, :1], paths[:, :-1]], axis=1)
        two = ops.where(may_skip, paths[:, :-2], never[:, 2:])
        two = ops.concat([never[:, :2], two], axis=1)
        longer = ops.logsumexp(ops.stack([paths, one, two], axis=0), axis=[0]) + step
        is_inside = ops.unsqueeze(ops.greater_than(times, ops.fill_like(times, value=t)), axis=1)
        paths = ops.where(is_inside, longer, paths)
    last = ops.unsqueeze(lengths * 2, axis=1)
    end = ops.take_along_axis(paths, last, axis=1)
    before = ops.take_along_axis(paths, ops.clip(last - 1, min=0), axis=1)
    has_labels = ops.greater_than(last, ops.fill_like(last, value=0))
    before = ops.where(has_labels, before, ops.fill_like(before, value=NEVER))
    loss = -ops.squeeze(
        ops.logsumexp(ops.concat([end, before], axis=1), axis=[1], keepdim=True), axis=[1]
    )
    impossible = ops.greater_than(loss, ops.fill_like(loss, value=-NEVER / 2))
    return ops.where(impossible, ops.fill_like(loss, value=0.0), loss)
