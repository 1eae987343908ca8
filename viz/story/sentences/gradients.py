"""Sentences on an op's backward: its effect on the gradient that arrives.

Slots: `{came}` is that gradient, `{gives}` are the gradients of inputs, `{input}` is the first
input, or `{x}` if it is an operand, and `{y}` is the op's result. A rule returns None if its
sentence would not be the whole truth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, NamedTuple

from minipaddle.messages import CLAUSES, EMPTY, Message, Row, Text
from minipaddle.ops.expression import number, transpose_of, write

from ...document.op_facts import UNFIT
from ...document.values import flatten
from ..steps import Facts
from .backward import (
    FOUR_LINES,
    about_zeros,
    arrivals,
    fits,
    op_in_sentence,
    results,
    shortest_needed,
    without_shapes,
)
from .op_words import (
    Made,
    axis_and_piece,
    is_diagonal,
    letters_of,
    may_be_ignored,
    of_two_middles,
    reversed_axes,
    uses_running_statistics,
    which_diagonal,
)
from .ops import over_axes, sign_of
from .wording import (
    EQUALS,
    USERS_WORDS,
    Constant,
    Exponent,
    Mention,
    NamedMention,
    Rows,
    Things,
    Words,
    as_base,
    bracket,
    coded,
    combine,
    d,
    row,
)


@dataclass(frozen=True, slots=True)
class VisitStep(Facts):
    """A grad node computes gradients; `uses` are its saved tensors.

    sign: the sign of an op such as scale, `× 2`, that says more than its name. zeros: outputs whose
    gradients did not arrive, so that zeros are used. rule: the op's own name; `inputs`, `attrs`:
    arguments of the call; all empty if the call was not recorded.
    """

    kind = "visit"
    op: str
    sign: str
    arrived: Rows
    uses: Sequence[str] = ()
    zeros: Sequence[str] = ()
    rule: str = ""
    inputs: Things = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    computed: list[NamedMention] = field(default_factory=list)
    shares: set[int] = field(default_factory=set)  # indices in `computed` of partial gradients

    def sentence(self) -> Message:
        if self.computed:
            return shortest_needed(self._sentences())
        op, came = op_in_sentence(self.op, self.sign), arrivals(self.arrived)
        return Message("The backward of {op} begins with {came}.", op=op, came=came)

    def _sentences(self) -> Iterator[Message]:
        """Yield the rule's sentences, if any, or else general ones, each from long to short."""
        op, zeros = op_in_sentence(self.op, self.sign), about_zeros(self.zeros)
        said = None
        for shapes in (True, False):
            said = sentence_of_rule(self, op, shapes)
            if said:
                yield said
        if said and (product := product_in_short(self, op)):
            said = product
            yield said
        if said and self.rule in ("layer_norm", "batch_norm") and not fits(said, FOUR_LINES):
            first, *rest = self.computed
            said = sentence_of_rule(replace(self, computed=[first]), op, False) or EMPTY
            also = Message("It also gives {gradients}.", gradients=row(d(name) for name, _ in rest))
            said = combine(said, *([also] if rest else []))
            yield said
        if said and fits(said, FOUR_LINES):
            return
        full = brief = Message("The gradient rule of {op} makes {gives} from {came}.")
        if self.uses:
            full = Message(
                "The gradient rule of {op} makes {gives} from {came} and the saved {saved}."
            )
        short = without_shapes(self.arrived), without_shapes(self.computed)
        for said, arrived, computed in (
            (full, self.arrived, self.computed), (full, *short), (brief, *short),
        ):  # fmt: skip
            came = arrivals(arrived, "" if said is brief else ",")
            gives = results(computed, self.shares, ",")
            yield combine(said.fill(op=op, came=came, saved=row(self.uses), gives=gives), *zeros)


class Passed(NamedTuple):
    """One gradient that went through an op; `gives` has (input's index, gradient)."""

    call: Made
    came: Mention
    gives: Sequence[tuple[int, Mention]]
    y: str
    sign: str
    shares: AbstractSet[int]  # inputs that get more gradients from elsewhere
    wide: AbstractSet[int]  # inputs that were broadcast, so that their gradients are summed next

    def given(self, index: int, grad: Mention | str) -> Words:
        """Return the gradient of an input for a sentence, perhaps as `part of` it."""
        if index in self.wide:
            return UNSUMMED.fill(gradient=grad)
        if index not in self.shares:
            return grad
        if isinstance(grad, Mention) and grad.number:
            return PART_IS.fill(number=grad.figure, gradient=grad.called)
        return PART.fill(gradient=grad)

    def name(self, index: int) -> str:
        thing = self.call.inputs[index]
        return thing.called if thing else "None"

    def receiver(self, index: int) -> Words:
        """Return an input that gets the gradient, with a note if it is summed next."""
        return SUMMED_NEXT.fill(input=self.name(index)) if index in self.wide else self.name(index)

    def transposed(self, index: int) -> Words:
        """Return the transpose of an input: `wᵀ`, or `w` for `wᵀ`."""
        return transpose_of(self.name(index)) or Text("{x}ᵀ").fill(x=self.operand(index))

    def operand(self, index: int) -> str:
        return bracket(self.name(index))

    def other(self, index: int) -> Words:
        """Return the other factor, or its conjugate if it is complex."""
        factor, thing = self.operand(index), self.call.inputs[index]
        return CONJUGATE.fill(factor=factor) if thing and is_complex(thing) else factor

    @property
    def places(self) -> list[int]:
        """Indices of the inputs that get a gradient."""
        return [index for index, _ in self.gives]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Shape of the gradient that arrived, also where the sentence has no shapes."""
        return self.call.outputs[0].shape or ()

    @property
    def elements(self) -> int:
        """Number of elements of the first input that become one element of the result."""
        given, made = prod(self.call.sizes(0)), prod(self.sizes)
        return given // made if made > 0 else 0


Rule = Message | Callable[[Passed], Message | None]
LINEAR = (  # ops whose sentences also hold for complex numbers
    *("add", "subtract", "add_n", "sum", "mean", "assign", "concat", "stack", "transpose"),
    *("reshape", "flatten", "squeeze", "unsqueeze", "getitem", "flip", "roll", "expand", "tile"),
    *("multiply", "scale", "conj", "cast", "abs"),
    *("real", "imag", "as_real", "as_complex", "complex", "fft_c2c", "fft_r2c", "fft_c2r"),
)


def gradient_through(step: VisitStep, shapes: bool) -> Passed | None:
    """Return the gradient that went through an op, or None if not exactly one arrived."""
    there = [thing for _, thing in step.arrived if thing]
    main = step.arrived[MAIN.get(step.rule, 0)].thing if step.arrived else None
    if main is None or len(there) != 1 or step.zeros or not step.computed:
        return None
    if len(step.arrived) > 1 and step.rule not in MAIN:
        return None
    came, left = there[0], dict(enumerate(step.inputs))
    if "?" in (came.called, *(row.name for row in step.computed)):
        return None
    if step.rule not in LINEAR and any(map(is_complex, filter(None, (came, *step.inputs)))):
        return None
    gives, shares, wide = [], set[int](), set[int]()
    for place, (name, thing) in enumerate(step.computed):
        index = next((i for i, each in left.items() if each and each.called == name), None)
        if thing is None or index is None:
            return None
        source = left.pop(index)
        gives.append((index, gradient(thing, shapes)))
        if place in step.shares:
            shares.add(index)
        if source is not None and thing.shape != source.shape:
            wide.add(index)
    call = Made(step.attrs, step.inputs, [came])
    y = bracket(came.called)
    return Passed(call, gradient(came, shapes), gives, y, step.sign, shares, wide)


def gradient(of: Mention, shapes: bool) -> Mention:
    """Return a gradient with its own name, `dx [2, 3]`, or `dx` without shapes."""
    named = Mention(d(of.called), of.value, of.shape)
    return named if shapes or of.number else named.bare


def is_complex(thing: Mention) -> bool:
    return str((thing.value or {}).get("dtype", "")).startswith("complex")


def sentence_of_rule(step: VisitStep, op: Message | str, shapes: bool) -> Message | None:
    """Return the sentence on what an op does to the gradient, or None if it has none."""
    if step.rule in JOINS:
        return sentence_of_parts(step, op, shapes)
    through, rule = gradient_through(step, shapes), RULES.get(step.rule)
    if through is None or rule is None:
        return None
    try:
        said = rule if isinstance(rule, Message) else rule(through)
    except UNFIT:  # attributes in a trace need not fit
        return None
    if said is None:
        return None
    slots = {
        "op": op,
        "came": through.came,
        "from": through.came.called,
        "gives": row([through.given(i, thing) for i, thing in through.gives]),
        "input": through.name(0),
        "x": through.operand(0),
        "y": through.y,
        "result": as_base(through.y),
        "names": row(map(through.receiver, through.places)),
    }
    return said.fill(**{**slots, **said.slots})


def sentence_of_parts(step: VisitStep, op: Message | str, shapes: bool) -> Message | None:
    """Return the sentence on the gradients of a tensor's parts."""
    came, gives = [thing for _, thing in step.arrived if thing], step.computed
    if len(gives) != 1 or gives[0].thing is None:
        return None
    whole_of = JOINS[step.rule]
    if len(came) < len(step.arrived):
        whole_of = JOINS_WITH_ZEROS[step.rule].fill(others=row(step.zeros))
    whole: Words = gradient(gives[0].thing, shapes)
    whole = PART.fill(gradient=whole) if step.shares else whole
    parts = row([gradient(thing, shapes) for thing in came])
    return whole_of.fill(op=op, parts=parts, gives=whole)


def product_in_short(step: VisitStep, op: Message | str) -> Message | None:
    """Return the sentence on a product of matrices, with a letter for the gradient that arrived."""
    through = gradient_through(step, False) if step.rule == "matmul" else None
    if through is None or len(through.gives) != 2:
        return None
    used = re.findall(r"\w+", f"{through.came.called} {through.name(0)} {through.name(1)}")
    used += USERS_WORDS.get()
    letter = next(each for each in ("g", "G", "q", "g′") if each not in used)
    said, came = matmul(through._replace(came=Mention(letter)), False), through.came.called
    if said is None:
        return None
    in_short = Message("{op}, with {letter} for {of}: {clauses}.")
    if len(through.call.sizes(0)) == len(through.call.sizes(1)) > 2:
        in_short = Message("{op}, for each matrix, with {letter} for {of}: {clauses}.")
    said = in_short.fill(**said.slots)
    return said.fill(op=op, letter=letter, of=came)


# ----- rules -------------------------------------------------------------------------------------

PART = Message("part of {gradient}")
EACH_ROW = Message(" (the gradient of each row's loss)")
EACH_ELEMENT = Message(" (the gradient of each element's loss)")
CONJUGATE = Message("the conjugate of {factor}")
UNSUMMED = Message("{gradient} (before it is summed)")
SUMMED_NEXT = Message("{input} (for which it is summed next)")
PART_IS = Message("{number} (part of {gradient})")
UNCHANGED = Message("{op} passes {came} on unchanged, to {names}.")
OPPOSITE = Message("{op} passes {came} on with the opposite sign, giving {gives}.")


def add(through: Passed) -> Message:
    if len(through.gives) == 1:
        return UNCHANGED
    return Message("{op} passes {came} on unchanged, to both inputs, {names}.")


def subtract(through: Passed) -> Message:
    if through.places == [0]:
        return UNCHANGED
    if through.places == [1]:
        return OPPOSITE
    said = Message("{op} passes {came} on to {first}, and with the opposite sign to {second}.")
    return said.fill(first=through.receiver(0), second=through.receiver(1))


def scale(through: Passed) -> Message | None:
    factor = through.call.attrs.get("scale", 1.0)
    if factor == 1:
        return UNCHANGED
    if factor == -1:
        return OPPOSITE
    said = Message("{op} multiplies {came} by {factor}, giving {gives}.")
    if isinstance(factor, str):  # complex
        said = Message("{op} multiplies {came} by the conjugate of {factor}, giving {gives}.")
    sign = sign_of(through.sign)
    return said.fill(factor=sign.slots["n"]) if isinstance(sign, Message) else None


def multiply(through: Passed) -> Message:
    if through.name(0) == through.name(1):
        said = Message("{op}: {input} is both factors, so it gets two gradients, each {factors}.")
        factors = Text("{came} × {x}").fill(came=through.came.called, x=through.other(0))
        grad = through.gives[0][1]
        value = EQUALS.fill(name=factors, value=grad.figure) if grad.number else factors
        return said.fill(factors=value)
    rows = []
    for index, grad in through.gives:
        said = TIMES_OTHER
        if grad.number:
            said = Message("{name} is {came} times {other}, that is {number}")
        name, came = through.given(index, grad.called), through.came.called
        other = through.other(1 - index)
        rows.append(said.fill(name=name, came=came, other=other, number=grad.figure))
    return Message("{op}: {clauses}.", clauses=Row(rows, CLAUSES))


def matmul(through: Passed, is_long: bool = True) -> Message | None:
    """Return the sentence on products of two matrices, of stacks of matrices, or of vectors."""
    ranks = len(through.call.sizes(0)), len(through.call.sizes(1))
    left: Message | Text = Text("{name} = {came} @ {flipped}")
    right: Message | Text = Text("{name} = {flipped} @ {came}")
    if ranks == (2, 2) and is_long and through.call.sizes(0)[0] > 1:
        right = Message("{name} = {flipped} @ {came}, a sum over the rows of {other}")
    elif ranks == (1, 2):
        right = Message("{name} is the outer product of {other} and {came}")
    elif ranks == (2, 1):
        left = Message("{name} is the outer product of {came} and {other}")
    elif ranks == (1, 1):
        left = right = TIMES_OTHER
    elif ranks[0] > 2 and ranks[1] == 2:
        right = Message("{name} is the sum of {flipped} @ {came} over the batch")
    elif ranks != (2, 2) and through.call.sizes(0)[:-2] != through.call.sizes(1)[:-2]:
        return None
    rows = [
        (left, right)[i].fill(
            name=through.given(i, grad.called),
            came=through.came.called,
            other=through.operand(1 - i),
            flipped=through.transposed(1 - i),
        )
        for i, grad in through.gives
    ]
    if ranks[0] == ranks[1] > 2:
        return Message("{op}, for each matrix: {clauses}.", clauses=Row(rows, CLAUSES))
    return Message("{op}: {clauses}.", clauses=Row(rows, CLAUSES))


def linear(through: Passed) -> Message:
    """Return the sentence on x @ weightᵀ + bias."""
    by_weight: Message | Text = Text("{name} = {came}ᵀ @ {x}")
    if len(through.call.sizes(0)) > 2:
        by_weight = Message("{name} is the sum of {came}ᵀ @ {x} over the batch")
    rules = (
        Text("{name} = {came} @ {y}"),
        by_weight,
        Message("{name} is the sum of the rows of {came}"),
    )
    return clauses_of(through, rules, x=through.operand(0), y=through.operand(1))


def matmul_transposed(through: Passed) -> Message:
    """Return the sentence on x @ yᵀ."""
    rules = Text("{name} = {came} @ {y}"), Text("{name} = {came}ᵀ @ {x}")
    return clauses_of(through, rules, x=through.operand(0), y=through.operand(1))


def squared_difference(through: Passed) -> Message | None:
    said = Message(
        "{op}: {gives} is 2 × ({x} − {target}) times {came}, divided by the number of elements.",
        x=through.name(0),
        target=bracket(through.name(1), "−", right=True),
    )
    return said if through.places == [0] else None


def added_product(through: Passed) -> Message | None:
    """Return the sentence on beta · input + alpha · x @ y, without a broadcast input."""
    attrs, sizes = through.call.attrs, [through.call.sizes(i) for i in range(3)]
    if 0 in through.places and sizes[0] != through.sizes:
        return None
    if len(sizes[1]) != len(sizes[2]) or sizes[1][:-2] != sizes[2][:-2]:
        return None
    beta, alpha = (
        "" if attrs.get(name, 1) == 1 else f"{coded(attrs[name])} × " for name in ("beta", "alpha")
    )
    rules = (
        Text("{name} = {beta}{came}"),
        Text("{name} = {alpha}{came} @ {y}"),
        Text("{name} = {alpha}{x} @ {came}"),
    )
    x, y = through.transposed(1), through.transposed(2)
    said = clauses_of(through, rules, x=x, y=y, alpha=alpha, beta=beta)
    if len(sizes[1]) > 2:
        return Message("{op}, for each matrix: {clauses}.", **said.slots)
    return said


def einsum(through: Passed) -> Message | None:
    """Return the sentence on an einsum of terms without a repeated letter, or None."""
    call, sizes = through.call, dict[str, int]()
    terms, output = letters_of(call)
    if len(terms) == 1 and is_diagonal(terms[0]) and output in ("", terms[0][:1]):
        return back_on_diagonal(through)
    for i, term in enumerate(terms):
        pairs = [*zip(term, call.sizes(i), strict=True)]
        if len({*term}) < len(term) or any(sizes.setdefault(c, n) != n for c, n in pairs):
            return None
    if len(terms) == 1:
        spread = [letter for letter in terms[0] if letter not in output]
        said = Message("{op} repeats {came} along {letters}, giving {gives}.")
        return said.fill(letters=row(spread)) if spread else TURNED_BACK
    is_square = len(terms) == 2 == len(through.gives) and terms[0] == terms[1]
    if is_square and through.name(0) == through.name(1):
        return multiply(through)
    rows = []
    for i, grad in through.gives:
        others = [j for j in range(len(terms)) if j != i]
        given = {*output}.union(*(terms[j] for j in others))
        same = through.name(i) in map(through.name, others)
        if not given >= {*terms[i]} or (same and i not in through.shares):
            return None
        said = Message(
            "{name} is {came} times {other}, summed over the {letters:subscript|subscripts} "
            "{letters}"
        )
        gone = sorted(given - {*terms[i]})
        rows.append((said if gone else TIMES_OTHER).fill(
            name=through.given(i, grad.called), came=through.came.called,
            other=Row(map(through.operand, others)), letters=row(gone),
        ))  # fmt: skip
    return Message("{op}: {clauses}.", clauses=Row(rows, CLAUSES))


def mv(through: Passed) -> Message:
    rules = (
        Message("{name} is the outer product of {came} and {y}"),
        Text("{name} = {x} @ {came}"),
    )
    return clauses_of(through, rules, x=through.transposed(0))


def divide(through: Passed) -> Message | None:
    if through.places == [0]:
        return Message("{op}: {came} is divided by {x}, giving {gives}.", x=through.operand(1))
    if through.name(0) == through.name(1):
        said = Message("{op}: {input} is divided by itself, so it gets {gradients}.")
        both = [
            Text(f"{sign}{{came}} ÷ {{x}}").fill(came=through.came.called, x=through.operand(1))
            for sign in ("", "−")
        ]
        return said.fill(gradients=row(both))
    rules = Text("{name} = {came} ÷ {y}"), Text("{name} = −{came} × {x} ÷ {base}²")
    return clauses_of(through, rules, base=as_base(through.operand(1)))


def clauses_of(
    through: Passed, rules: Sequence[Message | Text] | Mapping[int, Message], **slots: Any
) -> Message:
    """Return the sentence with a clause for each gradient, by the rule of its input.

    Slots of a clause: `{name}` is the gradient, `{came}` the one that arrived, `{x}`, `{y}` and
    `{z}` are the inputs as operands, `{out}` is the result; `slots` has more, or others.
    """
    operands = zip("xyz", map(through.operand, range(len(through.call.inputs))), strict=False)
    known = {**dict(operands), "came": through.came.called, "out": through.y, **slots}
    rows = []
    for i, grad in through.gives:
        said = rules[i].fill(name=through.given(i, grad.called), **known)
        is_value = grad.number and isinstance(rules[i], Text)
        rows.append(EQUALS.fill(name=said, value=grad.figure) if is_value else said)
    return Message("{op}: {clauses}.", clauses=Row(rows, CLAUSES))


def by_input(*rules: Message | Text) -> Rule:
    """Return the rule with a clause for each gradient, by the rule of its input."""
    return lambda through: clauses_of(through, rules)


def larger(said: Message, only: Message) -> Rule:
    """Return the rule of an op that passes the gradient on to one of its two inputs."""

    def rule(through: Passed) -> Message | None:
        first, second = through.name(0), through.name(1)
        if first == second:
            return None
        if len(through.gives) == 2:
            return said.fill(first=first, second=second)
        if through.gives[0][0]:
            first, second = second, first
        return only.fill(first=first, second=second)

    return rule


def cumsum(through: Passed) -> Message | None:
    attrs = through.call.attrs
    if attrs.get("reverse") or attrs.get("exclusive") or attrs.get("flatten"):
        return None
    if len(through.call.sizes(0)) > 1 and not isinstance(attrs.get("axis"), int):
        return None
    return Message(
        "{op}: an element of {input} is in all sums from its place on, so it gets the sum of "
        "{came} from there on: {gives}."
    )


def cumprod(through: Passed) -> Message:
    """Return the sentence on the products that an element is a factor of."""
    attrs = through.call.attrs
    return FACTOR_OF[bool(attrs.get("reverse")), bool(attrs.get("exclusive"))]


FACTOR_OF = {  # whether reverse, whether exclusive -> sentence
    (False, False): Message(
        "{op}: an element of {input} is in all products from its place on, so it gets the sum of "
        "{came} from there on, each times the other factors: {gives}."
    ),
    (False, True): Message(
        "{op}: an element of {input} is in all products after its place, so it gets the sum of "
        "{came} after it, each times the other factors: {gives}."
    ),
    (True, False): Message(
        "{op}: an element of {input} is in all products up to its place, so it gets the sum of "
        "{came} up to there, each times the other factors: {gives}."
    ),
    (True, True): Message(
        "{op}: an element of {input} is in all products before its place, so it gets the sum of "
        "{came} before it, each times the other factors: {gives}."
    ),
}


def along(through: Passed) -> Message:
    """Return the words for the axis of an op on rows, or an empty text for a vector."""
    axis, rank = through.call.attrs.get("axis", -1), len(through.call.sizes(0))
    if rank < 2:
        return EMPTY
    return IN_ROWS if axis in (-1, rank - 1) else ALONG.fill(axis=coded(axis))


def log_softmax(through: Passed) -> Message:
    said = Message(
        "{op} sums {came}{along}, multiplies the sum by the probabilities exp({y}), and subtracts "
        "the product from {from}, giving {gives}."
    )
    return said.fill(along=along(through), y=through.call.outputs[0].called)


def mean(through: Passed) -> Message | None:
    if through.elements == 1:
        return UNCHANGED
    if not through.elements:
        return None
    said = Message(
        "{op} spreads {came} over the {count} elements of {input}, 1/{count} of it to each."
    )
    if through.sizes:
        said = Message(
            "{op} spreads each element of {came} over the {count} elements of {input} that it is "
            "the mean of, 1/{count} of it to each."
        )
    return said.fill(count=through.elements)


def total(through: Passed) -> Message:
    if prod(through.sizes) != 1:
        return Message(
            "{op} passes each element of {came} on unchanged, to every element of {input} that was "
            "added into it."
        )
    return Message("{op} passes {came} on unchanged, to every element of {input}.")


def spread_out(through: Passed) -> Message:
    if through.sizes == through.call.sizes(0):
        return UNCHANGED
    return Message("{op} passes {came} on, broadcast to the shape of {input}, giving {gives}.")


def cut(through: Passed) -> Message | None:
    if len(through.call.inputs) < 2:
        return BACK
    said = Message("{op} cuts {came} into {parts}.")
    if len(through.gives) < len(through.call.inputs):
        said = Message("{op} cuts {came} apart again and passes on {parts}.")
    several = Message("{count} gradients of {name}")
    counts = Counter(through.name(i) for i, _ in through.gives)
    return said.fill(parts=row([
        several.fill(count=counts[through.name(i)], name=through.name(i))
        if counts[through.name(i)] > 1 else through.given(i, grad)
        for i, grad in through.gives
    ]))  # fmt: skip


def cross_entropy(through: Passed) -> Message | None:
    attrs = through.call.attrs
    if attrs.get("soft_label") and through.places == [0]:
        said = Message(
            "{op}: {gives} is (the probability of each class times the sum of its row of {labels}, "
            "minus {labels}) times {came}{each}."
        )
        return said.fill(labels=through.operand(1), each=EACH_ROW)
    if attrs.get("soft_label"):
        return None
    if may_be_ignored(through.call):
        said = Message(
            "{op}: {gives} is (the probability of each class, minus 1 at the label) times "
            "{came}{each}; 0 where the label is {ignored}."
        )
        return said.fill(ignored=coded(attrs.get("ignore_index", -100)), each=EACH_ROW)
    said = Message(
        "{op}: {gives} is (the probability of each class, minus 1 at the label) times {came}{each}."
    )
    return said.fill(each=EACH_ROW)


def dropout(through: Passed) -> Message | None:
    attrs = through.call.attrs
    p, upscales = attrs.get("p", 0), attrs.get("mode") == "upscale_in_train"
    if not 0 < p < 1:
        return None
    if attrs.get("is_test") and upscales:
        return UNCHANGED
    if attrs.get("is_test"):
        said = Message("{op} multiplies {came} by 1 − {p}, giving {gives}.")
    elif upscales:
        said = Message(
            "{op} divides {came} by 1 − {p} where it kept {input}, and blocks it elsewhere."
        )
    else:
        said = Message("{op} passes {came} on where it kept {input}, and blocks it elsewhere.")
    return said.fill(p=Constant(coded(p)))


def power(through: Passed) -> Message | None:
    n = through.call.attrs.get("factor")
    if isinstance(n, bool) or not isinstance(n, (int, float)) or n == 0:
        return None
    if n == 1:
        return UNCHANGED
    said = Message("{op} passes {came} back, times its slope {n} × {base}{power}, giving {gives}.")
    x = through.operand(0)
    base = x if n == 2 else as_base(x)
    return said.fill(n=Constant(coded(n)), base=base, power=Exponent(coded(n), 1))


def clip(through: Passed) -> Message:
    low, high = (through.call.attrs.get(name) for name in ("min", "max"))
    if low is None and high is None:
        return UNCHANGED
    said = Message("{op} passes {came} on where {x} is in [{min}, {max}] and blocks it elsewhere.")
    if high is None:
        said = Message("{op} passes {came} on where {x} ≥ {min} and blocks it elsewhere.")
    elif low is None:
        said = Message("{op} passes {came} on where {x} ≤ {max} and blocks it elsewhere.")
    known = {"min": low, "max": high}
    return said.fill(**{key: Constant(coded(n)) for key, n in known.items() if n is not None})


def leaky_relu(through: Passed) -> Message:
    said = Message("{op} passes {came} on where {x} ≥ 0, times {slope} elsewhere, giving {gives}.")
    return said.fill(slope=Constant(coded(through.call.attrs["negative_slope"])))


def extreme(one: Message, several: Message) -> Rule:
    """Return the rule of a maximum or minimum, over all elements (`one`) or along axes."""
    return lambda through: several if through.sizes else one


def middle(through: Passed) -> Message:
    said = Message(
        "{op} passes {came} on to {middle} of {input}, in equal parts if several equal it, giving "
        "{gives}; the others get 0."
    )
    if through.sizes:
        said = Message(
            "{op} passes each element of {came} on to the element of {input} that was {middle}, "
            "in equal parts if several equal it, giving {gives}; the others get 0."
        )
    call = through.call
    return said.fill(middle=MIDDLES[of_two_middles(call.attrs, call.sizes(0), through.sizes)])


def softmax(through: Passed) -> Message:
    said = Message(
        "{op} subtracts from {came} its average{along}, weighted by the probabilities that it "
        "gave, and multiplies by them, giving {gives}."
    )
    return said.fill(along=along(through))


def embedding(through: Passed) -> Message:
    padding = through.call.attrs.get("padding_idx", -1)
    if padding >= 0:
        said = Message(
            "{op} adds each row of {came} where {input} ≠ {padding} to the row that {input} chose, "
            "giving {gives}; row {padding} is the padding row and gets no gradient."
        )
        return said.fill(padding=padding)
    return Message(
        "{op} adds each row of {came} to the row that {input} chose, giving {gives}; the others "
        "get 0."
    )


def mean_pool(through: Passed) -> Message | None:
    attrs = through.call.attrs
    padding = attrs.get("padding", 0)
    is_padded = padding != "VALID" and any(flatten((padding,)))
    if attrs.get("ceil_mode") and not attrs.get("exclusive", True):
        return None
    if is_padded and attrs.get("exclusive", True):
        return Message(
            "{op} spreads each element of {came} evenly over the elements of {input} in its "
            "window, giving {gives}; the padding gets none."
        )
    if attrs.get("adaptive") or attrs.get("ceil_mode"):
        return Message(
            "{op} spreads each element of {came} evenly over its window in {input}, giving {gives}."
        )
    said = Message(
        "{op} spreads each element of {came} over the {count} elements of its window in {input}, "
        "1/{count} of it to each, giving {gives}."
    )
    if is_padded:
        said = Message(
            "{op} gives 1/{count} of each element of {came} to each element of {input} in its "
            "window, giving {gives}; the padding's share is lost."
        )
    return said.fill(count=prod(attrs["ksize"]))


def pad(through: Passed) -> Message:
    if through.call.attrs.get("mode", "constant") != "constant":
        return COPIES
    return Message("{op} cuts the border off {came}, giving {gives}.")


def variance(through: Passed) -> Message | None:
    n = through.elements - through.call.attrs.get("correction", 1)
    if n <= 0:
        return None
    said = Message(
        "{op} multiplies {came} by {factor} and by each element of {input} minus the mean, giving "
        "{gives}."
    )
    if n == 2:
        said = Message(
            "{op} multiplies {came} by each element of {input} minus the mean, giving {gives}."
        )
    return said.fill(factor=write(number(2 / n)))


def huber(through: Passed) -> Message | None:
    said = Message(
        "{op} (the Huber loss) multiplies {came} by {x} − {y}, limited to [−{n}, {n}], giving "
        "{gives}."
    )
    limit = Constant(coded(through.call.attrs.get("delta", 1.0)))
    return said.fill(y=through.operand(1), n=limit) if through.places == [0] else None


def divergence(through: Passed) -> Message | None:
    if through.call.attrs.get("log_target"):
        return None
    rules = (
        Message("{name} is {came} times −{y}, and 0 where {y} ≤ 0"),
        Message("{name} is {came} times (ln {y} − {x} + 1), and 0 where {y} ≤ 0"),
    )
    return clauses_of(through, rules)


def binary_cross_entropy(through: Passed) -> Message | None:
    said = Message("{op}: {gives} is {came}{each} times ({x} − {y}) / ({x} × (1 − {x})).")
    said = said.fill(y=through.operand(1), each=EACH_ELEMENT)
    return said if through.places == [0] else None


def solve(through: Passed) -> Message | None:
    ranks = [len(through.call.sizes(i)) for i in (0, 1)]
    first: Message | Text = Text("{name} = −{x}⁻ᵀ @ {came} @ {y}ᵀ")
    if ranks == [2, 1]:  # dy @ yᵀ is no product of vectors
        first = Message("{name} is the outer product of −{x}⁻ᵀ @ {came} and {y}")
    elif ranks != [2, 2]:
        return None
    second = Text("{name} = {x}⁻ᵀ @ {came}")
    return clauses_of(through, (first, second), y=through.y)


def inverse(through: Passed) -> Message | None:
    if len(through.call.sizes(0)) != 2:
        return None
    return clauses_of(through, [Text("{name} = −{y}ᵀ @ {came} @ {y}ᵀ")], y=through.y)


def triangle(whole: Message, part: Message) -> Rule:
    """Return the rule of a triangle: at the main diagonal, or at another one."""

    def rule(through: Passed) -> Message:
        diagonal = through.call.attrs.get("diagonal")
        return part.fill(where=which_diagonal(diagonal)) if diagonal else whole

    return rule


def normalised(lines: Message, over: Message, inputs: Sequence[int]) -> Rule:
    """Return the rule of a norm: `lines` is the clause on its first input, for each row or channel,
    `over` says which numbers are summed, and `inputs` are the places of its input, weight and
    bias."""

    def rule(through: Passed) -> Message | None:
        first, weight, bias = inputs
        attrs = through.call.attrs
        axes = len(through.call.sizes(0)) - attrs.get("begin_norm_axis", 0)
        has_weight = len(through.call.inputs) > weight and through.call.inputs[weight] is not None
        times = TIMES.fill(weight=through.name(weight)) if has_weight else EMPTY
        blocks = "begin_norm_axis" in attrs and axes > 1
        rest = BLOCKS.fill(count=axes) if blocks else lines
        rest = RUNNING if uses_running_statistics(attrs) else rest
        clauses = {first: rest, weight: WEIGHT, bias: BIAS}
        epsilon = Constant(coded(attrs.get("epsilon", 1e-5)))
        sums = OVER_REST if blocks else over
        return clauses_of(through, clauses, times=times, over=sums, epsilon=epsilon)

    return rule


TIMES, TIMES_OTHER = Message(" times {weight}"), Message("{name} is {came} times {other}")
IN_ROWS, ALONG = Message(" in each row"), Message(" along axis {axis}")
ROWS = Message(
    "{name} is each row of {came}{times}, minus its mean and its part along the normalised row of "
    "{x}, all divided by √(variance + {epsilon}) of that row"
)
BLOCKS = Message(
    "{name} is {came}{times}, minus its mean over the last {count} axes and its part along the "
    "normalised {x}, all divided by √(variance + {epsilon}) of {x} over these axes"
)
CHANNELS = Message(
    "{name} is each channel of {came}{times}, minus its mean and its part along the normalised "
    "channel of {x}, all divided by √(variance + {epsilon}) of that channel"
)
RUNNING = Message(
    "{name} is each channel of {came}{times}, divided by √(running variance + {epsilon}) of that "
    "channel"
)
WEIGHT = Message("{name} is the sum{over} of {came} times the normalised {x}")
BIAS = Message("{name} is the sum{over} of {came}")
OVER_ROWS, OVER_REST = Message(" over the rows"), Message(" over the other axes")
IN_CHANNELS = Message(" in each channel")


def getitem(through: Passed) -> Message:
    index, sizes = through.call.attrs.get("index"), through.call.sizes(0)
    part, turned = axis_and_piece(index, sizes), reversed_axes(index, sizes)
    if turned is not None:
        said = Message("{came} goes back to all elements of {input}: {gives}.")
        if turned:
            said = Message("{came} is reversed again{over} and goes back to {input}: {gives}.")
        return said.fill(over=over_axes(turned))
    said = Message("{came} goes back to its place in {input}, with zeros elsewhere: {gives}.")
    if part and part[1].at == -1:
        return LAST_COLUMN if part[0] else LAST_ROW
    if part and part[1].at is not None:
        said = Message("{came} goes back to row {n} of {input}, and the others get 0: {gives}.")
        if part[0]:
            said = Message(
                "{came} goes back to column {n} of {input}, and the others get 0: {gives}."
            )
        return said.fill(n=part[1].at % sizes[part[0]])
    return said


def gather(through: Passed) -> Message | None:
    if len(through.gives) != 1:
        return None
    if through.call.attrs.get("axis", 0) != 0 or len(through.call.sizes(0)) != 2:
        return ADDED_BACK
    said = Message(
        "{op} adds each row of {came} to the row that {index} chose, giving {gives}; the others "
        "get 0."
    )
    return said.fill(index=through.name(1))


def masked_fill(through: Passed) -> Message | None:
    said = Message("{op} passes {came} on where {mask} is False, and blocks it elsewhere.")
    return said.fill(mask=through.name(1)) if through.places == [0] else None


def scatter(through: Passed) -> Message:
    if len(through.call.sizes(0)) == 1:
        return clauses_of(through, (KEPT, KEPT, WRITTEN))
    kept = Message("{name} is {came} with zeros in the rows {index}, which were overwritten")
    written = Message("{name} consists of the rows {index} of {came}")
    return clauses_of(through, (kept, kept, written), index=through.name(1))


KEPT = Message("{name} is {came} with zeros where the new value was written")
WRITTEN = Message("{name} is the part of {came} where it was written")
OF_VALUES = {  # reduction of elements with values at places -> gradient of the values
    "add": Message("{name} is the part of {came} where it was added"),
    "multiply": Message(
        "{name} is the part of {came} at its places, times the product of the other factors there"
    ),
    "mean": Message(
        "{name} is the part of {came} at its places, divided by the number of elements in each mean"
    ),
    "amin": Message("{name} is the part of {came} where it was the smallest, shared among equals"),
    "amax": Message("{name} is the part of {came} where it was the largest, shared among equals"),
}
OF_ALL = {  # reduction -> gradient of the elements
    "add": Text("{name} = {came}"),
    "multiply": Message("{name} is {came} times the product of the values written at each place"),
    "mean": Message("{name} is {came} divided by the number of elements in each mean"),
    "amin": Message("{name} is {came} where the element stayed the smallest, shared among equals"),
    "amax": Message("{name} is {came} where the element stayed the largest, shared among equals"),
}
SAME, ADDED = OF_ALL["add"], OF_VALUES["add"]


def set_at(through: Passed) -> Message | None:
    """Return the sentence on a value that was written or added at places."""
    how = through.call.attrs
    reduce = how.get("reduce", "add" if how.get("accumulate") else "assign")
    if reduce == "assign":
        return clauses_of(through, (KEPT, WRITTEN, WRITTEN))
    of_values = OF_VALUES[reduce]
    if not how.get("include_self", True):
        return clauses_of(through, (KEPT, of_values, of_values))
    return clauses_of(through, (OF_ALL[reduce], of_values, of_values))


def diagonal(through: Passed) -> Message | None:
    return back_on_diagonal(through) if len(through.call.sizes(0)) == 2 else None


def back_on_diagonal(through: Passed) -> Message:
    said = Message("{op} puts {came} on {where} of zeros in the shape of {input}, giving {gives}.")
    return said.fill(where=which_diagonal(through.call.attrs.get("offset", 0)))


def where(through: Passed) -> Message:
    condition = through.name(0)
    said = Message(
        "{op} passes {came} on to {first} where {condition} is True, and to {second} elsewhere."
    )
    if through.places == [1]:
        said = Message("{op} passes {came} on to {first} where {condition} is True.")
    elif through.places == [2]:
        said = Message("{op} passes {came} on to {second} where {condition} is False.")
    return said.fill(condition=condition, first=through.name(1), second=through.name(2))


def conv(through: Passed) -> Message:
    ways = (
        Message(
            "in {name}, an element of {x} gets the gradients in {came} of all results that it "
            "entered, each times the weight used there, added up ({sign})"
        ),
        Message(
            "in {name}, a weight gets the gradients in {came} of all results that it entered, each "
            "times the element of {x} used there, added up ({sign})"
        ),
    )
    signs = "∗" if "output_padding" in through.call.attrs else "∗ᵀ", "⋆"  # of the formulas
    if through.places == [0, 1]:
        both = Message(
            "{op}: in {first}, an element of {x} gets the gradients in {from} of all results that "
            "it entered, each times the weight used there ({sign}); in {second}, a weight gets "
            "those that it entered, each times the element used there ({other})."
        )
        first, second = (through.given(*each) for each in through.gives)
        return both.fill(
            first=first, second=second, x=through.name(0), sign=signs[0], other=signs[1]
        )
    told = [way.fill(sign=Text(sign)) for way, sign in zip(ways, signs, strict=True)]
    return clauses_of(through, told, x=through.name(0))


def lerp(through: Passed) -> Message:
    rules = (
        Text("{name} = {came} × (1 − {z})"),
        Text("{name} = {came} × {z}"),
        Text("{name} = {came} × ({y} − {x})"),
    )
    y = bracket(through.operand(1), "−", right=True)
    return clauses_of(through, rules, y=y)


def atan2(through: Passed) -> Message:
    rules = (
        Text("{name} = {came} × {y} ÷ ({x}² + {y}²)"),
        Text("{name} = −{came} × {x} ÷ ({x}² + {y}²)"),
    )
    x, y = as_base(through.operand(0)), as_base(through.operand(1))
    return clauses_of(through, rules, x=x, y=y)


def remainder(through: Passed) -> Message:
    if through.places == [0]:
        return UNCHANGED
    return clauses_of(through, (SAME, Text("{name} = −{came} × ⌊{x} ÷ {y}⌋")))


def matrix_power(through: Passed) -> Message | None:
    n = through.call.attrs["n"]
    said = Message(
        "{op}: each of the {n} factors {x} gets a gradient as in a matrix product, and {gives} is "
        "their sum."
    )
    if n < 0:
        said = Message(
            "{op}: each of the {n} factors {x}⁻¹ gets a gradient as in a matrix product, and "
            "{gives} is their sum, multiplied by −{x}⁻ᵀ on the left and {x}⁻ᵀ on the right."
        )
    return said.fill(n=abs(n)) if n < 0 or n > 1 else None


def cast(through: Passed) -> Message | None:
    if is_complex(through.came) and not through.call.dtype(0).startswith("complex"):
        return Message("{op} keeps the real part of {came}, giving {gives}.")
    return Message("{op} converts {came} back to the type of {input}, giving {gives}.")


def absolute(through: Passed) -> Message:
    if through.call.dtype(0).startswith("complex"):
        return Message("{op} gives {came} the direction of {x}: {gives} is {came} × {x} / |{x}|.")
    return Message(
        "{op} passes {came} on where {x} > 0, with the opposite sign where {x} < 0, giving {gives}."
    )


def norm(through: Passed) -> Message | None:
    power, many = through.call.attrs.get("porder", 2), prod(through.sizes) != 1
    if power == 2 and many and along(through) is IN_ROWS and len(through.call.sizes(0)) == 2:
        return Message(
            "{op} divides each element of {x} by the norm of its row in {y} (plus 1e−12) and "
            "multiplies it by the gradient of that norm in {came}: {gives}."
        )
    if power == 2 and many:
        return Message(
            "{op} divides each element of {x} by its norm in {y} (plus 1e−12) and multiplies it by "
            "the gradient of that norm in {came}: {gives}."
        )
    if power == 2:
        return Message("{op}: {gives} is {from} times {x} / ({y} + 1e−12).")
    if power == 1 and many:
        return Message(
            "{op} multiplies the sign of each element of {x} by the gradient of its norm in "
            "{came}, giving {gives}."
        )
    if power == 1:
        return Message("{op} multiplies the sign of each element of {x} by {came}, giving {gives}.")
    if power in ("inf", "-inf"):
        return Message(
            "{op} passes {came} on, with the element's sign, where an absolute value in {x} is its "
            "norm, giving {gives}; the others get 0."
        )
    said = Message(
        "{op}: each element of {x} gets the gradient of its norm in {came}, times its sign and "
        "|{x}| ^ {n} / ({y} ^ {n} + 1e−12), so {gives}."
    )
    return said.fill(n=Constant(coded(power - 1))) if power else None


def cholesky(through: Passed) -> Message | None:
    if len(through.sizes) != 2:
        return None
    said = Message(
        "{op}: {gives} is the symmetric part of {y}⁻ᵀ @ Φ @ {y}⁻¹, where Φ is the lower triangle "
        "of {y}ᵀ @ {from} with half its diagonal."
    )
    if through.call.attrs.get("upper"):
        said = Message(
            "{op}: {gives} is the symmetric part of {y}⁻¹ @ Φ @ {y}⁻ᵀ, where Φ is the lower "
            "triangle of {y} @ {from}ᵀ with half its diagonal."
        )
    return said.fill(**{"from": bracket(through.came.called)})


def shrink(through: Passed) -> Message:
    said = Message(
        "{op} passes {came} on where |{x}| > {threshold} and blocks it elsewhere, giving {gives}."
    )
    return said.fill(threshold=Constant(coded(through.call.attrs["threshold"])))


def distance(through: Passed) -> Message | None:
    if through.call.attrs.get("p", 2) != 2 or through.call.sizes(0) != through.call.sizes(1):
        return None
    rules = (
        Text("{name} = {came} × ({x} − {y}) ÷ {out}"),
        Text("{name} = −{came} × ({x} − {y}) ÷ {out}"),
    )
    x, y = through.name(0), bracket(through.name(1), "−", right=True)
    return clauses_of(through, rules, x=x, y=y)


LARGEST = extreme(
    Message(
        "{op} passes {came} on to the largest of {input}, in equal parts if there are several, "
        "giving {gives}; the others get 0."
    ),
    Message(
        "{op} passes each element of {came} on to the element of {input} that was its maximum, in "
        "equal parts if there were several, giving {gives}; the others get 0."
    ),
)
SMALLEST = extreme(
    Message(
        "{op} passes {came} on to the smallest of {input}, in equal parts if there are several, "
        "giving {gives}; the others get 0."
    ),
    Message(
        "{op} passes each element of {came} on to the element of {input} that was its minimum, in "
        "equal parts if there were several, giving {gives}; the others get 0."
    ),
)
MIDDLES = {
    "": Message("the median"),
    "lower": Message("the lower middle element"),
    "upper": Message("the upper middle element"),
}
LAST_ROW = Message("{came} goes back to the last row of {input}, and the others get 0: {gives}.")
LAST_COLUMN = Message(
    "{came} goes back to the last column of {input}, and the others get 0: {gives}."
)
SLOPE = Message("{op} passes {came} back, times its slope at {x}, giving {gives}.")
COPIES = Message("{op} adds up {came} over the copies of each element of {input}, giving {gives}.")
WEIGHTED = Message(
    "{op}: each element of {input} gets the sum of {came} over the results that it entered, each "
    "times its weight there: {gives}."
)
MOVED_BACK = Message("{op} moves each element of {came} back to its place in {input}: {gives}.")
ADDED_BACK = Message(
    "{op} adds each element of {came} to the element of {input} that it was read from, giving "
    "{gives}; the others get 0."
)
PUT_BACK = Message(
    "{op} puts each element of {came} at the place in {input} that its number was taken from, with "
    "zeros elsewhere, giving {gives}."
)
TURNED_BACK = Message("{op} puts the axes of {came} back in their order, giving {gives}.")
FLAT = Message("{op} has the slope 0 wherever it has one, so the gradient is 0: {gives}.")
BETWEEN = Message(
    "{op} passes {came} on where {x} lies between {min} and {max}, and blocks it elsewhere, giving "
    "{gives}."
)
TAKEN = Message("{op} takes from {came} what lies where {input} was put, giving {gives}.")
WON = Message(
    "{op} passes each element of {came} on to the element of {input} that won its window."
)
BACK = Message("{op} brings {came} back into the shape of {input}, giving {gives}.")
JOINS = {
    "split": Message("{op} joins {parts} again, giving {gives}."),
    "unbind": Message("{op} stacks {parts} again, giving {gives}."),
}
JOINS_WITH_ZEROS = {
    "split": Message("{op} joins {parts} again, with zeros for {others}, giving {gives}."),
    "unbind": Message("{op} stacks {parts} again, with zeros for {others}, giving {gives}."),
}
MAIN = {
    "softmax_with_cross_entropy": 1,
    "dropout": 0,
    **dict.fromkeys(("topk", "kthvalue", "mode", "cummax", "cummin"), 0),
    **dict.fromkeys(("max_pool2d_with_index", "max_pool3d_with_index"), 0),
    "argsort": 0,
    "layer_norm": 0,
    "batch_norm": 0,
}  # op -> index of its output that has a gradient
CURVES = (
    *("gelu", "silu", "swish", "softplus", "elu", "celu", "selu", "mish", "erf", "rsqrt"),
    *("reciprocal", "expm1", "log2", "log10", "tan", "asin", "acos", "atan", "sinh", "cosh"),
    *("asinh", "acosh", "atanh", "softsign", "log_sigmoid", "hardswish"),
    *("tanhshrink", "hardsigmoid", "lgamma", "digamma", "erfinv", "logit", "stanh"),
)
RULES: dict[str, Rule] = {
    "add": add,
    "subtract": subtract,
    "scale": scale,
    "multiply": multiply,
    "divide": divide,
    **dict.fromkeys(("matmul", "bmm"), matmul),
    "mv": mv,
    "linear": linear,
    "matmul_transposed": matmul_transposed,
    "cross_entropy": Message(
        "{op}: {gives} is (the probability of each class, minus 1 at the label) times {came}, "
        "divided by the number of rows."
    ),
    "mse_loss": squared_difference,
    **dict.fromkeys(("addmm", "baddbmm"), added_product),
    "mean": mean,
    "sum": total,
    "softmax_with_cross_entropy": cross_entropy,
    "dropout": dropout,
    "binary_cross_entropy_with_logits": Message(
        "{op}: {gives} is (sigmoid({input}) minus the target) times {came}{each}.",
        each=EACH_ELEMENT,
    ),
    "concat": cut,
    **dict.fromkeys(("assign", "frac"), UNCHANGED),
    "tanh": Message("{op} passes {came} back, times its slope 1 − {result}², giving {gives}."),
    "sigmoid": Message("{op} passes {came} back, times its slope {y} × (1 − {y}), giving {gives}."),
    "relu": Message("{op} passes {came} on where {x} > 0 and blocks it elsewhere, giving {gives}."),
    "exp": Message("{op} passes {came} back, times its slope {y}, giving {gives}."),
    "sin": Message("{op} passes {came} back, times its slope cos({input}), giving {gives}."),
    "cos": Message("{op} passes {came} back, times its slope −sin({input}), giving {gives}."),
    "log": Message("{op} divides {came} by {x}, giving {gives}."),
    "square": Message("{op} passes {came} back, times its slope 2 × {x}, giving {gives}."),
    "getitem": getitem,
    "transpose": TURNED_BACK,
    "cast": cast,
    "conj": Message("{op} conjugates {came}, giving {gives}."),
    "real": Message("{op} makes {gives} from the real part {came} and the imaginary part 0."),
    "imag": Message("{op} makes {gives} from the real part 0 and the imaginary part {came}."),
    "as_real": Message("{op} reads each pair of {came} as a complex number, giving {gives}."),
    **dict.fromkeys(
        ("as_complex", "complex"),
        Message("{op} takes {came} apart into real and imaginary parts, giving {gives}."),
    ),
    "fft_c2c": Message(
        "{op} transforms {came} in the other direction, with the same factor, giving {gives}."
    ),
    "fft_r2c": Message(
        "{op} transforms {came} in the other direction, with the same factor, and takes the real "
        "part, giving {gives}."
    ),
    "fft_c2r": Message(
        "{op} transforms {came} in the other direction, with the same factor, and doubles what "
        "stands for its conjugate too, giving {gives}."
    ),
    "lerp": lerp,
    "dist": distance,
    **dict.fromkeys(("hardshrink", "softshrink"), shrink),
    "svdvals": Message(
        "{op}: {gives} is U @ diag({from}) @ Vᵀ, with the singular vectors U and V of {input}."
    ),
    "eigvalsh": Message(
        "{op}: {gives} is V @ diag({from}) @ Vᵀ, with the eigenvectors V of {input}."
    ),
    "cholesky": cholesky,
    "diag": lambda through: back_on_diagonal(through) if len(through.call.sizes(0)) == 2 else TAKEN,
    "diag_embed": TAKEN,
    "atan2": atan2,
    "remainder": remainder,
    "kron": by_input(
        Message("in {name}, an element of {x} gets the sum of its block of {came} times {y}"),
        Message("{name} is the sum of all blocks of {came}, each times its element of {x}"),
    ),
    "matrix_power": matrix_power,
    "slogdet": Message(
        "{op}: {gives} is the gradient of the logarithm in {came} times the inverse of {x}, "
        "transposed."
    ),
    "pow": power,
    "abs": absolute,
    "sqrt": Message("{op} passes {came} back, times its slope 1 / (2 × {y}), giving {gives}."),
    "log1p": Message("{op} divides {came} by 1 + {x}, giving {gives}."),
    "leaky_relu": leaky_relu,
    **dict.fromkeys(CURVES, SLOPE),
    "maximum": larger(
        Message(
            "{op} passes each element of {came} on to the larger of {first} and {second}, half to "
            "each where they are equal."
        ),
        Message(
            "{op} passes {came} on to {first} where that is larger than {second}, half of it where "
            "they are equal, giving {gives}."
        ),
    ),
    "minimum": larger(
        Message(
            "{op} passes each element of {came} on to the smaller of {first} and {second}, half to "
            "each where they are equal."
        ),
        Message(
            "{op} passes {came} on to {first} where that is smaller than {second}, half of it "
            "where they are equal, giving {gives}."
        ),
    ),
    "log_softmax": log_softmax,
    "cumsum": cumsum,
    "roll": Message("{op} shifts {came} back, giving {gives}."),
    "flip": Message("{op} reverses {came} again, giving {gives}."),
    **dict.fromkeys(("tile", "expand", "expand_as", "repeat_interleave"), COPIES),
    "argsort": Message(
        "{op} puts each element of {came} back at the place in {input} that it was sorted "
        "from, giving {gives}."
    ),
    **dict.fromkeys(("masked_select", "topk", "kthvalue", "mode"), PUT_BACK),
    "sum_to": spread_out,
    "add_n": Message("{op} passes {came} on unchanged, to all inputs, {names}."),
    "logsumexp": Message("{op} multiplies {came} by the softmax of {input}, giving {gives}."),
    "prod": Message(
        "{op}: the gradient of each element of {input} is {came} times the product of the other "
        "elements it was multiplied with, giving {gives}."
    ),
    "nll_rows": Message(
        "{op} puts {came}, with the opposite sign, at the label of each row, with zeros elsewhere, "
        "giving {gives}."
    ),
    "softmax": softmax,
    "embedding": embedding,
    **dict.fromkeys(("avg_pool2d", "avg_pool3d"), mean_pool),
    "pad": pad,
    "prelu": by_input(
        Message("{name} is {came} where {x} > 0, and {came} times {y} elsewhere"),
        Message("{name} is {came} times {x} where that is at most 0, and 0 elsewhere"),
    ),
    "var": variance,
    "smooth_l1_loss": huber,
    "kl_div": divergence,
    "binary_cross_entropy": binary_cross_entropy,
    "solve": solve,
    "det": Message("{op}: {gives} is {from} times {y} times the inverse of {x}, transposed."),
    "trace": back_on_diagonal,
    "layer_norm": normalised(ROWS, OVER_ROWS, (0, 1, 2)),
    "batch_norm": normalised(CHANNELS, IN_CHANNELS, (0, 3, 4)),
    "gather": gather,
    **dict.fromkeys(
        (
            *("index_select", "pick", "take_along_axis", "gather_nd", "index_sample"),
            *("cummax", "cummin"),
        ),
        ADDED_BACK,
    ),
    **dict.fromkeys(("sign", "sgn", "floor", "ceil", "round", "trunc"), FLAT),
    "relu6": BETWEEN.fill(min="0", max="6"),
    "hardtanh": lambda through: BETWEEN.fill(**through.call.constants("min", "max")),
    **dict.fromkeys(("put_at", "pick_back"), TAKEN),
    "copy_to": UNCHANGED,
    "cumprod": cumprod,
    "masked_fill": masked_fill,
    "scatter": scatter,
    **dict.fromkeys(("set_at", "index_put", "put_along_axis"), set_at),
    **dict.fromkeys(("index_add", "scatter_nd_add"), by_input(SAME, ADDED, ADDED)),
    "scatter_nd": by_input(SAME, ADDED),
    "elementwise_pow": by_input(
        Text("{name} = {came} × {y} × {x} ^ ({y} − 1)"),
        Text("{name} = {came} × {out} × ln {x}"),
    ),
    "diagonal": diagonal,
    "where": where,
    "clip": clip,
    **dict.fromkeys(("conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose"), conv),
    **dict.fromkeys(("max_pool2d", "max_pool2d_with_index"), WON),
    **dict.fromkeys(("max_pool3d", "max_pool3d_with_index"), WON),
    **dict.fromkeys(("p_norm", "frobenius_norm"), norm),
    "dot": multiply,
    "inverse": inverse,
    "tril": triangle(
        Message("{op} keeps the lower triangle of {came}, giving {gives}."),
        Message("{op} keeps what is on and below {where} of {came}, giving {gives}."),
    ),
    "triu": triangle(
        Message("{op} keeps the upper triangle of {came}, giving {gives}."),
        Message("{op} keeps what is on and above {where} of {came}, giving {gives}."),
    ),
    "stack": cut,
    **dict.fromkeys(("max", "amax"), LARGEST),
    **dict.fromkeys(("min", "amin"), SMALLEST),
    "nanmedian": middle,
    "einsum": einsum,
    "interpolate": lambda through: (
        COPIES if through.call.attrs.get("mode", "nearest") == "nearest" else WEIGHTED
    ),
    "unfold_images": Message(
        "{op} adds up {came} over all windows that an element of {input} is in, giving {gives}."
    ),
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"), MOVED_BACK),
    **dict.fromkeys(("reshape", "reshape_to", "flatten", "squeeze", "unsqueeze"), BACK),
}
