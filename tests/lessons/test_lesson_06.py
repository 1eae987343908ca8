"""What lesson 6 says of its numbers, errors and pictures is so."""

from __future__ import annotations

from typing import Any

import pytest

import viz

from .test_notebooks import run_here, the, told

LESSON = "06_context"


@pytest.fixture
def lesson_6(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The variables of the solved lesson."""
    return run_here("solutions", monkeypatch, LESSON)


def wires(trace: viz.Trace) -> list[tuple[str, str, str]]:
    """The wires of a picture: where from, where to, which kind."""
    graph = trace.story.graph
    boxes = {box.id: str(box.label) for box in graph.nodes}
    return [(boxes[w.source], boxes[w.target], w.kind) for w in graph.edges]


def badges(trace: viz.Trace) -> set[str]:
    """What the frames of a picture wear, in English."""
    return {badge.text.en for group in trace.story.graph.groups for badge in group.badges}


def test_what_the_cells_print_is_what_the_text_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here("solutions", monkeypatch, LESSON)
    out = capsys.readouterr().out
    for words in (
        "ctx.x: 26.0\n",
        "saved for the backward of PyLayer by_saving (number 0 of save_for_backward) has been",
        "x.grad: 2.0\n",
        "that doesn't stop gradient can't use inplace strategy",
        "y is x: True  w.grad: 40.0\n",
        "y is x: False  w.grad: 22.0\n",
        "unmarked: False False\n",
        "dwhole: [0. 0.]  drest: [1. 1.]\n",
        "marked: True False\n",
        "da: [1. 1.]  db: [0. 0.]\n",
    ):
        assert words in out


def test_one_dashed_wire_and_four_bytes_for_two_ways_to_keep(lesson_6: dict[str, Any]) -> None:
    trace = lesson_6["both_ways"]
    assert [kind for *_, kind in wires(trace)].count("saved") == 1
    text = trace.text()
    assert "Peak at step 3: 4 B kept for backward" in text
    assert told(trace)[2].startswith("ctx.save_for_backward keeps x")


def test_what_the_pictures_of_section_4_show(lesson_6: dict[str, Any]) -> None:
    taken, spared = lesson_6["taken"], lesson_6["spared"]
    assert "loss = x + x" in taken.text()
    assert "loss = y + x" in spared.text()
    assert {badge for badge in badges(spared) if "not in-place" in badge}
    assert not {badge for badge in badges(taken) if "not in-place" in badge}
    assert ("x", "y", "data") in wires(spared)
    assert "1 + 10 = 11" in the(told(spared), "(+=)")
    for trace, dx, slope in ((taken, "dx is 20", "it is 2."), (spared, "dx is 10", "it is 1.")):
        [problem] = trace.problems()
        assert problem.text.en.startswith(f"{dx}, but by finite differences of tenfold")
        assert slope in problem.text.en


def test_what_the_pictures_of_sections_6_to_9_show(lesson_6: dict[str, Any]) -> None:
    split = told(lesson_6["split"])
    assert not [text for text in split if 'Backward of "× 100"' in text]
    assert "No gradient arrived for whole, so zeros are used" in the(split, "parts.backward is")
    unasked = told(lesson_6["unasked"])
    assert "No gradient arrived for b, so zeros" in the(unasked, "doubled_and_tripled.backward is")
    lean = told(lesson_6["lean"])
    at = lean.index(the(lean, "square_and_cube.backward is called"))
    assert "dsquare = None" in lean[at]
    inside = lean[at + 1 : lean.index(the(lean, "square_and_cube.backward returns"))]
    assert not [text for text in inside if "dsquare" in text]
    assert len([text for text in inside if "multiplied" in text]) == 3
    assert len([text for text in inside if "added" in text]) == 1
