"""Which functions of NumPy compute an op and its gradient rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.ops import noting
from tests.ops.drawing import attrs_of, flat, like


class Watched(np.ndarray):
    """An array that notes the functions that compute with it."""

    used: set[str] = set()  # noqa: RUF012  # cleared for each op

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, out: Any = (), **options: Any
    ) -> Any:
        Watched.used.add(ufunc.__name__)
        options |= {"out": tuple(map(plain, out))} if out else {}
        options |= {"where": plain(options["where"])} if "where" in options else {}
        result = getattr(ufunc, method)(*map(plain, inputs), **options)
        if out:
            return out if len(out) > 1 else out[0]
        return tuple(map(watched, result)) if isinstance(result, tuple) else watched(result)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        Watched.used.add(function.__name__)
        return super().__array_function__(function, types, args, kwargs)

    def dot(self, *args: Any) -> Any:
        Watched.used.add("dot")
        return super().dot(*args)


def plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Watched) else value


def watched(value: Any) -> Any:
    return value if value is None else np.asarray(value).view(Watched)


def functions_of(op: Any, sample: Any, arrays: list[Any]) -> tuple[set[str], set[str]]:
    """Return the functions behind the outputs, and those behind outputs and gradients."""
    Watched.used = set()
    inputs, attrs = like(arrays, [watched(each) for each in flat(arrays)]), attrs_of(op, sample)
    outs = [watched(each) for each in noting.results(op, np, inputs, attrs)]
    forward = set(Watched.used)
    noting.gradients(op, np, inputs, outs, attrs, watched)
    return forward, Watched.used
