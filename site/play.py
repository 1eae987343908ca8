"""Build the playground: an editor whose programs run in the browser, beside their player."""

from __future__ import annotations

import inspect
import json
import shutil
import subprocess
import types
import zipfile
from pathlib import Path
from typing import Any

import minipaddle
import viz

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "site/play"
STATIC = (
    "style.css", "play.js", "editor.js", "texts.js", "worker.js", "program.py",
)  # fmt: skip
# Parts of the wheel that no program needs in a browser.
WITHOUT = ("minipaddle/_lessons/", "minipaddle/testing/", "minipaddle-")
EXAMPLES = (  # file, English title, Chinese title
    (
        "lessons/demo/cus_tanh.py",
        "PyLayer: tanh with its own backward",
        "PyLayer：自定义 tanh 的反向",
    ),
    (
        "lessons/demo/py_func_net.py",
        "py_func: tanh in a static Program",
        "py_func：静态图 Program 中的 tanh",
    ),
    (
        "lessons/demo/py_func_add.py",
        "py_func: an addition in Python",
        "py_func：用 Python 写的加法",
    ),
    ("site/play/examples/xor.py", "A two-layer network learns XOR", "两层网络学习异或"),
    ("site/play/examples/rnn.py", "A recurrent network by hand", "手写循环神经网络"),
    ("site/play/examples/mistake.py", "A mistake, and its picture", "一个错误和它的图"),
)
OWN = ("minipaddle", "viz")
DEPTH = 4  # dots in a name that is completed


def build(output: Path, wheel: Path, pyodide: str) -> None:
    """Write the playground into the folder `play` of the site."""
    folder = output / "play"
    folder.mkdir(exist_ok=True)
    for name in (*STATIC, "sw.js"):
        shutil.copy(SOURCE / name, folder / name)
    pack_engine(wheel, folder / "engine.zip")
    bundle_editor(folder / "editor.js")
    write_json(folder / "names.json", names_of_modules())
    examples = [
        {
            "name": Path(file).stem,
            "code": (ROOT / file).read_text(encoding="utf-8"),
            "en": en,
            "zh": zh,
        }
        for file, en, zh in EXAMPLES
    ]
    address = pyodide if pyodide.startswith("http") else f"../{pyodide}"
    files = ["./", *STATIC, "engine.zip", "names.json", "settings.json"]
    settings = {"pyodide": address, "examples": examples, "files": files}
    write_json(folder / "settings.json", settings)
    shutil.copy(SOURCE / "index.html", folder)  # last: the page is there when it works


def write_json(path: Path, content: Any) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text, encoding="utf-8")


def pack_engine(wheel: Path, target: Path) -> None:
    """Pack what a program needs of the wheel."""
    with (
        zipfile.ZipFile(wheel) as whole,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as part,
    ):
        for name in whole.namelist():
            if not name.startswith(WITHOUT) and not name.endswith(".pyi"):
                part.writestr(zipfile.ZipInfo(name), whole.read(name), zipfile.ZIP_DEFLATED)


def bundle_editor(target: Path) -> None:
    """Bundle CodeMirror into one file; without npm the editor stays a plain text area."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is missing, so the editor has no colours and no completion.", flush=True)
        return
    work = ROOT / "out/codemirror"  # npm's packages stay here for the next build
    shutil.copytree(SOURCE / "codemirror", work, dirs_exist_ok=True)
    subprocess.run([npm, "install", "--silent", "--no-audit", "--no-fund"], cwd=work, check=True)
    command = [npm, "exec", "--offline", "--", "esbuild", "editor.js", "--bundle", "--minify"]
    command += ["--format=esm", "--log-level=warning", f"--outfile={target}"]
    subprocess.run(command, cwd=work, check=True)


# ----- names that the editor completes -----


def names_of_modules() -> dict[str, list[dict[str, str]]]:
    """Return the public names of each module that a program can reach with dots."""
    found: dict[str, list[dict[str, str]]] = {}
    waiting: list[tuple[str, types.ModuleType]] = [("minipaddle", minipaddle), ("viz", viz)]
    while waiting:
        name, module = waiting.pop()
        found[name] = []
        for member in getattr(module, "__all__", dir(module)):
            if member.startswith("_"):
                continue
            value = getattr(module, member)
            found[name].append(entry(member, value))
            inner = f"{name}.{member}"
            own = isinstance(value, types.ModuleType) and value.__name__.startswith(OWN)
            if own and inner.count(".") < DEPTH:
                waiting.append((inner, value))
    return found


def entry(label: str, value: Any) -> dict[str, str]:
    """Return what the editor shows of a name: kind, arguments, first paragraph of the docstring."""
    kind = "namespace" if isinstance(value, types.ModuleType) else "variable"
    kind = "class" if isinstance(value, type) else "function" if callable(value) else kind
    documented = kind != "variable"
    info = (inspect.getdoc(value) or "").partition("\n\n")[0] if documented else ""
    return {"label": label, "type": kind, "detail": arguments(value, kind), "info": info}


def arguments(value: Any, kind: str) -> str:
    """Return the names of the arguments of a function or class."""
    if kind not in ("class", "function"):
        return ""
    try:
        return f"({', '.join(inspect.signature(value).parameters)})"
    except (TypeError, ValueError):
        return ""
