"""py_func: a Python function as an operator of a Program, with the kernels that call it."""

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
from ..engine.errors import InvalidArgument
from ..engine.tensor import Tensor, value_of
from ..errors import misfit, wrong_type
from ..messages import Message
from ..ops.arguments import as_list
from . import errors, spelling
from .block import Block
from .errors import fits, require_static
from .operator import Operator
from .program import default_main_program
from .scope import DenseTensor
from .variable import Variable


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
        """Dtype and shape as text: `float32 [-1, 3]`."""
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
            raise errors.number_of_values(self.word, items, self.names)
        return items


class PyFuncCall(PyFunc):
    """Kernel of a py_func operator in forward direction."""

    direction = "forward"

    def __init__(
        self, func: Callable[..., Any], outputs: list[Declaration], backward: Any, skipped: set[str]
    ) -> None:
        super().__init__("func", func, [out.name for out in outputs], skipped)
        self.outputs, self.backward = outputs, backward
        self.differentiable = backward is not None
        self._warned = False

    def describe_arguments(self, count: int) -> str:
        return f"{count} arrays, one for each variable of x" if count != 1 else "1 array: x"

    def check(self, items: Sequence[Any], arrays: tuple[Any, ...]) -> tuple[Any, ...]:  # noqa: ARG002
        return tuple(map(self._accept_result, self.outputs, items))

    def _accept_result(self, out: Declaration, item: Any) -> Any:
        if item.__class__ is np.ndarray and (item.shape, item.dtype) == out.fitted:
            return item.copy("K")
        if item is None:
            raise errors.no_output(self.word, out)
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
            raise errors.shape_of_buffer(self.word, out, array.shape)
        out.buffer[...] = array
        return out.buffer.copy()

    def gradient_operator(
        self, forward: Operator, douts: list[str | None], grads: list[str | None]
    ) -> Operator:
        """Make the py_func operator that calls backward_func with x, out and dout, for dx."""
        block = forward.block
        kept = [n for n in (*forward.reads, *forward.writes) if n not in self.skipped]
        arguments = (*kept, *douts)
        declarations = [
            None if grad is None else Declaration(name, var.shape, var.dtype.name)
            for name, grad in zip(forward.reads, grads, strict=True)
            for var in [block.vars[name]]
        ]
        gradient = PyFuncGradient(
            self,
            forward.reads,
            declarations,
            [kept.index(name) if name in kept else None for name in forward.reads],
            [*kept, *(f"{name}@GRAD" for name in forward.writes)],
        )
        attrs = {
            "forward_callable_id": forward.attrs["backward_callable_id"],
            "backward_callable_id": -1,
            "backward_skip_vars": [],
            "op_namescope": "",
        }
        return Operator(
            block,
            "py_func",
            {"X": spelling.slot_names(arguments)},
            {"Out": spelling.slot_names(tuple(grads))},
            attrs,
            kernel=gradient,
            arguments=arguments,
            results=tuple(grads),
            place=forward.place,
            forward=forward,
        )


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
            raise errors.no_gradient(self.word, wanted)
        array = to_array(self.word, wanted.name, item)
        shape = wanted.shape if place is None else arrays[place].shape
        if not fits(shape, array.shape):
            raise errors.shape_of_gradient(self.word, wanted.name, shape, array.shape)
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
        raise errors.no_array(word, name, item) from error
    if array.dtype.kind not in "biufc":
        raise errors.no_array(word, name, item)
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
        inputs = kernel.argument_names
        pairs = zip(kernel.names, outputs, strict=True)
        outputs = [grad or f"{name}@GRAD" for name, grad in pairs]

    def with_names(names: Any, arrays: Any) -> tuple[tuple[str, Any], ...]:
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
        with_names(inputs, arguments),
        tuple(sorted(kernel.skipped)),
        with_names(outputs, results),
    )


# ----- py_func -----------------------------------------------------------------------------------


def py_func(
    func: Any, x: Any, out: Any, backward_func: Any = None, skip_vars_in_backward_input: Any = None
) -> Any:
    """Add an operator that calls `func(*x)` when the Program runs; return `out`.

    `out` (Variables made by create_var, NumPy arrays that are filled at each run, or None to
    debug) declares shapes and dtypes. `backward_func(*x, *out, *dout)` without the skipped ones
    returns a gradient for each x, None for those that need none. Wrong arguments: TypeError or
    ValueError. Source: Paddle's `paddle.static.py_func`.

    >>> import numpy as np, minipaddle as paddle
    >>> paddle.enable_static()
    >>> with paddle.static.program_guard(paddle.static.Program()) as _:
    ...     x = paddle.static.data("x", [2], "float32")
    ...     y = x.block.create_var(name="y", shape=[2], dtype="float32")
    ...     _ = paddle.static.py_func(np.square, x, y)
    ...     paddle.static.Executor().run(feed={"x": np.float32([2, 3])}, fetch_list=[y])
    [array([4., 9.], dtype=float32)]
    >>> paddle.disable_static()
    """
    require_static("py_func")
    block = default_main_program().current_block()
    _check_callable(func, "func")
    if backward_func is not None:
        _check_callable(backward_func, "backward_func")
    inputs = [_check_input(block, item) for item in _as_list(x)]
    outputs = [_declare_output(block, item) for item in _as_list(out)]
    if not inputs and not outputs:
        expected, fix = "at least one input x or one output out", "py_func(func, x, out)"
        raise misfit("py_func", expected, InvalidArgument, fix, x=x, out=out)
    declared = [declaration for declaration, _ in outputs]
    names = [var.name for var in inputs]
    for _, variable in outputs:
        variable.stop_gradient = all(var.stop_gradient for var in inputs)
    skipped = _names_to_skip(skip_vars_in_backward_input, inputs, declared) if backward_func else []
    kernel = PyFuncCall(func, declared, backward_func, set(skipped))
    # The Program holds references to its functions, so that they live as long as it does.
    number, callables = len(block.program.callables), [func]
    if backward_func is not None:
        callables.append(backward_func)
    block.program.callables += callables
    attrs = {
        "forward_callable_id": number,
        "backward_callable_id": -1 if backward_func is None else number + 1,
        "backward_skip_vars": skipped,
    }
    operator = Operator(
        block,
        "py_func",
        {"X": names},
        {"Out": kernel.names},
        attrs,
        kernel=kernel,
        arguments=tuple(names),
        results=tuple(kernel.names),
        place=source_line.here(),
    )
    block.append(operator, "py_func")
    return out


# ----- the arguments ------------------------------------------------------------------------------


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else as_list(value)


def _check_callable(func: Any, argument: str) -> None:
    if not callable(func):
        what = f"py_func(): {argument} must be a Python function."
        fix = f"pass the function itself, without calling it: {argument}=my_function"
        raise wrong_type(what, func, "a callable", fix)


def _check_input(block: Block, item: Any) -> Variable:
    if isinstance(item, str):
        item = block.var(item)
    if not isinstance(item, Variable):
        raise errors.input_of_py_func(item)
    return block.own(item, "py_func(): argument 'x'")


def _declare_output(block: Block, item: Any) -> tuple[Declaration, Variable]:
    if isinstance(item, np.ndarray):
        variable = block.create_var(
            name=block.program.names("py_func_out"), shape=item.shape, dtype=item.dtype
        )
        return Declaration(variable.name, item.shape, item.dtype.name, item), variable
    if not isinstance(item, Variable):
        raise errors.output_of_py_func(item)
    item = block.own(item, "py_func(): argument 'out'")
    if item.undeclared:
        raise errors.undeclared(item.name, " and ".join(item.undeclared))
    return Declaration(item.name, item.shape, item.dtype.name), item


def _names_to_skip(skip: Any, inputs: list[Variable], outputs: list[Declaration]) -> list[str]:
    known = [var.name for var in inputs] + [out.name for out in outputs]
    names = []
    for item in _as_list(skip):
        name = item.name if isinstance(item, Variable) else item
        if name not in known:
            expected = f"names among {', '.join(known)}; gradients cannot be skipped"
            fix, given = Message("leave it out of the list"), {"skip_vars_in_backward_input": name}
            raise misfit("py_func", expected, InvalidArgument, fix, **given)
        names.append(name)
    return list(dict.fromkeys(names))
