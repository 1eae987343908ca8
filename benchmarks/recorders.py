"""Time PyTorch training steps plain, and watched by `viz` and by other tools, in turns.

    python benchmarks/recorders.py [MODEL ...] [--turns 4]

It needs PyTorch; TorchLens and torchvista have their rows where they are installed. `record` is one
recorded step without its page; `flight` is a step inside `viz.flight`; `anomaly mode` is PyTorch's
own. TorchLens captures forward and backward; torchvista draws the forward pass alone. A row has the
median of its turns, and its ratio to the plain step.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

import viz

clock = time.perf_counter
STEPS = 3  # in one flight


class Block(nn.Module):
    """Residual block of two convolutions."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(after)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(after)
        self.shortcut = nn.Sequential()
        if stride != 1 or before != after:
            self.shortcut = nn.Sequential(
                nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(h)) + self.shortcut(x))


class ResNet18(nn.Module):
    """ResNet-18 for images of any size."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 64, 7, 2, 3, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, 1),
        )
        sizes = ((64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2))
        self.blocks = nn.Sequential(
            *(block for a, b, s in sizes for block in (Block(a, b, s), Block(b, b, 1)))
        )
        self.head = nn.Linear(512, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


class Attention(nn.Module):
    """Block of a GPT: causal attention, then two linear layers."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mixed, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.mixed(self.norm1(x)).unflatten(2, (3, self.heads, -1)).transpose(1, 3)
        q, k, v = parts.unbind(2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + self.out(y)
        return x + self.mlp(self.norm2(x))


def mlp() -> tuple[nn.Module, Any, Any]:
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    return net, torch.randn(32, 64), torch.randint(10, (32,))


def gpt() -> tuple[nn.Module, Any, Any]:
    blocks = (Attention(128, 4) for _ in range(4))
    net = nn.Sequential(nn.Embedding(256, 128), *blocks, nn.Linear(128, 256), nn.Flatten(0, 1))
    return net, torch.randint(256, (8, 64)), torch.randint(256, (8 * 64,))


def resnet() -> tuple[nn.Module, Any, Any]:
    return ResNet18(), torch.randn(8, 3, 64, 64), torch.randint(1000, (8,))


MODELS: dict[str, Callable[[], tuple[nn.Module, Any, Any]]] = {
    "mlp": mlp,
    "gpt": gpt,
    "resnet": resnet,
}


def rows_of(net: nn.Module, x: Any, labels: Any) -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the name of each tool, and a function that returns the seconds of a step with it."""
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(net(x), labels).backward()
        optimizer.step()

    def timed(work: Callable[[], Any]) -> float:
        begin = clock()
        work()
        return clock() - begin

    def flown() -> float:
        with tempfile.TemporaryDirectory() as folder, viz.flight(folder, framework="torch"):
            return statistics.median(timed(step) for _ in range(STEPS))

    def within(context: Callable[[], Any]) -> float:
        with context():
            return timed(step)

    yield "plain", lambda: statistics.median(timed(step) for _ in range(STEPS))
    yield "flight", flown
    yield "record", lambda: within(lambda: viz.record(framework="torch"))
    yield "anomaly mode", lambda: within(torch.autograd.detect_anomaly)
    if find_spec("torchlens"):
        lens = importlib.import_module("torchlens")
        options = importlib.import_module("torchlens.options").CaptureOptions(backward_ready=True)

        def captured() -> None:
            trace = lens.trace(net, x, capture=options)
            trace.log_backward(F.cross_entropy(trace[trace.output_layers[0]].out, labels))

        yield "TorchLens", lambda: timed(captured)
    if find_spec("torchvista"):
        vista = importlib.import_module("torchvista")
        with tempfile.TemporaryDirectory() as folder:
            path = {"export_format": "html", "export_path": f"{folder}/page.html"}
            yield "torchvista, forward", lambda: timed(lambda: vista.trace_model(net, x, **path))


def main() -> None:
    """Run the command that the module's docstring describes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", default=[*MODELS])
    parser.add_argument("--turns", type=int, default=4)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads")
    for name in given.models:
        torch.manual_seed(0)
        rows = dict(rows_of(*MODELS[name]()))
        seconds: dict[str, list[float]] = {tool: [] for tool in rows}
        for turn in range(given.turns + 1):
            for tool, work in rows.items():
                with contextlib.redirect_stdout(io.StringIO()):
                    spent = work()
                if turn:  # the first turn imports and warms up
                    seconds[tool].append(spent)
        plain = statistics.median(seconds["plain"])
        for tool, row in seconds.items():
            middle = statistics.median(row)
            print(f"{name:8}{tool:22}{middle * 1e3:9.1f} ms{middle / plain:8.2f}", flush=True)


if __name__ == "__main__":
    main()
