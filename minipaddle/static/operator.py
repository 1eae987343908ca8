"""Operator: a step of a Program with type, slots, attributes and the kernel that executes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, NamedTuple

from .. import events
from ..engine.source_line import SourceLine
from ..ops.bound import Forward, Gradient
from . import errors, text

FORWARD, BACKWARD, OPTIMIZE, SCHEDULE, LOSS = 0, 1, 2, 16, 256
ROLES = {FORWARD: "forward", BACKWARD: "backward", OPTIMIZE: "optimize", LOSS: "loss"}
ROLES[OPTIMIZE | SCHEDULE] = "optimize"
Argument = str | tuple[str | None, ...] | None  # a name, the names of a list, or None if absent


def kernel_in_events(operator: Operator) -> events.Kernel | None:
    """Describe an operator's kernel for listeners; None for a user's function."""
    kernel, follows = operator.kernel, None
    if isinstance(kernel, (Forward, Gradient)):
        kind, attrs = ("op" if isinstance(kernel, Forward) else "gradient"), kernel.values
    else:
        kind, attrs = "update", {}
        follows = getattr(kernel, "follows", None)
        if follows is None:
            return None
    return events.Kernel(kind, dict(attrs), operator.arguments, operator.results, follows)


def attrs_for_gradient(operator: Operator) -> dict[str, Any]:
    """Return the attributes that a gradient operator takes over: all but its role."""
    return {k: v for k, v in operator.attrs.items() if k not in ("op_role", "op_role_var")}


class At(NamedTuple):
    """Position of an operator, as the listeners of number `hearing` know it."""

    hearing: int
    program: int
    number: int  # index of the operator
    operator: Operator


class Composite:
    """Kernel that runs other Programs, or a user's function, and makes its own gradient operator.

    A plan calls it as a whole.
    """

    differentiable = True
    has_parts = False  # whether it takes `at`, to report the runs of its Programs
    runners: Any = ()  # its Programs

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        """Compute the results."""
        raise NotImplementedError

    def in_test_mode(self) -> Composite:
        """Return the kernel for a Program in test mode."""
        return self

    def gradient_operator(
        self, op: Any, douts: list[str | None], grads: list[str | None]
    ) -> Operator:
        """Make the operator that reads `douts` of results and writes `grads` of arguments."""
        raise NotImplementedError


@dataclass(eq=False)
class Operator:
    """Step of a Program in Paddle's form (`type`, `inputs`, `outputs`, `attrs`), with a kernel.

    `kernel(*arrays)` gets the values of `arguments` in order and returns a value for each name
    in `results`; a value whose name is None is dropped.

    Errors: those of its kernel, which name it.
    Source: Paddle's `paddle.static.Operator`.

    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [2])
    ...     y = paddle.tanh(x)
    >>> operator = x.block.ops[0]
    >>> operator.type, operator.input_arg_names
    ('tanh', ['x'])
    >>> paddle.disable_static()
    """

    block: Any
    type: str
    inputs: dict[str, list[str]]
    outputs: dict[str, list[str]]
    attrs: dict[str, Any]
    _: KW_ONLY
    kernel: Callable[..., Any]
    arguments: tuple[Argument, ...]
    results: tuple[str | None, ...]
    place: SourceLine | None
    forward: Operator | None = None  # the operator whose gradient this one computes
    record: str = ""  # name of the op, for events
    stage: str = "build"  # public function that appended it, for events

    # ----- looking -----

    @property
    def idx(self) -> int:
        """Position of the operator in the block."""
        return int(self.block.ops.index(self))

    @property
    def role(self) -> str:
        """forward, loss, backward or optimize."""
        return ROLES[self.attrs["op_role"] & ~LOSS or self.attrs["op_role"]]

    @property
    def input_names(self) -> list[str]:
        """Slots of the operator's inputs, such as X and Y, sorted."""
        return sorted(self.inputs)

    @property
    def output_names(self) -> list[str]:
        """Slots of the operator's outputs, sorted."""
        return sorted(self.outputs)

    @property
    def input_arg_names(self) -> list[str]:
        """Names of the Variables that the operator reads, slot by slot."""
        return [name for slot in self.input_names for name in self.inputs[slot]]

    @property
    def output_arg_names(self) -> list[str]:
        """Names of the Variables that the operator writes, slot by slot."""
        return [name for slot in self.output_names for name in self.outputs[slot]]

    def input(self, name: str) -> list[str]:
        """Return the names of the Variables in an input slot."""
        return list(self._look_up(self.inputs, name, "Input"))

    def output(self, name: str) -> list[str]:
        """Return the names of the Variables in an output slot."""
        return list(self._look_up(self.outputs, name, "Output"))

    @property
    def attr_names(self) -> list[str]:
        """Names of the operator's attributes, sorted."""
        return sorted(self.attrs)

    def all_attrs(self) -> dict[str, Any]:
        """Return a copy of all attributes."""
        return dict(self.attrs)

    def has_attr(self, name: str) -> bool:
        """Return whether the operator has an attribute of this name."""
        return name in self.attrs

    def attr(self, name: str) -> Any:
        """Return the value of an attribute."""
        return self._look_up(self.attrs, name, "Attribute")

    def attr_type(self, name: str) -> text.AttrType:
        """Return the kind of an attribute: AttrType.INT, AttrType.FLOATS, ..."""
        return text.attr_type(self.attr(name))

    def _look_up(self, table: dict[str, Any], name: str, what: str) -> Any:
        if name not in table:
            raise errors.not_of_operator(what, name, self.type, table)
        return table[name]

    # ----- reading and writing by name -----

    @property
    def argument_names(self) -> list[str | None]:
        """Names of the kernel's arguments as a flat list, None for an absent one."""
        flat = (a if isinstance(a, tuple) else (a,) for a in self.arguments)
        return [name for argument in flat for name in argument]

    @property
    def reads(self) -> list[str]:
        """Names of the kernel's arguments, with repetitions."""
        return [name for name in self.argument_names if name is not None]

    @property
    def writes(self) -> list[str]:
        """Names of the results that get a value."""
        return [name for name in self.results if name is not None]

    def copy_to(self, block: Any, forward: Operator | None) -> Operator:
        """Copy the operator into another block."""
        return replace(self, block=block, attrs=dict(self.attrs), forward=forward)

    def __repr__(self) -> str:
        outputs = ", ".join(f"{slot}={self.outputs[slot]}" for slot in self.output_names)
        inputs = ", ".join(f"{slot}={self.inputs[slot]}" for slot in self.input_names)
        attrs = ", ".join(f"{name} = {self.attrs[name]}" for name in self.attr_names)
        return f"{{{outputs}}} = {self.type}(inputs={{{inputs}}}, {attrs})"

    def to_string(self, throw_on_error: bool) -> str:
        """Return the operator's text, one field per line."""
        text.check_flags(throw_on_error=throw_on_error)
        return text.operator_text(self)
