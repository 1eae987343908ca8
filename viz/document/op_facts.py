"""Facts of the op registry that users read: an op's sign, formulas and names."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.program_ops import find_op
from minipaddle.ops.symbols import forward_formula

from .values import COMPLEX

# Exceptions of functions in op records for attributes that do not fit, as in a foreign trace.
UNFIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
RecordText = str | Callable[[dict[str, Any]], str]  # a text, or a function of the attributes

FILLS = (
    "fill_", "zero_", "uniform_", "normal_", "log_normal_", "exponential_", "bernoulli_",
    "cauchy_", "geometric_", "random_", "fill_diagonal_",
)  # fmt: skip
OVERWRITES = ("set_value", "copy_")
# op -> functions that call it -> the number that the function fills in (None: any number).
SPELLINGS: dict[str, dict[str, float | None]] = {
    "gaussian": dict.fromkeys(("randn", "normal", "standard_normal")),
    "uniform": dict.fromkeys(("rand", "uniform")),
    "full": {"ones": 1, "zeros": 0, "full": None, "empty": 0},
    "fill_like": {"ones_like": 1, "zeros_like": 0, "full_like": None, "empty_like": 0},
    "assign": dict.fromkeys(("clone", "assign")),
    "argsort": dict.fromkeys(("sort",)),
    "p_norm": dict.fromkeys(("norm",)),
    "nanmedian": dict.fromkeys(("median",)),
    "elementwise_pow": dict.fromkeys(("pow",)),
    "set_at": dict.fromkeys((*FILLS, *OVERWRITES)),
    "index_put": dict.fromkeys(("fill_diagonal_",)),
}
# op -> the function whose name describes the op's result.
FUNCTIONS = {
    "softmax_with_cross_entropy": "cross_entropy",
    "negative_log_likelihood": "nll_loss",
    "nll_rows": "nll_loss",
    "max_pool2d_with_index": "max_pool2d",
    "max_pool3d_with_index": "max_pool3d",
    "argsort": "sort",
    "matmul_transposed": "matmul",
}
# Ops whose functions reduce the losses that the op computes: nll_loss(x, y) is their mean.
LOSSES = (
    "softmax_with_cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "negative_log_likelihood", "nll_rows", "kl_div", "smooth_l1_loss",
)  # fmt: skip
WORDS = re.compile(r"[A-Za-z]{2}[A-Za-z' +]*")  # a sign made of words: softmax + cross entropy
# a sign made for a call: norm, axis=1
OF_CALL = re.compile(r"((?!inf|nan)[a-z_]{3,})(?:, (?:axis|diagonal|p).*)?")
HYPHEN = re.compile(r"(?<![\w.])-(?=\d)")  # the sign of a number in code
ENDLESS = {"inf": math.inf, "-inf": -math.inf}  # attributes as recorded
# op -> its name in sentences
TITLES = {**FUNCTIONS, "elementwise_pow": "pow", "reshape_to": "reshape"}
SIGNED = {"scale"}  # ops whose sign, `× 2`, says more than their name
OPERATORS = {"×": "multiply", "+": "add", "−": "subtract"}


@dataclass(frozen=True, slots=True)
class OpFacts:
    """One call of an op as the op's record describes it.

    symbol: the sign in formulas, `+` or `× 2`, or the op's name. title: the name in sentences,
    `softmax + cross entropy`, or the name of the function that the user called. label: the text of
    the box. inputs, outputs: names in the op's rules. formula: the formula with the call's
    attributes. written: the call in Python with the letters of the rules, if it is written without
    a function: `x[0] = value`.
    """

    symbol: str
    title: str
    label: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    formula: str = ""
    written: str = ""
    updates: tuple[str, ...] = ()  # inputs that the op updates: running statistics
    main_output: int = 0  # index of the result that users want: a loss, not its softmax
    result: str = ""  # name for results that the user did not name; "" means the symbol
    record: Op | None = field(default=None, compare=False)
    attrs: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def changes(self) -> bool:
        """Whether the call is written as a change in place: `x[0] = value`, `x.zero_()`."""
        return is_change(self.written)

    @property
    def sign(self) -> str:
        """The sign that sentences add to the title, or "" where the title says enough."""
        return self.symbol if self.title in SIGNED else ""

    @property
    def operators(self) -> list[str]:
        """Ops of Python's operators in the sign: `multiply` of `× 2`."""
        if self.sign == "−":
            return ["neg"]
        return [OPERATORS[part] for part in self.sign.split() if part in OPERATORS]

    @property
    def word(self) -> str:
        """The op's name, or that of the first operator in its sign."""
        return next(iter(self.operators), self.title)


ASSIGNED = re.compile(r"(?<![=!<>])= |(<<|>>)= ")


def is_change(written: str) -> bool:
    """Return whether `written` is a change in place, not "" or an expression such as `x[0]`.

    >>> is_change("x[0]"), is_change("x[0] = rows[1]"), is_change("x.zero_()"), is_change("")
    (False, True, True, False)
    >>> is_change("x[y == 0]"), is_change("x[y <= 0] += 1")
    (False, True)
    """
    return bool(ASSIGNED.search(written)) or written[-1:] not in ("", "]")


def facts(
    op: str,
    attrs: Mapping[str, Any],
    called: Collection[str] = (),
    rank: int = 2,
    dtype: str = "",
) -> OpFacts:
    """Return the facts of a call; an op without a record has only its name.

    called: the functions of which one runs the op. rank, dtype: of the first input, for subscripts
    and conjugates in formulas.
    """
    attrs = {key: ENDLESS.get(str(value), value) for key, value in attrs.items()}
    if op == "scale":
        attrs = {
            key: complex(x) if isinstance(x, str) and COMPLEX.fullmatch(x) else x
            for key, x in attrs.items()
        }
    attrs["rank"] = rank
    if dtype.startswith("complex"):
        attrs["complex"] = True
    record = find_op(op)
    if record is None:
        stacked = op == "batch" and attrs.get("stacked")
        return OpFacts("stacked" if stacked else op, op, op, result=op)
    formula, word = record.formula, called_function(op, attrs, called)
    sign, outputs = formula.symbol or op, tuple(record.outputs)
    symbol = HYPHEN.sub("−", resolve_text(sign, attrs, op))
    written = resolve_text(formula.written, attrs)
    if written and only_called(called, [op]):  # paddle.masked_select(x, mask)
        symbol, written = op, ""
    elif word in FILLS:
        symbol, written = word, f"x.{word}({'…' * (word != 'zero_')})"
    elif word in OVERWRITES:
        symbol, written = f"x.{word}(…)", f"x.{word}(value)"
    is_word = isinstance(sign, str) and WORDS.fullmatch(sign) and not op.endswith("_by")
    usual = TITLES.get(op, op)
    if isinstance(sign, str) and WORDS.fullmatch(sign) and " + " not in sign:
        usual = sign
    if not isinstance(sign, str) and (match := OF_CALL.fullmatch(symbol)):
        usual = match[1]
    own = {op, FUNCTIONS.get(op, op)} if usual != op else set[str]()  # names in the code
    symbol = word if word and symbol in (op, usual) else symbol
    result = word or FUNCTIONS.get(op, op) if is_word or op in FUNCTIONS else ""
    result = "losses" if op in LOSSES else result
    formula_text = resolve_text(lambda attrs: forward_formula(record, attrs), attrs)
    return OpFacts(
        symbol=symbol,
        title=word or (symbol if written else only_called(called, own) or usual),
        label=word or (symbol if record.inputs else usual),
        inputs=formula.inputs(dict(attrs)) if formula.inputs else tuple(record.inputs),
        outputs=outputs,
        formula=formula_text,
        written=written,
        updates=tuple(record.updates.values()),
        main_output=outputs.index("loss") if "loss" in outputs else 0,
        result=result,
        record=record,
        attrs=attrs,
    )


@lru_cache(maxsize=4096)
def as_written(sign: str, line: str, operand: str) -> str:
    """Return a sign with a number in the order of the line, which has the tensor `operand`.

    >>> as_written("× 3", "y = 3 * x + 2", "x"), as_written("+ 2", "y = 3 * x + 2", "x × 3")
    ('3 ×', '+ 2')
    >>> as_written("× 0.1", "w - lr * w.grad", "w.grad"), as_written("× 2", "x * 2", "x")
    ('0.1 ×', '× 2')
    """
    match = re.fullmatch(r"([×+]) ([^\sj]+)", sign)  # with a real number
    if match is None:
        return sign
    try:
        tree = ast.parse(line.strip() + (" pass" if line.strip().endswith(":") else ""))
    except SyntaxError:  # a line of a longer statement
        return sign
    number, kind = float(match[2].replace("−", "-")), ast.Mult if match[1] == "×" else ast.Add
    orders = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, kind):
            left, right = node.left, node.right
            if is_number(left, number) or (operand and ast.unparse(right) == operand):
                orders.add("number first")
            if is_number(right, number) or (operand and ast.unparse(left) == operand):
                orders.add("tensor first")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "sum" and sign == "+ 0":
            orders.add("number first")  # Python's sum begins with 0 + x
    return f"{match[2]} {match[1]}" if orders == {"number first"} else sign


def is_number(node: ast.expr, number: float) -> bool:
    """Return whether an expression is this number, of which a sign has six digits."""
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return False
    return isinstance(value, (int, float)) and math.isclose(value, number, rel_tol=1e-5)


def resolve_text(text: RecordText, attrs: Mapping[str, Any], unfit: str = "") -> str:
    """Return a text of a record; `unfit` if its function fails for the attributes."""
    if isinstance(text, str):
        return text
    try:
        return str(text(dict(attrs)))
    except UNFIT:
        return unfit


def filled_slots(op: str, outputs: int) -> list[int]:
    """Return the outputs whose missing gradients are replaced by zeros."""
    record = REGISTRY.get(op)
    return record.graded_slots(outputs) if record and record.zeros_for_unused else []


def names(op: str, attrs: Mapping[str, Any], line: str) -> set[str]:
    """Return the names of a call: of the op, the function in the code, the Python operator.

    >>> sorted(names("scale", {"scale": 2.0}, "y = x * 2.0"))
    ['multiply', 'scale']
    """
    call = facts(op, attrs, calls_in(line))
    return {op, call.title, *call.operators}


def gradless(op: str) -> bool:
    """Return whether an op has no gradient wherever it runs."""
    return bool(getattr(REGISTRY.get(op), "gradless", ""))


def called_function(op: str, attrs: Mapping[str, Any], called: Collection[str]) -> str:
    """Return the one of the called functions that an op implements, or "" if it is the op's own.

    >>> called_function("full", {"fill_value": 1}, ["ones", "zeros", "full"])
    'ones'
    """
    spellings = SPELLINGS.get(op, {})
    filled = attrs.get("fill_value", attrs.get("value"))
    fitting = {word for word, value in spellings.items() if value in (None, filled)}
    exact = {word for word in fitting if spellings[word] is not None}
    word = only_called(called, {op, *fitting}) or only_called(called, exact)
    return word if word != op else ""


def only_called(called: Collection[str], words: Iterable[str]) -> str:
    """Return the one of `words` that is among the called functions; "" if none or several."""
    found = {*called} & {*words}
    return found.pop() if len(found) == 1 else ""


def calls_in(line: str) -> set[str]:
    """Return the names of the functions that a line of code calls."""
    return set(re.findall(r"\b(\w+)\(", line))


@cache
def functions_of_ops() -> frozenset[str]:
    """Return the names by which code may call an op."""
    return frozenset(
        [*REGISTRY, *FUNCTIONS.values(), *(w for row in SPELLINGS.values() for w in row)]
    )
