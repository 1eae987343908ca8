"""Many ranks: processes that compute together and communicate by MPI."""

# ruff: noqa: F401
# mypy: implicit-reexport

from __future__ import annotations

import importlib
from typing import Any

from ..ops.boundary import public as _public
from ..ops.boundary import public_names as _public_names
from ..ops.boundary import publish as _publish
from ..paddle_names import absent
from . import functional
from .collectives import (
    ReduceOp,
    all_gather,
    all_reduce,
    alltoall,
    barrier,
    broadcast,
    gather,
    reduce,
    reduce_scatter,
    scatter,
)
from .environment import (
    ParallelEnv,
    destroy_process_group,
    get_backend,
    get_group,
    get_rank,
    get_world_size,
    init_parallel_env,
    is_available,
    is_initialized,
    new_group,
)
from .groups import Group
from .messages import irecv, isend, recv, send, wait
from .objects import (
    all_gather_object,
    broadcast_object_list,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)

# Modules that need layers or start processes are loaded when first used.
_LATER = {"DataParallel": "data_parallel", "spawn": "spawning"}

__all__ = list(_public_names(globals(), "functional"))
__all__ += list(_LATER)

_absent_name = absent.names(__name__)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return _public(getattr(importlib.import_module(f".{_LATER[name]}", __name__), name), name)
    if name == "fleet":
        return importlib.import_module(".fleet", __name__)
    return _absent_name(name)


_publish(globals(), {*__all__} - {"Group"})
