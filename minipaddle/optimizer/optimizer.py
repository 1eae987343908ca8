"""The base of all optimizers: parameters, state, and the step.

A kind of optimizer says in `accumulators` what it remembers of each parameter, and in `update`
how arrays change in place. `step` runs it on eager parameters; a static Program gets an operator
that runs the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .. import dispatch, events, modes, naming, places
from ..core import Tensor, changed_in_place, rare, seen, value_of
from ..device import beside, namespace, to_numpy
from ..errors import CheckFailed, InvalidType, ModeError
from . import checks

ndarray = np.ndarray
PLAIN = {"learning_rate": 1.0}  # the settings of a Tensor that is no Parameter


class Accumulator(NamedTuple):
    """Something remembered of a parameter: operator slot, name, first value, shape.

    On a device it lives beside the parameter, unless it is a number that the host computes with.
    """

    slot: str
    name: str
    fill: float
    shape: tuple[int, ...]
    host: bool = False


class Memory(NamedTuple):
    """What an optimizer holds for one parameter: its accumulators, room to compute in, and the
    parameter's own settings."""

    state: tuple[Any, ...]
    work: Any
    own: dict[str, Any]


class Optimizer:
    """The base class: make one of its kinds, then after each backward call `step` and
    `clear_grad`; in static mode call `minimize` once.

    InvalidType for a learning rate that is no float, NoSuchName (AttributeError) where
    `parameters` is missing. Source: Paddle's `paddle.optimizer.Optimizer`.

    >>> import minipaddle as paddle
    >>> w = paddle.to_tensor([1.0], stop_gradient=False)
    >>> sgd = paddle.optimizer.SGD(learning_rate=0.5, parameters=[w])
    >>> (w * 3).backward(); sgd.step(); w.tolist()
    [-0.5]
    """

    type = ""  # Paddle's operator

    def __init__(
        self,
        learning_rate: Any,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        self._parameters = checks.parameters(parameters)
        self._rate = checks.learning_rate(learning_rate)
        self.decay = checks.weight_decay(weight_decay)
        checks.grad_clip(grad_clip)
        self.grad_clip = grad_clip
        self._lr_name = naming.unique("learning_rate")
        self._name = name
        self._memory: dict[Any, Memory] = {}

    # ----- what a kind defines -----

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes of Paddle's operator."""
        return {}

    def accumulators(self, shape: tuple[int, ...]) -> tuple[Accumulator, ...]:  # noqa: ARG002
        """What is remembered of a parameter of this shape."""
        return ()

    def update(
        self, xp: Any, param: Any, grad: Any, lr: Any, state: tuple[Any, ...], work: Any
    ) -> None:
        """Change `param` and `state` in place; `work` is room of the parameter's size."""
        raise NotImplementedError

    # ----- eager -----

    def step(self) -> None:
        """Change every parameter that has a gradient."""
        if dispatch._gate is not None and not self._may_be_quiet():
            self._step_aloud()
            return
        for param in self._trained():
            self._apply(param)

    def _may_be_quiet(self) -> bool:
        now = modes.here()
        if now.builder is not None:
            raise ModeError(
                "We only support 'step()' in dynamic graph mode.",
                expected="minimize(loss), once, while the Program is built",
                received="step() in static mode",
                fix="call minimize(loss), or paddle.disable_static() for the dynamic mode",
            )
        return not now.listeners

    def _trained(self) -> list[Any]:
        return [p for p in self._parameters or () if p._grad is not None and not p._stop]

    def _apply(self, param: Any) -> None:
        """Change one parameter."""
        state, work, own = self._memory.get(param) or self._remember(param)
        array, grad = param._data, param._grad._data
        if work.dtype is not array.dtype or work.__class__ is not array.__class__:
            state, work, own = self._follow(param)
        xp = np if array.__class__ is ndarray else namespace(array)
        if self.decay:
            grad = grad + array * array.dtype.type(self.decay)
        self.update(xp, array, grad, self._rate * own["learning_rate"], state, work)
        changed_in_place(param)

    def _remember(self, param: Any) -> Memory:
        array = param._data
        xp = namespace(array)
        state = tuple(
            (np if kind.host else xp).full(kind.shape, kind.fill, array.dtype)
            for kind in self.accumulators(array.shape)
        )
        own = getattr(param, "optimize_attr", PLAIN)
        self._memory[param] = held = Memory(state, xp.empty_like(array), own)
        return held

    def _follow(self, param: Any) -> Memory:
        """What is held of a parameter that took another dtype or device, taken there too."""
        held, fresh = self._memory[param].state, self._remember(param)
        for old, new in zip(held, fresh.state, strict=True):
            new[...] = beside(old, new)
        return fresh

    def _step_aloud(self) -> None:
        """The same step, told to the listeners."""
        scope, place, name = naming.next_id(), places.here(), type(self).__name__
        events.emit(events.ScopeEntered(scope, "optimizer", name, 0, (), place))
        with events.failing("scope", scope, place):
            for param in self._trained():
                before = param._data.copy()
                self._apply(param)
                grad = value_of(param._grad)
                events.emit(
                    events.ParameterUpdated(name, seen(param), grad, value_of(before), place)
                )
        events.emit(events.ScopeLeft(scope, "optimizer", name, 0, ()))

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradients to zeros, or with False to None."""
        for param in self._parameters or ():
            if param._grad is not None and not param._stop:
                param.clear_gradient(set_to_zero)

    zero_grad = clear_grad

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None,
        no_grad_set: Any = None,
    ) -> tuple[list[Any], list[tuple[Any, Any]]]:  # fmt: skip
        """In static mode add the gradient operators of `loss` and this optimizer's own; in
        dynamic mode use the gradients that backward() has made. Returns the operators and the
        pairs of parameter and gradient."""
        if not hasattr(loss, "stop_gradient"):
            raise CheckFailed(
                "The loss should be an Tensor.",
                expected="a Tensor, or a Variable in static mode",
                received=f"{type(loss).__name__} {loss!r:.40}",
                fix="pass what the loss function returned",
            )
        builder = modes.here().builder
        if builder is not None:
            made: tuple[list[Any], list[tuple[Any, Any]]] = builder.minimize(
                self, loss, startup_program, parameters, no_grad_set
            )
            return made
        if not isinstance(loss, Tensor):
            raise ModeError(
                "minimize(): the loss is a Variable of a Program, but the mode is dynamic.",
                expected="static mode",
                received="dynamic mode",
                fix="call paddle.enable_static() first, and minimize inside program_guard",
            )
        pairs = [(param, param._grad) for param in self._trained()]
        self.step()
        return [], pairs

    # ----- the learning rate -----

    def get_lr(self) -> float:
        """The learning rate of the next step."""
        return self._rate

    def set_lr(self, value: float) -> None:
        """Use this learning rate from now on."""
        if not isinstance(value, (int, float)):
            raise InvalidType(
                "The type of 'value' in optimizer.set_lr must be float, but received "
                f"{type(value)}.",
                expected="a float",
                received=f"{type(value).__name__} {value!r:.40}",
                fix="pass a number such as 0.01",
            )
        self._rate = float(value)

    # ----- saving and loading -----

    def state_dict(self) -> dict[str, Any]:
        """What is remembered, as Tensors by name: `linear_0.w_0_moment1_0`."""
        rows = []
        for param, held in self._memory.items():
            for order, (kind, array) in enumerate(
                zip(self.accumulators(param._data.shape), held.state, strict=True)
            ):
                rows.append((order, f"{param.name}_{kind.name}_0", array))
        state = {}
        for _, name, array in sorted(rows, key=lambda row: row[0]):
            state[name] = Tensor(array.copy())
            rare(state[name]).name = name
        return state

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take up what another optimizer remembered of parameters of the same names.

        CheckFailed (AssertionError) if something is missing or has another shape.
        """
        for param in self._parameters or ():
            if param._stop:
                continue
            kinds = self.accumulators(param._data.shape)
            held = self._memory.get(param) or self._remember(param)
            for kind, array in zip(kinds, held.state, strict=True):
                saved = _saved(state_dict, f"{param.name}_{kind.name}_0", array.shape)
                array[...] = beside(saved, array)


def _saved(state: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Any:
    """One array of a saved state, after making sure that it is there and fits."""
    value = state.get(name) if isinstance(state, Mapping) else None
    if value is None:
        raise CheckFailed(
            f"optimizer Tensor {name} not found.",
            expected=f"an array of shape {list(shape)} under that name",
            received="nothing",
            fix="load the state that this kind of optimizer saved for the same network",
        )
    array = to_numpy(value._data if isinstance(value, Tensor) else np.asarray(value))
    if array.shape != shape:
        raise CheckFailed(
            f"optimizer Tensor {name} does not fit.",
            expected=f"an array of shape {list(shape)}",
            received=f"shape {list(array.shape)}",
            fix="load the state that was saved for the same network",
        )
    return array
