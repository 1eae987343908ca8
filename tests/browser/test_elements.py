"""Pointing at a number shows its sources or effects; keys and the picture reach all numbers."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from minipaddle.nn import functional as F
from tests.each import each
from viz.player.book import book_of

from .checks import area, at
from .conftest import Show
from .editing import cell, changed, field, put, value

if TYPE_CHECKING:
    from playwright.sync_api import Page

Cells = dict[str, set[tuple[int, ...]]]
_LIT = """() => [...document.querySelectorAll('.mp-cell[data-lit]')].map((cell) =>
  [cell.dataset.lit, cell.closest('.mp-value').dataset.name, cell.dataset.index])"""
_TERMS = """() => [...document.querySelectorAll('.mp-terms :is([data-term], [data-rest])')]
  .map(({ dataset }) => Number(dataset.term ?? dataset.rest))"""
X = np.array([[0.5, -1.5, 2.0], [0.25, 1.0, -0.75]], "float32")
W = np.array([[0.5, -0.2], [1.5, 0.7], [0.0, -1.0]], "float32")
IMAGE = np.sin(np.arange(50.0)).reshape(1, 2, 5, 5).astype("float32")
FILTER = np.cos(np.arange(16.0)).reshape(2, 2, 2, 2).astype("float32")
COLUMNS = range(3)


def tensor(array: Any) -> Any:
    return paddle.to_tensor(array, stop_gradient=False)


@cache
def recorded() -> Any:
    x, w, b, image, kernel = map(tensor, (X, W, W[0], IMAGE, FILTER))
    with viz.record() as trace:
        product = x @ w
        added = product + b
        y = F.softmax(added)
        conv = F.conv2d(image, kernel)
        pool = F.max_pool2d(conv, 2)
        part = x[1]
        big = paddle.ones([64]) @ paddle.reshape(image, [50])[:1].expand([64])
        total = (y * y).sum() + pool.mean() + part.sum() + big
        total.backward()
        paddle.optimizer.SGD(0.5, parameters=[w]).step()
    return trace


def go(page: Page, name: str, role: str = "output", trace: Any = None) -> None:
    """Go to the first step that has a value in this role."""
    steps = (trace or recorded()).steps
    here = (s.index for s in steps for v in s.shown if (v.name, v.role) == (name, role))
    page.evaluate("(step) => { location.hash = `step=${step}`; }", next(here) + 1)


def point(page: Page, name: str, *index: int, last: bool = False) -> None:
    found = page.locator(f".mp-value[data-name='{name}']")
    card = found.last if last else found.first
    card.locator(f".mp-cell[data-index='{','.join(map(str, index))}']").hover()
    expect(page.locator(".mp-terms")).not_to_be_empty()


def lit(page: Page, kind: str) -> Cells:
    """Elements that are lit, by name; all of them are of one kind."""
    found: Cells = {}
    for own, name, index in page.evaluate(_LIT):
        assert own == kind
        found.setdefault(name, set()).add(tuple(map(int, index.split(","))) if index else ())
    return found


def adds_up(page: Page, name: str, *index: int, last: bool = False) -> list[float]:
    """The terms, which add up to a number."""
    cards = page.locator(f".mp-value[data-name='{name}']")
    own = (cards.last if last else cards.first).locator(
        f".mp-cell[data-index='{','.join(map(str, index))}']"
    )
    terms: list[float] = page.evaluate(_TERMS)
    number = float(own.get_attribute("data-number") or "nan")
    assert sum(terms) == pytest.approx(number, rel=1e-5, abs=1e-6)
    return terms


def test_a_forward_number_highlights_its_sources_and_is_the_sum_of_its_terms(show: Show) -> None:
    page = show(book_of(recorded()))
    line = page.locator(".mp-terms")
    go(page, "product")
    point(page, "product", 1, 0)
    assert lit(page, "from") == {"x": {(1, k) for k in COLUMNS}, "w": {(k, 0) for k in COLUMNS}}
    assert adds_up(page, "product", 1, 0) == pytest.approx([1.5, 0.125, 0.0])
    expect(line).to_contain_text("product[1, 0] = 1 × 1.5 + 0.25 × 0.5 + −0.75 × 0 = 1.625")
    point(page, "x", 0, 2)
    assert lit(page, "to") == {"product": {(0, 0), (0, 1)}}
    expect(line).to_have_text("x[0, 2] = 2 acts on product[0, :].")
    point(page, "w", 2, 1)
    assert lit(page, "to") == {"product": {(0, 1), (1, 1)}}

    go(page, "pool")
    point(page, "pool", 0, 0, 1, 1)
    numbers = F.conv2d(tensor(IMAGE), tensor(FILTER)).numpy()[0, 0, 2:, 2:]
    winner = (0, 0, *(int(k) + 2 for k in np.unravel_index(numbers.argmax(), (2, 2))))
    assert lit(page, "from") == {"conv": {winner}}
    among = page.locator(".mp-cell[data-among]")
    assert among.count() == 4
    expect(line).to_contain_text("chosen among 4 elements")


def test_numbers_of_backward_and_updates_highlight_their_sources(show: Show) -> None:
    page = show(book_of(recorded()))
    go(page, "dw", "grad_out")
    assert value(page, "x").get_attribute("data-role") == "saved"  # a factor
    point(page, "dw", 2, 1)
    assert lit(page, "from") == {"x": {(0, 2), (1, 2)}, "dproduct": {(0, 1), (1, 1)}}
    assert len(adds_up(page, "dw", 2, 1)) == 2
    point(page, "dproduct", 0, 1)
    assert lit(page, "to") == {"dx": {(0, k) for k in COLUMNS}, "dw": {(k, 1) for k in COLUMNS}}
    go(page, "w", "after")
    point(page, "w", 1, 1, last=True)
    assert lit(page, "from") == {"w": {(1, 1)}, "w.grad": {(1, 1)}}
    assert len(adds_up(page, "w", 1, 1, last=True)) == 2


def test_keys_and_a_tap_do_what_pointing_does(show: Show) -> None:
    page = show(book_of(recorded()))
    go(page, "product")
    cell(page, "product", "0,0").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert lit(page, "from") == {"x": {(1, k) for k in COLUMNS}, "w": {(k, 1) for k in COLUMNS}}
    expect(page.locator(".mp-terms")).to_have_attribute("aria-live", "polite")
    page = show(book_of(recorded()), has_touch=True)
    go(page, "product")
    cell(page, "product", "1,1").tap()
    assert lit(page, "from") == {"x": {(1, k) for k in COLUMNS}, "w": {(k, 1) for k in COLUMNS}}
    page.keyboard.press("Escape")
    assert lit(page, "from") == {}
    expect(page.locator(".mp-terms")).to_be_empty()


def test_changed_numbers_are_explained_as_they_are(show: Show) -> None:
    page = show(book_of(recorded()))
    go(page, "product")
    put(page, "w", "1,0", "3")
    changed(page, 1)
    point(page, "product", 1, 0)
    assert adds_up(page, "product", 1, 0) == pytest.approx([3.0, 0.125, 0.0])


def test_a_number_without_explanation_says_so(show: Show) -> None:
    page = show({**book_of(recorded()), "what_if": None})
    point(page, "x", 0, 0)
    text = "x[0, 0] = 0.5: the page does not hold how its numbers are computed."
    expect(page.locator(".mp-terms")).to_have_text(text)
    assert page.evaluate(_LIT) == []


def test_a_chosen_number_scrolls_its_sources_into_view(show: Show) -> None:
    x, w = tensor(np.eye(40, 30)), tensor(np.ones((30, 20)))
    with viz.record() as trace:
        product = x @ w
    assert product.shape == [40, 20]
    page = show(book_of(trace))
    cell(page, "product", "39,19").hover()
    expect(page.locator(".mp-terms")).to_contain_text("made from x[39, :] and w[:, 19]")
    find = value(page, "product").locator(".mp-find")
    find.fill("21, 11")
    find.press("Enter")
    assert lit(page, "from")["x"] <= {(21, k) for k in range(30)}
    assert lit(page, "from")["w"] <= {(k, 11) for k in range(30)}
    assert len(adds_up(page, "product", 21, 11)) == 30
    page.locator(".mp-terms button").click()
    expect(page.locator(".mp-terms")).to_contain_text("x[21, :]")


# ----- operands ----------------------------------------------------------------------------------

_POINTED = """() => [...document.querySelectorAll('[data-pointed]')].map((each) =>
  [each.closest('.mp-formula, .mp-value, .mp-code, .mp-box, .mp-wire').classList.item(0),
   each.dataset.node ?? each.textContent])"""


def test_pointing_at_an_operand_lights_it_everywhere(show: Show) -> None:
    page = show(book_of(recorded()))
    go(page, "product")
    signs = [page.locator(f".mp-sum [data-name={name}] .mp-plus") for name in ("w", "product")]
    assert [sign.text_content() for sign in signs] == ["@", "="]
    page.locator(".mp-formula button", has_text="w").hover()
    found = page.evaluate(_POINTED)
    assert {place for place, _ in found} == {
        "mp-formula", "mp-value", "mp-code", "mp-box", "mp-wire",
    }  # fmt: skip
    texts = {text for place, text in found if place not in ("mp-box", "mp-wire")}
    assert texts == {"w"}
    page.locator(".mp-title").hover()
    assert page.evaluate(_POINTED) == []
    page.locator(".mp-code [data-operand]", has_text="x").click()  # a tap
    page.locator(".mp-title").hover()
    assert {"x"} == {text for place, text in page.evaluate(_POINTED) if place == "mp-code"}


# ----- the chain rule ----------------------------------------------------------------------------

_PATHS = """() => [...document.querySelectorAll('.mp-ribbon [data-path]')].map((path) =>
  [path.dataset.path, Number(path.dataset.brings),
   [...path.querySelectorAll('[data-factor]')].map(({ dataset }) => Number(dataset.factor))])"""


def test_a_click_on_a_gradient_shows_how_it_came_about(show: Show) -> None:
    page = show(book_of(recorded()))
    go(page, "dw", "grad_out")
    card = page.locator(".mp-value[data-name='dw'][data-role='grad_out']")
    target = card.locator(".mp-cell[data-index='1,0']")
    target.click()
    expect(page.locator(".mp-ribbon [data-path]").first).to_be_visible()
    found = page.evaluate(_PATHS)
    number = float(target.get_attribute("data-number") or "")
    assert sum(brings for _, brings, _ in found) == pytest.approx(number, rel=1e-5)
    assert 1 < len(found) <= 13
    for _, brings, factors in found:
        assert np.prod(factors) == pytest.approx(brings, rel=1e-9)
    page.locator("[data-path='0']").hover()
    assert page.locator(".mp-box[data-hit]").count() > 1
    page.locator(".mp-title").hover()
    page.locator(".mp-player").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".mp-ribbon")).to_be_hidden()


def dead_units() -> Any:
    x = paddle.to_tensor([[0.8, -0.4], [-1.2, 0.6]])
    w = paddle.to_tensor([[0.5, -0.3], [0.2, 0.8]], stop_gradient=False)
    v = paddle.to_tensor([[0.7], [-0.6]], stop_gradient=False)
    with viz.record() as trace:
        z = x @ w
        h = paddle.nn.functional.relu(z)
        (h @ v).sum().backward()
    return trace


def test_the_chain_of_a_zero_ends_at_the_factor_that_stops_the_gradient(show: Show) -> None:
    trace = dead_units()
    page = show(book_of(trace))
    go(page, "dz", "grad_out", trace)
    card = page.locator(".mp-value[data-name='dz'][data-role='grad_out']")
    card.locator(".mp-cell[data-index='1,0']").click()  # z[1, 0] is −0.48
    (path,) = page.evaluate(_PATHS)
    assert path == ["0", 0, [1, 1, pytest.approx(0.7), 0]]
    factors = page.locator(".mp-ribbon .mp-factor").all_inner_texts()
    assert factors == ["→ × 0.7 v[0, 0]", "→ × 0 relu"]
    card.locator(".mp-cell[data-index='0,0']").click()
    factors = page.locator(".mp-ribbon .mp-factor").all_inner_texts()
    assert factors == ["→ × 0.7 v[0, 0]", "→ × 1 relu"]


def test_a_press_moves_no_number_away_before_the_click(show: Show) -> None:
    trace = dead_units()
    page = show(book_of(trace))
    go(page, "dw", "grad_out", trace)
    target = page.locator(".mp-value[data-name='dw'][data-role='grad_out'] [data-index='1,1']")
    target.hover()
    page.mouse.down()
    page.wait_for_timeout(100)
    page.mouse.up()
    expect(target).to_have_attribute("data-chosen", "")
    expect(page.locator(".mp-terms")).to_contain_text("dw[1, 1]")


# ----- Numbers outside of a table ----------------------------------------------------------------


Json = dict[str, Any]
ROWS, ACROSS = 16, 30


def numbers() -> Any:
    return np.random.default_rng(3).normal(size=(4, 2, ROWS, ACROSS)).astype("float32")


@cache
def batch() -> Json:
    """Record a batch of pictures, and their weights."""
    x, w = paddle.to_tensor(numbers()), paddle.ones([ACROSS])
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
    expect(table).to_have_attribute("aria-colcount", str(ACROSS + 1))
    cell(page, "x", "0,0,0,0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    keys = ["ArrowRight"] * (ACROSS - 3) + ["ArrowDown"] * ROWS + ["Home"]
    places = [(0, 0, 0, column) for column in range(3, ACROSS)]
    places += [(0, 0, row, ACROSS - 1) for row in range(1, ROWS)]
    places += [(0, 1, 0, ACROSS - 1), (0, 1, 0, 0)]
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
    place = {"x": box["width"] * 22.5 / ACROSS, "y": box["height"] * 11.5 / ROWS}
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
        for _ in range(ACROSS):
            gap = table.locator(heads).nth(towards)
            if gap.inner_text() != "…":
                break
            gap.click()
            seen |= {int(text) for text in shown(heads) if text != "…"}
        return seen

    table.locator("thead .mp-gap").click()
    assert go("thead th", -1) == {*range(3, ACROSS)}
    assert go("thead th", 0) == {*range(ACROSS)}
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
