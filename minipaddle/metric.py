"""Metrics: the quality of predictions, over all batches."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import static
from .engine import modes
from .engine.errors import CheckFailed, InvalidArgument
from .engine.tensor import WHOLE, Tensor, change_of, changed_in_place
from .errors import misfit
from .ops import REGISTRY
from .ops.boundary import publish as _publish
from .ops.program_ops import accuracy as _counted
from .paddle_names import absent

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]

__getattr__ = absent.names(__name__)


class Metric(abc.ABC):
    """A number for all batches since `reset()`: `update` adds a batch, `accumulate` returns it.

    `compute` may first turn Tensors into the arguments of `update`.
    Source: Paddle's `paddle.metric.Metric`.

    Errors: TypeError for a subclass that lacks a method.

    >>> metric = paddle.metric.Precision()
    >>> isinstance(metric, paddle.metric.Metric), metric.name()
    (True, 'precision')
    """

    @abc.abstractmethod
    def reset(self) -> None:
        """Forget all batches."""

    @abc.abstractmethod
    def update(self, *args: Any) -> Any:
        """Add a batch."""

    @abc.abstractmethod
    def accumulate(self) -> Any:
        """Return the number for all batches so far."""

    @abc.abstractmethod
    def name(self) -> Any:
        """Return the name of the number."""

    def compute(self, *args: Any) -> Any:
        """Return the arguments of `update` for predictions and labels: here these themselves."""
        return args


class Accuracy(Metric):
    """The part of the samples whose label is among the k highest scores, for each k in topk.

    Source: Paddle's `paddle.metric.Accuracy`.

    Errors: TypeError for a topk that is not a sequence.

    >>> import minipaddle as paddle
    >>> metric = paddle.metric.Accuracy()
    >>> scores = paddle.to_tensor([[0.1, 0.9], [0.8, 0.2]])
    >>> metric.update(metric.compute(scores, paddle.to_tensor([[1], [1]])))
    0.5
    >>> metric.accumulate()
    0.5
    """

    def __init__(
        self, topk: Sequence[int] = (1,), name: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.topk, self.maxk = topk, max(topk)
        name = name or "acc"
        self._name = [name] if self.maxk == 1 else [f"{name}_top{k}" for k in topk]
        self.total = [0.0] * len(topk)
        self.count = [0] * len(topk)

    def compute(self, pred: Any, label: Any, *args: Any) -> Any:  # noqa: ARG002
        """Return which of the highest scores are right; labels are numbers, or one-hot rows."""
        order = pred.argsort(descending=True)[..., : self.maxk]
        shape = label.shape
        if len(shape) == 1 or (len(shape) == 2 and shape[-1] == 1):
            label = label.reshape([-1, 1])
        elif shape[-1] != 1:
            label = label.argmax(axis=-1, keepdim=True)
        return (order == label.astype(order.dtype)).astype("float32")

    def update(self, correct: Any, *args: Any) -> Any:  # noqa: ARG002
        """Add a result of `compute`; return the accuracy of this batch."""
        array = _as_array("correct", correct)
        count = int(np.prod(array.shape[:-1]))
        hits = [float(array[..., :k].sum()) for k in self.topk]
        self.total = [old + new for old, new in zip(self.total, hits, strict=True)]
        self.count = [old + count for old in self.count]
        return self._one_or_all([hit / count for hit in hits])

    def reset(self) -> None:
        self.total = [0.0] * len(self.topk)
        self.count = [0] * len(self.topk)

    def accumulate(self) -> Any:
        """Return the accuracy of all batches, a list if there are several k."""
        pairs = zip(self.total, self.count, strict=True)
        return self._one_or_all([total / count if count else 0.0 for total, count in pairs])

    def _one_or_all(self, values: list[float]) -> Any:
        return values[0] if len(self.topk) == 1 else values

    def name(self) -> list[str]:
        return self._name


class _RatioMetric(Metric):
    """Base of ratios: right samples (`tp`) among all counted ones, right or wrong."""

    wrong = ""  # name of the count of wrong samples

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name
        self.reset()

    def reset(self) -> None:
        self.tp = 0
        setattr(self, self.wrong, 0)

    def accumulate(self) -> float:
        """Return the part that is right; 0.0 if no sample counts."""
        every = self.tp + getattr(self, self.wrong)
        return self.tp / every if every else 0.0

    def name(self) -> str:
        return self._name

    def _add_counts(self, counted: Any, right: Any) -> None:
        self.tp += int((counted & right).sum())
        setattr(self, self.wrong, getattr(self, self.wrong) + int((counted & ~right).sum()))


class Precision(_RatioMetric):
    """The part of the predictions of 1 (0.5 or more) that is right.

    Source: Paddle's `paddle.metric.Precision`.

    Errors: ValueError for anything but arrays or Tensors.

    >>> import minipaddle as paddle
    >>> metric = paddle.metric.Precision()
    >>> metric.update(np.array([0.1, 0.6, 0.9]), np.array([0, 1, 0]))
    >>> metric.accumulate()
    0.5
    """

    wrong = "fp"

    def __init__(self, name: str = "precision", *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)

    def update(self, preds: Any, labels: Any) -> None:
        """Add probabilities of 1, and labels 0 or 1."""
        guess, labels = _flatten_both(preds, labels)
        said = np.floor(guess + 0.5).astype("int32") == 1
        self._add_counts(said, labels == 1)


class Recall(_RatioMetric):
    """The part of the labels 1 that was predicted (above 0.5).

    Source: Paddle's `paddle.metric.Recall`.

    Errors: ValueError for anything but arrays or Tensors.

    >>> import minipaddle as paddle
    >>> metric = paddle.metric.Recall()
    >>> metric.update(np.array([0.1, 0.6, 0.9]), np.array([1, 1, 0]))
    >>> metric.accumulate()
    0.5
    """

    wrong = "fn"

    def __init__(self, name: str = "recall", *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)

    def update(self, preds: Any, labels: Any) -> None:
        """Add probabilities of 1, and labels 0 or 1."""
        guess, labels = _flatten_both(preds, labels)
        self._add_counts(labels == 1, np.rint(guess).astype("int32") == 1)


class Auc(Metric):
    """The area under the ROC curve, from counts in num_thresholds + 1 equal steps of probability.

    `curve` changes nothing, as in Paddle. Source: Paddle's `paddle.metric.Auc`.

    Errors: ValueError for anything but arrays or Tensors.

    >>> import minipaddle as paddle
    >>> metric = paddle.metric.Auc()
    >>> scores = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> metric.update(scores, np.array([[0], [1], [1]]))
    >>> metric.accumulate()
    1.0
    """

    def __init__(
        self,
        curve: str = "ROC",
        num_thresholds: int = 4095,
        name: str = "auc",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._curve, self._num_thresholds, self._name = curve, num_thresholds, name
        self.reset()

    def reset(self) -> None:
        self._stat_pos = np.zeros(self._num_thresholds + 1)
        self._stat_neg = np.zeros(self._num_thresholds + 1)

    def update(self, preds: Any, labels: Any) -> None:
        """Add rows of probabilities of 0 and 1, and labels 0 or 1."""
        labels, scores = _as_array("labels", labels).reshape(-1), _as_array("preds", preds)
        steps = (scores[:, 1] * self._num_thresholds).astype("int64")
        if steps.size and not 0 <= steps.min() <= steps.max() <= self._num_thresholds:
            bounds, fix = "probabilities, from 0 to 1", "apply softmax to the scores first"
            extremes = [float(scores.min()), float(scores.max())]
            raise misfit("Auc.update", bounds, CheckFailed, fix, preds=extremes)
        np.add.at(self._stat_pos, steps[labels != 0], 1.0)
        np.add.at(self._stat_neg, steps[labels == 0], 1.0)

    @staticmethod
    def trapezoid_area(x1: float, x2: float, y1: float, y2: float) -> float:
        """Return the area between two points of the curve and the axis."""
        return abs(x1 - x2) * (y1 + y2) / 2.0

    def accumulate(self) -> float:
        """Return the area; 0.0 without labels of both kinds."""
        high, low = (
            np.concatenate([[0.0], np.cumsum(counts[::-1])])
            for counts in (self._stat_pos, self._stat_neg)
        )
        if not high[-1] or not low[-1]:
            return 0.0
        area = float((np.diff(low) * (high[1:] + high[:-1]) / 2.0).sum())
        return area / float(high[-1]) / float(low[-1])

    def name(self) -> str:
        return self._name


def accuracy(
    input: Any,
    label: Any,
    k: int = 1,
    correct: Any = None,
    total: Any = None,
    name: str | None = None,  # noqa: ARG001
) -> Any:
    """Return the part of the rows of scores whose label is among the k highest.

    label: integers of shape [N, 1]. `correct` and `total` are Tensors, or Variables in static
    mode, that take the two counts. Source: Paddle's `paddle.metric.accuracy`.

    Errors: ValueError if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> scores = paddle.to_tensor([[0.1, 0.9], [0.8, 0.2]])
    >>> float(paddle.metric.accuracy(scores, paddle.to_tensor([[1], [1]])))
    0.5
    """
    if label.dtype.name == "int32":
        label = label.astype("int64")
    if modes.is_static():
        return static.accuracy(input, label, k, correct, total)
    if len(label.shape) != 2:
        fix = "label.reshape([-1, 1])"
        raise misfit("accuracy", "labels [N, 1]", InvalidArgument, fix, label=label)
    values, indices = REGISTRY["topk"].call(input.detach(), k=k)
    share, *counts = _counted.call(values, indices, label)
    for held, count in zip((correct, total), counts, strict=True):
        if held is not None:
            note = change_of(*WHOLE, held, count)
            held._data = count._data
            changed_in_place(held, note, counts=0)
    return share


def _as_array(name: str, value: Any) -> Any:
    if isinstance(value, Tensor):
        value = value.numpy()  # type: ignore[attr-defined]
    if not isinstance(value, (np.ndarray, np.generic)):
        fix = f"numpy.array({name})"
        raise misfit("", "an array or a Tensor", InvalidArgument, fix, **{name: value})
    return np.asarray(value)


def _flatten_both(preds: Any, labels: Any) -> tuple[Any, Any]:
    """Return predictions and labels as arrays of one axis."""
    return _as_array("preds", preds).reshape(-1), _as_array("labels", labels).reshape(-1)


_publish(globals(), __all__)
