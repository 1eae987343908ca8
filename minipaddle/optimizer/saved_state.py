"""Reading an optimizer's saved state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..device import to_numpy
from ..engine.tensor import Tensor
from . import errors


def saved_array(state: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Any:
    """One array of a saved state, after making sure that it is there and fits."""
    value = state.get(name)
    if value is None:
        raise errors.not_in_state(name, shape, state)
    array = to_numpy(value._data if isinstance(value, Tensor) else np.asarray(value))
    if array.shape != shape:
        raise errors.saved_shape(name, array.shape, shape)
    return array


def scheduler_state(state: Mapping[str, Any], required: bool) -> Any:
    """What a saved state says of the learning rate's scheduler."""
    scheduler = state.get("LR_Scheduler")
    if scheduler is None and required:
        raise errors.no_scheduler_in_state(state)
    return scheduler


def as_mapping(state: Any) -> Mapping[str, Any]:
    """A saved state is a dict."""
    if not isinstance(state, Mapping):
        raise errors.state_not_dict(state)
    return state
