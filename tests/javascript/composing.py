"""What the page makes of its data, made by Node.js."""

import json
import shutil
import subprocess
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

from viz.language.words import all_in

from ..conftest import missing

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "viz/player/web"


def composed(
    graph: dict[str, Any], opens: Iterable[Collection[str]], ids: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """A scene for each set of open groups; `resolved` says what stands for each of these ids."""
    asked = {"graph": graph, "opens": [sorted(names) for names in opens], "ids": list(ids)}
    scenes: list[dict[str, Any]] = _run("compose.mjs", asked)
    return scenes


def unpacked(packed: dict[str, Any]) -> list[dict[str, Any]]:
    """The payloads that were packed, one for each chapter."""
    payloads: list[dict[str, Any]] = opened(packed)["chapters"]
    return payloads


def opened(packed: dict[str, Any]) -> dict[str, Any]:
    """The chapters of a page, the number of its steps, and where each number leads."""
    book: dict[str, Any] = _run("unpack.mjs", packed)
    return book


def machines(asked: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """What machines of these programs make of the numbers that they are given, run after run."""
    made: list[list[dict[str, Any]]] = _run("machines.mjs", asked)
    return made


def what_ifs(packed: dict[str, Any], cases: list[list[Any]]) -> list[list[dict[str, Any]]]:
    """What a page shows otherwise than recorded, after each of these lists of edits."""
    asked = {"packed": packed, "cases": cases, "sweep": None}
    made: list[list[dict[str, Any]]] = _run("what_ifs.mjs", asked)
    return made


def losses(packed: dict[str, Any], chapter: int, cases: list[list[Any]]) -> list[float | str]:
    """Return the losses of a chapter after lists of edits, as the page draws them as a curve."""
    made: list[float | str] = _run(
        "what_ifs.mjs", {"packed": packed, "cases": cases, "sweep": chapter}
    )
    return made


def elements(pages: list[dict[str, Any]], most: int, lang: str = "en") -> list[Any]:
    """What single elements are made from and act on, so many of each value: by chapter and step."""
    made: list[Any] = []
    catalogue = {lang: all_in(lang)}
    for first in range(0, len(pages), 40):
        asked = {"pages": pages[first : first + 40], "most": most, "catalogue": catalogue}
        made += _run("elements.mjs", asked)
    return made


def values(pages: list[dict[str, Any]]) -> list[list[list[Any]]]:
    """What boxes show, by page and chapter: step, box, line, and bytes of a picture."""
    made: list[list[list[Any]]] = _run("values.mjs", pages)
    return made


def evaluated(config: pytest.Config, program: str, asked: Any) -> Any:
    """What a module prints that gets the folder of the page's modules and this input."""
    node = shutil.which("node") or missing(config, "Node.js is not installed")
    command = [node, "--input-type=module", "-e", program, str(WEB)]
    given = json.dumps(asked)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _run(script: str, asked: Any) -> Any:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    done = subprocess.run(
        [node, HERE / script], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
