"""Update rules: the state of a parameter in an optimizer, and the formula of a step.

A Rule is the formula of an optimizer with its hyper-parameters. Its `update` changes arrays in
place, in eager steps and in the operators of a Program. It reads values only with `.item()`, so
that a plan can record its calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..engine.errors import Unimplemented
from ..ops.arguments import round_to_float32
from ..ops.expression import number, read, replace_subtree, write


class Accumulator(NamedTuple):
    """State array of a parameter: operator slot, name, initial value, shape, dtype.

    It is on the device of the parameter, unless it is a number that the host computes with.
    """

    slot: str
    name: str
    fill: float
    shape: tuple[int, ...]
    host: bool = False
    dtype: str | None = None  # None for the dtype of the parameter


State = tuple[Any, ...]
MEANS = "m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g²"  # moving means of Adam
MOMENTS = (("Moment1", "moment1", 0.0), ("Moment2", "moment2", 0.0))
M_HAT, V_HAT = "m̂ ← m / (1 − β₁ᵗ)", "v̂ ← v / (1 − β₂ᵗ)"  # corrected for means that begin at 0

LETTERS = {  # hyper-parameter -> its letter in formulas
    "beta1": "β₁", "beta2": "β₂", "epsilon": "ε", "momentum": "μ", "rho": "ρ", "decay": "λ",
    "weight_decay": "λ", "rescale_grad": "c", "momentum_decay": "ψ",
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """Update rule of a parameter; its fields are hyper-parameters."""

    type: ClassVar[str] = ""  # name of Paddle's operator
    state: ClassVar[tuple[tuple[str, str, float], ...]] = ()  # slot, name, initial value
    empty: ClassVar[tuple[str, ...]] = ("MasterParam",)  # input slots that stay empty here

    @property
    def formula(self) -> str:
        """Formula of `update` with p, the parameter, and g, its gradient, ending in `p ← p − ...`;
        empty if there is none."""
        return ""

    @cached_property
    def numbered_formula(self) -> str:
        """The formula with the hyper-parameters' numbers: `v ← 0.9 v + g`."""
        fields = [field for field in LETTERS if hasattr(self, field)]
        return with_numbers(self.formula, {LETTERS[f]: getattr(self, f) for f in fields})

    @cached_property
    def recipe(self) -> tuple[str, dict[str, Any]] | None:
        """Name and hyper-parameters, to rebuild the rule; None if it is a user's own."""
        kind, here = type(self), Rule.__module__.rpartition(".")[0]
        return (kind.__name__, asdict(self)) if kind.__module__.startswith(f"{here}.") else None

    def attrs(self) -> dict[str, Any]:
        """Return the attributes of Paddle's operator: in most rules the hyper-parameters."""
        return {**asdict(self), "multi_precision": False}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:
        """Return the accumulators of a parameter of this shape."""
        return tuple(Accumulator(*row, shape) for row in self.state)

    def update(self, xp: Any, param: Any, grad: Any, lr: Any, state: State, work: Any) -> None:  # noqa: ARG002
        """Change `param` and `state` in place; `work` is scratch space of the parameter's shape."""
        what = "the base class Optimizer has no rule of its own."
        raise Unimplemented(what, fix="write paddle.optimizer.SGD(...), or another kind")


def with_numbers(formula: str, numbers: Mapping[str, Any]) -> str:
    """Return a formula with numbers for letters; a letter whose value is no number stays.

    >>> with_numbers("m ← β₁ m + (1 − β₁) g, m̂ ← m / (1 − β₁ᵗ)", {"β₁": 0.9})
    'm ← 0.9 m + 0.1 g, m̂ ← m / (1 − 0.9ᵗ)'
    >>> with_numbers("s ← ρ s + (1 − ρ) g²", {"ρ": 1.5})
    's ← 1.5 s + (−0.5) g²'
    """
    tree = read(formula)
    for letter, value in numbers.items():
        if isinstance(value, (int, float)):
            tree = replace_subtree(tree, read(f"1 − {letter}"), number(1.0 - value))
            tree = replace_subtree(tree, read(letter), number(value))
    return write(tree)


# Numbers of a rule are rounded so, as in Paddle's operators, also for float64 parameters.
single = lru_cache(maxsize=256)(round_to_float32)


def update_mean(xp: Any, mean: Any, new: Any, beta: float, work: Any) -> None:
    """Compute mean ← beta · mean + (1 − beta) · new, with 1 − beta in the type of the arrays."""
    decay, rest = parts(xp, mean.dtype, beta)
    xp.multiply(new, rest, out=work)
    mean *= decay
    mean += work


def update_mean_square(xp: Any, mean: Any, new: Any, beta: float, work: Any) -> None:
    """Compute mean ← beta · mean + (1 − beta) · new², in the order of Paddle's kernels."""
    decay, rest = parts(xp, mean.dtype, beta)
    if mean.dtype.itemsize == 8:
        xp.multiply(new, rest, out=work)
        work *= new
    else:
        xp.multiply(new, new, out=work)
        work *= rest
    mean *= decay
    mean += work


def parts(xp: Any, dtype: Any, beta: float) -> tuple[Any, Any]:
    """Return β and 1 − β in this dtype; as arrays for NumPy, whose ufuncs take arrays faster."""
    arrays = _make_parts(dtype.char, beta)
    return arrays if xp is np else (arrays[0].item(), arrays[1].item())


@lru_cache(maxsize=256)
def _make_parts(char: str, beta: float) -> tuple[Any, Any]:
    kind = np.dtype(char).type
    return np.asarray(kind(beta)), np.asarray(kind(1.0) - kind(beta))
