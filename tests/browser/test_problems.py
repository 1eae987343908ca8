"""Problems, errors, the first NaN, missing gradients: badges, boxes with reasons and advice."""

from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.each import each
from tests.viz import faults
from tests.viz import test_missing as reasons
from tests.viz import test_odd as odd
from tests.viz.programs import two_ways
from viz.player.book import book_of
from viz.player.payload import payload_of

from .checks import area, at, settled
from .conftest import Axe, Show
from .editing import put, reset
from .fixture import tanh
from .test_recorded import failing as refused


@cache
def several() -> Any:
    """Record five problems, in two of ten rounds and in the last."""
    paddle.seed(0)
    net = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.5), nn.Linear(8, 1))
    net.eval()
    x = faults.rows(8, 3)
    y = x.sum(axis=1)
    opt = paddle.optimizer.SGD(1e-8, parameters=net[0].parameters())
    with viz.record() as trace:
        for _ in range(10):
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            opt.step()
    return trace


def test_a_step_has_the_same_number_in_the_page_as_in_texts(show: Show) -> None:
    """The number is in the counter, a problem's box and the address, with memory steps or not."""
    trace = several()
    problem = trace.problems()[-1]
    number = problem.step + 1
    assert str(problem).startswith(f"step {number}: ")
    page = show(book_of(trace), reduced_motion="reduce")
    counter = page.locator(".mp-count")
    page.get_by_role("button", name="problems").click()
    entry = page.locator(".mp-problems li").last
    expect(entry.locator(".mp-jump")).to_contain_text(f"step {number}")
    entry.locator(".mp-jump").click()
    expect(counter).to_have_text(f"{number} / {len(trace)}")
    page.wait_for_url(f"**step={number}**")
    page.keyboard.press("m")
    expect(counter).to_have_text(f"{number} / {len(trace)}")
    page.evaluate("(number) => { location.hash = `step=${number}`; }", number - 1)
    expect(counter).to_have_text(f"{number - 1} / {len(trace)}")


def here(page: Page) -> str | None:
    return page.locator(".mp-player").get_attribute("data-step")


def test_the_badge_opens_a_box_whose_entries_lead_to_their_steps(show: Show) -> None:
    trace = several()
    problems = trace.problems()
    page = show(book_of(trace), reduced_motion="reduce")
    badge = page.get_by_role("button", name=f"{len(problems)} problems")
    expect(page.locator(".mp-problems")).to_be_hidden()
    badge.click()
    expect(badge).to_have_attribute("aria-expanded", "true")
    entries = page.locator(".mp-problems li")
    expect(entries).to_have_count(len(problems))
    for number, problem in enumerate(problems):
        entry = entries.nth(number)
        expect(entry).to_contain_text(problem.text.en)
        expect(entry).to_contain_text(f"To do: {problem.todo.en}")
        entry.get_by_role("button").click()
        assert here(page) == str(problem.step)
        expect(entry).to_have_attribute("aria-current", "step")
    page.keyboard.press("Escape")
    expect(page.locator(".mp-problems")).to_be_hidden()


def test_the_box_of_a_problem_is_selected(show: Show) -> None:
    page = show(book_of(faults.detached(False)))
    page.keyboard.press("p")
    expect(page.locator(".mp-selection header b").first).to_have_text("Selected: w")


_BESIDE = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const [line, panel, pane] = ['.mp-line[aria-current]', '.mp-problems', '.mp-code'].map(box);
    const bottom = Math.min(innerHeight, ...(innerWidth < 680 ? [box('.mp-drive').top] : []));
    return pane.top >= 0 && line.top >= pane.top && line.bottom <= Math.min(pane.bottom, panel.top)
        && panel.bottom <= bottom + 1 && panel.height > 100;
}"""


@each("width, height", [(1280, 800), (1280, 620), (620, 700), (390, 844)])
def test_a_line_and_its_problem_are_side_by_side(show: Show, width: int, height: int) -> None:
    size = {"width": width, "height": height}
    page = show(book_of(several()), viewport=size, reduced_motion="reduce")
    page.keyboard.press("p")
    settled(page)
    assert page.evaluate(_BESIDE)
    page.keyboard.press("Escape")
    page.locator(".mp-badge-knob").click()  # the box opens at the same step
    settled(page)
    assert page.evaluate(_BESIDE)


def test_key_p_cycles_through_problems_and_marks_on_the_timeline_lead_to_them(show: Show) -> None:
    trace = several()
    page = show(book_of(trace), reduced_motion="reduce")
    steps = [str(problem.step) for problem in trace.problems()]
    went = []
    for _ in range(len(steps) + 1):
        page.keyboard.press("p")
        went.append(here(page))
    assert went == [*steps, steps[0]]

    first = trace.chapters[0]
    steps = [str(p.step) for p in trace.problems() if p.step < first.first + len(first.trace)]
    marks = page.locator(".mp-timeline .mp-mark")
    assert {mark.get_attribute("data-step") for mark in marks.all()} == {*steps}
    marks.nth(1).click()
    assert here(page) == marks.nth(1).get_attribute("data-step")
    expect(page.locator(".mp-problems [aria-current]")).to_be_visible()
    expect(page.locator(".mp-round-track .mp-mark")).to_have_count(3)


def test_problems_are_in_chinese_and_measured_gradients_get_no_note(show: Show) -> None:
    trace = faults.ON_PAGE["wrong_gradient"](False)
    page = show(book_of(trace), lang="zh")
    page.get_by_role("button", name="1 个问题").click()
    expect(page.locator(".mp-problems li")).to_contain_text(trace.problems()[0].todo.zh)
    expect(page.locator(".mp-problems .mp-hint")).to_have_text("")


def test_a_page_without_problems_has_no_badge(show: Show) -> None:
    page = show(book_of(faults.detached(True)))
    expect(page.locator(".mp-badge-knob, .mp-problems, .mp-mark")).to_have_count(0)
    page.keyboard.press("p")
    assert here(page) == "0"


@each("width, theme", [(1280, "light"), (390, "dark")])
def test_the_box_of_problems_is_visible_and_axe_finds_nothing(
    show: Show, axe: Axe, theme: str, width: int
) -> None:
    page = show(
        book_of(several()), theme=theme, viewport={"width": width, "height": 844},
        reduced_motion="reduce", lang="zh" if width == 390 else "en",
    )  # fmt: skip
    page.keyboard.press("p")
    box = area(page.locator(".mp-problems"))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(page) == []


def test_a_page_of_two_runs_says_so_and_leads_through_their_differences(show: Show) -> None:
    def run(start: float) -> viz.Trace:
        w = paddle.to_tensor([start], stop_gradient=False)
        with viz.record() as trace:
            y = paddle.tanh(w) * 2.0
            y.backward()
        return trace

    found = viz.diff(run(1.0), run(1.5))
    steps = sorted({change.second for change in found.changes if change.second is not None})
    page = show(html=found.html("en"))
    expect(page.locator(".mp-note").first).to_contain_text("Two runs are compared")
    button = page.locator(".mp-badge-knob")
    expect(button).to_have_text("first difference")
    button.click()
    expect(button).to_have_text("next difference")
    at(page, steps[0])
    page.keyboard.press("]")
    at(page, steps[1])
    expect(page.locator('.mp-problems li[aria-current="step"]')).to_contain_text("≠")
    page.keyboard.press("[")
    at(page, steps[0])
    assert page.locator(".mp-mark").count() == len(steps)


# ----- An error is a card with the shapes, advice, and tried repairs -----------------------------


def failing() -> viz.Trace:
    h, b = paddle.ones([4, 3]), paddle.ones([4])
    with pytest.raises(ValueError, match="Broadcast"), viz.record() as trace:
        paddle.tanh(h) + b
    return trace


def test_an_error_of_plain_python_has_a_card_and_no_empty_band(show: Show) -> None:
    def read() -> None:
        paddle.tanh(paddle.ones([4, 3]))
        raise KeyError("weights")

    with pytest.raises(KeyError), viz.record() as trace:
        read()
    page = show(book_of(trace), step=trace.opens_at)
    expect(page.locator(".mp-fault dd")).to_have_text(
        "No recorded op failed; this line of the program raised the error."
    )
    sentence, body = (area(page.locator(mark)) for mark in (".mp-sentence", ".mp-body"))
    assert abs(sentence["y"] + sentence["height"] - body["y"]) <= 1


@each("lang, todo, tried", [("en", "to do", "tried"), ("zh", "怎么办", "试过")])
def test_an_error_is_a_card_with_its_shapes(
    show: Show, axe: Axe, lang: str, todo: str, tried: str
) -> None:
    trace = failing()
    page = show(book_of(trace), lang=lang, step=trace.opens_at)
    card = page.locator(".mp-fault")
    expect(card).to_be_visible()
    expect(card.locator('td[data-clash="true"]')).to_have_text(["3", "4"])
    expect(card.locator("dt").filter(has_text=todo)).to_have_count(1)
    expect(card.locator("dt").filter(has_text=tried)).to_have_count(2)
    expect(page.locator(".mp-note").first).to_be_hidden()  # the sentence contains the note
    assert axe(page) == []
    page.keyboard.press("Home")
    expect(card).to_have_count(0)


# ----- A leaf without a gradient shows the reason and the cut ------------------------------------


def chosen(page: Page, label: str) -> None:
    page.locator(".mp-player").focus()
    page.keyboard.press("End")
    page.locator(".mp-svg .mp-box .mp-label", has_text=label).first.click()


def test_the_reason_is_shown_with_the_cut_wire(show: Show) -> None:
    trace = reasons.recorded(reasons.no_grad)
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
    page = show(payload_of(reasons.recorded(reasons.deep).story))
    page.locator(".mp-toggle").first.click()
    chosen(page, "x")
    assert "backward of SecondNone returned None" in page.locator(".mp-why").inner_text()
    assert page.locator("[data-cut]").count() == 1


# ----- The first NaN marks its box ----------------------------------------------------------------


def test_the_box_of_the_first_nan_is_marked(show: Show) -> None:
    expect(show(tanh()).locator("[data-alarm], [data-look]")).to_have_count(0)
    trace = odd.recorded(odd.logarithm)
    page = show(book_of(trace), step=trace.story.odd["nan"])
    expect(page.locator(".mp-say")).to_contain_text("Here the first NaN appears")
    alarms = page.locator(".mp-box[data-state='active'] .mp-badge[data-alarm]")
    expect(alarms).to_have_text(["first NaN", "first Inf"])
    box = page.locator(".mp-box[data-look='alarm'] > .mp-shape")
    expect(box).to_have_css("stroke", "rgb(168, 16, 79)")


def test_an_edit_that_removes_the_nan_removes_its_sentence(show: Show) -> None:
    x = paddle.to_tensor([1.0, -1.0])
    with viz.record() as trace:
        y = paddle.log(x)
    assert y.shape == [2]
    page = show(book_of(trace))
    said, note = page.locator(".mp-say"), page.locator(".mp-recorded")
    page.locator(".mp-player").press("Home")
    expect(said).to_contain_text("Here the first NaN appears: 1 element")
    put(page, "x", "1", "-3")
    expect(said).to_contain_text("Here the first NaN appears: 1 element")
    put(page, "x", "1", "2")
    expect(said).not_to_contain_text("NaN")
    expect(note).to_have_text("Badges and problems are those of the recording.")
    reset(page)
    expect(said).to_contain_text("Here the first NaN appears: 1 element")
    expect(note).to_be_hidden()


def test_a_none_gradient_is_faint_once_it_is_computed(show: Show) -> None:
    trace = two_ways()
    page = show(payload_of(trace.story))
    page.locator(".mp-player").press("Home")  # into the layers
    box = page.locator(".mp-box[data-look='none'] > .mp-shape").first
    expect(box).to_have_css("stroke-dasharray", "4px, 3px")
    page.keyboard.press("End")
    expect(box).to_have_css("stroke", "rgb(135, 147, 161)")
    expect(box).to_have_css("stroke-dasharray", "none")


def test_a_failed_box_is_marked(show: Show) -> None:
    trace = refused()
    page = show(payload_of(trace.story), step=len(trace) - 1)
    expect(page.locator(".mp-box[data-look='alarm'] .mp-badge[data-alarm]")).to_have_text("error")
