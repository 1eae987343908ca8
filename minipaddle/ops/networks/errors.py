"""What the ops of this folder say of wrong arguments, beside what many ops say."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument, MinipaddleError
from ...messages import Message
from ..errors import *  # noqa: F403
from ..errors import Kind, listed

# ----- images and filters ------------------------------------------------------------------------


def channels(x: Any, weight: Any, groups: int) -> MinipaddleError:
    """The filters are made for another number of channels."""
    inner = weight.shape[1]
    what = Message(
        "conv2d(): the number of input's channels is not the filter's channels x groups."
    )
    product = Message("x with {inner} x {groups} = {product} channels")
    wanted = product.fill(inner=inner, groups=groups, product=inner * groups)
    return _channels(what, wanted, x, weight, groups)


def filters(x: Any, weight: Any, groups: int) -> MinipaddleError:
    """The filters cannot be shared out among the groups."""
    what = Message("conv2d(): the number of filters must be divisible by groups.")
    wanted = Message("a multiple of {groups} filters", groups=groups)
    return _channels(what, wanted, x, weight, groups)


def first_size(x: Any, weight: Any, groups: int) -> MinipaddleError:
    """The filters of a transposed convolution are made for another number of channels."""
    what = Message(
        "conv2d_transpose(): the number of input's channels is not the filter's first size."
    )
    wanted = Message("x with {filters} channels, a multiple of groups", filters=weight.shape[0])
    return _channels(what, wanted, x, weight, groups)


def _channels(
    what: Message, expected: Message, x: Any, weight: Any, groups: int
) -> MinipaddleError:
    received = f"x {x}, weight {weight}, groups={groups}"
    fix = Message("check in_channels, groups and the order of the axes")
    return InvalidArgument(what, expected=expected, received=received, fix=fix)


def no_room(
    op: str, name: str, axis: int, most: int, reach: int, /, **given: Any
) -> MinipaddleError:
    """A filter or a window finds no place in the image."""
    return InvalidArgument(
        f"{op}(): {name} is larger than the padded image.",
        expected=f"at most {most} elements along axis {axis}",
        received=f"{reach} elements: {listed(given)}",
        fix=f"pad more, or make {name} smaller",
    )


def nothing_to_copy(mode: str, axis: int, most: int, pair: Any, x: Any) -> MinipaddleError:
    """More is to be mirrored than there is."""
    return InvalidArgument(
        f"pad(): the padding in {mode} mode is larger than what there is to copy.",
        expected=f"at most {most} along axis {axis}",
        received=f"{list(pair)} for x {x}",
        fix="pad less, or use mode='replicate'",
    )


def _value(op: str, name: str, expected: str, received: object, fix: str) -> MinipaddleError:
    return InvalidArgument(
        f"{op}(): the value of '{name}' is wrong.",
        expected=expected,
        received=f"{name}={received!r:.60}",
        fix=fix,
    )


def sizes(op: str, name: str, value: object, axes: int, least: int) -> MinipaddleError:
    """Not one size for each axis."""
    wanted = f"an int, or {axes} of them, each at least {least}"
    return _value(op, name, wanted, value, f"write {name}=2, or one number for each axis")


def padding_word(op: str, value: object) -> MinipaddleError:
    """A word that stands for no padding."""
    return _value(op, "padding", "'SAME' or 'VALID', or numbers", value, "write 'SAME'")


def padding_pairs(op: str, value: object, axes: int) -> MinipaddleError:
    """Pairs that are not one for each axis, or that pad the batch or the channels."""
    wanted = f"{axes + 2} pairs, those of batch and channels [0, 0]"
    return _value(op, "padding", wanted, value, "pad height and width only")


def padding(op: str, value: object, axes: int) -> MinipaddleError:
    """Numbers that are not in one of the forms of a padding."""
    wanted = f"ints of at least 0: one, {axes}, {2 * axes}, or pairs"
    return _value(op, "padding", wanted, value, "write padding=1, or 'SAME'")


# ----- activations and norms ---------------------------------------------------------------------


def features(op: str, argument: str, given: Any, shape: Any, dtype: Any) -> MinipaddleError:
    """A statistic, scale or shift of another shape or dtype."""
    return InvalidArgument(
        f"{op}(): {argument} does not have one number for each feature, of x's dtype.",
        expected=f"{dtype.name} {list(shape)}",
        received=given,
        fix="give the layer the number of features that x has, and x the layer's dtype",
    )


# ----- labels and classes ------------------------------------------------------------------------


def label_shape(label: Any, logits: Any, expected: Any, soft: bool) -> MinipaddleError:
    """Labels that are not one for each row."""
    return InvalidArgument(
        "cross_entropy(): the label's shape does not fit the input's.",
        expected=f"a label of shape {list(expected)}"
        + ("" if soft else f" or {list(expected[:-1])}"),
        received=f"label {label} for input {logits}",
        fix="give one class number per row, or soft_label=True with one weight per class",
    )


def no_class(op: str, value: int, classes: int, ignored: int, kind: Kind) -> MinipaddleError:
    """A label that names no class."""
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


def beyond_depth(value: int, classes: int) -> MinipaddleError:
    """A number that names no column of a one-hot row."""
    return InvalidArgument(
        "one_hot(): the input value should be at least 0 and less than the depth.",
        expected=f"0 to {classes - 1}",
        received=value,
        fix="check how the classes are numbered, or give another num_classes",
    )


def outside_table(value: int, count: int) -> MinipaddleError:
    """A number that names no row of an embedding's table."""
    return InvalidArgument(
        Message("embedding(): Variable value (input) is outside the table."),
        expected=Message(">= 0 and < {count}", count=count),
        received=f"{value}",
        fix=Message("check the vocabulary size, or how the words are numbered"),
    )


def no_probability(value: float) -> MinipaddleError:
    """A number outside 0 and 1."""
    return InvalidArgument(
        "binary_cross_entropy(): Illegal input, a probability must lie between 0 and 1.",
        expected="numbers of [0, 1]",
        received=f"{value:g}",
        fix="take sigmoid of it first, or use binary_cross_entropy_with_logits",
    )
