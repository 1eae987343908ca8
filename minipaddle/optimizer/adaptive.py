"""Adagrad, Adadelta and RMSProp: each element has a step of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import checks
from .optimizer import Optimizer
from .rule import Accumulator, Rule, State, single, update_mean, update_mean_square


@dataclass(frozen=True)
class AdagradRule(Rule):
    """Update of Adagrad: s ← s + g², p ← p − lr · g / (√s + ε)."""

    epsilon: float
    initial: float

    type = "adagrad"
    formula = "s ← s + g², p ← p − lr · g / (√s + ε)"

    def attrs(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon, "multi_precision": False}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        return (Accumulator("Moment", "moment", self.initial, shape),)

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:  # noqa: ARG002
        (moment,) = state
        moment += grad * grad
        param -= grad / (xp.sqrt(moment) + single(self.epsilon)) * lr


class Adagrad(Optimizer):
    """Gradients divided by the root of the sum of their squares: s ← s + g², then
    p ← p − lr · g / (√s + ε).

    s starts at `initial_accumulator_value`. Source: Paddle's `paddle.optimizer.Adagrad`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adagrad = paddle.optimizer.Adagrad(0.25, epsilon=0.0, parameters=[w])
    >>> (w * 1000).backward(); adagrad.step(); w.tolist()
    [0.75]
    """

    rule = AdagradRule

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1e-06,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        first = checks.number("initial_accumulator_value", initial_accumulator_value, 0)
        self._options = {**checks.numbers(0, epsilon=epsilon), "initial": first}


@dataclass(frozen=True)
class AdadeltaRule(Rule):
    """Gradients scaled to the size of the last steps: √(mean of steps² / mean of g²) · g."""

    epsilon: float
    rho: float

    type = "adadelta"
    state = (
        ("AvgSquaredGrad", "_avg_squared_grad", 0.0),
        ("AvgSquaredUpdate", "_avg_squared_update", 0.0),
    )
    formula = (
        "s ← ρ s + (1 − ρ) g², d ← √((u + ε) / (s + ε)) · g, u ← ρ u + (1 − ρ) d², p ← p − lr · d"
    )

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        (grads, steps), rho, epsilon = state, single(self.rho), single(self.epsilon)
        update_mean_square(xp, grads, grad, rho, work)
        step = xp.sqrt((steps + epsilon) / (grads + epsilon)) * grad
        update_mean_square(xp, steps, step, rho, work)
        param -= step * lr


class Adadelta(Optimizer):
    """Steps scaled to the last ones: d = √((E[d²] + ε) / (E[g²] + ε)) · g, p ← p − lr · d.

    `rho` is the decay of both moving means.
    Source: Paddle's `paddle.optimizer.Adadelta`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> adadelta = paddle.optimizer.Adadelta(1.0, epsilon=1.0, rho=0.0, parameters=[w])
    >>> (w * 0.0).backward(); adadelta.step(); w.tolist()
    [1.0]
    """

    rule = AdadeltaRule

    def __init__(
        self,
        learning_rate: Any = 0.001,
        epsilon: float = 1e-06,
        rho: float = 0.95,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._options = checks.numbers(0, epsilon=epsilon) | checks.numbers(rho=rho)


@dataclass(frozen=True)
class RMSPropRule(Rule):
    """Update of RMSProp: p ← p − lr · g / √(E[g²] + ε), with momentum; centered: E[g²] − E[g]²."""

    rho: float
    epsilon: float
    momentum: float
    centered: bool

    type = "rmsprop"
    state = (
        ("Moment", "momentum", 0.0),
        ("MeanSquare", "mean_square", 0.0),
        ("MeanGrad", "mean_grad", 0.0),
    )

    @property
    def formula(self) -> str:
        mean, spread = ("a ← ρ a + (1 − ρ) g, ", "s − a²") if self.centered else ("", "s")
        change = f"lr · g / √({spread} + ε)"
        steps = f"v ← μ v + {change}, p ← p − v" if self.momentum else f"p ← p − {change}"
        return f"s ← ρ s + (1 − ρ) g², {mean}{steps}"

    def attrs(self) -> dict[str, Any]:
        return {
            "epsilon": self.epsilon,
            "decay": self.rho,
            "momentum": self.momentum,
            "centered": bool(self.centered),
            "multi_precision": False,
        }

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:
        (moment, square, mean), rho = state, single(self.rho)
        update_mean_square(xp, square, grad, rho, work)
        if self.centered:
            update_mean(xp, mean, grad, rho, work)
            square = square - mean * mean
        moment *= single(self.momentum)
        moment += grad / xp.sqrt(square + single(self.epsilon)) * lr
        param -= moment


class RMSProp(Optimizer):
    """Gradients divided by their recent size: s ← ρ s + (1 − ρ) g², then
    v ← μ v + lr · g / √(s + ε) and p ← p − v.

    `centered` subtracts the square of the mean gradient from s.
    Source: Paddle's `paddle.optimizer.RMSProp`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> rmsprop = paddle.optimizer.RMSProp(0.25, rho=0.0, epsilon=0.0, parameters=[w])
    >>> (w * 1000).backward(); rmsprop.step(); w.tolist()
    [0.75]
    """

    rule = RMSPropRule

    def __init__(
        self,
        learning_rate: Any,
        rho: float = 0.95,
        epsilon: float = 1e-06,
        momentum: float = 0.0,
        centered: bool = False,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._options = checks.numbers(0, rho=rho, epsilon=epsilon, momentum=momentum)
        self._options["centered"] = bool(centered)
