"""Write the API reference: a page for each public module, from signatures and docstrings.

Signatures are those of the type stubs (`docs/make_stubs.py`).
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.make_stubs import Stub
from minipaddle.engine.errors import NoSuchName

# A value that several modules have is documented in the first of them.
MODULES = (
    *("viz", "viz.plots", "paddle.autograd", "paddle", "paddle.Tensor", "paddle.nn"),
    *("paddle.nn.functional", "paddle.nn.initializer", "paddle.nn.utils", "paddle.optimizer"),
    *("paddle.optimizer.lr", "paddle.static", "paddle.static.nn", "paddle.jit", "paddle.io"),
    *("paddle.metric", "paddle.callbacks", "paddle.linalg", "paddle.fft"),
    *("paddle.distribution", "paddle.vision", "paddle.vision.transforms", "paddle.vision.models"),
    *("paddle.vision.datasets", "paddle.vision.ops", "paddle.text", "paddle.dataset.mnist"),
    *("paddle.amp", "paddle.device", "paddle.device.cuda", "paddle.distributed"),
    *("paddle.distributed.fleet.utils", "paddle.incubate.autograd", "paddle.regularizer"),
    *("paddle.random", "paddle.testing", "paddle.profiler", "paddle.utils", "paddle.version"),
    "paddle.base",
)
OF_THE_ENGINE = {"edges", "hooks", "visit"}  # attributes of a leaf for backward
STUB = Stub("minipaddle")
DECLARED = re.compile(r"def \w+\((?:self(?:: \w+)?(?:, )?)?(.*)\) -> (.*):")
UNDERSCORE = re.compile(r"\b_(?:AnyTensor\b|(?=[a-zA-Z]))")  # of _AnyTensor, _float, _Shape
EXAMPLE = re.compile(r"^>>> [\s\S]*?(?=\n\n|\Z)", re.MULTILINE)
LABELS = "Forward|Backward|Shapes and dtypes|Shapes|Dtypes|Errors|Source"
BEFORE_LABEL = re.compile(rf"(?<=\S)\n(?=(?:{LABELS}):? )")
LABEL = re.compile(rf"^(?:{LABELS})(?=:? )", re.MULTILINE)
FENCE = re.compile(r"^`+", re.MULTILINE)
INDEX = """\
# API reference

What `minipaddle` and `viz` have, with signatures, shapes, errors and examples.
In the examples `paddle` is `minipaddle`, and `np` is NumPy.

```{{toctree}}
:maxdepth: 1

{pages}
```
"""


def write(folder: Path) -> None:
    """Write the pages and their index into a folder."""
    folder.mkdir(parents=True)
    things = {path: load(path) for path in MODULES}
    members = {
        path: [*(members_of if inspect.isclass(thing) else all_of)(thing)]
        for path, thing in things.items()
    }
    first: dict[int, str] = {}  # id of a value -> full name where it is documented
    for own in (True, False):  # its own name is better than a second one
        for path, name, value in ((p, *member) for p in MODULES for member in members[p]):
            if own is (name == getattr(value, "__name__", name)):
                first.setdefault(id(value), f"{path}.{name}")
    for path, thing in things.items():
        entries = [entry(f"{path}.{name}", value, first) for name, value in members[path]]
        head = (inspect.getdoc(thing) or "").partition("\n\n")[0]
        text = f"# {path}\n\n{head}\n\n" + "\n".join(entries)
        (folder / f"{path}.md").write_text(text, encoding="utf-8")
    (folder / "index.md").write_text(INDEX.format(pages="\n".join(MODULES)), encoding="utf-8")


def load(path: str) -> Any:
    """Return a module, or the class Tensor."""
    if path == "paddle.Tensor":
        return importlib.import_module("minipaddle").Tensor
    name = path.replace("viz.plots", "viz.draw.plots")
    return importlib.import_module(re.sub("^paddle", "minipaddle", name))


def all_of(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public functions and classes of a module."""
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        if callable(value) and not inspect.ismodule(value):
            yield name, value


def members_of(cls: Any) -> Iterator[tuple[str, Any]]:
    """Yield the public members of a class, for Tensor those of its bases, too."""
    for name in dir(cls) if cls.__name__ == "Tensor" else vars(cls):
        if name[0] != "_" and name not in OF_THE_ENGINE:
            try:
                value = inspect.getattr_static(cls, name, None)
                if not (isinstance(value, property) or callable(value)):  # made on access
                    value = getattr(cls, name)
            except NoSuchName:  # a name of Paddle that is absent
                continue
            value = getattr(value, "__func__", value)
            if isinstance(value, property) or callable(value):
                yield name, value


def entry(name: str, value: Any, first: dict[int, str], kind: str = "function") -> str:
    """Return the entry of one name: its signature and docstring, or where it is documented."""
    known = first.get(id(value), name)
    if isinstance(value, property):
        return directive("attribute", name, docstring(value))
    kind = "class" if inspect.isclass(value) else kind
    if known != name:
        text = f"See {{py:obj}}`{known}`."
        return directive(kind, f"{name}()", text)
    text = docstring(value)
    if text.startswith("In place, "):
        text = text.partition("\n\n")[0]
    if kind == "class" and name != "paddle.Tensor":
        members = (m for m in members_of(value) if inspect.getdoc(m[1]))
        text += "\n\n" + "\n".join(entry(f"{name}.{own}", at, {}, "method") for own, at in members)
    return directive(kind, name + arguments(name, value), text)


def directive(kind: str, signature: str, text: str) -> str:
    """Return an entry of Sphinx, in a fence that is longer than those inside."""
    fence = "`" * max([3, *(len(inner) + 1 for inner in FENCE.findall(text))])
    return f"{fence}{{py:{kind}}} {signature}\n{text}\n{fence}\n"


def arguments(name: str, value: Any) -> str:
    """Return the arguments and the result of a call, as the stubs spell them."""
    if name == "paddle.Tensor":  # made by to_tensor
        return ""
    try:
        if inspect.isclass(value):
            declaration = STUB.function("__init__", value.__init__, "Layer")
        else:
            declaration = STUB.function(name.rpartition(".")[2], value)
    except (AttributeError, TypeError, ValueError):  # made in C
        return ""
    line = next(each for each in declaration if each.startswith("def "))
    given, result = DECLARED.match(line).groups()
    given = UNDERSCORE.sub(lambda at: "Tensor" if "Any" in at[0] else "", given)
    given = given.replace(": Any", "")
    result = "" if inspect.isclass(value) else f" -> {UNDERSCORE.sub('', result)}"
    return f"({given}){result}"


def docstring(value: Any) -> str:
    """Return a docstring as Markdown: examples as code, facts such as shapes on their own lines."""
    text = EXAMPLE.sub(lambda at: f"```pycon\n{at[0]}\n```", inspect.getdoc(value) or "")
    return LABEL.sub(r"**\g<0>**", BEFORE_LABEL.sub(r"\\\n", text))
