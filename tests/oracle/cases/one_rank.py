"""paddle.distributed in one process, which nothing has started together with others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..harness import Show, case


def warned(show: Show, label: str, call: Callable[[], Any]) -> None:
    """Show the result of a call and the warnings that come with it."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        show(label, call())
    show(f"{label} warns", [str(each.message) for each in heard])


@case
def before_it_begins(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    show("rank", (dist.get_rank(), dist.get_world_size(), dist.is_initialized()))
    env = dist.ParallelEnv()
    show("env", (env.rank, env.world_size, env.nranks, env.local_rank, env.pg_timeout))
    show("ops", [dist.ReduceOp.SUM, dist.ReduceOp.MAX, dist.ReduceOp.MIN, dist.ReduceOp.PROD])
    show("average", dist.ReduceOp.AVG)


@case
def beginning_alone(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    warned(show, "init", dist.init_parallel_env)
    show("initialized", dist.is_initialized())
    warned(show, "group", lambda: dist.get_group(7))


@case
def every_collective_refuses(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    x = paddle.ones([1])
    show.raises("all_reduce", lambda: dist.all_reduce(x))
    show.raises("reduce", lambda: dist.reduce(x, dst=0))
    show.raises("broadcast", lambda: dist.broadcast(x, src=0))
    show.raises("scatter", lambda: dist.scatter(x, [x], src=0))
    show.raises("gather", lambda: dist.gather(x, [], dst=0))
    show.raises("all_gather", lambda: dist.all_gather([], x))
    show.raises("reduce_scatter", lambda: dist.reduce_scatter(x, [x]))
    show.raises("alltoall", lambda: dist.alltoall([], [x]))
    show.raises("send", lambda: dist.send(x, dst=0))
    show.raises("recv", lambda: dist.recv(x, src=0))
    show.raises("isend", lambda: dist.isend(x, dst=0))
    show.raises("irecv", lambda: dist.irecv(x, src=0))
    show.raises("barrier", lambda: dist.barrier())  # noqa: PLW0108  (as the others)
    show.raises("get_backend", lambda: dist.get_backend())  # noqa: PLW0108
    show.raises("destroy", lambda: dist.destroy_process_group())  # noqa: PLW0108
    show.raises("all_gather_object", lambda: dist.all_gather_object([], 1))
    show.raises("broadcast_object_list", lambda: dist.broadcast_object_list([1], src=0))
    show.raises("scatter_object_list", lambda: dist.scatter_object_list([], [1]))


@case(differs="there it gives a group that nothing can be done with")
def a_group_before_it_begins(paddle: Any, show: Show) -> None:
    show.raises("new_group", lambda: paddle.distributed.new_group([0]))
