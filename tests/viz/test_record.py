"""Recording retains the right values, changes nothing else, and decorates what can be called."""

import asyncio
import functools
import warnings
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.engine import modes
from tests.each import each
from viz.recorder import listener_of
from viz.trace import Recording

from . import programs


def test_recording_changes_no_bit() -> None:
    def run() -> np.ndarray:
        x = programs.leaf()
        (programs.cus_tanh.apply(x) * x).mean().backward()
        return x.grad.numpy()

    plain = run()
    with viz.record():
        watched = run()
    assert plain.tobytes() == watched.tobytes()


def test_a_trace_inside_its_block_shows_the_steps_so_far() -> None:
    x = programs.leaf()
    with viz.record() as trace:
        assert len(trace) == 0
        x * 2.0
        assert len(trace) == 1
        x * 3.0
    assert len(trace) == 2


def test_an_empty_recording_of_two_frameworks_says_how_to_record_the_other() -> None:
    both: dict[str, Any] = {"paddle": paddle, "torch": ModuleType("torch"), "x": programs.leaf()}
    with pytest.warns(UserWarning, match="recorded nothing") as caught, viz.record(variables=both):
        pass
    assert [Path(each.filename).name for each in caught] == [Path(__file__).name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with viz.record(variables=both):
            both["x"] * 2.0
        with viz.record(variables={"paddle": paddle}):
            pass


def test_a_function_whose_paddle_is_minipaddle_is_recorded_as_such() -> None:
    names: dict[str, Any] = {"paddle": paddle, "viz": viz}
    exec("@viz.record()\ndef double():\n    return paddle.ones([2]) * 2.0\ndouble()", names)
    assert len(names["double"].trace) == 2


def test_an_attribute_named_torch_chooses_no_framework() -> None:
    names = {"viz": viz, "make": lambda: paddle.ones([2]), "flags": SimpleNamespace(torch=2.0)}
    exec("@viz.record()\ndef scale(): return make() * flags.torch\nscale()", names)
    assert len(names["scale"].trace) == 2


def test_a_hook_that_removes_itself_is_recorded_with_what_it_returned() -> None:
    x = programs.leaf()

    def once(grad: paddle.Tensor) -> paddle.Tensor:
        handle.remove()
        return grad * 2.0

    handle = x.register_hook(once)
    with viz.record() as trace:
        x.sum().backward()
    (reached,) = (e for e in trace.events if isinstance(e, events.LeafReached))
    assert reached.grad.data["data"] == x.grad.tolist()


def test_a_broken_layer_gives_no_names() -> None:
    class Unfinished(paddle.nn.Layer):
        def __init__(self) -> None:
            pass

    class Stubborn(paddle.nn.Layer):
        def named_parameters(self, *_: Any, **__: Any) -> Any:
            raise ValueError("not now")

    one, two = Unfinished(), Stubborn()
    with viz.record() as trace:
        y = paddle.tanh(paddle.to_tensor([0.0]))
    assert [isinstance(layer, paddle.nn.Layer) for layer in (one, two)] == [True, True]
    assert trace.number_of(y)


def test_no_large_array_stays_alive() -> None:
    kept = Recording()
    large = np.zeros(5000)
    listener = listener_of(kept)
    value = events.Value((5000,), "float64", large)
    seen = events.Seen(1, "", value, True, True)
    listener(events.OpFinished(1, "relu", (seen,), (seen,), {}, None))
    listener(events.LeafReached(seen, value))
    listener(events.RunStarted(1, {"x": value}, (), None))
    finished, reached, started = kept.log
    assert finished.inputs[0].value.data == reached.grad.data == started.feeds["x"].data
    assert finished.inputs[0].value.data["size"] == 5000


def test_each_change_in_place_begins_with_the_values_after_the_last_one() -> None:
    """An unchanged tensor has the same cell in the log; a changed one must have another."""
    with viz.record() as trace:
        x = paddle.to_tensor([1.0, 2.0])
        y = x * 2.0
        y.set_value(x)
        for _ in range(3):
            y.scale_(3.0)
    scaled = [event for event in trace.events if getattr(event, "op", "") == "scale"]
    numbers = [(event.inputs[0].id, event.outputs[0].id) for event in scaled]
    assert [given for given, _ in numbers[2:]] == [made for _, made in numbers[1:-1]]
    assert [event.inputs[0].value.data["data"] for event in scaled[1:]] == [
        [1.0, 2.0],
        [3.0, 6.0],
        [9.0, 18.0],
    ]


# ----- Around anything that can be called --------------------------------------------------------


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
