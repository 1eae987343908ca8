"""Arrays in a trace: all elements of small ones, statistics of large ones."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any

import numpy as np

from minipaddle.events import Value

SMALL = 4096  # elements; of larger arrays usually only statistics are stored
CHUNK = 32768  # elements that are processed at once, so that they stay in the cache
FEW = 40  # elements up to which writing one by one is quick
COMPLEX = re.compile(r"\(?[-+.\de]+j\)?")  # a complex number as str() writes it
BINS, COUNTED = 24, 8192  # a histogram's parts, and the elements that it counts at most
# Number of the flight, in which `quick_summary` is enough; 0 for any other recording.
brief: ContextVar[int] = ContextVar("brief", default=0)


def host(array: Any) -> np.ndarray[Any, Any]:
    """Return an array in main memory, copied if it is on a GPU."""
    return np.asarray(array.get() if hasattr(array, "get") else array)


def little_endian(array: Any) -> bytes:
    """Return all elements as little-endian bytes, which are the same on every machine."""
    array = host(array)
    return bytes(array.astype(array.dtype.newbyteorder("<")).tobytes())


def summary(array: Any, ends: Callable[[Any], tuple[Any, Any]] | None = None) -> dict[str, Any]:
    """Return an array's statistics: range, mean and standard deviation of the finite elements, and
    the numbers of NaN, infinite, zero and all elements.

    `std` is divided by n, not n - 1. Arrays of more than 4096 elements also have a histogram; in a
    flight these have a quick summary, with the range that `ends` finds.

    >>> summary(np.array([1.0, 2.0, float("nan")]))
    {'min': 1.0, 'max': 2.0, 'mean': 1.5, 'std': 0.5, 'nan': 1, 'inf': 0, 'zeros': 0, 'size': 3}
    """
    array = host(array)
    quick = brief.get() and array.size > SMALL and quick_summary(array, ends or ends_of)
    if quick:
        return quick
    stats: dict[str, Any] = {"min": None, "max": None, "mean": None, "std": None}
    stats |= {"nan": 0, "inf": 0, "zeros": 0, "size": int(array.size)}
    if array.size == 0 or array.dtype.kind not in "biuf":
        return stats
    stats["zeros"] = int(np.count_nonzero(array == 0))  # far faster than to count numbers
    low, high = np.minimum.reduce(array, None), np.maximum.reduce(array, None)
    if array.dtype.kind == "f" and not math.isfinite(float(low) - float(high)):
        stats["nan"] = int(np.isnan(array).sum())
        stats["inf"] = int(np.isinf(array).sum())
        array = array[np.isfinite(array)]
        if array.size == 0:
            return stats
        low, high = array.min(), array.max()
    stats |= {"min": number(low), "max": number(high)}
    mean = np.add.reduce(array, None, np.float64) / array.size
    stats |= {"mean": number(mean), "std": number(spread(array, mean, low, high))}
    if array.size > SMALL and math.isfinite(float(high) - float(low)) and high > low:
        stats["bins"] = histogram(array, float(low), float(high))
    return stats


def quick_summary(array: Any, ends: Callable[[Any], tuple[Any, Any]]) -> dict[str, Any] | None:
    """Return the range of all elements, and mean and standard deviation of every n-th element.

    None for what needs more: dtypes other than float32 and float64, NaN, infinities, and a spread
    that is small beside the mean. `ends` returns the range of a row, NaN if one is among it.

    >>> quick_summary(np.array([1.0, 2.0, 3.0]), ends_of)["mean"]
    2.0
    >>> [quick_summary(np.float32(row), ends_of) for row in ([np.nan], [1000.0, 1000.01])]
    [None, None]
    """
    if array.dtype.kind != "f" or array.itemsize < 4:
        return None
    row = array.ravel("K")
    low, high = ends(row)
    if not math.isfinite(float(low) - float(high)):
        return None
    for some in (row[:: row.size // COUNTED | 1], row):
        square, mean = float(some.dot(some)) / some.size, float(some.sum()) / some.size
        variance = square - mean * mean
        if math.isfinite(square) and variance >= 1e-3 * square and (square or low == high):
            zeros = {"zeros": row.size} if low == high == 0 else {}  # else their number is unknown
            middle = {"mean": mean, "std": math.sqrt(variance), "nan": 0, "inf": 0, **zeros}
            return {"min": number(low), "max": number(high), **middle, "size": row.size}
    return None


def ends_of(row: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Return the range of a row, read from one part after the other, while it is in the cache."""
    parts = (row[start : start + CHUNK] for start in range(0, row.size, CHUNK))
    lows, highs = zip(*((part.min(), part.max()) for part in parts), strict=True)
    return np.min(lows), np.max(highs)


def spread(array: np.ndarray[Any, Any], mean: Any, low: Any, high: Any) -> float:
    """Return the standard deviation, without overflow or underflow.

    >>> spread(np.array([1e-200, 3e-200]), 2e-200, 1e-200, 3e-200)
    1e-200
    """
    middle = float(mean)
    widest = max(float(high) - middle, middle - float(low))
    if not 0 < widest < math.inf:
        return widest
    unit = 1.0 if 1e-100 < widest < 1e100 else widest
    row, total = array.reshape(-1), 0.0
    for start in range(0, row.size, CHUNK):
        off = np.subtract(row[start : start + CHUNK], mean, dtype=np.float64)
        if unit != 1.0:
            off /= unit
        total += float(np.add.reduce(np.square(off, out=off), None))
    return unit * math.sqrt(total / row.size)


def histogram(array: np.ndarray[Any, Any], low: float, high: float) -> list[int]:
    """Count the elements in each of 24 equal parts between the smallest and the largest.

    In a large array every n-th element is counted; n is odd, to mix the columns of even rows.

    >>> sum(histogram(np.arange(5000.0), 0.0, 4999.0))
    5000
    """
    every = -(-array.size // COUNTED) | 1
    some = array.reshape(-1)[::every].astype(np.float64)
    places = ((some - low) * (BINS / (high - low))).astype(np.intp)
    return np.bincount(np.minimum(places, BINS - 1), minlength=BINS).tolist()


def number(scalar: Any) -> Any:
    """Return an element as JSON, with the fewest digits from which the element can be restored."""
    if isinstance(scalar, (np.floating, float)):
        short = float(str(scalar))
        return short if math.isfinite(short) else str(short)
    return scalar.item() if hasattr(scalar, "item") else scalar


def nested_lists(array: np.ndarray[Any, Any]) -> Any:
    """Return all elements as nested lists; NaN and infinity become texts."""
    if array.dtype.kind == "c":
        return array.astype(str).tolist()
    if array.dtype.kind != "f":
        return array.tolist()
    if not np.logical_and.reduce(np.isfinite(array), None):
        return each(number, array)
    if array.dtype == np.float64:
        return array.tolist()
    return shortest(array).tolist()


def shortest(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return finite elements as float64 with the fewest digits that restore them exactly.

    NumPy's str() finds such digits one element at a time. A float32 needs 6 to 9 digits, so all
    elements are rounded to 6, 7, ... digits at once, until each is restored. Outside of 1e-14 to
    1e23 powers of ten are not exact in float64, and str() is used.

    >>> shortest(np.array([0.1, 16777216.0], "float32")).tolist()
    [0.1, 16777216.0]
    """
    exact = array.astype(np.float64)
    size = np.where(exact == 0, 1.0, np.abs(exact))
    few = array.size <= FEW or array.dtype != np.float32
    if few or size.min() < 1e-14 or size.max() >= 1e23:
        return array.astype(str).astype(np.float64)
    left, found, first = np.ones(exact.shape, bool), exact, np.floor(np.log10(size))
    for digits in range(6, 10):
        places = digits - 1 - first
        up, down = 10.0 ** np.maximum(places, 0), 10.0 ** np.maximum(-places, 0)
        near = np.rint(exact * up / down) * down / up
        found = np.where(left, near, found)
        left &= near.astype(array.dtype) != array
        if not left.any():
            break
    return found


def only(data: Any) -> Any:
    """Return the only element of data, or None if there are more or the data is None.

    >>> only([[3.0]]), only([1.0, 2.0]), only(None)
    (3.0, None, None)
    """
    while isinstance(data, list) and len(data) == 1:
        data = data[0]
    return None if isinstance(data, list) else data


def is_zero(entry: Mapping[str, Any]) -> bool:
    """Return whether the statistics of an entry say that every element is 0.

    >>> is_zero({"stats": summary(np.zeros(2))}), is_zero({"stats": summary(np.array([0, np.inf]))})
    (True, False)
    """
    stats = entry["stats"]
    odd = stats.get("nan") or stats.get("inf")
    return not odd and stats.get("min") == stats.get("max") == 0


def content_key(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Return a key for an entry's content, without a copy of the long text `whole`.

    >>> content_key({"stats": {}, "whole": "AAAA"})
    ("{'stats': {}}", 'AAAA')
    """
    rest = {key: part for key, part in entry.items() if key != "whole"}
    return repr(rest), entry.get("whole", "")


def zeros_like(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of zeros in the shape and dtype of another entry.

    >>> zeros_like({"shape": [2], "dtype": "float32", "data": [1.0, 2.0], "stats": {}})["data"]
    [0.0, 0.0]
    """
    zeros = np.broadcast_to(0.0, entry["shape"])
    data = None if entry.get("data") is None else nested_lists(zeros)
    return {**entry, "data": data, "stats": summary(zeros)}


def each(function: Any, array: np.ndarray[Any, Any]) -> Any:
    """Apply a function to every element; return nested lists."""
    if array.ndim == 0:
        return function(array[()])
    return [each(function, np.asarray(row)) for row in array]


class Entry(dict[str, Any]):
    """An entry of the table of values, at one occurrence of the value.

    An entry has a shape, a dtype, statistics and, if small, all elements; `whole` has all elements
    of a large tensor that no recorded op made. In results of `Trace.what_if`, `stale` is the reason
    why a value could not be computed, and `kink` is true if rounding may have decided the value.
    `occurrence` is the index of the value among all that were read, or a pair of indices for a
    difference of two values, or None for a value that is in no record.
    """

    __slots__ = ("occurrence",)
    occurrence: int | tuple[int, int] | None


class LoadedValue(Value):
    """A value in a document: its data is an entry of the table of values."""

    __slots__ = ()
    data: Entry

    @property
    def occurrence(self) -> int:
        """Index of the value among all that were read; equal values share an entry's content."""
        return self.data.occurrence  # type: ignore[return-value]


def values_in(thing: Any) -> Iterator[Value]:
    """Yield every Value inside nested tuples and mappings."""
    if isinstance(thing, Value):
        yield thing
    elif thing is not None and not isinstance(thing, str):
        for item in thing.values() if isinstance(thing, dict) else thing:
            yield from values_in(item)


def flatten(arguments: Iterable[Any]) -> tuple[Any, ...]:
    """Return arguments, or their names, with nested lists flattened."""
    row: list[Any] = []
    for each in arguments:
        row += flatten(each) if isinstance(each, (list, tuple)) else [each]
    return tuple(row)


class ValueTable:
    """Values of a trace: each content is stored once, and numbered by first appearance.

    The data of a Value is an array, the statistics of a large one, or an entry of another table.
    """

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self._known: dict[Any, int] = {}

    def add(self, value: Value) -> int:
        """Return the number of a value in the table; add the value if it is new."""
        data = value.data
        if isinstance(data, Entry):
            return self.put(content_key(data), data)
        if data is None or isinstance(data, dict):
            stats = dict(data or {})
            whole = stats.pop("whole", None)
            entry: dict[str, Any] = {"data": None, "stats": stats}
            if whole is not None:
                entry["whole"] = base64.b64encode(whole).decode("ascii")
            key: Any = (value.dtype, value.shape, str(stats), whole)
        else:
            array = host(data)
            key = (value.dtype, array.shape, array.tobytes())
            if key in self._known:
                return self._known[key]
            small = array.size <= SMALL
            entry = {"data": nested_lists(array) if small else None, "stats": summary(array)}
        return self.put(key, {"shape": list(value.shape), "dtype": value.dtype, **entry})

    def put(self, key: Any, entry: dict[str, Any]) -> int:
        """Return the number of the entry with a key; add the entry if it is new."""
        if key not in self._known:
            self._known[key] = len(self.entries)
            self.entries.append(entry)
        return self._known[key]
