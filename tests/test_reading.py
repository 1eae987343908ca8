"""docs/reading.md leads to what is there, and its code runs from the first block to the last."""

import ast
import functools
import re
from pathlib import Path

import pytest

import minipaddle as paddle
from tests.each import each

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w/]+\.(?:py|js))`: ((?:`[\w.]+`(?:, )?)+)")


def places(page: str) -> list[tuple[str, str]]:
    """Every (file, name in it) that the page sends its reader to."""
    prose = BLOCK.sub("", page)
    return [
        (file, name) for file, row in FILE.findall(prose) for name in re.findall(r"[\w.]+", row)
    ]


def missing(file: str, name: str) -> str:
    """Name what is not there: the file, or what has that name in it."""
    path = ROOT / file
    if not path.is_file():
        return file
    if file.endswith(".js"):
        defined = re.search(
            rf"^(?:export )?(?:function|class|const) {name}\b", path.read_text(), re.MULTILINE
        )
        return "" if defined else f"{name} in {file}"
    scope: ast.AST = tree(path)
    for part in name.split("."):
        inner = [node for node in ast.iter_child_nodes(scope) if part in names_of(node)]
        if not inner:
            return f"{name} in {file}"
        scope = inner[-1]
    return ""


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def names_of(node: ast.AST) -> list[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def test_every_stop_names_a_file_and_what_to_read_in_it() -> None:
    for stop in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        assert places(stop), stop


@each(("file", "name"), places(PAGE))
def test_every_named_file_and_object_exists(file: str, name: str) -> None:
    assert missing(file, name) == ""


def test_the_code_runs_from_the_first_block_to_the_last(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for number, code in enumerate(BLOCK.findall(PAGE), 1):
        exec(compile(code, f"stop {number}", "exec"), names)
        assert capsys.readouterr().out.strip(), f"stop {number} prints nothing"
    assert paddle.in_dynamic_mode()
