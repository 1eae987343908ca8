"""Update rules of recorded parameters, described by names and numbers and rebuilt from them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np

from .. import events
from ..engine.dispatch import namespace_of
from ..nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from ..ops.arguments import reshape_like, scale_rate
from ..ops.rule_functions import array_functions
from ..regularizer import L1Decay, L2Decay
from .rule import Rule, with_numbers

CLIPS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "ClipGradByValue": (ClipGradByValue, ("max", "min")),
    "ClipGradByNorm": (ClipGradByNorm, ("clip_norm",)),
    "ClipGradByGlobalNorm": (ClipGradByGlobalNorm, ("clip_norm",)),
}
PENALTIES: dict[str, Any] = {"L1Decay": L1Decay, "L2Decay": L2Decay}
HERE = __name__.rpartition(".")[0]  # package of the rules that can be rebuilt


def describe_rule(
    rule: Rule, penalty: Any, clip: Any, factor: float, clips: bool, group: int
) -> events.UpdateRule | None:
    """Return a rule, penalty and clipping as names and numbers, or None if a user wrote one."""
    recipe, added, strength, name, bounds = rule.recipe, "", 0.0, "", {}
    if recipe is None:
        return None
    if penalty is not None:
        if type(penalty) not in PENALTIES.values():
            return None
        added, strength = type(penalty).__name__, float(penalty._coeff)
    if clip is not None:
        name = type(clip).__name__
        kind, fields = CLIPS.get(name, (None, ()))
        if type(clip) is not kind:
            return None
        bounds = {field: getattr(clip, field) for field in fields}
    return events.UpdateRule(*recipe, factor, added, strength, name, bounds, bool(clips), group)


def formula_of(rule: Rule, decay: Any, clip: Any) -> str:
    """Return the formula of a whole step, clipping and penalty included; empty if the rule has
    none."""
    before = [] if clip is None else [clip._formula]
    before += [] if decay is None else [with_numbers(decay._formula, {"λ": decay._coeff})]
    formula = rule.numbered_formula
    return ", ".join([*before, formula]) if before and formula else formula


def rules() -> dict[str, type[Rule]]:
    """Return the rules of all optimizers in this package, by name."""
    found: dict[str, type[Rule]] = {}
    kinds = [Rule]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.__module__.startswith(HERE):
            found[kind.__name__] = kind
    return found


class Update:
    """A recorded rule, applied to arrays.

    `stale` is the reason why the state is no longer known, `state` is None if it never was known.
    """

    def __init__(
        self,
        follows: events.UpdateRule,
        state: Sequence[Any] | None,
        shape: tuple[int, ...],
        dtype: str,
    ) -> None:
        self.follows = follows
        self.stale = ""
        found = rules().get(follows.rule)
        self.rule = found(**follows.options) if found else None
        self.penalty = PENALTIES[follows.penalty](follows.strength) if follows.penalty else None
        self.state: tuple[Any, ...] | None = None
        if self.rule is None:
            return
        if state is None:
            state = [
                np.full(kind.shape, kind.fill, kind.dtype or dtype)
                for kind in self.rule.accumulators(shape)
            ]
        if all(part is not None for part in state):
            self.state = tuple(state)

    def copy(self) -> Update:
        """Return the rule with a copy of its state."""
        twin = copy(self)
        twin.state = self.state and tuple(part.copy() for part in self.state)
        return twin

    @staticmethod
    def clip(follows: Sequence[events.UpdateRule], grads: Sequence[Any]) -> list[Any]:
        """Return the clipped gradients of a group; `follows` are the rules of the parameters."""
        kind, names = CLIPS[follows[0].clip]
        clip = kind(*[follows[0].bounds[name] for name in names])
        params = [SimpleNamespace(need_clip=rule.clips) for rule in follows]
        xp = namespace_of([*grads])
        pairs = clip.clip(array_functions(xp), list(zip(params, grads, strict=True)))
        return [reshape_like(grad, new) for grad, (_, new) in zip(grads, pairs, strict=True)]

    def rate(self, rate: float, dtype: Any) -> float:
        """Return the optimizer's learning rate with the parameter's own factor."""
        return scale_rate(rate, self.follows.factor, dtype)

    def change(self, param: Any, grad: Any, rate: float) -> tuple[Any, ...]:
        """Update the parameter and its state in place, and return both."""
        assert self.rule is not None
        assert self.state is not None
        xp = namespace_of([param])
        if self.penalty is not None:
            grad = grad + self.penalty.term(array_functions(xp), param)
        self.rule.update(xp, param, grad, rate, self.state, xp.empty_like(param))
        return param, *self.state
