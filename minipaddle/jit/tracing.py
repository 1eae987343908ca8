"""Tracing: run a function once on Variables, so that its ops build a Program.

`Traced` holds the Program, the Tensors that the function used besides its arguments, and the
conditions under which the Program stands for the function.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import is_
from typing import Any
from weakref import ref

from ..engine import modes
from ..engine.grad_mode import enable_grad
from ..engine.guard import combine_guards
from ..engine.structures import items_in, map_structure
from ..engine.tensor import Tensor
from ..nn.layer import Layer
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
        return all(condition() for condition in self.conditions)


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
    tensors = [tensor for _, tensor in captured]
    conditions = [
        *training.all_conditions(),
        same_tensors(tensors),
        same_surroundings(function, tensors),
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

    def now() -> list[Any]:
        return [(not tensor._stop, tensor._data.dtype) for tensor in tensors]

    before = now()
    return lambda: now() == before


class Unchanged:
    """Check that layers hold what they held when the function was traced.

    The usual case is quick: every value of their tables is the same object as before.
    """

    def __init__(self, layers: list[tuple[Any, dict[str, Any]]]) -> None:
        self.owners = [ref(layer) for layer, _ in layers]
        self.conditions = [same_layer(layer, before) for layer, before in layers]
        values = [value for _, before in layers for value in before.values()]
        tables = [value for value in values if isinstance(value, dict)]
        self.tables = list(filter(None, tables))
        self.empty = [table for table in tables if not table]
        self.before = self.everything()

    def everything(self) -> tuple[list[Any], list[Any]] | None:
        """Return all names and all values in the layers; None if a layer is gone."""
        owners = [owner() for owner in self.owners]
        if None in owners or any(self.empty):
            return None
        tables = [*map(vars, owners), *self.tables]
        return list(chain(*tables)), list(chain(*[table.values() for table in tables]))

    def still_hold(self) -> bool:
        now, before = self.everything(), self.before
        if now is None or before is None:
            return False
        same = now[0] == before[0] and all(map(is_, now[1], before[1]))
        return same or all(condition() for condition in self.conditions)


def same_layer(owner: Any, before: dict[str, Any]) -> Condition:
    """Return a check that a layer holds the same Tensors, parts and plain values as before."""
    held = ref(owner)
    plain = {name: value for name, value in before.items() if is_compared(value)}
    tables = {name: dict(value) for name, value in before.items() if isinstance(value, dict)}

    def holds() -> bool:
        owner = held()
        if owner is None:
            return False
        now = vars(owner)
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


def same_surroundings(function: Any, tensors: list[Tensor]) -> Condition:
    """Return a check that the variables around a function hold what they held before.

    It looks at the Tensors that the function used, and at plain values.
    """
    function = getattr(function, "__func__", function)
    code, used = getattr(function, "__code__", None), {id(tensor) for tensor in tensors}
    if code is None:
        return lambda: True
    held: list[tuple[Callable[[], Any], Any]] = []  # how to read a variable, and its value
    outside = function.__globals__
    for name in code.co_names:
        value = outside.get(name)
        if id(value) in used or (name in outside and isinstance(value, VALUES)):
            held.append((partial(outside.get, name), value))
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # an empty cell
            value = cell.cell_contents
            if id(value) in used or isinstance(value, VALUES):
                held.append((partial(getattr, cell, "cell_contents"), value))
    return lambda: all(is_same(read(), value) for read, value in held)
