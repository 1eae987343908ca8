"""Errors of layers and of what changes them: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidName,
    InvalidType,
    MinipaddleError,
    NoSuchKey,
    NoSuchName,
    NotFound,
    OutOfRange,
    PreconditionNotMet,
    Unimplemented,
)
from ..errors import describe_value, unknown_choice, wrong_mode, wrong_type

# ----- shapes and sizes --------------------------------------------------------------------------


def rank_of_input(layer: Any, x: Any, ranks: Iterable[int], family: str) -> InvalidArgument:
    """Make the error of an input with a number of axes that is not the norm's."""
    expected = " or ".join(f"{rank}D" for rank in ranks)
    return InvalidArgument(
        f"{type(layer).__name__}: expected {expected} input (got {len(x.shape)}D input)",
        expected=f"{expected}, with {layer._num_features} channels",
        received=f"x of shape {list(x.shape)}",
        fix=f"use the {family} for this number of dimensions",
    )


def rank_of_images(x: Any) -> CheckFailed:
    return CheckFailed(
        "Softmax2D requires a 3D or 4D tensor as input.",
        expected="[N, C, H, W] or [C, H, W]",
        received=f"{len(x.shape)}D, shape {list(x.shape)}",
        fix="use Softmax(axis) for other shapes",
    )


def channels_not_divisible(layer: str, channels: int, groups: int) -> InvalidArgument:
    return InvalidArgument(
        f"{layer}: in_channels must be divisible by groups.",
        expected=f"a multiple of {groups}",
        received=f"in_channels={channels}",
        fix="choose another number of channels or groups",
    )


def features_not_divisible(features: int, heads: int) -> CheckFailed:
    return CheckFailed(
        "MultiHeadAttention: embed_dim must be divisible by num_heads",
        expected=f"a multiple of {heads}",
        received=f"embed_dim={features}",
        fix="choose another number of heads",
    )


def not_positive(layer: str, argument: str, value: int) -> CheckFailed:
    return CheckFailed(
        f"{layer}: Expected {argument} to be greater than 0, but received {value}",
        expected="a positive number",
        received=f"{argument}={value}",
        fix="give the layer a size",
    )


def shape_of_table(shape: Iterable[int], wanted: list[int]) -> CheckFailed:
    return CheckFailed(
        "Embedding: the shape of _weight does not match num_embeddings and embedding_dim.",
        expected=f"shape {wanted}",
        received=f"shape {list(shape)}",
        fix="give the table the sizes that you name",
    )


def shape_not_of_ints(sizes: Iterable[object]) -> InvalidType:
    return InvalidType(
        "a parameter's shape must be made of ints.",
        expected="a list of ints",
        received=f"{list(sizes)!r:.60}",
        fix="convert sizes with int()",
    )


def negative_size(sizes: Iterable[int]) -> CheckFailed:
    return CheckFailed(
        "a parameter's shape has a negative size.",
        expected="every dim's size to be larger than or equal to 0",
        received=list(sizes),
        fix="give the sizes in full: nothing here can infer a -1",
    )


def number_of_attrs(given: int, wanted: int) -> CheckFailed:
    return CheckFailed(
        f"length of param_attr should be {wanted} when it is a list/tuple",
        expected=f"{wanted} attrs: attention, and the two linear layers",
        received=f"{given}",
        fix="give one attr for all of them",
    )


# ----- padding of convolutions -------------------------------------------------------------------


def unknown_padding_mode(layer: str, mode: object, modes: tuple[str, ...]) -> MinipaddleError:
    what = f"{layer}: padding_mode must be one of {modes}, but got {mode!r}."
    return unknown_choice(what, mode, modes, "leave it out for 'zeros'")


def padding_not_int(layer: str, mode: str, padding: object) -> InvalidType:
    return InvalidType(
        f"{layer}: with padding_mode {mode!r} the type of padding must be int.",
        expected="an int, the same on all sides",
        received=f"padding={padding!r}",
        fix="pad with paddle.nn.functional.pad before the layer",
    )


# ----- a layer and what it owns ------------------------------------------------------------------


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
    own = (key for key in layer.__dict__ if key[0] != "_")
    return NoSuchName(
        f"'{type(layer).__name__}' object has no attribute '{name}'.",
        expected="an attribute set in __init__, or a method of Layer",
        received=name,
        fix=f"its own are: {', '.join(own) or 'none'}",
    )


def assigned_to_parameter(name: str, value: object) -> InvalidType:
    fix = f"write self.{name}.set_value(...) to change the numbers"
    return _assigned("parameter", name, value, "a Parameter", fix)


def assigned_to_sublayer(name: str, value: object) -> InvalidType:
    fix = f"del self.{name} first, or choose another name"
    return _assigned("sublayer", name, value, "a Layer", fix)


def assigned_to_buffer(name: str, value: object) -> InvalidType:
    fix = f"wrap it, paddle.to_tensor(...), or del self.{name} first"
    return _assigned("buffers", name, value, "a Tensor", fix)


def _assigned(owned: str, name: str, value: object, wanted: str, fix: str) -> InvalidType:
    kind, given = wanted.removeprefix("a "), type(value).__name__
    what = f"assignment to {owned} '{name}' should be of type {kind} or None, but got '{given}'."
    return InvalidType(what, expected=f"{wanted} or None", received=given, fix=fix)


def added_no_parameter(name: str, value: object) -> InvalidType:
    given = type(value).__name__
    return InvalidType(
        f"The parameter to be added should be a Parameter, but received {given}.",
        expected="what create_parameter returns, or None",
        received=f"{given} for '{name}'",
        fix="parameter = self.create_parameter(shape)",
    )


def registered_no_tensor(name: str, value: object) -> InvalidType:
    given = type(value).__name__
    return InvalidType(
        f"The registered buffer should be a Paddle.Tensor, but received {given}.",
        expected="a Tensor or None",
        received=f"{given} for '{name}'",
        fix="wrap it: paddle.to_tensor(...)",
    )


def not_a_sublayer(name: str, value: object) -> MinipaddleError:
    what = f"the sublayer '{name}' is not a Layer."
    fix = "wrap a function in a Layer subclass with a forward method"
    return wrong_type(what, value, expected="a paddle.nn.Layer", fix=fix, kind=CheckFailed)


def not_a_parameter(position: int, value: object) -> CheckFailed:
    return CheckFailed(
        f"ParameterList: element {position} is not a Parameter.",
        expected="Parameters, as create_parameter returns them",
        received=type(value).__name__,
        fix="paddle.create_parameter(shape, dtype)",
    )


def name_not_text(what: str, name: object) -> InvalidType:
    return InvalidType(
        f"The name of {what} should be a string, but received {type(name).__name__}.",
        expected="a name",
        received=repr(name),
        fix=f"write '{name}'",
    )


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


def pre_hook_result(result: object) -> PreconditionNotMet:
    return PreconditionNotMet(
        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
        f"{result!r:.60}.",
        expected="None, or (args, kwargs)",
        received=type(result).__name__,
        fix="return (args, kwargs), or register the hook without with_kwargs",
    )


# ----- containers --------------------------------------------------------------------------------


def not_iterable_of_pairs(owner: str, items: object) -> CheckFailed:
    return CheckFailed(
        f"{owner}: The type of sublayers is not iterable of key/value pairs.",
        expected="a dict, or a list of pairs",
        received=type(items).__name__,
        fix="write {'name': layer, ...}",
    )


def not_a_pair(owner: str, position: int, item: Sequence[object]) -> InvalidArgument:
    return InvalidArgument(
        f"{owner}: The length of the {position}'s element is {len(item)}, which must be 2.",
        expected="pairs of a name and a value",
        received=f"{item!r:.60}",
        fix="write [('name', layer), ...]",
    )


def neither_layer_nor_pair(position: int, item: object) -> MinipaddleError:
    return wrong_type(
        f"Sequential: argument {position} is neither a Layer nor a pair of a name and a Layer.",
        item,
        expected="Sequential(layer, layer, ...) or Sequential(('name', layer), ...)",
        fix="unpack a list: Sequential(*layers)",
        kind=InvalidArgument,
    )


def no_such_key(owner: object, key: object, known: Iterable[str]) -> NoSuchKey:
    return NoSuchKey(
        f"{type(owner).__name__} holds nothing under {key!r}.",
        expected=f"one of {', '.join(map(repr, known)) or 'nothing: it is empty'}",
        received=repr(key),
        fix="look at list(container.keys()), or at the container's text",
    )


def index_out_of_range(owner: object, index: int, length: int) -> OutOfRange:
    return OutOfRange(
        f"{type(owner).__name__}: index {index} is out of range.",
        expected=f"an integer in range [{-length}, {length})",
        received=repr(index),
        fix="count from 0",
    )


def no_place_to_insert(owner: object, index: object, length: int) -> CheckFailed:
    places = f"an integer in range [{-length}, {length}]"
    return CheckFailed(
        f"{type(owner).__name__}.insert(): index should be {places}.",
        expected=places,
        received=repr(index),
        fix="append() adds at the end",
    )


# ----- dtypes and saved values -------------------------------------------------------------------


def no_dtype() -> InvalidArgument:
    return InvalidArgument(
        "astype(): dtype value error, it must be a dtype or the name of one.",
        expected="for example 'float64'",
        received=None,
        fix="name the dtype",
    )


def excluded_no_class(excluded: object) -> InvalidArgument:
    return InvalidArgument(
        "excluded_layers should be a class of layers, or a list of them.",
        expected="for example [paddle.nn.BatchNorm2D]",
        received=f"{excluded!r:.60}",
        fix="give the class, not a layer",
    )


def dtype_of_saved(name: str, held: object, given: object) -> CheckFailed:
    return CheckFailed(
        f"Variable dtype not match, Variable [ {name} ] cannot take other numbers.",
        expected=f"{held}",
        received=f"{given}",
        fix="convert the saved value with .astype() first",
    )


def state_not_dict(state: object) -> InvalidType:
    return InvalidType(
        "set_state_dict(): the state is not a dict.",
        expected="a dict of names to Tensors or arrays, as state_dict() returns",
        received=type(state).__name__,
        fix="load it first: net.set_state_dict(paddle.load(path))",
    )


# ----- summary -----------------------------------------------------------------------------------


def nothing_to_summarize() -> InvalidArgument:
    return InvalidArgument(
        "input_size and input cannot be None at the same time.",
        expected="summary(net, (1, 3, 32, 32)), or summary(net, input=x)",
        received="neither",
        fix="give the shape of one batch",
    )


def input_size_no_shape(size: object) -> InvalidType:
    return InvalidType(
        "summary(): input_size must be a shape, or a list of shapes.",
        expected="for example (1, 3, 32, 32)",
        received=f"{size!r:.60}",
        fix="give ints; None or -1 stands for 1",
    )


def input_size_not_positive(sizes: Iterable[object]) -> InvalidArgument:
    return InvalidArgument(
        "Expected element in input size greater than zero.",
        expected="sizes of 1 or more",
        received=list(sizes),
        fix="None or -1 stands for 1",
    )


# ----- clipping and nn.utils ---------------------------------------------------------------------


def norm_too_small(owner: str, argument: str, value: object, least: float) -> InvalidArgument:
    negative = float(value) < 0  # type: ignore[arg-type]
    return InvalidArgument(
        f"{owner}: a norm cannot be negative." if negative else f"{owner}: the norm is 0.",
        expected=f"{argument} > 0" if least else f"{argument} >= 0",
        received=f"{argument}={value}",
        fix=f"write {argument}=1.0",
    )


def max_not_positive(value: object) -> CheckFailed:
    return CheckFailed(
        "ClipGradByValue: max must be positive where min is not given.",
        expected="max > 0",
        received=f"max={value}",
        fix="write ClipGradByValue(max=1.0), or give min too",
    )


def auto_skip_clip_no_bool(value: object) -> MinipaddleError:
    what, expected = "ClipGradByGlobalNorm: 'auto_skip_clip' must be a bool.", "True or False"
    return wrong_type(what, value, expected=expected, fix="leave it out", kind=CheckFailed)


def no_pairs_to_clip(owner: str, pair: object) -> InvalidType:
    return InvalidType(
        f"{owner}(): params_grads are no pairs of parameters and gradients.",
        expected="[(parameter, gradient), ...]",
        received=describe_value(pair, 60),
        fix="clip([(p, p.grad) for p in model.parameters()])",
    )


def unknown_norm(norm_type: object, norms: list[float]) -> InvalidArgument:
    return InvalidArgument(
        f"norm_type only support {norms}.",
        expected="inf, 0, 1 or 2",
        received=f"norm_type={norm_type}",
        fix="leave norm_type out for the square norm",
    )


def clipped_in_program(function: str) -> MinipaddleError:
    what = f"{function}: this API can only run in dynamic mode."
    fix = "give the optimizer grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)"
    return wrong_mode(what, wanted="dynamic", fix=fix, kind=PreconditionNotMet)


def norm_not_finite(norm_type: object, norm: float) -> NotFound:
    return NotFound(
        f"The total norm of {norm_type} order of the gradients from `parameters` is "
        "non-finite, so it cannot be clipped.",
        expected="finite gradients",
        received=f"a norm of {norm}",
        fix="look for inf and nan in the loss, or set error_if_nonfinite=False",
    )


def no_parameters() -> OutOfRange:
    return OutOfRange(
        "parameters_to_vector(): there are no parameters.",
        expected="at least one",
        received="an empty list",
        fix="pass layer.parameters()",
    )


def not_a_vector(shape: Iterable[int]) -> CheckFailed:
    return CheckFailed(
        "vector_to_parameters(): 'vec' is no vector.",
        expected="a Tensor of one dimension",
        received=f"shape {list(shape)}",
        fix="vec.flatten()",
    )


def vector_too_short(length: int, wanted: int) -> InvalidArgument:
    return InvalidArgument(
        "The total_elements of vec should be equal to or larger than the number of elements "
        "in parameters.",
        expected=f"at least {wanted} elements",
        received=f"{length}",
        fix="pass what parameters_to_vector made of the same parameters",
    )
