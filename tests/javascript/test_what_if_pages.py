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
from .composing import what_ifs
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


def constants() -> Trace:
    x = paddle.randn([3, 4])
    x.stop_gradient = False
    with viz.record() as trace:
        for _ in range(2):
            a = paddle.scale(x, 2.0, bias=0.3) + 1.0
            b = paddle.exp(x) ** 1.5
            c = F.hardshrink(paddle.stanh(x, 0.6, 1.7), 0.2)
            d = F.pad(F.layer_norm(x, 4, epsilon=1e-3), [1, 1], value=0.5)[:, :4]
            (a * b + c * d / 3.0).mean().backward()
    return trace


def bends() -> Trace:
    """Constants that operators compare numbers with."""
    x = paddle.randn([4, 5])
    x.stop_gradient = False
    with viz.record() as trace:
        a = F.elu(x, 0.8) + F.celu(x, 1.2) + F.selu(x) + F.leaky_relu(x, 0.3)
        b = F.softplus(x, beta=1.5, threshold=2.0) + F.hardsigmoid(x, 0.2, 0.4)
        c = F.hardtanh(x, -0.8, 0.9) + F.softshrink(x, 0.3) + F.thresholded_relu(x, 0.4, 0.1)
        d = paddle.clip(x, -0.6, 0.7) * paddle.clip(x, max=0.5)
        (F.smooth_l1_loss(a, b, delta=0.5) + (c * d).mean()).backward()
    return trace


FOLLOWED: dict[str, Callable[[], Trace]] = {
    "the demo's PyLayer": lambda: demo.record_cus_tanh(FOLDER),
    "LeNet": lenet,
    "a transformer block": block,
    "batch normalization": normalized,
    "rounds": lambda: training(6),
    "updates by hand": by_hand,
    "a trained Program": program,
    "constants": constants,
    "constants that numbers are compared with": bends,
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


def test_all_constants_that_numbers_are_compared_with_can_be_changed() -> None:
    paddle.seed(0)
    page = Page(bends())
    assert {place.name[1] for place in page.places if place.is_one} == {
        *("alpha", "scale", "negative_slope", "beta", "threshold", "slope", "offset"),
        *("min", "max", "value", "delta"),
    }


def test_limits_that_pass_each_other_are_not_silently_wrong() -> None:
    x = paddle.to_tensor([0.5, -1.5, 2.0], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.clip(x, -1.0, 1.0)
        y.sum().backward()
    page = Page(trace)
    (least,) = [each for each in page.places if each.name == ("y", "min")]
    for number, stale in ((0.9, False), (1.5, True)):
        (after,) = what_ifs(page.book, [[[least.chapter, least.value, 0, number]]])
        assert any(each.get("stale") for each in after) == stale


def test_constants_are_named_and_can_be_changed_where_the_page_can_compute_with_others() -> None:
    x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
    with viz.record() as trace:
        y = x * 2.0
        z = paddle.nan_to_num(y, 0.5)
        (z * z).sum().backward()
    page = Page(trace)
    names = page.book["what_if"]["chapters"][0]["names"]
    assert [name for name, *_ in names] == ["y · scale", "z · nan"]
    assert [place.name for place in page.places if place.is_one] == [("y", "scale")]
    text = {at: trace.steps[at].formula for at in names[0][2]}
    assert [*text.values()] == ["y = 2 · x", "dx = 2 · dy"]


def test_constants_of_a_program_stand_at_the_operators_of_each_run() -> None:
    static = paddle.static
    paddle.enable_static()
    try:
        main = static.Program()
        with static.program_guard(main, static.Program()):
            x = static.data("x", [2], "float32")
            y = paddle.tanh(x) * 2.0
        with viz.record() as trace:
            for number in (0.5, 1.0):
                feed = {"x": np.array([number, 1], "float32")}
                static.Executor().run(main, feed=feed, fetch_list=[y])
    finally:
        paddle.disable_static()
    page = Page(trace)
    found = [
        (name, chapters.trace.steps[at].text)
        for chapters, each in zip(trace.chapters, page.book["what_if"]["chapters"], strict=True)
        for name, _, steps in each["names"]
        for at in steps
    ]
    assert [name for name, _ in found if name.endswith("scale")] == [f"{y.name} · scale"] * 2
    assert all(name.partition(" ·")[0] in str(text) for name, text in found)
    page.places = [place for place in page.places if place.is_one]
    assert not page.judge(3).stale


@pytest.mark.parametrize(("number", "stale"), [(3.0, False), (1.0, False), (-1.0, True)])
def test_where_a_kernel_may_go_another_way_the_page_says_so(number: float, stale: bool) -> None:
    x = paddle.to_tensor([0.5, 1.5], stop_gradient=False)
    with viz.record() as trace:
        y = x**2.5
        y.sum().backward()
    page = Page(trace)
    (place,) = [each for each in page.places if each.name == ("y", "factor")]
    changes = {place.name: number}
    (after,) = what_ifs(page.book, [[[place.chapter, place.value, 0, number]]])
    tally = page.compare(changes, after, trace.what_if(changes))
    assert bool(tally.stale) == stale


def test_where_rounds_were_not_recorded_a_page_says_that_it_does_not_know() -> None:
    tally = Page(demo.record_training(FOLDER)).judge(3)
    assert tally.compared
    assert tally.stale


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["the demo's PyLayer", "LeNet", "a transformer block", "a trained Program"]
)
def test_two_hundred_edits(name: str) -> None:
    paddle.seed(0)
    assert Page(FOLLOWED[name]()).judge(200, seed=1).compared
