"""Rounds (training iterations) on a page: slider, curve, keys, links, fixed boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.each import each
from viz.player import payload as payloads
from viz.player.book import book_of

from ..viz import round_loops as loops
from ..viz.played import training
from .checks import area, at_each, player, settled
from .conftest import Show
from .editing import put

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

DROPPED = frozenset({4, 5})
_PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll(':is(.mp-box, .mp-frame) > .mp-shape, .mp-wire > path')].map(
    (part) => {
      const { node, group, edge } = part.parentElement.dataset;
      const { x, y, width, height } = part.getBoundingClientRect();
      return [node ?? group ?? edge, [x, y, width, height]];
    }))"""


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Round", exact=True)


def at(page: Page, round: int | None, step: int) -> None:
    root = player(page)
    expect(root).to_have_attribute("data-step", str(step))
    if round is None:
        assert root.get_attribute("data-round") is None
    else:
        expect(root).to_have_attribute("data-round", str(round))


def steps_of(trace: Any, round: int) -> tuple[int, int]:
    """Return the first and the last step of a round, without steps of memory."""
    told = [step.index for step in trace.steps if step.round == round and not step.of_memory]
    return told[0], told[-1]


def trend(page: Page, by: str) -> Locator:
    return page.locator(f".mp-selection > .mp-cards > .mp-trend[data-of={by}]")


def test_a_page_opens_at_the_first_round(show: Show) -> None:
    trace = training(9)
    page = show(book_of(trace))
    at(page, 0, steps_of(trace, 0)[0])
    assert player(page).get_attribute("data-rounds") == "9"
    told = page.locator(".mp-round-text").text_content() or ""
    assert told.startswith("round 1 of 9 · epoch 0, batch 0 · loss 0.")
    assert slider(page).get_attribute("aria-valuetext") == told
    assert [slider(page).get_attribute(f"aria-value{end}") for end in ("min", "max", "now")] == [
        "1",
        "9",
        "1",
    ]


def test_a_recording_without_rounds_has_no_slider(show: Show) -> None:
    page = show(book_of(training(9).round(0)))
    assert slider(page).count() == 0
    assert player(page).get_attribute("data-rounds") is None
    assert player(page).get_attribute("data-round") is None
    player(page).press("]")
    at(page, None, 0)


def test_boxes_keep_their_places_from_round_to_round(show: Show) -> None:
    page = show(book_of(training(9)), reduced_motion="reduce")
    page.locator(".mp-player").press("Home")  # into the layers
    page.locator(".mp-box[data-kind=parameter]").first.click()
    selected = page.locator(".mp-box[data-selected]").get_attribute("data-node")
    player(page).press("0")
    before = page.evaluate(_PLACES)
    drawing = page.locator(".mp-svg").element_handle()
    player(page).press("]")
    assert page.evaluate("(drawing) => drawing.isConnected", drawing)  # was not replaced
    assert page.evaluate(_PLACES) == before
    player(page).press("[")
    chosen = f"() => document.querySelectorAll(`[data-node='{selected}'][data-selected]`).length"
    seen = at_each(page, ["]"] * 8, f"() => [({_PLACES})(), ({chosen})()]")
    at(page, 8, int(player(page).get_attribute("data-step") or 0))
    for number in (1, 4, 5, 8):  # rounds with the same graph
        assert seen[number - 1] == [before, 1], number
    page.locator(".mp-toggle[aria-expanded=true]").first.press("Enter")
    folded = page.evaluate(_PLACES)
    assert folded != before
    player(page).press("[")
    player(page).press("]")
    assert page.evaluate(_PLACES) == folded


def test_the_slider_is_moved_by_keys_and_by_the_pointer(show: Show) -> None:
    trace = training(9)
    page = show(book_of(trace))
    rounds = {"End": 8, "ArrowLeft": 7, "ArrowDown": 6, "Home": 0, "ArrowRight": 1, "ArrowUp": 2}
    for key, number in rounds.items():
        slider(page).press(key)
        expect(player(page)).to_have_attribute("data-round", str(number))
        expect(slider(page)).to_be_focused()
    box = area(slider(page))
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 4.5 / 9, y)
    page.mouse.down()
    expect(player(page)).to_have_attribute("data-round", "4")
    page.mouse.move(box["x"] + box["width"] * 5.5 / 9, y)
    expect(player(page)).to_have_attribute("data-round", "5")
    page.mouse.up()
    page.mouse.move(box["x"] + box["width"] * 7.5 / 9, y)
    expect(player(page)).to_have_attribute("data-round", "5")
    expect(page.locator(".mp-rounds .mp-tip")).to_contain_text(
        "round 8 of 9 · epoch 1 · evaluation"
    )


def test_steps_and_playback_continue_in_the_next_round(show: Show) -> None:
    trace = training(9)
    (_, end), (begin, _) = steps_of(trace, 0), steps_of(trace, 1)
    page = show(book_of(trace), step=end)
    at(page, 0, end)
    player(page).press("ArrowRight")
    at(page, 1, begin)
    player(page).press("ArrowLeft")
    at(page, 0, end)
    page.get_by_role("combobox", name="Speed").select_option("4")
    player(page).press("Space")
    expect(player(page)).to_have_attribute("data-round", "1")
    player(page).press("Space")
    player(page).press("End")
    expect(player(page)).to_have_attribute("data-step", str(steps_of(trace, 1)[1]))


def test_steps_before_the_rounds_are_on_the_page(show: Show) -> None:
    trace = training(9)
    page = show(book_of(trace))
    player(page).press("ArrowLeft")
    at(page, None, 0)
    for key, number in {"PageDown": "0", "PageUp": "8"}.items():
        slider(page).press(key)
        expect(player(page)).to_have_attribute("data-round", number)
        slider(page).press("Home")
        player(page).press("ArrowLeft")
    expect(page.locator(".mp-round-text")).to_have_text("before round 1 of 9")
    expect(page.locator("[data-action=previous]")).to_have_attribute("aria-disabled", "true")
    player(page).press("]")
    expect(player(page)).to_have_attribute("data-round", "0")


def test_unknown_rounds_after_an_edit_are_hatched(show: Show) -> None:
    page = show(book_of(training(9, DROPPED)))
    player(page).press("End")
    page.locator(".mp-box", has_text="net.0.weight").first.click()
    assert page.locator(".mp-curve-gap").count() == 0
    box = area(slider(page))
    middle = box["x"] + box["width"] * 4.5 / 9
    page.mouse.move(middle, box["y"] + 10)
    expect(page.locator(".mp-rounds .mp-tip")).to_contain_text("its steps were not kept")
    put(page, "lr", "", "0.3")
    for curve in (page.locator(".mp-round-track"), trend(page, "value")):
        gaps = curve.locator(".mp-curve-gap").evaluate_all(
            "(gaps) => gaps.map(({ style }) => [style.left, style.width].map(parseFloat))"
        )
        assert gaps
        assert gaps[0][0] == pytest.approx(100 * 4 / 9)  # rounds 5 and 6 have no steps
        assert curve.locator(".mp-curve-before").count() == 1
    expect(page.locator(".mp-selection")).to_contain_text("Where a curve is hatched")
    page.mouse.move(middle, box["y"] + 10)
    expect(page.locator(".mp-rounds .mp-tip")).to_contain_text("loss – · was 0.")


def test_the_curve_has_a_mark_for_each_kind_of_round(show: Show) -> None:
    book = book_of(training(9, DROPPED))
    book["rounds"][1]["loss"] = "nan"
    book["rounds"][2]["differs"] = {"en": "batch of 2 rather than 6", "zh": "每批 2 个而不是 6 个"}
    page = show(book)
    marks = page.locator(".mp-rounds .mp-curve > path")
    drawn = {
        (mark.get_attribute("class") or "").removeprefix("mp-curve-"): (
            mark.get_attribute("d") or ""
        ).count("M")
        for mark in marks.all()
    }
    # 0 and 8 are usual; 1 is NaN; 2 and 6 are smaller; 3 and 7 evaluate; 4 and 5 have no steps.
    assert drawn.pop("share") == 1
    assert drawn == {"odd": 1, "line": 2, "dots": 2, "ring": 2, "hole": 2, "flags": 2}
    player(page).press("]")
    expect(page.locator(".mp-round-text")).to_contain_text("loss NaN")
    player(page).press("]")
    expect(page.locator(".mp-round-text")).to_contain_text("batch of 2 rather than 6")


def test_links_carry_the_round(show: Show) -> None:
    trace = training(9)
    page = show(book_of(trace))
    first, _ = steps_of(trace, 3)
    page.evaluate("location.hash = 'round=4'")
    at(page, 3, first)
    player(page).press("ArrowRight")
    step = int(player(page).get_attribute("data-step") or 0)
    page.wait_for_url(f"**#round=4&step={step + 1}")
    page.reload()
    at(page, 3, step)
    page.evaluate("location.hash = 'step=1'")
    at(page, None, 0)
    player(page).press("ArrowRight")
    page.wait_for_url(f"**#step={trace.rounds[0].first + 1}&round=1")


def test_a_wrong_round_leads_to_the_first_one_and_says_so(
    show: Show, subtests: pytest.Subtests
) -> None:
    trace = training(9, DROPPED)
    page = show(book_of(trace))
    note = page.locator(".mp-note[role=status]")
    for link in ("round=10", "round=0", "round=x", "round=", "round=5", "step=999"):
        with subtests.test(link=link):
            page.evaluate("(link) => history.replaceState(null, '', `#${link}`)", link)
            page.reload()
            at(page, 0, trace.rounds[0].first)
            expect(note).to_be_visible()
            told = "The link points to a round, step, box or element that is not"
            expect(note).to_contain_text(told)
    # A step of another round than the link names leads to that step.
    page.evaluate(f"location.hash = 'round=9&step={trace.rounds[2].first + 1}'")
    at(page, 2, trace.rounds[2].first)
    expect(note).to_be_visible()


def test_a_parameter_has_curves_and_a_click_leads_to_a_round(show: Show) -> None:
    trace = training(9, DROPPED)
    page = show(book_of(trace))
    page.locator(".mp-player").press("Home")  # into the layers
    weights = [
        next(n.id for n in trace.round(at).story.graph.nodes if n.label == "net.0.weight")
        for at in (0, 7)
    ]
    page.locator(f".mp-box[data-node='{weights[0]}']").click()
    for by in ("value", "grad"):
        expect(trend(page, by)).to_have_count(1)
    drawing = trend(page, "grad").get_by_role("img")
    told = drawing.get_attribute("aria-label") or ""
    assert told.startswith("net.0.weight, gradient (root mean square), by round: 1: ")
    size = trace.rounds[4].sizes[0].grad  # a round without steps
    assert f"5: {size:.4g}" in told
    assert "4: " not in told  # round 4 is an evaluation
    plot = area(trend(page, "grad").locator(".mp-trend-plot"))
    page.mouse.click(plot["x"] + plot["width"] * 6.5 / 9, plot["y"] + 10)
    expect(player(page)).to_have_attribute("data-round", "6")
    expect(trend(page, "grad")).to_have_count(1)
    player(page).press("]")  # an evaluation, whose graph numbers its own boxes
    assert weights[0] != weights[1]
    chosen = page.locator(".mp-box[data-selected]")
    expect(chosen).to_have_attribute("data-node", weights[1])


def test_the_box_of_the_first_nan_says_so_in_its_round(show: Show) -> None:
    page = show(book_of(loops.nan()), reduced_motion="reduce")
    page.locator(".mp-player").press("Home")  # into the layers
    alarms = page.locator(".mp-badge[data-alarm=true]")
    player(page).press("]")
    player(page).press("0")
    before = page.evaluate(_PLACES)
    expect(alarms).to_have_count(0)
    for kind, name in {"nan": "first NaN", "inf": "first Inf"}.items():
        player(page).press("p")
        page.locator(f".mp-problems [data-kind={kind}] button").click()
        expect(player(page)).to_have_attribute("data-round", "2")
        box = page.locator(".mp-box[data-look=alarm][data-state=active]")
        expect(box.locator(alarms)).to_have_text([name])
    player(page).press("0")
    assert page.evaluate(_PLACES) == before
    page.get_by_role("button", name="Close Linear net backward", exact=True).click()
    expect(page.locator(".mp-box[data-look=alarm] > .mp-label")).to_have_text(
        ["log", "Linear net backward"]
    )
    player(page).press("]")
    expect(player(page)).to_have_attribute("data-round", "3")
    expect(alarms).to_have_count(0)
    expect(page.locator("[data-look=alarm]")).to_have_count(0)


def test_a_search_follows_the_graph_of_the_round(show: Show) -> None:
    page = show(book_of(training(9)))
    page.locator(".mp-query").fill("relu backward")
    found = page.locator(".mp-found")
    expect(found).to_have_text("1")
    slider(page).press("End")
    slider(page).press("ArrowLeft")  # to an evaluation, which has no backward
    expect(found).to_have_text("none")
    slider(page).press("End")
    expect(found).to_have_text("1")


def test_a_line_leads_to_the_round_that_runs_it_past_steps_of_memory(show: Show) -> None:
    trace = training(9)
    page = show(book_of(trace))
    evaluation = trace.round(3).steps[0].line
    page.locator(f".mp-line[data-line='{evaluation.number}']").first.click()
    at(page, 3, steps_of(trace, 3)[0])

    book = book_of(trace)
    for chapter in book["chapters"]:
        book["rows"][chapter["memory"][0]]["is"]["steps"] = [0]  # a memory step first
    page = show(book, step=trace.rounds[3].first + 1)
    loss = trace.round(4).steps[0].line
    page.locator(f".mp-line[data-line='{loss.number}']").first.click()
    at(page, 4, trace.rounds[4].first + 1)
    expect(page.locator("[data-action=memory]")).to_have_attribute("aria-pressed", "false")


def test_the_page_says_which_rounds_have_only_statistics(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(payloads, "NUMBERS", 1000)
    trace = training(9)
    updates = (view.index for view in trace.steps if view.round == 0 and view.kind == "update")
    page = show(book_of(trace), step=next(updates))  # an update, different in each round
    note = page.locator(".mp-note").filter(has_text="only as statistics")
    expect(note).to_contain_text("Arrays of the rounds between 1 and 9 are shown only as")
    page.locator(".mp-cards:not(.mp-selection *) .mp-cell[data-index='0,1']").first.click()
    hint = page.locator(".mp-element p.mp-hint").first
    expect(hint).to_have_text("Of arrays only rounds 1 and 9 have every element on this page.")


@each("lang", ["en", "zh"])
def test_the_slider_keeps_its_place_for_every_text(show: Show, lang: str) -> None:
    book = book_of(training(9))
    book["rounds"][2]["differs"] = {"en": "batch of 2 rather than 6", "zh": "每批 2 个而不是 6 个"}
    page = show(book, lang=lang, reduced_motion="reduce")
    where = """() => ['.mp-round-track', '.mp-graph'].map((mark) => {
      const { x, y, width, height } = document.querySelector(mark).getBoundingClientRect();
      return [x, y, width, height];
    })"""
    for width in (1280, 600, 390):
        page.set_viewport_size({"width": width, "height": 800})
        settled(page)
        before, *after = at_each(page, ["", *"]]]]", *"[[[["], where)
        assert before[0][2] > width / 3
        assert after == [before] * 8
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_single_step_is_not_played(show: Show) -> None:
    x = paddle.ones([2])
    with viz.record() as trace:
        paddle.tanh(x)
    page = show(book_of(trace))
    play = page.locator("[data-action=play]")
    expect(play).to_have_attribute("aria-disabled", "true")
    player(page).press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
