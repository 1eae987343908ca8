"""Make deliberate faults in the engine and in viz, and see whether a test notices each.

`python -m tests.mutants` draws forty small changes of the code of each area (`engine`, `viz`). The
commit's own hash chooses them, so nobody can. Each is made in a copy of the project, where the
tests of its area run, the most telling first, until one fails. A survivor is a fault that no test
sees. `--tests` asks the tests of another checkout about the same faults.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import copy
import dataclasses
import functools
import json
import math
import os
import py_compile
import queue
import random
import re
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
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
NOT_COPIED = shutil.ignore_patterns(
    ".*", "__pycache__", "node_modules", "out", "build", "dist", "profiler_log"
)


class Area(NamedTuple):
    """A part of the code, and its tests: stages with a name, the most telling first."""

    folders: tuple[str, ...]
    stages: dict[str, tuple[str, ...]]


AREAS = {
    "engine": Area(
        ("minipaddle/engine", "minipaddle/ops"),
        {
            "ops": ("tests/ops",),
            "minipaddle": ("tests/minipaddle",),
            "static": ("tests/static",),
            "others": (
                *("tests/contract", "tests/nn", "tests/optimizer", "tests/device", "tests/oracle"),
                *("tests/distributed", "tests/test_docstrings.py"),
            ),
        },
    ),
    "viz": Area(
        ("viz",),
        {
            "goldens": tuple(
                f"tests/viz/test_{name}.py" for name in ("goldens", "story", "views", "text")
            ),
            "viz": ("tests/viz",),
            "others": (
                *("tests/command_line/test_step.py", "tests/javascript"),
                "tests/test_docstrings.py",
            ),
        },
    ),
}
NEAR = "near"  # the stage of the tests that are about the changed file itself

# What pytest is told, by tier; before `--all` there was, the tiers were chosen by marker.
HERE_ONLY = "not browser and not ranks"
TIERS = {"quick": ("-m", HERE_ONLY), "all": ("--all", "-m", HERE_ONLY)}
TIERS_BY_MARKER = {
    "quick": ("--device", "host", "-m", f"not slow and {HERE_ONLY}"),
    "all": ("-m", HERE_ONLY),
}

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
# Parts of the syntax tree in which a change does not alter what the code does.
SILENT_FIELDS = {"annotation", "returns", "msg"}
SILENT_NAMES = {"__slots__", "__all__"}
SILENT_KEYWORDS = {
    "strict",  # of zip: a check, as an assert is
    "samples",  # of an op: the inputs of its tests
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
            pass  # in whatever order
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
    for folder in AREAS[area].folders:
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


# ----- Which tests are asked, in which order -----------------------------------------------------


class Stage(NamedTuple):
    """Files of tests that one run of pytest takes, and the processor time that it may take."""

    name: str
    files: Sequence[str]
    seconds: int


def list_tests(root: Path, area: str) -> dict[str, list[str]]:
    """List the files of tests of each stage; each file belongs to the first stage that names it."""
    stages: dict[str, list[str]] = {}
    seen: set[str] = set()
    for stage, names in AREAS[area].stages.items():
        paths = [path for name in names for path in sorted_tests(root / name)]
        files = [path.relative_to(root).as_posix() for path in paths]
        stages[stage] = [file for file in files if file not in seen]
        seen.update(files)
    return {stage: files for stage, files in stages.items() if files}


def sorted_tests(path: Path) -> list[Path]:
    """List the files of tests in a folder, or the file itself if it exists."""
    return sorted(path.rglob("test_*.py")) if path.is_dir() else [path] if path.exists() else []


@functools.cache
def imported_names(path: Path) -> frozenset[str]:
    """Return the dotted names that a file of tests imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def distance(path: str, test: str, imported: frozenset[str]) -> int:
    """Return 0 if a file of tests is about this module, 1 if about its package, otherwise 2."""
    module = path.removesuffix(".py").replace("/", ".")
    package, _, name = module.rpartition(".")
    if module in imported or Path(test).stem == f"test_{name}":
        return 0
    return 1 if any(f"{other}.".startswith(f"{package}.") for other in imported) else 2


def op_names(source: str) -> str:
    """Return a pattern that finds the ops of a file in the names of tests; empty if it has none."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        for decorator in getattr(node, "decorator_list", []):
            match decorator:
                case ast.Call(func=ast.Name(id="op"), args=[ast.Constant(value=str(name)), *_]):
                    names.add(name)
                case ast.Call(func=ast.Name(id="public")):
                    names.add(node.name)
    return f"(?<![a-z0-9])({'|'.join(sorted(names))})(?![a-z0-9])" if names else ""


def arrange(
    path: str, root: Path, stages: dict[str, list[str]], costs: dict[str, float]
) -> list[Stage]:
    """Order the tests for a fault in a file: those about the file, then every stage's others.

    In a stage those about the file's package come first, and what costs less before what costs
    more. A stage may take some times what its files cost without a fault.
    """
    distances = {
        file: distance(path, file, imported_names(root / file))
        for files in stages.values()
        for file in files
    }
    near = [file for file, far in distances.items() if not far]
    arranged = {NEAR: near}
    arranged |= {stage: [file for file in stages[stage] if distances[file]] for stage in stages}
    return [
        Stage(
            stage,
            sorted(files, key=lambda file: (distances[file], costs[file])),
            LEAST_SECONDS + 3 * math.ceil(sum(costs[file] for file in files)),
        )
        for stage, files in arranged.items()
        if files
    ]


# ----- Whether a test notices it -----------------------------------------------------------------


def copy_project(root: Path, folder: Path, tests: Path | None = None) -> Path:
    """Copy the project, with other tests if given; the checkout itself is never written to."""
    shutil.copytree(root, folder, ignore=NOT_COPIED)
    if tests is not None:
        shutil.rmtree(folder / "tests")
        shutil.copytree(tests, folder / "tests", ignore=NOT_COPIED)
    # Compiled files that are checked by their source, not by their time: a fault lives for seconds.
    by_source = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder, quiet=1, invalidation_mode=by_source)
    return folder


# Limits the processor time, because the clock of a busy machine says little, and the memory to
# 4 GiB, because a fault may be a loop that collects without end. Tests that name an op of the
# changed file come first. The last line says how many seconds each file of tests took.
STARTER = """
import importlib.util, json, os, re, resource, sys
import pytest

seconds, pattern, *arguments = sys.argv[1:]
costs = {}

class Plugin:
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: not re.search(pattern, item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        before = sum(os.times()[:4])
        result = yield
        file = item.nodeid.partition("::")[0]
        costs[file] = costs.get(file, 0) + sum(os.times()[:4]) - before
        return result

for name in filter(os.path.isdir, ("minipaddle", "viz")):
    origin = importlib.util.find_spec(name).origin
    if not origin.startswith(os.getcwd()):
        sys.exit(f"{name} would be imported from {origin}, not from the copy.")
resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), resource.RLIM_INFINITY))
resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
options = ["-q", "-n", "0", "-p", "no:cacheprovider"]
code = pytest.main([*options, *arguments], plugins=[Plugin()])
print(f"\\n{json.dumps(costs)}", flush=True)
sys.exit(code)
"""
CALM = 24 * 3600  # seconds: more than any stage needs
LEAST_SECONDS = 20  # of processor time that any run may take
NO_TESTS = 5  # pytest's exit code if it deselects all tests


class Ending(NamedTuple):
    """The end of one run of pytest: passed, failed or timeout; its output and processor time."""

    end: str
    output: str
    seconds: float

    @property
    def failures(self) -> list[str]:
        """Return the names of the tests that failed, or the last lines if pytest names none."""
        found = re.findall(r"(?m)^(?:FAILED|SUBFAILED|ERROR).*?\b(tests/\S+)", self.output)
        return [*dict.fromkeys(found)] or [self.output[-2000:].strip() or "no output"]

    @property
    def costs(self) -> dict[str, float]:
        """Return the processor time that each file of tests took; none if pytest did not end."""
        found = re.search(r"(?m)^\{.*\}$\s*\Z", self.output)
        costs: dict[str, float] = json.loads(found[0]) if found else {}
        return costs


RUNNING: set[int] = set()  # the ids of the runs of pytest


def kill_group(pid: int) -> None:
    """Kill a run of pytest, and the processes that it left behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def run_tests(
    folder: Path, options: Sequence[str], tests: Sequence[str], seconds: int, pattern: str = ""
) -> Ending:
    """Run files of tests, or some tests, in a copy, within so many seconds of processor time."""
    temporary = folder.with_name(f"{folder.name}-temporary")
    temporary.mkdir(exist_ok=True)
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),  # subprocesses of tests see the copy, too
        "OMP_NUM_THREADS": "1",
        "TMPDIR": str(temporary),
    }
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-c", STARTER, str(seconds), pattern, *options, *tests]
    with (temporary / "output").open("w+", encoding="utf-8", errors="replace") as output:
        running = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        RUNNING.add(running.pid)
        try:
            _, status, usage = os.wait4(running.pid, 0)
        finally:
            RUNNING.discard(running.pid)
            kill_group(running.pid)
        running.returncode = code = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    shutil.rmtree(temporary, ignore_errors=True)
    end = "passed" if code in (0, NO_TESTS) else "failed"
    return Ending(
        "timeout" if code == -signal.SIGXCPU else end, text, usage.ru_utime + usage.ru_stime
    )


def measure_costs(
    folder: Path, options: Sequence[str], stages: dict[str, list[str]]
) -> tuple[dict[str, float], list[str]]:
    """Run each stage without a fault; return what each file costs, and the tests that fail."""
    costs: dict[str, float] = {}
    failures: list[str] = []
    for stage, files in stages.items():
        ending = run_tests(folder, options, files, CALM)
        print(f"{ending.end:<8}  {ending.seconds:6.1f} s  {stage:<10}  no fault", flush=True)
        failures += ending.failures if ending.end != "passed" else []
        shared = (ending.seconds - sum(ending.costs.values())) / len(files)  # start and collection
        costs |= {file: shared + ending.costs.get(file, 0.0) for file in files}
    return costs, failures


def leave_out(failures: Sequence[str], allowed: bool) -> list[str]:
    """Return pytest's options that leave out tests; exit if there are some and none may fail."""
    if failures:
        print("These tests fail without any fault:", *failures, sep="\n  ", flush=True)
    if not all(allowed and name.startswith("tests/") for name in failures):
        sys.exit("They would notice every fault.")
    return [f"--{'deselect' if '::' in name else 'ignore'}={name}" for name in failures]


@dataclass(frozen=True)
class Outcome:
    """The fate of a mutant: caught, survived or timeout, and where it was noticed."""

    outcome: str
    stage: str = ""
    test: str = ""
    seconds: float = 0.0


def try_mutant(
    mutant: Mutant, folder: Path, options: Sequence[str], stages: Sequence[Stage]
) -> Outcome:
    """Make the fault in a copy, run the stages until one notices it, and restore the file."""
    path = folder / mutant.path
    original = path.read_bytes()
    pattern = op_names(original.decode("utf-8"))
    path.write_text(mutant.source, encoding="utf-8")
    total = 0.0
    waiting, options = [*stages], ["-x", *options]
    try:
        while waiting:
            stage = waiting[0]
            ending = run_tests(folder, options, stage.files, stage.seconds, pattern)
            total += ending.seconds
            if ending.end == "timeout":  # what no longer ends is noticed as well
                return Outcome("timeout", stage.name, "", round(total, 1))
            if ending.end == "passed":
                del waiting[0]
                continue
            test = ending.failures[0].splitlines()[-1]
            name = test.partition("[")[0]
            if "::" not in name:
                return Outcome("caught", stage.name, test, round(total, 1))
            alone = run_tests(folder, options, [name], stage.seconds)
            total += alone.seconds
            if alone.end != "passed":
                return Outcome("caught", stage.name, test, round(total, 1))
            print(f"{name} fails after other tests but not alone, so it proves nothing.")
            options.append(f"--deselect={name}")
    finally:
        path.write_bytes(original)
    return Outcome("survived", seconds=round(total, 1))


def choose_options(tests: Path, tier: str) -> tuple[str, ...]:
    """Return pytest's options for a tier, as the conftest of these tests understands them."""
    knows_all = '"--all"' in (tests / "conftest.py").read_text(encoding="utf-8")
    return (TIERS if knows_all else TIERS_BY_MARKER)[tier]


def try_mutants(
    mutants: dict[str, list[Mutant]], tests: Path, options: Sequence[str], jobs: int, may_fail: bool
) -> Iterator[tuple[str, Mutant, Outcome]]:
    """Yield each area's mutants with their outcomes, in order; work in one copy for each job."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        folders = [copy_project(ROOT, Path(temporary, str(n)), tests) for n in range(jobs)]
        first, free = folders[0], queue.Queue[Path]()
        for folder in folders:
            free.put(folder)
        for area, drawn in mutants.items():
            if not drawn:
                continue
            stages = list_tests(first, area)
            costs, failures = measure_costs(first, options, stages)
            arranged = [arrange(mutant.path, first, stages, costs) for mutant in drawn]
            asked = [*options, *leave_out(failures, may_fail)]

            def try_one(mutant: Mutant, stages: list[Stage], asked: list[str] = asked) -> Outcome:
                folder = free.get()
                try:
                    return try_mutant(mutant, folder, asked, stages)
                finally:
                    free.put(folder)

            with ThreadPoolExecutor(jobs) as pool:
                try:
                    outcomes = pool.map(try_one, drawn, arranged)
                    for mutant, outcome in zip(drawn, outcomes, strict=True):
                        yield area, mutant, outcome
                finally:  # if the command is stopped, runs are left
                    pool.shutdown(wait=False, cancel_futures=True)
                    for pid in [*RUNNING]:
                        kill_group(pid)


# ----- The command -------------------------------------------------------------------------------


def remake_survivors(rows: Sequence[dict[str, Any]]) -> dict[str, list[Mutant]]:
    """Make the faults again that survived in an earlier run; exit if the code has changed since."""
    mutants: dict[str, list[Mutant]] = {area: [] for area in AREAS}
    for row in rows:
        if row["outcome"] == "survived":
            source = (ROOT / row["path"]).read_text(encoding="utf-8")
            kind, at, which = row["point"]
            with contextlib.suppress(IndexError):
                mutant = mutated(row["path"], source, (kind, at, which))
                if mutant.change == row["change"]:
                    mutants[row["area"]].append(mutant)
                    continue
            sys.exit(f"The code is another one now, so this fault cannot be made: {row['change']}")
    return mutants


def write_rows(path: Path, head: dict[str, Any], rows: Sequence[dict[str, Any]]) -> None:
    """Store outcomes for a later run; written anew after each, so that none is lost."""
    text = json.dumps({**head, "mutants": rows}, ensure_ascii=False, indent=1)
    path.write_text(f"{text}\n", encoding="utf-8")


def read_commit() -> str:
    """Return the hash of the checkout's commit."""
    command = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or sys.exit("Git knows no commit here: give a --seed.")


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("areas", nargs="*", metavar="area", help="engine or viz (both)")
    add("--count", type=int, default=40, help="how many faults in each area (40)")
    add("--seed", metavar="TEXT", help="which faults (those that the commit's hash chooses)")
    add("--tier", choices=TIERS, default="quick", help="which tests: quick (default) or all")
    add("--tests", type=Path, metavar="PATH", help="the folder of another checkout's tests")
    add("--may-fail", action="store_true", help="leave out tests that fail without any fault")
    add("--survivors", type=Path, metavar="FILE", help="only the survivors of an earlier --out")
    add("--out", type=Path, metavar="FILE", help="write the outcomes as JSON")
    add("--jobs", type=int, default=1, help="how many at a time (1)")
    add("--least", type=float, default=0.85, help="the part to notice (0.85)")
    add("--list", action="store_true", help="only print the faults")
    arguments = parser.parse_args(words)
    if unknown := {*arguments.areas} - {*AREAS}:
        parser.error(f"no area: {', '.join(sorted(unknown))}")
    return arguments


def main(words: Sequence[str] | None = None) -> int:
    """Draw mutants, try each, and print which survived; return 1 if too few are noticed."""
    arguments = parse_arguments(words)
    areas = arguments.areas or [*AREAS]
    if arguments.survivors:
        earlier = json.loads(arguments.survivors.read_text(encoding="utf-8"))
        seed, remade = earlier["seed"], remake_survivors(earlier["mutants"])
        mutants = {area: remade[area] for area in areas}
    else:
        seed = arguments.seed or read_commit()
        mutants = {area: draw(ROOT, area, arguments.count, seed) for area in areas}
    if arguments.list:
        print(*(mutant.change for drawn in mutants.values() for mutant in drawn), sep="\n")
        return 0
    tests: Path = (arguments.tests or ROOT / "tests").resolve()
    options = choose_options(tests, arguments.tier)
    head = {"seed": seed, "tier": arguments.tier, "tests": str(tests)}
    print(f"seed {seed}, {arguments.tier} tier, pytest {' '.join(options)}", flush=True)
    rows: list[dict[str, Any]] = []
    total: Counter[tuple[str, str]] = Counter()
    for area, mutant, outcome in try_mutants(
        mutants, tests, options, arguments.jobs, arguments.may_fail
    ):
        total[area, outcome.outcome] += 1
        where = f"  [{outcome.test}]" if outcome.test else ""
        print(
            f"{outcome.outcome:<8}  {outcome.seconds:6.1f} s  {outcome.stage or '-':<10}  "
            f"{mutant.change}{where}",
            flush=True,
        )
        made = {"area": area, "path": mutant.path, "point": mutant.point, "change": mutant.change}
        rows.append({**made, **dataclasses.asdict(outcome)})
        if arguments.out:
            write_rows(arguments.out, head, rows)
    enough = True
    for area, drawn in mutants.items():
        noticed = len(drawn) - total[area, "survived"]
        seconds = sum(row["seconds"] for row in rows if row["area"] == area)
        print(
            f"{area}: {noticed} of {len(drawn)} faults are noticed "
            f"({total[area, 'timeout']} by their time), in {seconds:.0f} CPU seconds."
        )
        enough = enough and noticed >= arguments.least * len(drawn)
    return 0 if enough else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    sys.exit(main())
