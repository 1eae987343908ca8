"""Histograms in the inspector, of a large array's statistics and of a shown matrix."""

import numpy as np
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from viz.player.payload import payload_of

from .conftest import Show


def test_large_small_and_sampled_arrays_have_bars(show: Show) -> None:
    large = paddle.to_tensor(np.linspace(-1, 1, 4800, dtype="float32").reshape(60, 80))
    small = paddle.to_tensor(np.arange(96, dtype="float32").reshape(8, 12))
    with viz.record() as trace:
        large * 2
        small * 1
        paddle.ones([100]) * 3
        paddle.randn([300, 300]) * 2
    page = show(payload_of(trace.story))
    pictures = page.locator(".mp-histogram svg")
    even = ", ".join(["200"] * 24)
    expect(pictures).to_have_count(2)
    assert (pictures.first.get_attribute("aria-label") or "").endswith(even)
    expect(page.locator(".mp-histogram .mp-zero")).to_have_count(2)
    expect(page.locator(".mp-histogram figcaption").first).to_have_text("-11")
    page.keyboard.press("ArrowRight")
    expect(pictures).to_have_count(2)
    assert (pictures.first.get_attribute("aria-label") or "").endswith(", ".join(["4"] * 24))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mp-histogram")).to_have_count(0)
    page.keyboard.press("End")
    sampled = page.locator(".mp-histogram figcaption").first
    expect(sampled).to_contain_text("from every n-th element")
