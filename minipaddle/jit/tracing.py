"""Tracing: run a function once on Variables, so that its ops build a Program.

`Traced` holds the Program, the Tensors that the function used besides its arguments, and the
conditions under which the Program stands for the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dis import get_instructions
from itertools import chain
from operator import attrgetter, call, is_
from types import CellType, CodeType
from typing import Any

from ..engine import modes
from ..engine.grad_mode import enable_grad
from ..engine.guard import combine_guards
from ..engine.structures import items_in, map_structure
from ..engine.tensor import Tensor
from ..nn import watched
from ..nn.layer import Layer
from ..nn.watched import Watched
from ..ops import REGISTRY
from ..static.block import Block
from ..static.declarations import InputSpec
from ..static.mode import Builder
from ..static.program import Program, program_guard
from ..static.variable import Variable
from . import errors
from .training import Effects, Training

Condition = Callable[[], bool]
VALUES = (bool, int, float, complex, str, bytes, type(None))  # compared by value
_content = attrgetter("cell_contents")
_dtype, _stop = attrgetter("_data.dtype"), attrgetter("_stop")


class Tracer(Builder):
    """Builder of one Program, in which Tensors of the surroundings become persistable Variables.

    `layers` has each layer that is called, and its attributes before the call.
    """

    traces = True

    def __init__(self, program: Program) -> None:
        self.block = program.global_block()
        self.captured: dict[int, tuple[Variable, Tensor]] = {}
        self.inputs: list[Variable] = []
        self.training = Training(self)
        self.layers: dict[int, tuple[Any, dict[str, Any]]] = {}

    def current_block(self) -> Block:
        return self.block

    def as_variable(self, value: Any) -> Any:
        """Return the Variable that stands for a Tensor."""
        if not isinstance(value, Tensor):
            return value
        if id(value) not in self.captured:
            name: Any = value.name  # type: ignore[attr-defined]
            name = None if self.block.has_var(name) else name
            array, stop = value._data, bool(value._stop)
            variable = self.block.create_var(name, array.shape, array.dtype, True, stop)
            self.captured[id(value)] = variable, value
        return self.captured[id(value)][0]

    def create_parameter(self, family: str, *_rest: Any) -> Any:
        raise errors.parameter_inside(family)

    def enter_layer(self, layer: Any) -> None:
        self.layers.setdefault(id(layer), (layer, dict(vars(layer))))

    def read_condition(self, variable: Variable) -> None:  # noqa: ARG002
        raise errors.reads_values("bool()")

    def change_in_place(self, name: str) -> None:
        raise errors.changes_in_place(name)

    def refuse(self, what: str) -> None:
        """Raise an error for a change that the Program could not make in each run."""
        raise errors.changes_once(what)

    def read_size(self, variable: Variable) -> None:
        raise errors.unknown_size(variable.name)

    def restore_attributes(self) -> None:
        """Restore attributes of layers in which forward stored Variables; raise an error then."""
        for layer, before in self.layers.values():
            for name, value in list(vars(layer).items()):
                if any(isinstance(item, Variable) for item in items_in(value)):
                    vars(layer).pop(name)
                    vars(layer).update({name: before[name]} if name in before else {})
                    raise errors.stores_result(layer, name)


@dataclass
class Traced:
    """A function as a Program, for arguments of one kind.

    `inputs` are the Variables of the Tensors among the arguments, in order; `outputs` has the
    structure of the function's result, with Variables in place of Tensors.
    """

    program: Program
    inputs: list[Variable]
    captured: list[tuple[Variable, Tensor]]
    outputs: Any
    conditions: list[Condition]
    effects: Effects | None = None

    def still_holds(self) -> bool:
        """Return whether layers and parameters are as they were when the function was traced."""
        return all(map(call, self.conditions))


def trace(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], owner: Any = None
) -> Traced:
    """Run a function on Variables in place of the Tensors and InputSpecs among its arguments.

    `owner` is the Layer whose forward the function is.
    """
    program = Program()
    tracer = Tracer(program)

    def as_input(value: Any) -> Any:
        if isinstance(value, (Tensor, InputSpec)):
            tracer.inputs.append(declare_input(tracer.block, value))
            return tracer.inputs[-1]
        return value

    if isinstance(owner, Layer):
        tracer.enter_layer(owner)
    surroundings = same_surroundings(function)
    tracing = modes.override(builder=tracer, listeners=(), check_nan=False, saved_hooks=None)
    with combine_guards(program_guard(program, Program()), tracing, enable_grad()):
        args, kwargs = map_structure(as_input, (args, kwargs))
        try:
            outputs = function(*args, **kwargs)
        finally:
            tracer.restore_attributes()
        outputs = map_structure(lambda value: as_result(tracer, value), outputs)
    captured, training = list(tracer.captured.values()), tracer.training
    effects = training.effects(variables_in(outputs)) if training else None
    conditions = [
        *training.all_conditions(),
        same_tensors([tensor for _, tensor in captured]),
        surroundings,
        Unchanged(list(tracer.layers.values())).still_hold,
    ]
    return Traced(program, tracer.inputs, captured, outputs, conditions, effects)


def variables_in(outputs: Any) -> list[Variable]:
    """Return the Variables of a result, each once."""
    found = [item for item in items_in(outputs) if isinstance(item, Variable)]
    return list({item.name: item for item in found}.values())


def declare_input(block: Any, given: Tensor | InputSpec) -> Variable:
    """Declare the Variable of an argument."""
    if isinstance(given, Tensor):
        array, name, stop = given._data, None, bool(given._stop)
        shape, dtype = array.shape, array.dtype
    else:
        shape, dtype, name, stop = given.shape, given.dtype, given.name, given.stop_gradient
    name = name or block.program.names("x")
    name = block.program.names(name) if block.has_var(name) else name
    return block.create_var(name, shape, dtype, stop_gradient=stop, is_data=True)


def as_result(tracer: Tracer, value: Any) -> Any:
    """Return the Variable of a result; an argument or Tensor that comes back is copied."""
    variable = tracer.as_variable(value)
    if not isinstance(variable, Variable):
        return value
    if any(variable.name in op.writes for op in tracer.block.ops) and not variable.persistable:
        return variable
    return tracer.append(REGISTRY["assign"], (variable,), {})


# ----- conditions -----


def same_tensors(tensors: list[Tensor]) -> Condition:
    """Return a check that Tensors keep their dtypes, and whether they want gradients."""
    trained = [tensor for tensor in tensors if not tensor._stop]
    others = [tensor for tensor in tensors if tensor._stop]
    dtypes = list(map(_dtype, tensors))
    return lambda: (
        not any(map(_stop, trained))
        and all(map(_stop, others))
        and list(map(_dtype, tensors)) == dtypes
    )


class Unchanged:
    """Check that layers hold what they held when the function was traced.

    The usual cases are quick: no layer has changed since the last check, or every value of their
    tables is the same object as before.
    """

    def __init__(self, layers: list[tuple[Any, dict[str, Any]]]) -> None:
        inner = [v for _, before in layers for v in before.values() if isinstance(v, dict)]
        self.empty = [table for table in inner if not table]
        inner = list(filter(None, inner))
        before = [*(before for _, before in layers), *map(dict, inner)]
        self.tables = [*(vars(layer) for layer, _ in layers), *inner]
        self.views = [table.values() for table in self.tables]
        self.names = list(chain.from_iterable(before))
        self.values = list(chain.from_iterable(table.values() for table in before))
        self.conditions = [same_layer(vars(layer), before) for layer, before in layers]
        self.marking = all(isinstance(table, Watched) for table in [*self.tables, *self.empty])
        self.checked: object = None  # the last change of a layer when this held

    def still_hold(self) -> bool:
        now = watched.last_change
        if self.checked is now:
            return True
        same = (
            not any(self.empty)
            and list(chain.from_iterable(self.tables)) == self.names
            and all(map(is_, chain.from_iterable(self.views), self.values))
        )
        holds = same or all(map(call, self.conditions))
        if holds and self.marking:
            self.checked = now
        return holds


def same_layer(now: dict[str, Any], before: dict[str, Any]) -> Condition:
    """Return a check that a layer holds the same Tensors, parts and plain values as before."""
    plain = {name: value for name, value in before.items() if is_compared(value)}
    tables = {name: dict(value) for name, value in before.items() if isinstance(value, dict)}

    def holds() -> bool:
        names = {name for name, value in now.items() if is_compared(value)}
        return (
            names == plain.keys()
            and all(is_same(now[name], value) for name, value in plain.items())
            and all(is_same_table(now.get(name), table) for name, table in tables.items())
        )

    return holds


def is_compared(value: Any) -> bool:
    return isinstance(value, (Tensor, *VALUES))


def is_same(now: Any, before: Any) -> bool:
    if now is before:
        return True
    return isinstance(now, VALUES) and type(now) is type(before) and repr(now) == repr(before)


def is_same_table(now: Any, before: dict[Any, Any]) -> bool:
    return (
        isinstance(now, dict)
        and now.keys() == before.keys()
        and all(is_same(now[key], value) for key, value in before.items())
    )


def same_surroundings(function: Any) -> Condition:
    """Return a check that the variables around a function hold what they held before."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        return lambda: True
    outside = function.__globals__
    names = [name for name in globals_of(code) if name in outside]
    cells = [cell for cell in function.__closure__ or () if cell != CellType()]  # no empty ones

    def now() -> Iterable[Any]:
        return chain(map(outside.get, names), map(_content, cells))

    before = list(now())
    return lambda: all(map(is_, now(), before)) or all(map(is_same, now(), before))


def globals_of(code: CodeType) -> set[str]:
    """Return the names of the global variables that code reads, functions inside of it included."""
    names = {step.argval for step in get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    inside = [const for const in code.co_consts if isinstance(const, CodeType)]
    return names.union(*map(globals_of, inside))
