"""The player in Chromium, from a file, without a network: the tests of every run."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

import viz
from minipaddle import exercises
from tests.each import each
from viz.language.words import say
from viz.player.book import book_of

from ..lessons.test_notebooks import run_here
from ..viz.played import training
from .checks import at, at_each, check_step, player, walk
from .conftest import Show
from .editing import book, gathered, layer, put
from .fixture import tanh

if TYPE_CHECKING:
    from viz.trace import Trace

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "\u2028\u2029\"'`${alert(3)}]]>&lt;",
    "\ud800 lone",
]


def test_keys_and_buttons_step_forward_and_back(show: Show) -> None:
    page = show(tanh())
    player(page).focus()
    keys = {"ArrowRight": 1, "ArrowDown": 2, "End": 12, "ArrowLeft": 11, "ArrowUp": 10, "Home": 0}
    for key, step in keys.items():
        page.keyboard.press(key)
        check_step(page, tanh(), step)
    for name, step in [("next", 1), ("next", 2), ("previous", 1), ("last", 12), ("first", 0)]:
        page.get_by_role("button", name=say(name, "en"), exact=True).click()
        check_step(page, tanh(), step)
    expect(page.locator("[data-action=previous]")).to_be_disabled()
    expect(page.locator("[data-action=next]")).to_be_enabled()


def test_every_step_highlights_its_boxes_and_lines_forward_and_back(show: Show) -> None:
    page = show(tanh())
    walk(page, tanh())
    page.get_by_role("button", name="Open cus_tanh", exact=True).press("Enter")
    walk(page, tanh(), key="cus_tanh")


def test_handled_keys_stay_inside_and_others_pass(show: Show) -> None:
    page = show(tanh())
    page.evaluate("""() => {
      window.heard = [];
      document.addEventListener('keydown', (event) => heard.push(event.key));
    }""")
    player(page).focus()
    for key in ["ArrowRight", "ArrowDown", "Home", "End", "Space", "Escape", "Control+s"]:
        page.keyboard.press(key)
    page.locator("[data-action=next]").press("Enter")
    page.locator(".mp-query").press_sequentially("dd")
    assert page.evaluate("heard") == ["Control", "s"]
    expect(player(page)).to_have_attribute("data-lm-suppress-shortcuts", "true")


@each("name", ["".join(HOSTILE), "javascript:alert(4)"], ids=["markup", "address"])
def test_hostile_names_stay_text(show: Show, name: str) -> None:
    payload = copy.deepcopy(tanh())
    payload["title"] = payload["sources"][0]["name"] = name
    payload["note"] = {"en": name, "zh": name}
    payload["sources"][0]["lines"][3] = name
    for step in payload["steps"]:
        step["text"] = {"en": name, "zh": name}
        step["formula"], step["kind"] = [["", name, ""]], name
        for entry in step["shown"]:
            entry["name"] = entry["role"] = name
    graph = payload["graph"]
    for part in (*graph["looks"], *graph["groups"]):
        part["label"] = part["detail"] = name
        part["badges"] = [["mark", name, 50]]
    graph["labels"] = [[name, name, [[name, 50]]] for _ in graph["labels"]]
    payload["values"][0]["dtype"] = name
    page = show(payload)
    page.locator(".mp-toggle").first.click()
    page.locator("[data-node='data'] .mp-label").dispatch_event("click")  # a covered label
    page.locator(".mp-query").fill(name)
    shown = name.replace("\ud800", "\ufffd")  # browsers replace a lone surrogate
    said = at_each(
        page,
        ["", *["ArrowRight"] * (len(payload["steps"]) - 1)],
        "() => document.querySelector('.mp-say').textContent.toWellFormed()",
    )
    assert said == [shown] * len(payload["steps"])
    label = page.locator("[data-node='data'] .mp-label")
    assert label.evaluate("(e) => e.textContent.toWellFormed()") == shown
    made = "script, img, iframe, object, a, [onerror], [onload]"  # none is the player's
    assert page.locator("body").locator(made).count() == 0


def test_all_numbers_follow_a_changed_one(show: Show) -> None:
    page = show(book())
    put(page, "w", "1,0", "1.5")
    shown = gathered(page)
    for name, tensor in layer([[0.5, -0.2], [1.5, 0.7]]).items():
        np.testing.assert_allclose(shown[name], tensor.numpy().ravel(), rtol=1e-4, err_msg=name)


def test_brackets_lead_to_the_same_step_of_other_rounds(show: Show) -> None:
    trace = training(9)
    page = show(book_of(trace))
    firsts = [trace.rounds[k].first for k in range(9)]
    at(page, firsts[0])
    player(page).press("ArrowRight")
    further = int(player(page).get_attribute("data-step") or 0) - firsts[0]
    for key, round in [("]", 1), ("]", 2), ("[", 1), ("[", 0), ("[", 0)]:
        player(page).press(key)
        expect(player(page)).to_have_attribute("data-round", str(round))
        at(page, firsts[round] + further)
    page.get_by_role("button", name="Same step of the next round (])").click()
    at(page, firsts[1] + further)
    page.get_by_role("button", name="Same step of the previous round ([)").click()
    expect(page.locator("[data-action=previousRound]")).to_have_attribute("aria-disabled", "true")


@pytest.fixture
def english_again() -> Iterator[None]:
    """Restore English, because a Chinese lesson sets the language of later tests."""
    yield
    exercises.set_lang("en")
    viz.set_lang("")


@pytest.mark.usefixtures("english_again")
def test_a_saved_page_of_a_lesson_plays_without_jupyterlab(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace: Trace = run_here("zh", monkeypatch)["trace"]
    page = show(html=trace.save(tmp_path / "lesson.html", lang="zh").read_text(encoding="utf-8"))
    told = [step for step in trace.steps if not step.of_memory]
    said = at_each(
        page,
        ["Home", *["ArrowRight"] * (len(told) - 1)],
        """() => [document.querySelector('.mp-say[aria-live]').textContent,
          document.querySelector('.mp-line[aria-current]')?.textContent.trim()]""",
    )
    assert [text for text, _ in said] == [trace.say(step.index, "zh") for step in told]
    assert any("y * y" in line for _, line in said)
