"""Rows of plain calls, shared by several topics: a name, and calls whose results are shown."""

import numpy as np

from ..harness import Case, builtin_class


def describe(value):
    """Show a tensor with its stop_gradient, and what stands in lists and tuples likewise."""
    if hasattr(value, "stop_gradient"):
        return [value, value.stop_gradient]
    if isinstance(value, list | tuple):
        return [describe(item) for item in value]
    plain = bool | int | float | str | np.ndarray | None
    return value if isinstance(value, plain) else repr(value)


def row(name, *calls, differs=None, ulps=0):
    """A case: every call gets `paddle`; its result, or its error's built-in class, is shown."""

    def run(paddle, show):
        for number, call in enumerate(calls):
            try:
                answer = describe(call(paddle))
            except Exception as error:  # noqa: BLE001  (every class is an answer)
                answer = builtin_class(error)
            show(f"call {number}", answer)

    return Case(name, run, differs=differs, ulps=ulps)
