"""Errors of building a Program: each function makes one, and the caller raises it.

Parameters of type `Any` are Variables, operators or Programs, whose modules import this one.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
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
from ..errors import wrong_type
from ..messages import Message
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
    return ModeError(
        Message("'{name}()' is only supported in dynamic graph mode.", name=name),
        expected=Message("a Tensor"),
        received=received.fill(name=variable.name),
        fix=Message("{fix}, or call paddle.disable_static() to enter dynamic graph mode", fix=fix),
    )


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
        fix=Message("fetch it with exe.run(fetch_list=[...]), or compute inside a py_func"),
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


# ----- layers ------------------------------------------------------------------------------------


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
