"""One call of a collective: agreed on, carried by MPI, told as an op.

Ranks first agree on what they are about to do. Then all of them are there, so MPI may be asked to
block until the data has come. The op's record is called for everything that listens, and for the
tape; its kernel takes up the exchange that is laid down for it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..device import beside, to_numpy
from ..eager.inplace import apply_in_place
from ..engine import modes
from ..engine.grad_mode import no_grad
from ..engine.tensor import Tensor
from ..ops import REGISTRY
from ..ops.ranks.meeting import meeting
from .agreement import Call, Checks, agree, finish
from .groups import Group

# Numbers that MPI does not know travel as others, and come back as what they were.
CARRIED = {"float16": np.dtype("float32"), "bool": np.dtype("uint8")}


class Exchange:
    """What the ranks of a group are asked to do by MPI, once they agree on it.

    `verb` is MPI's name of it, with its arguments; `land` gives the arrays that came.
    """

    def __init__(
        self,
        group: Group,
        call: Call,
        land: Callable[[], Any],
        verb: str,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        group._calls += 1
        self.group, self.call, self.number = group, call, group._calls
        self.verb, self.args, self.kwargs = verb, args, kwargs
        self.land = land
        self.request: Any = None

    def __call__(self) -> Any:
        """Do it all, and give what came; what has begun is only waited for."""
        if self.request is None and Checks.on:
            agree(self.group, self.call, self.number)
            getattr(self.group._carrier, self.verb)(*self.args, **self.kwargs)
        else:
            self.begin()
            finish(self.group, self.call, self.request)
        return self.land()

    def begin(self) -> None:
        """Let it begin, and go on meanwhile."""
        if self.request is None:
            agree(self.group, self.call, self.number)
            start = getattr(self.group._carrier, f"I{self.verb.lower()}")
            self.request = start(*self.args, **self.kwargs)

    @property
    def attrs(self) -> dict[str, Any]:
        """What an op's record tells of the ranks."""
        group = self.group
        rank = group.get_global_rank(group.rank)
        return {"ranks": group.ranks, "rank": rank, "group": group.id, "number": self.number}


class Task:
    """A collective that has begun.

    Source: what Paddle's collectives give with `sync_op=False`.
    """

    def __init__(self, exchange: Exchange, tell: Callable[[], object]) -> None:
        self._exchange, self._tell = exchange, tell
        self._done = False

    def wait(self) -> bool:
        """Wait for it, and write its result."""
        if not self._done:
            self._tell()
            self._done = True
        return True

    def is_completed(self) -> bool:
        """Whether it is over; if so its result is written."""
        if not self._done and self._exchange.request.Test():
            self.wait()
        return self._done


def started(exchange: Exchange, tell: Callable[[], object], sync_op: bool) -> Task:
    """The task of a call that is done at once, or only begun."""
    task = Task(exchange, tell)
    if sync_op:
        task.wait()
    else:
        exchange.begin()
    return task


def told(exchange: Exchange, name: str, *inputs: Any, **attrs: Any) -> Any:
    """What the op's record gives, whose kernel does the exchange."""
    with meeting(exchange):
        return REGISTRY[name].call(*inputs, **attrs, **exchange.attrs)


def told_in_place(exchange: Exchange, name: str, x: Tensor, **attrs: Any) -> Tensor:
    """The same into the memory of x. A leaf that wants a gradient stays one, as in Paddle."""
    leaf = x._node is None and not x._stop and modes.grad_enabled.get()
    with no_grad() if leaf else nullcontext():
        return apply_in_place(
            x, name, lambda shadow: told(exchange, name, shadow, **attrs), view=True
        )


# ----- arrays ------------------------------------------------------------------------------------


def carried(x: Tensor, own: bool = False) -> Any:
    """The elements in a row, as numbers that MPI knows; `own`: in memory of their own."""
    array = to_numpy(x._data)
    dtype: Any = CARRIED.get(array.dtype.name, array.dtype)
    return np.array(array, dtype, order="C") if own else np.ascontiguousarray(array, dtype)


def landed(x: Tensor, array: Any) -> Any:
    """The memory of x, which takes what came."""
    held = x._data
    if array is not held:
        held[...] = beside(array.reshape(held.shape).astype(held.dtype, copy=False), held)
    return held


def described(x: Tensor) -> str:
    """What must be the same on every rank."""
    return f"{x._data.dtype.name} {list(x._data.shape)}"
