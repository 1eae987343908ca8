"""Small trainings in PyTorch with ten places each, at one of which a NaN or infinity is planted.

The comment of a line with a place has its number, and the op that makes the first NaN or infinity;
a `backward` after it says that the gradient of the op does.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

import viz

chosen: tuple[str, int, int] = ("", 0, 0)  # program, place, step
now = 0  # step


def begin(step: int) -> None:
    global now
    now = step


def at(place: int) -> bool:
    return chosen[1:] == (place, now)


class NoGradient(torch.autograd.Function):
    """The identity, with NaN as its gradient."""

    @staticmethod
    def forward(_context: Any, x: Any) -> Any:
        return x.clone()

    @staticmethod
    def backward(_context: Any, grad: Any) -> Any:
        return grad * float("nan")


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(8, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)
        self.bn = nn.BatchNorm2d(8)

    def forward(self, x: Any) -> Any:
        h = self.conv1(x)
        if at(0):
            h = torch.log(-h.abs() - 1)  # place 0: log
        h = F.relu(self.bn(h))
        if at(1):
            h = h / (h - h)  # place 1: divide
        h = self.conv2(h)
        if at(2):
            h = h * float("nan")  # place 2: scale
        return F.relu(h + x)


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem, self.block, self.head = nn.Conv2d(3, 8, 3), Residual(), nn.Linear(8, 4)

    def forward(self, x: Any) -> Any:
        h = self.stem(x)
        if at(3):
            h = torch.sqrt(-1 - h * h)  # place 3: sqrt
        h = self.block(h)
        if at(4):
            h = h.clone()
            h[0, 0] = float("nan")  # place 4: set_at
        h = h.mean((2, 3))
        if at(5):
            h = h + torch.sqrt(h.detach() - h)  # place 5: sqrt backward
        if at(6):
            h = torch.acos(h.abs() + 2)  # place 6: acos
        y = self.head(h)
        if at(7):
            y = NoGradient.apply(y)  # place 7: NoGradient backward
        if at(8):
            y = y.clone().fill_(float("nan"))  # place 8: fill
        if at(9):
            y = (-1 - y.abs()).pow(0.5)  # place 9: pow
        return y


def resnet(steps: int) -> None:
    net = ResNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    for step in range(steps):
        begin(step)
        images, labels = torch.randn(4, 3, 8, 8), torch.randint(4, (4,))
        loss = F.cross_entropy(net(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)
        self.norm, self.norm2 = nn.LayerNorm(16), nn.LayerNorm(16)
        self.mlp = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))
        self.register_buffer("mask", torch.full((6, 6), float("-inf")).triu(1))

    def forward(self, x: Any) -> Any:
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        if at(0):
            q = torch.rsqrt(-1 - q.abs())  # place 0: rsqrt
        scores = q @ k.transpose(1, 2) / 4
        if at(1):
            scores = scores * torch.tensor(float("nan"))  # place 1: multiply
        scores = scores + self.mask
        if at(2):
            scores = scores - scores  # place 2: subtract
        weights = F.softmax(scores, -1)
        if at(3):
            weights = weights.log().mul(0.0)  # place 3: log
        mixed = weights @ v
        if at(4):
            mixed = mixed / mixed.sum(-1, keepdim=True).mul(0).add(0)  # place 4: divide
        x = x + self.out(mixed)
        if at(5):
            x = x + torch.linalg.vector_norm(x - x, dim=-1, keepdim=True).pow(-1)  # place 5: pow
        h = self.mlp(self.norm2(x))
        if at(6):
            h = torch.log(h.detach() - h + 0.0) * 0.0  # place 6: log
        return x + h


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table, self.place = nn.Embedding(11, 16), nn.Parameter(torch.randn(6, 16))
        self.block, self.head = Attention(), nn.Linear(16, 11)

    def forward(self, ids: Any) -> Any:
        x = self.table(ids) + self.place
        if at(7):
            x = torch.asin(x.abs() + 1.5)  # place 7: asin
        x = self.block(x)
        if at(8):
            x = NoGradient.apply(x)  # place 8: NoGradient backward
        y = self.head(x)
        if at(9):
            y = torch.exp(y * 0 + 1000)  # place 9: exp
        return y


def gpt(steps: int) -> None:
    net = GPT()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for step in range(steps):
        begin(step)
        ids = torch.randint(11, (4, 7))
        loss = F.cross_entropy(net(ids[:, :-1]).reshape(-1, 11), ids[:, 1:].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.cell = nn.LSTM(4, 8, batch_first=True), nn.LSTMCell(8, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x: Any) -> Any:
        if at(0):
            x = x.log1p() if (x < -1).any() else (x - 9).log1p()  # place 0: log1p
        rows, _ = self.lstm(x)
        if at(1):
            rows = rows.masked_fill(rows > 0, float("nan"))  # place 1: masked_fill
        h = c = torch.zeros(len(x), 8)
        for turn in range(rows.shape[1]):
            if at(2) and turn == 2:
                h = h * float("nan")  # place 2: scale
            h, c = self.cell(rows[:, turn], (h, c))
            if at(3) and turn == 1:
                c = c.sub(c).div(c.sub(c))  # place 3: divide
            if at(4) and turn == 3:
                c = torch.sqrt(-c * c - 1)  # place 4: sqrt
            if at(5) and turn == 0:
                h = NoGradient.apply(h)  # place 5: NoGradient backward
        if at(6):
            h = torch.atanh(h.abs() + 2)  # place 6: atanh
        y = self.head(h)
        if at(7):
            y = torch.cat([y, y * float("inf") * 0])[: len(x)] * float("nan")  # place 7: scale
        if at(8):
            y = torch.log2(-y.abs() - 1)  # place 8: log2
        return y


def lstm(steps: int) -> None:
    net = Recurrent()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(steps):
        begin(step)
        x = torch.randn(4, 5, 4)
        loss = F.mse_loss(net(x), x.sum((1, 2)).unsqueeze(1))
        if at(9):
            loss = loss * float("nan")  # place 9: scale
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class VAE(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.decoder = nn.Linear(12, 8), nn.Linear(2, 12)
        self.mean, self.spread = nn.Linear(8, 2), nn.Linear(8, 2)

    def forward(self, x: Any) -> Any:
        h = torch.tanh(self.encoder(x))
        if at(0):
            h = h.pow(2).neg().sub(1).sqrt()  # place 0: sqrt
        mean, spread = self.mean(h), self.spread(h)
        if at(1):
            spread = spread + 1000  # the next exp is infinite
        scale = torch.exp(spread)  # place 1: exp
        if at(2):
            scale = torch.log(-scale)  # place 2: log
        z = mean + scale * torch.randn_like(scale)
        if at(3):
            z = z.clone()
            z[0] = float("nan")  # place 3: set_at
        if at(4):
            z = torch.where(z > 9, z, z / 0 * 0)  # place 4: divide
        y = self.decoder(z)
        if at(5):
            y = NoGradient.apply(y)  # place 5: NoGradient backward
        if at(6):
            y = torch.logit(y.abs() + 2)  # place 6: torch.logit
        y = torch.sigmoid(y)
        error = F.binary_cross_entropy(y, x) if not at(7) else (y - 2).log().mean()  # place 7: log
        apart = 0.5 * (mean**2 + scale**2 - 1 - 2 * spread).sum(1).mean()
        if at(8):
            apart = apart * torch.tensor(-1.0).sqrt()  # place 8: sqrt
        if at(9):
            apart = apart + (z - z).abs().sqrt().sum()  # place 9: sqrt backward
        return error + apart


def vae(steps: int) -> None:
    net = VAE()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for step in range(steps):
        begin(step)
        loss = net(torch.rand(6, 12))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def gan(steps: int) -> None:
    maker = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
    critic = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    first = torch.optim.Adam(maker.parameters(), lr=1e-3)
    second = torch.optim.Adam(critic.parameters(), lr=1e-3)
    for step in range(steps):
        begin(step)
        noise, real = torch.randn(5, 2), torch.randn(5, 3)
        made = maker(noise)
        if at(0):
            made = torch.acosh(-made.abs())  # place 0: acosh
        false = critic(made.detach())
        if at(1):
            false = false.div(0.0).sub(false.div(0.0))  # place 1: divide
        true = critic(real)
        if at(2):
            true = torch.log10(-1 - true.abs())  # place 2: log10
        loss = F.softplus(false).mean() + F.softplus(-true).mean()
        if at(3):
            loss = loss + NoGradient.apply(true).sum()  # place 3: NoGradient backward
        second.zero_grad()
        loss.backward()
        second.step()
        if at(4):
            with torch.no_grad():
                critic[0].weight.mul_(float("nan"))  # place 4: scale
        made = maker(torch.randn(5, 2))
        if at(5):
            made = made * made.mean().sub(made.mean()).reciprocal()  # place 5: reciprocal
        fooled = critic(made)
        if at(6):
            fooled = torch.sqrt(fooled.detach() - fooled) + fooled  # place 6: sqrt backward
        goal = F.softplus(-fooled).mean()
        if at(7):
            goal = torch.log(goal - goal) + goal  # place 7: log
        if at(8):
            goal = goal * float("nan")  # place 8: scale
        first.zero_grad()
        goal.backward()
        if at(9):
            maker[0].weight.grad.mul_(float("nan"))  # place 9: scale
        first.step()


PROGRAMS: dict[str, Callable[[int], None]] = {
    "resnet": resnet, "gpt": gpt, "lstm": lstm, "vae": vae, "gan": gan,
}  # fmt: skip
PLACES = 10


def place_of(program: str, place: int) -> tuple[int, str]:
    """Return the number of a place's line in this file, and its remark."""
    function = PROGRAMS[program].__code__
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    marks = [
        (number, found[1])
        for number, line in enumerate(lines[: function.co_firstlineno + 60], 1)
        if (found := re.search(rf"# place {place}: (.+)$", line))
    ]
    number, op = marks[[*PROGRAMS].index(program)]
    inner = NoGradient.backward.__code__.co_firstlineno + 2
    return (inner, "scale") if op.startswith("NoGradient") else (number, op)


def run(folder: str, program: str, place: int, step: int, steps: int) -> Any:
    """Train with a planted place, and return the flight."""
    global chosen
    torch.manual_seed(step)
    chosen = program, place, step
    with suppress(RuntimeError), viz.flight(folder, framework="torch") as flight:
        PROGRAMS[program](steps)  # the VAE's loss refuses NaN
    return flight


def found_by(flight: Any) -> list[Any]:
    """Return what the flight's files say: the round, the line, the op."""
    if flight.path is None:
        return ["nothing", 0, ""]
    trace = viz.load(flight.path.with_suffix(".json"))
    chapter = trace.chapter_at(flight.problem.step)
    step = chapter.trace.story.steps[flight.problem.step - chapter.first]
    event = chapter.trace.events[step.record]
    number = int(flight.path.stem.rpartition("_")[2])
    name = getattr(event, "op", "") or getattr(event, "name", "").replace("Backward", " backward")
    return [number, (step.told_line or step.line).number, name]


def complaints(count: int, seed: int) -> dict[str, Any]:
    """Plant `count` places of each program, each at a random step; return what is not found."""
    draw, wrong = random.Random(seed), {}
    for program in PROGRAMS:
        for place in draw.sample(range(PLACES), count):
            step = draw.randrange(8)
            line, op = place_of(program, place)
            with tempfile.TemporaryDirectory() as folder:
                found = found_by(run(folder, program, place, step, 9))
            if found != [step + 1, line, op]:
                wrong[f"{program}, place {place}"] = [[step + 1, line, op], found]
    return wrong


if __name__ == "__main__":
    print(json.dumps(complaints(*map(int, sys.argv[1:]))))
