"""`paddle.summary`: a table of the layers of a network, from one run."""

from __future__ import annotations

import math
from typing import Any

from ..engine.errors import InvalidArgument
from ..engine.grad_mode import no_grad
from ..engine.guard import restore_value
from ..engine.structures import map_structure
from ..engine.tensor import Tensor
from ..messages import Message
from ..ops import catalog
from ..static.declarations import InputSpec
from . import Layer, LayerList, Sequential, errors

HEAD = ("Layer (type)", "Input Shape", "Output Shape", "Param #")
WIDTHS = (15, 20, 20, 15)
MEGABYTE = 1024**2


def summary(net: Layer, input_size: Any = None, dtypes: Any = None, input: Any = None) -> Any:
    """Print a table of a network's layers with the shapes of one run, and return the numbers of
    its parameters.

    `input_size`: the input's shape or InputSpec, or a list of them; None or -1 counts as 1.
    `dtypes`: one for each input, float32 by default. `input`: the input itself. The table lists
    the layers that are called, without the network itself and without Sequentials and LayerLists,
    and counts their own parameters.
    Source: Paddle's `paddle.summary`.

    Errors: ValueError if neither input_size nor input is given.

    >>> import minipaddle as paddle
    >>> paddle.summary(paddle.nn.Sequential(paddle.nn.Linear(2, 3)), (1, 2))["total_params"]
    ---------------------------------------------------------------------------
     Layer (type)       Input Shape          Output Shape         Param #...
    ===========================================================================
       Linear-1           [[1, 2]]              [1, 3]               9...
    ===========================================================================
    ...
    9
    """
    if input_size is None and input is None:
        expected = "summary(net, (1, 3, 32, 32)), or summary(net, input=x)"
        fix = Message("give the shape of one batch")
        raise errors.misfit("summary", expected, InvalidArgument, fix, input_size=None, input=None)
    inputs = _draw_inputs(input_size, dtypes) if input is None else [input]
    rows = _collect_rows(net, inputs)
    total = sum(row["count"] for row in rows.values())
    trained = sum(row["trained"] for row in rows.values())
    given = [*input.values()] if isinstance(input, dict) else inputs
    input_count = sum(map(_count_elements, _shape_of(given)))
    print("\n".join(_table_lines(rows, total, trained, input_count)))
    return {"total_params": total, "trainable_params": trained}


# ----- the run -----------------------------------------------------------------------------------


def _draw_inputs(sizes: Any, dtypes: Any) -> list[Any]:
    """Draw random inputs of these shapes."""
    sizes = map_structure(lambda s: tuple(s.shape) if isinstance(s, InputSpec) else s, sizes)
    several = isinstance(sizes, (list, tuple)) and any(isinstance(s, (list, tuple)) for s in sizes)
    shapes = [_check_size(s) for s in (sizes if several else [sizes])]
    kinds = list(dtypes) if isinstance(dtypes, (list, tuple)) else [dtypes] * len(shapes)
    rand = catalog.find("rand").call
    return [
        rand(shape).astype(kind or "float32") for shape, kind in zip(shapes, kinds, strict=True)
    ]


def _check_size(size: Any) -> list[int]:
    row = [size] if isinstance(size, int) else size
    if not isinstance(row, (list, tuple)) or not all(n is None or isinstance(n, int) for n in row):
        what = "summary(): input_size must be a shape, or a list of shapes."
        expected, fix = "for example (1, 3, 32, 32)", "give ints; None or -1 stands for 1"
        raise errors.wrong_type(what, size, expected, fix)
    sizes = [1 if n in (None, -1) else n for n in row]
    if any(n <= 0 for n in sizes):
        raise errors.misfit("summary", "sizes of at least 1", input_size=row)
    return sizes


def _collect_rows(net: Layer, inputs: list[Any]) -> dict[str, dict[str, Any]]:
    """Run the network; return a row for each listed layer, in the order in which layers ended."""
    rows: dict[str, dict[str, Any]] = {}

    def note(layer: Any, inputs: Any, outputs: Any) -> None:
        number = layer.full_name().rpartition("_")[2]
        name = f"{type(layer).__name__}-{int(number) + 1 if number.isdigit() else number}"
        own = [p for p in layer._parameters.values() if p is not None]
        rows[name] = {
            "input": _shape_of(inputs),
            "output": _shape_of(outputs),
            "count": sum(math.prod(p.shape) for p in own),
            "trained": sum(math.prod(p.shape) for p in own if not p.stop_gradient),
        }

    layers = net.sublayers(include_self=True)
    listed = [
        layer
        for layer in layers
        if not isinstance(layer, (Sequential, LayerList)) and (layer is not net or len(layers) == 1)
    ]

    def restore(training: list[bool]) -> None:
        for layer, mode in zip(layers, training, strict=True):
            layer.training = mode
            for number in [n for n, hook in layer._after.items() if hook.hook is note]:
                del layer._after[number]

    with restore_value(lambda: [layer.training for layer in layers], restore), no_grad():
        for layer in listed:
            layer.register_forward_post_hook(note)
        net.eval()
        net(*inputs)
    return rows


def _shape_of(value: Any) -> list[Any]:
    """Return the shape of a tensor, or a list of the shapes of the tensors in a list."""
    if isinstance(value, Tensor):
        return list(value._data.shape)
    inner = value if isinstance(value, (list, tuple)) else ()
    return [_shape_of(item) for item in inner if isinstance(item, (Tensor, list, tuple))]


def _count_elements(shape: Any) -> int:
    """Return the number of elements of tensors of a shape, or of a list of shapes."""
    if any(isinstance(n, list) for n in shape):
        return sum(map(_count_elements, shape))
    return math.prod(shape) if shape else 0


# ----- the table ---------------------------------------------------------------------------------


def _table_lines(
    rows: dict[str, dict[str, Any]], total: int, trained: int, inputs: int
) -> list[str]:
    cells = [
        (name, str(row["input"]), str(row["output"]), f"{row['count']:,}")
        for name, row in rows.items()
    ]
    widths = [
        max(width, *(len(row[i]) for row in cells)) if cells and i < 3 else width
        for i, width in enumerate(WIDTHS)
    ]
    thin, thick = ("-" * (sum(widths) + 5), "=" * (sum(widths) + 5))
    passed = 2 * sum(_count_elements(row["output"]) for row in rows.values())
    sizes = [4 * count / MEGABYTE for count in (inputs, passed, total)]
    return [
        thin,
        _format_row(HEAD, widths),
        thick,
        *(_format_row(row, widths) for row in cells),
        thick,
        f"Total params: {total:,}",
        f"Trainable params: {trained:,}",
        f"Non-trainable params: {total - trained:,}",
        thin,
        f"Input size (MB): {sizes[0]:.2f}",
        f"Forward/backward pass size (MB): {sizes[1]:.2f}",
        f"Params size (MB): {sizes[2]:.2f}",
        f"Estimated Total Size (MB): {sum(sizes):.2f}",
        thin,
        "",
    ]


def _format_row(cells: Any, widths: list[int]) -> str:
    return " ".join(f"{cell:^{width}}" for cell, width in zip(cells, widths, strict=True))
