"""Loops whose rounds are marked by the tests themselves, so that nothing has to be found."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

import minipaddle as paddle
import viz
from minipaddle import events, nn
from viz.document.rounds import RoundMark, SizeMark
from viz.model import Story


@contextmanager
def turn(trace: Any, kind: str = "training", **names: int) -> Iterator[RoundMark]:
    """What is recorded inside is one round."""
    recording = trace._recording
    mark = RoundMark(kind, len(recording.log), names=tuple(names.items()))
    recording.rounds.append(mark)
    yield mark
    mark.last = len(recording.log)


def size(array: Any) -> float:
    """The root mean square."""
    return float(np.sqrt(np.square(array.numpy()).mean()))


@cache
def training(rounds: int = 4, dropped: Collection[int] = frozenset()) -> Any:
    """Epochs of three batches, the last one smaller, with an evaluation after each of them.

    Of the rounds in `dropped` the steps are not kept.
    """
    paddle.seed(3)
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    rows = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")
    x, y = paddle.to_tensor(rows), paddle.to_tensor([0, 1, 0, 1, 1, 0])
    with viz.record() as trace:
        scaled = x * 0.5
        for k in range(rounds):
            batch = 2 if k % 4 == 2 else 6
            if k % 4 == 3:
                with turn(trace, "evaluation", epoch=k // 4), paddle.no_grad():
                    net(scaled).argmax(1)
                continue
            with turn(trace, epoch=k // 4, batch=k % 4) as mark:
                loss = nn.functional.cross_entropy(net(scaled[:batch]), y[:batch])
                loss.backward()
                sgd.step()
                mark.loss = float(loss)
                mark.sizes = [
                    SizeMark(events.number_of(p), size(p), size(p.grad)) for p in net.parameters()
                ]
                sgd.clear_grad(set_to_zero=False)
            if k in dropped:
                del trace._recording.log[mark.first :]
                mark.last = mark.first
    return trace


def stories(trace: Any) -> list[Story]:
    return [chapter.trace.story for chapter in trace.chapters]
