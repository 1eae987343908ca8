"""Checks of the arguments of optimizers."""

from __future__ import annotations

from typing import Any

from ..engine import modes
from ..engine.errors import InvalidArgument, InvalidType, NoSuchName, Unimplemented
from ..engine.tensor import Tensor
from ..nn.clip import ClipGradBase
from ..regularizer import L2Decay, WeightDecayRegularizer
from .lr import LRScheduler


def learning_rate(value: Any) -> Any:
    """A float or a scheduler."""
    if value is None:
        raise InvalidArgument(
            "learning_rate is not set.",
            expected="a float, or a scheduler of paddle.optimizer.lr",
            received="None",
            fix="pass for example learning_rate=0.01",
        )
    if not isinstance(value, (float, LRScheduler)):
        raise InvalidType(
            f"learning rate should be float or LRScheduler, got {type(value)} here.",
            expected="a float, or a scheduler of paddle.optimizer.lr",
            received=f"{type(value).__name__} {value!r:.40}",
            fix=f"write {float(value)}" if isinstance(value, int) else "pass a number such as 0.01",
        )
    return value


def parameters(value: Any) -> list[Any] | None:
    """The list of parameters to train; None only in static mode: all of the Program."""
    if value is None:
        if modes.is_static():
            return None
        raise NoSuchName(
            "parameters argument given to the Optimizer should not be None in dygraph mode.",
            expected="the parameters to train",
            received="None",
            fix="pass parameters=net.parameters()",
        )
    if isinstance(value, (Tensor, dict)) or not hasattr(value, "__iter__"):
        raise InvalidType(
            "`parameters` argument given to the optimizer should be an iterable of paddle Tensors, "
            f"but got argument type is `{type(value)}`.",
            expected="a list of parameters, or a list of dicts: parameter groups",
            received=type(value).__name__,
            fix="pass parameters=net.parameters(), or put one parameter into a list",
        )
    return list(value)


def members(given: list[Any], name: str = "`parameters`") -> list[Any]:
    """The same list, if all of it are parameters."""
    for position, item in enumerate(given):
        if not hasattr(item, "stop_gradient"):
            raise NoSuchName(
                f"{name}: the element at {position} is no Tensor.",
                expected="Tensors",
                received=f"{type(item).__name__} {item!r:.40}",
                fix="pass parameters=net.parameters()",
            )
    return given


def number(name: str, value: Any, low: float, high: float | None = None) -> float:
    """A hyper-parameter in [low, high)."""
    if value is None or isinstance(value, str) or not hasattr(value, "__float__"):
        raise InvalidArgument(
            f"{name} is not set." if value is None else f"{name} must be a number.",
            expected="a float",
            received=f"{type(value).__name__} {value!r:.40}",
            fix=f"leave {name} out for its default",
        )
    if value < low or (high is not None and value >= high):
        expected = f"{name} >= {low:g}" if high is None else f"{name} in [{low:g},{high:g})"
        raise InvalidArgument(
            f"Invalid value of {name}, expect {expected}.",
            expected=expected,
            received=f"{name}={value}",
            fix=f"leave {name} out for its default",
        )
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
        raise InvalidType(
            "weight_decay should be int, float or Tensor.",
            expected="a float: how much of the parameter each step takes away",
            received=f"{type(value).__name__} {value!r:.40}",
            fix="pass for example weight_decay=0.01",
        )
    return float(value)


def weight_decay(value: Any) -> WeightDecayRegularizer | None:
    """A penalty: a number is the coefficient of an L2 penalty."""
    if value is None or isinstance(value, WeightDecayRegularizer):
        return value
    if not isinstance(value, (int, float)):
        raise InvalidType(
            "weight_decay should be a float or a regularizer.",
            expected="a float: the coefficient of the L2 penalty; or paddle.regularizer.L1Decay",
            received=f"{type(value).__name__} {value!r:.40}",
            fix="pass for example weight_decay=0.01",
        )
    return L2Decay(float(value))


def grad_clip(value: Any) -> ClipGradBase | None:
    """How gradients are clipped."""
    if value is not None and not isinstance(value, ClipGradBase):
        raise InvalidType(
            "'grad_clip' should be an instance of GradientClipBase's derived class.",
            expected="None, or a ClipGradByValue, ClipGradByNorm or ClipGradByGlobalNorm",
            received=f"{type(value).__name__} {value!r:.40}",
            fix="write for example grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)",
        )
    return value


def function(name: str, value: Any) -> Any:
    """Something to call, or None."""
    if value is not None and not callable(value):
        raise InvalidType(
            f"{name} should be a function.",
            expected="a function of a parameter, or None",
            received=f"{type(value).__name__} {value!r:.40}",
            fix="write for example lambda name: 'bias' not in name",
        )
    return value


def not_here(**given: Any) -> None:
    """Refuse options that Paddle refuses on a CPU as well."""
    for option, value in given.items():
        if value:
            raise Unimplemented(
                f"'{option}' is unimplemented in CPU.",
                expected="None",
                received=f"{option}={value!r:.40}",
                fix="use parameter groups: {'params': [...], 'learning_rate': factor}",
            )
