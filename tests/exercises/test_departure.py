"""Departure: the op from which on an answer's results differ from the reference's."""

from pathlib import Path
from typing import Any

import pytest

import minipaddle as paddle
from minipaddle.exercises import Exercise, checks, load
from minipaddle.exercises.grading import departure as module
from minipaddle.exercises.grading.class_page import class_page
from minipaddle.exercises.grading.departure import departure
from minipaddle.exercises.workbench import layer
from tests.each import each

from ..notebooks import write_notebook
from .notebooks import LOAD, folder, graded
from .test_class_page import wrong

__all__ = ["folder"]

LOSS = Exercise(
    "loss", check=checks.function(lambda x, y: ((x - y) ** 2).mean(), inputs=[((3,), (3,))])
)
CUBE = Exercise("cube", check=checks.pylayer(lambda x: x * x * x))
COUNTING = """
import os
calls = []
def double(x):
    calls.append(x)
    if len(calls) > 5:
        os._exit(1)
    return x * x
"""


def found(exercise: Exercise, answer: Any) -> tuple[str, str]:
    box = departure(exercise.judge(answer))
    return (box["op"], box["gives"]["en"]) if box else ("", "")


@each(
    ("answer", "op", "gives"),
    [
        (lambda x, y: ((x + y) ** 2).mean(), "add", ""),
        (lambda x, y: ((x - y) ** 2).sum(), "sum", "z"),
        (lambda x, y: paddle.abs(x - y).mean(), "abs", ""),
        (lambda x, y: (2 * (x - y) / 2 * (x - y)).max(), "max", "z"),  # a detour is no mistake
        (lambda x, y: ((x - y) ** 2).mean().detach(), "", ""),
        (lambda x, y: 0.5, "", ""),
        (lambda x, y: ((x - y) ** 2).mean(), "", ""),
        (lambda x, y: lost, "", ""),  # type: ignore[name-defined]  # noqa: F821
    ],
)
def test_the_first_op_whose_result_the_reference_lacks_is_found(
    answer: Any, op: str, gives: str
) -> None:
    assert found(LOSS, answer) == (op, gives)


@each(
    ("forward", "backward", "op", "gives"),
    [
        (lambda x: x * x * x, lambda dy, x: dy * x * x, "cube.backward", "dx"),
        (lambda x: x * x * x, lambda dy, x: dy * x * 2, "cube.backward", "dx"),
        (lambda x: x**3, lambda dy, x: 3 * x * x, "cube.backward", "dx"),
        (lambda x: x * x, lambda dy, x: dy * 2 * x, "", ""),  # forward is judged alone
        (lambda x: x * x * x, lambda dy, x: dy * 3 * x * x, "", ""),
    ],
)
def test_a_wrong_gradient_is_of_the_backward_that_returns_it(
    forward: Any, backward: Any, op: str, gives: str
) -> None:
    def saving(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return forward(x)

    cube = layer("cube", saving, lambda ctx, dy: backward(dy, *ctx.saved_tensor()))
    assert found(CUBE, cube) == (op, gives)


def test_an_experiment_has_its_box_too(monkeypatch: pytest.MonkeyPatch) -> None:
    both = load("05_three_rules").sum_and_difference
    answer = layer("both", lambda ctx, a, b: (a + b, a - b), lambda ctx, ds, dd: (ds, dd))
    assert found(both, answer) == ("both.backward", "da and db")
    for limit in ("MOST_STEPS", "MOST_NUMBERS"):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 1)
            assert found(both, answer) == ("", "")


def test_the_box_of_a_notebook_is_in_its_row_and_costs_no_verdict(folder: Path) -> None:
    copies = {"a": "def double(x):\n    return x + x + x", "b": COUNTING, "c": "double = 2"}
    for name, cell in copies.items():
        write_notebook(folder / "copies" / f"{name}.ipynb", LOAD, cell)
    rows = {file: own["double"] for file, own in graded(folder).items()}
    assert [row.outcome for row in rows.values()] == ["wrong"] * 3
    assert rows["a.ipynb"].box == {"op": "add", "gives": {"en": "y", "zh": "y"}}
    assert rows["b.ipynb"].box == rows["c.ipynb"].box == {}


def test_a_page_shows_the_most_frequent_box_that_names_no_learner() -> None:
    def row(file: str, op: str) -> dict[str, Any]:
        return {**wrong(file, "cube", "dy"), "box": {"op": op, "gives": {"en": "dx", "zh": "dx"}}}

    ops = {
        "cy": "cube.backward",
        "bo": "<b>",
        "di": "cube.backward",
        "ada": "ada_1",
        "eve": "ada_1",
    }
    rows = [row(f"{name}.ipynb", op) for name, op in ops.items()]
    page = class_page([*rows, row("f.ipynb", "ada_1"), wrong("g.ipynb", "y", "z")], "en")
    assert page.count('<p class="at">') == 1
    assert 'aria-label="Differs first at: cube.backward"' in page
    assert ">cube.backward</text>" in page
    assert ">dx ≠</text>" in page
    assert "&lt;b&gt;</text>" in class_page(rows[1:2], "zh")
