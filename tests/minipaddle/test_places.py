"""Places: the innermost line of user code, searched once per instruction."""

import contextlib
from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.engine import source_line
from minipaddle.engine.errors import InvalidArgument

SOURCE = "def work(f, x):\n    pass\n{}    f(x); f(x)\n    return f(x)\n"


def lines_of(call: Any) -> list[int]:
    """Return the lines of the op calls in a function."""
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


def test_the_cache_of_places_stays_small(monkeypatch: Any) -> None:
    monkeypatch.setattr(source_line, "MOST_KNOWN", 5)
    source_line._PLACE_CACHE.clear()
    x = paddle.ones([1])
    for _ in range(20):
        space: dict[str, Any] = {}
        exec(SOURCE.format(""), space)
        assert lines_of(lambda: space["work"](paddle.tanh, x)) == [3, 3, 4]  # noqa: B023
        assert len(source_line._PLACE_CACHE) <= 5


class Doubled(paddle.nn.Layer):
    """A layer of the user between two of ours; its own lines count."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.Tanh())

    def forward(self, x: Any) -> Any:
        y = self.inner(x) * 2.0
        if y.shape[0] > 2:
            raise ValueError("too many rows")
        return y


def test_a_layer_with_a_known_line_needs_no_stack_walk(monkeypatch: Any) -> None:
    """The places equal those of a stack walk to the user's frame, also after a failed call."""
    net = paddle.nn.Sequential(Doubled(), paddle.nn.Sequential(Doubled(), paddle.nn.ReLU()))
    net[0].inner[1].register_forward_post_hook(lambda _layer, _inputs, outputs: outputs + 1.0)
    kinds = events.OpStarted, events.ScopeEntered

    def work() -> None:
        net(paddle.ones([1, 2]))
        with contextlib.suppress(ValueError):
            net(paddle.ones([3, 2]))
        for layer in net:
            layer(paddle.ones([1, 2]))

    def places() -> list[Any]:
        heard: list[Any] = []
        with events.listen(heard.append):
            work()
        return [event.place for event in heard if isinstance(event, kinds)]

    known = places()
    monkeypatch.setattr(source_line, "_code_with_caller", None)
    assert known == places()
    assert len({place.line for place in known}) == 5


def test_lessons_in_an_installed_package_count_as_user_code(monkeypatch: Any) -> None:
    """A wheel has them inside of the package; an imported exercises file counts as ours."""
    lessons = Path(source_line.__file__).parents[1] / "_lessons"
    assert not source_line.is_library_code(str(lessons / "demo" / "digits.py"))
    installed = "/here/venv/lib/python3.11/site-packages/minipaddle/_lessons/demo/digits.py"
    assert source_line.display_name(installed, "/here") == "digits.py"
    assert source_line.is_library_code(str(lessons.parent / "_cli" / "demo.py"))
    file = str(lessons / "exercises" / "01_one_tanh.py")
    assert not source_line.is_library_code(file)
    monkeypatch.setattr(source_line, "_IS_LIBRARY", dict(source_line._IS_LIBRARY))
    source_line.mark_library(file)
    assert source_line.is_library_code(file)


def test_an_error_of_a_decorated_function_names_the_line_of_its_caller(tmp_path: Path) -> None:
    """`trace.save` runs inside a decorator of contextlib."""
    with viz.record() as trace:
        paddle.ones([1])
    with pytest.raises(InvalidArgument) as caught:
        trace.save(tmp_path / "a.xyz")
    assert caught.value.place.function.startswith("test_an_error_of_a_decorated")
