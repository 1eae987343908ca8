"""What needs no browser runs in Node.js: the unit tests beside this file, and the joined module."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.each import each
from viz.player.page import script

from ..conftest import missing
from ..patience import PATIENCE
from .composing import WEB

HERE = Path(__file__).parent
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def node(request: pytest.FixtureRequest) -> str:
    return shutil.which("node") or missing(request.config, "Node.js is not installed")


def unit_tests(node: str, folder: Path) -> str:
    """Return the report of all unit tests in a folder; raise AssertionError if one fails."""
    command = [node, "--test-reporter=tap", HERE / "unit_tests.mjs", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_unit_tests_pass(node: str) -> None:
    report = unit_tests(node, HERE)
    assert "\n# fail 0\n" in report
    files = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.test.js"))
    assert f"\n# pass {len(re.findall(r'^test[(]', files, re.MULTILINE))}\n" in report


def test_a_failing_unit_test_is_noticed(node: str, tmp_path: Path) -> None:
    code = 'import { test } from "node:test"; test("no", () => { throw new Error(); });'
    (tmp_path / "broken.test.js").write_text(code)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    with pytest.raises(AssertionError, match="not ok 1"):
        unit_tests(node, tmp_path)


def test_modules_may_be_joined() -> None:
    """A page has them all in one module, so no name may stand in two of them."""
    sources = [path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.js"))]
    declared = [name for source in sources for name in DECLARED.findall(source)]
    assert len(declared) > 300
    assert [name for name, count in Counter(declared).items() if count > 1] == []


@each("main", ["player", "twin", "ranks"])
def test_the_joined_module_is_javascript(node: str, tmp_path: Path, main: str) -> None:
    file = tmp_path / f"{main}.mjs"
    file.write_text(script(main), encoding="utf-8")
    done = subprocess.run([node, "--check", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
