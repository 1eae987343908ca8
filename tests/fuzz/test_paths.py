"""In random programs, the paths to any element of any gradient add up to it, at every cut."""

import random
from collections.abc import Callable

import numpy as np
import pytest

import viz
from viz.explanation.gradient_flow import place_of
from viz.explanation.linear_maps import products
from viz.views.paths import Paths

from .programs import EAGER, Program, programs
from .test_what_if import recorded

pytestmark = pytest.mark.slow


def test_paths_add_up_to_the_gradient(fuzz: Callable) -> None:
    def check(program: Program) -> None:
        trace, _ = recorded(program, np.asarray)
        for number in sorted({number for number, _ in trace.names}):
            found = paths_to(trace, number)
            if found is not None:
                adds_up(found)

    fuzz(check, programs(EAGER), 15, part=0.04)


def paths_to(trace: viz.Trace, number: int) -> Paths | None:
    """Check the paths to some element of a tensor's gradient, if it has one."""
    place = place_of(trace.events, number)
    grads = [e.grad for e in trace.events if getattr(getattr(e, "tensor", None), "id", 0) == number
             and hasattr(e, "grad")]  # fmt: skip
    if place is None or not grads or 0 in grads[-1].shape:
        return None
    draw = random.Random(number)
    index = tuple(draw.randrange(size) for size in grads[-1].shape)
    return Paths(trace, "x", place, index, 10**6)


def adds_up(found: Paths) -> None:
    split, whole = found.split, found.found.positive - found.found.negative
    slack = 1e-9 * whole + 1e-300
    assert abs(found.total - found.recorded) <= 2e-5 * max(whole, abs(found.recorded)) + 1e-12
    assert found.complete
    assert abs(sum(path.contribution for path in found.paths) - found.total) <= slack
    for box in split.order:  # a cut on either side of the box
        came = sum(
            split.shares.get(n, 0.0) for port in split.ports(box) for n in split.coming[port]
        )
        left = sum(split.shares[n] for n in split.wires_to_element(box))
        assert abs(came - left) <= slack
    for path in found.paths:
        product = path.begins
        for step in path.steps:
            product *= 0.0 if step.factor is None else step.factor
        assert abs(product - path.contribution) <= slack
    at_the_end = [split.grads[n] for n in split.coming[split.end]]
    last = sum(products([(grad, split.changes[split.end])]) for grad in at_the_end)
    assert abs(last - found.total) <= slack
