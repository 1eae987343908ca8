"""Run a traced function as a Program, as one node of the tape."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from ..device import current_place
from ..engine import modes
from ..engine.pylayer.pylayer import PyLayer
from ..engine.structures import map_structure
from ..engine.tensor import Tensor, changed_in_place, new_tensor
from ..static.executor import Executor, steps_for
from ..static.minimize import write_rates
from ..static.mode import add_gradients
from ..static.program import Program
from ..static.scope import Scope
from ..static.variable import Variable
from . import errors
from .tracing import Traced, variables_in
from .training import Effects, clear_gradient, released_node

_stops = attrgetter("_stop")


class Placeholder:
    """Place of a Variable's value in a result."""

    def __init__(self, name: str) -> None:
        self.name = name


class Runner:
    """A traced function with the Programs of its results and of its gradients.

    Captured Tensors are in `scope`, in their own memory; `saved` names the results that only the
    gradients need.
    """

    def __init__(self, traced: Traced, name: str) -> None:
        self.traced, self.name = traced, name
        self.results = variables_in(traced.outputs)
        self.names = tuple([v.name for v in self.results])
        self.inputs = [v.name for v in traced.inputs]
        self.captured = [tensor for _, tensor in traced.captured]
        self.graded = any(not v.stop_gradient for v in self.results)
        self.template = map_structure(
            lambda x: Placeholder(x.name) if isinstance(x, Variable) else x, traced.outputs
        )
        self.forward = traced.program
        self.backward: Program | None = None
        self.saved: list[str] = []
        self.seeds: dict[str, str] = {}  # result -> Variable of its gradient
        self.grads: list[str | None] = []  # gradient of each input, then of each captured Tensor
        self.scope = Scope()
        self.shared = [(self.scope.var(v.name).tensor, t) for v, t in traced.captured]
        self.executors: dict[Any, Executor] = {}
        written = {name for op in self.forward.global_block().ops for name in op.writes}
        self.updated = [
            shared
            for (v, _), shared in zip(traced.captured, self.shared, strict=True)
            if v.name in written
        ]
        if traced.effects:
            for variable, array in traced.effects.arrays:
                self.scope.var(variable.name).tensor.array = array
            before = traced.effects.before
            self.grads_before = [(self.scope.var(v.name).tensor, tensor) for v, tensor in before]
            self.fetches = (*self.names, *traced.effects.made)

    # ----- building -----

    def build_gradients(self) -> None:
        """Build the Program of the gradients, which reads inputs, results and what is saved."""
        whole = self.forward.clone()
        block, count = whole.global_block(), len(whole.global_block().ops)
        targets = [v.name for v in self.results if not v.stop_gradient]
        wanted = [*self.traced.inputs, *(variable for variable, _ in self.traced.captured)]
        seeds, self.grads = add_gradients(whole, targets, [v.name for v in wanted])
        self.seeds = dict(zip(targets, seeds, strict=True))
        del block.ops[:count]
        written = {name for op in block.ops for name in op.writes}
        read = dict.fromkeys(name for op in block.ops for name in op.reads if name not in written)
        known = {*(v.name for v in wanted), *self.seeds.values()}
        self.saved = [name for name in read if name not in known]
        for name in read:
            block.vars[name].is_data = not block.vars[name].persistable
        whole.drop_runs()
        self.backward = whole

    # ----- running -----

    def run(self, program: Program, fetches: tuple[str, ...], feed: dict[str, Any]) -> list[Any]:
        """Run a Program on the current device, in the memory of the captured Tensors."""
        for stored, tensor in self.shared:
            stored.array = tensor._data
        place = current_place()
        executor = self.executors.get(place) or self.executors.setdefault(place, Executor(place))
        write_rates(program, self.scope)
        results = executor.run_steps(steps_for(program, fetches), feed, self.scope)
        for stored, tensor in self.updated:
            if stored.array is not tensor._data:
                tensor._data[...] = stored.array
                changed_in_place(tensor, counts=0)
        return results

    def __call__(self, tensors: list[Tensor]) -> Any:
        """Return the function's result for the Tensors among its arguments."""
        if self.traced.effects:
            return self.train(self.traced.effects, tensors)
        given = (*tensors, *self.captured)
        wanted = self.graded and modes.grad_enabled.get() and not all(map(_stops, given))
        if not self.results:
            self.run(self.forward, (), self.feed(tensors))
            return self.traced.outputs
        if wanted:
            if self.backward is None:
                self.build_gradients()
            made = ProgramCall.apply(self, *given)
            values = [made] if isinstance(made, Tensor) else list(made)
        else:
            values = list(map(Tensor, self.run(self.forward, self.names, self.feed(tensors))))
        return self.with_values(dict(zip(self.names, values, strict=True)))

    def train(self, effects: Effects, tensors: list[Tensor]) -> Any:
        """Run a function that calls backward itself; store the gradients that it leaves."""
        for stored, tensor in self.grads_before:
            stored.array = tensor._grad._data  # type: ignore[union-attr]
        values = self.run(self.forward, self.fetches, self.feed(tensors))
        found = dict(zip(self.fetches, values, strict=True))
        for name, tensor in effects.made.items():
            tensor._grad = new_tensor(found[name], False)
        for tensor, content in effects.cleared:
            if content is None:
                tensor._grad = None
            else:
                clear_gradient(tensor, content)
        for param in effects.updated:
            changed_in_place(param, counts=0)
        return self.with_values(
            {
                v.name: new_tensor(found[v.name], v.stop_gradient, released_node(v))
                for v in self.results
            }
        )

    def with_values(self, named: dict[str, Tensor]) -> Any:
        """Return the function's result with Tensors in place of its Variables."""
        return map_structure(
            lambda item: named[item.name] if item.__class__ is Placeholder else item, self.template
        )

    def feed(self, tensors: Any) -> dict[str, Any]:
        return {name: t._data for name, t in zip(self.inputs, tensors, strict=True)}


class ProgramCall(PyLayer):
    """Node of the tape for a run of a Program; backward runs the Program of its gradients."""

    @staticmethod
    def forward(ctx: Any, runner: Runner, *tensors: Tensor) -> Any:
        names = (*runner.names, *runner.saved)
        inputs = tensors[: len(runner.inputs)]
        values = runner.run(runner.forward, names, runner.feed(inputs))
        outs = [Tensor(value) for value in values[: len(runner.results)]]
        stopped = [out for out, v in zip(outs, runner.results, strict=True) if v.stop_gradient]
        if stopped:
            ctx.mark_non_differentiable(*stopped)
        ctx.runner, ctx.kept = runner, dict(zip(names, values, strict=True))
        ctx.save_for_backward(*tensors)
        return tuple(outs)

    @staticmethod
    def backward(ctx: Any, *douts: Tensor) -> Any:
        runner, tensors = ctx.runner, ctx.saved_tensor()
        if modes.grad_enabled.get():
            raise errors.second_gradient(runner.name)
        names = tuple(dict.fromkeys(name for name in runner.grads if name))
        pairs = zip(runner.results, douts, strict=True)
        seeds = {runner.seeds[v.name]: d._data for v, d in pairs if v.name in runner.seeds}
        kept = {name: ctx.kept[name] for name in runner.saved}
        feed = {**runner.feed(tensors[: len(runner.inputs)]), **kept, **seeds}
        found = dict(zip(names, runner.run(runner.backward, names, feed), strict=True))
        return tuple(
            Tensor(found[name]) if name and not tensor._stop else None
            for name, tensor in zip(runner.grads, tensors, strict=True)
        )
