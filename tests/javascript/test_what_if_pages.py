"""After any edit a page shows the numbers that minipaddle computes, or says that it does not."""

import re
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import nn
from minipaddle._cli import demo
from tests.each import each
from tests.static.world import fresh

from .composing import losses, what_ifs
from .what_if_pages import Edit, Page
from .what_if_traces import DEMO, FOLLOWED, bends


@pytest.mark.slow
@each("name", FOLLOWED)
def test_a_page_shows_what_minipaddle_computes(name: str) -> None:
    paddle.seed(0)
    tally = Page(FOLLOWED[name]()).judge(6)
    assert tally.compared > 6 * 5
    assert not tally.stale
    assert tally.unsure <= tally.compared / 5


def test_all_constants_that_numbers_are_compared_with_can_be_changed() -> None:
    paddle.seed(0)
    page = Page(bends())
    assert {place.name[1] for place in page.places if place.is_one} == {
        *("alpha", "scale", "negative_slope", "beta", "threshold", "slope", "offset"),
        *("min", "max", "value", "delta"),
    }


def test_limits_that_pass_each_other_are_not_silently_wrong() -> None:
    x = paddle.to_tensor([0.5, -1.5, 2.0], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.clip(x, -1.0, 1.0)
        y.sum().backward()
    page = Page(trace)
    (least,) = [each for each in page.places if each.name == ("y", "min")]
    for number, stale in ((0.9, False), (1.5, True)):
        (after,) = what_ifs(page.book, [[[least.chapter, least.value, 0, number]]])
        assert any(each.get("stale") for each in after) == stale
    edits = [[[least.chapter, least.value, 0, number]] for number in (0.75, 1.5)]
    known, why = losses(page.book, 0, edits)
    assert known == 0.75 + 0.75 + 1.0
    assert page.book["what_if"]["why"][why]


def test_constants_are_named_and_can_be_changed_where_the_page_can_compute_with_others() -> None:
    x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
    with viz.record() as trace:
        y = x * 2.0
        z = paddle.nan_to_num(y, 0.5)
        (z * z).sum().backward()
    page = Page(trace)
    names = page.book["what_if"]["chapters"][0]["names"]
    assert [name for name, *_ in names] == ["scale (y)", "nan (z)"]
    assert [place.name for place in page.places if place.is_one] == [("y", "scale")]
    text = {at: trace.steps[at].formula for at in names[0][2]}
    assert [*text.values()] == ["y = 2 · x", "dx = 2 · dy"]


def test_constants_of_a_program_are_at_the_operators_of_each_run() -> None:
    static = paddle.static
    with fresh() as (main, _):
        x = static.data("x", [2], "float32")
        y = paddle.tanh(x) * 2.0
        with viz.record() as trace:
            for number in (0.5, 1.0):
                feed = {"x": np.array([number, 1], "float32")}
                static.Executor().run(main, feed=feed, fetch_list=[y])
    page = Page(trace)
    found = [
        (name, chapters.trace.steps[at].text)
        for chapters, each in zip(trace.chapters, page.book["what_if"]["chapters"], strict=True)
        for name, _, steps in each["names"]
        for at in steps
    ]
    assert [name for name, _ in found if name.startswith("scale")] == [f"scale ({y.name})"] * 2
    for name, text in found:
        variable = re.fullmatch(r"\w+ \((.+)\)", name)
        assert variable is not None, name
        assert variable[1] in str(text)
    page.places = [place for place in page.places if place.is_one]
    assert not page.judge(3).stale


@each(("number", "stale"), [(3.0, False), (1.0, False), (-1.0, True)])
def test_a_page_says_where_a_kernel_may_branch_otherwise(number: float, stale: bool) -> None:
    x = paddle.to_tensor([0.5, 1.5], stop_gradient=False)
    with viz.record() as trace:
        y = x**2.5
        y.sum().backward()
    page = Page(trace)
    (place,) = [found for found in page.places if found.name == ("y", "factor")]
    changes = {place.name: number}
    (after,) = what_ifs(page.book, [[[place.chapter, place.value, 0, number]]])
    tally = page.compare(changes, after, trace.what_if(changes))
    assert bool(tally.stale) == stale


def drop(weight: np.ndarray | None = None, rate: float = 0.1) -> list[float]:
    """Train a net with dropout for some rounds; return the losses."""
    paddle.seed(7)
    x, t = paddle.randn([6, 4]), paddle.randn([6, 1])
    net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Dropout(0.5), nn.Linear(3, 1))
    if weight is not None:
        net[0].weight.set_value(weight)
    adam = paddle.optimizer.Adam(rate, parameters=net.parameters())
    found = []
    for _ in range(3):
        loss = ((net(x) - t) ** 2).mean()
        loss.backward()
        adam.step()
        adam.clear_grad()
        found.append(loss.item())
    return found


def test_losses_of_a_curve_and_a_map_are_those_of_minipaddle() -> None:
    with viz.record() as trace:
        drop()
    page = Page(trace)
    (place,) = [each for each in page.places if each.shape == (4, 3)]
    weight = np.array(place.numbers, "float32").reshape(4, 3)

    def changed(numbers: tuple[float, ...]) -> tuple[list[Any], list[float]]:
        new = weight.copy()
        new.flat[: len(numbers)] = numbers
        edits = [[place.chapter, place.value, at, number] for at, number in enumerate(numbers)]
        return edits, drop(new)

    line = [(number,) for number in np.linspace(-2, 2, 9).tolist()]
    square = [(x, y) for y in (-1.5, 0.0, 1.5) for x in (-1.5, 0.0, 1.5)]
    cases = [changed(numbers) for numbers in [*line, *square]]
    chapters = [at for at, each in enumerate(page.book["what_if"]["chapters"]) if each["names"]]
    for turn in (0, 2):
        found = losses(page.book, chapters[turn], [edits for edits, _ in cases])
        assert found == pytest.approx([true[turn] for _, true in cases], rel=1e-6)
    (rate,) = [each for each in page.places if each.name == ("lr", 0)]
    rates = [0.01, 0.2]
    found = losses(page.book, chapters[2], [Edit(rate, 0, each).on_page() for each in rates])
    assert found == pytest.approx([drop(rate=each)[2] for each in rates], rel=1e-6)


@pytest.mark.slow
def test_a_page_says_what_it_cannot_know_of_unrecorded_rounds() -> None:
    tally = Page(demo.record_training(DEMO)).judge(3)
    assert tally.compared
    assert tally.stale
