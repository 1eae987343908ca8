"""DenseTensor: an array as py_func receives it and scopes return it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..device import place_of, to_numpy
from ..engine.errors import OutOfRange
from ..errors import misfit
from . import run_errors


class DenseTensor:
    """Array that NumPy functions take directly; `np.array(x)` makes it an ordinary one.

    It has no operators, as in Paddle: `x + 1` is a TypeError that says so. `x.shape()` is a
    method.

    Source: Paddle's `paddle.static.DenseTensor`.

    >>> x = DenseTensor(np.float32([1.0, 2.5]))
    >>> np.square(x)
    array([1.  , 6.25], dtype=float32)
    >>> print(x)
      - shape: [2]
      - layout: NCHW
      - place: Place(cpu)
      - dtype: float32
      - data: [1 2.5]
    """

    def __init__(self, array: Any = None, fixed: bool = False) -> None:
        self.array = array
        self._fixed = fixed  # True for an input of py_func, which must not change

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise run_errors.never_shared()
        return np.array(self._host_values(), dtype=dtype)

    def _host_values(self) -> Any:
        if self.array is None:
            raise run_errors.empty()
        return to_numpy(self.array)

    def shape(self) -> list[int]:
        """Return the sizes as a list."""
        return [] if self.array is None else list(self.array.shape)

    def set(self, array: Any, place: Any = None) -> None:  # noqa: ARG002  (a run puts it in place)
        """Replace the values by a copy of these."""
        if self._fixed:
            raise run_errors.input_set()
        values = np.array(array)
        if values.dtype.kind not in "biufc":
            raise run_errors.no_numbers(array)
        self.array = values

    def __getitem__(self, item: Any) -> DenseTensor:
        part = slice(item, item + 1 or None) if isinstance(item, int) else item
        values = self._host_values()[part]
        if isinstance(item, int) and not values.shape[0]:
            raise misfit(
                "DenseTensor", f"an index into shape {self.shape()}", OutOfRange, index=item
            )
        return DenseTensor(values.copy())

    def __repr__(self) -> str:
        kind = "uninitialized" if self.array is None else self.array.dtype.name
        return f"DenseTensor(shape={self.shape()}, dtype={kind})"

    def __str__(self) -> str:
        if self.array is None:
            return "  - shape: []\n  - layout: NCHW\nuninited\n"
        values = self._host_values()
        form = "{:g}" if values.dtype.kind == "f" else "{:d}"
        data = " ".join(form.format(value) for value in values.ravel().tolist())
        return (
            f"  - shape: {self.shape()}\n  - layout: NCHW\n  - place: {place_of(self.array)}\n"
            f"  - dtype: {values.dtype.name}\n  - data: [{data}]"
        )


def _make_refusal(symbol: str, unary: bool = False) -> Callable[..., Any]:
    def operator(self: DenseTensor, other: Any = None) -> Any:
        if isinstance(other, (np.ndarray, np.generic)):
            return NotImplemented  # Python tries the array's operator next
        raise run_errors.no_operator(self, symbol, () if unary else (other,))

    return operator


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@",
}  # fmt: skip
for _name, _symbol in _BINARY.items():
    setattr(DenseTensor, f"__{_name}__", _make_refusal(_symbol))
    setattr(DenseTensor, f"__r{_name}__", _make_refusal(_symbol))
for _name, _symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(DenseTensor, f"__{_name}__", _make_refusal(_symbol))
for _name, _symbol in {"neg": "unary -", "abs": "abs()"}.items():
    setattr(DenseTensor, f"__{_name}__", _make_refusal(_symbol, unary=True))
