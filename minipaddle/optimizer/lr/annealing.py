"""Learning rates that change smoothly from one value to another."""

from __future__ import annotations

import math

from ...engine.errors import CheckFailed, InvalidType
from .scheduler import LRScheduler, positive_integer, require


class PolynomialDecay(LRScheduler):
    """A rate from lr to end_lr in decay_steps: (lr − end_lr) · (1 − e / steps)^power + end_lr.

    With `cycle` it starts again from a smaller rate each time it has reached end_lr.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    AssertionError for decay_steps that are not positive.
    Source: Paddle's `paddle.optimizer.lr.PolynomialDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.PolynomialDecay(0.5, decay_steps=2, end_lr=0.0)
    >>> rate.step(); rate()
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_lr: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        positive_integer("decay_steps", decay_steps)
        require(power > 0.0, "power > 0", CheckFailed, power=power)
        self.decay_steps, self.end_lr = decay_steps, end_lr
        self.power, self.cycle = power, cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        epoch, steps = self.last_epoch, self.decay_steps
        if self.cycle:
            steps *= max(1, math.ceil(epoch / steps))
        left: float = (1 - min(epoch, steps) / steps) ** self.power
        return (self.base_lr - self.end_lr) * left + self.end_lr


class LinearLR(LRScheduler):
    """A rate from lr · start_factor to lr · end_factor in equal steps.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, or a
    total_steps that is not positive.
    Source: Paddle's `paddle.optimizer.lr.LinearLR`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.LinearLR(0.5, total_steps=2, start_factor=0.5)
    >>> rate.step(); rate()
    0.375
    """

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        start_factor: float = 1 / 3,
        end_factor: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require(0 < start_factor <= 1.0, "0 < start_factor <= 1", start_factor=start_factor)
        require(0 <= end_factor <= 1.0, "0 <= end_factor <= 1", end_factor=end_factor)
        require(total_steps > 0, "total_steps > 0", total_steps=total_steps)
        self.total_steps = total_steps
        self.start_factor, self.end_factor = start_factor, end_factor
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch == 0:
            return self.base_lr * self.start_factor
        if self.last_epoch > self.total_steps:
            return self.last_lr
        rise = self.end_factor - self.start_factor
        before = self.total_steps * self.start_factor + (self.last_epoch - 1) * rise
        return self.last_lr * (1.0 + rise / before)


class CosineAnnealingDecay(LRScheduler):
    """A rate that falls to eta_min and rises again along a cosine, T_max epochs in each direction.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one;
    AssertionError for a T_max that is not positive.
    Source: Paddle's `paddle.optimizer.lr.CosineAnnealingDecay`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.CosineAnnealingDecay(0.5, T_max=2)
    >>> rate.step(); round(rate(), 5)
    0.25
    """

    def __init__(
        self,
        learning_rate: float,
        T_max: int,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require(isinstance(T_max, int), "T_max to be an int", InvalidType, T_max=T_max)
        good = isinstance(eta_min, (float, int))
        require(good, "eta_min to be a float", InvalidType, eta_min=eta_min)
        positive_integer("T_max", T_max)
        self.T_max, self.eta_min = T_max, float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """Compute the rate from the last one, so that a rate set by hand continues the curve."""
        epoch, length = self.last_epoch, self.T_max
        if epoch == 0:
            return self.base_lr
        if (epoch - 1 - length) % (2 * length) == 0:  # `before` would be 0 below
            first = 1 - math.cos(math.pi / length)
            return self.last_lr + (self.base_lr - self.eta_min) * first / 2
        height = 1 + math.cos(math.pi * epoch / length)
        before = 1 + math.cos(math.pi * (epoch - 1) / length)
        return height / before * (self.last_lr - self.eta_min) + self.eta_min

    def _get_closed_form_lr(self) -> float:
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return self.eta_min + (self.base_lr - self.eta_min) * height / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """A rate that falls to eta_min along a cosine in T_0 epochs, then again from lr in T_mult times
    as many epochs.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, or a
    T_0 that is not positive.
    Source: Paddle's `paddle.optimizer.lr.CosineAnnealingWarmRestarts`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.CosineAnnealingWarmRestarts(0.5, T_0=1)
    >>> rate.step(); rate()
    0.5
    """

    def __init__(
        self,
        learning_rate: float,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        good = isinstance(T_0, int) and T_0 > 0
        require(good, "T_0 to be an int above 0", T_0=T_0)
        good = isinstance(T_mult, int) and T_mult >= 1
        require(good, "T_mult to be an int of at least 1", T_mult=T_mult)
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min = T_mult, eta_min
        self.T_cur: float = last_epoch
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return self.eta_min + (self.base_lr - self.eta_min) * height / 2

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch, or to this one, which may be a fraction."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0 if epoch is None else epoch
            require(epoch >= 0, "epoch >= 0", epoch=epoch)
            self._enter_cycle(epoch)
        self.last_epoch = math.floor(epoch)
        self.last_lr = self.get_lr()
        self._print_rate()

    def _enter_cycle(self, epoch: float) -> None:
        """Set the length of an epoch's cycle, and the epoch's position in the cycle."""
        first, factor = self.T_0, self.T_mult
        if epoch < first:
            self.T_i, self.T_cur = first, epoch
        elif factor == 1:
            self.T_cur = epoch % first
        else:
            cycle = int(math.log(epoch / first * (factor - 1) + 1, factor))
            self.T_cur = epoch - first * (factor**cycle - 1) / (factor - 1)
            self.T_i = first * factor**cycle
