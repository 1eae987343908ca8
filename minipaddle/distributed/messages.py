"""Messages from one rank to another: send, recv, and both without waiting.

A header precedes each message, with dtype, shape and the line that sends it, so that a tensor never
receives data of another shape.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..engine import modes, source_line
from ..engine.tensor import Tensor
from . import errors, mpi
from .agreement import Call, Checks
from .exchange import (
    AllRequests,
    Exchange,
    Task,
    from_mpi,
    perform,
    perform_into,
    room_like,
    start_task,
    to_mpi,
)
from .groups import Group, check_tensor, describe, group_here, group_rank, kind_of

HEADER_TAG, DATA_TAG = 1, 2
HEADER_SIZE = 256  # bytes of every header


@lru_cache(1024)
def header_of(kind: str, place: source_line.SourceLine | None) -> bytes:
    """Return the header of a message; it is cached, since lines send repeatedly."""
    return f"{kind}\n{place}".encode()[:HEADER_SIZE].ljust(HEADER_SIZE)


class Sending(Exchange):
    """Message to another rank."""

    def __init__(self, group: Group, x: Tensor, dst: int, *, sync_op: bool = True) -> None:
        self.to = group_rank("send", group, dst)
        call = Call("send", kind_of(x), (f"dst={dst}",), dst, sync_op)
        super().__init__(group, call, list, "to", self.to)
        self.kind, self.data = describe(x), to_mpi(x, own=not sync_op)

    def begin(self) -> None:
        communicator = self.group._communicator
        requests: list[Any] = []
        self.request = AllRequests(requests)
        if Checks.on:
            header = header_of(self.kind, source_line.here())
            requests.append(communicator.Isend(header, self.to, HEADER_TAG))
        requests.append(communicator.Isend(self.data, self.to, DATA_TAG))


class Receiving(Exchange):
    """Message from another rank, into the memory of x or into `fresh` memory."""

    def __init__(
        self, group: Group, x: Tensor, src: int, *, sync_op: bool = True, fresh: bool = False
    ) -> None:
        self.source = group_rank("recv", group, src)
        call = Call("recv", kind_of(x), (f"src={src}",), src, sync_op)
        super().__init__(group, call, lambda: from_mpi(x, self.data, fresh), "from", self.source)
        self.kind, self.data = describe(x), room_like(x, fresh or not sync_op)

    def begin(self) -> None:
        self.request = CheckedReceipt(self) if Checks.on else self.request_data()

    def request_data(self) -> Any:
        """Start to receive the data; return the request."""
        return self.group._communicator.Irecv(self.data, self.source, DATA_TAG)

    def mismatch_error(self, header: str) -> errors.RanksDisagree:
        """Make the error of a message of another dtype or shape."""
        sent, _, place = header.partition("\n")
        sender = self.group.get_global_rank(self.source)
        return errors.message_of_other_kind(sender, sent, place, self.kind)


class CheckedReceipt:
    """Request for a header and then for the data that it announces.

    Data of another kind is received and dropped, so that its sender can continue.
    """

    def __init__(self, receiving: Receiving) -> None:
        self.receiving = receiving
        self.header = bytearray(HEADER_SIZE)
        communicator = receiving.group._communicator
        self.request = communicator.Irecv(self.header, receiving.source, HEADER_TAG)
        self.has_header = False
        self.error: errors.RanksDisagree | None = None

    def Test(self) -> bool:
        """Return whether the data has arrived; raise the error of data of another kind, once."""
        while self.request.Test():
            if self.has_header:
                error, self.error = self.error, None
                if error is not None:
                    raise error
                return True
            self.read_header()
        return False

    def read_header(self) -> None:
        """Start to receive the data that the header announces."""
        header, message = bytes(self.header).decode(errors="replace").rstrip(), self.receiving
        if header.partition("\n")[0] == message.kind:
            self.request = message.request_data()
        else:
            self.error = message.mismatch_error(header)
            self.request = ReceiptOfAnySize(message.group._communicator, message.source, DATA_TAG)
        self.has_header = True


class ReceiptOfAnySize:
    """Request for a message whose size is unknown until it arrives; `room` holds its bytes."""

    def __init__(self, communicator: Any, source: int, tag: int) -> None:
        self.communicator, self.source, self.tag = communicator, source, tag
        self.request: Any = None

    def Test(self) -> bool:
        """Return whether the message has arrived."""
        if self.request is None:
            status = mpi.module().Status()
            message = self.communicator.Improbe(self.source, self.tag, status)
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
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("send", "tensor", tensor)
    exchange = Sending(members, x, dst, sync_op=sync_op)
    if sync_op:
        return start_task(exchange, lambda: perform(exchange, "send", x, dst=dst))
    perform(exchange, "send", x, run=exchange.start, dst=dst)
    return start_task(exchange, exchange)


def recv(
    tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Receive into the tensor the values that rank `src` sends; the tensor keeps its history.

    Errors: RuntimeError before `init_parallel_env`, if nothing arrives in time, or for a message of
    another shape or dtype; ValueError for a rank that is not in the group.
    Source: Paddle's `paddle.distributed.recv`.
    """
    if (members := group_here(group)) is None:
        return None
    x = check_tensor("recv", "tensor", tensor)
    exchange = Receiving(members, x, src, sync_op=sync_op, fresh=modes.gate_open)
    return start_task(exchange, lambda: perform_into(exchange, "recv", x, x, src=src))


def isend(tensor: Tensor, dst: int, group: Group | None = None) -> Task | None:
    """Begin to send; the task's `wait()` returns once the tensor has been sent.

    Source: Paddle's `paddle.distributed.isend`; errors as of `send`.
    """
    return send(tensor, dst, group, sync_op=False)


def irecv(tensor: Tensor, src: int = 0, group: Group | None = None) -> Task | None:
    """Begin to receive; the task's `wait()` writes the values into the tensor.

    Source: Paddle's `paddle.distributed.irecv`; errors as of `recv`.
    """
    return recv(tensor, src, group, sync_op=False)


def wait(
    tensor: Tensor,  # noqa: ARG001  (the calls of a group end in order)
    group: Group | None = None,
    use_calc_stream: bool = True,  # noqa: ARG001
) -> None:
    """Wait for all calls of the group with `sync_op=False`, and write their results.

    Errors: RuntimeError before `init_parallel_env`.
    Source: Paddle's `paddle.distributed.wait`.
    """
    members = group_here(group)
    for task in list(members.begun) if members else ():
        task.wait()
