"""One call of a collective: the ranks agree on it, MPI performs it, an op record reports it.

Once the ranks have agreed, all of them are in the call, so MPI may block until the data has
arrived, which is faster than polling. The op's record is called for listeners and for the tape; its
kernel runs the exchange that `meeting` provides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cached_property
from typing import Any

import numpy as np

from .. import events
from ..device import beside, to_numpy
from ..eager.inplace import apply_in_place, take_result
from ..engine import modes, source_line
from ..engine.grad_mode import no_grad
from ..engine.tensor import Tensor, changed_in_place
from ..ops import REGISTRY
from ..ops.ranks.collectives import meeting
from . import mpi
from .agreement import Blocked, Call, agree, finish
from .groups import Group
from .watch import InCall

# Letters of dtypes that MPI lacks -> dtypes in which their values travel.
CARRIED = {"e": np.dtype("float32"), "?": np.dtype("uint8")}
Parcels = Sequence[Any]  # an array or None for each rank of a group


class Exchange:
    """Call that other ranks take part in; calling it performs it and returns the received arrays.

    `store` returns the received arrays once the request is done.
    """

    def __init__(self, group: Group, call: Call, store: Callable[[], Any], *route: Any) -> None:
        self.group, self.call, self.store, self.route = group, call, store, route
        self.request: Any = None

    @cached_property
    def number(self) -> int:
        """Number of this call among the calls of its route, drawn when it is first needed."""
        return self.group.next_number(*self.route)

    def inside(self) -> InCall:
        """Return a block that marks this rank as being in this call."""
        return InCall(self.call)

    def begin(self) -> None:
        """Set `request`, a request that proceeds in the background."""
        raise NotImplementedError

    def start(self) -> list[Any]:
        """Begin the request unless it has begun; return no arrays, since none have arrived."""
        if self.request is None:
            with self.inside():
                try:
                    self.begin()
                except BaseException:
                    mpi.ABANDONED.extend(filter(None, [self.request]))
                    raise
        return []

    def __call__(self) -> Any:
        with self.inside():
            self.start()
            finish(self.group, self.call, self.request)
            return self.store()

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the op record that identify the ranks and the call."""
        group = self.group
        rank = group.get_global_rank(group.rank)
        return {"ranks": group.ranks, "rank": rank, "group": group.id, "number": self.number}


class Meeting(Exchange):
    """Exchange of all ranks of a group, which first agree on it."""

    def start_request(self) -> None:
        """Start the non-blocking MPI call and set `request`."""
        raise NotImplementedError

    def run(self) -> None:
        """Run the blocking MPI call."""
        raise NotImplementedError

    def begin(self) -> None:
        agree(self.group, self.call, self.number)
        self.start_request()

    def __call__(self) -> Any:
        if self.request is not None:
            return super().__call__()
        with self.inside():
            agree(self.group, self.call, self.number)
            with Blocked(self.group, self.call):
                self.run()
            return self.store()


class Collective(Meeting):
    """Collective of MPI: a method of a communicator with its arguments."""

    def __init__(
        self, group: Group, call: Call, store: Callable[[], Any], verb: str, *args: Any
    ) -> None:
        super().__init__(group, call, store)
        self.verb, self.args = verb, args

    def start_request(self) -> None:
        self.request = getattr(self.group._communicator, f"I{self.verb.lower()}")(*self.args)

    def run(self) -> None:
        getattr(self.group._communicator, self.verb)(*self.args)


PART_TAG = 4


class Parts(Meeting):
    """Exchange of one array between each pair of ranks, straight from tensor to tensor.

    `gives` has the array for each rank of the group, `takes` the memory for the array from each;
    None is no array. MPI's own collectives need the parts of all ranks in one array, which would
    copy lists of tensors.
    """

    def __init__(
        self, group: Group, call: Call, store: Callable[[], Any], gives: Parcels, takes: Parcels
    ) -> None:
        super().__init__(group, call, store)
        self.gives, self.takes = gives, takes

    def copy_own_part(self) -> None:
        """Copy the part that stays on this rank, last, since it may overwrite an array to send."""
        own, target = self.gives[self.group.rank], self.takes[self.group.rank]
        if target is not own:
            target[...] = own

    def start_request(self) -> None:
        communicator = self.group._communicator
        requests: list[Any] = []
        self.request = AllRequests(requests)
        for to, source in self.group.others:
            if self.takes[source] is not None:
                requests.append(communicator.Irecv(self.takes[source], source, PART_TAG))
            if self.gives[to] is not None:
                requests.append(communicator.Isend(self.gives[to], to, PART_TAG))
        self.copy_own_part()

    def run(self) -> None:
        communicator, nobody = self.group._communicator, mpi.module().PROC_NULL
        for to, source in self.group.others:
            sent, target = self.gives[to], self.takes[source]
            to, source = nobody if sent is None else to, nobody if target is None else source
            communicator.Sendrecv(sent, to, PART_TAG, target, source, PART_TAG)
        self.copy_own_part()


class AllRequests:
    """Several requests as one request."""

    def __init__(self, requests: list[Any]) -> None:
        self.requests = requests

    def Test(self) -> bool:
        """Return whether all are done."""
        return bool(mpi.module().Request.Testall(self.requests))


class Task:
    """Collective that has begun.

    Source: the result of Paddle's collectives with `sync_op=False`.
    """

    def __init__(self, exchange: Any, complete: Callable[[], object]) -> None:
        self._exchange, self._complete = exchange, complete
        self._done = False

    def wait(self) -> bool:
        """Wait until the collective is done, and write its result."""
        if not self._done:
            self._complete()
            self._done = True
            self._exchange.group.begun.remove(self)
        return True

    def is_completed(self) -> bool:
        """Return whether the collective is done; if it is, its result has been written."""
        if not self._done:
            with self._exchange.inside():
                if self._exchange.request.Test():
                    self.wait()
        return self._done


DONE = Task(None, list)  # shared task of all synchronous calls
DONE._done = True


def start_task(exchange: Exchange, complete: Callable[[], object]) -> Task:
    """Complete an exchange, or only begin it if its call is asynchronous; return its task."""
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


def wants_gradient(x: Any) -> bool:
    """Return whether a tensor, or one of several, wants a gradient."""
    return any(map(wants_gradient, x)) if isinstance(x, list) else not x._stop


def perform(
    exchange: Exchange, name: str, *inputs: Any, run: Callable[[], Any] | None = None, **attrs: Any
) -> Any:
    """Call the op's record, whose kernel performs the exchange, or `run` in its place.

    Without listeners and gradients only the exchange runs.
    """
    if not modes.gate_open and not (modes.grad_enabled.get() and any(map(wants_gradient, inputs))):
        made = (run or exchange)()
        return [Tensor(out) for out in made] if isinstance(made, list) else Tensor(made)
    with exchange.inside(), meeting(run or exchange):
        return REGISTRY[name].call(*inputs, **attrs, **exchange.attrs)


def perform_in_place(exchange: Exchange, name: str, x: Tensor, **attrs: Any) -> Tensor:
    """Perform an exchange in the memory of x; a leaf that wants a gradient stays a leaf."""
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
    """Perform an exchange; copy its result into a tensor, or its results into a list of tensors.

    The tensors keep their history; an empty list gets new tensors.
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
                take_result(each, result, name)
                continue
            if result is not each._data:  # else MPI has written into the tensor itself
                from_mpi(each, result)
            changed_in_place(each)


# ----- arrays ------------------------------------------------------------------------------------


def to_mpi(x: Tensor, own: bool = False) -> Any:
    """Return x as a contiguous array of a dtype that MPI has; with `own` as a copy."""
    data = x._data
    known = data.dtype.char not in CARRIED
    if known and not own and data.__class__ is np.ndarray and data.flags.c_contiguous:
        return data  # usual case: the dtype needs no conversion
    array = to_numpy(data)
    dtype: Any = array.dtype if known else CARRIED[array.dtype.char]
    return np.array(array, dtype, order="C") if own else np.ascontiguousarray(array, dtype)


def room_like(x: Tensor, own: bool) -> Any:
    """Return memory for as many elements as x has: x's own if MPI can write there, else new."""
    return np.empty_like(to_mpi(x)) if own else to_mpi(x)


def from_mpi(x: Tensor, array: Any, fresh: bool = False) -> Any:
    """Return a received array in x's dtype and shape: in x's memory, or with `fresh` in new."""
    data = x._data
    if fresh:
        return beside(array.reshape(data.shape).astype(data.dtype, copy=False), data)
    if array is not data:
        data[...] = beside(array.reshape(data.shape), data)
    return data
