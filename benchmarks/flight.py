"""Time a training step of a ResNet-18 in PyTorch, plain and inside `viz.flight`, in turns.

    python benchmarks/flight.py [--batch 8] [--size 64] [--steps 5] [--turns 4]

It needs PyTorch. Each turn times a few steps plain, then as many in a flight; the medians count.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

import viz

clock = time.perf_counter


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


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, number in (("batch", 8), ("size", 64), ("steps", 5), ("turns", 4)):
        parser.add_argument(f"--{name}", type=int, default=number)
    given = parser.parse_args()
    torch.manual_seed(0)
    net = ResNet18()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    images = torch.randn(given.batch, 3, given.size, given.size)
    labels = torch.randint(1000, (given.batch,))

    def steps(note: Callable[[float], None]) -> None:
        for _ in range(given.steps):
            begin = clock()
            optimizer.zero_grad()
            F.cross_entropy(net(images), labels).backward()
            optimizer.step()
            note(clock() - begin)

    plain: list[float] = []
    flown: list[float] = []
    steps(lambda _: None)
    for _ in range(given.turns):
        steps(plain.append)
        with tempfile.TemporaryDirectory() as folder, viz.flight(folder, framework="torch"):
            steps(flown.append)
    once, other = statistics.median(plain), statistics.median(flown)
    print(f"{given.batch} images of {given.size} x {given.size}, PyTorch {torch.__version__}")
    print(f"plain  {once * 1e3:7.1f} ms\nflight {other * 1e3:7.1f} ms, {other / once:.2f} times")


if __name__ == "__main__":
    main()
