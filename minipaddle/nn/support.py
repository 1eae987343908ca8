"""Helpers that layers share: names, shapes, copying saved values, changing device and dtype."""

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
from ..ops.arguments import bounded, plain
from . import errors


@lru_cache(maxsize=1000)
def snake_case(name: str) -> str:
    """Return `BatchNorm1D` as batch_norm1d, as Paddle names layers."""
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def describe(**settings: Any) -> str:
    """Return a layer's settings as repr shows them; `name` and `data_format` only if there is one.

    >>> describe(p=0.5, axis=None, name=None)
    'p=0.5, axis=None'
    """
    optional = ("name", "data_format")
    return ", ".join(f"{k}={v}" for k, v in settings.items() if v or k not in optional)


def is_parameter(value: Any) -> bool:
    """Return whether this is trained by optimizers: an eager Parameter or a Program's."""
    return isinstance(value, Parameter) or hasattr(value, "optimize_attr")


def is_tensors(value: Any) -> bool:
    """Return whether a value is a Tensor, or a list or tuple of them, as events show."""
    if isinstance(value, Tensor):
        return True
    listed = isinstance(value, (list, tuple)) and bool(value)
    return listed and all(isinstance(item, Tensor) for item in value)


def tensors_in(values: Any) -> Any:
    """Return the tensors that events show of the arguments or the result of a call."""
    row = values if isinstance(values, (list, tuple)) else (values,)
    return as_seen(tuple(x for x in row if is_tensors(x)))


def cells_in(values: Any, keep: Any, series: int) -> list[Any]:
    """Return the tensors that events show of a call as the cells of a note."""
    cells: list[Any] = []
    for x in values:
        if isinstance(x, Tensor):
            cells.append(cell_of(x, keep, series))
        elif is_tensors(x):
            cells.append(cells_of_tensors(x, keep, series))
    return cells


def sizes_of(shape: Any) -> tuple[int, ...]:
    """Return a parameter's shape as a tuple of ints; InvalidType for other things in it."""
    shape = plain(shape)
    sizes = tuple(map(plain, shape)) if isinstance(shape, (list, tuple)) else (shape,)
    if not all(isinstance(n, (int, np.integer)) for n in sizes):
        what, fix = "a parameter's shape must be made of ints.", "convert sizes with int()"
        raise errors.wrong_type(what, sizes, "a list of ints", fix)
    if any(n < 0 for n in sizes):
        raise errors.misfit("create_parameter", "sizes >= 0", CheckFailed, shape=sizes)
    return bounded(tuple(int(n) for n in sizes))


def fits(held: Any, value: Any) -> str:
    """Return the reason why a saved value cannot be copied in; CheckFailed for another dtype."""
    array = value._data if isinstance(value, Tensor) else np.asarray(value)
    if array.shape != held._data.shape:
        given, wanted = list(array.shape), list(held._data.shape)
        return f"receives a shape {given}, but the expected shape is {wanted}"
    if array.dtype != held._data.dtype:
        raise errors.dtype_of_saved(held.name, held._data.dtype, array.dtype)
    return ""


def write(held: Any, value: Any) -> None:
    """Copy a saved value in."""
    array = to_numpy(value._data) if isinstance(value, Tensor) else np.asarray(value)
    given = value if isinstance(value, Tensor) else Tensor(array)
    change = change_of(*WHOLE, held, given)
    held._data[...] = beside(array, held._data)
    changed_in_place(held, change, counts=0)


def convert(held: Any, place: Place | None, kind: DType | None) -> None:
    """Take a tensor and its gradient to a device, and to a dtype if they are floats."""
    for tensor in (held, held._grad):
        if tensor is None:
            continue
        array = tensor._data if place is None else place.put(tensor._data)
        if kind is not None and tensor.dtype.is_floating:
            array = array.astype(kind.numpy, copy=False)
        if array is not tensor._data:
            tensor._data = array
            changed_in_place(tensor, by="to")
