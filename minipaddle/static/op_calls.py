"""Append the operator of an op call to a block: check, infer, name, declare, append."""

from __future__ import annotations

from typing import Any

from .. import events
from ..device import to_numpy
from ..engine import modes, source_line
from ..engine.dtypes import DType
from ..engine.errors import MinipaddleError
from ..engine.meta import meet
from ..engine.tensor import Tensor
from ..ops import REGISTRY, Op
from ..ops.arguments import as_list, round_to_float32
from ..ops.bound import Forward
from . import errors, spelling
from .block import Block
from .operator import Argument, Operator
from .program import Program
from .variable import Variable


def append(
    block: Block,
    op: Op,
    inputs: tuple[Any, ...],
    values: dict[str, Any],
    *,
    outputs: list[Variable] | None = None,
    spelled: dict[str, Any] | None = None,
) -> Any:
    """Append the operator of an op to a block, and return its outputs.

    `outputs`: Variables to write into, otherwise new ones; `spelled`: extra attributes in Paddle's
    spelling.
    """
    before = len(block.ops), len(block.vars)
    try:
        return _append_checked(block, op, inputs, values, outputs, spelled)
    except BaseException as error:
        block.cut_back(*before)
        if events.heard():
            notify_of_refusal(block, op, inputs, values, error)
        raise


def notify_of_refusal(
    block: Block, op: Op, inputs: tuple[Any, ...], values: dict[str, Any], error: BaseException
) -> None:
    """Emit the error of an operator that the block rejects to the listeners."""
    place, index, number = source_line.here(), len(block.ops), block.program.number
    row = [x for value in inputs for x in as_list(value)]
    declared = tuple(x.declared if isinstance(x, Variable) else None for x in row)
    events.emit(events.OperatorRefused(number, index, op.name, declared, dict(values), place))
    events.failed("refused", index, error, place)


def _append_checked(
    block: Block,
    op: Op,
    inputs: tuple[Any, ...],
    values: dict[str, Any],
    outputs: list[Variable] | None,
    spelled: dict[str, Any] | None,
) -> Any:
    inputs = _cast_to_common(op, _own_variables(block, op, inputs))
    metas = [_meta_of(value) for value in inputs]
    values = _with_program_seed(block.program, op, values)
    try:
        inferred = op.infer(*metas, **values)
    except MinipaddleError:
        raise
    except Exception as error:
        raise errors.no_inference(op, metas, values, error) from error
    result_metas = list(inferred) if isinstance(inferred, list) else [inferred]
    if outputs is None:
        outputs = _new_outputs(block, op, inputs, result_metas)
    else:
        for out, meta in zip(outputs, result_metas, strict=False):
            out.declare(tuple(meta.shape), DType.of(meta.dtype))
            out.stop_gradient |= bool(inputs) and _is_stopped(inputs)
    block.append(operator_of(block, op, values, inputs, outputs, spelled), op.name)
    if op.list_result:
        return outputs
    return outputs[0] if len(op.outputs) == 1 else tuple(outputs)


def operator_of(
    block: Block,
    op: Op,
    values: dict[str, Any],
    inputs: tuple[Any, ...],
    outputs: list[Variable],
    spelled: dict[str, Any] | None = None,
) -> Operator:
    """Make the operator of an op between these Variables, as Paddle writes it."""
    arguments = tuple(map(_names_in, inputs))
    named = zip(op.inputs, arguments, strict=True)
    read = {spelling.slot(op, name): spelling.slot_names(argument) for name, argument in named}
    for slot in spelling.EMPTY_SLOTS.get(op.static.type, ()):
        read.setdefault(slot, [])
    attrs = spelling.paddle_attrs(op, values, [_meta_of(value) for value in inputs])
    return Operator(
        block,
        op.static.type,
        read,
        _output_slots(op, outputs),
        {**attrs, **(spelled or {})},
        kernel=Forward(op, values, op.view and getattr(inputs[0], "persistable", False)),
        arguments=arguments,
        results=tuple(out.name for out in outputs),
        place=source_line.here(),
    )


def initialize(program: Program, name: str, record: str, values: dict[str, Any]) -> None:
    """Append the operator that gives a Variable its first value, usually to a startup Program.

    The limits of random numbers are rounded to float32, as Paddle stores them.
    """
    op, block = REGISTRY[record], program.global_block()
    if op.random:
        values = {k: round_to_float32(v) if isinstance(v, float) else v for k, v in values.items()}
    append(block, op, (), op.complete(values), outputs=[block.vars[name]])


def _own_variables(block: Block, op: Op, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return inputs as Variables of this Program; Tensors without gradient become constants."""
    checked: list[Any] = []
    for position, value in enumerate(inputs):
        if op.takes_list and isinstance(value, (list, tuple)) and value:
            checked.append([_own_variable(block, op, position, item) for item in value])
        elif value is None and op.inputs[position] in op.optional:
            checked.append(None)
        else:
            checked.append(_own_variable(block, op, position, value))
    return tuple(checked)


def _own_variable(block: Block, op: Op, position: int, value: Any) -> Variable:
    if isinstance(value, Tensor) and value._stop:
        constant = REGISTRY["assign_value"]
        array = to_numpy(value._data)
        attrs = {"values": array, "shape": array.shape, "dtype": array.dtype}
        return append(block, constant, (), constant.complete(attrs))
    name = op.inputs[min(position, len(op.inputs) - 1)]
    if not isinstance(value, Variable):
        raise errors.no_variable(op, name, position, value)
    return block.own(value, f"{op.name}(): argument '{name}'")


def _cast_to_common(op: Op, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cast the last two inputs to their common dtype, as in eager mode."""
    if not op.promotes or inputs[-2].dtype is inputs[-1].dtype:
        return inputs
    *others, x, y = inputs
    dtype = meet(op, x.meta, y.meta)
    return (*others, *(v if v.dtype.numpy == dtype else v.astype(dtype.name) for v in (x, y)))


def _with_program_seed(program: Program, op: Op, values: dict[str, Any]) -> dict[str, Any]:
    """Use the Program's random_seed in initializers and dropout."""
    seeded = op.name in ("uniform", "gaussian", "dropout")
    if seeded and program.random_seed and values.get("seed") == 0:
        return {**values, "seed": program.random_seed}
    return values


def _is_stopped(inputs: tuple[Any, ...]) -> bool:
    """Return whether no gradient can reach any of the inputs."""
    return all(x is None or x.stop_gradient for value in inputs for x in as_list(value))


def _new_outputs(block: Block, op: Op, inputs: tuple[Any, ...], metas: list[Any]) -> list[Any]:
    """Make the outputs; no gradient flows through them under no_grad, or if none can reach an
    input.
    """
    stop = op.rule is None or not modes.grad_enabled.get() or _is_stopped(inputs)
    kinds = op.outputs * len(metas) if op.list_result else op.outputs
    updated = [_input_updated_by(op, inputs, kind) for kind in kinds]
    names = iter(spelling.output_names(op, block.program.names, updated.count(None)))
    outputs = []
    for existing, meta, kind in zip(updated, metas, kinds, strict=False):
        if existing is None:
            stopped = stop or kind in op.stopped or meta.dtype.kind not in "fc"
            shape, dtype = tuple(meta.shape), DType.of(meta.dtype)
            made = Variable(block, _unused(block, next(names)), shape, dtype, stop_gradient=stopped)
            existing = block.add(made)
        outputs.append(existing)
    return outputs


def _unused(block: Block, name: str) -> str:
    """Return a name, with a number if a Variable that the user declared has it."""
    number, found = 0, name
    while block.has_var(found):
        number, found = number + 1, f"{name}_{number}"
    return found


def _input_updated_by(op: Op, inputs: tuple[Any, ...], output: str) -> Variable | None:
    """Return the persistable input that an output updates, if there is one."""
    if output not in op.updates:
        return None
    updated = inputs[op.inputs.index(op.updates[output])]
    return updated if getattr(updated, "persistable", False) else None


def _output_slots(op: Op, outputs: list[Variable]) -> dict[str, list[str]]:
    if op.list_result:
        return {spelling.slot(op, op.outputs[0]): [out.name for out in outputs]}
    return {
        spelling.slot(op, name): [out.name] for name, out in zip(op.outputs, outputs, strict=True)
    }


def _meta_of(value: Any) -> Any:
    if isinstance(value, list):
        return [item.meta for item in value]
    return None if value is None else value.meta


def _names_in(value: Any) -> Argument:
    if isinstance(value, list):
        return tuple(item.name for item in value)
    return None if value is None else value.name
