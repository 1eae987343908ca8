"""Static mode: turned on and off, and how op calls become Operators while it is on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from weakref import ref

from ..device import set_device
from ..engine import modes
from ..engine.dtypes import DType
from ..engine.guard import Guard, combine_guards
from ..engine.structures import map_structure
from ..ops import Op
from . import errors, minimize
from .backward import gradients
from .block import AllOrNone, Block
from .op_calls import append, initialize
from .operator import FORWARD
from .program import Program, default_main_program, default_startup_program, program_guard
from .variable import Parameter, Variable


def all_or_none() -> AbstractContextManager[Any]:
    """Remove everything added to the default Programs in this block if it raises an error."""
    if not modes.is_static():
        return nullcontext()
    programs = default_main_program(), default_startup_program()
    return combine_guards(*[AllOrNone(program.current_block()) for program in programs])


class Builder:
    """Builder in `modes.builder` while static mode is on: every op call becomes an operator."""

    builds = True  # to_tensor gives a Variable
    traces = False  # whether a function of to_static builds the Program

    def allow(self, name: str) -> None:
        """Do nothing: in static mode every function that builds is allowed."""

    def current_block(self) -> Block:
        """Return the block that operators join: that of the default main Program."""
        return default_main_program().current_block()

    def as_variable(self, value: Any) -> Any:
        """Return the Variable that stands for a value from outside; here, the value itself."""
        return value

    def append(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], **options: Any) -> Any:
        """Add the operator of an op call to the current block; return its outputs."""
        inputs = tuple(map_structure(self.as_variable, value) for value in inputs)
        return append(self.current_block(), op, inputs, attrs, **options)

    def enter_layer(self, layer: Any) -> None:
        """Do nothing: a Program has no layers."""

    def read_condition(self, variable: Variable) -> None:
        """Do nothing: as in Paddle, every Variable is true while a Program is built."""

    def change_in_place(self, name: str) -> None:
        """Do nothing: as in Paddle, an in-place form returns a new Variable, with a warning."""

    def create_parameter(
        self, family: str, shape: tuple[int, ...], dtype: DType, initializer: Any, attr: Any
    ) -> Parameter:
        """Make a Parameter in the main Program, and the operator in startup that fills it.

        A parameter of an existing name is shared: two layers have one weight.
        """
        main, startup = default_main_program(), default_startup_program()
        name = attr.name or main.names(family)
        blocks = startup.global_block(), main.global_block()
        first = blocks[0].has_var(name)
        with combine_guards(*map(AllOrNone, blocks)):
            for block in blocks:
                if block.has_var(name):
                    shared = block.create_var(name, shape, dtype)  # checks shape and dtype
                    continue
                parameter = Parameter(block, name, shape, dtype, attr.trainable)
                parameter.optimize_attr["learning_rate"] = attr.learning_rate
                parameter.regularizer = attr.regularizer
                parameter.need_clip = attr.need_clip
                shared = block.add(parameter)
            if not first:
                initialize(startup, name, *initializer.describe(shape, dtype))
        return shared  # type: ignore[return-value]

    def build_all_or_none(self, loss: Any, startup_program: Program | None = None) -> Guard:
        """Remove additions to the loss's Program and to startup if the block raises an error."""
        startup = startup_program or default_startup_program()
        main = loss.block if isinstance(loss, Variable) else startup.global_block()
        marked = main.program.mark_operators(FORWARD, "minimize")
        return combine_guards(AllOrNone(main), AllOrNone(startup.global_block()), marked)

    backward = staticmethod(minimize.backward)
    apply_gradients = staticmethod(minimize.apply_gradients)


class Running:
    """Builder in `modes.builder` while a py_func runs; it raises an error for every operator."""

    traces = False
    builds = False  # so to_tensor gives a Tensor, which the function may return
    calling = "func"  # the user's function that runs, for errors
    run: ref[Guard]  # guard of the run

    def is_over(self) -> bool:
        """Return whether the run has ended although an interrupt left this builder in place."""
        run = self.run()
        return run is None or not run.is_open()

    def allow(self, name: str) -> None:
        raise errors.called_while_running(name, self.calling)

    def append(self, op: Op, *_rest: Any, **_options: Any) -> Any:
        self.allow(op.name)

    def enter_layer(self, layer: Any) -> None:
        """Do nothing: the first op of the layer raises the error."""

    read_condition = change_in_place = enter_layer

    def create_parameter(self, family: str, *_rest: Any) -> Any:
        self.allow(family)

    def backward(self, *_rest: Any) -> Any:
        self.allow("minimize")

    apply_gradients = build_all_or_none = backward


BUILDER = Builder()


def add_gradients(
    program: Program, targets: Sequence[str], inputs: Sequence[str]
) -> tuple[list[str], list[str | None]]:
    """Add the gradients of `targets` by `inputs` to a Program, whichever mode is on.

    Return the names of new Variables to feed, with the gradients of the targets, and the names of
    the inputs' gradients: None for an input on which no target depends.
    """
    block = program.global_block()
    with combine_guards(program_guard(program), modes.override(builder=BUILDER, listeners=())):
        ends = [block.vars[name] for name in targets]
        seeds = [
            block.create_var(f"{end.name}@SEED_{n}", end.shape, end.dtype, is_data=True)
            for n, end in enumerate(ends)
        ]
        sources = [block.vars[name] for name in inputs]
        found = gradients(ends, sources, seeds) if sources else []
    grads = [None if grad is None else grad.name for grad in found] or [None] * len(inputs)
    return [seed.name for seed in seeds], grads


# ----- the mode -----------------------------------------------------------------------------------


def enable_static() -> None:
    """Make op calls build a Program instead of computing; see `static.Executor`.

    Source: Paddle's `paddle.enable_static`.

    Errors: none.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> paddle.in_dynamic_mode()
    False
    >>> paddle.disable_static()
    """
    if modes.here().builder is None:
        modes.change(builder=BUILDER)


def disable_static(place: Any = None) -> None:
    """Make op calls compute immediately again; set the current place if one is given.

    Errors: ValueError for an unknown place.
    Source: Paddle's `paddle.disable_static`.

    >>> import minipaddle as paddle
    >>> paddle.disable_static()
    >>> paddle.in_dynamic_mode()
    True
    """
    builder = modes.here().builder
    if builder is not None:
        if not (isinstance(builder, Running) and builder.is_over()):
            builder.allow("disable_static")
        modes.change(builder=None)
    if place is not None:
        set_device(place)


def in_dynamic_mode() -> bool:
    """Return whether op calls compute at once in this thread, as they do by default.

    Errors: none.
    Source: Paddle's `paddle.in_dynamic_mode`.

    >>> import minipaddle as paddle
    >>> paddle.in_dynamic_mode()
    True
    """
    return not modes.is_static()
