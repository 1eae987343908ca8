"""A learning rate that falls when a metric no longer improves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.errors import CheckFailed, InvalidType
from ...engine.tensor import Tensor
from .scheduler import LRScheduler, require


class ReduceOnPlateau(LRScheduler):
    """A rate multiplied by `factor` when `metrics` has not improved for more than `patience` steps.

    An improvement exceeds `threshold`: as a part of the best value ('rel') or as a difference
    ('abs'). In mode 'min' smaller is better, in 'max' larger. After a change `cooldown` steps
    are not counted.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one.
    Source: Paddle's `paddle.optimizer.lr.ReduceOnPlateau`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.ReduceOnPlateau(0.5, factor=0.5, patience=0)
    >>> rate.step(1.0); rate.step(1.0); rate()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 0.0001,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        epsilon: float = 1e-08,
        verbose: bool = False,
    ) -> None:
        mode, threshold_mode = mode.lower(), threshold_mode.lower()
        require(mode in ("min", "max"), "'min' or 'max'", mode=mode)
        require(factor < 1.0, "factor < 1", factor=factor)
        good = threshold_mode in ("rel", "abs")
        require(good, "'rel' or 'abs'", threshold_mode=threshold_mode)
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.min_lr, self.epsilon = cooldown, min_lr, epsilon
        self.cooldown_counter = self.num_bad_epochs = 0
        self.best: Any = None
        self._start_schedule(learning_rate, 0, verbose)

    def state_keys(self) -> None:
        self.keys = ["cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr"]

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Use the metric of an epoch: a number, or a Tensor or array of one element."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        value = _read_metric(metrics)
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._is_better(value, _read_metric(self.best)):
            self.best, self.num_bad_epochs = metrics, 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            rate = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - rate > self.epsilon:
                self.last_lr = rate
                self._print_rate()

    def _is_better(self, current: Any, best: Any) -> bool:
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        better = current < best - margin if self.mode == "min" else current > best + margin
        return bool(better)


def _read_metric(metrics: Any) -> Any:
    """Return the metric as a NumPy number of its dtype."""
    if isinstance(metrics, Tensor):
        metrics = metrics.numpy()  # type: ignore[attr-defined]
    if isinstance(metrics, np.ndarray):
        expected = "one number: paddle.mean(losses)"
        require(metrics.size == 1, expected, CheckFailed, metrics=metrics)
        return metrics.reshape(())[()]
    good = isinstance(metrics, (int, float, np.float32, np.float64))
    require(good, "a number, or a Tensor of one element", InvalidType, metrics=metrics)
    return metrics
