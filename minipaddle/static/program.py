"""Program and Block: the Variables and Operators that were built, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .. import events, naming
from ..dtypes import DType
from ..errors import InvalidArgument, InvalidType, OutOfRange
from .checks import require_type
from .operator import BACKWARD, FORWARD, OPTIMIZE, Operator
from .variable import Parameter, Variable


class Block:
    """The Variables and Operators of a Program; `vars` by name, `ops` in order of execution."""

    idx, parent_idx = 0, -1

    def __init__(self, program: Program) -> None:
        self.program = program
        self.vars: dict[str, Variable] = {}
        self.ops: list[Operator] = []

    # ----- variables -----

    def var(self, name: str) -> Variable:
        """The Variable of this name."""
        require_type(name, (str,), "name", "Block.var")
        if name not in self.vars:
            raise InvalidArgument(
                f"var {name} not in this block.",
                expected="the name of a Variable of this Program",
                received=f"'{name}'",
                fix="print(list(block.vars)) shows the names",
            )
        return self.vars[name]

    def has_var(self, name: str) -> bool:
        return name in self.vars

    def create_var(
        self,
        name: str | None = None,
        shape: Any = None,
        dtype: Any = None,
        persistable: bool = False,
        stop_gradient: bool = False,
        **more: Any,
    ) -> Variable:
        """Declare a Variable that some operator will fill, such as the output of a py_func.

        >>> import minipaddle as paddle
        >>> block = paddle.static.Program().current_block()
        >>> block.create_var(name="out", shape=[-1, 3], dtype="float32")
        var out : DENSE_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(False)
        """
        if name is None:
            name = naming.unique("_generated_var")
        require_type(name, (str,), "name", "create_var")
        sizes = None if shape is None else checked_shape(shape, "create_var")
        kind = None if dtype is None else DType.of(dtype)
        old = self.vars.get(name)
        if old is not None:
            return self._same(old, sizes, kind)
        made: Variable = self.add(
            Variable(
                self, name, sizes, kind, persistable=bool(persistable),
                stop_gradient=bool(stop_gradient), is_data=bool(more.get("is_data")),
                lod_level=more.get("lod_level") or 0,
            )
        )  # fmt: skip
        return made

    def add(self, variable: Any) -> Any:
        """Take in a new Variable or Parameter."""
        self.vars[variable.name] = variable
        self.program.changed()
        return variable

    def _same(self, old: Variable, shape: Any, dtype: DType | None) -> Variable:
        """A Variable of this name exists: the new declaration must agree."""
        for what, before, now in (("shape", old.shape, shape), ("data type", old.dtype, dtype)):
            if now is not None and now != before:
                raise InvalidArgument(
                    f"Variable '{old.name}' has been created before, with another {what}.",
                    expected=f"the previous {what}, {before}",
                    received=now,
                    fix="use another name, or build in a fresh Program",
                )
        return old

    def all_parameters(self) -> list[Parameter]:
        return [var for var in self.vars.values() if isinstance(var, Parameter)]

    def iter_parameters(self) -> Iterator[Parameter]:
        return iter(self.all_parameters())

    # ----- operators -----

    def append(self, operator: Operator, op: str) -> Operator:
        """Add an operator at the end; `op` is the record's name that events tell."""
        program = self.program
        operator.attrs.setdefault("op_role", program.role)
        operator.attrs.setdefault("op_namescope", program.namescope)
        operator.attrs = {
            "op_device": "", "op_role_var": [], "with_quant_attr": False, **operator.attrs,
        }  # fmt: skip
        self.ops.append(operator)
        program.changed()
        if events.heard():
            self._tell(operator, op)
        return operator

    def _tell(self, operator: Operator, op: str) -> None:
        def declared(slots: dict[str, list[str]]) -> dict[str, Any]:
            return {
                slot: tuple(self.vars[n].declared if n in self.vars else None for n in names)
                for slot, names in slots.items()
            }

        forward = operator.forward
        events.emit(
            events.OperatorAppended(
                self.program.number, len(self.ops) - 1, operator.type, declared(operator.inputs),
                declared(operator.outputs), dict(operator.attrs), operator.role,
                None if forward is None else forward.idx, op, operator.place, self.program.stage,
            )
        )  # fmt: skip

    def __repr__(self) -> str:
        lines = [f"{{ // block_idx:{self.idx}  parent_idx:-1  forward_idx:-1  backward_idx:-1"]
        lines += [f"    {var!r}" for var in self.vars.values()]
        lines += ["", *(f"    {op!r}" for op in self.ops), "}"]
        return "\n".join(lines)

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:  # noqa: ARG002
        """The same text as str()."""
        return repr(self)


class Program:
    """Operators to run and the Variables they read and write; build it in a `program_guard`.

    A Program numbers its own layers and outputs, so a second one starts again at fc_0.

    >>> import minipaddle as paddle
    >>> print(paddle.static.Program())
    { // block_idx:0  parent_idx:-1  forward_idx:-1  backward_idx:-1
    <BLANKLINE>
    }
    <BLANKLINE>
    """

    def __init__(self, counters: Counter[str] | None = None) -> None:
        self.blocks = [Block(self)]
        self.counters: Counter[str] = Counter() if counters is None else counters
        self.random_seed = 0
        self.prepared: dict[tuple[str, ...], Any] = {}  # bound for running, by what is fetched
        self.callables: list[Any] = []  # the Python functions of py_func operators
        self.role = FORWARD
        self.stage = "build"
        self.namescope = "/"
        self.optimized = 0  # how many name scopes of optimizer operators were opened
        self._number = 0

    @property
    def number(self) -> int:
        """The small integer by which events refer to this Program."""
        self._number = self._number or naming.next_id()
        return self._number

    def changed(self) -> None:
        """What was prepared for running is stale."""
        self.prepared = {}

    @contextmanager
    def adding(self, role: int, stage: str, namescope: str = "/") -> Iterator[None]:
        """Mark the operators appended inside the block with a role."""
        before = self.role, self.stage, self.namescope
        self.role, self.stage, self.namescope = role, stage, namescope
        try:
            yield
        finally:
            self.role, self.stage, self.namescope = before

    # ----- looking -----

    @property
    def num_blocks(self) -> int:
        return len(self.blocks)

    def block(self, index: int) -> Block:
        """The block of this number."""
        if not 0 <= index < len(self.blocks):
            raise OutOfRange(
                "a Program here has one block: control flow is not part of it.",
                expected="0",
                received=index,
                fix="use program.global_block()",
            )
        return self.blocks[index]

    def global_block(self) -> Block:
        return self.blocks[0]

    current_block = global_block

    def list_vars(self) -> Iterator[Variable]:
        return iter(list(self.global_block().vars.values()))

    def all_parameters(self) -> list[Parameter]:
        return self.global_block().all_parameters()

    def __repr__(self) -> str:
        return "".join(f"{block!r}\n" for block in self.blocks)

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:  # noqa: ARG002
        """The same text as str(); the argument is required, as in Paddle."""
        return repr(self)

    # ----- copying -----

    def clone(self, for_test: bool = False) -> Program:
        """A copy; for a test, without backward and optimizer and with layers in test mode.

        >>> import minipaddle as paddle
        >>> program = paddle.static.Program()
        >>> program.clone() == program
        False
        """
        copy = Program(Counter(self.counters))
        copy.random_seed = self.random_seed
        copy.callables = list(self.callables)
        block = copy.global_block()
        for var in self.list_vars():
            block.vars[var.name] = twin = _copied(var)
            twin.block = block
        twins: dict[Operator | None, Operator] = {}
        for op in self.global_block().ops:
            if for_test and op.attrs["op_role"] & (BACKWARD | OPTIMIZE):
                continue
            twin_op = op.copied_to(block, twins.get(op.forward))
            if for_test:
                _in_test_mode(twin_op)
            twins[op] = twin_op
            block.ops.append(twin_op)
        if for_test:
            _drop_unused(block)
        return copy


def _copied(var: Variable) -> Variable:
    twin = var.__class__.__new__(var.__class__)
    twin.__dict__.update(var.__dict__)
    return twin


def _in_test_mode(op: Operator) -> None:
    """Dropout and its kind behave as in a test."""
    if "is_test" in op.attrs:
        op.attrs["is_test"] = True
        op.kernel = op.kernel.with_values(is_test=True)  # type: ignore[attr-defined]
    op.attrs["op_role"] &= ~256


def _drop_unused(block: Block) -> None:
    """Forget the Variables that only the dropped operators used."""
    used = {name for op in block.ops for name in op.input_arg_names + op.output_arg_names}
    block.vars = {
        name: var
        for name, var in block.vars.items()
        if name in used or var.is_data or isinstance(var, Parameter)
    }


def checked_shape(shape: Any, function: str) -> tuple[int, ...]:
    """A declared shape as a tuple: ints, -1 for a size that is known only at run time."""
    if not isinstance(shape, (list, tuple)):
        raise InvalidType(
            f"{function}(): the type of 'shape' is wrong.",
            expected="a list or a tuple of ints",
            received=f"{type(shape).__name__} {shape!r:.60}",
            fix=f"write shape=[{shape}]" if isinstance(shape, int) else "list the sizes",
        )
    for size in shape:
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            raise InvalidType(
                f"{function}(): a size in 'shape' is no integer.",
                expected="ints, and -1 for an unknown size",
                received=f"{size!r} in {shape!r:.60}",
                fix="write -1 where the size is not yet known",
            )
        if size < -1:
            raise InvalidArgument(
                f"{function}(): Only -1 can be used in shape to indicate unknown dimension.",
                expected="sizes of at least 0, or -1",
                received=f"{size} in {shape!r:.60}",
                fix="write -1 where the size is not yet known",
            )
    return tuple(int(size) for size in shape)


# ----- the default programs -----------------------------------------------------------------------

_main = Program(naming.counters())
_startup = Program(naming.counters())


def default_main_program() -> Program:
    """The Program that ops are added to when no `program_guard` names another.

    >>> import minipaddle as paddle
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     paddle.static.default_main_program() is main
    True
    """
    return _main


def default_startup_program() -> Program:
    """The Program that initializes parameters; run it once before the main one.

    >>> import minipaddle as paddle
    >>> paddle.static.default_startup_program().random_seed
    0
    """
    return _startup


def reset_default_programs() -> None:
    """Forget what was built by default: fresh default programs, as at the start of a process.

    >>> import minipaddle as paddle
    >>> paddle.static.reset_default_programs()
    >>> paddle.static.default_main_program().global_block().ops
    []
    """
    global _main, _startup
    _main, _startup = Program(naming.counters()), Program(naming.counters())


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Iterator[None]:
    """Build into these programs inside the block.

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
    global _main, _startup
    require_type(main_program, (Program,), "main_program", "program_guard")
    if startup_program is not None:
        require_type(startup_program, (Program,), "startup_program", "program_guard")
    before = _main, _startup
    _main, _startup = main_program, startup_program or _startup
    try:
        with naming.counting(main_program.counters):
            yield
    finally:
        _main, _startup = before
