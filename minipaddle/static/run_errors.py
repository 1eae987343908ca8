"""Errors of running a Program, of its values and of the files that hold the values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    NotFound,
    PermissionDenied,
    PreconditionNotMet,
    Unimplemented,
)
from ..engine.tensor import Tensor
from ..errors import describe_value, wrong_type
from ..messages import LIST, Message, Row
from .errors import Error

# ----- the Executor ------------------------------------------------------------------------------


def pruned() -> Unimplemented:
    what = "Executor.run: use_prune is not here: all operators of a Program run."
    fix = "run program.clone(for_test=True), which has no gradients and no optimizer"
    return Unimplemented(what, expected="use_prune=False", received="use_prune=True", fix=fix)


def no_plan_there(place: object) -> PreconditionNotMet:
    what = "Executor.plan: plans are made of NumPy calls, for the host only."
    expected = "an Executor of paddle.CPUPlace()"
    received = f"one of {place}, which runs operator by operator"
    fix = "write paddle.static.Executor(paddle.CPUPlace())"
    return PreconditionNotMet(what, expected=expected, received=received, fix=fix)


def closed() -> NotFound:
    what, expected = "Attempted to use a closed Executor.", "an Executor that is open"
    fix = "make a new one: paddle.static.Executor(paddle.CPUPlace())"
    return NotFound(what, expected=expected, received="one after close()", fix=fix)


# ----- feeds -------------------------------------------------------------------------------------


def not_fed(variable: Any, feeds: Sequence[str]) -> InvalidArgument:
    """Make the error of a Variable without a feed; `feeds` are the names that were fed."""
    received = Message("feeds for {names}", names=Row(feeds, LIST))
    return InvalidArgument(
        Message("Executor.run: the feed for '{name}' is missing."),
        expected=Message("an array {meta} for {variable}"),
        received=received if feeds else Message("feeds for nothing"),
        fix=Message("add it: feed={{'{name}': array, ...}}"),
        slots={"name": variable.name, "meta": variable.meta, "variable": repr(variable)},
    )


def left_out_of_clone(name: str, reader: str | None) -> InvalidArgument:
    """Make the error of a gradient that clone(for_test=True) has left out."""
    reads = Message("the operator {reader}, which reads '{name}'")
    return InvalidArgument(
        Message(
            "Executor.run: nothing computes '{name}' in this Program: "
            "clone(for_test=True) left out the backward pass and the optimizer."
        ),
        expected=Message("a clone whose operators read no gradient"),
        received=reads if reader else Message("a fetch of '{name}'"),
        fix=Message(
            "call clone(for_test=True) before gradients(), append_backward() or "
            "minimize(), or run the whole Program: clone()"
        ),
        slots={"name": name, "reader": reader},
    )


def fed_dtype(name: str, wanted: str, dtype: str) -> InvalidArgument:
    what = f"Executor.run: The data type of fed Variable '{name}' is wrong."
    fix = f"feed array.astype('{wanted}')"
    return InvalidArgument(what, expected=wanted, received=dtype, fix=fix)


def not_an_array(variable: Any, value: object) -> InvalidType:
    fix = "feed x.numpy()" if isinstance(value, Tensor) else "feed an array"
    what = f"Executor.run: the feed for '{variable.name}' cannot be converted to an array."
    expected = f"a NumPy array, list or number: {variable.meta}"
    return InvalidType(what, expected=expected, received=type(value).__name__, fix=fix)


def not_regular(variable: Any, value: object, why: str) -> MinipaddleError:
    what = f"Executor.run: the feed for '{variable.name}' is no regular array: {why}"
    fix = "let all rows have the same length, and numbers only"
    return wrong_type(what, value, f"{variable.meta}", fix, InvalidArgument)


def fed_shape(variable: Any, shape: Sequence[int]) -> InvalidArgument:
    wanted = variable.shape
    return InvalidArgument(
        Message("Executor.run: The fed Variable '{name}' has the wrong shape."),
        expected=Message("dimensions = {count}, shape = {shape}; -1 is any size"),
        received=Message("fed shape {shape}", shape=list(shape)),
        fix=Message("reshape the array, or declare None for a size that may vary"),
        slots={"name": variable.name, "count": len(wanted), "shape": wanted},
    )


# ----- what is fetched ---------------------------------------------------------------------------


def unknown_fetch(name: str) -> NotFound:
    what = f"Executor.run: '{name}' cannot be fetched: the Program has no such Variable."
    expected = "a Variable of the Program that runs"
    fix = "print(list(program.global_block().vars)) shows the names"
    return NotFound(what, expected=expected, received=f"'{name}'", fix=fix)


def not_to_fetch(where: str, item: object, operator: bool) -> MinipaddleError:
    fix = "fetch_list=[loss] or fetch_list=['loss_name']"
    if operator:
        fix = "fetch Variables only: all operators run, those of minimize() too"
    what = f"Executor.run: Require {where} 's type shall be one of (Variable, str)."
    return wrong_type(what, item, "a Variable or its name, or a list of these", fix)


def not_initialized(variable: Any) -> PreconditionNotMet:
    return PreconditionNotMet(
        f"Executor.run: '{variable.name}' has not been initialized.",
        expected=f"a value for {variable!r} in the scope",
        received="nothing",
        fix="run the startup program first, exe.run(paddle.static.default_startup_program()), "
        "after optimizer.minimize, and in the same scope",
    )


def nothing_to_fetch(name: str) -> NotFound:
    what = f"Executor.run: '{name}' has no value to fetch."
    expected = "a Variable that was fed, computed or initialized"
    received = "one that no operator of this Program writes"
    fix = "feed it, or fetch something else"
    return NotFound(what, expected=expected, received=received, fix=fix)


# ----- functions that a py_func calls ------------------------------------------------------------


def number_of_values(word: str, items: Sequence[object], names: Sequence[str]) -> InvalidArgument:
    if not names:
        expected = Message("None, as out is None")
    elif word.startswith("func"):
        expected = Message("{count}: the output {names}", count=len(names), names=Row(names, LIST))
    else:
        expected = Message("{count}: a gradient for the input {names}").fill(
            count=len(names), names=Row(names, LIST)
        )
    what = Message("py_func: {word} returned the wrong number of values.", word=word)
    received = f"{len(items)}: {', '.join(type(item).__name__ for item in items)}"
    fix = Message("return one value for each, as a tuple or a list if there are several")
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_output(word: str, out: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("py_func: {word} returned None for the output '{name}'."),
        expected=Message("1 array for each output: here {meta} for '{name}'"),
        received="None",
        fix=Message("return an array; for a function without result pass out=None"),
        slots={"word": word, "meta": out.meta, "name": out.name},
    )


def no_gradient(word: str, wanted: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("py_func: {word} returned None for the gradient of '{name}', which needs one."),
        expected=Message("a gradient: {meta} for '{name}'"),
        received="None",
        fix=Message("return an array, or set {name}.stop_gradient = True while building"),
        slots={"word": word, "meta": wanted.meta, "name": wanted.name},
    )


def shape_of_buffer(word: str, out: Any, shape: Sequence[int]) -> InvalidArgument:
    return InvalidArgument(
        Message("py_func: {word} returned another shape than the array given as out."),
        expected=Message("shape {shape}, as the array '{name}' has"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("return that shape, or pass an array of the shape that is returned"),
        slots={"word": word, "name": out.name, "shape": list(out.shape)},
    )


def shape_of_gradient(
    word: str, name: str, wanted: Sequence[int], shape: Sequence[int]
) -> InvalidArgument:
    return InvalidArgument(
        Message("py_func: {word} returned a gradient of the wrong shape for '{name}'."),
        expected=Message("shape {shape}, as '{name}' has"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("a gradient has the shape of the input that it belongs to"),
        slots={"word": word, "name": name, "shape": list(wanted)},
    )


def no_array(word: str, name: str, item: object) -> InvalidArgument:
    return InvalidArgument(
        Message("py_func: {word} returned something that is no array for '{name}'."),
        expected=Message("a NumPy array, a Tensor or a number"),
        received=describe_value(item),
        fix=Message("convert the result: np.array(result, dtype=...)"),
        slots={"word": word, "name": name},
    )


# ----- DenseTensors and the values of a scope ----------------------------------------------------


def no_operator(tensor: object, symbol: str, others: Sequence[object]) -> InvalidType:
    given = "".join(f" and '{type(other).__name__}'" for other in others)
    return InvalidType(
        Message("unsupported operand type(s) for {symbol}: 'DenseTensor'{given}."),
        expected=Message("NumPy arrays or numbers"),
        received=repr(tensor),
        fix=Message("convert it with np.array first: x = np.array(x)"),
        slots={"symbol": symbol, "given": given},
    )


def never_shared() -> InvalidType:
    what = "a DenseTensor shares its memory with nobody."
    return InvalidType(what, expected="a copy", received="copy=False", fix="write np.array(x)")


def empty() -> PermissionDenied:
    what, received = "this DenseTensor is not initialized.", "an empty variable of a scope"
    fix = "run the startup program, or call .set(array, place) first"
    return PermissionDenied(what, expected="values", received=received, fix=fix)


def input_set() -> PermissionDenied:
    what = "the inputs of a py_func cannot be changed."
    expected, fix = "a function that returns its results", "return the new values as an output"
    return PermissionDenied(what, expected=expected, received="set() on an input", fix=fix)


def no_numbers(array: object) -> MinipaddleError:
    what, expected = "a DenseTensor holds numbers.", "an array of numbers or of booleans"
    return wrong_type(what, array, expected, "np.array(values, dtype='float32')")


def not_in_scope(name: str) -> InvalidArgument:
    what = f"Can not find Variable '{name}' in the Scope: it has no value there."
    expected = "a parameter, or another persistable Variable, that has been initialized"
    fix = "run the startup program first; what a run computes is fetched instead"
    return InvalidArgument(what, expected=expected, received=f"'{name}'", fix=fix)


def shape_of_value(name: str, wanted: list[int], shape: Sequence[int]) -> InvalidArgument:
    what = f"{name} expected a shape {wanted}, but the received shape is {list(shape)}."
    expected, received = f"shape {wanted}", f"shape {list(shape)}"
    fix = "reshape the array, or check which Variable it belongs to"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


# ----- states and files --------------------------------------------------------------------------


def no_optimizer_file(path: Path) -> CheckFailed:
    what = f"load(): Optimizer file [{path}] not exits."
    expected = "the optimizer's values beside the parameters"
    received = "a Program with an optimizer, and no such file"
    fix = "load into program.clone(for_test=True), or save them together"
    return CheckFailed(what, expected=expected, received=received, fix=fix)


def other_things(path: Path, content: object) -> InvalidArgument:
    what = f"'{path}' holds something else than arrays by name."
    expected, fix = "a dict from names to arrays", "load a file that paddle.static.save wrote"
    return InvalidArgument(what, expected=expected, received=type(content).__name__, fix=fix)


def not_in_file(variable: Any, path: Path, names: Iterable[str]) -> CheckFailed:
    what = f"load(): Cannot find [{variable.name}] in model file [{path}]."
    received = f"arrays for {', '.join(names) or 'nothing':.80}"
    fix = "load the file of this Program, or name the others in var_list"
    return CheckFailed(what, expected=f"an array for {variable!r}", received=received, fix=fix)


def no_match(function: str, variable: Any, array: Any, kind: Error) -> MinipaddleError:
    what = "shape" if array.shape != variable.shape else "data type"
    return kind(
        f"{function}(): Parameter's {what} does not match: '{variable.name}'.",
        expected=str(variable.meta),
        received=f"{array.dtype.name} {list(array.shape)}",
        fix="load the values of a Program that was built in the same way",
    )
