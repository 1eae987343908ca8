"""Answers to every exercise of every lesson: known mistakes, solutions, corrupted solutions."""

import ast
import functools
import importlib
import re
from typing import Any

import numpy as np
import pytest

import minipaddle as paddle
from minipaddle import exercises
from minipaddle.exercises import Course, Exercise, Failed, Outcome, Prediction, Right, Slip, Wrong
from minipaddle.exercises.checks import experiment
from minipaddle.exercises.course import lessons
from minipaddle.exercises.outcome_cards import OutcomeCard
from minipaddle.exercises.predictions import EXAMPLES
from tests.each import each

from ..mutants import mutated, points
from ..oracle import harness
from .answers import answer_in, course, solutions
from .conftest import LESSONS


@functools.cache
def known_mistakes() -> list[tuple[str, ...]]:
    """List every known wrong answer: its lesson, the exercise, the slip, the code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(LESSONS))
        build = importlib.import_module("build")
    return [
        (source.stem, *answer)
        for source in build.sources()
        for answer in build.wrong_answers(source)
    ]


def wrong_answers(of: str, exercise: str) -> list[tuple[str, str]]:
    """List the slip and the code of the known wrong answers to one exercise."""
    found = [(slip, code) for *place, slip, code in known_mistakes() if place == [of, exercise]]
    assert len(found) >= 3
    return found


EXERCISES = [
    pytest.param(of, part, id=f"{of[:2]}-{part.name}")
    for of in lessons()
    for part in course(of)
    if isinstance(part, Exercise)
]


@each(("of", "exercise"), EXERCISES, quick=20)
def test_each_known_mistake_gets_its_own_hint_and_a_card_that_keeps_the_answer(
    of: str, exercise: Exercise
) -> None:
    hints = {known.name: known.hint for known in known_slips(exercise)}
    for slip, code in wrong_answers(of, exercise.name):
        outcome = exercise.judge(answer_in(of, exercise.name, exercise.answer, code))
        assert isinstance(outcome, Wrong), code
        assert outcome.slip == slip, code
        for said, words in zip(outcome.reason, hints[slip], strict=True):
            assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(words)), said)
        assert not expected_in_card(of, exercise, outcome, str(hints[slip])), code


@functools.cache
def closed(of: str) -> Course:
    """Load a lesson's exercises so that cards keep the answers."""
    return exercises.load(of, show_answers=False)


def expected_in_card(of: str, exercise: Exercise, outcome: Outcome, hint: str = "") -> set[float]:
    """Return the expected values that a closed card shows, beside inputs and the author's hint."""
    card = OutcomeCard(closed(of)[exercise.name], outcome)
    assert card.record is None
    assert str(outcome.reason).replace("\n", "\n  ") in repr(card) or not outcome.slip
    texts = [repr(card), re.sub("<[^>]*>", " ", card._repr_html_())]
    texts += [button["text"] for button in card.face()["buttons"]]
    own = {*numbers_in(hint), *numbers_in(str(exercise.title))}
    shown = set().union(*map(numbers_in, texts)) - own
    pairs = [np.ravel(pair.expected) for pair in (*outcome.pairs, *outcome.teacher_pairs)]
    expected = {float(x) for row in pairs if row.dtype.kind in "iuf" for x in row}
    numbers = [np.ravel(x) for _, x in outcome.given if x.dtype.kind in "biuf"]
    given = np.concatenate([[], *numbers]).astype("float64")
    return {
        x
        for x in expected
        if not x.is_integer()  # the card counts places and axes
        and not np.isclose(abs(x), np.abs(given)).any()
        and any(0.0 != float(f"{x:.{n}{form}}") in shown for n in range(4, 9) for form in "fg")
    }


def numbers_in(text: str) -> list[float]:
    numbers = re.findall(r"[-−]?\d+(?:\.\d*)?(?:e[-+]?\d+)?", text)
    return [float(number.replace("−", "-")) for number in numbers]


@each("of", lessons())
def test_kept_answers_leave_hints_without_the_solution(of: str) -> None:
    for part in closed(of):
        if isinstance(part, Exercise):
            simple = ast.Assign, ast.AugAssign, ast.Return
            code = [
                x for x in ast.walk(ast.parse(solutions(of)[part.name])) if isinstance(x, simple)
            ]
            lines = {"".join(ast.unparse(line).split()) for line in code}
            assert part.hints
            assert set(part.hints) <= set(course(of)[part.name].hints[:-1])
            for hint in ("".join(str(hint).split()) for hint in part.hints):
                assert 2 * sum(line in hint for line in lines) <= len(lines), part.name
            assert not str(part.solution)


# Nearly right answers: the difference from the solution, and the reported slip.
NEARLY_RIGHT = {
    "07_right_gradient": {
        ("watch", "seen.append(name) => seen.append(tensor.name)"): "other_name",
        ("watch", "return tensor.register_hook(look) => return None"): "not_registered",
        ("watch", "(grad).any() => (grad).sum() < 0"): "removed",
        ("root", "where(x > 0, paddle => where(x < 9, paddle"): "not_picked",
        ("root", "paddle.sqrt(safe) => paddle.sqrt(x - 1)"): "nan_forward",
    },
    "09_training": {
        ("adam_step", "0.001 * grad * grad => 0.001 * paddle.sqrt(grad)"): "",
        ("evaluated", "return float(loss) => return round(float(loss))"): "",
        ("evaluated", "return float(loss) => return loss.numpy()"): "a_tensor",
    },
    "10_programs": {("slope_of", "return dx => return dx.mean()"): ""},
    "12_train_for_real": {
        ("as_program", "return main, startup => return startup, main"): "not_four"
    },
    "14_real_paddle": {("frozen_row", "return dy * row, => return dy.sum(axis=0),"): ""},
    "15_through_time": {
        ("back_in_time", "dw + inner * hs[t - 1] => dw + inner * hs[t - 1] * w"): "w_too_often",
        ("back_in_time", "(1 - hs[t] ** 2) => (1 + hs[t] ** 2)"): "",
        ("clip_all", "max(norm, limit) => max(norm, 2 * limit)"): "",
        ("clip_all", "for grad in grads] => for grad in grads[:2]]"): "not_a_list",
        ("clip_all", "(limit / max(norm, limit)) => 1.0"): "not_clipped",
        ("lstm_step", "sigmoid(f) * c + => sigmoid(f) * c -"): "",
        ("lstm_step", "return h, c => return h.detach(), c.detach()"): "cut_off",
        ("open_gate", "size : 2 * size] = start => 3 : 6] = start"): "other_places",
    },
    "16_gradients_of_gradients": {
        ("second_derivative", "return bend => return bend.sum()"): "",
        ("second_derivative", "return bend => x.clear_grad(); return bend"): "in_x_grad",
        ("second_derivative", "grad(f(x), [x], create => grad(f(x), [x, x], create"): "",
        ("penalty", "(size - 1) => (size - 2)"): "",
        ("penalty", "2).mean() => 2).sum(axis=-1, keepdim=True)"): "",
        ("hvp", "(g * v).sum(), [x] => (g * v).sum(), [x, v]"): "way_lost",
        ("hvp", "return product => x.grad = None; return product"): "in_x_grad",
        ("swish", "s * (1 - s)) => s * (1 + s))"): "",
    },
}


@each(("of", "answers"), NEARLY_RIGHT.items())
def test_a_nearly_right_answer_gets_a_hint_only_if_it_fits(
    of: str, answers: dict[tuple[str, str], str]
) -> None:
    for (name, change), slip in answers.items():
        exercise, (old, new) = course(of)[name], change.split(" => ")
        code = solutions(of)[name]
        assert old in code
        answer = answer_in(of, name, exercise.answer, code.replace(old, new))
        outcome = exercise.judge(answer)
        assert outcome.slip == slip, change
        assert slip or not expected_in_card(of, exercise, outcome), change


@each("value", [None, "text", [], [1.0, [2.0]], {"a": 1}, (None, None), paddle.ones([7])], ids=str)
@each(("of", "exercise"), EXERCISES, quick=120)
def test_a_result_of_another_type_is_rejected_without_an_error_of_the_check(
    of: str, exercise: Exercise, value: Any
) -> None:
    solution = answer_in(of, exercise.name, exercise.answer, solutions(of)[exercise.name])
    if callable(solution) and not isinstance(solution, type):
        outcome = exercise.judge(lambda *arguments: value)
        assert not outcome.solved
        assert exercise.name == "polar_grad" or not isinstance(outcome, Failed)


@each(("of", "exercise"), EXERCISES)
def test_every_exercise_has_three_hints_and_a_solution_that_is_right(
    of: str, exercise: Exercise
) -> None:
    assert len(exercise.hints) == 3
    assert all(hint.en and hint.own("zh") for hint in exercise.hints)
    for solution in exercise.solution:
        outcome = exercise.judge(answer_in(of, exercise.name, exercise.answer, solution))
        assert isinstance(outcome, Right)


@each(("of", "exercise"), EXERCISES)
def test_every_mistake_has_an_example_and_a_hint_of_its_own(of: str, exercise: Exercise) -> None:
    examples = {slip for slip, _ in wrong_answers(of, exercise.name)}
    assert {slip.name for slip in exercise.slips} <= examples
    assert len(exercise.slips) >= 3
    hints = [hint for slip in known_slips(exercise) for hint in slip.hint]
    assert len(set(hints)) == len(hints)


@each(("of", "exercise"), EXERCISES)
def test_names_that_are_english_words_have_a_chinese_form(of: str, exercise: Exercise) -> None:
    assert of in lessons()
    for check in exercise.checks:
        if isinstance(check, experiment):
            trial = check.run_trial(check.reference, seed=0)
            assert trial.right
            words = {name for name in trial.expected if re.search(r"[a-z]{2,} [a-z]", name)}
            assert words <= trial.labels.keys()


# Exercises that accept any recorded numbers.
@pytest.mark.slow
@each(("of", "exercise"), [row for row in EXERCISES if row.values[1].name != "record"])
def test_a_corrupted_solution_never_passes(of: str, exercise: Exercise) -> None:
    solution = solutions(of)[exercise.name]
    for point in points(solution):
        fault = mutated(exercise.name, solution, point)
        try:
            answer = answer_in(of, exercise.name, exercise.answer, fault.source)
        except Exception:  # noqa: BLE001 - no answer after an error
            continue
        outcome = exercise.judge(answer)
        assert not outcome.solved, fault.change


def test_every_solution_that_uses_paddle_has_an_oracle_case() -> None:
    """`tests/oracle/cases/*lessons.py` run the solutions on real Paddle."""
    topics = [topic for topic in harness.topics() if topic.endswith("lessons")]
    asked = {case.name for topic in topics for case in harness.load(topic)[0]}
    asked = {name for name in asked if not name.startswith("lesson_")}  # claims of a text
    written = {name: code for of in lessons() for name, code in solutions(of).items()}
    named = {name for name, code in written.items() if re.search(r"\b(paddle|PyLayer)\b", code)}
    with_pictures = {name for name, code in written.items() if "viz." in code}
    assert named - with_pictures <= asked <= written.keys()


@each("of", lessons())
def test_a_lesson_has_exercises_and_predictions_in_both_languages(of: str) -> None:
    assert 2 <= sum(isinstance(part, Exercise) for part in course(of)) <= 5
    asked = [part for part in course(of) if isinstance(part, Prediction)]
    assert len(asked) >= 3
    for part in asked:
        assert part.question.en != part.question.zh
        assert part.because.en != part.because.zh
        assert part.judge(part.words_for(part.truth).zh).solved
        if part.kind in EXAMPLES:  # the form itself suggests examples
            assert not part.judge(EXAMPLES[part.kind]).solved


def known_slips(exercise: Exercise) -> list[Slip]:
    """List the exercise's own slips, and those that its kind of answer invites."""
    classic = {slip.name: slip for check in exercise.checks for slip in check.slips}
    return [*exercise.slips, *classic.values()]
