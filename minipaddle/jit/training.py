"""Training inside a traced function: backward, optimizer steps and `.grad` as parts of its Program.

`Training` holds, for each Tensor whose gradient the function uses, what stands in its `.grad` while
the function is traced: a Variable, None, or zeros. The Tensors themselves change only when the
Program has run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any
from weakref import ref

import numpy as np

from ..device import namespace
from ..engine import refusals
from ..engine.structures import map_structure
from ..engine.tensor import Node, Tensor, new_tensor, rare
from ..ops.arguments import as_list
from ..ops.rule_functions import GRAPH
from ..static.backward import gradients
from ..static.block import Block
from ..static.minimize import Update, append_update
from ..static.operator import OPTIMIZE
from ..static.variable import Variable
from . import errors


class Content(Enum):
    """What a gradient is, if it is neither a Variable nor None."""

    START = "what it was before the call"
    ZEROS = "zeros"
    CLEARED = "zeros if there was a gradient before the call"


START, ZEROS, CLEARED = Content


@dataclass
class Gradient:
    """Gradient of a Tensor during tracing: `now` is a Variable, None or a Content.

    `needs` checks the gradient with which a call begins; None accepts any.
    """

    tensor: Tensor
    name: str
    now: Variable | Content | None = START
    needs: Callable[[Tensor], bool] | None = None
    before: Variable | None = None  # stands for the gradient before the call


def has_none(tensor: Tensor) -> bool:
    return tensor._grad is None


def has_some(tensor: Tensor) -> bool:
    return tensor._grad is not None


def is_empty(tensor: Tensor) -> bool:
    """Return whether a sum that starts from this gradient needs no addition."""
    return tensor._grad is None or is_zeros(tensor)


def is_zeros(tensor: Tensor) -> bool:
    """Return whether the gradient is the zeros that a Program has left there."""
    record, grad = tensor._rare, tensor._grad
    known = record is not None and grad is not None and record.zeros is not None
    return known and record.zeros() is grad and not grad._version  # type: ignore[union-attr]


def is_plain_leaf(tensor: Tensor) -> bool:
    """Return whether backward does nothing with a Tensor's gradient but add it up."""
    record = tensor._rare
    return tensor._node is None and not (record and (record.hooks or record.after))


class Training:
    """What a traced function does with gradients and optimizers.

    `tracer` makes Variables of Tensors. `arrays` has the accumulators of optimizers and the
    learning rates, each with its Variable.
    """

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.block: Block = tracer.block
        self.gradients: dict[int, Gradient] = {}
        self.arrays: list[tuple[Variable, Any]] = []
        self.accumulators: dict[tuple[int, int], list[str]] = {}
        self.conditions: list[Callable[[], bool]] = []
        self.states: list[tuple[Any, ...]] = []  # what an optimizer has of a parameter
        self.updated: dict[str, Tensor] = {}
        self.leaves: list[Tensor] = []  # which backward passes gave a gradient
        self.released: dict[int, Any] = {}  # operators that a backward pass went through

    def __bool__(self) -> bool:
        """Return whether the function calls backward, or reads or changes gradients."""
        return bool(self.gradients or self.updated)

    def of(self, tensor: Tensor) -> Gradient:
        """Return the gradient of a Tensor."""
        if id(tensor) not in self.gradients:
            name = self.tracer.as_variable(tensor).name
            self.gradients[id(tensor)] = Gradient(tensor, name)
        return self.gradients[id(tensor)]

    def read(self, tensor: Tensor) -> Variable | None:
        """Return the Variable of a Tensor's gradient, None if it has none."""
        held = self.of(tensor)
        now, grad = held.now, tensor._grad
        if now is START or now is CLEARED:
            held.needs = has_none if grad is None else has_some
            if grad is None:
                now = None
        if now is START and grad is not None:
            now = held.before = self._declare(f"{held.name}@GRAD_BEFORE", grad._data)
        elif isinstance(now, Content):
            now = GRAPH.zeros_like(self.tracer.as_variable(tensor))
        held.now = now
        return now

    def add(self, tensor: Tensor, grad: Variable) -> None:
        """Add to the gradient of a Tensor."""
        held = self.of(tensor)
        if held.now is START and is_empty(tensor):
            held.needs = is_empty
        elif held.now is not ZEROS and held.now is not CLEARED:
            before = self.read(tensor)
            grad = grad if before is None else before + grad  # type: ignore[operator]
        held.now = grad

    def clear(self, tensor: Tensor, set_to_zero: bool) -> None:
        """Set the gradient of a Tensor to zeros or None."""
        held = self.of(tensor)
        if not set_to_zero:
            held.now = None
        elif held.now is not None:
            held.now = CLEARED if held.now is START or held.now is CLEARED else ZEROS

    # ----- backward -----

    def grad(
        self,
        outputs: Any,
        inputs: Any,
        grad_outputs: Any,
        no_grad_vars: Any,
        create_graph: bool,
        allow_unused: bool,
    ) -> list[Variable | None]:
        """Return the gradients of outputs by inputs, for `paddle.grad`."""
        given = as_list(outputs), as_list(inputs), grad_outputs, no_grad_vars
        targets, sources, seeds, constants = map_structure(self.tracer.as_variable, given)
        found = gradients(targets, sources, seeds, constants) or [None] * len(sources)
        for position, grad in enumerate(found):
            if grad is not None:
                grad.stop_gradient = not create_graph
            elif not allow_unused:
                raise refusals.unused_tensor("input", position)
        return found

    def backward(self, target: Variable, seed: Any, retain_graph: bool) -> None:
        """Add the gradients of a Variable to all Tensors that it depends on."""
        if target.stop_gradient:
            return
        start, captured = len(self.block.ops), list(self.tracer.captured.values())
        wanting = [(v, t) for v, t in captured if not v.stop_gradient]
        arguments = [v for v in self.tracer.inputs if not v.stop_gradient]
        sources = [*(v for v, _ in wanting), *arguments]
        found = gradients([target], sources, [self.tracer.as_variable(seed)]) if sources else []
        path = {id(op.forward): op.forward for op in self.block.ops[start:] if op.forward}
        for number in path.keys() & self.released.keys():
            raise refusals.released(path[number].type)
        if not retain_graph:
            self.released |= path
        for (variable, tensor), grad in zip(wanting, found, strict=False):
            if grad is not None:
                if not is_plain_leaf(tensor):
                    raise errors.backward_beyond(variable.name)
                self.leaves.append(tensor)
                grad.stop_gradient = True  # code that reads it makes no graph of gradients
                self.add(tensor, grad)
        if any(grad is not None for grad in found[len(wanting) :]):
            raise errors.backward_to_argument()

    # ----- steps of optimizers -----

    def pairs(self, params: Any) -> list[tuple[Any, Any]]:
        """Return the parameters that have a gradient, each with the Variable of its gradient."""
        grads = [(param, self.read(param)) for param in params if not param._stop]
        return [(param, grad) for param, grad in grads if grad is not None]

    def step(self, optimizer: Any, parameters: Any = None) -> None:
        """Append the operators of a step of an optimizer, for all its parameters or only some."""
        rate, chosen = self._rate_of(optimizer), {id(param) for param in parameters or ()}
        with self.block.program.mark_operators(OPTIMIZE, "minimize", "/optimizer/"):
            for group in optimizer._groups:
                params = [p for p in group.params if not chosen or id(p) in chosen]
                pairs = self.pairs(params)
                if group.clip is not None and pairs:
                    pairs = group.clip.clip(GRAPH, pairs)
                for param, grad in pairs:
                    self._update(optimizer, param, grad, rate)

    def _rate_of(self, optimizer: Any) -> Variable:
        """Return the Variable of a learning rate, which every run writes anew if it can change."""
        program = self.block.program
        for name, other in program.rates.items():
            if other is optimizer:
                return self.block.vars[name]
        given = optimizer._learning_rate  # get_lr() would note that the code reads it
        array = np.array(given if isinstance(given, float) else float(given()))
        rate = self._declare("learning_rate", array)
        self.arrays.append((rate, array))
        program.rates[rate.name] = optimizer
        return rate

    def depend_on_rate(self, optimizer: Any, rate: float) -> None:
        """Trace anew when a rate that the code itself reads has changed."""
        self.conditions.append(lambda: optimizer.get_lr() == rate)

    def _declare(self, name: str, array: Any) -> Variable:
        """Declare the Variable of an array that outlives a run."""
        name = self.block.program.names(name)
        variable: Variable = self.block.create_var(name, array.shape, array.dtype, True, True)
        return variable

    def _update(self, optimizer: Any, param: Any, grad: Any, rate: Variable) -> None:
        variable, record = self.tracer.as_variable(param), optimizer.state_for(param)
        decay, factor = optimizer._penalty_of(param), record.own["learning_rate"]
        if decay is not None:
            grad = grad + decay.term(GRAPH, variable)
        kinds = record.rule.accumulators(variable.shape)
        if (id(optimizer), id(param)) not in self.accumulators:
            made = [
                (self._declare(optimizer._name_of(param, kind.name), array), array)
                for kind, array in zip(kinds, record.state, strict=True)
            ]
            self.arrays += made
            self.accumulators[id(optimizer), id(param)] = [variable.name for variable, _ in made]
            self.states.append((optimizer, param, record, decay, factor))
        names = self.accumulators[id(optimizer), id(param)]
        state = {kind.slot: name for kind, name in zip(kinds, names, strict=True)}
        append_update(self.block, Update(record.rule, factor), variable, grad, rate, state)
        self.updated[variable.name] = param

    # ----- after a run -----

    def all_conditions(self) -> list[Callable[[], bool]]:
        """Return the checks of the state with which a call must begin."""
        needs = [partial(g.needs, g.tensor) for g in self.gradients.values() if g.needs]
        needs += [partial(is_plain_leaf, tensor) for tensor in dict.fromkeys(self.leaves)]
        states = self.states

        def update_alike() -> bool:
            for optimizer, param, record, decay, factor in states:
                if (
                    optimizer._states.get(param) is not record
                    or optimizer._penalty_of(param) is not decay
                    or record.own["learning_rate"] != factor
                ):
                    return False
            return True

        return [*needs, update_alike, *self.conditions]

    def effects(self, results: list[Variable]) -> Effects:
        """Return what a run changes; raise an error if a result could still go backward."""
        made = {name for op in self.released.values() for name in op.writes}
        for variable in results:
            if not variable.stop_gradient and variable.name not in made:
                raise errors.result_beside_backward(variable.name)
        held = self.gradients.values()
        changed = [g for g in held if g.now is not START and g.now is not g.before]
        return Effects(
            arrays=self.arrays,
            before=[(g.before, g.tensor) for g in held if g.before is not None],
            made={g.now.name: g.tensor for g in changed if isinstance(g.now, Variable)},
            cleared=[(g.tensor, g.now) for g in changed if not isinstance(g.now, Variable)],
            updated=list(self.updated.values()),
        )


@dataclass
class Effects:
    """What a run of the Program reads and changes beside its inputs and results.

    `arrays` has accumulators and learning rates, `before` the Tensors whose gradients a run reads,
    `made` those whose gradients it computes, `cleared` those whose gradients it clears, `updated`
    the parameters.
    """

    arrays: list[tuple[Variable, Any]]
    before: list[tuple[Variable, Tensor]]
    made: dict[str, Tensor]
    cleared: list[tuple[Tensor, Content | None]]
    updated: list[Tensor]


def clear_gradient(tensor: Tensor, content: Content) -> None:
    """Set a gradient to zeros after a run."""
    if (content is ZEROS or tensor._grad is not None) and not is_zeros(tensor):
        array = tensor._data
        tensor._grad = new_tensor(namespace(array).zeros_like(array), False)
        rare(tensor).zeros = ref(tensor._grad)


class Released(Node):
    """Node of a result, whose graph the function's own backward has used and released."""

    __slots__ = ()
    title = "to_static"

    def visit(self, grad: Any, retain_graph: bool) -> tuple[Any, ...]:  # noqa: ARG002
        raise refusals.released(self.title)

    def visit_graph(self, grad: Any) -> tuple[Any, ...]:  # noqa: ARG002
        raise refusals.released(self.title)


def released_node(variable: Variable) -> Released | None:
    """Return the node of a result's Tensor."""
    return None if variable.stop_gradient else Released(())
