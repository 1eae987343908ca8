"""What is wrong with a PyLayer, its context, or the gradients that its backward returns."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, Protocol

from ...messages import Message
from .. import source_line
from ..errors import (
    External,
    InvalidArgument,
    InvalidType,
    ModeError,
    NoSuchName,
    PermissionDenied,
    PreconditionNotMet,
    Unimplemented,
    message_of,
)

INPUT, OUTPUT = Message("input"), Message("output")
Shape = tuple[int, ...]


class Applied(Protocol):
    """A node that a PyLayer made, and where the user applied it."""

    layer: Any

    def place(self) -> source_line.SourceLine: ...


# ----- the layer ---------------------------------------------------------------------------------


def no_result(layer: str, name: str) -> NoSuchName:
    return NoSuchName(
        Message("a {layer} object has no '{name}': it is no result, only the layer itself."),
        expected=Message("the Tensor that forward returns"),
        received=f"{layer}(...)",
        fix=Message("run the layer: {run}", run=f"{layer}.apply(...)"),
        slots={"layer": layer, "name": name},
    )


def not_implemented(layer: str, method: str, argument: str) -> Unimplemented:
    return Unimplemented(
        Message("You must implement the {method} function for PyLayer {layer}."),
        expected=Message("a static method {method}(ctx, ...) in your subclass"),
        received=Message("a PyLayer without one"),
        fix=Message("define @staticmethod def {method}(ctx, {argument}): ..."),
        slots={"layer": layer, "method": method, "argument": argument},
    )


def in_static_mode(layer: str) -> ModeError:
    return ModeError(
        Message("{layer}.apply: a PyLayer works in dynamic mode only.", layer=layer),
        expected=Message("dynamic mode (paddle.disable_static())"),
        received=Message("static mode: op calls build a Program here"),
        fix=Message("in a Program, write a custom operator with paddle.static.py_func"),
    )


def no_tensor_returned(layer: str, outputs: object) -> InvalidArgument:
    return InvalidArgument(
        Message("{layer} : At least one output of `PyLayer.forward` is a `Tensor`.", layer=layer),
        expected=Message("a Tensor, or a list or tuple with at least one"),
        received=f"{type(outputs).__name__} {outputs!r:.60}",
        fix=Message("return the computed Tensor; other things may stand beside it"),
    )


def leaf_returned(layer: str, name: str) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "{layer} : Leaf Var ({name}) that doesn't stop gradient can't use inplace strategy."
        ),
        expected=Message("an output that is a new Tensor, or an input that is not a leaf"),
        received=Message("forward returned a leaf input itself"),
        fix=Message("return x.clone(), or call ctx.mark_not_inplace(x) in forward"),
        slots={"layer": layer, "name": name},
    )


# ----- the context -------------------------------------------------------------------------------


def outside_forward(layer: str, method: str) -> PreconditionNotMet:
    return PreconditionNotMet(
        Message("{method}() of the context of PyLayer {layer} was called outside forward."),
        expected=Message("a call inside the forward method"),
        received=Message("a call before forward began or after it returned"),
        fix=Message("move ctx.{method}(...) into forward"),
        slots={"layer": layer, "method": method},
    )


def called_twice(layer: str, method: str) -> PreconditionNotMet:
    return PreconditionNotMet(
        Message("{method}() was called twice in the forward of PyLayer {layer}."),
        expected=Message("at most one call, with everything in it"),
        received=Message("a second call"),
        fix=Message("pass all tensors to one call: ctx.{method}(a, b)"),
        slots={"layer": layer, "method": method},
    )


def no_tensor(layer: str, method: str, position: int, value: object) -> InvalidType:
    return InvalidType(
        Message("{method}() in PyLayer {layer}: argument {position} is not a Tensor."),
        expected=Message("Tensors only"),
        received=type(value).__name__,
        fix=Message("pass the Tensors themselves"),
        slots={"layer": layer, "method": method, "position": position},
    )


def no_bool(method: str, value: object) -> InvalidType:
    return InvalidType(
        Message("{method}(): argument (position 1) must be bool, but got {kind}."),
        expected=Message("True or False"),
        received=repr(value),
        fix=Message("write ctx.{method}(False)"),
        slots={"method": method, "kind": type(value).__name__},
    )


def strange_tensor(
    layer: str, method: str, position: int, shape: list[int], role: Message
) -> InvalidArgument:
    """The error of a marked Tensor that forward neither took nor returned; role: INPUT, OUTPUT."""
    return InvalidArgument(
        Message("{method}() in PyLayer {layer}: argument {position} is no {role} of this forward."),
        expected=Message("Tensor {role}s of forward"),
        received=Message("another Tensor, shape {shape}"),
        fix=Message("pass the very Tensor that is the {role}"),
        slots={
            "layer": layer,
            "method": method,
            "position": position,
            "shape": shape,
            "role": role,
        },
    )


def changed_since_saved(
    layer: str, number: int, name: str, *, now: int, then: int, change: Message
) -> PermissionDenied:
    tensor = Message("Tensor '{name}'", name=name) if name else "Tensor"
    return PermissionDenied(
        Message(
            "{tensor} saved for the backward of PyLayer {layer} (number {number} of "
            "save_for_backward) has been modified in place, by an inplace operation. Its version "
            "is {now} but the expected version is {then}: expected tensor_version == "
            "wrapper_version_snapshot, but received tensor_version:{now} != "
            "wrapper_version_snapshot:{then}."
        ),
        expected=Message("the values that were saved"),
        received=change,
        fix=Message("avoid calling an inplace operator after saving, or save a clone()"),
        slots={"tensor": tensor, "layer": layer, "number": number, "now": now, "then": then},
    )


def explained(error: Exception, ctx: Any, layer: str) -> Exception:
    """Return what Python says of a name that a context does not have; other errors as they are.

    The user's code ends here, and not in a `__getattr__`: a class that has one is slow to give
    any of its attributes.
    """
    if not isinstance(error, AttributeError) or error.obj is not ctx:
        return error
    name, near = str(error.name), difflib.get_close_matches(str(error.name), dir(ctx), 1)
    meant = near and f"ctx.{near[0]}{'()' if callable(getattr(ctx, near[0])) else ''}"
    did_you_mean, set_it = (
        Message("did you mean {meant}?"),
        Message("set ctx.{name} = ... in forward"),
    )
    clear = NoSuchName(
        Message("the context of PyLayer {layer} has no '{name}'."),
        expected=Message("an attribute that forward has set, or a method of PyLayerContext"),
        received=name,
        fix=did_you_mean if near else set_it,
        at=source_line.of_error(error),
        slots={"layer": layer, "name": name, "meant": meant},
    )
    clear.name, clear.obj, clear.__cause__ = name, ctx, error
    return clear.with_traceback(error.__traceback__)  # which leads to the user's line


# ----- backward ----------------------------------------------------------------------------------


def backward_failed(node: Applied, error: Exception, count: int) -> External:
    kind, said = type(error).__name__, message_of(error, place=True)
    return External(
        Message("an exception in the backward of PyLayer {layer}: {kind}: {error}"),
        expected=Message(
            "backward(ctx, ...) that takes {count} {count:gradient|gradients} and runs to its end"
        ),
        received=kind,
        fix=Message("repair backward; the exception that caused this one shows where it failed"),
        at=node.place(),
        slots={"layer": node.layer.__name__, "kind": kind, "error": said, "count": count},
    )


def gradient_count(node: Applied, *, got: int, wanted: int) -> InvalidArgument:
    return _wrong_gradient(
        node,
        Message(
            "The number of outputs of `PyLayer.backward` should be {wanted}, but received {got}."
        ),
        expected=Message("{wanted} {wanted:gradient|gradients}, one per Tensor input of forward"),
        received=Message("{got} values"),
        fix=Message("return one gradient per Tensor that forward takes, None where there is none"),
        slots={"got": got, "wanted": wanted},
    )


def no_list(node: Applied, position: int, value: object, wanted: int) -> InvalidArgument:
    return _wrong_gradient(
        node,
        Message("argument at position {position} must be list or tuple, but got {kind}."),
        expected=Message("a list of {wanted} gradients, since forward took a list there"),
        received=type(value).__name__,
        fix=Message("return a list with one gradient per Tensor of the list"),
        slots={"position": position, "kind": type(value).__name__, "wanted": wanted},
    )


def list_length(node: Applied, position: int, *, got: int, wanted: int) -> InvalidArgument:
    return _wrong_gradient(
        node,
        Message("the list of gradients at {position} position has the wrong length."),
        expected=Message("{wanted} gradients, one per Tensor of the list"),
        received=str(got),
        fix=Message("return None for Tensors without a gradient"),
        slots={"position": position, "wanted": wanted},
    )


def missing_gradient(node: Applied, position: int) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "GradNodePyLayer_{layer}'s backward function should not return empty at {position} "
            "position."
        ),
        expected=Message("a gradient for input {position}, which needs one"),
        received=Message("fewer values than inputs"),
        fix=Message("return a value for every Tensor input, None where no gradient flows"),
        at=node.place(),
        slots={"layer": node.layer.__name__, "position": position},
    )


def no_gradient(node: Applied, value: object) -> InvalidArgument:
    kind = type(value)
    name = f"{kind.__module__}.{kind.__name__}".removeprefix("builtins.")
    return _wrong_gradient(
        node,
        Message(
            "We can only support Tensor or None for backward output, but got {kind}, please check "
            "your PyLayer code and make it fits."
        ),
        expected=Message("a Tensor or None for each input"),
        received=name,
        fix=Message("wrap NumPy arrays and numbers with paddle.to_tensor(...)"),
        slots={"kind": name},
    )


def unwanted_gradient(node: Applied, position: int, shape: Shape) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "GradNodePyLayer_{layer}'s backward function should return None at {position} "
            "position, because it's forward Tensor's stopgradient is true."
        ),
        expected=Message("None for input {position}"),
        received=Message("a Tensor of shape {shape}"),
        fix=Message("return None there, or set stop_gradient = False on that input"),
        at=node.place(),
        slots={"layer": node.layer.__name__, "position": position, "shape": list(shape)},
    )


def gradient_shape(node: Applied, position: int, *, got: Shape, wanted: Shape) -> InvalidArgument:
    return _wrong_gradient(
        node,
        Message("the gradient that backward returned at {position} position has the wrong shape."),
        expected=Message("shape {wanted}, as input {position} of forward"),
        received=Message("shape {got}"),
        fix=Message("sum over axes that forward broadcast, or reshape the gradient"),
        slots={"position": position, "got": list(got), "wanted": list(wanted)},
    )


def _wrong_gradient(
    node: Applied, what: Message, *, slots: Mapping[str, object], **parts: Any
) -> InvalidArgument:
    """The error of what backward returned, at the line that applied the layer."""
    name, at = node.layer.__name__, node.place()
    whole = Message("GradNodePyLayer_{layer} : {what}", layer=name, what=what.fill(**slots))
    return InvalidArgument(whole, at=at, slots=slots, **parts)
