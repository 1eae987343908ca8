"""What the op registry can tell a reader: an op's sign, its formulas and the names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from minipaddle.ops import REGISTRY

# What may go wrong when a trace from elsewhere gives attributes that an op does not know.
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
Text = str | Callable[[dict[str, Any]], str]  # of a record

# Which functions make something out of nothing with an op of another name.
MAKERS = {
    "gaussian": ("randn", "normal", "standard_normal"),
    "uniform": ("rand", "uniform"),
    "full": ("ones", "zeros", "full"),
    "fill_like": ("ones_like", "zeros_like", "full_like"),
}


@dataclass(frozen=True, slots=True)
class OpFacts:
    """One call of an op as its record describes it.

    symbol: the sign in its box, `+` or `× 2`, or its name. title: what sentences call it,
    `softmax + cross entropy`; an op drawn as a sign by its name. inputs, outputs: what its rules
    call them. formula, grad_formula: of a call with these attributes.
    """

    symbol: str
    title: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    formula: str = ""
    grad_formula: str = ""
    updates: tuple[str, ...] = ()  # inputs that it keeps up to date: running statistics
    main_output: int = 0  # the result that it is called for: a loss, not the softmax on the way


def facts(op: str, attrs: Mapping[str, Any]) -> OpFacts:
    """What is known of a call; of one without a record, such as a PyLayer's, only the name."""
    record = REGISTRY.get(op)
    if record is None:
        return OpFacts(op, op)
    sign, outputs = record.formula.symbol or op, tuple(record.outputs)
    return OpFacts(
        symbol=resolve_text(sign, attrs, op),
        title=sign if isinstance(sign, str) and sign[:1].isalpha() else op,
        inputs=tuple(record.inputs),
        outputs=outputs,
        formula=resolve_text(record.formula.forward, attrs),
        grad_formula=resolve_text(record.formula.backward, attrs),
        updates=tuple(record.updates.values()),
        main_output=outputs.index("loss") if "loss" in outputs else 0,
    )


def resolve_text(text: Text, attrs: Mapping[str, Any], unfit: str = "") -> str:
    """A text of a record, or what one that depends on the attributes makes of them."""
    if isinstance(text, str):
        return text
    try:
        return str(text(dict(attrs)))
    except UNFIT:
        return unfit


def symbol(op: str, attrs: Mapping[str, Any]) -> str:
    """The sign in the box of an op: `+`, `× 2`, or its name."""
    return facts(op, attrs).symbol


def gradless(op: str) -> bool:
    """Whether an op has no gradient wherever it runs."""
    return bool(getattr(REGISTRY.get(op), "gradless", ""))


def maker(op: str, line: str) -> str:
    """The function of that op which a line of code calls, if there is just one."""
    called = set(re.findall(r"\b(\w+)\(", line)) & {op, *MAKERS.get(op, ())}
    return called.pop() if len(called) == 1 else ""
