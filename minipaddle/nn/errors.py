"""Errors of layers, of their functions and of what changes them; the caller raises them."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidName,
    InvalidType,
    MinipaddleError,
    NoSuchKey,
    NoSuchName,
    Unimplemented,
)
from ..errors import *  # noqa: F403
from ..errors import misfit, wrong_type
from ..messages import Message
from ..ops.errors import *  # noqa: F403

# ----- members of a layer ------------------------------------------------------------------------


def no_forward(layer: object) -> Unimplemented:
    return Unimplemented(
        f"{type(layer).__name__} has no forward.",
        expected="a method forward(self, x) in your subclass of paddle.nn.Layer",
        received="a call of a layer without one",
        fix="define def forward(self, x): ...",
    )


def layer_backward() -> InvalidArgument:
    return InvalidArgument(
        "Layer shouldn't implement backward.",
        expected="loss.backward()",
        received="a call of layer.backward",
        fix="call backward on the loss; write a PyLayer for a gradient of your own",
    )


def not_initialized(layer: object, name: str) -> InvalidArgument:
    return InvalidArgument(
        "super().__init__() should be called first.",
        expected=f"super().__init__() as the first line of {type(layer).__name__}.__init__",
        received=f"self.{name} = ... before it",
        fix="call super().__init__() before you assign anything",
    )


def no_attribute(layer: object, name: str) -> NoSuchName:
    own = (key for key in layer.__dict__ if key.isidentifier() and key[0] != "_")
    return NoSuchName(
        f"'{type(layer).__name__}' object has no attribute '{name}'.",
        expected=Message("an attribute set in __init__, or a method of Layer"),
        received=name,
        fix=Message("its own are: {names}", names=", ".join(own) or Message("none")),
    )


def no_member(
    name: str, value: object, wanted: str, fix: str, kind: type[MinipaddleError] = InvalidType
) -> MinipaddleError:
    """Make the error of a value of the wrong type for a parameter, buffer or sublayer."""
    return wrong_type(f"'{name}' should be {wanted}.", value, expected=wanted, fix=fix, kind=kind)


def bad_name(what: str, name: str) -> InvalidName:
    wrong = "can not be empty" if not name else "can not contain `.`"
    if name and "." not in name:
        wrong = f"'{name}' is taken: it already exists"
    return InvalidName(
        f"The name of {what} {wrong}.",
        expected="a name that the layer does not use yet, without dots",
        received=repr(name),
        fix="choose another name",
    )


def no_such_step(place: object, step: str, path: str, known: Iterable[str]) -> NoSuchName:
    return NoSuchName(
        f"{type(place).__name__} has no attribute `{step}`.",
        expected=f"one of {', '.join(known)}",
        received=f"{step!r} in the path {path!r}",
        fix="named_sublayers(), named_parameters() and named_buffers() show the paths",
    )


def no_pairs(
    owner: str, items: object, kind: type[MinipaddleError] = InvalidArgument
) -> MinipaddleError:
    """Make the error of items that are no pairs of a name and a value."""
    what, fix = f"{owner}: expected pairs of a name and a value.", "write {'name': value, ...}"
    return wrong_type(what, items, expected="a dict, or a list of pairs", fix=fix, kind=kind)


def no_such_key(owner: object, key: object, known: Iterable[str]) -> NoSuchKey:
    return NoSuchKey(
        f"{type(owner).__name__} holds nothing under {key!r}.",
        expected=f"one of {', '.join(map(repr, known)) or 'nothing: it is empty'}",
        received=repr(key),
        fix="look at list(container.keys()), or at the container's text",
    )


# ----- recurrent layers --------------------------------------------------------------------------


def no_state_shape(cell: object) -> Unimplemented:
    name = type(cell).__name__
    return Unimplemented(
        Message("{name} has no state_shape.", name=name),
        expected=Message("the shape of a state without the batch, or a tuple of such shapes"),
        received=Message("no initial states, and no shape to make them of"),
        fix=Message("write state_shape = (hidden_size,) in {name}, or give the states", name=name),
    )


def no_steps(count: int) -> MinipaddleError:
    return misfit(
        "",
        Message("inputs with at least one step in time, whose number is known"),
        InvalidArgument,
        Message("give the number of steps in paddle.static.data; only the batch may be None"),
        steps=count,
    )


# ----- saved values and summary ------------------------------------------------------------------


def dtype_of_saved(name: str, expected: object, received: object) -> CheckFailed:
    return CheckFailed(
        f"Variable dtype not match, Variable [ {name} ] cannot take other numbers.",
        expected=f"{expected}",
        received=f"{received}",
        fix="convert the saved value with .astype() first",
    )
