"""Reading an optimizer's saved state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..device import to_numpy
from ..engine.errors import CheckFailed
from ..engine.tensor import Tensor
from ..errors import misfit
from . import errors


def saved_array(state: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Any:
    """Return one array of a saved state; refuse a missing or misshapen one."""
    value = state.get(name)
    if value is None:
        raise errors.not_in_state(name, shape, state)
    array = to_numpy(value._data if isinstance(value, Tensor) else np.asarray(value))
    if array.shape != shape:
        expected = f"an array of shape {list(shape)}"
        fix = "load the state that was saved for the same network"
        raise misfit("set_state_dict", expected, CheckFailed, fix, **{name: array})
    return array


def scheduler_state(state: Mapping[str, Any], required: bool) -> Any:
    """Return the saved state of the learning rate's scheduler."""
    scheduler = state.get("LR_Scheduler")
    if scheduler is None and required:
        raise errors.no_scheduler_in_state(state)
    return scheduler
