"""Rules of Paddle's optimizers in terms of minipaddle's, which have their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import paddle

from minipaddle.events import Value
from minipaddle.optimizer.recorded_rule import (
    CLIPS,
    PENALTIES,
    describe_rule,
    formula_of,
    rules,
)

from .updates import Followed

Options = dict[str, Any]


def groups_of(optimizer: Any) -> list[tuple[int, Options, Any]]:
    """Return the parameters of an optimizer, each with the number and options of its group."""
    groups = optimizer._param_groups or optimizer._parameter_list or []
    if not groups or not isinstance(groups[0], dict):
        groups = [{"params": groups}]
    return [(at, group, param) for at, group in enumerate(groups) for param in group["params"]]


def moments(optimizer: Any, group: Options) -> Options:
    names = ("beta1", "beta2", "epsilon")
    options = {name: group.get(name, getattr(optimizer, f"_{name}")) for name in names}
    return {name: float(value) for name, value in options.items()}


def adam(optimizer: Any, group: Options, _param: Any) -> tuple[str, Options]:
    return "AdamRule", {**moments(optimizer, group), "amsgrad": optimizer._amsgrad}


def adamw(optimizer: Any, group: Options, param: Any) -> tuple[str, Options]:
    chooses = optimizer._apply_decay_param_fun
    decay = float(group.get("weight_decay", optimizer._weight_decay))
    _, options = adam(optimizer, group, param)
    with_decay = chooses is None or bool(chooses(param.name))
    return "AdamWRule", {**options, "weight_decay": decay, "with_decay": with_decay}


def momentum(optimizer: Any, _group: Options, _param: Any) -> tuple[str, Options]:
    nesterov, scale = optimizer._use_nesterov, float(optimizer._rescale_grad)
    options = {"momentum": float(optimizer._momentum), "use_nesterov": nesterov}
    return "MomentumRule", {**options, "rescale_grad": scale}


def adagrad(optimizer: Any, _group: Options, _param: Any) -> tuple[str, Options]:
    first = float(optimizer.initial_accumulator_value)
    return "AdagradRule", {"epsilon": float(optimizer._epsilon), "initial": first}


def rmsprop(optimizer: Any, _group: Options, _param: Any) -> tuple[str, Options]:
    names = ("rho", "epsilon", "momentum")
    options = {name: float(getattr(optimizer, f"_{name}")) for name in names}
    return "RMSPropRule", {**options, "centered": bool(optimizer._centered)}


RULES: dict[type, Callable[[Any, Options, Any], tuple[str, Options]]] = {
    paddle.optimizer.SGD: lambda *_: ("SGDRule", {}),
    paddle.optimizer.Momentum: momentum,
    paddle.optimizer.Adam: adam,
    paddle.optimizer.AdamW: adamw,
    paddle.optimizer.Adagrad: adagrad,
    paddle.optimizer.RMSProp: rmsprop,
}


def update_rule_of(
    optimizer: Any, group: Options, number: int, param: Any, value_of: Callable[[Any], Value]
) -> Followed:
    """Return the rule by which an optimizer will update a parameter of one of its groups."""
    factor = float(getattr(param, "optimize_attr", {}).get("learning_rate", 1.0))
    rate = float(optimizer.get_lr()) * factor
    describe = RULES.get(type(optimizer))
    if describe is None or getattr(optimizer, "_lr_ratio", None) is not None:
        return Followed(rate=rate)
    name, options = describe(optimizer, group, param)
    decay, clip = penalty_of(optimizer, group, param), clip_of(group, optimizer)
    if decay is Followed or clip is Followed:
        return Followed(rate=rate)
    rule: Any = rules()[name](**options)
    state: list[Value] | None = []
    for kind in rule.accumulators(tuple(param.shape)):
        held = optimizer._accumulators.get(kind.name, {}).get(param.name)
        state = None if held is None or state is None else [*state, value_of(held)]
    clips = bool(getattr(param, "need_clip", True))
    follows = describe_rule(rule, decay, clip, factor, clips, number)
    formula = formula_of(rule, decay, clip if clips else None)
    return Followed(formula, rate, follows, None if state is None else tuple(state))


def penalty_of(optimizer: Any, group: Options, param: Any) -> Any:
    """Return minipaddle's penalty for a parameter, None if it has none, Followed for another."""
    if type(optimizer) is paddle.optimizer.AdamW:
        return None
    given = getattr(param, "regularizer", None) or optimizer.regularization
    given = group.get("weight_decay", given)
    if given is None and getattr(optimizer, "_regularization_method", "") == "l2_decay":
        given = float(optimizer._regularization_coeff)  # a part of Paddle's operator
    if given is None or isinstance(given, float):
        return PENALTIES["L2Decay"](given) if given else None
    kind = PENALTIES.get(type(given).__name__.removesuffix("Regularizer"))
    return Followed if kind is None else kind(float(given._coeff))


def clip_of(group: Options, optimizer: Any) -> Any:
    """Return minipaddle's clipping of a group, None if it has none, Followed for another."""
    given = group.get("grad_clip", optimizer._grad_clip)
    if given is None:
        return None
    kind, names = CLIPS.get(type(given).__name__, (None, ()))
    return Followed if kind is None else kind(*[float(getattr(given, each)) for each in names])
