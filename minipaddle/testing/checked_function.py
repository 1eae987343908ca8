"""Function under test: its inputs, its values, and its own gradients."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..device import to_numpy
from ..eager.creation import to_tensor
from ..engine.grad import grad
from ..engine.grad_mode import no_grad
from ..engine.pylayer.pylayer import PyLayer, flatten
from ..engine.tensor import Tensor
from ..ops import REGISTRY
from ..ops.arguments import as_list
from . import errors
from .numeric import Arrays

_clone = REGISTRY["assign"].call


@dataclass
class CheckedFunction:
    """Function under test, its inputs, and the way to compute its gradients."""

    func: Any
    inputs: list[Any]
    backward_func: Callable[..., Any] | None
    rng: np.random.Generator
    arrays: Arrays = field(init=False)
    wanted: list[int] = field(init=False)  # indices of the inputs with a gradient
    graded: list[int] = field(init=False)  # indices of the outputs with a gradient
    outputs: Arrays = field(init=False)

    def __post_init__(self) -> None:
        self.name = getattr(self.func, "__name__", type(self.func).__name__)
        if inspect.isclass(self.func) and issubclass(self.func, PyLayer):
            self.func = self.func.apply
        if not callable(self.func):
            raise errors.not_callable(self.func)
        self.arrays = [as_float64(value) for value in self.inputs]
        self.wanted = _wanted_inputs(self.inputs, self.arrays)
        self.graded = self._outputs_with_gradient()
        self.outputs = self.values(self.arrays)
        again = self.values(self.arrays)
        if any(not np.array_equal(a, b, equal_nan=True) for a, b in zip(self.outputs, again)):  # noqa: B905
            raise errors.other_values_each_time(self.name)
        if not all(np.isfinite(y).all() for y in self.outputs):
            raise errors.outputs_not_finite(self.name)

    def steps(self, eps: float | None, rtol: float | None, atol: float) -> None:
        """Choose step sizes and tolerances; float32 needs larger steps."""
        coarse = any(y.dtype.itemsize < 8 for y in self.outputs)
        self.eps = eps or (1e-2 if coarse else 1e-6)
        self.rtol = rtol or (2e-2 if coarse else 1e-5)
        self.atol = max(atol, 1e-3) if coarse else atol

    def draw(self, like: Any) -> Any:
        return np.asarray(self.rng.standard_normal(like.shape))

    def _outputs_with_gradient(self) -> list[int]:
        if self.backward_func is not None:
            return [n for n, y in enumerate(as_list(self.func(*self.arrays))) if is_floating(y)]
        outputs = self._call_function(self._make_leaves())
        graded = [n for n, y in enumerate(outputs) if not y.stop_gradient]  # type: ignore[attr-defined]
        if not graded:
            raise errors.no_output_with_gradient(self.name, len(outputs))
        return graded

    def _make_leaves(self) -> list[Any]:
        return [
            to_tensor(x, stop_gradient=n not in self.wanted) if isinstance(x, np.ndarray) else x
            for n, x in enumerate(self.arrays)
        ]

    def _call_function(self, leaves: list[Any]) -> list[Tensor]:
        """Return the outputs; func gets copies of the leaves, which it may change in place."""
        outputs = self.func(*[_clone(x) if isinstance(x, Tensor) else x for x in leaves])
        tensors = flatten(outputs)[0]
        if not tensors:
            raise errors.no_tensor_returned(self.name, outputs)
        return tensors

    def values(self, arrays: Arrays) -> Arrays:
        """Return the outputs that have a gradient, as arrays."""
        copies = [x.copy() if isinstance(x, np.ndarray) else x for x in arrays]
        if self.backward_func is not None:
            outputs = as_list(self.func(*copies))
            return [np.array(outputs[n]) for n in self.graded]
        with no_grad():
            outputs = self._call_function(
                [to_tensor(x) if isinstance(x, np.ndarray) else x for x in copies]
            )
        return [np.array(to_numpy(outputs[n]._data)) for n in self.graded]

    def gradients(self, cotangents: Arrays) -> Arrays:
        """Return the function's own gradients: an array or None for each wanted input."""
        if self.backward_func is not None:
            outputs = as_list(self.func(*self.arrays))
            douts = dict(zip(self.graded, cotangents, strict=True))
            row = [douts.get(n, np.zeros_like(y)) for n, y in enumerate(outputs)]
            grads = as_list(self.backward_func(*self.arrays, *outputs, *row))
            if len(grads) < len(self.arrays) and len(grads) == len(self.wanted):
                return [None if g is None else np.asarray(g) for g in grads]
            grads += [None] * (len(self.arrays) - len(grads))
            return [None if grads[n] is None else np.asarray(grads[n]) for n in self.wanted]
        leaves = self._make_leaves()
        outputs = self._call_function(leaves)
        seeds = [to_tensor(c) for c in cotangents]
        targets = [leaves[n] for n in self.wanted]
        grads = grad([outputs[n] for n in self.graded], targets, seeds, allow_unused=True)
        return [None if g is None else np.array(to_numpy(g._data)) for g in grads]


def is_floating(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "f"


def as_float64(value: Any) -> Any:
    """Return numbers, arrays and Tensors as arrays, floats as float64; other values unchanged."""
    if isinstance(value, Tensor):
        value = to_numpy(value._data)
    if isinstance(value, (float, np.ndarray, np.generic)):
        array = np.array(value)
        return array.astype("float64") if array.dtype.kind == "f" else array
    return value


def _wanted_inputs(inputs: list[Any], arrays: Arrays) -> list[int]:
    """Return the indices of the inputs with a gradient."""
    able = [n for n, x in enumerate(arrays) if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    if not able:
        raise errors.no_differentiable_input(inputs)
    asked = [n for n in able if not (isinstance(inputs[n], Tensor) and inputs[n].stop_gradient)]
    return asked or able
