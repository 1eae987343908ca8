"""The op of each step is in view: programs whose pictures fit in no pane, gone through by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.each import each
from tests.viz.recordings import transformer
from tests.viz.sayings import twice_derived
from tests.viz.test_loop_turns import rnn
from tests.viz.trainings import accumulated
from viz.player.payload import payload_of
from viz.theme import PILLS

from ..viz import programs
from .checks import player, scene_of, through
from .conftest import Show

SCREENS = [{"width": 1280, "height": 800}, {"width": 390, "height": 844}]
_SHARES = """() => {
  const pane = document.querySelector('.mp-viewport').getBoundingClientRect();
  const shares = {};
  for (const box of document.querySelectorAll('.mp-box[data-state=active]')) {
    const { left, right, top, bottom, width, height } = box.getBoundingClientRect();
    const across = Math.min(right, pane.right) - Math.max(left, pane.left);
    const down = Math.min(bottom, pane.bottom) - Math.max(top, pane.top);
    shares[box.dataset.node] = Math.max(0, across) * Math.max(0, down) / (width * height);
  }
  return [Number(document.querySelector('.mp-player').dataset.step), shares];
}"""


def convolutional() -> viz.Trace:
    """Run a small LeNet with batch norm on two pictures."""
    first = nn.Sequential(nn.Conv2D(1, 2, 5), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(4))
    net = nn.Sequential(first, nn.Flatten(), nn.Linear(72, 5), nn.Linear(5, 3))
    x, label = paddle.rand([2, 1, 28, 28]), paddle.to_tensor([0, 2])
    with viz.record() as trace:
        nn.functional.cross_entropy(net(x), label).backward()
    return trace


PROGRAMS = [
    lambda: rnn(8), twice_derived, accumulated, programs.step, transformer, convolutional,
    programs.program,
]  # fmt: skip


def ops_of(payload: dict[str, Any], kinds: dict[str, str]) -> list[str | None]:
    """Return the op of each step: its last box that is no tensor, or else the last one."""
    found = []
    for step in payload["steps"]:
        boxes = [node for node in step["nodes"] if node in kinds]
        ops = [node for node in boxes if kinds[node] not in PILLS]
        found.append([*boxes[-1:], *ops[-1:]][-1] if boxes else None)
    return found


@each("make", PROGRAMS)
def test_the_op_of_each_step_is_in_view(show: Show, make: Callable[[], viz.Trace]) -> None:
    story = make().story
    payload = payload_of(story)
    ops = ops_of(payload, {node.id: node.kind for node in story.graph.nodes})
    for screen in SCREENS:
        page = show(payload, viewport=screen, reduced_motion="reduce")
        seen = through(page, _SHARES)
        assert len(seen) > 10
        hidden = [step for step, shares in seen if ops[step] and shares[ops[step]] < 0.5]
        assert hidden == [], screen


def test_a_closed_layer_is_in_view_while_its_ops_run(show: Show) -> None:
    story = transformer().story
    payload = {**payload_of(story), "open": []}
    resolved = scene_of(payload)["resolved"]
    ops = ops_of(payload, {node.id: node.kind for node in story.graph.nodes})
    page = show(payload, viewport={"width": 390, "height": 500}, reduced_motion="reduce")
    player(page).press("f")
    seen = through(page, _SHARES)
    assert [at for at, shares in seen if ops[at] and shares[resolved[ops[at]]] < 0.5] == []
