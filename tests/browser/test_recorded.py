"""Real traces, saved as pages and stepped through from the file with the network cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")

import numpy as np
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.each import each
from tests.static.world import fresh
from tests.viz import programs
from viz.layout.scene import foldable
from viz.player.payload import payload_of

from .checks import scene_of, walk
from .conftest import Show

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def pylayer() -> Any:
    data = paddle.randn([2, 3], dtype="float64")
    data.stop_gradient = False
    with viz.record() as trace:
        programs.cus_tanh.apply(data).mean().backward()
    return trace


def shared_weight() -> Any:
    w = paddle.to_tensor([0.9, 1.1], stop_gradient=False)
    with viz.record() as trace:
        y = w
        for _ in range(6):
            y = paddle.sin(y * w)
        y.sum().backward()
    return trace


def failing() -> Any:
    x = paddle.ones([2, 3])
    with pytest.raises(ValueError, match="matmul"), viz.record() as trace:
        paddle.matmul(x * 2, x)
    return trace


def program() -> Any:
    with fresh() as (main, _), viz.record() as trace:
        x = paddle.static.data("x", [2, 3], "float32")
        x.stop_gradient = False
        loss = paddle.mean(paddle.tanh(x))
        paddle.static.append_backward(loss)
        ones = np.ones([2, 3], "float32")
        paddle.static.Executor().run(main, feed={"x": ones}, fetch_list=[loss])
    return trace


def training() -> Any:
    net = paddle.nn.Linear(3, 2)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.ones([4, 3])
    with viz.record() as trace:
        net(x).mean().backward()
        sgd.step()
    return trace


def test_updates_have_their_own_row_and_word(show: Show) -> None:
    payload = payload_of(training().story)
    page = show(payload)
    lanes = page.locator(".mp-lane-names [data-lane]")
    expect(lanes).to_have_text(["Forward", "Backward", "Parameter update"])
    page.locator(".mp-player").press("End")
    expect(page.locator(".mp-phase")).to_have_text("Parameter update")
    expect(page.locator(".mp-player")).to_have_attribute("data-phase", "optimize")
    badge = page.locator(".mp-phase").evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert badge == "rgb(106, 63, 181)"
    page.get_by_role("button", name="切换到中文").click()
    expect(page.locator(".mp-phase")).to_have_text("参数更新")


def test_a_layer_shows_what_goes_in_and_comes_out(show: Show) -> None:
    payload = payload_of(training().story)
    page = show(payload, step=5)
    page.locator(".mp-query").fill("linear")
    page.locator(".mp-query").press("Enter")
    shown = page.locator(".mp-selection .mp-value")
    expect(shown.first.locator(".mp-role")).to_have_text("input")
    expect(shown.first.locator("b")).to_have_text("x")
    expect(page.locator(".mp-selection [data-role='output'] b")).not_to_have_count(0)


@each("make", [pylayer, shared_weight, failing, program])
def test_every_scene_of_a_saved_page_steps_forth_and_back(
    show: Show, tmp_path: Path, make: Any
) -> None:
    trace = make()
    payload = payload_of(trace.story)
    saved = trace.save(tmp_path / "trace.html").read_text(encoding="utf-8")
    names = foldable(trace.story.graph)
    page = show(html=saved, reduced_motion="reduce")
    page.locator(".mp-player").press("f")  # the scene is the one that is asked for
    opened = frozenset(payload["open"])
    for some in sorted({opened, frozenset(names), frozenset(names[:1]), frozenset()}, key=sorted):
        for knob in some ^ opened:
            page.locator(f"[data-toggle='{knob}']").first.dispatch_event("click")
        walk(page, payload, key="+".join(some), follow=False)
        opened = some


def test_tags_are_lit_by_the_step_that_uses_them(show: Show) -> None:
    payload = payload_of(shared_weight().story)
    assert any(box["tag_of"] for box in scene_of(payload)["boxes"])
    page = show(payload)
    expect(page.locator("[data-shape='tag'][data-state='active']")).to_have_count(0)
    page.locator(".mp-player").press("End")
    expect(page.locator("[data-shape='tag'][data-state='pending']")).to_have_count(0)


def test_a_player_ends_at_the_failing_step_and_a_narrow_one_says_once_why(show: Show) -> None:
    trace = failing()
    page = show(payload_of(trace.story))
    page.locator(".mp-player").press("End")
    expect(page.locator(".mp-player")).to_have_attribute("data-step", str(len(trace.steps) - 1))
    expect(page.locator(".mp-note[role=note]")).to_contain_text("matmul")
    page.locator(".mp-player").press("Home")
    page.set_viewport_size({"width": 500, "height": 800})
    note, sentence = page.locator(".mp-note[role=note]"), page.locator(".mp-say")
    expect(note).to_be_visible()
    expect(sentence).not_to_contain_text("InvalidArgument")
    page.locator(".mp-player").press("End")
    expect(sentence).to_contain_text("InvalidArgument")
    expect(note).to_be_hidden()
    page.locator(".mp-player").press("ArrowLeft")
    expect(note).to_be_visible()


def test_what_was_built_has_not_yet_run(show: Show) -> None:
    payload = payload_of(program().story)
    phases = [step["phase"] for step in payload["steps"]]
    page = show(payload, step=phases.index("run"))
    expect(page.locator(".mp-box[data-state='done']")).to_have_count(0)
    expect(page.locator(".mp-lane-names [data-lane]")).to_have_text(["Build", "Run"])
    page.locator(".mp-player").press("ArrowLeft")
    assert page.locator(".mp-box[data-state='done']").count() > 2


def test_what_backward_func_does_not_get_is_struck_out(show: Show) -> None:
    trace = programs.program()
    step = max(view.index for view in trace.steps if view.kind == "py_func")
    page = show(payload_of(trace.story), step=step)
    skipped = page.locator('.mp-value[data-role="skipped"]')
    assert skipped.count() == 1
    assert "left out" in skipped.inner_text()
    assert "not given to backward_func" in skipped.inner_text()
    name = skipped.locator("header b")
    assert "line-through" in name.evaluate("e => getComputedStyle(e).textDecorationLine")
    given = page.locator('.mp-value:not([data-role="skipped"]) header b').first
    assert "line-through" not in given.evaluate("e => getComputedStyle(e).textDecorationLine")
    ports = page.locator(".mp-box[data-kind='port'] .mp-label")
    lines = ports.evaluate_all("(all) => all.map((e) => getComputedStyle(e).textDecorationLine)")
    assert lines.count("line-through") == 1
