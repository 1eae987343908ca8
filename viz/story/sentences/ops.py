"""Sentences on calls of ops.

Slots: `{x}`, `{y}` and `{z}` are the inputs, `{out}` are the outputs. An op without an entry gets a
plain sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product, zip_longest
from typing import Any

from minipaddle.messages import EMPTY, Message, Row, Text
from minipaddle.ops.expression import RAISED, is_composite, outer_signs

from .op_words import CREATIONS, EACH, ROOT, Made, are_single, chosen, filled
from .wording import (
    RESULTS,
    Constant,
    Equals,
    Exponent,
    Mention,
    as_base,
    bracket,
    coded,
    op_word,
    shape,
    things,
)

SIGNS = {
    *("+", "−", "×", "÷", "^", "@", "//", "mod", "·", "⊗", "⊕"),
    *("<", ">", "≤", "≥", "==", "≠", "≈", "&", "|", "<<", ">>"),
}
CHOSEN_PLACES = Message("The elements of {x} at the places {y}{over} give {out}.")
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
    "cross_entropy": Message(
        "For each row of {x}, −ln of the probability that softmax gives to {y}; their mean is "
        "{out}."
    ),
    "mse_loss": Message("The mean of the squared differences of {x} and {y} is {out}."),
    "matmul_transposed": Message("The matrix product of {x} and the transpose of {y} gives {out}."),
    "matmul": Message("The matrix product of {x} and {y} gives {out}."),
    "mean": Message("The mean of {x}{over} gives {out}."),
    "sum": Message("{x} is summed{over}, giving {out}."),
    "max": Message("The maximum of {x}{over} gives {out}."),
    "min": Message("The minimum of {x}{over} gives {out}."),
    "softmax": Message("softmax turns {x} into probabilities that sum to 1, giving {out}."),
    "cos": Message("The cosine of {x} gives {out}."),
    "sin": Message("The sine of {x} gives {out}."),
    "tan": Message("The tangent of {x} gives {out}."),
    "asin": Message("The arcsine of {x} gives {out}."),
    "acos": Message("The arccosine of {x} gives {out}."),
    "atan": Message("The arctangent of {x} gives {out}."),
    "sinh": Message("The hyperbolic sine of {x} gives {out}."),
    "cosh": Message("The hyperbolic cosine of {x} gives {out}."),
    "expm1": Message("The exponential of {x}, minus 1, gives {out}."),
    "log1p": Message("The natural logarithm of 1 plus {x} gives {out}."),
    "log2": Message("The logarithm of {x} to base 2 gives {out}."),
    "log10": Message("The logarithm of {x} to base 10 gives {out}."),
    "sign": Message("The sign (−1, 0 or 1) of {x} gives {out}."),
    "floor": Message("{x} is rounded down to whole numbers, giving {out}."),
    "ceil": Message("{x} is rounded up to whole numbers, giving {out}."),
    "trunc": Message("{x} loses its digits after the point, giving {out}."),
    "frac": Message("{x} loses its digits before the point, giving {out}."),
    "copysign": Message("The absolute value of {x}, with the sign of {y}, gives {out}."),
    "gcd": Message("The greatest common divisor of {x} and {y}, element by element, gives {out}."),
    "lcm": Message("The least common multiple of {x} and {y}, element by element, gives {out}."),
    "fmax": Message(
        "The larger of {x} and {y}, element by element, or the number beside a NaN, gives {out}."
    ),
    "fmin": Message(
        "The smaller of {x} and {y}, element by element, or the number beside a NaN, gives {out}."
    ),
    "isnan": Message("{out} is True where {x} is NaN."),
    "isinf": Message("{out} is True where {x} is infinite."),
    "isfinite": Message("{out} is True where {x} is finite."),
    "equal": Message("{out} is True where {x} equals {y}."),
    "not_equal": Message("{out} is True where {x} differs from {y}."),
    "less_than": Message("{out} is True where {x} is less than {y}."),
    "less_equal": Message("{out} is True where {x} is at most {y}."),
    "greater_than": Message("{out} is True where {x} is greater than {y}."),
    "greater_equal": Message("{out} is True where {x} is at least {y}."),
    "relu6": Message("relu6 limits {x} to [0, 6], giving {out}."),
    "prelu": Message("prelu multiplies what is negative in {x} by {y}, giving {out}."),
    "silu": Message("silu multiplies {x} by its own sigmoid, giving {out}."),
    "swish": Message("swish multiplies {x} by its own sigmoid, giving {out}."),
    "log_softmax": Message("log_softmax turns {x} into logarithms of probabilities: {out}."),
    "log_sigmoid": Message("The natural logarithm of the sigmoid of {x} gives {out}."),
    "one_hot": Message("Each class in {x} becomes a row of zeros with a single 1, giving {out}."),
    "expand": Message("{x} is broadcast, giving {out}."),
    "broadcast_tensors": Message("Each of {all} is broadcast to their common shape, giving {out}."),
    "tile": Message("{x} is repeated, giving {out}."),
    "flip": Message("{x} is reversed{over}, giving {out}."),
    "channel_shuffle": Message("The channels of {x} come in turn from each group, giving {out}."),
    "fold_images": Message(
        "The columns of {x} are added up where their windows lie, giving {out}."
    ),
    "affine_grid": Message("The affine map {x} moves the place of each pixel, giving {out}."),
    "grid_sample": Message("grid_sample reads {x} at the places in {y}, giving {out}."),
    "max_unpool": Message("The elements of {x} go to the positions {y} among zeros, giving {out}."),
    "temporal_shift": Message(
        "Some channels of each image of {x} move to the next image of its clip, and some to the "
        "previous one, giving {out}."
    ),
    "shard_index": Message(
        "Those of the labels {x} that are in one shard are counted from its first, the others "
        "are replaced by one number, giving {out}."
    ),
    "dirichlet": Message(
        "dirichlet draws random shares of 1 with the concentrations {x}, giving {out}."
    ),
    "gather": CHOSEN_PLACES,
    "gather_nd": CHOSEN_PLACES,
    "index_select": CHOSEN_PLACES,
    "softplus": Message("softplus, a smooth form of relu, turns {x} into {out}."),
    "masked_select": Message("The elements of {x} where {y} is True give {out}."),
    "sum_to": Message(
        "{x} is summed over the axes along which a tensor of the result's shape was broadcast, "
        "giving {out}."
    ),
    "add_n": Message("{all} are added up, giving {out}."),
    "assign": Message("{x} is copied, giving {out}."),
    "prod": Message("The product of the elements of {x}{over} gives {out}."),
    "var": Message("The variance of {x}{over} gives {out}."),
    "logsumexp": Message("The logarithm of the summed exponentials of {x}{over} gives {out}."),
    "argmax": Message("The index of the largest element of {x}{over} gives {out}."),
    "argmin": Message("The index of the smallest element of {x}{over} gives {out}."),
    "amax": Message("The maximum of {x}{over} gives {out}."),
    "amin": Message("The minimum of {x}{over} gives {out}."),
    "mish": Message("mish multiplies {x} by the tanh of its softplus, giving {out}."),
    "softsign": Message("softsign divides {x} by 1 plus its absolute value, giving {out}."),
    "hardswish": Message("hardswish multiplies {x} by its own hardsigmoid, giving {out}."),
    "hardsigmoid": Message("hardsigmoid squashes {x} into [0, 1] by straight lines: {out}."),
    "tanhshrink": Message("tanhshrink subtracts from {x} its tanh, giving {out}."),
    "logit": Message(
        "logit turns the probabilities {x} into the logarithms of their odds, giving {out}."
    ),
    "lgamma": Message("The logarithm of the gamma function of {x} gives {out}."),
    "digamma": Message("The digamma function of {x} gives {out}."),
    "erf": Message("The error function of {x} gives {out}."),
    "erfinv": Message("The inverse error function of {x} gives {out}."),
    "asinh": Message("The inverse hyperbolic sine of {x} gives {out}."),
    "acosh": Message("The inverse hyperbolic cosine of {x} gives {out}."),
    "atanh": Message("The inverse hyperbolic tangent of {x} gives {out}."),
    "elementwise_pow": Message("{x} is raised to the power {y}, giving {out}."),
    "floor_divide": Message("{x} is divided by {y} and rounded down, giving {out}."),
    "remainder": Message("The remainder of {x} divided by {y} gives {out}."),
    "atan2": Message(
        "The arctangent of {x} divided by {y}, in the quadrant of their signs, gives {out}."
    ),
    "meshgrid": Message("Each of {all} is repeated along the axes of the others, giving {out}."),
    "mode": Message("The most frequent element of {x}{over}, and its place: {out}."),
    "lerp": Message("{name} interpolates from {x} to {y} with the weight {z}, giving {out}."),
    "cummax": Message(
        "The largest elements of {x} up to each place{over}, and their places: {out}."
    ),
    "cummin": Message(
        "The smallest elements of {x} up to each place{over}, and their places: {out}."
    ),
    "logcumsumexp": Message(
        "The logarithms of the summed exponentials of {x} up to each element{over} give {out}."
    ),
    "uniform_like": Message("Uniform numbers in [0, 1) are drawn in the shape of {x}: {out}."),
    "scatter_nd_add": Message("{z} is added to {x} at the places {y}, giving {out}."),
    "scatter_nd": Message("{y} is added to zeros at the places {x}, giving {out}."),
    "index_sample": Message(
        "The elements of each row of {x} at the places in the same row of {y} give {out}."
    ),
    "index_add": Message("{z} is added to {x} at index {y}{over}, giving {out}."),
    "heaviside": Message("{out} is 0 where {x} < 0, 1 where {x} > 0, and {y} where {x} is 0."),
    "kron": Message("The Kronecker product of {x} and {y} gives {out}."),
    "signbit": Message("{out} is True where the sign of {x} is −."),
    "isclose": Message("{out} is True where {x} and {y} are close to each other."),
    "allclose": Message("{out}: whether all elements of {x} and {y} are close to each other."),
    "equal_all": Message("{out}: whether all elements of {x} and {y} are equal."),
    "bernoulli": Message("{out} is 1 with the probabilities in {x}, and 0 otherwise."),
    "multinomial": Message("{name} draws indices with the weights {x}: {out}."),
    "expand_as": Message("{x} is broadcast to the shape of {y}, giving {out}."),
    "multi_dot": Message("The matrices {all} are multiplied, giving {out}."),
    "dist": Message("The distance between {x} and {y} gives {out}."),
    "numel": Message("{out}: the number of elements of {x}."),
    "shape": Message("{out}: the sizes of {x}."),
    "less_hot_rows": Message("{x} minus 1 at the label {y} of each row, times {z}, gives {out}."),
    "all": Message("{out}: whether all elements of {x}{over} are True."),
    "any": Message("{out}: whether any element of {x}{over} is True."),
    "conj": Message("The complex conjugate of {x} gives {out}."),
    "real": Message("The real part of {x} gives {out}."),
    "imag": Message("The imaginary part of {x} gives {out}."),
    "as_real": Message("Real and imaginary parts of {x} stand side by side in {out}."),
    "as_complex": Message("Each pair of {x} is read as a complex number, giving {out}."),
    "complex": Message("{x} and {y} are the real and imaginary parts of {out}."),
    "cross": Message("The cross product of {x} and {y} gives {out}."),
    **dict.fromkeys(
        ("conv2d_transpose", "conv3d_transpose"),
        Message(
            "Each element of {x} times the filters {y} is placed in the result; overlaps and input "
            "channels add up, giving {out}."
        ),
    ),
    "nonzero": Message("The indices of the elements of {x} that are not 0 give {out}."),
    "qr": Message("{x} is split into orthonormal columns and an upper triangle: {out}."),
    "svd": Message("{x} is split into singular vectors and singular values: {out}."),
    "svdvals": Message("The singular values of {x} give {out}."),
    "eigh": Message("The eigenvalues and eigenvectors of {x} give {out}."),
    "eig": Message("The eigenvalues and eigenvectors of {x} give {out}."),
    "eigvals": Message("The eigenvalues of {x} give {out}."),
    "lu": Message("LU elimination, with rows swapped, turns {x} into two triangles: {out}."),
    "lu_unpack": Message("The triangles in {x} and the swaps {y} give the matrices {out}."),
    "eigvalsh": Message("The eigenvalues of {x} give {out}."),
    "pinv": Message("The pseudoinverse of {x} gives {out}."),
    "slogdet": Message(
        "The sign of the determinant of {x} and the logarithm of its absolute value give {out}."
    ),
    "bmm": Message("The matrix products of {x} and {y}, pair by pair, give {out}."),
    "mv": Message("The matrix {x} times the vector {y} gives {out}."),
    "dot": Message("The dot product of {x} and {y} gives {out}."),
    "inverse": Message("The inverse of {x} gives {out}."),
    "det": Message("The determinant of {x} gives {out}."),
    "solve": Message(
        "solve solves the linear system with the matrix {x} and the right side {y}: {out}."
    ),
    "triangular_solve": Message(
        "The linear system with the triangle {x} and the right side {y} is solved: {out}."
    ),
    "frobenius_norm": ROOT,
    "squared_l2_norm": Message("The squares of {x} are summed, giving {out}."),
    "unsqueeze": Message("{x} gets {axes} of size 1, giving {out}."),
    "squeeze": Message("{x} loses {axes} of size 1, giving {out}."),
    "copy_to": Message("{x} is copied to another device, giving {out}."),
    "transpose": Message("The axes of {x} are reordered, giving {out}."),
    "put_at": Message("{x} is put back in its place, with zeros elsewhere, giving {out}."),
    "pick_back": Message("{x} is added back in its place, with zeros elsewhere, giving {out}."),
    "masked_put": Message(
        "{x} is put back where the mask is True, with zeros elsewhere, giving {out}."
    ),
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
TRUTHS = ("all", "any", "allclose", "equal_all")
OF_ONE_NUMBER = {  # (op, its result) -> sentence on a single number
    ("isnan", "True"): Message("{x} is NaN, so {out}."),
    ("isnan", "False"): Message("{x} is not NaN, so {out}."),
    ("isinf", "True"): Message("{x} is infinite, so {out}."),
    ("isinf", "False"): Message("{x} is not infinite, so {out}."),
    ("isfinite", "True"): Message("{x} is finite, so {out}."),
    ("isfinite", "False"): Message("{x} is not finite, so {out}."),
    **dict.fromkeys(
        product(("all", "any"), ("True", "False")),
        Message("{out}, since {x} is the only element."),
    ),
}
TRUTH = Message("{out}: {a} {sign} {b} is {value}.")
NAMED_TRUTH = Message("{out} = {x} {sign} {y}: {a} {sign} {b} is {value}.")
SIGN = Message("{x} {symbol} {y} gives {out}.")
POWER = Message("{x} is raised to the power {power}, giving {out}.")
USUAL = Message("{name} computes {out} from {all}{over}.")


def phrase(op: str, call: Made, title: str = "", symbol: str = "") -> Message:
    """Return the sentence on one call of an op; names of tensors are not capitalized.

    title: the name in the sentence, if it is not the op's own.
    """
    inputs, power = [thing or "None" for thing in call.inputs], symbol.removeprefix("^ ")
    while inputs and inputs[-1] == "None":  # omitted arguments
        inputs.pop()
    if counted := calculation(call, symbol):
        return counted
    usual = USUAL
    if len(inputs) == 2 and symbol in SIGNS:
        usual = SIGN
    elif len(inputs) == 1 and power != symbol:
        usual = POWER
    said = chosen(op, call) or WORDS.get(op)
    answer = op, call.outputs[0].number if call.outputs else ""
    if answer in OF_ONE_NUMBER and call.inputs and are_single(call):
        said = OF_ONE_NUMBER[answer]
    elif op not in TRUTHS and any(thing.number in ("True", "False") for thing in call.outputs):
        said = None  # the usual sentence, "True where", does not fit a single truth value
        if usual is SIGN and all(thing and thing.number for thing in call.inputs):
            a, b = (thing.figure for thing in call.inputs if thing)
            x, y = (thing.called for thing in call.inputs if thing)
            name, value = call.outputs[0].called, call.outputs[0].figure
            truth = TRUTH if is_composite(name) else NAMED_TRUTH
            return truth.fill(out=name, x=x, a=a, sign=symbol, y=y, b=b, value=value)
    ranks = [len(thing.shape or ()) for thing in (*call.inputs[:1], *call.outputs[:1]) if thing]
    axes = abs(ranks[-1] - ranks[0]) if ranks else 1
    slots = {
        "name": op_word(title or op),
        "symbol": symbol,
        "power": Constant(power),
        "all": Row(inputs, last=EACH),
        "axes": Message("an axis") if axes == 1 else Message("{count} axes", count=axes),
        "over": over_axes(call.attrs.get("axis", call.attrs.get("axes"))),
        "out": things(call.outputs),
        **dict(zip_longest("xyz", inputs[:3], fillvalue="?")),
    }
    if op in BROADCASTING and call.outputs:
        for letter, thing in zip("xyz", call.inputs, strict=False):
            if not thing or not thing.shape or thing.text == thing.number:
                continue
            if thing.shape != call.outputs[0].shape:
                slots[letter] = BROADCAST.fill(
                    tensor=thing, shape=shape(call.outputs[0].shape or ())
                )
    said = said or usual
    return said.fill(**{**slots, **said.slots})


BROADCASTING = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "where")
BROADCAST = Message("{tensor} (broadcast to {shape})")
BEFORE_MINUS = {"^", "//", "mod"}  # signs that bind more tightly than a minus
IN_BRACKETS = Text("({number})")
WITH_NUMBER = re.compile(r"(?P<sign>[+−×^]) (?P<n>\S+)|(?P<whole>\S+) (?P<after>[+−×])")


def calculation(call: Made, symbol: str) -> Message | None:
    """Return a calculation with single numbers, `w × x = −0.8 × 1.5 = −1.2`, or None if the call is
    none."""
    things = [*call.inputs, *call.outputs]
    if len(call.outputs) != 1 or not all(thing and is_real(thing.number) for thing in things):
        return None
    operands: list[Any] = [*call.inputs]
    sign, out = symbol, call.outputs[0]
    first = call.inputs[0] if call.inputs else None
    if first and sign[:1] in ("+", "−") and {"+", "−"} & {*outer_signs(first.called)}:
        if sign == "+" and len(operands) == 2 and not isinstance(operands[1], Constant):
            said = SO_FAR if LEFT_OUT.search(first.called) else SUMMED
            if said is SO_FAR or LEFT_OUT.search(out.called):
                terms = first.figure, operands[1].figure, out.figure
                slots = {"a": terms[0], "x": first, "y": operands[1], "name": out.called}
                return said.fill(**slots, equals=Equals(sign, terms), number=terms[2])
        if LEFT_OUT.search(first.called) or LEFT_OUT.search(out.called):
            return None  # the operands would be more than the numbers
    if len(operands) == 1 and (match := WITH_NUMBER.fullmatch(symbol)):
        sign = match["sign"] or match["after"]
        operands.insert(0 if match["whole"] else 1, Constant(match["n"] or match["whole"]))
    if sign not in RESULTS or len(operands) != 2:
        return None
    names = [each.digits if isinstance(each, Constant) else each.called for each in operands]
    said = UNNAMED if out.called == spell(sign, names) else NAMED
    if all(each.called == each.number for each in call.inputs if each):
        said = CONSTANTS if said is NAMED else ONLY_CONSTANTS
    elif call.inputs[0] and out.called == call.inputs[0].called:
        said = IN_PLACE
    x, y = (
        each if isinstance(each, Constant) else bracket(each.called, sign, right=place == 1)
        for place, each in enumerate(operands)
    )
    a, b = (each if isinstance(each, Constant) else each.figure for each in operands)
    equals = Equals(sign, (a, b, out.figure))
    a, b = (operand(a) if sign in BEFORE_MINUS else a), operand(b)
    written = Text("{x} {sign} {y}"), Text("{a} {sign} {b}")
    power = operands[1].digits if isinstance(operands[1], Constant) else ""
    if sign == "^" and power.isdigit():
        written, x = (Text("{x}{power}"), Text("{a}{power}")), as_base(str(x))
    slots = {"sign": sign, "x": x, "y": y, "a": a, "b": b, "power": Exponent(power)}
    of_names, of_numbers = (each.fill(**slots) for each in written)
    shown = {"names": of_names, "numbers": of_numbers, "equals": equals}
    return said.fill(**shown, number=out.figure, out=out.called)


LEFT_OUT = re.compile(r"(?:^|[+−] )…(?: [+−]|$)")  # terms that the name of a sum leaves out
SO_FAR = Message("The sum so far, {a}, plus {y} gives {name} {equals} {number}.")
SUMMED = Message("{x} and {y} are added, giving {name} {equals} {number}.")
NAMED = Message("{out} = {names} = {numbers} {equals} {number}.")
UNNAMED = Message("{names} = {numbers} {equals} {number}.")
IN_PLACE = Message("{out} ← {names} = {numbers} {equals} {number}.")
CONSTANTS = Message("{out} = {numbers} {equals} {number}.")
ONLY_CONSTANTS = Message("{numbers} {equals} {number}.")


def operand(number: Any) -> Any:
    """Return a number as an operand, in brackets if it is negative."""
    text = number if isinstance(number, str) else number.digits
    return IN_BRACKETS.fill(number=number) if text.startswith("−") else number


def is_real(number: str) -> bool:
    """Return whether a text is one real number, no truth value and not complex."""
    return number in ("nan", "inf", "−inf") or number[-1:].isdigit()


def over_axes(axis: Any) -> Message:
    """Return the axes of a call for a sentence, or an empty text for all axes.

    >>> over_axes(1).zh, over_axes((0, -1)).en, over_axes(None).en
    ('沿轴 1', ' along axes 0 and −1', '')
    """
    axes = [str(each).replace("-", "−") for each in ([axis] if type(axis) is int else axis or ())]
    if not axes:
        return EMPTY
    return Message(" along {axes:axis|axes} {axes}", axes=Row(axes, last=EACH))


def creation(op: str, title: str, call: Made) -> Message:
    """Return the sentence on an op without inputs, with the user's function, `randn`, as title."""
    said, outputs = CREATIONS.get(op), call.outputs
    if title in ("full", "ones", "zeros") and len(outputs) == 1:
        said = filled(call.attrs, outputs[0])
    elif said is not None and not isinstance(said, Message):
        said = said(call.attrs)
    return (said or Message("{title} makes {out}.")).fill(title=title, out=things(outputs))


SCALINGS: dict[str, Message] = {  # sign, with numbers n and m -> sentence
    r"−": Message("{x} changes sign, giving {out}."),
    r"× (?P<n>\S+)": Message("{x} is multiplied by {n}, giving {out}."),
    r"\+ (?P<n>\S+)": Message("{n} is added to {x}, giving {out}."),
    r"(?P<n>\S+) ×": Message("{x} is multiplied by {n}, giving {out}."),
    r"(?P<n>\S+) \+": Message("{n} is added to {x}, giving {out}."),
    r"− (?P<n>\S+)": Message("{n} is subtracted from {x}, giving {out}."),
    r"(?P<n>\S+) −": Message("{x} is subtracted from {n}, giving {out}."),
    r"× (?P<n>\S+) \+ (?P<m>\S+)": Message("{x} is multiplied by {n}, plus {m}, giving {out}."),
    r"× (?P<n>\S+) − (?P<m>\S+)": Message("{x} is multiplied by {n}, minus {m}, giving {out}."),
    r"\(\+ (?P<m>\S+)\) × (?P<n>\S+)": Message("{x} plus {m} is multiplied by {n}, giving {out}."),
    r"\(− (?P<m>\S+)\) × (?P<n>\S+)": Message("{x} minus {m} is multiplied by {n}, giving {out}."),
}


def scaling(symbol: str, x: Mention, out: Mention) -> Message:
    """Return the sentence on a tensor combined with numbers, which the sign contains."""
    if counted := calculation(Made({}, [x], [out]), symbol):
        return counted
    for pattern, words in SCALINGS.items():
        if match := re.fullmatch(pattern, symbol):
            return words.fill(x=x, out=out, **constants(match))
    return Message("{x} becomes {out}.", x=x, out=out)


def constants(match: re.Match[str]) -> dict[str, Constant]:
    return {name: Constant(digits) for name, digits in match.groupdict().items()}


def sign_of(symbol: str) -> Message | str:
    """Return a sign for a slot, with its numbers in their own slots.

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
    return Text(template).fill(**constants(match))


def spell(symbol: str, inputs: Sequence[str]) -> str:
    """Return an unnamed result as a formula: `1 − square(y)`, `x × y`, `tanh(x)`.

    >>> spell("-1e+09", [])
    '−1e+9'
    >>> spell("^ 2", ["x − 1"]), spell("1 −", ["x × y"])
    ('(x − 1)²', '1 − x × y')
    >>> spell("transpose [1, 0]", ["x"]), spell("softmax, axis=0", ["x"]), spell("→ int64", ["x"])
    ('xᵀ', 'softmax(x, axis=0)', 'cast(x, int64)')
    >>> spell("mean, axis [0, 1]", ["x"])
    'mean(x, axis [0, 1])'
    >>> spell("put_along_axis add", ["x", "i"])
    'put_along_axis(x, i, add)'
    >>> spell("0[:, 1] =", ["dy"]), spell("0[i] +=", ["dy", "picks"])
    ('put_at(dy)', 'add_at(dy, picks)')
    """
    if not inputs and (symbol in ("inf", "nan") or not symbol.isidentifier()):
        exponent = re.fullmatch(r"-?[\d.]+e[+-]\d+", symbol)
        return coded(float(symbol)) if exponent else symbol
    while inputs and inputs[-1] == "None":  # omitted arguments
        inputs = inputs[:-1]
    if len(inputs) == 2 and symbol == "^" and inputs[1].isdigit():
        symbol, inputs = f"^ {inputs[1]}", inputs[:1]
    if len(inputs) == 2 and symbol in SIGNS:
        x, y = bracket(inputs[0], symbol), bracket(inputs[1], symbol, right=True)
        return f"{x} {symbol} {y}"
    if inputs and symbol.startswith("0["):  # zeros, with x at some places, or added there
        return f"{'add_at' if symbol.endswith('+=') else 'put_at'}({', '.join(inputs)})"
    if len(inputs) == 1:
        x, (sign, *rest) = inputs[0], symbol.split(" ")
        if "√" in symbol:
            return symbol.replace("…", x)
        if symbol == "transpose [1, 0]":
            return bracket(x) + "ᵀ"
        if symbol in ("⁻¹", "⁺"):
            return bracket(x) + symbol
        if symbol[:2] in ("(+", "(−"):
            return f"({bracket(x, symbol[1])} {symbol[1:]}"
        if sign == "^" and rest and rest[0].isdigit():
            return as_base(bracket(x)) + "".join(RAISED[digit] for digit in rest[0])
        if sign == "→" and rest:
            return f"cast({x}, {rest[0]})"
        if rest and sign in {*"+−×÷^"}:
            number = f"({rest[0]})" if rest[0][0] in "-−" else rest[0]
            return " ".join((bracket(x, sign), sign, number, *rest[1:]))
        if symbol in ("−", "~", "¬"):
            return f"{symbol}{bracket(x)}"
        if len(rest) == 1 and rest[0] in "+−×":
            return f"{symbol} {bracket(x, rest[0], right=True)}"
    sizes = re.fullmatch(r"(\w+) (\[.*\]|[a-z]+)", symbol)  # or put_along_axis add
    name, comma, how = symbol.partition(", ")
    if "[" in name:
        name, comma, how = symbol, "", ""
    if sizes:
        name, comma, how = sizes[1], ", ", sizes[2]
    return f"{name}({', '.join(inputs)}{comma}{how})"
