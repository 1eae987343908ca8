"""What the op registry can tell a reader: an op's sign, its formulas and the names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.symbols import forward_formula

# What may go wrong when a trace from elsewhere gives attributes that an op does not know.
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
RecordText = str | Callable[[dict[str, Any]], str]  # of a record

# What users call where an op of another name does the work; None: whatever it is filled with.
FILLS = (
    "fill_",
    "zero_",
    "uniform_",
    "normal_",
    "log_normal_",
    "exponential_",
    "bernoulli_",
    "cauchy_",
    "geometric_",
    "random_",
    "fill_diagonal_",
)
OVERWRITES = ("set_value", "copy_")
SPELLINGS: dict[str, dict[str, float | None]] = {
    "gaussian": dict.fromkeys(("randn", "normal", "standard_normal")),
    "uniform": dict.fromkeys(("rand", "uniform")),
    "full": {"ones": 1, "zeros": 0, "full": None, "empty": 0},
    "fill_like": {"ones_like": 1, "zeros_like": 0, "full_like": None, "empty_like": 0},
    "assign": dict.fromkeys(("clone", "assign")),
    "p_norm": dict.fromkeys(("norm",)),
    "elementwise_pow": dict.fromkeys(("pow",)),
    "set_at": dict.fromkeys((*FILLS, *OVERWRITES)),
    "index_put": dict.fromkeys(("fill_diagonal_",)),
}
WORDS = re.compile(r"[A-Za-z]{2}[A-Za-z' +]*")  # a sign that is a name: softmax + cross entropy
SIGNED = {"scale"}  # ops whose name says less than their sign, `× 2`
OPERATORS = {"×": "multiply", "+": "add", "−": "subtract"}


@dataclass(frozen=True, slots=True)
class OpFacts:
    """One call of an op as its record describes it.

    symbol: the sign in formulas, `+` or `× 2`, or its name. title: what sentences call it,
    `softmax + cross entropy`; an op drawn as a sign by its name; where the user has called it by
    another name, by that. label: what its box says. inputs, outputs: what its rules call them.
    formula: of a call with these attributes. written: the call in Python and the
    letters of the rules, where it is no function: `x[0] = value`.
    """

    symbol: str
    title: str
    label: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    formula: str = ""
    written: str = ""
    updates: tuple[str, ...] = ()  # inputs that it keeps up to date: running statistics
    main_output: int = 0  # the result that it is called for: a loss, not the softmax on the way
    result: str = ""  # what a result without a name is called after, if not after the symbol
    record: Op | None = field(default=None, compare=False)
    attrs: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def changes(self) -> bool:
        """Whether it is written as a change in place: `x[0] = value`, `x.zero_()`."""
        return is_change(self.written)

    @property
    def sign(self) -> str:
        """The sign that sentences name beside the title, empty where the title says enough."""
        return self.symbol if self.title in SIGNED else ""


def is_change(written: str) -> bool:
    """Whether a call is written as a change in place, and not as `x[0]`, or as a function.

    >>> is_change("x[0]"), is_change("x[0] = rows[1]"), is_change("x.zero_()"), is_change("")
    (False, True, True, False)
    """
    return "= " in written or written[-1:] not in ("", "]")


def facts(op: str, attrs: Mapping[str, Any], line: str = "") -> OpFacts:
    """Collect what is known of a call from this line of code; without a record only the name."""
    record = REGISTRY.get(op)
    if record is None:
        stacked = op == "batch" and attrs.get("stacked")
        return OpFacts("stacked" if stacked else op, op, op, result=op)
    formula, word = record.formula, called(op, attrs, line)
    sign, outputs = formula.symbol or op, tuple(record.outputs)
    symbol, written = resolve_text(sign, attrs, op), resolve_text(formula.written, attrs)
    if written and one_called(line, [op]):  # paddle.masked_select(x, mask)
        symbol, written = op, ""
    elif word in FILLS:
        symbol, written = word, f"x.{word}({'…' * (word != 'zero_')})"
    elif word in OVERWRITES:
        symbol, written = f"x.{word}(…)", f"x.{word}(value)"
    usual = sign if isinstance(sign, str) and WORDS.fullmatch(sign) else op
    symbol = word if word and symbol in (op, usual) else symbol
    formula_text = resolve_text(lambda attrs: forward_formula(record, attrs), attrs)
    return OpFacts(
        symbol=symbol,
        title=word or (symbol if written else usual),
        label=word or (symbol if record.inputs else usual),
        inputs=formula.inputs(dict(attrs)) if formula.inputs else tuple(record.inputs),
        outputs=outputs,
        formula=formula_text,
        written=written,
        updates=tuple(record.updates.values()),
        main_output=outputs.index("loss") if "loss" in outputs else 0,
        result="loss" if formula_text.startswith("loss = ") else "",
        record=record,
        attrs=attrs,
    )


def resolve_text(text: RecordText, attrs: Mapping[str, Any], unfit: str = "") -> str:
    """A text of a record, or what one that depends on the attributes makes of them."""
    if isinstance(text, str):
        return text
    try:
        return str(text(dict(attrs)))
    except UNFIT:
        return unfit


def filled_slots(op: str, outputs: int) -> list[int]:
    """The outputs for which zeros stand in where no gradient arrives."""
    record = REGISTRY.get(op)
    filled = record is not None and record.zeros_for_unused
    return record.graded_slots(outputs) if record is not None and filled else []


def names(op: str, attrs: Mapping[str, Any], line: str) -> set[str]:
    """List the names of a call: the engine's, that on the user's line, its operator's.

    >>> sorted(names("scale", {"scale": 2.0}, "y = x * 2.0"))
    ['multiply', 'scale']
    """
    call = facts(op, attrs, line)
    operators = [OPERATORS.get(sign, "") for sign in call.sign.split()]
    more = ["neg"] if call.sign == "−" else filter(None, operators)
    return {op, call.title, *more}


def gradless(op: str) -> bool:
    """Whether an op has no gradient wherever it runs."""
    return bool(getattr(REGISTRY.get(op), "gradless", ""))


def called(op: str, attrs: Mapping[str, Any], line: str) -> str:
    """The function of another name that a line of code calls and this op does, if just one.

    >>> called("full", {"fill_value": 1}, "y = ones([2]) + zeros([2])")
    'ones'
    """
    spellings = SPELLINGS.get(op, {})
    words = {op, *spellings}
    filled = attrs.get("fill_value", attrs.get("value"))
    words -= {word for word, value in spellings.items() if value not in (None, filled)}
    word = one_called(line, words)
    return word if word != op else ""


def one_called(line: str, words: Iterable[str]) -> str:
    """The one of these functions that a line of code calls; empty if none or several."""
    found = set(re.findall(r"\b(\w+)\(", line)) & set(words)
    return found.pop() if len(found) == 1 else ""
