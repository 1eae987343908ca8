"""Helpers of reductions, scans, sorting and statistics."""

import numpy as np

from ..harness import builtin_class

NAN, INF = float("nan"), float("inf")
SMALL = ("bool", "uint8", "int8", "int16")
KINDS = ("float32", "float64", "int32", "int64", *SMALL)
ROWS = np.array([[3, 1, 2], [0, 1, 4]])


def tensor(paddle, values, dtype="float32", grad=False):
    return paddle.to_tensor(np.array(values, dtype), stop_gradient=not grad)


def parts(answer):
    """Return several results as a list, and one result as itself."""
    return list(answer) if isinstance(answer, list | tuple) else answer


def first(answer):
    return answer[0] if isinstance(answer, list | tuple) else answer


def slope(paddle, call, values):
    """Return the first result, and the gradient for a cotangent that counts from 1."""
    x = tensor(paddle, values, "float64", grad=True)
    y = first(call(x))
    weights = np.arange(1.0, y.size + 1).reshape(y.shape)
    (y * paddle.to_tensor(weights)).sum().backward()
    return [y, x.grad]


def try_all(show, calls):
    """Show each result, or the built-in class of the exception."""
    for label, call in calls.items():
        try:
            answer = call()
        except Exception as error:  # noqa: BLE001  (every class is an answer)
            show(label, builtin_class(error))
        else:
            show(label, parts(answer))
