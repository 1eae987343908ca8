"""What optimizers refuse to be made from."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import modes
from ..core import Tensor
from ..errors import InvalidArgument, InvalidType, NoSuchName, Unimplemented


def learning_rate(value: Any) -> float:
    """A float; schedules are refused by name until there are some."""
    if value is None:
        raise InvalidArgument(
            "learning_rate is not set.",
            expected="a float",
            received="None",
            fix="pass for example learning_rate=0.01",
        )
    if not isinstance(value, float):
        raise InvalidType(
            f"learning rate should be float or LRScheduler, got {type(value)} here.",
            expected="a float",
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
            expected="a list of parameters",
            received=type(value).__name__,
            fix="pass parameters=net.parameters(), or put one parameter into a list",
        )
    given = list(value)
    if any(isinstance(item, dict) for item in given):
        raise Unimplemented(
            "parameter groups are not here yet.",
            expected="a list of parameters",
            received="a list of dicts",
            fix="make one optimizer for each group",
        )
    for position, item in enumerate(given):
        if not hasattr(item, "stop_gradient"):
            raise NoSuchName(
                f"`parameters`: the element at {position} is no Tensor.",
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
        wanted = f"{name} >= {low:g}" if high is None else f"{name} in [{low:g},{high:g})"
        raise InvalidArgument(
            f"Invalid value of {name}, expect {wanted}.",
            expected=wanted,
            received=f"{name}={value}",
            fix=f"leave {name} out for its default",
        )
    return float(value)


def as_attribute(value: float) -> float:
    """A number as Paddle's operators carry it: a float32 even where parameters are float64."""
    return float(np.float32(value))


def weight_decay(value: Any) -> float:
    """The coefficient of an L2 penalty; 0 for None."""
    if value is None:
        return 0.0
    if not isinstance(value, (int, float)):
        raise InvalidType(
            "weight_decay should be int, float or Tensor.",
            expected="a float: the coefficient of the L2 penalty",
            received=f"{type(value).__name__} {value!r:.40}",
            fix="pass for example weight_decay=0.01",
        )
    return float(value)


def grad_clip(value: Any) -> None:
    """None; clipping is refused by name until there is some."""
    if value is not None:
        raise InvalidType(
            "'grad_clip' should be an instance of GradientClipBase's derived class, of which "
            "there is none here yet.",
            expected="None",
            received=f"{type(value).__name__} {value!r:.40}",
            fix="clip by hand between backward() and step(): p.grad = paddle.clip(p.grad, -1, 1)",
        )


FIX = {
    "amsgrad": "use Adam without it",
    "apply_decay_param_fun": "make two optimizers: one with weight_decay=0.0",
    "lr_ratio": "set p.optimize_attr['learning_rate'] of each parameter p",
    "multi_precision": "keep the parameters in float32",
    "rescale_grad": "scale the loss instead: (loss * factor).backward()",
    "use_lowprecision_moment": "leave it out: the moments have the parameter's type",
}


def not_here(**given: Any) -> None:
    """Refuse options of Paddle's that are not here, unless they are left at their defaults."""
    for option, value in given.items():
        if value:
            raise Unimplemented(
                f"the option {option} of this optimizer is not here yet.",
                expected="its default",
                received=f"{option}={value!r:.40}",
                fix=FIX[option],
            )
