"""PyTorch's functions in terms of minipaddle's op records, where both compute the same.

A function is mapped only if its record's kernel, gradient rule, formula and sentence are true of
it. Any other one keeps PyTorch's name, and is described in general words.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from minipaddle.ops.program_ops import op_named

Constant = Callable[[Any, Any], Any]  # a Python number, and the tensor beside it -> a tensor
PLAIN = (bool, int, float, str, type(None))


@dataclass(slots=True)
class Form:
    """An op in events: its name, its tensors in the record's order, and its attributes."""

    op: str
    inputs: list[Any]
    attrs: dict[str, Any] = field(default_factory=dict)


class Unlike(Exception):  # noqa: N818  (no error: a call that is described in general words)
    """A call to which the record of its function does not apply."""


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
            if name not in read and given[name] is not default and given[name] != default:
                raise Unlike
        attrs = {ours: given[theirs] for ours, theirs in self.attrs.items()}
        return Form(self.op, [given[name] for name in tensors], attrs)


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
).split()
BINARY = (
    "atan2 bmm fmax fmin logical_and logical_or logical_xor matmul maximum minimum mv"
).split()
COMPARED = {
    "eq": "equal", "ne": "not_equal", "gt": "greater_than", "ge": "greater_equal",
    "lt": "less_than", "le": "less_equal",
}  # fmt: skip
OVER = "input dim=None keepdim=False dtype=None"
AXES = {"axis": "dim", "keepdim": "keepdim"}
ONE_AXIS = {"axis": "dim"}
ROWS: dict[str, Callable[[Any, Any], Form]] = {
    **{name: Row("input", name, "input") for name in SAME},
    **{name: Row("input other", name, "input other") for name in BINARY},
    "relu": Row("input inplace=False", "relu", "input"),
    "silu": Row("input inplace=False", "silu", "input"),
    "sum": Row(OVER, "sum", "input", AXES),
    "mean": Row(OVER, "mean", "input", AXES),
    "logsumexp": Row("input dim keepdim=False", "logsumexp", "input", AXES),
    "amax": Row("input dim=() keepdim=False", "amax", "input", AXES),
    "amin": Row("input dim=() keepdim=False", "amin", "input", AXES),
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
    "tanhshrink": Row("input", "tanhshrink", "input"),
    "logsigmoid": Row("input", "log_sigmoid", "input"),
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


def form_of(name: str, args: Any, kwargs: Any, constant: Constant) -> Form:
    """Return a call of PyTorch's function as an op of events."""
    bare = name.strip("_") if name.startswith("__") else name.removesuffix("_")
    bare = OTHER_NAMES.get(bare, bare)
    kwargs = {key: value for key, value in kwargs.items() if key != "out"}
    try:
        if "inplace" in kwargs:
            kwargs = {**kwargs, "inplace": False}
        if bare in ROWS:
            form = ROWS[bare](args, kwargs)
        elif bare in SPECIAL:
            form = SPECIAL[bare](bare, constant, *args, **kwargs)
        else:
            raise Unlike
        record: Any = op_named(form.op)
        check(not any(is_odd(each) for each in form.inputs))
        check(form.op not in CHECKS or CHECKS[form.op](*form.inputs))
        form.attrs = {
            key: record.canonical(key, value) for key, value in (record.defaults | form.attrs).items()
        }
    except (Unlike, TypeError, ValueError, KeyError, AttributeError, IndexError):
        return unknown(bare, args, kwargs)
    return form


def is_odd(thing: Any) -> bool:
    """Return whether a thing is no tensor where a record has one."""
    if isinstance(thing, (list, tuple)):
        return any(map(is_odd, thing))
    return isinstance(thing, PLAIN) and thing is not None


def unknown(name: str, args: Any, kwargs: Any) -> Form:
    """Return a call as an op that has no record, with its plain arguments."""
    tensors: list[Any] = []
    collect((args, list(kwargs.values())), tensors)
    attrs = {key: value for key, value in kwargs.items() if isinstance(value, PLAIN)}
    return Form(f"torch.{name}" if op_named(name) else name, tensors, attrs)


def collect(things: Any, tensors: list[Any]) -> None:
    for thing in things:
        if isinstance(thing, torch.Tensor):
            tensors.append(thing)
        elif isinstance(thing, (list, tuple)):
            collect(thing, tensors)
        elif isinstance(thing, dict):
            collect(thing.values(), tensors)


# ----- functions that need more than a row -------------------------------------------------------


def is_number(thing: Any) -> bool:
    return isinstance(thing, (int, float)) and not isinstance(thing, bool)


def check(fits: bool) -> None:
    """Raise Unlike if a call is not that of the record."""
    if not fits:
        raise Unlike


def sum_of(name: str, constant: Constant, x: Any, y: Any, *, alpha: Any = 1) -> Form:
    check(alpha == 1)
    if is_number(x) or is_number(y):
        x, y = (x, y) if is_number(y) else (y, x)
        number = y if name == "add" else -y
        check(x.is_floating_point())
        return Form("scale", [x], {"scale": 1.0, "bias": number})
    return Form("add" if name == "add" else "subtract", [x, y])


def product(_name: str, constant: Constant, x: Any, y: Any) -> Form:
    if is_number(x) or is_number(y):
        x, y = (x, y) if is_number(y) else (y, x)
        check(x.is_floating_point())
        return Form("scale", [x], {"scale": y})
    return Form("multiply", [x, y])


def rsub(_name: str, constant: Constant, x: Any, y: Any, *, alpha: Any = 1) -> Form:
    check(alpha == 1)
    if is_number(y):
        check(x.is_floating_point())
        return Form("scale", [x], {"scale": -1.0, "bias": y})
    return Form("subtract", [y, x])


def quotient(name: str, constant: Constant, x: Any, y: Any, *, rounding_mode: Any = None) -> Form:
    check(rounding_mode is None)
    x, y = (y, x) if name in ("rtruediv", "rdiv") else (x, y)
    tensor = x if isinstance(x, torch.Tensor) else y
    check(tensor.is_floating_point())
    return Form("divide", [constant(e, tensor) if is_number(e) else e for e in (x, y)])


def power(name: str, constant: Constant, x: Any, y: Any) -> Form:
    x, y = (y, x) if name == "rpow" else (x, y)
    if is_number(y):
        check(x.is_floating_point())
        return Form("pow", [x], {"factor": y})
    return Form("elementwise_pow", [constant(e, y) if is_number(e) else e for e in (x, y)])


def negation(_name: str, constant: Constant, x: Any) -> Form:
    check(x.is_floating_point())
    return Form("scale", [x], {"scale": -1.0})


def comparison(name: str, constant: Constant, x: Any, y: Any) -> Form:
    return Form(COMPARED[name], [x, constant(y, x) if is_number(y) else y])


def reshaped(_name: str, constant: Constant, x: Any, *shape: Any, **given: Any) -> Form:
    shape = given.get("shape", given.get("size", shape))
    shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    check(not isinstance(shape, torch.dtype))
    return Form("reshape", [x], {"shape": list(shape)})


def expanded(_name: str, constant: Constant, x: Any, *shape: Any) -> Form:
    form = reshaped("expand", constant, x, *shape)
    return Form("expand", [x], form.attrs)


def permuted(name: str, constant: Constant, x: Any, *axes: Any, **given: Any) -> Form:
    rank = x.dim()
    axes = (*axes, *given.values())
    if name == "permute":
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
    else:
        order = [*range(rank)]
        one, other = axes if axes else (0, 1) if name == "t" else (-2, -1)
        if name == "T" or (name == "t" and rank < 2):
            check(rank == 2)
        order[one], order[other] = order[other], order[one]
    return Form("transpose", [x], {"perm": [each % rank for each in order]})


def item(_name: str, constant: Constant, x: Any, index: Any) -> Form:
    parts = index if isinstance(index, tuple) else (index,)
    check(all(isinstance(p, (int, slice, type(None), type(...))) for p in parts))
    check(not any(isinstance(part, bool) for part in parts))
    return Form("getitem", [x], {"index": index})


def item_set(_name: str, constant: Constant, x: Any, index: Any, value: Any) -> Form:
    item("", constant, x, index)
    value = constant(value, x) if is_number(value) else value
    return Form("set_at", [x, value], {"index": index})


def split_up(name: str, constant: Constant, x: Any, size: Any, dim: int = 0) -> Form:
    length = x.shape[dim]
    if name == "chunk":
        size = -(-length // size)
    parts = list(size) if not isinstance(size, int) else [size] * (length // size)
    if isinstance(size, int) and length % size:
        parts.append(length % size)
    return Form("split", [x], {"num_or_sections": parts, "axis": dim})


def filled(_name: str, constant: Constant, x: Any, mask: Any, value: Any) -> Form:
    return Form("masked_fill", [x, mask, constant(value, x) if is_number(value) else value])


def einstein(_name: str, constant: Constant, equation: str, *operands: Any) -> Form:
    listed = operands[0] if len(operands) == 1 and not is_tensor(operands[0]) else operands
    return Form("einsum", [list(listed)], {"equation": equation})


def is_tensor(thing: Any) -> bool:
    return isinstance(thing, torch.Tensor)


def converted(name: str, constant: Constant, x: Any, dtype: Any = None, **_given: Any) -> Form:
    dtype = {"float": torch.float32, "double": torch.float64, "long": torch.int64}.get(name, dtype)
    check(isinstance(dtype, torch.dtype) and dtype is not x.dtype)
    return Form("cast", [x], {"dtype": str(dtype).removeprefix("torch.")})


def deviation(_name: str, constant: Constant, x: Any, dim: Any = None, **given: Any) -> Form:
    number = given.pop("correction", 1.0)
    unbiased, keepdim = given.pop("unbiased", True), given.pop("keepdim", False)
    check(not given and not isinstance(dim, bool))
    number = number if unbiased else 0.0
    return Form("var", [x], {"axis": dim, "keepdim": keepdim, "correction": float(number)})


# Conditions on the tensors of a call under which a record is true of it.
CHECKS: dict[str, Callable[..., bool]] = {
    "cross_entropy": lambda x, label: (
        x.dim() == 2 and label.dim() == 1 and not bool((label < 0).any())
    ),
    "mse_loss": lambda x, y: x.shape == y.shape,
    "linear": lambda x, weight, bias: x.dim() > 1 and weight.dim() == 2,
    "matmul": lambda x, y: x.dtype == y.dtype,
}
def pair(value: Any) -> list[int]:
    """Return a size for each of two axes."""
    return [value, value] if isinstance(value, int) else list(value)


def pads(value: Any) -> list[list[int]]:
    """Return the padding before and after each of two axes."""
    return [[each, each] for each in pair(value)]


def convolution(
    _name: str, constant: Constant, x: Any, weight: Any, bias: Any = None, stride: Any = 1,
    padding: Any = 0, dilation: Any = 1, groups: int = 1,
) -> Form:  # fmt: skip
    check(x.dim() == 4 and not isinstance(padding, str))
    attrs = {
        "stride": pair(stride), "padding": pads(padding), "dilation": pair(dilation),
        "groups": groups,
    }  # fmt: skip
    if bias is None:
        return Form("conv2d", [x, weight], attrs)
    return Form("conv2d_with_bias", [x, weight, bias], attrs)


def pooling(
    name: str, constant: Constant, x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
    dilation: Any = 1, ceil_mode: bool = False, return_indices: bool = False, **given: Any,
) -> Form:  # fmt: skip
    check(x.dim() == 4 and pair(dilation) == [1, 1] and not (ceil_mode or return_indices or given))
    stride = kernel_size if stride is None or stride == [] else stride
    attrs = {
        "ksize": pair(kernel_size), "stride": pair(stride), "padding": pads(padding),
        "ceil_mode": False, "adaptive": False,
    }  # fmt: skip
    return Form("max_pool2d", [x], attrs)


def layer_norm(
    _name: str, constant: Constant, x: Any, shape: Any, weight: Any = None, bias: Any = None,
    eps: float = 1e-5,
) -> Form:  # fmt: skip
    check(len(shape) == 1)
    attrs = {"begin_norm_axis": x.dim() - len(shape), "epsilon": eps}
    return Form("layer_norm", [x, weight, bias], attrs)


def batch_norm(
    _name: str, constant: Constant, x: Any, mean: Any, variance: Any, weight: Any = None,
    bias: Any = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Form:  # fmt: skip
    check(mean is not None and momentum is not None)
    attrs = {"momentum": 1 - momentum, "epsilon": eps, "is_test": not training}
    return Form("batch_norm", [x, mean, variance, weight, bias], attrs)


def dropout(
    _name: str, constant: Constant, x: Any, p: float = 0.5, training: bool = True, **given: Any
) -> Form:
    attrs = {"p": float(p), "axis": None, "is_test": not training, "mode": "upscale_in_train"}
    return Form("dropout", [x], attrs)


SPECIAL: dict[str, Callable[..., Form]] = {
    "add": sum_of, "sub": sum_of, "mul": product, "rsub": rsub, "div": quotient,
    "rtruediv": quotient, "rdiv": quotient, "pow": power, "rpow": power, "neg": negation,
    **dict.fromkeys(COMPARED, comparison),
    "reshape": reshaped, "view": reshaped, "expand": expanded,
    "permute": permuted, "transpose": permuted, "t": permuted, "T": permuted, "mT": permuted,
    "getitem": item, "setitem": item_set, "split": split_up, "chunk": split_up,
    "masked_fill": filled, "einsum": einstein, "to": converted, "float": converted,
    "conv2d": convolution, "max_pool2d": pooling, "layer_norm": layer_norm,
    "batch_norm": batch_norm, "dropout": dropout, "double": converted, "long": converted, "var": deviation,
}  # fmt: skip
