"""The player's payload has every scene, each value once, and numbers that JSON can carry."""

import json
from typing import Any

import pytest

import minipaddle as paddle
import viz
from minipaddle.messages import Text
from viz.language import progress
from viz.model import Graph, Shown, Source, Step, Story
from viz.player import payload as payloads
from viz.player.book import book_of
from viz.player.payload import payload_of

from . import trainings
from .graphs import cus_tanh


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
    chapters = [
        each for each in book_of(trainings.simple())["chapters"] if each["round"] is not None
    ]
    assert len(chapters) == 4
    assert len({json.dumps(each["texts"]) for each in chapters}) == 1
