"""Normalization: over a batch, over the features of a sample, over groups of channels."""

from __future__ import annotations

from math import prod
from typing import Any

from ...engine import modes
from ...engine.tensor import Tensor, changed_in_place, emit_values
from ...ops.arguments import as_list, round_to_float32
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors


def batch_norm(
    x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Any:
    """x with mean 0 and variance 1 in each channel, scaled by weight and shifted by bias.

    In training it uses the statistics of the batch, and sets running_mean and running_var to
    momentum · running + (1 − momentum) · batch; else it uses those.
    Source: Paddle's `paddle.nn.functional.batch_norm`.

    Shapes: for example x [2, 1], running_mean [1], running_var [1], training=True gives [2, 1].
    Dtypes: float32, float64 kept.
    Errors: ValueError if x is not a Tensor, if the shapes do not fit; RuntimeError for complex,
    integers, bool, float16.

    >>> import minipaddle as paddle
    >>> mean, var = paddle.zeros([1]), paddle.ones([1])
    >>> x = paddle.to_tensor([[1.0], [3.0]])
    >>> y = paddle.nn.functional.batch_norm(x, mean, var, training=True)
    >>> [round(v, 3) for v in y.flatten().tolist()], round(mean.item(), 3)
    ([-1.0, 1.0], 0.2)
    """
    last = forms.has_channels_last_of_any("batch_norm", data_format)
    results = ops.batch_norm(
        x,
        running_mean,
        running_var,
        weight,
        bias,
        momentum=round_to_float32(momentum),
        epsilon=round_to_float32(epsilon),
        is_test=not training,
        data_format="NHWC" if last else "NCHW",
        use_global_stats=not training if use_global_stats is None else bool(use_global_stats),
        trainable_statistics=use_global_stats is not None and not use_global_stats,
    )
    if not modes.is_static():  # in a Program its operator writes the statistics
        _write_statistic(running_mean, results[1])
        _write_statistic(running_var, results[2])
    return results[0]


def _write_statistic(statistic: Tensor, value: Tensor) -> None:
    """Write a new value into a running statistic."""
    if value._data is not statistic._data:
        statistic._data[...] = value._data
        changed_in_place(statistic, counts=0)
        emit_values(statistic, value, "copy")


def layer_norm(
    x: Any,
    normalized_shape: Any,
    weight: Any = None,
    bias: Any = None,
    epsilon: float = 1e-5,
    name: str | None = None,
) -> Any:
    """x with mean 0 and variance 1 over its last axes, whose sizes are normalized_shape.

    `weight` and `bias` are vectors with a number for each element of normalized_shape.

    Shapes: for example x [1, 2], normalized_shape=2 gives [1, 2].
    Dtypes: float32, float64 kept.
    Errors: RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> y = paddle.nn.functional.layer_norm(paddle.to_tensor([[1.0, 3.0]]), 2)
    >>> [round(v, 3) for v in y.flatten().tolist()]
    [-1.0, 1.0]
    """
    sizes = as_list(normalized_shape)
    begin = len(x.shape) - len(sizes)
    if begin <= 0 or any(m != n for m, n in zip(x.shape[begin:], sizes, strict=True) if m != -1):
        expected = f"x of more axes, whose last sizes are {sizes}"
        raise errors.misfit("layer_norm", expected, x=x, normalized_shape=sizes)
    errors.require(0.0 <= epsilon <= 0.001, "layer_norm", "0 <= epsilon <= 0.001", epsilon=epsilon)
    how = {"begin_norm_axis": begin, "epsilon": round_to_float32(epsilon)}
    return ops.layer_norm(x, weight, bias, **how)[0]


def group_norm(
    x: Any,
    num_groups: int,
    epsilon: float = 1e-5,
    weight: Any = None,
    bias: Any = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """x with mean 0 and variance 1 over each of num_groups groups of channels of each sample.

    Shapes: for example x [1, 4], num_groups=2 gives [1, 4].
    Dtypes: float32, float64 kept.
    Errors: RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[1.0, 3.0, 10.0, 30.0]])
    >>> [round(v, 3) for v in paddle.nn.functional.group_norm(x, 2).flatten().tolist()]
    [-1.0, 1.0, -1.0, 1.0]
    """
    last = forms.has_channels_last_of_any("group_norm", data_format)
    x = forms.channels_first(x, last)
    batch, channels, *others = x.shape
    if num_groups < 1 or channels % num_groups:
        expected = f"num_groups that divides {channels}, the number of x's channels"
        raise errors.misfit("group_norm", expected, x=x, num_groups=num_groups)
    reshape = ops.reshape
    inside = -1 if -1 in (channels, *others) else channels // num_groups * prod(others)
    groups = reshape(x, shape=(0 if inside < 0 else batch, num_groups, inside))
    normalized = ops.layer_norm(groups, begin_norm_axis=2, epsilon=epsilon)[0]
    joined = _reshape_like(normalized, x)
    return forms.channels_back(forms.scale_channels(joined, weight, bias), last)


def _reshape_like(normalized: Any, x: Any) -> Any:
    """Reshape a result to the shape of x, of which sizes may be unknown."""
    if list(x.shape).count(-1) > 1:
        return ops.reshape_by(normalized, [ops.shape(x)], shape=(None,) * len(x.shape))
    return ops.reshape(normalized, shape=tuple(x.shape))


def instance_norm(
    x: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-5,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """x with mean 0 and variance 1 in each channel of each sample.

    It uses the statistics of the sample; as in Paddle the running ones change nothing.

    Shapes: for example x [1, 2, 2] gives [1, 2, 2].
    Dtypes: float32, float64 kept.
    Errors: RuntimeError for complex, integers, bool, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[1.0, 3.0], [10.0, 30.0]]])
    >>> [round(v, 3) for v in paddle.nn.functional.instance_norm(x).flatten().tolist()]
    [-1.0, 1.0, -1.0, 1.0]
    """
    last = forms.has_channels_last_of_any("instance_norm", data_format)
    x = forms.channels_first(x, last)
    vectors = len(x.shape) == 2
    rows = ops.unsqueeze(x, axis=2) if vectors else x
    normalized = ops.layer_norm(rows, begin_norm_axis=2, epsilon=round_to_float32(eps))[0]
    joined = ops.squeeze(normalized, axis=2) if vectors else normalized
    return forms.channels_back(forms.scale_channels(joined, weight, bias), last)


@round_once
def normalize(
    x: Any,
    p: float = 2,
    axis: int = 1,
    epsilon: float = 1e-12,
    out: Any = None,
    name: str | None = None,
) -> Any:
    """x divided by its p-norm along an axis; norms below epsilon count as epsilon.

    Shapes: for example x [1, 2] gives [1, 2].
    Dtypes: floating kept.
    Errors: ValueError if x is not a Tensor, if there is no such axis; RuntimeError for complex,
    integers, bool.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.normalize(paddle.to_tensor([[3.0, 4.0]])).tolist()
    [[0.6000000238418579, 0.800000011920929]]
    """
    norm = ops.p_norm(x, porder=p, axis=axis, keepdim=True)
    floor = ops.full(shape=(1,), fill_value=epsilon, dtype=x.dtype)
    return ops.divide(x, ops.maximum(norm, floor), out=out)


def divide_by_norm(
    weight: Any, u: Any, v: Any, dim: int, steps: int, eps: float
) -> tuple[Any, Any, Any]:
    """Divide a weight by its largest singular value, estimated from two vectors.

    Return also these vectors, improved by `steps` power iterations; they have no gradient. The rows
    of the matrix are along `dim`.
    """
    order = [dim, *(axis for axis in range(len(weight.shape)) if axis != dim)]
    matrix = ops.reshape(ops.transpose(weight, order), [weight.shape[dim], -1])
    fixed = matrix.detach()
    for _ in range(steps):
        v = normalize(ops.mv(ops.transpose(fixed, [1, 0]), u), axis=0, epsilon=eps)
        u = normalize(ops.mv(fixed, v), axis=0, epsilon=eps)
    return weight / ops.dot(u, ops.mv(matrix, v)), u, v
