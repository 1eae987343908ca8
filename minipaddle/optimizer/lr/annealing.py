"""Learning rates that change smoothly: from one value to another, up and down, or up first."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ...engine import modes
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
        modes.refuse_if_traced("CosineAnnealingWarmRestarts.step")
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


# ----- up and down -------------------------------------------------------------------------------


def _require_float(name: str, value: Any) -> None:
    """Raise an error for an int, which Paddle refuses here too."""
    require(isinstance(value, float), f"{name} to be a float", InvalidType, **{name: value})


class OneCycleLR(LRScheduler):
    """A rate that rises to max_learning_rate in the first phase_pct of total_steps, then falls.

    It starts at max_learning_rate / divide_factor; with `three_phase` it returns there before
    it falls to end_learning_rate. `anneal_strategy`: 'cos' or 'linear'.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, or a
    total_steps that is not positive.
    Source: Paddle's `paddle.optimizer.lr.OneCycleLR`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.OneCycleLR(1.0, total_steps=4, divide_factor=2.0, phase_pct=0.5)
    >>> rate(), (rate.step(), rate())[1]
    (0.5, 1.0)
    """

    def __init__(
        self,
        max_learning_rate: float,
        total_steps: int,
        divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3,
        anneal_strategy: str = "cos",
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        _check_rate("max_learning_rate", max_learning_rate)
        _check_rate("end_learning_rate", end_learning_rate)
        _check_count("total_steps", total_steps)
        _require_float("phase_pct", phase_pct)
        require(0 <= phase_pct <= 1, "0 <= phase_pct <= 1", phase_pct=phase_pct)
        good = anneal_strategy in ("cos", "linear")
        require(good, "'cos' or 'linear'", anneal_strategy=anneal_strategy)
        self.total_steps, self.anneal_strategy = total_steps, anneal_strategy
        top, last = max_learning_rate, float(end_learning_rate)
        first = top / float(divide_factor)
        turn, end = phase_pct * total_steps - 1, total_steps - 1
        if three_phase:
            require(phase_pct < 0.5, "phase_pct < 0.5 with three_phase", phase_pct=phase_pct)
            back = 2 * phase_pct * total_steps - 2
            rest = [(turn, back, top, first), (back, end, first, last)]
        else:
            rest = [(turn, end, top, last)]
        self._phases = [(0, turn, first, top), *rest]
        super().__init__(first, last_epoch, verbose)

    def get_lr(self) -> float:
        steps, epoch = self.total_steps, self.last_epoch
        require(epoch <= steps, f"at most {steps} steps, as total_steps says", last_epoch=epoch)
        phases = (phase for phase in self._phases if self.last_epoch <= phase[1])
        begin, end, high, low = next(phases, self._phases[-1])
        share = (self.last_epoch - begin) / (end - begin)
        if self.anneal_strategy == "linear":
            return (low - high) * share + high
        return low + (high - low) / 2.0 * (math.cos(math.pi * share) + 1)


class CyclicLR(LRScheduler):
    """A rate from base to max_learning_rate in step_size_up steps and back in step_size_down
    steps, repeated.

    The mode sets the height of a cycle: 'triangular' keeps it, 'triangular2' halves it each time,
    'exp_range' multiplies it by exp_gamma at each step. `scale_fn`, a function of the cycle or of
    the iterations, replaces the mode.

    Errors: TypeError for a learning rate that is not a number; ValueError for a negative one, or a
    step size that is not positive.
    Source: Paddle's `paddle.optimizer.lr.CyclicLR`.

    >>> import minipaddle as paddle
    >>> rate = paddle.optimizer.lr.CyclicLR(0.25, 0.75, step_size_up=2)
    >>> rate.step(); rate()
    0.5
    """

    def __init__(
        self,
        base_learning_rate: float,
        max_learning_rate: float,
        step_size_up: int,
        step_size_down: int | None = None,
        mode: str = "triangular",
        exp_gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        _check_rate("max_learning_rate", max_learning_rate)
        _check_count("step_size_up", step_size_up)
        if step_size_down is not None:
            _check_count("step_size_down", step_size_down)
        _require_float("exp_gamma", exp_gamma)
        known = mode in ("triangular", "triangular2", "exp_range")
        expected = "'triangular', 'triangular2' or 'exp_range', or a scale_fn"
        require(known or scale_fn is not None, expected, mode=mode)
        good = scale_mode in ("cycle", "iterations")
        require(good, "'cycle' or 'iterations'", scale_mode=scale_mode)
        down = step_size_up if step_size_down is None else step_size_down
        self.cycle_size = float(step_size_up) + float(down)
        self.step_up_pct = float(step_size_up) / self.cycle_size
        self.max_lr = float(max_learning_rate)
        self.amplitude = self.max_lr - base_learning_rate
        self.mode, self.gamma, self.scale_fn = mode, exp_gamma, scale_fn
        self.scale_mode = scale_mode
        super().__init__(base_learning_rate, last_epoch, verbose)

    def _cycle_factor(self, cycle: float) -> float:
        """Return the factor of the amplitude in this cycle or at this step."""
        if self.scale_fn is not None:
            return self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.mode == "triangular2":
            return 1 / (2.0 ** (cycle - 1))
        return self.gamma**self.last_epoch if self.mode == "exp_range" else 1.0

    def get_lr(self) -> float:
        step = self.last_epoch
        cycle = 1 + step // self.cycle_size
        share = 1.0 + step / self.cycle_size - cycle
        up = self.step_up_pct
        rise = share / up if share <= up else (1 - share) / (1 - up)
        return self.base_lr + self.amplitude * rise * self._cycle_factor(cycle)


def _check_rate(name: str, value: Any) -> None:
    require(value >= 0, f"{name} >= 0", **{name: value})


def _check_count(name: str, value: Any) -> None:
    require(value > 0, f"{name} > 0", **{name: value})


# ----- rising first ------------------------------------------------------------------------------


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
        d_model: float,
        warmup_steps: float,
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
        return self.base_lr * (self.d_model**-0.5) * min(falling, rising)


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
        return rate

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
