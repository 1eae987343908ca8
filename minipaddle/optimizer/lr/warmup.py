"""Learning rates that rise first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.errors import CheckFailed, InvalidType
from .scheduler import LRScheduler, positive_integer, require


class NoamDecay(LRScheduler):
    """A rate that rises for warmup_steps, then falls: lr · d_model^−½ · min(e^−½, e · warmup^−1½).

    Errors: ValueError for a d_model or warmup_steps that are not positive.
    Source: Paddle's `paddle.optimizer.lr.NoamDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.NoamDecay(d_model=4, warmup_steps=4)
    >>> rate.step(); rate()
    0.0625
    """

    def __init__(
        self,
        d_model: int,
        warmup_steps: int,
        learning_rate: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require(d_model > 0, "d_model > 0", d_model=d_model)
        require(warmup_steps > 0, "warmup_steps > 0", warmup_steps=warmup_steps)
        self.d_model, self.warmup_steps = d_model, warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        falling = 1 if self.last_epoch == 0 else self.last_epoch**-0.5
        rising = self.warmup_steps**-1.5 * self.last_epoch
        rate: float = self.base_lr * (self.d_model**-0.5) * min(falling, rising)
        return rate


class LinearWarmup(LRScheduler):
    """A rate from start_lr to end_lr in warmup_steps, then `learning_rate`, also a scheduler.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    AssertionError for warmup_steps that are not positive, or end_lr not above start_lr.
    Source: Paddle's `paddle.optimizer.lr.LinearWarmup`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.LinearWarmup(0.5, 2, start_lr=0.0, end_lr=0.5)
    >>> rate.step(); rate()
    0.25
    """

    def __init__(
        self,
        learning_rate: Any,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        good = isinstance(learning_rate, (float, int, LRScheduler))
        require(good, "a number or a scheduler", InvalidType, learning_rate=learning_rate)
        positive_integer("warmup_steps", warmup_steps)
        arguments = {"start_lr": start_lr, "end_lr": end_lr}
        require(end_lr > start_lr, "end_lr > start_lr", CheckFailed, **arguments)
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps
        self.start_lr, self.end_lr = start_lr, end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch < self.warmup_steps:
            rise = (self.end_lr - self.start_lr) * float(self.last_epoch)
            return rise / float(self.warmup_steps) + self.start_lr
        rate = self.learning_rate
        if isinstance(rate, LRScheduler):
            rate.step(self.last_epoch - self.warmup_steps)
            return rate()
        constant: float = rate
        return constant

    def state_dict(self) -> dict[str, Any]:
        """Return the state, with that of the scheduler after the warm-up."""
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state of a saved scheduler."""
        inner = "LinearWarmup_LR"
        super().set_state_dict({k: v for k, v in state_dict.items() if k != inner})
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.set_state_dict(state_dict[inner])
