"""Gradients in buckets: one call averages the gradients of several parameters during backward.

A bucket starts once the gradients of all its parameters are complete, in one order on all ranks.
After the last bucket has started, each is waited for, and the averages replace the gradients.
"""

from __future__ import annotations

from collections import Counter
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


def assign_buckets(parameters: Sequence[Tensor], limits: Sequence[int]) -> list[list[int]]:
    """Return the indices of the parameters of each bucket, as Paddle assigns them.

    A bucket has one dtype and is full when its bytes reach the limit: the nth bucket of a dtype has
    the nth limit, later ones the last.
    """
    unfinished: dict[Any, list[int]] = {}
    full: list[list[int]] = []
    count: Counter[Any] = Counter()  # dtype -> number of full buckets
    for number, parameter in enumerate(parameters):
        kind = parameter._data.dtype
        row = unfinished.setdefault(kind, [])
        row.append(number)
        size = sum(parameters[each]._data.nbytes for each in row)
        if size >= limits[min(count[kind], len(limits) - 1)]:
            count[kind] += 1
            full.append(unfinished.pop(kind))
    return sorted([*full, *unfinished.values()])


class Bucket:
    """Parameters whose gradients are averaged by one call."""

    def __init__(self, number: int, parameters: Sequence[Tensor]) -> None:
        self.number, self.parameters = number, list(parameters)
        self.missing: dict[Tensor, None] = {}  # parameters without a complete gradient
        self.row: Any = None  # vector of all gradients
        self.task: Any = None

    def expect(self) -> None:
        """Reset the bucket for a backward pass."""
        self.missing, self.task = dict.fromkeys(self.parameters), None

    def start(self, group: Group) -> None:
        """Start to average this bucket; a missing gradient counts as zeros."""
        rows = [GRAPH.flatten(gradient_of(parameter)) for parameter in self.parameters]
        self.row = GRAPH.concat(rows, 0)
        rare(self.row).name = f"bucket_{self.number}"
        self.task = all_reduce(self.row, ReduceOp.AVG, group, sync_op=False)

    def finish(self, used: Collection[Tensor]) -> None:
        """Wait for the averages; they become the gradients of the used parameters."""
        self.task.wait()
        end = 0
        for parameter in self.parameters:
            begin, end = end, end + parameter._data.size
            if parameter in used:
                mean = GRAPH.reshape(self.row[begin:end], list(parameter._data.shape))
                if parameter._grad is None:  # only other ranks have its gradient
                    mean = Tensor(mean._data, False)
                parameter.grad = mean  # type: ignore[attr-defined]
        self.row = self.task = None


def gradient_of(parameter: Tensor) -> Tensor:
    """Return the gradient of a parameter, or zeros if it has none."""
    if parameter._grad is not None:
        return parameter._grad
    zeros = parameter._data.copy()
    zeros[...] = 0
    return Tensor(zeros)


class Reducer:
    """Averager of the gradients of parameters, once for each forward pass."""

    def __init__(self, rows: Iterable[Sequence[Tensor]], group: Group) -> None:
        self.group = group
        self.buckets = [Bucket(number, row) for number, row in enumerate(rows)]
        self.bucket_of = {each: bucket for bucket in self.buckets for each in bucket.parameters}
        self.active = False  # whether gradients of the last forward pass are missing
        self.started = 0  # number of buckets that have started
        self.unused: frozenset[Tensor] | None = None  # parameters unused in the first forward pass
        self.left_out: frozenset[Tensor] = frozenset()  # parameters unused in the last forward pass
        for parameter in self.bucket_of:
            rare(parameter).after = self.on_gradient

    def expect(self, outputs: Sequence[Tensor], find_unused: bool) -> None:
        """Prepare for the gradients of a forward pass with these outputs.

        Errors: RuntimeError if a gradient of the last pass is missing, or, without `find_unused`,
        if other parameters are used than in the first pass.
        """
        missing = {parameter for bucket in self.buckets for parameter in bucket.missing}
        if self.active and missing | self.left_out != self.bucket_of.keys():  # some have arrived
            raise errors.gradients_never_came(
                [name_of(each) for bucket in self.buckets for each in bucket.missing]
            )
        unused = frozenset(self.bucket_of) - find_reachable(outputs) if outputs else frozenset()
        if self.unused is None:
            self.unused = unused
        if not find_unused and unused != self.unused:
            raise errors.other_parameters_used(
                sorted(map(name_of, unused)), sorted(map(name_of, self.unused))
            )
        for bucket in self.buckets:
            bucket.expect()
        self.active, self.started, self.find_unused, self.left_out = True, 0, find_unused, unused
        for parameter in unused:
            self.on_gradient(parameter)

    def on_gradient(self, parameter: Tensor) -> None:
        """Note that the gradient of a parameter is complete; start the buckets that are ready."""
        if not self.active:
            return
        bucket = self.bucket_of[parameter]
        if bucket.task is not None:
            raise errors.gradient_came_again(name_of(parameter))
        bucket.missing.pop(parameter, None)
        with no_grad():
            while self.started < len(self.buckets) and not self.buckets[self.started].missing:
                self.buckets[self.started].start(self.group)
                self.started += 1
            if self.started == len(self.buckets):
                self.active = False
                self.finish()

    def finish(self) -> None:
        """Wait for all buckets; a parameter that any rank has used gets an average."""
        has_grad = [each not in self.left_out or each._grad is not None for each in self.bucket_of]
        if self.find_unused:
            row: Any = Tensor(np.array(has_grad, np.int32))
            all_reduce(row, ReduceOp.MAX, self.group)
            has_grad = row.tolist()
        used = frozenset(compress(self.bucket_of, has_grad))
        for bucket in self.buckets:
            bucket.finish(used)


def find_reachable(outputs: Sequence[Tensor]) -> frozenset[Any]:
    """Return the nodes and leaves that backward from these outputs reaches."""
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
