"""The instructions noted for a what-if compute what the kernel and the rule compute."""

import numpy as np

from minipaddle.ops import REGISTRY, Op
from minipaddle.ops.recording_arrays import Untraceable
from tests.each import each

from .drawing import attrs_of, draw
from .noting import computed, noted

OPS = [op for _, op in sorted(REGISTRY.items()) if op.samples and not op.random]


@each("op", OPS, ids=[op.name for op in OPS])
def test_a_noted_call_computes_the_results_of_the_op(op: Op) -> None:
    arrays, attrs = draw(op, op.samples[0], 1), attrs_of(op, op.samples[0])
    try:
        told = noted(op, arrays, attrs)
    except Untraceable:  # docs/what_if.md lists these
        return
    wanted = computed(op, arrays, attrs)
    for one, array in zip((*told.outs, *told.grads), wanted, strict=True):
        np.testing.assert_allclose(one._array, array, rtol=1e-12, atol=1e-14)
