"""Ops of neural networks: relu, softmax, losses, dropout, embedding."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import random
from ..dtypes import DType
from ..errors import InvalidArgument, OutOfRange
from ..meta import Meta, axis_of, floats_only, no_kernel
from .arguments import axes, number
from .records import Static, sample
from .registry import op
from .repeats import add_at
from .worlds import host_check

ROWS = (sample((2, 3)), sample((3, 4), axis=0), sample((2, 3, 2), axis=1))
AWAY_FROM_0 = (sample((2, 3), domain=(0.3, 2.0)), sample((4,), domain=(-2.0, -0.3)))


@op(
    "relu", inplace=True, infer=floats_only("relu"), saves=("out",), samples=AWAY_FROM_0,
    formula="y = max(0, x)", grad_formula="dx = dy · (y > 0)",
)  # fmt: skip
def relu(xp: Any, x: Any) -> Any:
    """Keep positive elements, replace the others by 0."""
    return xp.maximum(x, 0.0)  # of integers this is a float, which inference then refuses


@relu.grad
def relu_grad(F: Any, dout: Any, out: Any) -> Any:
    return dout * F.cast(out > 0, dtype=DType.of(dout.dtype))


def _along(name: str) -> Any:
    floats = floats_only(name)

    def infer(x: Meta, *, axis: int) -> Meta:
        axis_of(name, x, axis)
        return floats(x)

    return infer


def _exp_shifted(xp: Any, x: Any, axis: int) -> Any:
    """exp(x - max x): no overflow, and the same ratios."""
    return xp.exp(x - x.max(axis=axis, keepdims=True))


@op(
    "softmax", infer=_along("softmax"), saves=("out",), canon={"axis": number}, samples=ROWS,
    static=Static("softmax", prefix="softmax"), public=False, method=False,
    formula="y = eˣ / Σ eˣ", grad_formula="dx = y · (dy − Σ dy · y)",
)  # fmt: skip
def softmax(xp: Any, x: Any, *, axis: int = -1) -> Any:
    """Positive numbers that sum to 1 along `axis`, in the ratios of exp(x)."""
    if not x.ndim:
        return xp.ones_like(x)
    e = _exp_shifted(xp, x, axis)
    return e / xp.add.reduce(e, axis=axis, keepdims=True)


@softmax.grad
def softmax_grad(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    weighted = dout * out
    if not out.ndim:
        return weighted * 0.0
    return weighted - out * F.sum(weighted, axis=axis, keepdim=True)


@op(
    "log_softmax", infer=_along("log_softmax"), saves=("out",), canon={"axis": number},
    samples=ROWS, static=Static("log_softmax", prefix="log_softmax"), public=False, method=False,
    formula="y = x − ln Σ eˣ", grad_formula="dx = dy − eʸ · Σ dy",
)  # fmt: skip
def log_softmax(xp: Any, x: Any, *, axis: int = -1) -> Any:
    """The logarithm of softmax, without overflow."""
    if not x.ndim:
        return xp.zeros_like(x)
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - xp.log(xp.add.reduce(xp.exp(shifted), axis=axis, keepdims=True))


@log_softmax.grad
def log_softmax_grad(F: Any, dout: Any, out: Any, *, axis: int) -> Any:
    if not out.ndim:
        return dout * 0.0
    return dout - F.exp(out) * F.sum(dout, axis=axis, keepdim=True)


# ----- cross entropy -----------------------------------------------------------------------------


def _ce_infer(logits: Meta, label: Meta, *, soft_label: bool, ignore_index: int) -> list[Meta]:
    loss = (*logits.shape[:-1], 1)
    wanted = logits.shape if soft_label else loss
    if len(label.shape) != len(wanted) or any(
        m != n and -1 not in (m, n) for m, n in zip(label.shape, wanted, strict=True)
    ):
        raise InvalidArgument(
            "cross_entropy(): the label's shape does not fit the input's.",
            expected=f"a label of shape {list(wanted)}"
            + ("" if soft_label else f" or {list(wanted[:-1])}"),
            received=f"label {label} for input {logits}",
            fix="give one class number per row, or soft_label=True with one weight per class",
        )
    if logits.dtype.kind != "f":
        raise no_kernel("cross_entropy", "input", logits)
    return [logits, Meta(loss, logits.dtype)]


@host_check
def _check_labels(
    xp: Any, classes: int, label: Any, ignore_index: int, name: str = "cross_entropy"
) -> bool:
    """Every class number must name a column, but for those that are ignored; are there any?"""
    if not label.size:
        return False
    # As numbers without a sign the negative ones are very large: one pass finds both kinds.
    if int(label.view(np.uint64).max()) < classes:
        return 0 <= ignore_index < classes
    bad = label[(label != ignore_index) & ((label < 0) | (label >= classes))]
    if bad.size:
        # Paddle's kernels differ in the kind of this error.
        raise (InvalidArgument if name == "nll_loss" else OutOfRange)(
            f"{name}(): label value should be a class number: not below 0, and less than "
            f"the shape of axis dimension, {classes}.",
            expected=f"0 to {classes - 1}, or ignore_index={ignore_index}",
            received=f"label value {int(bad.flat[0])}",
            fix="check how the labels are numbered and how many outputs the last layer has",
        )
    return True


def _flat_places(xp: Any, label: Any, classes: int, some_ignored: bool = True) -> Any:
    """Where each row's label lies in the table read row by row; ignored ones may be negative."""
    flat = label.reshape(-1)
    flat = xp.maximum(flat, 0) if some_ignored else flat
    return xp.arange(0, flat.size * classes, classes) + flat


def _picked(xp: Any, table: Any, label: Any, some_ignored: bool = True) -> Any:
    """table[row, label[row]] for every row, as a column."""
    places = _flat_places(xp, label, table.shape[-1], some_ignored)
    return table.take(places).reshape(label.shape)


@op(
    "softmax_with_cross_entropy", infer=_ce_infer, saves=("label", "softmax"),
    outputs=("softmax", "loss"), zeros_for_unused=False, public=False, method=False,
    symbol="softmax + cross entropy",
    static=Static(
        "softmax_with_cross_entropy",
        slots={"logits": "Logits", "label": "Label", "softmax": "Softmax", "loss": "Loss"},
        extra={"axis": -1, "numeric_stable_mode": True, "use_softmax": True},
    ),
    samples=(
        sample((3, 4), (3, 1), ints={"label": 4}),
        sample((2, 3), (2, 3), domain=(0.1, 1.0), soft_label=True),
    ),
    formula="loss = −ln softmax(logits)[label]",
    grad_formula="dlogits = (softmax − one_hot(label)) · dloss",
)  # fmt: skip
def softmax_with_cross_entropy(
    xp: Any, logits: Any, label: Any, *, soft_label: bool = False, ignore_index: int = -100
) -> Any:
    """How surprised softmax(logits) is by the label, row by row; also that softmax."""
    if soft_label or label.shape != (*logits.shape[:-1], 1):
        _ce_infer(
            Meta(logits.shape, logits.dtype), Meta(label.shape, label.dtype),
            soft_label=soft_label, ignore_index=ignore_index,
        )  # fmt: skip
    shifted = logits - logits.max(axis=-1, keepdims=True)
    e = xp.exp(shifted)
    total = xp.add.reduce(e, axis=-1, keepdims=True)
    if soft_label:
        loss = xp.add.reduce(label * (xp.log(total) - shifted), axis=-1, keepdims=True)
        return e / total, loss
    label = label.astype(np.int64, copy=False)
    some_ignored = _check_labels(xp, logits.shape[-1], label, ignore_index)
    loss = xp.log(total) - _picked(xp, shifted, label, some_ignored)
    if some_ignored:
        loss *= label != ignore_index
    return e / total, loss


@softmax_with_cross_entropy.grad
def softmax_with_cross_entropy_grad(
    F: Any, dsoftmax: Any, dloss: Any, label: Any, softmax: Any, *, soft_label: bool,
    ignore_index: int, needs: list[bool],
) -> Any:  # fmt: skip
    dlogits = None
    if dloss is not None and soft_label:
        weight = F.sum(label, axis=-1, keepdim=True)
        dlogits = (softmax * weight - label) * dloss
    elif dloss is not None:
        hot = F.hot_rows(label, softmax, ignore_index=ignore_index)
        kept = F.sum(hot, axis=-1, keepdim=True)
        dlogits = (softmax * kept - hot) * dloss
    if dsoftmax is not None:
        weighted = dsoftmax * softmax
        through = weighted - softmax * F.sum(weighted, axis=-1, keepdim=True)
        dlogits = through if dlogits is None else dlogits + through
    dlabel = None
    if soft_label and needs[1] and dloss is not None:
        dlabel = -F.log(softmax) * dloss
    return dlogits, dlabel


@op(
    "hot_rows", gradless="the result does not depend on the values of the float input",
    infer=lambda label, like, *, ignore_index: like,
    public=False, method=False, samples=(sample((3, 1), (3, 4), ints={"label": 4}),),
    formula="y = 0, y[label] = 1",
)  # fmt: skip
def hot_rows(xp: Any, label: Any, like: Any, *, ignore_index: int = -100) -> Any:
    """Zeros like `like` with a 1 at each row's label; rows of ignored labels stay 0."""
    hot = xp.zeros(like.shape, like.dtype)
    label = label.astype(np.int64, copy=False)
    places = _flat_places(xp, label, hot.shape[-1])
    hot.reshape(-1)[places] = (label != ignore_index).reshape(-1)
    return hot


def _label_infer(x: Meta, label: Meta, *, ignore_index: int) -> Meta:
    return _ce_infer(x, label, soft_label=False, ignore_index=ignore_index)[1]


@op(
    "negative_log_likelihood", infer=_label_infer, saves=("x", "label"), public=False,
    method=False, symbol="−ln p[label]",
    static=Static("cross_entropy2", slots={"label": "Label", "out": "Y"}, prefix="cross_entropy"),
    samples=(sample((3, 4), (3, 1), domain=(0.1, 1.0), ints={"label": 4}),),
    formula="loss = −ln x[label]", grad_formula="dx = 0, dx[label] = −dloss / x[label]",
)  # fmt: skip
def negative_log_likelihood(xp: Any, x: Any, label: Any, *, ignore_index: int = -100) -> Any:
    """Minus the logarithm of each row's probability at its label."""
    _label_infer(Meta(x.shape, x.dtype), Meta(label.shape, label.dtype), ignore_index=ignore_index)
    label = label.astype(np.int64, copy=False)
    _check_labels(xp, x.shape[-1], label, ignore_index)
    loss = -xp.log(_picked(xp, x, label))
    loss[label == ignore_index] = 0
    return loss


@negative_log_likelihood.grad
def negative_log_likelihood_grad(
    F: Any, dout: Any, x: Any, label: Any, *, ignore_index: int
) -> Any:
    return -F.hot_rows(label, x, ignore_index=ignore_index) * dout / x, None


@op(
    "nll_rows", infer=_label_infer, saves=("x", "label"), public=False, method=False,
    symbol="−x[label]", static=Static("nll_loss", slots={"label": "Label"}, prefix="nll_loss"),
    samples=(sample((3, 4), (3, 1), ints={"label": 4}),),
    formula="loss = −x[label]", grad_formula="dx = 0, dx[label] = −dloss",
)  # fmt: skip
def nll_rows(xp: Any, x: Any, label: Any, *, ignore_index: int = -100) -> Any:
    """Minus each row's number at its label: the loss of log-probabilities."""
    _label_infer(Meta(x.shape, x.dtype), Meta(label.shape, label.dtype), ignore_index=ignore_index)
    label = label.astype(np.int64, copy=False)
    _check_labels(xp, x.shape[-1], label, ignore_index, "nll_loss")
    loss = -_picked(xp, x, label)
    loss[label == ignore_index] = 0
    return loss


@nll_rows.grad
def nll_rows_grad(F: Any, dout: Any, x: Any, label: Any, *, ignore_index: int) -> Any:
    return F.hot_rows(label, x, ignore_index=ignore_index) * -dout, None


# ----- dropout and embedding ---------------------------------------------------------------------


def _dropout_infer(x: Meta, *, axis: Any, **_rest: Any) -> list[Meta]:
    if x.dtype.kind not in "fc":
        raise no_kernel("dropout", "x", x)
    return [x, Meta(_mask_shape(x.shape, axis), x.dtype)]


def _mask_shape(shape: Any, axis: Any) -> tuple[int, ...]:
    """The shape of the mask: 1 in every dimension that `axis` does not name."""
    if axis is None:
        return tuple(shape)
    named = {a % len(shape) for a in ((axis,) if isinstance(axis, int) else axis)}
    return tuple(n if d in named else 1 for d, n in enumerate(shape))


def _kept_share(p: float) -> float:
    """1 − p as Paddle computes it, in float32 whatever the tensor's type."""
    return float(np.float32(1) - np.float32(p))


@op(
    "dropout", infer=_dropout_infer, saves=("mask",), outputs=("out", "mask"), stopped=("mask",),
    canon={"p": number, "axis": axes}, public=False, method=False,
    static=Static(
        "dropout", slots={"mask": "Mask"}, prefix="dropout",
        attrs={"p": "dropout_prob", "mode": "dropout_implementation"},
    ),
    samples=(
        sample((3, 4), seed=7), sample((2, 3), p=0.25, seed=7, mode="downscale_in_infer"),
        sample((4, 3), axis=0, seed=7), sample((3,), is_test=True),
        sample((3,), p=0.2, is_test=True, mode="downscale_in_infer"),
    ),
    formula="y = x · mask / (1 − p), P(mask = 1) = 1 − p",
    grad_formula="dx = dy · mask / (1 − p)",
)  # fmt: skip
def dropout(
    xp: Any, x: Any, *, p: float = 0.5, axis: Any = None, is_test: bool = False,
    mode: str = "upscale_in_train", seed: int = 0,
) -> Any:  # fmt: skip
    """x with random elements set to 0; also the mask, 1 where an element was kept."""
    shape = _dropout_infer(Meta(x.shape, x.dtype), axis=axis)[1].shape
    if is_test or p in (0, 1):  # no numbers are drawn
        mask = xp.full(shape, is_test or p == 0, x.dtype)
    else:
        mask = xp.asarray(random.dropout_mask(shape, p, seed=seed)).astype(x.dtype)
    if p == 1 and not is_test:
        return xp.zeros_like(x), mask
    return _dropped(x, mask, p, axis, is_test, mode), mask


def _dropped(x: Any, mask: Any, p: float, axis: Any, is_test: bool, mode: str) -> Any:
    """What dropout makes of x, and its gradient of dy: both are linear."""
    upscale = mode == "upscale_in_train"
    if is_test:
        return x * 1.0 if upscale else x * _kept_share(p)
    if not upscale or p == 1:
        return x * mask
    # With an axis Paddle multiplies, in the precision of p as it was given.
    return x * mask / _kept_share(p) if axis is None else x * (1.0 / (1.0 - p)) * mask


@dropout.grad
def dropout_grad(
    F: Any, dout: Any, mask: Any, *, p: float, axis: Any, is_test: bool, mode: str
) -> Any:  # fmt: skip
    return _dropped(dout, mask, p, axis, is_test, mode)


def _embedding_infer(x: Meta, weight: Meta, *, padding_idx: int) -> Meta:
    return Meta((*x.shape, weight.shape[-1]), weight.dtype)


@op(
    "embedding", infer=_embedding_infer, saves=("x", "weight.shape"), public=False, method=False,
    static=Static("lookup_table_v2", slots={"x": "Ids", "weight": "W"}, prefix="embedding"),
    samples=(sample((2, 3), (5, 2), ints={"x": 5}), sample((3,), (4, 2), ints={"x": 4})),
    formula="y = weight[x]", grad_formula="dweight[x] += dy",
)  # fmt: skip
def embedding(xp: Any, x: Any, weight: Any, *, padding_idx: int = -1) -> Any:
    """The row of `weight` for each number in x; padding_idx gives a row of zeros."""
    if x.size and (int(x.min()) < 0 or int(x.max()) >= weight.shape[0]):
        bad = int(x.min()) if int(x.min()) < 0 else int(x.max())
        raise InvalidArgument(
            "embedding(): Variable value (input) is outside the table.",
            expected=f">= 0 and < {weight.shape[0]}",
            received=f"{bad}",
            fix="check the vocabulary size, or how the words are numbered",
        )
    out = xp.take(weight, x, 0)
    if padding_idx != -1:
        out[x == padding_idx] = 0
    return out


@embedding.grad
def embedding_grad(F: Any, dout: Any, x: Any, weight_shape: Any, *, padding_idx: int) -> Any:
    return None, F.embedding_rows(dout, x, count=weight_shape[0], padding_idx=padding_idx)


@op(
    "embedding_rows", infer=lambda x, ids, *, count, padding_idx: Meta(
        (count, x.shape[-1]), x.dtype
    ),
    saves=("ids",), public=False, method=False,
    samples=(sample((2, 3, 2), (2, 3), ints={"ids": 5}, count=5),),
    formula="y = 0, y[ids] += x", grad_formula="dx = dy[ids]",
)  # fmt: skip
def embedding_rows(xp: Any, x: Any, ids: Any, *, count: int, padding_idx: int = -1) -> Any:
    """Sum the rows of x that belong to the same id."""
    total = xp.zeros((count, x.shape[-1]), x.dtype)
    add_at(xp, total, ids.reshape(-1), x.reshape(-1, x.shape[-1]))
    if padding_idx != -1:
        total[padding_idx] = 0
    return total


@embedding_rows.grad
def embedding_rows_grad(F: Any, dout: Any, ids: Any, *, padding_idx: int) -> Any:
    return F.embedding(ids, dout, padding_idx=padding_idx), None
