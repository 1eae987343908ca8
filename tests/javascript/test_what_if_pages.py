"""After any edit a page shows the numbers that minipaddle computes, or says that it does not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import static
from minipaddle._cli import demo
from viz.trace import Trace

from ..viz import programs
from ..viz.played import training
from .what_if_pages import Page

nn, F = paddle.nn, paddle.nn.functional
FOLDER = Path(__file__).resolve().parents[2] / "lessons" / "demo"


def lenet() -> Trace:
    net = nn.Sequential(
        *(nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2)),
        *(nn.Conv2D(6, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2)),
        *(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)),
    )
    return trained(net, paddle.rand([8, 1, 8, 8]), paddle.arange(8), paddle.optimizer.Adam)


def block() -> Trace:
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
    net = nn.Sequential(layer, nn.Flatten(), nn.Linear(40, 3))
    return trained(net, paddle.randn([2, 5, 8]), paddle.to_tensor([0, 2]), paddle.optimizer.AdamW)


def normalized() -> Trace:
    net = nn.Sequential(
        nn.Conv2D(1, 2, 3), nn.BatchNorm2D(2), nn.GELU(), nn.Flatten(), nn.Linear(18, 2)
    )
    return trained(net, paddle.randn([2, 1, 5, 5]), paddle.to_tensor([0, 1]), paddle.optimizer.SGD)


def trained(net: nn.Layer, x: paddle.Tensor, label: paddle.Tensor, kind: type) -> Trace:
    """Two steps of a training."""
    optimizer = kind(0.01, parameters=net.parameters())
    with viz.record() as trace:
        for _ in range(2):
            F.cross_entropy(net(x), label).backward()
            optimizer.step()
            optimizer.clear_grad()
    return trace


def by_hand() -> Trace:
    w = paddle.randn([3])
    w.stop_gradient = False
    with viz.record() as trace:
        for _ in range(4):
            (w * w).exp().sum().backward()
            w.set_value(w - 0.1 * w.grad)
            w.clear_grad()
    return trace


def program() -> Trace:
    """Three runs of a Program that trains."""
    main, startup, rng = static.Program(), static.Program(), np.random.default_rng(0)
    paddle.enable_static()
    try:
        with static.program_guard(main, startup):
            x, label = static.data("x", [8, 4]), static.data("label", [8, 1], "int64")
            hidden = static.nn.fc(x, 8, activation="tanh")
            loss = paddle.mean(F.cross_entropy(static.nn.fc(hidden, 3), label))
            paddle.optimizer.Momentum(0.1).minimize(loss)
        exe = static.Executor()
        exe.run(startup)
        with viz.record() as trace:
            for _ in range(3):
                batch = rng.normal(size=(8, 4)).astype("float32")
                exe.run(main, {"x": batch, "label": rng.integers(0, 3, (8, 1))}, [loss])
    finally:
        paddle.disable_static()
    return trace


FOLLOWED: dict[str, Callable[[], Trace]] = {
    "the demo's PyLayer": lambda: demo.record_cus_tanh(FOLDER),
    "LeNet": lenet,
    "a transformer block": block,
    "batch normalization": normalized,
    "rounds": lambda: training(6),
    "updates by hand": by_hand,
    "a trained Program": program,
    **{
        name: getattr(programs, name) for name in ("broadcast", "nested", "hooked", "twice", "step")
    },
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_page_shows_what_minipaddle_computes(name: str) -> None:
    paddle.seed(0)
    tally = Page(FOLLOWED[name]()).judge(6)
    assert tally.compared > 6 * 5
    assert not tally.stale
    assert tally.unsure <= tally.compared / 5


def test_where_rounds_were_not_recorded_a_page_says_that_it_does_not_know() -> None:
    tally = Page(demo.record_training(FOLDER)).judge(3)
    assert tally.compared > 0
    assert tally.stale > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["the demo's PyLayer", "LeNet", "a transformer block", "a trained Program"]
)
def test_two_hundred_edits(name: str) -> None:
    paddle.seed(0)
    assert Page(FOLLOWED[name]()).judge(200, seed=1).compared
