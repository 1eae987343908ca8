"""What the ops of this folder say of wrong arguments, beside what many ops say."""

from __future__ import annotations

from typing import Any

from ...engine.dtypes import DType
from ...engine.errors import InvalidArgument, MinipaddleError, OutOfRange, PreconditionNotMet
from ...messages import Message
from ..errors import *  # noqa: F403
from ..errors import Kind


def no_positions(op: str, index: Any) -> MinipaddleError:
    """Positions that are no vector, nor a column."""
    return InvalidArgument(
        f"{op}(): The last dim of index should be 1 when it is 2D.",
        expected="positions of shape [n], [n, 1] or []",
        received=f"index {index}",
        fix="use index.flatten(), or x[index] for a block of positions",
    )


def coordinates(op: str, shape: Any, index: Any) -> MinipaddleError:
    """More coordinates in a row than x has axes."""
    return InvalidArgument(
        f"{op}(): the last size of index should be no greater than the rank of x.",
        expected=f"rows of at most {len(shape)} coordinates, for x of shape {list(shape)}",
        received=f"index {index}",
        fix="put the coordinates of one place into the last axis",
    )


def beyond(op: str, axis: int, size: int, along: int, *, arr: Any, indices: Any) -> MinipaddleError:
    """Indices that are longer than arr on an axis that is not gone along."""
    return PreconditionNotMet(
        f"{op}(): Size does not match at dimension {axis}: indices reach beyond arr.",
        expected=f"at most {size}, as arr {arr} has, on every axis but {along}",
        received=f"indices {indices}",
        fix="cut indices, or use broadcast=True if a size is 1",
    )


def other_rows(x: Any, index: Any) -> MinipaddleError:
    """Not one row of positions for each row of x."""
    return InvalidArgument(
        "index_sample(): x and index must be 2-D with the same number of rows.",
        expected="x of shape [n, m] and index of shape [n, k]",
        received=f"x {x}, index {index}",
        fix="reshape them, or use take_along_axis()",
    )


def one_side(x: object, y: object) -> MinipaddleError:
    """What is to stand at some of the places is missing."""
    given = ["missing" if side is None else "given" for side in (x, y)]
    return InvalidArgument(
        "where(): either both or neither of x and y should be given.",
        expected="where(condition, x, y), or where(condition) for positions",
        received=f"x {given[0]}, y {given[1]}",
        fix="give both, or neither",
    )


def too_few(needed: int, count: int, shape: Any) -> MinipaddleError:
    """Fewer values than places to write them to."""
    return InvalidArgument(
        "masked_scatter(): value has too few elements for the mask.",
        expected=f"at least {needed} elements, one for each place where the mask holds",
        received=f"{count} elements, shape {list(shape)}",
        fix="give more values, or a mask with fewer places",
    )


def no_part(part: Any, value: Any) -> MinipaddleError:
    """A value that does not broadcast to what it is written to."""
    return InvalidArgument(
        "setitem: the value does not fit into the part of the tensor that is written.",
        expected=f"a value that broadcasts to {list(part)}",
        received=f"a value of shape {list(value.shape)}",
        fix="reshape the value",
    )


def out_of_bounds(
    op: str, axis: int, shape: Any, wrong: int, least: int, count: int, kind: Kind
) -> MinipaddleError:
    """A position outside its axis."""
    n = shape[axis]
    return kind(
        f"{op}(): the index {wrong} is out of bounds for axis {axis} with size {n}.",
        expected=f"it should be in the range of [{least}, {n}) for shape {list(shape)}",
        received=f"{wrong}, among {count} positions",
        fix="check the positions",
    )


def other_mask(op: str, first: int, i: int, x: Any, mask: Any) -> MinipaddleError:
    """A mask whose size i is not that of x's axis there; its first axis is x's axis `first`."""
    axis = first + i
    return OutOfRange(
        f"{op}(): The shape of boolean index {mask.shape[i]} did not match indexed tensor "
        f"{x.shape[axis]} along axis {axis}.",
        expected=f"a mask with the sizes of x {x} from axis {first} on",
        received=f"a mask of shape {list(mask.shape)}",
        fix="compute the mask from x, for example x > 0",
    )


def ellipses(op: str, count: int) -> MinipaddleError:
    """More than one '...' in an index."""
    return InvalidArgument(
        f"{op}: An index can only have a single ellipsis ('...').",
        expected="one ellipsis at most",
        received=f"{count} of them",
        fix="write ':' for the others",
    )


def too_many_indices(op: str, count: int, rank: int, index: str, kind: Kind) -> MinipaddleError:
    """An index with more parts than the tensor has axes."""
    return kind(
        f"{op}: Too many indices ({count}) for tensor of dimension {rank}.",
        expected=f"at most {rank}; None does not count, a mask counts for each of its axes",
        received=index,
        fix="leave some out, or look at x.shape",
    )


def no_index(item: object) -> MinipaddleError:
    """Something that cannot stand in an index."""
    return InvalidArgument(
        "an index must be made of Boolean, Integers, Slices, Ellipsis, None, and lists or "
        "Tensors of Boolean and Integers.",
        expected="such an index, or a tuple of them",
        received=f"{type(item).__name__} {item!r:.40}",
        fix="convert it to int or to a Tensor of int64 first",
    )


def index_of(item: Any) -> MinipaddleError:
    """A tensor as an index that holds neither positions nor bools."""
    dtype = DType.of(item.dtype).name
    return InvalidArgument(
        f"an index holds the wrong type, {dtype}.",
        expected="int32, int64, or bool for a mask",
        received=f"{dtype} {list(item.shape)}",
        fix="cast it: index.astype('int64')",
    )


def no_end(end: object) -> MinipaddleError:
    """Something that cannot be an end of a slice."""
    return InvalidArgument(
        "slice indices only allow None, integers and Tensors of one integer.",
        expected="such ends",
        received=f"{type(end).__name__} {end!r:.40}",
        fix="convert it: int(...)",
    )


def start(op: str, item: int, axis: int, x: Any) -> MinipaddleError:
    """A position outside its axis, in an index of ints and slices."""
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


def no_step(op: str, item: str) -> MinipaddleError:
    """A slice whose step is 0."""
    return InvalidArgument(
        f"{op}(): the step of a slice is 0.",
        expected="a step forwards (1, 2, ...) or backwards (-1, -2, ...)",
        received=item,
        fix="leave it out to take every element",
    )


def more_than_axes(axes: int, x: Any) -> MinipaddleError:
    """Indices for more axes than x has."""
    return InvalidArgument(
        "index_put(): there are more indices than axes of x.",
        expected=f"at most {len(x.shape)}, for x of shape {list(x.shape)}",
        received=f"indices for {axes} axes",
        fix="leave some out",
    )
