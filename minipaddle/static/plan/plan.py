"""Plan of a Program for feeds of one kind, and the recorded run that it is compiled from.

If a later run differs from the recorded one (a py_func returns another shape), the interpreter
continues.
"""

from __future__ import annotations

import linecache
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from operator import attrgetter, is_
from typing import Any

import numpy as np

from ...engine.errors import MinipaddleError
from ...ops.bound import Forward
from ...ops.recording_arrays import Traced, find_traced, record_with
from ...random import default_generator
from ..interpreter import Step, Steps, fetch, note, put, run, start, take
from ..minimize import Update
from ..operator import Composite
from ..py_func import PyFunc
from ..scope import Scope
from .memory import arrange
from .recording import Exit, Recorder
from .source import Source

_numbers = count(1)
_array = attrgetter("array")


class Plan:
    """Compiled run: `str(plan)` is its source with the memory plan.

    >>> import numpy as np, minipaddle as paddle
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main):
    ...     y = paddle.tanh(paddle.static.data("x", [None, 2]) * 2.0)
    >>> plan = paddle.static.Executor().plan(main, {"x": np.ones([1, 2], "float32")}, [y])
    >>> "tanh(b0, b0)" in str(plan)
    True
    >>> paddle.disable_static()
    """

    def __init__(self, steps: Steps, values: list[Any], scope: Scope) -> None:
        """Record one run, which fills `values` as any run does, and compile it."""
        self.steps = steps
        self.at_work: object = None  # identity of the run that uses the memory now
        self.lock = threading.Lock()  # protects at_work
        trace = Trace(steps, values)
        trace.run(scope)
        layouts = {trace.names[slot]: layout_of(t._array) for slot, t in trace.inputs.items()}
        self.feeds = trace.feeds
        self.state = [(name, layouts[name]) for name in (*trace.stays, *trace.moves)]
        self._stays = len(trace.stays)
        self._found_in: Any = None  # Variables of the last run's scope
        self._tensors: list[Any] = []  # tensors of the state in that scope
        kept = {number for number in map(trace.number, steps.fetched) if number is not None}
        trace.recorder.drop_unread(kept)
        self.memory = arrange(trace.recorder, kept)
        self.source = ""
        self.lines: dict[int, int] = {}  # line of the source -> operator
        self.filename = f"<plan {next(_numbers)}>"
        self._prepare = self._compile_source(trace)
        # Arrays of the scope in the last run, and the function that was prepared for these arrays.
        self._last: tuple[list[Any], Any] = [...] * len(self.state), None
        if not trace.stays:
            self._last = self._last[0], self._prepare()

    def __str__(self) -> str:
        return self.source

    __repr__ = __str__

    def _compile_source(self, trace: Trace) -> Callable[..., Any]:
        source = Source(trace, self.memory)
        source.write_body()
        self.source, first = source.text()
        self.lines = {first + 1 + i: operator for i, operator in enumerate(source.lines)}
        lines = self.source.splitlines(keepends=True)
        linecache.cache[self.filename] = len(self.source), None, lines, self.filename
        weakref.finalize(self, linecache.cache.pop, self.filename, None).atexit = False
        names: dict[str, Any] = {"__name__": __name__}
        exec(compile(self.source, self.filename, "exec"), names)
        blocks = [_aligned_buffer(block.size) for block in self.memory.blocks]
        arrays = {
            name: np.ndarray(known.shape, known.dtype, blocks[block], 0, known.strides)
            for name, (block, known) in source.arrays.items()
        }
        return partial(names["prepare"], np, arrays, source.objects)

    def run(self, feeds: dict[str, Any], scope: Scope) -> list[Any] | None:
        """Run; return copies of the results, or None if the scope's arrays do not fit the plan."""
        if scope._variables is not self._found_in:
            self._tensors = [scope.var(name).tensor for name, _ in self.state]
            self._found_in = scope._variables
        state = list(map(_array, self._tensors))
        known, function = self._last
        if not all(map(is_, state, known)):
            function = self._prepare_for(state)
            if function is None:
                return None
        try:
            fed = map(feeds.__getitem__, self.feeds)
            exit, results = function(scope.write, *fed, *state[self._stays :])
        except Exception as error:
            self._note_operator(error)
            raise
        return results if exit is None else self._continue_interpreted(exit, results, feeds, scope)

    def _prepare_for(self, state: list[Any]) -> Callable[..., Any] | None:
        """Return the function for new arrays of the scope, None if their layout has changed."""
        for array, (_, recorded) in zip(state, self.state, strict=True):
            if array is None or layout_of(array) != recorded:
                return None
        known, function = self._last
        stay = state[: self._stays]
        if not all(map(is_, stay, known)):
            function = self._prepare(*stay)
        self._last = state, function
        return function

    def _continue_interpreted(
        self,
        exit: tuple[int, tuple[int, ...]],
        live: tuple[Any, ...],
        feeds: dict[str, Any],
        scope: Scope,
    ) -> list[Any]:
        """Interpret the remaining operators with the live values, and fetch the results."""
        resume, slots = exit
        values = start(self.steps, feeds, scope)
        for slot, value in zip(slots, live, strict=True):
            values[slot] = value
        run(self.steps, values, scope.write, first=resume)
        return fetch(self.steps, values)

    def _note_operator(self, error: Exception) -> None:
        """Add to an error where the operator that raised it was built."""
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.filename:
                if isinstance(error, MinipaddleError):
                    note(error, self.steps.steps[self.lines[trace.tb_lineno]].operator)
                return
            trace = trace.tb_next


class Trace:
    """Recorded run; `table` has the traced value of each slot."""

    def __init__(self, steps: Steps, values: list[Any]) -> None:
        self.steps = steps
        self.values = values
        self.recorder = Recorder()
        self.table: list[Traced | None] = [None] * len(values)
        self.inputs: dict[int, Traced] = {}
        self.variables: dict[int, list[str]] = {}  # value -> names of its Variables
        self.names = {slot: name for name, slot in steps.slots.items()}
        for slot, array in enumerate(values):
            if array is not None:
                self.inputs[slot] = self.table[slot] = self.recorder.value(array)

    def run(self, scope: Scope) -> None:
        """Execute and record every step."""
        with record_with(self.recorder):
            run(self.steps, self.table, partial(self._write_persistable, scope), self._record_step)
        for slot in self.steps.fetched:
            self.values[slot] = getattr(self.table[slot], "_array", None)
        persistable = {name for name, _ in self.steps.kept}
        inputs = [self.names[slot] for slot in self.inputs]
        state = [name for name in inputs if name in persistable]
        replaced = {step.args[0] for step in self.recorder.instructions if step.name == "keep"}
        self.feeds = [name for name in inputs if name not in persistable]
        self.stays = [name for name in state if name not in replaced]  # changed only in place
        self.moves = [name for name in state if name in replaced]  # replaced by each run

    def _record_step(self, step: Step, table: list[Any]) -> None:
        arguments = take(step, table)
        needs = tuple(traced._number for traced in find_traced(arguments))
        self.recorder.operator = step.index
        self.recorder.exit = self._exit_before(step.index)._replace(needs=needs)
        whole = isinstance(step.kernel, (PyFunc, Composite))
        results = None if whole else self._record_calls(step, arguments)
        guarded = results is None and _shapes_may_vary(step, arguments)
        if results is None:
            results = self._record_whole(step, arguments)
        put(step, table, results)
        for slot, result in zip(step.results, results, strict=True):
            if slot is not None and result is not None:
                self.variables.setdefault(result._number, []).append(self.names[slot])
        outputs = tuple(result for result in results if result is not None)
        if guarded and outputs:
            self.recorder.guard(outputs, self._exit_before(step.index + 1))

    def _record_calls(self, step: Step, arguments: list[Any]) -> tuple[Any, ...] | None:
        """Record the calls of a kernel; return its results, or None if that is impossible."""
        if not arguments:
            if step.kept or step.kernel.op.random:  # type: ignore[attr-defined]
                return None
            return tuple(map(self.recorder.constant, step.kernel()))
        before, drawn = self.recorder.state(), default_generator.get_state()
        with suppress(Exception):  # the kernel raises its own error in `_record_whole`
            if isinstance(step.kernel, Update):
                return self._trace_update(step.kernel, arguments)
            results: tuple[Any, ...] = step.kernel(*arguments)
            if all(result is None or isinstance(result, Traced) for result in results):
                return results
        vars(self.recorder).update(before)
        default_generator.set_state(drawn)
        return None

    def _trace_update(self, kernel: Update, arguments: list[Any]) -> tuple[Any, ...]:
        """Record an update on copies, so that nothing changes if it cannot be recorded."""
        copies = [Traced(argument._array.copy(), argument._number) for argument in arguments]
        work = self.recorder.scratch(arguments[0]._array)
        kernel(*copies, work=work)
        for argument, copy in zip(arguments, copies, strict=True):
            argument._array[...] = copy._array
        return (arguments[0], *arguments[3:])

    def _record_whole(self, step: Step, arguments: list[Any]) -> tuple[Any, ...]:
        """Record the kernel as one call."""
        extra = {}
        if isinstance(step.kernel, Update):
            extra["work"] = self.recorder.scratch(arguments[0]._array)
        elif isinstance(step.kernel, PyFunc):
            self.recorder.make_private(traced._number for traced in find_traced(arguments))
        try:
            return self.recorder.whole(step.kernel, arguments, **extra)
        except MinipaddleError as error:
            note(error, step.operator)
            raise

    def _write_persistable(self, scope: Scope, name: str, value: Traced | None) -> None:
        """Write a persistable result into the scope, unless it was changed in place."""
        slot = self.steps.slots[name]
        if value is not None and value is not self.inputs.get(slot):
            if value._number in self.recorder.fixed:  # updates must not change a constant
                value = self.table[slot] = self.recorder.copy_of(value)
            self.recorder.make_private([value._number])
            self.recorder.keep(name, value)
            scope.write(name, value._array)

    def number(self, slot: int) -> int | None:
        """Return the number of the value in a slot now, or None if it is empty."""
        value = self.table[slot]
        return None if value is None else value._number

    def _exit_before(self, position: int) -> Exit:
        """Return the exit before an operator, with the values that are live there.

        The memory of a value that the plan reads no more may be reused by then; kernels use
        nothing but the shape of such a value.
        """
        live = {slot: self.number(slot) for slot in sorted(self.steps.live[position])}
        known = {slot: number for slot, number in live.items() if number is not None}
        return Exit(position, tuple(known), tuple(known.values()))


def _shapes_may_vary(step: Step, arguments: list[Any]) -> bool:
    """Return whether the results' shapes depend on more than the arguments' shapes."""
    if isinstance(step.kernel, (PyFunc, Composite)):
        return True
    if not isinstance(step.kernel, Forward):
        return False
    op = step.kernel.op
    inferred = op.infer_arrays(arguments, step.kernel.values)
    results = inferred if isinstance(inferred, list) else [inferred]
    return any(-1 in meta.shape for meta in results)


def layout_of(array: Any) -> tuple[Any, ...]:
    return array.shape, array.strides, array.dtype


def _aligned_buffer(size: int) -> Any:
    """Allocate memory that begins at a multiple of 64 bytes, for the fastest loops."""
    whole = np.empty(size + 64, np.uint8)
    start = -whole.ctypes.data % 64
    return whole[start : start + size]
