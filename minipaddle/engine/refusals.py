"""The errors of the engine's modules, a function for each; `errors.py` has the classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import wrong_type
from ..messages import CLAUSES, Message, Row
from . import source_line
from .errors import (
    CheckFailed,
    External,
    Fatal,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    ModeError,
    PermissionDenied,
    instead_of_a_tensor,
    message_of,
)
from .python_messages import in_our_words

Shape = tuple[int, ...]


# ----- arguments ---------------------------------------------------------------------------------


def not_trainable(value: object) -> MinipaddleError:
    what = f"The type of trainable MUST be bool, but the type is {type(value).__name__}."
    return wrong_type(what, value, "True or False", "write x.trainable = False", InvalidArgument)


def no_tensor_as_out(name: str, out: object, made: object) -> MinipaddleError:
    """Make the error of an `out` that cannot take the result `made`, or several results."""
    wanted = f"{len(made)} Tensors" if isinstance(made, (list, tuple)) else "a Tensor"
    fix = "drop out=; in a Program name the result instead"
    return wrong_type(f"{name}(): out must be {wanted}.", out, f"{wanted}, or None", fix)


def no_tensor(
    function: str,
    argument: str,
    position: int,
    value: object,
    kind: type[MinipaddleError] = InvalidArgument,
) -> MinipaddleError:
    got = type(value).__name__
    return kind(
        Message("{at} must be Tensor, but got {kind}."),
        expected=Message("a Tensor"),
        received=f"{got} {value!r:.60}",
        fix=instead_of_a_tensor(value),
        slots={"at": argument_at(function, argument, position), "kind": got},
    )


def no_bool(name: str, value: object, right: str, position: int = 1) -> InvalidType:
    kind = type(value).__name__
    return InvalidType(
        Message("{name}: argument (position {position}) must be bool, but got {kind}."),
        expected=Message("True or False"),
        received=repr(value),
        fix=Message("write {right}"),
        slots={"name": name, "position": position, "kind": kind, "right": right},
    )


def no_list(function: str, argument: str, position: int, tensor: object) -> InvalidArgument:
    return InvalidArgument(
        Message("{at} must be list of Tensors, but got Tensor."),
        expected=Message("a list or tuple of Tensors"),
        received=Message("one Tensor {tensor}", tensor=tensor),
        fix=Message("put it into a list: {function}([...])", function=function),
        slots={"at": argument_at(function, argument, position)},
    )


def argument_at(function: str, argument: str, position: int) -> Message:
    at = {"function": function, "argument": argument, "position": position}
    return Message("{function}(): argument '{argument}' (position {position})", **at)


def kernel_failed(
    kind: type[MinipaddleError], op: str, signature: str, received: str, error: Exception
) -> MinipaddleError:
    """Make the error of a kernel that failed though inference accepted the arguments."""
    return kind(
        Message("{op}(): {words}"),
        expected=Message("arguments that fit: {signature}"),
        received=received,
        fix=Message("see help(paddle.{op})"),
        slots={"op": op, "words": in_our_words(error), "signature": signature},
    )


# ----- devices, shapes, dtypes -------------------------------------------------------------------


def on_two_devices(op: str, shown: list[tuple[str, object, Any]], other: int) -> InvalidArgument:
    """Make the error of tensors on two devices: the first, and the one at index `other`.

    `shown` has a tuple for each tensor: name, shape with dtype, place.
    """
    (x, _, here), (y, _, there) = shown[0], shown[other]
    rows = [Message("{x} {meta} on {place}", x=x, meta=meta, place=at) for x, meta, at in shown]
    return InvalidArgument(
        Message("{op}(): {x} and {y} are on different devices."),
        expected=Message("all tensors on one device"),
        received=Row(rows, CLAUSES).message(),
        fix=Message("move one of them: {x}.to('{there}') or {y}.to('{here}')"),
        slots={"op": op, "x": x, "y": y, "here": here.text, "there": there.text},
    )


def shapes_do_not_broadcast(op: str, x: Any, y: Any, of_x: int, of_y: int) -> InvalidArgument:
    """Make the error of sizes that differ: axis `of_x` of x and axis `of_y` of y."""
    m, n = x.shape[of_x], y.shape[of_y]
    return InvalidArgument(
        Message("{op}(): Broadcast dimension mismatch: the shapes of x and y do not fit."),
        expected=Message("axis {of_x} of x as long as axis {of_y} of y, or one of them of size 1"),
        received=Message("x {x} and y {y}: {m} against {n}"),
        fix=Message("reshape or unsqueeze one of them so that the sizes agree"),
        slots={"op": op, "of_x": of_x, "of_y": of_y, "x": x, "y": y, "m": m, "n": n},
    )


def axis_out_of_range(
    kind: type[MinipaddleError], op: str, x: object, axis: int, axes: int
) -> MinipaddleError:
    return kind(
        Message("{op}(): the axis is out of range."),
        expected=Message("an axis in [-{axes}, {axes}) for x {x}"),
        received=axis,
        fix=Message("count axes from 0, or from -1 at the end"),
        slots={"op": op, "axes": axes, "x": x},
    )


def types_do_not_mix(op: str, x: object, y: object, casts: list[str]) -> InvalidType:
    return InvalidType(
        Message(
            "{op}(): Type promotion only support calculations between floating-point numbers and "
            "between complex and real numbers; these two types do not mix."
        ),
        expected=Message("x and y of one dtype, both floating-point, or one of them complex"),
        received=Message("x {x} and y {y}"),
        fix=Message("cast {casts}"),
        slots={"op": op, "x": x, "y": y, "casts": Row(casts)},
    )


# ----- dtypes ------------------------------------------------------------------------------------


def unknown_dtype(kind: object, known: Iterable[str]) -> MinipaddleError:
    what, fix = f"the data type {kind!r} is not understood.", "name one: a string or paddle.<name>"
    return wrong_type(what, kind, f"one of {', '.join(known)}", fix)


# ----- saved values ------------------------------------------------------------------------------


def hooks_inside_hooks() -> InvalidArgument:
    return InvalidArgument(
        "paddle.autograd.saved_tensors_hooks only one pair of hooks is allowed at a time.",
        expected="one `with saved_tensors_hooks(...)` block",
        received="a block inside another one",
        fix="call both functions from one pair of hooks",
    )


def packed_tensor_changed(*, now: int, then: int) -> PermissionDenied:
    return PermissionDenied(
        "The Tensor that pack_hook returned has been modified by an inplace operation.",
        expected=f"version {then}, as when it was packed",
        received=f"version {now}",
        fix="let pack_hook return a copy: tensor.clone() or tensor.numpy()",
    )


def wrong_unpacked(hook: object, expected: str, received: str) -> InvalidArgument:
    what = "saved_tensors_hooks: unpack_hook must give back the Tensor that was packed."
    fix = "return a Tensor with the same values, shape and dtype: paddle.to_tensor(...)"
    at = source_line.of_function(hook)
    return InvalidArgument(what, expected=expected, received=received, fix=fix, at=at)


def saving_hook_failed(what: str, hook: object, error: Exception) -> External:
    called = Message("saved_tensors_hooks: {hook}", hook=f"{what}_hook")
    return _hook_error(
        called, hook, error, Message("a function that takes one argument and returns")
    )


def released(op: str) -> Fatal:
    return Fatal(
        Message(
            "backward has run through {op} before and released its graph: you calculate backward "
            "twice for the same subgraph without setting retain_graph=True.",
            op=op,
        ),
        expected=Message("saved values, as after the first forward pass"),
        received=Message("a graph that an earlier backward has already used and released"),
        fix=Message(
            "Please set retain_graph=True in the first backward/grad call, or run forward again"
        ),
    )


def tensor_called(name: str, shape: Shape) -> Message:
    """Return words for a tensor: its name, if it has one, and its shape."""
    unnamed = Message.in_context("unnamed", "a Tensor")
    tensor = Message("Tensor '{name}'", name=name) if name else unnamed
    return Message("{tensor} of shape {shape}", tensor=tensor, shape=list(shape))


def changed_since_saved(
    which: Message, op: str | Message, *, now: int, then: int, change: Message
) -> PermissionDenied:
    """Make the error of a saved tensor that was changed; `change` describes the last change."""
    return PermissionDenied(
        Message(
            "{which}, used in gradient computation of {op}, has been modified by an inplace "
            "operation. Its version is {now} but the expected version is {then}: expected "
            "tensor_version == wrapper_version_snapshot, but received tensor_version:{now} != "
            "wrapper_version_snapshot:{then}."
        ),
        expected=Message("the values that forward saved"),
        received=change,
        fix=Message("change no saved Tensor in place: compute on a clone()"),
        slots={"which": which, "op": op, "now": now, "then": then},
    )


# ----- where backward starts ---------------------------------------------------------------------


def only_dynamic(what: str | Message, fix: str | Message) -> ModeError:
    return ModeError(
        what,
        expected=Message("dynamic mode (paddle.disable_static())"),
        received=Message("static mode: op calls build a Program here"),
        fix=fix,
    )


def unused_tensor(role: str, position: int) -> InvalidArgument:
    expected = Message("an input with stop_gradient False that the outputs depend on")
    received = Message("input {position}, which no gradient reaches")
    if role == "output":
        expected = Message("an output with stop_gradient False, which has a history")
        received = Message("output {position} with stop_gradient True")
    return InvalidArgument(
        f"The {position}-th {role} does not appear in the backward graph.",
        expected=expected,
        received=received.fill(position=str(position)),
        fix=Message("check this tensor, or set allow_unused=True to get None for it"),
    )


def invalid(what: str, expected: str, received: str) -> CheckFailed:
    return CheckFailed(what, expected=expected, received=received, fix="see help(paddle.grad)")


def no_seed(name: str, value: object) -> CheckFailed:
    forms = "'None', 'paddle.Tensor' or 'list[None/paddle.Tensor]'"
    what = f"The argument '{name}' is invalid, it can be {forms}."
    return invalid(what, "Tensors or None", type(value).__name__)


def seed_shape(*, got: Shape, wanted: Shape) -> CheckFailed:
    return CheckFailed(
        Message(
            "backward(): Tensor shape not match: the gradient to start with does not have the "
            "tensor's shape."
        ),
        expected=Message("shape {wanted}"),
        received=Message("shape {got}"),
        fix=Message("give one gradient element for every element of the tensor"),
        slots={"got": list(got), "wanted": list(wanted)},
    )


def seed_elsewhere(here: Any, there: Any) -> InvalidArgument:
    """Make the error of a first gradient on device `there`; its tensor is on `here`."""
    return InvalidArgument(
        Message("backward(): the tensor and the gradient to start with are on different devices."),
        expected=Message("a gradient on {here}, as the tensor is"),
        received=Message("a gradient on {there}"),
        fix=Message("move it: grad_tensor.to('{text}')"),
        slots={"here": here, "there": there, "text": here.text},
    )


# ----- hooks of gradients ------------------------------------------------------------------------


def hook_failed(hook: object, error: Exception) -> External:
    return _hook_error(
        Message("a gradient hook"), hook, error, Message("a hook that returns a Tensor or None")
    )


def _hook_error(what: Message, hook: object, error: Exception, expected: Message) -> External:
    said = {"kind": type(error).__name__, "error": message_of(error, place=True)}
    return External(
        Message("{what} failed: {kind}: {error}"),
        expected=expected,
        received=Message("{kind} inside the hook {hook}"),
        fix=Message("repair the hook; the exception that caused this one shows where it failed"),
        at=source_line.of_function(hook),
        slots={"what": what, "hook": name_of(hook), **said},
    )


def hook_gave_no_tensor(hook: object, value: object) -> InvalidType:
    return InvalidType(
        Message("the gradient hook {hook} must return a Tensor or None.", hook=name_of(hook)),
        expected=Message("a Tensor of the gradient's shape, or None to leave it as it is"),
        received=type(value).__name__,
        fix=Message("wrap the result: paddle.to_tensor(...)"),
        at=source_line.of_function(hook),
    )


def hook_changed_dtype(hook: object, *, now: str, was: str) -> PermissionDenied:
    return PermissionDenied(
        Message("The dtype of tensor before({was}) and after({now}) hook are not consistent."),
        expected=Message("a Tensor of the gradient's dtype, {was}, from the hook {hook}"),
        received=Message("one of dtype {now}"),
        fix=Message('convert the result: result.astype("{was}")'),
        at=source_line.of_function(hook),
        slots={"hook": name_of(hook), "now": now, "was": was},
    )


def hook_changed_shape(hook: object, *, now: Shape, was: Shape) -> InvalidArgument:
    return InvalidArgument(
        Message("the gradient hook {hook} returned a Tensor of another shape."),
        expected=Message("a Tensor of the gradient's shape, {was}"),
        received=Message("shape {now}"),
        fix=Message("return one number for each element of the gradient, as `grad * 2` does"),
        at=source_line.of_function(hook),
        slots={"hook": name_of(hook), "now": list(now), "was": list(was)},
    )


def name_of(hook: object) -> str:
    return str(getattr(hook, "__name__", type(hook).__name__))


# ----- modes, flags, files -----------------------------------------------------------------------


def no_file_name(name: str) -> InvalidArgument:
    return InvalidArgument(
        "no file can have this name.",
        expected="letters that names of files may have",
        received=ascii(name),
        fix="leave out zero bytes and halves of surrogate pairs",
    )
