"""Block: the Variables and Operators of a Program, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import events
from ..engine import modes
from ..engine.dtypes import DType
from ..engine.errors import InvalidArgument, InvalidType
from ..engine.guard import Guard
from . import errors, guards, text
from .errors import require_type
from .operator import At, Operator, kernel_in_events
from .variable import Parameter, Variable


class Block:
    """Variables and Operators of a Program; `vars` by name, `ops` in order of execution.

    Errors: ValueError for an unknown Variable.
    Source: Paddle's `paddle.static.Block`.

    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     x = paddle.static.data("x", [2])
    ...     y = paddle.tanh(x)
    >>> [op.type for op in x.block.ops], x.block.has_var("x")
    (['tanh'], True)
    >>> paddle.disable_static()
    """

    idx, parent_idx, forward_block_idx, backward_block_idx = 0, -1, -1, -1

    def __init__(self, program: Any) -> None:
        self.program = program
        self.vars: dict[str, Variable] = {}
        self.ops: list[Operator] = []
        self._whole = False  # whether a Wholly guard is active

    # ----- variables -----

    def var(self, name: str) -> Variable:
        """Return the Variable of this name."""
        require_type(name, (str,), "name", "Block.var")
        if name not in self.vars:
            raise errors.unknown_variable(name)
        return self.vars[name]

    def own(self, variable: Variable, argument: str) -> Variable:
        """Return this Program's own Variable of a name, for example for a Variable of a clone."""
        if variable.name not in self.vars:
            raise errors.of_another_program(argument, variable)
        return self.vars[variable.name]

    def has_var(self, name: str) -> bool:
        """Return whether a Variable of this name is in the block."""
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
            name = self.program.names("_generated_var")
        require_type(name, (str,), "name", "create_var")
        sizes = None if shape is None else check_shape(shape, "create_var")
        kind = None if dtype is None else DType.of(dtype)
        old = self.vars.get(name)
        if old is not None:
            return self._reuse_variable(old, sizes, kind)
        flags = {"persistable": bool(persistable), "stop_gradient": bool(stop_gradient)}
        flags["is_data"] = bool(more.get("is_data"))
        level = more.get("lod_level") or 0
        return self.add(Variable(self, name, sizes, kind, lod_level=level, **flags))

    def add(self, variable: Any) -> Any:
        """Add a new Variable or Parameter."""
        self.vars[variable.name] = variable
        self.program.drop_runs()
        return variable

    def _reuse_variable(self, old: Variable, shape: Any, dtype: DType | None) -> Variable:
        """Return an existing Variable; raise an error if the new declaration contradicts it."""
        for what, before, now in (("shape", old.shape, shape), ("data type", old.dtype, dtype)):
            if now is not None and now != before:
                raise errors.declared_otherwise(old.name, what, before, now)
        return old

    def all_parameters(self) -> list[Parameter]:
        """Return the block's parameters, in the order in which they were made."""
        return [var for var in self.vars.values() if isinstance(var, Parameter)]

    def iter_parameters(self) -> Iterator[Parameter]:
        """Iterate over the block's parameters, in the order in which they were made."""
        return iter(self.all_parameters())

    # ----- operators -----

    def append(self, operator: Operator, op: str) -> Operator:
        """Add an operator at the end; `op` is the record's name in events."""
        program = self.program
        role, stage, namescope = program.marks
        operator.attrs.setdefault("op_role", role)
        operator.attrs.setdefault("op_namescope", guards.here() + namescope[1:])
        operator.attrs = {
            "op_device": guards.device(),
            "op_role_var": [],
            "with_quant_attr": False,
            **operator.attrs,
        }
        operator.record, operator.stage = op, stage
        program.drop_runs()
        self.ops.append(operator)
        if events.heard() and not self._whole:
            self.notify()
        return operator

    def cut_back(self, ops: int, variables: int) -> None:
        """Keep only the first `ops` operators and `variables` Variables, after an error."""
        program = self.program
        program.drop_runs()
        by, count = program.notified
        program.notified = by, min(count, ops)
        del self.ops[ops:]
        for name in list(self.vars)[variables:]:
            del self.vars[name]

    def notify(self) -> None:
        """Emit to the listeners all operators that they do not know yet."""
        by, count = self.program.notified
        hearing = modes.here().hearing
        for index in range(count if by == hearing else 0, len(self.ops)):
            self._notify_of(self.ops[index], index)
        self.program.notified = hearing, len(self.ops)

    def _notify_of(self, operator: Operator, index: int) -> None:
        def declarations_in(slots: dict[str, list[str]]) -> dict[str, Any]:
            return {
                slot: tuple(self.vars[n].declared if n in self.vars else None for n in names)
                for slot, names in slots.items()
            }

        forward = operator.forward
        events.emit(
            events.OperatorAppended(
                self.program.number, index, operator.type, declarations_in(operator.inputs),
                declarations_in(operator.outputs), dict(operator.attrs), operator.role,
                None if forward is None else forward.idx, operator.record, operator.place,
                operator.stage, getattr(operator.kernel, "formula", ""),
                kernel_in_events(operator), getattr(operator.kernel, "function", ""),
            )
        )  # fmt: skip
        for runner in getattr(operator.kernel, "runners", ()):
            runner.notify(At(modes.here().hearing, self.program.number, index, operator))

    def __repr__(self) -> str:
        lines = [f"{{ // block_idx:{self.idx}  parent_idx:-1  forward_idx:-1  backward_idx:-1"]
        lines += [f"    {var!r}" for var in self.vars.values()]
        lines += ["", *(f"    {op!r}" for op in self.ops), "}"]
        return "\n".join(lines)

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """Return the block's text, one field per line."""
        text.check_flags(throw_on_error=throw_on_error, with_details=with_details)
        return text.block_text(self, with_details)


class AllOrNone(Guard):
    """Guard that removes the operators and Variables added in its block if it raises an error."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.block = block

    def _save(self) -> tuple[int, int, Any]:
        return len(self.block.ops), len(self.block.vars), self.block.program.optimizer_notes()

    def _restore(self, saved: tuple[int, int, Any], error: BaseException | None) -> None:
        if error is not None:
            operators, variables, notes = saved
            self.block.cut_back(operators, variables)
            self.block.program.restore_notes(notes)


class Wholly(AllOrNone):
    """AllOrNone that notifies listeners only once all operators are appended."""

    def _change(self, _saved: Any) -> None:
        self.block._whole = True

    def _restore(self, saved: tuple[int, int, Any], error: BaseException | None) -> None:
        super()._restore(saved, error)
        self.block._whole = False
        if error is None and events.heard():
            self.block.notify()


def check_shape(shape: Any, function: str) -> tuple[int, ...]:
    """Return a declared shape as a tuple of ints; -1 is a size known only at run time."""
    require_type(shape, (list, tuple), "shape", function)
    for size in shape:
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            raise errors.not_a_size(function, size, shape, InvalidType)
        if size < -1:
            raise errors.not_a_size(function, size, shape, InvalidArgument)
    return tuple(int(size) for size in shape)
