"""Ops on class numbers: cross entropy, negative log-likelihood, one-hot rows, shards."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dtypes import DType, as_positions
from ...engine.errors import InvalidArgument, OutOfRange
from ...engine.meta import Meta, no_kernel
from ...errors import misfit, require
from ...messages import Message
from .. import errors
from ..arguments import metas_of, read_length, shapes_differ
from ..op_spec import internal, op
from ..record import Formula, Public, Results, Static, sample
from ..rule_functions import host_check
from .activations import max_along


def _ce_infer(logits: Meta, label: Meta, *, soft_label: bool, ignore_index: int) -> list[Meta]:
    loss = (*logits.shape[:-1], 1)
    expected = logits.shape if soft_label else loss
    if shapes_differ(label.shape, expected):
        wanted = f"label {list(expected)}" + ("" if soft_label else f" or {list(expected[:-1])}")
        fix = "give one class number per row, or soft_label=True with one weight per class"
        pair = {"label": label, "input": logits}
        raise misfit("cross_entropy", wanted, InvalidArgument, fix, **pair)
    if logits.dtype.kind != "f":
        raise no_kernel("cross_entropy", "input", logits)
    return [logits, Meta(loss, logits.dtype)]


@host_check(same_between=lambda classes, label, *_: (label, 0, classes - 1))
def _check_labels(xp: Any, classes: int, label: Any, ignore_index: int, name: str) -> bool:
    """Raise an error for class numbers without a column; return whether some labels are ignored."""
    if not label.size:
        return False
    # As unsigned numbers, negative labels are very large: one pass finds both kinds.
    unsigned = label.view(np.uint64)
    if int(unsigned.flat[int(unsigned.argmax())]) < classes:
        return 0 <= ignore_index < classes
    bad = label[(label != ignore_index) & ((label < 0) | (label >= classes))]
    if bad.size:
        one = int(bad.flat[0])
        # Paddle's two kernels raise different kinds of errors.
        kind = InvalidArgument if name == "nll_loss" else OutOfRange
        raise errors.no_class(name, one, classes, ignore_index, kind)
    return True


def _flat_positions(xp: Any, label: Any, classes: int, some_ignored: bool = True) -> Any:
    """Return the positions of the labels in the flattened table.

    An ignored label is clipped to a class, so that its position lies in its own row.
    """
    flat = as_positions(label.reshape(-1))
    flat = xp.minimum(xp.maximum(flat, 0), classes - 1) if some_ignored else flat
    return xp.arange(0, flat.size * classes, classes) + flat


def _pick_labels(xp: Any, table: Any, label: Any, some_ignored: bool = True) -> Any:
    """Return table[row, label[row]] for every row, as a column."""
    positions = _flat_positions(xp, label, table.shape[-1], some_ignored)
    return table.take(positions).reshape(label.shape)


def _unless_ignored(attrs: dict[str, Any], label: str = "label") -> str:
    """Return the factor of a formula that is 0 for ignored rows, if a class is ignored or
    `negative` says that labels are negative."""
    ignored = attrs["ignore_index"]
    is_shown = ignored >= 0 or attrs.get("negative")
    return f" · [{label} ≠ {ignored}]".replace("-", "−") if is_shown else ""


def _of_rows(formula: str, ends: int = 1) -> Callable[[dict[str, Any]], str]:
    """Return a formula of rows, along all axes of the first input but the last `ends` ones: `§` is
    a row's subscript, as in `lossᵢ` or `loss[i, j]`, `@` are its letters, `#` is the class and `~`
    the factor that is 0 for ignored rows."""

    def filled(attrs: dict[str, Any]) -> str:
        *row, last = [*"ijklmn"[: attrs.get("rank", 1 + ends) - ends + 1]]
        subscript = "ᵢ" if len(row) == 1 else f"[{', '.join(row)}]" if row else ""
        text = formula.replace("~", _unless_ignored(attrs, "label§")) if "~" in formula else formula
        text = text.replace("@", "".join(f"{each}, " for each in row))
        return text.replace("§", subscript).replace("#", last)

    return filled


@internal(
    infer=_ce_infer,
    results=Results(("softmax", "loss"), zeros_for_unused=False),
    formula=Formula(
        lambda attrs: (
            "loss = −sum(label · ln softmax(logits), axis=−1, keepdim=True)"
            if attrs["soft_label"]
            else _of_rows("loss§ = −ln softmax(logits)[@label§]~")(attrs)
        ),
        symbol="softmax + cross entropy",
    ),
    samples=(
        sample((3, 4), (3, 1), ints={"label": 4}),
        sample((2, 3), (2, 3), domain=(0.1, 1.0), soft_label=True),
    ),
    static=Static(
        "softmax_with_cross_entropy",
        extra={"axis": -1, "numeric_stable_mode": True, "use_softmax": True},
    ),
)
def softmax_with_cross_entropy(
    xp: Any, logits: Any, label: Any, *, soft_label: bool = False, ignore_index: int = -100
) -> Any:
    """softmax(logits), and for each row minus the logarithm of its element at the label."""
    if soft_label or label.shape != (*logits.shape[:-1], 1):
        _ce_infer(*metas_of([logits, label]), soft_label=soft_label, ignore_index=ignore_index)
    shifted = logits - max_along(xp, logits)
    e = xp.exp(shifted)
    total = xp.add.reduce(e, axis=-1, keepdims=True)
    softmax = xp.divide(e, total, out=e)
    xp.log(total, out=total)
    if soft_label:
        # Label 0 gives a loss of 0, also for a score of -inf.
        costs = xp.where(label == 0, xp.zeros((), label.dtype), label * (total - shifted))
        return softmax, xp.add.reduce(costs, axis=-1, keepdims=True)
    label = label.astype(np.int64, copy=False)
    some_ignored = _check_labels(xp, logits.shape[-1], label, ignore_index, "cross_entropy")
    loss = total - _pick_labels(xp, shifted, label, some_ignored)
    if some_ignored:
        loss[label == ignore_index] = 0
    return softmax, loss


@softmax_with_cross_entropy.grad
def softmax_with_cross_entropy_grad(
    F: Any,
    dsoftmax: Any,
    dloss: Any,
    label: Any,
    softmax: Any,
    *,
    soft_label: bool,
    ignore_index: int,
    needs: list[bool],
) -> Any:
    dlogits = None
    if dloss is not None and soft_label:
        weight = F.sum(label, axis=-1, keepdim=True)
        dlogits = (softmax * weight - label) * dloss
    elif dloss is not None:
        dlogits = F.less_hot_rows(softmax, label, dloss, ignore_index=ignore_index)
    if dsoftmax is not None:
        weighted = dsoftmax * softmax
        through = weighted - softmax * F.sum(weighted, axis=-1, keepdim=True)
        dlogits = through if dlogits is None else dlogits + through
    dlabel = None
    if soft_label and needs[1] and dloss is not None:
        dlabel = -F.log(softmax) * dloss
    return dlogits, dlabel


def classes_of(scores: Any) -> dict[str, Any]:
    """Return the number of classes and the dtype of scores."""
    return {"classes": scores.shape[-1], "dtype": DType.of(scores.dtype)}


def _hot_formula(attrs: dict[str, Any]) -> str:
    """Return the formula of rows, with the numbers of a smoothed label as in its sentence."""
    on, off = (f"{attrs[name]:.4g}" if attrs["off"] else name for name in ("on", "off"))
    return _of_rows(f"y[@#] = ({on} · [# = label§] + {off} · [# ≠ label§])~")(attrs)


@internal(
    infer=lambda label, *, classes, dtype, **_: Meta(
        (*label.shape[:-1], classes), DType.of(dtype).numpy
    ),
    gradless="the class numbers are integers",
    formula=Formula(
        _hot_formula,
        symbol=lambda attrs: "label_smooth" if attrs["off"] else "one_hot",
    ),
    samples=(
        sample((3, 1), ints={"label": 4}, classes=4, dtype="float32"),
        sample((3, 1), ints={"label": 4}, classes=4, dtype="float64", on=0.75, off=0.25),
    ),
)
def hot_rows(
    xp: Any,
    label: Any,
    *,
    classes: int,
    dtype: Any,
    ignore_index: int = -100,
    on: float = 1.0,
    off: float = 0.0,
) -> Any:
    """Rows of `off` with `on` at the label; zeros for ignored labels."""
    hot = xp.full((*label.shape[:-1], classes), off, DType.of(dtype).numpy)
    label = label.astype(np.int64, copy=False)
    hot.reshape(-1)[_flat_positions(xp, label, classes)] = on
    hot *= label != ignore_index
    return hot


@internal(
    infer=lambda x, label, scale, *, ignore_index: x,
    formula=Formula(lambda attrs: f"y = (x − one_hot(label)) · scale{_unless_ignored(attrs)}"),
    samples=(
        sample((3, 4), (3, 1), (3, 1), ints={"label": 4}),
        sample((3, 4), (3, 1), (3, 1), ints={"label": 4}, ignore_index=2),
    ),
)
def less_hot_rows(xp: Any, x: Any, label: Any, scale: Any, *, ignore_index: int = -100) -> Any:
    """(x - one-hot label) times a number per row; 0 in rows of ignored labels."""
    label = label.astype(np.int64, copy=False)
    some_ignored = _check_labels(xp, x.shape[-1], label, ignore_index, "cross_entropy")
    positions = _flat_positions(xp, label, x.shape[-1], some_ignored)
    rest = x.copy()
    flat = rest.reshape(-1)
    flat[positions] = flat.take(positions) - 1.0
    rest *= scale
    if some_ignored:
        return xp.where(label == ignore_index, xp.zeros((), rest.dtype), rest)
    return rest


@less_hot_rows.grad
def less_hot_rows_grad(
    F: Any, dout: Any, x: Any, label: Any, scale: Any, *, ignore_index: int
) -> Any:
    counted = F.where(label != ignore_index, dout, F.fill_like(dout))
    less = F.less_hot_rows(x, label, F.fill_like(scale, value=1.0), ignore_index=ignore_index)
    return counted * scale, None, F.sum(dout * less, axis=-1, keepdim=True)


def _loss_at_labels(
    xp: Any, x: Any, label: Any, ignore_index: int, name: str, cost: Callable[[Any], Any]
) -> Any:
    """Return the cost of the element of x at the label, for each row; 0 for ignored labels."""
    _label_infer(*metas_of([x, label]), ignore_index=ignore_index)
    label = label.astype(np.int64, copy=False)
    _check_labels(xp, x.shape[-1], label, ignore_index, name)
    loss = cost(_pick_labels(xp, x, label))
    loss[label == ignore_index] = 0
    return loss


def _label_infer(x: Meta, label: Meta, *, ignore_index: int) -> Meta:
    return _ce_infer(x, label, soft_label=False, ignore_index=ignore_index)[1]


@internal(
    infer=_label_infer,
    formula=Formula(
        _of_rows("loss§ = −ln x[@label§]~"),
        _of_rows("dx[@#] = −dloss§ / x[@#] · [# = label§]~"),
        symbol="−ln p[label]",
    ),
    samples=(sample((3, 4), (3, 1), domain=(0.1, 1.0), ints={"label": 4}),),
    static=Static("cross_entropy2", slots={"out": "Y"}, prefix="cross_entropy"),
)
def negative_log_likelihood(xp: Any, x: Any, label: Any, *, ignore_index: int = -100) -> Any:
    """Minus the logarithm of the probability of the label, for each row."""
    return _loss_at_labels(xp, x, label, ignore_index, "cross_entropy", lambda p: -xp.log(p))


@negative_log_likelihood.grad
def negative_log_likelihood_grad(
    F: Any, dout: Any, x: Any, label: Any, *, ignore_index: int
) -> Any:
    hot = F.hot_rows(label, **classes_of(x), ignore_index=ignore_index) != 0.0
    return F.where(hot, -dout / x, F.fill_like(x)), None


@internal(
    infer=_label_infer,
    formula=Formula(
        _of_rows("loss§ = −x[@label§]~"),
        _of_rows("dx[@#] = −dloss§ · [# = label§]~"),
        symbol="−x[label]",
    ),
    samples=(sample((3, 4), (3, 1), ints={"label": 4}),),
    static=Static("nll_loss"),
)
def nll_rows(xp: Any, x: Any, label: Any, *, ignore_index: int = -100) -> Any:
    """Minus the element at the label, for each row: the loss of log-probabilities."""
    return _loss_at_labels(xp, x, label, ignore_index, "nll_loss", operator.neg)


@nll_rows.grad
def nll_rows_grad(F: Any, dout: Any, x: Any, label: Any, *, ignore_index: int) -> Any:
    hot = F.hot_rows(label, **classes_of(x), ignore_index=ignore_index) != 0.0
    return F.where(hot, -dout, F.fill_like(x)), None


# ----- one-hot rows ------------------------------------------------------------------------------


def _one_hot_infer(x: Meta, *, num_classes: int) -> Meta:
    if x.dtype.char not in "ilq":
        wanted = Message("class numbers, int32 or int64")
        raise no_kernel("one_hot", "x", x, wanted, "int64")
    return Meta((*x.shape, num_classes), np.dtype("float32"))


@host_check(same_between=lambda x, classes, *_: (x, 0, classes - 1))
def _check_classes(xp: Any, x: Any, classes: int, op: str, name: str, limit: str) -> None:
    if x.size and not 0 <= int(x.min()) <= int(x.max()) < classes:
        bad = int(x.min()) if int(x.min()) < 0 else int(x.max())
        expected = f"0 <= {name} < {classes}, the number of classes"
        fix = Message("raise {limit}, or check how the classes are numbered", limit=limit)
        raise misfit(op, expected, InvalidArgument, fix, **{name: bad})


@internal(
    infer=_one_hot_infer,
    gradless="the class numbers are integers",
    canon={"num_classes": read_length},
    formula=Formula(_of_rows("y[@#] = [# = x§]", 0)),
    samples=(
        sample((2, 3), ints={"x": 5}, num_classes=5),
        sample((), ints={"x": 2}, num_classes=3),
        sample((0, 2), ints={"x": 2}, num_classes=2),
    ),
    static=Static(
        "one_hot_v2", attrs={"num_classes": "depth"}, extra={"allow_out_of_range": False}
    ),
)
def one_hot(xp: Any, x: Any, *, num_classes: int) -> Any:
    """For each class number a row of float32 zeros with a 1 at the class."""
    shape = _one_hot_infer(Meta(x.shape, x.dtype), num_classes=num_classes).shape
    _check_classes(xp, x, num_classes, "one_hot", "x", "num_classes")
    hot = xp.zeros(shape, "float32")
    hot.reshape(-1)[_flat_positions(xp, x.astype(np.int64, copy=False), num_classes)] = 1.0
    return hot


# ----- shards ------------------------------------------------------------------------------------


def _shard_infer(input: Meta, **how: Any) -> Meta:
    if input.dtype not in (np.int32, np.int64):
        raise no_kernel("shard_index", "input", input, Message("int32 or int64"), "int64")
    counts = {key: how[key] for key in ("index_num", "nshards")}
    require(min(counts.values()) > 0, "shard_index", "index_num > 0 and nshards > 0", **counts)
    expected, given = "0 <= shard_id < nshards", {"shard_id": how["shard_id"]}
    require(0 <= how["shard_id"] < how["nshards"], "shard_index", expected, **given)
    return input


@op(
    infer=_shard_infer,
    checked=True,
    gradless="labels have no gradient",
    formula=Formula("y = shard_index(x)"),
    samples=(
        sample((3, 1), ints={"input": 6}, index_num=6, nshards=2, shard_id=1),
        sample((2, 2), ints={"input": 5}, index_num=5, nshards=2, shard_id=0, ignore_value=-3),
    ),
    public=Public(method=False),
    static=Static("shard_index"),
)
def shard_index(
    xp: Any, input: Any, *, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1
) -> Any:
    """Labels counted from the first one of a shard; those of other shards are `ignore_value`.

    The labels 0 … index_num − 1 are cut into `nshards` shards of equal size, the last may be less.

    >>> labels = paddle.to_tensor([[16], [1]])
    >>> paddle.shard_index(labels, index_num=20, nshards=2, shard_id=1).tolist()
    [[6], [-1]]
    """
    _check_classes(xp, input, index_num, "shard_index", "input", "index_num")
    size = -(-index_num // nshards)
    own = input // size == shard_id
    return xp.where(own, input - shard_id * size, input.dtype.type(ignore_value))
