"""A failure is reported by a program with few needless statements."""

import pytest

from minipaddle.engine import backward
from tests.sealing import start_afresh

from . import reference
from .conftest import Fuzz
from .programs import EAGER, Program, programs
from .running import outcome_of, right

pytestmark = pytest.mark.slow


def check(program: Program) -> None:
    start_afresh()
    result = outcome_of(program)
    reference.state.begin()
    right(result, outcome_of(program, reference.paddle), reference.state.overwritten)


def statements(failure: BaseException) -> list[str]:
    """Return the statements of the program in the report of a failure."""
    text = failure.__notes__[-1]
    return text.partition("seen, errors = [], []\n")[2].strip().split("\n")


def test_a_planted_fault_is_found_and_reported_in_a_few_statements(
    fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = (None, lambda _edge, held, _more: held + held, frozenset())
    monkeypatch.setattr(backward.walk, "__defaults__", defaults)
    with pytest.raises(AssertionError) as failure:
        fuzz.round(check, programs(EAGER), 1107, 300)
    assert len(statements(failure.value)) <= 6


def test_only_unneeded_statements_are_left_out() -> None:
    program = Program()
    program.body = [
        "x1 = paddle.to_tensor([1.0], stop_gradient=False)",
        "x2 = paddle.to_tensor([2.0], stop_gradient=False)",
        "t3 = x2 * x2",
        "t4 = x1 * 3.0",
        "t4.backward()",
    ]
    made = [smaller.body for smaller in program.without_one()]
    assert made == [program.body[:4], [*program.body[:2], *program.body[3:]]]
