"""Reading the JSON of a trace file."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

from minipaddle.engine.errors import InvalidArgument, NotFound


def read(path: str | os.PathLike[str]) -> Any:
    """Return the JSON of a file; raise NotFound or InvalidArgument if there is none."""
    source = Path(path)
    if not source.is_file():
        raise NotFound(
            f"there is no trace file {source}.",
            expected="a .json file that trace.save() wrote",
            received="a folder" if source.is_dir() else "nothing of that name",
            fix="check the path; relative paths start at the working folder",
        )
    content = source.read_bytes()
    try:
        return json.loads(
            content.decode("utf-8"), parse_constant=_reject_constant, parse_float=_parse_finite
        )
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(
            f"{source} is not a trace: it is not valid JSON.",
            expected="a .json file that trace.save() wrote",
            received=_describe_content(content, error),
            fix="save the trace again; of all forms only .json can be loaded",
        ) from None


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _parse_finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):  # `1e999`
        _reject_constant(text)
    return number


def _describe_content(content: bytes, error: Exception) -> str:
    if not content:
        return "an empty file"
    return f"{len(content)} bytes; {type(error).__name__}: {str(error)[:100]}"
