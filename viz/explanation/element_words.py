"""Sentences about one element: a sum of terms, a choice, or a formula with its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from minipaddle.messages import LIST, Message, Row, Text
from minipaddle.ops.expression import (
    Tree,
    clauses,
    is_composite,
    names_in,
    number,
    read,
    renamed,
    subtrees,
    written,
)

from ..language.words import WORDS
from ..model import Step
from ..story.formulas import defined
from ..story.sentences.wording import digits
from .cells import Index
from .step_computations import StepComputation

SPOKEN = 6  # maximum number of terms, or numbers, in a sentence
NAMED = 4  # maximum number of elements that are named one by one
MANY = ("Σ", "Π", "∏", "Σᵣ", "Σₖ", "one_hot")  # functions of several elements
PLACED = ("index", "sub")  # parts of formulas that select elements

PLUS, EQUALS = Text("{row} + {next}"), Text("{element} = {value}")
SUM = Text("{element} = {terms} = {value}")
MORE = WORDS["elementMore"]
CHOSEN = WORDS["elementChosen"]
FORMULA = WORDS["elementFormula"]
FROM = WORDS["elementFrom"]
ALONE = WORDS["elementAlone"]
ACTS = WORDS["elementActs"]
IDLE = WORDS["elementStill"]
NOTHING_ARRIVES = WORDS["elementNothing"]
BY = WORDS["elementBy"]
BARE = WORDS["elementBare"]
COUNTED = WORDS["elementCounted"]

Cells = Mapping[str, frozenset[Index]]  # name of a tensor -> indices of its elements
Shapes = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Term:
    """Term of a sum: an element of an operand, times a factor."""

    name: str
    index: Index
    value: float
    factor: float

    @property
    def product(self) -> float:
        """Value of the term."""
        return self.value * self.factor + 0.0  # turns −0 into 0

    def __str__(self) -> str:
        """Return the term as `0.68 × −0.89`; a factor of 1 is left out."""
        text = value_text(self.value)
        return text if self.factor == 1 else f"{text} × {value_text(self.factor)}"


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
    return f"{bracketed(name)}[{', '.join(map(str, index))}]"


def bracketed(name: str) -> str:
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
        return Text(f"{bracketed(name)}[{inside}]" if slices else name)
    if len(places) <= NAMED:
        return Row([cell(name, index) for index in sorted(places)], LIST).message()
    return COUNTED.fill(count=len(places), name=name)


def slice_of(row: Sequence[int], size: int) -> str | None:
    """Return places along an axis as a slice, or None if they have gaps."""
    if len(row) == 1:
        return str(row[0])
    if row[-1] - row[0] + 1 != len(row):
        return None
    first, last = row[0] or "", "" if row[-1] + 1 == size else row[-1] + 1
    return f"{first}:{last}"


def equation(step: Step, index: Index) -> str:
    """Return the sum that a step shows, with the numbers of one element: `0.5 − 0.1 × 0.3`.

    Return "" if the step shows no sum, or if an element was not recorded.
    """
    signed = [at for at, shown in enumerate(step.shown) if shown.sign]
    if not signed or signed[0] == 0:
        return ""
    text = ""
    for shown in step.shown[signed[0] - 1 : signed[-1] + 1]:
        value = recorded(shown.value, index)
        if value is None:
            return ""
        if shown.sign == "=":
            break
        number = value_text(value)
        number = f"({number})" if shown.sign and number[0] == "−" else number
        text += f" {shown.sign} {number}" if shown.sign else number
    return text


def recorded(value: Any, index: Index) -> Any:
    """Return the recorded value of an element, or None if it was not recorded."""
    data: Any = None if value is None else value.get("data")
    for at in index if data is not None else ():
        data = data[at]
    return float(data) if isinstance(data, str) else data  # nan and inf are texts in JSON


# ----- sentences ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spoken:
    """Facts for a sentence about an element; `read` masks the elements it was computed from."""

    made: StepComputation
    slot: int
    index: Index
    name: str
    value: Any
    formula: str
    read: Sequence[Any]

    @property
    def words(self) -> dict[str, str]:
        return {"element": cell(self.name, self.index), "value": value_text(self.value)}

    def sum(self, terms: Sequence[Term], rest: Rest, constant: float) -> Message:
        """Return the terms as a sum: `y[2, 0] = 0.68 × −0.89 + 0.5 × 0.3 + 28 more = 0.14`."""
        if len(terms) == 1 and not constant and terms[0].factor == 1:
            return SUM.fill(terms=cell(terms[0].name, terms[0].index), **self.words)
        if not terms and self.made.run.linear is not None:
            return NOTHING_ARRIVES.fill(**self.words)
        others = sum(int(mask.sum()) for mask in self.read if mask is not None) > 1
        filled = self.filled() if others and len(terms) == 1 else ""
        if filled:
            return SUM.fill(terms=filled, **self.words)
        parts: list[Any] = [str(term) for term in terms[:SPOKEN]]
        left = len(terms) + rest.count - len(parts)
        parts += [digits(constant)] if constant or not parts else []
        parts += [MORE.fill(count=left)] if left else []
        if parts == [self.words["value"]]:
            return EQUALS.fill(**self.words)
        return SUM.fill(terms=Row(parts, PLUS), **self.words)

    def choice(self, chosen: Term, count: int) -> Message:
        """Return a sentence with the chosen element and the number of its alternatives."""
        return CHOSEN.fill(source=cell(chosen.name, chosen.index), count=count, **self.words)

    def computed(self) -> Message:
        """Return a sentence with the formula and its numbers."""
        filled = self.filled()
        if filled:
            return SUM.fill(terms=filled, **self.words)
        numbers = self.numbers()
        if not numbers:
            return ALONE.fill(**self.words)
        others = {*self.made.results.values()} - {self.name}
        if not self.formula or any(self.formula.startswith(f"{name} ") for name in others):
            return FROM.fill(numbers=numbers, **self.words)
        return FORMULA.fill(numbers=numbers, formula=self.formula, **self.words)

    def update(self, step: Step) -> Message | None:
        """Return an update as the sum that its step shows, or None if it shows no sum."""
        terms = equation(step, self.index)
        if not terms:
            return None
        return BY.fill(sum=SUM.fill(terms=terms, **self.words), formula=self.formula)

    def numbers(self) -> Row | None:
        """Return the elements that were read, with their values, or None if there are none."""
        told: list[Any] = []
        count = 0
        for operand, mask in enumerate(self.read):
            places = np.argwhere(mask) if mask is not None else ()
            count += len(places)
            for at in places[: SPOKEN - len(told)]:
                index = tuple(map(int, at))
                value = float(self.made.run.operands[operand][index])
                told.append(f"{cell(self.made.operands[operand], index)} = {value_text(value)}")
        more = count - len(told)
        return Row([*told, *([MORE.fill(count=more)] if more else [])]) if told else None

    def filled(self) -> str:
        """Return the formula with numbers in place of letters; "" if it needs more elements."""
        formula, run = self.made.formula, self.made.run
        if formula is None or not formula.text:
            return ""
        parts = {defined(each): each for each in reversed(clauses(read(formula.text)))}
        own = [*formula.results, *[""] * self.slot][self.slot]
        if self.slot == 0 and not parts.keys() & {*formula.results}:
            own = next(reversed(parts))  # the formula has a letter of its own for the result
        if own not in parts or parts[own].sign != "=":
            return ""
        right: Tree = parts[own].parts[1]
        for part in subtrees(right):
            if part.sign in PLACED or part.parts[:1] in [(sign,) for sign in MANY]:
                return ""
        numbers: dict[str, Tree] = {}
        for at, array in enumerate(run.operands):
            letter = formula.operands[at] if at < len(formula.operands) else ""
            if array is None or letter not in names_in(right):
                continue
            try:  # find the element that is broadcast to this place
                places = np.arange(array.size).reshape(array.shape)
                place = np.broadcast_to(places, run.results[self.slot].shape)[self.index]
            except ValueError:
                return ""
            mask, value = self.read[at], array.flat[place].item()
            if mask is not None and mask.sum() > mask.flat[place]:
                return ""
            numbers[letter] = number(float(f"{value:.4g}") if type(value) is float else value)
        letters = {*formula.operands, *formula.results, *parts}
        missing = letters & {*names_in(right)} - numbers.keys()
        return "" if missing or not numbers else written(renamed(right, numbers))
