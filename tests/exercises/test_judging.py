"""Answers in a notebook's own process are judged as those in this process."""

from collections.abc import Iterator
from pathlib import Path
from symtable import SymbolTable, symtable

import pytest

pytest.importorskip("IPython", reason="IPython is not installed")

from minipaddle.exercises import Exercise, Outcome, load
from minipaddle.exercises.course import lessons
from minipaddle.exercises.grading.judge import Judge
from tests.each import each

from ..lessons.answers import code_cells
from ..lessons.conftest import LESSONS
from ..lessons.test_answers import wrong_answers
from .kernels import judge_of
from .notebooks import DOUBLE, GUESS, LOAD, folder

__all__ = ["folder"]

# Variables of a notebook with the same names as an answer's own.
TENSORS = "import minipaddle as paddle\nx, y, a, b, t = paddle.ones([5, 2, 3], 'float64')"


@pytest.mark.slow
@each("of", lessons())
def test_solutions_and_known_mistakes_are_told_apart_from_outside(of: str) -> None:
    folder = LESSONS / "solutions"
    course = load(of)
    with judge_of(folder) as judge:
        judge.ask("cell", TENSORS)
        for name, code in needed_cells(of):
            part = course[name] if name else None
            if isinstance(part, Exercise):
                for slip, wrong in wrong_answers(of, name)[::2]:  # each one in tests/lessons
                    assert outcome(judge, part, wrong).slip == slip, wrong
            reply, _ = judge.ask("cell", code)
            assert not reply, code
            if isinstance(part, Exercise):
                assert outcome(judge, part, code).solved, code


def needed_cells(of: str) -> list[tuple[str, str]]:
    """Return the cells of the exercises, and those that make the names that they use."""
    kept: list[tuple[str, str]] = []
    used: set[str] = set()
    for name, code in reversed(code_cells(of)):
        symbols = symtable(code, "", "exec").get_symbols()
        made = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported()}
        if name or made & used:
            texts = [code, *(wrong for _, wrong in wrong_answers(of, name))] if name else [code]
            used.update(*(looked_up(symtable(text, "", "exec")) for text in texts))
            kept.append((name, code))
    return kept[::-1]


def looked_up(table: SymbolTable) -> set[str]:
    """Return the names of the notebook that code reads, also inside of its functions."""
    top = table.get_type() == "module"
    own = {
        one.get_name()
        for one in table.get_symbols()
        if one.is_referenced() and (top or one.is_global())
    }
    return own.union(*map(looked_up, table.get_children()))


def outcome(judge: Judge, part: Exercise, code: str) -> Outcome:
    """Run a cell and judge the answer that it makes."""
    judge.ask("cell", code)
    data, _ = judge.ask("variable", part.answer)
    return part.judge(judge.read_answer(data)[1], seed=7)


# ----- one answer --------------------------------------------------------------------------------


@pytest.fixture
def judge(folder: Path) -> Iterator[Judge]:
    """Return a judge of notebooks by the teacher's file."""
    with (folder / "teacher.py").open("a", encoding="utf-8") as file:
        file.write('gates.double.hide("below zero", lambda double: undefined)\n')
    with judge_of(folder / "copies", "../teacher.py") as made:
        assert run(made, LOAD) == []
        yield made


def run(judge: Judge, *cells: str) -> list[str]:
    """Run cells; return their errors."""
    errors: list[str] = []
    for cell in cells:
        judge.run_cell(cell, "cell", errors)
    return errors


def test_an_answer_becomes_a_row(judge: Judge) -> None:
    for cell, row in (
        ("", {"outcome": "not yet", "points": 0, "reason": "The notebook has no one."}),
        ("one = 1", {"outcome": "right", "points": 2, "reason": ""}),
        ("one = 0", {"points": 0, "reason": "[zero] Not 0. value: expected 1, got 0."}),
        ("one = 1.0", {"outcome": "wrong", "points": 0}),
    ):
        run(judge, cell)
        assert row.items() <= judge.judge_answer("one", []).items()
    run(judge, DOUBLE)
    row = judge.judge_answer("double", [])
    assert (row["outcome"], row["points"]) == ("not judged", None)
    assert row["reason"].endswith("fails by itself: NameError: name 'undefined' is not defined")
    assert judge.judge_answer("guess", [])["outcome"] == "not yet"
    run(judge, GUESS)
    assert judge.judge_answer("guess", [])["outcome"] == "right"


@each(
    ("checked", "at_the_end", "outcome", "said"),
    [
        ([1], "one = 0.3", "right", "Judged by its check in code cell 5: one was changed later."),
        ([1], "", "right", "Judged by its check in code cell 5: at the end there is no one."),
        (
            [0],
            "one = 'x'",
            "wrong",
            "Judged by its check in code cell 5: one was changed later. [",
        ),
        ([0], "one = 0", "wrong", "[zero]"),
        ([0], "one = 1", "right", ""),  # repaired, and not checked again
        ([1, 0], "one = 0", "wrong", "[zero]"),  # the last check counts
        (
            [1.0],
            "one = 0.3",
            "wrong",
            "Judged by its check in code cell 5: one was changed later. [h",
        ),
    ],
)
def test_a_reused_name_is_judged_by_its_last_check(
    judge: Judge, checked: list[object], at_the_end: str, outcome: str, said: str
) -> None:
    judge.checked.clear()
    judge.cell = 5
    cells = [f"gates.one.check({answer})" for answer in checked]
    assert run(judge, "globals().pop('one', 0)", *cells, at_the_end) == []
    row = judge.judge_answer("one", [])
    assert row["outcome"] == outcome
    assert row["reason"].startswith(said)
    assert bool(row["reason"]) == bool(said)


def test_a_learners_own_exercise_does_not_replace_the_teachers(judge: Judge) -> None:
    made = "from minipaddle.exercises import Exercise\none = 3\n"
    run(judge, f"{made}Exercise('one', check=lambda _: True).check(3)")
    row = judge.judge_answer("one", [])
    assert (row["outcome"], row["points"]) == ("wrong", 0)
    run(judge, "gates.one.check(1)", f"{made}Exercise('one', check=lambda _: False).check(3)")
    assert judge.judge_answer("one", [])["outcome"] == "right"


def test_a_teachers_function_calls_the_answer_and_gets_its_gradients(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    with judge_of(tmp_path, "own.py") as judge:
        assert run(judge, ANSWERS) == []
        rows = {name: judge.judge_answer(name, []) for name in judge.loaded}
    assert {name: row["outcome"] for name, row in rows.items()} == {
        **dict.fromkeys(("called", "pair", "cube", "net", "data", "raises", "itself"), "right"),
        "quits": "error",
        "wrong": "wrong",
    }, rows


OWN = """
import numpy as np
import minipaddle as paddle
from minipaddle.exercises import Exercise


def check_called(f):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = f(x * 2, scale=3)
    assert isinstance(y, paddle.Tensor)
    assert not y.stop_gradient
    (y * y).sum().backward()
    assert y.tolist() == [12.0, 48.0]
    assert x.grad.tolist() == [2 * 12 * 24, 2 * 48 * 48]


def check_pair(f):
    a, b = paddle.ones([2]), paddle.full([2], 3.0)
    a.stop_gradient = b.stop_gradient = False
    total, product = f(a, b)
    (total + 2 * product).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([7.0, 7.0], [3.0, 3.0])


def check_cube(layer):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = layer.apply(x)
    y.sum().backward()
    assert (y.tolist(), x.grad.tolist()) == ([1.0, 8.0], [3.0, 12.0])


def check_net(layer):
    x = paddle.ones([1, 2])
    assert layer(x).shape == [1, 1]
    assert np.allclose((x @ layer.weight + layer.bias).numpy(), layer(x).numpy())


def check_data(values):
    assert values["x"] == [1, (2.5, "a", None, True), {3}]
    assert values["y"].dtype == np.float32


def check_raises(f):
    try:
        f()
    except ZeroDivisionError as error:
        assert str(error) == "float division by zero"
    else:
        raise AssertionError("no error")


called, wrong = Exercise("called", check=check_called), Exercise("wrong", check=check_called)
pair, cube = Exercise("pair", check=check_pair), Exercise("cube", check=check_cube)
net, data = Exercise("net", check=check_net), Exercise("data", check=check_data)
raises = Exercise("raises", check=check_raises)
itself = Exercise("itself", check=lambda f: f(f))
quits = Exercise("quits", check=lambda f: f())
"""
ANSWERS = """
import numpy as np
import minipaddle as paddle
from minipaddle.autograd import PyLayer


def called(x, scale):
    return x * x * scale


def wrong(x, scale):
    return paddle.to_tensor([12.0, 48.0])


def pair(a, b):
    return a + b, a * b


def itself(answer):
    return answer is itself


def quits():
    raise SystemExit


class cube(PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensor()
        return dy * 3 * x * x


net = paddle.nn.Linear(2, 1)
data = {"x": [1, (2.5, "a", None, True), {3}], "y": np.ones(2, "float32")}


def raises():
    return 1.0 / 0.0
"""
