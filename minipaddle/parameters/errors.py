"""Errors of initializers and of the attributes of parameters."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import CheckFailed, InvalidArgument, MinipaddleError
from ..errors import unknown_choice, wrong_shape, wrong_type

Shape = tuple[int, ...]


def no_slope(param: object) -> MinipaddleError:
    what = "calculate_gain(): the slope of leaky_relu is not a number."
    fix = "give the negative_slope of the layer"
    return wrong_type(what, param, "a number, or None for 0.01", fix, CheckFailed)


def no_gain(nonlinearity: object, known: Iterable[str]) -> MinipaddleError:
    what = f"nonlinearity '{nonlinearity}' has no known gain."
    fix = "take the activation that follows the layer, or 'linear'"
    return unknown_choice(what, nonlinearity, known, fix)


def values_misfit(given: Shape, shape: Shape, size: int) -> MinipaddleError:
    what = "Assign: the values do not have the parameter's shape."
    expected = f"shape {list(shape)}, or {size} values in one row"
    fix = "reshape the values, or transpose them: weights are [in, out]"
    return wrong_shape(InvalidArgument, what, given, expected, fix)


def no_mode(initializer: str, mode: object) -> MinipaddleError:
    what = f"{initializer}: the mode is not known."
    return unknown_choice(what, mode, ("fan_in", "fan_out"), "leave it out for 'fan_in'")


def no_matrix(shape: Shape) -> MinipaddleError:
    what = "Only Tensor with 2 or more dimensions can be initialized by Orthogonal."
    return wrong_shape(CheckFailed, what, shape, "a matrix, or more axes", "use Normal for vectors")


def no_groups(groups: object) -> MinipaddleError:
    what, fix = "Dirac: `groups` must be a positive integer.", "give the groups of the convolution"
    return wrong_type(what, groups, "an int of 1 or more", fix, CheckFailed)


def no_filters(shape: Shape, groups: int) -> MinipaddleError:
    what = (
        "Only Tensor with 3/4/5 dimensions can be initialized by Dirac, and its 0-dimension must "
        "be divisible by groups."
    )
    expected = f"filters [out, in, ...], out a multiple of {groups}"
    return wrong_shape(CheckFailed, what, shape, expected, "use it for weights of convolutions")


def no_initializer(value: object) -> MinipaddleError:
    what, fix = "set_global_initializer(): no Initializer.", "paddle.nn.initializer.Constant(0.5)"
    return wrong_type(what, value, "an Initializer, or None", fix)


def no_attr(attr: object) -> MinipaddleError:
    what = f"a parameter's attr cannot be a {type(attr).__name__}."
    expected = "None, False (no parameter), a name, an Initializer or a ParamAttr"
    return wrong_type(what, attr, expected, "write paddle.ParamAttr(name=..., initializer=...)")
