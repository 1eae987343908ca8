"""Gradients in buckets: those of several parameters travel together, while backward goes on.

A bucket sets out once the gradients of all its parameters have been added up, in the same order on
every rank. When the last has set out, each is waited for, and its averages are the gradients.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import Any

import numpy as np

from ..engine.grad_mode import no_grad
from ..engine.tensor import OutputSlot, Tensor, rare
from ..ops.rule_functions import GRAPH
from . import errors
from .collectives import ReduceOp, all_reduce
from .groups import Group


def assigned_by_size(parameters: Sequence[Tensor], limits: Sequence[int]) -> list[list[int]]:
    """Return numbers of parameters, bucket by bucket, as Paddle assigns them.

    A bucket has one dtype and is full when its bytes reach the limit; the first one of a dtype has
    the first limit, the next one the next, and all after those the last.
    """
    open_ones: dict[Any, list[int]] = {}
    full: list[list[int]] = []
    begun: dict[Any, int] = {}  # how many buckets of this dtype are full
    for number, parameter in enumerate(parameters):
        kind = parameter._data.dtype
        row = open_ones.setdefault(kind, [])
        row.append(number)
        size = sum(parameters[each]._data.nbytes for each in row)
        if size >= limits[min(begun.get(kind, 0), len(limits) - 1)]:
            begun[kind] = begun.get(kind, 0) + 1
            full.append(open_ones.pop(kind))
    return sorted([*full, *open_ones.values()])


class Bucket:
    """Parameters whose gradients are averaged in one call."""

    def __init__(self, number: int, parameters: Sequence[Tensor]) -> None:
        self.number, self.parameters = number, list(parameters)
        self.missing: dict[Tensor, None] = {}  # those whose gradient has not come yet
        self.row: Any = None  # the gradients, one after another
        self.task: Any = None

    def expect(self) -> None:
        """Prepare for a backward pass."""
        self.missing, self.task = dict.fromkeys(self.parameters), None

    def set_out(self, group: Group) -> None:
        """Average this bucket over the ranks; what has no gradient here counts as zeros."""
        rows = [GRAPH.flatten(gradient_of(parameter)) for parameter in self.parameters]
        self.row = GRAPH.concat(rows, 0)
        rare(self.row).name = f"bucket_{self.number}"
        self.task = all_reduce(self.row, ReduceOp.AVG, group, sync_op=False)

    def arrive(self, concerned: Collection[Tensor]) -> None:
        """Wait for the averages, and let them be the gradients of the parameters concerned."""
        self.task.wait()
        end = 0
        for parameter in self.parameters:
            begin, end = end, end + parameter._data.size
            if parameter in concerned:
                mean = GRAPH.reshape(self.row[begin:end], list(parameter._data.shape))
                if parameter._grad is None:  # another rank has used it
                    mean = Tensor(mean._data, False)
                parameter.grad = mean  # type: ignore[attr-defined]
        self.row = self.task = None


def gradient_of(parameter: Tensor) -> Tensor:
    """Return what backward added up here, zeros if there is nothing."""
    if parameter._grad is not None:
        return parameter._grad
    zeros = parameter._data.copy()
    zeros[...] = 0
    return Tensor(zeros)


class Reducer:
    """Averages the gradients of parameters over the ranks, once for each forward pass."""

    def __init__(self, rows: Iterable[Sequence[Tensor]], group: Group) -> None:
        self.group = group
        self.buckets = [Bucket(number, row) for number, row in enumerate(rows)]
        self.bucket_of = {each: bucket for bucket in self.buckets for each in bucket.parameters}
        self.waits = False  # for gradients, since a forward pass
        self.gone = 0  # how many buckets have set out
        self.unused: frozenset[Tensor] | None = None  # by the first forward pass
        self.left_out: frozenset[Tensor] = frozenset()  # by the last one
        for parameter in self.bucket_of:
            rare(parameter).after = self.came

    def expect(self, outputs: Sequence[Tensor], find_unused: bool) -> None:
        """Expect the gradients that a forward pass with these outputs will lead to.

        Errors: RuntimeError if some of the last pass never came, or if other parameters are used
        than in the first pass, unless they are to be found each time.
        """
        missing = {parameter for bucket in self.buckets for parameter in bucket.missing}
        if self.waits and missing | self.left_out != self.bucket_of.keys():  # backward has begun
            raise errors.gradients_never_came(
                [name_of(each) for bucket in self.buckets for each in bucket.missing]
            )
        unused = frozenset(self.bucket_of) - reached_from(outputs) if outputs else frozenset()
        if self.unused is None:
            self.unused = unused
        if not find_unused and unused != self.unused:
            raise errors.other_parameters_used(
                sorted(map(name_of, unused)), sorted(map(name_of, self.unused))
            )
        for bucket in self.buckets:
            bucket.expect()
        self.waits, self.gone, self.find_unused, self.left_out = True, 0, find_unused, unused
        for parameter in unused:
            self.came(parameter)

    def came(self, parameter: Tensor) -> None:
        """Note that the gradient of a parameter has been added up."""
        if not self.waits:
            return
        bucket = self.bucket_of[parameter]
        if bucket.task is not None:
            raise errors.gradient_came_again(name_of(parameter))
        bucket.missing.pop(parameter, None)
        with no_grad():
            while self.gone < len(self.buckets) and not self.buckets[self.gone].missing:
                self.buckets[self.gone].set_out(self.group)
                self.gone += 1
            if self.gone == len(self.buckets):
                self.waits = False
                self.finish()

    def finish(self) -> None:
        """Wait for all buckets; what has no gradient here gets one if another rank has one."""
        have = [each not in self.left_out or each._grad is not None for each in self.bucket_of]
        if self.find_unused:
            row: Any = Tensor(np.array(have, np.int32))
            all_reduce(row, ReduceOp.MAX, self.group)
            have = row.tolist()
        concerned = frozenset(compress(self.bucket_of, have))
        for bucket in self.buckets:
            bucket.arrive(concerned)


def reached_from(outputs: Sequence[Tensor]) -> frozenset[Any]:
    """Return the nodes and leaves that backward from here comes to."""
    reached: set[Any] = set()
    stack: list[Any] = [each._node or each for each in outputs]
    while stack:
        edge = stack.pop()
        node = edge.node if edge.__class__ is OutputSlot else edge
        if node is not None and node not in reached:
            reached.add(node)
            stack += node.edges
    return frozenset(reached)


def name_of(parameter: Tensor) -> str:
    return rare(parameter).name or "?"
