"""Errors of the ops of this folder, beside those that many ops raise."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument, MinipaddleError
from ...messages import Message
from ..errors import *  # noqa: F403
from ..errors import Kind, listed

# ----- images and filters ------------------------------------------------------------------------


def no_room(
    op: str, name: str, axis: int, most: int, reach: int, /, **given: Any
) -> MinipaddleError:
    """Make the error of a filter or a window that is larger than the image."""
    return InvalidArgument(
        f"{op}(): {name} is larger than the padded image.",
        expected=f"at most {most} elements along axis {axis}",
        received=f"{reach} elements: {listed(given)}",
        fix=f"pad more, or make {name} smaller",
    )


# ----- labels and classes ------------------------------------------------------------------------


def no_class(op: str, value: int, classes: int, ignored: int, kind: Kind) -> MinipaddleError:
    """Make the error of a label that names no class."""
    return kind(
        Message(
            "{name}(): label value should be a class number: not below 0, and less "
            "than the shape of axis dimension, {classes}.",
            name=op,
            classes=classes,
        ),
        expected=Message(
            "0 to {last}, or ignore_index={ignore_index}", last=classes - 1, ignore_index=ignored
        ),
        received=Message("label value {value}", value=value),
        fix=Message("check how the labels are numbered and how many outputs the last layer has"),
    )


def outside_table(value: int, count: int) -> MinipaddleError:
    """Make the error of a number that names no row of an embedding's table."""
    return InvalidArgument(
        Message("embedding(): Variable value (input) is outside the table."),
        expected=Message(">= 0 and < {count}", count=count),
        received=f"{value}",
        fix=Message("check the vocabulary size, or how the words are numbered"),
    )
