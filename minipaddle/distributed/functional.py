"""Collectives whose gradient is the derivative of the sum of all ranks' losses.

Those of `paddle.distributed` write into memory and hand on what arrives, as real Paddle's do: the
gradient of this rank's own loss, as if the other ranks had nothing to do with it. These give new
tensors, and their backward is a collective again: that of `all_reduce` is `all_reduce`, that of
`all_gather` is `reduce_scatter`. So every rank of the group must go back through its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from ..engine import modes
from ..engine.pylayer.pylayer import PyLayer
from ..engine.tensor import Tensor
from ..ops import REGISTRY
from . import errors, requests
from .arguments import check_tensor, list_of_tensors, name_of_op, rank_inside
from .collectives import ReduceOp
from .exchange import perform
from .groups import GROUPS, Group, group_here
from .messages import Receiving, Sending


def members_of(what: str, group: Group | None) -> Group:
    """Return the group, of which this rank must be a member: it has no result otherwise."""
    found = GROUPS.of(group)
    if found.is_member():
        return group_here(found)  # type: ignore[return-value]
    rank = GROUPS.of(None).rank
    raise errors.not_in_group(what, rank, found.name, found.ranks)


def zeros(x: Any) -> Any:
    """Zeros like a tensor."""
    return REGISTRY["fill_like"].call(x, value=0.0)


def through(layer: Any, *args: Any) -> Any:
    """Return what a layer gives: on the tape where the gradients' graph is wanted, else at once."""
    wanted = modes.grad_enabled.get()
    return layer.apply(*args) if wanted else layer.forward(SimpleNamespace(), *args)


class AllReduce(PyLayer):
    """The sum, or the mean, over ranks; so is its gradient."""

    @staticmethod
    def forward(ctx: Any, x: Any, how: str, group: Group) -> Any:
        ctx.how, ctx.group = how, group
        return perform(requests.all_reduce(x, how, group, fresh=True), "all_reduce", x, op=how)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return through(AllReduce, dy, ctx.how, ctx.group)


class Reduce(PyLayer):
    """The sum, or the mean, on one rank, zeros elsewhere; the gradient comes from there."""

    @staticmethod
    def forward(ctx: Any, x: Any, dst: int, how: str, group: Group) -> Any:
        ctx.dst, ctx.how, ctx.group = dst, how, group
        made = perform(
            requests.reduce(x, dst, how, group, fresh=True), "reduce", x, op=how, dst=dst
        )
        return made if group.get_global_rank(group.rank) == dst else zeros(x)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        dx = through(Broadcast, dy, ctx.dst, ctx.group)
        return dx * (1.0 / ctx.group.nranks) if ctx.how == "avg" else dx


class Broadcast(PyLayer):
    """One rank's tensor everywhere; the gradients are summed there, and zero elsewhere."""

    @staticmethod
    def forward(ctx: Any, x: Any, src: int, group: Group) -> Any:
        ctx.src, ctx.group = src, group
        return perform(requests.broadcast(x, src, group, fresh=True), "broadcast", x, src=src)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return through(Reduce, dy, ctx.src, "sum", ctx.group)


class AllGather(PyLayer):
    """The tensors of all ranks; each gets the sum of the gradients that all have for it."""

    @staticmethod
    def forward(ctx: Any, x: Any, group: Group) -> Any:
        ctx.group = group
        return perform(requests.all_gather(x, group), "all_gather", x)

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        return through(ReduceScatter, "sum", ctx.group, *dys)


class ReduceScatter(PyLayer):
    """Sum of what all ranks have for this one; the gradients of all ranks come back."""

    @staticmethod
    def forward(ctx: Any, how: str, group: Group, *tensors: Any) -> Any:
        ctx.how, ctx.group = how, group
        exchange = requests.reduce_scatter(tensors[0], tensors, how, group, fresh=True)
        return perform(exchange, "reduce_scatter", list(tensors), op=how)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        if ctx.how == "avg":
            dy = dy * (1.0 / ctx.group.nranks)
        return tuple(through(AllGather, dy, ctx.group))


class Gather(PyLayer):
    """The tensors of all ranks on one, zeros elsewhere; the gradients are scattered from there."""

    @staticmethod
    def forward(ctx: Any, x: Any, dst: int, group: Group) -> Any:
        ctx.dst, ctx.group = dst, group
        made = perform(requests.gather(x, dst, group), "dist_gather", x, dst=dst)
        return made or [zeros(x) for _ in group.ranks]

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        return through(Scatter, ctx.dst, ctx.group, *dys)


class Scatter(PyLayer):
    """One of the tensors of one rank for each; the gradients are gathered there."""

    @staticmethod
    def forward(ctx: Any, src: int, group: Group, *tensors: Any) -> Any:
        ctx.src, ctx.group = src, group
        exchange, given = requests.scatter(tensors[0], tensors, src, group, fresh=True)
        return perform(exchange, "dist_scatter", given, src=src)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return tuple(through(Gather, dy, ctx.src, ctx.group))


class AllToAll(PyLayer):
    """Exchange in which each rank gives one tensor to each; gradients go back the same way."""

    @staticmethod
    def forward(ctx: Any, group: Group, *tensors: Any) -> Any:
        ctx.group = group
        return perform(requests.alltoall(tensors, group), "alltoall", list(tensors))

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        return tuple(through(AllToAll, ctx.group, *dys))


class Send(PyLayer):
    """A message, and a zero that stands for it: back from there goes what the receiver sends."""

    @staticmethod
    def forward(ctx: Any, x: Any, dst: int, group: Group) -> Any:
        ctx.dst, ctx.group = dst, group
        ctx.shape, ctx.dtype = x.shape, x.dtype
        perform(Sending(group, x, dst), "send", x, dst=dst)
        return REGISTRY["full"].call(shape=[], fill_value=0.0, dtype=x.dtype)

    @staticmethod
    def backward(ctx: Any, token: Any) -> Any:
        room = REGISTRY["full"].call(shape=ctx.shape, fill_value=0.0, dtype=ctx.dtype)
        return through(Receive, room + token * 0.0, ctx.dst, ctx.group)


class Receive(PyLayer):
    """A message in the place of x; its gradient is sent to where it came from."""

    @staticmethod
    def forward(ctx: Any, x: Any, src: int, group: Group) -> Any:
        ctx.src, ctx.group = src, group
        return perform(Receiving(group, x, src, fresh=True), "recv", x, src=src)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return zeros(dy) + through(Send, dy, ctx.src, ctx.group)


# ----- the functions -----------------------------------------------------------------------------


def all_reduce(x: Tensor, op: int = ReduceOp.SUM, group: Group | None = None) -> Tensor:
    """The sum (or what `op` says) of the tensors of all ranks, with its true gradient.

    The gradient of a sum is the sum over ranks of what arrives; MAX, MIN and PROD are computed from
    all tensors, gathered.

    Shapes and dtypes: those of x, the same on all ranks.
    Errors: RuntimeError before `init_parallel_env`, or where ranks do not call the same; ValueError
    on a rank that is not in the group.
    Source: minipaddle's own.

    >>> import minipaddle as paddle
    >>> paddle.distributed.functional.all_reduce(paddle.ones([2]))  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    members, x = members_of("all_reduce", group), check_tensor("all_reduce", "x", x)
    how = name_of_op("all_reduce", op, x)
    if how in ("sum", "avg"):
        return AllReduce.apply(x, how, members)  # type: ignore[no-any-return]
    rows = REGISTRY["stack"].call(all_gather(x, group), axis=0)
    return REGISTRY[how].call(rows, axis=0)  # type: ignore[no-any-return]


def reduce(x: Tensor, dst: int, op: int = ReduceOp.SUM, group: Group | None = None) -> Tensor:
    """The sum or the mean of the tensors of all ranks on rank `dst`, zeros elsewhere.

    The gradient comes from rank `dst`, through the zeros of the others.
    Source: minipaddle's own; shapes and errors as of `all_reduce`, and ValueError for another op.
    """
    members, x = members_of("reduce", group), check_tensor("reduce", "x", x)
    how = name_of_op("reduce", op, x)
    if how not in ("sum", "avg"):
        raise errors.reduce_without_gradient(how)
    rank_inside("reduce", members, dst)
    return Reduce.apply(x, dst, how, members)  # type: ignore[no-any-return]


def broadcast(x: Tensor, src: int, group: Group | None = None) -> Tensor:
    """The tensor of rank `src`, which gets the sum of all ranks' gradients.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = members_of("broadcast", group)
    rank_inside("broadcast", members, src)
    return Broadcast.apply(check_tensor("broadcast", "x", x), src, members)  # type: ignore[no-any-return]


def all_gather(x: Tensor, group: Group | None = None) -> list[Tensor]:
    """The tensors of all ranks; back comes the sum of what all ranks have for this one.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = members_of("all_gather", group)
    return list(AllGather.apply(check_tensor("all_gather", "x", x), members))


def reduce_scatter(
    tensors: Sequence[Tensor], op: int = ReduceOp.SUM, group: Group | None = None
) -> Tensor:
    """The sum or the mean of what all ranks have for this one; back come all ranks' gradients.

    Source: minipaddle's own; shapes and errors as of `reduce`.
    """
    members = members_of("reduce_scatter", group)
    given = list_of_tensors("reduce_scatter", "tensors", tensors, members)
    how = name_of_op("reduce_scatter", op, given[0])
    if how not in ("sum", "avg"):
        rows = REGISTRY["stack"].call(alltoall(given, group), axis=0)
        return REGISTRY[how].call(rows, axis=0)  # type: ignore[no-any-return]
    return ReduceScatter.apply(how, members, *given)  # type: ignore[no-any-return]


def gather(x: Tensor, dst: int = 0, group: Group | None = None) -> list[Tensor]:
    """The tensors of all ranks on rank `dst`, zeros elsewhere, through which gradients come back.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = members_of("gather", group)
    rank_inside("gather", members, dst)
    return list(Gather.apply(check_tensor("gather", "x", x), dst, members))


def scatter(tensors: Sequence[Tensor], src: int = 0, group: Group | None = None) -> Tensor:
    """One of the tensors of rank `src` for each; the others' lists get gradients of zero.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = members_of("scatter", group)
    rank_inside("scatter", members, src)
    given = list_of_tensors("scatter", "tensors", tensors, members)
    return Scatter.apply(src, members, *given)  # type: ignore[no-any-return]


def alltoall(tensors: Sequence[Tensor], group: Group | None = None) -> list[Tensor]:
    """Number r of each rank's list for rank r; gradients go back the same way.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = members_of("alltoall", group)
    return list(AllToAll.apply(members, *list_of_tensors("alltoall", "tensors", tensors, members)))


def send(x: Tensor, dst: int, group: Group | None = None) -> Tensor:
    """Send x to rank `dst`, and give a zero whose `backward()` brings the gradient from there.

    Source: minipaddle's own; errors as of `paddle.distributed.send`.
    """
    members = members_of("send", group)
    rank_inside("send", members, dst)
    return Send.apply(check_tensor("send", "x", x), dst, members)  # type: ignore[no-any-return]


def recv(x: Tensor, src: int, group: Group | None = None) -> Tensor:
    """The tensor that rank `src` sends, like x; its gradient goes back to the sender.

    Source: minipaddle's own; errors as of `paddle.distributed.recv`.
    """
    members = members_of("recv", group)
    rank_inside("recv", members, src)
    like = REGISTRY["assign"].call(check_tensor("recv", "x", x))
    like.stop_gradient = False  # so that its result is on the tape
    return Receive.apply(like, src, members)  # type: ignore[no-any-return]
