"""The overview at which a page opens, and the trail that leads out of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.each import each
from viz.player.payload import payload_of

from ..viz import programs
from .checks import area, at, player, settled
from .conftest import Axe, Show
from .test_camera import convolutional

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = [{"width": 1280, "height": 800}, {"width": 390, "height": 844}]


def frames(page: Page) -> list[Any]:
    return page.locator('.mp-frame-head[data-lane="forward"] .mp-label').all_text_contents()


def crumbs(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".mp-crumb").all_text_contents()]


@each("screen", SCREENS)
def test_a_page_opens_on_the_whole_network_and_a_step_leads_in(
    show: Show, axe: Axe, screen: dict[str, int]
) -> None:
    page = show(payload_of(convolutional().story), viewport=screen, reduced_motion="reduce")
    settled(page)
    assert frames(page) == ["Sequential net"]
    pane, canvas = (area(page.locator(mark)) for mark in (".mp-viewport", ".mp-svg"))
    assert canvas["width"] <= pane["width"]
    assert canvas["height"] <= pane["height"]
    expect(page.locator(".mp-trail .mp-hint")).to_contain_text("→")
    assert crumbs(page) == ["Overview"]
    assert axe(page) == []
    player(page).press("ArrowRight")
    at(page, 2)  # the second one is of memory
    expect(page.locator(".mp-trail .mp-hint")).to_have_count(0)
    assert crumbs(page) == ["Overview", "net", "Sequential 0", "Conv2D 0"]
    assert frames(page)[:3] == ["Sequential net", "Sequential 0", "Conv2D 0"]


def test_the_trail_leads_out_by_buttons_and_by_key(show: Show) -> None:
    page = show(payload_of(convolutional().story), step=2, reduced_motion="reduce")
    player(page).press("b")
    assert frames(page) == ["Sequential net", "Sequential 0"]
    assert crumbs(page)[1:] == ["net", "Sequential 0"]
    page.get_by_role("button", name="net", exact=True).press("Enter")
    assert frames(page) == ["Sequential net"]
    expect(page.get_by_role("button", name="Sequential net", exact=True)).to_be_focused()
    page.keyboard.press("b")
    expect(page.locator(".mp-crumb")).to_be_focused()
    assert crumbs(page) == ["Overview"]
    page.get_by_role("button", name="Open Sequential 0", exact=True).press("Enter")
    assert crumbs(page)[1:] == ["net", "Sequential 0"]
    player(page).press("Home")
    at(page, 0)
    assert crumbs(page)[-1] == "Conv2D 0"


def test_a_small_picture_opens_at_its_first_step(show: Show) -> None:
    page = show(payload_of(programs.nested().story), viewport=SCREENS[0])
    expect(page.locator(".mp-trail")).to_be_hidden()
    assert page.locator(".mp-frame").count()
