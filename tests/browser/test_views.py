"""Two graphs or many ranks on one page, and the finite differences in the inspector."""

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from tests.each import each
from tests.samples import pylayer
from viz.many_ranks.ranks import Ranks
from viz.player.payload import payload_of

from ..viz.many_ranks import damage
from ..viz.many_ranks.programs import data_parallel, pairs, tensor_parallel, view
from ..viz.many_ranks.world import World
from ..viz.played import program
from .conftest import Axe, Show

_MOVED = """() => [document.querySelector('.mp-twin').dataset.step,
  ...[...document.querySelectorAll('.mp-twin-side')].map((side) => side.dataset.moved)]"""


# A tanh with a wrong backward.
Halved = pylayer(lambda ctx, x: paddle.tanh(x), lambda ctx, dy: dy * 0.5, "Halved")


def eager(layer: Any = paddle.tanh) -> Any:
    x = paddle.to_tensor(np.array([[0.5, -1.0]]), stop_gradient=False)
    with viz.record() as trace:
        layer(x).sum().backward()
    return trace


def test_the_inspector_shows_a_gradient_and_its_measured_slope(show: Show) -> None:
    page = show(payload_of(eager(Halved.apply).story))
    right = page.locator('.mp-check[data-check="agrees"]')
    wrong = page.locator('.mp-check[data-check="differs"]')
    while not right.count():
        page.keyboard.press("ArrowRight")
    expect(right).to_contain_text("Finite differences agree with d(Halved(x))")
    while not wrong.count():
        page.keyboard.press("ArrowRight")
    expect(wrong).to_contain_text("but by finite differences of Halved.forward, times")
    page.locator('.mp-value[data-role="grad_out"] .mp-cell').first.click()
    expect(page.locator(".mp-element:visible")).to_contain_text("finite difference 0.78644")
    page.get_by_role("button", name="切换到中文").click()
    expect(wrong).to_contain_text("有限差分不一致")


def test_two_graphs_step_together(show: Show) -> None:
    twin = viz.twin(eager(), program())
    twin.eager.document["title"], twin.program.document["title"] = "Cell [3]", "Cell [4]"
    page = show(html=twin.html())
    root = page.locator(".mp-twin")
    expect(page.locator(".mp-twin-side .mp-svg")).to_have_count(2)
    expect(page.locator(".mp-twin-note")).to_contain_text("boxes match")
    expect(page.locator(".mp-title")).to_have_text("Cell [3] · Cell [4]")
    sides = page.locator(".mp-twin-side")
    lit = '.mp-box[data-state="active"][data-node="{}"]'
    for k, (left, right) in enumerate(twin.steps):
        moved = [str(side is not None).lower() for side in (left, right)]
        seen = page.evaluate(_MOVED)
        assert seen == [str(k), *moved]
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(root).to_have_attribute("data-step", "0")
    forward = next(m for m in twin.matches if m.left and m.left.label == "tanh")
    at = next(
        k
        for k, (a, b) in enumerate(twin.steps)
        if a is not None and b is not None and forward.left.id in twin.left.steps[a].nodes
    )
    page.locator("[data-action=next]").click()
    for _ in range(at - 1):
        page.keyboard.press("ArrowRight")
    expect(sides.nth(0).locator(lit.format(forward.left.id))).to_have_count(1)
    expect(sides.nth(1).locator(lit.format(forward.right.id))).to_have_count(1)
    sides.nth(0).locator(f'[data-node="{forward.left.id}"]').click()
    selected = sides.nth(1).locator("[data-selected]")
    expect(selected).to_have_attribute("data-node", forward.right.id)
    page.get_by_role("button", name="切换到中文").click()
    expect(page.locator(".mp-twin-note")).to_contain_text("个节点对应")
    expect(page.locator(".mp-title")).to_have_text("单元格 [3] · 单元格 [4]")


def test_two_graphs_have_the_same_keys_as_one(show: Show) -> None:
    twin = viz.twin(eager(Halved.apply), program())
    page = show(html=twin.html())
    drawings = page.locator(".mp-twin-side .mp-svg")
    widths = [float(drawing.get_attribute("width") or 0) for drawing in drawings.all()]
    page.keyboard.press("+")
    for drawing, width in zip(drawings.all(), widths, strict=True):
        assert float(drawing.get_attribute("width") or 0) == pytest.approx(1.25 * width)
    frames = page.locator(".mp-frame")
    expect(frames).to_have_count(2)
    page.get_by_role("button", name="Close Halved", exact=True).press("Enter")
    expect(frames).to_have_count(0)
    page.get_by_role("button", name="Open Halved", exact=True).press(" ")
    expect(frames).to_have_count(2)
    expect(page.locator(".mp-twin")).to_have_attribute("data-step", "0")


# ----- Many ranks --------------------------------------------------------------------------------


def opened(show: Show, found: Ranks, lang: str = "en", **context: object) -> Page:
    return show(html=found.html(lang), **context)


def test_columns_and_bars_are_marked_and_highlighted(show: Show) -> None:
    found = view(tensor_parallel, 2)
    page = opened(show, found)
    root = page.locator(".mp-ranks")
    rows = [found.score.row_of(each) for each in found.collectives]
    ranks = page.locator("[data-rank]").evaluate_all("all => all.map(e => e.dataset.rank)")
    assert {*ranks} == {"0", "1"}
    bars = page.locator("[data-collective]")
    assert bars.evaluate_all("all => all.map(e => e.dataset.collective)") == ["c1", "c2"]
    assert bars.evaluate_all("all => all.map(e => e.dataset.row)") == [str(row) for row in rows]
    expect(root).to_have_attribute("data-steps", str(found.score.count))
    for _ in range(rows[0]):
        page.keyboard.press("ArrowRight")
    expect(bars.first).to_have_attribute("data-state", "active")
    expect(bars.last).to_have_attribute("data-state", "pending")
    expect(page.locator(".mp-ranks-says")).to_contain_text(found.say(found.collectives[0]))
    page.keyboard.press("End")
    expect(bars.last).to_have_attribute("data-state", "done")


def test_the_panel_has_the_numbers_and_the_line_of_every_rank(show: Show) -> None:
    found = view(pairs, 4)
    page = opened(show, found)
    page.keyboard.press("ArrowRight")
    read = "all => all.map(e => [e.dataset.of, e.querySelector('.mp-cell').dataset.number])"
    given, got = (
        sorted(page.locator(f".mp-ranks-value[data-role={role}] .mp-ranks-of").evaluate_all(read))
        for role in ("input", "output")
    )
    assert given == [["0", "2"], ["1", "4"], ["2", "6"], ["3", "8"]]
    assert got == [["0,1", "6"], ["2", "14"], ["3", "14"]]
    expect(page.locator(".mp-ranks-codes")).to_contain_text("world.all_reduce(y, ranks=ranks)")
    expect(page.locator(".mp-ranks-codes")).to_contain_text("ranks 0 to 3")


def test_ranks_fold_and_unfold(show: Show) -> None:
    page = opened(show, view(tensor_parallel, 2))
    boxes = page.locator(".mp-part-box")
    folded = boxes.count()
    page.keyboard.press("f")
    expect(boxes).to_have_count(2 * folded)
    page.get_by_role("button", name="Fold equal ranks (f)").click()
    expect(boxes).to_have_count(folded)


def test_the_fold_button_is_hidden_if_no_ranks_are_equal(show: Show) -> None:
    page = opened(show, view(tensor_parallel, 2, fold=True))
    expect(page.locator(".mp-button", has_text="Fold equal ranks")).to_be_visible()
    page = opened(show, viz.ranks(World(2).run(tensor_parallel)[:1]))
    expect(page.locator(".mp-button", has_text="Fold equal ranks")).to_be_hidden()


def test_a_click_on_a_box_goes_to_its_step_and_changes_the_link(show: Show) -> None:
    page = opened(show, view(tensor_parallel, 2))
    page.locator('[data-collective="c2"] text').first.click()
    row = page.locator('[data-collective="c2"]').get_attribute("data-row")
    expect(page.locator(".mp-ranks")).to_have_attribute("data-step", row or "")
    assert re.search(rf"step={int(row or 0) + 1}\b", page.url)
    page.reload()
    expect(page.locator(".mp-ranks")).to_have_attribute("data-step", row or "")


def test_the_page_switches_to_the_other_language(show: Show) -> None:
    found = view(tensor_parallel, 2)
    page = opened(show, found)
    page.get_by_role("button", name="切换到中文").click()
    expect(page.locator(".mp-title")).to_have_text(found.headline("zh"))
    expect(page.locator(".mp-part-lane").first).to_contain_text("前向")
    page.locator('[data-collective="c1"] text').first.click()
    expect(page.locator(".mp-ranks-says")).to_contain_text(found.say(found.collectives[0], "zh"))


def test_the_page_opens_at_a_mismatch(show: Show) -> None:
    found = damage.changed(World(3).run(data_parallel), 2, damage.ends_early)
    page = opened(show, found)
    row = found.score.row_of(found.mismatches[0])
    expect(page.locator(".mp-ranks")).to_have_attribute("data-step", str(row))
    told = found.say(found.mismatches[0])
    expect(page.locator(".mp-ranks-says")).to_contain_text(told)
    expect(page.locator('.mp-twin-note [data-kind="wrong"]').first).to_have_text(told)
    expect(page.locator('[data-collective="c1"]')).to_contain_text("does not come")


@each("width", [1280, 390])
def test_nothing_is_wider_than_the_screen(show: Show, width: int) -> None:
    page = opened(show, view(data_parallel, 4), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@each("lang, scheme", [("en", "light"), ("zh", "dark")])
def test_axe_finds_nothing(show: Show, axe: Axe, scheme: str, lang: str) -> None:
    found = damage.changed(World(2).run(data_parallel), 1, damage.another_way)
    page = opened(show, found, lang, color_scheme=scheme, reduced_motion="reduce")
    assert axe(page) == []
    page.keyboard.press("End")
    assert axe(page) == []
