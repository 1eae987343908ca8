"""Run with listeners: events for every step, and at the end a plan of the memory.

`plan.memory` assigns memory with each operator as one instruction. A compiled plan splits operators
into single calls of NumPy and may need less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from .. import events
from ..engine import modes, source_line
from ..engine.dispatch import namespace_of
from ..engine.tensor import value_of
from ..ops.bound import Forward
from .interpreter import Step, Steps, fetch, put, results_of, run, start, take
from .minimize import Update
from .operator import At
from .plan.memory import Arrangement, arrange, nbytes
from .plan.recording import Instruction, Ref, Values
from .py_func import PyFunc, event_of_call
from .scope import Scope


def run_observed(steps: Steps, arrays: dict[str, Any], scope: Scope, program: int) -> list[Any]:
    """Interpret every step, emit its events, and return the fetched values."""
    values = start(steps, arrays, scope)
    fed = {name: value_of(array) for name, array in arrays.items()}
    steps.block.notify()
    events.emit(events.RunStarted(program, fed, steps.fetches, source_line.here()))
    memory = Memory(steps, values)
    run(
        steps,
        values,
        scope.write,
        execute=lambda step, values: _execute_observed(step, values, program, memory),
        freed=lambda name: events.emit(events.VariableFreed(program, name)),
    )
    events.emit(memory.as_event(program))
    results = fetch(steps, values)
    shown = {name: value_of(array) for name, array in zip(steps.fetches, results, strict=True)}
    events.emit(events.RunFinished(program, shown))
    return results


def run_part(steps: Steps, values: list[Any], at: At, turn: int) -> None:
    """Interpret a Program of the operator `at` a place, and emit its events; `turn` of a loop."""
    number = steps.block.program.number
    events.emit(events.PartEntered(at.program, at.number, number, turn))
    run(steps, values, execute=lambda step, values: _execute_observed(step, values, number))
    events.emit(events.PartLeft(at.program, at.number, number, turn))


def _execute_observed(
    step: Step, values: list[Any], program: int, memory: Memory | None = None
) -> None:
    """Run one step and emit its events."""
    operator, arguments = step.operator, take(step, values)
    shown = [a.copy() for a in arguments] if isinstance(step.kernel, Update) else arguments
    before = _values_by_name(operator.arguments, shown)
    with events.failing("operator", step.index, operator.place):
        if getattr(step.kernel, "has_parts", False):
            at = At(modes.here().hearing, program, step.index, operator)
            results = results_of(step, arguments, at=at)
        else:
            results = results_of(step, arguments)
    if isinstance(step.kernel, PyFunc):
        events.emit(event_of_call(step.kernel, program, step.index, operator, (arguments, results)))
    if memory is not None:  # a part's memory counts as its operator's
        memory.add_step(step, values, results)
    put(step, values, results)
    after = _values_by_name(operator.results, results)
    events.emit(events.OperatorExecuted(program, step.index, before, after))


def _values_by_name(names: tuple[Any, ...], arrays: Any) -> dict[str, Any]:
    """Return the values by name, as events show them."""
    shown: dict[str, Any] = {}
    for name, array in zip(names, arrays, strict=True):
        if isinstance(name, tuple):
            shown.update(_values_by_name(name, array))
        elif name is not None and array is not None:
            shown[name] = value_of(array)
    return shown


class Memory(Values):
    """Values of an observed run: their Variables, their layouts, and shared memory."""

    def __init__(self, steps: Steps, values: list[Any]) -> None:
        super().__init__()
        self.steps = steps
        self.variables = {slot: name for name, slot in steps.slots.items()}
        self.names: defaultdict[int, list[str]] = defaultdict(list)  # value -> its Variables
        self.current: dict[int, int] = {}  # slot -> value
        unread = {slot for name, slot in steps.kept if name not in steps.must_exist}
        for slot, array in enumerate(values):
            if array is not None and slot not in unread:
                self._assign_value(slot, self.add(array, ()))
        self.first_made = len(self.known)

    def _assign_value(self, slot: int, number: int) -> None:
        self.current[slot] = number
        self.names[number].append(self.variables[slot])

    def add_step(self, step: Step, values: list[Any], results: Iterable[Any]) -> None:
        """Add the results of a step whose inputs are still in `values`."""
        slots = [s for a in step.arguments for s in (a if isinstance(a, tuple) else (a,))]
        sources = [(self.current[s], values[s]) for s in slots if s in self.current]
        numbers = []
        for slot, result in zip(step.results, results, strict=True):
            if slot is None or result is None:
                continue
            number = next((n for n, source in sources if source is result), None)
            if number is None:
                number = self.add(result, sources, namespace_of([result]).may_share_memory)
                numbers.append(number)
            self._assign_value(slot, number)
        kernel, name, refs = step.kernel, step.operator.type, tuple(Ref(n) for n, _ in sources)
        broadcasts = isinstance(kernel, Forward) and kernel.op.broadcasts
        instruction = Instruction(
            name, refs, {}, tuple(numbers), step.index, fills=True, elementwise=broadcasts
        )
        self.instructions.append(instruction)
        if isinstance(kernel, PyFunc):
            self.make_private(n for n, _ in sources)
        self.make_private(self.current[slot] for _, slot in step.kept)

    def as_event(self, program: int) -> events.MemoryPlanned:
        """Return the event that describes all memory of the run."""
        lasting = (*self.steps.fetched, *(slot for _, slot in self.steps.kept))
        kept = {self.current[slot] for slot in lasting if slot in self.current}
        plan = arrange(self, kept)
        for number, known in enumerate(self.known):  # a base lists the names of its views
            for outer in known.inside:
                self.names[outer] += self.names[number]
        blocks = [
            events.MemoryBlock(
                "shared", block.size, tuple(self._lifetime_of(v, plan) for v in block.holds)
            )
            for block in plan.blocks
        ]
        for number, known in enumerate(self.known):
            if number not in plan.block_of and not known.inside:
                stay = self._lifetime_of(number, plan)
                blocks.append(events.MemoryBlock(self._block_kind(number), stay.nbytes, (stay,)))
        return events.MemoryPlanned(program, tuple(blocks))

    def _block_kind(self, number: int) -> str:
        """Return the kind of a block that holds one value only."""
        variables = self.steps.block.vars
        if any(variables[name].persistable for name in self.names[number]):
            return "scope"
        return "fed" if number < self.first_made else "own"

    def _lifetime_of(self, number: int, plan: Arrangement) -> events.Stay:
        """Return the lifetime of a value, which includes that of its views."""
        born = plan.born.get(number, -1)
        freed = plan.dies.get(number, born)
        size = nbytes(self.known[number])
        return events.Stay(tuple(dict.fromkeys(self.names[number])), size, born, freed)
