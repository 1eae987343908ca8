"""Reading of typed answers: a number, a count, a shape, a name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from .checks.values import as_array


def number_in(value: Any) -> float | None:
    """Read a finite number, or a quotient such as 1/6; return None for other values."""
    if isinstance(value, str):
        top, slash, bottom = value.replace("−", "-").partition("/")
        try:
            number = float(top) / float(bottom) if slash else float(top)
        except (ValueError, ZeroDivisionError):
            return None
    else:
        array = as_array(value)
        if array is None or array.shape != () or array.dtype.kind not in "iuf":
            return None
        number = float(array)
    return number if math.isfinite(number) else None


def count_in(value: Any) -> int | None:
    """Read an int; return None for other values."""
    number = number_in(value)
    return None if number is None or not number.is_integer() else int(number)


def shape_in(value: Any) -> tuple[int, ...] | None:
    """Read sizes: [2, 3], (2, 3), 2 x 3 or 2×3; [] is the shape of a single number."""
    if isinstance(value, list | tuple):
        value = str(list(value))
    inner = str(value).strip().strip("[]()").strip()
    parts = re.split(r"\s*[,x×，]\s*|\s+", inner.rstrip(",")) if inner else []
    fits = all(part.isdecimal() for part in parts)
    return tuple(map(int, parts)) if fits and (parts or str(value).strip()) else None


def name_in(value: Any) -> str | None:
    """Read a name, with or without quotes."""
    return str(value).strip().strip("`'\"“”‘’").strip() or None


READERS: dict[str, Callable[[Any], Any]] = {
    "number": number_in,
    "count": count_in,
    "shape": shape_in,
    "name": name_in,
}
