"""Sentences about one element: a sum of terms, a choice, or a formula with its numbers.

viz/player/web/telling.js has the same ones; tests/javascript/test_elements.py compares them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from minipaddle.messages import LIST, Message, Row, Text
from minipaddle.ops.expression import LOWERED, Pieces, is_composite

from ..language.words import WORDS
from ..model import Step
from ..story.sentences.wording import digits
from .cells import Index
from .step_computations import RESULTS, StepComputation

SPOKEN = 6  # maximum number of terms, or numbers, in a sentence
NAMED = 4  # maximum number of elements that are named one by one
# What is computed element by element is written with these and with nothing else.
PLAIN = re.compile(
    r"(?:[\s\d.,·×+−\-/()=²³√|<>≥≤eπ½^⌊⌋⌈⌉\]]|(?<!\))\[|tanh?|sinh?|cosh?"
    r"|arc(?:sin|cos|tan)|ar(?:sinh|cosh|tanh)|exp|ln|log[₂₁₀]*|sqrt|erf|sigmoid|σ|abs|sign|max|min)*"
)

PLUS = Text("{row} + {next}")
SUM = Text("{element} = {terms} = {value}")
MORE = WORDS["elementMore"]
FROM_USE = Message("{element} from {use}")

Cells = Mapping[str, frozenset[Index]]  # name of a tensor -> indices of its elements
Shapes = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Term:
    """Term of a sum: an element of an operand, times a factor.

    `is_plain`: the formula has no factor, which is 1 whatever the numbers are. `use` is the result
    from which the element, of a gradient, comes: "" if one alone uses the tensor.
    """

    name: str
    index: Index
    value: float
    factor: float
    is_plain: bool = False
    use: str = ""

    @property
    def product(self) -> float:
        """Value of the term."""
        return self.value * self.factor + 0.0  # turns −0 into 0

    def __str__(self) -> str:
        """Return the term as `0.68 × −0.89`, or `0.68` if it has no factor."""
        text = value_text(self.value)
        return text if self.is_plain else f"{text} × {value_text(self.factor)}"

    @property
    def source(self) -> Message:
        """Name of the element, and of the use from which it comes: `dx[0] from y`."""
        name = Text(cell(self.name, self.index))
        return FROM_USE.fill(element=name, use=self.use) if self.use else name


@dataclass(frozen=True, slots=True)
class Rest:
    """Number and sum of the terms that are not listed."""

    count: int = 0
    total: float = 0.0


# ----- elements and sets of them -----------------------------------------------------------------


def cell(name: str, index: Index) -> str:
    """Return an element in Python's notation: `w[0, 1]`, `(x @ w)[2]`, or `loss` for a number."""
    if not index:
        return name
    return f"{bracket(name)}[{', '.join(map(str, index))}]"


def bracket(name: str) -> str:
    return f"({name})" if is_composite(name) else name


def value_text(value: Any) -> str:
    """Return a value as text, with four digits."""
    strange = isinstance(value, float) and not isfinite(value)
    return f"{value}".replace("-", "−") if strange else digits(value)


def describe(cells: Cells, shapes: Shapes) -> Row:
    """Return a text that names sets of elements, `x[2, :] and w[:, 0]`, or says how many."""
    return Row([describe_set(name, places, shapes[name]) for name, places in cells.items()])


def describe_set(name: str, places: frozenset[Index], shape: Sequence[int]) -> Message:
    """Return a text that names a set of elements, as a slice if it is one."""
    rows = [sorted({index[axis] for index in places}) for axis in range(len(shape))]
    slices = [slice_of(row, size) for row, size in zip(rows, shape, strict=True)]
    whole = np.prod([len(row) for row in rows], dtype=int) == len(places)
    if whole and None not in slices:
        inside = ", ".join(map(str, slices))
        return Text(f"{bracket(name)}[{inside}]" if slices else name)
    if len(places) <= NAMED:
        return Row([cell(name, index) for index in sorted(places)], LIST).message()
    return WORDS["elementCounted"].fill(count=len(places), name=name)


def slice_of(row: Sequence[int], size: int) -> str | None:
    """Return places along an axis as a slice, or None if they have gaps."""
    if len(row) == 1:
        return str(row[0])
    if row[-1] - row[0] + 1 != len(row):
        return None
    first, last = row[0] or "", "" if row[-1] + 1 == size else row[-1] + 1
    return f"{first}:{last}"


def sum_shown(step: Step, place: int, index: Index) -> str:
    """Return the sum that a step shows for a result, with the numbers of one element.

    Return "" if it shows none, or if an element was not recorded.
    """
    signed = [at for at, shown in enumerate(step.shown) if shown.sign]
    if not signed or signed[-1] != place:
        return ""
    text = ""
    for shown in step.shown[signed[0] - 1 : place]:
        value = recorded_element(shown.value, index)
        if value is None:
            return ""
        text = with_number(text + f" {shown.sign} " if shown.sign else text, value)
    return text


def recorded_element(value: Any, index: Index) -> Any:
    """Return the recorded value of an element, or None if it was not recorded."""
    data: Any = None if value is None else value.get("data")
    for at in index if data is not None else ():
        data = data[at]
    return float(data) if isinstance(data, str) else data  # nan and inf are texts in JSON


# ----- formulas with numbers ---------------------------------------------------------------------


def with_number(text: str, value: Any, after: str = "") -> str:
    """Return the beginning of a formula with one more number, in brackets if needed.

    >>> with_number("2 · ", -1.5), with_number("", -1.5), with_number("", -1.5, "²")
    ('2 · (−1.5)', '−1.5', '(−1.5)')
    """
    number = value_text(value)
    apart = re.search(r"[·×+−/²³^]\s*$", text) or after[:1] in ("²", "³", "^")
    return text + (f"({number})" if number[0] == "−" and apart else number)


def fill_names(pieces: Pieces, numbers: Mapping[str, Any]) -> str:
    """Return a part of a formula with numbers in place of names; "" if it is not one of single
    numbers.

    >>> fill_names(("", "x", " / ", "2", " + ", "x", "²"), {"x": -2.0})
    '−2 / 2 + (−2)²'
    >>> fill_names(("", "2", "", "x", ""), {"x": 3.0})
    '2 · 3'
    >>> fill_names(("", "x", " @ ", "y", ""), {"x": 1.0, "y": 2.0})
    ''
    """
    parts = lower_exponents(pieces, numbers)
    line, between, values = "", "", []
    for at, piece in enumerate(parts):
        if at % 2 == 0 or piece not in numbers:
            between += piece
            continue
        if not PLAIN.fullmatch(between) or parts[at + 1].startswith("["):
            return ""
        values.append(numbers[piece])
        line += between
        line += " · " if line[-1:].isdigit() else ""  # 2z
        line, between = with_number(line, values[-1], parts[at + 1]), ""
    known = all(type(value) in (int, float) and isfinite(value) for value in values)
    if not (values and known and PLAIN.fullmatch(between)):
        return ""
    return re.sub(r"(?<![^\W\d_])\(([\d.]+)\)", r"\1", line + between)


def lower_exponents(pieces: Pieces, names: Container[str]) -> list[str]:
    """Return pieces in which names as exponents are written as `^(x)` or `^(−x)`."""
    parts = [*pieces]
    for at in range(1, len(parts), 2):
        name = "".join(LOWERED.get(letter, " ") for letter in parts[at])
        if name in names:
            before = parts[at - 1].removesuffix("⁻")
            sign = "−" if before != parts[at - 1] else ""
            parts[at - 1 : at + 2] = f"{before}^({sign}", name, f"){parts[at + 1]}"
    return parts


def broadcast_element(value: Mapping[str, Any], index: Index, shape: Sequence[int]) -> Any:
    """Return the number that meets an element where both are broadcast, or None."""
    own, more = value["shape"], len(shape) - len(value["shape"])
    if all(size == 1 for size in own):
        return recorded_element(value, (0,) * len(own))
    pairs = zip(own, shape[max(more, 0) :], strict=False)
    if more < 0 or any(size not in (1, other) for size, other in pairs):
        return None
    places = zip(own, index[more:], strict=True)
    return recorded_element(value, tuple(at if size > 1 else 0 for size, at in places))


def fill_formula(step: Step, place: int, index: Index) -> str:
    """Return the right side of the formula of a result with the numbers of an element, or ""."""
    own = step.shown[place]
    values = {term.name: term.value for term in step.terms}
    values |= {shown.name: shown.value for shown in step.shown if shown.value is not None}
    alike = [each for each in step.shown if each.role in RESULTS and each.name == own.name]
    if len(alike) > 1 or own.value is None:
        return ""
    shape = own.value["shape"]
    numbers = {name: broadcast_element(value, index, shape) for name, value in values.items()}
    if "= " not in step.formula:  # the formula is the name of the result
        del numbers[own.name]
        return fill_names(*step.clauses, numbers) if len(step.clauses) == 1 else ""
    sides = [right for name, right in map(sides_of, step.clauses) if name == own.name]
    return fill_names(sides[0], numbers) if len(sides) == 1 else ""


def sides_of(clause: Pieces) -> tuple[str, Pieces]:
    """Return the name that a clause defines, and its right side; ("", clause) if it defines none.

    >>> sides_of(("", "dx", " += ", "dy", " · ", "y", ""))
    ('dx', ('', 'dy', ' · ', 'y', ''))
    """
    sign = re.match(r" \+?= ", "".join(clause[2:3])) if not clause[0] else None
    if not sign:
        return "", clause
    return clause[1], (clause[2][sign.end() :], *clause[3:])


# ----- sentences ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spoken:
    """Facts for a sentence about an element; `read` masks the elements it was computed from.

    `place` is that of the result in `made.step`, the step that computes it.
    """

    made: StepComputation
    place: int
    index: Index
    name: str
    value: Any
    read: Sequence[Any]

    @property
    def words(self) -> dict[str, str]:
        return {"element": cell(self.name, self.index), "value": value_text(self.value)}

    def say(self, key: str, **slots: Any) -> Message:
        return WORDS[key].fill(**self.words, **slots)

    def sentence(self, terms: Sequence[Term], rest: Rest, constant: float, count: int) -> Message:
        """Return how the element is computed: as a sum of terms, or chosen among `count`."""
        step = self.made.step
        shown = sum_shown(step, self.place, self.index)
        if shown:
            said = SUM.fill(terms=shown, **self.words)
            by = WORDS["elementBy"].fill(sum=said, formula=step.formula)
            return by if step.formula else said
        if count:
            source = cell(terms[0].name, terms[0].index)
            return self.say("elementChosen", source=source, count=count)
        if terms:
            return self.sum(terms, rest, constant)
        text = fill_formula(step, self.place, self.index)
        if text and text != self.words["value"]:
            return SUM.fill(terms=text, **self.words)
        numbers = self.numbers()
        if not numbers:
            gradient = step.shown[self.place].role == "grad_out"
            return self.say("elementNothing" if gradient else "elementAlone")
        own = step.shown[self.place].name
        others = {shown.name for shown in step.shown if shown.role in RESULTS} - {own}
        if not step.formula or sides_of(step.clauses[0])[0] in others:
            return self.say("elementFrom", numbers=numbers)
        return self.say("elementFormula", numbers=numbers, formula=step.formula)

    def sum(self, terms: Sequence[Term], rest: Rest, constant: float) -> Message:
        """Return the terms as a sum: `y[2, 0] = 0.68 × −0.89 + 0.5 × 0.3 + 28 more = 0.14`."""
        parts: list[Any] = [str(term) for term in terms[:SPOKEN]]
        if len(terms) == 1 and not constant:
            [only] = terms
            several = sum(int(mask.sum()) for mask in self.read if mask is not None) > 1
            filled = fill_formula(self.made.step, self.place, self.index)
            if only.is_plain and filled in ("", self.words["value"]):
                parts = [cell(only.name, only.index)]
            elif only.is_plain or several:
                parts = [filled or str(only)]
        left = len(terms) + rest.count - len(parts)
        parts += [value_text(constant)] if constant else []
        parts += [MORE.fill(count=left)] if left else []
        return SUM.fill(terms=Row(parts, PLUS), **self.words)

    def numbers(self) -> Row | None:
        """Return the elements that were read, with their values, or None if there are none."""
        shown: list[Any] = []
        count = 0
        for operand, mask in enumerate(self.read):
            places = np.argwhere(mask) if mask is not None else ()
            count += len(places)
            for at in places[: SPOKEN - len(shown)]:
                index = tuple(map(int, at))
                value = float(self.made.run.operands[operand][index])
                shown.append(f"{cell(self.made.operands[operand], index)} = {value_text(value)}")
        more = count - len(shown)
        return Row([*shown, *([MORE.fill(count=more)] if more else [])]) if shown else None
