"""How the player adapts: language, theme, motion, zoom, width and speed."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")

from playwright.sync_api import expect

from viz.language.words import say

from .checks import at, check_step, player, settled, stepped
from .conftest import Show
from .fixture import chain, tanh

pytestmark = pytest.mark.browser


def test_language_switch(show: Show) -> None:
    page = show(tanh(), step=6)
    page.get_by_role("button", name="切换到中文").click()
    check_step(page, tanh(), 6, lang="zh")
    expect(page.locator(".mp-phase")).to_have_text("反向")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.get_by_role("button", name=say("next", "zh"), exact=True).click()
    check_step(page, tanh(), 7, lang="zh")


@pytest.mark.parametrize(
    ("locale", "lang", "phase"), [("zh-CN", None, "前向"), ("zh-CN", "en", "Forward")]
)
def test_the_language_at_first(show: Show, locale: str, lang: str | None, phase: str) -> None:
    expect(show(tanh(), locale=locale, lang=lang).locator(".mp-phase")).to_have_text(phase)


def test_theme_follows_the_system_until_chosen(show: Show) -> None:
    page = show(tanh(), color_scheme="dark")
    expect(player(page)).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(player(page)).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Light or dark").click()
    expect(player(page)).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(player(page)).to_have_attribute("data-theme", "dark")


def test_theme_follows_jupyterlab(show: Show) -> None:
    page = show(tanh(), color_scheme="light")
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    expect(player(page)).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(
    ("sign", "theme"),
    [
        ("dataset.theme = 'dark'", "dark"),  # furo
        ("dataset.theme = 'light'", "light"),
        ("dataset.theme = 'auto'", None),
        ("className = 'light light-theme'", "light"),  # marimo
        ("className = 'dark dark-theme'", "dark"),
        ("className = 'vscode-dark'", "dark"),
        ("className = 'vscode-high-contrast'", "dark"),
        ("className = 'vscode-high-contrast-light'", "light"),
    ],
)
def test_theme_follows_the_page_around(show: Show, sign: str, theme: str | None) -> None:
    page = show(tanh(), color_scheme="light")
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        page.evaluate(f"document.body.{sign}")
        expect(player(page)).to_have_attribute("data-theme", theme or system)


def test_the_keys_are_no_shortcuts_of_a_notebook(show: Show) -> None:
    expect(player(show(tanh()))).to_have_attribute("data-lm-suppress-shortcuts", "true")


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


def test_nothing_moves_for_who_wants_no_motion(show: Show) -> None:
    page = show(tanh(), reduced_motion="reduce")
    page.locator(".mp-toggle").first.click()
    assert page.evaluate("document.getAnimations().length") == 0


def test_motion_when_the_picture_changes(show: Show) -> None:
    page = show(tanh())
    page.locator(".mp-toggle").first.dispatch_event("click")
    assert page.evaluate("document.getAnimations().length") > 5


def test_zoom_and_pan(show: Show) -> None:
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


@pytest.mark.parametrize("width", [480, 680, 820, 1400])
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


def test_the_active_node_is_kept_in_view(show: Show) -> None:
    page = show(chain(60), viewport={"width": 820, "height": 600}, reduced_motion="reduce")
    player(page).focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    node = page.locator("[data-state='active'][data-node]").bounding_box()
    pane = page.locator(".mp-viewport").bounding_box()
    assert node is not None
    assert pane is not None
    assert pane["y"] <= node["y"]
    assert node["y"] + node["height"] <= pane["y"] + pane["height"]


def test_stepping_a_large_graph_touches_only_what_changes(show: Show) -> None:
    page = show(chain(3000), reduced_motion="reduce")
    assert max(stepped(page, 30, ".mp-svg")["changes"]) <= 6
    at(page, 30)


def test_stepping_faster_than_the_panes_scroll_ends_at_the_right_place(show: Show) -> None:
    page = show(chain(60), viewport={"width": 820, "height": 600})
    player(page).focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    settled(page)  # the animation itself is what is tested
    seen = page.evaluate("""() => {
      const pane = document.querySelector('.mp-viewport').getBoundingClientRect();
      const box = document.querySelector('[data-node][data-state=active]').getBoundingClientRect();
      return pane.top <= box.top && box.bottom <= pane.bottom;
    }""")
    assert seen
