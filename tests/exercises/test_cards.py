"""Cards as text, as HTML that a notebook stores, and as a widget with buttons."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import exercises
from minipaddle.engine.visible import make_visible
from minipaddle.exercises import Exercise, NotRight, checks, progress, widget
from minipaddle.exercises.cards import RED
from minipaddle.exercises.outcome_cards import OutcomeCard, pair_as_html, pair_as_text
from minipaddle.exercises.outcomes import SILENT, Pair, Right
from tests.each import each
from tests.samples import pylayer

DOUBLE = {
    "check": checks.function(lambda x: 2 * x),
    "title": ("Twice x", "x 的两倍"),
    "hints": [("Add.", "相加。"), ("x and x", "x 和 x"), "x + x"],
    "solution": "def double(x):\n    return x + x",
}


@pytest.fixture
def double() -> Exercise:
    return Exercise("double", **DOUBLE)


def card_of(exercise: Exercise, answer: Any) -> OutcomeCard:
    return OutcomeCard(exercise, exercise.judge(answer))


def test_exercises_have_the_languages_of_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="'en' or 'zh'"):
        exercises.set_lang("fr")
    monkeypatch.setattr("minipaddle.exercises.outcomes.languages", lambda: ("en", "fr", "zh"))
    exercises.set_lang("fr")
    assert (
        repr(OutcomeCard(Exercise("one", check=checks.value(1)), Right(SILENT))) == "✓ one: right"
    )


def test_every_outcome_has_its_mark(double: Exercise) -> None:
    def raises(x: Any) -> Any:
        raise ValueError("no")

    answers = [None, raises, lambda x: x, lambda x: 2 * x]
    heads = [card_of(double, answer).head for answer in answers]
    assert heads == ["○ double: not yet", "✗ double: error", "✗ double: wrong", "✓ double: right"]
    exercises.set_lang("zh")
    assert [card_of(double, answer).head for answer in answers] == [
        "○ double：还没写",
        "✗ double：运行出错",
        "✗ double：不对",
        "✓ double：正确",
    ]


def test_a_card_has_a_button_for_each_hint_and_for_the_solution(double: Exercise) -> None:
    buttons = card_of(double, lambda x: x).face()["buttons"]
    assert [b["label"] for b in buttons] == ["Hint 1", "Hint 2", "Hint 3", "Solution"]
    assert [b["text"] for b in buttons] == ["Add.", "x and x", "x + x", DOUBLE["solution"]]
    assert [b["code"] for b in buttons] == [False, False, False, True]
    assert card_of(double, lambda x: 2 * x).face()["buttons"] == []
    exercises.set_lang("zh")
    assert card_of(double, None).face()["buttons"][0] == {
        "label": "提示 1",
        "text": "相加。",
        "code": False,
    }


def test_a_card_that_keeps_the_answer_says_where_it_is_wrong_and_not_what_is_right(
    tmp_path: Path,
) -> None:
    (tmp_path / "gates.py").write_text(
        "from minipaddle.exercises import Exercise, checks\n"
        "both = checks.function(lambda x: (7 * x, x + 1), inputs=[(3,)], gradients=False)\n"
        "it = Exercise('it', check=both, solution='def it(x):\\n    return 7 * x, x + 1',\n"
        "              hints=['Two values.', 'return 7*x, x + 1, I said.', 'Really.'])\n"
        "one = Exercise('one', check=checks.shape([7]), hints=['Count.'])\n",
        encoding="utf-8",
    )
    shown = exercises.load(tmp_path / "gates.py")
    kept = exercises.load(tmp_path / "gates.py", show_answers=False)
    outcome = shown.it.judge(lambda x: (2 * x, x + 1))
    [pair] = outcome.pairs
    texts = []
    for course in (shown, kept):
        card = OutcomeCard(course.it, outcome)
        texts.append(repr(card) + str(card.face()))
        assert (card.record is None) == (course is kept)
    for secret in (f"{pair.expected[0]:.4g}", "3.5 times", "7 * x", "7*x", "Really", "Solution"):
        assert [secret in text for text in texts] == [True, False], secret
    said = {
        "en": "y0 is k times too small.\n  y0 [3]: wrong in 3 of 3 places.",
        "zh": "y0 太小了：正确值是它的 k 倍。\n  y0 [3]：3 处中有 3 处不对。",
    }
    for lang, words in said.items():
        exercises.set_lang(lang)
        assert words in repr(OutcomeCard(kept.it, outcome))
    assert [str(hint) for hint in (*kept.it.hints, *kept.one.hints)] == ["Two values.", "Count."]


def test_no_text_of_users_becomes_html() -> None:
    evil = "<script>alert(1)</script>"
    exercise = Exercise("evil", title=evil, check=lambda answer: evil, hints=[evil], praise=evil)
    assert evil not in card_of(exercise, 1).face()["html"]
    raising = Exercise("evil", check=checks.function(lambda x: x))

    def bad(x: Any) -> Any:
        raise ValueError(evil)

    assert evil not in card_of(raising, bad)._repr_html_()


def test_large_answers_and_odd_numbers_have_cards() -> None:
    exercise = Exercise("big", check=checks.function(lambda x: x, inputs=[(9, 9), (0, 2)]))
    assert "<pre" in card_of(exercise, lambda x: x * 2)._repr_html_()
    for odd in (float("nan"), float("inf")):
        small = Exercise("odd", check=checks.function(lambda x: x, inputs=[(2,)]))
        page = card_of(small, lambda x, odd=odd: x * odd)._repr_html_()
        assert str(odd) in page


@each(
    ("expected", "got", "texts"),
    [
        (0.12341, 0.12344, ("0.12341", "0.12344")),
        ([0.5, 0.12341], [0.9, 0.12344], ("0.12341", "0.12344")),
        (1e-6, 2e-6, ("0.000001", "0.000002")),
        (12345.01, 12346.01, ("12345.01", "12346.01")),
        (np.float32(0.12341), np.float32(0.12344), ("0.12341", "0.12344")),
        ([True, False], [True, True], ("[ True False]", "[ True  True]")),
        ([1 + 1e-5j, 1], [1 + 4e-5j, 1], ("0.00001j", "0.00004j")),
    ],
)
def test_numbers_that_differ_are_printed_until_they_do(
    expected: Any, got: Any, texts: tuple[str, str]
) -> None:
    pair = Pair("y", np.asarray(expected), np.asarray(got))
    with np.printoptions(precision=1, suppress=True, linewidth=20, sign="+"):
        text = pair_as_text(pair, "en")
    rows = text.split("\n")
    assert rows[1].startswith("  expected ")
    assert all(wanted in row for wanted, row in zip(texts, rows[1:], strict=True)), text
    if pair.got.dtype.kind == "f":
        assert f"solid {RED}" in pair_as_html(pair, "en")


def test_no_control_character_of_an_answers_reaches_a_card(double: Exercise) -> None:
    hostile = "\x1b]0;owned\x07\r\u202e" + "y" * 10**6

    def raises(x: Any) -> Any:
        raise ValueError(hostile)

    for shown in (card_of(double, raises), card_of(Exercise("it", check=lambda _: hostile), 1)):
        for text in (repr(shown), shown._repr_html_()):
            assert "owned" in text
            assert make_visible(text, keep="\n") == text
        assert len(repr(shown) + shown._repr_html_()) < 10_000


def test_differing_texts_have_a_card() -> None:
    names = checks.experiment(
        lambda: "dy", use=lambda answer: {"names": np.array([answer(), "x"])}, inputs=lambda rng: {}
    )
    page = card_of(Exercise("named", check=names), lambda: "dx")._repr_html_()
    assert "dx" in page
    assert "dy" in page


def test_missing_hints_and_solutions_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    bare = Exercise("bare", check=checks.value(1))
    bare.hint()
    bare.show_solution()
    assert capsys.readouterr().out == ("bare has no hints.\nbare comes without a solution.\n")
    hinted = Exercise("hinted", check=checks.value(1), hints=["One."])
    hinted.hint()
    assert capsys.readouterr().out == "Hint 1 of 1 for hinted: One.\nThat was the last hint.\n"
    assert [entry.did for entry in progress.entries()[0]] == ["hint"]


def test_strict_mode_raises_with_the_text_of_the_card(
    double: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINIPADDLE_STRICT", "1")
    with pytest.raises(NotRight, match="○ double: not yet"):
        double.check(None)
    double.check(lambda x: 2 * x)


# ----- the widget --------------------------------------------------------------------------------


def test_pressed_buttons_are_noted_in_the_progress(double: Exercise) -> None:
    shown = widget.widget_of(card_of(double, None))
    for number in range(4):
        shown.heard(shown, {"opened": number}, [])
    shown.heard(shown, {"opened": "x"}, [])
    shown.heard(shown, {}, [])
    noted = [(entry.did, entry.what) for entry in progress.entries()[0]]
    assert noted == [("hint", "1"), ("hint", "2"), ("hint", "3"), ("solution", "asked")]


def test_a_card_keeps_its_html_beside_the_widget(double: Exercise) -> None:
    bundle = card_of(double, lambda x: x)._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    assert bundle["text/html"].startswith('<div class="mp-check"')
    assert bundle["text/plain"].startswith("✗ double: wrong")


# ----- the picture -------------------------------------------------------------------------------


def test_the_player_opens_at_the_first_wrong_gradient() -> None:
    import viz
    from minipaddle.exercises import cards

    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    square = pylayer(forward, lambda ctx, dy: dy * 3 * ctx.saved_tensor()[0], "square")
    outcome = Exercise("square", check=checks.pylayer(lambda x: x * x)).judge(square)
    assert outcome.record is not None
    trace = cards.record_run(viz, outcome.record)
    step = trace.steps[cards.first_wrong(viz, trace)]
    assert step.text == "square.backward returns the gradient of x [2, 3]."


def test_a_function_that_raises_still_leaves_a_picture() -> None:
    import viz
    from minipaddle.exercises import cards

    def half_way(x: Any) -> Any:
        return paddle.tanh(x) @ paddle.ones([7])

    outcome = Exercise("f", check=checks.function(lambda x: x, inputs=[(2,)])).judge(half_way)
    assert outcome.verdict == "error"
    assert len(cards.record_run(viz, lambda: half_way(paddle.ones([2])))) > 0


# ----- nothing is left behind --------------------------------------------------------------------


def test_a_file_that_cannot_be_written_stops_nobody(
    double: Exercise, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("MINIPADDLE_PROGRESS", os.fspath(tmp_path / "file" / "progress.jsonl"))
    double.check(lambda x: 2 * x)
    assert progress.entries() == ([], 0)
