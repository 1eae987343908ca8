"""axe-core finds nothing in the exported player: both themes, both languages, several steps."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.each import each
from viz.player.book import book_of
from viz.player.payload import payload_of

from ..viz.played import program
from ..viz.played import training as rounds
from .checks import area
from .conftest import Axe, Show
from .editing import put
from .editing import rounds as to_edit
from .test_ask import hunt, recorded
from .test_magnitude import long
from .test_recorded import training

WIDE, PHONE = {"width": 1280, "height": 844}, {"width": 390, "height": 844}
STILL = {"reduced_motion": "reduce"}  # fading parts lack contrast


@each("make, theme, lang", [(program, "light", "en"), (training, "dark", "zh")])
def test_axe_finds_nothing_at_several_steps(
    show: Show, axe: Axe, make: Callable[[], Any], theme: str, lang: str
) -> None:
    page = show(payload_of(make().story), lang=lang, theme=theme, **STILL)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.locator(".mp-box").first.click()
    assert axe(page) == []
    page.keyboard.press("End")
    for key in "mct":
        page.keyboard.press(key)
    assert axe(page) == []
    page.locator("[data-action=theme]").click()
    page.locator(".mp-sort").first.click()
    page.locator(".mp-row-pick").first.click()
    page.keyboard.press("c")
    page.keyboard.press("?")
    assert axe(page) == []


def test_tab_leads_to_one_box_and_arrows_to_the_others(show: Show, axe: Axe) -> None:
    page = show(payload_of(program().story), viewport=WIDE, **STILL)
    stops = page.locator(".mp-box[tabindex]")
    expect(stops).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(stops).to_have_attribute("data-state", "active")
    page.locator(".mp-viewport").focus()
    page.keyboard.press("Tab")
    expect(stops).to_be_focused()
    assert axe(page) == []
    step = page.locator(".mp-player").get_attribute("data-step")
    name, place = stops.get_attribute("data-node"), area(stops)
    page.keyboard.press("ArrowDown")
    expect(stops).to_be_focused()
    assert area(stops)["y"] > place["y"]
    page.keyboard.press("ArrowUp")
    expect(stops).to_have_attribute("data-node", name or "")
    page.keyboard.press("Enter")
    expect(page.locator(".mp-box[data-selected]")).to_have_attribute("data-node", name or "")
    expect(page.locator(".mp-player")).to_have_attribute("data-step", step or "")
    for leave in (lambda: page.keyboard.press("Escape"), stops.click):  # then arrows step again
        stops.focus()
        leave()
        page.keyboard.press("ArrowRight")
        step = str(int(step or "") + 1)
        expect(page.locator(".mp-player")).to_have_attribute("data-step", step)


def test_axe_finds_nothing_on_a_phone(show: Show, axe: Axe) -> None:
    page = show(payload_of(training().story), viewport=PHONE, **STILL)
    page.locator(".mp-legend-knob").click()
    page.locator(".mp-more").click()
    assert axe(page) == []


@each("theme, view, lang", [("light", WIDE, "en"), ("dark", PHONE, "zh")])
def test_axe_finds_nothing_in_rounds(
    show: Show, axe: Axe, theme: str, view: dict[str, int], lang: str
) -> None:
    page = show(book_of(rounds(9)), theme=theme, viewport=view, lang=lang, **STILL)
    page.keyboard.press("ArrowRight")  # into the layers
    page.locator(".mp-box[data-kind=parameter]").first.click()
    assert page.locator(".mp-trend").count() == 2
    page.keyboard.press("[")  # there is no earlier round
    page.locator(".mp-round-track").hover()
    assert page.locator(".mp-rounds .mp-tip").is_visible()
    assert axe(page) == []


def test_axe_finds_nothing_in_a_large_graph(show: Show, axe: Axe) -> None:
    page = show(long(60), theme="dark", step=59, viewport={"width": 820, "height": 600}, **STILL)
    for key in "ct":
        page.keyboard.press(key)
    assert page.locator(".mp-minimap").is_visible()
    assert axe(page) == []


@each("kind, theme, view", [("value", "light", WIDE), ("sign", "dark", PHONE)])
def test_axe_finds_nothing_on_quiz_pages(
    show: Show, axe: Axe, kind: str, theme: str, view: dict[str, int]
) -> None:
    quiz = recorded().quiz(ask=kind)
    page = show(book_of(quiz), step=quiz.steps[0], theme=theme, viewport=view, **STILL)
    assert axe(page) == []
    page.locator(".mp-quiet").click()
    assert axe(page) == []


def test_axe_finds_nothing_on_pages_of_a_bug_hunt(show: Show, axe: Axe) -> None:
    page = show(book_of(hunt()), step=hunt().solution.step, viewport=PHONE, **STILL)
    for _ in range(3):
        page.locator(".mp-quiet").click()
    assert axe(page) == []
    page.locator(".mp-choice").click()
    assert axe(page) == []


@each("theme, view, lang", [("light", WIDE, "en"), ("dark", PHONE, "zh")])
def test_axe_finds_nothing_on_a_page_with_a_changed_number(
    show: Show, axe: Axe, theme: str, view: dict[str, int], lang: str
) -> None:
    page = show(to_edit(), theme=theme, viewport=view, lang=lang, **STILL)
    put(page, "x", "0,0", "0.9")
    page.locator(".mp-player").focus()
    page.keyboard.press("End")
    assert page.locator("[data-was]").count() > 0
    assert axe(page) == []
