"""A gradient that is not computed yet says so, in every box, at every step before; never 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")

from viz.player.payload import payload_of

from .checks import at, scene_of
from .conftest import Show
from .test_recorded import program, pylayer, shared_weight, training

pytestmark = pytest.mark.browser

_LOOK = """(id) => {
  const box = [...document.querySelectorAll('[data-node]')].find((e) => e.dataset.node === id);
  box.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  const found = document.querySelector('.mp-selection');
  return {
    said: [...found.querySelectorAll('.mp-absent')].map((e) => e.textContent),
    shown: [...found.querySelectorAll('.mp-value')].filter((e) => e.querySelector('td'))
      .map((e) => e.dataset.role),
  };
}"""


@pytest.mark.parametrize("make", [pylayer, shared_weight, training, program])
def test_no_number_before_its_step(show: Show, make: Callable[[], Any]) -> None:
    payload = payload_of(make().story)
    boxes = [
        b for b in scene_of(payload, "+".join(payload["open"]))["boxes"] if b["lane"] == "backward"
    ]
    steps = [step for step in payload["steps"] if step["phase"] != "build"]
    first = {
        b["id"]: next(s for s in steps if b["id"] in s["nodes"])
        for b in boxes
        if any(b["id"] in s["nodes"] for s in steps)
    }
    assert len(first) > 2
    page = show(payload)
    for key in ("f", "m"):  # the boxes stay, and the steps of memory are there
        page.locator(".mp-player").press(key)
    for step in range(len(payload["steps"])):
        at(page, step)
        for name, there in first.items():
            if step >= payload["steps"].index(there):
                continue
            found = page.evaluate(_LOOK, name)
            assert not {"output", "grad_in", "grad_out", "data"} & set(found["shown"]), (step, name)
            assert found["shown"] or found["said"] == ["not computed yet"], (step, name)
        page.locator(".mp-player").press("ArrowRight")


def test_a_number_comes_with_its_step(show: Show) -> None:
    payload = payload_of(pylayer().story)
    leaf = next(
        b for b in scene_of(payload, "+".join(payload["open"]))["boxes"] if b["kind"] == "leaf_grad"
    )
    page = show(payload, step=len(payload["steps"]) - 1)
    assert page.evaluate(_LOOK, leaf["id"]) == {"said": [], "shown": ["grad_out"]}
