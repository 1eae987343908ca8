"""Folded repetitions in the page: search opens them, and a huge picture is fitted."""

from playwright.sync_api import expect

from tests.viz.test_blocks import loop
from viz.player.payload import payload_of

from .conftest import Show


def test_search_opens_the_block_that_hides_a_hit_and_fit_shows_all(show: Show) -> None:
    page = show(payload_of(loop(100).story))
    page.locator(".mp-player").press("f")
    expect(page.locator(".mp-frame")).to_have_count(0)
    page.locator(".mp-query").fill("tanh h:")  # text of the ops, not of their blocks
    page.keyboard.press("Enter")
    expect(page.locator(".mp-box[data-selected] .mp-label")).to_have_text("tanh")
    assert page.locator(".mp-frame").count() >= 2

    page.locator(".mp-viewport").focus()
    page.keyboard.press("0")
    room = page.locator(".mp-viewport").evaluate("(v) => [v.clientWidth, v.clientHeight]")
    size = page.locator(".mp-svg").evaluate(
        "(svg) => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height]"
    )
    assert size[0] <= room[0] + 1
    assert size[1] <= room[1] + 1
