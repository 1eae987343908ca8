"""Attention, images with classes, accuracy, values in boxes: the numbers are NumPy's."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle.nn import functional as F
from tests.each import each
from viz.facts.last_values import last_values, moved_values
from viz.player.book import book_of
from viz.player.page import to_html

from ..viz import test_own_views as own_views
from ..viz.test_own_views import TOKENS
from .checks import OUTSIDE, area, at_each, player, settled, through
from .conftest import Axe, Show
from .editing import book, put

_CELLS = """(card) => [...card.querySelectorAll('.mp-dense .mp-cell')]
  .map((cell) => [cell.dataset.index.split(',').map(Number), Number(cell.dataset.number)])"""
_TOKENS = """(card) => [...card.querySelectorAll('.mp-dense')].map((map) => ['row', 'col']
  .map((scope) => [...map.querySelectorAll(`th[scope=${scope}]:not(.mp-gap) small`)]
    .map((token) => Number(token.dataset.token))))"""
_IMAGES = """(card) => [...card.querySelectorAll('.mp-image')].map(({ dataset }) =>
  [dataset.class, dataset.label, dataset.right])"""


def attending() -> tuple[viz.Trace, Any]:
    paddle.seed(3)
    ids, embedding = paddle.to_tensor(TOKENS), nn.Embedding(5, 8)
    layer = nn.MultiHeadAttention(8, 2, need_weights=True)
    with viz.record() as trace:
        x = embedding(ids)
        out, weights = layer(x, x, x)
        out.sum().backward()
    return trace, weights.numpy()


def test_a_map_for_each_head_has_its_weights_and_tokens(show: Show) -> None:
    trace, weights = attending()
    step = next(s.index for s in trace.steps if s.text.startswith("softmax turns"))
    page = show(book_of(trace), step=step)
    card = page.locator(".mp-value[data-role=output]")
    cells = card.evaluate(_CELLS)
    assert len(cells) == weights.size
    for index, number in cells:
        assert np.float32(number) == weights[tuple(index)], index
    edges = card.evaluate(_TOKENS)
    assert edges == [[TOKENS[at]] * 2 for at in (0, 0, 1, 1)]
    chosen = card.locator(".mp-cell[data-index='1,0,2,3']")
    chosen.click()
    expect(chosen).to_have_attribute("data-chosen", "")
    expect(card.locator(".mp-element")).to_contain_text("[1, 0, 2, 3] = ")
    expect(page.locator(".mp-terms")).not_to_be_empty()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".mp-value[data-role=output] .mp-dense")).to_have_count(4)  # of scores


def test_many_tokens_are_a_window(show: Show) -> None:
    q = paddle.randn([1, 20, 4])
    with viz.record() as trace:
        weights = F.softmax(q @ q.mT)
        weights @ q
    page = show(book_of(trace), step=2)
    card = page.locator(".mp-value[data-role=output]")
    cells = card.evaluate(_CELLS)
    array = weights.numpy()
    assert 0 < len(cells) < array.size
    assert all(np.float32(number) == array[tuple(index)] for index, number in cells)
    card.locator(".mp-find").fill("0, 9, 9")
    card.locator(".mp-find").press("Enter")
    chosen = card.locator(".mp-cell[data-index='0,9,9']")
    expect(chosen).to_have_attribute("data-chosen", "")


# ----- classes -----------------------------------------------------------------------------------


@cache
def trained() -> tuple[viz.Trace, list[tuple[Any, Any]]]:
    return own_views.trained(F.cross_entropy, batch=6)


def told(page: Page) -> tuple[int, int]:
    """Return how many labels are right, of how many, as the text of the round says."""
    text = page.locator(".mp-round-text").text_content() or ""
    found = re.search(r"accuracy on this round's batch [\d.]+ % \((\d+) of (\d+)\)", text)
    assert found, text
    return int(found[1]), int(found[2])


def step_of_loss(trace: viz.Trace, round: int) -> int:
    return next(s.index for s in trace.steps if s.round == round and "−ln" in s.text)


def test_images_stand_with_their_classes_and_the_accuracy_beside_the_loss(show: Show) -> None:
    trace, known = trained()
    html = to_html(book_of(trace))
    for round, (scores, labels) in enumerate(known):
        page = show(html=html, edit=lambda text, at=round: text.replace(
            '"step":null', f'"step":{step_of_loss(trace, at)}'))  # fmt: skip
        named = scores.argmax(1)
        expected = [
            [str(name), str(label), str(name == label).lower()]
            for name, label in zip(named, labels, strict=True)
        ]
        card = page.locator(".mp-value:has(.mp-image)")
        assert card.evaluate(_IMAGES) == expected
        assert told(page) == (int((named == labels).sum()), 6)
    line = page.locator(".mp-rounds .mp-curve-share").get_attribute("d") or ""
    heights = [float(y) for _, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", line)]
    shares = [(scores.argmax(1) == labels).mean() for scores, labels in known]
    np.testing.assert_allclose(heights, [0.88 - 0.76 * share for share in shares], atol=1e-4)


def test_images_have_no_classes_before_the_scores_are_computed(show: Show) -> None:
    trace, known = trained()
    page = show(book_of(trace), step=step_of_loss(trace, 0))
    images = page.locator(".mp-value[data-name=images] .mp-image")
    page.locator(".mp-box[data-kind=data]", has_text="images").click()
    expect(images).to_have_count(len(known[0][1]))
    player(page).press("Home")
    expect(page.locator(".mp-value[data-name=images]").first).to_be_visible()
    expect(images).to_have_count(0)


def test_an_edit_moves_classes_and_accuracy(show: Show) -> None:
    trace, known = trained()
    bias = next(s.index for s in trace.steps if any(v.name == "net.6.bias" for v in s.shown))
    wanted = trace.what_if({("net.6.bias", 1): 2.0}).rounds
    assert [each.accuracy for each in wanted] != [each.accuracy for each in trace.rounds]
    page = show(book_of(trace), step=bias)
    put(page, "net.6.bias", "1", "2")
    scores = known[0][0] + np.eye(10)[1] * 2.0
    for _ in range(step_of_loss(trace, 0) - bias):
        page.keyboard.press("ArrowRight")
    found = page.locator(".mp-value:has(.mp-image)").first.evaluate(_IMAGES)
    assert [int(name) for name, *_ in found] == scores.argmax(1).tolist()
    for each_round in wanted:
        assert told(page) == each_round.accuracy
        page.keyboard.press("]")


@each("motion", ["no-preference", "reduce"])
def test_a_step_that_a_link_opens_is_in_view(show: Show, motion: str) -> None:
    trace, _ = trained()
    page = show(book_of(trace), viewport={"width": 1280, "height": 800}, reduced_motion=motion)
    page.evaluate("(step) => { location.hash = `step=${step}`; }", step_of_loss(trace, 0) + 1)
    settled(page)
    pane = area(page.locator(".mp-viewport"))
    box = area(page.locator(".mp-box[data-state=active]").last)
    assert pane["y"] <= box["y"] <= pane["y"] + pane["height"] - box["height"]


@each("scheme", ["light", "dark"])
def test_the_views_are_accessible(show: Show, axe: Axe, scheme: str) -> None:
    attention = attending()[0]
    softmax = next(s.index for s in attention.steps if s.text.startswith("softmax turns"))
    for trace, step in [(attention, softmax), (trained()[0], step_of_loss(trained()[0], 0))]:
        page = show(book_of(trace), step=step, color_scheme=scheme)
        settled(page)
        assert axe(page) == []


@each("shape", [(64, 8), (8, 64), (28, 28), (3, 400)])
def test_the_picture_of_a_matrix_is_no_sliver(show: Show, shape: tuple[int, int]) -> None:
    x = paddle.rand(shape)
    with viz.record() as trace:
        x * 2.0
    page = show(book_of(trace))
    box = area(page.locator(".mp-value[data-role=input] .mp-heat-map").first)
    high, wide = box["height"], box["width"]
    assert min(wide, high) >= min(64, 10 * min(shape)) - 1
    assert max(wide, high) <= 262
    if shape == (28, 28):
        assert wide == high


# ----- Values in the boxes, and chips that carry them along wires --------------------------------


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
