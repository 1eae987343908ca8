"""Many ranks: processes that compute together, and MPI between them."""

from __future__ import annotations

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
from .messages import (
    irecv,
    isend,
    recv,
    send,
    wait,
)
from .objects import (
    all_gather_object,
    broadcast_object_list,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)

__all__ = [
    "Group",
    "ParallelEnv",
    "ReduceOp",
    "all_gather",
    "all_gather_object",
    "all_reduce",
    "alltoall",
    "barrier",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "functional",
    "gather",
    "get_backend",
    "get_group",
    "get_rank",
    "get_world_size",
    "init_parallel_env",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "scatter",
    "scatter_object_list",
    "send",
    "send_object_list",
    "wait",
]

__getattr__ = absent.names(__name__)
