"""`paddle.flops`: operations of one run of a network, by Paddle's own rules for layers.

The rules differ from the profiler's (`flops.py`): a multiplication and an addition count as one,
most layers as 0, and a network only by the layers in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any
from warnings import warn

from .. import nn
from ..engine.grad_mode import no_grad
from ..engine.guard import restore_value
from ..engine.source_line import stacklevel
from ..ops import catalog
from ..static import Program

Count = Callable[[Any, Any, Any], None]  # arguments: layer, inputs, output
HEAD = ("Layer Name", "Input Shape", "Output Shape", "Params", "Flops")
PROGRAM_HEAD = ("OP Type", "Param name", "Flops")


def flops(
    net: Any,
    input_size: Any,
    custom_ops: Any = None,
    print_detail: bool = False,
) -> int:
    """Count the operations of one run of a network; print and return the sum.

    `input_size`: the shape of the input, random numbers of float32. Convolutions, Linear (a product
    and a sum are one), BatchNorm2D, LeakyReLU and average pooling are counted,
    if they have no sublayers; other layers count as 0. `custom_ops` maps a class of layers to
    a function (layer, inputs, output) that adds to `layer.total_ops`; `print_detail`
    prints a row for each layer. A Program is counted by its operators, for one row of a batch.
    For any other object the result is -1, with a warning.
    Source: https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/flops_en.html

    Errors: those of the network, for a wrong input.

    >>> net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Softmax())
    >>> paddle.flops(net, [1, 4])
    <class 'minipaddle.nn.common.Linear'>'s flops has been counted
    Cannot find suitable count function for <class 'minipaddle.nn...Softmax'>. Treat it as...
    Total Flops: 32     Total Params: 40
    32
    """
    if isinstance(net, nn.Layer):
        return _count_layers(net, input_size, custom_ops or {}, print_detail)
    if isinstance(net, Program):
        return _count_program(net, print_detail)
    warn(
        "Your model must be an instance of paddle.nn.Layer or paddle.static.Program.",
        stacklevel=stacklevel(),
    )
    return -1


# ----- layers ------------------------------------------------------------------------------------


def _count_convolution(layer: Any, inputs: Any, output: Any) -> None:
    kernel = prod(layer.weight.shape[2:])
    bias = 1 if layer.bias is not None else 0
    layer.total_ops += int(
        _elements_in(output) * (inputs[0].shape[1] / layer._groups * kernel + bias)
    )


def _count_linear(layer: Any, _inputs: Any, output: Any) -> None:
    layer.total_ops += layer.weight.shape[0] * _elements_in(output)


def _count_batch_norm(layer: Any, inputs: Any, _output: Any) -> None:
    layer.total_ops += 2 * _elements_in(inputs[0])


def _count_elements(layer: Any, _inputs: Any, output: Any) -> None:
    layer.total_ops += _elements_in(output)


def _count_adaptive_pool(layer: Any, inputs: Any, output: Any) -> None:
    both = zip(inputs[0].shape[2:], output.shape[2:], strict=True)
    window = prod(wide // few for wide, few in both)
    layer.total_ops += (window + 1) * _elements_in(output)


def _count_nothing(_layer: Any, _inputs: Any, _output: Any) -> None:
    pass


TRANSPOSED = nn.Conv1DTranspose, nn.Conv2DTranspose, nn.Conv3DTranspose
ADAPTIVE = nn.AdaptiveAvgPool1D, nn.AdaptiveAvgPool2D, nn.AdaptiveAvgPool3D
COUNTS: Mapping[type[nn.Layer], Count] = {
    **dict.fromkeys((nn.Conv1D, nn.Conv2D, nn.Conv3D, *TRANSPOSED), _count_convolution),
    **dict.fromkeys((nn.ReLU, nn.ReLU6, nn.Dropout), _count_nothing),
    **dict.fromkeys((nn.LeakyReLU, nn.AvgPool1D, nn.AvgPool2D, nn.AvgPool3D), _count_elements),
    **dict.fromkeys(ADAPTIVE, _count_adaptive_pool),
    nn.BatchNorm2D: _count_batch_norm,
    nn.Linear: _count_linear,
}


def _count_layers(
    net: Any, input_size: Any, custom: Mapping[type[nn.Layer], Count], detail: bool
) -> int:
    draw = catalog.find("randn").call
    inputs = draw(input_size)
    layers = net.sublayers(include_self=True)
    counted = [layer for layer in layers if not list(layer.children())]
    counts = {kind: _counter_of(kind, custom) for kind in dict.fromkeys(map(type, counted))}
    rows: dict[Any, tuple[str, Any, Any, int]] = {}

    def note(layer: Any, inputs: Any, output: Any) -> None:
        first = output[0] if isinstance(output, (list, tuple)) else output
        shapes = [list(tensor.shape) for tensor in (inputs[0], first)]
        rows[layer] = (layer.full_name(), *shapes, sum(map(_elements_in, layer.parameters())))

    def state() -> list[tuple[Any, ...]]:
        return [(x.training, {**x._after}, x.__dict__.get("total_ops")) for x in layers]

    def put_back(saved: list[tuple[Any, ...]]) -> None:
        for layer, (training, hooks, own) in zip(layers, saved, strict=True):
            layer.training = training
            layer._after.clear()
            layer._after.update(hooks)
            if "total_ops" in layer.__dict__:
                del layer.total_ops
            if own is not None:
                layer.total_ops = own

    with restore_value(state, put_back), no_grad():
        net.eval()
        for layer in counted:
            layer.total_ops = 0
            layer.register_forward_post_hook(counts[type(layer)])
            layer.register_forward_post_hook(note)
        net(inputs)
        inside = [layer for layer in counted if layer in rows and layer is not net]
        table = [(*rows[layer], int(layer.total_ops)) for layer in inside]
    total = sum(row[-1] for row in table)
    if detail:
        print("\n".join(_format_table(HEAD, table)))
    print(f"Total Flops: {total}     Total Params: {sum(row[-2] for row in table)}")
    return total


def _counter_of(kind: type[nn.Layer], custom: Mapping[type[nn.Layer], Count]) -> Count:
    """Return the function that counts layers of a class, and print which it is."""
    if kind in custom:
        print(f"Customize Function has been applied to {kind}")
        return custom[kind]
    if kind in COUNTS:
        print(f"{kind}'s flops has been counted")
        return COUNTS[kind]
    print(f"Cannot find suitable count function for {kind}. Treat it as zero FLOPs.")
    return _count_nothing


def _elements_in(tensor: Any) -> int:
    return prod(tensor.shape)


# ----- Programs ----------------------------------------------------------------------------------


def _count_program(program: Program, detail: bool) -> int:
    rows = [row for op in program.global_block().ops for row in _rows_of_operator(program, op)]
    if detail:
        print("\n".join(_format_table(PROGRAM_HEAD, rows)))
    return sum(row[-1] for row in rows)


def _rows_of_operator(program: Program, op: Any) -> Iterator[tuple[str, str, int]]:
    """Yield the row of an operator that counts, for one row of the batch."""

    def shape(names: list[str]) -> list[int]:
        return list(program.global_block().var(names[0]).shape)

    parameter, count = "", 0
    if op.type in ("conv2d", "depthwise_conv2d"):
        (parameter,) = op.input("Filter")
        count = prod(shape(op.output("Output"))[1:]) * prod(shape([parameter])[1:])
    elif op.type == "pool2d":
        before, after = shape(op.input("X")), shape(op.output("Out"))
        window = prod(wide // few for wide, few in zip(before[2:], after[2:], strict=True))
        count = (window + 1) * prod(after[1:])
    elif op.type in ("mul", "matmul"):
        (parameter,) = op.input("Y")
        count = shape([parameter])[0] * prod(shape(op.output("Out"))[1:])
    elif op.type == "batch_norm":
        count = 2 * prod(shape(op.output("Y"))[1:])
    elif op.type.startswith("element"):
        # Some gradients have no X; X@GRAD has its shape.
        alike = op.input("X") if "X" in op.input_names else op.output("X@GRAD")
        count = prod(shape(alike)[1:])
    if count:
        yield op.type, parameter, abs(count)


# ----- the table ---------------------------------------------------------------------------------


def _format_table(head: tuple[str, ...], rows: list[Any]) -> list[str]:
    cells = [list(map(str, row)) for row in (head, *rows)]
    wide = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    rule = "+" + "+".join("-" * each for each in wide) + "+"
    lines = ["|" + "|".join(map(str.center, row, wide)) + "|" for row in cells]
    return [rule, lines[0], rule, *lines[1:], rule]


# ----- operations of one op ----------------------------------------------------------------------


Shape = Sequence[int]
Formula = Callable[[Sequence[Shape], Sequence[Shape], Mapping[str, Any]], int]


def _matmul_flops(
    inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Mapping[str, Any]
) -> int:
    first = inputs[0]
    turned = attrs.get("transpose_x") and len(first) > 1
    return 2 * prod(outputs[0]) * first[-2 if turned else -1]


def _flops_of_input(times: int) -> Formula:
    return lambda inputs, _outputs, _attrs: times * prod(inputs[0])


_ELEMENTS = """add subtract multiply divide maximum minimum pow elementwise_pow abs exp log sqrt
rsqrt square reciprocal sin cos tan tanh sigmoid scale relu relu6 leaky_relu elu prelu silu
softplus clip floor_divide remainder"""
_SUMS = "sum mean max min prod logsumexp avg_pool2d max_pool2d max_pool2d_with_index"

FORMULAS: Mapping[str, Formula] = {
    **dict.fromkeys(_ELEMENTS.split(), lambda _inputs, outputs, _attrs: prod(outputs[0])),
    **dict.fromkeys(_SUMS.split(), _flops_of_input(1)),
    **dict.fromkeys(("matmul", "bmm", "mv", "dot"), _matmul_flops),
    # A filter has only the channels of the filter's group.
    "conv2d": lambda inputs, outputs, _attrs: 2 * prod(outputs[0]) * prod(inputs[1][1:]),
    "conv2d_transpose": lambda inputs, *_: 2 * prod(inputs[0]) * prod(inputs[1][1:]),
    "gelu": _flops_of_input(5),
    "softmax": _flops_of_input(3),
    "layer_norm": lambda inputs, _, attrs: (8 if attrs.get("epsilon") else 7) * prod(inputs[0]),
    "batch_norm": _flops_of_input(2),
}


def flops_of(
    op: str, inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Mapping[str, Any]
) -> int:
    """Return the operations of one call; 0 for an op without a formula.

    >>> flops_of("matmul", [(2, 3), (3, 4)], [(2, 4)], {})
    48
    """
    formula = FORMULAS.get(op.replace("3d", "2d"))  # volumes count like images
    return formula(inputs, outputs, attrs) if formula and inputs and outputs else 0
