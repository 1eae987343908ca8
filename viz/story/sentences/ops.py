"""What each op does to its inputs, in the words of a teacher.

`{x}`, `{y}` and `{z}` are the inputs, `{out}` what comes out. An op without words of its own gets a
plain sentence, so a new op reads well from the start.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from minipaddle.messages import EMPTY, Message, Row, Text
from minipaddle.ops.expression import is_composite

from .wording import Constant, Thing

SIGNS = {
    *("+", "−", "×", "÷", "^", "@", "//", "mod", "·", "⊗"),
    *("<", ">", "≤", "≥", "==", "≠", "≈", "&", "|", "<<", ">>"),
}
EACH = Message.in_context("each", "{row} and {next}")  # of several of one kind

WORDS: dict[str, Message] = {
    "tanh": Message("tanh squashes {x} into (−1, 1), giving {out}."),
    "sigmoid": Message("sigmoid squashes {x} into (0, 1), giving {out}."),
    "relu": Message("relu sets what is negative in {x} to 0, giving {out}."),
    "exp": Message("The exponential of {x} gives {out}."),
    "log": Message("The natural logarithm of {x} gives {out}."),
    "sqrt": Message("The square root of {x} gives {out}."),
    "rsqrt": Message("1 over the square root of {x} gives {out}."),
    "square": Message("{x} is squared, giving {out}."),
    "reciprocal": Message("1 over {x} gives {out}."),
    "abs": Message("The absolute value of {x} gives {out}."),
    "add": Message("{x} and {y} are added, giving {out}."),
    "subtract": Message("{y} is subtracted from {x}, giving {out}."),
    "multiply": Message("{x} and {y} are multiplied element by element, giving {out}."),
    "divide": Message("{x} is divided by {y}, giving {out}."),
    "maximum": Message("The larger of {x} and {y}, element by element, gives {out}."),
    "minimum": Message("The smaller of {x} and {y}, element by element, gives {out}."),
    "matmul": Message("The matrix product of {x} and {y} gives {out}."),
    "mean": Message("The mean of {x}{over} gives {out}."),
    "sum": Message("{x} is summed{over}, giving {out}."),
    "max": Message("The maximum of {x}{over} gives {out}."),
    "min": Message("The minimum of {x}{over} gives {out}."),
    "softmax": Message("softmax turns {x} into probabilities that sum to 1, giving {out}."),
    "softmax_with_cross_entropy": Message(
        "The softmax of {x} is compared with the labels {y}, giving {out}."
    ),
    "unsqueeze": Message("{x} gets {axes} of size 1, giving {out}."),
    "squeeze": Message("{x} loses {axes} of size 1, giving {out}."),
    "cast": Message("{x} is converted to another type, giving {out}."),
    "copy_to": Message("{x} is copied to another device, giving {out}."),
    "reshape": Message("{x} is reshaped, giving {out}."),
    "transpose": Message("The axes of {x} are reordered, giving {out}."),
    "concat": Message("{all} are joined along an axis, giving {out}."),
    "put_at": Message("{x} is put back in its place, with zeros elsewhere, giving {out}."),
    "pick_back": Message("{x} is added back in its place, with zeros elsewhere, giving {out}."),
    "masked_put": Message(
        "{x} is put back where the mask is True, with zeros elsewhere, giving {out}."
    ),
    "stack": Message("{all} are stacked along a new axis, giving {out}."),
    "where": Message(
        "{out} has the elements of {y} where {x} is True, and those of {z} elsewhere."
    ),
    "all_reduce": Message(
        "all_reduce joins {x} with those of the other ranks, giving {out} on each of them."
    ),
    "reduce": Message(
        "reduce joins {x} with those of the other ranks for one of them; here is {out}."
    ),
    "broadcast": Message(
        "broadcast gives every rank the tensor of one of them, so {x} becomes {out}."
    ),
    "all_gather": Message(
        "all_gather collects {x} and those of the other ranks on each of them: {out}."
    ),
    "dist_gather": Message(
        "gather collects {x} and those of the other ranks on one of them; here comes {out}."
    ),
    "dist_scatter": Message(
        "scatter gives each rank one tensor of a list that one of them has: here {out}."
    ),
    "reduce_scatter": Message(
        "reduce_scatter joins the tensors that all ranks have for this one, giving {out}."
    ),
    "alltoall": Message(
        "alltoall gives each rank one of {all}, and this one gets {out} from them."
    ),
    "send": Message("{x} is sent to another rank."),
    "recv": Message("{out} comes from another rank and takes the place of {x}."),
}
SIGN = Message("{x} {symbol} {y} gives {out}.")
POWER = Message("{x} to the power {power} gives {out}.")
USUAL = Message("{name} computes {out} from {all}{over}.")


def phrase(
    op: str,
    inputs: Sequence[Thing | str],
    out: Message | Row,
    title: str = "",
    symbol: str = "",
    axes: int = 1,
) -> Message:
    """The sentence about one call of an op; names of tensors stand as they are, first or not.

    title: what it is called, where that is not its own name. axes: how many more or fewer come out.
    """
    usual, power = USUAL, symbol.removeprefix("^ ")
    if len(inputs) == 2 and symbol in SIGNS:
        usual = SIGN
    elif len(inputs) == 1 and power != symbol:
        usual = POWER
    return WORDS.get(op, usual).fill(
        name=title or op,
        symbol=symbol,
        power=Constant(power),
        all=Row(inputs, last=EACH),
        axes=Message("an axis") if axes == 1 else Message("{count} axes", count=axes),
        over=over_axes(symbol),
        out=out,
        **dict(zip_longest("xyz", inputs[:3], fillvalue="?")),
    )


def over_axes(symbol: str) -> Message:
    """The axes that a sign names, as sentences say them; nothing where it names none.

    >>> over_axes("sum, axis 1").zh, over_axes("mean, axis (0, -1)").en, over_axes("sum").en
    ('沿轴 1', ' over axes 0 and −1', '')
    """
    _, _, named = symbol.partition(", axis ")
    axes = re.findall(r"−?\d+", named.replace("-", "−"))
    if not axes:
        return EMPTY
    return Message(" over {axes:axis|axes} {axes}", axes=Row(axes, last=EACH))


def creation(op: str, title: str, symbol: str, out: Message | Row) -> Message:
    """Something out of nothing, in the user's own word, `randn`, where it is known."""
    if op == "gaussian":
        made = Message("{title} makes {out}: random numbers from a normal distribution.")
    elif op == "uniform":
        made = Message("{title} makes {out}: random numbers between two bounds.")
    elif op == "barrier":
        made = Message("The ranks wait for each other.")
    elif op == "batch" and symbol == "stacked":
        made = Message("The DataLoader gives {out}: samples stacked into a batch.")
    elif op == "batch":
        made = Message("The DataLoader gives {out}.")
    else:
        made = Message("{title} makes {out}.")
    return made.fill(title=title, out=out)


SCALINGS: dict[str, Message] = {  # by sign: n and m are numbers
    r"−": Message("{x} changes sign, giving {out}."),
    r"× (?P<n>\S+)": Message("{x} is multiplied by {n}, giving {out}."),
    r"\+ (?P<n>\S+)": Message("{n} is added to {x}, giving {out}."),
    r"− (?P<n>\S+)": Message("{n} is subtracted from {x}, giving {out}."),
    r"(?P<n>\S+) −": Message("{x} is subtracted from {n}, giving {out}."),
    r"× (?P<n>\S+) \+ (?P<m>\S+)": Message("{x} is multiplied by {n}, plus {m}, giving {out}."),
    r"× (?P<n>\S+) − (?P<m>\S+)": Message("{x} is multiplied by {n}, minus {m}, giving {out}."),
    r"\(\+ (?P<m>\S+)\) × (?P<n>\S+)": Message("{x} plus {m} is multiplied by {n}, giving {out}."),
    r"\(− (?P<m>\S+)\) × (?P<n>\S+)": Message("{x} minus {m} is multiplied by {n}, giving {out}."),
}


def scaling(symbol: str, x: Thing, out: Thing) -> Message:
    """Numbers and a tensor: the sign says which numbers, and what they do."""
    for pattern, words in SCALINGS.items():
        if match := re.fullmatch(pattern, symbol):
            return words.fill(x=x, out=out, **constants(match))
    return Message("{x} becomes {out}.", x=x, out=out)


def constants(match: re.Match[str]) -> dict[str, Constant]:
    return {name: Constant(digits) for name, digits in match.groupdict().items()}


def sign_of(symbol: str) -> Message | str:
    """A sign for a slot, with its numbers in slots of their own.

    >>> sign_of("× 2 + 1").slots
    {'n': Constant(digits='2'), 'm': Constant(digits='1')}
    """
    matches = (re.fullmatch(pattern, symbol) for pattern in SCALINGS)
    match = next(filter(None, matches), None)
    if match is None or not match.groupdict():
        return symbol
    template = symbol
    for name in sorted(match.groupdict(), key=match.start, reverse=True):
        template = f"{template[: match.start(name)]}{{{name}}}{template[match.end(name) :]}"
    return Text(template, template).fill(**constants(match))


def spell(symbol: str, inputs: Sequence[str]) -> str:
    """An unnamed result as a formula: `1 − square(y)`, `x × y`, `tanh(x)`; `1` for ones.

    >>> spell("transpose [1, 0]", ["x"]), spell("softmax, axis=0", ["x"]), spell("→ int64", ["x"])
    ('transpose(x, [1, 0])', 'softmax(x, axis=0)', 'x → int64')
    """
    if not inputs and not symbol.isidentifier():
        return symbol
    operands = [f"({t})" if " " in t and is_composite(t) else t for t in inputs]
    if len(inputs) == 1 and symbol in ("⁻¹", "⁺"):
        return operands[0] + symbol
    if len(inputs) == 1 and symbol[:2] in ("(+", "(−"):
        return f"({operands[0]} {symbol[1:]}"
    if len(inputs) == 1 and symbol[:1] in "+−×÷^→" and len(symbol) > 1:
        return f"{operands[0]} {symbol}"
    if len(inputs) == 1 and symbol.endswith("−"):
        return f"{symbol} {operands[0]}".replace("− ", "−" if symbol == "−" else "− ")
    if len(inputs) == 2 and symbol in SIGNS:
        return f"{operands[0]} {symbol} {operands[1]}"
    sizes = re.fullmatch(r"(\w+) (\[.*\])", symbol)
    name, comma, how = (symbol, "", "") if "[" in symbol else symbol.partition(", ")
    if sizes:
        name, comma, how = sizes[1], ", ", sizes[2]
    return f"{name}({', '.join(inputs)}{comma}{how})"
