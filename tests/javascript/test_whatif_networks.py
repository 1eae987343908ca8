"""Whole networks, forward and backward, give in Node.js what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle.events import Seen
from minipaddle.ops.recording_arrays import Traced, record_with
from tests.static.world import fresh
from viz.trace import Trace
from viz.whatif.held import Held
from viz.whatif.instructions import plain_numbers
from viz.whatif.listing import Listing
from viz.whatif.numbers import AsRecorded, array_of, fits
from viz.whatif.replay import Replay

from .composing import machines

nn, F = paddle.nn, paddle.nn.functional


class Noted(AsRecorded):
    """The numbers of a replay, noted; those of some leaves are given as others later."""

    def __init__(self) -> None:
        super().__init__()
        self.listing = Listing()
        self.given: dict[int, Any] = {}
        self.shown_as: dict[int, Any] = {}  # number of an array -> what was recorded there

    def leaf(self, value: Any, seen: Seen | None, record: int, free: bool = False) -> Held:
        return Held(self._hold(self.listing.leaf(array_of(value))))

    def linked(self, seen: Seen, candidates: Sequence[Held]) -> Held | None:
        known: Any = seen.value
        same = (each for each in candidates if fits(each.array._array, known))
        return next(same, None)

    def kept(self, value: Any) -> Traced:
        return self._hold(self.listing.kept(array_of(value), []))

    def _hold(self, array: Traced) -> Traced:
        self.given[array._number] = array._array
        return array

    def follows(self, value: Any, array: Any, made_from: Any = ()) -> str:
        return "" if fits(array._array, value) else "python"

    def shown(self, value: Any, held: Held) -> None:
        known = array_of(value)
        if known is not None:
            self.shown_as[self.listing.snapshot(held.array)] = known


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


def program() -> Trace:
    with fresh() as (main, startup):
        x, label = (
            paddle.static.data("x", [None, 4]),
            paddle.static.data("label", [None, 1], "int64"),
        )
        hidden = paddle.static.nn.fc(x, 8, activation="tanh")
        loss = F.cross_entropy(paddle.static.nn.fc(hidden, 3), label)
        paddle.static.append_backward(loss)
        executor = paddle.static.Executor()
        executor.run(startup)
        feed = {"x": np.ones((2, 4), "float32"), "label": np.array([[0], [2]])}
        with viz.record() as trace:
            executor.run(main, feed=feed, fetch_list=[loss])
    return trace


@pytest.mark.parametrize("make", [lenet, transformer, mlp, program])
def test_the_machine_computes_what_was_recorded(make: Callable[[], Trace]) -> None:
    paddle.seed(0)
    trace, noted = make(), Noted()
    with record_with(noted.listing):
        Replay(noted, list(trace.events), plainly=True).walk()
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
