"""What is wrong with a Jacobian or a Hessian, or with an index into it."""

from __future__ import annotations

from ..engine.errors import InvalidArgument, InvalidType, NoSuchName, OutOfRange


def no_tensor(name: str, matrix: str, value: object) -> InvalidType:
    return InvalidType(
        f"{name} of a {matrix} must be a Tensor.",
        expected="a Tensor, or a list or tuple of them",
        received=type(value).__name__,
        fix="pass the Tensor that was computed, and the one it was computed from",
    )


def no_axes(matrix: str, index: object) -> OutOfRange:
    return OutOfRange(
        f"0-D tensor can not be indexed: this {matrix} is one number.",
        expected="no index",
        received=repr(index),
        fix="write float(J.item()), or compute with J directly",
    )


def ellipsis(matrix: str, index: object) -> OutOfRange:
    return OutOfRange(
        f"Ellipsis index currently is not supported by {matrix}.",
        expected="integers and slices, one per axis; the last ones may be left out",
        received=repr(index),
        fix="write a `:` for each axis",
    )


def too_many_indices(matrix: str, index: object, count: int, shape: list[int]) -> OutOfRange:
    return OutOfRange(
        f"too many indices for a {matrix}: {index!r}.",
        expected=f"at most {len(shape)}, for shape {shape}",
        received=f"{count}",
        fix="leave out the last ones",
    )


def no_index(item: object) -> InvalidType:
    return InvalidType(
        f"Not supported index type {item!r}.",
        expected="an integer or a slice",
        received=type(item).__name__,
        fix="index the whole matrix: J[:][...]",
    )


def index_out_of_range(matrix: str, number: int, axis: int, shape: list[int]) -> OutOfRange:
    return OutOfRange(
        f"The index {number} of a {matrix} is out of bounds in axis {axis}.",
        expected=f"-{shape[axis]} to {shape[axis] - 1}, for shape {shape}",
        received=number,
        fix="count from 0",
    )


def no_attribute(matrix: str, name: str) -> NoSuchName:
    return NoSuchName(
        f"a {matrix} has no '{name}'.",
        expected="its shape, an index, or a public attribute of Tensor",
        received=name,
        fix="compute the whole matrix first: J[:]",
    )


def several_results(ys: object) -> InvalidType:
    return InvalidType(
        "ys of hessian() must be one Tensor.",
        expected="a Tensor with one element (one per sample with batch_axis=0)",
        received=type(ys).__name__,
        fix="add several results up, or call hessian() for each",
    )


def no_number(when: str, shape: list[int]) -> InvalidArgument:
    return InvalidArgument(
        f"hessian(): Only support ys with {when}.",
        expected=f"{when}: second derivatives of a number",
        received=f"shape {shape}",
        fix="reduce ys first, for example with .sum(), or use jacobian() twice",
    )


def wrong_rank(name: str, shape: list[int], batched: bool, low: int, high: int) -> InvalidArgument:
    return InvalidArgument(
        f"{name}.ndim should be {low} or {high} when "
        f"{'batch_axis=0' if batched else 'batch_axis=None'}, but got {len(shape)}.",
        expected="shape [B] or [B, N]" if batched else "shape [] or [N]",
        received=f"shape {shape}",
        fix="reshape it, or set batch_axis=0 where the first axis counts samples",
    )
