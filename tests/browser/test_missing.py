"""A click on a leaf without a gradient shows the reason and the cut."""

from playwright.sync_api import Page

from tests.viz.test_missing import deep, no_grad, recorded
from viz.player.payload import payload_of

from .conftest import Show


def chosen(page: Page, label: str) -> None:
    page.locator(".mp-player").focus()
    page.keyboard.press("End")
    page.locator(".mp-svg .mp-box .mp-label", has_text=label).first.click()


def test_the_reason_is_shown_with_the_cut_wire(show: Show) -> None:
    trace = recorded(no_grad)
    page = show(payload_of(trace.story))
    chosen(page, "w")  # a leaf with a gradient
    assert page.locator(".mp-selection").count() == 1
    assert page.locator(".mp-why").count() == 0
    chosen(page, "x")
    reason = page.locator(".mp-why")
    assert "scale ran where nothing is recorded" in reason.inner_text()
    cut = page.locator("[data-cut]")
    assert cut.count() == 1
    (why,) = trace.story.missing.values()
    assert cut.get_attribute("data-edge") == why.edges[0]
    line = cut.locator("path").first
    assert line.evaluate("e => getComputedStyle(e).strokeDasharray") == "2px, 7px"
    page.get_by_role("button", name="切换到中文").click()
    assert "没有记录梯度" in reason.inner_text()
    page.locator(".mp-player").focus()
    page.keyboard.press("Escape")
    assert reason.count() == 0
    assert cut.count() == 0


def test_the_cut_is_shown_also_if_boxes_are_closed(show: Show) -> None:
    page = show(payload_of(recorded(deep).story))
    page.locator(".mp-toggle").first.click()
    chosen(page, "x")
    assert "backward of SecondNone returned None" in page.locator(".mp-why").inner_text()
    assert page.locator("[data-cut]").count() == 1
