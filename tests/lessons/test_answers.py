"""Answers to every exercise of every lesson: known mistakes, solutions, corrupted solutions."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Any

import pytest

from minipaddle import exercises
from minipaddle.exercises import Exercise, Prediction, Right, Slip, Wrong
from minipaddle.exercises.checks.experiments import Experiment
from minipaddle.exercises.course import lessons
from minipaddle.exercises.predictions import EXAMPLES
from tests.each import each

from ..mutants import mutated, points
from ..oracle import harness
from .answers import answer_in, solutions
from .conftest import LESSONS


def wrong_answers() -> list[Any]:
    """Every known wrong answer: its lesson, the exercise, the slip, the code."""
    sys.path.insert(0, str(LESSONS))
    try:
        build = importlib.import_module("build")
    except ImportError:
        return []
    finally:
        sys.path.remove(str(LESSONS))
    return [
        pytest.param(source.stem, *answer, id="-".join((source.stem[:2], *answer[:2])))
        for source in build.sources()
        for answer in build.wrong_answers(source)
    ]


EXERCISES = [
    pytest.param(of, each, id=f"{of[:2]}-{each.name}")
    for of in lessons()
    for each in exercises.load(of)
    if isinstance(each, Exercise)
]


@each(("of", "name", "slip", "code"), wrong_answers())
def test_each_known_mistake_is_told_by_its_own_hint(
    of: str, name: str, slip: str, code: str
) -> None:
    exercise = exercises.load(of)[name]
    outcome = exercise.judge(answer_in(of, name, exercise.answer, code))
    assert isinstance(outcome, Wrong)
    assert outcome.slip == slip
    [hint] = [each.hint for each in known_slips(exercise) if each.name == slip]
    for said, words in zip(outcome.reason, hint, strict=True):
        assert re.fullmatch(re.sub(r"\\{\w+\\}", ".+", re.escape(words)), said)


@each(("of", "exercise"), EXERCISES)
def test_what_is_compared_is_called_in_chinese_where_it_is_called_by_words(
    of: str, exercise: Exercise
) -> None:
    experiments = [check for check in exercise.checks if isinstance(check, Experiment)]
    for check in experiments:
        trial = check.tried(check.reference, seed=0)
        assert trial.right
        words = {name for name in trial.expected if re.search(r"[a-z]{2,} [a-z]", name)}
        assert words <= trial.chinese.keys()


@each(("of", "exercise"), EXERCISES)
def test_every_mistake_has_an_example_and_a_hint_of_its_own(of: str, exercise: Exercise) -> None:
    examples = {found.values[2] for found in wrong_answers() if found.values[1] == exercise.name}
    assert 3 <= len({slip.name for slip in exercise.slips} & examples) == len(exercise.slips)
    hints = [hint for slip in known_slips(exercise) for hint in slip.hint]
    assert len(set(hints)) == len(hints)
    assert of in lessons()


@each(("of", "exercise"), EXERCISES)
def test_every_exercise_has_three_hints_and_a_solution_that_is_right(
    of: str, exercise: Exercise
) -> None:
    assert len(exercise.hints) == 3
    assert all(hint.en and hint.own_zh() for hint in exercise.hints)
    for solution in exercise.solution:
        outcome = exercise.judge(answer_in(of, exercise.name, exercise.answer, solution))
        assert isinstance(outcome, Right)


# Any numbers may be recorded.
@each(("of", "exercise"), [each for each in EXERCISES if each.values[1].name != "record"])
def test_a_corrupted_solution_never_passes(of: str, exercise: Exercise) -> None:
    solution = solutions(of)[exercise.name]
    for point in points(solution):
        fault = mutated(exercise.name, solution, point)
        try:
            answer = answer_in(of, exercise.name, exercise.answer, fault.source)
        except Exception:  # noqa: BLE001 - then there is no answer
            continue
        outcome = exercise.judge(answer)
        assert not outcome.solved, fault.change


def test_what_solutions_use_of_paddle_is_asked_of_real_paddle_too() -> None:
    """The oracle suite runs them there: `tests/oracle/cases/*lessons.py`."""
    topics = [topic for topic in harness.topics() if topic.endswith("lessons")]
    asked = {case.name for topic in topics for case in harness.load(topic)[0]}
    written = {name: code for of in lessons() for name, code in solutions(of).items()}
    named = {name for name, code in written.items() if re.search(r"\b(paddle|PyLayer)\b", code)}
    with_pictures = {name for name, code in written.items() if "viz." in code}
    assert named - with_pictures <= asked <= written.keys()


@each("of", [name for name in lessons() if name[:2] != "00"])
def test_a_lesson_asks_for_predictions_in_both_languages(of: str) -> None:
    asked = [each for each in exercises.load(of) if isinstance(each, Prediction)]
    assert len(asked) >= 3
    for each in asked:
        assert each.question.en != each.question.zh
        assert each.because.en != each.because.zh
        assert each.judge(each.words_for(each.truth).zh).solved


@each("of", lessons())
def test_what_a_form_suggests_is_never_the_truth(of: str) -> None:
    for each in exercises.load(of):
        if isinstance(each, Prediction) and each.kind in EXAMPLES:
            assert not each.judge(EXAMPLES[each.kind]).solved


@each("of", lessons())
def test_a_lesson_has_two_to_five_exercises(of: str) -> None:
    assert 2 <= sum(isinstance(each, Exercise) for each in exercises.load(of)) <= 5


def known_slips(exercise: Exercise) -> list[Slip]:
    """The exercise's own, and those that its kind of answer invites."""
    return [*exercise.slips, *(slip for check in exercise.checks for slip in check.slips)]
