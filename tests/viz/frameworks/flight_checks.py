"""Checks of `viz.flight` in a process with PyTorch; prints what is wrong as JSON."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch
from torch import nn
from torch.overrides import _get_current_function_mode_stack

import viz
from minipaddle import events


def train(
    flight: Any, steps: int, change: Callable[[int, Any], Any], note: Callable[[], None]
) -> list[float]:
    """Train a small net; `change(step, loss)` is what the program does wrong."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(80, 80), nn.ReLU(), nn.Linear(80, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    losses = []
    with flight:
        for step in range(steps):
            loss = change(step, net(torch.randn(16, 80)).square().mean())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            note()
    return losses


def stays_flat(folder: str) -> str:
    flight, sizes = viz.flight(folder, framework="torch"), []

    def note() -> None:
        sizes.append((len(flight.saved.recording.log), tracemalloc.get_traced_memory()[0]))

    tracemalloc.start()
    train(flight, 200, lambda _, loss: loss, note)
    tracemalloc.stop()
    early, late = sizes[110:120], sizes[190:]
    flat = max(late)[0] <= max(early)[0] and max(m for _, m in late) < 1.05 * max(
        m for _, m in early
    )
    return "" if flat and flight.path is None else f"{early} {late} {flight.path}"


def goes_on_alone(folder: str) -> str:
    """Return what is left of the recorder after a NaN, or how the numbers of the run differ."""
    flight, inside = viz.flight(folder, framework="torch"), []
    call = nn.Module.__call__

    def change(step: int, loss: Any) -> Any:
        return loss * float("nan") if step == 4 else loss

    def note() -> None:
        inside.append((nn.Module.__call__ is call, not _get_current_function_mode_stack()))

    recorded = train(flight, 9, change, note)
    plain = train(torch.enable_grad(), 9, change, lambda: None)
    alone = inside[6:] == [(True, True)] * 3 and not any(map(all, inside[:4]))
    same = str(recorded) == str(plain)
    return "" if alone and same and flight.problem.kind == "nan" else f"{inside} {recorded} {plain}"


def hole(step: int) -> float:
    """Return the number that fills a large tensor, NaN in the seventh round."""
    return float("nan") if step == 6 else 1.0


def names_kinds(folder: str) -> str:
    """Return the kinds of problems that were not named."""
    found = {}
    changes = {
        "exploding": lambda step, loss: loss * 1e6 if step == 6 else loss,
        "dead": lambda step, loss: loss * 0.0 if step > 1 else loss,
        "ZeroDivisionError": lambda step, loss: loss * (1 + 0 // (6 - step)),
        "large": lambda step, loss: loss + torch.full((6000,), hole(step)).nan_to_num().sum() * 0,
        "nothing": lambda _, loss: loss * 1.0,
        "mask": lambda _, loss: loss + torch.full((2,), float("-inf")).exp().sum(),
    }
    for kind, change in changes.items():
        flight = viz.flight(folder, framework="torch")
        with suppress(ZeroDivisionError):
            train(flight, 15, change, lambda: None)
        found[kind] = flight.problem and (flight.problem.kind, flight.path.name)
    wanted = {
        "exploding": ("exploding", "exploding_round_7.html"),
        "dead": ("dead", "dead_round_12.html"),
        "ZeroDivisionError": ("ZeroDivisionError", "ZeroDivisionError_round_7.html"),
        "large": ("nan", "nan_round_7.html"),
        "nothing": None,
        "mask": None,
    }
    return "" if found == wanted else str(found)


def through_numpy(x: Any) -> None:
    x.numpy()[7, 3] = float("nan")


def sees_each_element(folder: str) -> str:
    """Return the ways to write one NaN into a tensor that the page's file does not show."""
    nan, missed = torch.full((), float("nan")), {}
    ways: dict[str, tuple[Any, Callable[[Any], None]]] = {
        "element": (torch.randn(300, 301), lambda x: x[7, 3].fill_(nan)),
        "columns first": (torch.randn(301, 300).T, lambda x: x[7, 3].fill_(nan)),
        "part": (torch.randn(300, 400)[:, 9:310], lambda x: x[7, 3].fill_(nan)),
        "few": (torch.randn(30, 31), lambda x: x[7, 3].fill_(nan)),
        "another memory": (torch.randn(300, 301), lambda x: setattr(x, "data", x.data * nan)),
        "data": (torch.randn(300, 301), lambda x: x.data[7, 3].fill_(nan)),
        "numpy": (torch.randn(300, 301), through_numpy),
        "inference": (torch.inference_mode()(torch.randn)(300, 301), lambda x: x[7, 3].fill_(nan)),
    }
    for way, (x, write) in ways.items():
        with viz.flight(folder, framework="torch", title=way) as flight:
            for step in range(3):
                (torch.ones(1, requires_grad=True) * 2).sum().backward()
                before = x * 1
                if step == 1:
                    with torch.inference_mode(x.is_inference()):
                        write(x)
                after = x * 1
        odd = [int(torch.isnan(each).sum()) for each in (before, after)]
        trace = viz.load(flight.path.with_suffix(".json")) if flight.path else None
        told = [
            each.inputs[0].value.data["stats"]["nan"]
            for each in (trace.events if trace else ())
            if isinstance(each, events.OpFinished)
            and [one.value.shape for one in each.inputs] == [tuple(x.shape)]
        ]
        if not told or 0 not in told or told[-1] != odd[-1]:
            missed[way] = told, odd
    return str(missed) if missed else ""


if __name__ == "__main__":
    CHECKS = stays_flat, goes_on_alone, names_kinds, sees_each_element
    with tempfile.TemporaryDirectory() as place:
        said = {check.__name__: check(place) for check in CHECKS}
    print(json.dumps({name: text for name, text in said.items() if text}))
