"""Python files as syntax trees, and what they import."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Source:
    """One file. `module` is its dotted name; `is_package` holds for an `__init__`."""

    module: str
    text: str
    is_package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """The import statements, also those inside functions."""
        return [n for n in ast.walk(self.tree) if isinstance(n, ast.Import | ast.ImportFrom)]

    @cached_property
    def calls(self) -> list[ast.Call]:
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]

    @property
    def package(self) -> str:
        return self.module if self.is_package else self.module.rpartition(".")[0]


@dataclass(frozen=True)
class Import:
    """One imported module."""

    importer: str
    target: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


def load(*folders: str) -> list[Source]:
    """Read every Python file below these folders of the project."""
    sources = []
    for path in sorted(p for folder in folders for p in (ROOT / folder).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        sources.append(Source(module, path.read_text(encoding="utf-8"), is_package))
    return sources


def imports(source: Source, known: set[str]) -> Iterator[Import]:
    """List what a file imports. `from p import q` means the module p.q if there is one, else p."""
    for node in source.imports:
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        else:
            base = absolute(source, node)
            names = [f"{base}.{alias.name}" for alias in node.names]
            targets = sorted({name if name in known else base for name in names})
        for target in targets:
            yield Import(source.module, target, node.lineno)


def absolute(source: Source, node: ast.ImportFrom) -> str:
    """Return the dotted name before `import`, with leading dots resolved."""
    package = source.package.split(".")
    above = package[: len(package) - node.level + 1] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])
