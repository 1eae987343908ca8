"""Errors of Tensors and of the arguments of their methods."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine import refusals
from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    NotFound,
    PermissionDenied,
    instead_of_a_tensor,
)
from ..engine.meta import Meta
from ..errors import wrong_shape, wrong_type
from ..messages import Message, Text

Kind = type[MinipaddleError]
Shape = tuple[int, ...]


def wants_gradient(kind: Kind, what: str, shape: Shape, fix: str) -> MinipaddleError:
    """Make the error of a tensor that requires a gradient."""
    received = f"stop_gradient False, shape {list(shape)}"
    return kind(what, expected="a tensor with stop_gradient True", received=received, fix=fix)


# ----- making ------------------------------------------------------------------------------------


def unknown_keyword(name: str, value: object, known: Iterable[str]) -> InvalidType:
    return InvalidType(
        f"Tensor(): {name!r} is no keyword of it.",
        expected=f"some of {', '.join(known)}",
        received=f"{name}={value!r:.40}",
        fix="use paddle.to_tensor(data, dtype=...), which takes a dtype",
    )


def no_array(data: object) -> MinipaddleError:
    what = (
        "Tensor(): We support construct Tensor from numpy value or tensor with python args or "
        f"kwargs, but got {type(data).__name__}."
    )
    fix = "use paddle.to_tensor(...), which takes numbers too"
    expected = "a list, an np.ndarray, a Tensor, or sizes"
    return wrong_type(what, data, expected, fix, InvalidArgument)


def ragged_list() -> InvalidArgument:
    return InvalidArgument(
        "to_tensor(): the rows of the list differ in length.",
        expected="lists of equal length on every level",
        received="a ragged list",
        fix="pad the shorter rows",
    )


def no_data(data: object) -> MinipaddleError:
    what = f"Can't constructs a 'paddle.Tensor' with data type {type(data)}."
    expected = "a number, list, tuple, np.ndarray or paddle.Tensor"
    return wrong_type(what, data, expected, "convert it to a NumPy array or a list first")


# ----- random numbers ----------------------------------------------------------------------------


def no_kernel(name: str, x: Meta, instead: str) -> NotFound:
    return NotFound(
        f"{name}(): there is no kernel for {x.dtype.name}.",
        expected="a float32 or float64 tensor",
        received=str(x),
        fix=f"cast it first: x.astype('{instead}')",
    )


# ----- changes in place --------------------------------------------------------------------------


def no_tensor_to_change(name: str, x: object) -> MinipaddleError:
    what = f"{name}_(): argument 'x' (position 0) must be Tensor, but got {type(x).__name__}."
    fix = "wrap it: paddle.to_tensor(...)"
    return wrong_type(what, x, "the Tensor that is to be changed", fix, InvalidArgument)


def in_static_mode(op: str) -> ModeError:
    what = f"{op}_(): a Tensor is changed in place in dynamic mode only."
    return refusals.only_dynamic(what, "overwrite the values with set_value()")


def no_number(value: object) -> MinipaddleError:
    what = "fill_(): The type of 'value' must be int or float."
    fix = "use set_value() for arrays and Tensors, item() for a one-element Tensor"
    return wrong_type(what, value, "a number", fix)


def no_array_or_tensor(value: object) -> MinipaddleError:
    what = "set_value(): arguments type only support numpy and Tensor."
    fix = "use fill_() for a number, paddle.to_tensor() for a list"
    return wrong_type(what, value, "an np.ndarray or a Tensor", fix, CheckFailed)


def not_assignable(value: object) -> MinipaddleError:
    kinds = "Tensor, numpy.ndarray, integer, float, complex or bool"
    what = f"setitem: Value type error. The assign value allows {kinds}."
    return wrong_type(what, value, kinds, "wrap it: paddle.to_tensor(...)", InvalidArgument)


def value_misfit(
    method: str, label: str, name: str, *, needed: object, given: object
) -> CheckFailed:
    return CheckFailed(
        f"{method}(): Variable {label} not match, Variable [ {name} ] need tensor "
        f"with {label.lower()} {needed} but load set tensor with {label.lower()} {given}.",
        expected=needed,
        received=given,
        fix="reshape the value" if label == "Shape" else f"value.astype('{needed}')",
    )


VAR, TENSOR = Message.in_context("leaf", "Var"), Text("Tensor")


def leaf_changed(what: Message, name: str, shape: Shape) -> InvalidArgument:
    return InvalidArgument(
        Message("Leaf {what} ({name}) that doesn't stop gradient can't use inplace strategy."),
        expected=Message("a tensor with stop_gradient True, or a result of other ops"),
        received=Message("a leaf with stop_gradient False, shape {shape}"),
        fix=Message("compute a new tensor instead, or work inside `with paddle.no_grad():`"),
        slots={"what": what, "name": name, "shape": list(shape)},
    )


def result_misfit(op: str, *, made: Shape, room: Shape) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "{op}_(): The shape of broadcast output {made} is different from that of inplace "
            "tensor {room} in the Inplace operation."
        ),
        expected=Message("a result of shape {room}"),
        received=Message("a result of shape {made}"),
        fix=Message("use {op}(), which makes a new tensor"),
        slots={"op": op, "made": list(made), "room": list(room)},
    )


def no_tensor_to_copy(value: object) -> MinipaddleError:
    same = "a Tensor of the same shape and dtype"
    return no_tensor("copy_()", value, same, "use set_value() for an array")


# ----- properties, gradients, functions ----------------------------------------------------------


def no_tensor(name: str, value: object, expected: str, fix: str) -> MinipaddleError:
    what = f"{name}: argument (position 1) must be Tensor, but got {type(value).__name__}."
    return wrong_type(what, value, expected, fix, InvalidArgument)


def no_name(name: object) -> MinipaddleError:
    what = f"name: argument (position 1) must be str, but got {type(name).__name__}."
    fix = f"x.name = {str(name)!r:.40}"
    return wrong_type(what, name, "a str; None or an empty one lets a name be made", fix)


def no_tensor_to_start_with(value: object) -> MinipaddleError:
    what = Message("backward(): The type of grad_tensor must be paddle.Tensor.")
    expected = Message("a Tensor of the tensor's shape, or None for ones")
    return wrong_type(what, value, expected, instead_of_a_tensor(value), CheckFailed)


def no_gradient_to_hook(shape: Shape) -> NotFound:
    return NotFound(
        "Cannot register hook on a tensor that stop gradient.",
        expected="a tensor with stop_gradient False",
        received=f"stop_gradient True, shape {list(shape)}",
        fix="set x.stop_gradient = False before you compute with it",
    )


def cannot_apply(shape: Shape) -> MinipaddleError:
    what = "Cannot apply function on a tensor that required gradient."
    return wants_gradient(PermissionDenied, what, shape, "call it: func(x)")


# ----- values ------------------------------------------------------------------------------------


def unclear_target(args: tuple[object, ...], kwargs: dict[str, object]) -> InvalidType:
    return InvalidType(
        "to(): these arguments do not say where to, or in which type.",
        expected="to(device, dtype, blocking), to(dtype, blocking) or to(other, blocking)",
        received=", ".join([*map(repr, args), *kwargs]) or "nothing",
        fix="x.to('cpu'), x.to('float64') or x.to(y)",
    )


def no_device(device: object) -> MinipaddleError:
    what = f"to(): the device must be a str or a place, but its type is {type(device).__name__}."
    expected = "'cpu', 'gpu', 'gpu:0', paddle.CPUPlace() or paddle.CUDAPlace(0)"
    return wrong_type(what, device, expected, "x.to('cpu')", InvalidArgument)


def several_elements(shape: Shape) -> MinipaddleError:
    what = (
        "item(): only one element tensors can be converted to Python scalars when no input "
        "coordinates are given."
    )
    fix = "write x.item(i), or x.tolist() for all of them"
    return wrong_shape(InvalidArgument, what, shape, "one element, or coordinates", fix)


def no_such_item(args: tuple[object, ...], shape: Shape, size: int) -> InvalidArgument:
    return InvalidArgument(
        f"item(): index {args} is out of bounds for size {size}.",
        expected=f"one number below {size}, or coordinates inside {list(shape)}",
        received=args,
        fix="count from 0",
    )


def no_scalar(to: str, shape: Shape) -> MinipaddleError:
    what = Message("only one element variable can be converted to {to}.", to=to)
    fix = Message("reduce it first, for example with .mean(), or pick an element")
    return wrong_shape(CheckFailed, what, shape, Message("a tensor with one element"), fix)


def no_condition(shape: Shape) -> MinipaddleError:
    what = (
        "When Variable is used as the condition of if/while , Variable can only contain one "
        "element."
    )
    return wrong_shape(
        CheckFailed, what, shape, "a tensor with one element", "use .all() or .any()"
    )


def not_exportable(shape: Shape) -> MinipaddleError:
    what = "Can't export Tensor that requires gradient, use tensor.detach()."
    return wants_gradient(NotFound, what, shape, "np.from_dlpack(x.detach())")


def no_format(spec: str, shape: Shape) -> MinipaddleError:
    what = f"unsupported format string {spec!r} passed to Tensor.__format__."
    fix = "format one element: f'{x[0]:.2f}', or use paddle.set_printoptions()"
    return wrong_shape(InvalidType, what, shape, "a 0-D tensor, or no format string", fix)
