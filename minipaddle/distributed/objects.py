"""Collectives and messages of Python objects, which travel pickled.

A rank pickles its objects before other ranks wait for them, and unpickles after all have arrived.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from . import errors, mpi
from .agreement import Call, agree, finish, gather_bytes
from .groups import Group, group_here, group_rank
from .messages import ReceiptOfAnySize
from .watch import InCall

OBJECT_TAG = 3


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Append the objects of all ranks to the list.

    Errors: RuntimeError before `init_parallel_env`, or if ranks call different things; ValueError
    for an object that cannot be pickled or, on a receiving rank, cannot be unpickled.
    Source: Paddle's `paddle.distributed.all_gather_object`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.all_gather_object([], 1)  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    if (members := group_here(group)) is None:
        return
    call = Call("all_gather_object")
    rows = exchange_bytes(members, call, pickle_object(call.name, obj))
    pairs = zip(rows, members.ranks, strict=True)
    object_list += [unpickle_object(call.name, row, rank) for row, rank in pairs]


def broadcast_object_list(object_list: list[Any], src: int, group: Group | None = None) -> None:
    """Replace the objects in the list by those in the list of rank `src`.

    Source: Paddle's `paddle.distributed.broadcast_object_list`; errors as of `all_gather_object`.
    """
    if (members := group_here(group)) is None:
        return
    root = group_rank("broadcast_object_list", members, src)
    call = Call("broadcast_object_list", more=(f"src={src}", len(object_list)))
    data = pickle_object(call.name, object_list) if members.rank == root else b""
    row = exchange_bytes(members, call, data)[root]
    object_list[:] = unpickle_object(call.name, row, src)


def scatter_object_list(
    out_object_list: list[Any],
    in_object_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
) -> None:
    """Put one object of the list of rank `src` into each rank's `out_object_list`.

    Source: Paddle's `paddle.distributed.scatter_object_list`; errors as of `all_gather_object`.
    """
    if (members := group_here(group)) is None:
        return
    root = group_rank("scatter_object_list", members, src)
    here, objects = members.rank == root, list(in_object_list or ())
    if here and len(objects) != members.nranks:
        raise errors.number_of_objects(len(objects), members.nranks)
    call = Call("scatter_object_list", more=(f"src={src}",))
    rows = [pickle_object(call.name, each) for each in objects] if here else []
    gathered = exchange_bytes(members, call, pickle.dumps(rows))
    row = pickle.loads(gathered[root])[members.rank]
    out_object_list[:] = [unpickle_object(call.name, row, src)]


def send_object_list(object_list: Sequence[Any], dst: int, group: Group | None = None) -> None:
    """Send the objects of the list to rank `dst`, which calls `recv_object_list`.

    Source: Paddle's `paddle.distributed.send_object_list`; errors as of `send`, and ValueError for
    an object that cannot be pickled.
    """
    if (members := group_here(group)) is not None:
        to = group_rank("send_object_list", members, dst)
        call = Call("send_object_list", more=(f"dst={dst}",), partner=dst)
        data = pickle_object(call.name, list(object_list))
        with InCall(call):
            message = [data, mpi.module().BYTE]
            finish(members, call, members._communicator.Isend(message, to, OBJECT_TAG))


def recv_object_list(object_list: list[Any], src: int = 0, group: Group | None = None) -> None:
    """Replace the objects in the list by those that rank `src` sends.

    Source: Paddle's `paddle.distributed.recv_object_list`; errors as of `recv`, and ValueError for
    an object that cannot be unpickled here.
    """
    if (members := group_here(group)) is not None:
        source = group_rank("recv_object_list", members, src)
        call = Call("recv_object_list", more=(f"src={src}",), partner=src)
        receipt = ReceiptOfAnySize(members._communicator, source, OBJECT_TAG)
        with InCall(call):
            finish(members, call, receipt)
        object_list[:] = unpickle_object(call.name, receipt.room, src)


def exchange_bytes(group: Group, call: Call, data: bytes) -> list[bytes]:
    """Agree on a call, then return the bytes of each rank of the group."""
    with InCall(call):
        agree(group, call, group.next_number())
        return gather_bytes(group, call, data)


# ----- pickle ------------------------------------------------------------------------------------


def pickle_object(what: str, obj: Any) -> bytes:
    """Return the object as bytes; InvalidArgument if it cannot be pickled."""
    try:
        return pickle.dumps(obj)
    except Exception as error:
        raise errors.not_picklable(what, error) from error


def unpickle_object(what: str, data: bytes | bytearray, rank: int) -> Any:
    """Return the object that a rank has sent; InvalidArgument if it cannot be unpickled."""
    try:
        return pickle.loads(data)
    except Exception as error:
        raise errors.not_unpicklable(what, rank, error) from error
