"""Comparison of a function's gradients with finite differences, with hints about mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.errors import WrongGradient
from .checked_function import CheckedFunction
from .numeric import Arrays, count, dot, slopes_at


@dataclass(frozen=True)
class Report:
    """Right gradients: the compared inputs, outputs and elements, and the kinks of the function.

    Errors: none.
    Source: minipaddle's own.

    >>> print(paddle.testing.check_grad(paddle.tanh, [np.ones([2])]))
    right: the gradients of 1 output with respect to 1 input, 2 elements
    """

    inputs: int
    outputs: int
    elements: int
    kinks: tuple[tuple[int, tuple[int, ...]], ...] = ()  # (input, index) of each kink

    def __str__(self) -> str:
        kinks = f", {len(self.kinks)} of them at a kink" if self.kinks else ""
        return (
            f"right: the gradients of {count(self.outputs, 'output')} with respect to "
            f"{count(self.inputs, 'input')}, {count(self.elements, 'element')}{kinks}"
        )


class GradientCheck(CheckedFunction):
    """Function under test, with comparisons of its gradients."""

    # With more elements than this the search stops at the first wrong element.
    most_elements: float = 4096

    def loss(self, arrays: Arrays, cotangents: Arrays) -> float:
        return dot(self.values(arrays), cotangents)

    @property
    def elements(self) -> int:
        """Number of elements that have a gradient."""
        return sum(self.arrays[n].size for n in self.wanted)

    def others(self, cotangents: Arrays) -> Arrays:
        """Return the gradients for different cotangents."""
        return self.gradients([2 * c + 1 for c in cotangents])

    def sum_over_ranks(self, numbers: list[float]) -> list[float]:
        """Return the sums of these numbers over all ranks of the check."""
        return numbers

    def agree(self, got: Arrays, cotangents: Arrays) -> bool:
        """Return whether the slope along a random direction agrees with the gradients."""
        directions = {n: self.draw(self.arrays[n]) for n in self.wanted}
        total = size = 0.0
        for n, g in zip(self.wanted, got, strict=True):
            if g is not None:
                if g.shape != self.arrays[n].shape:
                    total = size = np.nan
                    break
                total += float(np.sum(g * directions[n]))
                size += float(np.sum(np.abs(g * directions[n])))
        here, up, down = (
            self.loss([np.asarray(x + step * directions[n]) if n in directions else x
                       for n, x in enumerate(self.arrays)], cotangents)
            for step in (0.0, self.eps, -self.eps)
        )  # fmt: skip
        if self._has_kink((up - here) / self.eps, (here - down) / self.eps):
            return False
        slope = (up - down) / (2 * self.eps)
        total, size = self.sum_over_ranks([total, size])
        return bool(abs(slope - total) <= self.atol + self.rtol * max(abs(slope), size))

    def element_by_element(self, got: Arrays, cotangents: Arrays) -> list[Any]:
        """Compare all elements; return the kinks, or raise the error of the first wrong element."""
        kinks: list[Any] = []
        first: Any = None

        def loss(arrays: Arrays) -> float:
            return self.loss(arrays, cotangents)

        everything = self.elements <= self.most_elements
        measured = []
        for g, n in zip(got, self.wanted, strict=True):
            x = self.arrays[n]
            numbers = np.zeros(x.shape)
            measured.append(numbers)
            fits = g is None or g.shape == x.shape
            for index in np.ndindex(x.shape):
                slopes = slopes_at(loss, self.arrays, n, index, self.eps)
                numbers[index] = sum(slopes) / 2
                value = 0.0 if g is None else float(g[index]) if fits else np.nan
                right, kink = self._is_right(value, *slopes)
                if kink and right:
                    kinks.append((n, index))
                if not right and first is None:
                    first = (n, index, numbers[index], g if g is None or not fits else value)
                    if not everything:
                        raise self._wrong_gradient(first, got, None, cotangents)
        if first is not None:
            raise self._wrong_gradient(first, got, measured, cotangents)
        return kinks

    def _is_right(self, value: float, up: float, down: float) -> tuple[bool, bool]:
        """Return whether a gradient is right, and whether the one-sided slopes differ there."""
        if not np.isfinite(up + down):
            return True, True  # the element is at the edge of the function's domain
        low, high = min(up, down), max(up, down)
        near = self.atol + self.rtol * max(abs(low), abs(high))
        if self._has_kink(up, down):
            return low - near <= value <= high + near, True
        return abs(value - (low + high) / 2) <= near, False

    def _has_kink(self, up: float, down: float) -> bool:
        """Return whether two one-sided slopes disagree by more than curvature explains."""
        return self.eps < 1e-3 and not abs(up - down) <= 1e-3 * max(1.0, abs(up), abs(down))

    def report(self, kinks: list[Any]) -> Report:
        return Report(len(self.wanted), len(self.graded), self.elements, tuple(kinks))

    # ----- what to say -----

    def _wrong_gradient(
        self, first: Any, got: Arrays, numbers: Any, cotangents: Arrays
    ) -> WrongGradient:
        n, index, expected, value = first
        place = f"input {n}" + (f", element {list(index)}" if index else "")
        if isinstance(value, np.ndarray):
            shape = f"shape {list(self.arrays[n].shape)}"
            what, wish, got_it = f"input {n}: another shape", shape, f"shape {list(value.shape)}"
        else:
            what, wish = place, f"{expected:.6g}, by finite differences"
            got_it = "None" if value is None else f"{value:.6g}"
        hint = self._hint_at_mistake(got, numbers, cotangents) if numbers else ""
        error = WrongGradient(
            f"The gradient of {self.name} is wrong at {what}.",
            expected=wish,
            received=got_it,
            fix=hint or "work the derivative out again, and check it on one element by hand",
        )
        error.input, error.index, error.numbers = n, index, (expected, value)
        return error

    def _hint_at_mistake(self, got: Arrays, numbers: Arrays, cotangents: Arrays) -> str:
        """Return a hint at the likely mistake, "" if no known mistake fits."""
        other = self.others(cotangents)
        same = [np.array_equal(a, b) for a, b in zip(got, other, strict=True)]
        pairs = list(zip(got, numbers, strict=True))
        wrong = [k for k, (g, d) in enumerate(pairs) if g is None or not self._is_close(g, d)]
        g, d = pairs[wrong[0]]
        if g is None:
            return "backward returns None (or the input is not used): return its gradient"
        if len(wrong) > 1 and all(
            any(got[k] is not None and self._is_close(got[k], numbers[m]) for m in wrong)
            for k in wrong
        ):
            return "they are right, but in another order: return them as forward takes its inputs"
        if g.ndim > 1 and self._is_close(g.T, d):
            return "it is transposed: look at the order of the factors and at transpose"
        if g.shape != d.shape:
            return "sum over the axes along which forward broadcast the input, or reshape"
        if not g.any():
            return "it is zero everywhere: is something detached, or multiplied by zero?"
        if self._is_close(-g, d):
            return "it has the wrong sign"
        if same[wrong[0]]:
            return "it does not depend on dout: multiply by the gradient that backward receives"
        factor = float(np.sum(g * d) / np.sum(g * g))
        if self._is_close(factor * g, d):
            return f"it is off by a constant factor: the right one is {factor:.6g} times as large"
        return ""

    def _is_close(self, a: Any, b: Any) -> bool:
        atol, rtol = self.atol * 10, self.rtol * 10
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=rtol, atol=atol))
