"""Run the examples of docstrings, in any interpreter and on either Paddle.

`python example_worker.py dump NAMES OUT` reads docstrings of real Paddle; `python example_worker.py
run paddle|minipaddle EXAMPLES OUT` runs examples one after another in this process and writes
what each prints, one line of JSON per example. Nothing here imports pytest.
"""

import ast
import contextlib
import importlib
import inspect
import io
import json
import random
import re
import sys
import textwrap
import traceback
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^( *)\.\. code-block:: *(?:python|pycon)\b.*$", re.MULTILINE)
DIRECTIVE = re.compile(r"#\s*doctest:\s*(.*)$")
SKIPPING = re.compile(r"([+-])(SKIP|REQUIRES)\b(?:\(([^)]*)\))?")

# ----- Reading docstrings ------------------------------------------------------------------------


def blocks(doc: str) -> list[str]:
    """Return the code blocks of a docstring, or the whole text if no block is marked as code."""
    marks = list(BLOCK.finditer(doc))
    if not marks:
        return [textwrap.dedent(doc)] if ">>>" in doc else []
    texts = []
    for mark in marks:
        kept = []
        for line in doc[mark.end() :].split("\n")[1:]:
            if line.strip() and len(line) - len(line.lstrip()) <= len(mark[1]):
                break
            kept.append(line)
        text = textwrap.dedent("\n".join(kept))
        if ">>>" in text:
            texts.append(text)
    return texts


def parts(block: str) -> list[dict[str, Any]]:
    """Split a block into parts: source lines, and the output that the docstring shows."""
    examples: list[dict[str, Any]] = []
    source: list[str] = []
    want: list[str] = []
    showing = False

    def close() -> None:
        nonlocal source, want, showing
        if source:
            examples.append({"source": "\n".join(source), "want": "\n".join(want)})
        source, want, showing = [], [], False

    for line in block.split("\n"):
        bare = line.strip()
        if bare.startswith(">>>"):
            if showing:
                close()
            source.append(line[line.index(">>>") + 4 :])
        elif source and not showing and (bare == "..." or bare.startswith("... ")):
            source.append(line[line.index("...") + 4 :])
        elif source and bare:
            showing = True
            want.append(bare)
        elif source and showing:
            close()
    close()
    return examples


def dump(names: list[str]) -> dict[str, list[str]]:
    """Return the code blocks in the docstrings of names."""
    documented = {}
    for name in names:
        value: Any = importlib.import_module("paddle")
        for step in name.split(".")[1:]:
            value = getattr(value, step, None)
        doc = inspect.getdoc(value) if value is not None else None
        if doc:
            documented[name] = blocks(doc)
    return documented


# ----- Running -----------------------------------------------------------------------------------


class Console:
    """The console of one example: its variables, and the output of its parts."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        self.skipping = False

    def part(self, part: dict[str, Any], place: str) -> dict[str, Any]:
        """Run one part; a directive alone on a line holds until it is revoked."""
        kept, dropped = [], set()
        for line in part["source"].split("\n"):
            mark = DIRECTIVE.search(line)
            signs = SKIPPING.findall(mark[1]) if mark else []
            if signs and not line[: mark.start()].strip():
                self.skipping = signs[-1][0] == "+"
            elif not self.skipping:
                kept.append(line)
                if signs and signs[-1][0] == "+":
                    dropped.add(len(kept))
        if not kept:
            return {"skipped": True}
        answer = self.run("\n".join(kept), place, dropped)
        return {**answer, "unchecked": True} if self.skipping else answer

    def run(self, source: str, place: str, dropped: set[int]) -> dict[str, Any]:
        """Execute the statements; the last one shows its value, as in a console.

        A statement with one of the lines in `dropped` is left out.
        """
        out = io.StringIO()
        last = ""
        try:
            statements = ast.parse(source, place).body
            for node in statements:
                if dropped & set(range(node.lineno, (node.end_lineno or node.lineno) + 1)):
                    if node is statements[-1]:
                        return {"out": out.getvalue(), "last": last, "unchecked": True}
                    continue
                before = out.tell()
                shows = node is statements[-1]
                tree = ast.Interactive([node]) if shows else ast.Module([node], [])
                code = compile(tree, place, "single" if shows else "exec")
                with contextlib.redirect_stdout(out):
                    exec(code, self.names)
                last = out.getvalue()[before:]
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return {"out": out.getvalue(), "last": last, **told(error)}
        return {"out": out.getvalue(), "last": last}


def told(error: BaseException) -> dict[str, Any]:
    """Return an exception as an answer: its built-in class, text, and last traceback lines."""
    kinds = [c for c in type(error).__mro__ if c.__module__ == "builtins"]
    return {
        "error": kinds[0].__name__,
        "text": f"{type(error).__name__}: {error}",
        "way": "".join(traceback.format_exception(error)[-4:])[-2500:],
    }


def run(paddle: Any, reset: Any, examples: list[dict[str, Any]], out: Any) -> None:
    """Run every example in a fresh world; each answer is written before the next starts."""
    for example in examples:
        reset(paddle)
        console = Console()
        answers = []
        for number, part in enumerate(example["parts"]):
            answers.append(console.part(part, f"<{example['name']} {number}>"))
            if "error" in answers[-1]:
                break
        out.write(json.dumps({"id": example["id"], "answers": answers}) + "\n")
        out.flush()


# ----- The two Paddles ---------------------------------------------------------------------------


def as_paddle(package: str) -> Any:
    """Import a package and let `import paddle` mean it."""
    importlib.import_module(f"{package}.paddle_names.import_alias").stay_paddle()
    return importlib.import_module("paddle")


def usual(paddle: Any) -> None:
    """Set what both have in common: dynamic mode, float32, gradients on, seed 0."""
    numpy = importlib.import_module("numpy")
    paddle.disable_static()
    paddle.set_default_dtype("float32")
    paddle.set_device("cpu")
    paddle.set_printoptions(8, 1000, 3, sci_mode=False, linewidth=80)
    paddle.autograd.enable_grad().__enter__()
    paddle.seed(0)
    random.seed(0)
    numpy.random.seed(0)
    numpy.set_printoptions()


def reset_minipaddle(paddle: Any) -> None:
    """Give minipaddle the state of a new process."""
    usual(paddle)
    importlib.import_module("minipaddle.engine.naming").reset()
    paddle.static.reset_default_programs()
    paddle.static.reset_global_scope()


def reset_paddle(paddle: Any) -> None:
    """Give real Paddle the state of a new process."""
    usual(paddle)
    paddle.utils.unique_name.switch()
    framework = paddle.base.framework
    framework.switch_main_program(paddle.static.Program())
    framework.switch_startup_program(paddle.static.Program())
    paddle.enable_static()  # otherwise the newer programs stay half in static mode
    paddle.disable_static()


def main() -> None:
    """Run the command that the module's docstring describes."""
    task, *rest = sys.argv[1:]
    source, target = map(Path, rest[-2:])
    given = json.loads(source.read_text(encoding="utf-8"))
    if task == "dump":
        target.write_text(json.dumps(dump(given)), encoding="utf-8")
        return
    ours = rest[0] != "paddle"
    paddle = as_paddle(rest[0]) if ours else importlib.import_module("paddle")
    with target.open("a", encoding="utf-8") as out:
        run(paddle, reset_minipaddle if ours else reset_paddle, given, out)


if __name__ == "__main__":
    main()
