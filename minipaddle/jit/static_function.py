"""to_static: a function that becomes a Program for each kind of arguments."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable
from copy import deepcopy
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..engine import modes
from ..engine.source_line import of_error, stacklevel
from ..engine.structures import items_in, map_structure
from ..engine.tensor import Tensor
from ..nn.layer import Layer
from ..static.declarations import InputSpec
from ..static.errors import fits
from . import errors
from .running import Runner
from .tracing import VALUES, Traced, trace

MOST_PROGRAMS = 10  # of one function; beyond, a warning says that its arguments vary
MOST_KEPT = 4  # Programs for one kind of arguments, with other layers' modes and Tensors around
_enabled = True


class State:
    """Programs of a function, by kind of arguments; `eager` if it cannot become one."""

    def __init__(self) -> None:
        self.runners: dict[Any, list[Runner]] = {}
        self.eager = False


class Identity:
    """Key that stands for an object itself, and keeps it alive."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class StaticFunction:
    """Function that runs as a Program; a new one is traced for each new kind of arguments."""

    def __init__(
        self, function: Any, input_spec: Any = None, full_graph: bool = False, owner: Any = None
    ) -> None:
        functools.update_wrapper(self, function)
        self.name: str = getattr(function, "__name__", type(function).__name__)
        self.dygraph_function = function
        self.input_spec, self.full_graph = input_spec, full_graph
        self.owner = owner  # the Layer whose forward this is
        self.state = State()
        self._states: WeakKeyDictionary[Any, State] = WeakKeyDictionary()  # of each instance

    @property
    def runners(self) -> dict[Any, list[Runner]]:
        return self.state.runners

    def __get__(self, instance: Any, _owner: type | None = None) -> Any:
        if instance is None:
            return self
        method = self.dygraph_function.__get__(instance)
        bound = StaticFunction(method, self.input_spec, self.full_graph, instance)
        bound.state = self._states.setdefault(instance, bound.state)
        return bound

    def __deepcopy__(self, memo: Any) -> StaticFunction:
        function, owner = deepcopy((self.dygraph_function, self.owner), memo)
        return StaticFunction(function, self.input_spec, self.full_graph, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the Program for arguments of this kind; a recording follows the ops one by one."""
        tensors: list[Tensor] = []
        kind = kind_of(args, tensors), kind_of(kwargs, tensors) if kwargs else None
        if any(isinstance(item, np.ndarray) for item in tensors):
            args, kwargs = map_structure(from_numpy, (args, kwargs))
            tensors = list(map(from_numpy, tensors))
        if self.state.eager or not _enabled or (modes.gate_open and is_unusual(modes.here())):
            return self.dygraph_function(*args, **kwargs)
        try:
            runner = self._runner_for(kind, args, kwargs)
        except Exception as error:
            if self.full_graph:
                raise
            result = self.dygraph_function(*args, **kwargs)  # raises the user's own mistakes
            self._run_eagerly_because_of(error)
            return result
        if runner.traced.effects and not modes.grad_enabled.get():
            return self.dygraph_function(*args, **kwargs)
        return runner(tensors)

    def _insert_specs(self, given: Any) -> Any:
        """Return the arguments with the InputSpecs that they fit in place of Tensors."""
        specs = iter(items_in(self.input_spec))

        def describe(item: Any) -> Any:
            spec: Any = next(specs, None)
            if not isinstance(item, Tensor) or not is_fitting(spec, item):
                return item
            return InputSpec(spec.shape, spec.dtype, spec.name, bool(item._stop))

        return map_structure(describe, given)

    def _runner_for(self, kind: Any, args: Any, kwargs: Any) -> Runner:
        """Return the runner for arguments of this kind."""
        if self.input_spec:
            args, kwargs = given = self._insert_specs((args, kwargs))
            kind = kind_of(given, [])
        runners = self.runners.setdefault(kind, [])
        for runner in runners:
            if runner.traced.still_holds():
                return runner
        traced = trace(self.dygraph_function, args, kwargs, self.owner)
        runners.append(Runner(traced, self.name))
        del runners[:-MOST_KEPT]
        if sum(map(len, self.runners.values())) == MOST_PROGRAMS:
            warnings.warn(
                f"to_static: '{self.name}' has {MOST_PROGRAMS} Programs, one for each kind of "
                "arguments. Give input_spec with None for sizes that vary, and pass numbers that "
                "vary as Tensors.",
                stacklevel=stacklevel(),
            )
        return runners[-1]

    def _run_eagerly_because_of(self, error: Exception) -> None:
        self.state.eager = True
        place = of_error(error)
        where = f" ({place})" if place else ""
        warnings.warn(
            f"to_static: '{self.name}' runs op by op, as it cannot become a Program{where}: "
            f"{str(error).strip().splitlines()[0] if str(error) else type(error).__name__}",
            stacklevel=stacklevel(),
        )

    # ----- the Program -----

    def traced_for(self, input_spec: Any = None) -> Traced:
        """Return the traced function for InputSpecs, or for the only kind of its calls so far."""
        spec = input_spec or self.input_spec
        if spec is not None:
            return trace(self.dygraph_function, tuple(spec), {}, self.owner)
        known = [runner.traced for runners in self.runners.values() for runner in runners[-1:]]
        if len(known) != 1:
            raise errors.no_kind(self.name, len(known))
        return known[0]

    @property
    def concrete_program(self) -> Traced:
        """The traced function: its Program, inputs, outputs and parameters."""
        return self.traced_for()

    @property
    def main_program(self) -> Any:
        """The Program of `concrete_program`."""
        return self.traced_for().program

    def train(self) -> None:
        """Put the layer whose method this is into training; do nothing for a function."""
        if isinstance(self.owner, Layer):
            self.owner.train()

    def eval(self) -> None:
        """Put the layer whose method this is into evaluation; do nothing for a function."""
        if isinstance(self.owner, Layer):
            self.owner.eval()

    def rollback(self) -> Any:
        """Return the function as it was; a Layer gets its own forward back."""
        if isinstance(self.owner, Layer):
            self.owner.__dict__.pop("forward", None)
        return self.dygraph_function


def is_unusual(here: modes.Modes) -> bool:
    """Return whether ops do more than compute in these modes."""
    return bool(here.builder or here.check_nan or here.amp or here.saved_hooks or here.listeners)


def from_numpy(value: Any) -> Any:
    return Tensor(value) if isinstance(value, np.ndarray) else value


def is_fitting(spec: Any, tensor: Tensor) -> bool:
    array = tensor._data
    return (
        isinstance(spec, InputSpec)
        and spec.dtype.numpy == array.dtype
        and fits(spec.shape, array.shape)
    )


def kind_of(value: Any, tensors: list[Any]) -> Any:
    """Return the key of a kind of arguments: shapes, dtypes, and everything but Tensors itself.

    Add Tensors and arrays, which become Tensors, to a list.
    """
    if isinstance(value, Tensor):
        tensors.append(value)
        return value._data.shape, value._data.dtype, bool(value._stop)
    if isinstance(value, dict):
        return dict, tuple([(key, kind_of(item, tensors)) for key, item in value.items()])
    if isinstance(value, (list, tuple)):
        return type(value), tuple([kind_of(item, tensors) for item in value])
    if isinstance(value, VALUES):
        return type(value), repr(value)
    if isinstance(value, np.ndarray):
        tensors.append(value)
        return value.shape, value.dtype, True
    return type(value), value if isinstance(value, InputSpec) else Identity(value)


def to_static(
    function: Any = None,
    input_spec: Any = None,
    build_strategy: Any = None,  # noqa: ARG001
    backend: str = "CINN",  # noqa: ARG001
    **kwargs: Any,
) -> Any:
    """Make a function or the forward of a Layer run as a Program, with gradients.

    The function runs once on Variables, in place of Tensors, for each new kind of arguments
    (shapes, dtypes, other values); each call then runs the Program. It is traced anew when the
    modes, parts, Tensors or plain values of its layers have changed, or a variable in its code
    holds another object.
    `input_spec`, with None for sizes that vary, makes one Program for all sizes. A function whose
    code depends on the values of tensors or on such sizes, changes tensors in place, or stores
    results in its Layer, runs op by op instead, with a warning; with `full_graph=True` that is an
    error. So does a function under `auto_cast` or a check of NaN. A whole training step may be a
    function: `backward()`, `step()` and `clear_grad()` inside become part of the Program.
    build_strategy and backend change nothing.
    Source: Paddle's `paddle.jit.to_static`.

    Errors: ValueError for anything but a function or a Layer.

    >>> @paddle.jit.to_static
    ... def squares(x):
    ...     return (x * x).sum()
    >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    >>> squares(x).backward(); x.grad.tolist()
    [2.0, 4.0]
    >>> [op.type for op in squares.main_program.global_block().ops]
    ['elementwise_mul', 'reduce_sum']
    """
    how = {"input_spec": input_spec, "full_graph": bool(kwargs.get("full_graph"))}
    if function is None:
        return lambda decorated: to_static(decorated, **how)
    if isinstance(function, StaticFunction):
        return function
    if isinstance(function, Layer):
        if not isinstance(function.forward, StaticFunction):
            made = StaticFunction(function.forward, owner=function, **how)
            function.forward = made  # type: ignore[method-assign]
        return function
    if not callable(function):
        raise errors.no_function(function)
    return StaticFunction(function, owner=getattr(function, "__self__", None), **how)


def not_to_static(func: Any = None) -> Any:
    """Return the function unchanged: a function inside one of to_static is traced with it.

    Errors: none.
    Source: Paddle's `paddle.jit.not_to_static`.

    >>> @paddle.jit.not_to_static
    ... def twice(x):
    ...     return x * 2.0
    >>> twice(paddle.ones([1])).tolist()
    [2.0]
    """
    return (lambda decorated: decorated) if func is None else func


def enable_to_static(enable_to_static_bool: bool) -> None:
    """Switch all functions of to_static to Programs (True) or to running op by op (False).

    Errors: none.
    Source: Paddle's `paddle.jit.enable_to_static`.

    >>> paddle.jit.enable_to_static(False)
    >>> paddle.jit.enable_to_static(True)
    """
    global _enabled
    _enabled = bool(enable_to_static_bool)


def ignore_module(modules: Iterable[Any]) -> None:
    """Do nothing: no module is translated, since functions are traced.

    Errors: none.
    Source: Paddle's `paddle.jit.ignore_module`.

    >>> paddle.jit.ignore_module([np])
    """
