"""The operators that an optimizer adds: clipped gradients, penalties, one update per parameter.

The learning rate is a persistable Variable. A scheduler, or `set_lr`, changes its value in the
scope before a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import events
from ..device import namespace
from ..engine import naming, source_line
from ..engine.dtypes import DType
from ..engine.errors import CheckFailed
from ..engine.guard import combine_guards
from ..errors import misfit
from ..ops import REGISTRY
from ..ops.arguments import reshape_like, round_to_float32, scale_rate
from ..ops.rule_functions import GRAPH
from .backward import append_backward
from .block import AllOrNone, Block
from .op_calls import append, initialize
from .operator import OPTIMIZE, SCHEDULE, Operator
from .program import Program, default_startup_program, program_guard
from .scope import Scope
from .spelling import outputs_named
from .variable import Parameter, Variable

Pairs = list[tuple[Parameter, Variable]]


class Update:
    """Kernel of an update operator: changes the parameter and its state in place.

    `factor` is the parameter's own factor of the learning rate.
    """

    def __init__(self, rule: Any, factor: float = 1.0) -> None:
        self.rule, self.factor = rule, factor

    @property
    def formula(self) -> str:
        """Formula of the update, for listeners."""
        return self.rule.numbered_formula

    @property
    def follows(self) -> events.UpdateRule | None:
        """Update rule for listeners; clipping and penalties have their own operators."""
        recipe = self.rule.recipe
        if recipe is None:
            return None
        rule, options = recipe
        return events.UpdateRule(rule, options, 1.0, "", 0.0, "", {}, clips=False, group=0)

    def __call__(
        self, param: Any, grad: Any, rate: Any, *state: Any, work: Any = None
    ) -> tuple[Any, ...]:
        xp = namespace(param)
        work = xp.empty_like(param) if work is None else work
        rate = scale_rate(rate.item(), self.factor, param.dtype)
        self.rule.update(xp, param, reshape_like(param, grad), rate, state, work)
        return (param, *state)


def append_update(
    block: Block,
    kernel: Update,
    parameter: Variable,
    grad: Variable,
    rate: Variable,
    state: dict[str, str],
) -> Operator:
    """Append the operator of one update; `state` has the accumulators' names by slot."""
    rule, names = kernel.rule, list(state.values())
    inputs = {"Param": [parameter.name], "Grad": [grad.name], "LearningRate": [rate.name]}
    inputs |= {slot: [] for slot in rule.empty} | {slot: [name] for slot, name in state.items()}
    outputs = {"ParamOut": [parameter.name]}
    outputs |= {f"{slot}Out": [name] for slot, name in state.items()}
    attrs = dict(rule.attrs())
    attrs |= {k: round_to_float32(v) for k, v in attrs.items() if isinstance(v, float)}
    attrs["op_role_var"] = [parameter.name, grad.name]
    operator = Operator(
        block,
        rule.type,
        inputs,
        outputs,
        attrs,
        kernel=kernel,
        arguments=(parameter.name, grad.name, rate.name, *names),
        results=(parameter.name, *names),
        place=source_line.here(),
    )
    return block.append(operator, rule.type)


def backward(loss: Variable, parameters: Any = None, no_grad_set: Any = None) -> Pairs:
    """Add the gradient operators of an optimizer's loss, which has one element."""
    if int(np.prod(loss.shape)) != 1:
        fix = "pass paddle.mean(loss) or paddle.sum(loss)"
        raise misfit("minimize", "a loss of one element", CheckFailed, fix, loss=loss)
    return append_backward(loss, parameters, no_grad_set)


def apply_gradients(
    optimizer: Any, pairs: Pairs, startup_program: Program | None = None
) -> list[Operator]:
    """Add the operators of one step, sorted by parameters' names; return the updates."""
    if not pairs:
        return []
    program = pairs[0][0].block.program
    startup = startup_program or default_startup_program()
    blocks = program.global_block(), startup.global_block()
    with program_guard(program, startup), combine_guards(*map(AllOrNone, blocks)):
        return Step(optimizer, program, startup).add(pairs)


class Step:
    """Builder of the operators of one step of an optimizer in a Program."""

    def __init__(self, optimizer: Any, program: Program, startup: Program) -> None:
        self.optimizer = optimizer
        self.program = program
        self.startup = startup
        self.block = program.global_block()

    def add(self, pairs: Pairs) -> list[Operator]:
        """Add the operators that change gradients, then the updates."""
        rate = self._rate_variable(pairs)
        pairs = self._add_penalties(
            self._clip_gradients(sorted(pairs, key=lambda pair: pair[0].name))
        )
        return [self._append_update(parameter, grad, rate) for parameter, grad in pairs]

    # ----- gradients -----

    def _clip_gradients(self, pairs: Pairs) -> Pairs:
        """Clip the gradients of each group by the group's clipping."""
        optimizer = self.optimizer
        clips = {parameter: optimizer._clip_of(parameter) for parameter, _ in pairs}
        done: Pairs = []
        for clip in dict.fromkeys(clips.values()):
            part = [pair for pair in pairs if clips[pair[0]] is clip]
            done += part if clip is None else self._clip_by(clip, part)
        return sorted(done, key=lambda pair: pair[0].name)

    def _clip_by(self, clip: Any, pairs: Pairs) -> Pairs:
        with self.program.mark_operators(OPTIMIZE, "minimize", "/gradient_clip/"):
            start = len(self.block.ops)
            clipped: Pairs = clip.clip(GRAPH, pairs)
        owners = {grad.name: parameter.name for parameter, grad in clipped}
        for operator in self.block.ops[start:]:
            for name in operator.writes:
                if name in owners:
                    operator.attrs["op_role_var"] = [owners[name], name]
        return clipped

    def _add_penalties(self, pairs: Pairs) -> Pairs:
        """Add the gradients of penalties to the loss's gradients, in place."""
        with self.program.mark_operators(OPTIMIZE, "minimize", "/regularization/"):
            for parameter, grad in pairs:
                penalty = self.optimizer._penalty_of(parameter)
                if penalty is None:
                    continue
                start, add_n = len(self.block.ops), REGISTRY["add_n"]
                with outputs_named("_generated_var"):
                    term = penalty.term(GRAPH, parameter)
                append(self.block, add_n, ([grad, term],), {}, outputs=[grad])
                for operator in self.block.ops[start:]:
                    operator.attrs["op_role_var"] = [parameter.name, grad.name]
        return pairs

    # ----- the learning rate -----

    def _rate_variable(self, pairs: Pairs) -> Variable:
        """Return the Variable of the learning rate, made once per Program."""
        optimizer, program = self.optimizer, self.program
        for name, other in program.rates.items():
            if other is optimizer:
                return self.block.vars[name]
        name = naming.unique("learning_rate")
        program.rates[name] = optimizer
        listed = optimizer._parameter_list or [pairs[0][0]]
        return self._make_persistable(name, (), listed[0].dtype, float(optimizer.get_lr()), True)

    def _rate_for(self, parameter: Parameter, rate: Variable, scope: str) -> Variable:
        """Return the Variable of the rate times the parameter's own factor."""
        factor = parameter.optimize_attr["learning_rate"]
        if factor == 1.0:
            return rate
        scope = f"{scope}scale_with_param_lr/"
        with (
            self.program.mark_operators(OPTIMIZE | SCHEDULE, "minimize", scope),
            outputs_named("tmp"),
        ):
            scaled: Variable = GRAPH.scale(rate, scale=float(factor))
        return scaled

    # ----- updates -----

    def _append_update(self, parameter: Parameter, grad: Variable, rate: Variable) -> Operator:
        program, rule = self.program, self.optimizer.rule_for(parameter)
        number, program.optimized = program.optimized, program.optimized + 1
        scope = f"/optimizer_{number}/" if number else "/optimizer/"
        rate = self._rate_for(parameter, rate, scope)
        state = {}
        for kept in rule.accumulators(parameter.shape):
            dtype = parameter.dtype if kept.dtype is None else DType.of(kept.dtype)
            state[kept.slot] = name = self._state_name(parameter, kept.name)
            self._make_persistable(name, kept.shape, dtype, kept.fill, False)
        with program.mark_operators(OPTIMIZE, "minimize", scope):
            return append_update(self.block, Update(rule), parameter, grad, rate, state)

    def _state_name(self, parameter: Parameter, kind: str) -> str:
        """Return a name such as linear_0.w_0_moment1_0, made once per optimizer."""
        names, key = self.program.state_of, (self.optimizer, parameter.name, kind)
        if key not in names:
            stem = self.optimizer._name_of(parameter, kind).removesuffix("_0")
            names[key] = naming.unique(stem)
        return names[key]

    def _make_persistable(
        self, name: str, shape: tuple[int, ...], dtype: DType, fill: float, stop: bool
    ) -> Variable:
        """Make a persistable Variable in both programs, filled by startup."""
        first, block = self.startup.global_block(), self.block
        if not first.has_var(name):
            first.add(Variable(first, name, shape, dtype, persistable=True, stop_gradient=True))
            values = {"shape": shape, "fill_value": float(fill), "dtype": dtype}
            initialize(self.startup, name, "full", values)
        if block.has_var(name):
            return block.vars[name]
        return block.add(Variable(block, name, shape, dtype, persistable=True, stop_gradient=stop))


def write_rates(program: Program, scope: Scope) -> None:
    """Before a run, write learning rates that have changed since startup into the scope."""
    for name, optimizer in program.rates.items():
        if optimizer.rate_can_change:
            array = scope.read(name)
            if array is not None:
                array[...] = float(optimizer.get_lr())
