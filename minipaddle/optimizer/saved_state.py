"""Reading an optimizer's saved state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..device import to_numpy
from ..engine.errors import CheckFailed
from ..engine.tensor import Tensor


def saved_array(state: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Any:
    """One array of a saved state, after making sure that it is there and fits."""
    value = state.get(name)
    if value is None:
        raise CheckFailed(
            f"optimizer Tensor {name} not found.",
            expected=f"an array of shape {list(shape)} under that name",
            received=f"{', '.join(state) or 'nothing':.80}",
            fix="load the state that this kind of optimizer saved for the same network",
        )
    array = to_numpy(value._data if isinstance(value, Tensor) else np.asarray(value))
    if array.shape != shape:
        raise CheckFailed(
            f"optimizer Tensor {name} does not fit.",
            expected=f"an array of shape {list(shape)}",
            received=f"shape {list(array.shape)}",
            fix="load the state that was saved for the same network",
        )
    return array


def scheduler_state(state: Mapping[str, Any], required: bool) -> Any:
    """What a saved state says of the learning rate's scheduler."""
    scheduler = state.get("LR_Scheduler")
    if scheduler is None and required:
        raise CheckFailed(
            "LR_Scheduler state must be included in the state dict except LambdaDecay.",
            expected="'LR_Scheduler' among the keys",
            received=f"{', '.join(state) or 'nothing':.80}",
            fix="load what state_dict() of an optimizer with a scheduler gave",
        )
    return scheduler


def as_mapping(state: Any) -> Mapping[str, Any]:
    """A saved state is a dict."""
    if not isinstance(state, Mapping):
        raise CheckFailed(
            "set_state_dict(): the state is no dict.",
            expected="what state_dict() returned, or paddle.load of it",
            received=f"{type(state).__name__} {state!r:.40}",
            fix="optimizer.set_state_dict(paddle.load('model.pdopt'))",
        )
    return state
