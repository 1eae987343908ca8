"""Make deliberate faults in the engine and in viz, and see whether a test notices each.

`python -m tests.mutants` draws forty small changes of the code of each area (`engine`, `viz`). The
commit's own hash chooses them, so nobody can. Each is made in a copy of the project, where the
tests of its area run until one fails, those that import the changed module first. A survivor is a
fault that no test sees.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_COPIED = shutil.ignore_patterns(
    ".*", "__pycache__", "node_modules", "out", "build", "dist", "profiler_log"
)
FOLDERS = {"engine": ("minipaddle/engine", "minipaddle/ops"), "viz": ("viz",)}
TESTS = {
    "engine": (
        *("tests/ops", "tests/minipaddle", "tests/static", "tests/contract", "tests/nn"),
        *("tests/optimizer", "tests/device", "tests/oracle", "tests/distributed"),
        "tests/test_docstrings.py",
    ),
    "viz": (
        *("tests/viz", "tests/command_line/test_step.py", "tests/javascript"),
        "tests/test_docstrings.py",
    ),
}
SECONDS = 1200  # limit of one fault's tests, which also finds endless ones

# ----- What can be changed -----------------------------------------------------------------------

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
# Parts of the syntax tree in which a change does not alter what the code does.
SILENT_FIELDS = {"annotation", "returns", "msg"}
SILENT_NAMES = {"__slots__", "__all__"}
SILENT_KEYWORDS = {
    "strict",  # argument of zip: a check, like an assert
    "samples",  # argument of an op: the inputs of its tests
}
SILENT_CALLS = {
    *("cast", "TypeVar", "dataclass"),  # a dataclass with or without slots works alike
    *("lru_cache", "functools.lru_cache"),  # a larger cache gives the same values
    *("sample", "Sample"),  # inputs for tests
    "Formula",  # a text for learners, outside the engine's behaviour
}
NO_COVER = "# pragma: no cover"


def is_silent(node: ast.AST) -> bool:
    """Return whether no run of the code, or only a type checker, can see a change in this node."""
    match node:
        case ast.Expr():
            return isinstance(node.value, ast.Constant)  # a docstring
        case ast.If():
            return dotted(node.test).endswith("TYPE_CHECKING")
        case ast.Assign():
            return any(isinstance(t, ast.Name) and t.id in SILENT_NAMES for t in node.targets)
        case ast.keyword():
            return node.arg in SILENT_KEYWORDS
        case ast.Call():
            return dotted(node.func) in SILENT_CALLS
        case ast.Subscript(value=ast.Name(id="Literal")):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
            return True  # never reached
    return False


def dotted(node: ast.AST) -> str:
    """Return the dotted name that an expression is; empty for any other expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr) if name := dotted(value):
            return f"{name}.{attr}"
    return ""


def walk(node: ast.AST, skipped: set[int]) -> Iterator[ast.AST]:
    """Yield the node and all below it in which a change can be seen, except on skipped lines."""
    if is_silent(node) or getattr(node, "lineno", None) in skipped:
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in SILENT_FIELDS:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                    yield from walk(child, skipped)


def parse(source: str) -> tuple[ast.AST, list[ast.AST]]:
    """Return the syntax tree of a file, and its nodes in which a change can be seen."""
    tree = ast.parse(source)
    lines = enumerate(source.split("\n"), 1)
    return tree, [*walk(tree, {number for number, line in lines if NO_COVER in line})]


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the kinds of fault that can be made of a node, each with the node that replaces it."""
    new = copy.copy(node)  # its parts may be shared: only one of the two is ever written out
    match new:
        case ast.Compare(ops=[op]):
            for other in COMPARISONS[type(op)]:
                new = copy.copy(node)
                new.ops = [other()]
                yield "comparison", new
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            new.op = ARITHMETIC[type(op)]()
            yield "arithmetic", new
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "logic", new.operand
        case ast.BoolOp():
            new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
            yield "logic", new
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)) if value + 1 != value:  # 1e30 is large
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Constant(value=str(value)):
            yield "text", ast.Constant(value[:-1] or ("!" if value == "?" else "?"))
        case ast.Expr(value=ast.Call()):
            yield "statement", ast.Pass()
        case ast.Call(func=ast.Name(id="min" | "max")):
            pass  # any order
        case ast.Call(args=[first, second, *rest]) if ast.dump(first) != ast.dump(second):
            new.args = [second, first, *rest]
            yield "arguments", new
        case ast.Return(value=ast.Constant(value=None)):
            pass
        case ast.Return(value=ast.AST()):
            yield "return", ast.Return(ast.Constant(None))
        case ast.If(orelse=orelse):
            new.test = ast.Constant(False)
            yield "branch", new
            if orelse:
                other = copy.copy(node)
                other.test = ast.Constant(True)
                yield "branch", other
        case ast.IfExp(body=body, orelse=orelse):
            yield "branch", body
            yield "branch", orelse
        case ast.Break():
            yield "branch", ast.Continue()
        case ast.Continue():
            yield "branch", ast.Break()


Point = tuple[str, int, int]  # the kind of a fault, its node, and which fault of that node


@dataclass(frozen=True)
class Mutant:
    """A fault: the file, the place in it, the change in one line, and the file with the fault."""

    path: str
    point: Point
    change: str
    source: str

    @property
    def kind(self) -> str:
        return self.point[0]


class Replacement(ast.NodeTransformer):
    """A walk through a tree that puts one node in place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def points(source: str) -> list[Point]:
    """List every fault that can be made in a file."""
    return [
        (kind, at, which)
        for at, node in enumerate(parse(source)[1])
        for which, (kind, _) in enumerate(changes(node))
    ]


def mutated(path: str, source: str, point: Point) -> Mutant:
    """Make the fault at one of the points of a file."""
    _, at, which = point
    tree, nodes = parse(source)
    old = nodes[at]
    _, new = list(changes(old))[which]
    before, after = shorten(old), shorten(new)
    if isinstance(old, ast.If):
        after += "" if new.test.value else "  (never)"
    line = getattr(old, "lineno", 0)
    tree = ast.fix_missing_locations(Replacement(old, new).visit(tree))
    return Mutant(path, point, f"{path}:{line}  {before}  ->  {after}", ast.unparse(tree) + "\n")


def shorten(node: ast.AST) -> str:
    """Return the first line of a node's code, at most 70 characters of it."""
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 70 else text[:69] + "…"


def list_folders(root: Path, area: str) -> dict[str, list[Path]]:
    """List the files of an area, by the folder that holds them."""
    folders: dict[str, list[Path]] = {}
    for folder in FOLDERS[area]:
        for path in sorted((root / folder).rglob("*.py")):
            folders.setdefault(path.parent.relative_to(root).as_posix(), []).append(path)
    return folders


def group_by_kind(paths: Sequence[Path]) -> dict[str, list[tuple[Path, Point]]]:
    """List every fault that can be made in these files, by its kind."""
    kinds: dict[str, list[tuple[Path, Point]]] = {}
    for path in paths:
        for point in points(path.read_text(encoding="utf-8")):
            kinds.setdefault(point[0], []).append((path, point))
    return kinds


def draw(root: Path, area: str, count: int, seed: str) -> list[Mutant]:
    """Draw different faults, in turn from each folder of the area; of each kind about as many."""
    choice = random.Random(f"{seed} {area}")
    folders = [group_by_kind(paths) for paths in list_folders(root, area).values()]
    choice.shuffle(folders)
    mutants: list[Mutant] = []
    while len(mutants) < count and (folders := [kinds for kinds in folders if kinds]):
        kinds = folders[len(mutants) % len(folders)]
        kind = choice.choice(sorted(kinds))
        path, point = kinds[kind].pop(choice.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        name = path.relative_to(root).as_posix()
        mutants.append(mutated(name, path.read_text(encoding="utf-8"), point))
    return mutants


# ----- Whether a test notices it -----------------------------------------------------------------


def sort_tests(area: str, path: str, root: Path) -> list[str]:
    """List an area's files of tests; those whose text names the changed module come first."""
    module = path.removesuffix(".py").replace("/", ".")
    files: list[Path] = []
    for name in TESTS[area]:
        found = root / name
        files += sorted(found.rglob("test_*.py")) if found.is_dir() else [found]
    files.sort(key=lambda file: module not in file.read_text(encoding="utf-8"))
    return [file.relative_to(root).as_posix() for file in files]


def try_mutant(mutant: Mutant, area: str, root: Path, seconds: float = SECONDS) -> str:
    """Make the fault in a copy, run its tests until one fails, and restore the file.

    Return `caught by TEST`, `timeout` or `survived`.
    """
    path = root / mutant.path
    original = path.read_bytes()
    path.write_text(mutant.source, encoding="utf-8")
    options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not browser and not ranks"]
    running = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *sort_tests(area, mutant.path, root)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
        path.write_bytes(original)
    failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return f"caught by {' '.join(failed) or output[-500:]}" if running.returncode else "survived"


# ----- The command -------------------------------------------------------------------------------


def read_commit() -> str:
    """Return the hash of the checkout's commit."""
    command = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or sys.exit("Git knows no commit here: give a --seed.")


def main(words: Sequence[str] | None = None) -> None:
    """Draw mutants, try each, and print which survived."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="area", help="engine or viz (both)")
    parser.add_argument("--count", type=int, default=40, help="how many faults in each area (40)")
    parser.add_argument("--seed", help="which faults (those that the commit's hash chooses)")
    parser.add_argument("--list", action="store_true", help="only print the faults")
    arguments = parser.parse_args(words)
    seed = arguments.seed or read_commit()
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        copied = Path(temporary, "project")
        if not arguments.list:
            shutil.copytree(ROOT, copied, ignore=NOT_COPIED)
        for area in arguments.areas or FOLDERS:
            total: Counter[str] = Counter()
            for mutant in draw(ROOT, area, arguments.count, seed):
                outcome = "" if arguments.list else try_mutant(mutant, area, copied)
                print(f"{mutant.change}  {outcome}".rstrip(), flush=True)
                total[outcome.partition(" ")[0]] += 1
            if not arguments.list:
                print(f"{area}: {total.total() - total['survived']} of {total.total()} are noticed")


if __name__ == "__main__":
    main()
