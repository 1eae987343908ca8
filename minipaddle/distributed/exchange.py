"""One call of a collective: the ranks agree on it, MPI performs it, an op records it.

Ranks first agree on what they are about to do. Then all of them are there, so MPI may be asked to
block until the data has come, which is quicker. The op's record is called for everything that
listens, and for the tape; its kernel takes up the exchange that is laid down for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any

import numpy as np

from .. import events
from ..device import beside, to_numpy
from ..eager.inplace import apply_in_place, take
from ..engine import modes, source_line
from ..engine.grad_mode import no_grad
from ..engine.tensor import Tensor, changed_in_place
from ..ops import REGISTRY
from ..ops.ranks.meeting import meeting
from . import mpi
from .agreement import Blocked, Call, agree, finish
from .groups import Group
from .watch import During

# Numbers that MPI does not know travel as others, and come back as what they were.
CARRIED = {"e": np.dtype("float32"), "?": np.dtype("uint8")}  # by their letters
Parcels = Sequence[Any]  # arrays or None, one for each rank of a group


class Exchange:
    """A call that other ranks have a part in; calling it does it all, and gives what came.

    `store` returns the arrays that came, once the request is done.
    """

    def __init__(self, group: Group, call: Call, store: Callable[[], Any], *route: Any) -> None:
        self.group, self.call, self.store, self.route = group, call, store, route
        self.request: Any = None

    @cached_property
    def number(self) -> int:
        """Number of this call among those of its route; a call that is refused has none."""
        return self.group.next_number(*self.route)

    def during(self) -> During:
        """Return a block in which this is what the rank does."""
        return During(self.call)

    def begin(self) -> None:
        """Let it begin, and go on meanwhile."""
        raise NotImplementedError

    def start(self) -> list[Any]:
        """Let it begin, if it has not; nothing has come."""
        if self.request is None:
            with self.during():
                try:
                    self.begin()
                except BaseException:
                    mpi.LEFT.extend(filter(None, [self.request]))
                    raise
        return []

    def __call__(self) -> Any:
        with self.during():
            self.start()
            finish(self.group, self.call, self.request)
            return self.store()

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of an op's record that tell of the ranks."""
        group = self.group
        rank = group.get_global_rank(group.rank)
        return {"ranks": group.ranks, "rank": rank, "group": group.id, "number": self.number}


class Meeting(Exchange):
    """A call in which all ranks of a group have a part, once they agree on it."""

    def ask(self) -> None:
        """Ask MPI to begin; `request` is what it gives."""
        raise NotImplementedError

    def act(self) -> None:
        """Let MPI do it all."""
        raise NotImplementedError

    def begin(self) -> None:
        agree(self.group, self.call, self.number)
        self.ask()

    def __call__(self) -> Any:
        if self.request is not None:
            return super().__call__()
        with self.during():
            agree(self.group, self.call, self.number)
            with Blocked(self.group, self.call):
                self.act()
            return self.store()


class Collective(Meeting):
    """One of MPI's own: a verb with its arguments."""

    def __init__(
        self, group: Group, call: Call, store: Callable[[], Any], verb: str, *args: Any
    ) -> None:
        super().__init__(group, call, store)
        self.verb, self.args = verb, args

    def ask(self) -> None:
        self.request = getattr(self.group._carrier, f"I{self.verb.lower()}")(*self.args)

    def act(self) -> None:
        getattr(self.group._carrier, self.verb)(*self.args)


PARTS = 4  # a tag of messages


class Parts(Meeting):
    """Arrays that go straight from each rank to each, from tensor to tensor.

    `gives` has what each rank of the group gets from this one, `takes` where its part comes; None
    is nothing. MPI's own verbs want the parts of all ranks in a row, so lists would be copied.
    """

    def __init__(
        self, group: Group, call: Call, store: Callable[[], Any], gives: Parcels, takes: Parcels
    ) -> None:
        super().__init__(group, call, store)
        self.gives, self.takes = gives, takes

    def keep(self) -> None:
        """Take the part that stays on this rank; last, for it may fill what was to be sent."""
        given, taken = self.gives[self.group.rank], self.takes[self.group.rank]
        if taken is not given:
            taken[...] = given

    def ask(self) -> None:
        carrier = self.group._carrier
        requests: list[Any] = []
        self.request = All(requests)
        for to, source in self.group.others:
            if self.takes[source] is not None:
                requests.append(carrier.Irecv(self.takes[source], source, PARTS))
            if self.gives[to] is not None:
                requests.append(carrier.Isend(self.gives[to], to, PARTS))
        self.keep()

    def act(self) -> None:
        carrier, nobody = self.group._carrier, mpi.module().PROC_NULL
        for to, source in self.group.others:
            given, taken = self.gives[to], self.takes[source]
            to, source = nobody if given is None else to, nobody if taken is None else source
            carrier.Sendrecv(given, to, PARTS, taken, source, PARTS)
        self.keep()


class All:
    """Several requests as one."""

    def __init__(self, requests: list[Any]) -> None:
        self.requests = requests

    def Test(self) -> bool:
        """Return whether all are done."""
        return bool(mpi.module().Request.Testall(self.requests))


class Task:
    """A collective that has begun.

    Source: what Paddle's collectives give with `sync_op=False`.
    """

    def __init__(self, exchange: Any, complete: Callable[[], object]) -> None:
        self._exchange, self._complete = exchange, complete
        self._done = False

    def wait(self) -> bool:
        """Wait for it, and write its result."""
        if not self._done:
            self._complete()
            self._done = True
            self._exchange.group.begun.remove(self)
        return True

    def is_completed(self) -> bool:
        """Return whether it is over; if so its result is written."""
        if not self._done:
            with self._exchange.during():
                if self._exchange.request.Test():
                    self.wait()
        return self._done


DONE = Task(None, list)  # of what was done at once: one for all
DONE._done = True


def start_task(exchange: Exchange, complete: Callable[[], object]) -> Task:
    """Complete an exchange at once, or begin it, as its call says; return its task."""
    if exchange.call.sync_op:
        complete()
        return DONE
    exchange.start()
    task = Task(exchange, complete)
    exchange.group.begun.append(task)
    if events.heard():
        call, ranks = exchange.call, tuple(exchange.group.ranks)
        begun = call.name, ranks, exchange.number, call.partner, source_line.here()
        events.emit(events.CollectiveBegun(*begun))
    return task


def wants(x: Any) -> bool:
    """Return whether a tensor, or one of several, wants a gradient."""
    return any(map(wants, x)) if isinstance(x, list) else not x._stop


def perform(
    exchange: Exchange, name: str, *inputs: Any, act: Callable[[], Any] | None = None, **attrs: Any
) -> Any:
    """Call the op's record, whose kernel performs the exchange or the part `act` of it.

    While nobody listens and no gradient is wanted, only the exchange runs.
    """
    if not modes.gate_open and not (modes.grad_enabled.get() and any(map(wants, inputs))):
        made = (act or exchange)()
        return [Tensor(out) for out in made] if isinstance(made, list) else Tensor(made)
    with exchange.during(), meeting(act or exchange):
        return REGISTRY[name].call(*inputs, **attrs, **exchange.attrs)


def perform_in_place(exchange: Exchange, name: str, x: Tensor, **attrs: Any) -> Tensor:
    """Perform an exchange in the memory of x. A leaf that wants a gradient stays a leaf."""
    if not modes.gate_open and (x._node is None or not modes.grad_enabled.get()):
        exchange()
        changed_in_place(x, by=name)
        return x
    leaf = x._node is None and not x._stop and modes.grad_enabled.get()
    with no_grad() if leaf else nullcontext():
        return apply_in_place(
            x, name, lambda shadow: perform(exchange, name, shadow, **attrs), view=True
        )


def perform_into(
    exchange: Exchange, name: str, room: Tensor | list[Tensor], *inputs: Any, **attrs: Any
) -> None:
    """Perform an exchange; copy the result into a tensor, or several into those of a list.

    The tensors keep their history; an empty list gets new ones.
    """
    with no_grad():
        if isinstance(room, list) and not room:
            room += perform(exchange, name, *inputs, **attrs)
            return
        recorded = modes.gate_open
        made = perform(exchange, name, *inputs, **attrs) if recorded else exchange()
        rooms, results = (room, made) if isinstance(room, list) else ([room], [made])
        for each, result in zip(rooms, results, strict=True):
            if recorded:
                take(each, result, name)
                continue
            if result is not each._data:  # else MPI has written there
                from_mpi(each, result)
            changed_in_place(each)


# ----- arrays ------------------------------------------------------------------------------------


def to_mpi(x: Tensor, own: bool = False) -> Any:
    """Return the elements in a row, of a dtype that MPI knows; `own`: always a copy."""
    data = x._data
    known = data.dtype.char not in CARRIED
    if known and not own and data.__class__ is np.ndarray and data.flags.c_contiguous:
        return data  # the usual case
    array = to_numpy(data)
    dtype: Any = array.dtype if known else CARRIED[array.dtype.char]
    return np.array(array, dtype, order="C") if own else np.ascontiguousarray(array, dtype)


def room_like(x: Tensor, own: bool) -> Any:
    """Return memory for such elements: that of x if it is as MPI fills it, or their own."""
    return np.empty_like(to_mpi(x)) if own else to_mpi(x)


def from_mpi(x: Tensor, array: Any, fresh: bool = False) -> Any:
    """Return what came as an array like x: x's own memory, or with `fresh` another array."""
    data = x._data
    if fresh:
        return beside(array.reshape(data.shape).astype(data.dtype, copy=False), data)
    if array is not data:
        data[...] = beside(array.reshape(data.shape), data)
    return data
