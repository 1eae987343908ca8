"""Linear maps, embeddings, dropout and padding."""

from __future__ import annotations

import warnings
from typing import Any

from ... import events
from ...device import namespace
from ...eager.inplace import refuse_leaf, take_result
from ...engine import modes
from ...engine.dtypes import DType
from ...engine.errors import CheckFailed, InvalidArgument, PreconditionNotMet, Unimplemented
from ...engine.kinds import scalar
from ...engine.source_line import stacklevel
from ...engine.tensor import WHOLE, Tensor, change_of, changed_in_place, rare
from ...messages import Message
from ...ops.arguments import find_open_sizes, read_axes, to_python
from ...ops.networks import forms
from ...ops.rule_functions import GRAPH as ops
from ...ops.widening import round_once
from .. import errors
from .families import variant


def linear(x: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """x @ weight + bias, with a weight of shape [in, out].

    Dtypes: all kept.
    Errors: ValueError if x is not a Tensor, if the shapes do not fit.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.linear(paddle.ones([1, 2]), paddle.ones([2, 3])).tolist()
    [[2.0, 2.0, 2.0]]
    """
    if bias is None:
        return ops.matmul(x, weight)
    return ops.add(ops.matmul(x, weight), bias)


def one_hot(x: Any, num_classes: Any = -1, name: str | None = None) -> Any:
    """For each class number a float32 row of zeros with a 1 at the class.

    Without `num_classes` it is the largest number in x plus 1.
    InvalidArgument for a number that is no class.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.one_hot(paddle.to_tensor([2, 0])).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    if isinstance(num_classes, int) and num_classes == -1:
        if not isinstance(x, Tensor):
            expected, fix = "an int in static mode", "one_hot(x, num_classes=10)"
            raise errors.misfit("one_hot", expected, InvalidArgument, fix, num_classes=num_classes)
        num_classes = int(x._data.max()) + 1 if x._data.size else 0
    return ops.one_hot(x, num_classes=num_classes)


MODES = ("upscale_in_train", "downscale_in_infer")


def dropout(
    x: Any,
    p: float = 0.5,
    axis: Any = None,
    training: bool = True,
    inplace: bool = False,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """x with each element dropped (set to 0) with probability p, and the others scaled up.

    In training only. `axis`: draw once for each position of these axes, for all elements there.
    With mode "downscale_in_infer" nothing is scaled in training, and x is multiplied by 1 - p in
    eval mode. `inplace`: the result is written into x.
    Source: Paddle's `paddle.nn.functional.dropout`.

    Shapes: for example x [2], training=False gives [2].
    Dtypes: floating kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1], or an axis that is not there;
    RuntimeError for complex, integers, bool in training mode.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.dropout(paddle.ones([2]), training=False).tolist()
    [1.0, 1.0]
    """
    p, axis = check_dropout("dropout", p, mode), to_python(axis)
    if axis is not None:
        _check_axis(x, axis)
    if p == 0 or not (training or modes.is_static() or mode == "downscale_in_infer"):
        return x
    if inplace and isinstance(x, Tensor):
        refuse_leaf(x, Message("x of dropout"))
    result = ops.dropout(x, p=p, axis=axis, is_test=not training, mode=mode)[0]
    return take_result(x, result, "dropout") if inplace and isinstance(x, Tensor) else result


def check_dropout(name: str, p: Any, mode: str) -> float:
    """Return the probability as a number; raise an error unless it and the mode are valid."""
    p = scalar(p)
    if not isinstance(p, (int, float)):
        what, fix = f"{name}(): p must be a number.", "give the probability, for example 0.5"
        raise errors.wrong_type(what, p, expected="a float between 0 and 1", fix=fix)
    if not 0 <= p <= 1:
        fix = "give the probability of dropping an element, not a percentage"
        raise errors.misfit(name, "0 <= p <= 1", InvalidArgument, fix, p=p)
    errors.require_choice(name, "mode", mode, MODES)
    return p


def _check_axis(x: Any, axis: Any) -> None:
    rank = len(x.shape)
    if any(not -rank <= a < rank for a in ([axis] if isinstance(axis, int) else axis)):
        raise errors.misfit("dropout", f"{-rank} <= axis < {rank}", axis=axis, x=x)


def embedding(
    x: Any,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    sparse: bool = False,
    scale_grad_by_freq: bool = False,
    name: str | None = None,
) -> Any:
    """The row of `weight` for each number in x; the row `padding_idx` counts as zeros.

    x is int32 or int64, numbers from 0 to the table's rows - 1, else InvalidArgument. `max_norm`:
    first scale the rows that are read to at most this norm, in the table itself. `sparse`:
    clearing the gradient of the table sets it to None, not to zeros.

    >>> import minipaddle as paddle
    >>> table = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> paddle.nn.functional.embedding(paddle.to_tensor([1]), table).tolist()
    [[3.0, 4.0]]
    """
    if DType.of(x.dtype).name not in ("int32", "int64"):
        raise errors.dtype("embedding", ("int32", "int64"), Unimplemented, x=x)
    if scale_grad_by_freq:
        expected = "scale_grad_by_freq=False: it is not here yet"
        raise errors.misfit("embedding", expected, Unimplemented, scale_grad_by_freq=True)
    if sparse and isinstance(weight, Tensor):
        rare(weight).sparse = True
    if max_norm is not None:
        _limit_rows(weight, x, max_norm, norm_type)
    return ops.embedding(x, weight, padding_idx=padding_row(padding_idx, weight.shape[0]))


def _limit_rows(weight: Any, x: Any, max_norm: float, norm_type: float) -> None:
    """Scale the rows at x to a norm of at most `max_norm`, in place."""
    if not isinstance(weight, Tensor):
        expected = "max_norm=None in static mode: a Program cannot shorten rows"
        raise errors.misfit("embedding", expected, Unimplemented, max_norm=max_norm)
    table = weight._data
    xp = namespace(table)
    rows = xp.unique(x._data)
    read = table[rows]
    norms = (abs(read) ** norm_type).sum(1, keepdims=True) ** (1.0 / norm_type)
    shorter, change = xp.where(norms > max_norm, read * (max_norm / (norms + 1e-7)), read), None
    if events.heard():
        whole = table.copy()
        whole[rows] = shorter
        change = change_of(*WHOLE, weight, Tensor(whole))
    table[rows] = shorter
    changed_in_place(weight, change, by="embedding")


def padding_row(padding_idx: int | None, rows: int) -> int:
    """Return the padding row counted from 0, or -1 for none."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        bounds = f"{-rows} <= padding_idx < {rows}"
        raise errors.misfit("embedding", bounds, padding_idx=padding_idx)
    return padding_idx % rows


# ----- dropout of channels -----------------------------------------------------------------------


def dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Drop whole channels of input [N, C, L], the same ones in each sample, or of [C, L].

    `inplace` gives a warning and changes nothing, as in Paddle.

    Dtypes: floating kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1];
    RuntimeError for complex, integers, bool in training mode.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.dropout1d(paddle.ones([1, 2, 1]), training=False).shape
    paddle.Size([1, 2, 1])
    """
    if inplace:
        warnings.warn(
            "dropout1d(): inplace=True is ignored, as in Paddle.", stacklevel=stacklevel()
        )
    errors.require_rank("dropout1d", 2, 3, PreconditionNotMet, input=input)
    return dropout(input, p, len(input.shape) - 2, training)


def _drop_channels(
    op: str,
    axes: int,
    x: Any,
    p: float = 0.5,
    training: bool = True,
    data_format: str = "",
    name: str | None = None,
) -> Any:
    errors.require_rank(op, axes + 2, axes + 2, x=x)
    kept = [0, axes + 1 if forms.has_channels_last(op, data_format, axes) else 1]
    return dropout(x, p, kept, training, name=name)


@variant(_drop_channels)
def dropout2d() -> None:
    """Drop whole channels of x [N, C, H, W], or [N, H, W, C] with "NHWC".

    Dtypes: floating kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1], or other than 4 axes;
    RuntimeError for complex, integers, bool in training mode.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.dropout2d(paddle.ones([1, 2, 1, 1]), training=False).shape
    paddle.Size([1, 2, 1, 1])
    """


@variant(_drop_channels)
def dropout3d() -> None:
    """Drop whole channels of x [N, C, D, H, W], or [N, D, H, W, C] with "NDHWC".

    Dtypes: floating kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1], or other than 5 axes;
    RuntimeError for complex, integers, bool in training mode.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.dropout3d(paddle.ones([1, 2, 1, 1, 1]), training=False).shape
    paddle.Size([1, 2, 1, 1, 1])
    """


DROPPED = -1.6732632423543772 * 1.0507009873554805  # limit of selu(x) for x → −∞


def alpha_dropout(x: Any, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    """Dropout that keeps mean 0 and variance 1: dropped elements become the lower limit of selu.

    Shapes: for example x [2], training=False gives [2].
    Dtypes: floating, complex kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1]; TypeError for integers, bool in training mode.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.alpha_dropout(paddle.ones([2]), training=False).tolist()
    [1.0, 1.0]
    """
    return _alpha_dropout("alpha_dropout", x, p, training, False)


def feature_alpha_dropout(
    x: Any, p: float = 0.5, training: bool = True, name: str | None = None
) -> Any:
    """`alpha_dropout` of whole channels of x [N, C, ...].

    Shapes: for example x [1, 2], training=False gives [1, 2].
    Dtypes: floating, complex kept; in eval mode others too.
    Errors: ValueError for a p outside [0, 1]; TypeError for integers, bool in training mode.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.feature_alpha_dropout(paddle.ones([1, 2]), training=False).tolist()
    [[1.0, 1.0]]
    """
    return _alpha_dropout("feature_alpha_dropout", x, p, training, True)


def _alpha_dropout(name: str, x: Any, p: float, training: bool, whole: bool) -> Any:
    p = check_dropout(name, p, MODES[0])
    if whole:
        errors.require_rank(name, 2, None, x=x)
    if not training or p == 0:
        return x
    if p == 1:
        return x * 0.0
    scale = ((1 - p) * (1 + p * DROPPED**2)) ** -0.5
    like = x
    if whole and len(x.shape) > 2:  # each channel gets one number
        like = ops.sum(x, axis=list(range(2, len(x.shape))), keepdim=True)
    drawn = ops.uniform_like(like, dtype="float32")
    mask = ops.cast(drawn >= p, x.dtype)
    dropped = x * mask + (1.0 - mask) * DROPPED
    return dropped * scale - scale * DROPPED * p


# ----- bilinear ----------------------------------------------------------------------------------


@round_once
def bilinear(x1: Any, x2: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """x1 · weight[k] · x2 for each k, plus a bias; weight [out, in1, in2], bias [1, out].

    Dtypes: floating, complex kept.
    Errors: ValueError if x1 is not a Tensor, if the shapes do not fit; RuntimeError for integers,
    bool.

    >>> import minipaddle as paddle
    >>> x = paddle.ones([1, 2])
    >>> paddle.nn.functional.bilinear(x, x, paddle.ones([3, 2, 2])).tolist()
    [[4.0, 4.0, 4.0]]
    """
    products = ops.einsum([x1, weight, x2], equation="ni,kij,nj->nk")
    return products if bias is None else ops.add(products, bias)


# ----- padding -----------------------------------------------------------------------------------


PADDING_MODES = ("constant", "reflect", "replicate", "circular")


def pad(
    x: Any,
    pad: Any,
    mode: str = "constant",
    value: float = 0.0,
    data_format: str | None = None,
    pad_from_left_axis: bool = True,
    name: str | None = None,
) -> Any:
    """x padded before and after, by two numbers of `pad` for each axis.

    A pair for each spatial axis, the last one first, [left, right, top, bottom], allows the modes
    "reflect", "replicate" and "circular" too. Other numbers of pairs pad with `value`: pairs for
    all axes begin with the first axis if pad_from_left_axis, else with the last; fewer pairs
    begin with the last axis. Source: Paddle's `paddle.nn.functional.pad`.

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.

    >>> import minipaddle as paddle
    >>> x = paddle.to_tensor([[[1.0, 2.0, 3.0]]])
    >>> paddle.nn.functional.pad(x, [1, 2], mode="reflect").tolist()
    [[[2.0, 1.0, 2.0, 3.0, 2.0, 1.0]]]
    """
    errors.require_choice("pad", "mode", mode, PADDING_MODES, CheckFailed)
    unknown = find_open_sizes(pad)
    if unknown is not None:
        places = _spatial_pairs(x, list(range(1, len(unknown[0]) + 1)), data_format)
        attrs = {"row": unknown[0], "places": tuple(places), "mode": mode, "value": value}
        return ops.pad_by(x, unknown[1], **attrs)
    row = read_axes(pad)
    row = list(row) if isinstance(row, tuple) else [row] * (2 * len(x.shape) - 4)
    rank = len(x.shape)
    spatial = len(row) == 2 * (rank - 2) and rank > 2
    if mode != "constant" or isinstance(pad, Tensor) or spatial:
        pairs = _spatial_pairs(x, row, data_format)
    else:
        pairs = _constant_pairs(x, row, pad_from_left_axis)
    return ops.pad(*_crop(x, pairs), mode=mode, value=value)


def _crop(x: Any, pairs: list[tuple[int, int]]) -> tuple[Any, Any]:
    """Return x without the elements that negative padding drops, and the padding >= 0."""
    if min(map(min, pairs)) < 0:
        cut = tuple(slice(max(0, -a), min(0, b) or None) for a, b in pairs)
        x = x[cut]
        pairs = [(max(a, 0), max(b, 0)) for a, b in pairs]
    return x, tuple(pairs)


def _spatial_pairs(x: Any, row: list[int], data_format: str | None) -> list[tuple[int, int]]:
    """Return pairs for all axes from [left, right, top, bottom, ...]."""
    rank = len(x.shape)
    if rank not in (3, 4, 5):
        expected = "[N, C, L], [N, C, H, W] or [N, C, D, H, W], channels first or last"
        raise errors.misfit("pad", expected, CheckFailed, x=x)
    layouts = [forms.FIRST[rank - 2], forms.LAST[rank - 2]]
    layout = data_format or layouts[0]
    errors.require_choice("pad", "data_format", layout, layouts, CheckFailed)
    if len(row) != 2 * (rank - 2):
        expected = f"{2 * (rank - 2)} paddings: two for each axis but batch and channels"
        raise errors.misfit("pad", expected, x=x, pad=row)
    pairs = [(row[i], row[i + 1]) for i in range(0, len(row), 2)][::-1]
    none = [(0, 0)]
    return none + pairs + none if layout == layouts[1] else none * 2 + pairs


def _constant_pairs(x: Any, row: list[int], from_left: bool) -> list[tuple[int, int]]:
    """Return pairs for all axes of a constant padding."""
    rank = len(x.shape)
    row = [*row, 0] if len(row) % 2 else row
    pairs = [(row[i], row[i + 1]) for i in range(0, len(row), 2)]
    if len(pairs) > rank and any(map(any, pairs[rank:])):
        raise errors.misfit("pad", f"at most {2 * rank} paddings", x=x, pad=row)
    if row and min(row) < 0:
        raise errors.misfit("pad", "paddings of at least 0", pad=row)
    if len(pairs) == rank and from_left:
        return pairs
    return [(0, 0)] * (rank - len(pairs)) + pairs[:rank][::-1]


def zeropad2d(x: Any, padding: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Images padded around with zeros: [left, right, top, bottom].

    Dtypes: complex, int32, int64, float32, float64 kept.
    Errors: RuntimeError for bool, uint8, int8, int16, float16.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.zeropad2d(paddle.ones([1, 1, 1, 1]), [1, 0, 0, 1]).tolist()
    [[[[0.0, 1.0], [0.0, 0.0]]]]
    """
    return pad(x, padding, "constant", 0.0, data_format)
