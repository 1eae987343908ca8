"""Constants that ops are called with, for a page on which users may change each constant.

A kernel computes with such a constant as with a number. Comparisons are answered for the recorded
number, and noted with the range of numbers for which the answer is the same.
"""

from __future__ import annotations

import operator
from typing import Any, NoReturn

import numpy as np

from minipaddle.ops.recording_arrays import Traced, TracedNumber, Untraceable, active_recorder

# (op, attribute) -> numbers for which a kernel takes a short cut with the same result.
SHORT_CUTS: dict[tuple[str, str], frozenset[float]] = {
    ("scale", "scale"): frozenset((1.0, -1.0)),
    ("scale", "bias"): frozenset((0.0,)),
    ("pow", "factor"): frozenset((1.0,)),
}
MOST = float(np.finfo("float64").max)


class CalledWith(TracedNumber):
    """A constant; `hinders` is true once a kernel has used the constant in an unnotable way.

    `leaf` is the number of the leaf array that holds the constant on the page.
    """

    __slots__ = ("hinders", "leaf", "short_cuts")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: float, value: int, op: str = "", attribute: str = "") -> None:
        super().__init__(number, value)
        self.leaf = value
        self.short_cuts = SHORT_CUTS.get((op, attribute), frozenset())
        self.hinders = False

    def _note_answer_range(self, least: float, most: float) -> None:
        """Note that a comparison has the same answer for constants from `least` to `most`."""
        active_recorder.get().code.append(["asked", self._number, least, most])

    def _is_less(self, other: Any, equal: bool) -> bool:
        """Return whether the constant is less than a number, or also if `equal` to it."""
        if isinstance(other, TracedNumber):
            gap = operator.sub(self, other)
            less = CalledWith(gap._array, gap._number)._is_less(0.0, equal)
            for each in (self, other):
                if isinstance(each, CalledWith):
                    each._depend_on(gap)
            return less
        number = self._as_float(other)
        edge = number if equal else just_below(number)
        less = bool(self._array <= edge)
        self._note_answer_range(*((-MOST, edge) if less else (just_above(edge), MOST)))
        return less

    def _depend_on(self, asked: TracedNumber) -> None:
        """Make the constant stale if the answer about `asked` may have changed."""
        operands = [asked._number, self._number, self._number]
        number = np.asarray(self._array, "float64")
        self._number = active_recorder.get().make("map", number, "where", operands)._number

    def _as_float(self, other: Any) -> float:
        if not isinstance(other, (int, float)):
            self._raise_untraceable()
        return float(other)

    def _raise_untraceable(self, *_: Any) -> NoReturn:
        self.hinders = True
        raise Untraceable("the kernel asks for a number")

    def __eq__(self, other: object) -> bool:
        if is_array(other):
            return NotImplemented
        if other is None:
            return False
        number = self._as_float(other)
        if number in self.short_cuts:
            return False
        if self._array == number:
            self._raise_untraceable()
        if self._array > number:
            self._note_answer_range(just_above(number), MOST)
        else:
            self._note_answer_range(-MOST, just_below(number))
        return False

    def __ne__(self, other: object) -> bool:
        return NotImplemented if is_array(other) else not self == other

    def __bool__(self) -> bool:  # type: ignore[override]
        return self != 0.0

    def __lt__(self, other: Any) -> bool:
        return NotImplemented if is_array(other) else self._is_less(other, equal=False)

    def __le__(self, other: Any) -> bool:
        return NotImplemented if is_array(other) else self._is_less(other, equal=True)

    def __gt__(self, other: Any) -> bool:
        return NotImplemented if is_array(other) else not self._is_less(other, equal=True)

    def __ge__(self, other: Any) -> bool:
        return NotImplemented if is_array(other) else not self._is_less(other, equal=False)

    __int__ = __float__ = __index__ = __array__ = _raise_untraceable


def is_array(thing: Any) -> bool:
    """Return whether a thing is a traced array, whose comparison has an answer per element."""
    return isinstance(thing, Traced) and not isinstance(thing, TracedNumber)


def just_below(number: float) -> float:
    return float(np.nextafter(number, -np.inf))


def just_above(number: float) -> float:
    return float(np.nextafter(number, np.inf))
