"""The printed text of a Tensor, digit by digit as in Paddle."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..device import place_of, to_numpy
from ..engine.errors import InvalidArgument
from ..engine.tensor import Parameter, Tensor
from ..errors import misfit


class Options(SimpleNamespace):
    """The options of set_printoptions, with their defaults."""

    def __init__(self) -> None:
        super().__init__(precision=8, threshold=1000, edgeitems=3, sci_mode=False, linewidth=80)


OPTIONS = Options()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """Change how Tensors print: digits, the number of elements to abbreviate from, and width.

    Source: Paddle's `paddle.set_printoptions`; None leaves an option as it is.

    Errors: ValueError for a number that printing cannot use.

    >>> import minipaddle as paddle
    >>> paddle.set_printoptions(precision=4)
    >>> print(paddle.to_tensor(1 / 3))
    Tensor(shape=[], dtype=float32, place=Place(cpu), stop_gradient=True,
           0.3333)
    >>> paddle.set_printoptions(precision=8)
    """
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "sci_mode": sci_mode,
        "linewidth": linewidth,
    }
    given = {name: value for name, value in given.items() if value is not None}
    for name, value in given.items():
        if not isinstance(value, int) or value < 0:
            expected = "True or False" if name == "sci_mode" else "an int of at least 0"
            fix = f"set_printoptions({name}={getattr(Options(), name)})"
            raise misfit("set_printoptions", expected, InvalidArgument, fix, **{name: value})
    for name, value in given.items():
        setattr(OPTIONS, name, value)


def tensor_text(tensor: Tensor) -> str:
    """Return the printed form of a Tensor."""
    array = to_numpy(tensor._data)
    head = "Parameter containing:\n" if isinstance(tensor, Parameter) else ""
    return (
        f"{head}Tensor(shape={list(array.shape)}, dtype={array.dtype.name}, "
        f"place={place_of(tensor._data)}, stop_gradient={bool(tensor._stop)},\n"
        f"       {data_text(array, 7)})"
    )


def data_text(array: Any, indent: int) -> str:
    """Return the text of the elements; continuation lines are indented."""
    if array.size == 0:
        return _empty_text(array.shape, indent)
    if array.ndim == 0:
        return _item_text(array.item(), array.dtype)
    short = array.size > OPTIONS.threshold
    width, signed = _measure_items(array)
    return _rows_text(array, indent, short, width, signed)


def _empty_text(shape: tuple[int, ...], indent: int) -> str:
    if len(shape) < 2 or shape[0] == 0:
        return "[]"
    rows = [_empty_text(shape[1:], indent + 1)] * shape[0]
    return "[" + ("," + "\n" * (len(shape) - 1) + " " * (indent + 1)).join(rows) + "]"


def _item_text(value: Any, dtype: Any) -> str:
    """Return one element: `3.` for whole floats, else fixed digits; complex in parentheses."""
    if dtype.kind == "f":
        value = float(value)
        if OPTIONS.sci_mode:
            return f"{value:.{OPTIONS.precision}e}"
        if not math.isnan(value) and (math.isinf(value) or math.ceil(value) == value):
            return f"{value:.0f}."
        return f"{value:.{OPTIONS.precision}f}"
    if dtype.kind == "c":
        spec = f".{OPTIONS.precision}{'e' if OPTIONS.sci_mode else 'f'}"
        real, imaginary = format(value.real, spec), format(value.imag, spec)
        return f"({real}{'+' if value.imag >= 0 else ''}{imaginary}j)"  # NaN: no sign
    return str(value)


def _take_ends(array: Any) -> Any:
    """Return the items at the ends of all axes that are too long to be shown in full."""
    edge = OPTIONS.edgeitems
    for axis, n in enumerate(array.shape):
        if n > 2 * edge:
            array = np.take(array, [*range(edge), *range(n - edge, n)], axis)
    return array


def _measure_items(array: Any) -> tuple[int, bool]:
    """Return the width of the longest item at the ends of the axes, and whether one is negative.

    Paddle measures only these even if it prints all items, so longer ones may stick out.
    """
    part = _take_ends(array)
    items = [_item_text(value, array.dtype) for value in part.ravel().tolist()]
    signed = array.dtype.kind in "ifc" and bool((part < 0).any())
    return max(map(len, items), default=0), signed


def _pad_item(value: Any, dtype: Any, width: int, signed: bool) -> str:
    item = _item_text(value, dtype)
    if len(item) >= width:
        return item
    negative = (value.real, value.imag) < (0, 0) if dtype.kind == "c" else value < 0
    if signed and not negative:
        return " " + item.ljust(width - 1)
    return item.ljust(width)


def _rows_text(array: Any, indent: int, short: bool, width: int, signed: bool) -> str:
    edge = OPTIONS.edgeitems
    cut = short and len(array) > 2 * edge
    chosen = [*array[:edge], *array[len(array) - edge :]] if cut else list(array)
    if array.ndim == 1:
        items = [_pad_item(value.item(), array.dtype, width, signed) for value in chosen]
        if cut:
            items.insert(edge, "...")
        per_line = max(1, (OPTIONS.linewidth - indent) // (width + 2))
        lines = [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    rows = [_rows_text(row, indent + 1, short, width, signed) for row in chosen]
    if cut:
        rows.insert(edge, "...")
    between: str = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + between.join(rows) + "]"
