"""Facts of the op registry for readers: an op's sign, its formulas and the names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.symbols import forward_formula

# Exceptions of ops that get attributes of a trace from elsewhere.
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
RecordText = str | Callable[[dict[str, Any]], str]  # of a record

FILLS = (
    "fill_", "zero_", "uniform_", "normal_", "log_normal_", "exponential_", "bernoulli_",
    "cauchy_", "geometric_", "random_", "fill_diagonal_",
)  # fmt: skip
OVERWRITES = ("set_value", "copy_")
# Functions that users call, by the op that does the work, with the number they fill in (None: any).
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
# Functions that users call, by the op whose result a name tells of.
FUNCTIONS = {
    "softmax_with_cross_entropy": "cross_entropy",
    "negative_log_likelihood": "nll_loss",
    "nll_rows": "nll_loss",
    "max_pool2d_with_index": "max_pool2d",
}
WORDS = re.compile(r"[A-Za-z]{2}[A-Za-z' +]*")  # a sign that is a name: softmax + cross entropy
SIGNED = {"scale"}  # ops whose name says less than their sign, `× 2`
OPERATORS = {"×": "multiply", "+": "add", "−": "subtract"}


@dataclass(frozen=True, slots=True)
class OpFacts:
    """One call of an op as its record describes it.

    symbol: the sign in formulas, `+` or `× 2`, or its name. title: its name in sentences, `softmax
    + cross entropy`; the name of an op that is drawn as a sign; the user's own word if that is
    another function. label: text of its box. inputs, outputs: names in its rules. formula: of a
    call with these attributes. written: the call in Python with the letters of the rules, if it is
    no function: `x[0] = value`.
    """

    symbol: str
    title: str
    label: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    formula: str = ""
    written: str = ""
    updates: tuple[str, ...] = ()  # inputs that it keeps up to date: running statistics
    main_output: int = 0  # the result that users want: a loss, not its softmax
    result: str = ""  # the name for results that the user did not name, if not the symbol
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
    """Return whether a call is written as a change in place, not as `x[0]` or a function.

    >>> is_change("x[0]"), is_change("x[0] = rows[1]"), is_change("x.zero_()"), is_change("")
    (False, True, True, False)
    """
    return "= " in written or written[-1:] not in ("", "]")


def facts(op: str, attrs: Mapping[str, Any], line: str = "") -> OpFacts:
    """Collect the facts of a call from this line of code; without a record only its name."""
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
    is_word = isinstance(sign, str) and WORDS.fullmatch(sign) and not op.endswith("_by")
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
        result=word or FUNCTIONS.get(op, op) if is_word or op in FUNCTIONS else "",
        record=record,
        attrs=attrs,
    )


def resolve_text(text: RecordText, attrs: Mapping[str, Any], unfit: str = "") -> str:
    """Return a text of a record, computed from the attributes if it is a function of them."""
    if isinstance(text, str):
        return text
    try:
        return str(text(dict(attrs)))
    except UNFIT:
        return unfit


def filled_slots(op: str, outputs: int) -> list[int]:
    """Return the outputs whose missing gradients are replaced by zeros."""
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
    """Return whether an op has no gradient wherever it runs."""
    return bool(getattr(REGISTRY.get(op), "gradless", ""))


def called(op: str, attrs: Mapping[str, Any], line: str) -> str:
    """Return the function of another name that a line calls and this op implements, if only one.

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
    """Return the function, out of these, that a line of code calls; "" if none or several."""
    found = set(re.findall(r"\b(\w+)\(", line)) & set(words)
    return found.pop() if len(found) == 1 else ""
