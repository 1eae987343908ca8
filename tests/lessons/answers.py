"""Lessons run in this process, and answers to their exercises as in a notebook."""

import contextlib
import functools
import io
import json
import linecache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import minipaddle as paddle
import viz
from minipaddle import exercises
from minipaddle.autograd import PyLayer
from minipaddle.exercises import Course

from ..sealing import sealed
from .conftest import LESSONS


class Ran(NamedTuple):
    """A lesson that has run: its variables, its output, and its variables at each exercise."""

    variables: dict[str, Any]
    printed: str
    before: dict[str, dict[str, Any]]


@functools.cache
def course(of: str) -> Course:
    """Load a lesson's exercises once; the slips of each are verified once, too."""
    return exercises.load(of)


def ran(of: str, place: str = "solutions") -> Ran:
    """Run a lesson once in this process, a solved one in strict mode; tests share its variables."""
    return first_run(of, place)


@functools.cache
def first_run(of: str, place: str) -> Ran:
    before: dict[str, dict[str, Any]] = {}
    printed = io.StringIO()
    with sealed(), pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(printed):
        patch.setenv("MINIPADDLE_STRICT", "1" if place.startswith("solutions") else "")
        variables = run_here(place, patch, of, before)
        assert paddle.in_dynamic_mode()
        assert paddle.get_device() == "cpu"
    exercises.set_lang("en")
    viz.set_lang("")
    return Ran(variables, printed.getvalue(), before)


def run_here(
    place: str,
    patch: pytest.MonkeyPatch,
    of: str = "01_one_tanh",
    before: dict[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Run the code cells in this process, in the notebook's folder; return its variables.

    A cell that ends in a name alone shows a picture.
    """
    patch.chdir(LESSONS / place)
    variables: dict[str, Any] = {}
    for number, (exercise, code) in enumerate(code_cells(of, place)):
        if exercise and before is not None:
            before[exercise] = dict(variables)
        name = f"code-{number}.py"
        lines = code.splitlines(keepends=True)
        patch.setitem(linecache.cache, name, (len(code), None, lines, name))
        exec(compile(code, name, "exec"), variables)
        if (last := code.split("\n")[-1]).isidentifier():
            assert hasattr(variables[last], "_repr_mimebundle_"), last
    return variables


def code_cells(of: str, place: str = "solutions") -> list[tuple[str, str]]:
    """List the code cells of a lesson, each with the name of its exercise, if any."""
    file = Path(LESSONS, place, f"{of}.ipynb")
    return [
        (cell["metadata"].get("exercise", ""), "".join(cell["source"]))
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]


@functools.cache
def solutions(of: str) -> dict[str, str]:
    """Return the solution of each exercise of a lesson."""
    return {name: code for name, code in code_cells(of) if name}


def answer_in(of: str, name: str, variable: str, code: str) -> Any:
    """Return the answer that a cell makes in a lesson that is solved up to the cell."""
    notebook = tensors() | ran(of).before[name]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, notebook)
    return notebook[variable]


def tensors() -> dict[str, Any]:
    """Return variables of a notebook with the same names as an answer's own."""
    return {name: paddle.ones([2, 3], dtype="float64") for name in "xyabt"}


def answer(name: str, code: str) -> Any:
    """Return the class that a cell makes."""
    notebook = {"paddle": paddle, "PyLayer": PyLayer} | tensors()
    exec(code, notebook)
    return notebook[name]


def square(backward: str, keep: str = "x") -> Any:
    """Return a square PyLayer with a line as its backward."""
    return answer("square", source(backward, keep))


def source(backward: str, keep: str = "x") -> str:
    """Return the code of a square PyLayer with a line as its backward."""
    return (
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n"
        f"        ctx.save_for_backward({keep})\n        return x * x\n"
        f"    @staticmethod\n    def backward(ctx, dy):\n        {backward}\n"
    )
