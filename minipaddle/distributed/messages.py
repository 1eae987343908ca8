"""Messages from one rank to another: send, recv, and both without waiting.

A header goes before each message, with what it is and the line that sends it, so that a tensor
never takes what was meant for another shape.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..engine import modes, source_line
from ..engine.tensor import Tensor
from . import errors, mpi
from .agreement import Call, Checks
from .arguments import check_tensor, describe, kind_of, rank_inside
from .exchange import (
    All,
    Exchange,
    Task,
    from_mpi,
    perform,
    perform_into,
    room_like,
    start_task,
    to_mpi,
)
from .groups import Group, group_here

HEADER, DATA = 1, 2  # tags
LETTERS = 256  # of a header


@lru_cache(1024)
def header_of(what: str, place: source_line.SourceLine | None) -> bytes:
    """Return a header with what is sent, and where; it is cached for lines that send often."""
    return f"{what}\n{place}".encode()[:LETTERS].ljust(LETTERS)


class Sending(Exchange):
    """A message to another rank."""

    def __init__(self, group: Group, x: Tensor, dst: int, *, sync_op: bool = True) -> None:
        self.to = rank_inside("send", group, dst)
        call = Call("send", kind_of(x), (f"dst={dst}",), dst, sync_op)
        super().__init__(group, call, list, "to", self.to)
        self.what, self.data = describe(x), to_mpi(x, own=not sync_op)

    def begin(self) -> None:
        carrier = self.group._carrier
        requests: list[Any] = []
        self.request = All(requests)
        if Checks.on:
            header = header_of(self.what, source_line.here())
            requests.append(carrier.Isend(header, self.to, HEADER))
        requests.append(carrier.Isend(self.data, self.to, DATA))


class Receiving(Exchange):
    """A message from another rank, into the memory of x, or into `fresh` memory."""

    def __init__(
        self, group: Group, x: Tensor, src: int, *, sync_op: bool = True, fresh: bool = False
    ) -> None:
        self.source = rank_inside("recv", group, src)
        call = Call("recv", kind_of(x), (f"src={src}",), src, sync_op)
        super().__init__(group, call, lambda: from_mpi(x, self.data, fresh), "from", self.source)
        self.what, self.data = describe(x), room_like(x, fresh or not sync_op)

    def begin(self) -> None:
        self.request = Letter(self) if Checks.on else self.arrival()

    def arrival(self) -> Any:
        """Return the request for the data."""
        return self.group._carrier.Irecv(self.data, self.source, DATA)

    def misfit(self, header: str) -> errors.RanksDisagree:
        """Make the error of a message that does not fit."""
        sent, _, place = header.partition("\n")
        sender = self.group.get_global_rank(self.source)
        return errors.message_of_other_kind(sender, sent, place, self.what)


class Letter:
    """The request for a header, and then for the data that it announces.

    Data that does not fit is thrown away, so its sender goes on.
    """

    def __init__(self, receiving: Receiving) -> None:
        self.receiving = receiving
        self.header = bytearray(LETTERS)
        carrier = receiving.group._carrier
        self.request = carrier.Irecv(self.header, receiving.source, HEADER)
        self.opened = False
        self.error: errors.RanksDisagree | None = None

    def Test(self) -> bool:
        """Return whether the data is there; raise the error of what does not fit, once."""
        while self.request.Test():
            if self.opened:
                error, self.error = self.error, None
                if error is not None:
                    raise error
                return True
            self.open()
        return False

    def open(self) -> None:
        """Ask for the data, as the header says what it is."""
        header, whole = bytes(self.header).decode(errors="replace").rstrip(), self.receiving
        if header.partition("\n")[0] == whole.what:
            self.request = whole.arrival()
        else:
            self.error = whole.misfit(header)
            self.request = AnySize(whole.group._carrier, whole.source, DATA)
        self.opened = True


class AnySize:
    """The request for a message whose size only its arrival tells; `room` is what came."""

    def __init__(self, carrier: Any, source: int, tag: int) -> None:
        self.carrier, self.source, self.tag = carrier, source, tag
        self.request: Any = None

    def Test(self) -> bool:
        """Return whether it is there."""
        if self.request is None:
            status = mpi.module().Status()
            message = self.carrier.Improbe(self.source, self.tag, status)
            if message is None:
                return False
            self.room = bytearray(status.Get_count(mpi.module().BYTE))
            self.request = message.Irecv([self.room, mpi.module().BYTE])
        return bool(self.request.Test())


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
    x = check_tensor("send", "tensor", tensor)
    exchange = Sending(members, x, dst, sync_op=sync_op)
    if sync_op:
        return start_task(exchange, lambda: perform(exchange, "send", x, dst=dst))
    perform(exchange, "send", x, act=exchange.start, dst=dst)
    return start_task(exchange, exchange)


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
    x = check_tensor("recv", "tensor", tensor)
    exchange = Receiving(members, x, src, sync_op=sync_op, fresh=modes.gate_open)
    return start_task(exchange, lambda: perform_into(exchange, "recv", x, x, src=src))


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
