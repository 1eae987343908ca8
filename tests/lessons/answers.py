"""Answers to the exercises, as a notebook would hold them."""

from __future__ import annotations

import contextlib
import functools
import io
import json
from typing import Any

import minipaddle as paddle
from minipaddle.autograd import PyLayer

from .conftest import LESSONS


def answer_in(of: str, name: str, variable: str, code: str) -> Any:
    """The answer that a cell makes in a lesson that was solved up to there."""
    notebook = {each: paddle.ones([2, 3], dtype="float64") for each in "xyabt"} | before(of)[name]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, notebook)
    return notebook[variable]


@functools.cache
def before(of: str) -> dict[str, dict[str, Any]]:
    """The variables of a solved lesson as they are before the cell of each exercise."""
    found: dict[str, dict[str, Any]] = {}
    notebook: dict[str, Any] = {}
    for name, code in code_cells(of):
        if name:
            found[name] = dict(notebook)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, notebook)
    return found


@functools.cache
def solutions(of: str) -> dict[str, str]:
    """The solution of each exercise of a lesson."""
    return {name: code for name, code in code_cells(of) if name}


def code_cells(of: str) -> list[tuple[str, str]]:
    """The code of a solved lesson, with the name of the exercise where it is one."""
    cells = json.loads((LESSONS / "solutions" / f"{of}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [
        (cell["metadata"].get("exercise", ""), "".join(cell["source"]))
        for cell in cells
        if cell["cell_type"] == "code"
    ]


def answer(name: str, code: str) -> Any:
    """The class that a cell makes, in a notebook that has variables of the same names."""
    notebook = {"paddle": paddle, "PyLayer": PyLayer}
    notebook |= {each: paddle.ones([2, 3], dtype="float64") for each in "xyabt"}
    exec(code, notebook)
    return notebook[name]


def square(backward: str, keep: str = "x") -> Any:
    """A square with this line as its backward."""
    return answer("square", source(backward, keep))


def source(backward: str, keep: str = "x") -> str:
    """The code of such a square."""
    return (
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n"
        f"        ctx.save_for_backward({keep})\n        return x * x\n"
        f"    @staticmethod\n    def backward(ctx, dy):\n        {backward}\n"
    )
