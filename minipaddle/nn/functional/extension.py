"""Smoothed labels, sequence masks, and cosine similarity."""

from __future__ import annotations

from typing import Any

from ...engine.errors import Unimplemented
from ...engine.meta import Meta, no_kernel
from ...engine.tensor import Tensor
from ...ops.arguments import number, round_to_float32
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import rounds_once
from .. import errors


@rounds_once
def label_smooth(
    label: Any, prior_dist: Any = None, epsilon: float = 0.1, name: str | None = None
) -> Any:
    """(1 − epsilon) · label + epsilon · prior_dist; the prior is 1 / classes if None.

    Shapes: for example label [1, 2], epsilon=0.5 gives [1, 2].
    Dtypes: floating kept.
    Errors: RuntimeError for complex, integers, bool.

    >>> import minipaddle as paddle
    >>> label = paddle.to_tensor([[0.0, 1.0]])
    >>> paddle.nn.functional.label_smooth(label, epsilon=0.5).tolist()
    [[0.25, 0.75]]
    """
    if not 0.0 <= epsilon <= 1.0:
        raise errors.misfit("label_smooth", "0 <= epsilon <= 1", epsilon=epsilon)
    kind = label.meta if hasattr(label, "meta") else Meta(tuple(label.shape), label._data.dtype)
    if kind.dtype.kind != "f":
        raise no_kernel("label_smooth", "label", kind)
    epsilon = round_to_float32(epsilon)
    scaled = label * round_to_float32(1.0 - epsilon)
    if prior_dist is None:
        return scaled + round_to_float32(epsilon / (label.shape[-1] or 1))
    return scaled + prior_dist * epsilon


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """For each length in x a row with that many ones, then zeros up to maxlen.

    maxlen is the largest length by default; a Program needs it.

    Shapes: for example x [2] gives [2, 3].
    Dtypes: floating, integers give int64.
    Errors: NotImplementedError if x is not a Tensor; TypeError for complex, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.sequence_mask(paddle.to_tensor([1, 3])).tolist()
    [[1, 0, 0], [1, 1, 1]]
    """
    if maxlen is None:
        if not isinstance(x, Tensor):
            raise errors.unknown_in_program("sequence_mask", "maxlen", Unimplemented)
        maxlen = x._data.max()
    count = int(number(maxlen))
    places = ops.arange(start=0, end=count, step=1, dtype=x.dtype)
    inside = ops.less_than(places, ops.unsqueeze(x, axis=-1))
    return ops.cast(inside, dtype=dtype)


# ----- similarity --------------------------------------------------------------------------------


@rounds_once
def cosine_similarity(x1: Any, x2: Any, axis: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of the angle between x1 and x2 along an axis.

    Shapes: for example x1 [1, 2], x2 [1, 2] gives [1].
    Dtypes: floating kept.
    Errors: ValueError if x1 is not a Tensor, if there is no such axis, if the shapes do not fit;
    RuntimeError for complex, bool, uint8, int8, int16; TypeError for int32, int64.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[3.0, 4.0]])
    >>> paddle.nn.functional.cosine_similarity(x, paddle.to_tensor([[4.0, 3.0]])).tolist()
    [0.9599999785423279]
    """
    total, square = ops.sum, ops.square
    if list(x1.shape) != list(x2.shape):  # norms along the broadcast axis
        x1, x2 = ops.broadcast_tensors([x1, x2])
    lengths = ops.multiply(total(square(x1), axis=axis), total(square(x2), axis=axis))
    floored = ops.clip(lengths, min=eps * eps)
    return total(x1 * x2, axis=axis) / ops.sqrt(floored)
