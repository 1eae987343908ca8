"""Errors of wrong arguments that only the ops of this folder raise."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument, InvalidType, MinipaddleError
from ..errors import *  # noqa: F403
from ..errors import Kind


def windows(most: int, size: int, step: int) -> MinipaddleError:
    """Make the error of windows that do not fit into their axis, or do not move."""
    return InvalidArgument(
        "unfold(): a window must fit into the axis, and step be greater than 0.",
        expected=f"0 <= size <= {most} and step >= 1",
        received=f"size={size}, step={step}",
        fix="take smaller windows",
    )


def no_target(shape: Any, target: Any) -> MinipaddleError:
    """Make the error of a shape that x cannot be summed down to."""
    return InvalidArgument(
        "reduce_as(): target's shape does not broadcast to x's.",
        expected=f"sizes of {shape}, or 1",
        received=f"target of shape {target}",
        fix="reshape target",
    )


def no_rows(x: Any, weights: Any) -> MinipaddleError:
    """Make the error of numbers that are no row, or of weights that are not as many."""
    return InvalidArgument(
        "bincount(): x must be a row, and weights a row of the same size.",
        expected="1-D tensors of one size",
        received=f"x {x}" + (f" and weights {weights}" if weights else ""),
        fix="flatten them",
    )


def other_weight(x: Any, weight: Any) -> MinipaddleError:
    """Make the error of weights that are not one for each element."""
    return InvalidArgument(
        "histogram(): each element needs one weight of its dtype.",
        expected=f"weight {x}",
        received=f"weight {weight}",
        fix="reshape or cast the weights",
    )


def bins(op: str, count: int, low: float, high: float) -> MinipaddleError:
    """Make the error of no bins, or of limits the wrong way round."""
    return InvalidArgument(
        f"{op}(): there must be at least one bin, and max must not be below min.",
        expected="bins >= 1 and min <= max",
        received=f"bins {count}, min {low}, max {high}",
        fix="leave min and max out for the range of the elements",
    )


def not_finite(op: str, low: float, high: float) -> MinipaddleError:
    """Make the error of bins over a range without end."""
    return InvalidArgument(
        f"{op}(): the range of the elements is not finite.",
        expected="finite elements, or a finite min and max",
        received=f"{low} to {high}",
        fix="give min and max",
    )


def places(op: str, k: int, axis: int, size: int, x: Any) -> MinipaddleError:
    """Make the error of a k of no element, or of more than there are."""
    return InvalidArgument(
        f"{op}(): k is out of range.",
        expected=f"1 to {size}, the size of axis {axis} of x {x}" if size != -1 else "at least 1",
        received=k,
        fix="choose k by the size of the axis",
    )


def no_share(op: str, q: object) -> MinipaddleError:
    """Make the error of shares of quantiles that are no numbers."""
    return InvalidType(
        f"{op}(): Type of q should be int, float, list or tuple, or tensor.",
        expected="a number in [0, 1], or several in a list or a Tensor",
        received=repr(q),
        fix="give q as such",
    )


def share(op: str, q: object) -> MinipaddleError:
    """Make the error of shares outside [0, 1], or of none."""
    return InvalidArgument(
        f"{op}(): q should be in range [0, 1] and not empty.",
        expected="a number in [0, 1], or several",
        received=repr(q),
        fix="0.5 is the median, 0.25 and 0.75 are the quartiles",
    )


def no_axes(op: str, axis: object) -> MinipaddleError:
    """Make the error of an empty list of axes."""
    return InvalidArgument(
        f"{op}(): Axis list should not be empty.",
        expected="None for all axes, or the axes",
        received=axis,
        fix="leave axis out",
    )


def median_axis(axis: object, rank: int, kind: Kind) -> MinipaddleError:
    """Make the error of an axis that x does not have."""
    return kind(
        "median(): axis should be none or an integer in range [-rank(x), rank(x)).",
        expected=f"None, or an int in [{-rank}, {rank})",
        received=repr(axis),
        fix="for several axes, reshape x first",
    )
