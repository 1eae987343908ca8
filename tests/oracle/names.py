"""Write down Paddle's public names and signatures, for the record that minipaddle carries.

Call it with an interpreter that has Paddle: `python tests/oracle/names.py`. It writes
`minipaddle/paddle_names/public_names.txt` (which names Paddle has, module by module) and
`tests/data/signatures.json` (parameters and defaults of its functions and classes).
"""

import inspect
import json
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = ROOT / "minipaddle" / "paddle_names" / "public_names.txt"
SIGNATURES = ROOT / "tests" / "data" / "signatures.json"

INTERNAL = {"base", "tensor", "framework", "pir", "hapi", "cinn", "core", "ir_backward", "layer"}
INTERNAL |= {"dataset"}
MADE_AT_IMPORT = ("monkey_patch", "original_init", "new_init", "FLAGS_", "ir_guard", "IrGuard")
DEPTH = 3
# Modules of which minipaddle has a part; signatures of others are not recorded.
SIGNED = ("", ".Tensor", ".autograd", ".device", ".fft", ".linalg", ".nn", ".nn.functional")
SIGNED += (".nn.initializer", ".nn.utils", ".optimizer", ".optimizer.lr", ".regularizer")
SIGNED += (".static", ".static.nn")


def modules(paddle: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Return Paddle's public modules that list their names, outer ones first."""
    queue: list[tuple[str, Any, int]] = [("paddle", paddle, 0)]
    seen: set[int] = set()
    while queue:
        path, module, depth = queue.pop(0)
        if id(module) in seen or depth > DEPTH:
            continue
        seen.add(id(module))
        if isinstance(vars(module).get("__all__"), list) and module.__all__:
            yield path, module
        inner = (n for n in sorted(vars(module)) if n[0] != "_" and n not in INTERNAL)
        for name in inner:
            value = vars(module)[name]
            if isinstance(value, types.ModuleType) and value.__name__.startswith("paddle."):
                queue.append((f"{path}.{name}", value, depth + 1))


def names(paddle: types.ModuleType) -> dict[str, list[str]]:
    """Return the public names of each module, and of Tensor."""
    listed = {path: set(module.__all__) for path, module in modules(paddle)}
    for path in listed:  # a module is a name of the module around it
        outer, _, name = path.rpartition(".")
        if outer in listed:
            listed[outer].add(name)
    listed["paddle"] |= {n for n, v in vars(paddle).items() if ours(n, v)}
    listed["paddle"] |= INTERNAL & vars(paddle).keys()
    listed["paddle.autograd"] |= {n for n, v in vars(paddle.autograd).items() if ours(n, v)}
    fleet = vars(paddle.distributed.fleet)  # has the methods of one Fleet object
    listed["paddle.distributed.fleet"] |= {n for n, v in fleet.items() if inspect.ismethod(v)}
    listed["paddle.static.amp"] = {n for n, v in vars(paddle.static.amp).items() if ours(n, v)}
    listed["paddle.static"].add("amp")
    listed["paddle.Tensor"] = {n for n in dir(paddle.Tensor) if n[0] != "_"}
    return {path: sorted(n for n in names if n[0] != "_") for path, names in listed.items()}


def ours(name: str, value: Any) -> bool:
    """Say whether a name that a module has but does not list is for users."""
    callable_ = inspect.isroutine(value) or inspect.isclass(value)
    home = str(getattr(value, "__module__", "") or "")
    return callable_ and home.startswith("paddle") and not name.startswith(("_", *MADE_AT_IMPORT))


# ----- Signatures --------------------------------------------------------------------------------


def signatures(paddle: types.ModuleType, listed: dict[str, list[str]]) -> dict[str, list[Any]]:
    """Return `[kind and name, default]` of each parameter, if Python knows them."""
    parameters_of = {}
    for path in (f"paddle{part}" for part in SIGNED):
        place: Any = paddle
        for step in path.split(".")[1:]:
            place = getattr(place, step)
        for name in listed[path]:
            value = getattr(place, name, None)
            if callable(value) and (parameters := read(value)) is not None:
                parameters_of[f"{path}.{name}"] = parameters
    return parameters_of


def read(value: Any) -> list[Any] | None:
    """Return the parameters of a callable as JSON, or None if Python does not know them."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    rows: list[Any] = []
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not any(r[0].startswith("*") for r in rows):
            rows.append(["*"])
        row = [marks.get(p.kind, "") + p.name]
        rows.append(row if p.default is p.empty else [*row, plain(p.default)])
    return rows


def plain(value: Any) -> Any:
    """Return a default as JSON, or its text if JSON cannot express it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value if value == value and abs_finite(value) else str(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return f"<{getattr(value, '__name__', type(value).__name__)}>"


def abs_finite(value: Any) -> bool:
    """Say whether JSON can express a value."""
    return not isinstance(value, float) or abs(value) != float("inf")


def main() -> None:
    """Write both files."""
    import paddle

    listed = names(paddle)
    head = f"# The public names of PaddlePaddle {paddle.__version__}, by tests/oracle/names.py"
    first = {"paddle.Tensor": listed.pop("paddle.Tensor")}
    lines = [f"{path}: {' '.join(inner)}" for path, inner in (first | listed).items()]
    NAMES.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    rows = signatures(paddle, first | listed)
    body = ",\n".join(f"{json.dumps(n)}: {json.dumps(s)}" for n, s in sorted(rows.items()))
    start = json.dumps({"paddle": paddle.__version__, "recorded_by": "tests/oracle/names.py"})
    text = start[:-1] + ',\n"signatures": {\n' + body + "\n}}\n"
    SIGNATURES.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
