"""Numbers that ops are called with, as a page's program has them: each may become another one.

A kernel that is handed one may compute with it. What it asks of it is answered for the recorded
number, and noted with the numbers for which the answer is the same.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from minipaddle.ops.recording_arrays import TracedNumber, Untraceable, at_work

# For these numbers a kernel is quicker, and comes to the same as for any other.
SHORT_CUTS: dict[tuple[str, str], frozenset[float]] = {
    ("scale", "scale"): frozenset((1.0, -1.0)),
    ("scale", "bias"): frozenset((0.0,)),
    ("pow", "factor"): frozenset((1.0,)),
}
MOST = float(np.finfo("float64").max)


class CalledWith(TracedNumber):
    """A constant; `hinders` says that the kernel does with it what cannot be noted."""

    __slots__ = ("hinders", "short_cuts")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, number: float, value: int, op: str, attribute: str) -> None:
        super().__init__(number, value)
        self.short_cuts = SHORT_CUTS.get((op, attribute), frozenset())
        self.hinders = False

    def _between(self, least: float, most: float) -> None:
        """The kernel's answer is the same between these."""
        at_work.get().code.append(["asked", self._number, least, most])

    def _less(self, other: Any, equal: bool) -> bool:
        """Whether it is less than a number, or perhaps equal to it."""
        number = self._plain(other)
        edge = number if equal else before(number)
        less = bool(self._array <= edge)
        self._between(*((-MOST, edge) if less else (after(edge), MOST)))
        return less

    def _plain(self, other: Any) -> float:
        if not isinstance(other, (int, float)):
            self._hinder()
        return float(other)

    def _hinder(self, *_: Any) -> NoReturn:
        self.hinders = True
        raise Untraceable("the kernel asks for a number")

    def __eq__(self, other: object) -> bool:
        if other is None:
            return False
        number = self._plain(other)
        if number in self.short_cuts:
            return False
        if self._array == number:
            self._hinder()
        if self._array > number:
            self._between(after(number), MOST)
        else:
            self._between(-MOST, before(number))
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:  # type: ignore[override]
        return self != 0.0

    def __lt__(self, other: Any) -> bool:
        return self._less(other, equal=False)

    def __le__(self, other: Any) -> bool:
        return self._less(other, equal=True)

    def __gt__(self, other: Any) -> bool:
        return not self._less(other, equal=True)

    def __ge__(self, other: Any) -> bool:
        return not self._less(other, equal=False)

    __int__ = __float__ = __index__ = __array__ = _hinder


def before(number: float) -> float:
    return float(np.nextafter(number, -np.inf))


def after(number: float) -> float:
    return float(np.nextafter(number, np.inf))
