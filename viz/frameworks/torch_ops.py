"""PyTorch's functions in terms of minipaddle's op records, where both compute the same.

A function is mapped only if its record's kernel, gradient rule, formula and sentence are true of
it. Any other one keeps PyTorch's name, and is described in general words.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch

from minipaddle import events
from minipaddle.events import Seen
from minipaddle.ops.program_ops import find_op

from . import forms
from .forms import Form, Unlike, check, is_number, is_odd
from .torch_tensors import value_of

Special = Callable[..., "Form"]
UNTOLD = {"_stacklevel", "inplace"}  # parameters that change no numbers


@dataclass(frozen=True)
class Row:
    """An op whose tensors and attributes are parameters of PyTorch's function.

    parameters: those of the function, `dim=None`. Those that are neither among the `tensors` nor
    the values of `attrs` (our name -> its name) must have their defaults.
    """

    parameters: str
    op: str
    tensors: str
    attrs: dict[str, str] = field(default_factory=dict)

    def __call__(self, args: Any, kwargs: Any) -> Form:
        given = bound(self.parameters, args, kwargs)
        tensors = self.tensors.split()
        read = {*tensors, *self.attrs.values()}
        for name, default in defaults(self.parameters).items():
            if name not in read | UNTOLD and given[name] is not default and given[name] != default:
                raise Unlike
        attrs = {ours: given[theirs] for ours, theirs in self.attrs.items()}
        return Form(self.op, [given[name] for name in tensors], attrs)


@cache
def defaults(parameters: str) -> dict[str, Any]:
    """Return parameters with their defaults."""
    pairs = (each.partition("=") for each in parameters.split())
    return {name: literal_eval(value) if sign else Unlike for name, sign, value in pairs}


def bound(parameters: str, args: Any, kwargs: Any) -> dict[str, Any]:
    """Return arguments by the names of parameters."""
    known = defaults(parameters)
    kwargs = {{"axis": "dim", "keepdims": "keepdim"}.get(k, k): v for k, v in kwargs.items()}
    if "self" in kwargs:
        kwargs["input"] = kwargs.pop("self")
    if len(args) > len(known) or not kwargs.keys() <= known.keys():
        raise Unlike
    return {**known, **dict(zip(known, args, strict=False)), **kwargs}


SAME = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh digamma erf erfinv exp expm1 floor "
    "isfinite isinf isnan lgamma log log10 log1p log2 logical_not reciprocal rsqrt sigmoid "
    "sin sinh sqrt square tan tanh trunc"
)
BINARY = "atan2 bmm fmax fmin logical_and logical_or logical_xor matmul maximum minimum mv"
COMPARED = {
    "eq": "equal", "ne": "not_equal", "gt": "greater_than", "ge": "greater_equal",
    "lt": "less_than", "le": "less_equal",
}  # fmt: skip
OVER = "input dim=None keepdim=False dtype=None"
AXES = {"axis": "dim", "keepdim": "keepdim"}
ONE_AXIS = {"axis": "dim"}
ROWS: dict[str, Callable[[Any, Any], Form]] = {
    **{name: Row("input", name, "input") for name in SAME.split()},
    **{name: Row("input other", name, "input other") for name in BINARY.split()},
    "relu": Row("input inplace=False", "relu", "input"),
    "silu": Row("input inplace=False", "silu", "input"),
    "sum": Row(OVER, "sum", "input", AXES),
    "mean": Row(OVER, "mean", "input", AXES),
    "logsumexp": Row("input dim keepdim=False", "logsumexp", "input", AXES),
    "amax": Row("input dim=None keepdim=False", "amax", "input", AXES),
    "amin": Row("input dim=None keepdim=False", "amin", "input", AXES),
    "max": Row("input", "amax", "input"),
    "min": Row("input", "amin", "input"),
    "argmax": Row("input dim=None keepdim=False", "argmax", "input", AXES),
    "argmin": Row("input dim=None keepdim=False", "argmin", "input", AXES),
    "softmax": Row("input dim _stacklevel=3 dtype=None", "softmax", "input", ONE_AXIS),
    "log_softmax": Row("input dim _stacklevel=3 dtype=None", "log_softmax", "input", ONE_AXIS),
    "cumsum": Row("input dim dtype=None", "cumsum", "input", ONE_AXIS),
    "unsqueeze": Row("input dim", "unsqueeze", "input", ONE_AXIS),
    "squeeze": Row("input dim=None", "squeeze", "input", ONE_AXIS),
    "flatten": Row(
        "input start_dim=0 end_dim=-1", "flatten", "input",
        {"start_axis": "start_dim", "stop_axis": "end_dim"},
    ),
    "cat": Row("tensors dim=0", "concat", "tensors", ONE_AXIS),
    "stack": Row("tensors dim=0", "stack", "tensors", ONE_AXIS),
    "unbind": Row("input dim=0", "unbind", "input", ONE_AXIS),
    "tril": Row("input diagonal=0", "tril", "input", {"diagonal": "diagonal"}),
    "triu": Row("input diagonal=0", "triu", "input", {"diagonal": "diagonal"}),
    "where": Row("condition input other", "where", "condition input other"),
    "clamp": Row("input min=None max=None", "clip", "input", {"min": "min", "max": "max"}),
    "index_select": Row("input dim index", "index_select", "input index", ONE_AXIS),
    "gelu": Row("input approximate='none'", "gelu", "input"),
    "leaky_relu": Row(
        "input negative_slope=0.01 inplace=False", "leaky_relu", "input",
        {"negative_slope": "negative_slope"},
    ),
    "elu": Row("input alpha=1.0 inplace=False", "elu", "input", {"alpha": "alpha"}),
    "softplus": Row(
        "input beta=1 threshold=20", "softplus", "input",
        {"beta": "beta", "threshold": "threshold"},
    ),
    "embedding": Row(
        "input weight padding_idx=None max_norm=None norm_type=2.0 scale_grad_by_freq=False "
        "sparse=False", "embedding", "input weight",
    ),
    "cross_entropy": Row(
        "input target weight=None size_average=None ignore_index=-100 reduce=None "
        "reduction='mean' label_smoothing=0.0", "cross_entropy", "input target",
    ),
    "mse_loss": Row(
        "input target size_average=None reduce=None reduction='mean' weight=None", "mse_loss",
        "input target",
    ),
    "linear": Row("input weight bias=None", "linear", "input weight bias"),
    "clone": Row("input memory_format=None", "assign", "input"),
    "tanhshrink": Row("input", "tanhshrink", "input"),
    **dict.fromkeys(("logsigmoid", "log_sigmoid"), Row("input", "log_sigmoid", "input")),
    "addmm": Row(
        "input mat1 mat2 beta=1 alpha=1", "addmm", "input mat1 mat2",
        {"beta": "beta", "alpha": "alpha"},
    ),
}  # fmt: skip
OTHER_NAMES = {
    "mm": "matmul", "clip": "clamp", "concat": "cat", "multiply": "mul", "subtract": "sub",
    "divide": "div", "true_divide": "div", "truediv": "div", "negative": "neg", "rmul": "mul",
    "radd": "add", "absolute": "abs", "greater": "gt", "less": "lt", "not_equal": "ne",
    "getitem": "getitem", "setitem": "setitem", "invert": "logical_not", "view_as": "reshape_as",
    "swapaxes": "transpose", "imul": "mul", "iadd": "add", "isub": "sub", "idiv": "div",
    "itruediv": "div", "ipow": "pow",
}  # fmt: skip


def form_of(name: str, args: Any, kwargs: Any) -> Form:
    """Return a call of PyTorch's function as an op of events."""
    bare = name.strip("_") if name.startswith("__") else name.removesuffix("_")
    bare = OTHER_NAMES.get(bare, bare)
    kwargs = {key: value for key, value in kwargs.items() if key != "out"}
    try:
        if bare in ROWS:
            form = ROWS[bare](args, kwargs)
        elif bare in SPECIAL:
            form = SPECIAL[bare](*args, **kwargs)
        else:
            raise Unlike
        record: Any = find_op(form.op)
        check(not any(is_odd(each) for each in form.inputs))
        check(form.op not in CHECKS or CHECKS[form.op](*form.inputs))
        form.attrs = {
            key: record.canonical(key, value)
            for key, value in (record.defaults | form.attrs).items()
        }
    except Exception:  # noqa: BLE001  (a call that PyTorch refuses, or knows and we do not)
        return unknown(bare, args, kwargs)
    return form


def unknown(name: str, args: Any, kwargs: Any) -> Form:
    """Return a call as an op that has no record, with its plain arguments."""
    return forms.unknown("torch", name, args, kwargs, torch.Tensor)


# ----- functions that need more than a row -------------------------------------------------------


def is_tensor(thing: Any) -> bool:
    return isinstance(thing, torch.Tensor)


def as_tensor(thing: Any, like: Any) -> Any:
    """Return a Python number as the tensor that an op takes in its place."""
    if not is_number(thing):
        return thing
    check(like.is_floating_point() or isinstance(thing, int))  # 0.5 is no integer
    value = value_of(torch.tensor(thing, dtype=like.dtype))
    return Seen(events.new_number(), "", value, stop_gradient=True, leaf=True)


def scaled(x: Any, **attrs: Any) -> Form:
    """Return the op of a floating tensor times a number plus a number."""
    check(x.is_floating_point())
    return Form("scale", [x], attrs)


def added(x: Any, y: Any, *, alpha: Any = 1) -> Form:
    check(alpha == 1)
    if is_number(x) or is_number(y):
        x, y = (x, y) if is_number(y) else (y, x)
        return scaled(x, scale=1.0, bias=y)
    return Form("add", [x, y])


def subtracted(x: Any, y: Any, *, alpha: Any = 1) -> Form:
    check(alpha == 1)
    return scaled(x, scale=1.0, bias=-y) if is_number(y) else Form("subtract", [x, y])


def subtracted_from(x: Any, y: Any) -> Form:
    return scaled(x, scale=-1.0, bias=y) if is_number(y) else Form("subtract", [y, x])


def multiplied(x: Any, y: Any) -> Form:
    if is_number(x) or is_number(y):
        x, y = (x, y) if is_number(y) else (y, x)
        return scaled(x, scale=y)
    return Form("multiply", [x, y])


def divided(x: Any, y: Any) -> Form:
    tensor = x if is_tensor(x) else y
    check(tensor.is_floating_point())
    return Form("divide", [as_tensor(each, tensor) for each in (x, y)])


def raised(x: Any, y: Any) -> Form:
    if is_number(y):
        check(x.is_floating_point())
        return Form("pow", [x], {"factor": y})
    return Form("elementwise_pow", [as_tensor(x, y), y])


def compared(op: str) -> Special:
    return lambda x, y: Form(op, [x, as_tensor(y, x)])


def sizes_in(given: Any, named: Any) -> list[int]:
    """Return sizes or axes, given one by one or as one list."""
    row = next(iter(named.values()), given)
    row = row[0] if len(row) == 1 and not isinstance(row[0], int) else row
    check(not isinstance(row, torch.dtype))
    return list(row)


def reshaped(x: Any, *shape: Any, **named: Any) -> Form:
    return Form("reshape", [x], {"shape": sizes_in(shape, named)})


def unflattened(x: Any, dim: Any, sizes: Any) -> Form:
    check(isinstance(dim, int))
    shape = [*x.shape]
    shape[dim : dim + 1 or None] = sizes
    return Form("reshape", [x], {"shape": shape})


def expanded(x: Any, *shape: Any) -> Form:
    return Form("expand", [x], {"shape": sizes_in(shape, {})})


def permuted(x: Any, *axes: Any, **named: Any) -> Form:
    order = sizes_in(axes, named)
    return Form("transpose", [x], {"perm": [each % x.dim() for each in order]})


def swapped(x: Any, one: int = -2, other: int = -1) -> Form:
    order = [*range(x.dim())]
    order[one], order[other] = order[other], order[one]
    return Form("transpose", [x], {"perm": order})


def turned(x: Any) -> Form:
    check(x.dim() == 2)
    return swapped(x)


def item(x: Any, index: Any) -> Form:
    parts = index if isinstance(index, tuple) else (index,)
    known = (int, slice, type(None), type(...))
    check(all(isinstance(part, known) and not isinstance(part, bool) for part in parts))
    return Form("getitem", [x], {"index": index})


def item_set(x: Any, index: Any, value: Any) -> Form:
    return Form("set_at", [x, as_tensor(value, x)], item(x, index).attrs)


def parted(x: Any, size: Any, dim: int = 0) -> Form:
    length = x.shape[dim]
    parts = size if not isinstance(size, int) else [size] * (length // size)
    if isinstance(size, int) and length % size:
        parts = [*parts, length % size]
    return Form("split", [x], {"num_or_sections": list(parts), "axis": dim})


def chunked(x: Any, chunks: int, dim: int = 0) -> Form:
    return parted(x, -(-x.shape[dim] // chunks), dim)


def filled(x: Any, mask: Any, value: Any) -> Form:
    return Form("masked_fill", [x, mask, as_tensor(value, x)])


def einstein(equation: str, *operands: Any) -> Form:
    listed = operands if is_tensor(operands[0]) else operands[0]
    return Form("einsum", [list(listed)], {"equation": equation})


def converted(x: Any, dtype: Any) -> Form:
    check(isinstance(dtype, torch.dtype) and dtype is not x.dtype)
    return Form("cast", [x], {"dtype": str(dtype).removeprefix("torch.")})


def converted_to(dtype: torch.dtype) -> Special:
    return lambda x: converted(x, dtype)


def variance(
    x: Any, dim: Any = None, *, unbiased: bool = True, keepdim: bool = False, correction: Any = 1
) -> Form:
    check(not isinstance(dim, bool) and dim != [])
    number = float(correction if unbiased else 0)
    return Form("var", [x], {"axis": dim, "keepdim": keepdim, "correction": number})


def copied(x: Any, source: Any) -> Form:
    check(x.shape == source.shape and x.dtype == source.dtype)
    return Form("assign", [source])


def pair(value: Any) -> list[int]:
    """Return a size for each of two axes."""
    return [value, value] if isinstance(value, int) else list(value)


def pads(value: Any) -> list[list[int]]:
    """Return the padding before and after each of two axes."""
    return [[each, each] for each in pair(value)]


def convolution(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: int = 1,
) -> Form:  # fmt: skip
    check(x.dim() == 4 and not isinstance(padding, str))
    attrs = {"stride": pair(stride), "padding": pads(padding), "dilation": pair(dilation)}
    op, tensors = (
        ("conv2d", [x, weight]) if bias is None else ("conv2d_with_bias", [x, weight, bias])
    )
    return Form(op, tensors, {**attrs, "groups": groups})


def pooling(
    x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, *,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Form:  # fmt: skip
    check(x.dim() == 4 and pair(dilation) == [1, 1] and not (ceil_mode or return_indices))
    step = pair(stride or kernel_size)
    attrs = {"ksize": pair(kernel_size), "stride": step, "padding": pads(padding)}
    return Form("max_pool2d", [x], {**attrs, "ceil_mode": False, "adaptive": False})


def layer_norm(x: Any, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Form:
    check(len(shape) == 1)  # else weights have more axes than Paddle's
    attrs = {"begin_norm_axis": x.dim() - 1, "epsilon": eps}
    return Form("layer_norm", [x, weight, bias], attrs)


def batch_norm(
    x: Any, mean: Any, variance: Any, weight: Any = None, bias: Any = None, *,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Form:  # fmt: skip
    check(mean is not None)
    # PyTorch's momentum is the share of the new statistic, Paddle's that of the old one.
    attrs = {"momentum": 1 - momentum, "epsilon": eps, "is_test": not training}
    return Form("batch_norm", [x, mean, variance, weight, bias], attrs)


def dropout(x: Any, p: float = 0.5, training: bool = True, *, inplace: bool = False) -> Form:
    check(not inplace)
    attrs = {"p": float(p), "axis": None, "is_test": not training, "mode": "upscale_in_train"}
    return Form("dropout", [x], attrs)


def made_full(value: float) -> Special:
    return lambda *shape, **how: full(*shape, value=value, **how)


def plainly(dtype: Any, how: Any) -> str:
    """Return the dtype of what a function makes from nothing."""
    check(how.keys() <= {"device", "requires_grad", "layout", "pin_memory", "generator"})
    return str(dtype or torch.get_default_dtype()).removeprefix("torch.")


def full(*shape: Any, value: float, dtype: Any = None, size: Any = None, **how: Any) -> Form:
    sizes = sizes_in(shape, {} if size is None else {"size": size})
    attrs = {"shape": sizes, "fill_value": value, "dtype": plainly(dtype, how)}
    return Form("full", [], attrs)


def gaussian(*shape: Any, dtype: Any = None, **how: Any) -> Form:
    attrs = {"shape": sizes_in(shape, {}), "dtype": plainly(dtype, how), "mean": 0.0, "std": 1.0}
    return Form("gaussian", [], attrs)


def uniform(*shape: Any, dtype: Any = None, **how: Any) -> Form:
    attrs = {"shape": sizes_in(shape, {}), "dtype": plainly(dtype, how), "min": 0.0, "max": 1.0}
    return Form("uniform", [], attrs)


def counted(*bounds: Any, dtype: Any = None, **how: Any) -> Form:
    check(all(isinstance(each, int) for each in bounds))
    start, end, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    attrs = {"start": start, "end": end, "step": step}
    return Form("arange", [], {**attrs, "dtype": plainly(dtype or torch.int64, how)})


# Conditions on the tensors of a call under which a record is true of it.
CHECKS: dict[str, Callable[..., bool]] = {
    "cross_entropy": lambda x, label: (
        x.dim() == 2 and label.dim() == 1 and not bool((label < 0).any())
    ),
    "mse_loss": lambda x, y: x.shape == y.shape and x.dtype == y.dtype,
    "linear": lambda x, weight, bias: (
        x.dim() > 1 and weight.dim() == 2 and (bias is None or bias.shape == weight.shape[:1])
    ),
    "matmul": lambda x, y: x.dtype == y.dtype,
    "cumsum": lambda x: x.dim() > 0,
    # Where PyTorch's values or gradients are others than those of the record:
    "leaky_relu": lambda x: not bool((x == 0).any()),
    "atan2": lambda y, x: not bool(((x == 0) & (y == 0)).any()),
    "erfinv": lambda x: not bool((x.abs() > 1).any()),
    "logsumexp": lambda x: not bool(torch.isneginf(x).any()),
}
SPECIAL: dict[str, Special] = {
    "copy": copied,
    "add": added, "sub": subtracted, "rsub": subtracted_from, "mul": multiplied, "div": divided,
    "rtruediv": lambda x, y: divided(y, x), "rdiv": lambda x, y: divided(y, x),
    "pow": raised, "rpow": lambda x, y: raised(y, x), "neg": lambda x: scaled(x, scale=-1.0),
    **{name: compared(op) for name, op in COMPARED.items()},
    "reshape": reshaped, "view": reshaped, "expand": expanded, "unflatten": unflattened,
    "permute": permuted, "transpose": swapped, "t": turned, "T": turned, "mT": swapped,
    "getitem": item, "setitem": item_set, "split": parted, "chunk": chunked,
    "masked_fill": filled, "einsum": einstein, "var": variance,
    "to": converted, "float": converted_to(torch.float32), "long": converted_to(torch.int64),
    "double": converted_to(torch.float64),
    "zeros": made_full(0.0), "ones": made_full(1.0), "randn": gaussian, "rand": uniform,
    "arange": counted, "conv2d": convolution, "max_pool2d": pooling, "layer_norm": layer_norm,
    "batch_norm": batch_norm, "dropout": dropout,
}  # fmt: skip
