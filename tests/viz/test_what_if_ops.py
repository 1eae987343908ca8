"""Every op and its gradient follow from other inputs; NumPy's calls are listed, or why not."""

from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
import viz
from minipaddle import events
from minipaddle.ops import Op
from minipaddle.ops.record import Sample
from minipaddle.ops.recording_arrays import RECORDING, Untraceable, record_with
from minipaddle.ops.rule_functions import host_check
from tests.each import each
from tests.ops.drawing import call, draw, flat, sampled, tensors_of
from viz.document.history import values_of
from viz.whatif.listing import Listing
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


# ----- NumPy's calls as instructions -------------------------------------------------------------


def code_of(work: Any, *arrays: Any) -> list[list[Any]]:
    """Return the instructions of some work on leaves, without those of the leaves."""
    listing = Listing()
    with record_with(listing):
        work(*[listing.leaf(np.asarray(array)) for array in arrays])
    code: list[list[Any]] = listing.as_json()["code"]
    return [each for each in code if each[0] != "leaf"]


SINGLE = np.ones((2, 3), "float32")


def test_a_plain_number_is_as_exact_as_the_array_beside_it() -> None:
    single = float(np.float32(0.1))
    assert code_of(lambda x: x > 0.1, SINGLE) == [["map", 1, "greater", [0, [single]]]]
    assert code_of(lambda x: x > 0.1, np.ones(2)) == [["map", 1, "greater", [0, [0.1]]]]
    assert code_of(lambda x: x * 0.1, [1, 2]) == [["map", 1, "multiply", [0, [0.1]]]]


def test_a_comparison_has_the_bounds_between_which_its_answer_holds() -> None:
    inside = host_check(lambda _xp, x: bool((x < 5).all()), same_between=lambda x: (x, 0, 4))
    other = host_check(lambda _xp, x: bool(x.any()))

    def asks(x: Any) -> None:
        inside(RECORDING, x)
        other(RECORDING, x)

    assert code_of(asks, [1, 2]) == [["asked", 0, 0, 4], ["asked", 0, None, None]]
    assert code_of(asks, [1, 7])[0] == ["asked", 0, None, None]  # the other answer


@each(
    ("work", "why"),
    [
        (lambda x: RECORDING.nonzero(x, x), "np.nonzero"),
        (lambda x: RECORDING.nextafter(x, x), "np.nextafter()"),
        (lambda x: RECORDING.asnumpy(x, x), "xp.asnumpy"),
        (lambda x: RECORDING.add.reduce(x, initial=2.0), "np.add.reduce(initial=)"),
        (lambda x: x.astype("float16"), "arrays of float16"),
        (lambda x: x[x > 0], "the shape of x[mask] depends on the mask"),
        (lambda x: bool(x.any()), "the kernel asks for a value"),
        (lambda x: RECORDING.einsum("...i->...", x), "np.einsum of '...i->...'"),
        (lambda x: x.reshape(6, order="F"), "elements in another order"),
    ],
)
def test_an_op_that_cannot_be_listed_says_so(work: Any, why: str) -> None:
    with pytest.raises(Untraceable) as told:
        code_of(work, SINGLE)
    assert str(told.value) == why
