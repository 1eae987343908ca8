"""Errors of Programs: each function makes one, and the caller raises it.

Parameters of type `Any` are Variables, operators or Programs, whose modules import this one.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from ..engine import modes
from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    NoSuchName,
    NotFound,
    PermissionDenied,
    PreconditionNotMet,
    Unimplemented,
)
from ..engine.tensor import Tensor
from ..errors import describe_value, wrong_type
from ..messages import LIST, Message, Row
from ..ops import Op

Shape = tuple[int, ...]
Error = type[MinipaddleError]


def names_text(names: Iterable[str]) -> str:
    """Return names as text, "(none)" without any."""
    return ", ".join(names) or "(none)"


# ----- shapes of errors --------------------------------------------------------------------------


def wrong_argument(
    function: str,
    argument: str,
    value: object,
    expected: str,
    fix: str = "",
    kind: Error = InvalidType,
) -> MinipaddleError:
    """Make the error of an argument of the wrong type."""
    what = f"{function}(): the type of '{argument}' is wrong."
    return wrong_type(what, value, expected, fix or f"pass {argument} as {expected}", kind)


def wrong_dtype(layer: str, x: Any, expected: str, fix: str = "x.astype('float32')") -> InvalidType:
    what = f"{layer}(): The data type of 'input' is wrong."
    return InvalidType(what, expected=expected, received=f"{x.dtype.name}: {x!r}", fix=fix)


def none_given(function: str, argument: str) -> InvalidArgument:
    what, fix = f"{function}(): '{argument}' is empty.", f"pass the Variables as {argument}"
    expected = "at least one Variable"
    return InvalidArgument(what, expected=expected, received="an empty list", fix=fix)


# ----- modes -------------------------------------------------------------------------------------


def only_static(name: str) -> ModeError:
    what = Message("'{name}()' is only supported in static graph mode.", name=name)
    received = Message("dynamic graph mode, which is on by default")
    fix = Message("call paddle.enable_static() first")
    return ModeError(what, expected=Message("static graph mode"), received=received, fix=fix)


def only_dynamic(variable: Any, name: str, fix: Message) -> ModeError:
    received = Message("the Variable '{name}', which has values only while a Program runs")
    fix = Message("{fix}, or call paddle.disable_static() to enter dynamic graph mode", fix=fix)
    return ModeError(
        Message("'{name}()' is only supported in dynamic graph mode.", name=name),
        expected=Message("a Tensor"),
        received=received.fill(name=variable.name),
        fix=_unless_traced(fix),
    )


def _unless_traced(fix: Message) -> Message:
    """Return the advice for static mode, or that for a function of to_static."""
    if modes.tracer():
        return Message("return it from the function and do this afterwards, or leave out to_static")
    return fix


def called_while_running(name: str, calling: str | Message) -> PermissionDenied:
    return PermissionDenied(
        Message("paddle's '{name}' was called inside {calling} of a py_func."),
        expected=Message("NumPy: the Program is built already, and this function runs inside it"),
        received=Message("a call of paddle's '{name}', which would add operators to a Program"),
        fix=Message("convert the inputs with np.array(x) and use NumPy functions instead"),
        slots={"name": name, "calling": calling},
    )


# ----- Variables ---------------------------------------------------------------------------------


def no_value(variable: Any, words: str | Message) -> InvalidType:
    return InvalidType(
        Message("the Variable '{name}' has no value, so {words} is impossible."),
        expected=Message("a Tensor, an array or a number"),
        received=repr(variable),
        fix=_unless_traced(
            Message("fetch it with exe.run(fetch_list=[...]), or compute inside a py_func")
        ),
        slots={"name": variable.name, "words": words},
    )


def not_assignable(variable: Any, item: object, value: object) -> PreconditionNotMet:
    return PreconditionNotMet(
        "in static mode, the __setitem__ (looks like: x[indices] = values) should not be used: "
        "a Program's Variables are not changed.",
        expected="a new Variable",
        received=f"{variable.name}[{item!r:.40}] = {type(value).__name__}",
        fix="write x = paddle.static.setitem(x, indices, values)",
    )


def not_a_flag(name: str, variable: Any, value: object) -> MinipaddleError:
    what = f"{name}: the value for '{variable.name}' is neither True nor False."
    return wrong_type(what, value, "True or False", f"write x.{name} = True")


def fixed(name: str, variable: Any, value: object, fix: str) -> MinipaddleError:
    what = f"{name}: that of the Variable '{variable.name}' cannot be set."
    return wrong_type(what, value, f"{name} as it is: {getattr(variable, name)}", fix, NoSuchName)


def unknown_variable(name: str) -> InvalidArgument:
    expected = "the name of a Variable of this Program"
    fix, what = "print(list(block.vars)) shows the names", f"var {name} not in this block."
    return InvalidArgument(what, expected=expected, received=f"'{name}'", fix=fix)


def of_another_program(argument: str, variable: Any) -> InvalidArgument:
    what = f"{argument} belongs to another Program."
    expected = "a Variable of the Program that is built"
    fix = "build everything inside one paddle.static.program_guard(program)"
    return InvalidArgument(what, expected=expected, received=f"{variable!r}", fix=fix)


def declared_otherwise(name: str, what: str, before: object, now: object) -> InvalidArgument:
    return InvalidArgument(
        f"Variable '{name}' has been created before, with another {what}.",
        expected=f"the previous {what}, {before}",
        received=now,
        fix="use another name, or build in a fresh Program",
    )


# ----- shapes that are declared ------------------------------------------------------------------


def not_a_size(function: str, size: object, shape: object, kind: Error) -> MinipaddleError:
    what = f"{function}(): Only -1 can be used in shape to indicate unknown dimension."
    if kind is InvalidType:
        what = f"{function}(): a size in 'shape' is no integer."
    expected, fix = "ints of at least 0, or -1", "write -1 where the size is not yet known"
    return kind(what, expected=expected, received=f"{size!r} in {shape!r:.60}", fix=fix)


# ----- parameters and other values that startup fills --------------------------------------------


def parameter_left_out(layer: str) -> CheckFailed:
    what = f"{layer}: the attr of this parameter should not be False."
    expected = "None, True, a name, an Initializer or a ParamAttr"
    received = "False, for a parameter that the layer cannot do without"
    fix = "leave it out, or freeze the parameter with paddle.ParamAttr(trainable=False)"
    return CheckFailed(what, expected=expected, received=received, fix=fix)


# ----- operators ---------------------------------------------------------------------------------


def no_variable(op: Op, name: str, position: int, value: object) -> MinipaddleError:
    what = (
        f"{op.name}(): argument '{name}' (position {position}) must be a Variable in static "
        f"mode, but got {type(value).__name__}."
    )
    expected = "a Variable of the Program that is built, or a Tensor that needs no gradient"
    fix = "declare it with paddle.static.data, or call paddle.disable_static() first"
    return wrong_type(what, value, expected, fix)


def no_inference(
    op: Op, metas: Sequence[object], values: dict[str, Any], error: Exception
) -> MinipaddleError:
    """Make the error of arguments that no inference could make sense of."""
    given = ", ".join(f"{name} {meta}" for name, meta in zip(op.inputs, metas, strict=False))
    extra = ", ".join(f"{name}={value!r}" for name, value in values.items())
    kind: Error = InvalidType if isinstance(error, TypeError) else InvalidArgument
    what = f"{op.name}(): the result's shape cannot be worked out."
    expected = f"arguments that fit: {op.signature}"
    received = "; ".join(part for part in (given, extra) if part)
    return kind(what, expected=expected, received=received, fix=f"see help(paddle.{op.name})")


def not_of_operator(what: str, name: str, type: str, known: Iterable[str]) -> NotFound:
    sentence = f"{what} {name} is not found in operator {type}."
    fix = "print the operator to see its slots and attributes"
    return NotFound(
        sentence, expected=f"one of {names_text(sorted(known))}", received=name, fix=fix
    )


def unknown_type(type: object, known: Collection[str]) -> InvalidArgument:
    if type == "py_func":
        fix = "call paddle.static.py_func(func, x, out)"
    elif str(type).removesuffix("_grad") in known:
        fix = "gradient operators come from paddle.static.append_backward or gradients"
    elif near := difflib.get_close_matches(str(type), known, n=3):
        fix = f"did you mean {' or '.join(near)}?"
    else:
        fix = "build the op with its function, and look at op.type of block.ops[-1]"
    what = f'append_op(): Operator "{type}" has not been registered.'
    expected = f"one of {len(known)} types, such as tanh, elementwise_add, matmul_v2"
    return InvalidArgument(what, expected=expected, received=repr(type), fix=fix)


def input_missing(type: str, slot: str, slots: list[str], given: Iterable[str]) -> CheckFailed:
    what = f'append_op(): Input {slot} not found for the operator "{type}".'
    expected, fix = f"inputs in the slots {', '.join(slots)}", f"inputs={{'{slot}': variable}}"
    return CheckFailed(what, expected=expected, received=f"slots {names_text(given)}", fix=fix)


def output_missing(type: str, slots: list[str], given: Iterable[str]) -> InvalidArgument:
    row = ", ".join(slots)
    return InvalidArgument(
        f'append_op(): Incorrect setting for output(s) of operator "{type}", should set: [{row}].',
        expected=f"outputs in the slots {row}",
        received=f"slots {names_text(given)}",
        fix=f"outputs={{'{slots[0]}': block.create_var(name='out')}}",
    )


def unknown_slots(
    type: str, kind: str, unknown: Iterable[str], slots: list[str], given: list[str]
) -> InvalidArgument:
    what = f'append_op(): the operator "{type}" has no {kind} {", ".join(unknown)} here.'
    expected = f"{kind}s in the slots {names_text(slots)}"
    fix = "check the spelling; slots begin with a capital letter"
    return InvalidArgument(what, expected=expected, received=f"slots {', '.join(given)}", fix=fix)


def unknown_attribute(op: Op, key: str, value: object) -> InvalidArgument:
    names = [op.static.attrs.get(each, each) for each in op.defaults]
    fixed = [f"{key} = {value!r}" for key, value in op.static.extra.items() if not callable(value)]
    what = f'append_op(): the operator "{op.static.type}" has no attribute {key} = {value!r} here.'
    expected = f"one of {names_text((*names, *fixed))}"
    fix = "leave it out, or compute it with another operator"
    return InvalidArgument(what, expected=expected, received=f"{key} = {value!r}", fix=fix)


# ----- gradients and the optimizer ---------------------------------------------------------------


def overwritten(name: str, writers: Sequence[Any]) -> PermissionDenied:
    by = " and ".join(f"'{writer.type}' ({writer.place})" for writer in writers)
    what = f"the gradient needs '{name}', which is overwritten."
    expected = "Variables that one operator writes"
    fix = "let each operator write a Variable of its own: block.create_var()"
    return PermissionDenied(what, expected=expected, received=f"'{name}', written by {by}", fix=fix)


def sizes_of_a_run(type: str, variables: Iterable[Any]) -> Unimplemented:
    what = f"the derivative of {type} needs sizes that only a run tells."
    expected = "known sizes, for the derivative of a derivative in a Program"
    received = ", ".join(f"'{variable.name}' {list(variable.shape)}" for variable in variables)
    fix = "declare the sizes in paddle.static.data(), or compute it in dynamic mode"
    return Unimplemented(what, expected=expected, received=received, fix=fix)


# ----- py_func -----------------------------------------------------------------------------------


def input_of_py_func(item: object) -> MinipaddleError:
    expected = "a Variable, or a list or tuple of Variables"
    fix = "declare an input with paddle.static.data, and feed the array when you run"
    return wrong_argument("py_func", "x", item, expected, fix)


def output_of_py_func(item: object) -> MinipaddleError:
    expected = "a Variable made by create_var, a NumPy array, a list or tuple of them, or None"
    fix = "block.create_var(name=..., shape=..., dtype=...)"
    return wrong_argument("py_func", "out", item, expected, fix)


def undeclared(name: str, missing: str) -> InvalidArgument:
    what = f"py_func(): the {missing} of the output '{name}' must be declared before."
    received = f"create_var(name='{name}') without {missing}"
    fix = f"create_var(name='{name}', shape=..., dtype=...)"
    return InvalidArgument(what, expected=f"a Variable with {missing}", received=received, fix=fix)


# ----- Programs, scopes of names and devices -----------------------------------------------------


def no_cuda(advice: str) -> CheckFailed:
    what = "cuda_places(): no CUDA device can be used here."
    expected, fix = "a CUDA device that CuPy can use", f"use cpu_places(); {advice}"
    return CheckFailed(what, expected=expected, received="the devices found are cpu", fix=fix)


# ----- checks of arguments that many functions share ---------------------------------------------


def require_static(name: str) -> None:
    """Raise an error for a call that only makes sense while a Program is built or run."""
    builder = modes.here().builder
    if builder is None:
        raise only_static(name)
    builder.allow(name)


def require_type(
    value: Any,
    kinds: tuple[type, ...],
    argument: str,
    function: str,
    error: type[MinipaddleError] = InvalidType,
) -> None:
    """Raise an error for an argument of the wrong type."""
    if isinstance(value, kinds):
        return
    expected = " or ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
    raise wrong_argument(function, argument, value, expected, kind=error)


def fits(declared: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether two shapes may be equal: -1, an unknown size, fits every size."""
    return len(shape) == len(declared) and all(
        m == n or -1 in (m, n) for m, n in zip(declared, shape, strict=True)
    )


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


def no_file_form(operator: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("the operator '{type}' cannot be written into a file."),
        expected=Message("operators of minipaddle's ops"),
        received=Message("'{type}', built at {place}"),
        fix=Message("leave it out of the Program that you save, or save the values alone"),
        slots={"type": operator.type, "place": str(operator.place)},
    )


def not_there(path: Path, kind: type[MinipaddleError]) -> MinipaddleError:
    return kind(
        Message("'{path}' does not exist."),
        expected=Message("a file that save_inference_model or paddle.jit.save wrote"),
        received=Message("no file of this name"),
        fix=Message("give the path without its ending, as it was saved"),
        slots={"path": str(path)},
    )


def no_program_file(path: object, error: Exception) -> InvalidArgument:
    return InvalidArgument(
        Message("'{path}' is no Program that minipaddle wrote."),
        expected=Message("a Program that this version of minipaddle saved"),
        received=f"{type(error).__name__}: {error}"[:200],
        fix=Message("save it again; a file of real Paddle has another format"),
        slots={"path": str(path)},
    )


# ----- control flow -------------------------------------------------------------------------------


def written_outside(op: str) -> InvalidArgument:
    return InvalidArgument(
        Message("{op}() writes into a Variable from outside the function of a branch or loop."),
        expected=Message("functions that return their results"),
        received=Message("an output that was made outside"),
        fix=Message("return the new Variable from the function"),
        slots={"op": op},
    )


def condition_inside(variable: Any) -> InvalidType:
    return InvalidType(
        Message("the Variable '{name}' has no value, so {words} is impossible."),
        expected=Message("code that does not depend on the values of tensors"),
        received=repr(variable),
        fix=Message("use cond inside the function as well"),
        slots={"name": variable.name, "words": "bool()"},
    )


def random_in_part(operator: Any) -> Unimplemented:
    return Unimplemented(
        Message("a branch or loop with '{type}' has no gradient."),
        expected=Message("no random numbers inside, as backward computes the results once more"),
        received=Message("'{type}', built at {place}"),
        fix=Message("draw the numbers before the branch or loop"),
        slots={"type": operator.type, "place": str(operator.place)},
    )


def no_condition(function: str, pred: Any) -> MinipaddleError:
    expected = "a tensor of one element, of dtype bool"
    return wrong_argument(function, "pred", pred, expected, "compare: x.sum() > 0")


def no_function(function: str, *given: Any) -> MinipaddleError:
    wrong = next((item for item in given if item is not None and not callable(item)), None)
    return wrong_argument(function, "function", wrong, "functions", "write lambda: ...")


def no_loop_vars(given: Any) -> MinipaddleError:
    expected, fix = "a list of at least one tensor", "loop_vars=[i, total]"
    return wrong_argument("while_loop", "loop_vars", given, expected, fix)


def no_pairs(function: str, given: Any) -> MinipaddleError:
    expected = "a list of pairs, or for switch_case a dict or a list of functions"
    return wrong_argument(function, "branches", given, expected, "[(x < 1, f), (x < 2, g)]")


def results_differ(function: str, first: Any, second: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("{function}(): the functions return different results."),
        expected=Message("the same number of results, of the same dtypes: {first}"),
        received=str(second),
        fix=Message("return the same from both; x.astype(...) changes a dtype"),
        slots={"function": function, "first": str(first), "second": str(second)},
    )


def ranks_differ(first: Any, second: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("a result has {rank} {rank:axis|axes} in one case, and {other} in another."),
        expected=Message("results with the same number of axes"),
        received=Message("{first} and {second}"),
        fix=Message("reshape one of them"),
        slots={
            "rank": len(first.shape),
            "other": len(second.shape),
            "first": str(list(first.shape)),
            "second": str(list(second.shape)),
        },
    )


def other_count(wanted: int, got: int) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "body in while_loop should return the same arity (length and structure) and types as "
            "loop_vars"
        ),
        expected=Message("{wanted} {wanted:result|results}", wanted=wanted),
        received=Message("{got} {got:result|results}", got=got),
        fix=Message("return a new value for each of loop_vars, in order"),
    )


def pylayer_in_dynamic_mode() -> CheckFailed:
    return CheckFailed(
        Message("please use PyLayer instead of static_pylayer in dygraph mode"),
        expected=Message("static mode"),
        received=Message("dynamic mode"),
        fix=Message("subclass paddle.autograd.PyLayer"),
    )


def gradients_expected(wanted: int, got: int) -> InvalidArgument:
    return InvalidArgument(
        Message("backward_fn returns {got} {got:gradient|gradients}."),
        expected=Message("one for each of the {wanted} {wanted:input|inputs}", wanted=wanted),
        received=Message("{got} {got:gradient|gradients}", got=got),
        fix=Message("return a gradient for each input, in order"),
        slots={"got": got},
    )


def captured_in_backward(variable: Any) -> Unimplemented:
    return Unimplemented(
        Message("backward_fn uses '{name}' from outside."),
        expected=Message("a function of the arriving gradients alone"),
        received=Message("the Variable '{name}'"),
        fix=Message("use paddle.static.py_func, whose backward_func gets the inputs as well"),
        slots={"name": variable.name},
    )
