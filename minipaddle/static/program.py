"""Program: the blocks of Variables and Operators that were built, and the default Programs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextvars import ContextVar
from copy import copy
from typing import Any, NoReturn

from ..engine import naming
from ..engine.errors import InvalidArgument, MinipaddleError, OutOfRange, Unimplemented
from ..engine.guard import Guard, override_attribute, override_variable
from ..engine.source_line import stacklevel
from ..errors import misfit
from ..ops.errors import require_choice
from . import guards, text
from .block import Block
from .errors import require_type
from .operator import BACKWARD, FORWARD, OPTIMIZE, Composite, Operator
from .scope import Scope, get_value
from .variable import Parameter, Variable

MODES = ("param", "opt", "all")  # of state_dict
Marks = tuple[int, str, str]  # role, stage and name scope of added operators


class Program:
    """Operators to run, and the Variables that they read and write; build it in a `program_guard`.

    A Program names its own Variables, so a second one starts again at fc_0.

    Errors: none.
    Source: Paddle's `paddle.static.Program`.

    >>> import minipaddle as paddle
    >>> print(paddle.static.Program())
    { // block_idx:0  parent_idx:-1  forward_idx:-1  backward_idx:-1
    <BLANKLINE>
    }
    <BLANKLINE>
    """

    def __init__(self) -> None:
        self.blocks = [Block(self)]
        self.names = naming.UniqueNameGenerator()
        self.random_seed = _new_seed
        self.prepared: dict[tuple[str, ...], Any] = {}  # fetched names -> Steps of a run
        self.callables: list[Any] = []  # the Python functions of py_func operators
        self.marks: Marks = (FORWARD, "build", "/")
        self.optimized = 0  # number of optimizers' name scopes
        self.rates: dict[str, Any] = {}  # learning rates: Variable's name -> optimizer
        self.state_of: dict[Any, str] = {}  # (optimizer, parameter, kind of state) -> name
        self.left_out: set[str] = set()  # results of operators that clone(for_test=True) left out
        self.notified = 0, 0  # listeners (modes.hearing), number of operators that they know
        self._number = 0

    @property
    def number(self) -> int:
        """Small integer by which events refer to this Program."""
        self._number = self._number or naming.next_id()
        return self._number

    def drop_runs(self) -> None:
        """Drop the bound runs and their plans, since the Program has changed."""
        self.prepared = {}

    def optimizer_notes(self) -> tuple[dict[str, Any], dict[Any, str], int]:
        """Return copies of what optimizers noted in the Program, to restore after an error."""
        return dict(self.rates), dict(self.state_of), self.optimized

    def restore_notes(self, notes: tuple[dict[str, Any], dict[Any, str], int]) -> None:
        """Restore what optimizers noted in the Program."""
        self.rates, self.state_of, self.optimized = notes

    def mark_operators(self, role: int, stage: str, namescope: str = "/") -> Guard:
        """Mark the operators appended inside the block with a role, a stage and a name scope.

        stage: the public function that the user called; nested calls keep the outer one.
        """
        outer = self.marks[1]
        marks = role, stage if outer == "build" else outer, namescope
        return override_attribute(self, "marks", marks)

    # ----- looking -----

    @property
    def num_blocks(self) -> int:
        """Number of blocks: 1, since a branch or loop is an operator with Programs of its own."""
        return len(self.blocks)

    def block(self, index: int) -> Block:
        """Return the block of this number."""
        require_type(index, (int,), "index", "Program.block")
        if not -len(self.blocks) <= index < len(self.blocks):
            expected, fix = "0: a Program has one block here", "program.global_block()"
            raise misfit("Program.block", expected, OutOfRange, fix, index=index)
        return self.blocks[index]

    def global_block(self) -> Block:
        """Return the block that holds the Program's operators and Variables."""
        return self.blocks[0]

    current_block = global_block
    current_block_idx = 0

    def list_vars(self) -> Iterator[Variable]:
        """Iterate over the Program's Variables, in the order in which they were made."""
        return iter(list(self.global_block().vars.values()))

    def all_parameters(self) -> list[Parameter]:
        """Return the Program's parameters, in the order in which they were made."""
        return self.global_block().all_parameters()

    def __repr__(self) -> str:
        return "".join(f"{block!r}\n" for block in self.blocks)

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """Return the Program's text, one field per line; throw_on_error is required."""
        text.check_flags(throw_on_error=throw_on_error, with_details=with_details)
        return text.program_text(self, with_details)

    @staticmethod
    def parse_from_string(binary_str: bytes) -> NoReturn:
        """Raise an error: Programs cannot be read from bytes here."""
        fix = "build it again, and load its values with paddle.static.load"
        what = "Program.parse_from_string: Programs cannot be read from bytes here."
        raise Unimplemented(what, received=f"{binary_str!r:.60}", fix=fix)

    # ----- seeds -----

    @property
    def random_seed(self) -> int:
        """Seed of the Program's random operators; 0 stands for the global generator."""
        return self._seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        require_type(seed, (int,), "random_seed", "Program", InvalidArgument)
        self._seed = seed

    def global_seed(self, seed: int = 0) -> None:
        """Set the seed of this Program, and of all Programs made later."""
        global _new_seed
        self.random_seed = _new_seed = seed

    # ----- values -----

    def state_dict(self, mode: str = "all", scope: Scope | None = None) -> dict[str, Any]:
        """Return values of a scope by name: "param", "opt" (an optimizer's), or "all".

        ValueError for another mode, and for a missing value.
        """
        require_type(mode, (str,), "mode", "Program.state_dict")
        require_choice("Program.state_dict", "mode", mode, MODES)
        variables: list[Variable] = [*self.all_parameters()] if mode != "opt" else []
        variables += optimizer_variables(self) if mode != "param" else []
        return {var.name: get_value(var.name, scope) for var in variables}

    def set_state_dict(self, state_dict: dict[str, Any], scope: Scope | None = None) -> None:
        """Write arrays into a scope; skip wrong ones with a warning."""
        require_type(state_dict, (dict,), "state_dict", "Program.set_state_dict")
        variables = self.global_block().vars
        for name, value in state_dict.items():
            try:
                if name in variables:
                    variables[name].set_value(value, scope)
                    continue
                reason = f"Because '{name}' not in the program."
            except MinipaddleError as error:
                reason = error.parts["what"].en
            warnings.warn(
                f"Skip loading for '{name}'. {reason}", UserWarning, stacklevel=stacklevel()
            )

    # ----- copying -----

    def clone(self, for_test: bool = False) -> Program:
        """Copy the Program; for_test drops backward and optimizer and puts layers in test mode.

        >>> import minipaddle as paddle
        >>> program = paddle.static.Program()
        >>> program.clone() == program
        False
        """
        program = Program()
        program.names = self.names.clone()
        program.random_seed = self.random_seed
        program.callables, program.left_out = list(self.callables), set(self.left_out)
        if not for_test:
            program.rates, program.state_of = dict(self.rates), dict(self.state_of)
        block = program.global_block()
        for var in self.list_vars():
            block.vars[var.name] = twin = copy(var)
            twin.block = block
        twins: dict[Operator | None, Operator] = {}
        for op in self.global_block().ops:
            if for_test and op.attrs["op_role"] & (BACKWARD | OPTIMIZE):
                program.left_out.update(op.writes)
                continue
            twin_op = op.copy_to(block, twins.get(op.forward))
            if for_test:
                _in_test_mode(twin_op)
            twins[op] = twin_op
            block.ops.append(twin_op)
        if for_test:
            _drop_unused(block)
        return program


def _in_test_mode(op: Operator) -> None:
    """Switch dropout and similar operators to test mode."""
    if "is_test" in op.attrs:
        op.attrs["is_test"] = True
        op.kernel = op.kernel.with_values(is_test=True)  # type: ignore[attr-defined]
    if isinstance(op.kernel, Composite):
        op.kernel = op.kernel.in_test_mode()
    op.attrs["op_role"] &= ~256


def _drop_unused(block: Block) -> None:
    """Remove the Variables that only the dropped operators used."""
    used = {name for op in block.ops for name in op.input_arg_names + op.output_arg_names}
    block.vars = {
        name: var
        for name, var in block.vars.items()
        if name in used or var.is_data or isinstance(var, Parameter)
    }


# ----- the default programs -----------------------------------------------------------------------

_new_seed = 0  # seed of new Programs; `global_seed` changes it
Pair = tuple[Program, Program]  # main and startup Program
_current: ContextVar[Pair | None] = ContextVar("minipaddle_programs", default=None)


_process_default: Pair = Program(), Program()


def default_main_program() -> Program:
    """Return the Program that ops are added to; a `program_guard` sets it.

    Errors: none.
    Source: Paddle's `paddle.static.default_main_program`.

    >>> import minipaddle as paddle
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     paddle.static.default_main_program() is main
    True
    """
    return (_current.get() or _process_default)[0]


def default_startup_program() -> Program:
    """Return the Program that initializes parameters; run it once before the main one.

    Errors: none.
    Source: Paddle's `paddle.static.default_startup_program`.

    >>> import minipaddle as paddle
    >>> paddle.static.default_startup_program().random_seed
    0
    """
    return (_current.get() or _process_default)[1]


def reset_default_programs() -> None:
    """Replace the default Programs by empty ones, as at the start of a process.

    Errors: none.
    Source: minipaddle's own.

    >>> import minipaddle as paddle
    >>> paddle.static.reset_default_programs()
    >>> paddle.static.default_main_program().global_block().ops
    []
    """
    global _process_default, _new_seed
    _new_seed = 0
    guards.reset()
    naming.reset_static()
    _process_default = Program(), Program()
    _current.set(None)


def program_guard(main_program: Program, startup_program: Program | None = None) -> Guard:
    """Build into these programs inside the block, in this thread or task.

    TypeError for anything but Programs. Source: Paddle's `paddle.static.program_guard`.

    >>> import minipaddle as paddle
    >>> main, startup = paddle.static.Program(), paddle.static.Program()
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(main, startup):
    ...     x = paddle.static.data("x", [2])
    >>> list(main.global_block().vars)
    ['x']
    >>> paddle.disable_static()
    """
    require_type(main_program, (Program,), "main_program", "program_guard")
    if startup_program is not None:
        require_type(startup_program, (Program,), "startup_program", "program_guard")
    pair = main_program, startup_program or default_startup_program()
    return override_variable(_current, pair)


# ----- what an optimizer stores -------------------------------------------------------------------


def optimizer_variables(program: Any) -> list[Variable]:
    """Return the persistable Variables that the updates of an optimizer read and write."""
    block = program.global_block()
    used = {
        name
        for op in block.ops
        if op.attrs["op_role"] == OPTIMIZE
        for name in (*op.reads, *op.writes)
    }
    return [
        var
        for var in block.vars.values()
        if var.name in used and var.persistable and not isinstance(var, Parameter)
    ]
