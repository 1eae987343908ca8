"""Grad nodes of events: all nodes that one call has added to a framework's graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minipaddle.events import Edge
from minipaddle.ops.bound import Gradient, functions_on, reads_of


@dataclass(slots=True)
class Spread:
    """A call that broadcasts: its record, attributes, and arrays by the record's names."""

    record: Any
    attrs: dict[str, Any]
    arrays: dict[str, Any]

    def gradient(self, index: int, dout: Any, like: Any) -> Any:
        """Return the gradient of an input before its sum over broadcast axes, else None.

        The framework sums inside of its node, so the record's rule computes it; the sum must be the
        framework's gradient, `like`.
        """
        if any(isinstance(each, dict) for each in (dout, like, *self.arrays.values())):
            return None  # statistics
        reads = reads_of(self.record)
        needs = [at == index for at in range(len(self.record.inputs))]
        values = (*(self.arrays[name] for name in reads), dout)
        with np.errstate(all="ignore"):
            functions = functions_on([dout])
            rule = Gradient(self.record, self.attrs, reads, needs)
            before = rule.before_sums(functions, values)[index]
            if before is None or before.shape == like.shape:
                return None
            total = functions.sum_to(before, shape=like.shape)
        return before if np.allclose(total, like, 1e-4, 1e-6, equal_nan=True) else None


@dataclass(slots=True)
class Group:
    """A grad node of events: the framework's nodes that one call has added.

    `edges` belong to the call's tensors in order, then come those to other tensors; `outputs` are
    weak references to the results, by slot.
    """

    number: int
    name: str
    call: int
    outputs: list[Any]
    slots: int
    edges: list[Edge | None] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)
    spread: Spread | None = None
    tensors: list[bool] = field(default_factory=list)  # of a Function: which arguments are some
    kept: list[tuple[Any, int]] = field(default_factory=list)  # of a Function: memory, number


@dataclass(slots=True)
class Place:
    """The place of one of the framework's nodes in a Group.

    `slots` maps its outputs to slots of the group, `exits` its edges to positions in `edges`.
    """

    group: Group
    slots: dict[int, int] = field(default_factory=dict)
    exits: dict[int, int] = field(default_factory=dict)


def flattened(things: Sequence[Any]) -> list[Any]:
    """Return things in one list, those of inner lists one by one."""
    flat: list[Any] = []
    for thing in things:
        flat += flattened(thing) if isinstance(thing, (list, tuple)) else [thing]
    return flat
