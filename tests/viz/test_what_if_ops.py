"""Every op and its gradient follow from other inputs, as the engine computes them."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.ops import Op
from minipaddle.ops.record import Sample
from tests.each import each
from tests.ops.drawing import call, draw, flat, sampled, tensors_of
from viz.document.history import values_of
from viz.whatif.numbers import AsRecorded, Changed, array_of
from viz.whatif.replay import Replay

LEFT = {"copy_to"}  # a document has only the name of a device
SAMPLES = [pytest.param(*row[:2], id=row[2]) for row in sampled() if row[0].name not in LEFT]


def recorded(op: Op, sample: Sample, seed: int) -> tuple[viz.Trace, dict[int, Any]]:
    """Record a call with gradients; return the trace, and the inputs by number."""
    cotangents = np.random.default_rng(7)
    with viz.record() as trace:
        inputs = tensors_of(draw(op, sample, seed))
        numbers = [events.give_number(each) for each in flat(inputs)]
        outs = [each for each in flat(call(op, inputs, sample)) if not each.stop_gradient]
        seeds = [np.asarray(cotangents.uniform(-1, 1, each.shape)) for each in outs]
        if outs:
            like = [s.astype(str(o.numpy().dtype)) for s, o in zip(seeds, outs, strict=True)]
            paddle.autograd.backward(outs, [paddle.to_tensor(each) for each in like])
    assert trace.events
    pairs = zip(numbers, flat(inputs), strict=True)
    return trace, {trace._numbers.get(number, 0): each.numpy() for number, each in pairs}


@each(("op", "sample"), SAMPLES, quick=200)
def test_an_op_follows(op: Op, sample: Sample) -> None:
    (trace, _), (real, given) = recorded(op, sample, 0), recorded(op, sample, 1)
    before = AsRecorded()
    Replay(before, trace.events).walk()
    assert not before.failed
    assert not before.kept_as_recorded
    edits = {
        leaf.value.occurrence: [lambda _, array=given[leaf.seen.id]: array.copy()]
        for leaf in before.leaves
        if leaf.seen and leaf.seen.id in given
    }
    after = Changed(before, edits, {})
    Replay(after, trace.events).walk()
    assert {*after.stale.values()} <= {"size"}  # results whose size depends on the numbers
    for one, two in zip(trace.events, real.events, strict=True):
        for value, wanted in zip(values_of(one), values_of(two), strict=True):
            if value.occurrence not in after.stale:
                array = after.arrays.get(value.occurrence, before.arrays[value.occurrence])
                np.testing.assert_allclose(array, array_of(wanted), 1e-6, 1e-9)
