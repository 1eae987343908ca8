"""What-if: after a number is changed on the page, everything follows as in minipaddle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.each import each
from tests.samples import saving
from viz.player.book import book_of

from .checks import area, at, player
from .conftest import Show
from .editing import (
    ROUNDS,
    W,
    book,
    cell,
    changed,
    field,
    gathered,
    layer,
    put,
    reset,
    rounds,
    told,
    trained,
    value,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page


def bar(page: Page, of: str) -> float:
    return float(page.locator(f".mp-bar[data-of={of}]").get_attribute("data-number") or "nan")


# ----- everything follows ------------------------------------------------------------------------


_MARKED = "() => [...document.querySelectorAll('[data-magnitude]')].map((x) => x.dataset.magnitude)"


def test_old_and_new_numbers_are_shown_and_words_colours_and_table_follow(show: Show) -> None:
    page = show(book())
    page.locator(".mp-colour").select_option("grad")
    player(page).press("End")
    colours = page.evaluate(_MARKED)
    player(page).press("Home")
    player(page).press("t")
    before = page.locator(".mp-statistics tr[data-row]").first.inner_text()
    put(page, "w", "1,0", "1.5")
    own = cell(page, "w", "1,0")
    expect(own).to_have_attribute("data-number", "1.5")
    expect(own).to_have_attribute("data-was", "0.1")
    expect(own).to_have_attribute("data-edited", "")
    assert cell(page, "w", "0,0").get_attribute("data-was") is None
    cells = value(page, "x @ w").locator(".mp-cell")
    was = cells.evaluate_all("(cells) => cells.map((each) => 'was' in each.dataset)")
    assert was == [True, False, True, False]
    expect(value(page, "w").locator(".mp-element")).to_contain_text("was 0.1")

    assert page.locator(".mp-statistics tr[data-row]").first.inner_text() != before
    loss = layer([[0.5, -0.2], [1.5, 0.7]])["loss"].item()
    for _ in range(4):
        page.keyboard.press("ArrowRight")  # steps, after an edit by mouse
    expect(page.locator(".mp-say[aria-live]")).to_contain_text(f"loss = {loss:.4g}")
    page.keyboard.press("Home")
    cell(page, "w", "1,0").dblclick()
    field(page).fill("300")  # tanh is flat at 300
    field(page).press("Enter")
    changed(page, 1)
    player(page).press("End")
    assert page.evaluate(_MARKED) != colours


@each("lang", ["en", "zh"])
def test_sentences_of_single_numbers_are_those_of_python(show: Show, lang: str) -> None:
    w = paddle.to_tensor(3.0, stop_gradient=False)
    sgd = paddle.optimizer.SGD(0.25, parameters=[w])
    with viz.record() as trace:
        paddle.exp(w).backward()
        sgd.step()
    told = trace.what_if({"w": 5.0})
    page = show(book_of(trace), lang=lang)
    put(page, "w", "", "5")
    for step in range(len(trace)):
        page.evaluate("(link) => { location.hash = link; }", f"step={step + 1}&edits=0,0,0,5")
        at(page, step)
        changed(page, 1)
        expect(page.locator(".mp-say[aria-live]")).to_have_text(told.say(step, lang))


def test_a_changed_rate_runs_all_rounds_again_and_curves_follow(show: Show) -> None:
    page = show(rounds())
    page.keyboard.press("End")
    page.locator(".mp-box", has_text="weight").first.click()
    curve = page.locator(".mp-selection .mp-trend[data-of=value]")
    before = curve.locator(".mp-curve-line").get_attribute("d")
    assert page.locator(".mp-curve-before").count() == 0
    put(page, "lr", "", "0.9")
    assert page.locator(".mp-rounds .mp-curve-before").count() == 1
    for _ in range(ROUNDS - 1):
        page.keyboard.press("]")
    (*_, loss), linear = trained(0.9)
    expect(page.locator(".mp-round-text")).to_contain_text(f"loss {loss:.4g}")
    expect(page.locator(".mp-round-text")).to_contain_text(f"was {trained(0.3)[0][-1]:.4g}")
    expect(value(page, "lr").locator(".mp-cell")).to_have_attribute("data-number", "0.9")
    assert "0.9" in (page.locator(".mp-formula").text_content() or "")

    size = np.sqrt(np.mean(linear.weight.numpy() ** 2))
    expect(curve.locator("b")).to_have_text(f"{size:.4g}")
    assert curve.locator(".mp-curve-before").count() == 1
    assert curve.locator(".mp-curve-line").get_attribute("d") != before

    page.locator(".mp-sum .mp-cell").first.click()
    expect(page.locator(".mp-sum .mp-plus").first).to_have_text("− 0.9 ×")
    expect(page.locator(".mp-filled")).to_contain_text("− 0.9 ×")

    page.keyboard.press("r")
    changed(page, 0)
    assert page.locator(".mp-curve-before").count() == 0
    assert curve.locator(".mp-curve-line").get_attribute("d") == before


# ----- nothing changes for who touches nothing ---------------------------------------------------


def test_a_page_without_edits_shows_the_recording(show: Show) -> None:
    shown = book()
    for chapter in shown["what_if"]["chapters"]:
        chapter["names"] = []  # constants have their own cards
    page = show(shown)
    changed(page, 0)
    assert page.locator("[data-was], [data-stale], [data-edited]").count() == 0
    assert not page.locator(".mp-what-if").is_visible()
    plain = show({**book(), "what_if": None})
    hint = "; double-click it to change it"
    texts = [[text and text.replace(hint, "") for text in step] for step in told(page)]
    assert texts == told(plain)


def test_a_reset_page_has_exactly_the_original_texts(show: Show) -> None:
    for make in (book, rounds):
        page = show(make())
        before = told(page)
        player(page).press("Home")
        first = page.locator(".mp-value[data-editable] .mp-cell").first
        first.dblclick()
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        changed(page, 1)
        reset(page)
        page.mouse.move(0, 0)  # a number below the pointer, or in focus, is explained
        player(page).focus()
        assert told(page) == before


# ----- hands -------------------------------------------------------------------------------------


def test_enter_chooses_and_then_edits_and_escape_leaves_the_number(show: Show) -> None:
    page = show(book())
    cell(page, "w", "0,0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    number = cell(page, "w", "0,1")
    expect(number).to_have_attribute("data-chosen", "")
    assert not field(page).is_visible()
    page.keyboard.press("Enter")
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("-0.2")
    page.keyboard.press("ArrowUp")
    changed(page, 1)  # the edit takes effect at once
    page.keyboard.press("Enter")
    expect(number).to_be_focused()
    assert float(number.get_attribute("data-number") or "") > -0.2
    page.keyboard.press("Delete")
    changed(page, 0)

    page.keyboard.press("4")  # a digit replaces the chosen number
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("4")
    page.keyboard.type(".25")
    page.keyboard.press("Enter")
    changed(page, 1)
    expect(number).to_have_attribute("data-number", "4.25")
    page.keyboard.press("Delete")
    changed(page, 0)

    number.dblclick()
    field(page).fill("1 2")
    page.keyboard.press("Enter")
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    told = "This is no number of float32."
    expect(page.locator(".mp-nudge-verdict")).to_have_text(told)
    page.keyboard.press("Escape")
    expect(field(page)).to_have_value("-0.2")
    number.dblclick()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    changed(page, 1)
    page.keyboard.press("Escape")
    changed(page, 0)
    expect(page.locator(".mp-inspector")).to_be_focused()  # where arrow keys step
    expect(number).to_have_attribute("data-number", "-0.2")


def test_a_computed_number_says_what_to_change_instead(show: Show) -> None:
    page = show(book())
    own = cell(page, "x @ w", "0,0")
    own.dblclick()
    assert not field(page).is_visible()
    assert page.locator(".mp-refusal").is_visible()
    own.click()
    own.click()
    assert page.locator(".mp-refusal").count() == 0
    own.focus()
    page.keyboard.press("5")
    expect(page.locator(".mp-refusal")).to_contain_text("computed from other values")

    put(page, "w", "0,0", "nan")
    verdict = page.locator(".mp-nudge-verdict")
    expect(verdict).to_have_text("The loss is no finite number any more.")
    expect(value(page, "x @ w").locator(".mp-flag")).to_contain_text("NaN")
    expect(own).to_have_attribute("data-number", "nan")


# ----- the nudge ---------------------------------------------------------------------------------


def test_a_small_nudge_changes_the_loss_as_promised_and_a_large_one_does_not(show: Show) -> None:
    recorded = layer(W)
    slope = recorded["w.grad"].numpy()[1, 0].item()
    page = show(book())
    cell(page, "w", "1,0").dblclick()
    verdict = page.locator(".mp-nudge-verdict")
    expect(verdict).to_contain_text(f"w.grad[1, 0] is {slope:.4g}")
    for number, sign in (("0.11", "Promise kept"), ("1.9", "The bars have parted")):
        field(page).fill(number)
        page.keyboard.press("Enter")
        expect(verdict).to_contain_text(sign)
        by = float(number) - W[1][0]
        now = layer([W[0], [float(number), W[1][1]]])["loss"].item()
        assert bar(page, "promise") == pytest.approx(slope * by, rel=1e-4)
        assert bar(page, "loss") == pytest.approx(now - recorded["loss"].item(), rel=1e-3)
        cell(page, "w", "1,0").dblclick()

    put(page, "w", "1,0", "1.5")
    page.locator(".mp-nudge-here").click()  # later nudges start at the new number
    expect(page.locator(".mp-nudge-slider")).to_be_focused()
    slope = layer([[0.5, -0.2], [1.5, 0.7]])["w.grad"].numpy()[1, 0].item()
    expect(verdict).to_contain_text(f"is {slope:.4g}")
    assert (bar(page, "promise"), bar(page, "loss")) == (0, 0)
    page.keyboard.press("ArrowRight")
    expect(verdict).to_contain_text("Promise kept")
    boxes = [area(page.locator(f".mp-bar[data-of={of}]")) for of in ("promise", "loss")]
    (top, high), (next_top, _) = sorted((box["y"], box["height"]) for box in boxes)
    assert high > 16  # of its number and its track
    assert top + high <= next_top


def test_the_slider_nudges_at_any_step(show: Show) -> None:
    page = show(book())
    cell(page, "w", "1,0").dblclick()
    page.keyboard.press("Enter")
    player(page).focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    loss = value(page, "loss").locator(".mp-cell")
    slider = page.locator(".mp-nudge-slider")
    seen = {loss.get_attribute("data-number")}
    box = area(slider)
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for share in (0.6, 0.7, 0.8, 0.9):
        page.mouse.move(box["x"] + box["width"] * share, middle)
        changed(page, 1)
        seen.add(loss.get_attribute("data-number"))
    page.mouse.up()
    assert len(seen) == 5
    at(page, int(player(page).get_attribute("data-step") or ""))  # the step has not changed
    assert len(page.locator(".mp-nudge-trail").get_attribute("d") or "") > 20


@each("inside", [False, True])
def test_a_wrong_gradient_is_shown_beside_its_finite_difference(show: Show, inside: bool) -> None:
    wrong_square = saving(lambda x: x * x, lambda dy, x: -x * dy)
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        wrong_square.apply(x * 2.0 if inside else x).sum().backward()
    page = show(book_of(trace))
    page.locator(".mp-value[data-name=x] .mp-cell").first.dblclick()
    verdict = page.locator(".mp-nudge-verdict")
    page.keyboard.press("ArrowUp")
    if inside:  # the nudged value's gradient follows from the wrong one
        expect(verdict).to_contain_text("a gradient of this pass is not the slope that it stands ")
        expect(verdict).to_contain_text("Is backward the derivative of forward?")
        return
    wrong = "because this gradient is not the slope of the loss: "
    wrong += "x.grad[0] is −1, but its finite difference is 2."
    expect(verdict).to_contain_text(wrong)
    for _ in range(5):
        page.keyboard.press("ArrowUp")
    expect(verdict).to_contain_text(wrong)


def test_a_hook_breaks_the_promise_and_numbers_in_boxes_follow(show: Show) -> None:
    page = show(book_of(by_way_of_python()))
    page.locator(".mp-value[data-name=w] .mp-cell").first.dblclick()
    page.keyboard.press("ArrowUp")  # the hook makes the gradient wrong
    expect(page.locator(".mp-nudge-verdict")).to_contain_text("Not even so small a nudge keeps")
    page.keyboard.press("Enter")
    reset(page)
    put(page, "w", "0", "2")
    player(page).press("v")
    player(page).press("End")
    loss = page.locator(".mp-box").filter(has_text="sum(y × y)").first
    expect(loss).to_contain_text("32")
    expect(loss).not_to_contain_text("17")
    page.keyboard.press("r")
    changed(page, 0)
    expect(loss).to_contain_text("17")


def test_numbers_without_a_gradient_say_why_they_promise_nothing(show: Show) -> None:
    page = show(book())
    verdict = page.locator(".mp-nudge-verdict")
    put(page, "x", "0,0", "2")
    assert not page.locator(".mp-bar[data-of=promise]").is_visible()
    assert page.locator(".mp-bar[data-of=loss]").is_visible()
    expect(verdict).to_contain_text("stop_gradient of x is True")
    whole(page)  # there is a curve all the same
    expect(page.locator(".mp-nudge-steps")).to_be_hidden()
    reset(page)
    while not cell(page, "dloss", "").is_visible():
        player(page).press("ArrowRight")
    cell(page, "dloss", "").dblclick()
    expect(verdict).to_contain_text("Backward starts from dloss")

    page = show(rounds())
    page.keyboard.press("End")
    cell(page, "lr", "").dblclick()
    expect(verdict).to_contain_text("lr sets how far each update goes")
    expect(verdict).to_contain_text("changed in all 6 rounds in which it was 0.3")


# ----- the loss over one number, and over two ----------------------------------------------------


def numbers_in(page: Page, part: str) -> list[float]:
    """Return the numbers in a sentence of the page about losses."""
    text = page.locator(".mp-nudge-curve").text_content() or ""
    (found,) = [each for each in re.split(r"(?<=\.) ", text) if part in each]
    return [float(each.replace("−", "-")) for each in re.findall(r"−?\d+(?:\.\d+)?", found)]


def whole(page: Page) -> None:
    """Wait until all losses are computed."""
    expect(page.locator(".mp-nudge-curve")).to_contain_text("lowest loss")


def points(page: Page) -> int:
    d = page.locator(".mp-nudge-trail").get_attribute("d") or ""
    return len(re.findall("[ML]", d))


def test_the_loss_is_a_curve_over_the_number_and_the_tangent_stays(show: Show) -> None:
    def loss(number: float) -> float:
        found: float = layer([W[0], [number, W[1][1]]])["loss"].item()
        return found

    page = show(book())
    cell(page, "w", "1,0").dblclick()
    whole(page)
    assert points(page) == 41
    low, _, high = page.locator(".mp-nudge-ends > *").all_text_contents()
    line = np.linspace(float(low.replace("−", "-")), float(high), 41).tolist()
    best = min(line, key=loss)
    assert numbers_in(page, "lowest") == pytest.approx([41, loss(best), best], rel=1e-3)
    field(page).fill("0.4")
    page.keyboard.press("Enter")
    slope = layer(W)["w.grad"].numpy()[1, 0].item()
    promise = loss(0.1) + slope * (0.4 - 0.1)
    assert numbers_in(page, "promises") == pytest.approx([promise, loss(0.4)], rel=1e-3)
    label = page.locator(".mp-nudge-figure svg").first.get_attribute("aria-label") or ""
    assert "at the start promises" in label
    assert "lowest loss" in label
    assert page.locator(".mp-nudge-line").is_visible()


@each(
    ("make", "name", "index", "told", "rate"),
    [
        (book, "w", "1,0", "lr = 0.1, as an example", 0.1),
        (rounds, "linear.weight", "0,0", "lr = 0.3", 0.3),
    ],
)
def test_a_step_downhill_is_an_edit(
    show: Show, make: Any, name: str, index: str, told: str, rate: float
) -> None:
    page = show(make())
    while not cell(page, name, index).is_visible():
        player(page).press("ArrowRight")
    cell(page, name, index).dblclick()
    expect(page.locator(".mp-nudge-steps")).to_contain_text(told)
    number = float(cell(page, name, index).get_attribute("data-number") or "")
    losses = []
    for _ in range(2):
        verdict = page.locator(".mp-nudge-verdict")
        text = page.locator(".mp-bar[data-of=promise] .mp-bar-sum").text_content() or ""
        slope = float(text.split(" ")[0].replace("−", "-"))
        page.locator(".mp-downhill").first.click()
        changed(page, 1)
        now = float(cell(page, name, index).get_attribute("data-number") or "")
        assert now == pytest.approx(number - rate * slope, abs=1e-3)
        assert bar(page, "promise") == pytest.approx(-rate * slope**2, rel=0.01)
        expect(verdict).to_contain_text("kept")
        losses.append(bar(page, "loss"))
        page.locator(".mp-nudge-here").click()
        number = now
    assert max(losses) < 0
    player(page).press("r")
    changed(page, 0)


def test_losses_are_computed_only_for_the_chosen_number(show: Show) -> None:
    page = show(book())
    page.evaluate(
        "() => { window.held = []; window.requestAnimationFrame = (go) => held.push(go); }"
    )
    run = "() => { const now = held.splice(0); for (const go of now) go(); return now.length; }"
    cell(page, "w", "1,0").dblclick()
    assert points(page) < 41
    cell(page, "w", "0,1").dblclick()  # another number
    while page.evaluate(run):
        pass
    whole(page)
    told = page.locator(".mp-nudge-curve").text_content()
    assert points(page) == 41
    player(page).press("Escape")
    cell(page, "w", "1,0").dblclick()
    page.locator(".mp-nudge header > .mp-button").first.click()
    page.evaluate(run)
    assert page.evaluate(run) == 0
    assert points(page) < 41
    page = show(book())
    cell(page, "w", "0,1").dblclick()
    whole(page)
    assert page.locator(".mp-nudge-curve").text_content() == told


@each("by", ["click", "key", "tap"])
def test_two_numbers_give_a_map_with_the_path_of_the_rounds(show: Show, by: str) -> None:
    narrow = {"width": 390, "height": 844} if by == "tap" else {"width": 1280, "height": 800}
    page = show(rounds(), viewport=narrow, has_touch=by == "tap")
    while not cell(page, "linear.weight", "0,0").is_visible():
        player(page).press("ArrowRight")
    one, other = (cell(page, "linear.weight", index) for index in ("0,0", "1,1"))
    if by == "click":
        one.click()
        other.click(modifiers=["Shift"])
    elif by == "key":
        one.dblclick()
        other.focus()
        page.keyboard.press("Shift+Enter")
    else:
        one.tap()
        value(page, "linear.weight").locator(".mp-change").tap()
        other.tap()
        value(page, "linear.weight").locator(".mp-change").last.tap()
    whole(page)
    expect(page.locator(".mp-nudge-verdict")).to_contain_text("The dots are 6 rounds")
    count, least, *at = numbers_in(page, "lowest")
    assert count == 441
    levels = page.locator(".mp-nudge-contours path")
    heights = [float(each.get_attribute("data-level") or "") for each in levels.all()]
    assert len(heights) > 3
    assert least < min(heights) <= least + 2 * (heights[1] - heights[0])
    assert len(at) == 2
    stops = page.locator(".mp-nudge-stops").get_attribute("d") or ""
    assert stops.count("M") == ROUNDS
    before = stops
    page.locator(".mp-downhill").first.click()  # both numbers step
    changed(page, 2)
    assert bar(page, "loss") < 0
    assert bar(page, "loss") == pytest.approx(bar(page, "promise"), rel=0.3)
    assert page.locator(".mp-nudge-stops").get_attribute("d") != before
    page.locator(".mp-downhill").last.click()
    assert levels.count() == 0
    whole(page)
    assert points(page) >= 41


# ----- links -------------------------------------------------------------------------------------


def test_a_link_contains_the_edits(show: Show) -> None:
    page = show(book())
    put(page, "w", "1,0", "1.5")
    page.wait_for_url("**edits=*")
    numbers = gathered(page)
    page.wait_for_url("**edits=*")
    page.reload()
    changed(page, 1)
    expect(field(page)).to_have_value("1.5")
    expect(page.locator(".mp-nudge-verdict")).to_contain_text("The bars have parted")
    assert gathered(page) == numbers
    page.keyboard.press("r")
    changed(page, 0)
    page.wait_for_url(lambda address: "edits=" not in address)


def test_wrong_links_change_nothing_and_others_have_their_own_edits(
    show: Show, subtests: pytest.Subtests
) -> None:
    page = show(book())
    put(page, "w", "1,0", "1.5")
    page.wait_for_url("**edits=*")
    with_edits = page.evaluate("location.hash")
    page.evaluate("location.hash = 'step=0'")
    changed(page, 0)
    page.evaluate("(hash) => { location.hash = hash; }", with_edits)
    changed(page, 1)
    for edits in ("x", "0,99,0,1", "0,0,99,1", "9,0,0,1", "0,0,0,one", "0,0,0"):
        with subtests.test(edits=edits):
            page.evaluate("(edits) => history.replaceState(null, '', `#edits=${edits}`)", edits)
            page.reload()
            changed(page, 0)
            expect(page.locator(".mp-note[role=status]")).to_be_visible()


# ----- what cannot follow ------------------------------------------------------------------------


def by_way_of_python() -> Any:
    """Record a hook that changes a gradient with NumPy."""
    w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    with viz.record() as trace:
        y = w * w
        y.register_hook(lambda grad: paddle.to_tensor(np.cbrt(grad.numpy())))
        (y * y).sum().backward()
    return trace


def test_values_that_python_computed_are_hatched_and_say_so(show: Show) -> None:
    page = show(book_of(by_way_of_python()), lang="zh")
    assert page.locator("[data-stale]").count() == 0
    put(page, "w", "0", "5")
    stale = page.locator(".mp-value[data-stale]")
    seen = 0
    for _ in range(8):
        player(page).focus()
        page.keyboard.press("ArrowRight")
        for card in stale.all():
            assert "Python" in (card.locator("[data-remark=stale]").text_content() or "")
            assert card.locator("[data-was]").count() == 0
            seen += 1
    assert seen


# ----- narrow pages ------------------------------------------------------------------------------


@each("width, height", [(1280, 800), (600, 900), (390, 844)])
def test_edits_work_by_touch_and_fit_the_screen(show: Show, width: int, height: int) -> None:
    page = show(book(), viewport={"width": width, "height": height}, has_touch=True)
    cell(page, "w", "1,0").scroll_into_view_if_needed()
    cell(page, "w", "1,0").tap()
    value(page, "w").locator(".mp-change").tap()
    expect(page.locator(".mp-nudge")).to_be_in_viewport(ratio=0.6)
    slider = page.locator(".mp-nudge-slider")
    box = area(slider)
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    changed(page, 1)
    assert area(slider) == box  # the slider keeps its place
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for part in map(area, page.locator(".mp-nudge > *").all()):
        assert part["width"] > 100
        assert part["x"] >= 0
        assert part["x"] + part["width"] <= width


def scaled() -> Any:
    x = paddle.to_tensor([1.0, -0.5], stop_gradient=False)
    with viz.record() as trace:
        y = x * 2.0
        z = paddle.nan_to_num(y, 0.25)
        (paddle.tanh(z) * 0.5).square().mean().backward()
    return trace


def test_a_constant_of_an_op_is_edited_and_its_formulas_follow(show: Show) -> None:
    page = show(book_of(scaled()))
    expect(value(page, "scale (y)")).to_have_attribute("data-role", "constant")
    put(page, "scale (y)", "", "3")
    expect(page.locator(".mp-nudge-verdict")).to_have_text(
        "scale (y) is a plain number in the code. Backward computes no gradient for it, so nothing "
        "is promised; drag and see what follows."
    )
    expect(page.locator(".mp-formula")).to_have_text("y = 3 · x")
    expect(page.locator(".mp-say")).to_contain_text("multiplied by 3")
    expect(cell(page, "y", "0")).to_have_attribute("data-number", "3")
    expect(cell(page, "y", "1")).to_have_attribute("data-number", "-1.5")
    reset(page)

    # A constant that cannot be changed says why.
    player(page).press("ArrowRight")
    number = cell(page, "nan (z)", "")
    expect(number).to_have_attribute("data-number", "0.25")
    assert value(page, "nan (z)").get_attribute("data-editable") is None
    for key in ("Enter", "5"):
        number.focus()
        number.press("Enter")
        page.keyboard.press(key)
        expect(page.locator(".mp-refusal")).to_contain_text("trace.what_if in Python can")
        changed(page, 0)
        page.keyboard.press("Escape")
    expect(field(page)).to_be_hidden()
