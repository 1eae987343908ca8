"""Checking derivatives that you wrote yourself against finite differences.

paddle.testing.check_grad(MyLayer, [x, y])
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import dtypes
from .core import Tensor
from .device import to_numpy
from .eager import to_tensor
from .eager.grad import grad
from .eager.grad_mode import no_grad
from .eager.pylayer import PyLayer, flatten
from .errors import InvalidArgument, InvalidType, WrongGradient
from .ops import REGISTRY

Arrays = list[Any]
_clone = REGISTRY["assign"].call
EVERY_ELEMENT = 4096  # a wrong gradient of more elements is searched only up to the first one


@dataclass(frozen=True)
class Report:
    """A gradient that is right: what was compared, and where the function has kinks."""

    inputs: int
    outputs: int
    elements: int
    kinks: tuple[tuple[int, tuple[int, ...]], ...] = ()  # (input, index)

    def __str__(self) -> str:
        kinks = f", {len(self.kinks)} of them at a kink" if self.kinks else ""
        return (
            f"right: the gradients of {_count(self.outputs, 'output')} with respect to "
            f"{_count(self.inputs, 'input')}, {_count(self.elements, 'element')}{kinks}"
        )


def check_grad(
    func: Any,
    inputs: Any,
    *,
    backward_func: Callable[..., Any] | None = None,
    eps: float | None = None,
    rtol: float | None = None,
    atol: float = 1e-6,
    seed: int = 0,
) -> Report:
    """Compare the gradients of `func` at these inputs with finite differences, in float64.

    `func` is a PyLayer, or a function of Tensors; with `backward_func` both are NumPy functions,
    as py_func takes them: `backward_func(*inputs, *outputs, *douts)`. Arrays and numbers among
    the inputs get a gradient, Tensors unless stop_gradient is True (if all say so, all do); ints
    get none. Returns a Report; raises WrongGradient (AssertionError) with the first element that
    is wrong. At a kink, like that of relu at 0, any value between both slopes is right.

    >>> import minipaddle as paddle
    >>> from minipaddle.testing import check_grad
    >>> print(check_grad(lambda x, y: paddle.tanh(x) * y, [np.ones([2, 3]), np.ones(3)]))
    right: the gradients of 1 output with respect to 2 inputs, 9 elements
    >>> print(check_grad(np.sin, [0.5], backward_func=lambda x, y, dy: dy * np.cos(x)))
    right: the gradients of 1 output with respect to 1 input, 1 element
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    kept = dtypes.get_default()
    dtypes.set_default("float64")
    try:
        problem = _Problem(func, given, backward_func, np.random.default_rng(seed))
        problem.steps(eps, rtol, atol)
        for _ in range(2):
            cotangents = [problem.draw(y) for y in problem.outputs]
            got = problem.gradients(cotangents)
            if not problem.agree(got, cotangents):
                kinks = problem.element_by_element(got, cotangents)
                return problem.report(kinks)
        return problem.report([])
    finally:
        dtypes.set_default(kept.name)


def numerical_gradients(
    func: Callable[..., Any], inputs: Sequence[Any], douts: Sequence[Any], eps: float = 1e-6
) -> Arrays:
    """The gradients of (func · douts).sum() by central differences, one array per input.

    `func` takes NumPy arrays and gives one, or several in a tuple.

    >>> numerical_gradients(np.square, [np.array([1.0, 3.0])], [np.ones(2)])[0].round(6).tolist()
    [2.0, 6.0]
    """
    arrays = [np.array(x, "float64") for x in inputs]

    def loss(values: Arrays) -> float:
        return _dot(_row(func(*values)), douts)

    return [
        np.array([sum(_slopes(loss, arrays, n, i, eps)) / 2 for i in np.ndindex(x.shape)],
                 "float64").reshape(x.shape)
        for n, x in enumerate(arrays)
    ]  # fmt: skip


# ----- the function and its gradients ------------------------------------------------------------


@dataclass
class _Problem:
    """A function, where it is looked at, and how its gradients are got."""

    func: Any
    given: list[Any]
    backward_func: Callable[..., Any] | None
    rng: np.random.Generator
    arrays: Arrays = field(init=False)
    wanted: list[int] = field(init=False)  # the numbers of the inputs that get a gradient
    graded: list[int] = field(init=False)  # those of the outputs that have one
    outputs: Arrays = field(init=False)

    def __post_init__(self) -> None:
        self.name = getattr(self.func, "__name__", type(self.func).__name__)
        if inspect.isclass(self.func) and issubclass(self.func, PyLayer):
            self.func = self.func.apply
        if not callable(self.func):
            raise InvalidType(
                "check_grad(): func cannot be called.",
                expected="a PyLayer, or a function of Tensors (of arrays with backward_func)",
                received=type(self.func).__name__,
                fix="pass the class or the function itself",
            )
        self.arrays = [_array(value) for value in self.given]
        self.wanted = _wanted(self.given, self.arrays)
        self.graded = self._graded()
        self.outputs = self.values(self.arrays)
        again = self.values(self.arrays)
        if any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(self.outputs, again)):  # noqa: B905
            raise self._unfit(
                "gives other values each time", "the same outputs for the same inputs",
                "take randomness out, or call paddle.seed(...) inside the function",
            )  # fmt: skip
        if not all(np.isfinite(y).all() for y in self.outputs):
            raise self._unfit(
                "is not finite at these inputs", "finite outputs", "choose other inputs"
            )

    def _unfit(self, what: str, expected: str, fix: str) -> Exception:
        return InvalidArgument(
            f"check_grad(): {self.name} {what}, so finite differences say nothing.",
            expected=expected,
            received="outputs for which that does not hold",
            fix=fix,
        )

    def steps(self, eps: float | None, rtol: float | None, atol: float) -> None:
        """How far to go, and how close the results must be; float32 inside needs longer steps."""
        coarse = any(y.dtype.itemsize < 8 for y in self.outputs)
        self.eps = eps or (1e-2 if coarse else 1e-6)
        self.rtol = rtol or (2e-2 if coarse else 1e-5)
        self.atol = max(atol, 1e-3) if coarse else atol

    def draw(self, like: Any) -> Any:
        return np.asarray(self.rng.standard_normal(like.shape))

    def _graded(self) -> list[int]:
        if self.backward_func is not None:
            return [n for n, y in enumerate(_row(self.func(*self.arrays))) if _floating(y)]
        outputs = self._tensors(self._leaves())
        found = [n for n, y in enumerate(outputs) if not y.stop_gradient]  # type: ignore[attr-defined]
        if not found:
            raise InvalidArgument(
                f"check_grad(): no output of {self.name} has a gradient.",
                expected="an output with stop_gradient False",
                received=f"{_count(len(outputs), 'output')} with stop_gradient True",
                fix="look for detach(), no_grad() or NumPy inside; a function of NumPy arrays "
                "needs backward_func=...",
            )
        return found

    def _leaves(self) -> list[Any]:
        return [
            to_tensor(x, stop_gradient=n not in self.wanted) if isinstance(x, np.ndarray) else x
            for n, x in enumerate(self.arrays)
        ]

    def _tensors(self, leaves: list[Any]) -> list[Tensor]:
        """The outputs; func gets results, not leaves, so that it may change them in place."""
        made = self.func(*[_clone(x) if isinstance(x, Tensor) else x for x in leaves])
        found = flatten(made)[0]
        if not found:
            raise InvalidType(
                f"check_grad(): {self.name} returned no Tensor.",
                expected="a Tensor, or a list or tuple with Tensors",
                received=type(made).__name__,
                fix="a function of NumPy arrays needs backward_func=...",
            )
        return found

    def values(self, arrays: Arrays) -> Arrays:
        """The outputs that have a gradient, as arrays."""
        copies = [x.copy() if isinstance(x, np.ndarray) else x for x in arrays]
        if self.backward_func is not None:
            row = _row(self.func(*copies))
            return [np.array(row[n]) for n in self.graded]
        with no_grad():
            made = self._tensors([to_tensor(x) if isinstance(x, np.ndarray) else x for x in copies])
        return [np.array(to_numpy(made[n]._data)) for n in self.graded]

    def gradients(self, cotangents: Arrays) -> Arrays:
        """What the function under test says: one array, or None, per wanted input."""
        if self.backward_func is not None:
            outputs = _row(self.func(*self.arrays))
            douts = dict(zip(self.graded, cotangents, strict=True))
            row = [douts.get(n, np.zeros_like(y)) for n, y in enumerate(outputs)]
            found = _row(self.backward_func(*self.arrays, *outputs, *row))
            if len(found) < len(self.arrays) and len(found) == len(self.wanted):
                return [None if g is None else np.asarray(g) for g in found]
            found += [None] * (len(self.arrays) - len(found))
            return [None if found[n] is None else np.asarray(found[n]) for n in self.wanted]
        leaves = self._leaves()
        outputs = self._tensors(leaves)
        seeds = [to_tensor(c) for c in cotangents]
        wanted = [leaves[n] for n in self.wanted]
        found = grad([outputs[n] for n in self.graded], wanted, seeds, allow_unused=True)
        return [None if g is None else np.array(to_numpy(g._data)) for g in found]

    # ----- the comparison -----

    def loss(self, arrays: Arrays, cotangents: Arrays) -> float:
        return _dot(self.values(arrays), cotangents)

    def agree(self, got: Arrays, cotangents: Arrays) -> bool:
        """Whether the slope along a random direction is the one that the gradients give."""
        ways = {n: self.draw(self.arrays[n]) for n in self.wanted}
        total = size = 0.0
        for n, g in zip(self.wanted, got, strict=True):
            if g is not None:
                if g.shape != self.arrays[n].shape:
                    return False
                total += float(np.sum(g * ways[n]))
                size += float(np.sum(np.abs(g * ways[n])))
        up, down = (
            self.loss([x + way * ways[n] if n in ways else x for n, x in enumerate(self.arrays)],
                      cotangents) for way in (self.eps, -self.eps)
        )  # fmt: skip
        slope = (up - down) / (2 * self.eps)
        return bool(abs(slope - total) <= self.atol + self.rtol * max(abs(slope), size))

    def element_by_element(self, got: Arrays, cotangents: Arrays) -> list[Any]:
        """The kinks, if everything is right but for them; the error of the first wrong element."""
        kinks: list[Any] = []
        first: Any = None

        def loss(arrays: Arrays) -> float:
            return self.loss(arrays, cotangents)

        everything = sum(self.arrays[n].size for n in self.wanted) <= EVERY_ELEMENT
        found = []
        for g, n in zip(got, self.wanted, strict=True):
            x = self.arrays[n]
            numbers = np.zeros(x.shape)
            found.append(numbers)
            fits = g is None or g.shape == x.shape
            for index in np.ndindex(x.shape):
                slopes = _slopes(
                    lambda a: self.loss(a, cotangents), self.arrays, n, index, self.eps
                )
                numbers[index] = sum(slopes) / 2
                value = 0.0 if g is None else float(g[index]) if fits else np.nan
                right, kink = self._right(value, *slopes)
                if kink and right:
                    kinks.append((n, index))
                if not right and first is None:
                    first = (n, index, numbers[index], g if g is None or not fits else value)
                    if not everything:
                        raise self._wrong(first, got, None, cotangents)
        if first is not None:
            raise self._wrong(first, got, found, cotangents)
        return kinks

    def _right(self, value: float, up: float, down: float) -> tuple[bool, bool]:
        """Is the value right, and do the two one-sided slopes disagree there?"""
        low, high = min(up, down), max(up, down)
        if not np.isfinite(low + high):
            return True, True  # the edge of where the function is defined
        near = self.atol + self.rtol * max(abs(low), abs(high))
        kink = high - low > 1e-3 * max(1.0, abs(low), abs(high))
        if kink and self.eps < 1e-3:
            return low - near <= value <= high + near, True
        return abs(value - (low + high) / 2) <= near, False

    def report(self, kinks: list[Any]) -> Report:
        elements = sum(self.arrays[n].size for n in self.wanted)
        return Report(len(self.wanted), len(self.graded), elements, tuple(kinks))

    # ----- what to say -----

    def _wrong(self, first: Any, got: Arrays, numbers: Any, cotangents: Arrays) -> WrongGradient:
        n, index, expected, value = first
        place = f"input {n}" + (f", element {list(index)}" if index else "")
        if isinstance(value, np.ndarray):
            shape = f"shape {list(self.arrays[n].shape)}"
            what, wish, got_it = f"input {n}: another shape", shape, f"shape {list(value.shape)}"
        else:
            what, wish = place, f"{expected:.6g}, by finite differences"
            got_it = "None" if value is None else f"{value:.6g}"
        hint = self._hint(got, numbers, cotangents) if numbers else ""
        error = WrongGradient(
            f"The gradient of {self.name} is wrong at {what}.",
            expected=wish,
            received=got_it,
            fix=hint or "work the derivative out again, and check it on one element by hand",
        )
        error.input, error.index, error.numbers = n, index, (expected, value)
        return error

    def _hint(self, got: Arrays, numbers: Arrays, cotangents: Arrays) -> str:
        """The usual mistake that this looks like, empty if it looks like none."""
        other = self.gradients([2 * c + 1 for c in cotangents])
        same = [np.array_equal(a, b) for a, b in zip(got, other, strict=True)]
        pairs = list(zip(got, numbers, strict=True))
        wrong = [k for k, (g, d) in enumerate(pairs) if g is None or not self._close(g, d)]
        g, d = pairs[wrong[0]]
        if g is None:
            return "backward returns None (or the input is not used): return its gradient"
        if len(wrong) > 1 and all(
            any(got[k] is not None and self._close(got[k], numbers[m]) for m in wrong)
            for k in wrong
        ):
            return (
                "these are the right gradients in another order: return them as forward takes them"
            )
        if g.ndim > 1 and self._close(g.T, d):
            return "it is transposed: look at the order of the factors and at transpose"
        if g.shape != d.shape:
            return "sum over the axes along which forward broadcast the input, or reshape"
        if not g.any():
            return "it is zero everywhere: is something detached, or multiplied by zero?"
        if self._close(-g, d):
            return "it has the wrong sign"
        if same[wrong[0]]:
            return "it does not depend on dout: multiply by the gradient that backward receives"
        factor = float(np.sum(g * d) / np.sum(g * g))
        if self._close(factor * g, d):
            return f"it is off by a constant factor: the right one is {factor:.6g} times as large"
        return ""

    def _close(self, a: Any, b: Any) -> bool:
        atol, rtol = self.atol * 10, self.rtol * 10
        return a.shape == b.shape and bool(np.allclose(a, b, rtol=rtol, atol=atol))


# ----- helpers -----------------------------------------------------------------------------------


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' if n != 1 else ''}"


def _row(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _floating(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "f"


def _array(value: Any) -> Any:
    """Numbers, arrays and Tensors as arrays, floating-point ones in float64; others unchanged."""
    if isinstance(value, Tensor):
        value = to_numpy(value._data)
    if isinstance(value, (float, np.ndarray, np.generic)):
        array = np.array(value)
        return array.astype("float64") if array.dtype.kind == "f" else array
    return value


def _wanted(given: list[Any], arrays: Arrays) -> list[int]:
    """The numbers of the inputs that get a gradient."""
    able = [n for n, x in enumerate(arrays) if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    if not able:
        raise InvalidArgument(
            "check_grad(): no input can have a gradient.",
            expected="an array, Tensor or number with floating-point values",
            received=", ".join(type(value).__name__ for value in given) or "no inputs",
            fix="pass the inputs as a list: check_grad(f, [x, y])",
        )
    asked = [n for n in able if not (isinstance(given[n], Tensor) and given[n].stop_gradient)]
    return asked or able


def _dot(outputs: Sequence[Any], cotangents: Sequence[Any]) -> float:
    return float(sum(np.sum(y * c) for y, c in zip(outputs, cotangents, strict=True)))


def _slopes(
    loss: Callable[[Arrays], float], arrays: Arrays, number: int, index: tuple[int, ...], eps: float
) -> tuple[float, float]:
    """The slopes to the right and to the left, along one element of one input."""
    values = []
    for step in (eps, 0.0, -eps):
        x = arrays[number].copy()
        x[index] += step
        values.append(loss([*arrays[:number], x, *arrays[number + 1 :]]))
    up, here, down = values
    return (up - here) / eps, (here - down) / eps
