"""Whole networks, forward and backward, give in Node.js what was recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.events import Seen, Value
from minipaddle.ops.recording_arrays import Traced, record_with
from viz.trace import Trace
from viz.whatif.instructions import plain_numbers
from viz.whatif.listing import Listing
from viz.whatif.replay import Replay, alike, recorded

from .composing import machines

nn, F = paddle.nn, paddle.nn.functional


class Noted:
    """The numbers of a replay, noted; those of some leaves are given as others later."""

    def __init__(self) -> None:
        self.listing = Listing()
        self.given: dict[int, Any] = {}
        self.shown_as: dict[int, Any] = {}  # number of an array -> what was recorded there

    def _hold(self, array: Traced, numbers: Any) -> Traced:
        self.given[array._number] = numbers
        return array

    def leaf(self, value: Value, _seen: Seen | None) -> Traced:
        return self._hold(self.listing.leaf(recorded(value)), recorded(value))

    def kept(self, value: Value, made_from: list[Any]) -> Traced:
        return self._hold(self.listing.kept(recorded(value), made_from), recorded(value))

    def fits(self, array: Traced, value: Value) -> bool:
        return recorded(value) is None or alike(array._array, recorded(value))

    def shown(self, value: Value, array: Traced) -> None:
        if recorded(value) is not None:
            self.shown_as[self.listing.snapshot(array)] = recorded(value)


def lenet() -> Trace:
    net = nn.Sequential(
        *(nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2)),
        *(nn.Conv2D(6, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2)),
        *(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)),
    )
    x, label = paddle.rand([8, 1, 8, 8]), paddle.arange(8)
    with viz.record() as trace:
        F.cross_entropy(net(x), label).backward()
    return trace


def transformer() -> Trace:
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
    x = paddle.rand([1, 5, 8])
    with viz.record() as trace:
        (layer(x) ** 2).mean().backward()
    return trace


def mlp() -> Trace:
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    x, label = paddle.rand([5, 4]), paddle.to_tensor([0, 1, 2, 0, 1])
    with viz.record() as trace:
        F.cross_entropy(net(x), label).backward()
    return trace


@pytest.mark.parametrize("make", [lenet, transformer, mlp])
def test_the_machine_computes_what_was_recorded(make: Callable[[], Trace]) -> None:
    paddle.seed(0)
    trace, noted = make(), Noted()
    with record_with(noted.listing):
        Replay(noted).walk(trace.events)
    first = [[number, plain_numbers(array)] for number, array in noted.given.items()]
    other = [
        [number, plain_numbers(array * 1.5 + 0.25)]
        for number, array in noted.given.items()
        if array.dtype.kind == "f"
    ]
    asked = {
        "program": noted.listing.as_json(),
        "runs": [first, other, first],
        "wanted": list(noted.shown_as),
    }
    before, between, after = machines([asked])[0]
    assert len(noted.shown_as) > 20
    assert before == after != between
    arrays = noted.shown_as.values()
    largest = max(float(np.sqrt(np.mean(a**2))) for a in arrays if a.dtype.kind == "f" and a.size)
    for array, got in zip(arrays, before, strict=True):
        numbers = np.array(got["numbers"], array.dtype).reshape(array.shape)
        # A gradient that is nothing but rounding is as large as the rounding of the rest.
        assert not got["stale"]
        assert np.allclose(numbers, array, 1e-5, max(1e-5 * rms(array), 1e-7 * largest))


def rms(array: Any) -> float:
    return float(np.sqrt(np.mean(np.square(array, dtype=float))))
