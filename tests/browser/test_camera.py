"""The op of each step is in view: programs whose pictures fit in no pane, gone through by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minipaddle as paddle
import viz
from minipaddle import nn
from tests.each import each
from tests.samples import pylayer
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


def recurrent() -> viz.Trace:
    """Run eight steps of an RNN in a Python loop."""
    shapes = [3, 4], [4, 4], [4, 2]
    wx, wh, wy = (paddle.ones(shape) * 0.2 for shape in shapes)
    for weight in (wx, wh, wy):
        weight.stop_gradient = False
    xs = paddle.ones([8, 2, 3])
    with viz.record() as trace:
        h, loss = paddle.zeros([2, 4]), paddle.zeros([])
        for t in range(8):
            h = paddle.tanh(xs[t] @ wx + h @ wh)
            y = h @ wy
            loss = loss + (y * y).mean()
        loss.backward()
    return trace


def penalty() -> viz.Trace:
    """Run a gradient penalty, whose backward pass is recorded as a graph of its own."""
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = paddle.ones([5, 3])
    x.stop_gradient = False
    with viz.record() as trace:
        score = net(x).sum()
        (slope,) = paddle.grad(score, [x], create_graph=True)
        length = slope.square().sum(axis=1).sqrt()
        (score + ((length - 1) ** 2).mean()).backward()
    return trace


def accumulated() -> viz.Trace:
    """Add up the gradients of three batches before an update."""
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    with viz.record() as trace:
        for _ in range(3):
            (net(paddle.ones([2, 3])) ** 2).mean().backward()
        sgd.step()
    return trace


Straight = pylayer(lambda ctx, x: paddle.round(x * 4) / 4, name="Straight")


def quantized() -> viz.Trace:
    """Pass a gradient straight through rounding."""
    w = paddle.ones([3, 2]) * 0.3
    w.stop_gradient = False
    with viz.record() as trace:
        y = paddle.ones([4, 3]) @ Straight.apply(w)
        (y - 1).square().mean().backward()
    return trace


def transformer() -> viz.Trace:
    layer = nn.TransformerEncoderLayer(8, 2, 16)
    with viz.record() as trace:
        layer(paddle.ones([1, 5, 8])).mean().backward()
    return trace


def convolutional() -> viz.Trace:
    """Run a small LeNet with batch norm on two pictures."""
    first = nn.Sequential(nn.Conv2D(1, 2, 5), nn.BatchNorm2D(2), nn.ReLU(), nn.MaxPool2D(4))
    net = nn.Sequential(first, nn.Flatten(), nn.Linear(72, 5), nn.Linear(5, 3))
    x, label = paddle.rand([2, 1, 28, 28]), paddle.to_tensor([0, 2])
    with viz.record() as trace:
        nn.functional.cross_entropy(net(x), label).backward()
    return trace


PROGRAMS = [
    recurrent, penalty, accumulated, quantized, transformer, convolutional,
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
