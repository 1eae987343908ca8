"""Traces whose pages are judged after edits."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import static
from minipaddle._cli import demo
from tests.static.world import fresh
from viz.trace import Trace

from ..viz import programs
from ..viz.played import training
from ..viz.trainings import descend

nn, F = paddle.nn, paddle.nn.functional
DEMO = Path(__file__).resolve().parents[2] / "lessons" / "demo"


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
    return descend(optimizer, lambda _: F.cross_entropy(net(x), label), 2)


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
    rng = np.random.default_rng(0)
    with fresh() as (main, startup):
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
    "the demo's PyLayer": lambda: demo.record_cus_tanh(DEMO),
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
