"""Grad nodes of events: all nodes that one call has added to a framework's graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minipaddle import events
from minipaddle.events import Edge
from minipaddle.ops.bound import Gradient, functions_for, names_read


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
        reads = names_read(self.record)
        needs = [at == index for at in range(len(self.record.inputs))]
        values = (*(self.arrays[name] for name in reads), dout)
        with np.errstate(all="ignore"):
            functions = functions_for([dout])
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


class Positions:
    """Edges of a call's tensors, and the positions to which its nodes' edges belong.

    A key says which edges lead to the same place.
    """

    def __init__(self, edges: Sequence[Edge | None], keys: Sequence[Any]) -> None:
        self.edges = list(edges)
        self.free: dict[Any, list[int]] = {}
        self.last: dict[Any, int] = {}
        self.used: set[int] = set()
        for at, key in enumerate(keys):
            if key is not None:
                self.free.setdefault(key, []).append(at)

    def of(self, key: Any, edge: Edge) -> int:
        """Return the next position of a key: its last one if all have been returned."""
        if free := self.free.get(key):
            self.last[key] = free.pop(0)
        elif key not in self.last:
            self.last[key] = len(self.edges)
            self.edges.append(edge)
        self.used.add(self.last[key])
        return self.last[key]

    def reached(self) -> list[Edge | None]:
        """Return the edges, None for tensors that no gradient reaches."""
        return [edge if at in self.used else None for at, edge in enumerate(self.edges)]


class ForeignGraph:
    """The part of a framework's graph that one recording knows."""

    def __init__(self, things: Any) -> None:
        self.things = things

    def keep(self, group: Group, slot: str, tensor: Any, place: Any = None) -> None:
        """Emit that a group has saved a tensor."""
        if slot not in group.saved:
            group.saved.append(slot)
            seen = self.things.seen(tensor)
            events.emit(events.TensorSaved(group.number, slot, seen, place))


def flattened(things: Sequence[Any]) -> list[Any]:
    """Return things in one list, those of inner lists one by one."""
    flat: list[Any] = []
    for thing in things:
        flat += flattened(thing) if isinstance(thing, (list, tuple)) else [thing]
    return flat
