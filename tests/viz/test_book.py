"""A page with rounds (training iterations): equal content of its chapters is stored once.

A chapter is a part of a trace with one graph; on the page it says what it says by itself.
"""

import json
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.messages import Text
from viz.language import progress
from viz.model import Graph, Round, Shown, Source, Step, Story, Structure
from viz.player import payload as payloads
from viz.player.book import Chapter, bind, book_of
from viz.player.payload import payload_of

from . import programs, trainings
from . import round_loops as loops
from .graphs import cus_tanh
from .played import stories, training
from .unpacking import read

DROPPED = frozenset({4, 5})


def whole(value: list[Any]) -> bool:
    return value[0] is not None


def test_rounds_of_one_structure_share_their_graph_and_steps() -> None:
    trace = training(9)
    book = book_of(trace)
    alike = [(chapter["graph"], chapter["steps"][0]) for chapter in book["chapters"]]
    setup, usual, smaller, evaluation = alike[0], alike[1], alike[3], alike[4]
    assert len({setup, usual, smaller, evaluation}) == len(book["graphs"]) == 4
    one = [usual, usual, smaller, evaluation]
    assert alike == [setup, *one, *one, usual]
    assert [chapter["round"] for chapter in book["chapters"]] == [None, *range(9)]
    lengths = [len(story.steps) for story in stories(trace)]
    assert [c["first"] for c in book["chapters"]] == [sum(lengths[:k]) for k in range(10)]


def test_a_round_without_steps_is_listed_with_its_loss() -> None:
    trace = training(9, DROPPED)
    book = book_of(trace)
    kept = [k for k, each in enumerate(book["rounds"]) if each["chapter"] is not None]
    assert kept == [0, 1, 2, 3, 6, 7, 8]
    assert book["rounds"][4]["loss"] == trace.rounds[4].loss
    assert book["rounds"][4]["names"] == [["epoch", 1], ["batch", 0]]
    first = book["rounds"][4]["sizes"][0]
    assert book["parameters"][first[0]] == trace.rounds[4].sizes[0].name == "net.0.weight"
    exact = trace.rounds[4].sizes[0]
    assert first[1:] == [float(f"{size:.4g}") for size in (exact.value, exact.grad)]


def test_a_book_reports_odd_losses_and_differences() -> None:
    story = programs.fan_in().story
    rounds = [
        Round(0, "training", {}, float("nan"), (), 0, 0, 8),
        Round(1, "training", {}, float("-inf"), (), 1, 9, 17),
    ]
    structures = [
        Structure((0,), Text("", ""), story.graph),
        Structure((1,), Text("other", "另一种"), story.graph),
    ]
    book = bind("odd", [Chapter(story, 0, 0), Chapter(story, 9, 1)], rounds, structures)
    assert [each["loss"] for each in book["rounds"]] == ["nan", "-inf"]
    assert [each["differs"] for each in book["rounds"]] == [None, {"en": "other", "zh": "另一种"}]


def test_the_first_and_the_last_round_are_whole_if_not_all_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace = training(9)
    assert book_of(trace)["whole"] is None
    monkeypatch.setattr(payloads, "NUMBERS", 1000)
    book = book_of(trace)
    assert book["whole"] == [0, 8]
    shapes = [read(book, told)["shape"] for _, *told in book["values"]]
    own = [[number for number in c["steps"][1] if number is not None] for c in book["chapters"]]
    for k in (0, 1, 9):  # the part before the rounds, the first round, the last round
        assert all(whole(book["values"][number]) for number in own[k])
    later = set().union(*own[2:9]) - set().union(own[0], own[1], own[9])
    single = {number for number in later if not any(size != 1 for size in shapes[number])}
    assert {number for number in later if whole(book["values"][number])} == single
    assert book["left_out"] == sum(not whole(value) for value in book["values"])


def test_colours_mean_the_same_in_each_round() -> None:
    trace = training(9)
    book = book_of(trace)
    for by in ("grad", "value"):
        parts = [read(book, c["magnitudes"])[by] for c in book["chapters"]]
        sizes = [size for part in parts for size in part["sizes"]]
        numbers = [size for size in sizes if isinstance(size, float) and size > 0]
        scale = book["scales"][by]
        assert scale["above"] == (max(numbers) > scale["scale"][-1])
        assert scale["below"] == (min(numbers) < scale["scale"][0])


def test_the_box_of_the_first_nan_is_reported_with_its_round() -> None:
    trace = loops.nan()
    book = book_of(trace)
    assert book["chapters"][1]["graph"] == book["chapters"][2]["graph"]
    told = [
        [(box, [kind for kind, _, _ in badges]) for box, badges in read(book, c["alarms"])]
        for c in book["chapters"]
    ]
    own = trace.round(2).story.graph.nodes
    marked = [(node.id, [badge.kind for badge in node.badges]) for node in own if node.badges]
    assert told == [[], [], marked, [], []]
    alone = book_of(trace.round(2))  # its own drawing has room for them
    assert read(alone, alone["chapters"][0]["alarms"]) == []


# ----- The payload: each value once, and numbers that JSON can carry -----------------------------


def step(index: int, *nodes: str, shown: tuple[Shown, ...] = (), **more: Any) -> Step:
    text = Text(f"Step {index}.", f"第 {index} 步。")
    return Step(index, "forward", "op", nodes, (), text, (0, 3), shown=shown, **more)


def value(*numbers: float) -> dict[str, Any]:
    return {"shape": (len(numbers),), "dtype": "float64", "data": list(numbers), "stats": {}}


def story(*steps: Step, graph: Graph | None = None) -> Story:
    return Story(
        "tanh",
        graph or cus_tanh(),
        steps,
        (Source("Cell [1]", ("a", "b", "c")),),
        Text("cut", "中断"),
    )


def test_a_step_of_the_payload_has_all_its_fields() -> None:
    shown = (Shown("x", "output", value(1.0), "x"), Shown("x.grad", "grad_out", None, "x.grad"))
    clauses = (("", "y", " = ", "x", ""),)
    one = step(0, "x", shown=shown, clauses=clauses, forward_line=(0, 1))
    assert payload_of(story(one))["steps"] == [{
        "phase": "forward", "kind": "op", "nodes": ["x"], "edges": [],
        "text": {"en": "Step 0.", "zh": "第 0 步。"}, "line": [0, 3], "forward_line": [0, 1],
        "formula": [["", "y", " = ", "x", ""]], "terms": [],
        "shown": [{"name": "x", "role": "output", "node": "x", "value": 0},
                  {"name": "x.grad", "role": "grad_out", "node": "x.grad", "value": None}],
    }]  # fmt: skip


def test_equal_values_are_sent_once() -> None:
    shown = tuple(
        Shown(name, "output", value(*numbers))
        for name, numbers in [("a", (1.0, 2.0)), ("b", (3.0,)), ("c", (1.0, 2.0))]
    )
    made = payload_of(story(step(0, shown=shown)))
    assert [entry["value"] for entry in made["steps"][0]["shown"]] == [0, 1, 0]
    assert [entry["data"] for entry in made["values"]] == [[1.0, 2.0], [3.0]]


def test_a_payload_holds_a_limited_number_of_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payloads, "NUMBERS", 5)
    shown = tuple(Shown("x", "output", value(n, n, n)) for n in range(3))
    made = payload_of(story(step(0, shown=shown)))
    assert [entry["data"] for entry in made["values"]] == [[0, 0, 0], None, None]
    assert made["left_out"] == 2


def test_long_work_shows_a_progress_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    payload_of(story(step(0, "x"), step(1, "x")))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    payload_of(story(step(0, "x"), step(1, "x")))
    assert "page" in capsys.readouterr().err
    with viz.record() as trace:
        paddle.tanh(paddle.ones([2]))
    assert trace.story.steps
    assert "story" in capsys.readouterr().err


def test_a_sentence_refers_to_the_values_of_its_numbers() -> None:
    w = paddle.to_tensor(3.0, stop_gradient=False)
    with viz.record() as trace:
        (w * 0.5).backward()
    steps = payload_of(trace.story)["steps"]
    scaled, leaf = steps[0], next(step for step in steps if step["kind"] == "leaf")
    x, out = (entry["value"] for entry in scaled["shown"])
    held = scaled["text"]["slots"]
    names, numbers = held["names"]["slots"], held["numbers"]["slots"]
    assert (names["x"], names["y"], numbers["b"]) == ("w", {"constant": "0.5"}, {"constant": "0.5"})
    assert [numbers["a"], held["number"]] == [{"value": x}, {"value": out}]
    terms = {"a": numbers["a"], "b": numbers["b"], "c": held["number"]}
    assert held["equals"] == {"equals": "×", "slots": terms}
    assert leaf["text"]["slots"] == {"x": "w", "number": {"value": leaf["shown"][-1]["value"]}}


def test_rounds_that_differ_in_numbers_share_all_words() -> None:
    chapters = book_of(trainings.simple())["chapters"]
    told = [each["texts"] for each in chapters if each["round"] is not None]
    assert len(told) == 4
    assert len({json.dumps([tree, digits]) for tree, _values, *digits in told}) == 1
