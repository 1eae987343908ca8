"""In random programs `what_if` gives the engine's results, or says that it cannot."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.engine.errors import MinipaddleError
from tests.sealing import start_afresh
from viz.document.history import values_of
from viz.whatif.constants import Constants
from viz.whatif.numbers import AsRecorded, Changed, alike, array_of, same_bits
from viz.whatif.replay import Replay, is_zero
from viz.whatif.what_if import Leaves

from .programs import EAGER, Program, programs
from .running import forget
from .static_programs import BATCH, FIXED, StaticProgram, static_programs

pytestmark = pytest.mark.slow

BY_PYTHON = ("set_value", "lambda t: t.numpy()")  # code that puts numbers of NumPy into tensors


class OtherNumbers:
    """A `paddle` for a program that changes each array of which it makes a leaf."""

    def __init__(self, change: Callable[[Any], Any]) -> None:
        self.change = change
        self.leaves: list[tuple[int, Any]] = []  # (number of a tensor, its values)

    def __getattr__(self, name: str) -> Any:
        return getattr(paddle, name)

    def to_tensor(self, data: Any, dtype: Any = None, **options: Any) -> Any:
        if not options:
            return paddle.to_tensor(data, dtype)
        array = self.change(np.asarray(data, dtype))
        tensor = paddle.to_tensor(array, dtype, **options)
        self.leaves.append((events.give_number(tensor), array))
        return tensor


def other(array: Any) -> Any:
    return np.asarray(array * 1.13 + 0.07, array.dtype)


def recorded(program: Program, change: Callable[[Any], Any]) -> tuple[viz.Trace, dict[int, Any]]:
    """Record a program; return the trace, and the leaves by number."""
    start_afresh()
    module = OtherNumbers(change)
    with viz.record() as trace:
        try:
            names = {"paddle": module, "np": np, "__name__": "__main__"}
            exec(compile(program.text, "<program>", "exec"), names)
        except Exception as error:  # noqa: BLE001  (the trace has the steps before)
            forget(error)
    assert trace.events is not None
    return trace, {trace._numbers.get(number, 0): array for number, array in module.leaves}


def test_recorded_numbers_give_every_recorded_value(fuzz: Callable) -> None:
    def check(program: Program) -> None:
        trace, _ = recorded(program, np.asarray)
        numbers = AsRecorded()
        Replay(numbers, trace.events).walk()
        for event in trace.events:
            for value in values_of(event):
                assert alike(numbers.arrays[value.occurrence], array_of(value)), event
        if not any(text in program.text for text in BY_PYTHON):
            assert not numbers.kept_as_recorded
        assert trace.what_if({}).dumps() == trace.dumps()

    fuzz(check, programs(EAGER), 15, part=0.06)


def test_changed_leaves_give_what_the_engine_gives(fuzz: Callable) -> None:
    def check(program: Program) -> None:
        trace, leaves = recorded(program, np.asarray)
        real, _ = recorded(program, other)
        before = AsRecorded()
        Replay(before, trace.events).walk()
        edits = {}
        for leaf in before.leaves:
            array = leaves.get(leaf.seen.id) if leaf.seen else None
            record = trace.events[leaf.record]
            takes = isinstance(record, events.ValuesTaken) and record.source is not leaf.seen
            if array is not None and not takes and same_bits(array, array_of(leaf.value)):
                edits[leaf.value.occurrence] = [other]
        after = Changed(before, edits, {})
        if kinds(trace) != kinds(real):
            return  # a mask has another size, or an error has another place
        try:
            Replay(after, trace.events).walk()
        except MinipaddleError:
            raise AssertionError("what runs with these numbers is refused") from None
        for one, two in zip(trace.events, real.events, strict=True):
            for value, wanted in zip(values_of(one), values_of(two), strict=True):
                if value.occurrence in after.stale:
                    continue
                array = after.arrays.get(value.occurrence, before.arrays[value.occurrence])
                assert alike(array, array_of(wanted)), (one, array, wanted)
        if is_plain(program, trace, leaves):
            assert {*after.stale.values()} <= {"size"}  # sizes of masked results

    fuzz(check, programs(EAGER), 15, part=0.06)


def is_plain(program: Program, trace: viz.Trace, leaves: dict[int, Any]) -> bool:
    """Say whether nothing in a program looks like a computation of Python."""
    contents = {(array.shape, array.tobytes()) for array in leaves.values()}
    zeros = (is_zero(e.grad.data) for e in trace.events if isinstance(e, events.LeafReached))
    by_python = any(text in program.text for text in BY_PYTHON)
    return not by_python and len(contents) == len(leaves) and not any(zeros)


def kinds(trace: viz.Trace) -> list[Any]:
    return [(type(event), getattr(event, "op", "")) for event in trace.events]


def test_runs_of_programs_follow_changed_feeds(fuzz: Callable) -> None:
    def check(program: StaticProgram) -> None:
        start_afresh()
        arrays = program.arrays(BATCH)
        with program.built() as (results, grads):
            fetch = [*results.values(), *grads.values()]
            if not fetch:
                return
            changes = {name: other(array) for name, array in arrays.items()}
            trace, real = recorded_run(fetch, arrays), recorded_run(fetch, changes)
        numbers = AsRecorded()
        Replay(numbers, trace.events).walk()
        if "numpy_op" not in program.text:
            assert not numbers.kept_as_recorded
        changed = trace.what_if(changes)
        for one, two in zip(changed.events, real.events, strict=True):
            for value, wanted in zip(values_of(one), values_of(two), strict=True):
                if "stale" not in value.data:
                    assert alike(array_of(value), array_of(wanted)), (one, array_of(wanted))
        if "numpy_op" not in program.text:
            assert not changed.stale()

    fuzz(check, static_programs(FIXED), 15, part=0.06)


def test_a_constant_that_is_changed_and_changed_back_changes_nothing(fuzz: Callable) -> None:
    def check(program: Program) -> None:
        trace, _ = recorded(program, np.asarray)
        for key, constant in list(constants_of(trace).named.items())[:3]:
            number = constant.number + 1 if constant.is_whole else constant.number * 1.5 + 0.25
            try:
                changed = trace.what_if({key: number})
            except MinipaddleError:
                continue  # the op does not take the constant
            assert constants_of(changed).named[key].number == number
            back = changed.what_if({key: constant.number})
            for one, two in zip(back.events, trace.events, strict=True):
                for value, wanted in zip(values_of(one), values_of(two), strict=True):
                    if "stale" not in value.data:
                        assert alike(array_of(value), array_of(wanted)), (key, one)

    fuzz(check, programs(EAGER), 15, part=0.03)


def constants_of(trace: viz.Trace) -> Constants:
    numbers = AsRecorded()
    Replay(numbers, trace.events).walk()
    return Leaves(trace, numbers, ()).constants


def recorded_run(fetch: list[Any], feed: dict[str, Any]) -> viz.Trace:
    with viz.record() as trace:
        paddle.static.Executor().run(feed=feed, fetch_list=fetch)
    return trace
