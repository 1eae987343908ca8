"""check.py: each known mistake gets its own hint; marks, pictures, both languages."""

from __future__ import annotations

import functools
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle.autograd import PyLayer
from minipaddle.autograd.py_layer import once_differentiable

from .answers import answer, source, square
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
        pytest.param(*answer, id="-".join(answer[:2]))
        for source in build.sources()
        for answer in build.wrong_answers(source)
    ]


# ----- verdicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "slip", "code"), wrong_answers())
def test_each_known_mistake_is_told_by_its_own_hint(
    check: ModuleType, name: str, slip: str, code: str
) -> None:
    outcome = check.judge(name, answer(name, code))
    assert type(outcome).__name__ == "Wrong"
    assert outcome.slip == slip
    [hint] = [s.hint for s in check.EXERCISES[name].slips if s.name == slip]
    for said, words in zip(outcome.message, hint, strict=True):
        assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(words)), said)


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
    assert outcome.error.en.startswith(error)


@pytest.mark.parametrize(
    ("backward", "keep", "en", "zh"),
    [
        ("return dy * 2 * x", "x", "and it uses x. First take back", "用到了 x，"),
        ("x, y = ctx.saved_tensor()", "x", "forward: 1; tensors taken back here: 2", "存了 1 个"),
        ("x, y = ctx.saved_tensor()", "x, x, x", "forward: 3; tensors taken", "却要取 2 个"),
        ("x = ctx.saved_tensor()[0]; return x * x ^ 2", "x", "x ** 2", "^ 是按位异或"),
        ("(x,) = ctx.saved_tensors", "x", ": (x,) = ctx.saved_tensor()", "：(x,) = ctx.saved_ten"),
        ("return dy * ctx.saved_tensor", "x", "with parentheses", "要加括号"),
        ("return dy * ctx.saved_tensor()[0]", "[x]", "ctx.save_for_backward(x)", "不要放进列表"),
        ("(x,) = ctx.saved_tensor()", "", "that forward did not save", "forward 没有保存"),
    ],
)
def test_a_known_mistake_is_told_with_its_names_and_numbers(
    check: ModuleType, backward: str, keep: str, en: str, zh: str
) -> None:
    notebook = {"PyLayer": PyLayer}
    exec(source(backward, keep), notebook)
    message = check.judge("square", notebook["square"]).message
    assert en in message.en
    assert zh in message.zh
    assert not re.search(r"\{\w+\}", "".join(message))


def test_another_unpacking_is_not_taken_for_a_missing_tensor(check: ModuleType) -> None:
    outcome = check.judge("square", square("a, b, c = [1, 2]; return dy"))
    assert "unpack" in outcome.error.en


def test_a_list_inside_save_for_backward_that_works_is_right(check: ModuleType) -> None:
    layer = square("return dy * 2 * ctx.saved_tensor()[0][0]", keep="[x]")
    assert check.judge("square", layer).solved


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
    assert "You must implement the backward function for PyLayer" in outcome.error.en


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
    check.lang = "zh"
    check.square(square("return 3"))
    rows = [row.strip() for row in capsys.readouterr().out.splitlines()]
    assert "要求：每个输入对应一个 Tensor 或 None" in rows
    assert "实际：int" in rows
    assert "怎么办：用 paddle.to_tensor(...) 把 NumPy 数组或数转换成 Tensor" in rows


def test_a_known_mistake_shows_its_line_too(check: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "cell.py"
    file.write_text(source("(x,) = ctx.saved_tensors"))
    notebook: dict[str, Any] = {"PyLayer": PyLayer}
    exec(compile(file.read_text(), str(file), "exec"), notebook)
    shown = check.Shown(check.judge("square", notebook["square"]), "zh")
    assert "\n  ----> 8 (x,) = ctx.saved_tensors\n" in repr(shown)
    assert "----&gt; 8 (x,) = ctx.saved_tensors</pre>" in shown._repr_html_()


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
        for cell in build.read_cells(build.sources()[0])
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
