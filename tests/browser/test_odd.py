"""The first NaN in the player marks its box, with words, from its step on."""

from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.viz.programs import two_ways
from tests.viz.test_odd import logarithm, recorded
from viz.player.book import book_of
from viz.player.payload import payload_of

from .conftest import Show
from .editing import put, reset
from .fixture import tanh
from .test_recorded import failing


def test_the_box_of_the_first_nan_is_marked(show: Show) -> None:
    expect(show(tanh()).locator("[data-alarm], [data-look]")).to_have_count(0)
    trace = recorded(logarithm)
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
    trace = failing()
    page = show(payload_of(trace.story), step=len(trace) - 1)
    expect(page.locator(".mp-box[data-look='alarm'] .mp-badge[data-alarm]")).to_have_text("error")
