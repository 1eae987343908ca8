"""Errors of the ops of this folder, beside those that many ops raise."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument, MinipaddleError
from ...messages import Message
from ..errors import *  # noqa: F403


def two_unknown(shape: Any) -> MinipaddleError:
    """Make the error of more than one size that is to be worked out."""
    return InvalidArgument(
        Message("reshape(): Only one dimension value of 'shape' can be -1."),
        expected=Message("one size at most that is worked out from the others"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("name the other sizes, or copy those of x by 0"),
    )


def other_count(x: Any, total: int, shape: Any, product: str) -> MinipaddleError:
    """Make the error of a shape for another number of elements."""
    return InvalidArgument(
        Message("reshape(): The 'shape' is invalid: the number of elements would change."),
        expected=Message("{total} elements, as in x {x}", total=total, x=x),
        received=Message(
            "shape {shape}, which holds {product} elements", shape=list(shape), product=product
        ),
        fix=Message("let the product of the sizes stay the same; one size may be -1"),
    )


def no_join(i: int, other: Any, first: Any, axis: int) -> MinipaddleError:
    """Make the error of a tensor of a list that cannot be joined to the first."""
    return InvalidArgument(
        Message("concat(): tensor {i} of the list does not fit to tensor 0.", i=i),
        expected=Message(
            "{dtype} and the sizes of {shape} on every axis but {axis}",
            dtype=first.dtype.name,
            shape=list(first.shape),
            axis=axis,
        ),
        received=f"{other}",
        fix=Message("cast or reshape it first"),
    )


def other_shape(i: int, other: Any, first: Any) -> MinipaddleError:
    """Make the error of a tensor of a list that has another shape than the first."""
    return InvalidArgument(
        Message("stack(): tensor {i} of the list has another shape than tensor 0.", i=i),
        expected=Message("{shape} for every tensor", shape=list(first.shape)),
        received=f"{list(other.shape)}",
        fix=Message("reshape them first, or use concat"),
    )
