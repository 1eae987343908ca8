"""Floating point operations of a call, by formulas of its shapes.

The formulas are real Paddle's (`paddle.utils.flops`), except for products with a vector: a product
and a convolution count a multiplication and an addition as two. Moving elements counts 0. A
gradient counts as its op, once for each input that gets one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

Shape = Sequence[int]
Formula = Callable[[Sequence[Shape], Sequence[Shape], Mapping[str, Any]], int]


def _matmul_flops(
    inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Mapping[str, Any]
) -> int:
    first = inputs[0]
    turned = attrs.get("transpose_x") and len(first) > 1
    return 2 * prod(outputs[0]) * first[-2 if turned else -1]


def _flops_of_input(times: int) -> Formula:
    return lambda inputs, _outputs, _attrs: times * prod(inputs[0])


_ELEMENTS = """add subtract multiply divide maximum minimum pow elementwise_pow abs exp log sqrt
rsqrt square reciprocal sin cos tan tanh sigmoid scale relu relu6 leaky_relu elu prelu silu
softplus clip floor_divide remainder"""
_SUMS = "sum mean max min prod logsumexp avg_pool2d max_pool2d max_pool2d_with_index"

FORMULAS: Mapping[str, Formula] = {
    **dict.fromkeys(_ELEMENTS.split(), lambda _inputs, outputs, _attrs: prod(outputs[0])),
    **dict.fromkeys(_SUMS.split(), _flops_of_input(1)),
    **dict.fromkeys(("matmul", "bmm", "mv", "dot"), _matmul_flops),
    # A filter has only the channels of the filter's group.
    "conv2d": lambda inputs, outputs, _attrs: 2 * prod(outputs[0]) * prod(inputs[1][1:]),
    "conv2d_transpose": lambda inputs, *_: 2 * prod(inputs[0]) * prod(inputs[1][1:]),
    "gelu": _flops_of_input(5),
    "softmax": _flops_of_input(3),
    "layer_norm": lambda inputs, _, attrs: (8 if attrs.get("epsilon") else 7) * prod(inputs[0]),
    "batch_norm": _flops_of_input(2),
}


def flops_of(
    op: str, inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Mapping[str, Any]
) -> int:
    """Return the operations of one call; 0 for an op without a formula.

    >>> flops_of("matmul", [(2, 3), (3, 4)], [(2, 4)], {})
    48
    """
    formula = FORMULAS.get(op)
    return formula(inputs, outputs, attrs) if formula and inputs and outputs else 0
