"""Errors of the ops of this folder, beside those that many ops raise."""

from __future__ import annotations

from typing import Any

from ...engine.errors import MinipaddleError, OutOfRange
from ...messages import Message
from ..errors import *  # noqa: F403
from ..errors import Kind


def outside_axis(
    op: str, axis: int, shape: Any, wrong: int, least: int, count: int, kind: Kind
) -> MinipaddleError:
    """Make the error of a position outside its axis."""
    n = shape[axis]
    return kind(
        f"{op}(): the index {wrong} is out of bounds for axis {axis} with size {n}.",
        expected=f"it should be in the range of [{least}, {n}) for shape {list(shape)}",
        received=f"{wrong}, among {count} positions",
        fix="check the positions",
    )


def start(op: str, item: int, axis: int, x: Any) -> MinipaddleError:
    """Make the error of a position outside its axis, in an index of ints and slices."""
    n = x.shape[axis]
    return OutOfRange(
        Message(
            "{op}(): The starting index {item} of slice is out of bounds in tensor {axis}-th axis.",
            op=op,
            item=item,
            axis=axis,
        ),
        expected=Message(
            "it should be in the range of [{least}, {n}) for x {x}", least=-n, n=n, x=x
        ),
        received=item,
        fix=Message("count from 0, or from -1 at the end"),
    )
