"""Reasons in a trace why leaves have no gradient, and the wires at which gradients are cut off.

`viz.explain` asks the engine, which knows more (detach(), clear_grad()); a saved page has only the
trace. A recording that reached its limit gets no reasons, since later events are not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from minipaddle.engine.reasons import RESULT_STOPPED, WORDINGS, Reason
from minipaddle.events import Seen
from minipaddle.messages import Message

from ..document.op_facts import gradless
from ..model import Edge, Graph, Missing
from . import ids
from .tape import Call

LEAVES = ("leaf", "parameter", "data")
MOST = 200  # upper bound of the leaves that are explained
Boxes = dict[int, tuple[str, ...]]  # tensor -> boxes that it comes from
Wires = Mapping[str, Sequence[Edge]]  # box -> wires that leave it
Uses = Mapping[int, Sequence[tuple[int, Call, int]]]  # tensor -> (time, call, input's index)


class Cut(NamedTuple):
    """The cut of a leaf's gradient: reason, op or PyLayer `by` which, wires, index of the call."""

    reason: Reason
    by: str = ""
    wires: Sequence[str] = ()
    when: int = 0


def missing_gradients(
    calls: Sequence[Call],
    graph: Graph,
    names: Mapping[str, str],
    unasked: AbstractSet[int],
    began: bool,
    stopped: bool,
    before: Iterable[int],
) -> dict[str, Missing]:
    """Return box of a leaf -> why it has no gradient at the end; `names` are the boxes' names.

    `calls` are the calls outside of PyLayers, in order; `unasked` are tensors that are gradients
    themselves; `began`: whether any backward has run; `stopped`: whether an exception ended one;
    `before`: leaves that have an earlier gradient.
    """
    arrived = {node.pair for node in graph.nodes if node.kind == "leaf_grad"}
    arrived |= set(map(ids.tensor, before))
    lacking = {n.id for n in graph.nodes if n.kind in LEAVES and n.lane == "forward"} - arrived
    wires: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        wires.setdefault(edge.source, []).append(edge)
    uses: dict[int, list[tuple[int, Call, int]]] = {}
    leaves: dict[int, Seen] = {}
    for k, call in enumerate(calls):
        for i, seen in enumerate(call.inputs):
            if seen is not None:
                uses.setdefault(seen.id, []).append((k, call, i))
                leaves.setdefault(seen.id, seen)
    result: dict[str, Missing] = {}
    for seen in leaves.values():
        box = ids.tensor(seen.id)
        if seen.id not in unasked and box in lacking and len(result) < MOST:
            cut = cut_of(seen, uses, wires, began)
            if stopped and cut.reason is Reason.NOT_REACHED:
                continue  # backward might have reached the leaf later
            text = wording_of(cut, names.get(box, box))
            result[box] = Missing(cut.reason, text, tuple(cut.wires))
    return result


def wording_of(cut: Cut, x: str) -> Message:
    """Return the sentence on a leaf named `x`."""
    is_result = cut.reason is Reason.STOP_GRADIENT and cut.by
    cause = (RESULT_STOPPED if is_result else WORDINGS[cut.reason]).recorded
    assert cause is not None, f"no recording tells of {cut.reason}"
    return Message("{x}.grad is None at the end: {cause}", x=x, cause=cause.fill(x=x, by=cut.by))


def cut_of(leaf: Seen, uses: Uses, wires: Wires, began: bool) -> Cut:
    """Return the cut of a leaf's gradient: where backward returned None, or else the last cut."""
    if leaf.stop_gradient:
        whole = leaf.value.dtype.startswith(("int", "uint", "bool"))
        out = [edge.id for edge in wires.get(ids.tensor(leaf.id), ()) if edge.kind == "data"]
        return Cut(Reason.INTEGER if whole else Reason.STOP_GRADIENT, wires=out)
    if not leaf.leaf:
        return Cut(Reason.NOT_A_LEAF)
    if not began:
        return Cut(Reason.NO_BACKWARD)
    # Tensors through which a gradient could reach the leaf, but not through marked ones.
    boxes: Boxes = {leaf.id: (ids.tensor(leaf.id),)}
    makers: dict[int, Call] = {}
    marked: dict[int, Call] = {}
    cuts: list[Cut] = []
    todo = [leaf.id]
    for number in todo:
        for when, call, i in uses.get(number, ()):
            reason, by, sources = stop_reason(call, i), call, boxes.get(number, ())
            if number in marked:
                reason, by = Reason.NON_DIFFERENTIABLE, marked[number]
                sources = tuple(ids.port(by.box, "out", n) for n in range(len(by.outputs)))
            elif number in makers and (seen := call.inputs[i]) and seen.stop_gradient:
                reason, by = Reason.STOP_GRADIENT, makers[number]
            if reason:
                cut = wires_between(wires, sources, (call.box, ids.port(call.box, "in", i)))
                cuts.append(Cut(reason, by.op, cut, when))
            else:
                results = [*results_through(call, boxes, marked)]
                makers.update(dict.fromkeys(results, call))
                todo += results
    latest = max(cuts, key=lambda cut: (cut.reason is Reason.RETURNED_NONE, cut.when), default=None)
    return latest or Cut(Reason.NOT_REACHED)


def wires_between(wires: Wires, sources: Iterable[str], targets: Sequence[str]) -> list[str]:
    """Return the wires from any of the sources to any of the targets."""
    return [e.id for name in sources for e in wires.get(name, ()) if e.target in targets]


def stop_reason(call: Call, index: int) -> Reason | None:
    """Return why a call gives its input no gradient, or None if it may give one."""
    if index in call.nones:
        return Reason.RETURNED_NONE
    if call.graded:
        return None
    return Reason.GRADLESS_OP if gradless(call.op) else Reason.NO_GRAD


def results_through(call: Call, boxes: Boxes, marked: dict[int, Call]) -> Iterable[int]:
    """Yield a call's new results; add them to `boxes`, or to `marked` if they stop gradients."""
    for k, seen in enumerate(call.outputs):
        if seen is None or seen.id in boxes or seen.id in marked:
            continue
        if seen.stop_gradient:
            marked[seen.id] = call
        else:
            boxes[seen.id] = (call.box, ids.port(call.box, "out", k))
        yield seen.id
