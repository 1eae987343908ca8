"""What the op registry can tell a reader: an op's sign and its formulas."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from minipaddle.ops import REGISTRY

# What may go wrong when a trace from elsewhere gives attributes that an op does not know.
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


# Which functions make something out of nothing with an op of another name.
MAKERS = {
    "gaussian": ("randn", "normal", "standard_normal"),
    "uniform": ("rand", "uniform"),
    "full": ("ones", "zeros", "full"),
    "fill_like": ("ones_like", "zeros_like", "full_like"),
}


def word(op: str, line: str) -> str:
    """The function of that op which a line of code calls, if there is just one."""
    called = set(re.findall(r"\b(\w+)\(", line)) & {op, *MAKERS.get(op, ())}
    return called.pop() if len(called) == 1 else ""


def symbol(op: str, attrs: Mapping[str, Any]) -> str:
    """The sign in the box of an op: `+`, `× 2`, or its name."""
    sign = _sign(op)
    if isinstance(sign, str):
        return sign
    try:
        return str(sign(dict(attrs)))
    except UNFIT:
        return op


def _sign(op: str) -> Any:
    """The sign of an op, or what makes it of the attributes; the name of one that has none."""
    record = REGISTRY.get(op)
    return (record and record.formula.symbol) or op


def gradless(op: str) -> bool:
    """Whether an op has no gradient wherever it runs."""
    return bool(getattr(REGISTRY.get(op), "gradless", ""))


def title(op: str) -> str:
    """What sentences call an op: `softmax + cross entropy`; one drawn as a sign by its name."""
    sign = _sign(op)
    return sign if isinstance(sign, str) and sign[:1].isalpha() else op


def input_names(op: str) -> tuple[str, ...]:
    """What the rules of an op call its inputs."""
    return tuple(getattr(REGISTRY.get(op), "inputs", ()))


def output_names(op: str) -> tuple[str, ...]:
    """What the results of an op are called where nobody named them."""
    return tuple(getattr(REGISTRY.get(op), "outputs", ()))


def main_output(op: str) -> int:
    """Which of its results an op is called for: a loss rather than the softmax on the way."""
    names = output_names(op)
    return names.index("loss") if "loss" in names else 0


def rule(op: str, attrs: Mapping[str, Any], which: str) -> str:
    """`formula` or `grad_formula`, or what one that depends on the attributes makes of them."""
    record = REGISTRY.get(op)
    if record is None:
        return ""
    text = record.formula.forward if which == "formula" else record.formula.backward
    if isinstance(text, str):
        return text
    try:
        return str(text(dict(attrs)))
    except UNFIT:
        return ""
