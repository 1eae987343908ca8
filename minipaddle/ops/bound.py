"""Computations of operators: a kernel or a gradient rule, bound to attributes.

Both compute with arrays and keep no state between calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Any

from ..engine.dispatch import kernel_error, namespace_of
from ..engine.dtypes import DType
from ..engine.errors import MinipaddleError
from ..engine.grad import grad
from ..engine.meta import Meta, meet
from ..engine.tensor import Tensor, as_array
from .op_spec import Op
from .rule_functions import GRAPH, ArrayFunctions, array_functions


class Forward:
    """A kernel with its attributes."""

    def __init__(self, op: Op, values: dict[str, Any], fresh: bool = False) -> None:
        self.op = op
        self.values = values
        self.fresh = fresh  # whether a result is copied that may be a view of a parameter

    def with_values(self, **values: Any) -> Forward:
        """Return a copy with other values of attributes."""
        return Forward(self.op, {**self.values, **values}, self.fresh)

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        op = self.op
        try:
            result = op.kernel_for(arrays)(namespace_of([*arrays]), *arrays, **self.values)
        except MinipaddleError:
            raise
        except Exception as error:
            raise kernel_error(op, wrap_arrays(arrays), self.values, error) from error
        if isinstance(result, (tuple, list)):
            return tuple(as_array(out).copy() if self.fresh else as_array(out) for out in result)
        out = as_array(result)
        if arrays and out.dtype is not op.first(arrays).dtype:
            out = op.cast_to_inferred(arrays, out, self.values)
        return (out.copy() if self.fresh else out,)

    def checked(self, *arrays: Any) -> tuple[Any, ...]:
        """Call the kernel after the inference, which raises errors of attributes."""
        self.op.infer_arrays(arrays, self.values)
        return self(*arrays)


class Gradient:
    """A gradient rule with its attributes: it computes the gradients of the inputs.

    `reads` names the inputs and outputs whose arrays are passed first; then follows a gradient for
    each output that has one, None (or a list with None) for outputs without.
    """

    def __init__(
        self, op: Op, values: dict[str, Any], reads: tuple[str, ...], needs: list[bool]
    ) -> None:
        self.op = op
        self.values = values
        self.reads = reads
        self.needs = needs
        self.extra = {key: values[key] for key in op.rule_extra}
        if op.rule_needs:
            self.extra["needs"] = needs

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        xp = namespace_of([*arrays])
        grads = self.apply(array_functions(xp), arrays)
        return tuple(
            as_array(grad) if needed else None
            for grad, needed in zip(grads, self.needs, strict=True)
        )

    def apply(self, F: Any, values: tuple[Any, ...], plainly: bool = False) -> list[Any]:
        """Run the rule with the functions F on arrays, or on Variables."""
        grads = self.before_sums(F, values, plainly)
        known = dict(zip(self.reads, values, strict=False))
        for i, name in enumerate(self.op.inputs if self.op.broadcasts else ()):
            grad = grads[i]
            if grad is not None and self.needs[i] and tuple(grad.shape) != tuple(known[name].shape):
                grads[i] = F.sum_to(grad, shape=F.sizes(known[name]))
        return grads

    def before_sums(self, F: Any, values: tuple[Any, ...], plainly: bool = False) -> list[Any]:
        """Run the rule, without summing gradients over broadcast axes.

        `plainly`: run the rule that the record states, not the fused one for arrays.
        """
        known = dict(zip(self.reads, values, strict=False))
        douts = values[len(self.reads) :]
        saved = [read_saved(known, what, F) for what in self.op.saves]
        quick = isinstance(F, ArrayFunctions) and not plainly
        grads = self.op.rule_for(douts, quick)(F, *douts, *saved, **self.extra)
        return list(grads) if isinstance(grads, (tuple, list)) else [grads]


def names_read(op: Op) -> tuple[str, ...]:
    """Return the names of the inputs and outputs that the gradient rule of an op reads."""
    bases = [what.partition(".")[0] for what in op.saves]
    if op.broadcasts:
        bases += op.inputs
    return tuple(dict.fromkeys(bases))


def read_saved(known: dict[str, Any], what: str, F: Any) -> Any:
    """Return a saved value, or its shape or dtype, by the name in the rule."""
    base, _, part = what.partition(".")
    value = known[base]
    if not part:
        return value
    if isinstance(value, (list, tuple)):
        return [_read_part(item, part, F) for item in value]
    return _read_part(value, part, F)


def _read_part(value: Any, part: str, F: Any) -> Any:
    return DType.of(value.dtype) if part == "dtype" else F.sizes(value)


def wrap_arrays(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """Wrap arrays as Tensors, for errors that describe them."""
    return tuple(
        [Tensor(item) for item in a] if isinstance(a, list) else a if a is None else Tensor(a)
        for a in arrays
    )


# ----- gradient rules on arrays ------------------------------------------------------------------


def functions_for(arrays: Sequence[Any]) -> Any:
    """Return the functions F of gradient rules for these arrays."""
    return array_functions(namespace_of([*arrays]))


def common_dtype(op: Op, x: Any, y: Any) -> Any:
    """Return the common dtype to which the last two inputs of an op are promoted."""
    return meet(op, Meta(x.shape, x.dtype), Meta(y.shape, y.dtype))


def apply_transposed(
    function: Callable[[Any, Sequence[Any]], Sequence[Any]],
    arrays: Sequence[Any],
    weights: Sequence[Any],
) -> list[Any]:
    """Return the gradient of sum(weight * result) for each array; None for an absent one.

    `function(F, values)` computes with the functions F of gradient rules. For a linear function,
    such as a gradient rule in its output gradients, this is the transpose applied to the weights.
    It runs on the tape in an empty context, without modes, listeners and names of the caller.
    Weights that are Tensors give Tensors, which the tape follows back to them.
    """
    return Context().run(_run_transposed, function, arrays, weights)


def _run_transposed(function: Any, arrays: Sequence[Any], weights: Sequence[Any]) -> list[Any]:
    values = [None if array is None else Tensor(array, False) for array in arrays]
    present = [value for value in values if value is not None]
    results = function(GRAPH, values)
    again = any(isinstance(weight, Tensor) for weight in weights)
    total = None
    for result, weight in zip(results, weights, strict=True):
        if result is not None and weight is not None:
            part = GRAPH.sum(GRAPH.multiply(result, weight if again else Tensor(weight)))
            total = part if total is None else GRAPH.add(total, part)
    if total is None or total._stop:
        return [None] * len(values)
    found = iter(grad(total, present, create_graph=again, allow_unused=True))
    grads = [None if value is None else next(found) for value in values]
    return grads if again else [None if each is None else each._data for each in grads]
