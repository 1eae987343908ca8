"""Operators: combinations of dtypes, results and errors."""

from functools import partial

import numpy as np

from ..harness import builtin_class, case
from ._texts import texts

DTYPES = ["bool", "int32", "int64", "float32", "float64"]


def filled(paddle, dtype, values=(1, 0, 1)):
    return paddle.to_tensor(np.array(values).astype(dtype))


def outcome(call):
    """Return the dtype of a call's result, or the class of its error."""
    try:
        return str(call().dtype).removeprefix("paddle.")
    except (TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        return builtin_class(error)


def table(paddle, operation, rights):
    """Return a line for each left dtype, with its outcome for each right operand."""
    lines = []
    for dtype in DTYPES:
        left = filled(paddle, dtype)
        outcomes = [outcome(partial(operation, left, right)) for right in rights]
        lines.append(" ".join([dtype, *outcomes]))
    return lines


@case(differs="float16 tensors add, too: real Paddle has no such kernel for a CPU")
def half_precision_plus_itself(paddle, show):
    half = filled(paddle, "float16")
    show("sum", half + half)


@case
def division_by_zero(paddle, show):
    n = paddle.to_tensor([1, 2])
    try:
        n // paddle.to_tensor([0, 1])
    except Exception:  # noqa: BLE001  (real Paddle has a class of its own)
        show("floor refused", True)


def names(paddle):
    """Return the names that the expressions use."""
    x = paddle.to_tensor([1.0, 2.0, 3.0])
    y = paddle.to_tensor([2.0, 2.0, 2.0])
    flags = paddle.to_tensor([True])
    matrix = paddle.ones([2, 3])
    vector = paddle.ones([3])
    return globals() | locals()


TABLE = texts("arithmetic", names)
