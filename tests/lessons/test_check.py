"""check.py: each known mistake gets its own hint; marks, hints, pictures, both languages."""

from __future__ import annotations

import functools
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import errors
from minipaddle.autograd import PyLayer
from minipaddle.autograd.py_layer import once_differentiable

from .conftest import LESSONS


def wrong_answers() -> list[Any]:
    """Every known wrong answer of every lesson, with its slip."""
    sys.path.insert(0, str(LESSONS))
    try:
        build = importlib.import_module("build")
    except ImportError:
        return []
    finally:
        sys.path.remove(str(LESSONS))
    return [
        pytest.param(*found, id="-".join(found[:2]))
        for source in build.sources()
        for found in build.wrong_answers(source)
    ]


def answer(name: str, code: str) -> Any:
    """The class that a cell makes, in a notebook that has variables of the same names."""
    notebook = {"paddle": paddle, "PyLayer": PyLayer}
    notebook |= {each: paddle.ones([2, 3], dtype="float64") for each in "xyabt"}
    exec(code, notebook)
    return notebook[name]


def square(backward: str, keep: str = "x") -> Any:
    return answer(
        "square",
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n"
        f"        ctx.save_for_backward({keep})\n        return x * x\n"
        f"    @staticmethod\n    def backward(ctx, dy):\n        {backward}\n",
    )


# ----- verdicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "slip", "code"), wrong_answers())
def test_each_known_mistake_is_told_by_its_own_hint(
    check: ModuleType, name: str, slip: str, code: str
) -> None:
    outcome = check.judge(name, answer(name, code))
    assert type(outcome).__name__ == "Wrong"
    assert outcome.slip == slip
    [hint] = [s.hint for s in check.EXERCISES[name].slips if s.name == slip]
    assert outcome.message == hint


@pytest.mark.parametrize("name", ["square", "gated_tanh"])
def test_every_mistake_that_is_recognised_has_an_example(check: ModuleType, name: str) -> None:
    known = {found.values[1] for found in wrong_answers() if found.values[0] == name}
    assert {slip.name for slip in check.EXERCISES[name].slips} == known
    hints = [slip.hint for slip in check.EXERCISES[name].slips]
    assert len(set(hints)) == len(hints)


@pytest.mark.parametrize(
    "backward",
    [
        "return ctx.saved_tensor()[0] * 2 * dy",
        "return [dy * 2 * ctx.saved_tensor()[0]]",
        "return dy * ctx.saved_tensor()[0] + dy * ctx.saved_tensor()[0]",
    ],
)
def test_another_way_to_write_it_is_right_too(check: ModuleType, backward: str) -> None:
    assert check.judge("square", square(backward)).solved


def test_keeping_it_as_an_attribute_of_ctx_is_right_too(check: ModuleType) -> None:
    code = (
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        ctx.x = x\n        return x * x\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return dy * 2 * ctx.x\n"
    )
    assert check.judge("square", answer("square", code)).solved


@pytest.mark.parametrize("backward", ['"""Nothing."""', "pass", "...", "return None"])
def test_an_empty_backward_is_not_yet_an_answer(check: ModuleType, backward: str) -> None:
    assert type(check.judge("square", square(backward))).__name__ == "NotYet"


@pytest.mark.parametrize("nothing", [None, ...])
def test_nothing_is_not_yet_an_answer(check: ModuleType, nothing: object) -> None:
    assert type(check.judge("square", nothing)).__name__ == "NotYet"


def test_an_unknown_mistake_shows_both_arrays(check: ModuleType) -> None:
    outcome = check.judge("square", square("return dy * 3 * ctx.saved_tensor()[0]"))
    assert outcome.slip == ""
    [pair] = outcome.pairs
    assert pair.name == "dx"
    np.testing.assert_allclose(pair.got, pair.expected * 1.5, rtol=1e-6)


def test_a_gradient_that_fails_for_one_shape_only_is_wrong(check: ModuleType) -> None:
    bad = "(x,) = ctx.saved_tensor(); return dy * 2 * x * (1 if x.ndim else 3)"
    outcome = check.judge("square", square(bad))
    assert type(outcome).__name__ == "Wrong"
    assert outcome.pairs[0].expected.shape == ()


def test_a_changed_forward_is_told_first(check: ModuleType) -> None:
    layer = square("return dy * 3 * ctx.saved_tensor()[0]")
    layer.forward = staticmethod(lambda ctx, x: x * 3)
    outcome = check.judge("square", layer)
    assert outcome.slip == "forward"
    assert "only its save_for_backward line" in outcome.message.en.lower()


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("return x * x", "return x * lost", "NameError: name 'lost' is not defined"),
        ("return x * x", "return x.lost()", "AttributeError: 'Tensor' object has no attribute"),
        ("return dy", "return dy * lost", "NameError: name 'lost' is not defined"),
        ("return dy", "return dy.lost", "AttributeError: 'Tensor' object has no attribute 'lost'"),
    ],
)
def test_an_unknown_exception_is_not_taken_for_a_known_mistake(
    check: ModuleType, old: str, new: str, error: str
) -> None:
    code = (
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * x\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return dy\n"
    )
    outcome = check.judge("square", answer("square", code.replace(old, new)))
    assert type(outcome).__name__ == "Failed"
    assert outcome.error.startswith(error)


def test_methods_that_are_not_plain_functions_are_judged_too(check: ModuleType) -> None:
    layer = square("return dy * 2 * ctx.saved_tensor()[0]")
    once = once_differentiable(layer.backward)
    layer.backward = staticmethod(once)
    assert check.judge("square", layer).solved
    layer.backward = functools.partial(lambda two, ctx, dy: two * dy, 2)
    assert type(check.judge("square", layer)).__name__ == "Wrong"


def test_a_layer_without_backward_fails_with_the_engines_advice(check: ModuleType) -> None:
    code = (
        "class square(PyLayer):\n    @staticmethod\n    def forward(ctx, x):\n        return x * x"
    )
    outcome = check.judge("square", answer("square", code))
    assert type(outcome).__name__ == "Failed"
    assert "You must implement the backward function for PyLayer" in outcome.error


def test_an_instance_is_no_layer(check: ModuleType) -> None:
    outcome = check.judge("square", 3)
    assert outcome.message.en == (
        "check.square expects the class itself: check.square(square). It received int."
    )


# ----- what is shown -----------------------------------------------------------------------------


def test_an_exception_is_shown_with_its_line(
    check: ModuleType, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "cell.py"
    file.write_text(
        "class square(PyLayer):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * x\n"
        "    @staticmethod\n    def backward(ctx, dy):\n        return 1 / 0 * dy\n"
    )
    notebook: dict[str, Any] = {"PyLayer": PyLayer}
    exec(compile(file.read_text(), str(file), "exec"), notebook)
    check.square(notebook["square"])
    assert capsys.readouterr().out == (
        "✗ square: error\n"
        "  Your layer stopped with an exception.\n"
        "  ZeroDivisionError: division by zero\n"
        "  ----> 7 return 1 / 0 * dy\n"
        '  Stuck? Run check.hint("square") in a new cell.\n'
    )


def test_an_error_of_the_engine_keeps_its_advice_but_not_our_line(
    check: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    check.square(square("return 3"))
    shown = capsys.readouterr().out
    assert "We can only support Tensor or None for backward output, but got int" in shown
    assert "to do     wrap NumPy arrays and numbers with paddle.to_tensor(...)" in shown
    assert "pylayer.py" not in shown


def test_marks_and_texts_in_both_languages(
    check: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, marks in (
        ("en", ["○ square: not yet", "✗ square: wrong", "✓ square: right"]),
        ("zh", ["○ square：还没写", "✗ square：不对", "✓ square：正确"]),
    ):
        check.lang = lang
        for backward, mark in zip(
            ["pass", "return dy", "return dy * 2 * ctx.saved_tensor()[0]"], marks, strict=True
        ):
            assert check.square(square(backward)) is None
            assert capsys.readouterr().out.splitlines()[0] == mark


def test_expected_and_given_numbers_stand_side_by_side(check: ModuleType) -> None:
    outcome = check.judge("gated_tanh", answer("gated_tanh", solved("gated_tanh", "db, da")))
    text = repr(check.Shown(outcome, "en"))
    assert "  da [2, 3]\n    expected [[" in text
    assert "    yours [[" in text
    page = check.Shown(outcome, "zh")._repr_html_()
    assert "应为" in page
    assert page.count("<td") == 4 * 6
    assert page.count("border:2px solid #c0392b") == 2 * 6  # every number of the given ones


def solved(name: str, returned: str) -> str:
    """The solution's code with another return line."""
    build = importlib.import_module("build")
    [code] = [
        build.with_answers(cell.source)
        for cell in build.read(build.sources()[0])
        if cell.metadata.get("exercise") == name
    ]
    return str(code).replace("return da, db", f"return {returned}")


def test_what_a_learner_wrote_is_never_html(check: ModuleType) -> None:
    outcome = check.judge("square", square("raise ValueError('<script>alert(1)</script>')"))
    page = check.Shown(outcome, "en")._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_strict_mode_raises_with_the_same_words(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIPADDLE_STRICT", "1")
    with pytest.raises(check.NotRight, match="○ square: not yet"):
        check.square(square("pass"))
    check.square(square("return dy * 2 * ctx.saved_tensor()[0]"))


def test_a_check_leaves_the_global_generator_alone(check: ModuleType) -> None:
    paddle.seed(7)
    untouched = paddle.randn([3]).numpy()
    paddle.seed(7)
    check.judge("square", square("return dy"))
    np.testing.assert_array_equal(paddle.randn([3]).numpy(), untouched)


# ----- hints and solutions -----------------------------------------------------------------------


def test_hints_come_one_by_one(check: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(4):
        check.hint("square")
        shown.append(capsys.readouterr().out)
    assert [text.split(":")[0] for text in shown] == [
        *(f"Hint {n} of 3 for square" for n in (1, 2, 3, 3)),
    ]
    assert 'Run check.hint("square") again for the next one.' in shown[0]
    assert 'check.solution("square") shows a solution.' in shown[2]
    check.lang = "zh"
    check.hint("gated_tanh")
    assert capsys.readouterr().out.startswith("gated_tanh 的提示（1/3）：一次只看一个输入")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["square", "gated_tanh"])
def test_the_solution_that_is_shown_is_right(
    check: ModuleType, capsys: pytest.CaptureFixture[str], name: str, lang: str
) -> None:
    check.lang = lang
    check.solution(name)
    assert check.judge(name, answer(name, capsys.readouterr().out)).solved


def test_unknown_names_are_refused(check: ModuleType) -> None:
    with pytest.raises(errors.NotFound, match=r"There is no exercise 'sqare'\.") as caught:
        check.hint("sqare")
    assert "one of: square, gated_tanh" in str(caught.value)
    with pytest.raises(AttributeError, match="check has no exercise 'sqare'; it has: square, "):
        check.sqare(None)
    check.lang = "fr"
    with pytest.raises(errors.InvalidArgument, match="The checks do not speak 'fr'"):
        check.hint("square")


def test_a_missing_solution_is_told(
    check: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(check, "HERE", tmp_path)
    with pytest.raises(errors.NotFound, match=r"The solution of square is not there\."):
        check.solution("square")
