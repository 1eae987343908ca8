"""Notes: bare tuples that describe what happened, from which events are made at once or later.

Making the events of an op call and of its gradient takes ten times as long as the arithmetic of a
small op. So the engine reports these in notes: a function of this module that makes the events,
and its arguments. Most listeners never see a note. A sole listener that has a `note_taker` receives
the notes themselves, with copies of arrays, as the engine's own array is reused before the note is
read.

A note is a flat row of cells, because the garbage collector visits every container that may be in a
cycle. `value`, `tensors` and `edge` below make a Value, a Seen and an Edge of cells.
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
    LoopTurn,
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
    """Yield the events of a log of events and notes."""
    begun: Any = None  # note of a started op: left out if the next note is of its end
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
    """Return the number of events in a log of events and notes, without making them.

    The turns of loops do not count.
    """
    total = 0
    for event in log:
        total += event.__class__ is not LoopTurn
        if event.__class__ is tuple:
            if event[0] is op_finished:
                total += len(event[2]) if event[3] else -1
            elif event[0] is node_finished:
                total += len(event[3:]) // 4 - (not event[2])
    return total


# ----- parts -------------------------------------------------------------------------------------


def live(array: Any, number: int = 0) -> Value:  # noqa: ARG001  (signature of `keep`)
    """Return the Value of an array for an event that is made at once."""
    return Value(array.shape, name_of(array.dtype), array)


def value(cell: Any) -> Any:
    """Return the Value of a cell: array, its (shape, dtype, bytes), Value, or None (unchanged).

    Taking the bytes of a small array is faster than copying it.
    """
    if cell is None or cell.__class__ is Value:
        return cell
    if cell.__class__ is tuple:
        shape, dtype, content = cell
        return Value(shape, name_of(dtype), np.ndarray(shape, dtype, content), kept=True)
    return Value(cell.shape, name_of(cell.dtype), cell, kept=True)


def tensors(cells: Cells) -> tuple[Any, ...]:
    """Return a Seen for each tuple of its fields, a tuple of these for a list; others unchanged."""
    return tuple([_seen_of_cell(cell) for cell in cells])


def _seen_of_cell(cell: Any) -> Any:
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
    """Return the events of the end of the call that `started` began, and of its node, if any.

    saved: (name, position, whether an output) of each saved value. cells: two for each of the
    `edges`, then one for each output.
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
    """Return the events of a visited node: its gradients, and the saved values it released.

    grads: four cells for each gradient: number of the input, edge (two), gradient.
    """
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
    """Return the event of a sum of gradients; `three` are held, added and total."""
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
    grad, before = value(grad), value(before)
    return (ParameterUpdated(optimizer, tensor, grad, before, place, formula, rate, follows, held),)
