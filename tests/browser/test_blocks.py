"""Folded repetitions in the page: search opens them, and a huge picture is fitted."""

from collections.abc import Callable
from functools import reduce
from typing import Any

from playwright.sync_api import Page, expect

import minipaddle as paddle
import viz
from viz.player.payload import payload_of

Show = Callable[..., Page]


def loop(times: int) -> Any:
    w = paddle.to_tensor([0.5, 0.25], stop_gradient=False)
    with viz.record(limit=10**6) as trace:
        h = reduce(lambda h, _: paddle.tanh(h * w), range(times), w)  # no Python loop
        h.sum().backward()
    return trace


def test_search_opens_the_block_that_hides_a_hit_and_fit_shows_all(show: Show) -> None:
    page = show(payload_of(loop(100).story))
    page.locator(".mp-player").press("f")
    expect(page.locator(".mp-frame")).to_have_count(0)
    page.locator(".mp-query").fill("tanh h:")  # text of the ops, not of their blocks
    page.keyboard.press("Enter")
    expect(page.locator(".mp-box[data-selected] .mp-label")).to_have_text("tanh")
    assert page.locator(".mp-frame").count() >= 2

    page.locator(".mp-viewport").focus()
    page.keyboard.press("0")
    room = page.locator(".mp-viewport").evaluate("(v) => [v.clientWidth, v.clientHeight]")
    size = page.locator(".mp-svg").evaluate(
        "(svg) => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height]"
    )
    assert size[0] <= room[0] + 1
    assert size[1] <= room[1] + 1
