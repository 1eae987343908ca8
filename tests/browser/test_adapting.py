"""The player adapts to language, theme, motion, zoom, width and speed."""

import pytest
from playwright.sync_api import expect

from tests.each import each
from viz.language.words import say

from .checks import check_step, player
from .conftest import Show
from .fixture import tanh


def test_the_language_begins_as_the_browser_or_caller_says_and_can_be_switched(show: Show) -> None:
    page = show(tanh(), step=6)
    page.get_by_role("button", name="切换到中文").click()
    check_step(page, tanh(), 6, lang="zh")
    expect(page.locator(".mp-phase")).to_have_text("反向")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.get_by_role("button", name=say("next", "zh"), exact=True).click()
    check_step(page, tanh(), 7, lang="zh")
    for lang, phase in ((None, "前向"), ("en", "Forward")):
        expect(show(tanh(), locale="zh-CN", lang=lang).locator(".mp-phase")).to_have_text(phase)


def test_theme_follows_the_system_until_chosen(show: Show) -> None:
    page = show(tanh(), color_scheme="dark")
    expect(player(page)).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(player(page)).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Light or dark").click()
    expect(player(page)).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(player(page)).to_have_attribute("data-theme", "dark")


SIGNS = {
    "dataset.jpThemeLight = 'false'": "dark",  # JupyterLab
    "dataset.theme = 'dark'": "dark",  # furo
    "dataset.theme = 'light'": "light",
    "dataset.theme = 'auto'": None,
    "className = 'light light-theme'": "light",  # marimo
    "className = 'dark dark-theme'": "dark",
    "className = 'vscode-dark'": "dark",
    "className = 'vscode-high-contrast'": "dark",
    "className = 'vscode-high-contrast-light'": "light",
}


def test_theme_follows_the_page_around(show: Show, subtests: pytest.Subtests) -> None:
    page = show(tanh())
    for sign, theme in SIGNS.items():
        for system in ("light", "dark"):
            with subtests.test(sign=sign, system=system):
                page.emulate_media(color_scheme=system)  # type: ignore[arg-type]
                page.evaluate(f"document.body.{sign}")
                expect(player(page)).to_have_attribute("data-theme", theme or system)
        page.evaluate("document.body.className = ''")
        page.evaluate("for (const key of Object.keys({ ...document.body.dataset }))"
                      " delete document.body.dataset[key]")  # fmt: skip


def test_language_and_theme_are_remembered_in_the_address(show: Show) -> None:
    page = show(tanh(), color_scheme="light")
    page.get_by_role("button", name="切换到中文").click()
    page.get_by_role("button", name="浅色或深色").click()
    page.reload()
    expect(page.locator(".mp-phase")).to_have_text("前向")
    expect(player(page)).to_have_attribute("data-theme", "dark")
    page.evaluate("history.replaceState(null, '', '#lang=constructor&theme=pink')")
    page.reload()
    expect(page.locator(".mp-phase")).to_have_text("Forward")
    expect(player(page)).to_have_attribute("data-theme", "light")


def test_changes_of_the_picture_are_animated_unless_motion_is_reduced(show: Show) -> None:
    page = show(tanh())
    page.locator(".mp-toggle").first.dispatch_event("click")
    moving = "document.getAnimations().filter((one) => one.timeline === document.timeline).length"
    assert page.evaluate(moving) > 5
    page = show(tanh(), reduced_motion="reduce")
    page.locator(".mp-toggle").first.click()
    assert page.evaluate(moving) == 0


def test_the_picture_can_be_zoomed_and_panned(show: Show) -> None:
    page = show(tanh())
    canvas = page.locator(".mp-svg")
    width = canvas.evaluate("(e) => e.width.baseVal.value")
    player(page).focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert canvas.evaluate("(e) => e.width.baseVal.value") == pytest.approx(width * 1.5625)
    view = page.locator(".mp-viewport")
    view.hover()
    before = view.evaluate("(e) => e.scrollTop")
    page.mouse.down()
    page.mouse.move(200, 200, steps=3)
    page.mouse.up()
    assert view.evaluate("(e) => e.scrollTop") != before
    page.keyboard.down("Control")
    page.mouse.wheel(0, 100)
    page.keyboard.up("Control")
    page.wait_for_function(
        "(width) => document.querySelector('.mp-svg').width.baseVal.value < width", arg=width * 1.5
    )
    player(page).focus()
    page.keyboard.press("0")
    assert canvas.evaluate("(e) => e.width.baseVal.value") == pytest.approx(width, rel=0.3)


@each("width", [480, 680, 820, 1400])
def test_nothing_overlaps_or_is_cut_off_at_any_width(show: Show, width: int) -> None:
    height = 800 if width > 600 else 1500  # a narrow page has its buttons above the code
    page = show(tanh(), viewport={"width": width, "height": height}, step=11)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tools = [".mp-search", "[data-action=language]", "[data-action=theme]"]
    marks = [
        ".mp-title",
        ".mp-transport",
        ".mp-timeline",
        ".mp-count",
        ".mp-speed",
        ".mp-say",
        ".mp-viewport",
        ".mp-foot",
        ".mp-code",
        ".mp-inspector",
        *(tools if width > 1100 else [".mp-more"]),
    ]
    boxes = page.evaluate(
        """(marks) => marks.map((mark) => {
        const box = document.querySelector(mark).getBoundingClientRect();
        return [mark, box.left, box.top, box.right, box.bottom];
      })""",
        marks,
    )
    for place, (name, left, top, right, bottom) in enumerate(boxes):
        assert right - left > 20, name
        assert bottom - top > 8, name
        for other, x, y, u, v in boxes[:place]:
            apart = left >= u or right <= x or top >= v or bottom <= y
            assert apart, f"{name} covers {other}"
