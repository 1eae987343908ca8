"""Collectives whose gradient is the derivative of the sum of all ranks' losses.

The collectives of `paddle.distributed` write into existing tensors and pass gradients on unchanged,
as real Paddle's do: the gradient of this rank's loss alone. These return new tensors, and their
backward is again a collective: `all_reduce` for `all_reduce`, `reduce_scatter` for `all_gather`. So
every rank of the group must run backward through its result.
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
from .collectives import ReduceOp
from .exchange import perform
from .groups import (
    GROUPS,
    Group,
    check_tensor,
    check_tensors,
    group_here,
    group_rank,
    reduction_name,
)
from .messages import Receiving, Sending


def require_member(what: str, group: Group | None, rank: int | None = None) -> Group:
    """Return the group; raise an error if this process or `rank` is outside of it."""
    found = GROUPS.of(group)
    members = group_here(found) if found.is_member() else None
    if members is None:
        raise errors.not_in_group(what, GROUPS.of(None).rank, found.name, found.ranks)
    if rank is not None:
        group_rank(what, members, rank)
    return members


def zeros_like(x: Any) -> Any:
    """Return zeros like a tensor."""
    return REGISTRY["fill_like"].call(x, value=0.0)


def apply_layer(layer: Any, *args: Any) -> Any:
    """Apply a layer in backward, on the tape if gradients of gradients are wanted."""
    if modes.grad_enabled.get():
        return layer.apply(*args)
    return layer.forward(SimpleNamespace(), *args)


class AllReduce(PyLayer):
    """Sum or mean over ranks; its gradient is the sum or mean of the gradients."""

    @staticmethod
    def forward(ctx: Any, x: Any, how: str, group: Group) -> Any:
        ctx.how, ctx.group = how, group
        return perform(requests.all_reduce(x, how, group, fresh=True), "all_reduce", x, op=how)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return apply_layer(AllReduce, dy, ctx.how, ctx.group)


class Reduce(PyLayer):
    """Sum or mean on one rank, zeros elsewhere; the gradient is broadcast from that rank."""

    @staticmethod
    def forward(ctx: Any, x: Any, dst: int, how: str, group: Group) -> Any:
        ctx.dst, ctx.how, ctx.group = dst, how, group
        made = perform(
            requests.reduce(x, dst, how, group, fresh=True), "reduce", x, op=how, dst=dst
        )
        return made if group.get_global_rank(group.rank) == dst else zeros_like(x)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        dx = apply_layer(Broadcast, dy, ctx.dst, ctx.group)
        return dx * (1.0 / ctx.group.nranks) if ctx.how == "avg" else dx


class Broadcast(PyLayer):
    """Tensor of one rank on all ranks; its gradient is the sum of all ranks' gradients."""

    @staticmethod
    def forward(ctx: Any, x: Any, src: int, group: Group) -> Any:
        ctx.src, ctx.group = src, group
        return perform(requests.broadcast(x, src, group, fresh=True), "broadcast", x, src=src)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return apply_layer(Reduce, dy, ctx.src, "sum", ctx.group)


class AllGather(PyLayer):
    """Tensors of all ranks on each rank; the gradients are summed and scattered."""

    @staticmethod
    def forward(ctx: Any, x: Any, group: Group) -> Any:
        ctx.group = group
        return perform(requests.all_gather(x, group), "all_gather", x)

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        return apply_layer(ReduceScatter, "sum", ctx.group, *dys)


class ReduceScatter(PyLayer):
    """Sum or mean of all ranks' tensors for this rank; the gradients are gathered."""

    @staticmethod
    def forward(ctx: Any, how: str, group: Group, *tensors: Any) -> Any:
        ctx.how, ctx.group = how, group
        exchange = requests.reduce_scatter(tensors[0], tensors, how, group, fresh=True)
        return perform(exchange, "reduce_scatter", list(tensors), op=how)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        if ctx.how == "avg":
            dy = dy * (1.0 / ctx.group.nranks)
        return tuple(apply_layer(AllGather, dy, ctx.group))


class Gather(PyLayer):
    """Tensors of all ranks on one rank, zeros elsewhere; the gradients are scattered."""

    @staticmethod
    def forward(ctx: Any, x: Any, dst: int, group: Group) -> Any:
        ctx.dst, ctx.group = dst, group
        made = perform(requests.gather(x, dst, group), "dist_gather", x, dst=dst)
        return made or [zeros_like(x) for _ in group.ranks]

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        return apply_layer(Scatter, ctx.dst, ctx.group, *dys)


class Scatter(PyLayer):
    """Tensor for each rank from the list of one rank; the gradients are gathered there."""

    @staticmethod
    def forward(ctx: Any, src: int, group: Group, *tensors: Any) -> Any:
        ctx.src, ctx.group = src, group
        exchange, sent = requests.scatter(tensors[0], tensors, src, group, fresh=True)
        return perform(exchange, "dist_scatter", sent, src=src)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return tuple(apply_layer(Gather, dy, ctx.src, ctx.group))


class AllToAll(PyLayer):
    """Exchange of one tensor between each pair of ranks; gradients are exchanged likewise."""

    @staticmethod
    def forward(ctx: Any, group: Group, *tensors: Any) -> Any:
        ctx.group = group
        return perform(requests.alltoall(tensors, group), "alltoall", list(tensors))

    @staticmethod
    def backward(ctx: Any, *dys: Any) -> Any:
        return tuple(apply_layer(AllToAll, ctx.group, *dys))


class Send(PyLayer):
    """Message to a rank, with a zero as its result; backward receives the gradient."""

    @staticmethod
    def forward(ctx: Any, x: Any, dst: int, group: Group) -> Any:
        ctx.dst, ctx.group = dst, group
        ctx.shape, ctx.dtype = x.shape, x.dtype
        perform(Sending(group, x, dst), "send", x, dst=dst)
        return REGISTRY["full"].call(shape=[], fill_value=0.0, dtype=x.dtype)

    @staticmethod
    def backward(ctx: Any, token: Any) -> Any:
        room = REGISTRY["full"].call(shape=ctx.shape, fill_value=0.0, dtype=ctx.dtype)
        return apply_layer(Receive, room + token * 0.0, ctx.dst, ctx.group)


class Receive(PyLayer):
    """Message from a rank, like x; backward sends the gradient to that rank."""

    @staticmethod
    def forward(ctx: Any, x: Any, src: int, group: Group) -> Any:
        ctx.src, ctx.group = src, group
        return perform(Receiving(group, x, src, fresh=True), "recv", x, src=src)

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        return zeros_like(dy) + apply_layer(Send, dy, ctx.src, ctx.group)


# ----- the functions -----------------------------------------------------------------------------


def all_reduce(x: Tensor, op: int = ReduceOp.SUM, group: Group | None = None) -> Tensor:
    """Return the sum (or another `op`) of the tensors of all ranks, with its true gradient.

    The gradient of a sum is the sum over ranks of the arriving gradients; MAX, MIN and PROD are
    computed from the gathered tensors.

    Shapes and dtypes: those of x, equal on all ranks.
    Errors: RuntimeError before `init_parallel_env`, or if ranks call different things; ValueError
    on a rank that is not in the group.
    Source: minipaddle's own.

    >>> import minipaddle as paddle
    >>> paddle.distributed.functional.all_reduce(paddle.ones([2]))  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    members, x = require_member("all_reduce", group), check_tensor("all_reduce", "x", x)
    how = reduction_name("all_reduce", op, x)
    if how in ("sum", "avg"):
        return AllReduce.apply(x, how, members)
    rows = REGISTRY["stack"].call(all_gather(x, group), axis=0)
    return REGISTRY[how].call(rows, axis=0)


def reduce(x: Tensor, dst: int, op: int = ReduceOp.SUM, group: Group | None = None) -> Tensor:
    """Return the sum or mean of the tensors of all ranks on rank `dst`, zeros elsewhere.

    The gradient of rank `dst` flows back to all ranks, through the zeros of the others.
    Source: minipaddle's own; shapes and errors as of `all_reduce`, and ValueError for another op.
    """
    members, x = require_member("reduce", group, dst), check_tensor("reduce", "x", x)
    how = reduction_name("reduce", op, x)
    if how not in ("sum", "avg"):
        raise errors.reduce_without_gradient(how)
    return Reduce.apply(x, dst, how, members)


def broadcast(x: Tensor, src: int, group: Group | None = None) -> Tensor:
    """Return the tensor of rank `src`, whose gradient is the sum of all ranks' gradients.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = require_member("broadcast", group, src)
    return Broadcast.apply(check_tensor("broadcast", "x", x), src, members)


def all_gather(x: Tensor, group: Group | None = None) -> list[Tensor]:
    """Return the tensors of all ranks; the gradient is the sum of all ranks' gradients for x.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = require_member("all_gather", group)
    return list(AllGather.apply(check_tensor("all_gather", "x", x), members))


def reduce_scatter(
    tensors: Sequence[Tensor], op: int = ReduceOp.SUM, group: Group | None = None
) -> Tensor:
    """Return the sum or mean of all ranks' tensors for this rank; the gradients are gathered.

    Source: minipaddle's own; shapes and errors as of `reduce`.
    """
    members = require_member("reduce_scatter", group)
    rows = check_tensors("reduce_scatter", "tensors", tensors, members)
    how = reduction_name("reduce_scatter", op, rows[0])
    if how not in ("sum", "avg"):
        stacked = REGISTRY["stack"].call(alltoall(rows, group), axis=0)
        return REGISTRY[how].call(stacked, axis=0)
    return ReduceScatter.apply(how, members, *rows)


def gather(x: Tensor, dst: int = 0, group: Group | None = None) -> list[Tensor]:
    """Return the tensors of all ranks on rank `dst`, zeros elsewhere, which pass gradients back.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = require_member("gather", group, dst)
    return list(Gather.apply(check_tensor("gather", "x", x), dst, members))


def scatter(tensors: Sequence[Tensor], src: int = 0, group: Group | None = None) -> Tensor:
    """Return this rank's tensor of the list of rank `src`; other lists get gradients of zero.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = require_member("scatter", group, src)
    rows = check_tensors("scatter", "tensors", tensors, members)
    return Scatter.apply(src, members, *rows)


def alltoall(tensors: Sequence[Tensor], group: Group | None = None) -> list[Tensor]:
    """Return tensor r of each rank's list on rank r; gradients are exchanged likewise.

    Source: minipaddle's own; shapes and errors as of `all_reduce`.
    """
    members = require_member("alltoall", group)
    return list(AllToAll.apply(members, *check_tensors("alltoall", "tensors", tensors, members)))


def send(x: Tensor, dst: int, group: Group | None = None) -> Tensor:
    """Send x to rank `dst`; return a zero whose `backward()` receives the gradient from there.

    Source: minipaddle's own; errors as of `paddle.distributed.send`.
    """
    members = require_member("send", group, dst)
    return Send.apply(check_tensor("send", "x", x), dst, members)


def recv(x: Tensor, src: int, group: Group | None = None) -> Tensor:
    """Return the tensor that rank `src` sends, like x; its gradient is sent to that rank.

    Source: minipaddle's own; errors as of `paddle.distributed.recv`.
    """
    members = require_member("recv", group, src)
    like = REGISTRY["assign"].call(check_tensor("recv", "x", x))
    like.stop_gradient = False  # puts the result on the tape
    return Receive.apply(like, src, members)
