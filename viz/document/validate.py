"""Check of a whole document before anything else reads it."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.engine.errors import InvalidArgument

from .codec import LARGEST, NEWER, NOT_FINITE, Decoder, damage_error, form
from .document import Cut, Ended
from .history import ODD, Before
from .rounds import RoundEntry, check_rounds

# Reasons why a value cannot be computed again.
REASONS = ("python", "hook", "random", "ranks", "size", "large")
STATS = ("min", "max", "mean", "std", "nan", "inf", "zeros", "size")
LIMITS = ("events", "bytes")  # units of a recording's limit
AXES = 64  # upper bound of the axes of a NumPy array
MEMORY = 2**59  # elements of 16 bytes that 64-bit addresses can reach
MOST = 1000  # upper bound of the parts of a histogram
COMPLEX = re.compile(r"\(?[-+.\deinfaj]+\)?")  # a complex number as str() writes it


def validate(document: Any, format: str, version: int) -> dict[str, Any]:
    """Return the document; raise InvalidArgument if it is no usable trace."""
    if not isinstance(document, dict) or document.get("format") != format:
        given = document.get("format", "no format") if isinstance(document, dict) else document
        raise InvalidArgument(
            "this file is not a trace of minipaddle.",
            expected=f'a JSON object with "format": "{format}"',
            received=f"{given:.60}" if isinstance(given, str) else type(given).__name__,
            fix="load a file that trace.save(...json) wrote",
        )
    given = document.get("version")
    if given != version:
        later = type(given) is int and given > version
        raise InvalidArgument(
            "this trace was written in another version of the format.",
            expected=f"version {version}",
            received=f"version {given!r:.40}",
            fix=NEWER if later else "record the trace again with this minipaddle",
        )
    check_letters(document)
    require(isinstance(document.get("title"), str), "title", "text", document.get("title"))
    for name in ("events", "values", "sources"):
        require(isinstance(document.get(name), list), name, "a list", document.get(name))
    for i, entry in enumerate(document["values"]):
        check_value(entry, f"values[{i}]")
    decoder = Decoder(document["values"], document["sources"])

    def read(name: str, hint: Any, missing: Any = None) -> Any:
        return form(hint).read(decoder, document.get(name, missing), name)

    for i, source in enumerate(read("sources", tuple[Source, ...])):
        fits = source.first >= 1
        require(fits, f"sources[{i}].first", "a line number", source.first)
    read("names", tuple[tuple[int, int, str], ...])
    check_layers(document.get("layers", {}))
    framework = document.get("framework", "")
    require(isinstance(framework, str), "framework", "a name", framework)
    read("variables", tuple[tuple[int, str, str], ...], [])
    decoder.events(document["events"])
    require("ended" in document, "ended", "an object or null", "nothing")
    read("ended", Ended | None)
    cut = read("cut", Cut | None)
    require(cut is None or cut.what in LIMITS, "cut.what", "events or bytes", cut and cut.what)
    check_ranks(document.get("rank", 0), document.get("world_size", 1))
    count = len(document["events"])
    check_rounds(read("rounds", tuple[RoundEntry, ...], []), count)
    before = read("before", Before | None)
    fits = before is None or (0 <= before.events <= count and {*before.odd} <= {*ODD})
    require(fits, "before", f"events, 0 to {count}; odd: nan, inf", document.get("before"))
    return document


@dataclass(frozen=True, slots=True)
class Source:
    """A file in a document; `first` is the line number of its first stored line."""

    name: str
    first: int
    lines: tuple[str, ...]


def require(fits: bool, where: str, expected: str, received: object) -> None:
    if not fits:
        raise damage_error(where, expected, received)


def check_letters(document: dict[str, Any]) -> None:
    """Raise an error for a text with half a surrogate pair, or content that JSON cannot hold."""
    try:
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        around = error.object[max(0, error.start - 20) : error.end + 20]
        raise damage_error("a text", "whole letters, no half of a surrogate", around) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise damage_error("it", "what JSON can hold", error) from None


def check_value(entry: Any, where: str) -> None:
    """Raise an error unless an entry's parts are valid, and its data fit its shape and dtype."""
    require(isinstance(entry, dict), where, "an object", entry)
    shape, dtype, stats = (entry.get(name) for name in ("shape", "dtype", "stats"))

    def check(fits: bool, name: str, expected: str, received: Any) -> None:
        require(fits, f"{where}.{name}", expected, received)

    ranked = isinstance(shape, list) and len(shape) <= AXES
    check(ranked, "shape", f"a list of at most {AXES} sizes", shape)
    sized = all(type(n) is int and -1 <= n < LARGEST for n in shape)
    check(sized, "shape", "a list of whole numbers", shape)
    room = math.prod(max(abs(n), 1) for n in shape)  # an empty axis counts as one, as in NumPy
    check(room < MEMORY, "shape", "a size that memory can have", shape)
    check(isinstance(dtype, str) and kind_of(dtype) != "", "dtype", "a dtype", dtype)
    real = isinstance(stats, dict) and all(
        name in STATS and (number is None or type(number) is bool or is_real(number))
        for name, number in stats.items()
        if name not in ("bins", "size")
    )
    check(real, "stats", f"an object of numbers ({', '.join(STATS)})", stats)
    bins, size = stats.get("bins", []), stats.get("size", 0)
    counted = isinstance(bins, list) and len(bins) <= MOST and all(map(is_count, bins))
    check(counted, "stats.bins", "a list of whole numbers", bins)
    whole = entry.get("whole")
    check(whole is None or is_whole(whole, shape, dtype), "whole", "all elements in base64", whole)
    why = entry.get("stale", REASONS[0])
    check(why in REASONS, "stale", f"one of {', '.join(REASONS)}", why)
    check(entry.get("kink", True) is True, "kink", "true, or nothing", entry.get("kink"))
    check(is_count(size) and size < LARGEST, "stats.size", "a whole number", size)
    check("data" in entry, "data", "the elements, or null", "nothing")
    if entry["data"] is not None:
        check_data(entry["data"], shape, dtype, f"{where}.data")


def is_count(number: Any) -> bool:
    return type(number) is int and number >= 0


def is_whole(whole: Any, shape: list[int], dtype: str) -> bool:
    """Return whether `whole` is the bytes, in base64, of an array of this shape and dtype."""
    try:
        content = base64.b64decode(whole, validate=True)
        return len(content) == math.prod(shape) * np.dtype(dtype).itemsize
    except (TypeError, ValueError):
        return False


def kind_of(dtype: str) -> str:
    """Return NumPy's letter for a dtype's kind, or "" if `dtype` names none."""
    if dtype == "bfloat16":
        return "f"
    try:
        kind = np.dtype(dtype).kind
    except (TypeError, ValueError, SyntaxError):
        return ""
    return kind if kind in "biufc" and dtype.isalnum() else ""


def is_real(item: Any) -> bool:
    """Return whether an item is a bounded number, or a text for NaN or infinity."""
    if isinstance(item, str):
        return item in NOT_FINITE
    return (type(item) is float and math.isfinite(item)) or (
        type(item) is int and abs(item) < LARGEST
    )


def is_element(kind: str, dtype: str) -> Callable[[Any], bool]:
    """Return a function that checks an element of this dtype."""
    if kind == "b":
        return lambda item: type(item) is bool
    if kind == "c":
        return lambda item: isinstance(item, str) and COMPLEX.fullmatch(item) is not None
    if kind == "f":
        return is_real
    ends = np.iinfo(dtype)
    return lambda item: type(item) is int and ends.min <= item <= ends.max


def check_data(data: Any, shape: list[int], dtype: str, where: str) -> None:
    """Raise an error unless data is nested lists of this shape with elements of this dtype."""
    rows = [data]
    for size in shape:
        fits = all(isinstance(row, list) and len(row) == size for row in rows)
        require(fits, where, f"nested lists of shape {shape}", data)
        rows = [item for row in rows for item in row]
    fits = all(map(is_element(kind_of(dtype), dtype), rows))
    require(fits, where, f"elements of {dtype} in nested lists of shape {shape}", data)


def check_layers(layers: Any) -> None:
    """Raise an error unless layers maps names to names."""
    require(isinstance(layers, dict), "layers", "an object", layers)
    for layer, name in layers.items():
        require(isinstance(name, str), f"layers.{layer}", "text", name)


def check_ranks(rank: Any, count: Any) -> None:
    """Raise an error unless rank is one of `count` processes."""
    require(type(count) is int and count > 0, "world_size", "a number of processes", count)
    fits = type(rank) is int and 0 <= rank < count
    require(fits, "rank", f"a number from 0 to {count - 1}", rank)
