"""The player adapts to language, theme, motion, zoom, width, speed, and the link it opens with."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.each import each
from viz.language.words import say

from .checks import check_step, player, reopened, scene_of
from .conftest import Show
from .fixture import tanh

if TYPE_CHECKING:
    from playwright.sync_api import Page


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


# ----- Links -------------------------------------------------------------------------------------


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
