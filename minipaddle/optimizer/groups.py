"""Parameter groups: parameters that share settings."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..engine.errors import CheckFailed, InvalidArgument
from ..errors import misfit, wrong_type
from . import checks

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
        return [Group(checks.members(parameters or []), clip, decay, 1.0, {})]
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
    checks.members(params, f"parameter group {number}")
    options = {key: value for key, value in row.items() if key not in GENERAL}
    if not decays and "weight_decay" in row:
        options["weight_decay"] = checks.coefficient(row["weight_decay"])
    elif "weight_decay" in row:
        decay = checks.weight_decay(row["weight_decay"])
    rate = float(row.get("learning_rate", 1.0))
    for param in params:
        _store_settings(param, rate, decay, decays)
    return Group(params, checks.grad_clip(row.get("grad_clip", clip)), decay, rate, options)


def _store_settings(param: Any, rate: float, decay: Any, decays: bool) -> None:
    """Store a group's factor and penalty in a Parameter; plain Tensors have no such attributes."""
    if hasattr(param, "optimize_attr"):
        param.optimize_attr["learning_rate"] = rate
        if decays:
            param.regularizer = decay
