"""The inside of an operator: ports for its arguments and results, and the function of a py_func.

The function works with NumPy, which is not recorded. The ports show the order of the arguments,
which of them come from forward, which are skipped, and the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from minipaddle.events import Declared

from ..language.words import WORDS
from ..model import NONE, Node
from . import ids
from .draft import Draft, Where, badge
from .ids import Box, Wire

GRAD = "@GRAD"


@dataclass(slots=True)
class Inside:
    """Ports by variable, of inputs and outputs; a call makes the boxes `parts` active."""

    ins: dict[str, Box] = field(default_factory=dict)
    outs: dict[str, Box] = field(default_factory=dict)
    parts: list[Box] = field(default_factory=list)
    edges: list[Wire] = field(default_factory=list)

    def port(self, name: str) -> Box:
        """Return the port of an output, or else of an input."""
        return self.outs.get(name) or self.ins[name]


def unfold(
    draft: Draft,
    closed: Node,
    kind: str,
    function: str,
    sizes: Mapping[str, str],
    reads: Sequence[Declared],
    writes: Sequence[Declared],
    forward: Inside | None,
    left_out: Sequence[str] = (),
) -> Inside:
    """Draw the inside of an operator as a group with ports; `sizes` maps variables to texts.

    In a py_func the user's function is called between the ports.
    `forward`: the forward half's ports, if this is the backward half. `left_out`: variables of the
    forward half that the function does not get.
    """
    box, outside = Box(closed.id), Where(closed.lane, group=closed.group)
    mirrored = Box(closed.pair) if forward and closed.pair else None
    twins = ids.operator_halves(mirrored or box)
    frame = ids.operator_inside(box)
    draft.group(frame, kind, closed.label, outside, twins, closed)
    where, inside = Where(closed.lane, group=frame), Inside()

    def port(side: ids.Side, i: int, label: str, text: str, pair: str | None = None) -> Box:
        name = ids.port(box, side, i)
        inside.parts.append(name)
        return draft.node(name, "port", label, text, where, pair)

    called = kind == "py_func"
    inputs = {variable.name: variable for variable in reads}
    for i, name in enumerate(_order_arguments(inputs, forward, left_out) if called else inputs):
        pair = (forward and GRAD in name and forward.outs.get(name.split(GRAD)[0])) or None
        if name in inputs:
            inside.ins[name] = port("in", i, name, sizes[name], pair)
        elif GRAD in name:
            port("in", i, name, NONE, pair)
        else:
            draft.mark(port("in", i, name, ""), badge("skipped"))
    call = ids.py_func_call(box)
    if called:
        beside = ids.py_func_call(mirrored) if mirrored else None
        draft.node(call, "op", function or WORDS["function"], "NumPy", where, beside)
        inside.parts.append(call)
    outputs = {variable.name: variable for variable in writes}
    for i, name in enumerate(_with_gradients(outputs, forward.ins if forward and called else ())):
        pair = forward.ins.get(name.split(GRAD)[0]) if forward else None
        if name in outputs:
            inside.outs[name] = port("out", i, name, sizes[name], pair)
        else:
            port("out", i, name, NONE, pair)
    if called:
        inside.edges += [draft.edge(box, call) for box in inside.ins.values()]
        inside.edges += [draft.edge(call, box) for box in inside.outs.values()]
    return inside


def _order_arguments(
    inputs: dict[str, Declared], forward: Inside | None, left_out: Sequence[str]
) -> list[str]:
    """Return the arguments in order, including those that the function does not get."""
    if forward is None:
        return list(inputs)
    kept = [name for name in (*forward.ins, *forward.outs) if name in inputs or name in left_out]
    return list(dict.fromkeys([*kept, *_with_gradients(inputs, forward.outs), *inputs]))


def _with_gradients(there: Iterable[str], of: Iterable[str]) -> list[str]:
    """Return a gradient for each variable, whether it is `there` or not, then the others there."""
    grads = [f"{name}{GRAD}" for name in of]
    whole = [next((name for name in there if name.startswith(grad)), grad) for grad in grads]
    return list(dict.fromkeys([*whole, *there]))
