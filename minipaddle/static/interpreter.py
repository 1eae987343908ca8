"""Interpreter of Programs: operators run one after the other over a table of values.

`Steps` binds a Program once: each name becomes a slot of the table, and each operator gets the
slots that it reads, writes, and frees after their last use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from ..device import current_place, to_numpy
from ..engine.errors import MinipaddleError
from ..ops.bound import Forward
from . import errors
from .block import Block
from .operator import Operator
from .py_func import PyFunc
from .scope import Scope


class Step:
    """Operator with its slots in the table of values."""

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
        self.kept: tuple[tuple[str, int], ...] = ()  # persistable results
        self.freed: tuple[tuple[str, int], ...] = ()  # temporaries that no later step reads


class Steps:
    """Program bound to slots: its steps, and the values that they need at the start."""

    def __init__(self, block: Block, fetches: tuple[str, ...]) -> None:
        self.block = block
        self.fetches = fetches
        self.plans: WeakKeyDictionary[Any, dict[Any, Any]] = WeakKeyDictionary()  # keys: Executors
        self.slots: dict[str, int] = {}
        for name in fetches:
            self.slots.setdefault(name, len(self.slots))
        for op in block.ops:
            for name in (*op.reads, *op.writes):
                self.slots.setdefault(name, len(self.slots))
        self.fetched = [self.slots[name] for name in fetches]
        self.steps = [Step(index, op, self.slots) for index, op in enumerate(block.ops)]
        self.calls_python = any(isinstance(step.kernel, PyFunc) for step in self.steps)
        self._find_requirements(block, fetches)
        self._find_lifetimes(block)

    def _find_requirements(self, block: Block, fetches: tuple[str, ...]) -> None:
        """Find the names that are read before they are written, which a feed or scope must have."""
        written: set[str] = set()
        first: dict[str, bool] = {}  # name -> whether only py_funcs read it
        for op in block.ops:
            debug = isinstance(op.kernel, PyFunc)
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

    def _find_lifetimes(self, block: Block) -> None:
        """Find what each step stores in the scope and frees, and the slots live before it."""
        persistable = {name for name in self.slots if block.vars[name].persistable}
        live = set(self.fetched)  # slots that later steps read before they write
        self.live = [live]
        for step in reversed(self.steps):
            reads, writes = step.operator.reads, step.operator.writes
            step.kept = tuple((name, self.slots[name]) for name in writes if name in persistable)
            touched = sorted({*reads, *writes} - persistable, key=self.slots.__getitem__)
            step.freed = tuple((n, self.slots[n]) for n in touched if self.slots[n] not in live)
            live = (live - {self.slots[n] for n in writes}) | {self.slots[n] for n in reads}
            self.live.append(live)
            kernel = step.kernel
            if step.kept and isinstance(kernel, Forward) and kernel.op.view:
                step.kernel = Forward(kernel.op, kernel.values, fresh=True)  # feeds stay separate
        self.live.reverse()


def start(steps: Steps, arrays: dict[str, Any], scope: Scope) -> list[Any]:
    """Return the table of values at the start of a run: feeds and persistable values."""
    values: list[Any] = [None] * len(steps.slots)
    put = current_place().put
    for name, array in arrays.items():
        if name in steps.slots:
            values[steps.slots[name]] = put(array)
    for name, slot in steps.kept:
        if name in arrays:
            values[slot] = put(arrays[name]).copy()  # updates must not change the user's array
            scope.write(name, values[slot])
            continue
        stored = scope.read(name)
        if stored is not None:
            values[slot] = put(stored)
        elif name in steps.must_exist:
            raise errors.not_initialized(steps.block.vars[name])
    return values


def fetch(steps: Steps, values: list[Any]) -> list[Any]:
    """Return copies of the fetched values, since later runs may reuse their arrays."""
    for name, slot in zip(steps.fetches, steps.fetched, strict=True):
        if values[slot] is None:
            raise errors.nothing_to_fetch(name)
    return [to_numpy(values[slot]).copy() for slot in steps.fetched]


def ignore(*_values: Any) -> None:
    """Do nothing."""


def run(
    steps: Steps,
    values: list[Any],
    keep: Callable[[str, Any], object] = ignore,
    execute: Callable[[Step, list[Any]], None] | None = None,
    freed: Callable[[str], object] = ignore,
    first: int = 0,
) -> None:
    """Run every step from `first` on; `keep` stores persistable results, as `Scope.write` does.

    execute: hook that computes a step. freed: hook for a Variable that no later step reads.
    """
    for step in steps.steps[first:]:
        (execute or compute)(step, values)
        for name, slot in step.kept:
            keep(name, values[slot])
        for name, slot in step.freed:
            values[slot] = None
            freed(name)


def compute(step: Step, values: list[Any]) -> None:
    """Compute a step and put its results into the table."""
    put(step, values, results_of(step, take(step, values)))


def results_of(step: Step, arguments: list[Any], **more: Any) -> tuple[Any, ...]:
    """Call the kernel of a step; add to a MinipaddleError where the step was built."""
    try:
        results: tuple[Any, ...] = step.kernel(*arguments, **more)
    except MinipaddleError as error:
        note(error, step.operator)
        raise
    return results


def put(step: Step, values: list[Any], results: tuple[Any, ...]) -> None:
    """Put the results of a step into the table."""
    for slot, result in zip(step.results, results, strict=True):
        if slot is not None:
            values[slot] = result


def note(error: MinipaddleError, operator: Operator) -> None:
    """Add to an error where the operator was built."""
    error.add_note(f"  while '{operator.type}' ran, which was built at {operator.place}")


def take(step: Step, values: list[Any]) -> list[Any]:
    return [
        values[a]
        if a.__class__ is int
        else None
        if a is None
        else [None if i is None else values[i] for i in a]
        for a in step.arguments
    ]
