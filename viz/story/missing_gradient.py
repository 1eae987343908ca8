"""Why a leaf has no gradient, as far as a trace itself can tell, and the wires where it is cut off.

`viz.explain` asks the engine, which knows more (detach(), clear_grad()); a saved page has only the
trace. Nothing is said of a recording that reached its limit: what came later is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minipaddle import events
from minipaddle.events import Seen

from ..model import Edge, Graph, Missing
from .op_facts import gradless
from .tape import flat

LEAVES = ("leaf", "parameter", "data")
MOST = 200  # leaves that are explained
Wires = Mapping[str, Sequence[Edge]]  # by the box that they leave

# {x} is the tensor, {by} the op or PyLayer.
WORDS: Mapping[str, tuple[str, str]] = {
    "integer": (
        "{x} holds whole numbers, which do not vary continuously.",
        "{x} 是整数，不能连续变化。",
    ),
    "stop_gradient": ("stop_gradient of {x} is True.", "{x} 的 stop_gradient 是 True。"),
    "no backward": ("no backward ran in this recording.", "这次记录里没有运行过 backward。"),
    "returned None": (
        "backward of {by} returned None for it.",
        "{by} 的 backward 在这里返回了 None。",
    ),
    "non-differentiable": (
        "only an output of {by} that is marked non-differentiable was used.",
        "用到的只是 {by} 的被标记为不可求导的输出。",
    ),
    "gradless op": ("{by} has no gradient.", "{by} 没有梯度。"),
    "no_grad": (
        "{by} ran where nothing is recorded, as in paddle.no_grad().",
        "{by} 在不记录梯度的地方运行，例如 paddle.no_grad()。",
    ),
    "not reached": (
        "no recorded way leads from it to where backward started.",
        "记录里没有从它到反向起点的路。",
    ),
}


@dataclass(slots=True)
class Call:
    """An op or a PyLayer: what went in and came out, and what backward did at it."""

    name: str
    box: str
    inputs: tuple[Any, ...]
    outputs: tuple[Seen, ...]
    layer: bool = False
    graded: bool = False
    nones: set[int] = field(default_factory=set)  # inputs for which it gave None


Uses = Mapping[int, Sequence[tuple[int, Call, int]]]  # of a tensor: when, by what, as which input


def missing(records: Sequence[Any], graph: Graph, names: Mapping[str, str]) -> dict[str, Missing]:
    """By the box of a leaf that has no gradient at the end: why. `names`: of leaves, by box."""
    calls = calls_of(records)
    began = any(isinstance(event, events.BackwardStarted) and event.edges for event in records)
    arrived = {node.pair for node in graph.nodes if node.kind == "leaf_grad"}
    wanted = {n.id for n in graph.nodes if n.kind in LEAVES and n.lane == "forward"} - arrived
    wires: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        wires.setdefault(edge.source, []).append(edge)
    uses: dict[int, list[tuple[int, Call, int]]] = {}
    for k, call in enumerate(calls):
        for i, seen in enumerate(call.inputs):
            if isinstance(seen, Seen):
                uses.setdefault(seen.id, []).append((k, call, i))
    found: dict[str, Missing] = {}
    for seen in leaves(calls):
        box = f"t{seen.id}"
        if box in wanted and box not in found and len(found) < MOST:
            reason, by, cut = reason_of(seen, uses, wires, began)
            x = names.get(box, box)
            english, chinese = (text.format(x=x, by=by) for text in WORDS[reason])
            text = {
                "en": f"{x}.grad is None at the end: {english}",
                "zh": f"最后 {x}.grad 是 None：{chinese}",
            }
            found[box] = Missing(reason, text, tuple(cut))
    return found


def leaves(calls: Iterable[Call]) -> Iterable[Seen]:
    """What went into the calls."""
    return (seen for call in calls for seen in call.inputs if isinstance(seen, Seen))


def calls_of(records: Sequence[Any]) -> list[Call]:
    """The calls outside of PyLayers, in order, and what became of them in backward."""
    found: dict[int, Call] = {}
    of_node: dict[int, Call] = {}
    entered: list[events.ScopeEntered] = []
    for event in records:
        match event:
            case events.ScopeEntered() if event.kind.startswith("pylayer"):
                entered.append(event)
            case events.ScopeLeft() if event.kind.startswith("pylayer") and entered:
                began = entered.pop()
                if event.kind == "pylayer.forward" and not entered:
                    outputs = tuple(s for s in flat(event.outputs) if isinstance(s, Seen))
                    found[event.call] = Call(
                        event.name, f"call{event.call}", flat(began.inputs), outputs, layer=True
                    )
            case events.OpFinished() if not entered:
                inputs = flat(event.inputs)
                found[event.call] = Call(event.op, f"op{event.call}", inputs, event.outputs)
            case events.GradNodeMade() if event.call in found:
                of_node[event.node] = found[event.call]
                found[event.call].graded = True
            case events.GradComputed(grad=None) if event.node in of_node:
                of_node[event.node].nones.add(event.index)
    return list(found.values())


def reason_of(leaf: Seen, uses: Uses, wires: Wires, began: bool) -> tuple[str, str, list[str]]:
    """The reason, the op or PyLayer that it lies in, and the wires that are cut."""
    if leaf.stop_gradient:
        whole = leaf.value.dtype.startswith(("int", "uint", "bool"))
        out = [edge.id for edge in wires.get(f"t{leaf.id}", ()) if edge.kind == "data"]
        return "integer" if whole else "stop_gradient", "", out
    if not began:
        return "no backward", "", []
    # What a gradient could come through, with its boxes; a mark ends the way.
    boxes: dict[int, tuple[str, ...]] = {leaf.id: (f"t{leaf.id}",)}
    marked: dict[int, Call] = {}
    cuts: list[tuple[bool, int, str, str, list[str]]] = []
    todo = [leaf.id]
    for number in todo:
        for k, call, i in uses.get(number, ()):
            reason, name, sources = stop(call, i), call.name, boxes.get(number, ())
            if number in marked:
                reason, name = "non-differentiable", marked[number].name
                box = marked[number].box
                sources = tuple(f"{box}.out{n}" for n in range(len(marked[number].outputs)))
            if reason:
                found = between(wires, sources, (call.box, f"{call.box}.in{i}"))
                cuts.append((reason == "returned None", k, reason, name, found))
            else:
                todo += through(call, boxes, marked)
    return max(cuts)[2:] if cuts else ("not reached", "", [])


def between(wires: Wires, sources: Iterable[str], targets: Sequence[str]) -> list[str]:
    """The wires from one of these boxes to one of those."""
    return [e.id for name in sources for e in wires.get(name, ()) if e.target in targets]


def stop(call: Call, index: int) -> str:
    """How a call keeps the gradient from its input; "" if it does not."""
    if index in call.nones:
        return "returned None"
    if call.graded:
        return ""
    return "gradless op" if gradless(call.name) else "no_grad"


def through(
    call: Call, boxes: dict[int, tuple[str, ...]], marked: dict[int, Call]
) -> Iterable[int]:
    """The results of a call, once: from some a gradient comes, from those marked none."""
    for k, seen in enumerate(call.outputs):
        if seen.id in boxes or seen.id in marked:
            continue
        if seen.stop_gradient:
            marked[seen.id] = call
        else:
            boxes[seen.id] = (call.box, f"{call.box}.out{k}")
        yield seen.id
