"""The elements that one element is computed from, its terms, and the elements that it affects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from .computations import Computation, is_floating, scale_of
from .linear_maps import NotLinear, Row, attempt, size

Index = tuple[int, ...]
NOISE = 1e-6  # distance of the generic values from the real ones, relative to the largest
ROUNDING = 1e-14  # a change below this, relative to the result or largest change, is rounding
CLOSE = 1e-9  # relative tolerance between two sums of the same terms
ROUNDS = 4096  # maximum runs of a rule in the search for the alternatives of a choice


class Element:
    """Element of a result of a computation."""

    def __init__(self, computation: Computation, slot: int, index: Index) -> None:
        self.computation, self.slot, self.index = computation, slot, index

    def gradients(self, values: Row) -> list[Any]:
        """Return the element's gradient by each operand at these values; None if there is none."""
        run = self.computation
        map = run.at(values)
        grads = attempt(lambda: map.back(one_hot(run.results, self.slot, self.index)))
        rows = zip(grads, run.followed, run.operands, strict=False)
        return [
            np.broadcast_to(grad, each.shape) if follow and grad is not None else None
            for grad, follow, each in rows
        ]

    def reads(self) -> list[Any]:
        """Return a mask for each operand: the elements that this element is computed from.

        They have a gradient other than zero at the real values, or at generic values on both sides
        of them, so that a factor that happens to be 0 hides no element.
        """
        points = beside(self.computation)
        return both_sides(*(self.masks_of(values, self.gradients(values)) for values in points))

    def masks_of(self, values: Row, grads: Row) -> list[Any]:
        """Return masks of the gradients that are not zero, apart from rounding errors."""
        made = self.computation.results[self.slot][self.index]
        pairs = zip(grads, values, strict=False)
        parts = [None if grad is None else grad * scale_of(value) for grad, value in pairs]
        most = max((size(part) for part in parts), default=0.0)
        return [None if part is None else is_seen(part, made, most) for part in parts]

    def alternatives(self, read: Row) -> list[Any]:
        """Return masks of the elements among which the op chose `read`; `read` if it chose none.

        Move the chosen elements below all others, and then above, until no new one is chosen.
        """
        operands = self.computation.operands
        found: list[Any] = [None if mask is None else mask.copy() for mask in read]
        for sign in (-1.0, 1.0):
            values: list[Any] = [each if each is None else each.copy() for each in operands]
            gone: list[Any] = [None if mask is None else np.zeros_like(mask) for mask in read]
            now = read
            for _ in range(ROUNDS):
                fresh: list[Any] = [
                    None if a is None else a & ~b for a, b in zip(now, gone, strict=True)
                ]
                if not any(mask is not None and mask.any() for mask in fresh):
                    break
                for value, mask, moved in zip(values, fresh, gone, strict=False):
                    if mask is not None and mask.any():
                        value[mask] = sign * scale_of(value) * 2
                        moved |= mask
                try:
                    grads = self.gradients(values)
                except NotLinear:  # the op raises for such numbers
                    break
                if any(grad is not None and not np.isfinite(grad).all() for grad in grads):
                    break
                now = self.masks_of(values, grads)
                for mask, more in zip(found, now, strict=True):
                    if mask is not None and more is not None:
                        mask |= more
        return found

    def factors(
        self, operands: Iterable[int], read: Any
    ) -> Iterator[tuple[int, Index, float, float, bool]]:
        """Yield the read elements of operands, each with its operand, index, value and gradient,
        and whether the gradient is 1 whatever the numbers are.
        """
        values, near = self.computation.operands, self.computation.beside(NOISE)
        grads, others = self.gradients(values), self.gradients(near)
        for k in operands:
            for at in map(tuple, np.argwhere(read[k]).tolist() if grads[k] is not None else ()):
                factor = float(grads[k][at])
                yield k, at, float(values[k][at]), factor, bool(factor == 1 == others[k][at])


def acts_on(run: Computation, operand: int, index: Index) -> list[Any]:
    """Return a mask for each result: the elements computed from an element of an operand."""
    zeros = [np.zeros(each.shape) if is_floating(each) else None for each in run.results]
    change = one_hot(run.operands, operand, index)[operand]
    scale = scale_of(run.operands[operand])
    rows = []
    for values in beside(run):
        found = attempt(partial(run.at(values).ahead, zeros, {operand: change}))
        pairs = zip(found, run.results, strict=False)
        rows.append([seen_change(moved, scale, made) for moved, made in pairs])
    return both_sides(*rows)


def beside(run: Computation) -> tuple[Row, Row, Row]:
    """Return the real values of the operands, and generic ones on both sides."""
    return run.operands, run.beside(NOISE), run.beside(-NOISE)


def both_sides(real: Row, above: Row, below: Row) -> list[Any]:
    """Return masks that hold at the real values, or on both sides of them."""
    rows = zip(real, above, below, strict=True)
    return [None if a is None else a | (b & c) for a, b, c in rows]


def seen_change(change: Any, scale: float, made: Any) -> Any:
    """Return a mask of the elements of a result that change, or None if it is not floating."""
    if not is_floating(made):
        return None
    change = np.zeros(made.shape) if change is None else change * scale
    return is_seen(change, made, size(change))


def is_seen(change: Any, made: Any, largest: float) -> Any:
    """Return a mask of the changes of a result that are larger than rounding errors."""
    result = np.where(np.isfinite(made), np.abs(made), 0.0)
    return np.abs(change) > ROUNDING * np.maximum(result, largest)


def one_hot(arrays: Row, slot: int, index: Index) -> list[Any]:
    """Return a row with None for all arrays but one, which is 1 at one element and 0 elsewhere."""
    row: list[Any] = [None] * len(arrays)
    row[slot] = np.zeros(arrays[slot].shape)
    row[slot][index] = 1.0
    return row


# ----- linearity ---------------------------------------------------------------------------------


def linear_operands(run: Computation, slot: int) -> list[int]:
    """Return operands in which a result is jointly linear while the others are fixed.

    A result may contain a constant, as in 2 x + 1, only if no other operand affects it.
    """
    if run.linear is not None or not run.results[slot].size:
        return run.linear or []
    test = Linearity(run, slot)
    beside = enumerate(test.beside)
    candidates = [
        k for k, slopes in beside if run.followed[k] and slopes is not None and slopes.any()
    ]
    for first in candidates:
        chosen = [first] if test.holds([first]) else []
        for place in candidates if chosen else ():
            if place not in chosen and test.holds([*chosen, place]):
                chosen.append(place)
        if chosen and (len(chosen) == len(candidates) or not test.constant(chosen).any()):
            return sorted(chosen)
    return []


class Linearity:
    """Test of whether a result of a computation is linear in some operands, on random numbers."""

    def __init__(self, run: Computation, slot: int) -> None:
        self.run, self.slot, self.draw = run, slot, np.random.default_rng(1)
        self.weights: list[Any] = [None] * len(run.results)
        self.weights[slot] = self.draw.normal(size=run.results[slot].shape)
        points = run.operands, run.beside(NOISE)
        self.slopes, self.beside = (
            attempt(partial(run.at(values).back, self.weights)) for values in points
        )

    def holds(self, operands: Sequence[int]) -> bool:
        """Return whether the result is a constant plus slopes times these operands."""
        if any(self.slopes[k] is None for k in operands):
            return False
        constant = self.value(self.with_others(operands, np.zeros_like))
        for change in self.changes():
            values = self.with_others(operands, change)
            parts = [self.slopes[k] * values[k] for k in operands]
            total = constant + sum(float(part.sum()) for part in parts)
            size = abs(constant) + sum(float(np.abs(part).sum()) for part in parts)
            if not (np.isfinite(size) and abs(self.value(values) - total) <= CLOSE * size):
                return False
        return True

    def constant(self, operands: Sequence[int]) -> Any:
        """Return the result where these operands are 0."""
        return self.run.compute(self.with_others(operands, np.zeros_like))[self.slot]

    def changes(self) -> list[Callable[[Any], Any]]:
        return [
            lambda array: array,
            lambda array: -array,
            lambda array: scale_of(array) * self.draw.normal(size=array.shape),
            lambda array: 1e3 * scale_of(array) * self.draw.normal(size=array.shape),
        ]

    def with_others(self, operands: Sequence[int], change: Callable[[Any], Any]) -> list[Any]:
        """Return the operands, with `change` applied to those at `operands`."""
        row = enumerate(self.run.operands)
        return [np.asarray(change(each)) if k in operands else each for k, each in row]

    def value(self, values: Row) -> float:
        """Return the weighted sum of the result, or NaN if it cannot be computed."""
        try:
            made = self.run.compute(values)[self.slot]
        except NotLinear:
            return float("nan")
        with np.errstate(all="ignore"):
            return float((made * self.weights[self.slot]).sum())
