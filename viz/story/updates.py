"""A parameter's update as a sum: the value before, minus a difference, is the value after.

For the plain rule, `p ← p − lr · g`, the difference is the learning rate times the gradient. For
every other rule it is the difference of the recorded values, with the name in the rule's formula.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from minipaddle.messages import Message
from minipaddle.ops.expression import (
    Pieces,
    Tree,
    clauses,
    join,
    name,
    names_in,
    read,
    rename,
    write,
)

from ..document.values import Entry, nested_lists, summary
from ..model import Formula, formula_text
from . import formulas
from .draft import AnyStep
from .sentences.wording import Mention, row

Recorded = Mapping[str, Any] | None  # a value, as far as it was recorded
LONGEST = 60  # most letters of a formula with names
PLAIN = "p ← p − lr · g"
LETTERS = {  # letter in a rule's formula that the formula does not define -> sentence on it
    "‖∇‖": Message("‖∇‖ is the norm of all gradients together."),
    "‖d‖": Message("If ‖p‖ or ‖d‖ is 0, their ratio counts as 1."),
    "ρₜ": Message("ρₜ is the number of steps that v averages over, and r corrects for too few."),
    "gₜ₋ₙ": Message(
        "d is the sum of the last n gradients; the one before them, with the index t − n, leaves "
        "it. n is the number of steps so far, but at most batch_num."
    ),
    "η": Message(
        "η lengthens the step r where the gradient keeps its sign, and shortens it where the sign "
        "changes; the index t − 1 marks the gradient before, 0 where it was blocked."
    ),
}


class Update(NamedTuple):
    """One update by an optimizer: the parameter before and after, its gradient, the formula with
    the letters p, g and lr ("" if not recorded), and the learning rate (None if unknown)."""

    before: Mention
    grad: Mention
    after: Mention
    formula: str
    rate: float | None


def show_update(
    step: AnyStep,
    update: Update,
    box: str,
    leaf: str | None,
    kept: Sequence[str] = (),
    nth: int | None = None,
    others: Collection[str] = (),
) -> None:
    """Show an update as a sum in a step, with the formula in the user's names and its letters
    explained; `kept`: variables with what the optimizer keeps, in the order of the letters;
    `nth`: the number of the parameter's update, if known; `others`: names that the user has."""
    before, grad, after, formula, rate = update
    rate_shown = "lr" if rate is None else rate_text(rate)
    formula = prime_letters(formula, others)
    letters = [f"{letter}′" if letter in others else letter for letter in "pg"]
    step.formula = reword(formula, before.called, grad.called, rate_shown, *letters)
    step.asides += about_letters(formula, tuple(kept), nth) if formula else ()
    if rate == 0 and before.value and after.value and before.value["data"] == after.value["data"]:
        said = Message("The learning rate is 0, so {x} stays as it is.")
        step.asides.append(said.fill(x=after.called))
    step.show(before, "before", box)
    if formula == PLAIN and rate is not None:
        step.show(grad, "grad_in", box, sign=f"− {rate_shown} ×")
        step.show(after, "after", box, holder=leaf, sign="=")
        return
    part = formula_text(step.formula[-1:]).partition(" ← ")[2].partition(" − ")[2]
    taken = Mention(part or f"Δ{before.called}", difference(before.value, after.value))
    step.show(taken, "taken", box, sign="−")
    step.show(after, "after", box, holder=leaf, sign="=")
    step.show(grad, "grad_in", box)


@lru_cache(maxsize=4096)  # rounds of a training have the same formulas
def reword(formula: str, param: str, grad: str, rate: str, p: str = "p", g: str = "g") -> Formula:
    """Return a formula with names for its letters, or with a legend for the letters p and g if it
    would be long.

    >>> formula_text(reword("g ← g + λ p, p ← p − lr · g", "w", "w.grad", "0.1"))
    'g ← w.grad + λ w, w ← w − 0.1 · g'
    """
    if not formula:
        return ()
    names, parts = {"p": param, "g": grad, "lr": rate}, list[Pieces]()
    for clause in clauses(read(formula)):
        left, right = (in_names(each, names) for each in clause.parts)
        if clause.parts[0] == name("g"):  # g is no longer the gradient that arrived
            names["g"] = g
            left = formulas.with_names(clause.parts[0], names)
        parts.append(join(*left, " ← ", *right))
    told = tuple(parts)
    if len(formula_text(told)) <= LONGEST:
        return told
    first, *rest = in_names(read(formula), {"lr": rate, "p": p, "g": g})
    return (join((f"{p} = ", param, f", {g} = ", grad, ": "), first), *rest)


def in_names(tree: Tree, names: Mapping[str, str]) -> Formula:
    """Return a formula in names, in which a learning rate of 0 stays a factor."""
    if names["lr"] == "0":
        tree = rename(tree, {"lr": name("0")})
    return formulas.with_names(tree, names)


def prime_letters(formula: str, others: Collection[str]) -> str:
    """Return a formula with v′ for a letter v of what the optimizer keeps, if that is in `others`.

    >>> prime_letters("v ← 0.9 v + g, p ← p − lr · v", {"v", "p"})
    'v′ ← 0.9 v′ + g, p ← p − lr · v′'
    >>> prime_letters("m̂ ← m / (1 − 0.9ᵗ)", {"t"})
    'm̂ ← m / (1 − 0.9ᵗ′)'
    """
    tree = read(formula) if formula else name("")
    clashes = ({*names_in(tree)} & {*others}) - {"p", "g", "lr"}
    names = {letter: name(f"{letter}′") for letter in clashes}
    return write(rename(tree, names)) if clashes else formula


@lru_cache(maxsize=64)
def about_letters(
    formula: str, kept: tuple[str, ...] = (), nth: int | None = None
) -> tuple[Message, ...]:
    """Return sentences on the letters of an update's formula that are no names in the code."""
    told = [said for letter, said in LETTERS.items() if letter in formula]
    if letters := kept_letters(formula):
        if len(kept) == len(letters):
            letters = [f"{letter} = {name}" for letter, name in zip(letters, kept, strict=True)]
        said = Message("The optimizer keeps {names} from step to step.")
        if "ᵗ" in formula:
            said = Message("The optimizer keeps {names} from step to step; {t} counts the steps.")
        if "ᵗ" in formula and nth is not None:
            said = Message(
                "The optimizer keeps {names} from step to step; this is step {t} = {nth}."
            )
        told.append(said.fill(names=row(letters), nth=nth, t="t′" if "ᵗ′" in formula else "t"))
    return tuple(told)


def kept_letters(formula: str) -> list[str]:
    """Return the letters that an update reads before it writes them, and so keeps.

    >>> kept_letters("v ← μ v + g, p ← p − lr · v"), kept_letters("p ← p − lr · g")
    (['v'], [])
    """
    kept, known = list[str](), {"p", "g", "lr"}
    for clause in clauses(read(formula)):
        left, right = clause.parts
        letter = write(left)
        kept += [letter] if letter not in known and letter in names_in(right) else []
        known.add(letter)
    return kept


def rate_text(rate: float) -> str:
    """Return a learning rate as text, with more digits than other numbers."""
    return f"{rate:.6g}".replace("e-0", "e−")


def difference(before: Recorded, after: Recorded) -> Recorded:
    """Return the difference of two values, or None if not all elements were recorded."""
    if before is None or after is None or before["shape"] != after["shape"]:
        return None
    if before.get("data") is None or after.get("data") is None:
        return None
    # Recorded digits of a float32 are rounded, so convert them back first.
    kind = before["dtype"] if before["dtype"] in ("float16", "float32") else "float64"
    was, now = (np.asarray(value["data"]).astype(kind) for value in (before, after))
    with np.errstate(invalid="ignore"):  # two infinities have no difference
        gone = was - now
    data, stats = nested_lists(gone), summary(gone)
    content = {"shape": before["shape"], "dtype": before["dtype"], "data": data, "stats": stats}
    stale = before.get("stale") or after.get("stale")
    content |= {"stale": stale} if stale else {}
    entry = Entry(content)
    entry.occurrence = occurrences_of(before, after)
    return entry


def occurrences_of(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the occurrences of two values in the records, or None."""
    if not isinstance(one, Entry) or not isinstance(other, Entry):
        return None
    first, second = one.occurrence, other.occurrence
    return (first, second) if isinstance(first, int) and isinstance(second, int) else None
