"""Answers that are nearly right, or of another kind: refused, and told nothing that is not so."""

from __future__ import annotations

import re
from typing import Any

import minipaddle as paddle
from minipaddle.exercises import Exercise, Failed, Wrong
from tests.each import each

from .answers import answer_in, course, solutions
from .near_misses import NEAR_MISSES
from .test_answers import EXERCISES


def near(of: str, exercise: Exercise, miss: str) -> Any:
    """Make the answer of a near miss; an error unless it changes the solution."""
    code = solutions(of)[exercise.name]
    old, arrow, new = miss.partition(" =>")
    assert not arrow or old in code, old
    code = code.replace(old, new.removeprefix(" ")) if arrow else f"{exercise.answer} = {miss}"
    return answer_in(of, exercise.name, exercise.answer, code)


@each(("of", "exercise"), EXERCISES)
def test_near_misses_are_refused(of: str, exercise: Exercise) -> None:
    misses = NEAR_MISSES[of][exercise.name]
    assert len({*misses}) >= 5
    for miss in misses:
        outcome = exercise.judge(near(of, exercise, miss))
        assert isinstance(outcome, Wrong | Failed), miss
        # An exception is that of a line of the answer, or names what its layer gave back.
        named = re.search("PyLayer|backward_func|Leaf Var", outcome.error.en)
        assert not isinstance(outcome, Failed) or outcome.line or named, miss


HINTS = {
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
}


@each(("of", "hints"), HINTS.items())
def test_a_hint_is_given_for_what_it_says_alone(of: str, hints: dict[tuple[str, str], str]) -> None:
    for (name, miss), slip in hints.items():
        exercise = course(of)[name]
        assert exercise.judge(near(of, exercise, miss)).slip == slip, miss


@each("value", [None, "text", [], [1.0, [2.0]], {"a": 1}, (None, None), paddle.ones([7])], ids=str)
@each(("of", "exercise"), EXERCISES)
def test_what_a_function_gives_back_is_looked_at_before_it_is_used(
    of: str, exercise: Exercise, value: Any
) -> None:
    given = answer_in(of, exercise.name, exercise.answer, solutions(of)[exercise.name])
    if callable(given) and not isinstance(given, type):
        outcome = exercise.judge(lambda *arguments: value)
        assert not outcome.solved
        assert exercise.name == "polar_grad" or not isinstance(outcome, Failed)
