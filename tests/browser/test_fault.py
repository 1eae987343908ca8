"""An error in the player is a card with the shapes, advice, and tried repairs."""

import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.each import each
from viz.player.book import book_of

from .checks import area
from .conftest import Axe, Show


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
