"""Kernels of py_func operators: call the user's function, and check what it returns."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import events
from ..device import current_place, to_numpy
from ..engine import modes, source_line
from ..engine.tensor import Tensor, value_of
from . import run_errors
from .checks import fits
from .dense_tensor import DenseTensor


class DeclarationWarning(UserWarning):
    """Warning that func returned another shape or dtype than declared; the array is used.

    Errors: none; it is a warning.
    Source: minipaddle's own.

    >>> issubclass(paddle.static.DeclarationWarning, UserWarning)
    True
    """


@dataclass(eq=False)
class Declaration:
    """Declaration of one output of a py_func."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    buffer: Any = None  # NumPy array given as `out`, or None
    fitted: Any = None  # shape and dtype of the last array that fits

    def __str__(self) -> str:
        return f"{self.meta} for '{self.name}'"

    @property
    def meta(self) -> str:
        """`float32 [-1, 3]`."""
        return f"{self.dtype} {list(self.shape)}"


class PyFunc:
    """Kernel of a py_func operator: calls a user's function, and checks the values it returns."""

    direction: str

    def __init__(
        self, argument: str, func: Callable[..., Any], names: list[str], skipped: set[str]
    ) -> None:
        self.func, self.names, self.skipped = func, names, skipped
        self.function, self.word = name_of(func), f"{argument} {describe(func)}"

    def describe_arguments(self, count: int) -> str:
        """Describe the arguments of the function."""
        raise NotImplementedError

    def check(self, items: Sequence[Any], arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the function's values as arrays; raise an error for wrong values."""
        raise NotImplementedError

    def __call__(self, *arrays: Any) -> tuple[Any, ...]:
        return on_current_device(self.check(self.call(arrays), arrays))

    def call(self, arrays: tuple[Any, ...]) -> Sequence[Any]:
        """Call the function on DenseTensors; return its values, one for each name.

        Its exceptions pass unchanged. The error of a function that cannot take these arguments gets
        a note that lists them.
        """
        modes.here().builder.calling = self.word
        try:
            result = self.func(*[a if a is None else DenseTensor(a, True) for a in arrays])
        except TypeError as error:
            if not takes(self.func, len(arrays)):
                wanted = self.describe_arguments(len(arrays))
                error.add_note(f"  py_func calls {self.word} with {wanted}")
            raise
        if result is None and not self.names:
            return ()
        items = result if isinstance(result, (list, tuple)) else (result,)
        if len(items) != len(self.names):
            raise run_errors.number_of_values(self.word, items, self.names)
        return items


class PyFuncCall(PyFunc):
    """Kernel of a py_func operator in forward direction."""

    direction = "forward"

    def __init__(
        self, func: Callable[..., Any], outputs: list[Declaration], backward: Any, skipped: set[str]
    ) -> None:
        super().__init__("func", func, [out.name for out in outputs], skipped)
        self.outputs, self.backward = outputs, backward
        self._warned = False

    def describe_arguments(self, count: int) -> str:
        return f"{count} arrays, one for each variable of x" if count != 1 else "1 array: x"

    def check(self, items: Sequence[Any], arrays: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ARG002
        return tuple(map(self._accept_result, self.outputs, items))

    def _accept_result(self, out: Declaration, item: Any) -> Any:
        if item.__class__ is np.ndarray and (item.shape, item.dtype) == out.fitted:
            return item.copy("K")
        if item is None:
            raise run_errors.no_output(self.word, out)
        array = to_array(self.word, out.name, item)
        ones = (1,) * len(out.shape)
        if isinstance(item, (bool, int, float)) and fits(out.shape, ones):
            array = array.astype(out.dtype).reshape(ones)
        if out.buffer is not None:
            return self._fill_buffer(out, array)
        if not self._warned and (array.shape, array.dtype) != out.fitted:
            if fits(out.shape, array.shape) and array.dtype == out.dtype:
                out.fitted = array.shape, array.dtype
            else:
                self._warned = True
                self._warn_of_declaration(out, array)
        return array

    def _warn_of_declaration(self, out: Declaration, array: Any) -> None:
        """Warn once, at the function's own line, that its result is not as declared."""
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

    def _fill_buffer(self, out: Declaration, array: Any) -> Any:
        if array.shape != out.shape:
            raise run_errors.shape_of_buffer(self.word, out, array.shape)
        out.buffer[...] = array
        return out.buffer.copy()


class PyFuncGradient(PyFunc):
    """Kernel of a py_func operator in backward direction.

    `wanted` has the declaration of the gradient of each input of the forward py_func, or None;
    `places` has the position of that input among the arguments, or None if it is skipped.
    `argument_names` include gradients that do not exist.
    """

    direction = "backward"

    def __init__(
        self,
        forward: PyFuncCall,
        names: list[str],
        wanted: list[Declaration | None],
        places: list[int | None],
        argument_names: list[str],
    ) -> None:
        super().__init__("backward_func", forward.backward, names, forward.skipped)
        self.wanted, self.places, self.argument_names = wanted, places, argument_names

    def describe_arguments(self, count: int) -> str:
        rule = "the inputs, the outputs, then their gradients"
        kept = "; skip_vars_in_backward_input leaves some out"
        return f"{count} arrays, {', '.join(self.argument_names)}: {rule}{kept}"

    def check(self, items: Sequence[Any], arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            None if wanted is None else self._accept_result(wanted, item, arrays, place)
            for wanted, item, place in zip(self.wanted, items, self.places, strict=True)
        )

    def _accept_result(self, wanted: Declaration, item: Any, arrays: Any, place: int | None) -> Any:
        if item is None:
            raise run_errors.no_gradient(self.word, wanted)
        array = to_array(self.word, wanted.name, item)
        shape = wanted.shape if place is None else arrays[place].shape
        if not fits(shape, array.shape):
            raise run_errors.shape_of_gradient(self.word, wanted.name, shape, array.shape)
        return array.astype(wanted.dtype, copy=False)


# ----- calling ------------------------------------------------------------------------------------


def takes(func: Callable[..., Any], count: int) -> bool:
    """Return whether a function takes `count` arguments; True for an unknown signature."""
    try:
        parameters = inspect.signature(func)
    except (TypeError, ValueError):
        return True
    try:
        parameters.bind(*[None] * count)
    except TypeError:
        return False
    return True


def on_current_device(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the results of a user's function on the current device."""
    place = current_place()
    if place.kind == "cpu":  # the arrays are there already
        return arrays
    return tuple(None if array is None else place.put(array) for array in arrays)


def to_array(word: str, name: str, item: Any) -> Any:
    """Copy a returned value into an array, since the function may reuse its buffer."""
    if isinstance(item, Tensor):
        item = to_numpy(item._data)
    try:
        array = np.array(item)
    except ValueError as error:
        raise run_errors.no_array(word, name, item) from error
    if array.dtype.kind not in "biufc":
        raise run_errors.no_array(word, name, item)
    return array


def name_of(func: Any) -> str:
    """Return the name of a function, or the class of another callable."""
    return getattr(func, "__name__", None) or type(func).__name__


def describe(func: Any) -> str:
    """Return a function's name and the line where it was defined."""
    place = source_line.of_function(func)
    return f"'{name_of(func)}' ({place})" if place else f"'{name_of(func)}'"


def event_of_call(kernel: PyFunc, program: int, index: int, operator: Any, values: Any) -> Any:
    """Make the event of a call; `values` are the arguments and the results."""
    arguments, results = values
    inputs, outputs = operator.arguments, operator.results
    if isinstance(kernel, PyFuncGradient):
        inputs, outputs = kernel.argument_names, [f"{name}@GRAD" for name in kernel.names]

    def named(names: Any, arrays: Any) -> tuple[tuple[str, Any], ...]:
        return tuple(
            (name or "", None if array is None else value_of(array))
            for name, array in zip(names, arrays, strict=True)
        )

    return events.PyFuncCalled(
        program,
        index,
        kernel.direction,
        kernel.function,
        source_line.of_function(kernel.func),
        named(inputs, arguments),
        tuple(sorted(kernel.skipped)),
        named(outputs, results),
    )
