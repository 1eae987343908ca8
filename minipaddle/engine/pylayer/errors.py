"""Errors of PyLayers, their contexts, and the gradients that backward returns."""

from __future__ import annotations

import difflib
from typing import Any

from ...messages import Message
from .. import refusals, source_line
from ..errors import (
    External,
    InvalidArgument,
    ModeError,
    NoSuchName,
    PreconditionNotMet,
    Unimplemented,
    message_of,
)
from ..tensor import Tensor

INPUT, OUTPUT = Message("input"), Message("output")


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
    what = Message("{layer}.apply: a PyLayer works in dynamic mode only.", layer=layer)
    fix = Message("in a Program, write a custom operator with paddle.static.py_func")
    return refusals.only_dynamic(what, fix)


def no_tensor_returned(layer: str, outputs: object) -> InvalidArgument:
    return InvalidArgument(
        Message("{layer} : At least one output of `PyLayer.forward` is a `Tensor`.", layer=layer),
        expected=Message("a Tensor, or a list or tuple with at least one"),
        received=f"{type(outputs).__name__} {outputs!r:.60}",
        fix=Message("return the computed Tensor; other things may stand beside it"),
    )


def leaf_returned(layer: str, name: str) -> InvalidArgument:
    return InvalidArgument(
        Message("{layer} : Leaf Var ({x}) that doesn't stop gradient can't use inplace strategy."),
        expected=Message("an output that is a new Tensor, or an input that is not a leaf"),
        received=Message("forward returned a leaf input itself"),
        fix=Message("return x.clone(), or call ctx.mark_not_inplace(x) in forward"),
        slots={"layer": layer, "x": name},
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


def strange_tensor(layer: str, method: str, at: int, x: Tensor, role: Message) -> InvalidArgument:
    """Make the error of a marked Tensor that is no input (or output: `role`) of forward."""
    return InvalidArgument(
        Message("{method}() in PyLayer {layer}: argument {at} is no {role} of this forward."),
        expected=Message("Tensor {role}s of forward"),
        received=Message("another Tensor, shape {shape}", shape=list(x._data.shape)),
        fix=Message("pass the very Tensor that is the {role}"),
        slots={"layer": layer, "method": method, "at": at, "role": role},
    )


def no_attribute(ctx: Any, error: AttributeError) -> NoSuchName:
    """Make the error of a name that a context does not have from Python's AttributeError.

    A `__getattr__` could raise it too, but would make all attributes of contexts slow.
    """
    name = error.name or ""
    near = difflib.get_close_matches(name, dir(ctx), 1)
    meant = near and f"ctx.{near[0]}{'()' if callable(getattr(ctx, near[0])) else ''}"
    set_it = Message("set ctx.{name} = ... in forward")
    return NoSuchName(
        Message("the context of PyLayer {layer} has no '{name}'."),
        expected=Message("an attribute that forward has set, or a method of PyLayerContext"),
        received=name,
        fix=Message("did you mean {meant}?") if near else set_it,
        at=source_line.of_error(error),
        slots={"layer": ctx._layer, "name": name, "meant": meant},
    ).with_traceback(error.__traceback__)


# ----- backward ----------------------------------------------------------------------------------


def backward_failed(node: Any, error: Exception, count: int) -> External:
    kind, said = type(error).__name__, message_of(error, place=True)
    return External(
        Message("an exception in the backward of PyLayer {layer}: {kind}: {error}"),
        expected=Message("a backward(ctx, ...) that takes {count} {count:gradient|gradients}"),
        received=kind,
        fix=Message("repair backward; the exception that caused this one shows where it failed"),
        at=node.place(),
        slots={"layer": node.op_name(), "kind": kind, "error": said, "count": count},
    )


def gradient_count(node: Any, got: int, wanted: int) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "{node} : The number of outputs of `PyLayer.backward` should be {wanted}, but received "
            "{got}."
        ),
        expected=Message("{wanted} {wanted:gradient|gradients}, one per Tensor input of forward"),
        received=Message("{got} values"),
        fix=Message("return one gradient per Tensor that forward takes, None where there is none"),
        at=node.place(),
        slots={"node": node.name(), "got": got, "wanted": wanted},
    )


def no_list(node: Any, position: int, value: object, wanted: int) -> InvalidArgument:
    """Make the error of a value that is no list of `wanted` gradients."""
    return InvalidArgument(
        Message("{node} : argument at position {position} must be list or tuple of {wanted}."),
        expected=Message("a list of {wanted} gradients, since forward took a list there"),
        received=f"{type(value).__name__} {value!r:.60}",
        fix=Message("return a list with one gradient per Tensor of the list"),
        at=node.place(),
        slots={"node": node.name(), "position": position, "wanted": wanted},
    )


def missing_gradient(node: Any, position: int) -> InvalidArgument:
    return InvalidArgument(
        Message("{node}'s backward function should not return empty at {position} position."),
        expected=Message("a gradient for input {position}, which needs one"),
        received=Message("fewer values than inputs"),
        fix=Message("return a value for every Tensor input, None where no gradient flows"),
        at=node.place(),
        slots={"node": node.name(), "position": position},
    )


def no_gradient(node: Any, value: object) -> InvalidArgument:
    name = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    return InvalidArgument(
        Message(
            "{node} : We can only support Tensor or None for backward output, but got {kind}, "
            "please check your PyLayer code and make it fits."
        ),
        expected=Message("a Tensor or None for each input"),
        received=name,
        fix=Message("wrap NumPy arrays and numbers with paddle.to_tensor(...)"),
        at=node.place(),
        slots={"node": node.name(), "kind": name},
    )


def unwanted_gradient(node: Any, position: int, grad: Tensor) -> InvalidArgument:
    return InvalidArgument(
        Message(
            "{node}'s backward function should return None at {position} position, because it's "
            "forward Tensor's stopgradient is true."
        ),
        expected=Message("None for input {position}"),
        received=Message("a Tensor of shape {shape}"),
        fix=Message("return None there, or set stop_gradient = False on that input"),
        at=node.place(),
        slots={"node": node.name(), "position": position, "shape": [*grad._data.shape]},
    )


def gradient_shape(node: Any, position: int, got: Any, wanted: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("{node} : the gradient returned at {position} position has the wrong shape."),
        expected=Message("shape {wanted}, as input {position} of forward"),
        received=Message("shape {got}"),
        fix=Message("sum over axes that forward broadcast, or reshape the gradient"),
        at=node.place(),
        slots={"node": node.name(), "position": position, "got": [*got], "wanted": [*wanted]},
    )
