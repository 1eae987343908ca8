"""Quiz pages: hidden results, answers, and the hunt for a mistake."""

import json
import re
from functools import cache
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from tests.each import each
from viz.player.book import book_of
from viz.teach.bug_hunt import BugHunt, hunt_in
from viz.trace import trace_of

from ..viz.trainings import simple
from .checks import area
from .conftest import Show
from .editing import put


@cache
def recorded() -> viz.Trace:
    a = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
    b = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
    with viz.record("an example") as trace:
        z = paddle.tanh(a * b + b)
        z.mean().backward()
    return trace


@cache
def layered() -> viz.Trace:
    paddle.seed(0)
    net = paddle.nn.Sequential(
        paddle.nn.Linear(2, 3), paddle.nn.Sequential(paddle.nn.Tanh(), paddle.nn.Linear(3, 2))
    )
    x = paddle.to_tensor([[1.0, -2.0], [0.5, 1.5]])
    with viz.record("a net") as trace:
        (net(x) ** 2).sum().backward()
    return trace


def quiz_page(show: Show, *given: Any, **options: Any) -> Page:
    quiz = recorded().quiz(*given, **options)
    return show(book_of(quiz), lang="en", step=quiz.steps[0])


def at(page: Page) -> int:
    return int(page.locator(".mp-player").get_attribute("data-step") or "-1")


def asked(page: Page) -> str:
    return page.locator(".mp-question").inner_text()


def true_number(page: Page, *roles: str) -> float:
    """Return the number that the question is about, by its name and place among these roles."""
    found = re.fullmatch(r"What number is (.+?)(?:\[([\d, ]+)\])?\?", asked(page))
    assert found
    step = recorded().steps[at(page)].step
    [value] = [s.value for s in step.shown if s.name == found[1] and s.role in roles]
    assert value is not None
    place = tuple(map(int, found[2].split(","))) if found[2] else ()
    return float(np.array(value["data"])[place])


# ----- before a step -----------------------------------------------------------------------------


def test_the_effects_of_a_number_are_hidden_before_the_answer(show: Show) -> None:
    page = quiz_page(show, "tanh", ask="value", seed=1)
    page.keyboard.press("ArrowRight")
    page.locator(".mp-value[data-role=input] .mp-cell").first.hover()
    expect(page.locator(".mp-terms")).to_contain_text("hidden until you have answered")
    assert page.locator("[data-lit]").count() == 0


def test_a_result_is_hidden_until_it_is_answered(show: Show) -> None:
    page = quiz_page(show, "tanh", ask="value", seed=1)
    page.keyboard.press("ArrowRight")  # leaves the tanh of forward, whose question is open, too
    first = at(page)
    hidden = page.locator('.mp-value[data-role="output"] .mp-absent')
    expect(hidden).to_have_text("hidden until you have answered")
    expect(page.locator(".mp-say[aria-live]")).to_have_text(
        "tanh: answer first, then the step is shown."
    )
    truth = true_number(page, "output")
    page.locator(".mp-field").fill(f"{truth * 1.005:.6f}")
    page.keyboard.press("Enter")
    expect(page.locator(".mp-verdict")).to_have_attribute("data-right", "true")
    expect(hidden).to_have_count(0)
    expect(page.locator(".mp-say[aria-live]")).to_contain_text("squashes")
    expect(page.locator(".mp-cell[data-chosen]").first).to_be_visible()  # an explained number
    assert at(page) == first
    page.keyboard.press("ArrowRight")  # the player has the keys again
    assert at(page) > first


def test_a_wrong_answer_is_compared_and_locked(show: Show) -> None:
    page = quiz_page(show, ask="value", seed=1)
    truth = true_number(page, "grad_out", "after")
    expect(page.locator(".mp-ask .mp-hint").first).to_contain_text("Within 1 %")
    page.locator(".mp-field").fill("a lot")
    page.keyboard.press("Enter")
    expect(page.locator(".mp-verdict")).to_have_text("Write a number, such as 0.25 or 1/6.")
    page.locator(".mp-field").fill(str(truth + 1))
    page.locator(".mp-choice").first.click()
    expect(page.locator(".mp-verdict")).to_contain_text(f"You said {float(f'{truth + 1:.4g}'):g}")
    expect(page.locator(".mp-verdict")).to_have_attribute("data-right", "false")
    expect(page.locator(".mp-field")).to_have_count(0)
    expect(page.locator(".mp-ask-foot")).to_contain_text("0 of 1 right")


def test_a_question_blocks_steps_until_it_is_answered_or_given_up(show: Show) -> None:
    quiz = recorded().quiz()
    page = show(book_of(quiz), lang="en", step=0)
    for number, step in enumerate(quiz.steps):
        page.keyboard.press("End")
        assert at(page) == step
        if not number:
            page.keyboard.press("ArrowRight")
            assert at(page) == step
            assert page.evaluate("document.activeElement.closest('.mp-answer') !== null")
        page.get_by_role("button", name="Show me").click()
        expect(page.locator(".mp-say[aria-live]")).to_have_text(recorded().steps[step].text)
    page.keyboard.press("End")
    assert at(page) == len(recorded()) - 1
    expect(page.locator(".mp-ask-foot")).to_contain_text(f"0 of {len(quiz.steps)} right")
    page.keyboard.press("Home")  # steps back are allowed
    assert at(page) == 0


def test_a_shape_is_in_no_box_before_it_is_answered(show: Show) -> None:
    page = quiz_page(show, ask="shape")
    details = page.locator('.mp-box[data-lane="backward"] .mp-detail:visible')
    assert details.count() == 1  # the seed's box, which is done
    page.locator(".mp-field").fill("2×2")
    page.keyboard.press("Enter")
    expect(page.locator(".mp-verdict")).to_have_text(re.compile(r"^Right: dz is \[2, 2\]\."))
    assert details.count() > 4


def test_the_path_of_a_gradient_is_not_drawn_before_it_is_answered(show: Show) -> None:
    page = quiz_page(show, ask="next")
    veiled = page.locator(".mp-wire[data-veiled]")
    expect(veiled).to_have_count(1)
    expect(veiled).not_to_be_visible()
    page.locator('.mp-box[data-lane="backward"]', has_text="tanh").click()
    page.get_by_role("button", name="This one: tanh backward").click()
    expect(page.locator(".mp-verdict")).to_have_text("Right: dz goes to tanh backward.")
    expect(page.locator(".mp-wire[data-veiled]")).to_have_count(0)


def test_the_quiz_switch_works_on_any_page(show: Show) -> None:
    page = show(book_of(recorded()), lang="en", step=0)
    expect(page.locator(".mp-ask")).to_be_hidden()
    page.keyboard.press("q")
    page.keyboard.press("End")
    assert at(page) == recorded().quiz().steps[0]
    expect(page.locator(".mp-question")).not_to_be_empty()
    page.locator('[data-action="ask"]').click()
    expect(page.locator(".mp-ask")).to_be_hidden()
    page.keyboard.press("End")
    assert at(page) == len(recorded()) - 1


def test_answers_are_stored_and_exported(show: Show) -> None:
    page = quiz_page(show, ask="sign")
    page.get_by_role("button", name="positive").click()
    expect(page.get_by_text("kept in this page only")).to_be_hidden()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export answers").click()
    quiz = recorded().quiz(ask="sign")
    quiz.load(download.value.path())
    [row] = quiz.answers
    seen = int(page.locator(".mp-count").inner_text().partition(" / ")[0])
    assert seen == quiz.steps[0] + 1
    assert row == {
        "step": quiz.steps[0], "round": None, "number": seen,
        "ask": "sign", "of": row["of"], "given": "positive",
        "truth": "positive", "right": True, "hints": 0, "tries": 1,
    }  # fmt: skip
    assert recorded().steps[row["step"]].phase == "backward"
    page.reload()
    expect(page.locator(".mp-verdict")).to_contain_text("is positive.")


def test_a_page_without_storage_says_so(show: Show) -> None:
    quiz = recorded().quiz(ask="sign")

    def without(html: str) -> str:
        forbid = "Object.defineProperty(window, 'localStorage', { get() { throw new Error(); } });"
        return html.replace("const payload", f"{forbid}\nconst payload", 1)

    page = show(book_of(quiz), lang="en", step=quiz.steps[0], edit=without)
    page.get_by_role("button", name="positive").click()
    expect(page.get_by_text("kept in this page only")).to_be_visible()
    expect(page.locator(".mp-verdict")).to_contain_text("is positive.")


# ----- beside numbers that the reader changes ----------------------------------------------------


def test_a_nudge_reveals_no_gradient_of_an_open_question(show: Show) -> None:
    page = show(book_of(recorded()), lang="en", step=0)
    put(page, "b", "0", "0.6")
    promise, said = page.locator(".mp-bar[data-of=promise]"), page.locator(".mp-nudge-verdict")
    expect(promise).to_be_visible()
    page.keyboard.press("q")
    expect(promise).to_be_hidden()
    expect(said).to_contain_text("is told when the questions of this pass are answered")
    assert page.locator(".mp-nudge path.mp-nudge-line").get_attribute("d") == "M-1 0L1 0"
    assert page.locator(".mp-nudge-trail").get_attribute("d") == ""
    expect(page.locator(".mp-nudge-curve")).to_have_text("")
    expect(page.locator(".mp-nudge-steps")).to_be_hidden()
    expect(page.locator(".mp-nudge-here")).to_have_attribute("data-idle", "")
    while not promise.is_visible():
        page.keyboard.press("ArrowRight")
        if page.locator(".mp-answer .mp-quiet").count():
            page.locator(".mp-answer .mp-quiet").click()
    assert page.locator(".mp-answer *").count() == 0
    expect(said).to_contain_text("Nearly kept")
    expect(page.locator(".mp-nudge-curve")).to_contain_text("lowest loss")


def test_curves_of_sizes_appear_when_the_questions_are_answered(show: Show) -> None:
    page = show(book_of(simple(3)), lang="en")
    page.locator(".mp-box", has_text="w").first.click()
    curves = page.locator(".mp-selection > .mp-cards > .mp-trend")
    expect(curves).to_have_count(2)
    page.keyboard.press("q")
    expect(curves).to_have_count(0)
    expect(page.locator(".mp-selection")).to_contain_text("when the questions of this pass")
    while page.locator(".mp-answer .mp-quiet").count() or not curves.count():
        page.keyboard.press("End")
        page.get_by_role("button", name="Show me").click()
    expect(curves).to_have_count(2)


def test_an_answer_is_compared_with_the_number_after_edits(show: Show) -> None:
    quiz = recorded().quiz("tanh", ask="value", seed=1)
    page = show(book_of(quiz), lang="en", step=0)
    for count, place in enumerate("01", 1):
        put(page, "b", place, "0.1", count)
    page.locator(".mp-nudge header .mp-button").click()
    while not asked(page):
        page.locator(".mp-player").press("ArrowRight")  # the key would leave a cell
    recorded_truth = true_number(page, "output")
    page.locator(".mp-field").fill(str(recorded_truth))
    page.keyboard.press("Enter")
    verdict = page.locator(".mp-ask .mp-verdict")
    expect(verdict).to_have_attribute("data-right", "false")
    cell = page.locator('.mp-value[data-role="output"] .mp-cell[data-chosen]')
    now = float(cell.get_attribute("data-number") or "nan")
    assert now != recorded_truth
    expect(verdict).to_contain_text(f"{float(f'{now:.4g}'):g}")
    page.keyboard.press("r")
    expect(verdict).to_have_text("")  # the old verdict no longer holds


# ----- where the mistake is ----------------------------------------------------------------------


@cache
def hunt() -> BugHunt:
    return hunt_in(layered(), 0, trace_of, kinds=("transpose",))


def test_a_hunt_ends_when_the_mistake_is_found(show: Show) -> None:
    page = show(book_of(hunt()), lang="en", step=0)
    expect(page.locator(".mp-question")).to_contain_text("Which box is wrong?")
    wrong = next(box for box in hunt().boxes if box != hunt().solution.box)
    page.locator(f'.mp-box[data-node="{wrong}"]').click()
    page.get_by_role("button", name="This one: ").click()
    expect(page.locator(".mp-verdict")).to_contain_text("gives what its rule gives")
    expect(page.locator(".mp-verdict")).to_have_attribute("data-right", "false")
    for number in (1, 2, 3):
        page.get_by_role("button", name=f"Hint {number} of 3").click()
    expect(page.locator(".mp-verdict")).to_contain_text("finite differences")
    expect(page.locator(".mp-verdict table tr")).to_have_count(7)
    expect(page.locator(".mp-box[data-hit]")).to_have_count(1)
    open_all(page)
    page.locator(f'.mp-box[data-node="{hunt().solution.box}"]').click()
    page.get_by_role("button", name="This one: ").click()
    expect(page.locator(".mp-verdict")).to_contain_text("Found: ")
    expect(page.locator(".mp-verdict")).to_contain_text(hunt().solution.text.en)
    expect(page.locator(".mp-verdict")).to_have_attribute("data-right", "true")
    assert at(page) == hunt().solution.step
    with page.expect_download() as download:
        page.get_by_role("button", name="Export answers").click()
    hunt().load(download.value.path())
    [row] = hunt().answers
    assert (row["right"], row["tries"], row["hints"]) == (True, 2, 3)


def open_all(page: Page) -> None:
    knobs = page.locator('.mp-toggle[aria-expanded="false"]')
    while knobs.count():
        knobs.first.dispatch_event("click")


def test_a_closed_box_says_that_the_mistake_is_inside(show: Show) -> None:
    page = show(book_of(hunt()), lang="en", step=0)
    knobs = page.locator('.mp-frame-head[data-lane="backward"] .mp-toggle[aria-expanded="true"]')
    while knobs.count():
        knobs.first.dispatch_event("click")
    closed = page.locator('.mp-box[data-lane="backward"]:has(.mp-toggle)')
    assert closed.count()
    said = []
    for number in range(closed.count()):
        closed.nth(number).click()
        page.get_by_role("button", name="This one: ").click()
        said.append(page.locator(".mp-verdict").inner_text())
    assert sum("It is inside" in text for text in said) == 1


def test_the_active_box_can_be_answered_with_keys_alone(show: Show) -> None:
    solution = hunt().solution
    page = show(book_of(hunt()), lang="en", step=0)
    assert "Which box is wrong?" in page.content()
    assert solution.text.en not in page.content()
    assert solution.box not in json.dumps(hunt().ask)
    expect(page.locator('[data-action="ask"]')).to_have_count(0)  # a hunt has no quiz
    page.keyboard.press("q")
    page.keyboard.press("End")
    assert at(page) == len(hunt()) - 1
    page.evaluate("(step) => { location.hash = `step=${step}`; }", solution.step)
    expect(page.locator(".mp-player")).to_have_attribute("data-step", str(solution.step - 1))
    page.keyboard.press("ArrowRight")
    assert at(page) == solution.step
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator(".mp-verdict")).to_contain_text("Found: ")


@each("made, width, height", [
    ("quiz", 1280, 800), ("hunt", 600, 900), ("quiz", 390, 844), ("hunt", 390, 844),
])  # fmt: skip
def test_nothing_overflows_the_panel(made: str, width: int, height: int, show: Show) -> None:
    asks = recorded().quiz(ask="next") if made == "quiz" else hunt()
    step = asks.steps[0] if made == "quiz" else 9  # type: ignore[attr-defined]
    page = show(book_of(asks), lang="zh", step=step, viewport={"width": width, "height": height})
    panel = page.locator(".mp-ask")
    expect(panel).to_be_visible()
    assert panel.evaluate("(e) => e.scrollWidth <= e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for knob in panel.locator("button:visible").all():
        box = area(knob)
        assert box["height"] >= (
            40 if width < 680 and knob.evaluate("(e) => e.classList.contains('mp-choice')") else 24
        )
