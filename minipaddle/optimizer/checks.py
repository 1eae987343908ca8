"""Checks of the arguments of optimizers."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.tensor import Tensor
from ..nn.clip import ClipGradBase
from ..regularizer import L2Decay, WeightDecayRegularizer
from . import errors
from .lr import LRScheduler


def learning_rate(value: Any) -> Any:
    """A float or a scheduler."""
    if value is None:
        raise errors.no_learning_rate()
    if not isinstance(value, (float, LRScheduler)):
        raise errors.learning_rate_type(value)
    return value


def parameters(value: Any) -> list[Any] | None:
    """The list of parameters to train; None only in static mode: all of the Program."""
    if value is None:
        if modes.is_static():
            return None
        raise errors.no_parameters()
    if isinstance(value, (Tensor, dict)) or not hasattr(value, "__iter__"):
        raise errors.parameters_not_in_list(value)
    return list(value)


def members(given: list[Any], name: str = "`parameters`") -> list[Any]:
    """The same list, if all of it are parameters."""
    for position, item in enumerate(given):
        if not hasattr(item, "stop_gradient"):
            raise errors.not_a_parameter(name, position, item)
    return given


def number(name: str, value: Any, low: float, high: float | None = None) -> float:
    """A hyper-parameter in [low, high)."""
    if value is None or isinstance(value, str) or not hasattr(value, "__float__"):
        raise errors.not_a_number(name, value)
    if value < low or (high is not None and value >= high):
        raise errors.out_of_bounds(name, value, low, high)
    return float(value)


def betas(beta1: Any, beta2: Any, epsilon: Any) -> dict[str, Any]:
    """The hyper-parameters of Adam and its variants."""
    return {
        "beta1": number("beta1", beta1, 0, 1),
        "beta2": number("beta2", beta2, 0, 1),
        "epsilon": number("epsilon", epsilon, 0),
    }


def coefficient(value: Any) -> float:
    """How strong a weight decay is that is no regularizer."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise errors.coefficient_type(value)
    return float(value)


def weight_decay(value: Any) -> WeightDecayRegularizer | None:
    """A penalty: a number is the coefficient of an L2 penalty."""
    if value is None or isinstance(value, WeightDecayRegularizer):
        return value
    if not isinstance(value, (int, float)):
        raise errors.weight_decay_type(value)
    return L2Decay(float(value))


def grad_clip(value: Any) -> ClipGradBase | None:
    """How gradients are clipped."""
    if value is not None and not isinstance(value, ClipGradBase):
        raise errors.grad_clip_type(value)
    return value


def function(name: str, value: Any) -> Any:
    """Something to call, or None."""
    if value is not None and not callable(value):
        raise errors.not_a_function(name, value)
    return value


def not_here(**given: Any) -> None:
    """Refuse options that Paddle refuses on a CPU as well."""
    for option, value in given.items():
        if value:
            raise errors.option_not_here(option, value)
