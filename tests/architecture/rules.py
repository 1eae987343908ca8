"""The rules themselves: each takes sources and returns its complaints, one line each."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .sources import Import, Source, imports, walk

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

FILE_LINES = 400
TEST_FILE_LINES = 600
FUNCTION_LINES = 60  # the aim is 40
DOCSTRING_LINES = 25

FLOORS = {
    **dict.fromkeys(("errors", "dtypes", "naming", "events", "places", "modes", "stops"), 0),
    **dict.fromkeys(("core", "dispatch", "device", "meta", "pickles", "random"), 1),
    **dict.fromkeys(("_absent", "_instead"), 0),
    "ops": 2,
    **dict.fromkeys(("eager", "static", "initializers", "param_attr"), 3),
    **dict.fromkeys(("__main__", "_cli"), 5),
}
OTHERS = 4  # nn, optimizer, autograd, io, ...
FLOOR_0_MAY_IMPORT_FROM_OUTSIDE = {"numpy"}

# What viz may know of minipaddle: public names, the events and what belongs to them, op metadata.
OPEN_TO_VIZ = {"minipaddle", "minipaddle.engine.errors", "minipaddle.engine.source_line"}
OPEN_TO_VIZ |= {"minipaddle.events", "minipaddle.events.event_types", "minipaddle.events.notes"}
OPEN_TO_VIZ |= {"minipaddle.ops", "minipaddle.ops.op_spec"}


def names(sources: Iterable[Source]) -> set[str]:
    return {source.module for source in sources}


def all_imports(sources: Iterable[Source]) -> list[Import]:
    sources = list(sources)
    known = names(sources)
    return [found for source in sources for found in imports(source, known)]


# ----- Who may import whom -----------------------------------------------------------------------


def floor(module: str) -> int:
    """The floor of a module of minipaddle; the package itself is the roof."""
    parts = module.split(".")
    return FLOORS.get(parts[1], OTHERS) if len(parts) > 1 else 5


def floors(sources: Iterable[Source]) -> list[str]:
    """Nothing imports from a higher floor; eager and static do not know each other."""
    complaints = []
    for found in all_imports(sources):
        low, high = found.importer, found.target
        if not (low.startswith("minipaddle") and high.split(".")[0] == "minipaddle"):
            continue
        sides = {low.split(".")[1] if "." in low else "", high.split(".")[1] if "." in high else ""}
        if floor(high) > floor(low):
            complaints.append(f"{found} (floor {floor(low)} from floor {floor(high)})")
        elif sides == {"eager", "static"}:
            complaints.append(f"{found} (side by side)")
    return complaints


def outward(sources: Iterable[Source], standard: Iterable[str]) -> list[str]:
    """minipaddle imports neither viz nor lessons, and floor 0 only NumPy beside the library."""
    allowed = {*standard, *FLOOR_0_MAY_IMPORT_FROM_OUTSIDE, "minipaddle"}
    complaints = []
    for found in all_imports(sources):
        first = found.target.split(".")[0]
        inside = found.importer.split(".")[0] == "minipaddle"
        if first == "lessons" or (first == "viz" and inside):
            complaints.append(str(found))
        elif inside and floor(found.importer) == 0 and first not in allowed:
            complaints.append(f"{found} (floor 0: standard library and NumPy only)")
    return complaints


def viz_inward(sources: Iterable[Source]) -> list[str]:
    """viz knows minipaddle's public names, events and op records; eager and static never."""
    return [
        str(found)
        for found in all_imports(sources)
        if found.importer.split(".")[0] == "viz"
        and found.target.split(".")[0] == "minipaddle"
        and found.target not in OPEN_TO_VIZ
    ]


def cycles(sources: Iterable[Source]) -> list[str]:
    """No module imports itself, by whatever way round."""
    sources = list(sources)
    known = names(sources)
    graph: dict[str, set[str]] = {module: set() for module in known}
    for found in all_imports(sources):
        if found.target in known:
            graph[found.importer].add(found.target)
    # Take away, again and again, what imports nothing that is left or is imported by nothing left.
    while free := [m for m in graph if not graph[m] or all(m not in t for t in graph.values())]:
        for module in free:
            del graph[module]
        for targets in graph.values():
            targets.difference_update(free)
    return [f"{module} <-> {', '.join(sorted(targets))}" for module, targets in graph.items()]


# ----- Lazy loading ------------------------------------------------------------------------------


def local_imports(sources: Iterable[Source]) -> list[str]:
    """No import statement stands inside a function."""
    return [f"{found} inside a function" for found in all_imports(sources) if found.local]


def dynamic_imports(sources: Iterable[Source]) -> list[str]:
    """importlib is for a module's own `__getattr__`, and for the command line."""
    complaints = []
    for source in sources:
        if source.module == "minipaddle.__main__" or source.module.startswith("minipaddle._cli"):
            continue
        for node in source.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
                continue
            complaints += [
                f"{source.module}:{call.lineno} imports by name"
                for call in ast.walk(node)
                if isinstance(call, ast.Call)
                and ast.unparse(call.func).split(".")[-1] in ("import_module", "__import__")
            ]
    return complaints


# ----- Form --------------------------------------------------------------------------------------


def long_files(sources: Iterable[Source], limit: int = FILE_LINES) -> list[str]:
    """A file fits into a reader's head."""
    lengths = {source.module: len(source.text.splitlines()) for source in sources}
    return [
        f"{module} has {length} lines, the limit is {limit}"
        for module, length in lengths.items()
        if length > limit
    ]


def long_tables(sources: Iterable[Source]) -> list[str]:
    """Tests and their tables of cases are read piece by piece, so they may be longer."""
    return long_files(sources, TEST_FILE_LINES)


def long_functions(sources: Iterable[Source]) -> list[str]:
    """A function fits on a screen; its docstring is not counted."""
    complaints = []
    for source in sources:
        for node, _ in walk(source.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                length -= len(docstring(node))
                if length > FUNCTION_LINES:
                    complaints.append(f"{source.module}.{node.name} has {length} lines")
    return complaints


def long_docstrings(sources: Iterable[Source]) -> list[str]:
    """A docstring says one thing, with one example."""
    return [
        f"{source.module}.{getattr(node, 'name', '')}: {len(docstring(node))} lines of docstring"
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, Documented) and len(docstring(node)) > DOCSTRING_LINES
    ]


def docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> list[str]:
    return (ast.get_docstring(node) or "").splitlines()


def unstable_ids(sources: Iterable[Source]) -> list[str]:
    """Nothing visible hangs on id(), which differs from run to run."""
    return [
        f"{source.module}:{node.lineno} calls id()"
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id"
    ]
