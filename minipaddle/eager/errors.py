"""What is wrong with a Tensor, or with what one of its methods was given."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine import refusals
from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    ModeError,
    NotFound,
    PermissionDenied,
    PreconditionNotMet,
)
from ..engine.meta import Meta
from ..messages import Message, Text

Shape = tuple[int, ...]


def unknown_keyword(name: str, value: object, known: Iterable[str]) -> InvalidType:
    return InvalidType(
        f"Tensor(): {name!r} is no keyword of it.",
        expected=f"some of {', '.join(known)}",
        received=f"{name}={value!r:.40}",
        fix="use paddle.to_tensor(data, dtype=...), which takes a dtype",
    )


def no_array(data: object) -> InvalidArgument:
    return InvalidArgument(
        "Tensor(): We support construct Tensor from numpy value or tensor with python args or "
        f"kwargs, but got {type(data).__name__}.",
        expected="a list, an np.ndarray, a Tensor, or sizes",
        received=f"{type(data).__name__} {data!r:.40}",
        fix="use paddle.to_tensor(...), which takes numbers too",
    )


def must_copy() -> InvalidArgument:
    return InvalidArgument(
        "asarray(): the data are always copied.",
        expected="copy=None or copy=True",
        received="copy=False",
        fix="leave it out",
    )


def no_numpy_array(value: object) -> InvalidType:
    return InvalidType(
        f"from_numpy(): expected np.ndarray, but got {type(value).__name__}.",
        expected="an np.ndarray",
        received=f"{value!r:.40}",
        fix="use paddle.to_tensor()",
    )


def no_such_dtype(dtype: object, known: Iterable[str]) -> InvalidArgument:
    return InvalidArgument(
        "to_tensor(): incompatible array data type.",
        expected=f"one of {', '.join(known)}",
        received=f"an array of {dtype}",
        fix="pass dtype=, or convert the array with .astype() first",
    )


def ragged_list() -> InvalidArgument:
    return InvalidArgument(
        "to_tensor(): the rows of the list differ in length.",
        expected="lists of equal length on every level",
        received="a ragged list",
        fix="pad the shorter rows",
    )


def no_data(data: object) -> InvalidType:
    return InvalidType(
        f"Can't constructs a 'paddle.Tensor' with data type {type(data)}.",
        expected="a number, list, tuple, np.ndarray or paddle.Tensor",
        received=type(data).__name__,
        fix="convert it to a NumPy array or a list first",
    )


def own_generator(generator: object) -> InvalidArgument:
    return InvalidArgument(
        "random_(): there is one global generator.",
        expected="generator=None",
        received=type(generator).__name__,
        fix="use paddle.seed() and paddle.set_rng_state()",
    )


def empty_range(low: int, high: int) -> InvalidArgument:
    return InvalidArgument(
        f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
        expected="from_ < to",
        received=f"from_ {low}, to {high}",
        fix="swap the bounds, or raise to: it is not itself drawn",
    )


def no_kernel(name: str, x: Meta, instead: str) -> NotFound:
    return NotFound(
        f"{name}(): there is no kernel for {x.dtype.name}.",
        expected="a float32 or float64 tensor",
        received=str(x),
        fix=f"cast it first: x.astype('{instead}')",
    )


def no_tensor_to_change(name: str, x: object) -> InvalidArgument:
    return InvalidArgument(
        f"{name}_(): argument 'x' (position 0) must be Tensor, but got {type(x).__name__}.",
        expected="the Tensor that is to be changed",
        received=f"{type(x).__name__} {x!r:.40}",
        fix="wrap it: paddle.to_tensor(...)",
    )


def in_static_mode(op: str) -> ModeError:
    what = f"{op}_(): a Tensor is changed in place in dynamic mode only."
    return refusals.only_dynamic(what, "overwrite the values with set_value()")


def no_number(value: object) -> InvalidType:
    return InvalidType(
        "fill_(): The type of 'value' must be int or float.",
        expected="a number",
        received=type(value).__name__,
        fix="use set_value() for arrays and Tensors, item() for a one-element Tensor",
    )


def no_place_for_result(x: object) -> InvalidType:
    return InvalidType(
        "where_(): x must be a Tensor: it takes the result.",
        expected="where_(condition, x, y)",
        received=f"x {x!r:.40}",
        fix="use where(), which makes a new tensor",
    )


def no_matrix(shape: Shape) -> InvalidArgument:
    return InvalidArgument(
        "fill_diagonal_(): x must be a matrix, or a cube with all sizes equal.",
        expected="shape [m, n], or [n, n, n, ...]",
        received=f"shape {list(shape)}",
        fix="reshape x, or write x[...] = value at the places you mean",
    )


def no_array_or_tensor(value: object) -> CheckFailed:
    return CheckFailed(
        "set_value(): arguments type only support numpy and Tensor.",
        expected="an np.ndarray or a Tensor",
        received=type(value).__name__,
        fix="use fill_() for a number, paddle.to_tensor() for a list",
    )


def two_dtypes(dtype: str, other: Meta) -> PreconditionNotMet:
    return PreconditionNotMet(
        "copy_(): the tensors have two dtypes.",
        expected=f"a Tensor of {dtype}",
        received=f"other {other}",
        fix=f"other.astype('{dtype}')",
    )


def not_assignable(value: object) -> InvalidArgument:
    return InvalidArgument(
        "setitem: Value type error. The assign value allows Tensor, numpy.ndarray, integer, "
        "float, complex or bool.",
        expected="one of these",
        received=f"{type(value).__name__} {value!r:.40}",
        fix="wrap it: paddle.to_tensor(...)",
    )


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


def no_matrices(shape: Shape) -> InvalidArgument:
    return InvalidArgument(
        f"mT: Tensor.ndim({len(shape)}) is required to be greater than or equal to 2.",
        expected="a matrix, or matrices on the last two axes",
        received=f"shape {list(shape)}",
        fix="use x.T, or reshape x",
    )


def cannot_apply(shape: Shape) -> PermissionDenied:
    return PermissionDenied(
        "Cannot apply function on a tensor that required gradient.",
        expected="a tensor with stop_gradient True",
        received=f"stop_gradient False, shape {list(shape)}",
        fix="call it: func(x)",
    )


def applied_no_tensor(out: object) -> InvalidType:
    return InvalidType(
        "apply(): func must be a function from a Tensor to a Tensor.",
        expected="a Tensor as its result",
        received=type(out).__name__,
        fix="apply(lambda x: x * 2)",
    )


def no_print_option(name: str, value: object, default: object) -> InvalidArgument:
    return InvalidArgument(
        f"set_printoptions(): {name} cannot be used for printing.",
        expected="True or False" if name == "sci_mode" else "an int of at least 0",
        received=repr(value),
        fix=f"write set_printoptions({name}={default})",
    )


def no_name(name: object) -> InvalidType:
    return InvalidType(
        f"name: argument (position 1) must be str, but got {type(name).__name__}.",
        expected="a str; None or an empty one lets a name be made",
        received=f"{name!r:.40}",
        fix=f"x.name = {str(name)!r:.40}",
    )


def no_tensor(name: str, value: object, *, expected: str, fix: str) -> InvalidArgument:
    return InvalidArgument(
        f"{name}: argument (position 1) must be Tensor, but got {type(value).__name__}.",
        expected=expected,
        received=type(value).__name__,
        fix=fix,
    )


def no_tensor_to_copy(value: object) -> InvalidArgument:
    same = "a Tensor of the same shape and dtype"
    return no_tensor("copy_()", value, expected=same, fix="use set_value() for an array")


def no_tensor_to_start_with(value: object) -> CheckFailed:
    return CheckFailed(
        Message("backward(): The type of grad_tensor must be paddle.Tensor."),
        expected=Message("a Tensor of the tensor's shape, or None for ones"),
        received=type(value).__name__,
        fix=Message("wrap it: paddle.to_tensor(...)"),
    )


def no_gradient_to_hook(shape: Shape) -> NotFound:
    return NotFound(
        "Cannot register hook on a tensor that stop gradient.",
        expected="a tensor with stop_gradient False",
        received=f"stop_gradient True, shape {list(shape)}",
        fix="set x.stop_gradient = False before you compute with it",
    )


def unclear_target(args: tuple[object, ...], kwargs: dict[str, object]) -> InvalidType:
    return InvalidType(
        "to(): these arguments do not say where to, or in which type.",
        expected="to(device, dtype, blocking), to(dtype, blocking) or to(other, blocking)",
        received=", ".join([*map(repr, args), *kwargs]) or "nothing",
        fix="x.to('cpu'), x.to('float64') or x.to(y)",
    )


def no_device(device: object) -> InvalidArgument:
    return InvalidArgument(
        f"to(): the device must be a str or a place, but its type is {type(device).__name__}.",
        expected="'cpu', 'gpu', 'gpu:0', paddle.CPUPlace() or paddle.CUDAPlace(0)",
        received=f"{device!r:.40}",
        fix="x.to('cpu')",
    )


def several_elements(shape: Shape) -> InvalidArgument:
    return InvalidArgument(
        "item(): only one element tensors can be converted to Python scalars when no "
        "input coordinates are given.",
        expected="one element, or coordinates",
        received=f"shape {list(shape)}",
        fix="write x.item(i), or x.tolist() for all of them",
    )


def no_such_item(args: tuple[object, ...], shape: Shape, size: int) -> InvalidArgument:
    return InvalidArgument(
        f"item(): index {args} is out of bounds for size {size}.",
        expected=f"one number below {size}, or coordinates inside {list(shape)}",
        received=args,
        fix="count from 0",
    )


def no_scalar(to: str, shape: Shape) -> CheckFailed:
    return CheckFailed(
        Message("only one element variable can be converted to {to}.", to=to),
        expected=Message("a tensor with one element"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("reduce it first, for example with .mean(), or pick an element"),
    )


def no_index(x: Meta) -> InvalidType:
    return InvalidType(
        "only integer tensors can be used as an index.",
        expected="a tensor of integers with one element",
        received=str(x),
        fix="x.astype('int64')",
    )


def no_condition(shape: Shape) -> CheckFailed:
    return CheckFailed(
        "When Variable is used as the condition of if/while , Variable can only contain "
        "one element.",
        expected="a tensor with one element",
        received=f"shape {list(shape)}",
        fix="use .all() or .any()",
    )


def no_length() -> CheckFailed:
    return CheckFailed(
        "len() of a 0-D tensor is wrong.",
        expected="a tensor with at least one dimension",
        received="shape []",
        fix="use .size, or .numel()",
    )


def not_exportable(shape: Shape) -> NotFound:
    return NotFound(
        "Can't export Tensor that requires gradient, use tensor.detach().",
        expected="a tensor with stop_gradient True",
        received=f"stop_gradient False, shape {list(shape)}",
        fix="np.from_dlpack(x.detach())",
    )


def no_format(spec: str, shape: Shape) -> InvalidType:
    return InvalidType(
        f"unsupported format string {spec!r} passed to Tensor.__format__.",
        expected="a 0-D tensor, or no format string",
        received=f"shape {list(shape)}",
        fix="format one element: f'{x[0]:.2f}', or use paddle.set_printoptions()",
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
