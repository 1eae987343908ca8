"""Activations: `paddle.nn.functional`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...eager.inplace import apply_in_place
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed
from ...engine.meta import Meta, axis_of
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors
from .common import one_hot


def silu(x: Any, inplace: bool = False, name: str | None = None) -> Any:
    """x · sigmoid(x), with `inplace` written into x.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.silu(paddle.to_tensor([0.0, 100.0])).tolist()
    [0.0, 100.0]
    """
    return apply_in_place(x, "silu", ops.silu) if inplace else ops.silu(x)


def prelu(x: Any, weight: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """x where it is positive, else x times a learned slope: one for all, or one per channel.

    >>> x = paddle.to_tensor([[-1.0, -1.0]])
    >>> paddle.nn.functional.prelu(x, paddle.to_tensor([0.5, 0.25])).tolist()
    [[-0.5, -0.25]]
    """
    errors.require_rank("prelu", 0, 1, CheckFailed, weight=weight)
    if list(weight.shape) in ([], [1]):
        return ops.prelu(x, weight if len(x.shape) else ops.reshape(weight, shape=[]))
    rank = len(x.shape)
    channel = rank - 1 if forms.has_channels_last_of_any("prelu", data_format) else 1
    if rank < 2 or weight.shape[0] != x.shape[channel]:
        expected = "one slope, or one for each channel of x [N, C, ...]"
        raise errors.misfit("prelu", expected, CheckFailed, weight=weight, x=x)
    sizes = [weight.shape[0]] + [1] * (rank - 1 - channel)
    return ops.prelu(x, ops.reshape(weight, shape=sizes))


def rrelu(
    x: Any,
    lower: float = 1.0 / 8.0,
    upper: float = 1.0 / 3.0,
    training: bool = True,
    name: str | None = None,
) -> Any:
    """x, with negative elements times random slopes in [lower, upper); in eval mode their mean.

    Shapes: for example x [2], lower=0.5, upper=0.5 gives [2].
    Dtypes: floating kept; in eval mode integers and bool too.
    Errors: ValueError if x is not a Tensor; RuntimeError for complex, and in training mode for
    integers, bool.

    >>> paddle.nn.functional.rrelu(paddle.to_tensor([-1.0, 2.0]), 0.5, 0.5).tolist()
    [-0.5, 2.0]
    """
    if not isinstance(lower, float) or not isinstance(upper, float):
        raise errors.wrong_type(
            "rrelu(): lower and upper must be floats.", (lower, upper), "two floats", "write 0.0"
        )
    if not 0 <= lower <= upper <= 1:
        raise errors.misfit("rrelu", "0 <= lower <= upper <= 1", lower=lower, upper=upper)
    if not training:
        mean = (np.float32(lower) + np.float32(upper)) / np.float32(2.0)
        return ops.leaky_relu(x, negative_slope=mean)
    return ops.multiply(x, ops.random_slopes(x, lower=lower, upper=upper))


# ----- along an axis -----------------------------------------------------------------------------


def softmax(
    x: Any, axis: int = -1, dtype: Any = None, name: str | None = None, *, out: Any = None
) -> Any:
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x) after a cast to `dtype`.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.softmax(paddle.zeros([2])).tolist()
    [0.5, 0.5]
    """
    return ops.softmax(x if dtype is None else ops.cast(x, dtype), axis=axis, out=out)


def log_softmax(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:
    """The logarithm of softmax along `axis`, without overflow; x is first cast to `dtype`.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.log_softmax(paddle.to_tensor([0.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """
    return ops.log_softmax(x if dtype is None else ops.cast(x, dtype), axis=axis)


@round_once
def gumbel_softmax(
    x: Any, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Any:
    """softmax((x + noise) / temperature) with Gumbel noise: a soft sample in the ratios of exp(x).

    `hard`: the result is 1 at the largest and 0 elsewhere; its gradient is that of the soft one.

    Shapes: for example x [2], hard=True gives [2].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor, if there is no such axis; TypeError for integers, bool;
    RuntimeError for complex.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.gumbel_softmax(paddle.to_tensor([99.0, 0.0]), hard=True).tolist()
    [1.0, 0.0]
    """
    errors.require(temperature > 0, "gumbel_softmax", "temperature > 0", temperature=temperature)
    tiny = 1e-5  # keeps samples inside (0, 1), where logarithms are finite
    noise = -ops.log(tiny - ops.log(ops.cast(ops.uniform_like(x, dtype="float32"), x.dtype) + tiny))
    soft = ops.softmax((x + noise) / temperature, axis=axis)
    if not hard:
        return soft
    place = axis_of("gumbel_softmax", Meta(tuple(x.shape), DType.of(x.dtype).numpy), axis)
    rows = one_hot(ops.argmax(soft, axis=place), soft.shape[place])
    order = list(range(len(x.shape) - 1))
    order.insert(place, len(order))
    hard_choice = ops.transpose(ops.cast(rows, soft.dtype), perm=order)
    return hard_choice + (soft - soft.detach())


# ----- gates -------------------------------------------------------------------------------------


def _split_halves(name: str, x: Any, axis: int) -> Any:
    place = axis_of(name, Meta(tuple(x.shape), DType.of(x.dtype).numpy), axis)
    if not len(x.shape) or x.shape[place] % 2:
        raise errors.misfit(name, f"an even size along axis {axis}", x=x)
    return ops.split(x, num_or_sections=2, axis=place)


@round_once
def glu(x: Any, axis: int = -1, name: str | None = None) -> Any:
    """The first half of x along `axis`, times sigmoid of the second.

    Shapes: for example x [2] gives [1].
    Dtypes: floating, complex kept.
    Errors: ValueError if there is no such axis; RuntimeError for bool; TypeError for integers.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.glu(paddle.to_tensor([4.0, 0.0])).tolist()
    [2.0]
    """
    values, gate = _split_halves("glu", x, axis)
    return values * ops.sigmoid(gate)


@round_once
def swiglu(x: Any, y: Any = None, name: str | None = None) -> Any:
    """silu(x) · y; without y the two halves of x along the last axis.

    Shapes: for example x [2] gives [1].
    Dtypes: floating, complex kept.
    Errors: RuntimeError for integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.swiglu(paddle.to_tensor([100.0, 3.0])).tolist()
    [300.0]
    """
    gate, values = _split_halves("swiglu", x, -1) if y is None else (x, y)
    return ops.silu(gate) * values


def maxout(x: Any, groups: int, axis: int = 1, name: str | None = None) -> Any:
    """The maximum of each `groups` neighbouring channels of x, which has four axes.

    Shapes: for example x [1, 6, 2, 2], groups=3 gives [1, 2, 2, 2].
    Dtypes: floating, uint8, int16, int32, int64 kept.
    Errors: ValueError if there is no such axis; RuntimeError for complex, bool, int8.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.maxout(paddle.ones([1, 6, 2, 2]), 3).shape
    paddle.Size([1, 2, 2, 2])
    """
    sizes = list(x.shape)
    if len(sizes) != 4 or axis not in (1, -1, 3) or groups < 2 or sizes[axis] % groups:
        expected = "x of 4 axes, axis 1, 3 or -1, and groups > 1 that divides the size of this axis"
        raise errors.misfit("maxout", expected, x=x, groups=groups, axis=axis)
    place = axis % 4
    grouped = [*sizes[:place], sizes[place] // groups, groups, *sizes[place + 1 :]]
    groups_of_x = ops.reshape(x, shape=grouped)
    first = ops.argmax(groups_of_x, axis=place + 1, keepdim=True)  # first of equal elements
    largest = ops.take_along_axis(groups_of_x, first, axis=place + 1)
    return ops.squeeze(largest, axis=place + 1)


# ----- in place ----------------------------------------------------------------------------------


def relu_(x: Any, name: str | None = None) -> Any:
    """`relu`, with the result written into x.

    Shapes and dtypes as in `relu`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `relu`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([-1.0, 2.0])
    >>> paddle.nn.functional.relu_(x).tolist(), x.inplace_version
    ([0.0, 2.0], 1)
    """
    return apply_in_place(x, "relu", ops.relu)


def elu_(x: Any, alpha: float = 1.0, name: str | None = None) -> Any:
    """`elu`, with the result written into x.

    Shapes and dtypes as in `elu`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `elu`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([0.0, 2.0])
    >>> paddle.nn.functional.elu_(x).tolist(), x.inplace_version
    ([0.0, 2.0], 1)
    """
    return apply_in_place(x, "elu", ops.elu, alpha=alpha)


def leaky_relu_(x: Any, negative_slope: float = 0.01, name: str | None = None) -> Any:
    """`leaky_relu`, with the result written into x.

    Shapes and dtypes as in `leaky_relu`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `leaky_relu`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([-100.0, 2.0])
    >>> paddle.nn.functional.leaky_relu_(x).tolist(), x.inplace_version
    ([-1.0, 2.0], 1)
    """
    return apply_in_place(x, "leaky_relu", ops.leaky_relu, negative_slope=negative_slope)


def hardtanh_(x: Any, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Any:
    """`hardtanh`, with the result written into x.

    Shapes and dtypes as in `hardtanh`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `hardtanh`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([-3.0, 0.5])
    >>> paddle.nn.functional.hardtanh_(x).tolist(), x.inplace_version
    ([-1.0, 0.5], 1)
    """
    return apply_in_place(x, "hardtanh", ops.hardtanh, min=min, max=max)


def softmax_(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:
    """`softmax`, with the result written into x.

    Shapes and dtypes as in `softmax`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `softmax`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([0.0, 0.0])
    >>> paddle.nn.functional.softmax_(x).tolist(), x.inplace_version
    ([0.5, 0.5], 1)
    """
    return apply_in_place(x, "softmax", softmax, axis=axis, dtype=dtype)


def tanh_(x: Any, name: str | None = None) -> Any:
    """`tanh`, with the result written into x.

    Shapes and dtypes as in `tanh`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `tanh`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([0.0, 100.0])
    >>> paddle.nn.functional.tanh_(x).tolist(), x.inplace_version
    ([0.0, 1.0], 1)
    """
    return apply_in_place(x, "tanh", ops.tanh)


def thresholded_relu_(
    x: Any, threshold: float = 1.0, value: float = 0.0, name: str | None = None
) -> Any:
    """`thresholded_relu`, with the result written into x.

    Shapes and dtypes as in `thresholded_relu`; x keeps both.
    Errors: ValueError for a leaf that wants a gradient, and those of `thresholded_relu`.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([0.5, 2.0])
    >>> paddle.nn.functional.thresholded_relu_(x).tolist(), x.inplace_version
    ([0.0, 2.0], 1)
    """
    return apply_in_place(
        x, "thresholded_relu", ops.thresholded_relu, threshold=threshold, value=value
    )
