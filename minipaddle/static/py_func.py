"""py_func: a Python function as an operator of a Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine import source_line
from ..errors import misfit
from ..ops.arguments import as_list
from . import errors, spelling
from .block import Block
from .checks import require_static
from .operator import Operator
from .program import default_main_program
from .py_call import Declaration, PyFuncCall, PyFuncGradient
from .variable import Variable


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
        raise misfit("py_func", "at least one input x or one output out", x=x, out=out)
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
        fix = f"pass the function itself, without calling it: {argument}=my_function"
        raise errors.wrong_argument("py_func", argument, func, "a callable", fix)


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
            raise misfit("py_func", expected, skip_vars_in_backward_input=name)
        names.append(name)
    return list(dict.fromkeys(names))


# ----- the gradient -------------------------------------------------------------------------------


def gradient_operator(
    forward: Operator, douts: list[str | None], grads: list[str | None]
) -> Operator:
    """Make the py_func operator that calls backward_func with x, out and dout, which gives dx."""
    kernel, block = forward.kernel, forward.block
    assert isinstance(kernel, PyFuncCall)
    kept = [n for n in (*forward.reads, *forward.writes) if n not in kernel.skipped]
    arguments = (*kept, *douts)
    declarations = [
        None if grad is None else Declaration(name, var.shape, var.dtype.name)
        for name, grad in zip(forward.reads, grads, strict=True)
        for var in [block.vars[name]]
    ]
    gradient = PyFuncGradient(
        kernel,
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
