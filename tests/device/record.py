"""Write down which names CuPy has, and which arguments they take: `python record.py [--check]`.

Runs under any Python that can import CuPy; no GPU is needed. The result, cupy.json, is what the
stand-in offers and what the sources may use. With --check it only says what has changed.
"""

import inspect
import json
import re
import sys
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parents[2] / "minipaddle" / "testing" / "cupy.json"
UFUNC_METHODS = {"accumulate": 1, "at": 3, "outer": 2, "reduce": 1, "reduceat": 2}


def of_signature(function: Any) -> str | None:
    """The names of the parameters, `*` and `**` for any number of them; None if not told."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return ", ".join(stars.get(p.kind, p.name) for p in parameters)


def of_docstring(method: Any, name: str) -> str | None:
    """The same, read in the first line of the docstring: `_ndarray_base.sum(self, axis=None)`."""
    signature = re.match(rf"\w+\.{name}\((?:self)?,? ?(.*?)\)(?: ->.*)?$", first_line(method))
    if not signature:
        return None
    words = [part.partition("=")[0].split() for part in signature.group(1).split(", ") if part]
    return ", ".join("*" if word[-1].startswith("*") else word[-1] for word in words)


def first_line(thing: Any) -> str:
    return (getattr(thing, "__doc__", None) or "").partition("\n")[0]


def supported(ufunc: Any) -> list[str]:
    """The methods of a ufunc that do more than say that they are not there yet."""
    methods = []
    for method, count in UFUNC_METHODS.items():
        try:
            getattr(ufunc, method)(*[None] * count)
        except NotImplementedError:
            continue
        except Exception:  # noqa: BLE001  (it went on to look at the arguments)
            pass
        methods.append(method)
    return methods


def names_of(module: Any, cupy: Any) -> dict[str, Any]:
    """Functions with their parameters, and the names of everything else that is public."""
    functions, others = {}, []
    for name in sorted(vars(module)):
        member = getattr(module, name)
        if name.startswith("_") or inspect.ismodule(member) or isinstance(member, cupy.ufunc):
            continue
        if callable(member) and not inspect.isclass(member):
            functions[name] = of_signature(member)
        else:
            others.append(name)
    return {"functions": functions, "others": others}


def record() -> dict[str, Any]:
    """Everything that is recorded of the CuPy that can be imported here."""
    import cupy

    ufuncs = {n: m for n, m in sorted(vars(cupy).items()) if isinstance(m, cupy.ufunc)}
    members = {n: getattr(cupy.ndarray, n) for n in sorted(dir(cupy.ndarray))}
    methods = {n: m for n, m in members.items() if callable(m) and not n.startswith("_")}
    return {
        "version": cupy.__version__,
        "cupy": names_of(cupy, cupy),
        "fft": names_of(cupy.fft, cupy),
        "linalg": names_of(cupy.linalg, cupy),
        "stride_tricks": names_of(cupy.lib.stride_tricks, cupy),
        "ufuncs": {name: supported(ufunc) for name, ufunc in ufuncs.items()},
        "methods": {name: of_docstring(method, name) for name, method in methods.items()},
        "attributes": [n for n in members if not n.startswith("_") and n not in methods],
        "operators": [n for n, m in members.items() if n.startswith("__") and callable(m)],
    }


def main() -> None:
    recorded = record()
    if "--check" in sys.argv:
        known = json.loads(RECORDED.read_text())
        sys.exit("\n".join(part for part in recorded if recorded[part] != known.get(part)) or 0)
    RECORDED.write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    main()
