"""Messages from one rank to another: send, recv, and both without waiting.

A header goes before each message, with what it is and the line that sends it, so that a tensor
never takes what was meant for another shape.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ..engine import modes, source_line
from ..engine.bilingual import Text
from ..engine.tensor import Tensor
from . import mpi
from .agreement import Call, Checks, RanksDisagree
from .arguments import checked, described, inside, kind_of
from .exchange import All, Exchange, Task, carried, landed, room_like, started, told, told_into
from .groups import Group, group_here

HEADER, DATA = 1, 2  # tags
LETTERS = 256  # of a header


@lru_cache(1024)
def header_of(what: str, place: source_line.SourceLine | None) -> bytes:
    """What is sent, and where; a line that sends often has it ready."""
    return f"{what}\n{place}".encode()[:LETTERS].ljust(LETTERS)


class Sending(Exchange):
    """A message to another rank."""

    def __init__(self, group: Group, x: Tensor, dst: int, *, sync_op: bool = True) -> None:
        self.to = inside("send", group, dst)
        call = Call("send", kind_of(x), (f"dst={dst}",), dst)
        super().__init__(group, call, group.next_number("to", self.to), list)
        self.what, self.data = described(x), carried(x, own=not sync_op)

    def begin(self) -> None:
        carrier, requests = self.group._carrier, []
        if Checks.on:
            header = header_of(self.what, source_line.here())
            requests.append(carrier.Isend(header, self.to, HEADER))
        requests.append(carrier.Isend(self.data, self.to, DATA))
        self.request = All(requests)


class Receiving(Exchange):
    """A message from another rank, into the memory of x, or into `fresh` memory."""

    def __init__(
        self, group: Group, x: Tensor, src: int, *, sync_op: bool = True, fresh: bool = False
    ) -> None:
        self.source = inside("recv", group, src)
        call = Call("recv", kind_of(x), (f"src={src}",), src)
        number = group.next_number("from", self.source)
        super().__init__(group, call, number, lambda: landed(x, self.data, fresh))
        self.what, self.data = described(x), room_like(x, fresh or not sync_op)

    def begin(self) -> None:
        self.request = Letter(self) if Checks.on else self.arrival()

    def arrival(self) -> Any:
        """The request for the data."""
        return self.group._carrier.Irecv(self.data, self.source, DATA)

    def refuse(self, header: str) -> RanksDisagree:
        """The error of a message that does not fit, which is thrown away: its sender goes on."""
        carrier, status = self.group._carrier, mpi.module().Status()
        carrier.Probe(self.source, DATA, status)
        room = np.empty(status.Get_count(mpi.module().BYTE), np.uint8)
        carrier.Recv(room, self.source, DATA)
        what, _, place = header.partition("\n")
        sender = self.group.get_global_rank(self.source)
        return RanksDisagree(
            Text(
                f"recv(): rank {sender} sends {what}, and the tensor is {self.what}.",
                f"recv()：rank {sender} 发来 {what}，而 Tensor 为 {self.what}。",
            ),
            expected=self.what,
            received=Text(f"{what}, sent at {place}", f"{what}，发送于 {place}"),
            fix=Text(
                "receive into a tensor of the shape and dtype that is sent",
                "用与发送方形状、数据类型相同的 Tensor 接收",
            ),
        )


class Letter:
    """The request for a header, and then for the data that it announces."""

    def __init__(self, receiving: Receiving) -> None:
        self.receiving = receiving
        self.header = bytearray(LETTERS)
        carrier = receiving.group._carrier
        self.request = carrier.Irecv(self.header, receiving.source, HEADER)
        self.opened = False

    def Test(self) -> bool:
        """Whether the data is there; the error of what does not fit."""
        while self.request.Test():
            if self.opened:
                return True
            header = bytes(self.header).decode(errors="replace").rstrip()
            if header.partition("\n")[0] != self.receiving.what:
                raise self.receiving.refuse(header)
            self.request, self.opened = self.receiving.arrival(), True
        return False


def send(
    tensor: Tensor, dst: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Send a tensor to rank `dst`, which calls `recv`.

    Errors: RuntimeError before `init_parallel_env`, or if it is not received in time; ValueError
    for a rank that is not in the group.
    Source: Paddle's `paddle.distributed.send`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.send(paddle.ones([2]), dst=1)  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    members = group_here(group)
    if members is None:
        return None
    x = checked("send", "tensor", tensor)
    exchange = Sending(members, x, dst, sync_op=sync_op)
    if sync_op:
        return started(exchange, lambda: told(exchange, "send", x, dst=dst), sync_op)
    told(exchange, "send", x, act=exchange.start, dst=dst)
    return started(exchange, exchange, sync_op)


def recv(
    tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Let the tensor have the values that rank `src` sends; its history stays as it was.

    Errors: RuntimeError before `init_parallel_env`, if nothing comes in time, or for a message of
    another shape or dtype; ValueError for a rank that is not in the group.
    Source: Paddle's `paddle.distributed.recv`.
    """
    members = group_here(group)
    if members is None:
        return None
    x = checked("recv", "tensor", tensor)
    exchange = Receiving(members, x, src, sync_op=sync_op, fresh=modes.gate_open)
    return started(exchange, lambda: told_into(exchange, "recv", x, x, src=src), sync_op)


def isend(tensor: Tensor, dst: int, group: Group | None = None) -> Task | None:
    """Begin to send; the task's `wait()` ends when the tensor is on its way.

    Source: Paddle's `paddle.distributed.isend`; errors as of `send`.
    """
    return send(tensor, dst, group, sync_op=False)


def irecv(tensor: Tensor, src: int = 0, group: Group | None = None) -> Task | None:
    """Begin to receive; the task's `wait()` writes what came into the tensor.

    Source: Paddle's `paddle.distributed.irecv`; errors as of `recv`.
    """
    return recv(tensor, src, group, sync_op=False)


def wait(
    tensor: Tensor,  # noqa: ARG001  (what is under way in a group ends in order)
    group: Group | None = None,
    use_calc_stream: bool = True,  # noqa: ARG001
) -> None:
    """Wait for all that has begun in the group with `sync_op=False`, and write its results.

    Errors: RuntimeError before `init_parallel_env`.
    Source: Paddle's `paddle.distributed.wait`.
    """
    members = group_here(group)
    for task in list(members.begun) if members else ():
        task.wait()
