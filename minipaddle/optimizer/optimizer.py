"""Base class of all optimizers: parameters, state, and the step.

Each optimizer has a Rule (`rule.py`): the state of a parameter, and how arrays change in place.
`step` runs it on eager parameters; a static Program gets operators that run the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..device import beside
from ..engine import modes
from ..engine.errors import CheckFailed
from ..engine.grad_mode import no_grad
from ..engine.tensor import Tensor, rare
from ..errors import state_not_dict, wrong_type
from ..ops.rule_functions import GRAPH
from . import checks, errors
from .checks import Group
from .dynamic_step import DynamicStep, saved_array, scheduler_state
from .lr import LambdaDecay, LRScheduler

Pairs = list[tuple[Any, Any]]
IN_PROGRAMS = "in static mode the state is in the scope, and minimize does the rest"


class Optimizer(DynamicStep):
    """Base class: make an optimizer of a subclass, then after each backward call `step` and
    `clear_grad`; in static mode call `minimize` once.

    `learning_rate`: a float or a scheduler. `parameters`: a list, or a list of dicts, each a
    group with `params` and its own learning_rate (a factor), weight_decay, grad_clip and
    hyper-parameters. `weight_decay`: a number (an L2 penalty) or a regularizer.
    Source: Paddle's `paddle.optimizer.Optimizer`.

    Shapes and dtypes: any floating ones; state has those of the parameters.
    Errors: AttributeError without parameters; TypeError for a learning rate, parameters or
    grad_clip of another type.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> sgd = paddle.optimizer.SGD(learning_rate=0.5, parameters=[w])
    >>> (w * 3).backward(); sgd.step(); w.tolist()
    [-0.5]
    """

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradients to zeros, or with False to None."""
        tracer = modes.tracer()
        if tracer is None:
            self._require_dynamic("clear_grad", IN_PROGRAMS)
        for group in self._groups:
            for param in group.params:
                if (tracer or param._grad is not None) and not param._stop:
                    param.clear_gradient(set_to_zero)

    clear_gradients = clear_grad

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients to None, or with False to zeros."""
        self.clear_grad(not set_to_none)

    # ----- minimize, and its parts -----

    def minimize(
        self,
        loss: Any,
        startup_program: Any = None,
        parameters: Any = None,
        no_grad_set: Any = None,
    ) -> tuple[list[Any], Pairs]:
        """Take one step; in static mode add the operators of gradients and step to the Program.

        In dynamic mode backward() has made the gradients, whatever `no_grad_set` says.
        Returns the operators and the pairs of parameter and gradient."""
        builder = modes.here().builder
        if builder is not None and builder.traces:  # the function has called backward()
            builder.training.step(self, parameters)
            return [], builder.training.pairs(parameters or self._parameter_list)
        if builder is not None:
            with builder.build_all_or_none(loss, startup_program):
                pairs = self.backward(loss, startup_program, parameters, no_grad_set)
                return builder.apply_gradients(self, pairs, startup_program), pairs
        pairs = self.backward(loss, startup_program, parameters, no_grad_set)
        if parameters:
            self._update_all(self._pairs_by_group(pairs))
        else:
            self.step()
        return [], pairs

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,  # noqa: ARG002
        parameters: Any = None,
        no_grad_set: Any = None,
        callbacks: Any = None,  # noqa: ARG002
    ) -> Pairs:
        """Do the first half of `minimize`; return pairs of parameter and gradient.

        Gradients need no startup program, and callbacks change nothing.
        """
        if not hasattr(loss, "stop_gradient"):
            expected = "a Tensor, or a Variable in static mode"
            fix = "pass what the loss function returned"
            raise wrong_type("The loss should be a Tensor.", loss, expected, fix, CheckFailed)
        builder = modes.here().builder
        if builder is not None:
            trained = parameters or self._parameter_list
            return builder.backward(loss, trained, no_grad_set)
        if not isinstance(loss, Tensor):
            raise errors.minimized_outside_program()
        params = checks.members(list(parameters or self._parameter_list or ()))
        return [(p, p._grad) for p in params if p._grad is not None and not p._stop]

    def apply_gradients(self, params_grads: Pairs) -> list[Any]:
        """Do the second half of `minimize`: clip gradients, add penalties, change parameters.
        In static mode returns the update operators."""
        builder = modes.here().builder
        if builder is not None:
            return builder.apply_gradients(self, params_grads)
        self._update_all(self._pairs_by_group(params_grads))
        return []

    def _pairs_by_group(self, pairs: Pairs) -> list[tuple[Any, list[Any]]]:
        """Return gradients by groups; parameters in no group get the optimizer's settings."""
        grads = {param: grad._data for param, grad in pairs if grad is not None}
        if not self._group_of:
            return [(self._groups[0], list(grads.items()))]
        grouped: list[tuple[Any, list[Any]]] = [
            (group, [(param, grads.pop(param)) for param in group.params if param in grads])
            for group in self._groups
        ]
        own = Group([], self._grad_clip, self.regularization, 1.0, {})
        return [*grouped, (own, list(grads.items()))]

    def append_regularization_ops(
        self, parameters_and_grads: Pairs, regularization: Any = None
    ) -> Pairs:
        """Return the pairs with the gradient of a penalty added: the parameter's own, else
        `regularization`."""
        penalized = []
        with no_grad():
            for param, grad in parameters_and_grads:
                penalty = getattr(param, "regularizer", None) or regularization
                if grad is not None and penalty is not None:
                    grad = GRAPH.add_n([grad, penalty.term(GRAPH, param)])
                penalized.append((param, grad))
        return penalized

    # ----- saving and loading -----

    def state_dict(self) -> dict[str, Any]:
        """Return all accumulators, as Tensors by name (`linear_0.w_0_moment1_0`), and under
        `LR_Scheduler` the scheduler's state."""
        self._require_dynamic("state_dict", "use static.save, or the scope's tensors")
        rows = []
        for param, record in self._states.items():
            kinds = record.rule.accumulators(param._data.shape)
            for order, (kind, array) in enumerate(zip(kinds, record.state, strict=True)):
                rows.append((order, self._name_of(param, kind.name), array))
        state = {} if rows else dict(self._loaded)
        for _, name, array in sorted(rows, key=lambda row: row[0]):
            state[name] = Tensor(array.copy())
            rare(state[name]).name = name
        if isinstance(self._learning_rate, LRScheduler):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state of another optimizer whose parameters have the same names.

        CheckFailed (AssertionError) if something is missing or has another shape.
        """
        self._require_dynamic("set_state_dict", "use static.load, or the scope's tensors")
        if not isinstance(state_dict, Mapping):
            raise state_not_dict(state_dict, CheckFailed)
        state, scheduler = dict(state_dict), self._learning_rate
        if isinstance(scheduler, LRScheduler):
            saved = scheduler_state(state, not isinstance(scheduler, LambdaDecay))
            if saved:
                scheduler.set_state_dict(saved)
        for other in ("LR_Scheduler", "master_weights"):
            state.pop(other, None)
        self._loaded = state
        for param, record in self._states.items():
            kinds = record.rule.accumulators(param._data.shape)
            for kind, array in zip(kinds, record.state, strict=True):
                name = self._name_of(param, kind.name)
                array[...] = beside(saved_array(state, name, array.shape), array)

    load_state_dict = set_state_dict

    def get_opti_var_name_list(self) -> list[str]:
        """Return the names of all accumulators."""
        return [name for name in self.state_dict() if name != "LR_Scheduler"]
