"""Count the lines of code, folder by folder: `python3 run.py size [FOLDER ...] [--most LINES]`.

Lines of Python, JavaScript, TypeScript and styles count, without blank lines, comments and
docstrings. Generated and recorded files have their own column. With --most the command fails if
the sum of all lines of code is larger.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = {
    **dict.fromkeys((".py",), "Python"),
    **dict.fromkeys((".js", ".mjs", ".ts"), "JavaScript"),
    **dict.fromkeys((".css", ".html"), "styles"),
}
COLUMNS = ("Python", "JavaScript", "styles", "docstrings", "generated")
# Files that programs write: stubs, notebooks, recorded answers, expected texts, pictures.
GENERATED = {".pyi", ".ipynb", ".json", ".txt", ".svg"}
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


def python_lines(text: str) -> tuple[int, int]:
    """Count the lines of code, and the lines of docstrings."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        scopes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, scopes) and isinstance(first, ast.Expr):
            value = first.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                docstrings |= set(range(first.lineno, (first.end_lineno or 0) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings), len(docstrings)


def other_lines(text: str) -> int:
    """Count the lines of JavaScript or CSS that are neither blank nor comment alone."""
    count, inside = 0, False
    for line in map(str.strip, text.splitlines()):
        if inside or line.startswith("/*"):
            inside = "*/" not in line
        elif line and not line.startswith("//"):
            count += 1
    return count


def count_lines(path: Path) -> Counter[str]:
    """Count the lines of one file, by column."""
    if path.suffix in GENERATED:
        return Counter(generated=path.read_text(encoding="utf-8").count("\n"))
    if path.suffix not in LANGUAGES:
        return Counter()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        code, docstrings = python_lines(text)
        return Counter(Python=code, docstrings=docstrings)
    return Counter({LANGUAGES[path.suffix]: other_lines(text)})


def sums_of(folders: list[str]) -> dict[str, Counter[str]]:
    """Add up the lines of each folder and its direct subfolders, by path."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    sums: dict[str, Counter[str]] = {}
    for name in filter(lambda name: (ROOT / name).is_file(), listed.stdout.splitlines()):
        lines = count_lines(ROOT / name)
        for parent in (parent.as_posix() for parent in Path(name).parents):
            if parent.count("/") < 2:
                sums.setdefault(parent, Counter()).update(lines)
    return sums


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER")
    parser.add_argument("--most", type=int, metavar="LINES", help="fail if there are more")
    options = parser.parse_args()
    sums = sums_of(options.folders)
    print(f"{'':32}" + "".join(f"{column:>12}" for column in COLUMNS))
    for folder in sorted(sums):
        label = "all" if folder == "." else "  " * folder.count("/") + folder
        row = "".join(f"{sums[folder][column]:12,}" for column in COLUMNS)
        print(f"{label:32}{row}")
    total = sum(sums["."][language] for language in {*LANGUAGES.values()})
    if options.most is not None and total > options.most:
        sys.exit(
            f"{total:,} lines of code are more than the {options.most:,} of .ci/run: make "
            "something shorter, or raise that number in a commit that says why"
        )


if __name__ == "__main__":
    main()
