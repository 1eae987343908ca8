"""Errors of `paddle.io`: each function makes one, and the caller raises it."""

from __future__ import annotations

from ..engine.errors import (
    NotFound,
    Unimplemented,
)


def not_defined(owner: object, method: str, gives: str = "") -> Unimplemented:
    name = type(owner).__name__
    what = f"'{method}' not implement in class {name}."
    expected = f"a method {method} {gives or f'in {name}'}"
    fix = f"define {method} in the class {name}"
    return Unimplemented(what, expected=expected, received="none", fix=fix)


def only_iterates(dataset: object, method: str) -> NotFound:
    what = f"'{method}' should not be called for IterableDataset {type(dataset).__name__}."
    fix = "derive from paddle.io.Dataset if samples have positions"
    return NotFound(what, expected="a loop: for sample in dataset", received=method, fix=fix)
