"""The rules themselves: each takes sources and returns its complaints, one line each."""

import ast
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from .sources import Import, Source, imports

# Modules by floor: the longest name that a module begins with counts.
GROUND = ("calls", "errors", "dtypes", "files", "guard", "naming", "modes")
GROUND += ("python_messages", "refusals", "source_line", "stop_reasons", "tracebacks", "visible")
FLOORS = {
    **{f"engine.{name}": 0 for name in GROUND},
    **dict.fromkeys(("events", "messages", "paddle_names"), 0),
    **dict.fromkeys(("engine", "device", "random", "saving.errors", "saving.pickles"), 1),
    "errors": 0,
    "ops": 2,
    **dict.fromkeys(("eager", "static", "parameters"), 3),
    **dict.fromkeys(("__main__", "_cli", "exercises", "distributed.launch"), 5),
}
OTHERS = 4  # nn, optimizer, autograd, io, ...
FLOOR_0_MAY_IMPORT_FROM_OUTSIDE = {"numpy"}

# The rooms of viz, each with what it may import: those above it.
ROOMS = (
    ("model", "language", "workers"),
    ("theme",),
    ("document",),
    ("recording",),
    ("whatif",),
    ("story",),
    ("layout",),
    ("facts",),
    ("explanation",),
    ("draw",),
    ("player", "terminal"),
    ("export",),
    ("views",),
    ("compare", "teach"),
    ("trace",),
    ("many_ranks",),
    ("frameworks",),
    ("recorder",),
    ("sweeps", "magics", "flight_recorder"),
)
# What finds modules by their names: the command line, exercises, `import paddle`, Paddle's inner
# modules, and `paddle.utils.try_import`.
BY_NAME = ("minipaddle.__main__", "minipaddle._cli", "minipaddle.exercises")
BY_NAME += ("minipaddle.paddle_names.import_alias", "minipaddle.paddle_names.absent")
BY_NAME += ("minipaddle.utils",)

# What viz may know of minipaddle: public names, the events and what belongs to them, op metadata.
OPEN_TO_VIZ = {"minipaddle", "minipaddle.messages", "minipaddle.profiler.timing"}
OPEN_TO_VIZ |= {f"minipaddle.events{name}" for name in ("", ".event_types", ".notes")}
# Kernels, gradient rules and optimizer rules compute a trace once more; arrays note what they do.
OPEN_TO_VIZ |= {"minipaddle.optimizer.recorded_rule"}
OPEN_TO_VIZ |= {
    f"minipaddle.ops{name}"
    for name in (
        "",
        ".algebra",
        ".op_spec",
        ".bound",
        ".program_ops",
        ".recording_arrays",
        ".algebra",
        ".expression",
        ".symbols",
    )
}
# Arguments by name, errors, files, advice, texts in two languages or from others, and why a
# gradient is missing.
OPEN_TO_VIZ |= {
    f"minipaddle.engine.{name}"
    for name in (
        *("call_settings", "errors", "files", "guard", "install_advice"),
        *("reasons", "source_line", "visible", "why_no_grad"),
    )
}


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
    """No module imports itself through others."""
    sources = list(sources)
    known = names(sources)
    graph: dict[str, set[str]] = {module: set() for module in known}
    for link in all_imports(sources):
        if link.target in known:
            graph[link.importer].add(link.target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [" <- ".join(error.args[1])]
    return []


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
        lazy = {
            line
            for node in source.tree.body
            if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        complaints += [
            f"{source.module}:{call.lineno} imports by name"
            for call in source.calls
            if call.lineno not in lazy
            and ast.unparse(call.func).split(".")[-1] in ("import_module", "__import__")
        ]
    return complaints


# ----- What learners see -------------------------------------------------------------------------


def unstable_ids(sources: Iterable[Source]) -> list[str]:
    """viz never calls id(), which differs from run to run; recorders find foreign objects by it."""
    return [
        f"{source.module}:{call.lineno} calls id()"
        for source in sources
        for call in source.calls
        if source.module.startswith("viz")
        and not source.module.startswith("viz.frameworks")
        and isinstance(call.func, ast.Name)
        and call.func.id == "id"
    ]


def one_language(sources: Iterable[Source]) -> list[str]:
    """A `Text("…", "…")` is one name for all languages: what differs is a Message."""
    return [
        f"{source.module}:{call.lineno} is no Message"
        for source in sources
        for call in source.calls
        if isinstance(call.func, ast.Name) and call.func.id == "Text"
        if len({text.value for text in call.args if isinstance(text, ast.Constant)}) > 1
    ]


# ----- Errors ------------------------------------------------------------------------------------

MOST_LINES = 3  # longest raise that contains its own text


def long_raises(sources: Iterable[Source]) -> list[str]:
    """A raise with prose in it hides the mechanism: a longer error has a name."""
    return [
        f"{source.module}:{node.lineno} raises in {lines} lines: give the error a name"
        for source in sources
        if source.module.startswith("minipaddle")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Raise)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > MOST_LINES
    ]


def unused_errors(sources: Iterable[Source]) -> list[str]:
    """An error that nothing raises has a text that nobody checks."""
    sources = list(sources)
    used = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute | ast.Name)
    }
    return [
        f"{source.module}.{node.name} is never used"
        for source in sources
        if source.module.endswith(".errors")
        for node in source.tree.body
        if isinstance(node, ast.FunctionDef) and node.name not in used
    ]
