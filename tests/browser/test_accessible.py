"""The exported player under axe-core, light and dark, in both languages, at several steps.

axe-core is one of the development tools in package.json, so `npm install` brings it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")

from viz.player.book import book_of
from viz.player.payload import payload_of

from ..conftest import missing
from ..viz.played import training as rounds
from .conftest import Show
from .test_ask import hunt, recorded
from .test_magnitude import long
from .test_recorded import program, pylayer, training
from .test_what_if import rounds as to_edit

pytestmark = pytest.mark.browser

AXE = Path("node_modules/axe-core/axe.min.js")
_RUN = """() => axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
  .flatMap(({ id, impact, nodes }) => nodes.map((node) => [impact, id, node.target.join(' ')])))"""


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """The text of axe-core."""
    file = request.config.rootpath / AXE
    if not file.exists():
        missing(request.config, "axe-core is not installed (npm install)")
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("make", [pylayer, program, training])
def test_axe_finds_nothing(
    show: Show, axe: str, make: Callable[[], Any], theme: str, lang: str
) -> None:
    page = show(payload_of(make().story), lang=lang, theme=theme, reduced_motion="reduce")
    page.evaluate(axe)
    assert page.evaluate(_RUN) == []
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.locator(".mp-box").first.click()
    assert page.evaluate(_RUN) == []
    page.keyboard.press("End")
    for key in "mct":
        page.keyboard.press(key)
    assert page.evaluate(_RUN) == []
    page.locator(".mp-sort").first.click()
    page.locator(".mp-row-pick").first.click()
    page.keyboard.press("c")
    page.keyboard.press("?")
    assert page.evaluate(_RUN) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_a_phone(show: Show, axe: str, theme: str) -> None:
    page = show(
        payload_of(training().story), theme=theme, viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
    )  # fmt: skip
    page.evaluate(axe)
    assert page.evaluate(_RUN) == []
    page.locator(".mp-legend-knob").click()
    page.locator(".mp-more").click()
    assert page.evaluate(_RUN) == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_rounds(show: Show, axe: str, theme: str, width: int) -> None:
    page = show(
        book_of(rounds(9)), theme=theme, viewport={"width": width, "height": 844},
        reduced_motion="reduce", lang="zh" if width == 390 else "en",
    )  # fmt: skip
    page.evaluate(axe)
    page.locator(".mp-box[data-kind=parameter]").first.click()
    assert page.locator(".mp-trend").count() == 2
    assert page.evaluate(_RUN) == []
    page.keyboard.press("[")  # nothing before it
    page.locator(".mp-round-track").hover()
    assert page.locator(".mp-rounds .mp-tip").is_visible()
    assert page.evaluate(_RUN) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_a_large_graph(show: Show, axe: str, theme: str) -> None:
    page = show(long(120), theme=theme, reduced_motion="reduce", step=119)
    page.evaluate(axe)
    for key in "ct":
        page.keyboard.press(key)
    assert page.locator(".mp-minimap").is_visible()
    assert page.evaluate(_RUN) == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_pages_that_ask(show: Show, axe: str, theme: str, width: int) -> None:
    given: Any = {"theme": theme, "viewport": {"width": width, "height": 844}}
    for kind in ("value", "sign", "next"):
        quiz = recorded().quiz(ask=kind)
        page = show(book_of(quiz), step=quiz.steps[0], reduced_motion="reduce", **given)
        page.evaluate(axe)
        assert page.evaluate(_RUN) == []
        page.locator(".mp-quiet").click()
        assert page.evaluate(_RUN) == []
    page = show(book_of(hunt()), step=hunt().solution.step, reduced_motion="reduce", **given)
    page.evaluate(axe)
    for _ in range(3):
        page.locator(".mp-quiet").click()
    assert page.evaluate(_RUN) == []
    page.locator(".mp-choice").click()
    assert page.evaluate(_RUN) == []


def test_axe_notices_a_button_without_a_name(show: Show, axe: str) -> None:
    page = show(payload_of(pylayer().story))
    page.evaluate(axe)
    page.get_by_role("button", name="Light or dark").evaluate(
        "(e) => ['aria-label', 'title'].forEach((name) => e.removeAttribute(name))"
    )
    assert [row[:2] for row in page.evaluate(_RUN)] == [["critical", "button-name"]]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_where_a_number_is_changed(
    show: Show, axe: str, theme: str, width: int
) -> None:
    page = show(
        to_edit(), theme=theme, viewport={"width": width, "height": 844},
        reduced_motion="reduce", lang="zh" if width == 390 else "en",
    )  # fmt: skip
    page.evaluate(axe)
    page.locator(".mp-value[data-editable] .mp-cell").first.dblclick()
    page.keyboard.type("0.9")
    page.keyboard.press("Enter")
    player = page.locator(".mp-player[data-changed='1'][aria-busy=false]")
    player.wait_for()
    assert page.evaluate(_RUN) == []
    player.focus()
    page.keyboard.press("End")
    assert page.locator("[data-was]").count() > 0
    assert page.evaluate(_RUN) == []
