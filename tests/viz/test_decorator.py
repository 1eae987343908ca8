"""viz.record() around anything that can be called, and clear errors for what cannot."""

import asyncio
import functools
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.engine import modes
from tests.each import each

from . import programs


class Model:
    @viz.record()
    def method(self, x: Any) -> Any:
        return x * 2.0

    @viz.record("on the class")
    @classmethod
    def of_class(cls, x: Any) -> Any:
        return x * 2.0

    @viz.record()
    @staticmethod
    async def later(x: Any) -> Any:
        await asyncio.sleep(0)
        return x * 2.0


def test_methods_class_methods_and_coroutines_are_recorded() -> None:
    Model().method(programs.leaf())
    first = Model().method.trace
    Model().method(programs.leaf())
    assert Model().method.trace is not first
    Model().of_class(programs.leaf())
    asyncio.run(Model.later(programs.leaf()))
    traces = [Model().method.trace, Model.of_class.trace, Model.later.trace]
    assert [len(trace) for trace in traces] == [1, 1, 1]
    assert [trace.title for trace in traces] == ["method", "on the class", "later"]


@each(
    ("thing", "title"),
    [
        (functools.partial(paddle.scale, scale=2.0), "partial"),
        (paddle.nn.Linear(3, 2), "Linear"),
        (lambda x: x * 2.0, "<lambda>"),
        (paddle.tanh, "tanh"),
    ],
)
def test_callables_other_than_plain_functions_can_be_decorated(thing: Any, title: str) -> None:
    act = viz.record()(thing)
    act(paddle.ones([2, 3]))
    assert act.trace.title == title
    assert len(act.trace) >= 1


def test_wrong_arguments_raise_the_functions_own_error() -> None:
    @viz.record()
    def act(x: Any) -> Any:
        return x

    with pytest.raises(TypeError, match=r"act\(\) missing 1 required positional argument"):
        act()


def test_wrong_objects_cannot_be_decorated() -> None:
    for thing, told in ((Model, "Model: it is a class"), (3, "int: it is no function")):
        with pytest.raises(TypeError, match=f"cannot decorate {told}"):
            viz.record()(thing)
    with pytest.raises(TypeError, match=r"write @viz\.record\(\), with the brackets"):
        viz.record(lambda x: x)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"title must be text"):
        viz.record(3)  # type: ignore[arg-type]


def test_recordings_in_generators_that_take_turns_end_in_any_order() -> None:
    def rows(count: int) -> Any:
        with viz.record() as trace:
            for _ in range(count):
                yield trace

    x = programs.leaf()
    short, long = rows(1), rows(2)
    first, second = next(short), next(long)
    x * 2.0
    assert next(short, None) is None  # the first has ended, the second continues
    x * 3.0
    assert next(long) is second
    assert next(long, None) is None
    x * 4.0
    assert (len(first), len(second)) == (1, 2)
    assert modes.here() is modes.PLAIN


def test_variables_that_answer_badly_are_not_asked() -> None:
    class Bad:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    bad = Bad()
    x = programs.leaf()
    with viz.record() as trace:
        doubled = x * 2.0
    assert "giving doubled" in trace.steps[0].text
    del bad, doubled
