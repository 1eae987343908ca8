"""Layers of `static.nn` as functions: each makes its parameters and its operators."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any

from ..engine.dtypes import DType
from ..engine.errors import CheckFailed
from ..engine.meta import Meta
from ..errors import misfit
from ..ops import REGISTRY, Op
from ..ops.arguments import as_list, round_to_float32
from ..ops.elementwise.arithmetic import add_n
from ..ops.errors import require_choice, require_rank, unknown_size
from ..ops.networks import forms
from ..ops.program_ops import accuracy as record
from ..ops.program_ops import mul
from ..ops.record import Formula, Static
from ..parameters.initializers import Constant, Normal, ParamAttr
from . import errors
from .declarations import make_parameter
from .errors import require_static, require_type
from .op_calls import append
from .program import default_main_program
from .spelling import outputs_named
from .variable import Variable

FLOATS = ("float16", "float32", "float64")


def _infer_channels(x: Meta, bias: Meta) -> Meta:
    if len(x.shape) < 2 or x.shape[1] not in (-1, bias.shape[0]):
        raise misfit("elementwise_add", "a bias of one number for each channel", x=x, bias=bias)
    return x


def _add_channels(xp: Any, x: Any, bias: Any) -> Any:  # noqa: ARG001
    """Add one number for each channel to x; the channels are axis 1."""
    return x + bias.reshape(-1, *(1,) * (x.ndim - 2))


def _add_channels_grad(F: Any, dout: Any) -> Any:
    axes = tuple(axis for axis in range(len(dout.shape)) if axis != 1)
    return dout, F.sum(dout, axis=axes)


add_channels = Op(
    "add_channels",
    _add_channels,
    infer=_infer_channels,
    formula=Formula(
        "y[:, k] = x[:, k] + bias[k]", "dx = dy, dbias[k] = Σ dy[:, k]", symbol="+", node="Add"
    ),
    public=None,
    static=Static("elementwise_add", slots={"bias": "Y"}, extra={"axis": 1}),
)
add_channels.grad(_add_channels_grad)


def activate(x: Any, activation: str | None, layer: str) -> Any:
    """Apply the activation of this name to x."""
    if activation is None:
        return x
    op = REGISTRY.get(activation)
    if op is None or len(op.inputs) != 1:
        expected = "tanh, relu, sigmoid, softmax or another op of one input"
        raise misfit(layer, expected, activation=activation)
    return op.call(x)


def _check_input(x: Any, layer: str) -> Variable:
    """Return the input of a layer; raise an error unless it is a floating-point Variable."""
    require_static(layer)
    require_type(x, (Variable,), "input", layer)
    if x.dtype.name not in ("float32", "float64"):
        raise errors.wrong_dtype(layer, x, "float32 or float64")
    return x


def _require_known(size: int, layer: str, x: Any, axis: int) -> int:
    """Return a size that decides the shape of a parameter; raise an error if it is unknown."""
    if size < 0:
        raise unknown_size(layer, axis, input=x)
    return size


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """Apply a fully connected layer: activation(x @ W + b), flattened from num_flatten_dims on.

    x: a floating-point Variable or a list of them, each with its own W. weight_attr, bias_attr:
    a name, an initializer or a ParamAttr; bias_attr=False leaves the bias out. Source: Paddle's
    `paddle.static.nn.fc`.

    Errors: AssertionError outside static mode; TypeError or ValueError for an input that does not
    fit.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3, activation="tanh")
    var fc_0.tmp_2 : DENSE_TENSOR.shape(-1, 3).dtype(float32).stop_gradient(False)
    >>> paddle.disable_static()
    """
    require_static("fc")
    (size,) = forms.read_axis_sizes("fc", "size", size, 1)
    layer = name or default_main_program().names("fc")
    with outputs_named(f"{layer}.tmp"):
        branches = as_list(x)
        if not branches:
            raise errors.none_given("fc", "x")
        attrs = _attr_per_input(branches, weight_attr)
        parts = [
            _append_product(branch, size, num_flatten_dims, layer, attr)
            for branch, attr in zip(branches, attrs, strict=True)
        ]
        out = parts[0] if len(parts) == 1 else add_n(parts)
        if bias_attr is not False:
            bias = make_parameter(layer, "b", (size,), out.dtype, bias_attr)
            spelled = {"axis": num_flatten_dims}
            out = append(out.block, REGISTRY["add"], (out, bias), {}, spelled=spelled)
        return activate(out, activation, "fc")


def _attr_per_input(branches: list[Any], attr: Any) -> list[Any]:
    """Return a list with a weight_attr for each input."""
    attrs = as_list(attr)
    if len(attrs) == 1:
        return attrs * len(branches)
    if len(attrs) != len(branches):
        raise misfit("fc", "one weight_attr for each input", weight_attr=attr, inputs=len(branches))
    return attrs


def _append_product(x: Any, size: int, flat: int, layer: str, attr: Any) -> Variable:
    require_type(x, (Variable,), "input", "fc")
    if x.dtype.name not in FLOATS:
        raise errors.wrong_dtype("fc", x, " or ".join(FLOATS))
    flat = len(x.shape) - 1 if flat == -1 else flat
    if not 0 < flat < len(x.shape):
        expected = "num_flatten_dims >= 1, and more axes than that"
        raise misfit("fc", expected, input=x, num_flatten_dims=flat)
    if -1 in x.shape[flat:]:
        fix = "declare them in paddle.static.data; only the batch may be None"
        raise misfit("fc", "sizes that are known, but for the batch", CheckFailed, fix, input=x)
    inner = prod(x.shape[flat:])
    weight = make_parameter(layer, "w", (inner, size), x.dtype, attr)
    return append(x.block, mul, (x, weight), {"num_col_dims": flat})


def conv2d(
    input: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,  # noqa: ARG001
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Any:
    """Slide num_filters learned filters over images, add a bias, then apply `act`.

    `padding` as in paddle.nn.functional.conv2d; use_cudnn changes nothing.
    Source: Paddle's `paddle.static.nn.conv2d`.

    Errors: AssertionError outside static mode; TypeError or ValueError for an input that does not
    fit.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.nn.conv2d(paddle.static.data("x", [None, 1, 8, 8]), 6, 3)
    var conv2d_0.tmp_1 : DENSE_TENSOR.shape(-1, 6, 6, 6).dtype(float32).stop_gradient(False)
    >>> paddle.disable_static()
    """
    x, layer = _check_input(input, "conv2d"), name or default_main_program().names("conv2d")
    require_rank("conv2d", 4, 4, input=x)
    last = forms.has_channels_last("conv2d", data_format, 2)
    axis, groups = 3 if last else 1, groups or 1
    channels = _require_known(x.shape[axis], "conv2d", x, axis)
    kernel = forms.read_axis_sizes("conv2d", "filter_size", filter_size, 2)
    (filters,) = forms.read_axis_sizes("conv2d", "num_filters", num_filters, 1)
    if channels % groups or filters % groups:
        expected = "channels of the input and num_filters that groups divides"
        raise misfit("conv2d", expected, input=x, num_filters=filters, groups=groups)
    shape = (filters, channels // groups, *kernel)
    start = Normal(0.0, sqrt(2.0 / (prod(kernel) * channels)))
    weight = make_parameter(layer, "w", shape, x.dtype, param_attr, start)
    how = {
        "stride": forms.read_axis_sizes("conv2d", "stride", stride, 2),
        "padding": forms.read_padding("conv2d", padding, 2, last),
        "dilation": forms.read_axis_sizes("conv2d", "dilation", dilation, 2), "groups": groups,
    }  # fmt: skip
    with outputs_named(f"{layer}.tmp"):
        out = REGISTRY["conv2d"].call(forms.channels_first(x, last), weight, **how)
        if bias_attr is not False:
            bias = make_parameter(layer, "b", (filters,), x.dtype, bias_attr)
            out = append(out.block, add_channels, (out, bias), {})
        return activate(forms.channels_back(out, last), act, "conv2d")


def batch_norm(
    input: Any,
    act: str | None = None,
    is_test: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    param_attr: Any = None,
    bias_attr: Any = None,
    data_layout: str = "NCHW",
    in_place: bool = False,  # noqa: ARG001
    name: str | None = None,
    moving_mean_name: str | None = None,
    moving_variance_name: str | None = None,
    do_model_average_for_mean_and_var: bool = True,  # noqa: ARG001
    use_global_stats: bool = False,
) -> Any:
    """Scale each channel to mean 0 and variance 1; the operator keeps running statistics.

    They are persistable Variables, read instead of the batch's with is_test, use_global_stats, or
    in a Program's clone(for_test=True). in_place changes nothing.
    Source: Paddle's `paddle.static.nn.batch_norm`.

    Errors: AssertionError outside static mode; TypeError or ValueError for an input that does not
    fit.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> main = paddle.static.Program()
    >>> with paddle.static.program_guard(main, paddle.static.Program()):
    ...     y = paddle.static.nn.batch_norm(paddle.static.data("x", [None, 3]))
    >>> [v.name for v in main.list_vars() if v.persistable and v.stop_gradient]
    ['batch_norm_0.w_1', 'batch_norm_0.w_2']
    >>> paddle.disable_static()
    """
    x, layer = _check_input(input, "batch_norm"), name or default_main_program().names("batch_norm")
    require_choice("batch_norm", "data_layout", data_layout, ("NCHW", "NHWC"))
    last = data_layout == "NHWC" and len(x.shape) > 2
    shape = (_require_known(x.shape[-1 if last else 1], "batch_norm", x, -1 if last else 1),)
    scale = make_parameter(layer, "w", shape, x.dtype, param_attr, Constant(1.0))
    bias = make_parameter(layer, "b", shape, x.dtype, bias_attr)
    kept = [
        make_parameter(layer, "w", shape, x.dtype, ParamAttr(own, Constant(first), trainable=False))
        for own, first in ((moving_mean_name, 0.0), (moving_variance_name, 1.0))
    ]
    how = {
        "momentum": round_to_float32(momentum), "epsilon": round_to_float32(epsilon),
        "is_test": is_test, "use_global_stats": use_global_stats, "data_format": data_layout,
    }  # fmt: skip
    with outputs_named(f"{layer}.tmp"):
        out = REGISTRY["batch_norm"].call(x, *kept, scale, bias, **how)[0]
        return activate(out, act, "batch_norm")


def layer_norm(
    input: Any,
    scale: bool = True,
    shift: bool = True,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
    param_attr: Any = None,
    bias_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """Scale the axes from begin_norm_axis on to mean 0, variance 1; `scale`, `shift`: learned.

    Errors: AssertionError outside static mode; TypeError or ValueError for an input that does not
    fit.
    Source: Paddle's `paddle.static.nn.layer_norm`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     paddle.static.nn.layer_norm(paddle.static.data("x", [None, 3])).shape
    (-1, 3)
    >>> paddle.disable_static()
    """
    x, layer = _check_input(input, "layer_norm"), name or default_main_program().names("layer_norm")
    features = [
        _require_known(n, "layer_norm", x, begin_norm_axis) for n in x.shape[begin_norm_axis:]
    ]
    shape, weight, bias = (prod(features),), None, None
    if scale and param_attr is not False:
        weight = make_parameter(layer, "w", shape, x.dtype, param_attr, Constant(1.0))
    if shift and bias_attr is not False:
        bias = make_parameter(layer, "b", shape, x.dtype, bias_attr)
    how = {"begin_norm_axis": begin_norm_axis, "epsilon": round_to_float32(epsilon)}
    with outputs_named(f"{layer}.tmp"):
        out = REGISTRY["layer_norm"].call(x, weight, bias, **how)[0]
        return activate(out, act, "layer_norm")


def embedding(
    input: Any,
    size: Any,
    is_sparse: bool = False,  # noqa: ARG001
    is_distributed: bool = False,  # noqa: ARG001
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Any:
    """Look up a learned row of a table of `size` [rows, width] for each number in the input.

    The row padding_idx reads as zeros. is_sparse and is_distributed change nothing.

    Errors: AssertionError outside static mode; TypeError or ValueError for an input that does not
    fit.
    Source: Paddle's `paddle.static.nn.embedding`.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
    ...     ids = paddle.static.data("ids", [None, 3], "int64")
    ...     paddle.static.nn.embedding(ids, [10, 4]).shape
    (-1, 3, 4)
    >>> paddle.disable_static()
    """
    require_static("embedding")
    require_type(input, (Variable,), "input", "embedding")
    if input.dtype.name != "int64":
        raise errors.wrong_dtype("embedding", input, "int64", "ids.astype('int64')")
    rows, width = forms.read_axis_sizes("embedding", "size", size, 2)
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise misfit("embedding", f"{-rows} <= padding_idx < {rows}", padding_idx=padding_idx)
    layer = default_main_program().names("embedding")
    row = -1 if padding_idx is None else padding_idx % rows
    weight = make_parameter(layer, "w", (rows, width), DType.of(dtype), param_attr)
    with outputs_named(f"{layer}.tmp"):
        return REGISTRY["embedding"].call(input, weight, padding_idx=row)


# ----- accuracy ----------------------------------------------------------------------------------


def accuracy(
    input: Variable, label: Variable, k: int = 1, correct: Any = None, total: Any = None
) -> Variable:
    """Compute the share of the rows of scores whose label is among the k highest.

    input: floats of shape [N, classes]; label: int64 of shape [N, 1]. `correct` and `total` are
    Variables that get the two counts. Source: Paddle's `paddle.static.accuracy`.

    Errors: AssertionError outside static mode.

    >>> import minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()):
    ...     scores = paddle.static.data("scores", [None, 2])
    ...     part = paddle.static.accuracy(scores, paddle.static.data("label", [None, 1], "int64"))
    ...     feed = {"scores": np.float32([[0, 1], [1, 0]]), "label": np.array([[1], [1]])}
    ...     paddle.static.Executor().run(feed=feed, fetch_list=[part])
    [array(0.5, dtype=float32)]
    >>> paddle.disable_static()
    """
    require_static("accuracy")
    require_type(input, (Variable,), "input", "accuracy")
    require_type(label, (Variable,), "label", "accuracy")
    for name, target in (("correct", correct), ("total", total)):
        require_type(target, (Variable, type(None)), name, "accuracy")
    if input.dtype.name not in FLOATS:
        fix = "pass the scores of the classes, not the labels"
        raise errors.wrong_dtype("accuracy", input, "float16, float32 or float64", fix)
    with outputs_named(input.block.program.names("accuracy") + ".tmp"):
        topk = REGISTRY["topk"]
        options = topk.complete({"k": k, "sorted": False})
        values, indices = append(input.block, topk, (input,), options)
        outputs = append(input.block, record, (values, indices, label), {})
    part: Variable = outputs[0]
    for target, count in zip((correct, total), outputs[1:], strict=True):
        if target is not None:
            assign = REGISTRY["assign"]
            append(input.block, assign, (count,), assign.complete({}), outputs=[target])
    return part
