"""Many ranks: processes that compute together, and MPI between them."""

from __future__ import annotations

from ..paddle_names import absent
from .collectives import ReduceOp, all_reduce, broadcast
from .environment import (
    ParallelEnv,
    destroy_process_group,
    get_backend,
    get_group,
    get_rank,
    get_world_size,
    init_parallel_env,
    is_initialized,
    new_group,
)
from .groups import Group

__all__ = [
    "Group",
    "ParallelEnv",
    "ReduceOp",
    "all_reduce",
    "broadcast",
    "destroy_process_group",
    "get_backend",
    "get_group",
    "get_rank",
    "get_world_size",
    "init_parallel_env",
    "is_initialized",
    "new_group",
]

__getattr__ = absent.names(__name__)
