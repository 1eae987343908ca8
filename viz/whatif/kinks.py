"""Kinks: values that rounding may have decided, found by running kernels on watched arrays.

A maximum *bends* where its two numbers are equal: the result is exact there, but the gradient
jumps. The result of a comparison or a rounding *jumps* itself. If a number is so near such a point
that another order of summing could have put it on the other side, the results are marked, by the
rules of the page's machine (`player/web/whatif/machine.js`; a test compares the functions' names).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from minipaddle.ops.recording_arrays import (
    Call,
    Traced,
    TracedNumber,
    find_traced,
    record_with,
    untrace,
)

from .datum import BENT, UNSURE, Datum, flat
from .listing import COPIES, WRITES
from .listing import MOVES as PLACED

Distance = Callable[..., Any]  # function: distance of numbers from where a result is decided

ROUNDING = {"float16": 1e-3, "float32": 2e-6, "float64": 1e-12}  # relative to the largest number
VIEWS = "broadcast_to expand_dims squeeze swapaxes take take_along_axis transpose T []"
MOVES = frozenset([*COPIES.split(), *PLACED.split(), *VIEWS.split()]) - {"astype"}


def from_whole(x: Any) -> Any:
    return x - np.rint(x)


def quotient(x: Any, y: Any) -> Any:
    return from_whole(np.divide(x, y)) * y


def from_ends(x: Any, low: Any = None, high: Any = None) -> Any:
    """Return the distances from the end that some element is nearest to."""
    ends = [x - end for end in (low, high) if end is not None]
    return min(ends, key=lambda each: float(np.min(np.abs(each), initial=np.inf)))


BENDS: dict[str, Distance] = {
    "absolute": np.asarray,
    "clip": from_ends,
    **dict.fromkeys(("fmax", "fmin", "maximum", "minimum"), np.subtract),
}
JUMPS: dict[str, Distance] = {
    **dict.fromkeys(("ceil", "floor", "trunc"), from_whole),
    **dict.fromkeys(
        ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"), np.subtract
    ),
    **dict.fromkeys(("floor_divide", "remainder"), quotient),
    **dict.fromkeys(("logical_not", "sign", "signbit"), np.asarray),
    "copysign": lambda _, y: y,
    "rint": lambda x: x - np.floor(x) - 0.5,
}
EXTREMES = ("max", "min", "maximum.reduce", "minimum.reduce")
PLACES = ("argmax", "argmin", "argsort", "sort")


def near(distance: Any, slack: float) -> bool:
    """Return whether some distance is small but not 0: most zeros come from a relu."""
    gap = np.abs(distance)
    return bool(((gap > 0) & (gap <= slack)).any())


def slack_of(arrays: Iterable[Any]) -> float:
    """Return the distance below which rounding decides between numbers; 0 for whole numbers."""
    floats = [a for a in map(np.asarray, arrays) if a.dtype.kind == "f" and a.size]
    if not floats:
        return 0.0
    sizes = (np.max(np.abs(a), initial=0.0, where=np.isfinite(a)) for a in floats)
    return max(ROUNDING.get(a.dtype.name, 0.0) for a in floats) * float(max(sizes))


class Watch:
    """Recorder that runs a kernel on traced arrays, with a mark for each array."""

    def __init__(self) -> None:
        self.marks: list[int] = []

    def marks_of(self, function: Callable[..., Any], args: Sequence[Any]) -> list[int]:
        """Return the marks of a function's results, or of all arguments if it cannot be watched."""
        self.marks = []
        handed = [self.hand_in(each) for each in args]
        try:
            with record_with(self):
                results = function(*handed)
        except Exception:  # noqa: BLE001  (the function makes a call that cannot be watched)
            mark = 0
            for each in flat(args):
                mark |= each.memory.mark
            return [mark & UNSURE] * MOST
        return [self.mark_in([each]) for each in results]

    def hand_in(self, datum: Any) -> Any:
        if isinstance(datum, (list, tuple)):
            return [self.hand_in(each) for each in datum]
        return None if datum is None else self.hold(datum.array.copy(), datum.memory.mark)

    def hold(self, array: Any, mark: int) -> Traced:
        self.marks.append(mark)
        return Traced(array, len(self.marks) - 1)

    def mark_in(self, thing: Any) -> int:
        """Return the combined marks of all arrays in nested arguments."""
        mark = 0
        for each in find_traced(thing):
            mark |= self.marks[each._number]
        return mark

    # ----- the recorder's interface for traced arrays -----

    def call(self, call: Call) -> Any:
        args, kwargs = call.args, call.kwargs
        name = call.name.removeprefix("np.").removeprefix(".")
        mark = self.mark_after(name, args, kwargs)
        result = call.compute()
        target = args[0] if name in WRITES else kwargs.get("out")
        if isinstance(target, Traced):
            self.marks[target._number] |= mark
            return None if name in WRITES else target
        if isinstance(result, (list, tuple)):
            return [self.hold(np.asarray(part), mark) for part in result]
        return self.hold(np.asarray(result), mark)

    def mark_after(self, name: str, args: Any, kwargs: dict[str, Any]) -> int:
        read = self.mark_in((args, {key: kwargs[key] for key in kwargs if key != "out"}))
        distance, arrays = self.distance(name, untrace(args), untrace(kwargs))
        close = distance is not None and near(distance, slack_of(arrays))
        bends = name in BENDS or name in EXTREMES or name == "sort"
        mark = read if name in MOVES else read & ~BENT
        if close and bends:
            mark |= BENT
        if distance is not None and (read & BENT or (close and not bends)):
            mark |= UNSURE
        return mark

    @staticmethod
    def distance(name: str, args: Any, kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Return distances from where a function bends or jumps, and its numbers; or None, ()."""
        of = BENDS.get(name) or JUMPS.get(name)
        if of is from_ends:
            ends = [*args[1:], *(kwargs[key] for key in ("min", "max") if key in kwargs)]
            return of(args[0], *ends), [args[0], *(end for end in ends if end is not None)]
        if of is not None:
            return of(*args), args
        if name in EXTREMES:
            keep = {**kwargs, "keepdims": True}
            keep.pop("out", None)
            ufunc = np.maximum if name.startswith("max") else np.minimum
            axis = args[1] if len(args) > 1 else keep.get("axis", 0 if "." in name else None)
            return args[0] - ufunc.reduce(args[0], axis=axis, keepdims=True), args[:1]
        if name in PLACES:
            axis = args[1] if len(args) > 1 else kwargs.get("axis", -1 if "sort" in name else None)
            row = np.sort(args[0], axis=axis)
            return np.diff(row, axis=-1 if axis is None else axis), args[:1]
        if name == "astype" and np.dtype((*args[1:], *kwargs.values())[0]).kind in "iu":
            return from_whole(args[0]), args[:1]
        return None, ()

    def number(self, _name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return a traced Python number that is read from an array, or computed with such a one."""
        self.marks.append(self.mark_in(args) & ~BENT)
        return TracedNumber(function(*untrace(args)), len(self.marks) - 1)

    def check(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Return a kernel's check of values, computed on plain arrays."""
        return function(np, *untrace(args))


MOST = 64  # upper bound of one function's results


def mark_results(
    results: Sequence[Datum | None], function: Callable[..., Any], args: Sequence[Any]
) -> None:
    """Mark those results of a function that rounding may have decided."""
    for datum, mark in zip(results, Watch().marks_of(function, args), strict=False):
        if datum is not None:
            datum.memory.mark |= mark
