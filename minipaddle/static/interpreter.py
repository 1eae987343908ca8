"""The readable way to run a Program: one operator after the other over a table of values.

`Steps` binds a Program once: each name becomes a place in a table, and each operator knows which
places it reads, which it writes, and which have no further reader after it.
"""

from __future__ import annotations

from typing import Any

from .. import events
from ..core import value_of
from ..errors import MinipaddleError
from .minimize import Update
from .operator import Operator
from .program import Block
from .py_call import PyFuncCall, PyFuncGradient, called_event
from .scope import Scope

PY_FUNC = (PyFuncCall, PyFuncGradient)


class Step:
    """An operator with its places in the table of values."""

    __slots__ = ("arguments", "freed", "index", "kept", "kernel", "operator", "results")

    def __init__(self, index: int, operator: Operator, slots: dict[str, int]) -> None:
        def place(name: Any) -> Any:
            return None if name is None else slots[name]

        self.index = index
        self.operator = operator
        self.kernel = operator.kernel
        self.arguments = tuple(
            tuple(map(place, a)) if isinstance(a, tuple) else place(a) for a in operator.arguments
        )
        self.results = tuple(map(place, operator.results))
        self.kept: tuple[tuple[str, int], ...] = ()  # persistable results go into the scope
        self.freed: tuple[tuple[str, int], ...] = ()  # temporaries without a further reader


class Steps:
    """A Program bound for running: its steps, and what must be there before they begin."""

    def __init__(self, block: Block, fetches: tuple[str, ...]) -> None:
        self.slots: dict[str, int] = {}
        for name in fetches:
            self.slots.setdefault(name, len(self.slots))
        for op in block.ops:
            for name in (*op.reads, *op.writes):
                self.slots.setdefault(name, len(self.slots))
        self.fetched = [self.slots[name] for name in fetches]
        self.steps = [Step(index, op, self.slots) for index, op in enumerate(block.ops)]
        self.calls_python = any(isinstance(step.kernel, PY_FUNC) for step in self.steps)
        self._find_requirements(block, fetches)
        self._find_lifetimes(block, fetches)

    def _find_requirements(self, block: Block, fetches: tuple[str, ...]) -> None:
        """What is read before it is written comes from the feeds or from the scope."""
        written: set[str] = set()
        first: dict[str, bool] = {}  # name -> whether a py_func alone reads it
        for op in block.ops:
            debug = isinstance(op.kernel, PY_FUNC)
            for name in op.reads:
                if name not in written:
                    first[name] = first.get(name, True) and debug
            written.update(op.writes)
        first.update((name, False) for name in fetches if name not in written)
        variables = block.vars
        kept = [n for n in self.slots if variables[n].persistable]
        self.kept = [(name, self.slots[name]) for name in kept]
        self.must_exist = {name for name in first if variables[name].persistable}
        self.must_feed = [
            name
            for name, only_py_func in first.items()
            if not variables[name].persistable and (variables[name].is_data or not only_py_func)
        ]

    def _find_lifetimes(self, block: Block, fetches: tuple[str, ...]) -> None:
        last: dict[str, Step] = {}
        for step in self.steps:
            for name in (*step.operator.reads, *step.operator.writes):
                last[name] = step
            step.kept = tuple(
                (name, self.slots[name])
                for name in step.operator.writes
                if block.vars[name].persistable
            )
        for name, step in last.items():
            if name not in fetches and not block.vars[name].persistable:
                step.freed += ((name, self.slots[name]),)


def run(steps: Steps, values: list[Any], scope: Scope) -> None:
    """Execute every step; nobody listens."""
    for step in steps.steps:
        try:
            results = step.kernel(*_taken(step, values))
        except MinipaddleError as error:
            _note(error, step.operator)
            raise
        for slot, result in zip(step.results, results, strict=True):
            if slot is not None:
                values[slot] = result
        for name, slot in step.kept:
            scope.write(name, values[slot])
        for _, slot in step.freed:
            values[slot] = None


def run_told(steps: Steps, values: list[Any], scope: Scope, program: int) -> None:
    """Execute every step and tell the listeners; the same results."""
    for step in steps.steps:
        _execute_told(step, values, program)
        for name, slot in step.kept:
            scope.write(name, values[slot])
        for name, slot in step.freed:
            values[slot] = None
            events.emit(events.VariableFreed(program, name))


def _execute_told(step: Step, values: list[Any], program: int) -> None:
    """One step, told; a function of its own so that it keeps no array afterwards."""
    operator, arguments = step.operator, _taken(step, values)
    shown = [a.copy() for a in arguments] if isinstance(step.kernel, Update) else arguments
    before = _shown(operator.arguments, shown)
    with events.failing("operator", step.index, operator.place):
        try:
            results = step.kernel(*arguments)
        except MinipaddleError as error:
            _note(error, operator)
            raise
    if isinstance(step.kernel, PY_FUNC):
        events.emit(called_event(step.kernel, program, step.index, operator, (arguments, results)))
    for slot, result in zip(step.results, results, strict=True):
        if slot is not None:
            values[slot] = result
    after = _shown(operator.results, results)
    events.emit(events.OperatorExecuted(program, step.index, before, after))


def _note(error: MinipaddleError, operator: Operator) -> None:
    """The error says where the Program runs; a note adds where the operator was built."""
    error.add_note(f"  while '{operator.type}' ran, which was built at {operator.place}")


def _taken(step: Step, values: list[Any]) -> list[Any]:
    return [
        values[a] if a.__class__ is int else None if a is None
        else [None if i is None else values[i] for i in a]
        for a in step.arguments
    ]  # fmt: skip


def _shown(names: tuple[Any, ...], arrays: Any) -> dict[str, Any]:
    """Values by name, as events show them."""
    shown: dict[str, Any] = {}
    for name, array in zip(names, arrays, strict=True):
        if isinstance(name, tuple):
            shown.update(_shown(name, array))
        elif name is not None and array is not None:
            shown[name] = value_of(array)
    return shown
