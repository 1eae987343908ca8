"""The classes that scores name: predictions, their labels, their images, and their accuracy.

The scores are what a loss of classes or an argmax reads. Nothing is said of values whose elements
were not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..model import Accuracy
from .last_values import is_image
from .operations import Axis, Makers, Operand, Operation, operations_of

LOSSES = frozenset(
    {"softmax_with_cross_entropy", "cross_entropy", "nll_rows", "negative_log_likelihood"}
)


class Scores(NamedTuple):
    """Scores of classes along their last axis.

    `labels` are the right classes, of which `ignored` is none; `images` has an image for each row.
    """

    scores: Operand
    labels: Operand | None = None
    ignored: int | None = None
    images: Operand | None = None


def scores_in(records: Iterable[Any], earlier: int = 0) -> Iterator[Scores]:
    """Yield the scores that losses of classes and argmax read, in the order of these ops."""
    makers = Makers()
    for operation in operations_of(records, earlier):
        makers.add(operation)
        found = scores_of(operation)
        if found:
            yield found._replace(images=images_of(found.scores, makers))


def scores_of(operation: Operation) -> Scores | None:
    """Return the scores that an op reads, or None."""
    op, inputs, attrs = operation.op, operation.inputs, operation.attrs
    if op in LOSSES and not attrs.get("soft_label") and len(inputs) > 1:
        return Scores(inputs[0], inputs[1], attrs.get("ignore_index"))
    rank = len(inputs[0].shape) if inputs else 0
    if op == "argmax" and rank > 1 and attrs.get("axis") in (-1, rank - 1):
        return Scores(inputs[0])
    return None


def images_of(scores: Operand, makers: Makers) -> Operand | None:
    """Return the given tensor with an image for each row of scores, or None if it is not sure."""
    if len(scores.shape) != 2:
        return None
    found = {
        axis.of.key: axis.of
        for axis in makers.origins(Axis(scores, 0))
        if makers.of(axis.of) is None and not axis.number and is_image("leaf", axis.of.shape[1:])
    }
    return next(iter(found.values())) if len(found) == 1 else None


def accuracy_of(records: Iterable[Any], earlier: int = 0) -> Accuracy | None:
    """Return how many labels have the largest score, if exactly one loss of classes ran."""
    losses = [found for each in operations_of(records, earlier) if (found := scores_of(each))]
    losses = [each for each in losses if each.labels]
    return count_right(losses[0]) if len(losses) == 1 else None


def count_right(found: Scores) -> Accuracy | None:
    """Return how many labels have the largest score, or None if elements are not known."""
    if found.labels is None or found.scores.data is None or found.labels.data is None:
        return None
    scores = np.asarray(found.scores.data).astype(float)
    labels = np.asarray(found.labels.data)
    if labels.size * scores.shape[-1] != scores.size:
        return None
    labels = labels.reshape(scores.shape[:-1])
    counted = labels != found.ignored
    if np.isnan(scores).any() or not counted.any():
        return None
    right = scores.argmax(axis=-1)[counted] == labels[counted]
    return Accuracy(int(right.sum()), right.size)
