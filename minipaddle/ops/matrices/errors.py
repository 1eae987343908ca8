"""Errors of wrong arguments that only the ops of this folder raise."""

from __future__ import annotations

from typing import Any

from ...engine.errors import CheckFailed, InvalidArgument, MinipaddleError
from ...messages import Message
from ..errors import *  # noqa: F403
from ..errors import Kind, listed


def do_not_fit(
    op: str, need: str, kind: Kind = InvalidArgument, /, **given: Any
) -> MinipaddleError:
    """Make the error of tensors that cannot be multiplied."""
    return kind(
        f"{op}(): the shapes do not fit.",
        expected=need,
        received=listed(given),
        fix="reshape or transpose one of them, or use paddle.matmul()",
    )


def number_as_matrix(x: Any, y: Any) -> MinipaddleError:
    """Make the error of a number where a vector or a matrix belongs."""
    return InvalidArgument(
        Message("matmul(): a 0-D tensor cannot be multiplied as a matrix."),
        expected=Message("x and y with at least one dimension"),
        received=Message("x {x} and y {y}", x=x, y=y),
        fix=Message("use x * y for a number times a tensor"),
    )


def inner_sizes(x: Any, y: Any, columns: int, rows: int) -> MinipaddleError:
    """Make the error of an x with another number of columns than y has rows."""
    place = Message("first") if len(y.shape) == 1 else Message("second to last")
    return InvalidArgument(
        Message(
            "matmul(): the last dimension of x must be equal to the {place} dimension of y.",
            place=place,
        ),
        expected=Message("y with size {columns} there, to fit x {x}", columns=columns, x=x),
        received=Message("y {y}, with size {rows}", y=y, rows=rows),
        fix=Message("transpose one of them, or check which layer's size is wrong"),
    )


def summed_sizes(axes: object, x: Any, axis_of_x: int, y: Any, axis_of_y: int) -> MinipaddleError:
    """Make the error of axes of different sizes that are summed over together."""
    m, n = x.shape[axis_of_x], y.shape[axis_of_y]
    return CheckFailed(
        "tensordot(): The dimensional size for 'x' and 'y' in tensordot should match each other, "
        f"but 'x' has size {m} in dim {axis_of_x} while 'y' has size {n} in dim {axis_of_y}.",
        expected="equal sizes of the axes that are summed over, or 1",
        received=f"x of shape {list(x.shape)}, y of shape {list(y.shape)}, axes={axes!r}",
        fix="name the axes: axes=[[axes of x], [axes of y]]",
    )


def three_components(x: Any, axis: object) -> MinipaddleError:
    """Make the error of vectors without an axis of three components."""
    return InvalidArgument(
        "cross(): the axis must be of size 3.",
        expected="vectors of 3 components along `axis`, or along some axis",
        received=f"x {x}, axis={axis}",
        fix="name the axis that holds the three components",
    )


def no_chain(x: Any) -> MinipaddleError:
    """Make the error of matrices of which one does not fit to the next."""
    return InvalidArgument(
        "multi_dot(): the matrices do not fit.",
        expected="two or more matrices, each with as many rows as the one before has columns; "
        "the first and the last may be vectors",
        received=", ".join(map(str, x)),
        fix="check the order, or transpose one of them",
    )


def no_square(op: str, x: Any, kind: Kind) -> MinipaddleError:
    """Make the error of a matrix that is not square."""
    return kind(
        f"{op}(): x must be a square matrix, or a batch of them.",
        expected="a shape [..., n, n]",
        received=f"x {x}",
        fix="check which axes hold the matrix, or use paddle.linalg.pinv()",
    )


def no_result(op: str, problem: str, array: Any) -> MinipaddleError:
    """Make the error of a matrix for which NumPy finds no result."""
    return InvalidArgument(
        f"{op}(): {problem}.",
        expected="a matrix for which there is a result",
        received=f"x of shape {list(array.shape)}",
        fix="look at paddle.linalg.det(x) or paddle.linalg.matrix_rank(x)",
    )


# ----- norms -------------------------------------------------------------------------------------


def no_order(p: object) -> MinipaddleError:
    """Make the error of an order of a vector's norm that is no number."""
    return InvalidArgument(
        "vector_norm(): only valid p type is int and float.",
        expected="a number, also inf and -inf",
        received=f"{type(p).__name__} {p!r}",
        fix="use paddle.linalg.matrix_norm() for 'fro' and 'nuc'",
    )


def two_axes(axis: object) -> MinipaddleError:
    """Make the error of an axis that does not name the two of a matrix."""
    return InvalidArgument(
        "matrix_norm(): axis must name two axes.",
        expected="two axes, as in [-2, -1]",
        received=axis,
        fix="use paddle.linalg.vector_norm() for another number of axes",
    )


def no_norm(p: object, axis: object, x: Any, kind: Kind) -> MinipaddleError:
    """Make the error of a norm of matrices over other axes than two."""
    return kind(
        f"norm(): p = {p!r} does not exist for these axes.",
        expected="p a number or 'fro'; 'nuc' with two axes, or for a matrix",
        received=f"p = {p!r}, axis = {axis}, x of shape {list(x.shape)}",
        fix="name the two axes of the matrix: axis=[-2, -1]",
    )


def other_rows(x: Any, y: Any) -> MinipaddleError:
    """Make the error of points with different numbers of coordinates."""
    return InvalidArgument(
        "cdist(): x and y must be matrices, or batches, with rows of one length.",
        expected="x of shape [..., m, n] and y of shape [..., k, n]",
        received=f"x of shape {list(x.shape)} and y of shape {list(y.shape)}",
        fix="reshape them; a single row is of shape [1, n]",
    )


# ----- einsum ------------------------------------------------------------------------------------


def _equation(problem: str, equation: str, fix: str) -> MinipaddleError:
    return CheckFailed(
        f"einsum(): Invalid equation: {problem}.",
        expected="letters for axes, as in 'ij,jk->ik', and at most one '...' per operand",
        received=repr(equation),
        fix=fix,
    )


def segments(count: int, found: int, equation: str) -> MinipaddleError:
    """Make the error of an equation without one group of letters for each operand."""
    problem = f"the number of operands is {count}, but found {found} segments"
    return _equation(problem, equation, "give one group of letters per operand")


def no_letters(term: str, equation: str) -> MinipaddleError:
    """Make the error of a group that holds more than letters."""
    return _equation(f"{term!r} holds more than letters", equation, "use a-z and A-Z")


def no_letter_for(position: int, rank: int, term: str, equation: str) -> MinipaddleError:
    """Make the error of an operand with axes that have no letter."""
    problem = f"operand {position} has {rank} axes, but its label is {term!r}"
    return _equation(problem, equation, "give one letter per axis, or '...' for the others")


def no_ellipsis(equation: str) -> MinipaddleError:
    """Make the error of an output without the axes that '...' stands for."""
    return _equation("missing ellipsis in output labels", equation, "write '...' after -> too")


def in_no_operand(label: str, equation: str) -> MinipaddleError:
    """Make the error of an output with an axis of its own."""
    return InvalidArgument(
        f"einsum(): Invalid equation: the output label {label!r} is in no operand.",
        expected="output labels out of those of the operands",
        received=repr(equation),
        fix="leave it out, or give an operand that has this axis",
    )


def two_sizes(label: str, known: int, size: int, labels: str, meta: Any) -> MinipaddleError:
    """Make the error of one letter for axes of different sizes."""
    return InvalidArgument(
        f"einsum(): the axes {label!r} of the operands differ in size.",
        expected=f"size {known} everywhere, or 1",
        received=f"size {size} in {labels!r} of {meta}",
        fix="check which letter stands for which axis",
    )
