"""Arithmetic for float16: ops compute in float32 and round each result once.

Paddle's kernels do the same. float16 ends at 65504 and has no odd numbers above 2048, so that sums,
squares or counts in float16 would be wrong even if the result is a float16.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.dtypes import DType
from ..engine.fast_paths import SPECIAL
from ..engine.meta import Meta
from ..engine.tensor import as_array
from .registry import REGISTRY

HALF, SINGLE = np.dtype("float16"), np.dtype("float32")


def is_half(x: Any) -> bool:
    """Return whether a value is an array, a Tensor or a Variable of float16."""
    dtype = getattr(x, "dtype", None)
    if isinstance(dtype, np.dtype):
        return bool(dtype == HALF)
    return dtype is not None and DType.of(dtype).numpy == HALF


def is_special(array: Any) -> bool:
    """Return whether an array is of float16 or of complex numbers."""
    return array is not None and array.dtype.char in SPECIAL


def any_of(kind: Callable[[Any], bool], row: Any) -> bool:
    """Return whether a value, or an item of a list among the values, is of a kind."""
    return any(any_of(kind, x) if isinstance(x, (list, tuple)) else kind(x) for x in row)


def wider_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of computations for results of this dtype."""
    return SINGLE if dtype == HALF else dtype


def apply_to_each(cast: Callable[[Any], Any], x: Any) -> Any:
    """Apply `cast` to a value, or to each item of a list."""
    return [apply_to_each(cast, one) for one in x] if isinstance(x, list) else cast(x)


def wide_kernel(op: Any) -> Callable[..., Any]:
    """Make the kernel that computes float16 in float32."""

    def kernel(xp: Any, *arrays: Any, **attrs: Any) -> Any:
        inferred = op.infer_arrays(arrays, attrs)  # raises errors of dtypes
        wide = apply_to_each(lambda a: a.astype(SINGLE) if is_half(a) else a, [*arrays])
        try:
            result = op.kernel(xp, *wide, **attrs)
        except Exception:
            op.kernel(xp, *arrays, **attrs)  # its error names float16
            raise
        if isinstance(inferred, Meta):
            return _round_half(as_array(result), inferred)
        return [_round_half(as_array(a), meta) for a, meta in zip(result, inferred, strict=True)]

    return kernel


def _round_half(array: Any, meta: Meta) -> Any:
    return array.astype(HALF) if meta.dtype == HALF else array


def wide_rule(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Make the gradient rule that computes float16 in float32."""

    def wide_function(F: Any, *values: Any, **extra: Any) -> Any:
        def widen(x: Any) -> Any:
            return F.cast(x, dtype=DType.of(SINGLE)) if is_half(x) else x

        def round_(x: Any) -> Any:
            wide = x is not None and DType.of(x.dtype).numpy == SINGLE
            return F.cast(x, dtype=DType.of(HALF)) if wide else x

        grads = rule(F, *apply_to_each(widen, [*values]), **extra)
        return apply_to_each(round_, [*grads] if isinstance(grads, tuple) else grads)

    return wide_function


# ----- functions written with ops ----------------------------------------------------------------


def round_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let users' calls of a hand-written function compute in float32 and return float16 if all
    their floating-point tensors are of float16."""
    function.of_half = functools.partial(_call_wide, function)  # type: ignore[attr-defined]
    return function


def _call_wide(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    row = [x for x in (*args, *kwargs.values()) if hasattr(x, "stop_gradient")]
    if not row or any(DType.of(x.dtype).is_floating and not is_half(x) for x in row):
        return function(*args, **kwargs)  # promoted to the wider dtype
    try:
        out = function(*map(_widen, args), **{k: _widen(x) for k, x in kwargs.items()})
    except Exception:
        function(*args, **kwargs)  # its error names float16
        raise
    return REGISTRY["cast"].call(out, dtype=DType.of(HALF))


def _widen(x: Any) -> Any:
    tensor = hasattr(x, "stop_gradient") and is_half(x)
    return REGISTRY["cast"].call(x, dtype=DType.of(SINGLE)) if tensor else x
