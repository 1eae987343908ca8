"""Errors of Jacobians and Hessians, and of indices into them."""

from __future__ import annotations

from ..engine.errors import MinipaddleError, NoSuchName
from ..errors import wrong_type


def no_tensor(name: str, matrix: str, value: object) -> MinipaddleError:
    what = f"{name} of a {matrix} must be a Tensor."
    fix = "pass the Tensor that was computed, and the one it was computed from"
    return wrong_type(what, value, "a Tensor, or a list or tuple of them", fix)


def no_index(item: object) -> MinipaddleError:
    what, fix = f"Not supported index type {item!r}.", "index the whole matrix: J[:][...]"
    return wrong_type(what, item, "an integer or a slice", fix)


def no_attribute(matrix: str, name: str) -> MinipaddleError:
    expected = "its shape, an index, or a public attribute of Tensor"
    fix = "compute the whole matrix first: J[:]"
    return NoSuchName(f"a {matrix} has no '{name}'.", expected=expected, received=name, fix=fix)


def several_results(ys: object) -> MinipaddleError:
    expected = "a Tensor with one element (one per sample with batch_axis=0)"
    fix = "add several results up, or call hessian() for each"
    return wrong_type("ys of hessian() must be one Tensor.", ys, expected, fix)
