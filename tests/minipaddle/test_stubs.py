"""The type stubs agree with the code, and editors and mypy read them.

`docs/make_stubs.py` writes them.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT
from tests.each import each
from tests.test_docstrings import WITH_EXAMPLES, examples

sys.path.insert(0, str(ROOT / "docs"))
make_stubs = importlib.import_module("make_stubs")

RIGHT = """
import minipaddle as paddle
import viz

layer = paddle.nn.Linear(4, 2)
x = paddle.ones([2, 3], dtype="float32")
y: paddle.Tensor = x.reshape([3, 2]).reshape(2, 3).tanh() + 1.0
total: float = float(paddle.sum(y, axis=0, keepdim=True).mean())
same = paddle.sum(input=y, dim=0)
parts: list[paddle.Tensor] = paddle.split(y, 2)
values, places = paddle.topk(y, k=1)
norm = paddle.linalg.norm(y, p=2, axis=1)
hidden = paddle.nn.functional.relu(y).transpose(0, 1).add_(x.T)
kind: paddle.dtype = paddle.int32 if y.dtype == paddle.int64 else y.dtype
with viz.record(title="a title", limit=10) as trace:
    loss = paddle.nn.functional.mse_loss(layer(x), hidden)
    loss.backward(retain_graph=True)
trace.save("a.html")
"""

WRONG = """
import minipaddle as paddle
import viz

paddle.nn.Linear(4)
paddle.nn.Linear("4", 2)
paddle.ones([2]).reshape([2, 3], order="C")
paddle.ones([2]).reshpe([2])
paddle.tanh(1.0)
paddle.add(paddle.ones([2]), "x")
paddle.sum(paddle.ones([2]), axes=0)
paddle.tnah(paddle.ones([2]))
paddle.linalg.norm()
paddle.nn.functional.softmax(paddle.ones([2]), axis="last")
viz.record(limit="many")
"""

# Examples use the names of their own modules, declare no types, and use `x.grad` after backward.
OF_EXAMPLES = (
    "name-defined", "func-returns-value", "import-untyped", "no-untyped-def", "no-untyped-call",
)  # fmt: skip
EXPECTED = (
    '"None" of "',
    '"Tensor | None"',
    "floating",  # np.float32([1, 2]); NumPy's stub takes only numbers
    '"Block" has no attribute "append_op"',  # set after the class
    'expression has type "Variable", variable has type "Tensor"',  # x is used in both modes
)


def mypy(folder: Path, *options: str) -> list[str]:
    """Return mypy's errors in the programs of a folder, as `program:line`."""
    command = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", str(folder / "cache")]
    command += ["--follow-imports=silent", "--scripts-are-modules", "--no-error-summary", *options]
    answer = subprocess.run(
        [*command, *map(str, sorted(folder.glob("*.py")))],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode < 2, answer.stderr + answer.stdout
    return [line for line in answer.stdout.splitlines() if ": error:" in line]


@pytest.mark.slow
@each("module", make_stubs.STUBS)
def test_every_argument_of_a_stub_has_a_type(module: str) -> None:
    stub = make_stubs.Stub(module)
    ast.parse(stub.text())
    assert not stub.unknown, "give these a type in docs/make_stubs.py"


def test_an_argument_without_a_type_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def norm(x, strange): ...  # type: ignore[no-untyped-def]

    monkeypatch.setattr("minipaddle.linalg.norm", norm)
    stub = make_stubs.Stub("minipaddle.linalg")
    stub.text()
    assert stub.unknown == ["norm(strange)"]


# ----- mypy --------------------------------------------------------------------------------------


def programs() -> Iterator[tuple[str, str]]:
    """Yield the examples of all docstrings, one program each."""
    tests: list[doctest.DocTest] = []
    for module in WITH_EXAMPLES:
        tests += examples(importlib.import_module(module))
    for number, test in enumerate(tests):
        lines = "".join(example.source for example in test.examples if not example.exc_msg)
        head = f"import minipaddle as paddle\nimport numpy as np\nimport viz\n# {test.name}\n"
        yield f"example_{number}.py", head + lines


@pytest.mark.slow
def test_mypy_accepts_right_calls_and_examples_and_reports_wrong_calls(tmp_path: Path) -> None:
    for name, text in (("right.py", RIGHT), ("wrong.py", WRONG), *programs()):
        (tmp_path / name).write_text(text, encoding="utf-8")
    errors = mypy(tmp_path, "--strict", *(f"--disable-error-code={code}" for code in OF_EXAMPLES))
    examples = [error for error in errors if "example_" in error]
    assert [error for error in examples if not any(text in error for text in EXPECTED)] == []
    places = {match[0] for e in errors if (match := re.search(r"(right|wrong)\.py:\d+", e))}
    wanted = {f"wrong.py:{n}" for n, line in enumerate(WRONG.splitlines(), 1) if "(" in line}
    assert places == wanted, "\n".join(errors)


# ----- editors -----------------------------------------------------------------------------------

BEFORE = "import minipaddle as paddle\nimport viz\nx = paddle.ones([2, 3])\n"


def script(program: str):  # type: ignore[no-untyped-def]
    """Return a program as jedi, the language server of editors, sees it."""
    jedi = pytest.importorskip("jedi", reason="jedi is not installed")
    return jedi.Script(BEFORE + program, environment=jedi.InterpreterEnvironment())


@pytest.mark.slow
@each(
    ("program", "arguments", "says"),
    [
        ("paddle.nn.Linear(", ["in_features", "out_features", "weight_attr"], "x @ weight + bias"),
        ("x.reshape(", ["shape", "name"], "another shape"),
        ("viz.record(", ["title", "only", "skip"], "Record what minipaddle does"),
        ("paddle.tanh(", ["x", "name", "out"], "Squash every element"),
        ("paddle.linalg.norm(", ["x", "p", "axis"], "norm of a vector"),
        ("paddle.nn.functional.relu(", ["x", "name"], "max(0, x)"),
        ("paddle.autograd.jacobian(", ["ys", "xs"], "derivative"),
        ("paddle.save(", ["obj", "path", "protocol"], "Write values into a file"),
    ],
)
def test_an_editor_shows_the_signature_of_a_call(
    program: str, arguments: list[str], says: str
) -> None:
    first = script(program).get_signatures()[0]
    assert [p.name for p in first.params][: len(arguments)] == arguments
    assert says in first.docstring()
