"""Errors of building a Program: each function makes one, and the caller raises it.

Parameters of type `Any` are Variables, operators or Programs, whose modules import this one.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ..engine.dtypes import DType
from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    NoSuchName,
    NotFound,
    OutOfRange,
    PermissionDenied,
    PreconditionNotMet,
    Unimplemented,
)
from ..engine.meta import Meta
from ..errors import unknown_choice, wrong_type
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


def wrong_number(function: str, argument: str, given: int, wanted: int, of: str) -> InvalidArgument:
    what = f"{function}(): there must be as many {argument} as {of}."
    fix = f"give as many as there are {of}, or leave {argument} out"
    return InvalidArgument(what, expected=f"{wanted} {argument}", received=str(given), fix=fix)


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


def value_to_set(value: object) -> MinipaddleError:
    what = (
        "setitem(): Only support to assign an integer, float, numpy.ndarray or "
        "paddle.Tensor to a paddle.Tensor."
    )
    expected = "a number, an array, a Variable or a Tensor"
    return wrong_type(what, value, expected, "np.array(values) for a list")


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


def batch_sizes(batch_size: object, count: int) -> InvalidArgument:
    what = f"InputSpec.batch: Length of batch_size: {batch_size} shall be 1."
    fix = "call batch once for each axis"
    return InvalidArgument(what, expected="one size", received=f"{count} sizes", fix=fix)


def no_axis_to_take(spec: object) -> InvalidArgument:
    what = "InputSpec.unbatch: Not support to unbatch a InputSpec when len(shape) == 0."
    expected = "at least one axis"
    return InvalidArgument(what, expected=expected, received=repr(spec), fix="leave it out")


# ----- parameters and other values that startup fills --------------------------------------------


def parameter_without(what: str) -> InvalidType:
    return InvalidType(
        f"Block.create_parameter: '{what}' is missing.",
        expected="shape and dtype",
        received=f"{what}=None",
        fix="block.create_parameter(name='w', shape=[2, 3], dtype='float32')",
    )


def parameter_of_unknown_size(sizes: Shape) -> InvalidArgument:
    what = "Block.create_parameter: Each dimension of shape for Parameter must be greater than 0."
    expected, fix = "known sizes of at least 1", "give the sizes as numbers"
    return InvalidArgument(what, expected=expected, received=list(sizes), fix=fix)


def no_default_initializer(dtype: DType) -> InvalidType:
    return InvalidType(
        "create_parameter(): Can not create parameter with default initializer when dtype is "
        "not a floating-point type.",
        expected="float16, float32 or float64, or a default_initializer",
        received=dtype.name,
        fix="default_initializer=paddle.nn.initializer.Constant(0)",
    )


def parameter_left_out(layer: str) -> CheckFailed:
    what = f"{layer}: the attr of this parameter should not be False."
    expected = "None, True, a name, an Initializer or a ParamAttr"
    received = "False, for a parameter that the layer cannot do without"
    fix = "leave it out, or freeze the parameter with paddle.ParamAttr(trainable=False)"
    return CheckFailed(what, expected=expected, received=received, fix=fix)


# ----- layers ------------------------------------------------------------------------------------


def unknown_activation(layer: str, activation: str) -> InvalidArgument:
    what = f"{layer}(): there is no activation '{activation}'."
    expected = "tanh, relu, sigmoid, softmax or another op of one input"
    fix = "check the spelling, or apply the function to the result"
    return InvalidArgument(what, expected=expected, received=repr(activation), fix=fix)


def bias_of_channels(x: Meta, bias: Meta) -> InvalidArgument:
    what = "elementwise_add(): the bias does not have one number for each channel."
    fix, received = "give the layer the number of channels that x has", f"bias {bias} for x {x}"
    return InvalidArgument(what, expected=f"shape [{x.shape[1]}]", received=received, fix=fix)


def unknown_size(
    layer: str, x: object, axis: int, kind: Error = InvalidArgument
) -> MinipaddleError:
    what = f"{layer}(): the size of axis {axis} of the input is not known."
    expected = "a known size: it decides the shape of a parameter"
    fix = "declare it in paddle.static.data; only the batch may be None"
    return kind(what, expected=expected, received=repr(x), fix=fix)


def too_few_axes(x: object, flat: int) -> InvalidArgument:
    what = "fc(): the input has too few dimensions."
    expected = f"more than num_flatten_dims={flat} dimensions"
    fix = "add an axis for the batch, or choose another num_flatten_dims"
    return InvalidArgument(what, expected=expected, received=repr(x), fix=fix)


def not_divisible(channels: int, filters: int, groups: int) -> InvalidArgument:
    what = "conv2d(): the numbers of channels and of filters must be divisible by groups."
    expected, fix = f"divisors of {channels} and of {filters}", "leave groups out"
    return InvalidArgument(what, expected=expected, received=f"groups={groups}", fix=fix)


def unknown_layout(layout: object) -> MinipaddleError:
    what = f"batch_norm(): unsupported data layout:{layout}"
    return unknown_choice(what, layout, ("NCHW", "NHWC"), "leave it out for 'NCHW'")


def padding_index(index: int, rows: int) -> InvalidArgument:
    what = f"embedding(): padding_idx must be within [-{rows}, {rows})."
    expected = f"a row of the table, {-rows} to {rows - 1}"
    fix = "name an existing row, or None for no padding"
    return InvalidArgument(what, expected=expected, received=f"padding_idx={index}", fix=fix)


def unknown_phase(phase: object) -> MinipaddleError:
    what, fix = "Print(): there is no such print_phase.", "leave it out to see values and gradients"
    return unknown_choice(what, phase, ("forward", "backward", "both"), fix, NotFound)


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


def slot_of_no_variable(slot: str, item: object) -> MinipaddleError:
    what = f"append_op(): the slot {slot} holds something that is no Variable."
    expected, fix = "a Variable, its name, or a list of them", f"{slot}: block.var('name')"
    return wrong_type(what, item, expected, fix, InvalidArgument)


def input_missing(type: str, slot: str, slots: list[str], given: Iterable[str]) -> CheckFailed:
    what = f'append_op(): Input {slot} not found for the operator "{type}".'
    expected, fix = f"inputs in the slots {', '.join(slots)}", f"inputs={{'{slot}': variable}}"
    return CheckFailed(what, expected=expected, received=f"slots {names_text(given)}", fix=fix)


def several_inputs(type: str, slot: str, row: Sequence[Any]) -> InvalidArgument:
    what = f"append_op(): Input {slot} expects only one input, but {len(row)} are given."
    expected = f'one Variable in the slot {slot} of "{type}"'
    received, fix = ", ".join(var.name for var in row), "append one operator for each"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


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


def option_not_here(option: str, given: object) -> Unimplemented:
    what = f"append_backward(): {option} are not here."
    fix = "leave them out: all values that the gradients need are kept"
    return Unimplemented(what, expected="None", received=type(given).__name__, fix=fix)


def weight_of_other_shape(target: Any, weight: Any) -> InvalidArgument:
    what = f"gradients(): The shapes of target and grad are different: {target.name} {weight.name}."
    expected = f"shape {target.shape}, as '{target.name}' has"
    received = f"shape {weight.shape} of '{weight.name}'"
    fix = "give the weights the shape of their target"
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def loss_of_many(loss: Any) -> CheckFailed:
    what = f"minimize(): the loss has more than one element: its shape is {loss.shape}."
    fix = "pass paddle.mean(loss) or paddle.sum(loss)"
    return CheckFailed(what, expected="a Variable of one element", received=repr(loss), fix=fix)


def sizes_of_a_run(type: str, variables: Iterable[Any]) -> Unimplemented:
    what = f"the derivative of {type} needs sizes that only a run tells."
    expected = "known sizes, for the derivative of a derivative in a Program"
    received = ", ".join(f"'{variable.name}' {list(variable.shape)}" for variable in variables)
    fix = "declare the sizes in paddle.static.data(), or compute it in dynamic mode"
    return Unimplemented(what, expected=expected, received=received, fix=fix)


# ----- py_func -----------------------------------------------------------------------------------


def neither_x_nor_out() -> InvalidArgument:
    what = "py_func(): x and out are both missing."
    expected = "at least one input x or one output out"
    fix = "pass the Variables that func takes, or those that it fills"
    return InvalidArgument(what, expected=expected, received="None for both", fix=fix)


def not_a_function(argument: str, func: object) -> MinipaddleError:
    what = f"py_func(): {argument} must be a Python function."
    fix = f"pass the function itself, without calling it: {argument}=my_function"
    return wrong_type(what, func, "a callable", fix)


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


def not_to_skip(name: object, known: Iterable[str]) -> InvalidArgument:
    return InvalidArgument(
        f"py_func(): skip_vars_in_backward_input names '{name}', which backward_func "
        "would not receive as an input or output anyway.",
        expected=f"one of {', '.join(known)}; gradients cannot be skipped",
        received=f"'{name}'",
        fix="list only Variables that are in x or out",
    )


# ----- Programs, scopes of names and devices -----------------------------------------------------


def no_such_block(index: int) -> OutOfRange:
    what = "a Program here has one block: control flow is not part of it."
    return OutOfRange(what, expected="0", received=index, fix="use program.global_block()")


def program_from_bytes(data: bytes) -> Unimplemented:
    what = "Program.parse_from_string: Programs cannot be read from bytes here."
    expected = "a Program that is built by calls"
    received = f"{type(data).__name__} of length {len(data)}"
    fix = "build it again, and load its values with paddle.static.load"
    return Unimplemented(what, expected=expected, received=received, fix=fix)


def empty_prefix(prefix: object) -> CheckFailed:
    what = "name_scope(): namescope prefix can not be empty."
    fix = "with paddle.static.name_scope('encoder'):"
    return CheckFailed(what, expected="a name", received=repr(prefix), fix=fix)


def unknown_device(device: object, kind: str) -> InvalidArgument:
    what = "Should not set device id for cpu." if kind == "cpu" else "there is no such device."
    return InvalidArgument(
        f"device_guard(): {what}",
        expected="'cpu', 'gpu', 'gpu:0', ..., or nothing",
        received=repr(device),
        fix="leave it out: an Executor's place decides",
    )


def no_cuda(advice: str) -> CheckFailed:
    what = "cuda_places(): no CUDA device can be used here."
    expected, fix = "a CUDA device that CuPy can use", f"use cpu_places(); {advice}"
    return CheckFailed(what, expected=expected, received="the devices found are cpu", fix=fix)
