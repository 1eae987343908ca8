"""Ctrl-C anywhere: the next ordinary use of the library works as in a fresh process."""

from __future__ import annotations

import os
import random
import traceback
from typing import Any

import pytest

from .conftest import Fuzz
from .interrupted_programs import PROGRAMS, building, files
from .interrupts import (
    Interrupter,
    Place,
    Program,
    Sender,
    condition,
    differences,
    gate_is_closed,
    moments,
    named,
    places_in,
)

FEW_PLACES = 6  # of each program, where no minutes are given
FEW_SIGNALS = 40

pytestmark = [
    pytest.mark.slow,
    pytest.mark.host,
    # A file that was just opened is closed when it is forgotten; and a signal inside a callback of
    # the garbage collector's gets no further than there.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.skipif(os.name == "nt", reason="signals come otherwise on Windows"),
]


def check(before: dict[str, Any], what: str) -> None:
    left = differences(before, condition())
    assert not left, f"after an interrupt in {what}:\n" + "\n".join(left)


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_interrupt_at_any_place_leaves_nothing_behind(program: Program, fuzz: Fuzz) -> None:
    places = places_in(program)
    random.Random(fuzz.number).shuffle(places)
    before = condition()
    for place in fuzz.some(places, FEW_PLACES, part=0.01):
        look_after(program, place, before)
        assert gate_is_closed(), named(place)


def look_after(program: Program, place: Place, before: dict[str, Any]) -> None:
    """Interrupt a program in one place, and ask while the traceback is still there."""
    interrupter = Interrupter(place)
    interrupter.run(program)
    check(before, named(place))


def test_signals_at_random_times_leave_nothing_behind(fuzz: Fuzz) -> None:
    for program in PROGRAMS:
        program()
    before, sender = condition(), Sender()
    sent = raised = 0
    try:
        draw = random.Random(fuzz.number)
        for seconds in fuzz.some(moments(fuzz.number), FEW_SIGNALS, part=0.14):
            error = sender.interrupt(draw.choice(PROGRAMS), seconds)
            sent, raised = sent + 1, raised + (error is not None)
            check(before, "".join(traceback.format_exception(error)) if error else "silence")
            error = None
            assert gate_is_closed()
    finally:
        sender.stop()
    assert raised > 0.9 * sent, f"{raised} of {sent} signals raised KeyboardInterrupt"


def test_the_places_are_those_where_a_signal_could_come() -> None:
    names = [named(place) for place in places_in(building)]
    assert any(name.startswith("Guard._leave") for name in names)
    assert any(name.startswith("MarkOperators._restore") for name in names)
    assert len(names) > 1000
    assert not any("MarkOperators" in named(place) for place in places_in(files))
