"""What needs no browser runs in Node.js: the unit tests beside this file, and the joined module."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.each import each
from viz.player.page import script

from ..conftest import missing
from ..patience import PATIENCE

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def node(request: pytest.FixtureRequest) -> str:
    return shutil.which("node") or missing(request.config, "Node.js is not installed")


def test_the_unit_tests_pass(node: str) -> None:
    command = [node, "--test-reporter=tap", HERE / "unit_tests.mjs"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# fail 0\n" in done.stdout
    files = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("*.test.js"))
    assert f"\n# pass {len(re.findall(r'^test[(]', files, re.MULTILINE))}\n" in done.stdout


@each("main", ["player", "twin", "ranks"])
def test_the_joined_module_is_javascript(node: str, tmp_path: Path, main: str) -> None:
    file = tmp_path / f"{main}.mjs"
    file.write_text(script(main), encoding="utf-8")
    done = subprocess.run([node, "--check", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
