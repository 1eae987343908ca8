"""The first NaN and infinity are on the box and in every drawing; goldens have the sentence."""

from collections.abc import Callable

import numpy as np

import minipaddle as paddle
import viz
from tests.static.world import fresh
from tests.viz.pages import svg
from viz.layout.scene import scene_of
from viz.trace import Trace


def recorded(work: Callable[[], object]) -> Trace:
    with viz.record() as trace:
        work()
    return trace


def badges(trace: Trace) -> dict[str, tuple[str, ...]]:
    return {str(n.label): tuple(map(str, n.badges)) for n in trace.story.graph.nodes if n.badges}


def logarithm() -> None:
    x = paddle.to_tensor([0.0, 1.0, -1.0, -2.0], stop_gradient=False)
    y = paddle.log(x * 1.0)
    (y * 2).sum().backward()


def test_the_box_names_the_first_nan_in_every_drawing() -> None:
    trace = recorded(logarithm)
    assert badges(trace) == {"log": ("first NaN", "first Inf")}
    assert "first NaN" in svg(scene_of(trace.story.graph))
    kinds = {problem.kind: problem.step for problem in trace.problems()}
    assert kinds == dict(trace.story.odd)


def test_the_first_nan_of_a_large_array_is_found_by_its_statistics() -> None:
    values = np.ones(10_000, "float32")
    values[7] = -1
    x = paddle.to_tensor(values)
    trace = recorded(lambda: paddle.sqrt(x))
    assert badges(trace) == {"sqrt": ("first NaN",)}


def run_logarithm(value: float) -> None:
    with fresh() as (main, _):
        y = paddle.log(paddle.static.data("x", [2], "float32"))
        feed = {"x": np.full(2, value, "float32")}
        paddle.static.Executor().run(main, feed=feed, fetch_list=[y])


def test_the_first_infinity_of_a_program_is_found_in_its_run() -> None:
    for value in (0.0, 1.0):
        trace = recorded(lambda value=value: run_logarithm(value))
        assert ("inf" in trace.story.odd) == (value == 0)
        assert ("first Inf" in badges(trace).get("log", ())) == (value == 0)
