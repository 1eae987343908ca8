"""Costs of boxes in the player are Python's numbers, however boxes are folded."""

from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page

import minipaddle as paddle
import viz
from minipaddle import profiler
from viz.facts.costs import BY, Costs, check_times, costs_of, on_one_scale
from viz.layout.scene import foldable, scene_of
from viz.player.book import book_of

from ..viz import round_loops
from .checks import OUTSIDE, player
from .conftest import Show
from .editing import book, put

_BOXES = """() => Object.fromEntries([...document.querySelectorAll('.mp-box')].map((box) =>
  [box.dataset.node, [box.dataset.magnitude ?? null, box.querySelector('title').textContent,
    box.querySelector(':scope > .mp-detail')?.textContent ?? '']]))"""


@cache
def lenet() -> tuple[Any, Any]:
    net = round_loops.LeNet()
    with profiler.Profiler(on_trace_ready=lambda _: None) as prof, viz.record() as trace:
        net(paddle.randn([2, 1, 8, 8])).mean().backward()
    return trace, prof


def costs(trace: Any, by: str, opened: frozenset[str], times: Any = None) -> tuple[Costs, Any]:
    scene = scene_of(trace.story.graph, opened)
    (own,) = costs_of([(trace, 0)], [0], by, check_times(by, times))
    return on_one_scale([(own, scene)])[0], scene


def check_boxes(page: Page, trace: Any, by: str, opened: frozenset[str], times: Any = None) -> None:
    """Raise AssertionError unless each box has Python's cost and the colour for it."""
    own, scene = costs(trace, by, opened, times)
    amounts = own.at(scene)
    found = page.evaluate(_BOXES)
    assert found.keys() == {box.id for box in scene.boxes}
    assert amounts
    assert own.scale
    for box in scene.boxes:
        mark, title, detail = found[box.id]
        if box.id not in amounts:
            assert (mark, title, detail) == (None, box.title.en, box.detail)
            continue
        told = own.text_of(amounts[box.id])
        assert (mark, detail) == (own.scale.mark(amounts[box.id]), told)
        assert title.startswith(box.title.en)
        assert title.endswith(f" {told}")


@cache
def lenet_book() -> dict[str, Any]:
    trace, prof = lenet()
    return book_of(trace, check_times("time", prof))


def test_lenet_opened_and_closed_costs_what_python_counts(
    show: Show, subtests: pytest.Subtests
) -> None:
    trace, prof = lenet()
    names = foldable(trace.story.graph)
    for opened in ((), (names[0],), names):
        shown = {**lenet_book()["graphs"][0], "open": list(opened)}
        page = show({**lenet_book(), "graphs": [shown]}, reduced_motion="reduce")
        for key in ("f", "Home"):  # all opened groups, and no others
            player(page).press(key)
        for by in BY:
            with subtests.test(opened=opened, by=by):
                page.locator(".mp-colour").select_option(by)
                times = prof if by == "time" else None
                check_boxes(page, trace, by, frozenset(opened), times)
                assert page.evaluate(OUTSIDE) == []
        player(page).press("End")
        check_boxes(page, trace, BY[-1], frozenset(opened))


def test_edited_numbers_cost_the_same(show: Show) -> None:
    page = show(book(), reduced_motion="reduce")
    page.locator(".mp-colour").select_option("flops")
    before = page.evaluate(_BOXES)
    assert any(row[0] for row in before.values())
    put(page, "w", "1,0", "300")
    assert page.evaluate(_BOXES) == before
