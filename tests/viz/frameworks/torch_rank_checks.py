"""Checks of DistributedDataParallel on two processes: prints complaints as JSON."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import distributed, multiprocessing, nn

import viz
from minipaddle import events

RANKS = 2


class Branches(nn.Module):
    """A net of which each rank uses another layer."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 1) for _ in range(RANKS))

    def forward(self, x: Any) -> Any:
        return self.layers[distributed.get_rank()](x)


def train(rank: int, port: int, folder: str) -> None:
    """Record two rounds, the first of which keeps its gradients to itself."""
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    distributed.init_process_group("gloo", rank=rank, world_size=RANKS)
    torch.manual_seed(0)
    layers = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    net = nn.parallel.DistributedDataParallel(layers, gradient_as_bucket_view=True)
    sgd = torch.optim.SGD(net.parameters(), 0.1)
    x = torch.randn(5, 3) + rank
    with viz.record(framework="torch") as trace:
        with net.no_sync():
            net(x).square().mean().backward()
        loss = net(x).square().mean()
        with torch.no_grad():
            net(x)  # takes no average back
        loss.backward()
        sgd.step()
    trace.save(Path(folder) / f"{rank}.json")
    branches = nn.parallel.DistributedDataParallel(Branches(), find_unused_parameters=True)
    with viz.record(framework="torch") as trace:
        loss = branches(x).sum()
        loss.backward()
        total = loss.detach()
        distributed.all_reduce(total)
        distributed.broadcast(x, src=1)
        distributed.all_gather([torch.zeros(5, 3), torch.zeros(5, 3)], x + rank)
        late = total.repeat(2)
        work = distributed.all_reduce(late, async_op=True)
        total.mul_(2)
        work.wait()
    trace.save(Path(folder) / f"branches {rank}.json")
    with suppress(ZeroDivisionError), viz.flight(f"{folder}/{rank}", framework="torch"):
        large = torch.ones(5000)
        (large * 1).sum()
        distributed.all_reduce(large)
        large.sum() / (0 // 0)
    grads = [each.grad.numpy() for each in net.parameters()]
    np.savez(Path(folder) / f"{rank}.npz", *grads)
    distributed.destroy_process_group()


def numbers(value: Any) -> Any:
    return np.asarray(value.data["data"], np.float32)


def of_branches(traces: list[Any]) -> Iterator[str]:
    """Yield what is wrong with averages of zeros, and with the user's own collectives."""
    calls = [
        [e for e in each.events if isinstance(e, events.OpFinished) and "ranks" in e.attrs]
        for each in traces
    ]
    names = ["all_reduce"] * 5 + ["broadcast", "all_gather", "all_reduce"]
    if [[call.op for call in row] for row in calls] != [names] * RANKS:
        yield f"the collectives of branches are {calls}"
    for pair in zip(*calls, strict=True):
        given = [numbers(call.inputs[0].value) for call in pair]
        made = [[numbers(each.value) for each in call.outputs] for call in pair]
        wanted = {
            "all_reduce": [sum(given) / (RANKS if pair[0].attrs.get("op") == "avg" else 1)],
            "broadcast": [given[1]],
            "all_gather": given,
        }[pair[0].op]
        if not all(np.allclose(row, wanted) for row in made):
            yield f"{pair[0].op} of {given} is {made}"
    view = viz.ranks(traces)
    if not view.text().startswith("2 ranks and 8 collectives"):
        yield "the collectives of branches do not match"
    late = view.collectives[-1].first
    steps = [step.text for step in traces[0].steps]
    if late.begun is None or "× 2" not in "".join(steps[late.begun + 1 : late.step]):
        yield f"a collective with async_op begins after step {late.begun}, ends at {late.step}"
    copied = [text for text in steps if "is copied, giving branches(x)" in text]
    if any("Sink" in text for text in steps) or len(copied) != 1:
        yield f"what DistributedDataParallel does for itself is among {steps}"


def main() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with TemporaryDirectory() as folder:
        multiprocessing.spawn(train, (port, folder), RANKS)
        traces = [viz.load(Path(folder) / f"{rank}.json") for rank in range(RANKS)]
        others = [viz.load(Path(folder) / f"branches {rank}.json") for rank in range(RANKS)]
        flights = [viz.load(*Path(folder, str(rank)).glob("*.json")) for rank in range(RANKS)]
        grads = [[*np.load(Path(folder) / f"{rank}.npz").values()] for rank in range(RANKS)]
    found = []
    averaged = [
        [e for e in each.events if isinstance(e, events.OpFinished) and e.op == "all_reduce"]
        for each in traces
    ]
    if [len(each) for each in averaged] != [4] * RANKS:
        found.append(f"{[*map(len, averaged)]} averages")
    for one, other, mine, theirs in zip(*averaged, *grads, strict=True):
        given, made = (
            [numbers(getattr(e, side)[0].value) for e in (one, other)]
            for side in ("inputs", "outputs")
        )
        if not np.allclose(sum(given) / RANKS, made[0]) or np.allclose(*given):
            found.append(f"{given} are not averaged to {made}")
        if not all(map(np.array_equal, made, (mine, theirs))):
            found.append(f"{made} are not the gradients {mine}, {theirs}")
    text = viz.ranks(traces).text()
    if not text.startswith("2 ranks and 4 collectives"):
        found.append(text[:60])
    named = "all_reduce joins layers.0.weight.grad [4, 3]"
    if not any(step.text.startswith(named) for step in traces[0].steps):
        found.append("an average without the name of its gradient")
    found += of_branches(others)
    for trace in flights:
        last = [e for e in trace.events if isinstance(e, events.OpFinished)][-1]
        if last.inputs[0].value.data["stats"]["max"] != RANKS:
            found.append(f"{last.inputs[0].value.data} is not the sum over the ranks")
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
