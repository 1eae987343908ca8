"""Deliberate faults in viz, and whether a test notices them.

`python -m tests.mutants --count 40 --seed 1107` draws forty small changes of the code that lays out
pictures, derives steps and words sentences, a third from each. Each is made in a copy of the
project, where the tests of viz run until one fails. A survivor is a fault that no test sees.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import os
import py_compile
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "out", "build", "dist", "recorded")

AREAS = ("viz/story/sentences", "viz/story", "viz/layout")  # a file is of the first that holds it
# What looks at all of it comes first: most faults end here.
STAGES = (
    tuple(f"tests/viz/test_{name}.py" for name in ("goldens", "story", "views", "text")),
    ("tests/viz",),
    ("tests/test_docstrings.py", "-k", "viz"),
)
FAST = ("-m", "not slow and not browser")

# ----- What can be changed -----------------------------------------------------------------------

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
# Parts of the syntax tree in which a change says nothing about what the code does.
SILENT_FIELDS = {"annotation", "returns", "decorator_list", "msg"}
SILENT_NAMES = {"__slots__", "__all__"}


def silent(node: ast.AST) -> bool:
    """Whether a change in here could never be seen, or only by a type checker."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)  # a docstring
    if isinstance(node, ast.If):
        return ast.unparse(node.test).endswith("TYPE_CHECKING")
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id in SILENT_NAMES for t in node.targets)
    if isinstance(node, ast.keyword):
        return node.arg == "strict"  # of zip: a check, as an assert is
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("cast", "TypeVar")


def heard(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it in which a change can be seen, in the order of the text."""
    if silent(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name not in SILENT_FIELDS:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from heard(child)


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The kinds of fault that can be made of a node, each with the node that replaces it."""
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
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Constant(value=str(value)):
            yield "text", ast.Constant(value[:-1] or "?")
        case ast.Expr(value=ast.Call()):
            yield "statement", ast.Pass()
        case ast.Call(func=ast.Name(id="min" | "max")):
            pass  # in whatever order
        case ast.Call(args=[first, second, *rest]) if ast.dump(first) != ast.dump(second):
            new.args = [second, first, *rest]
            yield "arguments", new
        case ast.Return(value=ast.AST()) if ast.unparse(new) != "return None":
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


@dataclass(frozen=True)
class Mutant:
    """One fault: the file with it, the kind of the fault, and what it says in one line."""

    path: str
    kind: str
    change: str
    source: str


Point = tuple[str, int, int]  # the kind of a fault, its node, and which fault of that node


class Replaced(ast.NodeTransformer):
    """A tree with one node in place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def points(source: str) -> list[Point]:
    """Every fault that can be made in a file: in the order of the text."""
    return [
        (kind, at, which)
        for at, node in enumerate(heard(ast.parse(source)))
        for which, (kind, _) in enumerate(changes(node))
    ]


def mutated(path: str, source: str, point: Point) -> Mutant:
    """The fault at one of the points of a file."""
    kind, at, which = point
    tree = ast.parse(source)
    old = list(heard(tree))[at]
    _, new = list(changes(old))[which]
    before, after = first_line(old), first_line(new)
    if isinstance(old, ast.If):
        after += "" if new.test.value else "  (never)"
    line = getattr(old, "lineno", 0)
    tree = ast.fix_missing_locations(Replaced(old, new).visit(tree))
    return Mutant(path, kind, f"{path}:{line}  {before}  ->  {after}", ast.unparse(tree) + "\n")


def first_line(node: ast.AST) -> str:
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 70 else text[:69] + "…"


def files(root: Path) -> list[list[Path]]:
    """The files of each area."""
    areas: list[list[Path]] = []
    for area in AREAS:
        taken = {path for paths in areas for path in paths}
        areas.append(sorted({*(root / area).rglob("*.py")} - taken))
    return areas


def by_kind(paths: Sequence[Path]) -> dict[str, list[tuple[Path, Point]]]:
    """Every fault that can be made in these files."""
    kinds: dict[str, list[tuple[Path, Point]]] = {}
    for path in paths:
        for point in points(path.read_text(encoding="utf-8")):
            kinds.setdefault(point[0], []).append((path, point))
    return kinds


def drawn(root: Path, count: int, seed: int) -> list[Mutant]:
    """So many different faults, in turn from each area; of each kind about as many."""
    choice = random.Random(seed)
    areas = [by_kind(paths) for paths in files(root)]
    mutants: list[Mutant] = []
    while len(mutants) < count and (areas := [kinds for kinds in areas if kinds]):
        kinds = areas[len(mutants) % len(areas)]
        kind = choice.choice(sorted(kinds))
        path, point = kinds[kind].pop(choice.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        name = path.relative_to(root).as_posix()
        mutants.append(mutated(name, path.read_text(encoding="utf-8"), point))
    return mutants


# ----- Whether a test notices it -----------------------------------------------------------------


def copied(root: Path, folder: Path) -> Path:
    """A copy of the project to make faults in; the checkout itself is never written to."""
    shutil.copytree(root, folder, ignore=NOT_COPIED)
    # Compiled files that are checked by their source, not by their time: a fault lives for seconds.
    by_source = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder, quiet=1, invalidation_mode=by_source)
    return folder


# Starts pytest with so much processor time and 4 GiB: a fault may be a loop that collects without
# end. Processor time, because the clock of a busy machine says little.
LIMITED = """
import resource, sys
import pytest
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), resource.RLIM_INFINITY))
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
sys.exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""
CALM = 24 * 3600  # seconds: more than any stage needs


def end_of(folder: Path, tests: Sequence[str], seconds: int) -> str:
    """How these tests end in a copy: passed, failed, or timeout."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(seconds), *FAST, *tests],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode == -signal.SIGXCPU:
        return "timeout"
    return "failed" if done.returncode else "passed"


def usual_seconds(folder: Path) -> list[int]:
    """The processor time that each stage takes without a fault; it must pass."""
    times = []
    for tests in STAGES:
        before = os.times()
        if end_of(folder, tests, CALM) != "passed":
            sys.exit(f"{' '.join(tests)} fails without any fault, so it cannot notice one.")
        times.append(int(os.times().children_user - before.children_user))
    return times


def outcome(mutant: Mutant, folder: Path, limits: Sequence[int]) -> str:
    """Caught, survived, or timeout: something no longer ends, which is noticed as well."""
    path = folder / mutant.path
    original = path.read_bytes()
    path.write_text(mutant.source, encoding="utf-8")
    try:
        for tests, seconds in zip(STAGES, limits, strict=True):
            end = end_of(folder, tests, seconds)
            if end != "passed":
                return "caught" if end == "failed" else end
    finally:
        path.write_bytes(original)
    return "survived"


def outcomes(mutants: Sequence[Mutant], jobs: int) -> Iterator[str]:
    """What becomes of each mutant, in order, with so many copies at work."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        folders = [copied(ROOT, Path(temporary, str(number))) for number in range(jobs)]
        limits = [20 + 3 * seconds for seconds in usual_seconds(folders[0])]
        free: queue.Queue[Path] = queue.Queue()
        for folder in folders:
            free.put(folder)

        def tried(mutant: Mutant) -> str:
            folder = free.get()
            try:
                return outcome(mutant, folder, limits)
            finally:
                free.put(folder)

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(tried, mutants)


def main() -> int:
    """Draw mutants, try each, and say which survived; 1 if too few are noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=40, help="how many faults (40)")
    parser.add_argument("--seed", type=int, default=1107, help="which ones (1107)")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time (1)")
    parser.add_argument("--least", type=float, default=0.85, help="the part to notice (0.85)")
    parser.add_argument("--list", action="store_true", help="only say which faults they are")
    arguments = parser.parse_args()
    mutants = drawn(ROOT, arguments.count, arguments.seed)
    if arguments.list:
        print(*(mutant.change for mutant in mutants), sep="\n")
        return 0
    total: Counter[str] = Counter()
    for mutant, end in zip(mutants, outcomes(mutants, arguments.jobs), strict=True):
        total[end] += 1
        print(f"{end:<8}  {mutant.change}", flush=True)
    noticed = total["caught"] + total["timeout"]
    print(f"{noticed} of {len(mutants)} faults are noticed ({total['timeout']} by their time).")
    return 0 if noticed >= arguments.least * len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())
