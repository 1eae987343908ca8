"""Random eager programs are right, equal in every way of running, and leave nothing behind."""

from collections.abc import Callable
from pathlib import Path

import pytest

import viz
from minipaddle.engine import modes
from tests.sealing import leaks, start_afresh

from . import reference
from .programs import EAGER, Program, programs
from .running import Outcome, in_parts, nothing_left, outcome_of, right, same


def plain(program: Program) -> Outcome:
    """Run a program in a fresh state, and check that the state is unchanged afterwards."""
    start_afresh()
    result = outcome_of(program)
    nothing_left(program, result)
    assert not leaks(), leaks()
    in_parts(result)
    return result


def test_values_and_gradients_are_right(fuzz: Callable) -> None:
    def check(program: Program) -> None:
        result = plain(program)
        reference.state.begin()
        expected = outcome_of(program, reference.paddle)
        right(result, expected, reference.state.overwritten)

    fuzz(check, programs(EAGER), 80, part=0.35)


@pytest.mark.slow
def test_a_recorded_run_is_the_same_and_its_trace_is_read_back(
    fuzz: Callable, tmp_path: Path
) -> None:
    def check(program: Program) -> None:
        result = plain(program)
        start_afresh()
        with viz.record() as trace:
            recorded = outcome_of(program)
        nothing_left(program, recorded)
        assert not leaks(), leaks()
        same(result, recorded)
        assert len(trace.steps) == len(trace.story.steps)
        assert trace.text()
        again = viz.load(trace.save(tmp_path / "trace.json"))
        assert again.dumps() == trace.dumps()
        assert again.text() == trace.text()

    fuzz(check, programs(EAGER), 20, part=0.06)


@pytest.mark.slow
def test_quick_calls_and_general_ones_give_the_same(fuzz: Callable) -> None:
    """With NaN checks every op takes the general path."""

    def check(program: Program) -> None:
        result = plain(program)
        start_afresh()
        with modes.override(check_nan=True):
            general = outcome_of(program)
        nothing_left(program, general)
        same(result, general)

    fuzz(check, programs(EAGER), 40, part=0.06)
