"""docs/contract.md: every rule has tests that exist, and every contract test proves a rule."""

import ast
import re
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "pylayer": "test_pylayer_contract.py",
    "context": "test_context_contract.py",
    "pyfunc": "test_pyfunc_contract.py",
    "documents": "test_documents.py",
}


def rows() -> list[list[str]]:
    """Return the cells of every rule, without the tables' heads."""
    lines = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return [row for row in cells if row[0] != "document" and not set(row[0]) <= {"-"}]


def names_of_tests(file: str) -> set[str]:
    """Return the names of a file's tests without importing it."""
    tree = ast.parse((Path(__file__).parent / file).read_text(encoding="utf-8"))
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


EXISTING = {f"{short}::{name}" for short, file in FILES.items() for name in names_of_tests(file)}


@each("row", rows(), ids=lambda row: row[1])
def test_a_rule_names_tests_that_exist(row):
    document, rule, tests = row
    assert document
    assert rule.endswith(".")
    named = re.split(r", ", tests)
    assert set(named) <= EXISTING, f"no such test: {sorted(set(named) - EXISTING)}"


def test_every_contract_test_proves_a_rule():
    named = {test for _, _, tests in rows() for test in tests.split(", ")}
    assert EXISTING - named == set()


def test_the_table_names_every_document():
    text = " ".join(document for document, _, _ in rows())
    for name in (
        "PyLayer.txt",
        "PyLayer-2.0.rst.txt",
        "PyLayerContext.txt",
        "guide",
        "py_func.txt",
    ):
        assert name in text


def test_the_table_explains_its_short_names():
    text = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    for short, file in FILES.items():
        assert f"`{short}` = `tests/contract/{file}`" in text
