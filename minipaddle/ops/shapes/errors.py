"""What the ops of this folder say of wrong arguments, beside what many ops say."""

from __future__ import annotations

from typing import Any

from ...engine.errors import InvalidArgument, InvalidType, MinipaddleError
from ...messages import Message
from ..errors import *  # noqa: F403

# ----- shapes ------------------------------------------------------------------------------------


def two_unknown(shape: Any) -> MinipaddleError:
    """More than one size that is to be worked out."""
    return InvalidArgument(
        Message("reshape(): Only one dimension value of 'shape' can be -1."),
        expected=Message("one size at most that is worked out from the others"),
        received=Message("shape {shape}", shape=list(shape)),
        fix=Message("name the other sizes, or copy those of x by 0"),
    )


def other_count(x: Any, total: int, shape: Any, product: str) -> MinipaddleError:
    """A shape for another number of elements."""
    return InvalidArgument(
        Message("reshape(): The 'shape' is invalid: the number of elements would change."),
        expected=Message("{total} elements, as in x {x}", total=total, x=x),
        received=Message(
            "shape {shape}, which holds {product} elements", shape=list(shape), product=product
        ),
        fix=Message("let the product of the sizes stay the same; one size may be -1"),
    )


def array_as_shape(shape: object) -> MinipaddleError:
    """An array instead of a list of sizes."""
    return InvalidType(
        "reshape(): the shape must be a list, a tuple or a Tensor, but got ndarray.",
        expected="a list or a tuple of ints, or a Tensor",
        received=f"ndarray {shape!r:.60}",
        fix="reshape(x, shape.tolist())",
    )


def ends(x: Any, start: int, stop: int) -> MinipaddleError:
    """Axes to be flattened from a later to an earlier one."""
    rank = len(x.shape)
    return InvalidArgument(
        "flatten(): The stop_axis should be larger than start_axis.",
        expected=f"start_axis <= stop_axis, both in [{-rank}, {rank})",
        received=f"start_axis {start}, stop_axis {stop}",
        fix="exchange them",
    )


def no_view(x: Any, dtype: Any) -> MinipaddleError:
    """Bytes that do not make whole elements of another dtype."""
    return InvalidArgument(
        f"view(): {x.dtype.name} cannot be read as {dtype.name} here.",
        expected=f"a last axis whose bytes are a multiple of {dtype.itemsize}",
        received=f"x {x}",
        fix="use astype() to convert the values",
    )


def too_many_axes(op: str, argument: str, given: int, most: int) -> MinipaddleError:
    """More axes than Paddle's kernel has."""
    return InvalidArgument(
        f"{op}(): there are more axes than Paddle takes.",
        expected=f"at most {most} sizes in {argument}",
        received=f"{given} sizes",
        fix="reshape x first, so that axes next to each other become one",
    )


def no_expansion(x: Any, shape: Any) -> MinipaddleError:
    """A shape that x does not broadcast to."""
    return InvalidArgument(
        "expand(): x cannot be repeated to this shape.",
        expected=f"sizes that equal those of x {x}, or replace a 1",
        received=f"shape {list(shape)}",
        fix="only axes of size 1, and new axes at the front, can grow",
    )


# ----- axes --------------------------------------------------------------------------------------


def permutation(x: Any, perm: Any) -> MinipaddleError:
    """An order of axes that does not have each of them once."""
    return InvalidArgument(
        "transpose(): perm must name every axis of x once.",
        expected=f"a permutation of 0 to {len(x.shape) - 1} for x {x}",
        received=f"perm {list(perm)}",
        fix="list each axis once, in the new order",
    )


def named_twice(op: str, argument: str, axes: Any) -> MinipaddleError:
    """One axis where different ones are needed."""
    return InvalidArgument(
        f"{op}(): {argument} must be different axes.",
        expected="each axis once",
        received=f"{argument} {list(axes)}",
        fix="leave out the repeated ones",
    )


def no_plane(axes: Any, x: Any) -> MinipaddleError:
    """Not two axes of x."""
    rank = len(x.shape)
    return InvalidArgument(
        "rot90(): expected rotation axes to be different, and axes of x.",
        expected=f"two axes of a tensor of at least two, each in [{-rank}, {rank})",
        received=f"axes {list(axes)} for x of shape {list(x.shape)}",
        fix="name two different axes",
    )


# ----- pieces ------------------------------------------------------------------------------------


def no_join(i: int, other: Any, first: Any, axis: int) -> MinipaddleError:
    """A tensor of a list that cannot be joined to the first."""
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
    """A tensor of a list that cannot be laid upon the first."""
    return InvalidArgument(
        Message("stack(): tensor {i} of the list has another shape than tensor 0.", i=i),
        expected=Message("{shape} for every tensor", shape=list(first.shape)),
        received=f"{list(other.shape)}",
        fix=Message("reshape them first, or use concat"),
    )


def pieces(x: Any, axis: int, parts: object) -> MinipaddleError:
    """Pieces that do not add up to their axis."""
    return InvalidArgument(
        "split(): the axis cannot be cut this way.",
        expected=f"pieces that add up to {x.shape[axis]}, the size of axis {axis} of x {x}",
        received=f"num_or_sections={parts!r}",
        fix="give a number that divides the size, or a list of sizes",
    )


def slices(given: int, size: int) -> MinipaddleError:
    """Another number of slices than there are."""
    return InvalidArgument(
        "unstack(): `num` must be the number of slices.",
        expected=size,
        received=given,
        fix="leave it out",
    )


def no_pieces(where: object) -> MinipaddleError:
    """Neither a number of pieces, nor where to cut."""
    return InvalidArgument(
        "tensor_split(): num_or_indices should be int, list or tuple of ints.",
        expected="an int, or a list of ints",
        received=type(where).__name__,
        fix="convert it first: int(...)",
    )


def ends_for_axes(op: str, name: str, value: object, count: int) -> MinipaddleError:
    """Not one end of a slice for each axis."""
    return InvalidArgument(
        f"{op}(): The length of axes and length of {name} should be same.",
        expected=f"{count} numbers, one for each axis",
        received=f"{name} {value!r:.60}",
        fix="give one number for each axis",
    )


def range_outside(size: int, axis: int, start: int, length: int) -> MinipaddleError:
    """A range that reaches beyond its axis."""
    return InvalidArgument(
        "narrow(): the range is outside the axis.",
        expected=f"start and length within {size}, the size of axis {axis}",
        received=f"start {start}, length {length}",
        fix="use x[start:end], which cuts off what is outside",
    )


def block(whole: Any, sizes: Any, offsets: Any) -> MinipaddleError:
    """A block that reaches beyond x."""
    return InvalidArgument(
        "crop(): the sum of offsets and shape should be at most the size of x, on each axis.",
        expected=f"a block inside {list(whole)}",
        received=f"shape {list(sizes)}, offsets {list(offsets)}",
        fix="make the block smaller; offsets start at 0",
    )
