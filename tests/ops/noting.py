"""Run an op and its gradient rule on recording arrays, as replays of traces do."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minipaddle.ops import Op
from minipaddle.ops.bound import Gradient, names_read
from minipaddle.ops.recording_arrays import RECORDING, Traced, record_with
from minipaddle.ops.rule_functions import array_functions
from viz.whatif.listing import Listing

from .drawing import flat, like

Way = Callable[[Any, Listing], Traced]  # makes an array an input: a leaf or a constant


class Noted(NamedTuple):
    """The recorded call of an op and of its gradient rule."""

    listing: Listing
    outs: list[Any]
    grads: list[Any]


def as_leaf(array: Any, listing: Listing) -> Traced:
    return listing.leaf(array)


def noted(op: Op, arrays: list[Any], attrs: dict[str, Any], way: Way = as_leaf) -> Noted:
    """Return the instructions of a call; raise Untraceable if it cannot be noted."""
    listing = Listing()
    with record_with(listing):
        inputs = like(arrays, [way(array, listing) for array in flat(arrays)])
        outs = results(op, RECORDING, inputs, attrs)
        outs = [o if isinstance(o, Traced) else listing.constant(o) for o in outs]
        grads = gradients(op, RECORDING, inputs, outs, attrs, listing.leaf)
    return Noted(listing, outs, [grad for grad in grads if isinstance(grad, Traced)])


def computed(op: Op, arrays: list[Any], attrs: dict[str, Any]) -> list[Any]:
    """Return the outputs, then the gradients, computed by NumPy."""
    outs = [np.asarray(out) for out in results(op, np, arrays, attrs)]
    grads = gradients(op, np, arrays, outs, attrs, lambda array: array)
    return outs + [np.asarray(grad) for grad in grads if grad is not None]


def results(op: Op, xp: Any, inputs: list[Any], attrs: dict[str, Any]) -> list[Any]:
    xp = xp if flat(inputs) else np  # a result without inputs is a constant
    result = op.kernel(xp, *inputs, **attrs)
    return list(result) if isinstance(result, (tuple, list)) else [result]


def gradients(
    op: Op, xp: Any, inputs: list[Any], outs: list[Any], attrs: dict[str, Any], seed: Any
) -> list[Any]:
    """Return the rule's gradients for fixed cotangents, before sums; [] without floats."""
    slots = [x for each in inputs for x in (each if isinstance(each, list) else [each])]
    needs = [x is not None and x.dtype.kind == "f" for x in slots]
    graded = [slot for slot in op.graded_slots(len(outs)) if outs[slot].dtype.kind == "f"]
    if op.rule is None or not any(needs) or not graded:
        return []
    rng = np.random.default_rng(9)
    arrived = [seed(rng.normal(size=outs[i].shape).astype(outs[i].dtype)) for i in graded]
    known = dict(zip(op.inputs, inputs, strict=False))
    known |= dict(zip(op.outputs, [outs] if op.list_result else outs, strict=False))
    reads = names_read(op)
    values = (*[known[name] for name in reads], *([arrived] if op.list_result else arrived))
    rule = Gradient(op, attrs, reads, needs)
    return flat(rule.before_sums(array_functions(xp), values, plainly=True))
