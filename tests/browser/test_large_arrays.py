"""Numbers outside of a table are reached by keys, the picture, an index, and "…"."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.each import each
from viz.player.book import book_of

from .checks import area, at
from .conftest import Show
from .editing import cell, changed, field, value

if TYPE_CHECKING:
    from playwright.sync_api import Page

Json = dict[str, Any]
ROWS, COLUMNS = 16, 30


def numbers() -> Any:
    return np.random.default_rng(3).normal(size=(4, 2, ROWS, COLUMNS)).astype("float32")


@cache
def batch() -> Json:
    """Record a batch of pictures, and their weights."""
    x, w = paddle.to_tensor(numbers()), paddle.ones([COLUMNS])
    w.stop_gradient = False
    with viz.record() as trace:
        loss = (x * w).square().mean()
        loss.backward()
    return book_of(trace)


@cache
def wide() -> Json:
    """Record a weight of more elements than a step shows."""
    w = paddle.to_tensor(np.linspace(-1, 1, 8000, dtype="float32").reshape(80, 100))
    w.stop_gradient = False
    with viz.record() as trace:
        loss = (w * w).sum()
        loss.backward()
    return book_of(trace)


def is_right(page: Page, index: str) -> None:
    """Check that the number at an index is the recorded one."""
    told = cell(page, "x", index).get_attribute("data-number")
    assert np.float32(told) == numbers()[tuple(map(int, index.split(",")))]


# key -> focused number, and its place as screen readers read it
_WALK = """(keys) => keys.map((key) => {
  document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const { dataset, ariaColIndex, parentElement } = document.activeElement;
  const { index, number } = dataset;
  return [index, Number(number), ariaColIndex, parentElement.getAttribute('aria-rowindex')];
})"""


def test_arrows_walk_past_the_edge_and_the_table_follows(show: Show) -> None:
    page = show(batch())
    table = value(page, "x").get_by_role("table").first
    expect(table).to_have_attribute("aria-rowcount", str(ROWS + 1))
    expect(table).to_have_attribute("aria-colcount", str(COLUMNS + 1))
    cell(page, "x", "0,0,0,0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    keys = ["ArrowRight"] * (COLUMNS - 3) + ["ArrowDown"] * ROWS + ["Home"]
    places = [(0, 0, 0, column) for column in range(3, COLUMNS)]
    places += [(0, 0, row, COLUMNS - 1) for row in range(1, ROWS)]
    places += [(0, 1, 0, COLUMNS - 1), (0, 1, 0, 0)]
    expected = [
        [",".join(map(str, at)), pytest.approx(float(numbers()[at]), rel=1e-6),
         str(at[3] + 2), str(at[2] + 2)]
        for at in places
    ]  # fmt: skip
    assert page.evaluate(_WALK, keys) == expected
    expect(value(page, "x").locator("caption").nth(1)).to_have_text("x[0, 1] [16, 30]")


def test_a_typed_index_leads_to_a_slice_that_was_not_shown(show: Show) -> None:
    page = show(batch())
    find = value(page, "x").locator(".mp-find")
    expect(find).to_have_attribute("placeholder", "3, 1, 15, 29")
    find.fill("3, 1, 16, 0")
    find.press("Enter")
    expect(value(page, "x").locator(".mp-finder")).to_contain_text("[3, 1, 15, 29]")
    expect(find).to_have_attribute("aria-invalid", "true")
    find.fill("3, 1, 13, 7")
    find.press("Enter")
    expect(cell(page, "x", "3,1,13,7")).to_be_focused()
    is_right(page, "3,1,13,7")
    page.keyboard.press("5")
    field(page).press("Enter")
    changed(page, 1)
    expect(cell(page, "x", "3,1,13,7")).to_be_focused()
    expect(cell(page, "x", "3,1,13,7")).to_have_attribute("data-number", "5")
    # The result has the same shape, so its tables show the same place.
    expect(cell(page, "x × w", "3,1,13,7")).to_have_attribute("data-number", "5")


@each("touch", [False, True])
def test_a_place_in_the_picture_is_chosen(show: Show, touch: bool) -> None:
    page = show(batch(), has_touch=touch)
    picture = value(page, "x").locator(".mp-heat-map").first
    box = area(picture)
    place = {"x": box["width"] * 22.5 / COLUMNS, "y": box["height"] * 11.5 / ROWS}
    picture.tap(position=place) if touch else picture.click(position=place)
    expect(cell(page, "x", "0,0,11,22")).to_have_attribute("data-chosen", "")
    expect(value(page, "x").locator(".mp-element")).to_contain_text("x[0, 0, 11, 22] = ")
    page.keyboard.press("Enter")
    field(page).fill("7")
    field(page).press("Enter")
    expect(cell(page, "x", "0,0,11,22")).to_have_attribute("data-number", "7")
    expect(cell(page, "x", "0,0,11,22")).to_have_attribute("data-edited", "")


def test_an_ellipsis_opens_what_it_hides(show: Show) -> None:
    page = show(batch())
    table = value(page, "x").locator("table").first

    def shown(heads: str) -> list[str]:
        return table.locator(heads).all_inner_texts()

    def go(heads: str, towards: int) -> set[int]:
        """Open one "…" after another, until none is left."""
        seen = {int(text) for text in shown(heads) if text != "…"}
        for _ in range(COLUMNS):
            gap = table.locator(heads).nth(towards)
            if gap.inner_text() != "…":
                break
            gap.click()
            seen |= {int(text) for text in shown(heads) if text != "…"}
        return seen

    table.locator("thead .mp-gap").click()
    assert go("thead th", -1) == {*range(3, COLUMNS)}
    assert go("thead th", 0) == {*range(COLUMNS)}
    table.locator("tbody th.mp-gap").click()
    assert go("tbody th", -1) == {*range(4, ROWS)}
    assert go("tbody th", 0) == {*range(ROWS)}
    is_right(page, "0,0,0,0")


def test_a_large_weight_shows_its_numbers_on_request(show: Show) -> None:
    page = show(wide())
    weight = value(page, "w").first
    expect(weight.locator(".mp-cell")).to_have_count(0)
    weight.locator(".mp-change").click()
    find = value(page, "w").first.locator(".mp-find")
    find.fill("79, 99")
    find.press("Enter")
    page.keyboard.press("2")
    field(page).press("Enter")
    changed(page, 1)
    expect(cell(page, "w", "79,99")).to_have_attribute("data-was", "1")
    # Its gradient, which is too large for the page, has been computed: it promises 2 · 1.
    promise, loss = (page.locator(f'.mp-bar[data-of="{of}"]') for of in ("promise", "loss"))
    assert float(promise.get_attribute("data-number") or "nan") == pytest.approx(2.0, rel=1e-5)
    assert float(loss.get_attribute("data-number") or "nan") == pytest.approx(3.0, rel=1e-3)
    expect(page).to_have_url(re.compile("edits="))
    page.reload()
    at(page, 0)
    changed(page, 1)
    expect(cell(page, "w", "79,99")).to_have_attribute("data-number", "2")
