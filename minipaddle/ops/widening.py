"""Wider arithmetic for float16: ops compute in float32, and round each result once.

So do Paddle's kernels. float16 ends at 65504, and above 2048 it has no odd numbers: a sum, a
square or a count that was kept in it would be wrong where it has the result itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.meta import Meta
from ..engine.tensor import as_array
from .registry import REGISTRY

HALF, SINGLE = np.dtype("float16"), np.dtype("float32")


def is_half(x: Any) -> bool:
    """Return whether something is an array, a Tensor or a Variable of float16."""
    dtype = getattr(x, "dtype", None)
    return dtype is not None and dtype is not SINGLE and DType.of(dtype).numpy == HALF


def some_half(row: Any) -> bool:
    """Return whether one of several, or of the items of a list among them, is of float16."""
    return any(some_half(x) if isinstance(x, (list, tuple)) else is_half(x) for x in row)


def wider(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype to compute in for results of this one."""
    return SINGLE if dtype == HALF else dtype


def each(cast: Callable[[Any], Any], x: Any) -> Any:
    """Apply `cast` to a value, or to each item of a list."""
    return [each(cast, one) for one in x] if isinstance(x, list) else cast(x)


def wide_kernel(op: Any) -> Callable[..., Any]:
    """Make the kernel that computes float16 in float32."""

    def kernel(xp: Any, *arrays: Any, **attrs: Any) -> Any:
        inferred = op.infer_arrays(arrays, attrs)  # which refuses what there is no op for
        wide = each(lambda a: a.astype(SINGLE) if is_half(a) else a, [*arrays])
        try:
            result = op.kernel(xp, *wide, **attrs)
        except Exception:
            op.kernel(xp, *arrays, **attrs)  # its error tells of float16
            raise
        if isinstance(inferred, Meta):
            return _rounded(as_array(result), inferred)
        return [_rounded(as_array(a), meta) for a, meta in zip(result, inferred, strict=True)]

    return kernel


def _rounded(array: Any, meta: Meta) -> Any:
    return array.astype(HALF) if meta.dtype == HALF else array


def wide_rule(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Make the gradient rule that computes float16 in float32."""

    def computed(F: Any, *values: Any, **extra: Any) -> Any:
        def widen(x: Any) -> Any:
            return F.cast(x, dtype=DType.of(SINGLE)) if is_half(x) else x

        def round_(x: Any) -> Any:
            wide = x is not None and DType.of(x.dtype).numpy == SINGLE
            return F.cast(x, dtype=DType.of(HALF)) if wide else x

        grads = rule(F, *each(widen, [*values]), **extra)
        return each(round_, [*grads] if isinstance(grads, tuple) else grads)

    return computed


# ----- functions written with ops ----------------------------------------------------------------


def rounds_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let users' calls of a written function compute in float32, and give float16, where all of
    their floating-point tensors are of float16."""
    function.of_half = functools.partial(_of_half, function)  # type: ignore[attr-defined]
    return function


def _of_half(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    row = [x for x in (*args, *kwargs.values()) if hasattr(x, "stop_gradient")]
    if not row or any(DType.of(x.dtype).is_floating and not is_half(x) for x in row):
        return function(*args, **kwargs)  # they meet in the wider dtype
    try:
        out = function(*map(_widened, args), **{k: _widened(x) for k, x in kwargs.items()})
    except Exception:
        function(*args, **kwargs)  # its error tells of float16
        raise
    return REGISTRY["cast"].call(out, dtype=DType.of(HALF))


def _widened(x: Any) -> Any:
    tensor = hasattr(x, "stop_gradient") and is_half(x)
    return REGISTRY["cast"].call(x, dtype=DType.of(SINGLE)) if tensor else x
