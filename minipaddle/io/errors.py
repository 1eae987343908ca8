"""Errors of `paddle.io`: each function makes one, and the caller raises it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..engine.errors import (
    CheckFailed,
    InvalidArgument,
    InvalidType,
    MinipaddleError,
    NotFound,
    PreconditionNotMet,
    Unimplemented,
)


def refused(
    what: str, expected: str, received: object, fix: str, kind: type[MinipaddleError] = CheckFailed
) -> MinipaddleError:
    """Make the error of a wrong argument, with its value."""
    text = received if isinstance(received, str) else f"{type(received).__name__} {received!r}"
    return kind(what, expected=expected, received=f"{text:.80}", fix=fix)


def require(
    holds: object,
    what: str,
    expected: str,
    received: object,
    fix: str,
    kind: type[MinipaddleError] = CheckFailed,
) -> None:
    """Raise the error of a wrong argument unless `holds` is true."""
    if not holds:
        raise refused(what, expected, received, fix, kind)


def require_positive(name: str, value: object, kind: type[MinipaddleError] = CheckFailed) -> None:
    """Raise an error unless an argument is an int above 0."""
    good = isinstance(value, int) and not isinstance(value, bool) and value > 0
    what = f"{name} should be a positive integer."
    require(good, what, "an int above 0", value, f"write {name}=32", kind)


def require_bool(name: str, value: object, kind: type[MinipaddleError] = CheckFailed) -> None:
    """Raise an error unless an argument is True or False."""
    what = f"{name} should be a boolean value."
    require(isinstance(value, bool), what, "True or False", value, f"write {name}=True", kind)


# ----- datasets ----------------------------------------------------------------------------------


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


def no_tensors_yet() -> MinipaddleError:
    what = "TensorDataset con only be used in imperative mode."
    fix = "feed NumPy arrays, or call paddle.disable_static()"
    return refused(what, "dynamic mode", "static mode", fix, PreconditionNotMet)


def numbers_of_rows(sizes: list[list[int]]) -> MinipaddleError:
    what, expected = "tensors not have same shape of the 1st dimension.", "as many rows in each"
    return refused(what, expected, f"shapes {sizes}", "cut them to the same number of rows")


def not_a_chain(dataset: Any) -> MinipaddleError:
    what = "ChainDataset only support paddle.io.IterableDataset."
    fix = "use ConcatDataset for datasets with positions"
    return refused(what, "IterableDatasets", dataset, fix)


def without_positions(dataset: Any) -> MinipaddleError:
    what = "ConcatDataset does not support IterableDataset."
    return refused(what, "datasets with positions", dataset, "use ChainDataset")


def index_too_low(index: int, least: int) -> MinipaddleError:
    what = "absolute value of index should not exceed dataset length."
    return refused(what, f"an index from {least}", index, "use a smaller index", InvalidArgument)


def lengths_of_parts(given: Iterable[Any], sizes: list[Any], total: int) -> MinipaddleError:
    what = "Sum of input lengths does not equal the length of the input dataset!"
    expected = f"lengths that add up to {total}, or fractions that add up to 1"
    fix = f"make the last one {total - sum(sizes[:-1])}"
    return refused(what, expected, str(list(given)), fix, InvalidArgument)


# ----- batches -----------------------------------------------------------------------------------


def no_length() -> MinipaddleError:
    what, expected = "length of IterableDataset not supported.", "a dataset with positions"
    fix = "count the batches in a loop"
    return refused(what, expected, "an IterableDataset", fix, InvalidArgument)


def no_batch_of(sample: object) -> MinipaddleError:
    kinds = "tensor, numpy.ndarray, dict, list, number"
    what = f"batch data con only contains: {kinds}, but got {type(sample)}."
    fix = "return arrays and numbers from __getitem__, or give a collate_fn"
    return refused(what, "samples of these kinds", type(sample).__name__, fix, InvalidType)


def numbers_of_fields(sizes: set[int]) -> MinipaddleError:
    what = "fields number not same among samples in a batch."
    expected, fix = "as many fields in each sample", "give a collate_fn that fills them up"
    return refused(what, expected, str(sorted(sizes)), fix, NotFound)
