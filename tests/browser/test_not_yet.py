"""A gradient that is not yet computed says so, in every box and step before, and is never 0."""

from collections.abc import Callable
from typing import Any

from tests.each import each
from viz.player.payload import payload_of

from ..viz.played import program
from ..viz.programs import tanh as pylayer
from .checks import at, at_each, scene_of
from .conftest import Show
from .test_recorded import training

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
