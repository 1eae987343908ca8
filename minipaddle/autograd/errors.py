"""Errors of Jacobians and Hessians, and of indices into them."""

from __future__ import annotations

from ..engine.errors import InvalidArgument, MinipaddleError, NoSuchName, OutOfRange
from ..errors import wrong_shape, wrong_type


def no_tensor(name: str, matrix: str, value: object) -> MinipaddleError:
    what = f"{name} of a {matrix} must be a Tensor."
    fix = "pass the Tensor that was computed, and the one it was computed from"
    return wrong_type(what, value, "a Tensor, or a list or tuple of them", fix)


def no_axes(matrix: str, index: object) -> MinipaddleError:
    what = f"0-D tensor can not be indexed: this {matrix} is one number."
    fix = "write float(J.item()), or compute with J directly"
    return wrong_type(what, index, "no index", fix, OutOfRange)


def ellipsis(matrix: str, index: object) -> MinipaddleError:
    what = f"Ellipsis index currently is not supported by {matrix}."
    expected = "integers and slices, one per axis; the last ones may be left out"
    return wrong_type(what, index, expected, "write a `:` for each axis", OutOfRange)


def too_many_indices(matrix: str, index: object, count: int, shape: list[int]) -> OutOfRange:
    return OutOfRange(
        f"too many indices for a {matrix}: {index!r}.",
        expected=f"at most {len(shape)}, for shape {shape}",
        received=f"{count}",
        fix="leave out the last ones",
    )


def no_index(item: object) -> MinipaddleError:
    what, fix = f"Not supported index type {item!r}.", "index the whole matrix: J[:][...]"
    return wrong_type(what, item, "an integer or a slice", fix)


def index_out_of_range(matrix: str, number: int, axis: int, shape: list[int]) -> OutOfRange:
    return OutOfRange(
        f"The index {number} of a {matrix} is out of bounds in axis {axis}.",
        expected=f"-{shape[axis]} to {shape[axis] - 1}, for shape {shape}",
        received=number,
        fix="count from 0",
    )


def no_attribute(matrix: str, name: str) -> MinipaddleError:
    expected = "its shape, an index, or a public attribute of Tensor"
    fix = "compute the whole matrix first: J[:]"
    return NoSuchName(f"a {matrix} has no '{name}'.", expected=expected, received=name, fix=fix)


def several_results(ys: object) -> MinipaddleError:
    expected = "a Tensor with one element (one per sample with batch_axis=0)"
    fix = "add several results up, or call hessian() for each"
    return wrong_type("ys of hessian() must be one Tensor.", ys, expected, fix)


def no_number(when: str, shape: list[int]) -> MinipaddleError:
    what, expected = f"hessian(): Only support ys with {when}.", f"{when}: a number to derive"
    fix = "reduce ys first, for example with .sum(), or use jacobian() twice"
    return wrong_shape(InvalidArgument, what, shape, expected, fix)


def wrong_rank(name: str, shape: list[int], batched: bool, low: int, high: int) -> MinipaddleError:
    axis, expected = ("0", "[B] or [B, N]") if batched else ("None", "[] or [N]")
    what = f"{name}.ndim should be {low} or {high} when batch_axis={axis}, but got {len(shape)}."
    fix = "reshape it, or set batch_axis=0 where the first axis counts samples"
    return wrong_shape(InvalidArgument, what, shape, f"shape {expected}", fix)
