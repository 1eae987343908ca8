"""Learning rates that go up and down."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...engine.errors import InvalidType
from .scheduler import LRScheduler, require


def _require_type(name: str, value: Any, kinds: type | tuple[type, ...], wanted: str) -> None:
    require(isinstance(value, kinds), f"{name} to be {wanted}", InvalidType, **{name: value})


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
        _require_type("phase_pct", phase_pct, float, "a float")
        require(0 <= phase_pct <= 1, "0 <= phase_pct <= 1", phase_pct=phase_pct)
        _require_type("divide_factor", divide_factor, (float, int), "a number")
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
        _require_type("exp_gamma", exp_gamma, float, "a float")
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
            height: float = 1 / (2.0 ** (cycle - 1))
            return height
        return self.gamma**self.last_epoch if self.mode == "exp_range" else 1.0

    def get_lr(self) -> float:
        step = self.last_epoch
        cycle = 1 + step // self.cycle_size
        share = 1.0 + step / self.cycle_size - cycle
        up = self.step_up_pct
        rise = share / up if share <= up else (1 - share) / (1 - up)
        return self.base_lr + self.amplitude * rise * self._cycle_factor(cycle)


def _check_rate(name: str, value: Any) -> None:
    _require_type(name, value, (float, int), "a number")
    require(value >= 0, f"{name} >= 0", **{name: value})


def _check_count(name: str, value: Any) -> None:
    _require_type(name, value, int, "an int")
    require(value > 0, f"{name} > 0", **{name: value})
