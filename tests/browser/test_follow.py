"""Following, the steps of memory, and updates as sums, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.viz import programs
from tests.viz.trainings import descend
from viz.player.payload import payload_of

from .checks import area, at, at_each, check_step, player, reopened, said, settled
from .conftest import Show
from .fixture import tanh

if TYPE_CHECKING:
    from playwright.sync_api import Page

Json = dict[str, Any]
FOLLOW = "Follow: open the box that the step is in (f)"
MEMORY = "Memory: its steps, one row for each block (m)"


def trained(rounds: int, **more: Any) -> viz.Trace:
    """Train a small network by SGD, with a tall matrix that is not recorded whole."""
    net = paddle.nn.Sequential(paddle.nn.Linear(2, 3), paddle.nn.Linear(3, 1))
    sgd = paddle.optimizer.SGD(0.125, parameters=net.parameters(), **more)
    x = paddle.ones([4, 2])
    return descend(sgd, lambda _: net(x).square().mean(), rounds)


# ----- following ---------------------------------------------------------------------------------


def test_following_can_be_switched_off_and_the_page_remembers_it(show: Show) -> None:
    page = show(tanh(), step=2)
    button = page.get_by_role("button", name=FOLLOW)
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    check_step(page, tanh(), 2, follow=False)
    page.wait_for_url("**#follow=off*")
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")
    check_step(page, tanh(), 2, follow=False)
    player(page).press("f")
    check_step(page, tanh(), 2)
    assert "follow=" not in page.url


def test_a_box_closed_by_hand_stays_closed(show: Show) -> None:
    page = show(tanh(), step=1)
    page.get_by_role("button", name="Close cus_tanh", exact=True).first.press("Enter")
    expect(page.locator(".mp-frame")).to_have_count(0)
    at_each(page, ["ArrowRight"] * 8, "() => 0")
    check_step(page, tanh(), 9, follow=False)


# ----- steps of memory ---------------------------------------------------------------------------


def test_steps_of_memory_are_skipped_until_they_are_switched_on(show: Show) -> None:
    payload = payload_of(programs.program().story)
    hidden, count = payload["memory"]["steps"], len(payload["steps"])
    last = max({*range(count)} - {*hidden}) + 1
    page = show(payload)
    counter = page.locator(".mp-count")
    expect(counter).to_have_text(f"1 / {count}")
    player(page).press("End")
    expect(counter).to_have_text(f"{last} / {count}")
    expect(page.get_by_role("button", name="Next step")).to_be_disabled()
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", str(last))
    page.get_by_role("button", name=MEMORY).click()
    expect(counter).to_have_text(f"{last} / {count}")
    expect(slider).to_have_attribute("aria-valuemax", str(count))
    player(page).press("ArrowLeft")
    at(page, hidden[-1])
    player(page).press("m")
    at(page, hidden[-1] - 1)


def test_a_link_to_a_step_of_memory_shows_the_step_and_is_unchanged(show: Show) -> None:
    payload = payload_of(programs.program().story)
    hidden = payload["memory"]["steps"][2]
    page = show(payload)
    first, count = payload["memory"]["steps"][0], len(payload["steps"])
    box = area(page.get_by_role("slider"))
    page.mouse.click(box["x"] + box["width"] * (first + 0.5) / count, box["y"] + 5)
    at(page, first - 1)  # a pointer stops only at visible steps
    reopened(page, f"step={hidden + 1}")
    at(page, hidden)
    expect(page.locator(".mp-say")).to_have_text(
        said(payload["steps"][hidden]["text"], "en", payload["values"])
    )
    expect(page.get_by_role("button", name=MEMORY)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".mp-count")).to_have_text(f"{hidden + 1} / {len(payload['steps'])}")
    reopened(page, f"step={hidden + 2}&memory=")
    at(page, hidden + 1)
    expect(page.get_by_role("button", name=MEMORY)).to_have_attribute("aria-pressed", "false")


# ----- updates -----------------------------------------------------------------------------------


def test_the_parts_of_an_update_are_side_by_side(show: Show) -> None:
    trace = trained(1)
    step = next(s for s in trace.steps if s.kind == "update")
    page = show(payload_of(trace.story), step=step.index, viewport={"width": 1280, "height": 800})
    expect(page.locator(".mp-phase")).to_have_text("Parameter update")
    parts = page.locator(".mp-sum > .mp-value")
    expect(parts).to_have_count(3)
    assert page.locator(".mp-sum .mp-plus").all_text_contents() == ["− 0.125 ×", "="]
    assert len({round(area(part)["y"]) for part in parts.all()}) == 1
    page.locator(".mp-sum .mp-cell[data-index='1,2']").first.click()
    told = page.locator(".mp-filled").text_content() or ""
    before, grad, after = (s.value["data"][1][2] for s in step.shown)
    numbers = [float(x) for x in told.replace("−", "-").replace("(", "").replace(")", "").split()
               if x not in ("-", "×", "=")]  # fmt: skip
    assert numbers == pytest.approx([before, 0.125, grad, after], rel=1e-3)
    page.get_by_role("button", name="切换到中文").click()
    expect(page.locator(".mp-phase")).to_have_text("参数更新")


def tops(page: Page, mark: str) -> list[int]:
    """Return the top of each of the three parts of an update's sum."""
    parts = page.locator(f".mp-sum {mark}").all()
    assert len(parts) == 3
    return [round(area(part)["y"]) for part in parts]


def updated(net: Any, optimizer: Any) -> tuple[Json, int]:
    """Record a step of training; return its page and its first update."""
    with viz.record() as trace:
        net(paddle.ones([2, net.weight.shape[0]])).mean().backward()
        optimizer.step()
    return payload_of(trace.story), next(s for s in trace.steps if s.kind == "update").index


WIDTHS = (1280, 800, 600, 390)


def test_a_large_parameter_is_beside_its_gradient(show: Show, subtests: pytest.Subtests) -> None:
    net = paddle.nn.Linear(32, 10)
    payload, step = updated(net, paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    page = show(payload, step=step, reduced_motion="reduce")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        settled(page)
        with subtests.test(width=width):
            assert len(set(tops(page, ".mp-heat-map"))) == 1
    names = page.locator(".mp-sum header b").all_text_contents()
    assert names == ["net.weight", "net.weight.grad", "net.weight"]


def test_an_update_of_a_large_parameter_is_reported_as_unknown(show: Show) -> None:
    net = paddle.nn.Linear(70, 70)
    payload, step = updated(net, paddle.optimizer.Adam(0.5, parameters=net.parameters()))
    page = show(payload, step=step)
    expect(page.locator("[data-role='taken'] .mp-absent")).to_contain_text("Not known element")
