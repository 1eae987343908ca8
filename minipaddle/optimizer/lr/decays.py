"""Learning rates that fall by a factor, by the epoch or on a plateau."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...engine.errors import CheckFailed, InvalidType
from ...engine.tensor import Tensor
from ...ops.arguments import check_count
from .scheduler import LRScheduler, positive_integer, require


class ExponentialDecay(LRScheduler):
    """lr · gammaᵉ at epoch e, with gamma in (0, 1).

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    AssertionError for a gamma outside (0, 1).
    Source: Paddle's `paddle.optimizer.lr.ExponentialDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.ExponentialDecay(0.5, gamma=0.5)
    >>> rate.step(); rate()
    0.25
    """

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        require(0.0 < gamma < 1.0, "0 < gamma < 1", CheckFailed, gamma=gamma)
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * (self.gamma**self.last_epoch)


class NaturalExpDecay(LRScheduler):
    """lr · exp(−gamma · e) at epoch e.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    AssertionError for a gamma that is not positive.
    Source: Paddle's `paddle.optimizer.lr.NaturalExpDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.NaturalExpDecay(0.5, gamma=1.0)
    >>> rate.step(); round(rate(), 4)
    0.1839
    """

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        require(gamma > 0.0, "gamma > 0", CheckFailed, gamma=gamma)
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(LRScheduler):
    """lr / (1 + gamma · e) at epoch e.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one.
    Source: Paddle's `paddle.optimizer.lr.InverseTimeDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.InverseTimeDecay(0.5, gamma=1.0)
    >>> rate.step(); rate()
    0.25
    """

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class StepDecay(LRScheduler):
    """lr · gamma^(e // step_size): a factor of gamma every step_size epochs.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    AssertionError for a step_size that is not positive.
    Source: Paddle's `paddle.optimizer.lr.StepDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.StepDecay(0.5, step_size=2, gamma=0.5)
    >>> rate.step(); rate.step(); rate()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        step_size: int,
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        good = isinstance(step_size, int)
        require(good, "step_size to be an int", InvalidType, step_size=step_size)
        require(gamma < 1.0, "gamma < 1", gamma=gamma)
        positive_integer("step_size", step_size)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * (self.gamma ** (self.last_epoch // self.step_size))


class MultiStepDecay(LRScheduler):
    """lr, multiplied by gamma at each milestone.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, and
    TypeError for milestones that are no list.
    Source: Paddle's `paddle.optimizer.lr.MultiStepDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.MultiStepDecay(0.5, milestones=[1, 5], gamma=0.5)
    >>> rate.step(); rate()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        good = isinstance(milestones, (tuple, list))
        require(good, "a list of epochs", InvalidType, milestones=milestones)
        rising = list(milestones) == sorted(set(milestones))
        require(rising, "epochs in rising order", milestones=milestones)
        require(gamma < 1.0, "gamma < 1", gamma=gamma)
        self.milestones, self.gamma = milestones, gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * (self.gamma ** bisect_right(self.milestones, self.last_epoch))


class PiecewiseDecay(LRScheduler):
    """values[i] until boundaries[i]; after the last boundary the last value.

    Errors: ValueError unless there is one value more than boundaries.
    Source: Paddle's `paddle.optimizer.lr.PiecewiseDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.PiecewiseDecay(boundaries=[1], values=[0.5, 0.125])
    >>> rate.step(); rate()
    0.125
    """

    def __init__(
        self,
        boundaries: Sequence[int],
        values: Sequence[float],
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        count = len(boundaries)
        require(count > 0, "at least one epoch", boundaries=boundaries)
        expected = f"{count + 1} values for {count} boundaries"
        require(len(values) > count, expected, values=values)
        self.boundaries, self.values = boundaries, values
        super().__init__(last_epoch=last_epoch, verbose=verbose)

    def get_lr(self) -> float:
        for boundary, value in zip(self.boundaries, self.values, strict=False):
            if self.last_epoch < boundary:
                return value
        return self.values[-1]


class _FunctionDecay(LRScheduler):
    """Base class of learning rates that are a function of the epoch."""

    def __init__(
        self,
        learning_rate: float,
        lr_lambda: Callable[[int], Any],
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require(callable(lr_lambda), "a function of the epoch", InvalidType, lr_lambda=lr_lambda)
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)


class LambdaDecay(_FunctionDecay):
    """lr · lr_lambda(e) at epoch e.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, and
    TypeError for a lr_lambda that is not a function.
    Source: Paddle's `paddle.optimizer.lr.LambdaDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.LambdaDecay(0.5, lambda epoch: 0.5**epoch)
    >>> rate.step(); rate()
    0.25
    """

    def get_lr(self) -> float:
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(_FunctionDecay):
    """lr · lr_lambda(1) · ... · lr_lambda(e) at epoch e.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, and
    TypeError for a lr_lambda that is not a function.
    Source: Paddle's `paddle.optimizer.lr.MultiplicativeDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.MultiplicativeDecay(0.5, lambda epoch: 0.5)
    >>> rate.step(); rate()
    0.25
    """

    def _start_schedule(self, learning_rate: float, last_epoch: int, verbose: bool) -> None:
        check_count(last_epoch, "last_epoch")
        super()._start_schedule(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        rate = self.base_lr
        for epoch in range(1, self.last_epoch + 1):
            rate *= self.lr_lambda(epoch)
        return rate


# ----- on a plateau ------------------------------------------------------------------------------


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
