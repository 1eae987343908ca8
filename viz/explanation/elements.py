"""One element of a value in a step: the elements it was computed from, how, and what it affects.

There is one mechanism for all ops: their gradient rule gets a gradient that is 1 at the element and
0 elsewhere. The operands' elements with a gradient other than 0 are those it was computed from. If
an op is linear in an operand while the others are fixed, the products of gradient and element are
terms that add up to the element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minipaddle.messages import Message

from ..language.words import WORDS
from ..model import Step
from ..story.chapters import Recorded
from ..story.sentences.wording import digits
from .cells import Element, Index, acts_on, linear_operands
from .computations import Computation, OpComputation, is_floating
from .element_words import (
    MORE,
    Cells,
    Rest,
    Shapes,
    Spoken,
    Term,
    cell,
    describe,
    recorded_element,
    value_text,
)
from .linear_maps import NotLinear
from .step_computations import (
    NO_RULE,
    RESULTS,
    SEED,
    StepComputation,
    Unexplained,
    computation_of,
    reason_of,
)

MOST = 30  # maximum number of terms listed
NO_REST = Rest()
AMONG = Message("chosen among {cells}")


@dataclass(frozen=True, slots=True)
class ElementExplanation:
    """Explanation of one element of a value.

    `reads` are the operands' elements that it was computed from; if an op chose one of several,
    `chosen_from` has them all. For an element of an operand, `acts_on` are the results' elements
    that it affects. If the op is linear in the operands `linear_in` while the others are fixed, the
    products of all `terms`, `rest.total` and `constant` add up to `value`; `terms` are the largest.
    `step` is the number in `trace.steps`; `shapes` are the shapes of the named tensors.

    >>> str(ElementExplanation("y", (0,), 3.0, 0, Message("y[0] = 1 + 2 = 3")))
    'y[0] = 1 + 2 = 3'
    """

    name: str
    index: Index
    value: Any
    step: int
    message: Message
    reads: Cells = field(default_factory=dict)
    chosen_from: Cells = field(default_factory=dict)
    acts_on: Cells = field(default_factory=dict)
    terms: tuple[Term, ...] = ()
    rest: Rest = NO_REST
    constant: float = 0.0
    linear_in: tuple[str, ...] = ()
    shapes: Shapes = field(default_factory=dict)

    def lines(self, lang: str = "en") -> Iterator[str]:
        """Yield the sentence, the elements that were read, and the terms."""
        yield self.message.of(lang)
        for words, cells in ((WORDS["elementMadeFrom"], self.reads), (AMONG, self.chosen_from)):
            if cells:
                yield "  " + words.fill(cells=describe(cells, self.shapes)).of(lang)
        rows = [(str(t), digits(t.product), t.source.of(lang)) for t in self.terms]
        wide, wider = (max((len(row[at]) for row in rows), default=0) for at in (0, 1))
        for product, total, name in rows if len(rows) > 1 else ():
            yield f"  {product:<{wide}} = {total:>{wider}}  {name}"
        if self.rest.count:
            yield f"  {MORE.fill(count=self.rest.count).of(lang)} = {digits(self.rest.total)}"

    def text(self, lang: str = "en") -> str:
        """Return the lines as one text."""
        return "\n".join(self.lines(lang))

    def __str__(self) -> str:
        return self.text()


class StepElements:
    """Explains elements of the values that one step of a chapter shows; computes the step once.

    A chapter is a part of a trace with one graph. `number` is the step's number in the whole trace.
    """

    def __init__(self, trace: Recorded, step: Step, number: int) -> None:
        self.step, self.number = step, number
        self.linear: dict[int, list[int]] = {}  # result -> operands in which it is linear
        self.made: StepComputation | None = None
        shows_result = any(shown.role in RESULTS for shown in step.shown)
        self.reason = WORDS["elementAside" if shows_result else "elementNoStep"]
        try:
            self.made = computation_of(trace, step)
        except (Unexplained, NotLinear) as error:
            self.reason = reason_of(error)

    def explain(self, place: int, index: Index) -> ElementExplanation:
        """Return the explanation of an element of the value at `place` in `step.shown`."""
        made, reason = self.made, self.reason
        shown = self.step.shown[place]
        if reason is SEED and shown.role not in RESULTS:  # the loss itself
            reason = WORDS["elementAside"]
        value = recorded_element(shown.value, index)
        try:
            if made is not None and place in made.result_at:
                return self.explain_result(made, made.result_at[place], index, shown.name, value)
            if made is not None and place in made.operand_at:
                return self.explain_operand(made, made.operand_at[place], index, shown.name, value)
        except (Unexplained, NotLinear) as error:
            reason = reason_of(error)
        words = {"element": cell(shown.name, index), "value": value_text(value)}
        said = WORDS["elementBare"].fill(reason=reason, **words)
        return ElementExplanation(shown.name, index, value, self.number, said)

    def explain_operand(
        self, made: StepComputation, operand: int, index: Index, name: str, value: Any
    ) -> ElementExplanation:
        run = made.run
        check_rule(made, run.operands[operand])
        value = float(run.operands[operand][index]) if value is None else value
        cells = cells_of(acts_on(run, operand, index), made.results)
        shapes = shapes_of(cells, run.results, made.results)
        words = {"element": cell(name, index), "value": value_text(value)}
        said = WORDS["elementActs" if cells else "elementStill"].fill(**words)
        said = said.fill(cells=describe(cells, shapes)) if cells else said
        head = name, index, value, self.number
        return ElementExplanation(*head, said, acts_on=cells, shapes=shapes)

    def explain_result(
        self, made: StepComputation, slot: int, index: Index, name: str, value: Any
    ) -> ElementExplanation:
        run = made.run
        check_rule(made, run.results[slot])
        value = float(run.results[slot][index]) if value is None else value
        element = Element(run, slot, index)
        read = element.reads()
        place = next(at for at, each in made.shown_at.items() if each == slot)
        spoken = Spoken(made, place, index, name, value, read)
        cells = cells_of(read, made.operands)
        shapes = shapes_of(cells, run.operands, made.operands)
        if slot not in self.linear:
            self.linear[slot] = linear_operands(run, slot)
        linear = self.linear[slot]
        head = name, index, value, self.number
        if not linear:
            found = element.alternatives(read) if sizes(read) == 1 else read
            chosen = self.chosen(made, read, value) if sizes(found) > sizes(read) else None
            terms, count = ([chosen], sizes(found)) if chosen else ([], 0)
            said = spoken.sentence(terms, NO_REST, 0.0, count)
            among = cells_of(found, made.operands) if chosen else {}
            return ElementExplanation(*head, said, cells, among, shapes=shapes)
        constant = constant_of(run, linear, slot, index)
        terms = [
            Term(made.operands[k], at, number, factor, is_plain, made.uses.get(k, ""))
            for k, at, number, factor, is_plain in element.factors(linear, read)
        ]
        terms.sort(key=lambda term: -abs(term.product))
        rest = Rest(len(terms[MOST:]), sum(term.product for term in terms[MOST:]))
        listed = tuple(terms[:MOST])
        names = tuple(dict.fromkeys(made.operands[at] for at in linear))
        said = spoken.sentence(listed, rest, constant, 0)
        return ElementExplanation(*head, said, cells, {}, {}, listed, rest, constant, names, shapes)

    def chosen(self, made: StepComputation, read: Sequence[Any], value: Any) -> Term | None:
        """Return the only element that was read, if it equals the result."""
        at, mask = next((k, mask) for k, mask in enumerate(read) if mask is not None and mask.any())
        index = tuple(map(int, np.argwhere(mask)[0]))
        source = float(made.run.operands[at][index])
        same = np.isclose(source, value, 1e-5, 0.0, equal_nan=True)
        return Term(made.operands[at], index, source, 1.0, True) if same else None


def check_rule(made: StepComputation, array: Any) -> None:
    """Raise Unexplained if no gradient rule applies to an array."""
    run = made.run
    if isinstance(run, OpComputation) and run.op.rule is None:
        made_of_some = any(each is not None for each in run.operands)
        raise Unexplained(NO_RULE.fill(op=made.op) if made_of_some else WORDS["elementGiven"])
    if not is_floating(array):
        raise Unexplained(WORDS["elementWhole"].fill(dtype=str(array.dtype)))


def sizes(masks: Sequence[Any]) -> int:
    return sum(int(mask.sum()) for mask in masks if mask is not None)


def cells_of(masks: Sequence[Any], names: Any) -> dict[str, frozenset[Index]]:
    """Return the elements that masks select, by the names of their tensors."""
    found: dict[str, frozenset[Index]] = {}
    for at, mask in enumerate(masks):
        if mask is not None and mask.any():
            places = frozenset(tuple(row) for row in np.argwhere(mask).tolist())
            found[names[at]] = found.get(names[at], frozenset()) | places
    return found


def shapes_of(cells: Cells, arrays: Sequence[Any], names: Any) -> dict[str, tuple[int, ...]]:
    pairs = ((names.get(at), array) for at, array in enumerate(arrays) if array is not None)
    return {name: tuple(array.shape) for name, array in pairs if name in cells}


def constant_of(run: Computation, linear: Sequence[int], slot: int, index: Index) -> float:
    """Return the constant that is added to the terms."""
    rows = enumerate(run.operands)
    values = [np.zeros_like(each) if k in linear else each for k, each in rows]
    return float(run.compute(values)[slot][index])
