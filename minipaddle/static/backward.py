"""append_backward and gradients: operators that compute gradients, added to the Program.

`Plan` finds the operators on a path from the targets back to a source, and the number of gradients
that each Variable receives. `Gradients` appends their gradient operators, from the targets back.
If a Variable receives several gradients, each has its own name, and an operator `sum` adds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import Any

from ..engine.errors import InvalidArgument, Unimplemented
from ..errors import misfit
from ..ops import REGISTRY
from ..ops.arguments import as_list
from ..ops.errors import shape
from ..ops.making.creation import fill_like
from . import errors
from .block import Block, Wholly
from .errors import fits, require_static, require_type
from .grad_ops import (
    graded_results,
    gradient_of,
    gradient_variable,
    has_zeros_for_unused,
    is_differentiable,
)
from .higher_order import expand
from .op_calls import operator_of
from .operator import BACKWARD, LOSS, Operator
from .variable import Parameter, Variable


class Plan:
    """Operators that get a gradient operator, and the number of gradients of each Variable."""

    def __init__(
        self, block: Block, targets: list[Variable], sources: set[str], stopped: Container[str]
    ) -> None:
        self.block, self.before = block, list(block.vars)
        self.same, order = expand(block, targets, sources)
        self.wanting = self._dependents(order, sources, stopped)
        self.targets = [self.name(target.name) for target in targets]
        self.count = Counter(self.targets)
        self.path: list[Operator] = []
        for op in reversed(order):
            if self._on_path(op):
                self.path.append(op)
                self.count.update(n for n in map(self.name, op.reads) if n in self.wanting)
        self._reject_overwritten()

    def _reject_overwritten(self) -> None:
        """Raise an error for a Variable written twice: two values would share a gradient name."""
        written = Counter(name for op in self.block.ops for name in op.writes)
        for op in self.path:
            for name in (*op.writes, *op.reads):
                twice = written[name] > 1 or (name in op.reads and name in op.writes)
                if twice and name in self.wanting and not self.block.vars[name].persistable:
                    writers = [w for w in self.block.ops if name in w.writes]
                    raise errors.overwritten(name, writers)

    def name(self, name: str) -> str:
        """Return the name of the Variable that replaces this one in gradients of gradients."""
        return self.same.get(name, name)

    def _dependents(
        self, order: list[Operator], sources: set[str], stopped: Container[str]
    ) -> set[str]:
        """Return the names that depend on the sources through differentiable operators."""
        wanting = {name for name in sources if name not in stopped}
        for op in order:
            if is_differentiable(op) and any(self.name(n) in wanting for n in op.reads):
                wanting.update(n for n in graded_results(op) if self._lets_gradient_in(n, stopped))
        return wanting

    def _lets_gradient_in(self, name: str, stopped: Container[str]) -> bool:
        var = self.block.vars[name]
        return not var.stop_gradient and name not in stopped and var.dtype.numpy.kind in "fc"

    def _on_path(self, op: Operator) -> bool:
        return (
            is_differentiable(op)
            and any(self.count[name] and name in self.wanting for name in graded_results(op))
            and any(self.name(name) in self.wanting for name in op.reads)
        )


class Gradients:
    """Builder of the operators of a plan, which tracks the gradients that exist already."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.block = plan.block
        self.prefix = self._free_prefix()
        self.arrived: dict[str, list[str]] = {}
        self.done: dict[str, str] = {}  # Variable -> its complete gradient
        self.callbacks: Sequence[Any] = ()  # functions to call after each operator

    def _free_prefix(self) -> str:
        """Return a free prefix: a second pass gives grad/grad/x@GRAD, a third one grad/ more."""
        prefix = ""
        while any(f"{prefix}{name}@GRAD" in self.block.vars for name in self.plan.count):
            prefix += "grad/" if prefix else "grad/grad/"
        return prefix

    def final(self, name: str) -> str:
        return f"{self.prefix}{name}@GRAD"

    def place_for(self, name: str) -> str:
        """Declare the Variable of the next gradient of a Variable, and return its name."""
        arrived = self.arrived.setdefault(name, [])
        grad = self.final(name)
        if self.plan.count[name] > 1:
            grad += f"@RENAME@block0@{len(arrived)}"
        arrived.append(grad)
        gradient_variable(self.block, grad, self.block.vars[name])
        return grad

    def accept(self, name: str, grad: str) -> None:
        """Note a gradient that the caller gave, so that no operator computes it."""
        self.arrived.setdefault(name, []).append(grad)

    def complete(self, name: str) -> None:
        """Add up the gradients of a Variable if all exist."""
        arrived = self.arrived[name]
        if len(arrived) < self.plan.count[name]:
            return
        if len(arrived) == 1:
            self.done[name] = arrived[0]
            return
        total = gradient_variable(self.block, self.final(name), self.block.vars[name])
        parts = [self.block.vars[part] for part in arrived]
        self.append(operator_of(self.block, REGISTRY["add_n"], {}, (parts,), [total]), "add_n", "")
        self.done[name] = total.name

    def append(self, op: Operator, record: str, namescope: str | None = None) -> None:
        if namescope is not None:
            op.attrs["op_namescope"] = namescope
        self.block.append(op, record)
        originals = {name: name.partition("@GRAD")[0] for name in op.writes}
        for callback in self.callbacks:
            callback(block=self.block, context={**originals, "__current_op_desc__": op})

    def walk(self) -> None:
        """Append one gradient operator for each operator of the path, from the targets back."""
        for op in self.plan.path:
            douts = [self._gradient_or_zeros(op, name) for name in graded_results(op)]
            grads: list[str | None] = []
            arguments = [
                None if name is None else self.plan.name(name) for name in op.argument_names
            ]
            names = [name for name in arguments if name is not None]
            for name in arguments:
                reached = name is not None and name in self.plan.wanting
                grads.append(self.place_for(name) if reached else None)  # type: ignore[arg-type]
            operator = gradient_of(op, douts, grads)
            operator.attrs["op_role_var"] = self._parameter_gradients(names)
            record = getattr(getattr(op.kernel, "op", None), "name", op.type)
            self.append(operator, record)
            for name in dict.fromkeys(n for n in names if n in self.plan.wanting):
                self.complete(name)
        variables, before = self.block.vars, self.plan.before
        order = (*before, *sorted(set(variables) - set(before)))  # new ones sorted, as in Paddle
        self.block.vars = {name: variables[name] for name in order}

    def _gradient_or_zeros(self, op: Operator, name: str) -> str | None:
        if name not in self.done and has_zeros_for_unused(op):
            zeros = gradient_variable(self.block, self.final(name), self.block.vars[name])
            self.fill(zeros, self.block.vars[name], 0.0)
            self.done[name] = zeros.name
        return self.done.get(name)

    def fill(self, grad: Variable, like: Variable, value: float, **options: Any) -> Operator:
        """Append the operator that gives a gradient one value in all its elements."""
        values = fill_like.complete({"value": value, **options})
        operator = operator_of(self.block, fill_like, values, (like,), [grad])
        self.append(operator, "fill_like", "")
        return operator

    def _parameter_gradients(self, names: list[str]) -> list[str]:
        return [
            part
            for name in dict.fromkeys(names)
            if isinstance(self.block.vars[name], Parameter) and name in self.plan.wanting
            for part in (name, self.final(name))
        ]


# ----- the public functions -----------------------------------------------------------------------


def append_backward(
    loss: Variable,
    parameter_list: Any = None,
    no_grad_set: Any = None,
    callbacks: Any = None,
    checkpoints: Any = None,
    distop_context: Any = None,
) -> list[tuple[Any, Variable]]:
    """Add the operators that compute the gradient of `loss`; return (parameter, gradient) pairs.

    Only trainable parameters are paired, or the Variables in parameter_list, in its order; no
    gradient flows through Variables in no_grad_set. After each gradient operator
    `callback(block, context)` is called; the context says of which Variable each gradient is, and
    holds the operator under "__current_op_desc__". TypeError for a loss that is no Variable.
    Source: Paddle's `paddle.static.append_backward`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     x = paddle.static.data("x", [2, 3])
    ...     loss = paddle.mean(paddle.static.nn.fc(x, 1))
    ...     pairs = paddle.static.append_backward(loss)
    >>> [(p.name, g.name) for p, g in pairs]
    [('fc_0.w_0', 'fc_0.w_0@GRAD'), ('fc_0.b_0', 'fc_0.b_0@GRAD')]
    >>> paddle.disable_static()
    """
    require_static("append_backward")
    require_type(loss, (Variable,), "loss", "append_backward")
    callbacks = () if callbacks is None else callbacks
    if not (isinstance(callbacks, (list, tuple)) and all(map(callable, callbacks))):
        expected, fix = "a list of functions callback(block, context)", "write callbacks=[function]"
        function, kind = "append_backward", InvalidArgument
        raise errors.wrong_argument(function, "callbacks", callbacks, expected, fix, kind)
    for option, value in (("checkpoints", checkpoints), ("distop_context", distop_context)):
        if value:
            fix = "leave it out: all values that the gradients need are kept"
            given = {option: type(value).__name__}
            raise misfit("append_backward", f"{option}=None", Unimplemented, fix, **given)
    block = loss.block
    stopped = names_of(no_grad_set, "no_grad_set", "append_backward")
    sources = {
        var.name
        for var in block.vars.values()
        if not var.stop_gradient and var.dtype.numpy.kind in "fc"
    }
    chosen: Iterable[str] = names_of(parameter_list, "parameter_list", "append_backward")
    if parameter_list is None:
        chosen = [parameter.name for parameter in block.all_parameters()]
    forward = list(block.ops)
    with Wholly(block), block.program.mark_operators(BACKWARD, "append_backward"):
        plan = Plan(block, [loss], sources, stopped)
        if loss.name not in plan.wanting:
            return []
        grads = Gradients(plan)
        _seed_loss(grads, loss)
        grads.callbacks = callbacks
        grads.walk()
    for op in forward:
        if loss.name in op.writes:
            op.attrs["op_role"] |= LOSS
    return [
        (block.vars[name], block.vars[grads.done[name]]) for name in chosen if name in grads.done
    ]


def gradients(
    targets: Any, inputs: Any, target_gradients: Any = None, no_grad_set: Any = None
) -> list[Variable | None]:
    """Add the operators that compute d(sum of targets)/d(inputs); return their Variables.

    target_gradients weigh the targets (default: ones). None for an input on which no target
    depends; [] if that is so for all. ValueError for a weight of another shape. Source: Paddle's
    `paddle.static.gradients`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [2])
    ...     x.stop_gradient = False
    ...     (dx,) = paddle.static.gradients(x * x, x)
    >>> dx.name
    'x@GRAD'
    >>> paddle.disable_static()
    """
    require_static("gradients")
    wanted_targets = _check_variables(targets, "targets")
    wanted_inputs = _check_variables(inputs, "inputs")
    seeds = _check_seeds(wanted_targets, target_gradients)
    block = wanted_targets[0].block
    sources = {var.name for var in wanted_inputs if not var.stop_gradient}
    stopped = names_of(no_grad_set, "no_grad_set", "gradients")
    with Wholly(block), block.program.mark_operators(BACKWARD, "gradients"):
        plan = Plan(block, wanted_targets, sources, stopped)
        grads = Gradients(plan)
        _seed_targets(grads, seeds)
        grads.walk()
    variables = [
        block.vars[grads.done[name]]
        if (name := plan.name(var.name)) in grads.done and name in plan.wanting
        else None
        for var in wanted_inputs
    ]
    return variables if any(grad is not None for grad in variables) else []


def _seed_loss(grads: Gradients, loss: Variable) -> None:
    """Append the first gradient: d loss / d loss = 1."""
    block, full = grads.block, REGISTRY["full"]
    name = grads.plan.name(loss.name)
    seed = block.vars[grads.place_for(name)]
    if -1 in loss.shape:
        operator = grads.fill(seed, loss, 1.0)
    else:
        values = full.complete({"shape": loss.shape, "fill_value": 1.0, "dtype": loss.dtype})
        operator = operator_of(block, full, values, (), [seed], {"str_value": ""})
        grads.append(operator, "full", "")
    operator.attrs["op_role"] = BACKWARD | LOSS
    grads.complete(name)


def _seed_targets(grads: Gradients, seeds: list[tuple[Variable, Variable | None]]) -> None:
    for target, weight in seeds:
        name = grads.plan.name(target.name)
        if weight is not None:
            grads.accept(name, weight.name)
        elif name in grads.plan.wanting:
            seed = grads.block.vars[grads.place_for(name)]
            grads.fill(seed, target, 1.0, dtype=target.dtype)
        else:
            continue
        grads.complete(name)


# ----- the arguments ------------------------------------------------------------------------------


def _check_variables(value: Any, argument: str) -> list[Variable]:
    items = as_list(value)
    for item in items:
        require_type(item, (Variable,), argument, "gradients")
    if not items:
        raise errors.none_given("gradients", argument)
    return items


def _check_seeds(
    targets: list[Variable], target_gradients: Any
) -> list[tuple[Variable, Variable | None]]:
    if target_gradients is None:
        return [(target, None) for target in targets]
    weights = as_list(target_gradients)
    if len(weights) != len(targets):
        expected = f"{len(targets)} target_gradients, one for each target"
        raise misfit("gradients", expected, target_gradients=len(weights))
    for target, weight in zip(targets, weights, strict=True):
        if weight is not None and not fits(target.shape, weight.shape):
            raise shape("gradients", target.shape, target_gradient=weight, target=target)
    return list(zip(targets, weights, strict=True))


def names_of(value: Any, argument: str, function: str) -> dict[str, None]:
    """Return the names in a list of Variables or names, as keys."""
    if value is None:
        return {}
    if isinstance(value, (str, Variable)):
        expected = "a list, tuple or set of Variables or names"
        raise errors.wrong_argument(function, argument, value, expected, f"write {argument}=[...]")
    for item in value:
        require_type(item, (Variable, str), argument, function)
    return dict.fromkeys(item if isinstance(item, str) else item.name for item in value)
