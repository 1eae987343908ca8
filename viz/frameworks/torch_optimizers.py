"""Rules of PyTorch's optimizers in terms of minipaddle's, where both compute the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from minipaddle.events import UpdateRule, Value
from minipaddle.optimizer.recorded_rule import rules

from ..document.values import brief
from .torch_tensors import value_of
from .updates import Followed

State = tuple[Value, ...] | None
Options = dict[str, Any]


def sgd(group: Any, state: Any) -> tuple[str, Options, State] | None:
    momentum, buffer = group["momentum"], state.get("momentum_buffer")
    if not momentum:
        return "SGDRule", {}, () if state else None
    if group["dampening"]:
        return None
    options = {"momentum": momentum, "use_nesterov": group["nesterov"], "rescale_grad": 1.0}
    return "MomentumRule", options, None if buffer is None else (value_of(buffer, copy=True),)


def adam(group: Any, state: Any) -> tuple[str, Options, State]:
    betas, largest = group["betas"], group["amsgrad"]
    options = {
        **{f"beta{k}": float(beta) for k, beta in enumerate(betas, 1)},
        "epsilon": group["eps"],
        "amsgrad": largest,
    }
    if not state:
        return "AdamRule", options, None
    names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")[: 3 if largest else 2]
    steps = int(state["step"]) + 1
    powers = (np.array([float(beta) ** steps]) for beta in betas)
    return "AdamRule", options, (
        *(value_of(state[name], copy=True) for name in names),
        *(Value((1,), "float64", power) for power in powers),
    )  # fmt: skip


def adagrad(group: Any, state: Any) -> tuple[str, Options, State] | None:
    if group["lr_decay"]:
        return None
    options = {"epsilon": group["eps"], "initial": group["initial_accumulator_value"]}
    return "AdagradRule", options, (value_of(state["sum"], copy=True),) if state else None


RULES: dict[type, Callable[[Any, Any], tuple[str, Options, State] | None]] = {
    torch.optim.SGD: sgd,
    torch.optim.Adam: adam,
    torch.optim.AdamW: adam,
    torch.optim.Adagrad: adagrad,
}


@lru_cache(maxsize=64)  # a schedule may change momentum in each round
def numbered_formula(name: str, *options: tuple[str, Any]) -> str:
    """Return the formula of a rule, with its numbers."""
    rule: Any = rules()[name](**dict(options))
    return str(rule.numbered_formula)


def update_rule_of(optimizer: Any, group: Any, param: Any) -> Followed:
    """Return the rule by which an optimizer will update a parameter of one of its groups.

    The options are those at the begin of the step; a hook of the step may still change them.
    """
    describe = RULES.get(type(optimizer))
    state = {} if brief.get() else optimizer.state.get(param, {})  # a flight does without it
    known = describe and describe(group, state)
    rate = float(group["lr"])
    if known is None or group.get("maximize") or param.is_complex():
        return Followed(rate=rate)
    name, options, state = known
    decay = float(group["weight_decay"])
    if group.get("decoupled_weight_decay") or type(optimizer) is torch.optim.AdamW:
        name, options = "AdamWRule", {**options, "weight_decay": decay, "with_decay": decay != 0}
        decay = 0.0
    formula = numbered_formula(name, *options.items())
    number = next(k for k, one in enumerate(optimizer.param_groups) if one is group)
    penalty = ("L2Decay", decay) if decay else ("", 0.0)
    follows = UpdateRule(name, options, 1.0, *penalty, "", {}, clips=True, group=number)
    formula = f"g ← g + {decay:g} p, {formula}" if decay else formula
    return Followed(formula, rate, follows, state)
