"""Gradient operators: derive from an operator the operator that computes its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops import REGISTRY
from ..ops.bound import Forward, Gradient, names_read
from . import spelling
from .op_calls import operator_of
from .operator import Composite, Operator, attrs_for_gradient
from .variable import Variable

# Ops whose gradient operator has the op's own type -> attributes of the gradient operator.
ITS_OWN: dict[str, Callable[[Any, Variable], dict[str, Any]]] = {
    "scale": lambda op, _x: {"scale": op.kernel.values["scale"]},
    "cast": lambda _op, x: {"dtype": x.dtype},
    "assign": lambda _op, _x: {},
}


def is_differentiable(op: Operator) -> bool:
    """Return whether gradients flow back through an operator."""
    if isinstance(op.kernel, Forward):
        return op.kernel.op.rule is not None
    return getattr(op.kernel, "differentiable", False)


def graded_results(op: Operator) -> list[str]:
    """Return the results of an operator that have a gradient."""
    names = [name for name in op.results if name is not None]
    if isinstance(op.kernel, Composite):
        return [name for name in names if op.block.vars[name].dtype.numpy.kind in "fc"]
    if isinstance(op.kernel, Forward):
        return [names[slot] for slot in op.kernel.op.graded_slots(len(names))]
    return names


def has_zeros_for_unused(op: Operator) -> bool:
    """Return whether the gradient of an unused output is 0; otherwise it is None."""
    if isinstance(op.kernel, Composite):
        return True
    return isinstance(op.kernel, Forward) and op.kernel.op.zeros_for_unused


def gradient_of(op: Operator, douts: list[str | None], grads: list[str | None]) -> Operator:
    """Make the gradient operator: it reads `douts` of results and writes `grads` of arguments."""
    kernel: Any = op.kernel
    if not isinstance(kernel, Forward):
        made: Operator = kernel.gradient_operator(op, douts, grads)
        return made
    if kernel.op.name in ITS_OWN:
        return _special_gradient(op, douts[0], grads[0])
    return _rule_gradient(op, douts, grads)


def _special_gradient(op: Operator, dout: str | None, grad: str | None) -> Operator:
    block, record = op.block, REGISTRY[op.kernel.op.name]  # type: ignore[attr-defined]
    x, dx, dy = (block.vars[name] for name in (op.reads[0], grad, dout))
    values = record.complete(ITS_OWN[record.name](op, x))
    operator = operator_of(block, record, values, (dy,), [dx])
    operator.forward, operator.place = op, op.place
    operator.attrs["op_namescope"] = ""
    return operator


def _rule_gradient(op: Operator, douts: list[str | None], grads: list[str | None]) -> Operator:
    kernel: Any = op.kernel
    record = kernel.op
    reads = names_read(record)
    saved = [_argument_of(op, name) for name in reads]
    rows = [tuple(douts)] if record.list_result else list(douts)
    inputs = {
        spelling.slot(record, name): spelling.slot_names(argument)
        for name, argument in zip(reads, saved, strict=True)
    }
    graded = [out for out in record.outputs if out not in record.stopped]
    for name, row in zip(graded, rows, strict=True):
        if row is not None:
            inputs[f"{spelling.slot(record, name)}@GRAD"] = spelling.slot_names(row)
    outputs = {}
    last = len(record.inputs) - 1
    for position, name in enumerate(record.inputs):
        if record.takes_list and position == last:
            names = [g or spelling.EMPTY for g in grads[last:]]
        else:
            names = spelling.slot_names(grads[position])
        outputs[f"{spelling.slot(record, name)}@GRAD"] = names
    return Operator(
        op.block,
        f"{op.type}_grad",
        inputs,
        _drop_stopped(op, outputs),
        attrs_for_gradient(op),
        kernel=Gradient(record, kernel.values, reads, [grad is not None for grad in grads]),
        arguments=(*saved, *rows),
        results=tuple(grads),
        place=op.place,
        forward=op,
    )


def _drop_stopped(op: Operator, outputs: dict[str, list[str]]) -> dict[str, list[str]]:
    """Drop the gradient slots of integer inputs, such as labels."""

    def is_floating(slot: str) -> bool:
        variables = [op.block.vars[name] for name in op.inputs.get(slot, ())]
        return all(var.dtype.numpy.kind in "fc" for var in variables)

    return {s: names for s, names in outputs.items() if names or is_floating(s[: -len("@GRAD")])}


def _argument_of(op: Operator, name: str) -> Any:
    """Return the names of the argument or result of an operator that its record calls `name`."""
    record = op.kernel.op  # type: ignore[attr-defined]
    if name in record.inputs:
        return op.arguments[record.inputs.index(name)]
    return op.results if record.list_result else op.results[record.outputs.index(name)]


def gradient_variable(block: Any, name: str, of: Variable) -> Variable:
    """Declare the gradient of a Variable, with the Variable's shape and dtype."""
    return block.add(Variable(block, name, of.shape, of.dtype))
