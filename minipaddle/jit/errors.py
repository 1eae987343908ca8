"""Errors of functions that become Programs."""

from __future__ import annotations

from typing import Any

from ..engine.errors import InvalidArgument, ModeError, Unimplemented
from ..messages import Message


def reads_values(what: str) -> ModeError:
    return ModeError(
        Message("{what} needs the values of a tensor, which a Program has only while it runs."),
        expected=Message("code that does not depend on the values of tensors"),
        received=Message("a condition or conversion inside a function of to_static"),
        fix=Message("choose with paddle.where, or leave out to_static"),
        slots={"what": what},
    )


def changes_in_place(name: str) -> ModeError:
    return ModeError(
        Message("{name}_() changes a tensor in place, which a Program cannot do."),
        expected=Message("a new tensor"),
        received=Message("an in-place change inside a function of to_static"),
        fix=Message("write x = x.{name}(...)"),
        slots={"name": name},
    )


def changes_once(what: str) -> ModeError:
    return ModeError(
        Message("{what} in a function of to_static would happen once, not in each call."),
        expected=Message("backward, and step and clear_grad of optimizers"),
        received=Message("{what} while the function is traced"),
        fix=Message("call it after the function"),
        slots={"what": what},
    )


def backward_beyond(name: str) -> ModeError:
    return ModeError(
        Message("backward() in a function of to_static stops at '{name}', which is no plain leaf."),
        expected=Message("parameters without hooks, and Tensors that no op made"),
        received=Message("a gradient for '{name}'"),
        fix=Message("call backward() after the function"),
        slots={"name": name},
    )


def backward_to_argument() -> ModeError:
    return ModeError(
        Message("backward() in a function of to_static gives arguments no gradient."),
        expected=Message("arguments with stop_gradient=True"),
        received=Message("an argument that wants a gradient"),
        fix=Message("detach() the argument, or call backward() after the function"),
    )


def result_beside_backward(name: str) -> ModeError:
    return ModeError(
        Message("'{name}' is a result that can still go backward, beside a backward() inside."),
        expected=Message("results that the backward() inside has used, or without a gradient"),
        received=Message("'{name}'"),
        fix=Message("return {name}.detach()"),
        slots={"name": name},
    )


def unknown_size(name: str) -> ModeError:
    return ModeError(
        Message("a size of '{name}' is unknown: the InputSpec has None there."),
        expected=Message("code that does not read this size"),
        received=Message("an index into shape"),
        fix=Message("write reshape([0, -1]), paddle.shape(x), or a size in the InputSpec"),
        slots={"name": name},
    )


def loaded_inside() -> ModeError:
    return ModeError(
        Message("a layer of paddle.jit.load runs only in dynamic mode."),
        expected=Message("a call outside to_static and static mode"),
        received=Message("a call while a Program is built"),
        fix=Message("call it before or after the function"),
    )


def parameter_inside(family: str) -> ModeError:
    return ModeError(
        Message("a parameter ({family}) was made inside a function of to_static."),
        expected=Message("layers and parameters that exist before the call"),
        received=Message("a new parameter in each call"),
        fix=Message("make the layer outside, for example in __init__"),
        slots={"family": family},
    )


def stores_result(layer: Any, name: str) -> ModeError:
    return ModeError(
        Message("forward stores a result in self.{name}, which a Program cannot keep."),
        expected=Message("a forward that only returns its results"),
        received=Message("a Variable in '{name}' of {layer}"),
        fix=Message("return it, or leave out to_static"),
        slots={"name": name, "layer": type(layer).__name__},
    )


def second_gradient(name: str) -> Unimplemented:
    return Unimplemented(
        Message("'{name}' has no second gradient, as it runs as a Program."),
        expected=Message("a first gradient"),
        received=Message("create_graph=True"),
        fix=Message("call the function without to_static: {name}.dygraph_function"),
        slots={"name": name},
    )


def no_function(given: Any) -> InvalidArgument:
    return InvalidArgument(
        Message("to_static takes a function or a Layer."),
        expected=Message("a function, a method or a Layer"),
        received=f"{given!r:.60}",
        fix=Message("write @paddle.jit.to_static above a function"),
    )


def no_kind(name: str, count: int) -> InvalidArgument:
    return InvalidArgument(
        Message("'{name}' has {count} {count:Program|Programs}, not one."),
        expected=Message("an input_spec, or calls with arguments of one kind"),
        received=Message("no input_spec"),
        fix=Message("give input_spec=[paddle.static.InputSpec(...)]"),
        slots={"name": name, "count": count},
    )


def inputs_expected(names: list[str], count: int) -> InvalidArgument:
    return InvalidArgument(
        Message("the Program takes {wanted} {wanted:input|inputs}."),
        expected=Message("Tensors for {names}", names=", ".join(names)),
        received=Message("{count} {count:input|inputs}", count=count),
        fix=Message("give them in this order"),
        slots={"wanted": len(names)},
    )
