"""Memory in the story: the holder of each block from step to step, in every form."""

from dataclasses import replace

import pytest

import minipaddle as paddle
import viz
from tests.each import each
from viz.draw import memory_chart
from viz.draw.paint import paint
from viz.layout.scene import scene_of
from viz.model import Graph, Memory, Node, Row, Source, Stay, Story
from viz.player.payload import ROWS, payload_of
from viz.story.sentences import memory as say_memory

from . import programs


@pytest.fixture(scope="module")
def run() -> viz.Trace:
    return programs.program()


# ----- charts ------------------------------------------------------------------------------------


def many(count: int) -> Story:
    """Return a story with one step for each of many rows."""
    found = tuple(
        Row(f"b{k}", "shared", k + 1, (Stay(f"v{k}", k + 1, k, k),)) for k in range(count)
    )
    live = tuple((k + 1, 0) for k in range(count))
    step = programs.tanh().story.steps[0]
    steps = tuple(replace(step, index=k) for k in range(count))
    graph = Graph((Node("x", "leaf", "x"),), ())
    return Story("many", graph, steps, memory=Memory(found, live))


def test_large_runs_are_summarised() -> None:
    story = many(900)
    assert "  and 860 more" in say_memory.transcript(story.memory, "en")
    graph, code = Graph((Node("x", "leaf", "x"),), ()), Source("Cell [1]", ("x",))
    steps = tuple(replace(step, edges=()) for step in story.steps)
    sent = payload_of(replace(story, graph=graph, steps=steps, sources=(code,)))["memory"]
    assert (len(sent["rows"]), sent["more"]) == (ROWS, 900 - ROWS)
    assert sent["rows"][0]["label"] == f"b{900 - ROWS}"  # the largest rows, in their order
    painting = memory_chart.add_chart(paint(scene_of(story.graph)), story, "en")
    words = [mark.text for mark in painting.parts[-1].marks if hasattr(mark, "text")]
    assert sum(word.startswith("b") for word in words) == memory_chart.ROWS


@each(
    ("room", "label"),
    [
        (200.0, "softmax(logits, unsqueeze(…)) (saved)"),
        (130.0, "softmax(…) (saved)"),
        (85.0, "softm… (saved)"),
        (40.0, "softm…"),
    ],
)
def test_long_row_names_are_shortened_where_room_is_short(room: float, label: str) -> None:
    row = Row("softmax(logits, unsqueeze(…))", "saved", 4, ())
    assert memory_chart.row_label(row, room, "en") == label


def test_an_optimizer_writes_into_memory_that_was_saved() -> None:
    w, z = (paddle.to_tensor([[1.0, 2.0]], stop_gradient=False) for _ in "wz")
    sgd = paddle.optimizer.SGD(0.1, parameters=[w])
    with viz.record() as trace:
        first = (w * z).sum()
        (w * 2).sum().backward()
        sgd.step()
        second = (w * z).sum()
        first.backward()
        second.backward()
    memory = trace.text()[trace.text().index("Memory") :]
    assert "Peak at" in memory
    assert sum(line.split()[0] == "w" for line in memory.splitlines() if line.strip()) == 1


def test_one_memory_is_one_row_whatever_tensors_lie_in_it() -> None:
    x, w = (paddle.to_tensor([1.0, 2.0, 3.0, 4.0], stop_gradient=False) for _ in "xw")
    with viz.record() as trace:
        h = x * 2.0
        h[:2] ** 2
        h[2:] = 5.0
        h[2:] ** 2
        h.detach() * w
    kept = {row.label: row.nbytes for row in trace.story.memory.rows}
    assert kept == {"h": 16, "w": 16}
    assert sum(trace.story.memory.live[-1]) == 32


def test_every_mark_of_the_chart_lies_inside_the_picture(run) -> None:
    for story in (run.story, programs.step().story, many(40)):
        painting = memory_chart.add_chart(paint(scene_of(story.graph)), story, "en", step=1)
        bars = [each for each in painting.parts[-1].marks if isinstance(each, memory_chart.Rect)]
        assert bars
        for mark in bars:
            assert painting.left <= mark.x
            assert mark.x + mark.w <= painting.left + painting.width + 0.1
            assert mark.y + mark.h <= painting.height
