"""Any Python objects between ranks, pickled: lists of them, gathered, spread and sent.

A rank pickles what it gives before the others wait for it, and unpickles once all has come.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from . import errors, mpi
from .agreement import Call, agree, finish, gather_bytes
from .arguments import rank_inside
from .groups import Group, group_here
from .messages import AnySize
from .watch import During

OBJECTS = 3  # a tag of messages


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Append the objects of all ranks to the list.

    Errors: RuntimeError before `init_parallel_env`, or where ranks do not call the same; ValueError
    for an object that cannot be pickled or, where it comes, cannot be unpickled.
    Source: Paddle's `paddle.distributed.all_gather_object`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.all_gather_object([], 1)  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    members = group_here(group)
    if members is None:
        return
    call, data = Call("all_gather_object"), pickle_object("all_gather_object", obj)
    with During(call):
        agree(members, call, members.next_number())
        rows = gather_bytes(members, call, data)
    pairs = zip(rows, members.ranks, strict=True)
    object_list += [unpickle_object(call.name, row, rank) for row, rank in pairs]


def broadcast_object_list(object_list: list[Any], src: int, group: Group | None = None) -> None:
    """Replace what is in the list by what is in that of rank `src`.

    Source: Paddle's `paddle.distributed.broadcast_object_list`; errors as of `all_gather_object`.
    """
    members = group_here(group)
    if members is None:
        return
    root = rank_inside("broadcast_object_list", members, src)
    call = Call("broadcast_object_list", more=(f"src={src}", len(object_list)))
    data = pickle_object(call.name, object_list) if members.rank == root else b""
    with During(call):
        agree(members, call, members.next_number())
        row = gather_bytes(members, call, data)[root]
    object_list[:] = unpickle_object(call.name, row, src)


def scatter_object_list(
    out_object_list: list[Any],
    in_object_list: Sequence[Any] | None = None,
    src: int = 0,
    group: Group | None = None,
) -> None:
    """Rank `src` gives each rank one object of its list, alone in `out_object_list`.

    Source: Paddle's `paddle.distributed.scatter_object_list`; errors as of `all_gather_object`.
    """
    members = group_here(group)
    if members is None:
        return
    root = rank_inside("scatter_object_list", members, src)
    here, objects = members.rank == root, list(in_object_list or ())
    if here and len(objects) != members.nranks:
        raise errors.number_of_objects(len(objects), members.nranks)
    call = Call("scatter_object_list", more=(f"src={src}",))
    rows = [pickle_object(call.name, each) for each in objects] if here else []
    with During(call):
        agree(members, call, members.next_number())
        gathered = gather_bytes(members, call, pickle.dumps(rows))
    row = pickle.loads(gathered[root])[members.rank]
    out_object_list[:] = [unpickle_object(call.name, row, src)]


def send_object_list(object_list: Sequence[Any], dst: int, group: Group | None = None) -> None:
    """Send the objects of the list to rank `dst`, which calls `recv_object_list`.

    Source: Paddle's `paddle.distributed.send_object_list`; errors as of `send`, and ValueError for
    an object that cannot be pickled.
    """
    members = group_here(group)
    if members is not None:
        to = rank_inside("send_object_list", members, dst)
        call = Call("send_object_list", more=(f"dst={dst}",), partner=dst)
        data = pickle_object(call.name, list(object_list))
        with During(call):
            finish(members, call, members._carrier.Isend([data, mpi.module().BYTE], to, OBJECTS))


def recv_object_list(object_list: list[Any], src: int = 0, group: Group | None = None) -> None:
    """Replace what is in the list by the objects that rank `src` sends.

    Source: Paddle's `paddle.distributed.recv_object_list`; errors as of `recv`, and ValueError for
    an object that cannot be unpickled here.
    """
    members = group_here(group)
    if members is not None:
        source = rank_inside("recv_object_list", members, src)
        call = Call("recv_object_list", more=(f"src={src}",), partner=src)
        arrival = AnySize(members._carrier, source, OBJECTS)
        with During(call):
            finish(members, call, arrival)
        object_list[:] = unpickle_object(call.name, arrival.room, src)


# ----- pickle ------------------------------------------------------------------------------------


def pickle_object(what: str, obj: Any) -> bytes:
    """Return the object as bytes.

    Errors: InvalidArgument where pickle has one.
    """
    try:
        return pickle.dumps(obj)
    except Exception as error:
        raise errors.not_picklable(what, error) from error


def unpickle_object(what: str, data: bytes | bytearray, rank: int) -> Any:
    """Return the object that came from this rank.

    Errors: InvalidArgument where pickle has one.
    """
    try:
        return pickle.loads(data)
    except Exception as error:
        raise errors.not_unpicklable(what, rank, error) from error
