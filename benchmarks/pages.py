"""Cost of the page of a trace: CPU seconds, and the size of the file.

`python benchmarks/pages.py [ROW ...]` measures the named rows, or all. The seconds are scaled to a
machine on which `sum(i * i for i in range(2_000_000))` takes 0.07 s.
The column `record` includes the run of the program; `page` and `SVG` include the story.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import minipaddle as paddle
import viz

UNIT = 0.07  # seconds of the reference machine


def rounds(count: int = 50) -> Any:
    """Record training rounds (iterations) of a small MLP."""
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.ReLU(), paddle.nn.Linear(8, 2))
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    x, y = paddle.rand([8, 4]), paddle.rand([8, 2])
    with viz.record(limit=None) as trace:
        for _ in range(count):
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            sgd.step()
            sgd.clear_grad()
    return trace


def thousand_rounds() -> Any:
    """Record a long training."""
    return rounds(1000)


def chain(count: int = 10_000) -> Any:
    """Record a chain of ops, forward and backward."""
    x = paddle.to_tensor([0.3], stop_gradient=False)
    with viz.record() as trace:
        y = x
        for _ in range(count):
            y = paddle.tanh(y)
        y.sum().backward()
    return trace


def deep_mlp(layers: int = 12) -> Any:
    """Record a training step of a deep MLP."""
    parts: list[Any] = []
    for _ in range(layers):
        parts += [paddle.nn.Linear(8, 8), paddle.nn.ReLU()]
    return _record_step(paddle.nn.Sequential(*parts), paddle.rand([4, 8]))


def lenet() -> Any:
    """Record a training step of a LeNet."""
    net = paddle.nn.Sequential(
        paddle.nn.Conv2D(1, 6, 3, padding=1),
        paddle.nn.ReLU(),
        paddle.nn.MaxPool2D(2, 2),
        paddle.nn.Conv2D(6, 16, 3, padding=1),
        paddle.nn.ReLU(),
        paddle.nn.MaxPool2D(2, 2),
        paddle.nn.Flatten(),
        paddle.nn.Linear(64, 32),
        paddle.nn.ReLU(),
        paddle.nn.Linear(32, 10),
    )
    return _record_step(net, paddle.rand([8, 1, 8, 8]))


def transformer() -> Any:
    """Record a training step of a transformer layer."""
    return _record_step(paddle.nn.TransformerEncoderLayer(8, 2, 16), paddle.rand([1, 5, 8]))


def _record_step(net: Any, x: Any) -> Any:
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    with viz.record() as trace:
        net(x).mean().backward()
        sgd.step()
    return trace


ROWS: dict[str, Callable[[], Any]] = {
    "rounds": rounds,
    "thousand_rounds": thousand_rounds,
    "chain": chain,
    "deep_mlp": deep_mlp,
    "lenet": lenet,
    "transformer": transformer,
}


def cpu(work: Callable[[], Any]) -> float:
    """Return the CPU seconds of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main(names: list[str]) -> None:
    factor = UNIT / min(cpu(lambda: sum(i * i for i in range(2_000_000))) for _ in range(5))
    print(f"{'':16}{'steps':>8}{'record':>8}{'story':>8}{'page':>8}{'MB':>8}{'SVG':>8}")
    with TemporaryDirectory() as folder:
        _import_all(Path(folder))
        for name in names or ROWS:
            paddle.seed(0)
            print(f"{name:16}{_measure_row(ROWS[name], Path(folder), factor)}", flush=True)


def _measure_row(record: Callable[[], Any], folder: Path, factor: float) -> str:
    """Return the columns of one row."""
    page, picture = folder / "trace.html", folder / "trace.svg"
    kept: list[Any] = []
    recorded = factor * cpu(lambda: kept.append(record()))
    (trace,) = kept
    story = factor * cpu(lambda: [chapter.trace.story for chapter in trace.chapters])
    made = story + factor * cpu(lambda: trace.save(page))
    drawn = story + factor * cpu(lambda: trace.save(picture))
    size = page.stat().st_size / 1e6
    return f"{len(trace):8}{recorded:8.2f}{story:8.2f}{made:8.2f}{size:8.2f}{drawn:8.2f}"


def _import_all(folder: Path) -> None:
    """Import all that a first page and picture need, before it is measured."""
    with viz.record() as trace:
        paddle.tanh(paddle.to_tensor([1.0]))
    trace.save(folder / "first.html")
    trace.save(folder / "first.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
