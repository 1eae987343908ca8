"""Draw the small pictures of docs/gallery.md again: `.venv/bin/python docs/make_gallery.py`.

One network is trained for a few steps, and each view of viz draws what was recorded.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import minipaddle as paddle
import viz
from viz import raster

IMAGES = Path(__file__).parent / "images"


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = paddle.nn.Linear(4, 8)
        self.out = paddle.nn.Linear(8, 1)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        h = paddle.tanh(self.hidden(x))
        return self.out(h)


def trained(steps: int, rate: float, seed: int = 0) -> tuple[viz.Trace, Net]:
    """A recorded training run that learns the sum of four numbers."""
    paddle.seed(seed)
    net = Net()
    sgd = paddle.optimizer.SGD(rate, parameters=net.parameters())
    rows = np.random.default_rng(1).normal(size=(32, 4)).astype("float32")
    x, target = paddle.to_tensor(rows), paddle.to_tensor(rows.sum(axis=1, keepdims=True))
    with viz.record() as trace:
        for _ in range(steps):
            loss = ((net(x) - target) ** 2).mean()
            loss.backward()
            if _ < steps - 1:
                sgd.step()
                sgd.clear_grad()
    return trace, net


def plots() -> None:
    trace, net = trained(25, 0.1)
    slow, _ = trained(25, 0.02)
    losses = {"0.1": viz.plots.losses_of(trace), "0.02": viz.plots.losses_of(slow)}
    written(viz.plots.loss(losses), "loss")
    written(viz.plots.gradient_flow(net), "gradient_flow")
    written(viz.plots.activations(trace, of="h"), "activations")
    written(viz.plots.memory(trained(1, 0.1)[0]), "memory")


def written(ax: object, name: str) -> None:
    figure = ax.figure
    figure.set_dpi(72)
    figure.savefig(IMAGES / f"{name}.png", metadata={"Software": None})
    plt.close(figure)


def cut() -> None:
    """A gradient that no_grad keeps away."""
    x = paddle.to_tensor([[0.5, -1.0]], stop_gradient=False)
    w = paddle.to_tensor([[2.0, 3.0]], stop_gradient=False)
    with viz.record() as trace:
        y = x * 2
        with paddle.no_grad():
            z = paddle.exp(y)
        loss = (z * w).mean()
        loss.backward()
    (IMAGES / "explain.png").write_bytes(raster.png_of(trace.explain(x).painting(), 1.0))


def two_runs() -> None:
    def run(weight: float) -> viz.Trace:
        x = paddle.to_tensor([[0.5, -1.0], [1.5, 0.25]], stop_gradient=False)
        w = paddle.to_tensor([[weight], [2.0]], stop_gradient=False)
        with viz.record() as trace:
            loss = paddle.tanh(x @ w).mean()
            loss.backward()
        return trace

    found = viz.diff(run(1.0), run(1.2))
    (IMAGES / "diff.png").write_bytes(raster.png_of(found.painting(), 1.0))


def strip() -> None:
    x = paddle.to_tensor([0.5, -1.0], stop_gradient=False)
    with viz.record() as trace:
        y = paddle.tanh(x)
        y.sum().backward()
    trace.save(IMAGES / "strip.svg", steps=[0, 2, 4, -1])


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with mpl.rc_context({"font.family": "DejaVu Sans"}):
        plots()
    cut()
    two_runs()
    strip()
    for path in sorted(IMAGES.iterdir()):
        print(f"docs/images/{path.name}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
