"""With `v` the boxes of a page show the values of the step, and chips carry them along wires."""

from __future__ import annotations

from functools import cache
from typing import Any

import minipaddle as paddle
import viz
from viz.facts.last_values import last_values, moved_values
from viz.player.book import book_of

from .checks import OUTSIDE, at_each, settled, through
from .conftest import Show
from .editing import book, put

_BOXES = """() => Object.fromEntries([...document.querySelectorAll('.mp-box')].map((box) =>
  [box.dataset.node, [box.querySelector(':scope > .mp-detail')?.textContent ?? '',
    !!box.querySelector('.mp-picture'), box.querySelector('title').textContent]]))"""
# Where the chips are at the end of their way, the box at the end of their wire, and their texts.
_CHIPS = """async () => {
  const chips = [...document.querySelectorAll('.mp-chip[data-to]')];
  return chips.map((chip) => {
    const moving = chip.getAnimations().find((one) => one.effect.getKeyframes()[0].transform);
    moving.pause();
    moving.currentTime = moving.effect.getComputedTiming().duration;
    const [own, box] = [chip, document.querySelector(`.mp-box[data-node="${chip.dataset.to}"]`)]
      .map((each) => each.getBoundingClientRect());
    const [x, y] = [(own.left + own.right) / 2, (own.top + own.bottom) / 2];
    return [x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 2 && y <= box.bottom + 2,
      chip.textContent];
  });
}"""


@cache
def recorded() -> viz.Trace:
    x = paddle.to_tensor([[0.5, -1.0, 2.0], [1.0, 0.25, -3.0]], stop_gradient=False)
    w = paddle.to_tensor([0.5, -1.5, 2.0], stop_gradient=False)
    with viz.record() as trace:
        h = paddle.tanh(x * w)
        y = h.sum() * h.mean() + (w * w).sum()
        y.backward()
    return trace


def test_boxes_show_the_values_of_each_step(show: Show) -> None:
    trace = recorded()
    page = show(book_of(trace), reduced_motion="reduce")
    before = page.evaluate(_BOXES)
    page.keyboard.press("v")
    values = last_values(trace.story)
    pictures = 0
    steps = [step.index for step in trace.steps if not step.of_memory]
    for step, shown in zip(steps, through(page, _BOXES), strict=True):
        faces = values.at(step)
        for box, (line, picture, title) in shown.items():
            face = faces.get(box)
            if box not in values.widest:
                assert [line, picture, title] == before[box]
            else:
                assert (line, picture) == (
                    (face.line, bool(face.picture)) if face else (before[box][0], False)
                )
                assert line in title
                pictures += picture
    assert pictures > 20
    assert page.evaluate(OUTSIDE) == []
    page.keyboard.press("v")
    page.keyboard.press("Home")
    assert page.evaluate(_BOXES) == before


def test_an_edited_number_is_in_the_boxes(show: Show) -> None:
    page = show(book(), reduced_motion="reduce")
    page.keyboard.press("v")
    put(page, "x", "0,0", "4")
    lines = [line for line, _, _ in page.evaluate(_BOXES).values()]
    assert "[[4, −0.5], [0.3, 0.8]]" in lines
    shown = through(page, _BOXES)
    assert not [line for step in shown for line, _, _ in step.values() if "[[1, −0.5]" in line]


def test_values_move_along_their_wires_to_the_boxes_that_take_them(show: Show) -> None:
    trace = recorded()
    page = show(book_of(trace))
    page.keyboard.press("v")
    settled(page)
    edges = {edge.id: edge for edge in trace.story.graph.edges}
    moved = 0
    for step in trace.story.steps[1:]:
        if step.of_memory:
            continue
        page.wait_for_timeout(280)
        page.keyboard.press("ArrowRight")
        chips: list[Any] = page.evaluate(_CHIPS)
        assert all(arrived for arrived, _ in chips)
        assert len(chips) == len(moved_values(edges, step))
        moved += len(chips)
    assert moved > 15
    page.keyboard.press("Home")
    assert page.locator(".mp-chip").count() == 0
    assert at_each(page, ["ArrowRight"] * 3, "() => document.querySelectorAll('.mp-chip').length")[
        1:
    ] == [0, 0]  # steps that follow each other fast


def test_nothing_moves_for_those_who_asked_for_stillness(show: Show) -> None:
    page = show(book_of(recorded()), reduced_motion="reduce")
    page.keyboard.press("v")
    page.keyboard.press("ArrowRight")
    assert page.locator(".mp-chip").count() == 0


def test_an_open_question_keeps_its_answer_out_of_the_boxes(show: Show) -> None:
    trace = recorded()
    quiz = trace.quiz(ask="sign")
    page = show(book_of(quiz), lang="en", step=quiz.steps[0], reduced_motion="reduce")
    before = page.evaluate(_BOXES)
    page.keyboard.press("v")
    values = last_values(trace.story)
    at = quiz.steps[0]
    fresh = {box for step, box, _ in values.changes if step == at} - {*values.at(at - 1)}
    shown = page.evaluate(_BOXES)
    assert fresh
    assert all(shown[box] == before[box] for box in fresh)
    page.keyboard.press("q")
    shown = page.evaluate(_BOXES)
    assert all(shown[box][0] == values.at(at)[box].line for box in fresh)
