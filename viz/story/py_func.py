"""The inside of a py_func: ports for what the user's function gets and gives, around its box.

NumPy works inside the function, where nothing is recorded; what can be seen is the order of its
arguments, which of them were kept from forward, which were skipped, and what comes back.
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
    """The ports of variables that go in or come out, by name; a call lights `parts`."""

    ins: dict[str, Box] = field(default_factory=dict)
    outs: dict[str, Box] = field(default_factory=dict)
    parts: list[Box] = field(default_factory=list)
    edges: list[Wire] = field(default_factory=list)

    def port(self, name: str) -> Box:
        """Return the port of a variable, on whichever side it is."""
        return self.outs.get(name) or self.ins[name]


def py_func(
    draft: Draft,
    closed: Node,
    function: str,
    sizes: Mapping[str, str],
    reads: Sequence[Declared],
    writes: Sequence[Declared],
    forward: Inside | None,
    left_out: Sequence[str],
) -> Inside:
    """Draw a call of the user's function as a group that opens; `sizes` are those of variables.

    `forward` are the ports of the forward half if this is the backward one; `left_out` are the
    variables of that half that the function does not get.
    """
    box, outside = Box(closed.id), Where(closed.lane)
    mirrored = Box(closed.pair) if forward and closed.pair else None
    twins = ids.py_func_halves(mirrored or box)
    frame = ids.py_func_inside(box)
    draft.group(frame, "py_func", closed.label, outside, twins, closed)
    where, inside = Where(closed.lane, group=frame), Inside()

    def port(side: ids.Side, i: int, label: str, text: str, pair: str | None = None) -> Box:
        name = ids.port(box, side, i)
        inside.parts.append(name)
        return draft.node(name, "port", label, text, where, pair)

    inputs = {variable.name: variable for variable in reads}
    for i, name in enumerate(_order(inputs, forward, left_out)):
        pair = (forward and GRAD in name and forward.outs.get(name.split(GRAD)[0])) or None
        if name in inputs:
            inside.ins[name] = port("in", i, name, sizes[name], pair)
        elif GRAD in name:
            port("in", i, name, NONE, pair)
        else:
            draft.mark(port("in", i, name, ""), badge("skipped"))
    beside = ids.py_func_call(mirrored) if mirrored else None
    call = ids.py_func_call(box)
    draft.node(call, "op", function or WORDS["function"], "NumPy", where, beside)
    inside.parts.append(call)
    outputs = {variable.name: variable for variable in writes}
    for i, name in enumerate(_with_gradients(outputs, forward.ins if forward else ())):
        pair = forward.ins.get(name.split(GRAD)[0]) if forward else None
        if name in outputs:
            inside.outs[name] = port("out", i, name, sizes[name], pair)
        else:
            port("out", i, name, NONE, pair)
    inside.edges += [draft.edge(box, call) for box in inside.ins.values()]
    inside.edges += [draft.edge(call, box) for box in inside.outs.values()]
    return inside


def _order(
    inputs: dict[str, Declared], forward: Inside | None, left_out: Sequence[str]
) -> list[str]:
    """Return the arguments in their order, those that do not come included."""
    if forward is None:
        return list(inputs)
    kept = [name for name in (*forward.ins, *forward.outs) if name in inputs or name in left_out]
    return list(dict.fromkeys([*kept, *_with_gradients(inputs, forward.outs), *inputs]))


def _with_gradients(there: Iterable[str], of: Iterable[str]) -> list[str]:
    """Return the gradient of each of these variables, also one that is not there, and what else
    is."""
    grads = [f"{name}{GRAD}" for name in of]
    whole = [next((name for name in there if name.startswith(grad)), grad) for grad in grads]
    return list(dict.fromkeys([*whole, *there]))
