"""Two graphs on one page, and the finite differences in the inspector, in a real browser."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.samples import pylayer
from viz.player.payload import payload_of

from ..viz.played import program
from .conftest import Show

_MOVED = """() => [document.querySelector('.mp-twin').dataset.step,
  ...[...document.querySelectorAll('.mp-twin-side')].map((side) => side.dataset.moved)]"""


# A tanh with a wrong backward.
Halved = pylayer(lambda ctx, x: paddle.tanh(x), lambda ctx, dy: dy * 0.5, "Halved")


def eager(layer: Any = paddle.tanh) -> Any:
    x = paddle.to_tensor(np.array([[0.5, -1.0]]), stop_gradient=False)
    with viz.record() as trace:
        layer(x).sum().backward()
    return trace


def test_the_inspector_shows_a_gradient_and_its_measured_slope(show: Show) -> None:
    page = show(payload_of(eager(Halved.apply).story))
    right = page.locator('.mp-check[data-check="agrees"]')
    wrong = page.locator('.mp-check[data-check="differs"]')
    while not right.count():
        page.keyboard.press("ArrowRight")
    expect(right).to_contain_text("Finite differences agree with d(Halved(x))")
    while not wrong.count():
        page.keyboard.press("ArrowRight")
    expect(wrong).to_contain_text("but by finite differences of Halved.forward, times")
    page.locator('.mp-value[data-role="grad_out"] .mp-cell').first.click()
    expect(page.locator(".mp-element:visible")).to_contain_text("finite difference 0.78644")
    page.get_by_role("button", name="切换到中文").click()
    expect(wrong).to_contain_text("有限差分不一致")


def test_two_graphs_step_together(show: Show) -> None:
    twin = viz.twin(eager(), program())
    twin.eager.document["title"], twin.program.document["title"] = "Cell [3]", "Cell [4]"
    page = show(html=twin.html())
    root = page.locator(".mp-twin")
    expect(page.locator(".mp-twin-side .mp-svg")).to_have_count(2)
    expect(page.locator(".mp-twin-note")).to_contain_text("boxes match")
    expect(page.locator(".mp-title")).to_have_text("Cell [3] · Cell [4]")
    sides = page.locator(".mp-twin-side")
    lit = '.mp-box[data-state="active"][data-node="{}"]'
    for k, (left, right) in enumerate(twin.steps):
        moved = [str(side is not None).lower() for side in (left, right)]
        seen = page.evaluate(_MOVED)
        assert seen == [str(k), *moved]
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(root).to_have_attribute("data-step", "0")
    forward = next(m for m in twin.matches if m.left and m.left.label == "tanh")
    at = next(
        k
        for k, (a, b) in enumerate(twin.steps)
        if a is not None and b is not None and forward.left.id in twin.left.steps[a].nodes
    )
    page.locator("[data-action=next]").click()
    for _ in range(at - 1):
        page.keyboard.press("ArrowRight")
    expect(sides.nth(0).locator(lit.format(forward.left.id))).to_have_count(1)
    expect(sides.nth(1).locator(lit.format(forward.right.id))).to_have_count(1)
    sides.nth(0).locator(f'[data-node="{forward.left.id}"]').click()
    selected = sides.nth(1).locator("[data-selected]")
    expect(selected).to_have_attribute("data-node", forward.right.id)
    page.get_by_role("button", name="切换到中文").click()
    expect(page.locator(".mp-twin-note")).to_contain_text("个节点对应")
    expect(page.locator(".mp-title")).to_have_text("单元格 [3] · 单元格 [4]")


def test_two_graphs_have_the_same_keys_as_one(show: Show) -> None:
    twin = viz.twin(eager(Halved.apply), program())
    page = show(html=twin.html())
    drawings = page.locator(".mp-twin-side .mp-svg")
    widths = [float(drawing.get_attribute("width") or 0) for drawing in drawings.all()]
    page.keyboard.press("+")
    for drawing, width in zip(drawings.all(), widths, strict=True):
        assert float(drawing.get_attribute("width") or 0) == pytest.approx(1.25 * width)
    frames = page.locator(".mp-frame")
    expect(frames).to_have_count(2)
    page.get_by_role("button", name="Close Halved", exact=True).press("Enter")
    expect(frames).to_have_count(0)
    page.get_by_role("button", name="Open Halved", exact=True).press(" ")
    expect(frames).to_have_count(2)
    expect(page.locator(".mp-twin")).to_have_attribute("data-step", "0")
