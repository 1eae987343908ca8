"""The page with many ranks, in a real browser: columns, bars, one scrubber, all numbers."""

import re

from playwright.sync_api import Page, expect

import viz
from tests.each import each
from viz.many_ranks.ranks import Ranks

from ..viz.many_ranks import damage
from ..viz.many_ranks.programs import data_parallel, pairs, tensor_parallel, view
from ..viz.many_ranks.world import World
from .conftest import Axe, Show


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
