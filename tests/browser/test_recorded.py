"""Real traces, saved as pages, are stepped through from the file without a network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import minipaddle as paddle
import viz
from tests.each import each
from tests.viz import programs
from tests.viz.played import program
from tests.viz.programs import tanh as pylayer
from tests.viz.test_magnitude import shared_weight
from viz.layout.scene import foldable
from viz.player.payload import payload_of

from .checks import at, at_each, scene_of, walk
from .conftest import Show


def failing() -> Any:
    x = paddle.ones([2, 3])
    with pytest.raises(ValueError, match="matmul"), viz.record() as trace:
        paddle.matmul(x * 2, x)
    return trace


def training() -> Any:
    net = paddle.nn.Linear(3, 2)
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x = paddle.ones([4, 3])
    with viz.record() as trace:
        net(x).mean().backward()
        sgd.step()
    return trace


@each("make", [pylayer, shared_weight, failing, program])
def test_every_scene_of_a_saved_page_steps_forward_and_back(
    show: Show, tmp_path: Path, make: Any
) -> None:
    trace = make()
    payload = payload_of(trace.story)
    saved = trace.save(tmp_path / "trace.html").read_text(encoding="utf-8")
    names = foldable(trace.story.graph)
    page = show(html=saved, reduced_motion="reduce")
    page.locator(".mp-player").press("f")  # following off, so the scene is fixed
    opened = frozenset(payload["open"])
    for some in sorted({opened, frozenset(names), frozenset(names[:1]), frozenset()}, key=sorted):
        for knob in some ^ opened:
            page.locator(f"[data-toggle='{knob}']").first.dispatch_event("click")
        walk(page, payload, key="+".join(some), follow=False)
        opened = some


def test_a_player_ends_at_the_failing_step_and_a_narrow_one_says_once_why(show: Show) -> None:
    trace = failing()
    page = show(payload_of(trace.story))
    page.locator(".mp-player").press("End")
    expect(page.locator(".mp-player")).to_have_attribute("data-step", str(len(trace.steps) - 1))
    expect(page.locator(".mp-note[role=note]")).to_contain_text("last dimension")
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


def test_inputs_that_backward_func_skips_are_struck_out(show: Show) -> None:
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


# ----- A gradient that is not yet computed is never 0 --------------------------------------------


_LOOK = """(asked) => Object.fromEntries(
  (asked[document.querySelector('.mp-player').dataset.step] ?? []).map((id) => {
  const box = [...document.querySelectorAll('[data-node]')].find((e) => e.dataset.node === id);
  box.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const found = document.querySelector('.mp-selection');
  return [id, {
    said: [...found.querySelectorAll('.mp-absent')].map((e) => e.textContent),
    shown: [...found.querySelectorAll('.mp-value')].filter((e) => e.querySelector('td'))
      .map((e) => e.dataset.role),
  }];
}))"""


@each("make", [pylayer, training, program])
def test_no_number_is_shown_before_its_step(show: Show, make: Callable[[], Any]) -> None:
    payload = payload_of(make().story)
    boxes = [
        b for b in scene_of(payload, "+".join(payload["open"]))["boxes"] if b["lane"] == "backward"
    ]
    ran = [step["nodes"] if step["phase"] != "build" else [] for step in payload["steps"]]
    first = {
        b["id"]: next(k for k, nodes in enumerate(ran) if b["id"] in nodes)
        for b in boxes
        if any(b["id"] in nodes for nodes in ran)
    }
    assert len(first) > 2
    page = show(payload)
    page.locator(".mp-player").press("Home")  # into the layers
    for key in ("f", "m"):  # following off, steps of memory on
        page.locator(".mp-player").press(key)
    count = len(payload["steps"])
    asked = {
        step: [name for name, there in first.items() if step in (0, there // 2, there - 1, there)]
        for step in range(count)
    }
    seen = at_each(page, ["", *["ArrowRight"] * (count - 1)], _LOOK, asked)
    at(page, count - 1)
    for step, found in enumerate(seen):
        for name, look in found.items():
            if step == first[name]:
                assert look["said"] != ["not computed yet"], name
                continue
            shown = set(look["shown"])
            assert not {"output", "grad_in", "grad_out", "data"} & shown, (step, name)
            assert shown or look["said"] == ["not computed yet"], (step, name)
