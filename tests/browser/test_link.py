"""Deep links: a page keeps its step, box and element in its address, and opens there."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from .checks import player, reopened, scene_of
from .conftest import Show
from .fixture import tanh

if TYPE_CHECKING:
    from playwright.sync_api import Page


def opened(show: Show, link: str) -> Page:
    page = show(tanh())
    reopened(page, link)
    return page


def note(page: Page) -> str:
    shown = [each.text_content() for each in page.locator(".mp-note").all() if each.is_visible()]
    return " ".join(text or "" for text in shown)


def test_the_address_follows_the_reader_and_leads_back(show: Show) -> None:
    page = show(tanh())
    player(page).press("ArrowRight")
    page.wait_for_url("**#step=2")
    box = page.locator(".mp-box").first
    name = box.get_attribute("data-node") or ""
    box.click()
    page.wait_for_url(f"**#step=2&box={quote(name)}")
    page.locator(".mp-cell[data-index='0,1']").first.click()
    page.wait_for_url(f"**#step=2&box={quote(name)}&element=0,1/2,3")
    page.reload()
    expect(player(page)).to_have_attribute("data-step", "1")
    expect(page.locator(f".mp-box[data-node='{name}'][data-selected]")).to_have_count(1)
    expect(page.locator(".mp-cell[data-chosen]").first).to_have_attribute("data-index", "0,1")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_url("**#step=2")


def test_a_new_link_is_followed_while_the_page_is_about_to_store_its_own(show: Show) -> None:
    page = show(tanh())
    page.evaluate("location.hash = 'step=8'")
    expect(player(page)).to_have_attribute("data-step", "7")
    page.evaluate("""() => {
      const [own, late] = [window.setTimeout, []];
      window.setTimeout = (go) => late.push(go);
      document.querySelector('.mp-player').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      window.setTimeout = own;
      location.hash = 'step=10';
      for (const go of late) go();
    }""")
    expect(player(page)).to_have_attribute("data-step", "9")


def test_a_box_in_a_closed_group_is_opened(show: Show) -> None:
    payload = tanh()
    nodes = payload["graph"]["ids"]
    shown = {box["id"] for box in scene_of(payload)["boxes"]}
    hidden = min(set(nodes) - shown)
    page = opened(show, f"box={quote(hidden)}")
    expect(page.locator(f"[data-node='{hidden}'][data-selected]")).to_have_count(1)


WRONG = [
    "step=0", "step=999", "step=1e0", "step=", "box=<img src=x onerror=alert(1)>", "box=__proto__",
    "element=5,0/2,3", "element=0,0/7,7", "element=x/y", "step=NaN&box=&element=///",
]  # fmt: skip


def test_a_wrong_address_leads_to_the_first_step_and_says_so(
    show: Show, subtests: pytest.Subtests
) -> None:
    page = show(tanh())
    note = page.locator(".mp-note:visible")
    for link in WRONG:
        with subtests.test(link=link):
            page.evaluate("(link) => history.replaceState(null, '', `#${link}`)", link)
            page.reload()
            expect(note).to_contain_text("The link points to a step, box or element that is not")
            expect(player(page)).to_have_attribute("data-step", "0")
            assert page.locator("[data-selected], [data-chosen]").count() == 0
    player(page).press("ArrowRight")
    expect(player(page)).to_have_attribute("data-step", "1")
    expect(note).to_have_count(0)


def test_other_parts_of_an_address_are_left_alone(show: Show) -> None:
    page = opened(show, "section&lang=zh&theme=dark")
    assert note(page) == ""
    expect(page.locator(".mp-phase")).to_have_text("前向")
    player(page).press("ArrowRight")
    page.wait_for_url("**#section=&lang=zh&theme=dark&step=2")
