"""What happens when a py_func operator runs: the user's function is called and checked."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import events
from ..device import current_place, to_numpy
from ..engine import modes, source_line
from ..engine.errors import InvalidArgument
from ..engine.tensor import Tensor, value_of
from .dense_tensor import DenseTensor


class DeclarationWarning(UserWarning):
    """func returned another shape or dtype than the declared one; the returned one is used.

    Errors: none; it is a warning.
    Source: minipaddle's own.

    >>> issubclass(paddle.static.DeclarationWarning, UserWarning)
    True
    """


class Declaration:
    """What a py_func's author declared of one output."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: str, buffer: Any = None) -> None:
        self.name = name
        self.shape = shape
        self.dtype = dtype
        self.buffer = buffer  # the NumPy array given as `out`, if one was

    def __str__(self) -> str:
        return f"{self.dtype} {list(self.shape)} for '{self.name}'"

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Whether a shape is the declared one; -1 fits every size."""
        return len(shape) == len(self.shape) and all(
            m in (n, -1) for m, n in zip(self.shape, shape, strict=True)
        )


class PyFuncCall:
    """The kernel of a py_func operator in forward direction."""

    direction = "forward"

    def __init__(
        self, func: Callable[..., Any], outs: list[Declaration], backward: Any, skipped: set[str]
    ) -> None:
        self.func = func
        self.outs = outs
        self.backward = backward
        self.skipped = skipped
        self.word = f"func {describe(func)}"
        self._warned = False

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        items = as_values(self.word, call(self, arrays), [out.name for out in self.outs])
        put = current_place().put
        return tuple(put(self._take(out, item)) for out, item in zip(self.outs, items, strict=True))

    def _take(self, out: Declaration, item: Any) -> Any:
        if item is None:
            raise InvalidArgument(
                f"py_func: {self.word} returned None for the output '{out.name}'.",
                expected=f"1 array for each output: here {out}",
                received="None",
                fix="return an array; for a function without result pass out=None",
            )
        array = to_array(self.word, out.name, item)
        if isinstance(item, (bool, int, float)) and out.fits((1,) * len(out.shape)):
            array = array.astype(out.dtype).reshape((1,) * len(out.shape))
        if out.buffer is not None:
            return self._fill(out, array)
        if not self._warned and not (out.fits(array.shape) and array.dtype == out.dtype):
            self._warned = True
            self._warn(out, array)
        return array

    def _warn(self, out: Declaration, array: Any) -> None:
        """Tell once, at the function's own line, that its result is not what was declared."""
        place = source_line.of_function(self.func) or source_line.here()
        file, line = (place.file, place.line) if place else ("py_func", 0)
        warnings.warn_explicit(
            f"py_func: {self.word} returned {array.dtype.name} {list(array.shape)}, declared was "
            f"{out}. The returned array is used as it is; declare in create_var what the function "
            "returns, or convert the result.",
            DeclarationWarning,
            file,
            line,
        )

    def _fill(self, out: Declaration, array: Any) -> Any:
        if array.shape != out.shape:
            raise InvalidArgument(
                f"py_func: {self.word} returned another shape than the array given as out.",
                expected=f"shape {list(out.shape)}, as the array '{out.name}' has",
                received=f"shape {list(array.shape)}",
                fix="return that shape, or pass an array of the shape that is returned",
            )
        out.buffer[...] = array
        return out.buffer.copy()


class PyFuncGradient:
    """The kernel of a py_func operator in backward direction."""

    direction = "backward"

    def __init__(
        self,
        func: Callable[..., Any],
        wanted: list[Declaration | None],
        shapes: list[int | None],
        names: list[str],
    ) -> None:
        self.func = func
        self.wanted = wanted  # per input of the forward py_func; None: no gradient is wanted
        self.shapes = shapes  # the argument that holds the input itself, unless it was skipped
        self.names = names
        self.skipped: set[str] = set()
        self.given: list[str] = []  # what the arguments are called, also one that does not exist
        self.word = f"backward_func {describe(func)}"

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        items = as_values(self.word, call(self, arrays), self.names)
        put = current_place().put
        return tuple(
            None if wanted is None else put(self._take(wanted, item, arrays, place))
            for wanted, item, place in zip(self.wanted, items, self.shapes, strict=True)
        )

    def _take(self, wanted: Declaration, item: Any, arrays: Any, place: int | None) -> Any:
        if item is None:
            raise InvalidArgument(
                f"py_func: {self.word} returned None for the gradient of '{wanted.name}', which "
                "needs one.",
                expected=f"a gradient: {wanted}",
                received="None",
                fix=f"return an array, or set {wanted.name}.stop_gradient = True while building",
            )
        array = to_array(self.word, wanted.name, item)
        shape = wanted.shape if place is None else arrays[place].shape
        if not Declaration("", shape, "").fits(array.shape):
            raise InvalidArgument(
                f"py_func: {self.word} returned a gradient of the wrong shape for '{wanted.name}'.",
                expected=f"shape {list(shape)}, as '{wanted.name}' has",
                received=f"shape {list(array.shape)}",
                fix="a gradient has the shape of the input that it belongs to",
            )
        return array.astype(wanted.dtype, copy=False)


# ----- calling ------------------------------------------------------------------------------------


def call(kernel: Any, arrays: tuple[Any, ...]) -> Any:
    """Call the user's function on array-likes; its exceptions pass unchanged."""
    running = modes.here().builder
    running.calling = kernel.word
    return kernel.func(*[a if a is None else DenseTensor(a, fixed=True) for a in arrays])


def as_values(word: str, result: Any, names: list[str]) -> list[Any]:
    """The values that a function returned, one for each name."""
    if result is None and not names:
        return []
    items = list(result) if isinstance(result, (list, tuple)) else [result]
    if len(items) != len(names):
        one = "the output" if word.startswith("func") else "a gradient for the input"
        raise InvalidArgument(
            f"py_func: {word} returned the wrong number of values.",
            expected=f"{len(names)}: {one} {', '.join(names)}" if names else "None, as out is None",
            received=f"{len(items)}: {', '.join(type(item).__name__ for item in items)}",
            fix="return one value for each, as a tuple or a list if there are several",
        )
    return items


def to_array(word: str, name: str, item: Any) -> Any:
    """A returned value as an array of its own: the function may use its buffer again."""
    if isinstance(item, Tensor):
        item = to_numpy(item._data)
    try:
        array = np.array(item)
    except ValueError as error:
        raise _unusable(word, name, item) from error
    if array.dtype.kind not in "biufc":
        raise _unusable(word, name, item)
    return array


def _unusable(word: str, name: str, item: Any) -> Exception:
    return InvalidArgument(
        f"py_func: {word} returned something that is no array for '{name}'.",
        expected="a NumPy array, a Tensor or a number",
        received=f"{type(item).__name__} {item!r:.60}",
        fix="convert the result: np.array(result, dtype=...)",
    )


def describe(func: Any) -> str:
    """A function's name and the line where it was defined."""
    place = source_line.of_function(func)
    name = getattr(func, "__name__", None) or type(func).__name__
    return f"'{name}' ({place})" if place else f"'{name}'"


def event_of_call(kernel: Any, program: int, index: int, operator: Any, values: Any) -> Any:
    """What listeners hear of a call; `values` are the arguments and then the results."""
    arguments, results = values
    given, made = operator.arguments, operator.results
    if isinstance(kernel, PyFuncGradient):
        given, made = kernel.given, [f"{name}@GRAD" for name in kernel.names]

    def named(names: Any, arrays: Any) -> tuple[tuple[str, Any], ...]:
        return tuple(
            (name or "", None if array is None else value_of(array))
            for name, array in zip(names, arrays, strict=True)
        )

    return events.PyFuncCalled(
        program,
        index,
        kernel.direction,
        getattr(kernel.func, "__name__", "py_func"),
        source_line.of_function(kernel.func),
        named(given, arguments),
        tuple(sorted(kernel.skipped)),
        named(made, results),
    )
