"""Ranks of PyTorch: averages of gradients that DistributedDataParallel makes in backward."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakSet

import torch
from torch import distributed

from minipaddle import events
from minipaddle.events import Value

from .torch_tensors import TorchThings, unseen

OP = "all_reduce"


def rank_and_size() -> tuple[int, int] | None:
    """Return the rank of this process and the number of ranks; None for a lone process."""
    if not (distributed.is_available() and distributed.is_initialized()):
        return None
    return distributed.get_rank(), distributed.get_world_size()


class Averages:
    """The averages of one recording: each becomes a collective after its backward pass."""

    def __init__(self, things: TorchThings) -> None:
        self.things = things
        self.modules: Any = WeakSet()  # whose next backward pass averages
        self.counts: Counter[tuple[int, ...]] = Counter()  # ranks of a group -> averages so far

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
    def emit(self, reached: Mapping[Any, tuple[Value, int]], place: Any) -> None:
        """Emit the averages of a pass.

        `reached` maps leaves to their gradients before the averages, with the numbers of these.
        """
        for module in [*self.modules]:
            ranks = tuple(distributed.get_process_group_ranks(module.process_group))
            own = [each for each in module.parameters() if each in reached]
            for parameter in own:
                self.average(parameter.grad, *reached[parameter], ranks, place)
            if own:
                self.modules.discard(module)

    def average(
        self, grad: Any, before: Value, number: int, ranks: tuple[int, ...], place: Any
    ) -> None:
        given = replace(self.things.seen(grad), value=before, id=number)
        self.things.renumber(grad)
        made = self.things.seen(grad, copy=True)
        self.counts[ranks] += 1
        own = {"rank": distributed.get_rank(), "group": 0, "number": self.counts[ranks]}
        attrs, call = {"op": "avg", "ranks": ranks, **own}, events.new_number()
        events.emit(events.OpStarted(call, OP, (given,), attrs, place))
        events.emit(events.OpFinished(call, OP, (given,), (made,), attrs, place))
        events.emit(events.ValuesTaken(replace(made, id=given.id), made, "result"))
