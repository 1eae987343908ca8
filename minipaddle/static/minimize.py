"""The operators that an optimizer adds: one update for each parameter, and its state."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import places
from ..device import namespace
from ..dtypes import DType, float32
from ..ops import REGISTRY
from .backward import append_backward
from .block import Block
from .building import append, initialize
from .operator import OPTIMIZE, Operator
from .program import Program
from .records import add_n
from .variable import Parameter, Variable

Pairs = list[tuple[Parameter, Variable]]


class Update:
    """The kernel of an update operator: changes the parameter and its state in place."""

    def __init__(self, optimizer: Any, factor: float) -> None:
        self.optimizer = optimizer
        self.factor = factor

    def __call__(
        self, param: Any, grad: Any, rate: Any, *state: Any, work: Any = None
    ) -> tuple[Any, ...]:
        lr = rate.item()
        lr = lr if self.factor == 1.0 else lr * self.factor
        xp = namespace(param)
        work = xp.empty_like(param) if work is None else work
        self.optimizer.update(xp, param, grad, lr, state, work)
        return (param, *state)


def minimize(
    optimizer: Any, loss: Variable, startup: Program, parameters: Any, no_grad_set: Any
) -> tuple[list[Operator], Pairs]:
    """Add gradient operators and, in the order of the parameters' names, update operators."""
    pairs = append_backward(loss, parameters, no_grad_set)
    block = loss.block
    rate = _persistable(block, startup, optimizer._lr_name, (), float32, optimizer.get_lr(), True)
    updates = []
    for parameter, grad in sorted(pairs, key=lambda pair: pair[0].name):
        program = block.program
        number, program.optimized = program.optimized, program.optimized + 1
        scope = f"/optimizer_{number}/" if number else "/optimizer/"
        with program.adding(OPTIMIZE, "minimize", scope):
            grad = _decayed(block, optimizer, parameter, grad)
            updates.append(_update(block, startup, optimizer, parameter, grad, rate))
    return updates, pairs


def _decayed(block: Block, optimizer: Any, parameter: Parameter, grad: Variable) -> Variable:
    """The gradient of the loss plus that of the weight decay: g + decay * p."""
    if not optimizer.decay:
        return grad
    scale = REGISTRY["scale"]
    decay = append(block, scale, (parameter,), scale.complete({"scale": optimizer.decay}))
    total: Variable = append(block, add_n, ([grad, decay],), {})
    return total


def _update(
    block: Block, startup: Program, optimizer: Any, parameter: Parameter, grad: Variable,
    rate: Variable,
) -> Operator:  # fmt: skip
    inputs = {"Param": [parameter.name], "Grad": [grad.name], "LearningRate": [rate.name]}
    outputs = {"ParamOut": [parameter.name]}
    state = []
    for kept in optimizer.accumulators(parameter.shape):
        name = f"{parameter.name}_{kept.name}_0"
        _persistable(block, startup, name, kept.shape, parameter.dtype, kept.fill, False)
        inputs[kept.slot], outputs[f"{kept.slot}Out"] = [name], [name]
        state.append(name)
    factor = parameter.optimize_attr["learning_rate"]
    attrs = {key: _plain(value) for key, value in optimizer.attrs.items()}
    attrs["op_role_var"] = [parameter.name, grad.name]
    return block.append(
        Operator(
            block, optimizer.type, inputs, outputs, attrs, kernel=Update(optimizer, factor),
            arguments=(parameter.name, grad.name, rate.name, *state),
            results=(parameter.name, *state), place=places.here(),
        ),
        optimizer.type,
    )  # fmt: skip


def _plain(value: Any) -> Any:
    return float(np.float32(value)) if isinstance(value, float) else value


def _persistable(
    block: Block, startup: Program, name: str, shape: tuple[int, ...], dtype: DType, fill: float,
    stop: bool,
) -> Variable:  # fmt: skip
    """A persistable Variable in both programs, filled by startup."""
    first = startup.global_block()
    if not first.has_var(name):
        first.add(Variable(first, name, shape, dtype, persistable=True, stop_gradient=True))
        values = {"shape": shape, "fill_value": float(fill), "dtype": dtype}
        initialize(startup, name, "full", values)
    if block.has_var(name):
        return block.vars[name]
    made: Variable = block.add(
        Variable(block, name, shape, dtype, persistable=True, stop_gradient=stop)
    )
    return made
