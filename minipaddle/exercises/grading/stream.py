"""Results in one file, a line of JSON for each notebook, written as they come."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from .. import errors
from .grade import Result
from .sandbox import Limits


class Stream:
    """File of results; `known` are those that it had before, by the names of their notebooks.

    The first line says what the results depend on. A line that was cut off by a crash is dropped.
    """

    def __init__(self, path: Path, about: dict[str, Any], *, resume: bool) -> None:
        self.path = path
        self.known: dict[str, Result] = {}
        content = path.read_bytes() if path.exists() else b""
        if content and not resume:
            raise errors.results_there(path)
        whole = content.rfind(b"\n") + 1
        if not whole and not line_of(about).startswith(content):
            raise errors.other_results(path, "no results", about)
        if whole:
            try:
                first, *lines = [json.loads(line) for line in content[:whole].splitlines()]
            except ValueError:
                raise errors.other_results(path, "no results", about) from None
            if first != about:
                raise errors.other_results(path, first, about)
            self.known = {line["file"]: (line["result"], line["seconds"]) for line in lines}
        if content:
            os.truncate(path, whole)
        if not whole:
            self.write(about)

    def add(self, file: str, result: Result) -> None:
        """Write the result of a notebook."""
        self.write({"file": file, "seconds": result[1], "result": result[0]})

    def write(self, line: dict[str, Any]) -> None:
        """Write a line, so that it is there after a crash."""
        with self.path.open("ab") as file:
            file.write(line_of(line))
            file.flush()
            os.fsync(file.fileno())


def line_of(about: dict[str, Any]) -> bytes:
    """Return a line of the file."""
    return json.dumps(about).encode("ascii") + b"\n"


def depends_on(exercises: str, limits: Limits, seed: int) -> dict[str, Any]:
    """Return what the results of a grading depend on, beside the notebooks."""
    content = Path(exercises).read_bytes() if exercises else b""
    digest = hashlib.sha256(content).hexdigest() if exercises else ""
    about = {"exercises": digest, "seed": seed, "seconds": limits.seconds, "memory": limits.memory}
    return {"minipaddle grade": 1, **about}
