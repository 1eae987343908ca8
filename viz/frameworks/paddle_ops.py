"""Paddle's operators in terms of minipaddle's op records, where both compute the same.

minipaddle has Paddle's names, so most operators differ in the order of their arguments at most. A
call is told as the op of a record only if the record's kernel computes its results; any other one
keeps Paddle's name, and is described in general words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import paddle
from paddle.base import core

from minipaddle import events
from minipaddle.events import Seen, Value
from minipaddle.ops.bound import Forward
from minipaddle.ops.program_ops import find_op

from ..whatif.numbers import alike, computed_by
from . import forms
from .forms import Form, check, is_number, is_odd
from .paddle_tensors import WIDE, Tensor

Special = Callable[..., Form]
# Operator -> the record's names of its arguments, in Paddle's order; `_` changes no result. One
# without a row here has the record's own order.
ORDERS = {
    "mean_all": "mean: x", "clone": "assign: x", "full": "full: shape fill_value dtype",
    "gaussian": "gaussian: shape mean std seed dtype",
    "split_with_num": "split: x num_or_sections axis",
    "cumsum": "cumsum: x axis flatten exclusive reverse",
    "layer_norm": "layer_norm: x scale bias epsilon begin_norm_axis",
    "dropout": "dropout: x _ p is_test mode seed _",
    "batch_norm": "batch_norm: x mean variance scale bias is_test momentum epsilon data_format "
                  "use_global_stats trainable_statistics",
    "full_like": "fill_like: x value dtype", "huber_loss": "smooth_l1_loss: x y delta",
    "bce_loss": "binary_cross_entropy: x label", "pow": "pow: x factor",
    "embedding": "embedding: x weight padding_idx _", "einsum": "einsum: operands equation",
    "elu": "elu: x alpha", "prelu": "prelu: x weight _ _", "min": "min: x axis keepdim",
    "max": "max: x axis keepdim",
}  # fmt: skip
DUNDERS = {
    "matmul": "matmul", "mod": "remainder", "floordiv": "floor_divide", "eq": "equal",
    "ne": "not_equal", "gt": "greater_than", "ge": "greater_equal", "lt": "less_than",
    "le": "less_equal",
}  # fmt: skip


def form_of(name: str, args: Any, kwargs: Any) -> Form:
    """Return a call of an operator as an op of events, which may still compute something else."""
    bare = name if name.startswith("__") else name.removesuffix("_")
    kwargs = {key: value for key, value in kwargs.items() if key not in ("out", "name")}
    places = (core.Place, core.CPUPlace, core.CUDAPlace)
    args = [each for each in args if not isinstance(each, places)]
    try:
        if name.startswith("__"):
            return completed(operator(name.strip("_"), *args))
        special = SPECIAL.get(name) or SPECIAL.get(bare)
        if special:
            return completed(special(*args, **kwargs))
        op, _, order = ORDERS.get(bare, bare).partition(": ")
        record: Any = find_op(op)
        names = order.split() or record.names
        check(not any(each is not None for each in args[len(names) :]))
        given = dict(zip(names, args, strict=False)) | kwargs
        given.pop("_", None)
        check(op != "pow" or is_number(given["factor"]))
        if op == "cumsum":
            check(not given.pop("exclusive", False))
            check(not given.pop("flatten", False) or args[0].ndim == 1)
        given = {key: plainly(key, value) for key, value in given.items() if value is not None}
        tensors, attrs = record.bind((), given)
        check(not any(map(is_odd, tensors)))
        return Form(op, list(tensors), attrs)
    except Exception:  # noqa: BLE001  (a call that Paddle refuses, or knows and we do not)
        return unknown(name, args, kwargs)


def completed(form: Form) -> Form:
    """Return a form with all attributes, as the record writes them."""
    record: Any = find_op(form.op)
    form.attrs = {
        key: record.canonical(key, value) for key, value in (record.defaults | form.attrs).items()
    }
    return form


def unknown(name: str, args: Any, kwargs: Any) -> Form:
    """Return a call as an op that has no record, with its plain arguments."""
    bare = name.strip("_").removesuffix("_dygraph")
    form = forms.unknown("paddle", bare, args, kwargs, Tensor)
    # Some operators get a place for what they will need, which holds nothing yet.
    form.inputs = [each for each in form.inputs if each._is_initialized() or not each.size]
    return form


def plainly(key: str, value: Any) -> Any:
    """Return the value of an attribute in minipaddle's form."""
    if isinstance(value, paddle.dtype):
        return str(value).removeprefix("paddle.")
    if key == "axis" and isinstance(value, (list, tuple)):
        return value[0] if len(value) == 1 else list(value) or None
    return value


def computes(form: Form, inputs: Sequence[Any], outputs: Sequence[Value]) -> bool:
    """Return whether a record's kernel computes the results of a call."""
    record = find_op(form.op)
    if record is None:
        return False
    if any(each.dtype in WIDE for each in outputs) or record.random:
        return True
    attrs = form.attrs
    try:
        with computed_by("paddle"), np.errstate(all="ignore"):
            if form.op == "dropout" and outputs[0].data is not None:
                kept = outputs[0].data != 0  # which elements it drops is drawn at random
                whole = Forward(record, {**attrs, "is_test": True})(arrays_of(inputs[0]))[0]
                share = 1 - attrs["p"] if attrs["mode"] == "upscale_in_train" else 1
                drops = not attrs["is_test"]
                return not drops or alike(np.where(kept, whole / share, 0), outputs[0].data)
            results = Forward(record, attrs)(*map(arrays_of, inputs))
            pairs = zip(results, outputs, strict=False)
            return all(alike(np.asarray(ours), theirs.data) for ours, theirs in pairs)
    except Exception:  # noqa: BLE001  (the kernel does not take what Paddle takes)
        return False


def arrays_of(thing: Any) -> Any:
    """Return the array of a Seen, or the arrays of several."""
    if isinstance(thing, tuple):
        return [arrays_of(each) for each in thing]
    return None if thing is None else thing.value.data


# ----- operators that need more than an order ----------------------------------------------------


def as_tensor(thing: Any, like: Any) -> Any:
    """Return a Python number as the tensor that an op takes in its place."""
    if not is_number(thing):
        return thing
    dtype = str(like.dtype).removeprefix("paddle.")
    check(dtype.startswith("float") or isinstance(thing, int))  # 0.5 is no integer
    return Seen(events.new_number(), "", Value((), dtype, np.array(thing, dtype)), True, leaf=True)


def operator(name: str, x: Any, y: Any) -> Form:
    """Return the op of an operator of Python between tensors and numbers."""
    swapped = name.startswith("r") and name != "rshift"
    name = name.removeprefix("r") if swapped else name
    if is_number(y):
        if name == "add":
            return Form("scale", [x], {"scale": 1.0, "bias": y})
        if name == "sub":
            sign, bias = (-1.0, y) if swapped else (1.0, -y)
            return Form("scale", [x], {"scale": sign, "bias": bias})
        if name == "mul":
            return Form("scale", [x], {"scale": y})
        if name == "pow" and not swapped:
            return Form("pow", [x], {"factor": y})
    both = [as_tensor(each, x) for each in ((y, x) if swapped else (x, y))]
    names = {"add": "add", "sub": "subtract", "mul": "multiply", "pow": "elementwise_pow"}
    divides = {"truediv": "divide", "div": "divide"}
    return Form((names | divides | DUNDERS)[name], both)


def item(x: Any, index: Any) -> Form:
    parts = index if isinstance(index, tuple) else (index,)
    if parts and all(isinstance(part, Tensor) for part in parts):
        if str(parts[0].dtype) == "paddle.bool":
            check(len(parts) == 1 and parts[0].ndim == x.ndim)
            return Form("masked_select", [x, parts[0]])
        check(all("int" in str(part.dtype) for part in parts))
        return Form("pick", [x, list(parts)], {"axes": [*range(len(parts))]})
    known = (int, slice, type(None), type(...))
    check(all(isinstance(part, known) and not isinstance(part, bool) for part in parts))
    return Form("getitem", [x], {"index": index[0] if len(parts) == 1 else index})


def item_set(x: Any, index: Any, value: Any) -> Form:
    return Form("set_at", [x, as_tensor(value, x)], item(x, index).attrs)


def filled(x: Any, value: Any) -> Form:
    return Form("set_at", [x, as_tensor(value, x)], {"index": ...})


def pads(paddings: Sequence[int], algorithm: str) -> list[list[int]]:
    """Return the padding before and after each of two axes."""
    row = [int(each) for each in paddings]
    check(algorithm == "EXPLICIT" and len(row) in (2, 4))
    return [row[:2], row[2:]] if len(row) == 4 else [[each, each] for each in row]


def convolution(
    x: Any, weight: Any, stride: Any, padding: Any, algorithm: str, dilation: Any, groups: int,
    form: str,
) -> Form:  # fmt: skip
    check(form == "NCHW")
    attrs = {"stride": list(stride), "padding": pads(padding, algorithm), "groups": groups}
    return Form("conv2d", [x, weight], {**attrs, "dilation": list(dilation)})


def by_channel(
    x: Any, weight: Any, stride: Any, padding: Any, algorithm: str, groups: int, dilation: Any,
    form: str,
) -> Form:  # fmt: skip
    return convolution(x, weight, stride, padding, algorithm, dilation, groups, form)


def transposed_convolution(
    x: Any, weight: Any, stride: Any, padding: Any, more: Any, size: Any, algorithm: str,
    groups: int, dilation: Any, form: str,
) -> Form:  # fmt: skip
    check(not size)
    like = convolution(x, weight, stride, padding, algorithm, dilation, groups, form)
    attrs = {**like.attrs, "output_padding": list(more) or [0, 0]}
    return Form("conv2d_transpose", like.inputs, attrs)


def pooling(
    x: Any, size: Any, stride: Any, padding: Any, ceil_mode: bool, exclusive: bool, form: str,
    kind: str, whole: bool, adaptive: bool, algorithm: str,
) -> Form:  # fmt: skip
    check(form == "NCHW" and not whole)
    attrs: dict[str, Any] = {
        "ksize": list(size),
        "stride": list(stride),
        "padding": pads(padding, algorithm),
    }
    attrs = {**attrs, "ceil_mode": ceil_mode, "adaptive": adaptive}
    return Form(f"{kind}_pool2d", [x], attrs | ({"exclusive": exclusive} if kind == "avg" else {}))


def padded(x: Any, paddings: Any, value: Any) -> Form:
    row = list(paddings)
    pairs = [row[at : at + 2] for at in range(0, len(row), 2)]
    return Form("pad", [x], {"pads": pairs, "mode": "constant", "value": float(value)})


def entropy(
    x: Any, label: Any, soft: bool, softmax: bool, _stable: bool, ignored: int, axis: int
) -> Form:
    check(softmax and axis in (-1, x.ndim - 1))
    attrs = {"soft_label": soft, "ignore_index": ignored}
    return Form("softmax_with_cross_entropy", [x, label], attrs)


def entropy_of_logits(x: Any, label: Any, weight: Any, mean: bool, ignored: int) -> Form:
    check(weight is None and not mean and ignored == -100)
    return Form("binary_cross_entropy_with_logits", [x, label])


def divergence(x: Any, label: Any, reduction: str, log_target: bool) -> Form:
    check(reduction == "none")
    return Form("kl_div", [x, label], {"log_target": log_target})


def norm(x: Any, order: float, axis: int, _epsilon: float, keepdim: bool, whole: bool) -> Form:
    attrs = {"porder": order, "axis": None if whole else axis, "keepdim": keepdim}
    return Form("p_norm", [x], attrs)


def product(x: Any, axis: Any, keepdim: bool, whole: bool) -> Form:
    check(x.stop_gradient or bool((x.detach() != 0).all()))  # else Paddle's gradient is NaN
    return Form("prod", [x], {"axis": None if whole else plainly("axis", axis), "keepdim": keepdim})


def matrix_product(x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False) -> Form:
    check(not transpose_x)
    if transpose_y and x.shape[:-2] == y.shape[:-2] and x.ndim > 1:
        return Form("matmul_transposed", [x, y])
    if transpose_y:  # that of a weight
        check(y.ndim == 2 and x.ndim > 1)
        return Form("linear", [x, y, None])
    return Form("matmul", [x, y])


def counted(op: str, *names: str) -> Special:
    """Return the form of an operator that takes its numbers as tensors of one element."""

    def form(*bounds: Any) -> Form:
        *numbers, dtype = bounds
        attrs = {name: each.item() for name, each in zip(names, numbers, strict=True)}
        return Form(op, [], {**attrs, "dtype": plainly("dtype", dtype)})

    return form


SPECIAL: dict[str, Special] = {
    "_getitem_dygraph": item, "_setitem_dygraph": item_set, "conv2d": convolution,
    "depthwise_conv2d": by_channel, "conv2d_transpose": transposed_convolution,
    "pool2d": pooling, "pad": padded, "cross_entropy_with_softmax": entropy,
    "sigmoid_cross_entropy_with_logits": entropy_of_logits, "kldiv_loss": divergence,
    "full_": lambda x, _, value, *__: filled(x, value), "fill_": filled,
    "p_norm": norm, "prod": product, "matmul": matrix_product,
    "arange": counted("arange", "start", "end", "step"),
    "linspace": counted("linspace", "start", "stop", "num"),
}  # fmt: skip
