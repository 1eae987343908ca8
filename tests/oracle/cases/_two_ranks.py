"""Collectives on two ranks, whose answers `record_ranks.py` records rank by rank.

Cases avoid what real Paddle's CPU backend cannot do: alltoall, reduce_scatter, averages, complex
numbers.
"""

from collections.abc import Callable
from typing import Any

from ..harness import Show, case

DTYPES = ("float32", "float64", "int32", "int64", "bool", "uint8")


def leaf(paddle: Any, *numbers: float) -> Any:
    """Return a tensor of this rank that needs a gradient."""
    rank = paddle.distributed.get_rank()
    return paddle.to_tensor([n + rank for n in numbers], stop_gradient=False)


def in_a_graph(paddle: Any, show: Show, call: Callable[[Any], Any]) -> None:
    """Show y after the call, and the gradient of x through the square of y."""
    x = leaf(paddle, 1.0, -2.0)
    y = x * 2
    call(y)
    (y * y).sum().backward()
    show("y", y)
    show("x.grad", x.grad)
    show("y stops", y.stop_gradient)


@case
def all_reduce_values(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    for op in ("SUM", "MAX", "MIN", "PROD"):
        x = leaf(paddle, 1.5, -2.0).detach()
        dist.all_reduce(x, op=getattr(dist.ReduceOp, op))
        show(op, x)
    for dtype in DTYPES:
        x = paddle.ones([2]).astype(dtype)
        dist.all_reduce(x)
        show(dtype, x)
    x = paddle.to_tensor(1.0 + dist.get_rank())
    dist.all_reduce(x)
    show("without axes", x)


@case(differs="a sum of halves is inf there")
def all_reduce_of_halves(paddle: Any, show: Show) -> None:
    x = paddle.ones([2]).astype("float16")
    paddle.distributed.all_reduce(x)
    show("sum", x.astype("float32"))


@case
def all_reduce_of_a_leaf(paddle: Any, show: Show) -> None:
    x = leaf(paddle, 1.0)
    paddle.distributed.all_reduce(x)
    show("x", x)
    show("leaf", x.is_leaf)
    show("stops", x.stop_gradient)


@case
def all_reduce_in_a_graph(paddle: Any, show: Show) -> None:
    in_a_graph(paddle, show, paddle.distributed.all_reduce)


@case
def maximum_in_a_graph(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    in_a_graph(paddle, show, lambda y: dist.all_reduce(y, op=dist.ReduceOp.MAX))


@case(differs="what was saved before is changed silently there")
def all_reduce_of_what_was_saved(paddle: Any, show: Show) -> None:
    x = leaf(paddle, 1.0)
    y = x * 2
    z = (y * y).sum()
    paddle.distributed.all_reduce(y)
    show.raises("backward", z.backward)


@case
def reduce_in_a_graph(paddle: Any, show: Show) -> None:
    in_a_graph(paddle, show, lambda y: paddle.distributed.reduce(y, dst=0))


@case
def broadcast_in_a_graph(paddle: Any, show: Show) -> None:
    in_a_graph(paddle, show, lambda y: paddle.distributed.broadcast(y, src=1))


@case
def scatter_in_a_graph(paddle: Any, show: Show) -> None:
    first = paddle.distributed.get_rank() == 0
    in_a_graph(
        paddle,
        show,
        lambda y: paddle.distributed.scatter(y, [y * 3, y * 4] if first else None, src=0),
    )


@case
def send_and_recv_in_a_graph(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    first = dist.get_rank() == 0
    in_a_graph(paddle, show, lambda y: dist.send(y, dst=1) if first else dist.recv(y, src=0))


@case
def without_waiting(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    x = leaf(paddle, 1.0, 2.0)
    task = dist.isend(x, dst=1) if dist.get_rank() == 0 else dist.irecv(x, src=0)
    show("waited", task.wait())
    show("x", x)
    show("leaf", x.is_leaf)
    y = leaf(paddle, 1.0).detach()
    task = dist.all_reduce(y, sync_op=False)
    task.wait()
    show("y", y)
    show("completed", task.is_completed())


@case
def all_gather_values(paddle: Any, show: Show) -> None:
    rows: list[Any] = []
    paddle.distributed.all_gather(rows, leaf(paddle, 1.0, 2.0) * 2)
    show("rows", [row.numpy() for row in rows])
    show("stop", [row.stop_gradient for row in rows])


@case
def all_gather_into_results(paddle: Any, show: Show) -> None:
    rows: list[Any] = []

    def call(y: Any) -> None:
        rows[:] = [y, y * 2]
        paddle.distributed.all_gather(rows, y + 1)

    in_a_graph(paddle, show, call)
    show("second", rows[1])


@case
def gather_values(paddle: Any, show: Show) -> None:
    rows: list[Any] = []
    paddle.distributed.gather(leaf(paddle, 1.0), rows, dst=1)
    show("rows", [row.numpy() for row in rows])


@case
def objects(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    gathered: list[Any] = []
    dist.all_gather_object(gathered, dist.get_rank())
    show("all_gather_object", gathered)
    spread = [dist.get_rank(), "a"]
    dist.broadcast_object_list(spread, src=1)
    show("broadcast_object_list", spread)
    one: list[Any] = []
    dist.scatter_object_list(one, ["a", [1]] if dist.get_rank() == 0 else None, src=0)
    show("scatter_object_list", one)


@case
def environment(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    show("rank", (dist.get_rank(), dist.get_world_size(), dist.is_initialized()))
    show("group", str(dist.get_group()))
    show("the same", dist.init_parallel_env() is dist.get_group())
    group = dist.new_group([1, 0])
    show("ranks", group.ranks)
    show("inside", (group.rank, group.nranks, group.is_member(), group.get_group_rank(1)))
    x = leaf(paddle, 1.0).detach()
    dist.all_reduce(x, group=group)
    show("sum", x)
    show("barrier", dist.barrier())


@case(differs="a group of one rank has rank -1 there, for this rank, too")
def a_group_of_one(paddle: Any, show: Show) -> None:
    group, other = (paddle.distributed.new_group([rank]) for rank in (0, 1))
    show("members", (group.is_member(), other.is_member()))


@case
def wrong_arguments(paddle: Any, show: Show) -> None:
    dist = paddle.distributed
    x = paddle.ones([1])
    show.raises("op", lambda: dist.all_reduce(x, op=9))
    show.raises("a rank that is not there", lambda: dist.broadcast(x, src=7))
