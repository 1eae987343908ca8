"""Ranks of PyTorch: collectives, and the averages of DistributedDataParallel in backward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import torch
from torch import distributed

from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.events import Seen, Value

from .torch_tensors import TorchThings, forget, is_written_elsewhere, tensors_in, unseen

Ranks = tuple[int, ...]
CALLS = ("all_reduce", "reduce", "broadcast", "all_gather")  # functions of torch.distributed
OTHERS = (
    "all_gather_into_tensor all_to_all all_to_all_single gather recv reduce_scatter "
    "reduce_scatter_tensor scatter"
)  # functions that are not shown, and write into tensors
SINK = "_DDPSink"  # Function through which DistributedDataParallel learns that backward begins
REDUCTIONS = {"SUM": "sum", "AVG": "avg", "MAX": "max", "MIN": "min", "PRODUCT": "prod"}


def rank_and_size() -> tuple[int, int] | None:
    """Return the rank of this process and the number of ranks; None for a lone process."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return None
    return distributed.get_rank(), distributed.get_world_size()


class Collectives:
    """The collectives of one recording."""

    def __init__(self, things: TorchThings) -> None:
        self.things = things
        self.modules: Any = WeakSet()  # whose next backward pass averages
        self.counts: Counter[Ranks] = Counter()  # ranks of a group -> its collectives so far
        self.begun: Any = WeakKeyDictionary()  # Work -> emits its events once it is done

    # ----- calls of the user ---------------------------------------------------------------------

    def call(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function of torch.distributed, and emit its events.

        A call with `async_op` begins here, and is an op where the user waits for it. Nothing is
        told of a reduction without a record.
        """
        bound = signature(original).bind(*args, **kwargs)
        bound.apply_defaults()
        given, name = bound.arguments, original.__name__
        attrs: dict[str, Any] = {}
        if "op" in given:
            attrs["op"] = REDUCTIONS.get(str(given["op"]).rpartition(".")[2])
        group = given["group"] or distributed.group.WORLD
        for end in {"src", "dst"} & given.keys():
            inner = given.get(f"group_{end}")  # PyTorch 2.7 has it
            attrs[end] = given[end] if inner is None else distributed.get_global_rank(group, inner)
        if None in attrs.values() or distributed.get_rank(group) < 0:
            return self.call_unseen(original, *args, **kwargs)
        ranks, place = tuple(distributed.get_process_group_ranks(group)), source_line.here()
        tensor = given["tensor"]
        before = self.things.seen(tensor, copy=True)
        out = original(*args, **kwargs)
        self.counts[ranks] += 1
        changed = given["tensor_list"] if name == "all_gather" else [tensor]
        number = self.counts[ranks]
        ends = partial(self.emit, name, before, changed, attrs, (ranks, number))
        if given["async_op"]:
            self.begun[out] = ends
            events.emit(events.CollectiveBegun(name, ranks, number, None, place))
        else:
            ends(place)
        return out

    def call_unseen(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """Call a function of torch.distributed that is not shown; it may write at any time."""
        for each in tensors_in((args, kwargs)):
            is_written_elsewhere(each)
        return original(*args, **kwargs)

    def wait(self, original: Any, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Wait for a collective that has begun, and emit its events the first time."""
        out = original(work, *args, **kwargs)
        if ends := self.begun.pop(work, None):
            ends(source_line.here())
        return out

    def emit(
        self, op: str, given: Seen, changed: Sequence[Any], attrs: dict[str, Any],
        meeting: tuple[Ranks, int], place: Any,
    ) -> None:  # fmt: skip
        """Emit a collective that has written into some tensors."""
        rank, (ranks, number) = distributed.get_rank(), meeting
        attrs = {**attrs, "ranks": ranks, "rank": rank, "group": 0, "number": number}
        old, call = [self.things.give_number(each) for each in changed], events.new_number()
        for each in changed:
            self.things.renumber(each)
            forget(each)
        made = tuple(self.things.seen(each, copy=True) for each in changed)
        events.emit(events.OpStarted(call, op, (given,), attrs, place))
        events.emit(events.OpFinished(call, op, (given,), made, attrs, place))
        for number, each in zip(old, made, strict=True):
            events.emit(events.ValuesTaken(replace(each, id=number), each, "result"))

    # ----- averages of gradients -----------------------------------------------------------------

    def expect(self, module: Any) -> None:
        """Note a module that runs forward, and whose next backward pass averages.

        A forward inside of `no_sync` asks for no average, and takes none back. What a communication
        hook of the user does is not known.
        """
        if (
            distributed.is_available()
            and isinstance(module, torch.nn.parallel.DistributedDataParallel)
            and module.require_backward_grad_sync
            and torch.is_grad_enabled()
            and not module._comm_hooks
        ):
            self.modules.add(module)

    @unseen
    def average(self, reached: Mapping[Any, tuple[Value, int]], place: Any) -> None:
        """Emit the averages of a pass.

        `reached` maps leaves to their gradients before the averages, with the numbers of these. A
        parameter that only other ranks have used gives zeros.
        """
        for module in [*self.modules]:
            parameters = [*module.parameters()]
            if not any(each in reached for each in parameters):
                continue
            self.modules.discard(module)
            ranks = tuple(distributed.get_process_group_ranks(module.process_group))
            first = self.counts[ranks] + 1
            self.counts[ranks] += len(parameters)  # on every rank, so that numbers match
            for number, parameter in enumerate(parameters, first):
                grad = parameter.grad
                if parameter in reached:
                    before, held = reached[parameter]
                    given = replace(self.things.seen(grad), value=before, id=held)
                elif grad is not None and not self.things.number_of(grad):
                    given = self.things.seen(torch.zeros_like(grad), copy=True)
                else:
                    continue
                self.emit("all_reduce", given, [grad], {"op": "avg"}, (ranks, number), place)
