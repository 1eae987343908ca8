"""Linear maps, dropout, embedding."""

from __future__ import annotations

from typing import Any

from ... import modes
from ...core import Tensor, changed_in_place
from ...device import namespace
from ...dtypes import DType
from ...eager.inplace import refuse_leaf, take
from ...errors import InvalidArgument, InvalidType, Unimplemented
from ...ops import REGISTRY

_matmul = REGISTRY["matmul"].call
_add = REGISTRY["add"].call
_dropout = REGISTRY["dropout"].call
_embedding = REGISTRY["embedding"].call


def linear(x: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:  # noqa: ARG001
    """x @ weight + bias, with a weight of shape [in, out].

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.linear(paddle.ones([1, 2]), paddle.ones([2, 3])).tolist()
    [[2.0, 2.0, 2.0]]
    """
    out = _matmul(x, weight)
    return out if bias is None else _add(out, bias)


MODES = ("upscale_in_train", "downscale_in_infer")


def dropout(
    x: Any, p: float = 0.5, axis: Any = None, training: bool = True, inplace: bool = False,
    mode: str = "upscale_in_train", name: str | None = None,  # noqa: ARG001
) -> Any:  # fmt: skip
    """x with each element dropped (set to 0) with probability p, and the others scaled up.

    Only when training. `axis`: draw once for each position of these dimensions, and drop or keep
    all others together. With mode "downscale_in_infer" nothing is scaled in training, and x is
    multiplied by 1 - p in use. `inplace`: x itself takes the result.
    Source: Paddle's `paddle.nn.functional.dropout`.

    >>> import minipaddle as paddle
    >>> paddle.nn.functional.dropout(paddle.ones([2]), training=False).tolist()
    [1.0, 1.0]
    """
    check_dropout("dropout", p, mode)
    if axis is not None:
        _check_axis(x, axis)
    if p == 0 or not (training or modes.is_static() or mode == "downscale_in_infer"):
        return x
    if inplace and isinstance(x, Tensor):
        refuse_leaf(x, "x of dropout")
    made = _dropout(x, p=p, axis=axis, is_test=not training, mode=mode)[0]
    return take(x, made, "dropout") if inplace and isinstance(x, Tensor) else made


def check_dropout(name: str, p: Any, mode: str) -> None:
    """Refuse what dropout cannot work with."""
    if not isinstance(p, (int, float)):
        raise InvalidType(
            f"{name}: p argument should be a number.",
            expected="a float between 0 and 1",
            received=f"{type(p).__name__} {p!r:.40}",
            fix="give the probability of dropping an element, for example 0.5",
        )
    if not 0 <= p <= 1:
        raise InvalidArgument(
            f"{name}: p argument should between 0 and 1.",
            expected="0 <= p <= 1",
            received=f"p={p}",
            fix="give the probability of dropping an element, not a percentage",
        )
    if mode not in MODES:
        raise InvalidArgument(
            f"{name}: mode argument should be 'downscale_in_infer' or 'upscale_in_train'.",
            expected=" or ".join(map(repr, MODES)),
            received=repr(mode),
            fix="leave it out for 'upscale_in_train'",
        )


def _check_axis(x: Any, axis: Any) -> None:
    rank = len(x.shape)
    if any(not -rank <= a < rank for a in ([axis] if isinstance(axis, int) else axis)):
        raise InvalidArgument(
            "dropout: axis names a dimension that x does not have.",
            expected=f"values from {-rank} to {rank - 1} for x of shape {list(x.shape)}",
            received=f"axis={axis}",
            fix="count dimensions from 0",
        )


def embedding(
    x: Any, weight: Any, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, sparse: bool = False, scale_grad_by_freq: bool = False,  # noqa: ARG001
    name: str | None = None,  # noqa: ARG001
) -> Any:  # fmt: skip
    """The row of `weight` for each number in x; the row `padding_idx` reads as zeros.

    x is int32 or int64, numbers from 0 to the table's rows - 1, else InvalidArgument. `max_norm`:
    first shorten the rows that are read, in the table itself; `sparse` changes nothing here.

    >>> import minipaddle as paddle
    >>> table = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> paddle.nn.functional.embedding(paddle.to_tensor([1]), table).tolist()
    [[3.0, 4.0]]
    """
    kind = DType.of(x.dtype).name
    if kind not in ("int32", "int64"):
        raise Unimplemented(
            f"embedding input only support int32 and int64, but get {kind}.",
            expected="numbers of rows, int32 or int64",
            received=f"x of {kind}, shape {list(x.shape)}",
            fix="x.astype('int64')",
        )
    if scale_grad_by_freq:
        raise Unimplemented(
            "embedding(): scale_grad_by_freq is not here yet.",
            expected="scale_grad_by_freq=False",
            received="True",
            fix="divide weight.grad by how often each row was read, before the step",
        )
    if max_norm is not None and isinstance(weight, Tensor):
        _shorten(weight, x, max_norm, norm_type)
    return _embedding(x, weight, padding_idx=padding_row(padding_idx, weight.shape[0]))


def _shorten(weight: Tensor, x: Any, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are read down to a norm of at most `max_norm`."""
    table = weight._data
    xp = namespace(table)
    rows = xp.unique(x._data)
    read = table[rows]
    norms = (abs(read) ** norm_type).sum(1, keepdims=True) ** (1.0 / norm_type)
    table[rows] = xp.where(norms > max_norm, read * (max_norm / (norms + 1e-7)), read)
    changed_in_place(weight)


def padding_row(padding_idx: int | None, rows: int) -> int:
    """The padding row counted from 0, or -1 for none."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise InvalidArgument(
            f"padding_idx must be within [-{rows}, {rows}).",
            expected=f"a row of the table, {-rows} to {rows - 1}",
            received=f"padding_idx={padding_idx}",
            fix="name an existing row, or None for no padding",
        )
    return padding_idx % rows
