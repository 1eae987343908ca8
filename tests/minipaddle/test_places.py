"""Places: the innermost line of user code, found once for each instruction."""

from __future__ import annotations

from typing import Any

import minipaddle as paddle
from minipaddle import events
from minipaddle.engine import source_line

SOURCE = "def work(f, x):\n    pass\n{}    f(x); f(x)\n    return f(x)\n"


def lines_of(call: Any) -> list[int]:
    """The lines at which the op calls of a function stand."""
    heard: list[Any] = []
    with events.listen(heard.append):
        call()
    return [e.place.line for e in heard if isinstance(e, events.OpStarted)]


def test_functions_that_come_and_go_are_never_mixed_up() -> None:
    """Each code dies before the next is made, at the same address if it can."""
    x = paddle.ones([1])
    for number in range(200):
        space: dict[str, Any] = {}
        code = compile(SOURCE.format("\n" * (number % 7)), f"<made {number}>", "exec")
        exec(code, space)
        first = 3 + number % 7
        for _ in range(2):
            assert lines_of(lambda: space["work"](paddle.tanh, x)) == [first, first, first + 1]  # noqa: B023


def test_what_is_known_of_places_stays_small(monkeypatch: Any) -> None:
    monkeypatch.setattr(source_line, "MOST_KNOWN", 5)
    source_line._KNOWN.clear()
    x = paddle.ones([1])
    for _ in range(20):
        space: dict[str, Any] = {}
        exec(SOURCE.format(""), space)
        assert lines_of(lambda: space["work"](paddle.tanh, x)) == [3, 3, 4]  # noqa: B023
        assert len(source_line._KNOWN) <= 5
