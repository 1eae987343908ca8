"""Checks of the arguments of optimizers."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from ..engine import modes
from ..engine.errors import CheckFailed, InvalidArgument, NoSuchName
from ..engine.tensor import Tensor
from ..errors import misfit, wrong_type
from ..nn.clip import ClipGradBase
from ..regularizer import L2Decay, WeightDecayRegularizer
from . import errors
from .lr import LRScheduler


def learning_rate(value: Any) -> Any:
    """Return the learning rate; raise an error unless it is a float or a scheduler."""
    if value is None:
        what, fix = "learning_rate is not set.", "pass for example learning_rate=0.01"
        raise wrong_type(what, value, errors.RATE, fix, InvalidArgument)
    if not isinstance(value, (float, LRScheduler)):
        what = f"learning rate should be float or LRScheduler, got {type(value)} here."
        fix = f"write {float(value)}" if isinstance(value, int) else "pass a number such as 0.01"
        raise wrong_type(what, value, errors.RATE, fix)
    return value


def parameters(value: Any) -> list[Any] | None:
    """Return the parameters to train as a list; None, in static mode only, means all of them."""
    if value is None:
        if modes.is_static():
            return None
        raise errors.no_parameters()
    if isinstance(value, (Tensor, dict)) or not hasattr(value, "__iter__"):
        what = "`parameters` argument given to the optimizer should be an iterable of Tensors."
        fix = "pass parameters=net.parameters(), or put one parameter into a list"
        raise wrong_type(what, value, "a list of parameters, or of dicts: parameter groups", fix)
    return list(value)


def members(params: list[Any], name: str = "`parameters`") -> list[Any]:
    """Return the list; raise an error for an item that is no Tensor."""
    for position, item in enumerate(params):
        if not hasattr(item, "stop_gradient"):
            what = f"{name}: the element at {position} is no Tensor."
            raise wrong_type(what, item, "Tensors", errors.PARAMETERS, NoSuchName)
    return params


def numbers(low: float = -inf, high: float | None = None, /, **values: Any) -> dict[str, Any]:
    """Return hyper-parameters as floats, by name; raise an error for one outside [low, high)."""
    return {name: number(name, value, low, high) for name, value in values.items()}


def number(name: str, value: Any, low: float, high: float | None = None) -> float:
    """Return a hyper-parameter as a float; raise an error unless it is in [low, high)."""
    if value is None or isinstance(value, str) or not hasattr(value, "__float__"):
        what = f"{name} is not set." if value is None else f"{name} must be a number."
        fix = f"leave {name} out for its default"
        raise wrong_type(what, value, "a float", fix, InvalidArgument)
    if value < low or (high is not None and value >= high):
        bounds = f"{name} >= {low:g}" if high is None else f"{low:g} <= {name} < {high:g}"
        raise misfit("", bounds, **{name: value})
    return float(value)


def betas(beta1: Any, beta2: Any, epsilon: Any) -> dict[str, Any]:
    """Return the checked hyper-parameters of Adam and its variants."""
    return numbers(0, 1, beta1=beta1, beta2=beta2) | numbers(0, epsilon=epsilon)


def coefficient(value: Any) -> float:
    """Return the strength of a weight decay that is no regularizer; raise unless it is a number."""
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        expected = "a float: how much of the parameter each step takes away"
        raise wrong_type("weight_decay should be a number.", value, expected, errors.DECAY)
    return float(value)


def weight_decay(value: Any) -> WeightDecayRegularizer | None:
    """Return the penalty; a number is the coefficient of an L2 penalty."""
    if value is None or isinstance(value, WeightDecayRegularizer):
        return value
    if not isinstance(value, (int, float)):
        what = "weight_decay should be a float or a regularizer."
        expected = "a float: the coefficient of the L2 penalty; or paddle.regularizer.L1Decay"
        raise wrong_type(what, value, expected, errors.DECAY)
    return L2Decay(float(value))


def grad_clip(value: Any) -> ClipGradBase | None:
    """Return the clipping of gradients; raise an error for another object."""
    if value is not None and not isinstance(value, ClipGradBase):
        what = "'grad_clip' should be an instance of GradientClipBase's derived class."
        expected = "None, or a ClipGradByValue, ClipGradByNorm or ClipGradByGlobalNorm"
        fix = "write for example grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)"
        raise wrong_type(what, value, expected, fix)
    return value


def function(name: str, value: Any) -> Any:
    """Return a function or None; raise an error for another object."""
    if value is not None and not callable(value):
        what, expected = f"{name} should be a function.", "a function of a parameter, or None"
        raise wrong_type(what, value, expected, "write lambda name: 'bias' not in name")
    return value


# ----- parameter groups --------------------------------------------------------------------------


GENERAL = frozenset(("params", "learning_rate", "weight_decay", "grad_clip"))


class Group(NamedTuple):
    """Parameters with their own settings in place of the optimizer's.

    `rate` is a factor of the learning rate, `options` are hyper-parameters by name.
    """

    params: list[Any]
    clip: Any
    decay: Any
    rate: float
    options: dict[str, Any]


def make_groups(parameters: list[Any] | None, clip: Any, decay: Any, decays: bool) -> list[Group]:
    """Return the groups of `parameters`; a plain list is one group.

    `decays` says whether weight_decay is a penalty in the gradient.
    """
    if not parameters or not isinstance(parameters[0], dict):
        return [Group(members(parameters or []), clip, decay, 1.0, {})]
    groups: list[Group] = []
    seen: set[Any] = set()
    for number, row in enumerate(parameters):
        group = _make_group(number, row, clip, decay, decays)
        for param in group.params:
            if param in seen:
                expected, fix = "each parameter in one group, once", "take it out of one of them"
                raise misfit("", expected, InvalidArgument, fix, parameter=param.name, group=number)
            seen.add(param)
        groups.append(group)
    return groups


def _make_group(number: int, row: Any, clip: Any, decay: Any, decays: bool) -> Group:
    if not isinstance(row, dict) or "params" not in row:
        what = f"parameter group {number} should be a dict with params."
        expected = "dicts such as {'params': layer.parameters(), 'learning_rate': 0.1}"
        fix = "put the group's parameters under the key 'params'"
        raise wrong_type(what, row, expected, fix, CheckFailed)
    params = row["params"]
    if isinstance(params, set):
        what = f"parameter group {number}: parameters should be in an ordered collection."
        raise wrong_type(what, params, "a list", "use a list instead of a set")
    params = [params] if hasattr(params, "stop_gradient") else list(params)
    members(params, f"parameter group {number}")
    options = {key: value for key, value in row.items() if key not in GENERAL}
    if not decays and "weight_decay" in row:
        options["weight_decay"] = coefficient(row["weight_decay"])
    elif "weight_decay" in row:
        decay = weight_decay(row["weight_decay"])
    rate = float(row.get("learning_rate", 1.0))
    for param in params:
        _store_settings(param, rate, decay, decays)
    return Group(params, grad_clip(row.get("grad_clip", clip)), decay, rate, options)


def _store_settings(param: Any, rate: float, decay: Any, decays: bool) -> None:
    """Store a group's factor and penalty in a Parameter; plain Tensors have no such attributes."""
    if hasattr(param, "optimize_attr"):
        param.optimize_attr["learning_rate"] = rate
        if decays:
            param.regularizer = decay
