"""Any Python objects between ranks, pickled: lists of them, gathered, spread and sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.bilingual import Text
from ..engine.errors import InvalidArgument
from .agreement import Call, agree, finish
from .arguments import inside
from .groups import Group, group_here

OBJECTS = 3  # a tag of messages


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Append the objects of all ranks to the list.

    Errors: RuntimeError before `init_parallel_env`, or where ranks do not call the same; those of
    pickle.
    Source: Paddle's `paddle.distributed.all_gather_object`.

    >>> import minipaddle as paddle
    >>> paddle.distributed.all_gather_object([], 1)  # one process
    Traceback (most recent call last):
    ...
    minipaddle.engine.errors.PreconditionNotMet: The global group is not initialized.
      expected ...
    """
    members = group_here(group)
    if members is not None:
        agree(members, Call("all_gather_object"), members.next_number())
        object_list += members._carrier.allgather(obj)


def broadcast_object_list(object_list: list[Any], src: int, group: Group | None = None) -> None:
    """Replace what is in the list by what is in that of rank `src`.

    Source: Paddle's `paddle.distributed.broadcast_object_list`; errors as of `all_gather_object`.
    """
    members = group_here(group)
    if members is not None:
        root = inside("broadcast_object_list", members, src)
        call = Call("broadcast_object_list", more=(f"src={src}", len(object_list)))
        agree(members, call, members.next_number())
        object_list[:] = members._carrier.bcast(object_list, root)


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
    root = inside("scatter_object_list", members, src)
    given = list(in_object_list or ())
    if members.rank == root and len(given) != members.nranks:
        raise InvalidArgument(
            Text(
                f"scatter_object_list(): {len(given)} objects for {members.nranks} ranks.",
                f"scatter_object_list()：{members.nranks} 个 rank，却有 {len(given)} 个对象。",
            ),
            expected=Text(f"{members.nranks} objects", f"{members.nranks} 个对象"),
            received=str(len(given)),
            fix=Text("give one object for each rank", "每个 rank 给一个对象"),
        )
    agree(members, Call("scatter_object_list", more=(f"src={src}",)), members.next_number())
    got = members._carrier.scatter(given if members.rank == root else None, root)
    out_object_list[:] = [got]


def send_object_list(object_list: Sequence[Any], dst: int, group: Group | None = None) -> None:
    """Send the objects of the list to rank `dst`, which calls `recv_object_list`.

    Source: Paddle's `paddle.distributed.send_object_list`; errors as of `send`.
    """
    members = group_here(group)
    if members is not None:
        to = inside("send_object_list", members, dst)
        call = Call("send_object_list", more=(f"dst={dst}",), partner=dst)
        finish(members, call, Sent(members._carrier.isend(list(object_list), to, OBJECTS)))


def recv_object_list(object_list: list[Any], src: int = 0, group: Group | None = None) -> None:
    """Replace what is in the list by the objects that rank `src` sends.

    Source: Paddle's `paddle.distributed.recv_object_list`; errors as of `recv`.
    """
    members = group_here(group)
    if members is not None:
        source = inside("recv_object_list", members, src)
        call = Call("recv_object_list", more=(f"src={src}",), partner=src)
        finish(members, call, Expected(members._carrier, source))
        object_list[:] = members._carrier.recv(source=source, tag=OBJECTS)


class Sent:
    """The request of objects that are sent."""

    def __init__(self, request: Any) -> None:
        self.request = request

    def Test(self) -> bool:
        """Whether they are on their way."""
        return bool(self.request.test()[0])


class Expected:
    """Objects that another rank is to send."""

    def __init__(self, carrier: Any, source: int) -> None:
        self.carrier, self.source = carrier, source

    def Test(self) -> bool:
        """Whether they have come."""
        return bool(self.carrier.Iprobe(self.source, OBJECTS))
