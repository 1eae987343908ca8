"""Helpers of layers: names, shapes, copies of saved values, moves to another device and dtype."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from ..device import Place, beside, to_numpy
from ..engine.dtypes import DType
from ..engine.errors import CheckFailed
from ..engine.tensor import (
    WHOLE,
    Parameter,
    Tensor,
    as_seen,
    cell_of,
    cells_of_tensors,
    change_of,
    changed_in_place,
)
from ..ops.arguments import check_memory, to_python
from . import errors


@lru_cache(maxsize=1000)
def snake_case(name: str) -> str:
    """Return a class name in snake case as Paddle writes it: batch_norm1d for BatchNorm1D."""
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def describe(**settings: Any) -> str:
    """Return a layer's settings as repr shows them; a `name` or `data_format` of None is left out.

    >>> describe(p=0.5, axis=None, name=None)
    'p=0.5, axis=None'
    """
    optional = ("name", "data_format")
    return ", ".join(f"{k}={v}" for k, v in settings.items() if v or k not in optional)


def is_parameter(value: Any) -> bool:
    """Return whether a value is a parameter, eager or of a Program."""
    return isinstance(value, Parameter) or hasattr(value, "optimize_attr")


def is_tensors(value: Any) -> bool:
    """Return whether a value is a Tensor, or a list or tuple of them, as events show."""
    if isinstance(value, Tensor):
        return True
    listed = isinstance(value, (list, tuple)) and bool(value)
    return listed and all(isinstance(item, Tensor) for item in value)


def tensors_in(values: Any) -> Any:
    """Return the tensors among the arguments or results of a call, as events show them."""
    row = values if isinstance(values, (list, tuple)) else (values,)
    return as_seen(tuple(x for x in row if is_tensors(x)))


def cells_in(values: Any, keep: Any, series: int) -> list[Any]:
    """Return the tensors among the arguments or results of a call, as the cells of a note."""
    cells: list[Any] = []
    for x in values:
        if isinstance(x, Tensor):
            cells.append(cell_of(x, keep, series))
        elif is_tensors(x):
            cells.append(cells_of_tensors(x, keep, series))
    return cells


def sizes_of(shape: Any) -> tuple[int, ...]:
    """Return a parameter's shape as a tuple of ints; InvalidType if it has other items."""
    shape = to_python(shape)
    sizes = tuple(map(to_python, shape)) if isinstance(shape, (list, tuple)) else (shape,)
    if not all(isinstance(n, (int, np.integer)) for n in sizes):
        what, fix = "a parameter's shape must be made of ints.", "convert sizes with int()"
        raise errors.wrong_type(what, sizes, "a list of ints", fix)
    if any(n < 0 for n in sizes):
        raise errors.misfit("create_parameter", "sizes >= 0", CheckFailed, shape=sizes)
    return check_memory(tuple(int(n) for n in sizes))


def reason_to_skip(tensor: Any, value: Any) -> str:
    """Return why a saved value cannot replace that of the tensor, empty if it can; CheckFailed
    for another dtype."""
    array = value._data if isinstance(value, Tensor) else np.asarray(value)
    if array.shape != tensor._data.shape:
        shape, expected = list(array.shape), list(tensor._data.shape)
        return f"receives a shape {shape}, but the expected shape is {expected}"
    if array.dtype != tensor._data.dtype:
        raise errors.dtype_of_saved(tensor.name, tensor._data.dtype, array.dtype)
    return ""


def copy_into(tensor: Any, value: Any) -> None:
    """Copy a saved value into a tensor."""
    array = to_numpy(value._data) if isinstance(value, Tensor) else np.asarray(value)
    source = value if isinstance(value, Tensor) else Tensor(array)
    change = change_of(*WHOLE, tensor, source)
    tensor._data[...] = beside(array, tensor._data)
    changed_in_place(tensor, change, counts=0)


def convert(tensor: Any, place: Place | None, kind: DType | None) -> None:
    """Move a tensor and its gradient to a device, and to a dtype if they are floats."""
    for each in (tensor, tensor._grad):
        if each is None:
            continue
        array = each._data if place is None else place.put(each._data)
        if kind is not None and each.dtype.is_floating:
            array = array.astype(kind.numpy, copy=False)
        if array is not each._data:
            each._data = array
            changed_in_place(each, by="to")
