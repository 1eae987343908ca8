"""The rules themselves: each takes sources and returns its complaints, one line each."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .sources import Import, Source, imports

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

DOCSTRING_LINES = 25

# Modules by floor: the longest name that a module begins with counts.
GROUND = ("bilingual", "errors", "dtypes", "files", "guard", "naming", "modes")
GROUND += ("python_messages", "source_line", "stop_reasons", "tracebacks")
FLOORS = {
    **{f"engine.{name}": 0 for name in GROUND},
    **dict.fromkeys(("events", "paddle_names"), 0),
    **dict.fromkeys(("engine", "device", "random", "saving.pickles"), 1),
    "ops": 2,
    **dict.fromkeys(("eager", "static", "parameters"), 3),
    **dict.fromkeys(("__main__", "_cli", "exercises", "distributed.launch"), 5),
}
OTHERS = 4  # nn, optimizer, autograd, io, ...
FLOOR_0_MAY_IMPORT_FROM_OUTSIDE = {"numpy"}

# The rooms of viz, each with what it may import: those above it.
ROOMS = (
    ("model", "language"),
    ("theme",),
    ("document",),
    ("whatif",),
    ("story",),
    ("layout",),
    ("statistics",),
    ("problems",),
    ("draw",),
    ("player",),
    ("export",),
    ("views",),
    ("trace",),
    ("many_ranks",),
    ("recording",),
    ("terminal", "magics"),
)
# What finds modules by their names: the command line, exercises, and `import paddle`.
BY_NAME = ("minipaddle.__main__", "minipaddle._cli", "minipaddle.exercises")
BY_NAME += ("minipaddle.paddle_names.import_alias",)
ARROWS = 80  # between rooms, at most

# What viz may know of minipaddle: public names, the events and what belongs to them, op metadata.
OPEN_TO_VIZ = {"minipaddle", "minipaddle.engine.errors", "minipaddle.engine.source_line"}
OPEN_TO_VIZ |= {"minipaddle.engine.guard"}
OPEN_TO_VIZ |= {"minipaddle.events", "minipaddle.events.event_types", "minipaddle.events.notes"}
OPEN_TO_VIZ |= {"minipaddle.ops", "minipaddle.ops.op_spec"}
# What computes a trace once more: kernels, gradient rules and optimizer rules, on arrays.
OPEN_TO_VIZ |= {"minipaddle.ops.bound", "minipaddle.ops.program_ops"}
OPEN_TO_VIZ |= {"minipaddle.optimizer.recorded_rule"}
# The arrays that note what is done to them.
OPEN_TO_VIZ |= {"minipaddle.ops.recording_arrays"}
# What ops take, and the times that stand beside a trace.
OPEN_TO_VIZ |= {"minipaddle.profiler.timing"}
# The one way in which files are written.
OPEN_TO_VIZ |= {"minipaddle.engine.files"}
# What to install where a module is missing.
OPEN_TO_VIZ |= {"minipaddle.engine.install_advice"}
# Texts in two languages, and the one catalogue of why a gradient is missing.
OPEN_TO_VIZ |= {"minipaddle.engine.bilingual"}
OPEN_TO_VIZ |= {"minipaddle.engine.reasons", "minipaddle.engine.why_no_grad"}


def names(sources: Iterable[Source]) -> set[str]:
    return {source.module for source in sources}


def all_imports(sources: Iterable[Source]) -> list[Import]:
    sources = list(sources)
    known = names(sources)
    return [link for source in sources for link in imports(source, known)]


# ----- Who may import whom -----------------------------------------------------------------------


def floor(module: str) -> int:
    """The floor of a module of minipaddle; the package itself is the roof."""
    inner = module.split(".")[1:]
    beginnings = (".".join(inner[:n]) for n in range(len(inner), 0, -1))
    return next((FLOORS[name] for name in beginnings if name in FLOORS), OTHERS if inner else 5)


def floors(sources: Iterable[Source]) -> list[str]:
    """Nothing imports from a higher floor; eager and static do not know each other."""
    complaints = []
    for link in all_imports(sources):
        low, high = link.importer, link.target
        if not (low.startswith("minipaddle") and high.split(".")[0] == "minipaddle"):
            continue
        sides = {low.split(".")[1] if "." in low else "", high.split(".")[1] if "." in high else ""}
        if floor(high) > floor(low):
            complaints.append(f"{link} (floor {floor(low)} from floor {floor(high)})")
        elif sides == {"eager", "static"}:
            complaints.append(f"{link} (side by side)")
    return complaints


def outward(sources: Iterable[Source], standard: Iterable[str]) -> list[str]:
    """minipaddle imports neither viz nor lessons, and floor 0 only NumPy beside the library."""
    allowed = {*standard, *FLOOR_0_MAY_IMPORT_FROM_OUTSIDE, "minipaddle"}
    complaints = []
    for link in all_imports(sources):
        first = link.target.split(".")[0]
        inside = link.importer.split(".")[0] == "minipaddle"
        if first == "lessons" or (first == "viz" and inside):
            complaints.append(str(link))
        elif inside and floor(link.importer) == 0 and first not in allowed:
            complaints.append(f"{link} (floor 0: standard library and NumPy only)")
    return complaints


def viz_inward(sources: Iterable[Source]) -> list[str]:
    """viz knows minipaddle's public names, events and op records; eager and static never."""
    return [
        str(link)
        for link in all_imports(sources)
        if link.importer.split(".")[0] == "viz"
        and link.target.split(".")[0] == "minipaddle"
        and link.target not in OPEN_TO_VIZ
    ]


def cycles(sources: Iterable[Source]) -> list[str]:
    """No module imports itself, by whatever way round."""
    sources = list(sources)
    known = names(sources)
    graph: dict[str, set[str]] = {module: set() for module in known}
    for link in all_imports(sources):
        if link.target in known:
            graph[link.importer].add(link.target)
    # Take away, again and again, what imports nothing that is left or is imported by nothing left.
    while free := [m for m in graph if not graph[m] or all(m not in t for t in graph.values())]:
        for module in free:
            del graph[module]
        for targets in graph.values():
            targets.difference_update(free)
    return [f"{module} <-> {', '.join(sorted(targets))}" for module, targets in graph.items()]


# ----- The rooms of viz --------------------------------------------------------------------------


def room(module: str) -> str:
    """The room of a module of viz: a folder, or a module beside the folders."""
    return module.split(".")[1] if "." in module else "viz"


def arrows(sources: Iterable[Source]) -> set[tuple[str, str]]:
    """Who imports whom among the rooms of viz; the package itself is the front door."""
    return {
        (room(link.importer), room(link.target))
        for link in all_imports(sources)
        if link.importer.split(".")[0] == link.target.split(".")[0] == "viz"
        and link.importer != "viz"
        and room(link.importer) != room(link.target)
    }


def rooms(sources: Iterable[Source]) -> list[str]:
    """Data flows one way through viz, from room to room."""
    level = {name: number for number, row in enumerate(ROOMS) for name in row}
    return [
        f"viz.{importer} imports viz.{target}, which is not above it"
        for importer, target in sorted(arrows(sources))
        if level.get(importer, -1) <= level.get(target, -1)
    ]


# ----- Lazy loading ------------------------------------------------------------------------------


def dynamic_imports(sources: Iterable[Source]) -> list[str]:
    """importlib is for a module's own `__getattr__`, and for the command line."""
    complaints = []
    for source in sources:
        if source.module.startswith(BY_NAME):
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
