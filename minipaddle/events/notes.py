"""Notes: what happened as bare tuples, of which events can be made at once or much later.

To make the events of an op call and of its gradient takes ten times as long as the arithmetic of
a small op. So the engine tells of these in notes: a function of this module with its arguments,
which makes the events. Most listeners never see a note. One that has a `note_taker` of its own is
handed notes as they are, if nobody else listens; what stands in them for an array is a copy,
because a note is read when the engine's own array has long been used again.

A note is a row of plain cells, for the garbage collector looks at every container that may be in a
cycle: `value`, `tensors` and `edge` below say which cells stand for a Value, a Seen and an Edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..engine.dtypes import name_of
from ..engine.source_line import SourceLine
from .event_types import (
    Edge,
    GradAccumulated,
    GradComputed,
    GradNodeMade,
    GradUnbroadcast,
    LeafReached,
    NodeVisited,
    OpFinished,
    OpStarted,
    ParameterUpdated,
    SavedReleased,
    ScopeEntered,
    ScopeLeft,
    Seen,
    TensorSaved,
    UpdateRule,
    Value,
)

Note = tuple[Any, ...]
Cells = Sequence[Any]
Events = Sequence[Any]


def records_of(log: Iterable[Any]) -> Iterator[Any]:
    """Return the events of a log in which some stand as notes."""
    begun: Any = None  # a call's start, which its end, if that is next, tells once more
    for event in log:
        note = event if event.__class__ is tuple else (None, None)
        if begun is not None and not (note[0] is op_finished and note[1] is begun):
            yield from op_started(*begun[1:])
        begun = event if note[0] is op_started else None
        if note[0] is None:
            yield event
        elif begun is None:
            yield from note[0](*note[1:])
    if begun is not None:
        yield from op_started(*begun[1:])


def count(log: Iterable[Any]) -> int:
    """Return how many events a log stands for, without making them."""
    total = 0
    for event in log:
        total += 1
        if event.__class__ is tuple:
            if event[0] is op_finished:
                total += len(event[2]) if event[3] else -1
            elif event[0] is node_finished:
                total += len(event[3:]) // 4 - (not event[2])
    return total


# ----- parts -------------------------------------------------------------------------------------


def live(array: Any, number: int = 0) -> Value:  # noqa: ARG001  (as a listener's own `keep`)
    """Return what stands for an array where the events are made at once: the array itself."""
    return Value(array.shape, name_of(array.dtype), array)


def value(cell: Any) -> Any:
    """Return a Value of what was kept, an array or its (shape, dtype, bytes); a Value, or None, as
    it is.

    To take the bytes of a small array costs less time than to copy it.
    """
    if cell is None or cell.__class__ is Value:
        return cell
    if cell.__class__ is tuple:
        shape, dtype, content = cell
        return Value(shape, name_of(dtype), np.ndarray(shape, dtype, content), kept=True)
    return Value(cell.shape, name_of(cell.dtype), cell, kept=True)


def tensors(cells: Cells) -> tuple[Any, ...]:
    """Return a Seen for each tuple of its fields, a tuple for a list of such cells, others as they
    are."""
    return tuple([_of_tensor(cell) for cell in cells])


def _of_tensor(cell: Any) -> Any:
    if cell.__class__ is tuple:
        number, name, array, *rest = cell
        return Seen(number, name, value(array), *rest)
    return tensors(cell) if cell.__class__ is list else cell


def edge(number: int, slot: int) -> Edge | None:
    """Return an edge to output `slot` of a node, to a leaf (-1), or to nothing (number 0)."""
    if slot < 0:
        return Edge("leaf", number)
    return Edge("node", number, slot) if number else None


# ----- forward -----------------------------------------------------------------------------------


def op_started(
    call: int, op: str, attrs: dict[str, Any], place: SourceLine | None, *inputs: Any
) -> Events:
    return (OpStarted(call, op, tensors(inputs), attrs, place),)


def op_finished(
    started: Note,
    saved: Iterable[tuple[str, int, bool]],
    node: int,
    title: str,
    edges: int,
    *cells: Any,
) -> Events:
    """Return the outputs of the call that a note of `op_started` began, and its node if it has one.

    saved: name and position of what the node saved, and whether it is an output; cells: as many
    `edges` as there are, two cells each, then the outputs.
    """
    _, call, op, attrs, place, *inputs = started
    given, made = tensors(inputs), tensors(cells[2 * edges :])
    finished = OpFinished(call, op, given, made, attrs, place)
    if not node:
        return (finished,)
    targets = tuple([edge(cells[at], cells[at + 1]) for at in range(0, 2 * edges, 2)])
    happened: list[Any] = [finished, GradNodeMade(node, title, call, targets)]
    for slot, position, is_output in saved:
        some = (made if is_output else given)[position]
        for one in some if some.__class__ is tuple else (some,):
            if one is not None:
                happened.append(TensorSaved(node, slot, one))
    return happened


def scope_entered(
    scope: int,
    kind: str,
    name: str,
    call: int,
    place: SourceLine | None,
    parameters: dict[str, str] | None,
    training: bool,
    *inputs: Any,
) -> Events:
    given = tensors(inputs)
    return (ScopeEntered(scope, kind, name, call, given, place, parameters, training),)


def scope_left(scope: int, kind: str, name: str, call: int, *outputs: Any) -> Events:
    return (ScopeLeft(scope, kind, name, call, tensors(outputs)),)


# ----- backward ----------------------------------------------------------------------------------


def node_visited(node: int, title: str, *arrived: Any) -> Events:
    return (NodeVisited(node, title, tuple([value(cell) for cell in arrived])),)


def node_finished(node: int, released: tuple[str, ...], *grads: Any) -> Events:
    """Return what a node computed, in fours: number of the input, edge (two), gradient; what it let
    go."""
    happened: list[Any] = []
    for at in range(0, len(grads), 4):
        target: Any = edge(grads[at + 1], grads[at + 2])
        happened.append(GradComputed(node, grads[at], target, value(grads[at + 3])))
    if released:
        happened.append(SavedReleased(node, released))
    return happened


def grad_unbroadcast(node: int, index: int, before: Any, after: Any) -> Events:
    return (GradUnbroadcast(node, index, value(before), value(after)),)


def grads_added(number: int, slot: int, stored: bool, *three: Any) -> Events:
    """`held += added`, and the total, where an edge leads to."""
    held, added, total = map(value, three)
    return (GradAccumulated(edge(number, slot), held, added, total, stored),)  # type: ignore[arg-type]


def leaf_reached(grad: Any, holder: int, *leaf: Any) -> Events:
    return (LeafReached(tensors(leaf)[0], value(grad), holder),)


def parameter_updated(
    optimizer: str,
    grad: Any,
    before: Any,
    place: SourceLine | None,
    formula: str,
    rate: float,
    follows: UpdateRule | None,
    state: Cells | None,
    *param: Any,
) -> Events:
    (tensor,) = tensors(param)
    held = None if state is None else tuple([value(cell) for cell in state])
    told = value(grad), value(before), place, formula, rate, follows, held
    return (ParameterUpdated(optimizer, tensor, *told),)
