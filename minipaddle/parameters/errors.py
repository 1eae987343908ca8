"""What is wrong with an initializer, or with the parameter that it is for."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.errors import CheckFailed, InvalidArgument, InvalidType

Shape = tuple[int, ...]


def no_slope(param: object) -> CheckFailed:
    return CheckFailed(
        "calculate_gain(): the slope of leaky_relu is not a number.",
        expected="a number, or None for 0.01",
        received=repr(param),
        fix="give the negative_slope of the layer",
    )


def no_gain(nonlinearity: object, known: Iterable[str]) -> InvalidArgument:
    return InvalidArgument(
        f"nonlinearity '{nonlinearity}' has no known gain.",
        expected=f"one of {', '.join(known)}",
        received=repr(nonlinearity),
        fix="take the activation that follows the layer, or 'linear'",
    )


def values_misfit(given: Shape, shape: Shape, size: int) -> InvalidArgument:
    return InvalidArgument(
        "Assign: the values do not have the parameter's shape.",
        expected=f"shape {list(shape)}, or {size} values in one row",
        received=f"shape {list(given)}",
        fix="reshape the values, or transpose them: weights are [in, out]",
    )


def no_mode(initializer: str, mode: object) -> InvalidArgument:
    return InvalidArgument(
        f"{initializer}: the mode is not known.",
        expected="'fan_in' or 'fan_out'",
        received=repr(mode),
        fix="leave it out for 'fan_in'",
    )


def no_matrix(shape: Shape) -> CheckFailed:
    return CheckFailed(
        "Only Tensor with 2 or more dimensions can be initialized by Orthogonal.",
        expected="a matrix, or more axes",
        received=f"shape {list(shape)}",
        fix="use Normal for vectors",
    )


def no_groups(groups: object) -> CheckFailed:
    return CheckFailed(
        "Dirac: `groups` must be a positive integer.",
        expected="an int of 1 or more",
        received=repr(groups),
        fix="give the groups of the convolution",
    )


def no_filters(shape: Shape, groups: int) -> CheckFailed:
    return CheckFailed(
        "Only Tensor with 3/4/5 dimensions can be initialized by Dirac, and its "
        "0-dimension must be divisible by groups.",
        expected=f"filters [out, in, ...], out a multiple of {groups}",
        received=f"shape {list(shape)}",
        fix="use it for the weights of convolutions",
    )


def no_initializer(value: object) -> InvalidType:
    return InvalidType(
        "set_global_initializer(): this is no Initializer.",
        expected="an Initializer, or None",
        received=f"{type(value).__name__} {value!r:.40}",
        fix="for example paddle.nn.initializer.Constant(0.5)",
    )


def no_attr(attr: object) -> InvalidType:
    return InvalidType(
        f"a parameter's attr cannot be a {type(attr).__name__}.",
        expected="None, False (no parameter), a name, an Initializer or a ParamAttr",
        received=f"{attr!r:.60}",
        fix="write paddle.ParamAttr(name=..., initializer=...)",
    )
